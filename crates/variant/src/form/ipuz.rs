//! Reads and writes ipuz Sudoku with cages or zones, which the plain grid formats cannot express.
//!
//! A cage has a sum, a difference, a product or a quotient. Only sums are supported. The cells of a
//! cage are (column, row), counted from 1. The format does not specify whether the digits of a cage
//! may repeat, so they differ only where rows, columns and boxes require it.

use serde_json::{Value, json};

use super::object::{Unused, check_keys, list, number, set};
use super::{LinkForm, NamedClues, clue, content_of, first_line};
use crate::Variant;
use grid::format::ipuz::{KEYS, is_version, kind_of};
use grid::{Grid, GridRule, MAX_ORDER, Setting};
use puzzle::cover::parse_json;
use text::InputError;

pub(super) const FORM: LinkForm = LinkForm {
    name: "ipuz-cages",
    summary: "ipuz with cages or zones",
    recognizes,
    read,
    write: Some(write),
    #[cfg(test)]
    rules: || CAGES.iter().map(|row| row.0).collect(),
};

/// The rules: the name, the operator of the cage for its value, and whether its cells are a zone.
/// Other operators than `+` concern two cells.
const CAGES: [(&str, Option<&str>, bool); 5] = [
    ("sum", Some("+"), false),
    ("difference", Some("-"), false),
    ("ratio", Some("/"), false),
    ("extra", None, true),
    ("killer", Some("+"), true),
];

/// Returns the rule that a cage with this operator states, or a zone without one.
fn rule_of(operator: Option<&str>) -> Option<&'static str> {
    let row = CAGES.iter().find(|row| row.1 == operator && row.2 == operator.is_none());
    row.map(|(name, ..)| *name)
}

fn recognizes(sample: &str) -> bool {
    let content = sample.trim_start();
    (content.starts_with('{') || content.starts_with("ipuz("))
        && content.contains("ipuz.org")
        && ["\"cages\"", "\"zones\"", "ipuz.org/sudoku/"].iter().any(|part| content.contains(part))
}

fn read(text: &str) -> Result<Variant, InputError> {
    let line = first_line(text);
    let json = content_of(text).trim().trim_end_matches(';').trim();
    let (json, is_open) = match json.strip_prefix("ipuz(") {
        Some(json) => (json.strip_suffix(')').unwrap_or(json), !json.ends_with(')')),
        None => (json, false),
    };
    let value: Value =
        parse_json(json).map_err(|error| super::json_error(text, json, "JSON", &error))?;
    if is_open {
        return Err(line.error(0, "expected `)` after the object of `ipuz(`, found none"));
    }
    variant(&value).map_err(|message| line.error(0, message))
}

fn variant(puzzle: &Value) -> Result<Variant, String> {
    let mut unused = Unused::default();
    check_keys(puzzle, &[&KEYS[..], &["cages", "zones"]].concat(), &mut unused)?;
    if let Some(version) =
        puzzle.get("version").filter(|version| !version.as_str().is_some_and(is_version))
    {
        return Err(format!("expected the version http://ipuz.org/v1 or v2, found `{version}`"));
    }
    let has_boxes = match puzzle.get("boxes") {
        None | Some(Value::Null) => None,
        Some(Value::Bool(has_boxes)) => Some(*has_boxes),
        Some(other) => return Err(format!("expected true or false in `boxes`, found `{other}`")),
    };
    let (mut is_latin, mut rules) = (has_boxes == Some(false), Vec::new());
    let kinds = puzzle.get("kind").and_then(Value::as_array).filter(|kinds| !kinds.is_empty());
    for kind in kinds.ok_or("expected kinds in `kind`")? {
        let found = || format!("expected the kind http://ipuz.org/sudoku, found `{kind}`");
        match kind.as_str().and_then(kind_of).ok_or_else(found)? {
            "sudoku" | "sudoku/killersudoku" | "sudoku/calcudoku" => {}
            // Zones are the regions of a jigsaw.
            "sudoku/latinsquare" | "sudoku/jigsawsudoku" if has_boxes == Some(true) => {
                return Err(format!("expected no `boxes` in a puzzle of the kind `{kind}`"));
            }
            "sudoku/latinsquare" | "sudoku/jigsawsudoku" => is_latin = true,
            "sudoku/diagonalsudoku" => rules = vec![GridRule::Diagonals],
            _ => return Err(found()),
        }
    }
    let rows = puzzle.get("puzzle").and_then(Value::as_array).ok_or("expected rows in `puzzle`")?;
    let order = rows.len();
    if !(1..=MAX_ORDER).contains(&order) {
        return Err(format!("expected 1 to {MAX_ORDER} rows in `puzzle`, found {order}"));
    }
    let mut setting = Setting::new(is_latin, None, rules);
    let sides = puzzle.get("dimensions").unwrap_or(&Value::Null);
    check_keys(sides, &["width", "height"], &mut unused)
        .map_err(|message| format!("{message} in `dimensions`"))?;
    for side in ["width", "height"] {
        if let Some(said) = sides.get(side).filter(|said| said.as_u64() != Some(order as u64)) {
            return Err(format!("expected {order} as the {side} of `dimensions`, found `{said}`"));
        }
    }
    let (board, mut grid) = super::empty(setting.shape(order)?, 1);
    let symbols: Vec<String> = match puzzle.get("charset") {
        Some(Value::String(set)) if set.chars().count() == order => {
            set.chars().map(String::from).collect()
        }
        None | Some(Value::Null) => (1..=order).map(|digit| digit.to_string()).collect(),
        Some(set) => return Err(format!("expected {order} characters in `charset`, found `{set}`")),
    };
    let mut read_rows = |rows: &[Value], grid: &mut Grid| {
        for (row, cells) in rows.iter().enumerate() {
            let cells = cells.as_array().filter(|cells| cells.len() == order);
            let cells =
                cells.ok_or_else(|| format!("expected {order} cells in each row, found others"))?;
            for (column, cell) in cells.iter().enumerate() {
                let blank = puzzle.get("empty");
                if let Some(symbol) = symbol(cell, blank, &symbols, &mut unused)? {
                    grid.place(row * order + column, symbol);
                }
            }
        }
        Ok::<_, String>(())
    };
    read_rows(rows, &mut grid)?;
    let solution = list(puzzle, "solution")?;
    if !solution.is_empty() {
        if solution.len() != order {
            let found = solution.len();
            return Err(format!("expected {order} rows in `solution`, found {found}"));
        }
        let mut solved = grid.clone();
        read_rows(solution, &mut solved)?;
        let is_same = |cell| grid.symbol(cell).is_none_or(|symbol| solved.symbol(cell) == Some(symbol));
        if !(0..order * order).all(is_same) {
            return Err("expected a `solution` with the digits of `puzzle`, found others".to_owned());
        }
    }
    let mut clues = NamedClues::new();
    for cage in list(puzzle, "cages")? {
        let cells = cells(cage, order)?;
        check_keys(cage, &["cells", "rect", "value", "operator", "style"], &mut unused)?;
        let value = cage.get("value").and_then(number);
        let operator = cage.get("operator").filter(|operator| !operator.is_null());
        let operator = operator.map_or(Some("+"), Value::as_str);
        let operator = operator.ok_or_else(|| format!("expected an operator, found `{cage}`"))?;
        let value = value
            .ok_or_else(|| format!("expected a number as the `value` of a cage, found `{cage}`"))?;
        let rule = rule_of(Some(operator)).filter(|_| operator == "+" || cells.len() == 2);
        let rule =
            rule.ok_or_else(|| format!("expected cages that add up, found the operator `{operator}`"))?;
        clues.push(clue(rule, cells, vec![value]));
    }
    for zone in list(puzzle, "zones")? {
        check_keys(zone, &["cells", "rect", "style"], &mut unused)?;
        let cells = cells(zone, order)?;
        clues.extend(rule_of(None).filter(|_| cells.len() > 1).map(|rule| clue(rule, cells, vec![])));
    }
    super::variant(board, grid, clues, unused)
}

/// Reads a cell: a symbol, or an object with a `value` or `cell`, which must agree. A cell is blank
/// without a symbol, or with `blank`.
fn symbol(
    cell: &Value,
    blank: Option<&Value>,
    symbols: &[String],
    unused: &mut Unused,
) -> Result<Option<usize>, String> {
    let of = |value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if matches!(&*text, "0" | "" | "." | "null") || blank.is_some_and(|blank| blank == value) {
            return Ok(None);
        }
        let symbol = symbols.iter().position(|symbol| *symbol == text);
        symbol.map(Some).ok_or_else(|| format!("expected a digit, found `{text}`"))
    };
    if !cell.is_object() {
        return of(cell);
    }
    check_keys(cell, &["value", "cell", "style"], unused)
        .map_err(|message| format!("{message} in a cell"))?;
    match (set(cell, "value").map(of).transpose()?, set(cell, "cell").map(of).transpose()?) {
        (Some(value), Some(shown)) if value != shown => {
            Err(format!("expected `value` and `cell` to agree, found `{cell}`"))
        }
        (value, shown) => Ok(value.or(shown).flatten()),
    }
}

/// Reads the cells of a cage or zone: a list of cells, or the corners of a rectangle. A cell is
/// (column, row), counted from 1.
fn cells(cage: &Value, order: usize) -> Result<Vec<usize>, String> {
    let expected =
        || format!("expected `cells` with columns and rows from 1 to {order}, found `{cage}`");
    let number = |number: &Value| {
        let number = usize::try_from(number.as_u64()?).ok()?;
        number.checked_sub(1).filter(|&number| number < order)
    };
    let numbers = |list: &Value| list.as_array()?.iter().map(number).collect::<Option<Vec<_>>>();
    match (set(cage, "rect"), set(cage, "cells")) {
        (Some(corners), None) => match numbers(corners).as_deref() {
            Some(&[left, top, right, bottom]) if left <= right && top <= bottom => Ok((top..=bottom)
                .flat_map(|row| (left..=right).map(move |column| row * order + column))
                .collect()),
            _ => Err(format!(
                "expected two corners in `rect`, each number from 1 to {order}, found `{cage}`"
            )),
        },
        (None, Some(list)) => {
            let cell = |cell: &Value| match numbers(cell).as_deref() {
                Some(&[column, row]) => Ok(row * order + column),
                _ => Err(expected()),
            };
            list.as_array().ok_or_else(expected)?.iter().map(cell).collect()
        }
        _ => Err(format!("expected either `cells` or `rect`, found `{cage}`")),
    }
}

/// Writes a variant whose clues are sums, differences and ratios of two cells, and groups of cells
/// that differ.
fn write(variant: &Variant) -> Result<String, String> {
    let (board, shape, grid) = (&variant.board, &variant.board.shape, &variant.grid);
    if board.first != 1 || !shape.rules().is_empty() {
        return Err("ipuz-cages holds digits from 1 on, and no rules of the whole grid".to_owned());
    }
    let has_boxes = shape.regions().next().is_some();
    if has_boxes && *Setting::default().shape(board.order())? != **shape {
        return Err("ipuz-cages holds boxes of the usual size, or none".to_owned());
    }
    if !grid.is_plain() {
        return Err("ipuz-cages holds no marks of cells".to_owned());
    }
    let value = |cell: usize| grid.symbol(cell).map_or(0, |symbol| symbol + 1);
    let rows = (0..shape.rows()).map(|row| board.row(row).into_iter().map(value).collect::<Vec<_>>());
    let places = |cells: &[usize]| -> Vec<[usize; 2]> {
        cells.iter().map(|&cell| board.place(cell)).map(|(row, column)| [column + 1, row + 1]).collect()
    };
    let (mut cages, mut zones) = (Vec::new(), Vec::new());
    for placed in &variant.placed {
        let name = placed.rule.name;
        let row = CAGES.iter().find(|(known, ..)| *known == name);
        let &(_, operator, is_zone) =
            row.ok_or_else(|| format!("ipuz-cages has no form for the rule {name}"))?;
        let cells = &placed.args.groups[0][..];
        if let Some((operator, value)) = operator.zip(placed.rule.value(&placed.args)) {
            let cage = |cells| json!({ "cells": places(cells), "value": value, "operator": operator });
            match operator {
                "+" => cages.push(cage(cells)),
                _ => cages.extend(cells.windows(2).map(cage)),
            }
        }
        if is_zone && cells.len() > 1 {
            zones.push(json!({ "cells": places(cells) }));
        }
    }
    let puzzle = json!({
        "version": "http://ipuz.org/v2",
        "kind": ["http://ipuz.org/sudoku#1"],
        "dimensions": { "width": shape.columns(), "height": shape.rows() },
        "boxes": has_boxes,
        "puzzle": rows.collect::<Vec<_>>(),
        "cages": cages,
        "zones": zones,
    });
    Ok(format!("{puzzle}\n"))
}

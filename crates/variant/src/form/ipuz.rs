//! Reads and writes ipuz Sudoku with cages or zones, which the plain grid formats cannot express.
//!
//! A cage has a sum, a difference, a product or a quotient. Only sums are supported. The cells of a
//! cage are (column, row), counted from 1. The format does not specify whether the digits of a cage
//! may repeat, so they differ only where rows, columns and boxes require it.

use serde_json::{Value, json};

use super::{LinkForm, NamedClues, check_keys, clue, content_of, first_line};
use crate::Variant;
use grid::format::ipuz::{KEYS, behind_site, is_version};
use grid::{MAX_ORDER, Rule as GridRule, Setting};
use puzzle::cover::parse_json;
use text::InputError;

pub(super) const FORM: LinkForm = LinkForm {
    name: "ipuz-cages",
    summary: "ipuz with cages or zones",
    recognizes,
    read,
    write: Some(write),
};

fn recognizes(sample: &str) -> bool {
    let content = sample.trim_start();
    (content.starts_with('{') || content.starts_with("ipuz("))
        && content.contains("ipuz.org")
        && ["\"cages\"", "\"zones\"", "ipuz.org/sudoku/"].iter().any(|part| content.contains(part))
}

fn read(text: &str) -> Result<Variant, InputError> {
    let line = first_line(text);
    let json = content_of(text).trim().trim_end_matches(';').trim();
    let json = json.strip_prefix("ipuz(").map_or(json, |json| json.strip_suffix(')').unwrap_or(json));
    let value: Value =
        parse_json(json).map_err(|error| super::json_error(text, json, "JSON", &error))?;
    variant(&value).map_err(|message| line.error(0, message))
}

fn variant(puzzle: &Value) -> Result<Variant, String> {
    check_keys(puzzle, &[&KEYS[..], &["cages", "zones"]].concat())?;
    if let Some(version) =
        puzzle.get("version").filter(|version| !version.as_str().is_some_and(is_version))
    {
        return Err(format!("expected a version such as http://ipuz.org/v2, found `{version}`"));
    }
    let (mut is_latin, mut rules) = (puzzle.get("boxes") == Some(&Value::Bool(false)), Vec::new());
    for kind in puzzle.get("kind").and_then(Value::as_array).ok_or("expected kinds in `kind`")? {
        let found = || format!("expected the kind http://ipuz.org/sudoku, found `{kind}`");
        let name = kind.as_str().and_then(behind_site).ok_or_else(found)?;
        match name.split('#').next().unwrap_or("").trim_end_matches('/') {
            "sudoku" | "sudoku/killersudoku" | "sudoku/calcudoku" => {}
            // The zones are the regions of a jigsaw.
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
    for side in ["width", "height"] {
        let said = puzzle.get("dimensions").and_then(|sides| sides.get(side));
        if let Some(said) = said.filter(|said| said.as_u64() != Some(order as u64)) {
            return Err(format!("expected {order} as the {side} of `dimensions`, found `{said}`"));
        }
    }
    let (board, mut grid) = super::empty(setting.shape(order)?, 1);
    let symbols: Vec<String> = match puzzle.get("charset").and_then(Value::as_str) {
        Some(set) if set.chars().count() == order => set.chars().map(String::from).collect(),
        Some(set) => return Err(format!("expected {order} characters in `charset`, found `{set}`")),
        None => (1..=order).map(|digit| digit.to_string()).collect(),
    };
    for (row, cells) in rows.iter().enumerate() {
        let cells = cells.as_array().filter(|cells| cells.len() == order);
        let cells = cells.ok_or_else(|| format!("expected {order} cells in each row of `puzzle`"))?;
        for (column, cell) in cells.iter().enumerate() {
            check_keys(cell, &["value", "cell", "style"])
                .map_err(|message| format!("{message} in a cell"))?;
            let value = cell.get("value").or_else(|| cell.get("cell")).unwrap_or(cell);
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Object(_) => continue,
                other => other.to_string(),
            };
            let is_blank = matches!(&*text, "0" | "" | "." | "null")
                || puzzle.get("empty").is_some_and(|empty| empty == value);
            if is_blank {
                continue;
            }
            let symbol = symbols.iter().position(|symbol| *symbol == text);
            let symbol = symbol.ok_or_else(|| format!("expected a digit, found `{text}`"))?;
            grid.place(row * order + column, symbol);
        }
    }
    let mut clues = NamedClues::new();
    let list = |key: &str| puzzle.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for cage in list("cages") {
        let cells = cells(cage, order)?;
        check_keys(cage, &["cells", "rect", "value", "operator", "style"])?;
        let number = |value: &Value| value.as_i64().or_else(|| value.as_str()?.trim().parse().ok());
        let value = cage.get("value").and_then(number);
        match (cage.get("operator").and_then(Value::as_str).unwrap_or("+"), value) {
            (_, None) => {
                return Err(format!("expected a number as the `value` of a cage, found `{cage}`"));
            }
            ("+", Some(sum)) => clues.push(clue("sum", cells, vec![sum])),
            ("-", Some(by)) if cells.len() == 2 => clues.push(clue("difference", cells, vec![by])),
            ("/", Some(times)) if cells.len() == 2 => clues.push(clue("ratio", cells, vec![times])),
            (operator, Some(_)) => {
                return Err(format!("expected cages that add up, found the operator `{operator}`"));
            }
        }
    }
    for zone in list("zones") {
        check_keys(zone, &["cells", "rect", "style"])?;
        let cells = cells(zone, order)?;
        if cells.len() > 1 {
            clues.push(clue("extra", cells, vec![]));
        }
    }
    super::variant(board, grid, clues, &[])
}

/// Reads the cells of a cage or zone: a list of cells, or the corners of a rectangle. A cell is
/// (column, row), counted from 1.
fn cells(cage: &Value, order: usize) -> Result<Vec<usize>, String> {
    let expected =
        || format!("expected `cells` with columns and rows from 1 to {order}, found `{cage}`");
    let number = |list: &[Value], index: usize| {
        let number = list.get(index)?.as_u64().and_then(|number| usize::try_from(number).ok())?;
        number.checked_sub(1).filter(|&number| number < order)
    };
    if let Some(corners) = cage.get("rect").and_then(Value::as_array) {
        let at = |index| number(corners, index).ok_or_else(expected);
        let (left, top, right, bottom) = (at(0)?, at(1)?, at(2)?, at(3)?);
        return Ok((top..=bottom)
            .flat_map(|row| (left..=right).map(move |column| row * order + column))
            .collect());
    }
    let list = cage.get("cells").and_then(Value::as_array).ok_or_else(expected)?;
    let cell = |cell: &Value| {
        let pair = cell.as_array()?;
        Some(number(pair, 1)? * order + number(pair, 0)?)
    };
    list.iter().map(|place| cell(place).ok_or_else(expected)).collect()
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
        let cells = &placed.args.groups.first().map_or(&[][..], Vec::as_slice);
        let value = placed.args.values.first().copied();
        let name = placed.rule.name;
        match name {
            "killer" | "extra" | "sum" => {}
            "difference" | "ratio" => {
                let (sign, usual) = if name == "ratio" { ("/", 2) } else { ("-", 1) };
                let value = value.unwrap_or(usual);
                let cage =
                    |pair: &[usize]| json!({ "cells": places(pair), "value": value, "operator": sign });
                cages.extend(cells.windows(2).map(cage));
                continue;
            }
            _ => return Err(format!("ipuz-cages has nothing for the rule {name}")),
        }
        if let Some(sum) = value {
            cages.push(json!({ "cells": places(cells), "value": sum, "operator": "+" }));
        }
        if name != "sum" && cells.len() > 1 {
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

//! Reads SudokuPad: links with `scl` and a compressed text, the JSON of that text, or links with
//! `scf` and a classic grid.
//!
//! In this format only digits, regions, cages and a few global rules are machine-readable. Lines,
//! arrows and shapes are drawings whose rules are written in prose. They are skipped and listed in
//! a note.

mod unzip;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{LinkForm, NamedClues, clue, content_of, first_line, flag, is_unset, lz, only_line};
use crate::rules::Args;
use crate::{Variant, VariantBoard};
use grid::{Grid, MAX_ORDER, Rule as GridRule, Setting};
use puzzle::cover::parse_json;
use puzzle::nearest;
use text::InputError;

pub(super) const FORM: LinkForm = LinkForm {
    name: "sudokupad",
    summary: "links to SudokuPad with `scl` or `scf`, and their JSON: digits, regions, cages",
    recognizes,
    read,
    write: Some(write::link),
};

/// Prefixes of the compressed text, which stands at the end of an address or after `=`.
const MARKS: [&str; 2] = ["scl", "ctc"];
const CLASSIC: &str = "scf";
/// Letters of a classic grid. For a letter with index i, i modulo 10 is the digit (0 for an empty
/// cell), and i divided by 10 is the number of empty cells that follow.
const LETTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx";

/// Returns the text after one of `marks`, in an address or in the text after an address.
fn behind<'l>(link: &'l str, marks: &[&str]) -> Option<&'l str> {
    let link = link.trim();
    let begins: Vec<&str> = match link.starts_with("http") {
        true => link.match_indices(['/', '=']).map(|(at, _)| &link[at + 1..]).collect(),
        false => vec![link],
    };
    let text =
        begins.into_iter().find_map(|rest| marks.iter().find_map(|mark| rest.strip_prefix(mark)));
    let text = text.map(|text| text.split(['?', '&', '#']).next().unwrap_or(""));
    // Shorter texts are names on a server. Characters may be percent-encoded as %2B, %2F and %3D.
    let is_letters = |text: &&str| {
        text.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"+/=-_%".contains(&letter))
    };
    text.filter(|text| text.len() > 24).filter(is_letters)
}

fn packed(link: &str) -> Option<&str> {
    behind(link, &MARKS)
}

fn classic(link: &str) -> Option<Vec<usize>> {
    let mut cells = Vec::new();
    for letter in behind(link, &[CLASSIC])?.chars() {
        let value = LETTERS.find(letter)?;
        cells.push(value % 10);
        cells.resize(cells.len() + value / 10, 0);
        if cells.len() > 81 {
            return None;
        }
    }
    (cells.len() == 81).then_some(cells)
}

fn of_classic(cells: &[usize]) -> Result<Variant, String> {
    let (board, mut grid) = super::empty(Setting::default().shape(9)?, 1);
    for (cell, &digit) in cells.iter().enumerate().filter(|(_, digit)| **digit > 0) {
        grid.place(cell, digit - 1);
    }
    Variant::new(board, grid, Vec::new())
}

fn recognizes(sample: &str) -> bool {
    let content = sample.trim_start();
    let is_json = content.starts_with('{')
        && (content.contains("\"cells\"") || content.contains("\"ce\""))
        && !content.contains("\"grid\"")
        && ["\"regions\"", "\"cages\"", "\"cellSize\""].iter().any(|key| content.contains(key));
    let first = content.lines().next().unwrap_or("");
    is_json || packed(first).is_some() || classic(first).is_some()
}

fn read(text: &str) -> Result<Variant, InputError> {
    let line = first_line(text);
    let error = |message: String| line.error(0, message);
    if classic(&line.text).or_else(|| packed(&line.text).map(|_| Vec::new())).is_some() {
        only_line(text)?;
    }
    if let Some(cells) = classic(&line.text) {
        return of_classic(&cells).map_err(error);
    }
    let unpacked = packed(&line.text).map(lz::decompress).transpose().map_err(error)?;
    let json = unpacked.as_deref().unwrap_or(content_of(text)).trim_end();
    let value = match parse_json(json) {
        Ok(value) => value,
        Err(strict) => unzip::read(json).ok_or_else(|| match &unpacked {
            Some(_) => error(format!("expected the JSON of SudokuPad: {strict}")),
            None => super::json_error(text, json, "the JSON of SudokuPad", &strict),
        })?,
    };
    variant(&value).map_err(error)
}

/// Keys that are read or do not affect the solution.
const KEYS: [&str; 14] = [
    "cells",
    "regions",
    "cages",
    "global",
    "metadata",
    "id",
    "cellSize",
    "settings",
    "title",
    "author",
    "rules",
    "solution",
    "foglight",
    "msgcorrect",
];
/// Keys of a cell that are read, or that contain the marks and colors of a solver.
const CELL_KEYS: [&str; 8] =
    ["value", "given", "centremarks", "cornermarks", "pencilMarks", "colour", "color", "c"];
/// Keys of cells and cages whose values may change the solution.
const RULE_KEYS: [&str; 6] = ["value", "given", "cells", "sum", "unique", "type"];
/// Keys of a cage that are read or affect only the drawing.
const CAGE_KEYS: [&str; 16] = [
    "cells",
    "value",
    "sum",
    "unique",
    "type",
    "style",
    "hidden",
    "class",
    "className",
    "color",
    "fontC",
    "fontSize",
    "fontS",
    "outlineC",
    "borderColor",
    "fontColor",
];
const DRAWN: [&str; 4] = ["lines", "arrows", "overlays", "underlays"];

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn variant(puzzle: &Value) -> Result<Variant, String> {
    let rows = list(puzzle, "cells");
    let order = rows.len();
    if !(1..=MAX_ORDER).contains(&order) {
        return Err(format!("expected `cells` with 1 to {MAX_ORDER} rows, found {order}"));
    }
    let mut setting = Setting::default();
    let mut clues = whole(puzzle, &mut setting)?;
    let (board, mut grid, more) = grid(puzzle, order, &mut setting)?;
    clues.extend(more);
    let mut unknown = BTreeSet::new();
    for (row, cells) in rows.iter().enumerate() {
        let cells = cells.as_array().filter(|cells| cells.len() == order);
        let cells = cells.ok_or_else(|| format!("expected {order} cells in each row of `cells`"))?;
        for (column, cell) in cells.iter().enumerate() {
            digit(cell, &mut grid, row * order + column)?;
            unknown.extend(passed(cell, &CELL_KEYS, "cells")?);
        }
    }
    let mut passed_over: Vec<String> =
        DRAWN.iter().filter(|key| !list(puzzle, key).is_empty()).map(|&key| key.to_owned()).collect();
    unknown.extend(
        others(puzzle, &[&KEYS[..], &DRAWN].concat()).map(|key| format!("`{key}` (not known here)")),
    );
    passed_over.extend(unknown);
    let (mut labels, mut unknown_of_cages) = (0, BTreeSet::new());
    for cage in list(puzzle, "cages") {
        unknown_of_cages.extend(passed(cage, &CAGE_KEYS, "cages")?);
        match of_cage(cage, &board)? {
            Some(clue) => clues.push(clue),
            None => labels += usize::from(is_label(cage)),
        }
    }
    passed_over.extend(unknown_of_cages);
    if labels > 0 {
        passed_over.push(format!("{labels} cages without rules"));
    }
    let cages = list(puzzle, "cages").iter();
    let texts: Vec<&str> = cages.filter_map(|cage| cage.get("value")?.as_str()).collect();
    let said = |key: &str| {
        let known = [puzzle.get("metadata"), Some(puzzle)].into_iter().flatten();
        let of_cages = texts.iter().filter_map(|text| text.split_once(':'));
        let of_cages = of_cages.filter(|(name, _)| name.trim().eq_ignore_ascii_case(key));
        let known = known.filter_map(|part| part.get(key)?.as_str());
        known.chain(of_cages.map(|(_, value)| value)).next()
    };
    let variant = super::variant(board, grid, clues, &passed_over)?;
    Ok(variant.titled(said("title"), said("author")))
}

fn others<'v>(value: &'v Value, known: &[&str]) -> impl Iterator<Item = &'v str> {
    let entries = value.as_object().into_iter().flatten();
    let other = entries.filter(|(key, value)| !known.contains(&&***key) && !is_unset(value));
    other.map(|(key, _)| &**key)
}

/// Lists unknown keys of cells or cages for a note.
fn passed(value: &Value, known: &[&str], of: &str) -> Result<Vec<String>, String> {
    let rules = known.iter().copied().filter(|key| RULE_KEYS.contains(key));
    let name = |key: &str| match nearest(key, rules.clone()) {
        Some(meant) => Err(format!("expected `{meant}`, found the key `{key}` of {of}")),
        None => Ok(format!("`{key}` of {of} (not known here)")),
    };
    others(value, known).map(name).collect()
}

fn whole(puzzle: &Value, setting: &mut Setting) -> Result<NamedClues, String> {
    let mut clues = NamedClues::new();
    let metadata = puzzle.get("metadata").unwrap_or(&Value::Null);
    if metadata.get("norowcol").is_some_and(|value| *value != Value::Bool(false)) {
        return Err("expected rows and columns of different digits, found `norowcol`".to_owned());
    }
    for rule in [puzzle, metadata].iter().flat_map(|part| list(part, "global")) {
        let name =
            rule.as_str().ok_or_else(|| format!("expected names in `global`, found `{rule}`"))?;
        let mut add = |name| clues.push((name, Args::default()));
        match name {
            "antiknight" => setting.rules.push(GridRule::AntiKnight),
            "antiking" => setting.rules.push(GridRule::AntiKing),
            "nonconsecutive" | "antinonconsecutive" => add("nonconsecutive"),
            "disjoint" | "disjointgroups" => add("disjoint"),
            _ => return Err(format!("expected a rule that is known here in `global`, found `{name}`")),
        }
    }
    setting.rules.sort_unstable();
    setting.rules.dedup();
    Ok(clues)
}

/// Builds the empty grid with its regions. Overlapping regions become clues.
fn grid(
    puzzle: &Value,
    order: usize,
    setting: &mut Setting,
) -> Result<(VariantBoard, Grid, NamedClues), String> {
    let mut labels: BTreeMap<usize, u64> = BTreeMap::new();
    let mut overlapping = NamedClues::new();
    for (number, region) in list(puzzle, "regions").iter().enumerate() {
        let cells = cells(region, order)?;
        if cells.iter().any(|cell| labels.contains_key(cell)) {
            overlapping.push(clue("extra", cells, vec![]));
            continue;
        }
        labels.extend(cells.into_iter().map(|cell| (cell, number as u64)));
    }
    let labels: Vec<Option<u64>> = (0..order * order).map(|cell| labels.get(&cell).copied()).collect();
    let (board, grid, mut clues) = super::of_regions(order, &labels, setting)?;
    clues.extend(overlapping);
    Ok((board, grid, clues))
}

fn cells(list: &Value, order: usize) -> Result<Vec<usize>, String> {
    let list = list.as_array().ok_or("expected a list of cells")?;
    let cell = |cell: &Value| {
        let number = |index: usize| cell.get(index)?.as_u64()?.try_into().ok();
        let place: Option<(usize, usize)> = number(0).zip(number(1));
        let inside = place.filter(|&(row, column)| row < order && column < order);
        inside.map(|(row, column)| row * order + column).ok_or_else(|| {
            format!("expected a cell from [0,0] to [{0},{0}], found `{cell}`", order - 1)
        })
    };
    list.iter().map(cell).collect()
}

fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// Reads the digit of a cell, or the marks of a cell if they are given.
fn digit(cell: &Value, grid: &mut Grid, place: usize) -> Result<(), String> {
    let order = grid.shape().order();
    let Some(value) = cell.get("value").filter(|value| !value.is_null() && **value != "") else {
        return Ok(());
    };
    let given = cell.get("given");
    if given.is_some() && !flag(given)? {
        return Ok(());
    }
    let digit = number(value).filter(|digit| (1..=order as i64).contains(digit));
    let digit = digit.ok_or_else(|| format!("expected a digit from 1 to {order}, found `{value}`"))?;
    grid.place(place, digit as usize - 1);
    Ok(())
}

/// Returns whether a cage has a text that is neither a title nor similar metadata.
fn is_label(cage: &Value) -> bool {
    match cage.get("value") {
        Some(Value::String(text)) => !text.is_empty() && !text.contains(':'),
        Some(Value::Null) | None => false,
        Some(_) => true,
    }
}

/// Returns the clue of a cage, or `None` if the cage is only a label.
fn of_cage(cage: &Value, board: &VariantBoard) -> Result<Option<(&'static str, Args)>, String> {
    let is_unique = cage.get("unique").and_then(Value::as_bool);
    let is_text = cage.get("value").and_then(Value::as_str).is_some_and(|text| text.contains(':'));
    // The cells of a whole row or column differ anyway, so a cage over them is redundant.
    if is_text || cage.get("type").and_then(Value::as_str) == Some("rowcol") {
        return Ok(None);
    }
    let sum =
        cage.get("sum").or_else(|| cage.get("value")).filter(|value| !value.is_null() && **value != "");
    let has_sum = cage.get("sum").and_then(number).is_some();
    let cells = || cells(cage.get("cells").unwrap_or(&Value::Null), board.order());
    match (is_unique, sum) {
        (Some(true), None) => {
            let cells = cells()?;
            Ok((cells.len() > 1).then(|| clue("extra", cells, vec![])))
        }
        (Some(true), Some(sum)) => {
            let sum = number(sum).ok_or_else(|| format!("expected a sum, found `{sum}` in a cage"))?;
            Ok(Some(clue("killer", cells()?, vec![sum])))
        }
        (_, Some(sum)) if has_sum => Ok(Some(clue("sum", cells()?, number(sum).into_iter().collect()))),
        _ => Ok(None),
    }
}

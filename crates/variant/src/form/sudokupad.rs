//! Reads SudokuPad: links with `scl` and a compressed text, the JSON of that text, or links with
//! `scf` and a classic grid.
//!
//! In this format only digits, regions, cages and a few global rules are machine-readable. Lines,
//! arrows and shapes are drawings whose rules are written in prose. They are skipped and listed in
//! a note.

mod unzip;
mod write;

use std::collections::BTreeMap;

use serde_json::Value;

use super::object::{Unused, flag, is_unset, list, number, others, set, shown, unknown};
use super::{LinkForm, NamedClues, Packing, clue, content_of, first_line, lz, only_line};
use crate::rules::Args;
use crate::{Variant, VariantBoard};
use grid::{Grid, GridRule, MAX_ORDER, Setting};
use puzzle::cover::parse_json;
use puzzle::nearest;
use text::InputError;

pub(super) const FORM: LinkForm = LinkForm {
    name: "sudokupad",
    summary: "links to SudokuPad with `scl` or `scf`, and their JSON: digits, regions, cages",
    recognizes,
    read,
    write: Some(write::link),
    #[cfg(test)]
    rules: || GLOBAL.iter().map(|row| row.1).chain(CAGES.iter().map(|row| row.2)).collect(),
};

pub(super) const PACKING: Packing = Packing {
    name: "sudokupad",
    unpack: |link| lz::decompress(packed(link)?.0).ok(),
    pack: |json| format!("https://sudokupad.app/scl{}\n", lz::compress(json)),
};

/// Prefixes of the compressed text, at the end of an address or after `=`.
const MARKS: [&str; 2] = ["scl", "ctc"];
const CLASSIC: &str = "scf";
/// Letters of a classic grid. For a letter with index i, i modulo 10 is the digit (0 for an empty
/// cell), and i divided by 10 is the number of empty cells that follow.
const LETTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx";

/// Returns the text after one of the marks, in an address or in the text after one, and the rest of
/// the address, such as settings of the page.
fn behind<'l>(link: &'l str, marks: &[&str]) -> Option<(&'l str, &'l str)> {
    let link = link.trim();
    let begins: Vec<&str> = match link.starts_with("http") {
        true => link.match_indices(['/', '=']).map(|(at, _)| &link[at + 1..]).collect(),
        false => vec![link],
    };
    let text =
        begins.into_iter().find_map(|rest| marks.iter().find_map(|mark| rest.strip_prefix(mark)))?;
    let (text, rest) = text.split_at(text.find(['?', '&', '#']).unwrap_or(text.len()));
    // Shorter texts are names on a server. Letters may be escaped as %2B, %2F and %3D.
    let is_letters =
        text.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"+/=-_%".contains(&letter));
    (text.len() > 24 && is_letters).then_some((text, rest))
}

fn packed(link: &str) -> Option<(&str, &str)> {
    behind(link, &MARKS)
}

fn classic(link: &str) -> Option<(Vec<usize>, &str)> {
    let (letters, rest) = behind(link, &[CLASSIC])?;
    let mut cells = Vec::new();
    for letter in letters.chars() {
        let value = LETTERS.find(letter)?;
        cells.push(value % 10);
        cells.resize(cells.len() + value / 10, 0);
        if cells.len() > 81 {
            return None;
        }
    }
    (cells.len() == 81).then_some((cells, rest))
}

fn of_classic(cells: &[usize], unused: Unused) -> Result<Variant, String> {
    let (board, mut grid) = super::empty(Setting::default().shape(9)?, 1);
    for (cell, &digit) in cells.iter().enumerate().filter(|(_, digit)| **digit > 0) {
        grid.place(cell, digit - 1);
    }
    super::variant(board, grid, NamedClues::new(), unused)
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
    let mut unused = Unused::default();
    if let Some((cells, rest)) = classic(&line.text) {
        only_line(text)?;
        unused.add_rest(rest);
        return of_classic(&cells, unused).map_err(error);
    }
    let packed = packed(&line.text);
    if let Some((_, rest)) = packed {
        only_line(text)?;
        unused.add_rest(rest);
    }
    let unpacked = packed.map(|(packed, _)| lz::decompress(packed)).transpose().map_err(error)?;
    let json = unpacked.as_deref().unwrap_or(content_of(text)).trim_end();
    let value = match parse_json(json) {
        Ok(value) => value,
        Err(strict) => unzip::read(json).ok_or_else(|| match &unpacked {
            Some(_) => error(format!("expected the JSON of SudokuPad: {strict}")),
            None => super::json_error(text, json, "the JSON of SudokuPad", &strict),
        })?,
    };
    variant(&value, unused).map_err(error)
}

/// Keys that are read, or concern the page alone.
const KEYS: [&str; 8] =
    ["cells", "regions", "cages", "metadata", "id", "cellSize", "settings", "foglight"];
/// Keys of drawings: their rules are written in words.
const DRAWN: [&str; 4] = ["lines", "arrows", "overlays", "underlays"];
/// Statements in `metadata`, in the puzzle itself or in the text of a cage without cells.
const METADATA: [&str; 8] =
    ["title", "author", "rules", "solution", "msgcorrect", "source", "norowcol", "global"];
/// Keys of a cell that are read, or colors.
const CELL_KEYS: [&str; 7] =
    ["value", "given", "centremarks", "cornermarks", "pencilMarks", "colour", "color"];
/// Marks of a solver.
const MARKS_OF_CELLS: [&str; 3] = ["centremarks", "cornermarks", "pencilMarks"];
/// Keys whose values change the answer.
const RULE_KEYS: [&str; 10] =
    ["value", "given", "cells", "sum", "unique", "type", "regions", "cages", "global", "norowcol"];
/// Keys of a cage that are read, or only draw.
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

/// Rules of the whole grid: the names in `global`, and the rules. The first name of a rule is
/// written.
const GLOBAL: [(&str, &str); 4] = [
    ("nonconsecutive", "nonconsecutive"),
    ("antinonconsecutive", "nonconsecutive"),
    ("disjointgroups", "disjoint"),
    ("disjoint", "disjoint"),
];
/// Rules of cages: whether the digits must be `unique`, whether the cage has a sum, and the rule.
/// The first rule for a cage is read.
const CAGES: [(bool, bool, &str); 4] =
    [(true, false, "extra"), (true, true, "killer"), (false, true, "sum"), (true, false, "killer")];

fn variant(puzzle: &Value, mut unused: Unused) -> Result<Variant, String> {
    check(puzzle, &[&KEYS[..], &DRAWN, &METADATA].concat(), "the puzzle", &mut unused)?;
    let rows = list(puzzle, "cells")?;
    let order = rows.len();
    if !(1..=MAX_ORDER).contains(&order) {
        return Err(format!("expected `cells` with 1 to {MAX_ORDER} rows, found {order}"));
    }
    let mut setting = Setting::default();
    let mut clues = whole(puzzle, &mut setting, &mut unused)?;
    let (board, mut grid, more) = grid(puzzle, order, &mut setting)?;
    clues.extend(more);
    for (row, cells) in rows.iter().enumerate() {
        let cells = cells.as_array().filter(|cells| cells.len() == order);
        let cells = cells.ok_or_else(|| format!("expected {order} cells in each row of `cells`"))?;
        for (column, cell) in cells.iter().enumerate() {
            check(cell, &CELL_KEYS, "cells", &mut unused)?;
            digit(cell, &mut grid, row * order + column, &mut unused)?;
            if MARKS_OF_CELLS.iter().any(|key| set(cell, key).is_some()) {
                unused.add("marks of a solver");
            }
        }
    }
    DRAWN.iter().filter(|key| set(puzzle, key).is_some()).for_each(|key| unused.add(*key));
    let mut labels = Vec::new();
    for cage in list(puzzle, "cages")? {
        check(cage, &CAGE_KEYS, "cages", &mut unused)?;
        clues.extend(of_cage(cage, &board, &mut labels, &mut unused)?);
    }
    if !labels.is_empty() {
        unused.add(format!("{} cages without rules ({})", labels.len(), shown(&labels.join(", "))));
    }
    let cages = list(puzzle, "cages")?.iter();
    let texts: Vec<&str> = cages.filter_map(|cage| cage.get("value")?.as_str()).collect();
    let said = |key: &str| {
        let known = [puzzle.get("metadata"), Some(puzzle)].into_iter().flatten();
        let of_cages = texts.iter().filter_map(|text| text.split_once(':'));
        let of_cages = of_cages.filter(|(name, _)| name.trim().eq_ignore_ascii_case(key));
        let known = known.filter_map(|part| part.get(key)?.as_str());
        known.chain(of_cages.map(|(_, value)| value)).next()
    };
    let variant = super::variant(board, grid, clues, unused)?;
    Ok(variant.titled(said("title"), said("author")))
}

/// Adds the unknown keys of cells, cages or the puzzle to `unused`.
///
/// # Errors
/// The first key that is nearly one of [`RULE_KEYS`]: its value may change the answer.
fn check(value: &Value, known: &[&str], of: &str, unused: &mut Unused) -> Result<(), String> {
    let rules = known.iter().copied().filter(|key| RULE_KEYS.contains(key));
    for (key, value) in others(value, known).map_err(|message| format!("{message} among {of}"))? {
        if let Some(meant) = nearest(key, rules.clone()) {
            return Err(format!("expected `{meant}`, found the key `{key}` of {of}"));
        }
        let names_cells = |part: &Value| set(part, "cells").is_some();
        if value.as_array().is_some_and(|list| list.iter().any(names_cells)) {
            return Err(format!("expected a key that is known here, found `{key}` with cells"));
        }
        unused.add(unknown(key, of, value));
    }
    Ok(())
}

/// Checks a statement about the whole puzzle.
///
/// # Errors
/// If it lifts the rule of rows and columns.
fn statement(key: &str, value: &Value, unused: &mut Unused) -> Result<(), String> {
    let is_set = !is_unset(value) && value != "false";
    match METADATA.iter().find(|known| known.eq_ignore_ascii_case(key)) {
        Some(&"norowcol") if is_set => {
            return Err("expected rows and columns of different digits, found `norowcol`".to_owned());
        }
        Some(&"rules") if is_set => unused.add("the rules in words"),
        Some(_) => {}
        None => unused.add(unknown(key, "the metadata", value)),
    }
    Ok(())
}

/// Checks the metadata of a puzzle.
///
/// # Errors
/// If they are no object, or lift the rule of rows and columns.
pub(super) fn check_metadata(metadata: &Value, unused: &mut Unused) -> Result<(), String> {
    for (key, value) in others(metadata, &[])? {
        statement(key, value, unused)?;
    }
    Ok(())
}

fn whole(puzzle: &Value, setting: &mut Setting, unused: &mut Unused) -> Result<NamedClues, String> {
    let mut clues = NamedClues::new();
    let metadata = puzzle.get("metadata").unwrap_or(&Value::Null);
    check_metadata(metadata, unused)?;
    for key in METADATA {
        statement(key, puzzle.get(key).unwrap_or(&Value::Null), unused)?;
        if set(puzzle, key).is_some_and(Value::is_object) {
            return Err(format!("expected a text in `{key}`, found an object"));
        }
    }
    for part in [puzzle, metadata] {
        for rule in list(part, "global")? {
            let name =
                rule.as_str().ok_or_else(|| format!("expected names in `global`, found `{rule}`"))?;
            match (name, GLOBAL.iter().find(|(known, _)| *known == name)) {
                ("antiknight", _) => setting.rules.push(GridRule::AntiKnight),
                ("antiking", _) => setting.rules.push(GridRule::AntiKing),
                (_, Some((_, rule))) => clues.push((rule, Args::default())),
                _ => {
                    return Err(format!(
                        "expected a rule that is known here in `global`, found `{name}`"
                    ));
                }
            }
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
    for (number, region) in list(puzzle, "regions")?.iter().enumerate() {
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
        let number = |number: &Value| usize::try_from(number.as_u64()?).ok();
        let place = match cell.as_array().map(Vec::as_slice) {
            Some([row, column]) => number(row).zip(number(column)),
            _ => None,
        };
        let inside = place.filter(|&(row, column)| row < order && column < order);
        inside.map(|(row, column)| row * order + column).ok_or_else(|| {
            format!("expected a cell from [0,0] to [{0},{0}], found `{cell}`", order - 1)
        })
    };
    list.iter().map(cell).collect()
}

/// Reads the digit of a cell, unless a solver entered it.
fn digit(cell: &Value, grid: &mut Grid, place: usize, unused: &mut Unused) -> Result<(), String> {
    let order = grid.shape().order();
    let Some(value) = set(cell, "value") else { return Ok(()) };
    if cell.get("given").is_some() && !flag(cell, "given")? {
        unused.add("digits that are not given");
        return Ok(());
    }
    let digit = number(value).filter(|digit| (1..=order as i64).contains(digit));
    let digit = digit.ok_or_else(|| format!("expected a digit from 1 to {order}, found `{value}`"))?;
    grid.place(place, digit as usize - 1);
    Ok(())
}

/// Returns the clue of a cage. The value of a cage without a clue goes to `labels`, unless it
/// states the title or similar.
fn of_cage(
    cage: &Value,
    board: &VariantBoard,
    labels: &mut Vec<String>,
    unused: &mut Unused,
) -> Result<Option<(&'static str, Args)>, String> {
    let (label, kind) = (set(cage, "value"), set(cage, "type"));
    let text = label.and_then(Value::as_str).and_then(|text| text.split_once(':'));
    if let Some((key, said)) = text
        && set(cage, "cells").is_none()
        && set(cage, "sum").is_none()
    {
        let said = Value::from(said.trim());
        if !is_unset(&said) && key.trim().eq_ignore_ascii_case("global") {
            return Err("expected `global` outside of cages, found it in the text of one".to_owned());
        }
        return statement(key.trim(), &said, unused).map(|()| None);
    }
    if is_unset(cage) {
        return Err("expected the cells or the value of a cage, found neither".to_owned());
    }
    let is_unique = flag(cage, "unique")?;
    let sum_of = |value: &Value| {
        number(value).ok_or_else(|| format!("expected a sum, found `{value}` in a cage"))
    };
    let sum = match (set(cage, "sum").map(sum_of).transpose()?, label) {
        (Some(sum), Some(label)) if number(label).is_none_or(|label| label != sum) => {
            return Err(format!("expected the sum {sum} as the `value` of its cage, found `{label}`"));
        }
        (None, Some(label)) if is_unique => Some(sum_of(label)?),
        (sum, _) => sum,
    };
    let cells = cells(cage.get("cells").unwrap_or(&Value::Array(Vec::new())), board.order())?;
    if kind.is_some_and(|kind| kind == "rowcol") {
        let is_line = (0..board.order()).flat_map(|at| [board.row(at), board.column(at)]);
        let mut sorted = cells.clone();
        sorted.sort_unstable();
        if !is_line.into_iter().any(|line| line == sorted) {
            return Err("expected a row or a column in a cage of the type `rowcol`".to_owned());
        }
    } else if let Some(kind) = kind {
        unused.add(format!("the type `{kind}` of cages (not known here)"));
    }
    if sum.is_none() && label.is_none() && kind.is_some_and(|kind| kind == "rowcol") {
        return Ok(None);
    }
    let row =
        CAGES.iter().find(|(unique, has_sum, _)| (*unique, *has_sum) == (is_unique, sum.is_some()));
    let Some((_, _, rule)) = row else {
        let name = |cell: &usize| board.name(*cell);
        let cells = cells.iter().map(name).collect::<Vec<_>>().join(" ");
        labels.push(label.map_or(cells, ToString::to_string));
        return Ok(None);
    };
    let is_clue = sum.is_some() || cells.len() > 1;
    Ok(is_clue.then(|| clue(rule, cells, sum.into_iter().collect())))
}

//! Reads f-puzzles: links with `?load=` or `fpuzzles` and a compressed text, or the JSON of that
//! text.
//!
//! The keys of the JSON are constraints with cells such as `R1C1`. Numbers may be strings.
//! Decorative elements are skipped. An unknown constraint is an error that names the constraint.

mod write;

use serde_json::{Map, Value};

use super::{LinkForm, NamedClues, check_keys, content_of, first_line, flag, is_unset, lz, only_line};
use crate::rules::{self, Args};
use crate::{Variant, VariantBoard, args};
use grid::{Grid, Rule as GridRule, Setting};
use puzzle::cover::parse_json;
use text::InputError;

pub(super) const FORM: LinkForm = LinkForm {
    name: "fpuzzles",
    summary: "the JSON of f-puzzles",
    recognizes: is_json,
    read,
    write: Some(write::json),
};

pub(super) const LINK: LinkForm = LinkForm {
    name: "fpuzzles-link",
    summary: "links to f-puzzles, also behind sudokupad.app/fpuzzles: the same, compressed",
    recognizes: is_link,
    read,
    write: Some(write::link),
};

/// Texts that precede the compressed part of an address.
const MARKS: [&str; 3] = ["?load=", "/fpuzzles", "/fpuz"];

fn is_link(sample: &str) -> bool {
    let content = sample.trim_start();
    content.starts_with("http") && MARKS.iter().any(|mark| content.contains(mark))
}

fn is_json(sample: &str) -> bool {
    let content = sample.trim_start();
    content.starts_with('{') && content.contains("\"grid\"") && content.contains("\"size\"")
}

fn read(text: &str) -> Result<Variant, InputError> {
    let line = first_line(text);
    let unpacked = match MARKS.iter().find_map(|mark| line.text.split_once(mark)) {
        Some((before, packed)) if before.trim_start().starts_with("http") => {
            only_line(text)?;
            let packed = packed.trim().split(['&', '#']).next().unwrap_or("");
            Some(lz::decompress(packed).map_err(|message| line.error(0, message))?)
        }
        _ => None,
    };
    let what = "the JSON of f-puzzles";
    let value: Value = match &unpacked {
        Some(json) => {
            parse_json(json).map_err(|error| line.error(0, format!("expected {what}: {error}")))?
        }
        None => parse_json(content_of(text).trim_end())
            .map_err(|error| super::json_error(text, content_of(text), what, &error))?,
    };
    let puzzle = value.as_object().ok_or_else(|| line.error(0, "expected an object"))?;
    variant(puzzle).map_err(|message| line.error(0, message))
}

const DRAWN: [&str; 5] = ["line", "rectangle", "circle", "text", "cage"];
const REMARKS: [&str; 17] = [
    "size",
    "grid",
    "title",
    "author",
    "ruleset",
    "highlightConflicts",
    "solution",
    "metadata",
    "fogofwar",
    "foglight",
    "truecandidatesoptions",
    "disabledlogic",
    "msgcorrect",
    "successMessage",
    "src",
    "negative",
    "nonconsecutive",
];
/// Keys of a cell: its digit, whether the digit is given, its region, its marks, and its colors.
const CELL_KEYS: [&str; 10] = [
    "value",
    "given",
    "region",
    "givenPencilMarks",
    "centerPencilMarks",
    "cornerPencilMarks",
    "c",
    "cArray",
    "highlight",
    "highlightArray",
];
const ENTRY_LOOKS: [&str; 13] = [
    "outlineC",
    "baseC",
    "fontC",
    "fontS",
    "width",
    "height",
    "size",
    "angle",
    "color",
    "opacity",
    "isNewConstraint",
    "fromConstraint",
    "direction",
];
/// Constraints on a line of cells, each with an optional number, and the names of their rules.
const LINES: [(&str, &str); 13] = [
    ("thermometer", "thermo"),
    ("slowthermometer", "slow-thermo"),
    ("whispers", "whisper"),
    ("renban", "renban"),
    ("nabner", "nabner"),
    ("palindrome", "palindrome"),
    ("betweenline", "between"),
    ("lockout", "lockout"),
    ("regionsumline", "region-sum"),
    ("entropicline", "entropic"),
    ("modularline", "modular"),
    ("zipperline", "zipper"),
    ("doublearrow", "double-arrow"),
];
/// Constraints on a group of cells, each with an optional number, and the names of their rules.
const GROUPS: [(&str, &str); 7] = [
    ("killercage", "killer"),
    ("extraregion", "extra"),
    ("littlekillersum", "sum"),
    ("difference", "difference"),
    ("ratio", "ratio"),
    ("columnindexer", "index-column"),
    ("rowindexer", "index-row"),
];
const CELLS: [(&str, &str); 4] =
    [("odd", "odd"), ("even", "even"), ("minimum", "minimum"), ("maximum", "maximum")];
/// Constraints given by a number outside the grid, and the names of their rules.
const SIDES: [(&str, &str); 4] = [
    ("sandwichsum", "sandwich"),
    ("xsum", "x-sum"),
    ("skyscraper", "skyscraper"),
    ("numberedroom", "numbered-room"),
];

fn variant(puzzle: &Map<String, Value>) -> Result<Variant, String> {
    let (board, grid, mut named) = grid(puzzle)?;
    for (key, value) in puzzle {
        named
            .extend(constraint(&board, key, value).map_err(|message| format!("{message} in `{key}`"))?);
    }
    named.extend(negative(&board, puzzle, &named)?);
    let is_drawn =
        |key: &&str| puzzle.get(*key).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let passed_over: Vec<String> = DRAWN.iter().copied().filter(is_drawn).map(str::to_owned).collect();
    let text = |key| puzzle.get(key).and_then(Value::as_str);
    let variant = super::variant(board, grid, named, &passed_over)?;
    Ok(variant.titled(text("title"), text("author")))
}

fn is_set(puzzle: &Map<String, Value>, key: &str) -> Result<bool, String> {
    flag(puzzle.get(key)).map_err(|message| format!("{message} in `{key}`"))
}

fn grid(puzzle: &Map<String, Value>) -> Result<(VariantBoard, Grid, NamedClues), String> {
    let size =
        puzzle.get("size").map_or(Some(9), |size| u64::try_from(number(size)?).ok()).unwrap_or(0);
    let order = usize::try_from(size).ok().filter(|order| (1..=grid::MAX_ORDER).contains(order));
    let order =
        order.ok_or_else(|| format!("expected a size of at most {}, found {size}", grid::MAX_ORDER))?;
    let rows = puzzle.get("grid").and_then(Value::as_array).filter(|rows| rows.len() == order);
    let rows = rows.ok_or_else(|| format!("expected {order} rows in `grid`"))?;
    let mut cells = Vec::with_capacity(order * order);
    for row in rows {
        let row = row.as_array().filter(|row| row.len() == order);
        cells.extend(row.ok_or_else(|| format!("expected {order} cells in each row of `grid`"))?);
    }
    let mut setting = Setting::default();
    for (key, rule) in [("antiknight", GridRule::AntiKnight), ("antiking", GridRule::AntiKing)] {
        if is_set(puzzle, key)? {
            setting.rules.push(rule);
        }
    }
    let plain = setting.shape(order)?;
    let regions = cells.iter().map(|cell| cell.get("region"));
    let (board, mut grid, clues) = if regions.clone().all(|region| region.is_none()) {
        let (board, grid) = super::empty(plain, 1);
        (board, grid, NamedClues::new())
    } else {
        let boxes = plain.region_of_cells();
        let label = |(place, region): (usize, Option<&Value>)| match region {
            // If an order has no boxes, the rows are the regions.
            None => Ok(Some(boxes.get(place).copied().unwrap_or(place / order) as u64)),
            Some(Value::Null) => Ok(None),
            Some(region) => match number(region).and_then(|region| u64::try_from(region).ok()) {
                Some(region) => Ok(Some(region)),
                None => Err(format!("expected the number of a region, found `{region}`")),
            },
        };
        let labels: Vec<Option<u64>> = regions.enumerate().map(label).collect::<Result<_, _>>()?;
        super::of_regions(order, &labels, &mut setting)?
    };
    for (place, cell) in cells.iter().enumerate() {
        check_keys(cell, &CELL_KEYS).map_err(|message| format!("{message} in a cell of `grid`"))?;
        let symbol = |value: &Value| {
            number(value)
                .filter(|digit| (1..=order as i64).contains(digit))
                .map(|digit| digit as usize - 1)
        };
        // Only given digits are clues. A solver entered the other digits.
        if flag(cell.get("given"))? {
            let value = cell.get("value").unwrap_or(&Value::Null);
            let digit = symbol(value)
                .ok_or_else(|| format!("expected a digit from 1 to {order}, found `{value}`"))?;
            grid.place(place, digit);
        } else if let Some(marks) = cell.get("givenPencilMarks").and_then(Value::as_array)
            && !marks.is_empty()
        {
            let symbols: Option<Vec<usize>> = marks.iter().map(symbol).collect();
            let symbols = symbols.ok_or_else(|| {
                format!(
                    "expected digits from 1 to {order} in `givenPencilMarks`, found `{}`",
                    cell["givenPencilMarks"]
                )
            })?;
            grid.set_candidates(
                place,
                symbols.into_iter().fold(0, |marks, symbol| marks | 1 << symbol),
            );
        }
    }
    Ok((board, grid, clues))
}

fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn value_of(entry: &Value) -> Result<Vec<i64>, String> {
    match entry.get("value") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Vec::new()),
        Some(value) => {
            Ok(vec![number(value).ok_or_else(|| format!("expected a number, found `{value}`"))?])
        }
    }
}

fn cell(board: &VariantBoard, name: &Value) -> Result<usize, String> {
    let name =
        name.as_str().ok_or_else(|| format!("expected a cell such as `R1C1`, found `{name}`"))?;
    args::cell(board, name)
}

fn cells(board: &VariantBoard, list: Option<&Value>) -> Result<Vec<usize>, String> {
    let list = list.and_then(Value::as_array).ok_or("expected a list of cells")?;
    list.iter().map(|name| cell(board, name)).collect()
}

fn constraint(board: &VariantBoard, key: &str, value: &Value) -> Result<NamedClues, String> {
    let mut named = NamedClues::new();
    if REMARKS.contains(&key) || DRAWN.contains(&key) || key == "antiknight" || key == "antiking" {
        return Ok(named);
    }
    let order = board.order();
    let mut add = |name: &'static str, groups, values| {
        named.push((name, Args { groups, values, ..Args::default() }));
    };
    if matches!(key, "diagonal+" | "diagonal-" | "disjointgroups") {
        match key {
            _ if !flag(Some(value))? => {}
            "diagonal+" => add(
                "extra",
                vec![(0..order).map(|row| row * order + order - 1 - row).collect()],
                vec![],
            ),
            "diagonal-" => {
                add("extra", vec![(0..order).map(|row| row * order + row).collect()], vec![]);
            }
            _ => add("disjoint", vec![], vec![]),
        }
        return Ok(named);
    }
    let entries = match value {
        Value::Array(entries) => &entries[..],
        // An empty value means that the constraint is not set.
        Value::Null | Value::Bool(false) => return Ok(named),
        Value::String(text) if text.is_empty() => return Ok(named),
        _ => return Err("expected a constraint that is known here".to_owned()),
    };
    let rule = |table: &[(&str, &'static str)]| {
        table.iter().find(|(known, _)| *known == key).map(|(_, name)| *name)
    };
    if let Some(name) = rule(&CELLS).filter(|name| matches!(*name, "minimum" | "maximum")) {
        // Build one clue for all cells, because adjacent marked cells do not constrain each other.
        let cells = entries.iter().map(|entry| cell(board, entry.get("cell").unwrap_or(&Value::Null)));
        let mut cells: Vec<usize> = cells.collect::<Result<_, _>>()?;
        cells.sort_unstable();
        cells.dedup();
        if !cells.is_empty() {
            add(name, vec![cells], vec![]);
        }
        return Ok(named);
    }
    for entry in entries {
        let parts: &[&str] = match key {
            _ if rule(&LINES).is_some() => &["lines", "value"],
            _ if rule(&SIDES).is_some() => &["cell", "value"],
            _ if rule(&CELLS).is_some() => &["cell"],
            "arrow" => &["lines", "cells"],
            "quadruple" => &["cells", "values"],
            "clone" => &["cells", "cloneCells"],
            // `cell` is the cell outside the grid from which the diagonal starts.
            "littlekillersum" => &["cell", "cells", "value"],
            _ => &["cells", "value"],
        };
        check_keys(entry, &[parts, &ENTRY_LOOKS].concat())?;
        if let Some(name) = rule(&LINES) {
            let lines = entry.get("lines").and_then(Value::as_array).ok_or("expected lines")?;
            let takes_number = rules::by_name(name).is_some_and(|rule| rule.values.1 > 0);
            let mut values = value_of(entry)?;
            if !takes_number && !values.is_empty() {
                return Err(format!("expected no number for {name}, found `{}`", values[0]));
            }
            if name == "whisper" && values.is_empty() {
                values.push((order as i64 + 1) / 2);
            }
            for line in lines {
                add(name, vec![cells(board, Some(line))?], values.clone());
            }
        } else if let Some(name) = rule(&GROUPS) {
            let values = value_of(entry)?;
            // A diagonal without a sum has no effect.
            if name != "sum" || values.iter().any(|&sum| sum > 0) {
                add(name, vec![cells(board, entry.get("cells"))?], values);
            }
        } else if let Some(name) = rule(&CELLS) {
            add(name, vec![vec![cell(board, entry.get("cell").unwrap_or(&Value::Null))?]], vec![]);
        } else if let Some(name) = rule(&SIDES) {
            let values = value_of(entry)?;
            if !values.is_empty() {
                add(
                    name,
                    vec![side(board, entry.get("cell").and_then(Value::as_str).unwrap_or(""))?],
                    values,
                );
            }
        } else {
            match key {
                "arrow" => {
                    let circle = cells(board, entry.get("cells"))?;
                    for line in entry.get("lines").and_then(Value::as_array).ok_or("expected lines")? {
                        let line = cells(board, Some(line))?;
                        if line.first().is_some_and(|first| !circle.contains(first)) {
                            return Err("expected a shaft that begins in its circle".to_owned());
                        }
                        // The first cell of the line is the circle again, so omit it.
                        add(
                            "arrow",
                            vec![circle.clone(), line.get(1..).unwrap_or(&[]).to_vec()],
                            vec![],
                        );
                    }
                }
                "xv" => {
                    let value = entry.get("value").unwrap_or(&Value::Null);
                    let sum = match value.as_str() {
                        Some("X" | "x") => 10,
                        Some("V" | "v") => 5,
                        _ if is_unset(value) => continue,
                        _ if number(value).is_some() => number(value).unwrap_or_default(),
                        other => {
                            let found = other.map_or_else(|| value.to_string(), ToOwned::to_owned);
                            return Err(format!("expected X or V, found `{found}`"));
                        }
                    };
                    add("pair-sum", vec![cells(board, entry.get("cells"))?], vec![sum]);
                }
                "quadruple" => {
                    let values =
                        entry.get("values").and_then(Value::as_array).ok_or("expected values")?;
                    let values: Option<Vec<i64>> = values.iter().map(number).collect();
                    let values = values.ok_or("expected digits")?;
                    if !values.is_empty() {
                        add("quadruple", vec![cells(board, entry.get("cells"))?], values);
                    }
                }
                "clone" => add(
                    "clone",
                    vec![cells(board, entry.get("cells"))?, cells(board, entry.get("cloneCells"))?],
                    vec![],
                ),
                _ => return Err("expected a constraint that is known here".to_owned()),
            }
        }
    }
    Ok(named)
}

/// Returns the row or column that begins at a cell outside the grid, such as `R0C3` or `R4C10`. The
/// nearest cell comes first.
fn side(board: &VariantBoard, name: &str) -> Result<Vec<usize>, String> {
    let order = board.order();
    let place = name.strip_prefix(['R', 'r']).and_then(|rest| {
        let (row, column) = rest.split_once(['C', 'c'])?;
        Some((row.parse::<usize>().ok()?, column.parse::<usize>().ok()?))
    });
    let inside = 1..=order;
    let mut cells: Vec<usize> = match place {
        Some((0, column)) if inside.contains(&column) => {
            (0..order).map(|row| row * order + column - 1).collect()
        }
        Some((row, column)) if row == order + 1 && inside.contains(&column) => {
            (0..order).rev().map(|row| row * order + column - 1).collect()
        }
        Some((row, _)) if inside.contains(&row) => {
            (0..order).map(|column| (row - 1) * order + column).collect()
        }
        _ => return Err(format!("expected a cell at the border, such as `R0C1`, found `{name}`")),
    };
    if let Some((row, column)) = place
        && inside.contains(&row)
    {
        match column {
            0 => {}
            column if column == order + 1 => cells.reverse(),
            _ => return Err(format!("expected a cell at the border, such as `R0C1`, found `{name}`")),
        }
    }
    Ok(cells)
}

/// Returns the clues of the negative constraints, which apply to every adjacent pair without a
/// mark.
fn negative(
    board: &VariantBoard,
    puzzle: &Map<String, Value>,
    named: &NamedClues,
) -> Result<NamedClues, String> {
    let mut kinds: Vec<&str> = match puzzle.get("negative") {
        None | Some(Value::Null) => Vec::new(),
        Some(list) => {
            let list = list.as_array().ok_or("expected a list in `negative`")?;
            let names: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            names.ok_or_else(|| format!("expected names in `negative`, found `{list:?}`"))?
        }
    };
    if is_set(puzzle, "nonconsecutive")? {
        kinds.push("difference");
    }
    let mut clues = NamedClues::new();
    for kind in kinds {
        let (mark, rule, by_default) = match kind {
            "difference" => ("difference", "no-difference", vec![1]),
            "ratio" => ("ratio", "no-ratio", vec![2]),
            "xv" => ("pair-sum", "no-pair-sum", vec![5, 10]),
            _ => return Err(format!("expected ratio, difference or xv in `negative`, found `{kind}`")),
        };
        let marked: Vec<&Args> =
            named.iter().filter(|(name, _)| *name == mark).map(|(_, args)| args).collect();
        let mut values: Vec<i64> =
            marked.iter().flat_map(|args| args.values.iter().copied()).chain(by_default).collect();
        values.sort_unstable();
        values.dedup();
        for (one, other) in board.sides() {
            let is_marked = marked
                .iter()
                .any(|args| args.groups[0].contains(&one) && args.groups[0].contains(&other));
            if !is_marked {
                let clue = |&value: &i64| {
                    (
                        rule,
                        Args { groups: vec![vec![one, other]], values: vec![value], ..Args::default() },
                    )
                };
                clues.extend(values.iter().map(clue));
            }
        }
    }
    Ok(clues)
}

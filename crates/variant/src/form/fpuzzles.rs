//! Reads f-puzzles: links with `?load=` or `fpuzzles` and a compressed text, or the JSON of that
//! text.
//!
//! The keys of the JSON are constraints with cells such as `R1C1`. Numbers may be strings.
//! Decorative elements are skipped. An unknown constraint is an error that names the constraint.

mod write;

use serde_json::Value;

use super::object::{Unused, check_keys, flag, is_unset, list, number, set};
use super::{LinkForm, NamedClues, Packing, content_of, first_line, lz, only_line, sudokupad};
use crate::rules::{self, Args};
use crate::{Variant, VariantBoard, args};
use grid::{Grid, GridRule, Setting};
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

pub(super) const PACKING: Packing = Packing {
    name: "fpuzzles-link",
    unpack: |link| lz::decompress(packed(link)?.0).ok(),
    pack: |json| format!("https://f-puzzles.com/?load={}\n", lz::compress(json)),
};

/// Text before the compressed part of an address.
const MARKS: [&str; 3] = ["?load=", "/fpuzzles", "/fpuz"];

fn is_link(sample: &str) -> bool {
    let content = sample.trim_start();
    content.starts_with("http") && MARKS.iter().any(|mark| content.contains(mark))
}

fn is_json(sample: &str) -> bool {
    let content = sample.trim_start();
    content.starts_with('{') && content.contains("\"grid\"") && content.contains("\"size\"")
}

/// Returns the compressed part of an address and the rest after it.
fn packed(link: &str) -> Option<(&str, &str)> {
    let (_, packed) = MARKS.iter().find_map(|mark| link.split_once(mark))?;
    let packed = packed.trim();
    let end = packed.find(['&', '#']).unwrap_or(packed.len());
    is_link(link).then(|| packed.split_at(end))
}

fn read(text: &str) -> Result<Variant, InputError> {
    let line = first_line(text);
    let mut unused = Unused::default();
    let unpacked = match packed(&line.text) {
        Some((packed, rest)) => {
            only_line(text)?;
            unused.add_rest(rest);
            Some(lz::decompress(packed).map_err(|message| line.error(0, message))?)
        }
        None => None,
    };
    let what = "the JSON of f-puzzles";
    let value: Value = match &unpacked {
        Some(json) => {
            parse_json(json).map_err(|error| line.error(0, format!("expected {what}: {error}")))?
        }
        None => parse_json(content_of(text).trim_end())
            .map_err(|error| super::json_error(text, content_of(text), what, &error))?,
    };
    variant(&value, unused).map_err(|message| line.error(0, message))
}

const DRAWN: [&str; 5] = ["line", "rectangle", "circle", "text", "cage"];
/// Keys that are read elsewhere, or concern the page and its solver alone.
const REMARKS: [&str; 19] = [
    "size",
    "grid",
    "antiknight",
    "antiking",
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
/// Keys of an entry that only draw.
const ENTRY_LOOKS: [&str; 12] = [
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
/// Constraints on single cells.
const CELLS: [(&str, &str); 4] =
    [("odd", "odd"), ("even", "even"), ("minimum", "minimum"), ("maximum", "maximum")];
/// Constraints given by a number outside the grid, and the names of their rules.
const SIDES: [(&str, &str); 4] = [
    ("sandwichsum", "sandwich"),
    ("xsum", "x-sum"),
    ("skyscraper", "skyscraper"),
    ("numberedroom", "numbered-room"),
];

/// Constraints with forms of their own.
const OWN: [&str; 4] = ["arrow", "xv", "quadruple", "clone"];
/// Constraints of the whole grid.
const FLAGS: [&str; 3] = ["diagonal+", "diagonal-", "disjointgroups"];

fn variant(puzzle: &Value, mut unused: Unused) -> Result<Variant, String> {
    let entries = puzzle.as_object().ok_or("expected an object")?;
    let (board, grid, mut named) = grid(puzzle, &mut unused)?;
    for (key, value) in entries {
        let clues = constraint(&board, puzzle, key, value, &mut unused);
        named.extend(clues.map_err(|message| format!("{message} in `{key}`"))?);
    }
    named.extend(negative(&board, puzzle, &named)?);
    DRAWN.iter().filter(|key| set(puzzle, key).is_some()).for_each(|key| unused.add(*key));
    if set(puzzle, "ruleset").is_some() {
        unused.add("the rules in words");
    }
    sudokupad::check_metadata(puzzle.get("metadata").unwrap_or(&Value::Null), &mut unused)?;
    let text = |key| puzzle.get(key).and_then(Value::as_str);
    let variant = super::variant(board, grid, named, unused)?;
    Ok(variant.titled(text("title"), text("author")))
}

fn grid(puzzle: &Value, unused: &mut Unused) -> Result<(VariantBoard, Grid, NamedClues), String> {
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
        if flag(puzzle, key)? {
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
                Some(region) if region <= order as u64 => Ok(Some(region)),
                _ => Err(format!(
                    "expected the number of a region from 0 to {}, found `{region}`",
                    order - 1
                )),
            },
        };
        let labels: Vec<Option<u64>> = regions.enumerate().map(label).collect::<Result<_, _>>()?;
        // Numbers may begin with 1.
        if labels.contains(&Some(0)) && labels.contains(&Some(order as u64)) {
            return Err(format!("expected regions from 0 to {}, found {order}", order - 1));
        }
        super::of_regions(order, &labels, &mut setting)?
    };
    for (place, cell) in cells.iter().enumerate() {
        let of_cell = |message: String| format!("{message} in a cell of `grid`");
        check_keys(cell, &CELL_KEYS, unused).map_err(of_cell)?;
        let symbol = |value: &Value| {
            number(value)
                .filter(|digit| (1..=order as i64).contains(digit))
                .map(|digit| digit as usize - 1)
        };
        let marks = list(cell, "givenPencilMarks").map_err(of_cell)?;
        let symbols: Option<Vec<usize>> = marks.iter().map(symbol).collect();
        let symbols = symbols.ok_or_else(|| {
            format!(
                "expected digits from 1 to {order} in `givenPencilMarks`, found `{}`",
                cell["givenPencilMarks"]
            )
        })?;
        // Only given digits are clues; the others were entered by a solver.
        if flag(cell, "given").map_err(of_cell)? {
            let value = cell.get("value").unwrap_or(&Value::Null);
            let digit = symbol(value)
                .ok_or_else(|| format!("expected a digit from 1 to {order}, found `{value}`"))?;
            if !symbols.is_empty() && !symbols.contains(&digit) {
                return Err(of_cell(format!(
                    "expected {value} among `givenPencilMarks`, found others"
                )));
            }
            grid.place(place, digit);
            continue;
        }
        if set(cell, "value").is_some() {
            unused.add("digits that are not given");
        }
        if ["centerPencilMarks", "cornerPencilMarks"].iter().any(|key| set(cell, key).is_some()) {
            unused.add("marks of a solver");
        }
        if !symbols.is_empty() {
            grid.set_candidates(
                place,
                symbols.into_iter().fold(0, |marks, symbol| marks | 1 << symbol),
            );
        }
    }
    Ok((board, grid, clues))
}

fn value_of(entry: &Value) -> Result<Vec<i64>, String> {
    match set(entry, "value") {
        None => Ok(Vec::new()),
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

fn constraint(
    board: &VariantBoard,
    puzzle: &Value,
    key: &str,
    value: &Value,
    unused: &mut Unused,
) -> Result<NamedClues, String> {
    let mut named = NamedClues::new();
    if REMARKS.contains(&key) || DRAWN.contains(&key) {
        return Ok(named);
    }
    let order = board.order();
    let mut add = |name: &'static str, groups, values| {
        named.push((name, Args { groups, values, ..Args::default() }));
    };
    if FLAGS.contains(&key) {
        match key {
            _ if !flag(puzzle, key)? => {}
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
    let tables = [&LINES[..], &GROUPS, &CELLS, &SIDES];
    let is_known =
        OWN.contains(&key) || tables.iter().any(|table| table.iter().any(|(known, _)| *known == key));
    // An empty value means that the constraint is not set.
    if is_unset(value) {
        if !is_known {
            unused.add(format!("`{key}` (empty)"));
        }
        return Ok(named);
    }
    let entries = value.as_array().filter(|_| is_known);
    let entries = entries.ok_or("expected a constraint that is known here")?;
    let rule = |table: &[(&str, &'static str)]| {
        table.iter().find(|(known, _)| *known == key).map(|(_, name)| *name)
    };
    if let Some(name) = rule(&CELLS).filter(|name| matches!(*name, "minimum" | "maximum")) {
        // One clue for all, because adjacent marked cells do not constrain each other.
        let mut cells = Vec::new();
        for entry in entries {
            check_keys(entry, &[&["cell"][..], &ENTRY_LOOKS].concat(), unused)?;
            cells.push(cell(board, entry.get("cell").unwrap_or(&Value::Null))?);
        }
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
            // `cell` is the outside cell where the diagonal starts.
            "littlekillersum" => &["cell", "cells", "value", "direction"],
            _ => &["cells", "value"],
        };
        check_keys(entry, &[parts, &ENTRY_LOOKS].concat(), unused)?;
        let mut without = |what: &str| unused.add(format!("`{key}` without {what}"));
        if let Some(name) = rule(&LINES) {
            let lines = list(entry, "lines")?;
            let takes_number = rules::by_name(name).is_some_and(|rule| rule.values.1 > 0);
            let mut values = value_of(entry)?;
            if !takes_number && !values.is_empty() {
                return Err(format!("expected no number for {name}, found `{}`", values[0]));
            }
            if name == "whisper" && values.is_empty() {
                values.push((order as i64 + 1) / 2);
            }
            if lines.is_empty() {
                without("lines");
            }
            for line in lines {
                add(name, vec![cells(board, Some(line))?], values.clone());
            }
        } else if let Some(name) = rule(&GROUPS) {
            let values = value_of(entry)?;
            let cells = cells(board, entry.get("cells"))?;
            if name == "sum" {
                check_diagonal(board, entry, &cells)?;
            }
            // A diagonal without a sum has no effect.
            if name != "sum" || !values.is_empty() {
                add(name, vec![cells], values);
            } else {
                without("a sum");
            }
        } else if let Some(name) = rule(&CELLS) {
            add(name, vec![vec![cell(board, entry.get("cell").unwrap_or(&Value::Null))?]], vec![]);
        } else if let Some(name) = rule(&SIDES) {
            let values = value_of(entry)?;
            let side = side(board, entry.get("cell").and_then(Value::as_str).unwrap_or(""))?;
            if values.is_empty() {
                without("a number");
            } else {
                add(name, vec![side], values);
            }
        } else {
            match key {
                "arrow" => {
                    let circle = cells(board, entry.get("cells"))?;
                    let lines = list(entry, "lines")?;
                    if lines.is_empty() {
                        without("lines");
                    }
                    for line in lines {
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
                    let cells = cells(board, entry.get("cells"))?;
                    let sum = match value.as_str() {
                        Some("X" | "x") => 10,
                        Some("V" | "v") => 5,
                        _ if is_unset(value) => {
                            without("a sum");
                            continue;
                        }
                        _ if number(value).is_some() => number(value).unwrap_or_default(),
                        other => {
                            let found = other.map_or_else(|| value.to_string(), ToOwned::to_owned);
                            return Err(format!("expected X or V, found `{found}`"));
                        }
                    };
                    add("pair-sum", vec![cells], vec![sum]);
                }
                "quadruple" => {
                    let values: Option<Vec<i64>> = list(entry, "values")?.iter().map(number).collect();
                    let values = values.ok_or("expected digits")?;
                    let cells = cells(board, entry.get("cells"))?;
                    if values.is_empty() {
                        without("digits");
                    } else {
                        add("quadruple", vec![cells], values);
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

/// Directions of diagonals: their names, and the steps down and to the right.
const DIRECTIONS: [(&str, (isize, isize)); 4] =
    [("DR", (1, 1)), ("DL", (1, -1)), ("UR", (-1, 1)), ("UL", (-1, -1))];

/// Checks that the outside cell and the direction of a diagonal agree with its cells.
fn check_diagonal(board: &VariantBoard, entry: &Value, cells: &[usize]) -> Result<(), String> {
    let Some(&first) = cells.first() else { return Err("expected a list of cells".to_owned()) };
    let (row, column) = board.place(first);
    let step = match set(entry, "cell") {
        None => None,
        Some(name) => {
            let start = name.as_str().and_then(text::cell_name);
            let (above, before) = start.ok_or_else(|| {
                format!("expected a cell at the border, such as `R0C1`, found `{name}`")
            })?;
            Some((row as isize + 1 - above as isize, column as isize + 1 - before as isize))
        }
    };
    let direction = match set(entry, "direction") {
        None => step,
        Some(name) => {
            let known = DIRECTIONS.iter().find(|(known, _)| name == known);
            Some(known.ok_or_else(|| format!("expected DR, DL, UR or UL, found `{name}`"))?.1)
        }
    };
    let is_right = |direction| {
        step.is_none_or(|step| step == direction)
            && DIRECTIONS.iter().any(|(_, known)| *known == direction)
            && board.ray(first, direction) == cells
    };
    match direction {
        Some(direction) if !is_right(direction) => {
            Err(format!("expected the cells of the diagonal at its `cell`, found `{entry}`"))
        }
        _ => Ok(()),
    }
}

/// Returns the row or column at an outside cell such as `R0C3` or `R4C10`, nearest cell first.
fn side(board: &VariantBoard, name: &str) -> Result<Vec<usize>, String> {
    let order = board.order();
    let place = text::cell_name(name);
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

/// Returns the negative constraints: those that hold for every adjacent pair without a mark.
fn negative(board: &VariantBoard, puzzle: &Value, named: &NamedClues) -> Result<NamedClues, String> {
    let mut kinds: Vec<&str> = match puzzle.get("negative") {
        None | Some(Value::Null) => Vec::new(),
        Some(list) => {
            let list = list.as_array().ok_or("expected a list in `negative`")?;
            let names: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            names.ok_or_else(|| format!("expected names in `negative`, found `{list:?}`"))?
        }
    };
    if flag(puzzle, "nonconsecutive")? {
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

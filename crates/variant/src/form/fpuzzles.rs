//! Reads f-puzzles: links with `?load=` or `fpuzzles` and a compressed text, or the JSON of that
//! text.
//!
//! The keys of the JSON are constraints with cells such as `R1C1`. Numbers may be strings.
//! Decorative elements are skipped. An unknown constraint is an error that names the constraint.

mod constraints;
mod write;

use serde_json::Value;

use super::object::{Unused, check_keys, flag, list, number, set};
use super::{LinkForm, NamedClues, Packing, content_of, first_line, lz, only_line, sudokupad};
use crate::{Variant, VariantBoard};
use grid::{Grid, GridRule, Setting};
use puzzle::cover::parse_json;
use text::InputError;

pub(super) const FORM: LinkForm = LinkForm {
    name: "fpuzzles",
    summary: "the JSON of f-puzzles",
    recognizes: is_json,
    read,
    write: Some(write::json),
    #[cfg(test)]
    rules: || constraints::CONSTRAINTS.iter().map(|row| row.1).collect(),
};

pub(super) const LINK: LinkForm = LinkForm {
    name: "fpuzzles-link",
    summary: "links to f-puzzles, also behind sudokupad.app/fpuzzles: the same, compressed",
    recognizes: is_link,
    read,
    write: Some(write::link),
    #[cfg(test)]
    rules: FORM.rules,
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
fn variant(puzzle: &Value, mut unused: Unused) -> Result<Variant, String> {
    let entries = puzzle.as_object().ok_or("expected an object")?;
    let (board, grid, mut named) = grid(puzzle, &mut unused)?;
    for key in entries.keys() {
        let clues = constraints::read(&board, puzzle, key, &mut unused);
        named.extend(clues.map_err(|message| format!("{message} in `{key}`"))?);
    }
    named.extend(constraints::negative(&board, puzzle, &named)?);
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

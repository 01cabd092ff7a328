//! ipuz: a JSON object with the rows of the grid under `puzzle`, and the kind
//! `http://ipuz.org/sudoku`.
//!
//! A cell is a number, a text, `null`, or an object with a `value` or `cell`. Cages and zones are
//! unsupported extra rules: objects with them are refused, and so are objects without boxes. A
//! `solution` must agree with the clues; a note names the first unknown key. A list may hold
//! several objects.

use super::cells::contradiction;
use super::lists::{DocumentReader, make, write_rows};
use super::value::{Data, Document, Value, begins_as_value};
use super::{Format, Reader};
use crate::{Grid, Setting};
use text::{InputError, InputNotes};

pub(super) struct Ipuz;

impl Format for Ipuz {
    fn name(&self) -> &'static str {
        "ipuz"
    }

    fn summary(&self) -> &'static str {
        "a JSON object of the kind http://ipuz.org/sudoku with rows under `puzzle`"
    }

    fn example(&self) -> &'static str {
        "{\"version\":\"http://ipuz.org/v2\",\"kind\":[\"http://ipuz.org/sudoku#1\"],\n\
         \"dimensions\":{\"width\":4,\"height\":4},\n\
         \"puzzle\":[[0,0,3,0],\n [0,1,0,0],\n [0,0,4,0],\n [0,2,0,0]]}\n"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ipuz"]
    }

    fn recognizes(&self, sample: &str) -> bool {
        begins_as_value(sample) && sample.contains("ipuz.org")
            || sample.trim_start().starts_with("ipuz(")
    }

    fn has_long_lines(&self) -> bool {
        true
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(DocumentReader::new(read))
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        let order = grid.shape().order();
        out.push_str("{\"version\":\"http://ipuz.org/v2\",\"kind\":[\"http://ipuz.org/sudoku#1\"],\n");
        push!(out, "\"dimensions\":{{\"width\":{order},\"height\":{order}}},\n\"puzzle\":");
        write_rows(grid, out);
        out.push_str("}\n");
    }
}

fn read(
    document: &Document,
    setting: &mut Setting,
    notes: &mut InputNotes,
) -> Vec<Result<Grid, InputError>> {
    let values = match document.values() {
        Ok(values) => values,
        Err(error) => return vec![Err(error)],
    };
    // `ipuz({...})` wraps the object in a list of its own, and a list may hold several.
    let objects = values.into_iter().flat_map(|value| match value {
        Value { data: Data::List(inner), .. } => inner,
        value => vec![value],
    });
    objects.map(|value| read_object(document, value, setting, notes)).collect()
}

fn read_object(
    document: &Document,
    value: Value<'_>,
    setting: &mut Setting,
    notes: &mut InputNotes,
) -> Result<Grid, InputError> {
    let Value { at, data: Data::Map(mut entries) } = value else {
        return Err(document.error(value.at, "expected an object of ipuz"));
    };
    let has = |name: &str| entries.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
    for rules in ["cages", "zones"] {
        if let Some(value) = has(rules) {
            return Err(document.error(value.at, format!("the {rules} of ipuz are not read")));
        }
    }
    if let Some(boxes) = has("boxes")
        && matches!(boxes.data, Data::Word("false"))
    {
        return Err(document.error(boxes.at, "a Sudoku of ipuz without boxes is not read"));
    }
    if let Some(charset) = has("charset")
        && !matches!(charset.data, Data::Text(text) if "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".starts_with(text))
    {
        return Err(document.error(charset.at, "expected a charset of the digits from 1"));
    }
    if let Some(kind) = has("kind")
        && !format!("{kind:?}").contains("sudoku")
    {
        return Err(document.error(kind.at, "expected the kind http://ipuz.org/sudoku"));
    }
    let solution = entries.iter().position(|(key, _)| *key == "solution");
    let solution = solution.map(|index| entries.swap_remove(index).1);
    if let Some((key, value)) = entries.iter().find(|(key, _)| !KEYS.contains(key)) {
        document.word(value.at, "").note_as("not used: a key of ipuz", key, notes);
    }
    let Some(index) = entries.iter().position(|(key, _)| *key == "puzzle") else {
        return Err(document.error(at, "expected a key `puzzle`, found none"));
    };
    let (_, mut puzzle) = entries.swap_remove(index);
    unwrap_all(&mut puzzle);
    let grid = make(document, &puzzle, setting, &Ipuz)?;
    if let Some((_, Value { at, data: Data::Map(sizes) })) =
        entries.iter().find(|(key, _)| *key == "dimensions")
    {
        let order = grid.shape().order();
        let is_order =
            |size: &Value<'_>| matches!(size.data, Data::Word(word) if word.parse() == Ok(order));
        if let Some((name, size)) = sizes.iter().find(|(_, size)| !is_order(size)) {
            let at = size.at.max(*at);
            return Err(
                document.error(at, format!("expected the {name} {order} of the rows, found another"))
            );
        }
    }
    if let Some(mut solution) = solution {
        unwrap_all(&mut solution);
        let solved = make(document, &solution, setting, &Ipuz)?;
        if let Some(fault) = contradiction(&grid, &solved) {
            return Err(document.error(solution.at, fault));
        }
    }
    Ok(grid)
}

/// Keys that are read, or do not change the answer.
const KEYS: [&str; 28] = [
    "version",
    "kind",
    "copyright",
    "publisher",
    "publication",
    "url",
    "uniqueid",
    "title",
    "intro",
    "explanation",
    "annotation",
    "author",
    "editor",
    "date",
    "notes",
    "difficulty",
    "origin",
    "block",
    "empty",
    "styles",
    "charset",
    "displaycharset",
    "boxes",
    "saved",
    "dimensions",
    "puzzle",
    "checksum",
    "volatile",
];

fn unwrap_all(rows: &mut Value<'_>) {
    if let Data::List(rows) = &mut rows.data {
        for row in rows {
            if let Data::List(cells) = &mut row.data {
                cells.iter_mut().for_each(unwrap);
            }
        }
    }
}

fn unwrap(cell: &mut Value<'_>) {
    if let Data::Map(entries) = &mut cell.data {
        let position = |name| entries.iter().position(|(key, _)| *key == name);
        if let Some(index) = position("value").or_else(|| position("cell")) {
            *cell = entries.swap_remove(index).1;
        }
    }
}

//! ipuz: a JSON object with the rows of the grid under `puzzle`, and `http://ipuz.org/sudoku` as its
//! kind.
//!
//! A cell is a number, a text, `null`, or an object whose `value` or `cell` it is. Cages and zones are
//! extra rules that are not known here: an object with them is refused.

use super::lists::{DocumentReader, make, write_rows};
use super::value::{Data, Document, Value, begins_as_value};
use super::{Format, Reader};
use crate::grid::{Grid, Setting};
use crate::input::InputError;

/// The format `ipuz`.
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

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(DocumentReader::new(|document, setting| vec![read(document, setting)]))
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        let order = grid.shape().order();
        out.push_str("{\"version\":\"http://ipuz.org/v2\",\"kind\":[\"http://ipuz.org/sudoku#1\"],\n");
        push!(out, "\"dimensions\":{{\"width\":{order},\"height\":{order}}},\n\"puzzle\":");
        write_rows(grid, out);
        out.push_str("}\n");
    }
}

fn read(document: &Document, setting: &mut Setting) -> Result<Grid, InputError> {
    let mut values = document.values()?;
    // `ipuz({...})` puts the object into a list of its own.
    if let [Value { data: Data::List(_), .. }] = values[..]
        && let Some(Value { data: Data::List(inner), .. }) = values.pop()
    {
        values = inner;
    }
    let Some(Value { at, data: Data::Map(mut entries) }) = values.pop() else {
        return Err(document.error(0, "expected an object of ipuz"));
    };
    let has = |name: &str| entries.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
    for rules in ["cages", "zones"] {
        if let Some(value) = has(rules) {
            return Err(document.error(value.at, format!("the {rules} of ipuz are not read")));
        }
    }
    if let Some(kind) = has("kind")
        && !format!("{kind:?}").contains("sudoku")
    {
        return Err(document.error(kind.at, "expected the kind http://ipuz.org/sudoku"));
    }
    let Some(index) = entries.iter().position(|(key, _)| *key == "puzzle") else {
        return Err(document.error(at, "expected a key `puzzle`, found none"));
    };
    let (_, mut puzzle) = entries.swap_remove(index);
    if let Data::List(rows) = &mut puzzle.data {
        for row in rows {
            if let Data::List(cells) = &mut row.data {
                cells.iter_mut().for_each(unwrap);
            }
        }
    }
    make(document, &puzzle, setting, &Ipuz)
}

/// Puts what a cell holds in the place of the object that holds it.
fn unwrap(cell: &mut Value<'_>) {
    if let Data::Map(entries) = &mut cell.data {
        let position = |name| entries.iter().position(|(key, _)| *key == name);
        if let Some(index) = position("value").or_else(|| position("cell")) {
            *cell = entries.swap_remove(index).1;
        }
    }
}

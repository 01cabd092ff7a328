//! Lists of lists, as in JSON, Python and other languages: a list of n rows of n cells.
//!
//! Cells are numbers or texts. `0`, `null`, `None`, `""` and the usual characters for empty cells
//! are read as empty. A row may be a text of n characters. A grid may be a text or a list of all
//! its cells. Several grids may be in a list, or in a map under a key `puzzle`, `board`, `grid`,
//! `quiz` or `sudoku`, also in the plural. A map may also have a `solution`, which must agree with
//! the clues. Grids are written as JSON.
//!
//! Exact covers may also be lists of lists. A value is read as a grid if it has 4 or more lists,
//! about as many as most of the lists have cells. In addition, some list must repeat an empty cell,
//! or each list must contain all numbers from 1 to n. Lists of only 0 and 1 are a matrix.

use std::collections::BTreeMap;

use super::cells::{self, CellWord};
use super::value::{Data, Document, Value, beginning, begins_as_value, is_key};
use super::{BELOW_FOUR, BLOCKS, Format, MARKS, REGIONS, Reader, line};
use crate::{Alphabet, Grid, Setting};
use text::{InputError, InputNotes, Lines, is_cut};

/// Keys of a map with a grid that do not affect the rules of the grid.
const REMARKS: [&str; 10] =
    ["id", "name", "title", "author", "source", "level", "difficulty", "rating", "solution", "comment"];

pub(super) const FORMAT: Format = Format {
    name: "lists",
    summary: "a list of n lists of n cells, as in JSON and Python; 0, null, None and \"\" are blank",
    example: "[[0,0,3,0],\n [0,1,0,0],\n [0,0,4,0],\n [0,2,0,0]]\n",
    recognizes,
    has_long_lines: true,
    reader: || documents(read),
    lacks: &[MARKS, BELOW_FOUR, REGIONS],
    write,
    ..BLOCKS
};

pub(super) fn recognizes(sample: &str) -> bool {
    if !begins_as_value(sample) {
        return false;
    }
    if is_cut(sample) {
        let Some(value) = beginning(sample) else { return false };
        let mut grids = Vec::new();
        return find(&value, None, &mut grids) && !grids.is_empty();
    }
    let Ok(Some(document)) = Document::read(&mut Lines::of_text(sample)) else { return false };
    let is_grids = |values: Vec<Value<'_>>| {
        let mut grids = Vec::new();
        !values.is_empty() && values.iter().all(|value| find(value, None, &mut grids))
    };
    document.values().is_ok_and(is_grids)
}

fn write(grid: &Grid, out: &mut String) {
    write_rows(grid, out);
    out.push('\n');
}

pub(super) fn write_rows(grid: &Grid, out: &mut String) {
    let order = grid.shape().order();
    let is_numbers = matches!(grid.style.alphabet, Alphabet::Digits | Alphabet::Numbers);
    for cell in 0..grid.shape().cell_count() {
        out.push_str(match (cell, cell % order) {
            (0, _) => "[[",
            (_, 0) => ",\n [",
            _ => ",",
        });
        match (grid.symbol(cell), is_numbers) {
            (Some(symbol), true) => push!(out, "{}", symbol + 1),
            (None, true) => out.push('0'),
            (Some(symbol), false) => {
                out.push('"');
                cells::write_symbol(grid.style.alphabet, symbol, out);
                out.push('"');
            }
            (None, false) => out.push_str("\".\""),
        }
        if cell % order == order - 1 {
            out.push(']');
        }
    }
    out.push(']');
}

type Grids = Vec<Result<Grid, InputError>>;
type MakeGrids = fn(&Document, Vec<Value<'_>>, &mut Setting, &mut InputNotes) -> Grids;

/// Returns a reader for the grids that `read` finds in the documents of a text.
pub(super) fn documents(read: MakeGrids) -> Reader {
    let mut document: Option<Document> = None;
    // The remaining grids of the current part of the document, in reverse order.
    let mut grids = Vec::new();
    Box::new(move |lines, setting| {
        while grids.is_empty() {
            if !document.as_mut().is_some_and(Document::advance) {
                document = Document::read(lines)?;
            }
            let Some(document) = &document else { return Ok(None) };
            grids = match document.values() {
                Ok(values) => read(document, values, setting, &mut lines.notes),
                Err(error) => vec![Err(error)],
            };
            grids.reverse();
        }
        grids.pop().transpose()
    })
}

fn read(
    document: &Document,
    values: Vec<Value<'_>>,
    setting: &mut Setting,
    _notes: &mut InputNotes,
) -> Grids {
    let mut grids = Vec::new();
    for value in values {
        let mut found = Vec::new();
        if find(&value, None, &mut found) {
            grids.extend(found.into_iter().map(|(grid, solution)| {
                let grid = make(document, grid, setting, &FORMAT)?;
                if let Some(solution) = solution {
                    let solved = make(document, solution, setting, &FORMAT)?;
                    let fault = cells::contradiction(&grid, &solved);
                    fault.map_or(Ok(()), |fault| Err(document.error(solution.at, fault)))?;
                }
                Ok(grid)
            }));
        } else {
            grids.push(Err(document.error(value.at, "expected a list of n lists of n cells")));
        }
    }
    grids
}

type FoundGrid<'v, 't> = (&'v Value<'t>, Option<&'v Value<'t>>);

/// Collects the grids of a value, which must contain only grids. `solution` is the solution given
/// for that value.
fn find<'v, 't>(
    value: &'v Value<'t>,
    solution: Option<&'v Value<'t>>,
    grids: &mut Vec<FoundGrid<'v, 't>>,
) -> bool {
    if is_grid(value) {
        grids.push((value, solution.filter(|solution| !is_nothing(solution))));
        return true;
    }
    match &value.data {
        Data::List(items) => !items.is_empty() && items.iter().all(|item| find(item, None, grids)),
        Data::Map(entries) => {
            let is_remark = |key: &str| REMARKS.iter().any(|remark| remark.eq_ignore_ascii_case(key));
            let solution = entries.iter().find(|(key, _)| key.eq_ignore_ascii_case("solution"));
            let mut found = entries.iter().filter(|(key, _)| is_key(key));
            match (found.next(), found.next()) {
                (Some((_, value)), None) => {
                    entries.iter().all(|(key, _)| is_key(key) || is_remark(key))
                        && find(value, solution.map(|(_, value)| value), grids)
                }
                _ => false,
            }
        }
        Data::Word(_) | Data::Text(_) => false,
    }
}

fn scalar<'t>(value: &Value<'t>) -> Option<&'t str> {
    match value.data {
        Data::Word(text) | Data::Text(text) => Some(text),
        Data::List(_) | Data::Map(_) => None,
    }
}

fn is_nothing(value: &Value<'_>) -> bool {
    scalar(value).is_some_and(|text| text.is_empty() || is_null(text))
}

fn is_null(text: &str) -> bool {
    matches!(text, "null" | "None" | "nil" | "NULL" | "undefined" | "nan" | "NaN")
}

fn usual_width(rows: &[Value<'_>]) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(width(row)).or_default() += 1);
    counts.into_iter().max_by_key(|&(_, count)| count).map_or(0, |(width, _)| width)
}

fn width(row: &Value<'_>) -> usize {
    match &row.data {
        Data::List(cells) => cells.len(),
        Data::Text(text) => text.chars().count(),
        Data::Word(_) | Data::Map(_) => 0,
    }
}

/// Returns whether a value is meant as a grid, even if it contains errors.
fn is_grid(value: &Value<'_>) -> bool {
    let rows = match &value.data {
        Data::Text(text) => return line::order_of(text).is_some_and(|order| order >= 4),
        Data::List(rows) => rows,
        Data::Word(_) | Data::Map(_) => return false,
    };
    if rows.iter().all(|row| matches!(row.data, Data::Word(_))) {
        let order = cells::square_root(rows.len()).filter(|&order| order >= 4);
        return order.is_some_and(|order| is_square(rows.chunks(order), order));
    }
    let order = usual_width(rows);
    if order < 4 || rows.len().abs_diff(order) > 1 {
        return false;
    }
    if rows.iter().all(|row| matches!(row.data, Data::Text(_))) {
        return rows.iter().filter(|row| width(row) == order).count() + 1 >= rows.len();
    }
    let lists: Vec<&[Value<'_>]> = rows
        .iter()
        .filter_map(|row| match &row.data {
            Data::List(cells) if cells.iter().all(|cell| scalar(cell).is_some()) => Some(&cells[..]),
            _ => None,
        })
        .collect();
    lists.len() == rows.len()
        && lists.iter().filter(|cells| cells.len() == order).count() + 1 >= rows.len()
        && is_square(lists.into_iter(), order)
}

/// Returns whether rows of cells form a grid, and not a family of sets or a matrix of 0 and 1.
fn is_square<'v, 't: 'v>(rows: impl Iterator<Item = &'v [Value<'t>]>, order: usize) -> bool {
    let (mut has_blanks, mut is_full, mut is_matrix, mut has_one) = (false, true, true, false);
    for row in rows {
        let texts: Vec<&str> = row.iter().filter_map(scalar).collect();
        let is_blank = |text: &&str| is_null(text) || cells::is_blank(text, Alphabet::Digits);
        has_blanks |= texts.iter().copied().filter(|text| is_blank(text)).count() > 1;
        let number = |text: &&str| text.parse().ok().filter(|n| (1..=order).contains(n));
        let mut numbers: Vec<usize> = texts.iter().filter_map(number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        is_full &= numbers.len() == order;
        has_one |= texts.contains(&"1");
        is_matrix &= texts.iter().all(|text| matches!(*text, "0" | "1"));
    }
    !(is_matrix && has_one) && (has_blanks || is_full)
}

/// Builds a grid from a list of rows, a list of cells, or a text.
pub(super) fn make(
    document: &Document,
    value: &Value<'_>,
    setting: &mut Setting,
    format: &'static Format,
) -> Result<Grid, InputError> {
    let characters = |at, text| document.word(at + 1, text).characters().collect::<Vec<_>>();
    let mut words: Vec<CellWord<'_>> = Vec::new();
    let cell = |value: &Value<'_>| match value.data {
        Data::Text(text) => Ok(document.word(value.at + 1, text)),
        Data::Word(text) if is_null(text) => Ok(document.word(value.at, text).blank()),
        Data::Word(text) => Ok(document.word(value.at, text)),
        Data::List(_) | Data::Map(_) => Err(document.error(value.at, "expected a cell, found a list")),
    };
    match &value.data {
        Data::Text(text) => words = characters(value.at, text),
        Data::List(rows) if rows.iter().all(|row| matches!(row.data, Data::Word(_))) => {
            words = rows.iter().map(cell).collect::<Result<_, _>>()?;
        }
        Data::List(rows) => {
            let order = usual_width(rows);
            for row in rows {
                let found = width(row);
                if found != order {
                    let message = format!("expected {order} cells in this row, found {found}");
                    return Err(document.error(row.at, message));
                }
                match &row.data {
                    Data::List(cells) => {
                        words.extend(cells.iter().map(cell).collect::<Result<Vec<_>, _>>()?);
                    }
                    Data::Text(text) => words.extend(characters(row.at, text)),
                    Data::Word(_) | Data::Map(_) => {}
                }
            }
            if rows.len() != order {
                let message = format!("expected {order} rows of {order} cells, found {}", rows.len());
                return Err(document.error(value.at, message));
            }
        }
        Data::Word(_) | Data::Map(_) => {}
    }
    let Some(order) = cells::square_root(words.len()) else {
        let message = format!("expected n*n cells (16, 36, 81, 256, ...), found {}", words.len());
        return Err(document.error(value.at, message));
    };
    let shape = setting.shape(order).map_err(|message| document.error(value.at, message))?;
    cells::fill(shape, &words, format)
}

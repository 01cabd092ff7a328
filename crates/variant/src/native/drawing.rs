//! Reads grids as rows of digits. A cell is one character, or a word if spaces separate the cells.
//! A dot is an empty cell.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::VariantHead;
use grid::{Grid, Shape, Style, format};
use text::{InputError, Line, Lines};

/// Builds an empty grid of the size stated in the header, by default 9x9.
pub(super) fn empty(head: &mut VariantHead) -> Result<Grid, InputError> {
    let digits = head.digit_count().unwrap_or(9);
    let rows = head.rows.or(head.columns).unwrap_or(digits);
    let columns = head.columns.unwrap_or(rows);
    let shape = head.shape(rows, columns).map_err(|message| head.fault(message))?;
    Ok(empty_of(shape))
}

fn empty_of(shape: Arc<Shape>) -> Grid {
    Grid::empty(shape, format::by_name("rows").map_or_else(Style::default, Style::new))
}

/// Returns whether a text consists of rows of digits but is not a square for the number of digits
/// in the header, or whether the regions leave out cells.
pub(super) fn is_other_than_square(head: &VariantHead, text: &str) -> bool {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let is_row = |row: &&str| row.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ' ');
    let widths: Vec<usize> = rows.iter().map(|row| words(row).count()).collect();
    if rows.len() < 2 || !rows.iter().all(is_row) || widths.iter().any(|&width| width != widths[0]) {
        return false;
    }
    let sides = (rows.len(), widths[0]);
    let is_other = |count| sides != (count, count);
    head.has_partial_regions() || head.digit_count().is_some_and(is_other)
}

/// Iterates over the cells of a row, each with its byte offset.
fn words(row: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_spaced = row.trim().contains(' ');
    let starts = row.char_indices().filter(move |(at, letter)| {
        let is_first = *at == 0 || row[..*at].ends_with(' ');
        *letter != ' ' && (!is_spaced || is_first)
    });
    starts.map(move |(at, letter)| {
        let end = if is_spaced {
            row[at..].find(' ').map(|length| at + length)
        } else {
            Some(at + letter.len_utf8())
        };
        (at, &row[at..end.unwrap_or(row.len())])
    })
}

pub(super) fn rows(lines: &mut Lines, head: &mut VariantHead) -> Result<Grid, InputError> {
    let mut rows: Vec<Line> = Vec::new();
    while let Some(line) = lines.next_content()? {
        rows.push(line);
    }
    let columns = head.columns.unwrap_or_else(|| words(&rows[0].text).count());
    if let Some(expected) = head.rows.filter(|&expected| expected != rows.len()) {
        let found = rows.len();
        return Err(rows[found.min(expected + 1) - 1]
            .error(0, format!("expected {expected} rows, found {found}")));
    }
    let shape = head.shape(rows.len(), columns).map_err(|message| head.fault_or(&rows[0], message))?;
    let mut grid = empty_of(shape);
    let (first, last) = (head.first(), head.first() + grid.shape().order() as i32 - 1);
    for (row, line) in rows.iter().enumerate() {
        let words: Vec<(usize, &str)> = words(&line.text).collect();
        if words.len() != columns {
            return Err(line.error(0, format!("expected {columns} cells, found {}", words.len())));
        }
        for (column, (at, word)) in words.into_iter().enumerate() {
            if word == "." {
                continue;
            }
            let symbol = word.parse().ok().filter(|digit| (first..=last).contains(digit));
            let symbol = symbol.ok_or_else(|| {
                let message = format!("expected a digit from {first} to {last} or `.`, found `{word}`");
                line.error(at, message)
            })?;
            grid.place(row * columns + column, (symbol - first) as usize);
        }
    }
    Ok(grid)
}

/// Reads one region label per cell. A cell with a dot is in no region.
pub(super) fn regions(text: &str, cells: usize) -> Result<Vec<Vec<usize>>, String> {
    let labels: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    if labels.len() != cells {
        return Err(format!("expected {cells} region labels, found {}", labels.len()));
    }
    let mut regions = BTreeMap::<char, Vec<usize>>::new();
    for (cell, &label) in labels.iter().enumerate().filter(|(_, label)| **label != '.') {
        regions.entry(label).or_default().push(cell);
    }
    Ok(regions.into_values().collect())
}

//! A grid as spreadsheets write it: n lines of n values separated by commas, semicolons or tabs. An
//! empty value is an empty cell.
//!
//! A value may be quoted and may be written as `5.0`. Empty lines may separate grids. Grids are
//! written with commas.

use super::cells::{self, CellWord};
use super::{BELOW_FOUR, BLOCKS, Format, MARKS, REGIONS};
use crate::{Grid, MAX_ORDER, Setting};
use text::{InputError, Line, Lines};

pub(super) const FORMAT: Format = Format {
    name: "table",
    summary: "n lines of n values set apart by commas, semicolons or tabs, empty ones blank",
    example: ",,3,\n,1,,\n,,4,\n,2,,\n",
    recognizes,
    reader: || Box::new(read),
    write,
    lacks: &[MARKS, BELOW_FOUR, REGIONS],
    ..BLOCKS
};

fn recognizes(sample: &str) -> bool {
    let mut lines = sample.lines().skip_while(|text| text.is_empty() || text.starts_with('#'));
    let Some(first) = lines.next() else { return false };
    let first = cells::line_of(first);
    let Some(delimiter) = delimiter(&first.text) else { return false };
    let order = values(&first, delimiter).len();
    let rest = lines.take(order - 1).map(cells::line_of);
    let rows: Vec<Line> = [first].into_iter().chain(rest).collect();
    let has_empty = |row: &Line| values(row, delimiter).iter().any(|value| value.text.is_empty());
    let is_row = |row: &&Line| {
        let values = values(row, delimiter);
        let is_value = |value: &CellWord<'_>| {
            value.text.chars().count() <= 1 || value.text.parse().is_ok_and(|n: usize| n <= order)
        };
        values.len() == order && values.iter().all(is_value)
    };
    let good = rows.iter().filter(is_row).count();
    (4..=MAX_ORDER).contains(&order)
        && rows.len() == order
        && good + 1 >= rows.len()
        && rows.iter().any(has_empty)
}

fn write(grid: &Grid, out: &mut String) {
    cells::write_square(grid, grid.style.alphabet, ["", ",", "\n"], out);
}

fn delimiter(text: &str) -> Option<char> {
    ['\t', ';', ','].into_iter().find(|&c| text.contains(c))
}

/// Returns the values of a line, without quotes and without the `.0` of a number.
fn values(line: &Line, delimiter: char) -> Vec<CellWord<'_>> {
    let value = |text| {
        let text = str::trim(text).trim_matches('"').trim();
        CellWord::new(line, text.strip_suffix(".0").unwrap_or(text))
    };
    line.text.split(delimiter).map(value).collect()
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    let is_skipped = |text: &str| text.is_empty() || text.starts_with('#');
    let mut next = lines.next_line()?;
    while next.as_ref().is_some_and(|line| is_skipped(&line.text)) {
        next = lines.next_line()?;
    }
    let Some(first) = next else { return Ok(None) };
    let order = delimiter(&first.text).map_or(1, |delimiter| first.text.split(delimiter).count());
    let mut rows = vec![first];
    while rows.len() < order.min(MAX_ORDER) {
        match lines.next_line()? {
            Some(line) if line.text.is_empty() => break,
            Some(line) => rows.push(line),
            None => break,
        }
    }
    let mut words = Vec::with_capacity(order * order);
    for row in &rows {
        let values = values(row, delimiter(&rows[0].text).unwrap_or(','));
        cells::check_width(row, &values, order, "values")?;
        words.extend(values);
    }
    if rows.len() != order {
        let next = Line { text: String::new(), number: rows[0].number + rows.len() };
        let found = rows.len();
        return Err(next.error(0, format!("expected {order} rows of {order} values, found {found}")));
    }
    let mut grid = cells::grid(&rows[0], order, &words, setting, &FORMAT)?;
    if grid.style.blank == ' ' {
        grid.style.blank = '.';
    }
    grid.style.alphabet = grid.style.alphabet.separated(order);
    Ok(Some(grid))
}

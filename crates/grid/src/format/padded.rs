//! One row per line, with one character for each cell and spaces for empty cells. The position of a
//! digit is its column.
//!
//! A row may be shorter, since programs strip trailing spaces. The first row of a grid has at least
//! one digit. Grids are written with dots, as in the format `rows`.

use super::cells::{self, CellWord};
use super::{BLOCKS, Format, rows};
use crate::{Grid, Setting, Style};
use text::{InputError, Line, Lines};

/// The supported orders. The length of the longest row determines the order.
const ORDERS: [usize; 6] = [9, 16, 12, 8, 6, 4];

pub(super) const FORMAT: Format = Format {
    name: "padded",
    summary: "n lines of n characters, one a cell, blanks for blank; written as rows",
    example: "53  7\n6  195\n 98    6\n8   6   3\n4  8 3  1\n7   2   6\n 6    28\n   419  5\n    8  79\n",
    recognizes,
    reader: || Box::new(read),
    is_written: false,
    ..BLOCKS
};

fn recognizes(sample: &str) -> bool {
    let mut lines = sample.lines().skip_while(|text| text.is_empty() || text.starts_with('#'));
    let rows: Vec<&str> = lines.by_ref().take(ORDERS[1] + 1).collect();
    let Some(order) = order(&rows) else { return false };
    let rows = &rows[..order];
    // Require adjacent digits and several spaces in a row, to exclude words separated by single
    // spaces.
    rows.iter().any(|row| row.trim().contains("  "))
        && rows.iter().any(|row| row.as_bytes().windows(2).any(|two| !two.contains(&b' ')))
}

/// Returns the order of the grid at the start of `rows`: the number of its rows, which must equal
/// the length of its longest row.
fn order(rows: &[&str]) -> Option<usize> {
    let is_fit = |order: &usize| {
        let is_cell = |c: char| {
            c == ' '
                || cells::symbol(c.encode_utf8(&mut [0; 4]), crate::Alphabet::Digits, *order).is_some()
        };
        let widths = || rows[..*order].iter().map(|row| row.chars().count());
        // A grid ends with the text or with an empty line.
        rows.len() >= *order
            && rows.get(*order).is_none_or(|row| row.is_empty())
            && widths().max() == Some(*order)
            && rows[..*order].iter().all(|row| row.chars().all(is_cell))
    };
    ORDERS.into_iter().find(is_fit)
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    let Some(first) = lines.next_content()? else { return Ok(None) };
    let mut rows = vec![first];
    while rows.len() <= ORDERS[1]
        && let Some(line) = lines.next_line()?
    {
        rows.push(line);
    }
    let texts: Vec<&str> = rows.iter().map(|row| &*row.text).collect();
    let Some(order) = order(&texts) else {
        let first = rows.swap_remove(0);
        cells::skip_block(lines)?;
        let message = "expected n rows of n characters (4, 6, 8, 9, 12 or 16), blanks for blank";
        return Err(first.error(0, message));
    };
    rows.drain(order..).rev().for_each(|line| lines.push_back(line));
    let rows: Vec<Line> = rows
        .into_iter()
        .map(|row| Line { text: format!("{:order$}", row.text), number: row.number })
        .collect();
    let words: Vec<CellWord<'_>> =
        rows.iter().flat_map(|row| CellWord::new(row, &row.text).characters()).collect();
    let grid = cells::grid(&rows[0], order, &words, setting, &rows::FORMAT)?;
    let style = Style { blank: '.', ..grid.style };
    Ok(Some(Grid { style, ..grid }))
}

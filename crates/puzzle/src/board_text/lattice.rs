//! A drawing of cells with signs between neighbors, as in Futoshiki:
//!
//! ```text
//! . < .   3
//!     v
//! .   . > .
//! ```
//!
//! A row of cells has one character for each cell, and a sign or a blank between two cells. A line
//! of signs only has them below the cells of the row above. Such a line may be missing.

use super::TextLine;
use grid::MAX_ORDER;
use text::{InputError, content_lines};

/// A sign between two neighboring cells, and where it is in the text.
#[derive(Clone, Copy, Debug)]
pub struct Sign<'t> {
    /// The sign.
    pub sign: char,
    /// The cells at its left and right, or above and below it.
    pub cells: (usize, usize),
    /// The line of the sign.
    pub line: TextLine<'t>,
    /// The sign as a part of its line.
    pub word: &'t str,
}

/// A drawing that was read.
#[derive(Debug, Default)]
pub struct Lattice<'t> {
    /// The number of columns.
    pub columns: usize,
    /// The character of each cell, its line, and the character as a part of the line.
    pub cells: Vec<(char, TextLine<'t>, &'t str)>,
    /// The signs in the order of the text.
    pub signs: Vec<Sign<'t>>,
}

impl<'t> Lattice<'t> {
    /// Reads a drawing. `is_cell` returns whether a character is a cell; all others are signs.
    ///
    /// # Errors
    /// If a sign is not between two cells, or a row has another number of cells than the first one.
    pub fn read(text: &'t str, is_cell: fn(char) -> bool) -> Result<Self, InputError> {
        let mut lattice = Self::default();
        // The positions of the cells in the last row of cells, in characters.
        let mut above: Vec<usize> = Vec::new();
        // Signs below the last row, which need a row below them.
        let mut open: Vec<Sign<'t>> = Vec::new();
        for (number, content) in content_lines(text) {
            let line = TextLine { number, text: content };
            let marks = content.char_indices().enumerate().filter(|(_, (_, c))| !c.is_whitespace());
            let marks = marks.map(|(at, (byte, c))| (at, c, &content[byte..byte + c.len_utf8()]));
            let row = lattice.cells.len() / lattice.columns.max(1);
            if !content.chars().any(is_cell) {
                for (at, sign, word) in marks {
                    let column = above.iter().position(|&place| place == at).ok_or_else(|| {
                        line.error(
                            word,
                            format!("expected a sign below a cell, found `{word}` elsewhere"),
                        )
                    })?;
                    let cell = (row - 1) * lattice.columns + column;
                    open.push(Sign { sign, cells: (cell, cell + lattice.columns), line, word });
                }
                continue;
            }
            lattice.signs.append(&mut open);
            let mut places = Vec::new();
            let mut before: Option<(char, &'t str)> = None;
            for (at, c, word) in marks {
                if !is_cell(c) {
                    if places.is_empty() || before.is_some() {
                        let message = format!("expected one sign between two cells, found `{word}`");
                        return Err(line.error(word, message));
                    }
                    before = Some((c, word));
                    continue;
                }
                let cell = lattice.cells.len();
                if let Some((sign, word)) = before.take() {
                    lattice.signs.push(Sign { sign, cells: (cell - 1, cell), line, word });
                }
                places.push(at);
                lattice.cells.push((c, line, word));
            }
            if let Some((_, word)) = before {
                return Err(line.error(word, format!("expected a cell after `{word}`")));
            }
            if row == 0 {
                lattice.columns = places.len();
            }
            if places.len() != lattice.columns || lattice.columns.max(row + 1) > MAX_ORDER {
                let expected = lattice.columns.min(MAX_ORDER);
                let message = match row >= MAX_ORDER {
                    true => format!("expected at most {MAX_ORDER} rows, found more"),
                    false => format!("expected {expected} cells in this row, found {}", places.len()),
                };
                return Err(line.error(content.trim_start(), message));
            }
            above = places;
        }
        match open.first() {
            Some(sign) => Err(sign.line.error(sign.word, "expected a row of cells below the signs")),
            None => Ok(lattice),
        }
    }

    /// Checks that the drawing is a square.
    ///
    /// # Errors
    /// If it is not, or is empty.
    pub fn check_square(&self, text: &str) -> Result<(), InputError> {
        let (rows, columns) = (self.cells.len() / self.columns.max(1), self.columns);
        match self.cells.last() {
            Some(_) if rows == columns => Ok(()),
            Some((_, line, _)) => {
                let message = format!("expected {columns} rows, one per column, found {rows}");
                Err(line.error(line.text.trim_start(), message))
            }
            None => Err(text::end_error(text, "rows of cells")),
        }
    }
}

/// Writes a drawing with a character for each cell and each sign.
pub fn write_lattice(
    rows: usize,
    columns: usize,
    cell: impl Fn(usize) -> char,
    sign: impl Fn(usize, usize) -> Option<char>,
    out: &mut String,
) {
    for row in 0..rows {
        let mut line = String::new();
        let mut below = String::new();
        for index in row * columns..(row + 1) * columns {
            line.push(cell(index));
            below.push(sign(index, index + columns).filter(|_| row + 1 < rows).unwrap_or(' '));
            if (index + 1) % columns != 0 {
                line.push(sign(index, index + 1).unwrap_or(' '));
                below.push(' ');
            }
        }
        out.push_str(&line);
        out.push('\n');
        if !below.trim().is_empty() {
            out.push_str(below.trim_end());
            out.push('\n');
        }
    }
}

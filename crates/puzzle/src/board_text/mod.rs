//! Parts of the texts of boards: lines with positions, blocks of lines, drawings of regions,
//! drawings with signs between cells ([`Lattice`]), and game IDs ([`GameId`]).
//!
//! # Bounds
//! A row has at most [`MAX_ORDER`] cells, and a board at most as many rows.

mod game_id;
mod lattice;

use grid::MAX_ORDER;
use text::{InputError, is_content, remark};

pub use game_id::GameId;
pub use lattice::{Lattice, Sign, write_lattice};

/// A line of a text with its number (from 1).
#[derive(Clone, Copy, Debug)]
pub struct TextLine<'t> {
    /// The number of the line, from 1.
    pub number: usize,
    /// The text of the line.
    pub text: &'t str,
}

impl<'t> TextLine<'t> {
    /// Returns an error at a part of the line.
    pub fn error(&self, part: &str, message: impl Into<String>) -> InputError {
        let start = part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        // A part of another text has no position here.
        let start = if start <= self.text.len() { start } else { 0 };
        InputError::at(self.number, self.text, start, message)
    }

    /// Returns the words of the line, or its characters if it is a single word.
    #[must_use]
    pub fn cells(&self) -> Vec<&'t str> {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        match words[..] {
            [word] => word.char_indices().map(|(at, c)| &word[at..at + c.len_utf8()]).collect(),
            _ => words,
        }
    }
}

/// Returns the lines of a text that are neither empty nor comments, in blocks that empty lines
/// separate.
#[must_use]
pub fn blocks(text: &str) -> Vec<Vec<TextLine<'_>>> {
    let mut blocks = vec![Vec::new()];
    for (index, line) in text.lines().enumerate() {
        match is_content(line) {
            true => {
                let line = TextLine { number: index + 1, text: line };
                blocks.last_mut().expect("at least one block").push(line);
            }
            false if line.trim().is_empty() => blocks.push(Vec::new()),
            false => {}
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// Returns an error at the beginning of a block, or after the end of the text.
#[must_use]
pub fn error_at(text: &str, block: Option<&Vec<TextLine<'_>>>, message: String) -> InputError {
    match block.and_then(|block| block.first()) {
        Some(line) => InputError::at(line.number, line.text, 0, message),
        None => InputError::at(text.lines().count() + 1, "", 0, message),
    }
}

/// Returns an error at the last line of the head with this key, or about the whole text.
pub fn head_error(text: &str, key: &str, message: impl Into<String>) -> InputError {
    let is_stated = |line: &&str| {
        line.trim_start().starts_with('#')
            && remark(line).is_some_and(|(known, _)| known.eq_ignore_ascii_case(key))
    };
    match text.lines().zip(1..).filter(|(line, _)| is_stated(line)).last() {
        Some((line, number)) => InputError::at(number, line, 0, message),
        None => InputError::whole(message),
    }
}

/// The regions of a drawing with one letter per cell, in the order of their first cells.
#[derive(Clone, Debug)]
pub struct Regions {
    /// The letter of each region.
    pub letters: Vec<char>,
    /// The region of each cell.
    pub of_cells: Vec<usize>,
    /// The cells of each region.
    pub cells: Vec<Vec<usize>>,
}

impl Regions {
    /// Reads a block with one letter (any character but `.`) per cell; also returns the number of
    /// columns. All rows have the length of the first one.
    ///
    /// # Errors
    /// If a cell is no letter, or a row has another length.
    pub fn read(block: &[TextLine<'_>]) -> Result<(Self, usize), InputError> {
        let columns = block.first().map_or(0, |line| line.cells().len());
        let (mut letters, mut of_cells, mut cells) = (Vec::new(), Vec::new(), Vec::<Vec<usize>>::new());
        for line in block {
            for word in row_of(line, columns)? {
                let mut characters = word.chars();
                let letter = characters.next().filter(|letter| !matches!(letter, '.' | '#'));
                let letter = letter.filter(|_| characters.next().is_none()).ok_or_else(|| {
                    line.error(word, format!("expected the letter of a region, found `{word}`"))
                })?;
                let region = letters.iter().position(|known| *known == letter);
                let region = region.unwrap_or_else(|| {
                    letters.push(letter);
                    cells.push(Vec::new());
                    letters.len() - 1
                });
                cells[region].push(of_cells.len());
                of_cells.push(region);
            }
        }
        Ok((Self { letters, of_cells, cells }, columns))
    }

    /// Returns the first cell that is not connected by its sides with the first cell of its region.
    fn apart(&self, columns: usize) -> Option<usize> {
        let mut is_reached = vec![false; self.of_cells.len()];
        for cells in &self.cells {
            let mut open = cells.first().copied().into_iter().collect::<Vec<_>>();
            while let Some(cell) = open.pop() {
                if std::mem::replace(&mut is_reached[cell], true) {
                    continue;
                }
                let column = cell % columns;
                let sides = [
                    cell.checked_sub(columns),
                    Some(cell + columns).filter(|&other| other < self.of_cells.len()),
                    (column > 0).then(|| cell - 1),
                    (column + 1 < columns).then_some(cell + 1),
                ];
                let is_same = |other: &usize| self.of_cells[*other] == self.of_cells[cell];
                open.extend(sides.into_iter().flatten().filter(is_same));
            }
        }
        is_reached.iter().position(|reached| !reached)
    }

    /// Checks that the cells of each region are connected by their sides.
    ///
    /// # Errors
    /// If a cell is not, the error at this cell.
    pub fn check_connected(&self, block: &[TextLine<'_>], columns: usize) -> Result<(), InputError> {
        let Some(cell) = self.apart(columns) else { return Ok(()) };
        let line = block[cell / columns];
        let word = line.cells().get(cell % columns).copied().unwrap_or_default();
        let message = format!("expected `{word}` next to the other cells of its region");
        Err(line.error(word, message))
    }

    /// Writes the drawing.
    pub fn write(&self, columns: usize, out: &mut String) {
        for row in self.of_cells.chunks(columns) {
            out.extend(row.iter().map(|&region| self.letters[region]));
            out.push('\n');
        }
    }
}

/// Returns the letter of a region by its number.
#[must_use]
pub fn region_letter(number: usize) -> char {
    /// The first characters of ranges of letters that are easy to tell apart, and their lengths.
    const RANGES: [(char, u32); 4] = [('A', 26), ('a', 26), ('\u{3b1}', 17), ('\u{410}', 32)];
    let mut left = number as u32;
    for (first, count) in RANGES {
        if left < count {
            return char::from_u32(first as u32 + left).unwrap_or('*');
        }
        left -= count;
    }
    char::from_u32(0x4e00 + left).unwrap_or('*')
}

/// Returns the cells of a line, which must be this many.
///
/// # Errors
/// If there are more or less, or too many for a board.
pub fn row_of<'t>(line: &TextLine<'t>, columns: usize) -> Result<Vec<&'t str>, InputError> {
    if columns > MAX_ORDER {
        let message = format!("expected at most {MAX_ORDER} columns, found {columns}");
        return Err(line.error(line.text.trim_start(), message));
    }
    let cells = line.cells();
    if cells.len() != columns {
        let message = format!("expected {columns} cells in this row, found {}", cells.len());
        return Err(
            line.error(cells.get(columns).copied().unwrap_or_else(|| line.text.trim()), message)
        );
    }
    Ok(cells)
}

/// Checks the number of rows before a board is made of them.
///
/// # Errors
/// If there are too many.
pub fn check_rows(block: &[TextLine<'_>]) -> Result<(), InputError> {
    match block.get(MAX_ORDER) {
        Some(line) => {
            Err(line.error(line.text, format!("expected at most {MAX_ORDER} rows, found more")))
        }
        None => Ok(()),
    }
}

/// Writes the rows of a board, with a symbol for each cell.
pub fn write_rows(rows: usize, columns: usize, cell: impl Fn(usize) -> String, out: &mut String) {
    let cells: Vec<String> = (0..rows * columns).map(cell).collect();
    let is_wide = cells.iter().any(|cell| cell.chars().count() > 1);
    let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(1);
    for row in cells.chunks(columns) {
        let line = match is_wide {
            true => {
                let padded: Vec<String> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
                padded.join(" ")
            }
            false => row.concat(),
        };
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

//! The text forms of grids.
//!
//! [`FORMATS`] is the one table, in the order in which contents are tried. A new format is one file,
//! its `mod` and its line here.

mod line;

use std::fmt::Write as _;

use super::{Alphabet, Grid, Setting, Style};
use crate::input::{InputError, Lines};

/// A text form of grids.
pub trait Format: Sync {
    /// Returns the name by which it is chosen.
    fn name(&self) -> &'static str;

    /// Says what it is, in a line.
    fn summary(&self) -> &'static str;

    /// Returns a small text in this format.
    fn example(&self) -> &'static str;

    /// Returns the endings of file names, without the dot, that speak for this format.
    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Tells whether a text that begins like this (at most 64 KiB) is in this format.
    fn recognizes(&self, sample: &str) -> bool;

    /// Makes a reader for one text.
    fn reader(&self) -> Box<dyn Reader>;

    /// Writes a grid, filled or not; the text ends with a line end.
    fn write(&self, grid: &Grid, out: &mut String);

    /// Writes what stands before the first grid of a text.
    fn write_head(&self, out: &mut String) {
        let _ = out;
    }

    /// Writes solution `number` (from 1) of a puzzle, by default as any grid.
    fn write_solution(&self, solution: &Grid, number: u64, out: &mut String) {
        let _ = number;
        self.write(solution, out);
    }

    /// Writes what stands for a puzzle without a solution.
    fn write_unsolvable(&self, puzzle: &Grid, out: &mut String) {
        let _ = puzzle;
        out.push_str("no solution\n");
    }

    /// Tells whether a grid takes a single line, so that a batch is a line a puzzle.
    fn is_line(&self) -> bool {
        false
    }

    /// Returns what stands between two grids, apart from what `write` ends with.
    fn separator(&self) -> &'static str {
        if self.is_line() { "" } else { "\n" }
    }
}

/// Reads the grids of one text, one after the other.
pub trait Reader: Send {
    /// Reads the next grid; `None` at the end.
    ///
    /// # Errors
    /// If the next grid is not in order. What belongs to it has been read, so that the next call
    /// goes on with the grid behind it.
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError>;
}

/// Every format, in the order in which contents are tried; the first is the default for writing.
pub const FORMATS: &[&dyn Format] = &[&line::Line];

/// Returns the format of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// The characters that stand for an empty cell. `0` does so unless it is a symbol.
pub const BLANKS: [char; 5] = ['.', '0', '*', '_', '-'];

/// Appends the symbol of `cell`, or the blank, as `grid.style` has it; numbers are not padded.
pub(crate) fn write_cell(grid: &Grid, cell: usize, out: &mut String) {
    let Style { alphabet, blank, .. } = grid.style;
    match grid.symbol(cell) {
        Some(symbol) => match alphabet.character(symbol) {
            Some(c) => out.push(c),
            None => write!(out, "{}", symbol + 1).expect("writing to a string does not fail"),
        },
        None => out.push(blank),
    }
}

/// Finds the alphabet of a grid of that order that is written one character a cell.
///
/// `0` is a symbol if the order is above 9 and another blank is used too; letters without any digit
/// are an alphabet of their own.
pub(crate) fn guess_alphabet(cells: &(impl Iterator<Item = char> + Clone), order: usize) -> Alphabet {
    let mut others = cells.clone().filter(|c| !BLANKS.contains(c)).peekable();
    let has_zero = cells.clone().any(|c| c == '0');
    let has_blank = cells.into_iter().any(|c| c != '0' && BLANKS.contains(&c));
    if others.peek().is_some() && others.all(|c| c.is_ascii_alphabetic()) && !(has_zero && has_blank) {
        Alphabet::Letters
    } else if order > 9 && has_zero && has_blank {
        Alphabet::ZeroDigits
    } else {
        Alphabet::Digits
    }
}

//! The text forms of grids.
//!
//! [`FORMATS`] is the one table, in the order in which contents are tried. A new format is one file,
//! its `mod` and its line here. What they share is in `cells` and
//! `drawing`.
//!
//! In every format blank lines and lines that begin with `#` are skipped between grids, and a
//! byte-order mark, CRLF and blanks at the end of a line do no harm.

mod candidates;
mod cells;
mod contest;
mod csv;
mod drawing;
mod hodoku;
mod ipuz;
mod jigsaw;
mod line;
mod link;
mod lists;
mod opensudoku;
mod padded;
mod pencilmarks;
mod regions;
mod rows;
mod sdk;
mod spaced;
mod strangers;
mod table;
#[cfg(test)]
mod tests;
mod titled;
mod value;

use std::borrow::Cow;
use std::ops::RangeInclusive;

pub use csv::TableRow;
pub use strangers::no_grid;
pub use strangers::stranger;

use super::{Grid, Setting};
use text::{InputError, Lines};

/// A text form of grids.
///
/// A text of several grids is `puzzle_head`, then the grids with `separator` between them; so is a text
/// of solutions, with `solution_head`.
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

    /// Tells whether a text whose first line of content is `line` can be in no other format.
    fn is_certain(&self, line: &str) -> bool {
        let _ = line;
        false
    }

    /// Returns whether a line may have more than [`LINE_LIMIT`] bytes.
    fn has_long_lines(&self) -> bool {
        false
    }

    /// Makes a reader for one text.
    fn reader(&self) -> Box<dyn Reader>;

    /// Names what the format cannot hold of `grid`, if anything: "pencil marks". Writing such a grid
    /// leaves that out, or is of no use.
    ///
    /// No format holds the extra rules or the size of the boxes.
    fn lacks(&self, grid: &Grid) -> Option<&'static str> {
        if !grid.is_plain() {
            Some("pencil marks")
        } else {
            grid.shape().is_jigsaw().then_some("regions")
        }
    }

    /// Tells whether texts are written in this format; one that is only read writes its grids in
    /// another.
    fn is_written(&self) -> bool {
        true
    }

    /// Writes a grid, filled or not; the text ends with a line end.
    fn write(&self, grid: &Grid, out: &mut String);

    /// Returns what stands before the first of several puzzles.
    fn puzzle_head(&self) -> &'static str {
        ""
    }

    /// Returns what stands before the first of several solutions.
    fn solution_head(&self) -> &'static str {
        ""
    }

    /// Returns what stands before the grids of a text that begins with `first`, or before its solutions.
    fn head(&self, first: &Grid, has_solutions: bool) -> Cow<'static, str> {
        let _ = first;
        if has_solutions { self.solution_head() } else { self.puzzle_head() }.into()
    }

    /// Writes solution `number` (from 1) of `puzzle`, by default as any grid. Read again it has itself
    /// as its only solution, but for CSV, which holds the puzzle beside it, and for the numbered
    /// letters of a square with regions.
    fn write_solution(&self, puzzle: &Grid, solution: &Grid, number: u64, out: &mut String) {
        let _ = (puzzle, number);
        self.write(solution, out);
    }

    /// Writes what stands for a puzzle without a solution.
    fn write_unsolvable(&self, puzzle: &Grid, out: &mut String) {
        let _ = puzzle;
        out.push_str(UNSOLVABLE);
    }

    /// Tells whether a grid takes a single line, so that a batch is a line a puzzle.
    fn is_line(&self) -> bool {
        false
    }

    /// Returns what stands between two grids, puzzles or solutions, apart from what they end with.
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

    /// Takes the next grids as they are, if all of at least `range.start()` are a [`NineLine`], and at
    /// most `range.end()`; else none.
    fn next_lines(
        &mut self,
        lines: &mut Lines,
        setting: &mut Setting,
        range: RangeInclusive<usize>,
    ) -> Vec<NineLine> {
        let _ = (lines, setting, range);
        Vec::new()
    }
}

/// A Sudoku of order 9 with boxes of 3x3 as text: 81 digits and blanks (`.` or `0`), row by row, and a
/// line feed.
pub type NineLine = [u8; 82];

/// Every format, in the order in which contents are tried: the most specific first.
pub const FORMATS: &[&dyn Format] = &[
    &opensudoku::OpenSudoku,
    &ipuz::Ipuz,
    &lists::Lists,
    &link::Link,
    &hodoku::Hodoku,
    &csv::Csv,
    &contest::Contest,
    &regions::RegionsFormat,
    &sdk::Sdk,
    &candidates::CandidatesFormat,
    &table::TableFormat,
    &jigsaw::Jigsaw,
    &pencilmarks::Pencilmarks,
    &padded::Padded,
    &spaced::Spaced,
    &titled::Titled,
    &rows::Rows,
    &line::LineFormat,
];

/// The most bytes of a line, unless a whole document may stand in it: four times what a grid of order 64 takes.
pub const LINE_LIMIT: usize = 1 << 16;

/// What stands for a puzzle without a solution, unless its format has something else.
pub const UNSOLVABLE: &str = "no solution\n";

/// The format for grids that were not read, and for texts that no format recognizes: its errors say
/// what was expected.
pub const DEFAULT: &dyn Format = &line::LineFormat;

/// Returns the format of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// Tells whether a text in brackets is meant as grids, and not as an exact cover.
#[must_use]
pub fn is_lists(sample: &str) -> bool {
    lists::Lists.recognizes(sample)
}

/// Returns the first format that recognizes a text that begins like this.
///
/// ```
/// let format = grid::format::recognize("12..\n....\n....\n..21\n").expect("a grid");
/// assert_eq!(format.name(), "rows");
/// ```
#[must_use]
pub fn recognize(sample: &str) -> Option<&'static dyn Format> {
    let first = sample.lines().find(|line| !cells::is_skipped(line)).unwrap_or_default();
    let is_long = first.len() > LINE_LIMIT;
    let mut formats = FORMATS.iter().copied().filter(|format| !is_long || format.has_long_lines());
    formats.find(|format| format.recognizes(sample))
}

//! Text formats of grids.
//!
//! [`FORMATS`] lists all formats in the order of recognition. A new format consists of one file,
//! its `mod` line and its entry in `FORMATS`. Shared functions are in `cells` and `drawing`.
//!
//! In every format, empty lines and lines that begin with `#` are skipped between grids. A
//! byte-order mark, CRLF and trailing spaces are ignored.

mod candidates;
mod cells;
mod contest;
mod csv;
mod drawing;
mod hodoku;
pub mod ipuz;
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

/// A text format of grids.
///
/// A text of several grids is `puzzle_head`, then the grids with `separator` between them. A text
/// of solutions begins with `solution_head` instead.
pub trait Format: Sync {
    /// Returns the name of the format.
    fn name(&self) -> &'static str;

    /// Describes the format in a line.
    fn summary(&self) -> &'static str;

    /// Returns a small text in this format.
    fn example(&self) -> &'static str;

    /// Returns the file name extensions, without the dot, that suggest this format.
    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns whether a text that begins like `sample` (at most 64 KiB) is in this format.
    fn recognizes(&self, sample: &str) -> bool;

    /// Returns whether no other format has `line` as its first line of content.
    fn is_certain(&self, line: &str) -> bool {
        let _ = line;
        false
    }

    /// Returns whether a line may have more than [`LINE_LIMIT`] bytes.
    fn has_long_lines(&self) -> bool {
        false
    }

    /// Returns a reader for one text.
    fn reader(&self) -> Box<dyn Reader>;

    /// Returns the name of the first feature of `grid` that the format cannot express, such as
    /// "pencil marks". Writing such a grid loses the feature, or gives an unusable text.
    ///
    /// No format expresses extra rules or the size of the boxes.
    fn lacks(&self, grid: &Grid) -> Option<&'static str> {
        if !grid.is_plain() {
            Some("pencil marks")
        } else {
            grid.shape().is_jigsaw().then_some("regions")
        }
    }

    /// Returns whether grids can be written in this format. The grids of a read-only format are
    /// written in another format.
    fn is_written(&self) -> bool {
        true
    }

    /// Writes a grid, filled or not. The text ends with a line feed.
    fn write(&self, grid: &Grid, out: &mut String);

    /// Returns the text before the first of several puzzles.
    fn puzzle_head(&self) -> &'static str {
        ""
    }

    /// Returns the text before the first of several solutions.
    fn solution_head(&self) -> &'static str {
        ""
    }

    /// Returns the text before the first grid, or before the first solution if `has_solutions`,
    /// which may depend on the first grid.
    fn head(&self, first: &Grid, has_solutions: bool) -> Cow<'static, str> {
        let _ = first;
        if has_solutions { self.solution_head() } else { self.puzzle_head() }.into()
    }

    /// Writes solution `number` (from 1) of `puzzle`, by default like any other grid. If the
    /// written text is read as a puzzle, its only solution is this solution. The exceptions are
    /// CSV, which keeps the puzzle next to its solution, and the numbered solutions of the format
    /// `regions`.
    fn write_solution(&self, puzzle: &Grid, solution: &Grid, number: u64, out: &mut String) {
        let _ = (puzzle, number);
        self.write(solution, out);
    }

    /// Writes the text that stands for a puzzle without a solution.
    fn write_unsolvable(&self, puzzle: &Grid, out: &mut String) {
        let _ = puzzle;
        out.push_str(UNSOLVABLE);
    }

    /// Returns whether a grid takes a single line, so that a batch has one line per puzzle.
    fn is_line(&self) -> bool {
        false
    }

    /// Returns the text between two grids, puzzles or solutions, which all end with a line feed.
    fn separator(&self) -> &'static str {
        if self.is_line() { "" } else { "\n" }
    }
}

/// Reads the grids of one text in sequence.
pub trait Reader: Send {
    /// Reads the next grid; returns `None` at the end.
    ///
    /// # Errors
    /// If the next grid is invalid. Its text has been consumed, so the next call reads the grid
    /// after it.
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError>;

    /// Takes up to `range.end()` grids as raw text, as long as each of them is a [`NineLine`];
    /// returns an empty list if fewer than `range.start()` such grids follow.
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

/// The text of a Sudoku with 3x3 boxes: 81 digits and empty cells (`.` or `0`), row by row, and a
/// line feed.
pub type NineLine = [u8; 82];

/// Every format in the order of recognition: the most specific first.
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

/// Maximum length of a line (bytes), four times the size of a grid of order 64. Formats that allow
/// a whole document on a line have no such limit.
pub const LINE_LIMIT: usize = 1 << 16;

/// The default text for a puzzle without a solution.
pub const UNSOLVABLE: &str = "no solution\n";

/// The format for grids that were not read from a text, and for texts that no format recognizes,
/// whose errors it reports.
pub const DEFAULT: &dyn Format = &line::LineFormat;

/// Returns the format named `name`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// Returns whether a text in brackets is meant as grids and not as an exact cover.
#[must_use]
pub fn is_lists(sample: &str) -> bool {
    lists::Lists.recognizes(sample)
}

/// Returns the first format that recognizes a text beginning with `sample`.
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

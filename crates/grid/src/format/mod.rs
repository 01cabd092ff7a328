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

use std::ops::RangeInclusive;

pub use csv::TableRow;
pub use line::is_certain;
pub use strangers::no_grid;
pub use strangers::stranger;

use super::{Grid, Setting};
use text::{InputError, Lines};

/// A text format of grids.
///
/// A text of several grids is the head, then the grids with the separator between them.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description of the format.
    pub summary: &'static str,
    /// A small text in this format.
    pub example: &'static str,
    /// The file name extensions, without the dot, that suggest this format.
    pub extensions: &'static [&'static str],
    /// Returns whether a text that begins like the sample (at most 64 KiB) is in this format.
    pub recognizes: fn(&str) -> bool,
    /// Whether a line may have more than [`LINE_LIMIT`] bytes.
    pub has_long_lines: bool,
    /// Whether a grid takes a single line, so that a batch has one line per puzzle.
    pub is_line: bool,
    /// Returns a reader for one text.
    pub reader: fn() -> Reader,
    /// Takes grids as raw text.
    pub next_lines: NextLines,
    /// The features that the format cannot express, the first to be named first. No format
    /// expresses extra rules or the size of the boxes.
    lacks: &'static [Lack],
    /// Whether grids can be written in this format. The grids of a read-only format are written in
    /// another format.
    pub is_written: bool,
    /// Writes a grid, filled or not. The text ends with a line feed.
    pub write: fn(&Grid, &mut String),
    /// Returns the text before the first grid, or before its first solution if the flag is set.
    pub head: fn(&Grid, bool) -> String,
    /// The text between two grids, puzzles or solutions, which all end with a line feed.
    pub separator: &'static str,
    write_solution: Option<WriteSolution>,
    /// Writes the text that stands for a puzzle without a solution.
    pub write_unsolvable: fn(&Grid, &mut String),
}

/// Reads the next grid of one text; returns `None` at the end. An invalid grid is an error, and its
/// text is consumed, so that the next call reads the grid after it.
pub type Reader = Box<dyn FnMut(&mut Lines, &mut Setting) -> Result<Option<Grid>, InputError> + Send>;

/// Takes up to `range.end()` grids as raw text, as long as each of them is a [`NineLine`]; returns
/// an empty list if fewer than `range.start()` such grids follow.
pub type NextLines = fn(&mut Lines, &mut Setting, RangeInclusive<usize>) -> Vec<NineLine>;

/// Writes a solution of a puzzle, given the number of the solution (from 1).
type WriteSolution = fn(&Grid, &Grid, u64, &mut String);

/// A feature of grids: its name, and whether a grid has it.
type Lack = (&'static str, fn(&Grid) -> bool);

const MARKS: Lack = ("pencil marks", |grid| !grid.is_plain());
const REGIONS: Lack = ("regions", |grid| grid.shape().is_jigsaw());
const NO_REGIONS: Lack = ("squares without regions", |grid| grid.shape().regions().next().is_none());
const NOT_NINE: Lack = ("orders other than 9", |grid| grid.shape().order() != 9);
/// A text of so few cells is not recognized as a grid.
const BELOW_FOUR: Lack = ("orders below 4", |grid| grid.shape().order() < 4);

/// The usual properties of a format whose grids take several lines.
const BLOCKS: Format = Format {
    name: "",
    summary: "",
    example: "",
    extensions: &[],
    recognizes: |_| false,
    has_long_lines: false,
    is_line: false,
    reader: || Box::new(|_, _| Ok(None)),
    next_lines: |_, _, _| Vec::new(),
    lacks: &[MARKS, REGIONS],
    is_written: true,
    write: rows::write,
    head: |_, _| String::new(),
    separator: "\n",
    write_solution: None,
    write_unsolvable: |_, out| out.push_str(UNSOLVABLE),
};

/// The usual properties of a format whose grids take a line each.
const LINES: Format = Format { is_line: true, write: line::write, separator: "", ..BLOCKS };

impl Format {
    /// Returns the name of the first feature of `grid` that the format cannot express, such as
    /// "pencil marks". Writing such a grid loses the feature, or gives an unusable text.
    #[must_use]
    pub fn lacks(&self, grid: &Grid) -> Option<&'static str> {
        self.lacks.iter().find(|(_, has)| has(grid)).map(|(name, _)| *name)
    }

    /// Writes solution `number` (from 1) of `puzzle`, by default like any other grid. If the
    /// written text is read as a puzzle, its only solution is this solution. The exceptions are
    /// CSV, which keeps the puzzle next to its solution, and the numbered solutions of the format
    /// `regions`.
    pub fn write_solution(&self, puzzle: &Grid, solution: &Grid, number: u64, out: &mut String) {
        match self.write_solution {
            Some(write) => write(puzzle, solution, number, out),
            None => (self.write)(solution, out),
        }
    }
}

/// The text of a Sudoku with 3x3 boxes: 81 digits and empty cells (`.` or `0`), row by row, and a
/// line feed.
pub type NineLine = [u8; 82];

/// Every format in the order of recognition: the most specific first.
pub const FORMATS: &[Format] = &[
    opensudoku::FORMAT,
    ipuz::FORMAT,
    lists::FORMAT,
    link::FORMAT,
    hodoku::FORMAT,
    csv::FORMAT,
    contest::FORMAT,
    regions::FORMAT,
    sdk::FORMAT,
    candidates::FORMAT,
    table::FORMAT,
    jigsaw::FORMAT,
    pencilmarks::FORMAT,
    padded::FORMAT,
    spaced::FORMAT,
    titled::FORMAT,
    rows::FORMAT,
    line::FORMAT,
];

/// Maximum length of a line (bytes), four times the size of a grid of order 64. Formats that allow
/// a whole document on a line have no such limit.
pub const LINE_LIMIT: usize = 1 << 16;

/// The default text for a puzzle without a solution.
pub const UNSOLVABLE: &str = "no solution\n";

/// The format for grids that were not read from a text, and for texts that no format recognizes,
/// whose errors it reports.
pub const DEFAULT: &Format = &line::FORMAT;

/// Returns the format named `name`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// Returns whether a text in brackets is meant as grids and not as an exact cover.
#[must_use]
pub fn is_lists(sample: &str) -> bool {
    lists::recognizes(sample)
}

/// Returns the first format that recognizes a text beginning with `sample`.
///
/// ```
/// let format = grid::format::recognize("12..\n....\n....\n..21\n").expect("a grid");
/// assert_eq!(format.name, "rows");
/// ```
#[must_use]
pub fn recognize(sample: &str) -> Option<&'static Format> {
    let is_long = cells::first(sample).len() > LINE_LIMIT;
    let mut formats = FORMATS.iter().filter(|format| !is_long || format.has_long_lines);
    plain(sample).or_else(|| formats.find(|format| (format.recognizes)(sample)))
}

/// Returns the format of the most frequent texts, which are no other kind of puzzle and have no
/// other format: 9x9 grids with a line each, or one grid of order 4 to 9 in rows, of only digits
/// and dots. Some cell is empty, and some digit is above 1, unlike in a matrix.
#[must_use]
pub fn plain(sample: &str) -> Option<&'static Format> {
    let is_plain = |byte: u8| byte == b'.' || byte == b'\n' || byte.is_ascii_digit();
    if !sample.bytes().all(is_plain) || !sample.contains(['.', '0']) || !sample.contains(|c| c > '1') {
        return None;
    }
    let mut lines = sample.lines();
    let (count, width) = (lines.clone().count(), lines.next()?.len());
    match width {
        // The last line may be cut.
        81 => lines
            .enumerate()
            .all(|(index, line)| line.len() == 81 || index + 2 == count)
            .then_some(DEFAULT),
        4..=9 if width == count && lines.all(|line| line.len() == width) => {
            rows::recognizes(sample).then_some(&rows::FORMAT)
        }
        _ => None,
    }
}

//! The kinds of puzzles, each translated into an exact cover.
//!
//! [`KINDS`] is the one table. A new kind is one file, its `mod` and its line here. The way of a
//! puzzle: text -> [`Puzzle`] -> `problem` and `given` -> an engine -> a cover -> `show` -> text.

mod fill;
mod latin;
mod polyomino;
mod sudoku;

use std::sync::Arc;

use dlx::{OptionId, Problem};

pub use fill::{Fill, Translator};

use crate::grid::Shape;
use crate::input::InputError;

/// A puzzle that has been read, with its translation.
pub trait Puzzle: Send + Sync {
    /// Returns the exact-cover problem. Puzzles of the same shape may share it.
    fn problem(&self) -> &Arc<Problem>;

    /// Returns the options that the puzzle itself fixes: its clues.
    fn given(&self) -> &[OptionId] {
        &[]
    }

    /// Writes the solution that `cover` (clues included) stands for; `number` counts from 1. The text
    /// ends with a line end; read again as a puzzle of its kind it has that one solution.
    fn show(&self, cover: &[OptionId], number: u64, out: &mut String);

    /// Writes what stands for "there is no solution".
    fn show_unsolvable(&self, out: &mut String) {
        out.push_str("no solution\n");
    }

    /// Tells whether a solution takes a single line.
    fn is_line(&self) -> bool {
        false
    }

    /// Returns the grid and its translation if the puzzle is a grid to be filled.
    fn as_fill(&self) -> Option<&Fill> {
        None
    }
}

/// A kind of puzzle.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Kind {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// How puzzles are made from a bare parameter, if they can be.
    pub parameter: Option<Parameter>,
    /// How puzzles are read from text.
    pub source: Source,
}

/// How a bare parameter makes a puzzle, as in `queens 8`.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// What the parameter means: "the size of the board".
    pub meaning: &'static str,
    /// A parameter that works.
    pub example: &'static str,
    /// Makes the puzzle, or says what was expected.
    pub make: fn(&str) -> Result<Box<dyn Puzzle>, String>,
}

/// How the puzzles of a kind are read.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// As grids, in any of the formats of [`grid::FORMATS`](crate::grid::FORMATS).
    Grids {
        /// Whether there are only rows and columns unless the text draws regions.
        is_latin: bool,
    },
    /// As one text that is one puzzle.
    Text(TextSource),
}

/// A kind whose text is one puzzle.
#[derive(Clone, Copy, Debug)]
pub struct TextSource {
    /// A small text.
    pub example: &'static str,
    /// The endings of file names, without the dot, that speak for this kind.
    pub extensions: &'static [&'static str],
    /// Tells whether a text that begins like this (at most 64 KiB) is of this kind.
    pub recognizes: fn(&str) -> bool,
    /// Reads the puzzle.
    pub read: fn(&str) -> Result<Box<dyn Puzzle>, InputError>,
}

/// Every kind, in the order in which contents are tried.
pub const KINDS: &[Kind] = &[polyomino::KIND, sudoku::KIND, latin::KIND];

/// Returns the kind of that name.
///
/// ```
/// assert!(farandole::puzzle::by_name("sudoku").is_some());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// Makes the puzzle of an empty grid.
fn empty_grid(shape: Shape) -> Box<dyn Puzzle> {
    let grid = crate::grid::Grid::empty(Arc::new(shape), crate::grid::Style::drawn());
    Box::new(Translator::default().puzzle(grid))
}

/// Reads a whole number from 1 to `max`, or says that `what` was expected.
fn parse_size(text: &str, what: &str, max: usize) -> Result<usize, String> {
    let size = text.trim().parse().ok().filter(|size| (1..=max).contains(size));
    size.ok_or_else(|| format!("expected {what} from 1 to {max}, found `{text}`"))
}

//! A solution as the search that found it represents it.
//!
//! Most engines find covers. The digit search finds a filled grid, whose cover is computed only if
//! a caller needs more than the grid.

use std::borrow::Cow;
use std::ops::ControlFlow;

use digits::DigitSet;
use dlx::OptionId;

use super::{DigitGrid, Picture, Puzzle};

/// A solution of a puzzle.
#[derive(Clone, Copy)]
pub enum Solution<'s> {
    /// A cover of the problem that lists the clues first.
    Cover(&'s [OptionId]),
    /// A filled grid, with the digit of each cell as one bit.
    Digits(&'s dyn DigitGrid, &'s [DigitSet]),
}

impl std::fmt::Debug for Solution<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cover(cover) => f.debug_tuple("Cover").field(cover).finish(),
            Self::Digits(_, digits) => f.debug_tuple("Digits").field(digits).finish_non_exhaustive(),
        }
    }
}

/// A callback that receives each solution and returns whether to continue.
pub type SolutionVisit<'a> = dyn FnMut(Solution<'_>) -> ControlFlow<()> + 'a;

impl<'s> Solution<'s> {
    /// Returns the cover, with the clues first. If the solution is a filled grid, this builds the
    /// problem if needed.
    #[must_use]
    pub fn cover(&self) -> Cow<'s, [OptionId]> {
        match *self {
            Self::Cover(cover) => Cow::Borrowed(cover),
            Self::Digits(grid, digits) => Cow::Owned(grid.cover_of(digits)),
        }
    }

    /// Writes the solution of `puzzle` as [`Puzzle::show`] does.
    pub fn show(&self, puzzle: &dyn Puzzle, number: u64, out: &mut String) {
        match *self {
            Self::Cover(cover) => puzzle.show(cover, number, out),
            Self::Digits(grid, digits) => grid.show_digits(digits, number, out),
        }
    }

    /// Draws the solution of `puzzle` as [`Puzzle::picture`] does.
    #[must_use]
    pub fn picture(&self, puzzle: &dyn Puzzle) -> Option<Picture> {
        match *self {
            Self::Cover(cover) => puzzle.picture(cover),
            Self::Digits(grid, digits) => grid.picture_of(digits),
        }
    }
}

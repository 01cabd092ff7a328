//! A solution as reported by the search that found it.
//!
//! Most engines find covers. The search on digits finds a filled grid; its cover is computed only
//! if a caller needs more than the grid.

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
    /// The digit of each cell of a grid, as one bit.
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

/// Callback for each solution, which returns whether to continue.
pub type SolutionVisit<'a> = dyn FnMut(Solution<'_>) -> ControlFlow<()> + 'a;

impl<'s> Solution<'s> {
    /// Returns the cover, clues first; a grid builds its problem for this if needed.
    #[must_use]
    pub fn cover(&self) -> Cow<'s, [OptionId]> {
        match *self {
            Self::Cover(cover) => Cow::Borrowed(cover),
            Self::Digits(grid, digits) => Cow::Owned(grid.cover_of(digits)),
        }
    }

    /// Writes the solution of `puzzle`, like [`Puzzle::show`].
    pub fn show(&self, puzzle: &dyn Puzzle, number: u64, out: &mut String) {
        match *self {
            Self::Cover(cover) => puzzle.show(cover, number, out),
            Self::Digits(grid, digits) => grid.show_digits(digits, number, out),
        }
    }

    /// Draws the solution of `puzzle`, like [`Puzzle::picture`].
    #[must_use]
    pub fn picture(&self, puzzle: &dyn Puzzle) -> Option<Picture> {
        match *self {
            Self::Cover(cover) => puzzle.picture(cover),
            Self::Digits(grid, digits) => grid.picture_of(digits),
        }
    }
}

//! Rates generated puzzles and drops those outside the range of `--rating`.
//!
//! The thread that generates a puzzle also rates it. The rating stops at the first step above the
//! range.

use std::ops::RangeInclusive;

use dlx::{Limit, Limits, OptionId};

use super::GenerateTask;
use farandole::explain::{Guide, Rating};
use puzzle::Puzzle;

/// Rates puzzles that have the items and options of `puzzle`, each with its own clues.
pub(super) struct Rater<'p> {
    puzzle: &'p dyn Puzzle,
    wanted: Option<RangeInclusive<u32>>,
    guide: Guide,
    limits: Limits,
}

/// Whether the rating of a puzzle is in the requested range.
#[derive(Clone, Debug)]
pub(super) enum Rated {
    /// The rating, which is in the requested range, or `None` if no rating was requested.
    Wanted(Option<Rating>),
    /// The rating is outside the range. The value is a lower bound on the score, in tenths.
    Other(u32),
}

/// The part of a puzzle that steps within the requested range solve.
#[derive(Clone, Debug)]
pub(super) struct RatedPart {
    /// The score of the hardest step that was used, in tenths.
    pub(super) score: u32,
    /// The rating, or `None` if these steps do not reach the solution.
    pub(super) rating: Option<Rating>,
    /// The options placed before the first step above the range.
    pub(super) placed: Vec<OptionId>,
}

impl<'p> Rater<'p> {
    pub(super) fn new(task: &GenerateTask<'_>, puzzle: &'p dyn Puzzle) -> Self {
        let wanted = task.asked.rating.clone();
        let guide = Guide::rating().most(wanted.as_ref().map(|wanted| *wanted.end()));
        Self { puzzle, wanted, guide, limits: task.limits.clone() }
    }

    /// Rates the puzzle with the given clues, including the initial ones.
    pub(super) fn rate(&mut self, clues: &[OptionId]) -> Result<Rated, Limit> {
        let Some(wanted) = &self.wanted else { return Ok(Rated::Wanted(None)) };
        let mut told = self.guide.begin_with(self.puzzle, clues);
        let rating = told.rate_up_to(*wanted.end(), &self.limits);
        self.limits.check()?;
        let is_wanted = rating.is_whole && wanted.contains(&rating.score);
        Ok(if is_wanted { Rated::Wanted(Some(rating)) } else { Rated::Other(rating.score) })
    }

    /// Solves a puzzle as far as possible with steps up to the largest requested score.
    pub(super) fn reach(&mut self, clues: &[OptionId]) -> Result<RatedPart, Limit> {
        let most = self.wanted.as_ref().map_or(u32::MAX, |wanted| *wanted.end());
        let mut told = self.guide.begin_with(self.puzzle, clues);
        let rating = told.rate_up_to(most, &self.limits);
        self.limits.check()?;
        let (score, placed) = (told.score(), told.chosen().to_vec());
        Ok(RatedPart { score, rating: rating.is_whole.then_some(rating), placed })
    }
}

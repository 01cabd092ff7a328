//! Ratings of generated puzzles, if requested; puzzles outside the requested range are dropped.
//!
//! The thread that generates a puzzle also rates it, and stops at the first step above the
//! requested range.

use std::ops::RangeInclusive;

use dlx::{Limit, Limits, OptionId};

use super::GenerateTask;
use farandole::explain::{Guide, Rating};
use puzzle::Puzzle;

/// Rates puzzles with the items and options of a given one.
pub(super) struct Rater<'p> {
    puzzle: &'p dyn Puzzle,
    wanted: Option<RangeInclusive<u32>>,
    guide: Guide,
    limits: Limits,
}

/// The rating of a puzzle compared with the request.
#[derive(Clone, Debug)]
pub(super) enum Rated {
    /// Within the range, with its rating if requested.
    Wanted(Option<Rating>),
    /// Outside the range: a lower bound of the score, in tenths.
    Other(u32),
}

/// The part of a puzzle solved by steps within the range.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    /// The hardest of these steps, in tenths.
    pub(super) score: u32,
    /// The rating, if the steps reach the solution.
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

    /// Rates the puzzle with these clues, which include the initially given ones.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn rate(&mut self, clues: &[OptionId]) -> Result<Rated, Limit> {
        let Some(wanted) = &self.wanted else { return Ok(Rated::Wanted(None)) };
        let mut told = self.guide.begin_with(self.puzzle, clues);
        let rating = told.rate_up_to(*wanted.end(), &self.limits);
        self.limits.check()?;
        let is_wanted = rating.is_whole && wanted.contains(&rating.score);
        Ok(if is_wanted { Rated::Wanted(Some(rating)) } else { Rated::Other(rating.score) })
    }

    /// Solves a puzzle with steps up to the largest requested score.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn reach(&mut self, clues: &[OptionId]) -> Result<Reached, Limit> {
        let most = self.wanted.as_ref().map_or(u32::MAX, |wanted| *wanted.end());
        let mut told = self.guide.begin_with(self.puzzle, clues);
        let rating = told.rate_up_to(most, &self.limits);
        self.limits.check()?;
        let (score, placed) = (told.score(), told.chosen().to_vec());
        Ok(Reached { score, rating: rating.is_whole.then_some(rating), placed })
    }
}

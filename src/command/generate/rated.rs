//! How hard a puzzle is that was made, if that is asked for: those of other ratings are dropped.
//!
//! A puzzle is rated by the thread that made it. Once a step is harder than the hardest that is wanted, its rating is not needed.

use std::ops::RangeInclusive;

use dlx::{Limit, Limits, OptionId};

use super::GenerateTask;
use farandole::explain::{Guide, Rating};
use puzzle::Puzzle;

/// Rates puzzles that have the items and options of one.
pub(super) struct Rater<'p> {
    puzzle: &'p dyn Puzzle,
    wanted: Option<RangeInclusive<u32>>,
    guide: Guide,
    limits: Limits,
}

/// What came of a puzzle.
#[derive(Clone, Debug)]
pub(super) enum Rated {
    /// It is wanted, with its rating if that was asked for.
    Wanted(Option<Rating>),
    /// It is as hard as that at least, in tenths, which is not wanted.
    Other(u32),
}

/// How far a puzzle is solved by steps that are not too hard.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    /// The hardest of these steps, in tenths.
    pub(super) score: u32,
    /// The rating, if they led to the solution.
    pub(super) rating: Option<Rating>,
    /// What is placed before the first step that is too hard.
    pub(super) placed: Vec<OptionId>,
}

impl<'p> Rater<'p> {
    pub(super) fn new(task: &GenerateTask<'_>, puzzle: &'p dyn Puzzle) -> Self {
        let wanted = task.asked.rating.clone();
        let guide = Guide::rating().most(wanted.as_ref().map(|wanted| *wanted.end()));
        Self { puzzle, wanted, guide, limits: task.limits.clone() }
    }

    /// Rates the puzzle with these clues, those that are given from the start included.
    ///
    /// # Errors
    /// The limit that ended it.
    pub(super) fn rate(&mut self, clues: &[OptionId]) -> Result<Rated, Limit> {
        let Some(wanted) = &self.wanted else { return Ok(Rated::Wanted(None)) };
        let mut told = self.guide.begin_with(self.puzzle, clues);
        let rating = told.rate_up_to(*wanted.end(), &self.limits);
        self.limits.check()?;
        let is_wanted = rating.is_whole && wanted.contains(&rating.score);
        Ok(if is_wanted { Rated::Wanted(Some(rating)) } else { Rated::Other(rating.score) })
    }

    /// Solves a puzzle by steps of up to the greatest score that is wanted.
    ///
    /// # Errors
    /// The limit that ended it.
    pub(super) fn reach(&mut self, clues: &[OptionId]) -> Result<Reached, Limit> {
        let most = self.wanted.as_ref().map_or(u32::MAX, |wanted| *wanted.end());
        let mut told = self.guide.begin_with(self.puzzle, clues);
        let rating = told.rate_up_to(most, &self.limits);
        self.limits.check()?;
        let (score, placed) = (told.score(), told.chosen().to_vec());
        Ok(Reached { score, rating: rating.is_whole.then_some(rating), placed })
    }
}

//! Rates generated puzzles and drops those outside the range of `--rating`, and those without the
//! hardest step of `--technique`.
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
    technique: Option<String>,
    guide: Guide,
    limits: Limits,
}

/// Whether the rating of a puzzle is in the requested range.
#[derive(Clone, Debug)]
pub(super) enum Rated {
    /// The rating, which is in the requested range, or `None` if no rating was requested.
    Wanted(Option<Rating>),
    /// The puzzle was not rated, because it is clearly too easy.
    Easy,
    /// The rating is another one.
    Other {
        /// A lower bound on the score, in tenths.
        score: u32,
        /// The name of the hardest step that was found.
        hardest: Option<String>,
    },
}

/// The part of a puzzle that steps within the requested range solve.
#[derive(Clone, Debug)]
pub(super) struct RatedPart {
    /// The score of the hardest step that was used, in tenths.
    pub(super) score: u32,
    /// Whether the rating is the requested one.
    pub(super) is_wanted: bool,
    /// The rating, or `None` if these steps do not reach the solution.
    pub(super) rating: Option<Rating>,
    /// The options placed before the first step above the range.
    pub(super) placed: Vec<OptionId>,
}

impl<'p> Rater<'p> {
    pub(super) fn new(task: &GenerateTask<'_>, puzzle: &'p dyn Puzzle) -> Self {
        let technique = task.asked.technique.clone();
        let wanted = technique.is_some().then_some(0..=u32::MAX - 1);
        let wanted = task.asked.rating.clone().or(wanted);
        let most = task.asked.rating.as_ref().map(|wanted| *wanted.end());
        let named = technique.as_deref().and_then(techniques::by_name);
        let uniqueness = named.is_some_and(|named| named.is_uniqueness);
        let guide = Guide::rating().most(most).uniqueness(uniqueness);
        Self { puzzle, wanted, technique, guide, limits: task.limits.clone() }
    }

    /// Rates the puzzle with the given clues, including the initial ones.
    pub(super) fn rate(&mut self, clues: &[OptionId]) -> Result<Rated, Limit> {
        let Some(wanted) = &self.wanted else { return Ok(Rated::Wanted(None)) };
        let mut told = self.guide.begin_with(self.puzzle, clues);
        let rating = told.rate_up_to(*wanted.end(), &self.limits);
        self.limits.check()?;
        Ok(match self.is_wanted(&rating) {
            true => Rated::Wanted(Some(rating)),
            false => Rated::Other { score: rating.score, hardest: rating.hardest },
        })
    }

    fn is_wanted(&self, rating: &Rating) -> bool {
        rating.is_whole
            && self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&rating.score))
            && (self.technique.is_none() || rating.hardest == self.technique)
    }

    /// Solves a puzzle as far as possible with steps up to the largest requested score.
    pub(super) fn reach(&mut self, clues: &[OptionId]) -> Result<RatedPart, Limit> {
        let most = self.wanted.as_ref().map_or(u32::MAX, |wanted| *wanted.end());
        let mut told = self.guide.begin_with(self.puzzle, clues);
        let rating = told.rate_up_to(most, &self.limits);
        self.limits.check()?;
        let (score, placed) = (told.score(), told.chosen().to_vec());
        let is_wanted = self.is_wanted(&rating);
        Ok(RatedPart { score, is_wanted, rating: rating.is_whole.then_some(rating), placed })
    }
}

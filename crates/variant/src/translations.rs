//! What engines need of a variant, each made when it is first asked for, and once.
//!
//! A killer of a setter is read in a tenth of a millisecond, and its exact cover takes three; the search on digits solves it
//! in two, and needs the cover only where somebody wants to see its options. So reading only makes sure that there is a cover:
//! a bound on its options that is found in no time is mostly enough ([`most_options`](model::most_options)), and where it is not,
//! the cover is made at once and refused at the clue that is too large.

use std::sync::{Arc, OnceLock};

use digits::Network;
use dlx::{OptionId, Problem};

use super::clue::Clue;
use super::completion::Completion;
use super::{Variant, derive, model, network};

/// What was asked for so far.
#[derive(Debug)]
pub(super) struct Translations {
    /// Clues that follow from the others.
    derived: OnceLock<Vec<Clue>>,
    cover: OnceLock<CoverOfVariant>,
    /// `None` within if these are more than the search on digits takes.
    rules: OnceLock<Option<Network>>,
}

impl Translations {
    /// Nothing so far.
    pub(super) const fn new() -> Self {
        Self { derived: OnceLock::new(), cover: OnceLock::new(), rules: OnceLock::new() }
    }
}

/// The exact cover of a variant.
#[derive(Debug)]
pub(super) struct CoverOfVariant {
    pub(super) problem: Arc<Problem>,
    /// Cell and symbol of the first options; those behind stand for how clues are met.
    pub(super) placements: Vec<(u32, u32)>,
    completion: OnceLock<Completion>,
}

impl CoverOfVariant {
    fn new((problem, placements): (Problem, Vec<(u32, u32)>)) -> Self {
        Self { problem: Arc::new(problem), placements, completion: OnceLock::new() }
    }

    /// Adds to options that fill all cells those that follow.
    pub(super) fn complete(&self, options: &mut Vec<OptionId>) {
        let completion =
            self.completion.get_or_init(|| Completion::new(&self.problem, self.placements.len()));
        completion.complete(&self.problem, options);
    }
}

impl Variant {
    /// Makes sure that the exact cover has not too many options.
    ///
    /// # Errors
    /// If it has; says so of the clue.
    pub(super) fn check_size(&self) -> Result<(), String> {
        let following = derive::sums_max(&self.board, &self.placed);
        if model::most_options(&self.board, self.clues(), following) > model::OPTIONS_MAX {
            let cover = CoverOfVariant::new(self.translate(model::OPTIONS_MAX)?);
            self.translations.cover.set(cover).expect("nobody has asked for it before");
        }
        Ok(())
    }

    /// Returns the exact cover.
    pub(super) fn cover(&self) -> &CoverOfVariant {
        self.translations.cover.get_or_init(|| {
            let translated = self.translate(usize::MAX);
            CoverOfVariant::new(translated.expect("there is no limit but that of `check_size`"))
        })
    }

    fn translate(&self, options_max: usize) -> Result<(Problem, Vec<(u32, u32)>), String> {
        let clues: Vec<&Clue> = self.clues().collect();
        model::translate(&self.board, &self.grid, &clues, self.derived(), options_max)
    }

    /// Returns cells and rules for the search on digits; `None` if they are too large for that.
    pub(super) fn rules(&self) -> Option<&Network> {
        let make = || {
            let clues: Vec<&Clue> = self.clues().collect();
            let differences = derive::differences(&self.board, &self.placed);
            network::translate(&self.board, &self.grid, &clues, &[self.derived(), &differences])
        };
        self.translations.rules.get_or_init(make).as_ref()
    }

    /// Returns the clues that follow from the others.
    pub(super) fn derived(&self) -> &[Clue] {
        self.translations.derived.get_or_init(|| derive::sums(&self.board, &self.placed))
    }

    fn clues(&self) -> impl Iterator<Item = &Clue> {
        self.placed.iter().flat_map(|placed| placed.clues.iter())
    }

    /// Tells whether the exact cover was made.
    #[cfg(test)]
    pub(super) fn has_cover(&self) -> bool {
        self.translations.cover.get().is_some()
    }

    /// Tells whether the rules for the search on digits were made.
    #[cfg(test)]
    pub(super) fn has_rules(&self) -> bool {
        self.translations.rules.get().is_some()
    }
}

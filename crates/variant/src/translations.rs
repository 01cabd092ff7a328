//! The translations of a variant for the engines. Each is built once, on first use.
//!
//! The digit search needs the exact cover only if a caller asks for its options. But reading a
//! variant must ensure that its exact cover has at most [`model::OPTIONS_MAX`] options. A cheap
//! bound ([`most_options`](model::most_options)) is usually enough. Otherwise the cover is built at
//! once, and clues that need too many options are refused.

use std::sync::{Arc, OnceLock};

use digits::Network;
use dlx::{OptionId, Problem};

use super::clue::Clue;
use super::completion::Completion;
use super::linear::LinearContradiction;
use super::{Variant, derive, linear, model, network};

#[derive(Debug)]
pub(super) struct Translations {
    linear_contradiction: OnceLock<Option<LinearContradiction>>,
    derived: OnceLock<Vec<Clue>>,
    cover: OnceLock<CoverOfVariant>,
    /// The rules for the digit search. The inner `None` means that the clues exceed the capacity of
    /// that search.
    rules: OnceLock<Option<Network>>,
}

impl Translations {
    pub(super) const fn new() -> Self {
        Self {
            linear_contradiction: OnceLock::new(),
            derived: OnceLock::new(),
            cover: OnceLock::new(),
            rules: OnceLock::new(),
        }
    }
}

#[derive(Debug)]
pub(super) struct CoverOfVariant {
    pub(super) problem: Arc<Problem>,
    /// Cell and symbol of each option of a cell. These options come first, and all others belong to
    /// clues.
    pub(super) placements: Vec<(u32, u32)>,
    completion: OnceLock<Completion>,
}

impl CoverOfVariant {
    fn new((problem, placements): (Problem, Vec<(u32, u32)>)) -> Self {
        Self { problem: Arc::new(problem), placements, completion: OnceLock::new() }
    }

    pub(super) fn complete(&self, options: &mut Vec<OptionId>) {
        let completion =
            self.completion.get_or_init(|| Completion::new(&self.problem, self.placements.len()));
        completion.complete(&self.problem, options);
    }
}

impl Variant {
    /// Checks that the exact cover does not have too many options.
    pub(super) fn check_size(&self) -> Result<(), String> {
        let following = derive::sums_max(&self.board, &self.placed);
        if model::most_options(&self.board, self.clues(), following) > model::OPTIONS_MAX {
            let cover = CoverOfVariant::new(self.translate(model::OPTIONS_MAX)?);
            self.translations.cover.set(cover).expect("nobody has asked for it before");
        }
        Ok(())
    }

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

    pub(super) fn rules(&self) -> Option<&Network> {
        let make = || {
            let clues: Vec<&Clue> = self.clues().collect();
            let differences = derive::differences(&self.board, &self.placed);
            network::translate(&self.board, &self.grid, &clues, &[self.derived(), &differences])
        };
        self.translations.rules.get_or_init(make).as_ref()
    }

    pub(super) fn derived(&self) -> &[Clue] {
        self.translations.derived.get_or_init(|| match self.linear_contradiction() {
            Some(_) => vec![linear::impossible()],
            None => derive::sums(&self.board, &self.placed),
        })
    }

    pub(super) fn linear_contradiction(&self) -> Option<&LinearContradiction> {
        let find = || self.find_linear_contradiction();
        self.translations.linear_contradiction.get_or_init(find).as_ref()
    }

    fn clues(&self) -> impl Iterator<Item = &Clue> {
        self.placed.iter().flat_map(|placed| placed.clues.iter())
    }

    /// Returns whether the exact cover was built.
    #[must_use]
    pub fn has_cover(&self) -> bool {
        self.translations.cover.get().is_some()
    }

    /// Returns whether the rules for the digit search were built.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        self.translations.rules.get().is_some()
    }
}

//! The translations of a variant for the engines. Each is built once, on first use.
//!
//! The digit search needs the exact cover only if a caller asks for its options. So a variant is
//! read if the digit search supports it, or if its exact cover has at most [`model::OPTIONS_MAX`]
//! options. A cheap bound ([`most_options`](model::most_options)) usually shows that the cover is
//! small. Otherwise the rules for the digit search are built at once; if that search does not
//! support the clues, the cover is built, and clues that need too many options are refused.
//!
//! An exact cover that turns out to be too large is an error of [`Puzzle::build_problem`], which
//! says that the memory does not suffice.
//!
//! Building can take long: callers with limits build first ([`Puzzle::build_problem`],
//! [`Puzzle::as_digits`]).
//!
//! [`Puzzle::build_problem`]: puzzle::Puzzle::build_problem
//! [`Puzzle::as_digits`]: puzzle::Puzzle::as_digits

use std::sync::{Arc, OnceLock};

use digits::Network;
use dlx::{OptionId, Problem};

use super::clue::Clue;
use super::completion::Completion;
use super::linear::LinearContradiction;
use super::words::RULE_OF_45;
use super::{Variant, budget, derive, linear, model, network};
use puzzle::{ClueNetwork, RuledGrid as _};

#[derive(Debug)]
pub(super) struct Translations {
    linear_contradiction: OnceLock<Option<LinearContradiction>>,
    derived: OnceLock<Vec<Clue>>,
    cover: OnceLock<CoverOfVariant>,
    is_cover_too_large: OnceLock<()>,
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
            is_cover_too_large: OnceLock::new(),
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

/// Reason why a translation without limits succeeds.
pub(super) const UNLIMITED: &str = "there is no limit but that of `check_size`";

/// Returns the value of a cell, and builds it on first use.
fn get_or_build<T>(
    cell: &OnceLock<T>,
    build: impl FnOnce() -> Result<T, String>,
) -> Result<&T, String> {
    if let Some(built) = cell.get() {
        return Ok(built);
    }
    let built = build()?;
    // Another thread may have built the same.
    Ok(cell.get_or_init(|| built))
}

impl Variant {
    /// Checks that the digit search supports the clues, or that the exact cover does not have too
    /// many options.
    ///
    /// # Errors
    /// If neither holds, or a limit is reached; the message names the limit.
    pub(super) fn check_size(&self) -> Result<(), String> {
        let following = derive::sums_max(&self.board, &self.placed);
        let most = model::most_options(&self.board, self.clues(), following)?;
        if most > model::OPTIONS_MAX && self.build_rules()?.is_none() {
            let cover = CoverOfVariant::new(self.translate(model::OPTIONS_MAX)?);
            self.translations.cover.set(cover).expect("nobody has asked for it before");
        }
        Ok(())
    }

    /// Returns the exact cover, and builds it without limits unless [`Self::build_cover`] has.
    pub(super) fn cover(&self) -> &CoverOfVariant {
        self.build_cover().expect(UNLIMITED)
    }

    /// Builds the exact cover on first use.
    ///
    /// # Errors
    /// If a limit of [`budget::within`](puzzle::budget::within) is reached.
    pub(super) fn build_cover(&self) -> Result<&CoverOfVariant, String> {
        get_or_build(&self.translations.cover, || Ok(CoverOfVariant::new(self.translate(usize::MAX)?)))
    }

    /// Builds the exact cover on first use, unless it has more than [`model::OPTIONS_MAX`] options.
    ///
    /// # Errors
    /// If it has, or a limit is reached.
    pub(super) fn build_small_cover(&self) -> Result<&CoverOfVariant, String> {
        let too_large = &self.translations.is_cover_too_large;
        if too_large.get().is_some() {
            return Err("the exact cover is too large".to_owned());
        }
        let build = || {
            let translation = self.translate(model::OPTIONS_MAX);
            if translation.is_err() && budget::spend(1).is_ok() {
                let _ = too_large.set(());
            }
            Ok(CoverOfVariant::new(translation?))
        };
        get_or_build(&self.translations.cover, build)
    }

    fn translate(&self, options_max: usize) -> Result<(Problem, Vec<(u32, u32)>), String> {
        let clues: Vec<&Clue> = self.clues().collect();
        model::translate(&self.board, &self.grid, &clues, self.build_derived()?, options_max)
    }

    /// Returns the rules for the search on digits, and builds them without limits unless
    /// [`Self::build_rules`] has.
    pub(super) fn rules(&self) -> Option<&Network> {
        self.build_rules().expect(UNLIMITED)
    }

    /// Builds the rules for the search on digits on first use.
    ///
    /// # Errors
    /// As [`Self::build_cover`].
    pub(super) fn build_rules(&self) -> Result<Option<&Network>, String> {
        let build = || {
            let clues: Vec<&Clue> = self.clues().collect();
            let differences = derive::differences(&self.board, &self.placed)?;
            network::translate(&self.board, &self.grid, &clues, &[self.build_derived()?, &differences])
        };
        get_or_build(&self.translations.rules, build).map(Option::as_ref)
    }

    /// Builds the rules of each clue and of each derived sum alone.
    ///
    /// # Errors
    /// As [`Self::build_cover`].
    pub(super) fn build_clue_networks(&self) -> Result<Vec<ClueNetwork>, String> {
        let mut built = Vec::new();
        for (number, placed) in self.placed.iter().enumerate() {
            let clues: Vec<&Clue> = placed.clues.iter().collect();
            if let Some(network) = network::translate_alone(&self.board, &self.grid, &clues)? {
                let words = self.rule_words(number);
                let mut cells: Vec<usize> =
                    clues.iter().flat_map(|clue| clue.cells.iter().copied()).collect();
                cells.sort_unstable();
                cells.dedup();
                built.push(ClueNetwork { rule: placed.rule.name, words, cells, network });
            }
        }
        for clue in self.build_derived()? {
            // The sum of a whole row adds nothing to the row.
            if self.group_of(clue).is_some() {
                continue;
            }
            if let Some(network) = network::translate_alone(&self.board, &self.grid, &[clue])? {
                let (rule, cells) = (RULE_OF_45, clue.cells.clone());
                let words = self.sum_words(clue);
                built.push(ClueNetwork { rule, words, cells, network });
            }
        }
        Ok(built)
    }

    pub(super) fn derived(&self) -> &[Clue] {
        self.build_derived().expect(UNLIMITED)
    }

    fn build_derived(&self) -> Result<&[Clue], String> {
        let build = || match self.linear_contradiction() {
            Some(_) => Ok(vec![linear::impossible()]),
            None => derive::sums(&self.board, &self.placed),
        };
        get_or_build(&self.translations.derived, build).map(|clues| &clues[..])
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

//! The clues of a puzzle that `check` tries to omit: given options, and clues of rules.
//!
//! If a puzzle has clues of rules, a subset of its clues defines a new puzzle
//! ([`RuledGrid::with_rules`]). Otherwise a subset of clues is a set of given options of the same
//! problem.

use std::collections::BTreeSet;

use dlx::{Limit, Limits, OptionId, Report};

use farandole::algorithm::{self, Algorithm};
use puzzle::{Puzzle, RuledGrid};

/// Minimum number of nodes charged to the node limit for one subset of clues, because translating
/// the subset into a problem also takes time.
pub(super) const TRANSLATION_NODES: u64 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClueId {
    Given(OptionId),
    Rule(usize),
}

impl ClueId {
    pub(super) fn option(self) -> Option<OptionId> {
        match self {
            Self::Given(option) => Some(option),
            Self::Rule(_) => None,
        }
    }
}

/// Counts the solutions of puzzles with a subset of clues. The digit search is used where possible,
/// since it needs far fewer nodes than a search of the exact cover.
pub(super) struct ClueCounter {
    digits: Box<dyn Algorithm>,
    auto: Box<dyn Algorithm>,
}

impl ClueCounter {
    pub(super) fn new() -> Self {
        let build = |name| algorithm::by_name(name).expect("it is in the table").build();
        Self { digits: build("digits"), auto: build("auto") }
    }

    pub(super) fn count(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> Report {
        let by_digits = self.digits.count(puzzle, limits);
        by_digits.or_else(|_| self.auto.count(puzzle, limits)).expect("`auto` takes every puzzle")
    }
}

pub(super) fn all(puzzle: &dyn Puzzle) -> Vec<ClueId> {
    let given = puzzle.given().iter().map(|&option| ClueId::Given(option));
    let rules = puzzle.as_ruled().map_or(0, RuledGrid::rule_count);
    given.chain((0..rules).map(ClueId::Rule)).collect()
}

pub(super) fn options(clues: &[ClueId]) -> Vec<OptionId> {
    clues.iter().filter_map(|clue| clue.option()).collect()
}

/// Returns a puzzle with clues of rules, with only these clues.
///
/// # Errors
/// The limit that was reached; [`Limit::Memory`] if the puzzle would be too large.
pub(super) fn with(
    puzzle: &dyn Puzzle,
    clues: &[ClueId],
    limits: &Limits,
) -> Result<Box<dyn Puzzle>, Limit> {
    let rule = |clue: &ClueId| match clue {
        ClueId::Given(_) => None,
        ClueId::Rule(rule) => Some(*rule),
    };
    let rules: Vec<usize> = clues.iter().filter_map(rule).collect();
    let ruled = puzzle.as_ruled().ok_or(Limit::Memory)?;
    ruled.with_rules(&options(clues), &rules, limits)?.ok_or(Limit::Memory)
}

/// Returns the name of a clue: the cell and the symbol, or the words of its rule or kind.
pub(super) fn name(puzzle: &dyn Puzzle, clue: ClueId) -> String {
    match clue {
        ClueId::Rule(rule) => puzzle.as_ruled().map_or(String::new(), |ruled| ruled.rule_words(rule)),
        ClueId::Given(option) => {
            match puzzle.as_symbols().and_then(|grid| Some((grid, grid.placed_by(option)?))) {
                Some((grid, (cell, symbol))) => {
                    format!("{}={}", grid.cell_name(cell), grid.symbol_name(symbol))
                }
                None => puzzle.terms().option_words(option),
            }
        }
    }
}

pub(super) fn cells<'c>(
    puzzle: &dyn Puzzle,
    clues: impl IntoIterator<Item = &'c ClueId>,
) -> BTreeSet<usize> {
    let of = |clue: &ClueId| match *clue {
        ClueId::Rule(rule) => puzzle.as_ruled().map_or(Vec::new(), |ruled| ruled.rule_cells(rule)),
        ClueId::Given(option) => {
            let placed = puzzle.as_symbols().and_then(|grid| grid.placed_by(option));
            placed.map(|(cell, _)| cell).into_iter().collect()
        }
    };
    clues.into_iter().flat_map(of).collect()
}

//! The clues of a puzzle, each of which can be left out: what is given, and the clues of rules.
//!
//! Where a puzzle has clues of rules, a set of its clues is a puzzle of its own ([`RuledGrid::with_rules`]); else it is a set of options
//! that are given.

use std::collections::BTreeSet;

use dlx::{Limits, OptionId, Report};

use farandole::algorithm::{self, Algorithm};
use puzzle::{Puzzle, RuledGrid};

/// What a puzzle made of some clues counts at least, in nodes: it has to be translated before it is searched.
pub(super) const TRANSLATION_NODES: u64 = 1000;

/// A clue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClueId {
    /// An option that is given.
    Given(OptionId),
    /// A clue of a rule, by number.
    Rule(usize),
}

impl ClueId {
    /// Returns the option that is given.
    pub(super) fn option(self) -> Option<OptionId> {
        match self {
            Self::Given(option) => Some(option),
            Self::Rule(_) => None,
        }
    }
}

/// Counts the solutions of puzzles made of some clues: by the search on digits where it takes them, since that needs a thousand times fewer
/// nodes than a search of their exact cover.
pub(super) struct ClueCounter {
    digits: Box<dyn Algorithm>,
    auto: Box<dyn Algorithm>,
}

impl ClueCounter {
    pub(super) fn new() -> Self {
        let build = |name| algorithm::by_name(name).expect("it is in the table").build();
        Self { digits: build("digits"), auto: build("auto") }
    }

    /// Counts the solutions within the limits.
    pub(super) fn count(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> Report {
        match puzzle.as_digits() {
            Some(_) => self.digits.count(puzzle, limits).expect("it takes grids of digits"),
            None => self.auto.count(puzzle, limits).expect("it takes every puzzle"),
        }
    }
}

/// Returns all clues of a puzzle.
pub(super) fn all(puzzle: &dyn Puzzle) -> Vec<ClueId> {
    let given = puzzle.given().iter().map(|&option| ClueId::Given(option));
    let rules = puzzle.as_ruled().map_or(0, RuledGrid::rule_count);
    given.chain((0..rules).map(ClueId::Rule)).collect()
}

/// Returns the options among clues.
pub(super) fn options(clues: &[ClueId]) -> Vec<OptionId> {
    clues.iter().filter_map(|clue| clue.option()).collect()
}

/// Returns the puzzle with these of its clues alone; `None` if it has no clues of rules, or that is too large.
pub(super) fn with(puzzle: &dyn Puzzle, clues: &[ClueId]) -> Option<Box<dyn Puzzle>> {
    let rule = |clue: &ClueId| match clue {
        ClueId::Given(_) => None,
        ClueId::Rule(rule) => Some(*rule),
    };
    let rules: Vec<usize> = clues.iter().filter_map(rule).collect();
    puzzle.as_ruled()?.with_rules(&options(clues), &rules)
}

/// Names a clue: what stands where, or as its line or its kind says it.
pub(super) fn name(puzzle: &dyn Puzzle, clue: ClueId) -> String {
    match clue {
        ClueId::Rule(rule) => puzzle.as_ruled().map_or(String::new(), |ruled| ruled.rule_words(rule)),
        ClueId::Given(option) => {
            match puzzle.as_symbols().and_then(|grid| Some((grid, grid.placed_by(option)?))) {
                Some((grid, (cell, symbol))) => {
                    format!("{}={}", grid.cell_name(cell), grid.symbol_name(symbol))
                }
                None => puzzle.option_words(option),
            }
        }
    }
}

/// Returns the cells of clues in a grid of symbols.
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

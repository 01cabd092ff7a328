//! True candidates of puzzles of every kind: the symbols of each cell, or the options, that occur
//! in some solution, and in how many.
//!
//! No solutions are listed: one solution shows many candidates at once, and only candidates that no
//! solution has shown yet are searched for. The search depends on the puzzle:
//! - 9x9 Sudoku: the lanes of [`sudoku9`] count the solutions of each candidate, all candidates in
//!   one batch;
//! - other grids: [`digits::TrueCandidates`], on the rules of the grid;
//! - all other puzzles, and grids too large for `digits`: exact covers (module `cover`).
//!
//! ```
//! use dlx::{End, Limits};
//! use farandole::candidates::{Candidate, TrueCandidates};
//! use farandole::stream::{Stream, StreamHints};
//!
//! let text = "# thermo: r1c1 r1c2 r1c3\n....\n....\n....\n....\n";
//! let puzzle = Stream::open(text.as_bytes(), &StreamHints::default())?.next().expect("one puzzle")?;
//! let mut candidates = TrueCandidates::new(1);
//! assert_eq!(candidates.search(puzzle.as_ref(), &Limits::new()), End::Exhausted);
//! let is_in_first_cell = |candidate| matches!(candidate, Candidate::Symbol { cell: 0, .. });
//! let first = candidates.facts().iter().filter(|fact| is_in_first_cell(fact.candidate));
//! assert_eq!(first.map(|fact| fact.is_true()).collect::<Vec<_>>(), [Some(true), Some(true), Some(false), Some(false)]);
//! # Ok::<(), text::InputError>(())
//! ```

mod cover;
mod grid;

use dlx::{End, Limit, Limits, OptionId};

use self::cover::CoverCandidates;
use crate::algorithm::nine::as_sudoku;
use puzzle::Puzzle;

/// Largest limit of a count. All solutions of a candidate are kept until it is reached, so it
/// bounds their number.
pub const LIMIT_MAX: u32 = 1000;

/// What a solution may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Candidate {
    /// A symbol (from 0) in a cell (from 0) of a grid.
    Symbol {
        /// The cell.
        cell: usize,
        /// The symbol.
        symbol: usize,
    },
    /// An option of the puzzle's problem.
    Option(OptionId),
}

/// A candidate, and what is known about its solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateFact {
    /// The candidate.
    pub candidate: Candidate,
    /// Number of known solutions with the candidate, at most the limit of the search.
    pub count: u64,
    /// Whether there are no other solutions with the candidate.
    pub is_exact: bool,
}

impl CandidateFact {
    /// Returns whether some solution has the candidate, or `None` if that is not known.
    #[must_use]
    pub fn is_true(&self) -> Option<bool> {
        match (self.count, self.is_exact) {
            (0, false) => None,
            (count, _) => Some(count > 0),
        }
    }
}

/// The true candidates of a puzzle.
#[derive(Clone, Debug)]
pub struct TrueCandidates {
    limit: u32,
    facts: Vec<CandidateFact>,
    known: EarlierSearch,
    nodes: u64,
}

/// What a further search of the puzzle can use.
#[derive(Clone, Debug)]
enum EarlierSearch {
    Nothing,
    Digits(Box<digits::TrueCandidates>),
    Cover(Box<CoverCandidates>),
}

impl TrueCandidates {
    /// Prepares a search that counts the solutions of each candidate up to `limit`, which is 1 to
    /// [`LIMIT_MAX`]. A limit of 1 asks only whether there is a solution.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        let limit = limit.clamp(1, LIMIT_MAX);
        Self { limit, facts: Vec::new(), known: EarlierSearch::Nothing, nodes: 0 }
    }

    /// Searches until all candidates are decided, or a limit is reached.
    ///
    /// A later call continues the search. Its puzzle is the same, possibly with more clues; then
    /// false candidates stay false, and known solutions with the new clues are used again. The
    /// limit on nodes applies to each call; a limit on solutions is ignored.
    pub fn search(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> End {
        match self.try_search(puzzle, limits) {
            Ok(end) => end,
            Err(limit) => End::Limit(limit),
        }
    }

    fn try_search(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<End, Limit> {
        // A limit may end the search before it begins.
        self.facts = grid::unknown(puzzle);
        if let Some(fill) = as_sudoku(puzzle) {
            let (end, nodes) = grid::search_in_lanes(fill, self.limit, limits, &mut self.facts);
            self.nodes += nodes;
            return Ok(end);
        }
        if let Some(network) = grid::network(puzzle, limits)? {
            let network = network.as_ref();
            let mut digits = match std::mem::replace(&mut self.known, EarlierSearch::Nothing) {
                EarlierSearch::Digits(digits) if digits.fits(network) => digits,
                _ => Box::new(digits::TrueCandidates::new(network).up_to(self.limit)),
            };
            let end = digits.search(network, limits);
            grid::record(&digits, &mut self.facts);
            self.nodes = digits.nodes();
            self.known = EarlierSearch::Digits(digits);
            return Ok(end);
        }
        puzzle.build_problem(limits)?;
        let mut cover = match std::mem::replace(&mut self.known, EarlierSearch::Nothing) {
            EarlierSearch::Cover(cover) if cover.is_of(puzzle) => cover,
            _ => Box::new(CoverCandidates::new(puzzle, self.limit)),
        };
        let end = cover.search(puzzle, limits);
        self.facts = cover.facts(puzzle);
        self.nodes = cover.nodes();
        self.known = EarlierSearch::Cover(cover);
        Ok(end)
    }

    /// Returns the candidates of the last search. A grid has one for each cell and symbol, cell by
    /// cell; another puzzle has one for each option that a search may choose, in ascending order.
    #[must_use]
    pub fn facts(&self) -> &[CandidateFact] {
        &self.facts
    }

    /// Returns the limit of all counts.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Returns the number of nodes of all searches so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests;

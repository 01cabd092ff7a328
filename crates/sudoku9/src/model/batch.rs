//! Batches of puzzles to search, and the results of searches.

use std::ops::ControlFlow;

use limits::End;

use super::board::Board;

/// A source of puzzles to search, which also receives the answers.
///
/// Puzzles are numbered from 0 in the order of [`Batch::next`]. Answers come in any order.
pub trait Batch {
    /// Writes the next puzzle to `board`; returns `false` if there is no further one.
    fn next(&mut self, board: &mut Board) -> bool;

    /// Returns whether the solutions themselves are wanted, instead of only their number.
    fn wants_solutions(&self) -> bool {
        true
    }

    /// Returns the maximum number of nodes of each puzzle. A puzzle that needs more is abandoned,
    /// so that it does not delay the others. A puzzle may exceed the limit by one node per lane.
    fn nodes_max(&self) -> u64 {
        u64::MAX
    }

    /// Receives a solution of a puzzle. Returning `ControlFlow::Break` ends the whole run.
    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        let _ = (puzzle, board);
        ControlFlow::Continue(())
    }

    /// Receives the result of a finished puzzle.
    fn done(&mut self, puzzle: usize, tally: Tally) {
        let _ = (puzzle, tally);
    }
}

/// The result of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Number of solutions found.
    pub solutions: u64,
    /// Number of nodes entered: 1 for the puzzle, and 2 more for each guess whose branches are both
    /// searched.
    pub nodes: u64,
    /// How the search of the puzzle ended.
    pub end: End,
}

/// The work of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// How the run ended.
    pub end: End,
    /// Number of nodes entered for all puzzles together.
    pub nodes: u64,
    /// Number of propagation steps, counted for each busy lane; in plain Rust, the number of pairs
    /// of digits processed.
    pub steps: u64,
    /// Maximum number of branches that waited at the same time: at most 81 for each lane, for any
    /// puzzles.
    pub waiting_max: usize,
}

impl Effort {
    pub(crate) const NONE: Self = Self { end: End::Exhausted, nodes: 0, steps: 0, waiting_max: 0 };
}

/// The result of a count of all solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// How the count ended.
    pub end: End,
    /// Number of solutions; a lower bound unless the count ended with [`End::Exhausted`].
    pub solutions: u128,
    /// Number of nodes that the lanes entered; 0 if the bands counted.
    pub nodes: u64,
    /// Number of steps of the lanes; 0 if the bands counted.
    pub steps: u64,
    /// The method that finished the count.
    pub method: Method,
}

/// A counting method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The lanes, which enumerate all solutions.
    Lanes,
    /// The bands, which count without enumerating solutions.
    Bands,
}

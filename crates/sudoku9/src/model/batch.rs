//! Batches of puzzles to search, and their results.

use std::ops::ControlFlow;

use super::board::Board;
use super::limits::End;

/// Puzzles to search, and the handling of their answers.
///
/// Puzzles are numbered from 0 in the order of [`Batch::next`]; their answers come in any order.
pub trait Batch {
    /// Writes the next puzzle to `board`; returns `false` if there is no further one.
    fn next(&mut self, board: &mut Board) -> bool;

    /// Returns whether the solutions themselves are wanted, and not only their number.
    fn wants_solutions(&self) -> bool {
        true
    }

    /// Returns the node limit of each puzzle; a puzzle that needs more is abandoned, so that it
    /// does not delay the others. The limit may be exceeded by one node per lane.
    fn nodes_max(&self) -> u64 {
        u64::MAX
    }

    /// Receives a solution of a puzzle. `ControlFlow::Break` ends the whole run.
    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        let _ = (puzzle, board);
        ControlFlow::Continue(())
    }

    /// Receives the result of a finished puzzle.
    fn done(&mut self, puzzle: usize, tally: Tally) {
        let _ = (puzzle, tally);
    }
}

/// Result of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Solutions found.
    pub solutions: u64,
    /// Nodes entered: 1 without a guess, two more for each guess with both branches searched.
    pub nodes: u64,
    /// How its search ended.
    pub end: End,
}

/// Work of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// How it ended.
    pub end: End,
    /// Nodes entered, for all puzzles together.
    pub nodes: u64,
    /// Steps of propagation, counted once for each busy lane; in plain Rust, pairs of digits
    /// processed.
    pub steps: u64,
    /// Maximum number of waiting branches: at most 81 for each lane, for any puzzles.
    pub waiting_max: usize,
}

impl Effort {
    pub(crate) const NONE: Self = Self { end: End::Exhausted, nodes: 0, steps: 0, waiting_max: 0 };
}

/// Result of a count of all solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// How it ended.
    pub end: End,
    /// The solutions; a lower bound unless the count ended with [`End::Exhausted`].
    pub solutions: u128,
    /// Nodes entered by the lanes; 0 if the bands counted.
    pub nodes: u64,
    /// Steps of the lanes; 0 if the bands counted.
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
    /// The bands, which do not enumerate them.
    Bands,
}

//! What is searched together, and what is known of it afterwards.

use std::ops::ControlFlow;

use super::board::Board;
use super::limits::End;

/// Puzzles to be searched, and what is done with the answers.
///
/// Puzzles are numbered from 0 in the order in which they are taken; their answers come in any order.
pub trait Batch {
    /// Puts the next puzzle on `board`; `false` if there is none.
    fn next(&mut self, board: &mut Board) -> bool;

    /// Tells whether the solutions themselves are wanted, not only their number.
    fn wants_solutions(&self) -> bool {
        true
    }

    /// Returns how many nodes a puzzle may take; one that would take more is given up, so that no other
    /// waits for it. Some more may be entered before that is seen, one a lane.
    fn nodes_max(&self) -> u64 {
        u64::MAX
    }

    /// Receives a solution of a puzzle. `ControlFlow::Break` ends the whole run.
    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        let _ = (puzzle, board);
        ControlFlow::Continue(())
    }

    /// Learns that a puzzle is done with.
    fn done(&mut self, puzzle: usize, tally: Tally) {
        let _ = (puzzle, tally);
    }
}

/// What was found of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Solutions found.
    pub solutions: u64,
    /// Nodes entered: 1 without a guess, two more for each guess of which both branches were searched.
    pub nodes: u64,
    /// How its search ended.
    pub end: End,
}

/// What a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// How it ended.
    pub end: End,
    /// Nodes entered, of all puzzles.
    pub nodes: u64,
    /// Steps of propagation, each counted for every lane that was busy; in plain Rust, pairs of digits that were looked at.
    pub steps: u64,
    /// The most branches that waited at a time: at most 81 for each lane, whatever the puzzles.
    pub waiting_max: usize,
}

impl Effort {
    /// Nothing yet.
    pub(crate) const NONE: Self = Self { end: End::Exhausted, nodes: 0, steps: 0, waiting_max: 0 };
}

/// What a count over all solutions found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// How it ended.
    pub end: End,
    /// The solutions; if the count did not end with [`End::Exhausted`] there are at least so many.
    pub solutions: u128,
    /// Nodes that the lanes entered; 0 if the bands counted.
    pub nodes: u64,
    /// Steps of the lanes; 0 if the bands counted.
    pub steps: u64,
    /// Which method the count ended with.
    pub method: Method,
}

/// A method that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The lanes, which go through all solutions.
    Lanes,
    /// The bands, which do not.
    Bands,
}

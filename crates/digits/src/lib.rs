//! A search on the candidates of each cell, for grids with clues of many rules.
//!
//! ```
//! use digits::NetworkBuilder;
//!
//! // Three different cells with digits from 1 to 4 and sum 8; the first is greater than the second.
//! let mut builder = NetworkBuilder::new(3, 4).expect("it is small");
//! builder.cage(&[0, 1, 2], 8);
//! builder.thermometer(&[1, 0]);
//! let network = builder.build();
//! let mut solutions: Vec<Vec<u8>> = network.solutions().collect();
//! solutions.sort();
//! assert_eq!(solutions, [[3, 1, 4], [4, 1, 3], [4, 3, 1]]);
//! ```
//!
//! A [`Network`] has cells, each with a set of digits as bits, and rules that remove impossible
//! digits. [`Network::solutions`] finds the solutions with a [`Search`], which can also be run node
//! by node, or within [`Limits`]. It runs all rules until no digit changes, then branches: it tries
//! a digit in a cell, and later the cell without this digit.
//!
//! This is not an exact-cover search: one rule handles a whole clue, where an exact cover needs an
//! option for each way to satisfy it. No large tables are needed, and running a rule takes some
//! dozen nanoseconds. But rules interact only through the candidates of cells.
//!
//! Invariant: no rule removes a digit that occurs in some solution, and each rule decides whether
//! filled cells satisfy it. So the solutions are exactly the filled grids that all rules accept,
//! and the search finds each once.
//!
//! Source: the weights are from F. Boussemart et al., Boosting systematic search by weighting
//! constraints (ECAI 2004). Sets of digits and bounds of sums over distinct digits are folklore of
//! killer Sudoku; Interactive Sudoku Solver (2026) showed their value in a program.
//!
//! # Tried and dropped
//! Each of these was slower or took more nodes on published variants:
//! - Order of rules: rules in turn instead of the cheapest first; houses before sums.
//! - Weights: more weight for the cells of the last one or two decisions before each dead end, or
//!   for the cell of the last decision alone; all weights zero at the start; faster decay; four
//!   times the weight for the cell without a candidate; more weight for the open cells of a failed
//!   sum.
//! - Decisions: the digit with the most dead ends first; a digit with two cells in a house even if
//!   a cell with two digits exists; all digits of a cell one after the other.
//! - Rules: the difference of two sums, if it has at most five cells; houses as sets; crossing
//!   rules only for filled cells; no second run of sums and sets after their own changes.
//!
//! # Bounds
//! At most [`ORDER_MAX`] digits and [`CELLS_MAX`] cells. Each open decision stores a copy of the
//! candidates, two bytes per cell.

mod board;
mod candidates;
mod clues;
mod combine;
mod network;
mod peers;
mod rules;
mod search;

pub use candidates::TrueCandidates;
pub use clues::NetworkSolutions;
pub use limits::{End, Limit, Limits};
pub use network::{Network, NetworkBuilder};
pub use rules::WalkStep;
pub use search::{Search, StepResult};

/// Maximum number of digits.
pub const ORDER_MAX: usize = 16;
/// Maximum number of cells.
pub const CELLS_MAX: usize = 1024;

/// A set of digits as bits; the lowest bit is the first digit.
pub type DigitSet = u16;

fn all_digits(order: usize) -> DigitSet {
    ((1_u32 << order) - 1) as DigitSet
}

/// A contradiction: a cell has no candidate, or a rule cannot be satisfied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contradiction;

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

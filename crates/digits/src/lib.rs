//! A search on the candidates of each cell, for grids with clues of many rules.
//!
//! ```
//! use digits::{StepResult, NetworkBuilder, Search};
//!
//! // Three different cells with values 1 to 4 (here 0 to 3) and sum 8; the first is greater than the second.
//! let mut builder = NetworkBuilder::new(3, 4).expect("it is small");
//! builder.differ(&[0, 1, 2]);
//! builder.sum([(0, 1), (1, 1), (2, 1)], 8 - 3);
//! builder.pair(0, 1, |one, other| one > other);
//! let network = builder.build();
//! let mut search = Search::new(&network);
//! let mut solutions = 0;
//! loop {
//!     match search.step() {
//!         StepResult::Solution => solutions += 1,
//!         StepResult::Nothing => {}
//!         StepResult::End => break,
//!     }
//! }
//! assert_eq!(solutions, 3);
//! ```
//!
//! A [`Network`] has cells, each with a set of digits as bits, and rules that remove impossible
//! digits. A [`Search`] runs all rules until no digit changes, then tries a digit in a cell, and
//! afterwards the cell without it.
//!
//! This is not an exact cover: one rule looks at a whole clue, where an exact cover needs an option
//! for each way to satisfy it. No tables are needed, and running a rule takes some dozen
//! nanoseconds; but rules interact only through the candidates.
//!
//! Invariant: no rule removes a digit that occurs in some solution, and each rule decides whether
//! filled cells satisfy it. So the solutions are exactly the filled grids accepted by all rules,
//! and each is found once.
//!
//! Source: the weights are from F. Boussemart et al., Boosting systematic search by weighting
//! constraints (ECAI 2004). Sets of digits and bounds of sums over distinct digits are folklore of
//! killer Sudoku; Interactive Sudoku Solver (2026) showed their value in a program.
//!
//! # Tried and dropped
//! Each was slower or took more nodes on published variants:
//! - Order of rules: in turn instead of cheapest first; houses before sums.
//! - Weights: for the last one or two decisions before each dead end; zero at the start; faster
//!   decay; four times as much for the emptied cell; for the open cells of a failed sum.
//! - Decisions: the digit with the most dead ends first; a digit with two cells in a house even if
//!   a cell with two digits exists; all digits of a cell in succession.
//! - Rules: differences of sums with at most five cells; houses as sets; crossing rules only for
//!   filled cells; no second run of sums and sets after their own changes.
//!
//! # Bounds
//! Up to [`ORDER_MAX`] digits and [`CELLS_MAX`] cells; each open decision stores a grid of two
//! bytes per cell.

mod board;
mod combine;
mod network;
mod peers;
mod rules;
mod search;

pub use network::{Network, NetworkBuilder};
pub use rules::WalkStep;
pub use search::{Search, StepResult};

/// Maximum number of digits.
pub const ORDER_MAX: usize = 16;
/// Maximum number of cells.
pub const CELLS_MAX: usize = 1024;

/// A set of digits as bits, the first digit lowest.
pub type DigitSet = u16;

fn all_digits(order: usize) -> DigitSet {
    ((1_u32 << order) - 1) as DigitSet
}

/// A contradiction: a cell has no candidate, or a rule cannot be satisfied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dead;

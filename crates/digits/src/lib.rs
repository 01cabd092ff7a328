//! A search on the digits that each cell of a grid may still have, for grids with clues of many rules.
//!
//! ```
//! use digits::{Found, NetworkBuilder, Search};
//!
//! // Three cells that differ, of 1 to 4 (here 0 to 3), with a sum of 8, and the first is more than the second.
//! let mut builder = NetworkBuilder::new(3, 4).expect("it is small");
//! builder.differ(&[0, 1, 2]);
//! builder.sum([(0, 1), (1, 1), (2, 1)], 8 - 3);
//! builder.pair(0, 1, |one, other| one > other);
//! let network = builder.build();
//! let mut search = Search::new(&network);
//! let mut solutions = 0;
//! loop {
//!     match search.step() {
//!         Found::Solution => solutions += 1,
//!         Found::Nothing => {}
//!         Found::End => break,
//!     }
//! }
//! assert_eq!(solutions, 3);
//! ```
//!
//! A [`Network`] has cells, each with a set of digits as bits, and rules that take digits away which cannot be:
//! cells that differ, pairs, sets, sums, what lies between two cells or behind the first,
//! how often digits come, a digit of each kind, runs with one sum, walks. A [`Search`] lets all rules have their say until nothing changes, then tries
//! a digit in a cell, and after that without it.
//!
//! It is no exact cover: a rule here is a piece of code that sees a whole clue at once, where an exact cover has an
//! option for each way to meet it. So there are no tables to be made, and a look at a rule takes some dozen nanoseconds;
//! but rules know of each other only by the digits that they leave.
//!
//! Invariant: no rule takes away a digit that is in some solution, and each rule tells whether cells that are all filled
//! meet it. So the solutions are just the filled grids that no rule objects to, each found once, since the two parts of a
//! decision share none.
//!
//! Weights are those of F. Boussemart et al., Boosting systematic search by weighting constraints (ECAI 2004). That cells which
//! differ have one of few sets of digits, and that sums are bounded by what they can have with different digits, is known to
//! all who solve killers; Interactive Sudoku Solver (its public source, 2026) showed what it is worth in a program.
//!
//! # Tried and dropped
//! On 198 variants of setters, in geometric means of time: rules in turn instead of the cheapest first 1.15; houses before sums
//! 1.1; weights for the last decision instead of the cells of the rule that failed up to a hundred times the nodes; weights that begin
//! at nothing 1.2; decisions on a digit with two cells in a house also where the best cell has two digits 1.15. On 18 hard ones of these, most
//! stopped after 1.5 s: the other digits of a cell right after the first 1.12; four times the weight for the cell that had no digit left 1.14; weights
//! halved sixteen times as often 1.05. On killers of five cells a cage, in nodes: blame for the last two decisions instead of one 1.3; for
//! the open cells of a sum that failed and not for the filled ones 2.3; cells that have the digit of most dead ends first 1.2; differences of sums
//! with at most five cells instead of six 1.3, with four 2.0. Houses as sets beside their own rule: a third more time for a node, and
//! nodes as without since two houses that cross are looked at whenever a cell of theirs changes. Blame for the last decision in every
//! dead end, not only in sums: two to three times the time on classics. Looks at houses that cross only where a cell has its last digit: 6 % more
//! nodes, and 23 times the time on a Windoku of order 16. No second look of sums and sets at what they did themselves: 1.02 of the
//! nodes, and killers without cages took up to 1.9 times as long.
//!
//! # Bounds
//! Up to [`ORDER_MAX`] digits and [`CELLS_MAX`] cells; a grid of two bytes a cell for each decision at work.

mod board;
mod combine;
mod network;
mod peers;
mod rules;
mod search;

pub use network::{Network, NetworkBuilder};
pub use rules::WalkStep;
pub use search::{Found, Search};

/// The most digits.
pub const ORDER_MAX: usize = 16;
/// The most cells.
pub const CELLS_MAX: usize = 1024;

/// A set of digits as bits, the first digit lowest.
pub type DigitSet = u16;

/// Returns the set of all digits.
fn all_digits(order: usize) -> DigitSet {
    ((1_u32 << order) - 1) as DigitSet
}

/// No digit is left for a cell, or a rule cannot be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dead;

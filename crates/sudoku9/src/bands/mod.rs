//! Counts the solutions of 9x9 Sudoku with few clues without enumerating them. For the empty grid
//! it counts all 6,670,903,752,021,072,936,960 solutions in about a second.
//!
//! Two bands share only columns. Once a band is filled, the other two depend only on its set of
//! three digits in each column. A box has 1680 possible *splits* of the digits into its columns,
//! and three splits form the *state* of a band. Let N1, N2 and N3 be the filling counts of each
//! band for a given state. Then the number of solutions is
//!
//! ```text
//! sum of N1(a) N2(b) N3(c) over all states a, b, c that put every digit in three columns of each stack
//! ```
//!
//! - `first` enumerates the states of one band and merges equivalent states (`alike`). The empty
//!   grid has 44 classes of states.
//! - `join` adds up N2 N3 for each class, over at most 56^3 compatible combinations of splits
//!   (`stack`).
//! - `band` stores the filling counts in tables of at most some 3 million entries.
//! - `plan` chooses the first band, and whether to transpose the grid.
//!
//! Source: B. Felgenhauer and F. Jarvis (Enumerating possible Sudoku grids, 2005) and K. F.
//! Pettersen, extended to clues and pencil marks. The count is exact: tables are indexed instead of
//! hashed, and the sums cannot overflow (see `join`).
//!
//! Tried and dropped: computing single table entries on demand (much slower than whole rows).

mod alike;
mod band;
mod box3;
mod first;
mod join;
mod layout;
mod plan;
mod split;
mod stack;

pub use plan::Plan;

use std::sync::Arc;

use limits::{Cores, Limit, Limits};

use crate::model::board::Board;

/// Counts all solutions of a board without enumerating them, on the caller's core and the idle
/// cores of `cores`.
///
/// Of `limits`, only the deadline and the cancel flags apply.
///
/// ```
/// use sudoku9::{Board, Cores, Limits, bands};
///
/// // The first row is 123 456 789, the rest is empty.
/// let board = Board::from_candidates(|cell| if cell < 9 { 1 << cell } else { 0x1ff });
/// assert_eq!(bands::count(&board, &Limits::new(), &Cores::new(0)), Ok(18_383_222_420_692_992));
/// ```
///
/// # Errors
/// The limit that ended the count.
pub fn count(board: &Board, limits: &Limits, cores: &Arc<Cores>) -> Result<u128, Limit> {
    Plan::new(board).count(limits, cores)
}

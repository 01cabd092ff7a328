//! Counts the solutions of 9x9 Sudoku with few clues, without listing them: all
//! 6,670,903,752,021,072,936,960 of the empty grid in about a second.
//!
//! Bands meet in columns only. Once a band is full, all that the others must know is which three digits
//! each column has: for each box a *split* of the digits, one of 1680, three of them the band's
//! *state*. So with N1, N2, N3 for the ways to fill each band, given its state, the count is
//!
//! ```text
//! sum of N1(a) N2(b) N3(c) over all states a, b, c that put every digit in three columns of each stack
//! ```
//!
//! - `first` walks over the states of one band and gathers those that are alike for the other two
//!   (`alike`): digits without clues there may be renamed, columns and stacks without clues exchanged.
//!   The empty grid has 44 such classes.
//! - `join` adds up N2 N3 for each class. A split of the first band has 56 pairs of splits beside it
//!   (`stack`), about half as many for each clue; so a class takes up to 56^3 products, of some
//!   nanosecond each.
//! - `band` has the ways in tables: no more than some 3 million numbers, since digits without clues in
//!   the band can be renamed there as well.
//! - `plan` chooses which band comes first, and whether columns and rows change places.
//!
//! The decomposition is that of B. Felgenhauer and F. Jarvis (Enumerating possible Sudoku grids, 2005,
//! 44 classes) and of K. F. Pettersen (the digits of columns and the factor 56), here with clues and
//! pencil marks. All is exact: tables are indexed, not hashed, and the sums cannot overflow (see
//! `join`).
//!
//! Tried and dropped: single entries of the tables, searched when first asked for, with a cache by the
//! columns of the digits (4 to 50 times slower than whole rows, which share the work on the first two
//! boxes).

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

use crate::model::board::Board;
use crate::model::cores::Cores;
use crate::model::limits::{Limit, Limits};

/// Counts all solutions of a board, without going through them, on the caller's core and those of `cores` that are
/// idle.
///
/// Of the limits only the deadline and the flags are heeded.
///
/// ```
/// use sudoku9::{Board, Limits, bands};
///
/// // 123 | 456 | 789 in the first row, the rest empty.
/// let board = Board::from_candidates(|cell| if cell < 9 { 1 << cell } else { 0x1ff });
/// assert_eq!(bands::count(&board, &Limits::new(), &()), Ok(18_383_222_420_692_992));
/// ```
///
/// # Errors
/// The limit that ended the count.
pub fn count(board: &Board, limits: &Limits, cores: &dyn Cores) -> Result<u128, Limit> {
    Plan::new(board).count(limits, cores)
}

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

mod algorithm;
mod alike;
mod band;
mod box3;
mod first;
mod join;
mod layout;
mod plan;
mod split;
mod stack;
mod team;

use std::sync::Arc;

use dlx::parallel::Cores;
use dlx::{End, Limit, Limits, Report};
use num_bigint::BigUint;

pub(super) use algorithm::{ByBands, SPEC};
pub use plan::Plan;

use crate::puzzle::Fill;

/// Counts the solutions of the grid with these candidates: 81 cells row by row, bit 0 for digit 1 up to
/// bit 8 for digit 9. Takes the caller's core and those of `cores` that are idle.
///
/// Of the limits only the deadline and the flag are heeded.
///
/// ```
/// use dlx::Limits;
/// use dlx::parallel::Cores;
/// use farandole::algorithm::bands;
///
/// // 123 | 456 | 789 in the first row, the rest empty.
/// let candidates = std::array::from_fn(|cell| if cell < 9 { 1 << cell } else { 0x1ff });
/// let count = bands::count(&candidates, &Limits::default(), &Cores::new(0));
/// assert_eq!(count, Ok(18_383_222_420_692_992));
/// ```
///
/// # Errors
/// The limit that ended the count.
pub fn count(candidates: &[u16; 81], limits: &Limits, cores: &Arc<Cores>) -> Result<u128, Limit> {
    Plan::new(candidates).count(limits, cores)
}

/// Returns the candidates of all cells.
pub(super) fn candidates(fill: &Fill) -> [u16; 81] {
    std::array::from_fn(|cell| fill.grid().candidates(cell) as u16)
}

/// Counts a plain 9x9 Sudoku again, by the second best of the plans.
///
/// # Panics
/// If the number is not `expected`: then the program has a fault.
pub(super) fn check(fill: &Fill, expected: &BigUint, limits: &Limits, cores: &Arc<Cores>) {
    let mut plans = Plan::all(&candidates(fill));
    plans.sort_by_key(Plan::steps);
    if let Some(Ok(count)) = plans.get(1).map(|plan| plan.count(limits, cores)) {
        assert_eq!(BigUint::from(count), *expected, "two ways to count agree");
    }
}

/// Makes the report of a count.
pub(super) fn report(count: Result<u128, Limit>) -> Report {
    match count {
        Ok(count) => Report::counted(End::Exhausted, count.into()),
        Err(limit) => Report::empty(End::Limit(limit)),
    }
}

//! Cells that have each digit so often as is allowed.
//!
//! A digit comes at least as often as filled cells have it, and at most as often as cells may have it. Of the numbers that are
//! allowed between these, those go which the numbers of other digits cannot complete to the number of cells. A digit that comes as often
//! as filled cells have it comes in no other cell; one that comes as often as cells may have it comes in all of them.

use super::super::board::Board;
use super::super::{Dead, DigitSet, ORDER_MAX};

/// Cells that have each digit so often as is allowed.
#[derive(Debug)]
pub(crate) struct Often {
    cells: Box<[u16]>,
    /// For each digit the numbers of cells that may have it, a bit each.
    counts: Box<[u128]>,
}

impl Often {
    pub(crate) fn new(cells: Vec<u16>, counts: Vec<u128>) -> Self {
        Self { cells: cells.into(), counts: counts.into() }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut Board<'_>) -> Result<(), Dead> {
        let (mut filled, mut possible) = ([0_u32; ORDER_MAX], [0_u32; ORDER_MAX]);
        for &cell in &self.cells {
            let mut digits = board.digits(cell);
            if digits.is_power_of_two() {
                filled[digits.trailing_zeros() as usize] += 1;
            }
            while digits != 0 {
                possible[digits.trailing_zeros() as usize] += 1;
                digits &= digits - 1;
            }
        }
        // The numbers of cells that the digits so far can have.
        let mut before = [0_u128; ORDER_MAX + 1];
        let mut allowed = [0_u128; ORDER_MAX];
        before[0] = 1;
        for (digit, &counts) in self.counts.iter().enumerate() {
            let range = (u128::MAX >> (127 - possible[digit])) & (u128::MAX << filled[digit]);
            allowed[digit] = counts & range;
            before[digit + 1] =
                each_bit(allowed[digit]).fold(0, |sums, count| sums | before[digit] << count);
        }
        let mut wanted = 1_u128 << self.cells.len();
        let (mut gone, mut sure): (DigitSet, DigitSet) = (0, 0);
        for digit in (0..self.counts.len()).rev() {
            let (mut kept, mut next) = (0_u128, 0);
            for count in each_bit(allowed[digit]) {
                if (before[digit] << count) & wanted != 0 {
                    kept |= 1 << count;
                    next |= wanted >> count;
                }
            }
            if kept == 0 {
                return Err(Dead);
            }
            wanted = next & before[digit];
            if filled[digit] < possible[digit] {
                gone |= DigitSet::from(kept == 1 << filled[digit]) << digit;
                sure |= DigitSet::from(kept == 1 << possible[digit]) << digit;
            }
        }
        if gone | sure == 0 {
            return Ok(());
        }
        for &cell in &self.cells {
            let digits = board.digits(cell);
            if !digits.is_power_of_two() {
                let own = digits & sure;
                board.keep(cell, if own == 0 { !gone } else { own })?;
                // Two digits that must be here cannot both be.
                if own & own.wrapping_sub(1) != 0 {
                    return Err(Dead);
                }
            }
        }
        Ok(())
    }
}

fn each_bit(mut set: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        bit
    })
}

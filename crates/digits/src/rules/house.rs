//! The rule of a house: each digit occurs exactly once in its cells.

use super::super::board::CandidateGrid;
use super::super::{Contradiction, DigitSet, all_digits};

/// A row, column, region or other list of cells with one cell per digit.
///
/// The peers already ensure that the cells differ. The rule handles digits that have only one cell
/// left, or none.
#[derive(Debug)]
pub(crate) struct House {
    cells: Box<[u16]>,
    all: DigitSet,
}

impl House {
    pub(crate) fn new(cells: &[u16]) -> Self {
        Self { cells: cells.into(), all: all_digits(cells.len()) }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let (mut once, mut twice, mut fixed) = (0_u16, 0_u16, 0_u16);
        for &cell in &self.cells {
            let digits = board.digits(cell);
            twice |= once & digits;
            once |= digits;
            fixed |= if digits.is_power_of_two() { digits } else { 0 };
        }
        if once != self.all {
            return Err(Contradiction);
        }
        let hidden = once & !twice & !fixed;
        if hidden == 0 {
            return Ok(());
        }
        for &cell in &self.cells {
            let digits = board.digits(cell) & hidden;
            if digits != 0 {
                if !digits.is_power_of_two() {
                    return Err(Contradiction);
                }
                board.keep(cell, digits)?;
            }
        }
        Ok(())
    }
}

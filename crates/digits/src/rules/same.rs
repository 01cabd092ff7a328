//! The rule that two lists of cells have the same digits.

use super::super::Contradiction;
use super::super::board::CandidateGrid;

/// Two lists of cells that have the same digits, for example the parts of two houses outside their
/// common cells.
#[derive(Debug)]
pub(crate) struct Same {
    cells: Box<[u16]>,
    middle: usize,
}

impl Same {
    pub(crate) fn new(left: Vec<u16>, right: Vec<u16>) -> Self {
        let middle = left.len();
        Self { cells: [left, right].concat().into(), middle }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let (left, right) = self.cells.split_at(self.middle);
        let union = |cells: &[u16]| cells.iter().fold(0, |all, &cell| all | board.digits(cell));
        let (first, second) = (union(left), union(right));
        if first == second {
            return Ok(());
        }
        let common = first & second;
        if (common.count_ones() as usize) < left.len() {
            return Err(Contradiction);
        }
        self.cells.iter().try_for_each(|&cell| board.keep(cell, common))
    }
}

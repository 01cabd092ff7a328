//! The rule that relates the digits of two cells.

use std::sync::Arc;

use super::super::board::CandidateGrid;
use super::super::peers::Peers;
use super::super::{Contradiction, DigitSet, all_digits};

#[derive(Debug)]
pub(crate) struct Pair {
    cells: [u16; 2],
    /// For each of the two cells, a table of the digits of the other cell that are compatible with
    /// it.
    partners: [Arc<Partners>; 2],
    common: Box<[u16]>,
}

/// For each set of digits of a cell, the compatible digits of the other cell. One table is indexed
/// by the lower eight digits, the other by the upper eight; the result is their union.
#[derive(Debug)]
struct Partners([[DigitSet; 256]; 2]);

impl Partners {
    fn new(rows: &[DigitSet]) -> Arc<Self> {
        let mut halves = [[0; 256]; 2];
        for (half, rows) in halves.iter_mut().zip(rows.chunks(8)) {
            for set in 1_usize..1 << rows.len() {
                half[set] = half[set & (set - 1)] | rows[set.trailing_zeros() as usize];
            }
        }
        Arc::new(Self(halves))
    }

    #[inline]
    fn of(&self, digits: DigitSet) -> DigitSet {
        self.0[0][usize::from(digits & 255)] | self.0[1][usize::from(digits >> 8)]
    }
}

impl Pair {
    /// Builds the rule; `rows` has, for each digit of the first cell, the compatible digits of the
    /// second.
    pub(crate) fn new(one: u16, other: u16, rows: &[DigitSet]) -> Self {
        let column = |digit: usize| {
            let rows = rows.iter().enumerate().filter(|(_, row)| *row >> digit & 1 == 1);
            rows.fold(0, |column, (first, _)| column | 1 << first)
        };
        let columns: Vec<DigitSet> = (0..rows.len()).map(column).collect();
        let partners = [Partners::new(rows), Partners::new(&columns)];
        Self { cells: [one, other], partners, common: Box::default() }
    }

    pub(crate) fn with_common(mut self, peers: &Peers) -> Self {
        let mut common = Vec::new();
        let Ok(()) = peers.each_common(&self.cells, |cell| {
            common.push(cell);
            Ok::<(), std::convert::Infallible>(())
        });
        if peers.are_peers(self.cells[0], self.cells[1]) {
            for partners in &mut self.partners {
                let rows: Vec<DigitSet> =
                    (0..16).map(|digit| partners.of(1 << digit) & !(1 << digit)).collect();
                *partners = Partners::new(&rows);
            }
        }
        self.common = common.into();
        self
    }

    /// Returns the digits that each digit of each cell excludes in the other cell, as (cell, digit,
    /// other cell, excluded digits). Returns `None` if two digits exclude a common digit, because
    /// then the rule can remove it before a cell is filled.
    pub(crate) fn exclusions(&self, order: usize) -> Option<Vec<(u16, usize, u16, DigitSet)>> {
        let all = all_digits(order);
        let mut gone = Vec::new();
        for (side, partners) in self.partners.iter().enumerate() {
            let (cell, other) = (self.cells[side], self.cells[1 - side]);
            let mut taken = 0;
            for digit in 0..order {
                let digits = all & !partners.of(1 << digit);
                if digits & taken != 0 {
                    return None;
                }
                taken |= digits;
                if digits != 0 {
                    gone.push((cell, digit, other, digits));
                }
            }
        }
        Some(gone)
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let [one, other] = self.cells;
        board.keep(one, self.partners[1].of(board.digits(other)))?;
        board.keep(other, self.partners[0].of(board.digits(one)))?;
        let (first, second) = (board.digits(one), board.digits(other));
        if first.is_power_of_two() || second.is_power_of_two() || self.common.is_empty() {
            return Ok(());
        }
        let mut shared = first & second;
        while shared != 0 {
            let digit = shared & shared.wrapping_neg();
            shared ^= digit;
            if self.partners[0].of(first ^ digit) & second & !digit == 0 {
                for &peer in &self.common {
                    board.keep(peer, !digit)?;
                }
            }
        }
        Ok(())
    }
}

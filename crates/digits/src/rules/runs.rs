//! The rule for a line of cells that splits into consecutive runs with the same sum.
//!
//! The state before a cell is the partial sum of the current run. All possible states are the bits
//! of one word, so a digit advances all of them at once by a shift. A loop may begin inside a run,
//! so it is followed once for each possible partial sum.
//!
//! Invariant: the rule keeps exactly the digits on accepted paths, so the test of filled cells is
//! exact.
//!
//! Source: Interactive Sudoku Solver (2026) follows lines of sums with bits. Tried and dropped: an
//! automaton (many times slower on loops).

use super::super::board::CandidateGrid;
use super::super::{Contradiction, DigitSet};

#[derive(Debug)]
pub(crate) struct Runs {
    cells: Box<[u16]>,
    /// The numerical value of the first digit.
    first: u32,
    sum: u32,
    is_loop: bool,
}

impl Runs {
    /// Maximum sum of a run; a smaller partial sum plus any digit fits into a word of bits.
    pub(crate) const SUM_MAX: u32 = 40;
    pub(crate) const FIRST_MAX: u32 = 8;

    pub(crate) fn new(cells: Vec<u16>, first: u32, sum: u32, is_loop: bool) -> Self {
        Self { cells: cells.into(), first, sum, is_loop }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let (mut states, mut kept) =
            (std::mem::take(&mut board.states), std::mem::take(&mut board.all));
        kept.clear();
        kept.resize(self.cells.len(), 0);
        states.resize(states.len().max(self.cells.len() + 1), 0);
        for far in 0..if self.is_loop { self.sum } else { 1 } {
            self.follow(board, far, &mut states, &mut kept);
        }
        let filtered =
            self.cells.iter().zip(&kept).try_for_each(|(&cell, &kept)| board.keep(cell, kept));
        (board.states, board.all) = (states, kept);
        filtered
    }

    /// Adds to `kept` the digits on paths that begin and end with the partial sum `far`.
    fn follow(&self, board: &CandidateGrid<'_>, far: u32, states: &mut [u64], kept: &mut [DigitSet]) {
        let (all, whole) = ((1_u64 << self.sum) - 1, self.sum);
        states[0] = 1 << far;
        for (place, &cell) in self.cells.iter().enumerate() {
            let (before, mut behind) = (states[place], 0);
            for_each_digit(board.digits(cell), |digit| {
                let reached = before << (digit + self.first);
                behind |= reached & all | reached >> whole & 1;
            });
            if behind == 0 {
                return;
            }
            states[place + 1] = behind;
        }
        let mut wanted = states[self.cells.len()] & 1 << far;
        if wanted == 0 {
            return;
        }
        for (place, (&cell, kept)) in self.cells.iter().zip(kept).enumerate().rev() {
            let (before, mut next) = (states[place], 0);
            // State 0 (an empty run) also stands for the end of a complete run.
            let ends = wanted | (wanted & 1) << whole;
            for_each_digit(board.digits(cell), |digit| {
                let from = ends >> (digit + self.first) & before;
                if from != 0 {
                    next |= from;
                    *kept |= 1 << digit;
                }
            });
            wanted = next;
        }
    }
}

fn for_each_digit(mut digits: DigitSet, mut call: impl FnMut(u32)) {
    while digits != 0 {
        call(digits.trailing_zeros());
        digits &= digits - 1;
    }
}

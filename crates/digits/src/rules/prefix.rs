//! The rule for cells that differ, where the first cell determines the length of a prefix of the
//! following cells. The digits of the prefix form one of several sets.
//!
//! For each digit of the first cell, a set is possible under three conditions: each of its digits
//! is a candidate of some cell of the prefix, each cell of the prefix has a candidate in the set,
//! and each other cell has a candidate outside it. A cell keeps only the digits that some possible
//! set of some length allows.
//!
//! Invariant: once all cells are filled, only one length and one set remain, so the test is exact.
//!
//! Source: folklore of X-sums. Tried and dropped: an automaton (up to a hundred times slower).

use super::super::board::CandidateGrid;
use super::super::{Contradiction, DigitSet, ORDER_MAX, all_digits};

#[derive(Debug)]
pub(crate) struct Prefix {
    cells: Box<[u16]>,
    /// For each digit of the first cell, the length of the prefix and its possible sets; `None` if
    /// the digit is impossible.
    sets: Box<[Option<CountedSets>]>,
    all: DigitSet,
}

type CountedSets = (usize, Box<[DigitSet]>);

/// The union of the candidates of some cells, and the digits of the filled cells among them.
#[derive(Clone, Copy, Default)]
struct DigitUnion {
    any: DigitSet,
    fixed: DigitSet,
}

impl DigitUnion {
    fn with(self, digits: DigitSet) -> Self {
        let fixed = if digits.is_power_of_two() { digits } else { 0 };
        Self { any: self.any | digits, fixed: self.fixed | fixed }
    }
}

impl Prefix {
    pub(crate) fn new(
        order: usize,
        cells: Vec<u16>,
        sets: Vec<Option<(usize, Vec<DigitSet>)>>,
    ) -> Self {
        let sets = sets.into_iter().map(|of| of.map(|(count, sets)| (count, sets.into())));
        Self { cells: cells.into(), sets: sets.collect(), all: all_digits(order) }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let mut digits = [0; ORDER_MAX];
        let digits = &mut digits[..self.cells.len()];
        for (digits, &cell) in digits.iter_mut().zip(&self.cells) {
            *digits = board.digits(cell);
        }
        let mut rest = [DigitUnion::default(); ORDER_MAX + 1];
        for (place, &digits) in digits.iter().enumerate().rev() {
            rest[place] = rest[place + 1].with(digits);
        }
        let mut kept = [0; ORDER_MAX];
        let kept = &mut kept[..digits.len()];
        let (mut inside, mut place) = (DigitUnion::default(), 1);
        let mut first = digits[0];
        // The length grows with the digit, so cells are only added to the prefix.
        while first != 0 {
            let own = first & first.wrapping_neg();
            first ^= own;
            let Some((count, sets)) = &self.sets[own.trailing_zeros() as usize] else { continue };
            while place <= *count {
                inside = inside.with(digits[place]);
                place += 1;
            }
            let outside = rest[count + 1];
            if (inside.fixed | outside.fixed) & own != 0 {
                continue;
            }
            let is_whole = digits.len() == self.all.count_ones() as usize;
            let others = self.all & !own;
            let possible = inside.any & others & !outside.fixed;
            let needed = inside.fixed | if is_whole { others & !outside.any } else { 0 };
            if needed & !possible != 0 {
                continue;
            }
            let (within, without) = digits[1..].split_at(*count);
            let (mut any, mut any_other) = (0, 0);
            for &set in sets {
                let other = others & !set;
                if set & !possible == 0
                    && needed & !set == 0
                    && within.iter().all(|digits| digits & set != 0)
                    && without.iter().all(|digits| digits & other != 0)
                {
                    (any, any_other) = (any | set, any_other | other);
                    kept[0] |= own;
                }
            }
            for (place, (kept, digits)) in kept.iter_mut().zip(&*digits).enumerate().skip(1) {
                *kept |= digits & if place <= *count { any } else { any_other };
            }
        }
        self.cells.iter().zip(&*kept).try_for_each(|(&cell, &kept)| board.keep(cell, kept))
    }
}

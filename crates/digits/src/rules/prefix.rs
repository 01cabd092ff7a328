//! Cells that differ, of which the first tells how many of them have one of some sets of digits.
//!
//! For each digit of the first cell the cells behind it up to that number are one list, and the others another: a set is possible
//! if each of its digits is in some cell of the first list, each cell of that has one of them, and each of the others has another digit; where
//! the cells are as many as the digits, what is in none of the others is in the set. A cell loses the digits that no possible set of any
//! number leaves it.
//!
//! Invariant: cells that are filled have one number and one set, and are tested exactly.
//!
//! Known to all who solve sums of the first cells of a row; as an automaton these took up to a hundred times as long.

use super::super::board::Board;
use super::super::{Dead, DigitSet, ORDER_MAX, all_digits};

/// Cells that differ, and the sets of digits behind the first.
#[derive(Debug)]
pub(crate) struct Prefix {
    cells: Box<[u16]>,
    /// For each digit of the first cell the number of cells behind it that have one of its sets, and these; `None` if it cannot be.
    sets: Box<[Option<CountedSets>]>,
    all: DigitSet,
}

/// How many cells have one of some sets of digits, and these.
type CountedSets = (usize, Box<[DigitSet]>);

/// What some cells may have, and have for sure.
#[derive(Clone, Copy, Default)]
struct Have {
    any: DigitSet,
    fixed: DigitSet,
}

impl Have {
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

    pub(crate) fn filter(&self, board: &mut Board<'_>) -> Result<(), Dead> {
        let mut digits = [0; ORDER_MAX];
        let digits = &mut digits[..self.cells.len()];
        for (digits, &cell) in digits.iter_mut().zip(&self.cells) {
            *digits = board.digits(cell);
        }
        // What the cells from each place on have.
        let mut rest = [Have::default(); ORDER_MAX + 1];
        for (place, &digits) in digits.iter().enumerate().rev() {
            rest[place] = rest[place + 1].with(digits);
        }
        let mut kept = [0; ORDER_MAX];
        let kept = &mut kept[..digits.len()];
        let (mut inside, mut place) = (Have::default(), 1);
        let mut first = digits[0];
        // Numbers grow with digits, so each looks at some more cells inside.
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
                    // Without cells behind the first the only set is the one without digits.
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

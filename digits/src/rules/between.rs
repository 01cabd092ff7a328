//! Cells that differ, and what lies between two of them.
//!
//! Two cells are the ends: either those with two digits that are told, as the crusts of a sandwich, or those with the least and
//! the greatest digit of all. The digits of the cells between them are one of some sets.
//!
//! For each two places of the ends, the cells between and those outside are two lists. A set is possible there if each digit of it
//! is in some cell between, each cell between has some digit of it, and the cells outside have as many of the other digits
//! as they are; where the cells are as many as the digits, they have all of these. What no possible set of no places leaves
//! a cell goes. So what is known of cells outside tells of those between, and the other way round, which an automaton that
//! reads the cells one by one cannot see.
//!
//! Invariant: cells that are filled have one place of the ends and one set, and are tested exactly.
//!
//! Source: known to all who solve sandwiches; that a solver by digits is fast with it shows Interactive Sudoku Solver (2026).

use super::super::board::Board;
use super::super::{Dead, DigitSet, ORDER_MAX, all_digits};

/// Cells that differ, and the sets of digits between two of them.
#[derive(Debug)]
pub(crate) struct Between {
    cells: Box<[u16]>,
    /// The digits of the ends, if they are told; else they are the least and the greatest.
    ends: Option<DigitSet>,
    /// The sets, by their number of digits.
    sets: Vec<Vec<DigitSet>>,
    /// All digits.
    all: DigitSet,
}

impl Between {
    /// Makes the rule; `ends` has two digits, or none if the ends are the least and the greatest of the cells.
    pub(crate) fn new(order: usize, cells: Vec<u16>, ends: DigitSet, sets: &[DigitSet]) -> Self {
        let all = all_digits(order);
        let is_whole = cells.len() == order;
        // All digits have a least and a greatest one.
        let ends = match ends {
            0 if is_whole && order > 1 => Some(1 | 1 << (order - 1)),
            0 => None,
            _ => Some(ends),
        };
        let of_size = |size: usize| {
            let is_fit =
                |set: &&DigitSet| set.count_ones() as usize == size && *set & ends.unwrap_or(0) == 0;
            sets.iter().filter(is_fit).copied().collect()
        };
        let sets = (0..cells.len().saturating_sub(1)).map(of_size).collect();
        Self { cells: cells.into(), ends, sets, all }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut Board<'_>) -> Result<(), Dead> {
        let (mut digits, mut kept) = ([0; ORDER_MAX], [0; ORDER_MAX]);
        let count = self.cells.len();
        let (digits, kept) = (&mut digits[..count], &mut kept[..count]);
        for (digits, &cell) in digits.iter_mut().zip(&self.cells) {
            *digits = board.digits(cell);
        }
        for first in 0..count {
            if self.ends.is_some_and(|ends| digits[first] & ends == 0) {
                continue;
            }
            for last in first + 1..count {
                if self.sets[last - first - 1].is_empty() {
                    continue;
                }
                match self.ends {
                    Some(ends) => {
                        let low = ends & ends.wrapping_neg();
                        for (one, other) in [(low, ends ^ low), (ends ^ low, low)] {
                            if digits[first] & one != 0 && digits[last] & other != 0 {
                                self.place(digits, kept, [first, last], [one, other], self.all & !ends);
                            }
                        }
                    }
                    None => self.place_any(digits, kept, [first, last]),
                }
            }
        }
        self.cells.iter().zip(&*kept).try_for_each(|(&cell, &kept)| board.keep(cell, kept))
    }

    /// Places the least and the greatest digit, whichever these are.
    fn place_any(&self, digits: &[DigitSet], kept: &mut [DigitSet], [first, last]: [usize; 2]) {
        for_each(digits[first], |one| {
            for_each(digits[last], |other| {
                let (low, high) = (one.min(other), one.max(other));
                if low != high {
                    let inner = (high - 1) & !(low | (low - 1));
                    self.place(digits, kept, [first, last], [one, other], inner);
                }
            });
        });
    }

    /// Keeps the digits that cells may have where two of them are ends, and all others have some of the digits `inner`.
    fn place(
        &self,
        digits: &[DigitSet],
        kept: &mut [DigitSet],
        [first, last]: [usize; 2],
        [one, other]: [DigitSet; 2],
        inner: DigitSet,
    ) {
        let (before, rest) = digits.split_at(first);
        let (inside, behind) = (&rest[1..last - first], &rest[last - first + 1..]);
        let between = || inside.iter().map(|digits| digits & inner);
        let outside = || before.iter().chain(behind).map(|digits| digits & inner);
        let any = |all, digits: DigitSet| all | digits;
        let fixed = |all, digits: DigitSet| if digits.is_power_of_two() { all | digits } else { all };
        let (any_outside, count) = (outside().fold(0, any), before.len() + behind.len());
        // Where all digits are somewhere, those that are nowhere outside are between.
        let is_whole = digits.len() == self.all.count_ones() as usize;
        let needed = between().fold(0, fixed) | if is_whole { inner & !any_outside } else { 0 };
        let possible = between().fold(0, any) & !outside().fold(0, fixed);
        let (mut kept_inside, mut kept_outside, mut is_possible) = (0, 0, false);
        for &set in &self.sets[inside.len()] {
            let left = any_outside & !set;
            if set & !possible == 0
                && needed & !set == 0
                && left.count_ones() as usize >= count
                && between().all(|digits| digits & set != 0)
                && outside().all(|digits| digits & left != 0)
            {
                (kept_inside, kept_outside, is_possible) =
                    (kept_inside | set, kept_outside | left, true);
            }
        }
        if !is_possible {
            return;
        }
        for (place, (kept, digits)) in kept.iter_mut().zip(digits).enumerate() {
            *kept |= digits
                & match place {
                    _ if place == first => one,
                    _ if place == last => other,
                    _ if first < place && place < last => kept_inside,
                    _ => kept_outside,
                };
        }
    }
}

fn for_each(mut digits: DigitSet, mut call: impl FnMut(DigitSet)) {
    while digits != 0 {
        let digit = digits & digits.wrapping_neg();
        call(digit);
        digits ^= digit;
    }
}

//! The rule for the digits between two end cells, among several cells that differ.
//!
//! The two end cells are the cells with two given digits (the crusts of a sandwich), or the cells
//! with the smallest and the largest digit. The digits of the cells between them form one of
//! several given sets.
//!
//! For each pair of end positions, a set is possible under three conditions: each of its digits is
//! a candidate of some cell between the ends, each cell between has a candidate in the set, and the
//! cells outside have enough other digits. If there are as many cells as digits, a digit that is no
//! candidate outside must be between. A cell keeps only the digits that some possible set allows
//! for some pair of end positions. So the cells outside restrict the cells between and vice versa,
//! which an automaton cannot do.
//!
//! Invariant: once all cells are filled, only one pair of end positions and one set remain, so the
//! test is exact.
//!
//! Source: folklore of sandwich Sudoku; Interactive Sudoku Solver (2026) showed its value.

use super::super::board::CandidateGrid;
use super::super::{Contradiction, DigitSet, ORDER_MAX, all_digits};

#[derive(Debug)]
pub(crate) struct Between {
    cells: Box<[u16]>,
    /// The digits of the end cells; `None` if these are the smallest and the largest digit of the
    /// cells.
    ends: Option<DigitSet>,
    sets: Vec<Vec<DigitSet>>,
    all: DigitSet,
}

impl Between {
    /// Builds the rule; `ends` has two digits, or is empty if the ends are the smallest and the
    /// largest digit of the cells.
    pub(crate) fn new(order: usize, cells: Vec<u16>, ends: DigitSet, sets: &[DigitSet]) -> Self {
        let all = all_digits(order);
        let is_whole = cells.len() == order;
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

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let (mut digits, mut kept) = ([0; ORDER_MAX], [0; ORDER_MAX]);
        let count = self.cells.len();
        let (digits, kept) = (&mut digits[..count], &mut kept[..count]);
        for (digits, &cell) in digits.iter_mut().zip(&self.cells) {
            *digits = board.digits(cell);
        }
        let mut is_done = false;
        'places: for first in 0..count {
            if self.ends.is_some_and(|ends| digits[first] & ends == 0) {
                continue;
            }
            for last in first + 1..count {
                if self.sets[last - first - 1].is_empty() {
                    continue;
                }
                let place = EndPositions::new(digits, first, last);
                match self.ends {
                    Some(ends) => {
                        let low = ends & ends.wrapping_neg();
                        for (one, other) in [(low, ends ^ low), (ends ^ low, low)] {
                            if digits[first] & one != 0 && digits[last] & other != 0 {
                                self.keep(digits, kept, &place, [one, other], self.all & !ends);
                            }
                        }
                    }
                    None => self.keep_any(digits, kept, &place),
                }
                if *kept == *digits {
                    is_done = true;
                    break 'places;
                }
            }
        }
        if is_done {
            return Ok(());
        }
        self.cells.iter().zip(&*kept).try_for_each(|(&cell, &kept)| board.keep(cell, kept))
    }

    /// Adds to `kept` the digits that are possible if the smallest and the largest digit are at the
    /// two positions `place`, for all pairs of such digits.
    fn keep_any(&self, digits: &[DigitSet], kept: &mut [DigitSet], place: &EndPositions) {
        let fixed = place.fixed_inside | place.fixed_outside;
        for_each(digits[place.first], |one| {
            for_each(digits[place.last], |other| {
                let (low, high) = (one.min(other), one.max(other));
                let inner = (high - 1) & !(low | (low - 1));
                if low != high && fixed & !inner == 0 {
                    self.keep(digits, kept, place, [one, other], inner);
                }
            });
        });
    }

    /// Adds to `kept` the digits that are possible if the cells at the two positions `place` have
    /// the digits `one` and `other`, and all other cells have digits of `inner`.
    fn keep(
        &self,
        digits: &[DigitSet],
        kept: &mut [DigitSet],
        place: &EndPositions,
        [one, other]: [DigitSet; 2],
        inner: DigitSet,
    ) {
        let EndPositions { first, last, .. } = *place;
        let (before, rest) = digits.split_at(first);
        let (inside, behind) = (&rest[1..last - first], &rest[last - first + 1..]);
        let (any_outside, count) = (place.any_outside & inner, before.len() + behind.len());
        // If all digits occur, a digit that is no candidate outside is between the ends.
        let is_whole = digits.len() == self.all.count_ones() as usize;
        let needed = place.fixed_inside | if is_whole { inner & !any_outside } else { 0 };
        let possible = place.any_inside & inner & !place.fixed_outside;
        if needed & !possible != 0 {
            return;
        }
        let (mut kept_inside, mut kept_outside, mut is_possible) = (0, 0, false);
        for &set in &self.sets[inside.len()] {
            let left = any_outside & !set;
            if set & !possible == 0
                && needed & !set == 0
                && left.count_ones() as usize >= count
                && inside.iter().all(|digits| digits & set != 0)
                && before.iter().chain(behind).all(|digits| digits & left != 0)
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

/// Two positions of the end cells. Also has the union of the candidates and the set of fixed
/// digits, of the cells between and of the cells outside.
struct EndPositions {
    first: usize,
    last: usize,
    any_inside: DigitSet,
    fixed_inside: DigitSet,
    any_outside: DigitSet,
    fixed_outside: DigitSet,
}

impl EndPositions {
    fn new(digits: &[DigitSet], first: usize, last: usize) -> Self {
        let (mut any, mut fixed) = ([0; 2], [0; 2]);
        for (place, &digits) in digits.iter().enumerate() {
            if place != first && place != last {
                let side = usize::from(place < first || last < place);
                any[side] |= digits;
                fixed[side] |= if digits.is_power_of_two() { digits } else { 0 };
            }
        }
        Self {
            first,
            last,
            any_inside: any[0],
            fixed_inside: fixed[0],
            any_outside: any[1],
            fixed_outside: fixed[1],
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

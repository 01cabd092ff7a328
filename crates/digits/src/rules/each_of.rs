//! The rule that some cells must include each of several kinds of digits.
//!
//! A kind has a set of digits for each cell, and at least one cell must have a digit of its set.
//! For example, a square of four cells must have a low, a middle and a high digit. If only one cell
//! can satisfy a kind, the cell keeps only digits of that kind. If no two kinds share a digit in a
//! cell, and n kinds can be satisfied only by the same n cells, these cells lose all other digits
//! (P. Hall, 1935). If a kind has only one digit left, all common peers of its cells lose this
//! digit.
//!
//! Invariant: once all cells are filled, the test is exact, because a kind that no cell satisfies
//! is detected at once.

use super::super::board::CandidateGrid;
use super::super::{Contradiction, DigitSet};
use super::require;

#[derive(Debug)]
pub(crate) struct EachOf {
    cells: Box<[u16]>,
    /// For each kind, the digits of each cell that satisfy it.
    kinds: Box<[Box<[DigitSet]>]>,
    /// Bit sets of two or more kinds, for the test of n kinds with n cells; empty if two kinds
    /// share a digit in a cell.
    together: Box<[u8]>,
}

const KINDS_MAX: usize = 4;

impl EachOf {
    pub(crate) fn new(cells: Vec<u16>, kinds: &[Vec<DigitSet>]) -> Self {
        let are_apart = |one: usize, other: usize| {
            kinds[one].iter().zip(&kinds[other]).all(|(one, other)| one & other == 0)
        };
        let is_once = (1..cells.len()).all(|place| !cells[..place].contains(&cells[place]));
        let count = kinds.len();
        let is_apart = (0..count).all(|one| (0..one).all(|other| are_apart(one, other)));
        let all = if is_once && is_apart && count <= KINDS_MAX { 1 << count } else { 0 };
        let together = (0..all).filter(|set: &u8| set.count_ones() > 1).collect();
        let kinds = kinds.iter().map(|kind| kind.as_slice().into()).collect();
        Self { cells: cells.into(), kinds, together }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let mut places = [0_u64; KINDS_MAX];
        for (number, kind) in self.kinds.iter().enumerate() {
            let (mut may, mut count, mut last, mut left) = (0_u64, 0, 0, 0);
            for (place, (&cell, &own)) in self.cells.iter().zip(kind).enumerate() {
                let own = board.digits(cell) & own;
                if own != 0 {
                    may |= 1 << (place % 64);
                    (count, last, left) = (count + 1, place, left | own);
                }
            }
            match count {
                0 => return Err(Contradiction),
                1 => board.keep(self.cells[last], kind[last])?,
                _ if left.is_power_of_two() => require(board, &self.cells, left)?,
                _ => {}
            }
            if number < KINDS_MAX {
                places[number] = may;
            }
        }
        for &set in &self.together {
            let chosen = || (0..self.kinds.len()).filter(move |number| set >> number & 1 == 1);
            let mut cells = chosen().fold(0, |cells, number| cells | places[number]);
            if cells.count_ones() < set.count_ones() {
                return Err(Contradiction);
            }
            if cells.count_ones() > set.count_ones() {
                continue;
            }
            while cells != 0 {
                let place = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let digits = chosen().fold(0, |all, number| all | self.kinds[number][place]);
                board.keep(self.cells[place], digits)?;
            }
        }
        Ok(())
    }
}

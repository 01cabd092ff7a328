//! Combinations of items modulo 2, stored as bits in 64-bit words.
//!
//! A set of generators represents all combinations that vanish on the options eliminated so far. At
//! first each generator is a single item. Each item has a bit row that marks the generators that
//! contain the item. The sum of the rows of an option's items marks the generators that do not
//! vanish on this option. One of the generators that do not vanish is added to the others and
//! removed. An extra last row marks the generators whose value in a cover is 1.
//!
//! The table takes one bit per pair of items.

use super::Combinations;
use super::system::System;

#[derive(Debug)]
pub(super) struct Parity {
    words: usize,
    /// The bit rows of all items one after another, then the bit row of a cover.
    table: Vec<u64>,
    sum: Vec<u64>,
    view: usize,
}

/// Estimated work to test a row for the removed generator (ns).
const ROW: u64 = 3;

/// Estimates the work (ns) of an elimination where half of the rows change and half of the bits are
/// set.
pub(super) fn work(rows: u64) -> u64 {
    rows * rows * (ROW + rows / 128) / 2
}

fn has(row: &[u64], place: usize) -> bool {
    row[place / 64] >> (place % 64) & 1 == 1
}

fn places(row: &[u64]) -> impl Iterator<Item = usize> {
    let word = |(index, &word): (usize, &u64)| {
        let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
        rest.take_while(|&rest| rest != 0).map(move |rest| 64 * index + rest.trailing_zeros() as usize)
    };
    row.iter().enumerate().flat_map(word)
}

impl Parity {
    pub(super) fn bytes(rows: usize) -> usize {
        (rows + 2) * rows.div_ceil(64) * 8
    }

    pub(super) fn new(system: &System) -> Self {
        let (rows, words) = (system.row_count(), system.row_count().div_ceil(64));
        let mut table = vec![0; (rows + 1) * words];
        for (row, need) in (0..rows).zip(&system.needs) {
            let bit = 1 << (row % 64);
            table[row * words + row / 64] = bit;
            if need % 2 == 1 {
                table[rows * words + row / 64] |= bit;
            }
        }
        Self { words, table, sum: vec![0; words], view: 0 }
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.table[row * self.words..][..self.words]
    }
}

impl Combinations for Parity {
    fn work(&self) -> u64 {
        work((self.table.len() / self.words.max(1)) as u64)
    }

    fn modulus(&self) -> (u64, u64) {
        (2, 2)
    }

    fn look(&mut self) -> bool {
        let cover = &self.table[self.table.len() - self.words..];
        if cover.is_empty() || !has(cover, self.view) {
            let Some(next) = places(cover).next() else { return false };
            self.view = next;
        }
        true
    }

    fn coefficient(&self, row: usize) -> u64 {
        u64::from(has(self.row(row), self.view))
    }

    fn eliminate(&mut self, column: &[u32]) -> u64 {
        let mut sum = std::mem::take(&mut self.sum);
        sum.fill(0);
        for &row in column {
            sum.iter_mut().zip(self.row(row as usize)).for_each(|(sum, word)| *sum ^= word);
        }
        let pivot = places(&sum).find(|&place| place != self.view).unwrap_or(self.view);
        let mut work = 0;
        for row in self.table.chunks_exact_mut(self.words) {
            work += ROW;
            if has(row, pivot) {
                work += self.words as u64;
                row.iter_mut().zip(&sum).for_each(|(word, sum)| *word ^= sum);
            }
        }
        self.sum = sum;
        work
    }
}

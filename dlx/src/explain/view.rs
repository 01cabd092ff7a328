//! A state as rows of bits: for each item the remaining options, renumbered.
//!
//! Few options are left after the first forced ones, so a row takes a few words, and tests on sets
//! of items take a few operations.
//!
//! The rows take at most [`WORDS_MAX`] words. Larger states have no view and support only the steps
//! that do not use it.

use super::state::{Knowledge, OptionTable};
use crate::model::{ItemId, OptionId};

/// Maximum size of the rows in words (64 MB).
const WORDS_MAX: usize = 1 << 23;

#[derive(Clone, Debug, Default)]
pub(super) struct LeftView {
    /// The remaining options, ascending. The index of an option is its number.
    pub(super) options: Vec<OptionId>,
    /// The option with number `o` has the items `starts[o] .. starts[o + 1]` of `items`.
    starts: Vec<u32>,
    items: Vec<ItemId>,
    width: usize,
    rows: Vec<u64>,
    /// Scratch space of `excluded`, otherwise zero: for each option, the number of its links minus
    /// the number of its truths.
    excess: Vec<i16>,
}

impl LeftView {
    pub(super) fn fill(&mut self, table: &OptionTable, state: &Knowledge) -> bool {
        self.options.clear();
        self.options.extend(state.options());
        self.width = self.options.len().div_ceil(64);
        let size = self.width * table.problem.item_count();
        if size > WORDS_MAX {
            return false;
        }
        self.rows.clear();
        self.rows.resize(size, 0);
        self.excess.clear();
        self.excess.resize(self.options.len(), 0);
        self.starts.clear();
        self.items.clear();
        self.starts.push(0);
        for (number, &option) in self.options.iter().enumerate() {
            for entry in table.problem.option(option) {
                self.rows[entry.item.index() * self.width + number / 64] |= 1 << (number % 64);
                self.items.push(entry.item);
            }
            self.starts.push(self.items.len() as u32);
        }
        true
    }

    #[inline]
    pub(super) fn row(&self, item: ItemId) -> &[u64] {
        &self.rows[item.index() * self.width..][..self.width]
    }

    #[inline]
    pub(super) fn items(&self, number: usize) -> &[ItemId] {
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    pub(super) fn are_apart(&self, one: ItemId, other: ItemId) -> bool {
        self.row(one).iter().zip(self.row(other)).all(|(one, other)| one & other == 0)
    }

    /// Reports whether all options of the links lie in truths, and no option lies in two links, so
    /// that equally many truths and links exclude no option.
    pub(super) fn are_used_up(&self, truths: &[ItemId], links: &[ItemId]) -> bool {
        (0..self.width).all(|place| {
            let word = |item: &ItemId| self.row(*item)[place];
            let truths = truths.iter().map(word).fold(0, |all, word| all | word);
            let (once, twice) = links
                .iter()
                .map(word)
                .fold((0, 0), |(once, twice), word| (once | word, twice | once & word));
            once & !truths == 0 && twice == 0
        })
    }

    /// Returns the options excluded by these truths and links, or an empty list if they prove no
    /// exclusion.
    ///
    /// The excess of an option is the number of its links minus the number of its truths. If no
    /// excess is negative, the sum over all chosen options is at most the rank, so an option with a
    /// larger excess cannot be chosen.
    pub(super) fn excluded(&mut self, truths: &[ItemId], links: &[ItemId], rank: i64) -> Vec<OptionId> {
        let mut excess = std::mem::take(&mut self.excess);
        for &link in links {
            ones(self.row(link)).for_each(|number| excess[number] += 1);
        }
        for &truth in truths {
            ones(self.row(truth)).for_each(|number| excess[number] -= 1);
        }
        let mut excluded: Vec<usize> = Vec::new();
        let mut is_covered = true;
        for &item in links.iter().chain(truths) {
            for number in ones(self.row(item)) {
                is_covered &= excess[number] >= 0;
                if i64::from(excess[number]) > rank {
                    excluded.push(number);
                }
            }
        }
        for &item in links.iter().chain(truths) {
            ones(self.row(item)).for_each(|number| excess[number] = 0);
        }
        self.excess = excess;
        if !is_covered {
            return Vec::new();
        }
        excluded.sort_unstable();
        excluded.dedup();
        excluded.into_iter().map(|number| self.options[number]).collect()
    }
}

pub(super) fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(place, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest.checked_sub(1)?;
            Some(64 * place + bit)
        })
    })
}

//! A state as rows of bits: for each item the options that are left, numbered anew.
//!
//! After the first forced options few options are left (some 200 of the 729 of a Sudoku), so a row takes a few words and
//! questions about sets of items are a few operations.
//!
//! Bound: [`WORDS_MAX`] words of rows; larger states have no view, and only the steps that need none.

use super::state::{Knowledge, OptionTable};
use crate::model::{ItemId, OptionId};

/// The most words that the rows may take: 64 MB.
const WORDS_MAX: usize = 1 << 23;

/// The options that are left, as rows of bits and as lists.
#[derive(Clone, Debug, Default)]
pub(super) struct LeftView {
    /// The options that are left, ascending; their places are their numbers here.
    pub(super) options: Vec<OptionId>,
    /// Option `o` of these has the items `items[starts[o] .. starts[o + 1]]`.
    starts: Vec<u32>,
    items: Vec<ItemId>,
    width: usize,
    rows: Vec<u64>,
    /// In how many more links than truths each option is; zero between two questions.
    excess: Vec<i16>,
}

impl LeftView {
    /// Becomes the view of a state; tells whether there can be one.
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

    /// Returns the row of an item.
    #[inline]
    pub(super) fn row(&self, item: ItemId) -> &[u64] {
        &self.rows[item.index() * self.width..][..self.width]
    }

    /// Returns the items of an option by its number here.
    #[inline]
    pub(super) fn items(&self, number: usize) -> &[ItemId] {
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// Tells whether no option has both items.
    pub(super) fn are_apart(&self, one: ItemId, other: ItemId) -> bool {
        self.row(one).iter().zip(self.row(other)).all(|(one, other)| one & other == 0)
    }

    /// Tells whether all options of the links lie in truths, and none in two links: then these exclude nothing if they are as
    /// many as the truths.
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

    /// Returns the options that cannot be chosen because of these truths and links, ascending; nothing if they prove nothing.
    ///
    /// Of each option the number of its links less that of its truths is its excess. If none is negative, the sum over all
    /// that are chosen is at most the rank, so that an option with a greater excess cannot be among them.
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

/// Iterates over the numbers of the bits of a row that are set, ascending.
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

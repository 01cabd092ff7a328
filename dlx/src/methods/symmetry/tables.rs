//! The options of a part, each as a bit set and as a list of items.

use crate::model::{Bounds, ItemId, OptionId};
use crate::portfolio::{Budget, Cut};
use crate::prepare::Weighted;

const ITEMS_MAX: usize = 4096;
const WORDS_MAX: usize = 1 << 24;

#[derive(Debug)]
pub(super) struct PartTables {
    pub(super) word_count: usize,
    pub(super) item_count: usize,
    pub(super) primary: Vec<bool>,
    pub(super) primaries: Vec<u64>,
    /// Option `o` has the items of the bit set that starts at word `o * word_count` and has
    /// `word_count` words.
    sets: Vec<u64>,
    /// Option `o` has the items `items[starts[o]..starts[o + 1]]`.
    starts: Vec<u32>,
    items: Vec<u32>,
    pub(super) weights: Vec<u64>,
}

impl PartTables {
    /// Reads a part. Fails with `Unsuited` if it has bounds or colors, or is too large.
    pub(super) fn new(part: &Weighted, budget: &Budget<'_>) -> Result<Self, Cut> {
        let problem = &part.problem;
        let item_count = problem.item_count();
        let word_count = item_count.div_ceil(64).max(1);
        let is_large = item_count > ITEMS_MAX || problem.option_count() > WORDS_MAX / word_count;
        if is_large || problem.has_colors() || problem.has_bounds() {
            return Err(Cut::Unsuited);
        }
        let options = problem.option_count();
        budget
            .fits::<u8>(8 * (word_count + 1) * options + 4 * (options + 1 + problem.entry_count()))?;
        let mut tables = Self {
            word_count,
            item_count,
            primary: problem.items().map(|item| problem.bounds(item) == Some(Bounds::ONE)).collect(),
            primaries: vec![0; word_count],
            sets: vec![0; word_count * problem.option_count()],
            starts: vec![0],
            items: Vec::with_capacity(problem.entry_count()),
            weights: part.weights.clone(),
        };
        for item in (0..item_count).filter(|&item| problem.is_primary(ItemId::new(item))) {
            tables.primaries[item / 64] |= 1 << (item % 64);
        }
        for option in 0..problem.option_count() {
            for entry in problem.option(OptionId::new(option)) {
                let item = entry.item.index();
                tables.sets[option * word_count + item / 64] |= 1 << (item % 64);
                tables.items.push(item as u32);
            }
            tables.starts.push(tables.items.len() as u32);
        }
        Ok(tables)
    }

    pub(super) fn option_count(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn bytes(&self) -> usize {
        (self.sets.len() + self.weights.len()) * 8 + (self.starts.len() + self.items.len()) * 4
    }

    /// Iterates over the options with a primary item, because only these can be chosen.
    pub(super) fn options(&self) -> impl Iterator<Item = u32> {
        (0..self.option_count() as u32).filter(|&option| self.has_primary(option))
    }

    pub(super) fn options_of_items(&self) -> Vec<Vec<u32>> {
        let mut options_of = vec![Vec::new(); self.item_count];
        for option in 0..self.option_count() as u32 {
            self.items(option).iter().for_each(|&item| options_of[item as usize].push(option));
        }
        options_of
    }

    pub(super) fn has_primary(&self, option: u32) -> bool {
        self.items(option).iter().any(|&item| self.primary[item as usize])
    }

    pub(super) fn all_items(&self) -> Vec<u64> {
        let mut set = vec![0; self.word_count];
        (0..self.item_count).for_each(|item| set[item / 64] |= 1 << (item % 64));
        set
    }

    pub(super) fn options_within(&self, set: &[u64]) -> impl Iterator<Item = u32> {
        self.options().filter(move |&option| self.is_within(option, set))
    }

    #[inline]
    pub(super) fn set(&self, option: u32) -> &[u64] {
        &self.sets[option as usize * self.word_count..][..self.word_count]
    }

    #[inline]
    pub(super) fn items(&self, option: u32) -> &[u32] {
        let option = option as usize;
        &self.items[self.starts[option] as usize..self.starts[option + 1] as usize]
    }

    #[inline]
    pub(super) fn is_within(&self, option: u32, set: &[u64]) -> bool {
        self.set(option).iter().zip(set).all(|(a, b)| a & !b == 0)
    }
}

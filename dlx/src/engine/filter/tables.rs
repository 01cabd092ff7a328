//! The tables of the filtering engine: the conflicts of each option and the options of each item.

use std::collections::HashSet;

use crate::bits::{Block, Exclusions, Leaf, set};
use crate::limits::{Limit, Pace};
use crate::model::{OptionId, Problem};
use crate::search::Unsupported;

/// Maximum number of options, so that option numbers fit in 16 bits.
const OPTION_MAX: usize = 1 << 15;
const ITEM_MAX: usize = 1 << 12;
const CONFLICT_BYTES_MAX: usize = 128 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OptionPlace {
    pub(super) item: u16,
    /// The bit of the option within its word, and the word's index in the sets of all items.
    pub(super) bit: u8,
    pub(super) word: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FilterTables {
    pub(super) blocks: usize,
    pub(super) option_count: usize,
    pub(super) item_count: usize,
    pub(super) conflicts: Vec<Block>,
    own: Vec<Block>,
    item_starts: Vec<u32>,
    options: Vec<u16>,
    /// Item `i` has the words `words[i] .. words[i + 1]` in the sets of live options, with one bit
    /// per option in order.
    words: Vec<u32>,
    /// Option `o` has the positions `option_starts[o] .. option_starts[o + 1]` of `places`.
    option_starts: Vec<u32>,
    places: Vec<OptionPlace>,
}

/// Returns the number of blocks of a set of options, or `None` if there are too many options.
pub(super) fn blocks(problem: &Problem) -> Option<usize> {
    (problem.option_count() <= OPTION_MAX).then(|| problem.option_count().div_ceil(Block::BITS).max(1))
}

fn set_bytes(problem: &Problem) -> usize {
    problem.option_count().div_ceil(Block::BITS).max(1) * size_of::<Block>()
}

pub(super) fn bytes(problem: &Problem) -> usize {
    set_bytes(problem).saturating_mul(problem.option_count() + problem.primary_count())
}

impl FilterTables {
    pub(super) fn check(problem: &Problem) -> Result<(), Unsupported> {
        if problem.has_bounds() {
            return Err(Unsupported::new("multiplicities"));
        }
        if problem.option_count() > OPTION_MAX {
            return Err(Unsupported::new("more than 32768 options"));
        }
        if problem.primary_count() > ITEM_MAX {
            return Err(Unsupported::new("more than 4096 primary items"));
        }
        let colors = problem.options().flat_map(|option| problem.option(option));
        let colors = colors.filter_map(|entry| entry.color.map(|color| (entry.item, color)));
        let is_large = |sets: usize| set_bytes(problem).saturating_mul(sets) > CONFLICT_BYTES_MAX;
        if is_large(problem.option_count())
            || is_large(problem.item_count() + problem.entry_count())
                && is_large(problem.item_count() + colors.collect::<HashSet<_>>().len())
        {
            return Err(Unsupported::new("conflicts of more than 128 MiB"));
        }
        Ok(())
    }

    pub(super) fn new(leaf: Leaf, problem: &Problem, pace: &mut Pace<'_>) -> Result<Self, Limit> {
        let option_count = problem.option_count();
        let blocks = option_count.div_ceil(Block::BITS).max(1);
        let mut item_of = vec![None; problem.item_count()];
        let mut item_count = 0;
        for item in problem.items().filter(|&item| problem.is_primary(item)) {
            item_of[item.index()] = Some(item_count);
            item_count += 1;
        }
        let mut by_item: Vec<Vec<u16>> = vec![Vec::new(); item_count];
        for option in problem.options() {
            for entry in problem.option(option) {
                if let Some(item) = item_of[entry.item.index()] {
                    by_item[item].push(option.index() as u16);
                }
            }
        }
        let (mut item_starts, mut words) = (vec![0], vec![0]);
        for options in &by_item {
            item_starts.push(item_starts[item_starts.len() - 1] + options.len() as u32);
            words.push(words[words.len() - 1] + options.len().div_ceil(64) as u32);
        }
        let (mut option_starts, mut places) = (vec![0], Vec::new());
        let mut ranks = vec![0_u32; item_count];
        for option in problem.options() {
            for entry in problem.option(option) {
                if let Some(item) = item_of[entry.item.index()] {
                    let rank = ranks[item];
                    ranks[item] += 1;
                    let word = words[item] + rank / 64;
                    places.push(OptionPlace { item: item as u16, word, bit: (rank % 64) as u8 });
                }
            }
            option_starts.push(places.len() as u32);
        }
        let mut own = vec![Block::ZERO; item_count * blocks];
        for (options, own) in by_item.iter().zip(own.chunks_exact_mut(blocks)) {
            options.iter().for_each(|&option| set(own, u32::from(option)));
        }
        let conflicts = conflicts(leaf, problem, blocks, pace)?;
        let options = by_item.concat();
        Ok(Self {
            blocks,
            option_count,
            item_count,
            conflicts,
            own,
            item_starts,
            options,
            words,
            option_starts,
            places,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.conflicts[..]) + size_of_val(&self.own[..])
    }

    pub(super) fn own(&self, item: usize) -> &[Block] {
        &self.own[item * self.blocks..][..self.blocks]
    }

    pub(super) fn options(&self, item: usize) -> &[u16] {
        &self.options[self.item_starts[item] as usize..self.item_starts[item + 1] as usize]
    }

    pub(super) fn words(&self, item: usize) -> std::ops::Range<usize> {
        self.words[item] as usize..self.words[item + 1] as usize
    }

    pub(super) fn word_count(&self) -> usize {
        self.words[self.item_count] as usize
    }

    pub(super) fn places(&self, option: usize) -> &[OptionPlace] {
        &self.places[self.option_starts[option] as usize..self.option_starts[option + 1] as usize]
    }

    pub(super) fn conflicts(&self, option: usize) -> &[Block] {
        &self.conflicts[option * self.blocks..][..self.blocks]
    }

    pub(super) fn are_compatible(&self, one: OptionId, other: OptionId) -> bool {
        let bit = other.index();
        self.conflicts(one.index())[bit / Block::BITS].0[bit % Block::BITS / 64] >> (bit % 64) & 1 == 0
    }
}

/// Builds the conflicts of each option, a set of `blocks` blocks per option: the other options that
/// share an item with it, unless both give the item the same color.
pub(crate) fn conflicts(
    leaf: Leaf,
    problem: &Problem,
    blocks: usize,
    pace: &mut Pace<'_>,
) -> Result<Vec<Block>, Limit> {
    let mut pairs = indexmap::IndexSet::new();
    let keys = problem.item_count() + problem.entry_count();
    let mut exclusions = Exclusions::default();
    exclusions.begin(keys, problem.item_count(), blocks);
    let pair_key = |pair: usize| problem.item_count() + pair;
    for option in problem.options() {
        for entry in problem.option(option) {
            pace.spend(4 * blocks as u64)?;
            exclusions.add(entry.item.index(), &[option.index() as u32]);
            if let Some(color) = entry.color {
                let pair = pairs.insert_full((entry.item, color)).0;
                exclusions.add(pair_key(pair), &[option.index() as u32]);
            }
        }
    }
    let mut conflicts = vec![Block::ONES; problem.option_count() * blocks];
    for (option, row) in problem.options().zip(conflicts.chunks_exact_mut(blocks)) {
        for entry in problem.option(option) {
            pace.spend(2 * blocks as u64)?;
            let pair = entry.color.and_then(|color| pairs.get_index_of(&(entry.item, color)));
            exclusions.exclude(leaf, row, entry.item.index(), pair.map(pair_key));
        }
        set(row, option.index() as u32);
        row.iter_mut().for_each(|block| *block = block.not());
    }
    Ok(conflicts)
}

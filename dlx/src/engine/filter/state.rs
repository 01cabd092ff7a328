//! The state of a node of the filtering engine, and its propagation.

use super::tables::{FilterTables, OptionPlace};
use crate::bits::{Block, Leaf, Vectors, Work};

/// Maximum number of live options of an item that is used for filtering.
const FILTER_MAX: usize = 64;

/// The live options of a node, in two forms. A chosen option stays alive and is the only live
/// option of each of its items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    alive: Vec<Block>,
    sets: Vec<u64>,
    /// In the layout of `sets`, the options of each item whose removal triggers a new check of the
    /// item. While all watched options remain, no option conflicts with all of them.
    watched: Vec<u64>,
    pub(super) sizes: Vec<u16>,
    /// The chosen or forced options whose conflicting options have been removed.
    settled: Vec<Block>,
}

impl State {
    pub(super) fn new(tables: &FilterTables) -> Self {
        let mut state = Self {
            alive: vec![Block::ZERO; tables.blocks],
            sets: vec![0; tables.word_count()],
            watched: vec![u64::MAX; tables.word_count()],
            sizes: vec![0; tables.item_count],
            settled: vec![Block::ZERO; tables.blocks],
        };
        for option in 0..tables.option_count {
            for &OptionPlace { item, bit, word } in tables.places(option) {
                crate::bits::set(&mut state.alive, option as u32);
                state.sets[word as usize] |= 1 << bit;
                state.sizes[usize::from(item)] += 1;
            }
        }
        state
    }

    pub(super) fn bytes(&self) -> usize {
        2 * (size_of_val(&self.alive[..]) + size_of_val(&self.sets[..])) + size_of_val(&self.sizes[..])
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.alive.copy_from_slice(&other.alive);
        self.sets.copy_from_slice(&other.sets);
        self.watched.copy_from_slice(&other.watched);
        self.sizes.copy_from_slice(&other.sizes);
        self.settled.copy_from_slice(&other.settled);
    }

    pub(super) fn is_alive(&self, option: usize) -> bool {
        has(&self.alive, option)
    }

    pub(super) fn options(&self) -> impl Iterator<Item = usize> {
        let words = self.alive.iter().flat_map(|block| block.0).enumerate();
        words.flat_map(|(word, bits)| ones(bits).map(move |bit| 64 * word + bit))
    }

    pub(super) fn first(&self, tables: &FilterTables, item: usize) -> usize {
        let words = tables.words(item);
        let place = words.clone().find(|&word| self.sets[word] != 0).expect("an option is alive");
        let rank = 64 * (place - words.start) + self.sets[place].trailing_zeros() as usize;
        usize::from(tables.options(item)[rank])
    }
}

fn has(set: &[Block], option: usize) -> bool {
    set[option / Block::BITS].0[option % Block::BITS / 64] >> (option % 64) & 1 == 1
}

fn ones(mut bits: u64) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(bit)
    })
}

#[derive(Clone, Debug, Default)]
pub(super) struct ItemQueue {
    items: Vec<u16>,
    is_queued: Vec<bool>,
}

impl ItemQueue {
    pub(super) fn new(tables: &FilterTables) -> Self {
        Self { items: Vec::with_capacity(tables.item_count), is_queued: vec![false; tables.item_count] }
    }

    #[inline(always)]
    fn push(&mut self, item: u16) {
        let is_queued = &mut self.is_queued[usize::from(item)];
        if !*is_queued {
            *is_queued = true;
            self.items.push(item);
        }
    }

    fn clear(&mut self) {
        for item in self.items.drain(..) {
            self.is_queued[usize::from(item)] = false;
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum StateChange {
    Begin,
    Choose(usize),
    Remove(usize),
}

/// Applies `step` and propagates it.
///
/// # Errors
/// An item that has no option left. After an error the state is unusable.
pub(super) fn narrow(
    leaf: Leaf,
    tables: &FilterTables,
    state: &mut State,
    queue: &mut ItemQueue,
    step: StateChange,
    updates: &mut u64,
) -> Result<(), usize> {
    leaf.run(Narrow { tables, state, queue, step, updates })
}

struct Narrow<'a> {
    tables: &'a FilterTables,
    state: &'a mut State,
    queue: &'a mut ItemQueue,
    step: StateChange,
    updates: &'a mut u64,
}

impl Work for Narrow<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> Result<(), usize> {
        match self.tables.blocks {
            1 => self.take::<V, 1>(vectors),
            2 => self.take::<V, 2>(vectors),
            3 => self.take::<V, 3>(vectors),
            4 => self.take::<V, 4>(vectors),
            _ => self.take::<V, MANY>(vectors),
        }
    }
}

const MANY: usize = 0;

impl Narrow<'_> {
    #[inline(always)]
    fn take<V: Vectors, const BLOCKS: usize>(mut self, vectors: V) -> Result<(), usize> {
        let begun = match self.step {
            StateChange::Begin => {
                let empty = self.state.sizes.iter().position(|&size| size == 0);
                (0..self.state.sizes.len() as u16).for_each(|item| self.queue.push(item));
                empty.map_or(Ok(()), Err)
            }
            StateChange::Choose(option) => self.settle::<V, BLOCKS>(vectors, option),
            StateChange::Remove(option) => {
                let mut empty = usize::MAX;
                self.remove(option, &mut empty);
                if empty == usize::MAX { Ok(()) } else { Err(empty) }
            }
        };
        let end = begun.and_then(|()| self.drain::<V, BLOCKS>(vectors));
        self.queue.clear();
        end
    }

    #[inline(always)]
    fn drain<V: Vectors, const BLOCKS: usize>(&mut self, vectors: V) -> Result<(), usize> {
        let mut next = 0;
        while let Some(&item) = self.queue.items.get(next) {
            next += 1;
            let item = usize::from(item);
            self.queue.is_queued[item] = false;
            if usize::from(self.state.sizes[item]) > FILTER_MAX {
                continue;
            }
            if self.state.sizes[item] == 1 {
                let option = self.state.first(self.tables, item);
                if !has(&self.state.settled, option) {
                    self.settle::<V, BLOCKS>(vectors, option)?;
                }
            } else {
                self.look::<V, BLOCKS>(vectors, item)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn settle<V: Vectors, const BLOCKS: usize>(
        &mut self,
        vectors: V,
        option: usize,
    ) -> Result<(), usize> {
        crate::bits::set(&mut self.state.settled, option as u32);
        self.filter::<V, BLOCKS>(vectors, None, std::iter::once(option as u16)).map(drop)
    }

    /// Removes the options that conflict with all live options of an item. If there are no such
    /// options, watches a subset of the item's options that proves this.
    #[inline(always)]
    fn look<V: Vectors, const BLOCKS: usize>(&mut self, vectors: V, item: usize) -> Result<(), usize> {
        let (words, options) = (self.tables.words(item), self.tables.options(item));
        if words.len() == 1 {
            let (set, watched) = (self.state.sets[words.start], self.state.watched[words.start]);
            let bits = || ones(set & watched).chain(ones(set & !watched));
            let used = self.filter::<V, BLOCKS>(vectors, Some(item), bits().map(|bit| options[bit]))?;
            let watched = bits().take(used.unwrap_or(0)).fold(0, |watched, bit| watched | 1 << bit);
            self.state.watched[words.start] = if used.is_some() { watched } else { u64::MAX };
            return Ok(());
        }
        let (mut list, mut len) = ([0; FILTER_MAX], 0);
        for is_watched in [true, false] {
            for (index, word) in words.clone().enumerate() {
                let (set, watched) = (self.state.sets[word], self.state.watched[word]);
                for bit in ones(set & if is_watched { watched } else { !watched }) {
                    list[len % FILTER_MAX] = (64 * index + bit) as u16;
                    len += 1;
                }
            }
        }
        let places = list[..len].iter().map(|&place| usize::from(place));
        let list = places.clone().map(|place| options[place]);
        let used = self.filter::<V, BLOCKS>(vectors, Some(item), list)?;
        self.state.watched[words.clone()].fill(if used.is_some() { 0 } else { u64::MAX });
        for place in places.take(used.unwrap_or(0)) {
            self.state.watched[words.start + place / 64] |= 1 << (place % 64);
        }
        Ok(())
    }

    /// Removes the options that conflict with all options of `list`, which are all live options of
    /// `item` or a single chosen option. If no option was removed, returns the length of a prefix
    /// of `list` that proves this.
    #[inline(always)]
    fn filter<V: Vectors, const BLOCKS: usize>(
        &mut self,
        vectors: V,
        item: Option<usize>,
        list: impl Iterator<Item = u16> + Clone,
    ) -> Result<Option<usize>, usize> {
        let is_zero = |vector| !vectors.equal(vector, 0) << (64 - V::LANES) == 0;
        let mut empty = usize::MAX;
        let (mut most, mut is_some) = (0, false);
        if BLOCKS == MANY {
            let blocks = self.tables.blocks;
            for block in 0..blocks {
                let mut removed = vectors.load(&self.state.alive[block]);
                // Exclude the item's own options, which conflict with each other and would remove
                // each other.
                if let Some(item) = item {
                    removed = vectors.without(removed, vectors.load(&self.tables.own(item)[block]));
                }
                let mut used = 0;
                for option in list.clone() {
                    if is_zero(removed) {
                        break;
                    }
                    let conflicts = &self.tables.conflicts[usize::from(option) * blocks + block];
                    removed = vectors.and(removed, vectors.load(conflicts));
                    used += 1;
                }
                *self.updates += used as u64;
                most = most.max(used);
                if !is_zero(removed) {
                    is_some = true;
                    self.remove_all(vectors, block, removed, &mut empty);
                }
            }
        } else {
            let alive: &[Block; BLOCKS] = self.state.alive.first_chunk().expect("a block for each");
            // A loop, because the closure of `map` would call a function for each load (see `each`
            // in `bits/vectors.rs`).
            let mut removed = [vectors.load(&alive[0]); BLOCKS];
            for (removed, block) in removed.iter_mut().zip(alive) {
                *removed = vectors.load(block);
            }
            if let Some(item) = item {
                for (removed, own) in removed.iter_mut().zip(self.tables.own(item)) {
                    *removed = vectors.without(*removed, vectors.load(own));
                }
            }
            let (conflicts, _) = self.tables.conflicts.as_chunks::<BLOCKS>();
            is_some = true;
            for option in list {
                for (removed, block) in removed.iter_mut().zip(&conflicts[usize::from(option)]) {
                    *removed = vectors.and(*removed, vectors.load(block));
                }
                most += 1;
                if removed.iter().all(|&removed| is_zero(removed)) {
                    is_some = false;
                    break;
                }
            }
            *self.updates += (most * BLOCKS) as u64;
            if is_some {
                for (block, removed) in removed.into_iter().enumerate() {
                    self.remove_all(vectors, block, removed, &mut empty);
                }
            }
        }
        if empty == usize::MAX { Ok((!is_some).then_some(most)) } else { Err(empty) }
    }

    /// Removes the options in `removed`, which is the block with index `block` of a set.
    #[inline(always)]
    fn remove_all<V: Vectors>(
        &mut self,
        vectors: V,
        block: usize,
        removed: V::Vector,
        empty: &mut usize,
    ) {
        let mut left = !vectors.equal(removed, 0) & u64::MAX >> (64 - V::LANES);
        if left == 0 {
            return;
        }
        let mut bits = Block::ZERO;
        vectors.store(removed, &mut bits);
        while left != 0 {
            let word = left.trailing_zeros() as usize;
            left &= left - 1;
            for bit in ones(bits.0[word % 8]) {
                self.remove(Block::BITS * block + 64 * word + bit, empty);
            }
        }
    }

    /// Removes an option. Lowers `empty` to the first item that loses its last option.
    #[inline(always)]
    fn remove(&mut self, option: usize, empty: &mut usize) {
        crate::bits::clear(&mut self.state.alive, option as u32);
        for &OptionPlace { item, bit, word } in self.tables.places(option) {
            self.state.sets[word as usize] &= !(1 << bit);
            let size = &mut self.state.sizes[usize::from(item)];
            *size -= 1;
            if *size == 0 {
                *empty = (*empty).min(usize::from(item));
            }
            if self.state.watched[word as usize] >> bit & 1 == 1 {
                self.queue.push(item);
            }
        }
    }
}

/// Returns the item with the smallest product of option count and rank among the items with several
/// options, or `None` if there is no such item.
pub(super) fn least(leaf: Leaf, state: &State, ranks: &[f32]) -> Option<usize> {
    leaf.run(Least { sizes: &state.sizes, ranks })
}

struct Least<'a> {
    sizes: &'a [u16],
    ranks: &'a [f32],
}

const CHUNK: usize = 16;

impl Work for Least<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<V: Vectors>(self, _: V) -> Option<usize> {
        let score =
            |size: u16, rank: f32| if size > 1 { f32::from(size) * rank } else { f32::INFINITY };
        let (sizes, rest) = self.sizes.as_chunks::<CHUNK>();
        let (ranks, rest_ranks) = self.ranks.as_chunks::<CHUNK>();
        let mut lanes = [f32::INFINITY; CHUNK];
        for (sizes, ranks) in sizes.iter().zip(ranks) {
            for lane in 0..CHUNK {
                let score = score(sizes[lane], ranks[lane]);
                lanes[lane] = if score < lanes[lane] { score } else { lanes[lane] };
            }
        }
        let scores = rest.iter().zip(rest_ranks).map(|(&size, &rank)| score(size, rank));
        let least = lanes.into_iter().chain(scores).fold(f32::INFINITY, f32::min);
        if least == f32::INFINITY {
            return None;
        }
        self.sizes.iter().zip(self.ranks).position(|(&size, &rank)| score(size, rank) == least)
    }
}

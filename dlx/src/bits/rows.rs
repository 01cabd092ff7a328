//! Construction of rows. Options with a common key (such as an item) share a mask of the bits that
//! the key removes from a live set.

use super::{Block, Leaf, Vectors, Work, set};

/// For each key (such as an item), a mask of the bits of all options with this key. The mask of a
/// key is created when its first bit is added.
#[derive(Debug, Default)]
pub(crate) struct Exclusions {
    blocks: usize,
    /// For each key, the index of its mask, counted from 1, or 0 for no mask.
    places: Vec<u32>,
    used: Vec<u32>,
    masks: Vec<Block>,
}

impl Exclusions {
    /// Discards all masks, and prepares for `keys` keys, with masks for about `expected` of them.
    pub(crate) fn begin(&mut self, keys: usize, expected: usize, blocks: usize) {
        for key in self.used.drain(..) {
            self.places[key as usize] = 0;
        }
        self.blocks = blocks;
        self.places.resize(keys, 0);
        self.masks.clear();
        self.masks.reserve(expected * blocks);
    }

    pub(crate) fn has(&self, key: usize) -> bool {
        self.places[key] != 0
    }

    pub(crate) fn add(&mut self, key: usize, bits: &[u32]) {
        if self.places[key] == 0 {
            self.masks.resize(self.masks.len() + self.blocks, Block::ZERO);
            self.places[key] = (self.masks.len() / self.blocks) as u32;
            self.used.push(key as u32);
        }
        let start = (self.places[key] as usize - 1) * self.blocks;
        let mask = &mut self.masks[start..][..self.blocks];
        bits.iter().for_each(|&bit| set(mask, bit));
    }

    pub(crate) fn mask(&self, key: usize) -> &[Block] {
        &self.masks[(self.places[key] as usize - 1) * self.blocks..][..self.blocks]
    }

    pub(crate) fn exclude(&self, leaf: Leaf, row: &mut [Block], key: usize, allowed: Option<usize>) {
        let allowed = allowed.map_or(&[][..], |key| self.mask(key));
        leaf.run(Exclude { row, excluded: self.mask(key), allowed });
    }
}

/// Clears the bits of `excluded` that are not in `allowed`, or all of them if `allowed` is empty.
/// Uses vectors because a loop over words compiles to slower gathers.
struct Exclude<'a> {
    row: &'a mut [Block],
    excluded: &'a [Block],
    allowed: &'a [Block],
}

impl Work for Exclude<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) {
        let Self { row, excluded, allowed } = self;
        if allowed.is_empty() {
            for (block, excluded) in row.iter_mut().zip(excluded) {
                let left = vectors.without(vectors.load(block), vectors.load(excluded));
                vectors.store(left, block);
            }
            return;
        }
        for (block, (excluded, allowed)) in row.iter_mut().zip(excluded.iter().zip(allowed)) {
            let excluded = vectors.without(vectors.load(excluded), vectors.load(allowed));
            vectors.store(vectors.without(vectors.load(block), excluded), block);
        }
    }
}

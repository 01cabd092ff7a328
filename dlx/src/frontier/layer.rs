//! The states at a step: keys with their numbers, found by hashing, each key once.
//!
//! Keys and numbers lie densely in the order in which they came, so that going through them is fast and
//! nothing is wasted. The index uses open addressing, with slots of 32 bits, and is at most half full. Keys are
//! compared in full.
//!
//! Tried and dropped: one table with a key and its number in each slot, five of eight taken. A state that is met again takes
//! one access to memory instead of three, but the table is twice as large; both take as long (free pentominoes on 8x10 and
//! 10x10).

use super::layout::Key;
use crate::numbers::limbs;

/// A slot of the index without an entry.
const EMPTY: u32 = u32::MAX;
/// The slots of the smallest index.
const SLOTS_MIN: usize = 16;

/// States with the numbers of ways to reach them.
#[derive(Debug)]
pub(super) struct Layer<const K: usize> {
    keys: Vec<Key<K>>,
    /// The number of each key; all have as many limbs.
    counts: Vec<u64>,
    /// Places of keys, by hash.
    index: Vec<u32>,
    /// The shift that makes a hash a slot.
    shift: u32,
}

impl<const K: usize> Default for Layer<K> {
    fn default() -> Self {
        Self { keys: Vec::new(), counts: Vec::new(), index: Vec::new(), shift: 0 }
    }
}

/// Spreads a key over 64 bits.
#[inline(always)]
pub(super) fn hash<const K: usize>(key: &Key<K>) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    key.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, word| {
        fold(hash ^ word, 0xd6e8_feb8_6659_fd93) ^ hash.rotate_left(23)
    })
}

impl<const K: usize> Layer<K> {
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Tells whether it has no memory yet.
    pub(super) fn is_bare(&self) -> bool {
        self.keys.capacity() == 0
    }

    pub(super) fn key(&self, place: usize) -> &Key<K> {
        &self.keys[place]
    }

    /// Returns the number of the key at `place`, of `limbs` limbs.
    #[inline(always)]
    pub(super) fn count(&self, place: usize, limbs: usize) -> &[u64] {
        &self.counts[place * limbs..(place + 1) * limbs]
    }

    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Key<K>>() * self.keys.capacity()
            + 8 * self.counts.capacity()
            + 4 * self.index.capacity()
    }

    /// Forgets the states, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.counts.clear();
        // A small index fits into the cache, so it grows anew.
        self.index.clear();
    }

    /// Returns the slot at which the search for a key begins.
    #[inline(always)]
    pub(super) fn slot(&self, hash: u64) -> usize {
        if self.index.is_empty() { 0 } else { (hash >> self.shift) as usize }
    }

    /// Returns the place that is first to be compared with a key of that slot, if there is one.
    #[inline(always)]
    pub(super) fn first_at(&self, slot: usize) -> Option<usize> {
        self.index.get(slot).filter(|&&place| place != EMPTY).map(|&place| place as usize)
    }

    /// Adds `weight` times a number to that of the key at `place`.
    #[inline(always)]
    pub(super) fn add_at(&mut self, place: usize, count: &[u64], weight: u64, modulus: u64) {
        let width = count.len();
        limbs::add(&mut self.counts[place * width..(place + 1) * width], count, weight, modulus);
    }

    /// Adds `weight` times a number to that of a key with that hash, which is new if it was not there.
    pub(super) fn add(&mut self, hash: u64, key: &Key<K>, count: &[u64], weight: u64, modulus: u64) {
        if self.keys.len() * 2 >= self.index.len() {
            self.grow();
        }
        let mask = self.index.len() - 1;
        let mut slot = self.slot(hash);
        while let Some(place) = self.first_at(slot) {
            if self.keys[place] == *key {
                return self.add_at(place, count, weight, modulus);
            }
            slot = (slot + 1) & mask;
        }
        let place = self.keys.len();
        assert!(place < EMPTY as usize, "a layer has fewer states than an index of 32 bits");
        self.index[slot] = place as u32;
        self.keys.push(*key);
        self.counts.resize(self.counts.len() + count.len(), 0);
        self.add_at(place, count, weight, modulus);
    }

    /// Adds a state that is new, and that nobody will look for: it is only gone through. Its number has as many limbs as
    /// it needs, of `limbs`.
    pub(super) fn push(&mut self, key: &Key<K>, count: &[u64], limbs: usize) {
        self.keys.push(*key);
        self.counts.extend_from_slice(count);
        self.counts.resize(self.keys.len() * limbs, 0);
    }

    /// Gives back the memory of the index: nobody will look for a state any more.
    pub(super) fn forget_index(&mut self) {
        self.index = Vec::new();
    }

    /// Makes the index twice as large.
    #[cold]
    fn grow(&mut self) {
        let size = (self.index.len() * 2).max(SLOTS_MIN);
        self.index.clear();
        self.index.resize(size, EMPTY);
        self.shift = u64::BITS - size.trailing_zeros();
        for (place, key) in self.keys.iter().enumerate() {
            let mut slot = (hash(key) >> self.shift) as usize;
            while self.index[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.index[slot] = place as u32;
        }
    }

    /// Gives each number a limb more.
    pub(super) fn widen(&mut self, limbs: usize) {
        limbs::widen(&mut self.counts, limbs);
    }
}

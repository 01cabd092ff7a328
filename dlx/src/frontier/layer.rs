//! The states of one step of a frontier: a hash map from keys to counts.
//!
//! Keys and counts are stored densely in order of insertion, for fast iteration and little memory.
//! The index uses open addressing with 32-bit slots and is at most half full.
//!
//! Tried and dropped: one table with key and count in each slot, which had fewer cache misses but
//! needed twice the memory and was no faster.

use super::layout::Key;
use crate::numbers::{hash, limbs};

const EMPTY: u32 = u32::MAX;
const SLOTS_MIN: usize = 16;

#[derive(Debug)]
pub(super) struct Layer<const K: usize> {
    keys: Vec<Key<K>>,
    counts: Vec<u64>,
    index: Vec<u32>,
    shift: u32,
}

impl<const K: usize> Default for Layer<K> {
    fn default() -> Self {
        Self { keys: Vec::new(), counts: Vec::new(), index: Vec::new(), shift: 0 }
    }
}

impl<const K: usize> Layer<K> {
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn is_bare(&self) -> bool {
        self.keys.capacity() == 0
    }

    pub(super) fn key(&self, place: usize) -> &Key<K> {
        &self.keys[place]
    }

    #[inline(always)]
    pub(super) fn count(&self, place: usize, limbs: usize) -> &[u64] {
        &self.counts[place * limbs..(place + 1) * limbs]
    }

    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Key<K>>() * self.keys.capacity()
            + 8 * self.counts.capacity()
            + 4 * self.index.capacity()
    }

    /// Removes the states, but keeps the allocated memory of keys and counts.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.counts.clear();
        // The index restarts at its smallest size, because a small index fits in the cache.
        self.index.clear();
    }

    #[inline(always)]
    pub(super) fn slot(&self, hash: u64) -> usize {
        if self.index.is_empty() { 0 } else { (hash >> self.shift) as usize }
    }

    #[inline(always)]
    pub(super) fn first_at(&self, slot: usize) -> Option<usize> {
        self.index.get(slot).filter(|&&place| place != EMPTY).map(|&place| place as usize)
    }

    #[inline(always)]
    pub(super) fn add_at(&mut self, place: usize, count: &[u64], weight: u64, modulus: u64) {
        let width = count.len();
        limbs::add(&mut self.counts[place * width..(place + 1) * width], count, weight, modulus);
    }

    /// Adds `weight` * `count` to the count of `key`, inserting the key if it is new.
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

    /// Appends a new state without an index entry, so that it can be iterated over but not looked
    /// up. `count` may have fewer than `limbs` limbs.
    pub(super) fn push(&mut self, key: &Key<K>, count: &[u64], limbs: usize) {
        self.keys.push(*key);
        self.counts.extend_from_slice(count);
        self.counts.resize(self.keys.len() * limbs, 0);
    }

    /// Frees the index. Without an index, states can be iterated over, but not looked up.
    pub(super) fn forget_index(&mut self) {
        self.index = Vec::new();
    }

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

    pub(super) fn widen(&mut self, limbs: usize) {
        limbs::widen(&mut self.counts, limbs);
    }
}

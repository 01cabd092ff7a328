//! A hash table whose keys are sequences of words of any length.
//!
//! Keys and values are stored consecutively in insertion order, without separate allocations, so
//! freeing millions of them is fast. The index uses open addressing and is at most half full. Each
//! slot has some bits of the hash, so other keys are rarely compared. Keys are compared in full.

use super::form::mix;

const EMPTY: Slot = Slot { place: u32::MAX, tag: 0 };
const SLOTS_MIN: usize = 16;

/// Memory of an entry with a count, in addition to its words and including its share of the index
/// (bytes).
pub(super) const BYTES_PER_ENTRY: usize = 80;

#[derive(Debug)]
pub(super) struct WordTable<V> {
    words: Vec<u64>,
    entries: Vec<Entry<V>>,
    index: Vec<Slot>,
}

/// A value, and the end of its key in `words`. The key starts at the end of the previous key.
#[derive(Debug)]
struct Entry<V> {
    end: usize,
    value: V,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    place: u32,
    tag: u32,
}

impl<V> Default for WordTable<V> {
    fn default() -> Self {
        Self { words: Vec::new(), entries: Vec::new(), index: Vec::new() }
    }
}

impl<V> WordTable<V> {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn get(&self, key: &[u64]) -> Option<&V> {
        self.find(hash(key), key).ok().map(|place| &self.entries[place].value)
    }

    /// Returns the value of `key` and whether it is new; inserts `new()` if the key is missing.
    pub(super) fn enter(&mut self, key: &[u64], new: impl FnOnce() -> V) -> (&mut V, bool) {
        if self.entries.len() * 2 >= self.index.len() {
            self.grow();
        }
        let hash = hash(key);
        let (place, is_new) = match self.find(hash, key) {
            Ok(place) => (place, false),
            Err(slot) => {
                let place = self.entries.len();
                let tag = tag(hash);
                let number = u32::try_from(place).expect("fewer keys than memory has room for");
                self.index[slot] = Slot { place: number, tag };
                self.words.extend_from_slice(key);
                self.entries.push(Entry { end: self.words.len(), value: new() });
                (place, true)
            }
        };
        (&mut self.entries[place].value, is_new)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u64], &V)> {
        (0..).zip(&self.entries).map(|(place, entry)| (self.key(place), &entry.value))
    }

    fn key(&self, place: usize) -> &[u64] {
        let start = place.checked_sub(1).map_or(0, |before| self.entries[before].end);
        &self.words[start..self.entries[place].end]
    }

    fn find(&self, hash: u64, key: &[u64]) -> Result<usize, usize> {
        let Some(mask) = self.index.len().checked_sub(1) else { return Err(0) };
        let mut slot = hash as usize & mask;
        loop {
            let found = self.index[slot];
            if found == EMPTY {
                return Err(slot);
            }
            if found.tag == tag(hash) && self.key(found.place as usize) == key {
                return Ok(found.place as usize);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mask = (self.index.len() * 2).max(SLOTS_MIN) - 1;
        let mut index = vec![EMPTY; mask + 1];
        for place in 0..self.entries.len() {
            let hash = hash(self.key(place));
            let mut slot = hash as usize & mask;
            while index[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            index[slot] = Slot { place: place as u32, tag: tag(hash) };
        }
        self.index = index;
    }
}

/// Returns bits of a hash that select neither the shard nor, except in the largest tables, the
/// slot.
fn tag(hash: u64) -> u32 {
    (hash >> 26) as u32
}

/// Returns the hash of a key. It differs from the hash of `numbers`, because the owner of a key in
/// an exchange depends on it (`spread.rs`).
pub(super) fn hash(key: &[u64]) -> u64 {
    let combine =
        |hash: u64, &word: &u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mix(key.iter().fold(0, combine))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::numbers::Random;

    #[test]
    fn a_word_table_agrees_with_a_standard_map() {
        let mut random = Random::new(27);
        let mut table = WordTable::default();
        let mut map: HashMap<Vec<u64>, u64> = HashMap::new();
        assert!(table.get(&[]).is_none());
        for round in 0..20_000 {
            let key: Vec<u64> = (0..random.below(6)).map(|_| random.below(7) as u64).collect();
            assert_eq!(table.get(&key), map.get(&key));
            let is_known = map.contains_key(&key);
            let (value, is_new) = table.enter(&key, || round);
            assert_eq!(is_new, !is_known);
            let known = map.entry(key).or_insert(round);
            assert_eq!(value, known);
            *value += round;
            *known += round;
            assert_eq!(table.len(), map.len());
        }
        assert!(map.len() > 2000);
        assert_eq!(table.iter().count(), map.len());
        assert!(table.iter().all(|(key, value)| map[key] == *value));
    }
}

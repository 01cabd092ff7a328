//! States of a frontier count that were set aside to save memory. The states are divided into parts
//! by hash, and the parts are resumed one part at a time.

use super::layer::Layer;
use super::layout::Key;
use crate::numbers::hash;

const PARTS: u64 = 16;

/// The states set aside at one time, by part and then by step.
#[derive(Debug)]
pub(super) struct Aside<const K: usize> {
    limbs: usize,
    /// The right shift that maps the hash of a state to its part. Nested divisions use different
    /// bits of the hash, and hash tables use others again.
    shift: usize,
    parts: Vec<Vec<StatesAside<K>>>,
}

#[derive(Debug)]
struct StatesAside<const K: usize> {
    step: usize,
    keys: Vec<Key<K>>,
    counts: Vec<u64>,
}

impl<const K: usize> Aside<K> {
    /// Creates an empty division at nesting depth `depth`; each count of covers has `limbs` 64-bit
    /// limbs.
    pub(super) fn new(limbs: usize, depth: usize) -> Self {
        Self { limbs, shift: 4 * depth % 32, parts: (0..PARTS).map(|_| Vec::new()).collect() }
    }

    pub(super) fn limbs(&self) -> usize {
        self.limbs
    }

    pub(super) fn parts_left(&self) -> usize {
        self.parts.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let of = |states: &StatesAside<K>| {
            size_of::<Key<K>>() * states.keys.capacity() + 8 * states.counts.capacity()
        };
        self.parts.iter().flatten().map(of).sum()
    }

    pub(super) fn put(&mut self, step: usize, layer: &Layer<K>, first: usize) {
        for place in first..layer.len() {
            let key = layer.key(place);
            let part = &mut self.parts[(hash(key) >> self.shift & (PARTS - 1)) as usize];
            if part.last().is_none_or(|states| states.step != step) {
                part.push(StatesAside { step, keys: Vec::new(), counts: Vec::new() });
            }
            let states = part.last_mut().expect("one was pushed");
            states.keys.push(*key);
            states.counts.extend_from_slice(layer.count(place, self.limbs));
        }
    }

    /// Removes the next part, calls `add` for each of its states, and returns the first step of
    /// these states, or `None` if no part is left.
    pub(super) fn take(&mut self, mut add: impl FnMut(usize, &Key<K>, &[u64])) -> Option<usize> {
        loop {
            let part = self.parts.pop()?;
            let first = part.iter().map(|states| states.step).min();
            for StatesAside { step, keys, counts } in part {
                for (key, count) in keys.iter().zip(counts.chunks_exact(self.limbs)) {
                    add(step, key, count);
                }
            }
            if first.is_some() {
                return first;
            }
        }
    }
}

//! States set aside for lack of memory, to be resumed part by part.

use super::layer::{Layer, hash};
use super::layout::Key;

/// Number of parts of a division.
const PARTS: u64 = 16;

/// The states held at some moment, by part and step.
#[derive(Debug)]
pub(super) struct Aside<const K: usize> {
    limbs: usize,
    /// The right shift that maps a hash to a part; earlier divisions and slots use other bits.
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
    /// Starts a division at nesting depth `depth`, for numbers of `limbs` limbs.
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

    /// Adds the states of a layer, starting with index `first`.
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

    /// Calls `add` for each state of the next part, and returns their first step; `None` if no part
    /// is left.
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

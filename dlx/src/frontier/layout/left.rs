//! The options left at a step of a frontier, which determine the completions of a state.
//!
//! An option of this step or a later one is *left* in a state if it conflicts with no field of the
//! state. States with the same options left have the same completions. So the bit of a secondary
//! item is set if it conflicts with no option left; this merges states that differ only in such
//! bits. A state has no completion if an item must be covered and no option left covers it.
//!
//! The options left are computed from the bits of the state, 64 options at a time.

use super::{Key, Layout, conflicts_by_bit, mask};

/// Maximum number of options in the table of a step.
pub(super) const OPTIONS_MAX: usize = 1024;
const WORDS: usize = OPTIONS_MAX / 64;

#[derive(Debug)]
pub(super) struct OptionsLeft<const K: usize> {
    /// The key bits that can conflict with options: fields of items covered exactly once, and of
    /// secondary items.
    bits: Key<K>,
    secondary: Key<K>,
    count: usize,
    /// For each bit of `bits`, in ascending order, the options in conflict with it, 64 per word.
    conflicts: Vec<u64>,
}

impl<const K: usize> OptionsLeft<K> {
    /// Builds the table for options with these conflict bits. Returns `None` for no options or more
    /// than [`OPTIONS_MAX`].
    pub(super) fn new(bits: Key<K>, secondary: Key<K>, options: &[Key<K>]) -> Option<Self> {
        let count = options.len();
        if count == 0 || count > OPTIONS_MAX {
            return None;
        }
        let conflicts = conflicts_by_bit(&bits, options.iter());
        Some(Self { bits, secondary, count, conflicts })
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.conflicts.len()
    }

    fn size(&self) -> usize {
        self.conflicts.len()
    }

    /// Sets the bits of secondary items that conflict with no option left. Returns `None` if an
    /// item that must be covered has no option left.
    #[inline]
    fn narrow(&self, key: &Key<K>) -> Option<Key<K>> {
        match self.count.div_ceil(64) {
            1 => self.narrow_by::<1>(key),
            2 => self.narrow_by::<2>(key),
            3..=4 => self.narrow_by::<4>(key),
            5..=8 => self.narrow_by::<8>(key),
            _ => self.narrow_by::<WORDS>(key),
        }
    }

    fn narrow_by<const W: usize>(&self, key: &Key<K>) -> Option<Key<K>> {
        let words = self.count.div_ceil(64);
        let mut left = [0; W];
        for (word, left) in left[..words].iter_mut().enumerate() {
            *left = mask((self.count - 64 * word).min(64));
        }
        let mut narrowed = *key;
        let mut before = 0;
        for (&bits, &key) in self.bits.iter().zip(key) {
            let mut hits = key & bits;
            while hits != 0 {
                let lowest = hits & hits.wrapping_neg();
                let start = words * (before + (bits & (lowest - 1)).count_ones() as usize);
                let conflicts = &self.conflicts[start..start + words];
                left.iter_mut().zip(conflicts).for_each(|(left, conflicts)| *left &= !conflicts);
                hits ^= lowest;
            }
            before += bits.count_ones() as usize;
        }
        before = 0;
        for word in 0..K {
            let bits = self.bits[word];
            let mut clear = bits & !key[word];
            while clear != 0 {
                let lowest = clear & clear.wrapping_neg();
                let start = words * (before + (bits & (lowest - 1)).count_ones() as usize);
                let conflicts = &self.conflicts[start..start + words];
                if left.iter().zip(conflicts).all(|(left, conflicts)| left & conflicts == 0) {
                    if self.secondary[word] & lowest == 0 {
                        return None;
                    }
                    narrowed[word] |= lowest;
                }
                clear ^= lowest;
            }
            before += bits.count_ones() as usize;
        }
        Some(narrowed)
    }
}

impl<const K: usize> Layout<K> {
    /// Returns the number of table words that [`narrow`](Self::narrow) reads at a step; 0 without a
    /// table.
    #[inline]
    pub(crate) fn narrow_size(&self, step: usize) -> usize {
        self.left.get(step).and_then(Option::as_ref).map_or(0, OptionsLeft::size)
    }

    /// Returns the state with the most bits among the states with the same options left, or `None`
    /// if an item that must be covered has no option left.
    #[inline]
    pub(crate) fn narrow(&self, step: usize, key: &Key<K>) -> Option<Key<K>> {
        self.left[step].as_ref().map_or(Some(*key), |left| left.narrow(key))
    }
}

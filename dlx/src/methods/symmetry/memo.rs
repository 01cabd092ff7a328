//! Numbers by key, in bounded memory.
//!
//! Keys are words, compared in full; the hash only finds their place. There are two generations: when
//! the young one has half of the bytes it becomes the old one, and the old one before is forgotten.
//! What is forgotten is counted again, so a small memory costs time and never changes a number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::number::CoverCount;

/// The bytes of an entry beside its words: its place in the table, a third of it empty, and the
/// allocator's share.
const BYTES_PER_ENTRY: usize = 96;

type MemoTable = HashMap<Box<[u64]>, CoverCount, BuildHasherDefault<Fold>>;

#[derive(Debug, Default)]
pub(super) struct Memo {
    young: MemoTable,
    old: MemoTable,
    /// The bytes of the young entries.
    bytes: usize,
}

impl Memo {
    pub(super) fn get(&self, key: &[u64]) -> Option<&CoverCount> {
        self.young.get(key).or_else(|| self.old.get(key))
    }

    /// Remembers the number of a key, within a limit for the bytes of all.
    pub(super) fn insert(&mut self, key: Box<[u64]>, number: CoverCount, bytes: usize) {
        let size = BYTES_PER_ENTRY + key.len() * 8 + number.heap_bytes();
        if self.bytes + size > bytes / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        if size <= bytes / 2 {
            self.bytes += size;
            self.young.insert(key, number);
        }
    }

    /// Returns roughly the bytes in use.
    pub(super) fn bytes(&self) -> usize {
        if self.old.is_empty() { self.bytes } else { 2 * self.bytes }
    }

    /// Returns the number of keys that are remembered.
    pub(super) fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

/// Hashes the words of a key: rotate, combine, multiply.
#[derive(Debug, Default)]
struct Fold(u64);

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        super::form::mix(self.0)
    }
}

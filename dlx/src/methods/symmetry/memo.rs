//! Numbers by key, in bounded memory, for several threads.
//!
//! Keys are words, compared in full; the hash only finds their place. They are spread over shards, each behind a lock
//! of its own, which is held for a look: the making of a key takes a hundred times as long. There are two generations:
//! when the young one has half of the bytes it becomes the old one, and the old one before is forgotten.
//! What is forgotten is counted again, so a small memory costs time and never changes a number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use super::number::CoverCount;
use crate::parallel::Sharded;

/// The bytes of an entry beside its words: its place in the table, a third of it empty, and the
/// allocator's share.
const BYTES_PER_ENTRY: usize = 96;

type MemoTable = HashMap<Box<[u64]>, CoverCount, BuildHasherDefault<Fold>>;

#[derive(Debug)]
pub(super) struct Memo {
    shards: Sharded<Generations>,
    /// The bytes of the young entries, of the old ones, and of all that there may be.
    young: AtomicUsize,
    old: AtomicUsize,
    bytes_max: AtomicUsize,
}

#[derive(Debug, Default)]
struct Generations {
    young: MemoTable,
    old: MemoTable,
}

impl Default for Memo {
    /// Makes a memo that may keep nothing yet.
    fn default() -> Self {
        Self {
            shards: Sharded::new(Generations::default),
            young: AtomicUsize::new(0),
            old: AtomicUsize::new(0),
            bytes_max: AtomicUsize::new(0),
        }
    }
}

impl Memo {
    /// Sets how many bytes all entries may take.
    pub(super) fn limit(&self, bytes: usize) {
        self.bytes_max.store(bytes, Relaxed);
    }

    pub(super) fn get(&self, key: &[u64]) -> Option<CoverCount> {
        let shard = self.shards.at(hash(key));
        shard.young.get(key).or_else(|| shard.old.get(key)).cloned()
    }

    /// Remembers the number of a key, if it has room.
    pub(super) fn insert(&self, key: Box<[u64]>, number: CoverCount) {
        let size = BYTES_PER_ENTRY + key.len() * 8 + number.heap_bytes();
        let half = self.bytes_max.load(Relaxed) / 2;
        if self.young.load(Relaxed) + size > half {
            self.forget();
        }
        if size <= half && self.shards.at(hash(&key)).young.insert(key, number).is_none() {
            self.young.fetch_add(size, Relaxed);
        }
    }

    /// Makes the young entries old. If two threads do so at once, more is forgotten.
    fn forget(&self) {
        self.old.store(self.young.swap(0, Relaxed), Relaxed);
        for mut shard in self.shards.each() {
            shard.old = std::mem::take(&mut shard.young);
        }
    }

    /// Returns roughly the bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.young.load(Relaxed) + self.old.load(Relaxed)
    }

    /// Returns the number of keys that are remembered.
    pub(super) fn len(&self) -> usize {
        self.shards.each().map(|shard| shard.young.len() + shard.old.len()).sum()
    }
}

/// Hashes the words of a key: rotate, combine, multiply.
#[derive(Debug, Default)]
pub(super) struct Fold(u64);

pub(super) fn hash(key: &[u64]) -> u64 {
    let mut fold = Fold::default();
    key.iter().for_each(|&word| fold.write_u64(word));
    fold.finish()
}

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

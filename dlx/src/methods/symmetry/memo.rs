//! A concurrent memo of counts with bounded memory.
//!
//! Keys are compared in full. The entries are distributed over shards, each with its own lock. The
//! entries form two generations: when the young generation reaches half of the memory limit, it
//! becomes the old one, and the previous old generation is dropped. A dropped count is computed
//! again, so the memory limit never changes a result.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use super::number::CoverCount;
use super::word_table::{BYTES_PER_ENTRY, WordTable, hash};
use crate::parallel::Sharded;

#[derive(Debug)]
pub(super) struct Memo {
    shards: Sharded<Generations>,
    young: AtomicUsize,
    old: AtomicUsize,
    bytes_max: AtomicUsize,
}

#[derive(Debug, Default)]
struct Generations {
    young: WordTable<CoverCount>,
    old: WordTable<CoverCount>,
}

impl Default for Memo {
    /// Creates a memo with a memory limit of 0.
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
    pub(super) fn limit(&self, bytes: usize) {
        self.bytes_max.store(bytes, Relaxed);
    }

    pub(super) fn get(&self, key: &[u64]) -> Option<CoverCount> {
        let shard = self.shards.at(hash(key));
        shard.young.get(key).or_else(|| shard.old.get(key)).cloned()
    }

    pub(super) fn insert(&self, key: &[u64], number: CoverCount) {
        let size = BYTES_PER_ENTRY + key.len() * 8 + number.heap_bytes();
        let half = self.bytes_max.load(Relaxed) / 2;
        if self.young.load(Relaxed) + size > half {
            self.forget();
        }
        if size <= half && self.shards.at(hash(key)).young.enter(key, || number).1 {
            self.young.fetch_add(size, Relaxed);
        }
    }

    /// Makes the young entries old. Two threads that do this at the same time drop more entries.
    fn forget(&self) {
        self.old.store(self.young.swap(0, Relaxed), Relaxed);
        for mut shard in self.shards.each() {
            shard.old = std::mem::take(&mut shard.young);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.young.load(Relaxed) + self.old.load(Relaxed)
    }

    pub(super) fn len(&self) -> usize {
        self.shards.each().map(|shard| shard.young.len() + shard.old.len()).sum()
    }
}

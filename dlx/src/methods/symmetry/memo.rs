//! Numbers by key, in bounded memory, for several threads.
//!
//! Keys are words, compared in full; the hash only finds their place. They are spread over shards, each behind a lock
//! of its own, which is held for a look: the making of a key takes a hundred times as long. There are two generations:
//! when the young one has half of the bytes it becomes the old one, and the old one before is forgotten.
//! What is forgotten is counted again, so a small memory costs time and never changes a number.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use super::number::CoverCount;
use super::word_table::{BYTES_PER_ENTRY, WordTable, hash};
use crate::parallel::Sharded;

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
    young: WordTable<CoverCount>,
    old: WordTable<CoverCount>,
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

//! A table that several threads read and write, in parts.

use std::sync::{Mutex, MutexGuard};

use super::lock;

/// So many parts that two threads hardly ever want the same one.
const COUNT: usize = 64;

/// The parts of a table, each behind a lock of its own; the hash of a key says which of them it belongs to.
#[derive(Debug)]
pub(crate) struct Sharded<T>(Box<[LockedPart<T>]>);

/// A part, on lines of the cache that no other one shares.
#[derive(Debug)]
#[repr(align(64))]
struct LockedPart<T>(Mutex<T>);

impl<T> Sharded<T> {
    /// Makes the parts.
    pub(crate) fn new(mut new: impl FnMut() -> T) -> Self {
        Self((0..COUNT).map(|_| LockedPart(Mutex::new(new()))).collect())
    }

    /// Locks the part of a key with that hash, of which it uses the highest bits.
    #[inline]
    pub(crate) fn at(&self, hash: u64) -> MutexGuard<'_, T> {
        lock(&self.0[(hash >> (u64::BITS - COUNT.ilog2())) as usize].0)
    }

    /// Returns how many parts there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Locks one part after the other.
    pub(crate) fn each(&self) -> impl Iterator<Item = MutexGuard<'_, T>> {
        self.0.iter().map(|shard| lock(&shard.0))
    }
}

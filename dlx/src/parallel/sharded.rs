//! A table in separately locked parts, shared by several threads.

use std::sync::{Mutex, MutexGuard};

use super::lock;

/// Number of parts of a table, large enough that two threads rarely need the same part.
const COUNT: usize = 64;

#[derive(Debug)]
pub(crate) struct Sharded<T>(Box<[LockedPart<T>]>);

#[derive(Debug)]
#[repr(align(64))]
struct LockedPart<T>(Mutex<T>);

impl<T> Sharded<T> {
    pub(crate) fn new(mut new: impl FnMut() -> T) -> Self {
        Self((0..COUNT).map(|_| LockedPart(Mutex::new(new()))).collect())
    }

    /// Locks the part of a key with this hash; the highest bits of the hash select it.
    #[inline]
    pub(crate) fn at(&self, hash: u64) -> MutexGuard<'_, T> {
        lock(&self.0[(hash >> (u64::BITS - COUNT.ilog2())) as usize].0)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = MutexGuard<'_, T>> {
        self.0.iter().map(|shard| lock(&shard.0))
    }
}

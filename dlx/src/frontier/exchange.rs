//! Sends blocks of states from the worker that reached them to the worker that owns them.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use limits::clock::Instant;

use super::worker::ReachedState;

type Sent<const K: usize> = (usize, Vec<ReachedState<K>>);

#[derive(Debug)]
pub(super) struct Inboxes<const K: usize> {
    received: Vec<(Mutex<Vec<Sent<K>>>, Condvar)>,
    /// The number of registered workers that may still send blocks.
    busy: AtomicUsize,
}

/// Registers a worker as a sender until the guard is dropped.
#[derive(Debug)]
pub(super) struct Sending<'e, const K: usize>(&'e Inboxes<K>);

impl<const K: usize> Drop for Sending<'_, K> {
    fn drop(&mut self) {
        if self.0.busy.fetch_sub(1, SeqCst) > 1 {
            return;
        }
        for (place, (_, news)) in self.0.received.iter().enumerate() {
            // Taking the lock first ensures that a worker about to wait is already waiting, so the
            // notification reaches it.
            drop(self.0.lock(place));
            news.notify_one();
        }
    }
}

impl<const K: usize> Inboxes<K> {
    pub(super) fn new(count: usize) -> Self {
        Self { received: (0..count).map(|_| Default::default()).collect(), busy: AtomicUsize::new(0) }
    }

    pub(super) fn begin(&self) -> Sending<'_, K> {
        self.busy.fetch_add(1, SeqCst);
        Sending(self)
    }

    fn lock(&self, place: usize) -> MutexGuard<'_, Vec<Sent<K>>> {
        self.received[place].0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn send(&self, sender: usize, owner: usize, block: Vec<ReachedState<K>>) {
        self.lock(owner).push((sender, block));
        self.received[owner].1.notify_one();
    }

    pub(super) fn received(&self, place: usize) -> Option<Sent<K>> {
        self.lock(place).pop()
    }

    /// Waits for a block for the worker at index `place`; returns `None` once no sender is
    /// registered. A sender registered later may still leave blocks, which
    /// [`received`](Self::received) returns.
    pub(super) fn wait(&self, place: usize, waited: &mut Duration) -> Option<Sent<K>> {
        let mut received = self.lock(place);
        if received.is_empty() && self.busy.load(SeqCst) > 0 {
            let begin = Instant::now();
            let is_waiting =
                |received: &mut Vec<Sent<K>>| received.is_empty() && self.busy.load(SeqCst) > 0;
            let news = &self.received[place].1;
            received = news.wait_while(received, is_waiting).unwrap_or_else(PoisonError::into_inner);
            *waited += begin.elapsed();
        }
        received.pop()
    }
}

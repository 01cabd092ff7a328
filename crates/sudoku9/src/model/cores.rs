//! Threads for long counts: the caller's thread, and one thread for each idle core.
//!
//! Callers of this crate may run other searches at the same time. So a count does not use all cores
//! of the machine. A count takes only the cores that its caller lends ([`Cores`]), and returns each
//! core as soon as its thread is finished.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Cores that a count may use in addition to the caller's core.
pub trait Cores: Sync {
    /// Takes a core if one is idle. Dropping the returned value makes the core idle again.
    fn take(&self) -> Option<Box<dyn Send>>;
}

/// Lends no core.
impl Cores for () {
    fn take(&self) -> Option<Box<dyn Send>> {
        None
    }
}

/// A number of idle cores that several counts share.
///
/// ```
/// use sudoku9::{Board, Cores, Helpers, Lanes, Limits};
///
/// let helpers = Helpers::new(1);
/// let core = helpers.take();
/// assert!(core.is_some() && helpers.take().is_none());
/// drop(core);
///
/// let board = Board::from_digits(b"...........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..");
/// let alone = Lanes::new().count_all(&board, &Limits::new(), &());
/// assert_eq!(Lanes::new().count_all(&board, &Limits::new(), &helpers).solutions, alone.solutions);
/// ```
#[derive(Debug)]
pub struct Helpers {
    idle: Arc<AtomicUsize>,
}

impl Helpers {
    /// Returns a pool of `count` idle cores.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { idle: Arc::new(AtomicUsize::new(count)) }
    }
}

impl Cores for Helpers {
    fn take(&self) -> Option<Box<dyn Send>> {
        let one_less = |idle: usize| idle.checked_sub(1);
        self.idle.fetch_update(Relaxed, Relaxed, one_less).ok()?;
        Some(Box::new(Core(Arc::clone(&self.idle))))
    }
}

struct Core(Arc<AtomicUsize>);

impl Drop for Core {
    fn drop(&mut self) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// Maximum number of cores that a count takes in addition to the caller's core.
const CORES_MAX: usize = 1024;

/// Runs `work` on the caller's core and on all idle cores, and returns all results. `work` gets the
/// intended number of threads.
///
/// If a thread does not start, the other threads must do its part, so `work` must take its tasks
/// from a shared source.
///
/// # Panics
/// If `work` panics on any of the threads.
pub(crate) fn on_all<T: Send>(cores: &dyn Cores, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let taken: Vec<_> = std::iter::from_fn(|| cores.take()).take(CORES_MAX).collect();
    let count = 1 + taken.len();
    thread::scope(|scope| {
        let mut threads = Vec::with_capacity(count);
        for core in taken {
            let work = &work;
            let run = move || {
                let _core = core;
                work(count)
            };
            let Ok(thread) = thread::Builder::new().spawn_scoped(scope, run) else { break };
            threads.push(thread);
        }
        let mut results = vec![work(count)];
        results.extend(threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => resume_unwind(panic),
        }));
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_idle_cores_are_used_and_released_again() {
        for count in 0..4 {
            let helpers = Helpers::new(count);
            assert_eq!(on_all(&helpers, |threads| threads), vec![1 + count; 1 + count]);
            assert_eq!(helpers.idle.load(Relaxed), count);
        }
    }
}

//! Threads for long counts: the caller's thread, and one thread for each idle core.
//!
//! Callers of this crate may run other searches at the same time. So a count does not use all cores
//! of the machine. A count takes only the cores that its caller lends ([`Cores`]), and returns each
//! core as soon as its thread is finished.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use limits::Cores;

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
pub(crate) fn on_all<T: Send>(cores: &Arc<Cores>, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
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
            let cores = Cores::new(count);
            assert_eq!(on_all(&cores, |threads| threads), vec![1 + count; 1 + count]);
            assert_eq!(cores.idle(), count);
        }
    }
}

//! Threads that live during one call: equal workers, or helpers of a leader that start with it or
//! on demand.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::{iter, mem};

use super::threads::{self, Scope};
use super::time::Times;
use super::{Core, Cores, lock};

/// Runs `lead` on the caller's thread, and `work` for each of `others` on its own thread. Returns
/// the result of `lead`, and the workers whose threads could not be started.
fn together<W: Send, T>(
    others: impl Iterator<Item = W>,
    work: impl Fn(W) + Sync,
    lead: impl FnOnce() -> T,
) -> (T, Vec<W>) {
    let times = Times::default();
    let done = threads::scope(|scope| {
        let (work, times) = (&work, &times);
        let mut left = Vec::new();
        for worker in others {
            let slot = Arc::new(Mutex::new(Some(worker)));
            let shared = Arc::clone(&slot);
            let run = move || {
                let worker = lock(&shared).take();
                if let Some(worker) = worker {
                    work(worker);
                }
                times.add();
            };
            if threads::start_scoped(scope, run).is_none() {
                left.extend(lock(&slot).take());
            }
        }
        (lead(), left)
    });
    times.take_over();
    done
}

/// Runs `work` for all workers in parallel, the first one on the caller's thread.
pub(crate) fn each<W: Send>(workers: &mut [W], work: impl Fn(usize, &mut W) + Sync) {
    let Some((first, others)) = workers.split_first_mut() else { return };
    let others = (1..).zip(others);
    let ((), left) = together(others, |(place, worker)| work(place, worker), || work(0, first));
    left.into_iter().for_each(|(place, worker)| work(place, worker));
}

/// Runs `lead` on the caller's thread, and at most `most` helpers, one on each idle core of
/// `cores`. `hire` builds a helper from its index when it is first needed.
///
/// The flag is set when `lead` ends, or earlier by `lead` or a helper. Helpers must end soon after
/// the flag is set. A helper without a thread does not run.
pub(crate) fn beside<H: Send, T>(
    cores: &Arc<Cores>,
    most: usize,
    helpers: &mut Vec<H>,
    hire: impl Fn(usize) -> H,
    help: impl Fn(&mut H, &Arc<AtomicBool>) + Sync,
    lead: impl FnOnce(&AtomicBool) -> T,
) -> T {
    let taken: Vec<_> = iter::from_fn(|| cores.take()).take(most).collect();
    while helpers.len() < taken.len() {
        helpers.push(hire(helpers.len()));
    }
    let flag = Arc::default();
    let work = |(core, helper): (_, &mut H)| {
        help(helper, &flag);
        drop(core);
    };
    let lead = || {
        let _end = Raise(&flag);
        lead(&flag)
    };
    together(taken.into_iter().zip(helpers), work, lead).0
}

pub(crate) struct Hire<'s, 'e> {
    scope: &'s Scope<'s, 'e>,
    over: &'e AtomicBool,
    times: Arc<Times>,
}

impl<'e> Hire<'_, 'e> {
    /// Starts a helper on `core`, which becomes idle when the helper ends. Returns `false` if no
    /// thread can be started.
    pub(crate) fn start(&self, core: Core, help: impl FnOnce() + Send + 'e) -> bool {
        let (over, times) = (self.over, Arc::clone(&self.times));
        let run = move || {
            let panicked = Raise(over);
            help();
            mem::forget(panicked);
            times.add();
            drop((core, times));
        };
        threads::start_scoped(self.scope, run).is_some()
    }
}

/// Runs `lead` on the caller's thread, where it may start helpers. `over` is set when `lead` ends
/// or a helper panics, and helpers must end soon after that. A panic of a helper is passed on.
pub(crate) fn hiring<'e, T>(over: &'e AtomicBool, lead: impl for<'s> FnOnce(&Hire<'s, 'e>) -> T) -> T {
    let times = Arc::new(Times::default());
    let done = threads::scope(|scope| {
        let _over = Raise(over);
        lead(&Hire { scope, over, times: Arc::clone(&times) })
    });
    if let Some(times) = Arc::into_inner(times) {
        times.take_over();
    }
    done
}

struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait_beside(cores: &Arc<Cores>, lead: impl FnOnce(&AtomicBool)) -> Vec<bool> {
        let mut helpers = Vec::new();
        let help = |is_done: &mut bool, flag: &Arc<AtomicBool>| {
            while !flag.load(Relaxed) {
                std::thread::yield_now();
            }
            *is_done = true;
        };
        beside(cores, 2, &mut helpers, |_| false, help, lead);
        helpers
    }

    #[test]
    fn helpers_end_when_their_leader_ends_and_free_their_cores() {
        let cores = Cores::new(5);
        let helpers = wait_beside(&cores, |_| assert_eq!(cores.idle(), 3));
        assert_eq!((helpers, cores.idle()), (vec![true; 2], 5));
        assert!(wait_beside(&Cores::new(0), |_| ()).is_empty());
        let lead = |_: &AtomicBool| panic!("as asked for");
        let call = std::panic::AssertUnwindSafe(|| wait_beside(&cores, lead));
        assert!(std::panic::catch_unwind(call).is_err());
        assert_eq!(cores.idle(), 5);
    }

    #[test]
    fn every_worker_runs_exactly_once() {
        for count in 0..6 {
            let mut workers = vec![0; count];
            each(&mut workers, |place, worker| *worker += 10 + place);
            assert!(workers.into_iter().eq(10..10 + count));
        }
    }
}

//! Searches that go on side by side until one of them is done.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::{iter, thread};

use super::Cores;

/// Lets helpers work beside `lead`: one on each of `cores` that is idle, at most `most`, with what
/// `hire` made of its number from 0 when it was first needed.
///
/// `lead` works on the caller's thread. The helpers are to end soon after the flag is set, which whoever
/// is done may do; it is set when `lead` is over.
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
    thread::scope(|scope| {
        let (help, flag) = (&help, &flag);
        for (core, helper) in taken.into_iter().zip(helpers) {
            let work = move || {
                let _core = core;
                help(helper, flag);
            };
            // Without a thread there is no help.
            _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        let _end = Raise(flag);
        lead(flag)
    })
}

/// Sets a flag when it is dropped, also if there is a panic.
struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two helpers that wait for the flag beside `lead`.
    fn wait_beside(cores: &Arc<Cores>, lead: impl FnOnce(&AtomicBool)) -> Vec<bool> {
        let mut helpers = Vec::new();
        let help = |is_done: &mut bool, flag: &Arc<AtomicBool>| {
            while !flag.load(Relaxed) {
                thread::yield_now();
            }
            *is_done = true;
        };
        beside(cores, 2, &mut helpers, |_| false, help, lead);
        helpers
    }

    #[test]
    fn helpers_end_when_the_one_that_leads_is_done_and_their_cores_are_idle_again() {
        let cores = Cores::new(5);
        let helpers = wait_beside(&cores, |_| assert_eq!(cores.idle(), 3));
        assert_eq!((helpers, cores.idle()), (vec![true; 2], 5));
        assert!(wait_beside(&Cores::new(0), |_| ()).is_empty());
        let lead = |_: &AtomicBool| panic!("as asked for");
        let call = std::panic::AssertUnwindSafe(|| wait_beside(&cores, lead));
        assert!(std::panic::catch_unwind(call).is_err());
        assert_eq!(cores.idle(), 5);
    }
}

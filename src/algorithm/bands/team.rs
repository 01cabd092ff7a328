//! Work on all cores that are idle, and the limits it keeps to.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Instant;

use dlx::parallel::Cores;
use dlx::{Limit, Limits};

/// Calls `work` on the caller's core and on those of `cores` that are idle; returns all results.
pub(super) fn on_all<T: Send>(cores: &Arc<Cores>, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let (mut helpers, mut taken) = (Vec::new(), Vec::new());
        while cores.idle() > 0 {
            let Ok(helper) = thread::Builder::new().spawn_scoped(scope, &work) else { break };
            helpers.push(helper);
            taken.push(cores.occupy());
        }
        let mut results = vec![work()];
        results.extend(helpers.into_iter().map(|helper| match helper.join() {
            Ok(result) => result,
            Err(panic) => resume_unwind(panic),
        }));
        results
    })
}

/// Fails if the caller wants no more, or the time is over.
pub(super) fn check(limits: &Limits) -> Result<(), Limit> {
    if limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Relaxed)) {
        return Err(Limit::Cancelled);
    }
    if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        return Err(Limit::Time);
    }
    Ok(())
}

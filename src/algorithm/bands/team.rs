//! Work on all cores that are idle, and the limits it keeps to.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use dlx::parallel::Cores;

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

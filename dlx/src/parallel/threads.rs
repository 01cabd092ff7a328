//! Starts all threads of this crate, and determines the number of cores.
//!
//! If no thread can be started, as on wasm32, the caller does the work on its own thread.

use std::thread::{Builder, available_parallelism};
pub(super) use std::thread::{JoinHandle, Scope, ScopedJoinHandle, panicking, scope};

/// Returns the number of cores available to the process, or one if unknown.
///
/// ```
/// assert!(dlx::parallel::available_cores() >= 1);
/// ```
#[must_use]
pub fn available_cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

pub(super) fn start_scoped<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> Option<ScopedJoinHandle<'s, T>> {
    if is_allowed() { Builder::new().spawn_scoped(scope, work).ok() } else { None }
}

pub(super) fn start<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<JoinHandle<T>> {
    if is_allowed() { Builder::new().spawn(work).ok() } else { None }
}

#[cfg(not(test))]
fn is_allowed() -> bool {
    true
}

#[cfg(test)]
use self::tests::is_allowed;

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;
    use std::sync::Arc;
    use std::time::Duration;

    use crate::count::{Counter, METHODS};
    use crate::engine::ENGINES;
    use crate::limits::Limits;
    use crate::model::samples::rows;
    use crate::parallel::{Cores, Parallel};
    use crate::search::{End, Engine as _};

    thread_local! {
        static IS_ALONE: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) fn is_allowed() -> bool {
        !IS_ALONE.get()
    }

    #[test]
    fn searches_and_counts_work_without_threads() {
        IS_ALONE.set(true);
        let problem = rows(&[6, 5, 4]);
        let cores = Cores::new(3);

        let expected = (ENGINES[0].build)(&problem).unwrap().count(&[], &Limits::new()).count();
        for spec in ENGINES {
            let Ok(engine) = Parallel::new(spec, &problem, 4) else { continue };
            let mut engine = engine.patience(Duration::ZERO).portion(10);
            assert_eq!(engine.count(&[], &Limits::new()).count(), expected, "{}", spec.name);
            let mut seen = 0;
            engine.search(&[], &Limits::new(), &mut |_| {
                seen += 1;
                ControlFlow::Continue(())
            });
            assert_eq!((Some(seen), engine.effort().threads), (expected, 0), "{}", spec.name);
        }
        let problem = Arc::new(problem);
        for method in METHODS {
            let mut counter = Counter::new(Arc::clone(&problem)).on(&cores).by(method);
            if let Ok(report) = counter.try_count(&[], &Limits::new()) {
                assert_eq!(report.count(), expected, "{}", method.name);
            }
        }
        let mut counter = Counter::new(problem).on(&cores);
        assert_eq!(counter.count(&[], &Limits::new()).count(), expected);
        let mut lazy = crate::solutions(&rows(&[6, 5, 4]));
        assert_eq!(
            lazy.by_ref().map(BTreeSet::from_iter).collect::<BTreeSet<_>>().len() as u64,
            expected.unwrap()
        );
        assert_eq!(lazy.report().unwrap().end, End::Exhausted);
        let lazy = crate::solutions(&rows(&[6, 5, 4])).limits(Limits::new().solutions(70));
        assert_eq!(lazy.count(), 70);
        IS_ALONE.set(false);
    }
}

//! The processor time of a thread, including its helper threads.
//!
//! Races compare contenders by processor time, on any number of cores. So the time of a thread is
//! added to its caller's time when it is joined.

use std::cell::Cell;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

thread_local! {
    /// The processor time of the finished helper threads of this thread.
    static OTHERS: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Returns the processor time of the calling thread and its finished helper threads, or `None` if
/// the system does not report it.
pub(crate) fn thread_time() -> Option<Duration> {
    #[cfg(any(unix, windows))]
    if let Ok(time) = cpu_time::ThreadTime::try_now() {
        return Some(time.as_duration() + OTHERS.get());
    }
    None
}

#[derive(Debug, Default)]
pub(super) struct Times(AtomicU64);

impl Times {
    pub(super) fn add(&self) {
        let time = thread_time().unwrap_or_default();
        self.0.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    pub(super) fn take_over(self) {
        OTHERS.set(OTHERS.get() + Duration::from_nanos(self.0.into_inner()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::threads;

    #[test]
    fn the_time_of_nested_threads_is_added_to_the_caller() {
        let Some(begun) = thread_time() else { return };
        let work = |times: &Times| {
            let begun = thread_time().unwrap_or_default();
            while thread_time().unwrap_or_default() < begun + Duration::from_millis(3) {}
            times.add();
        };
        let times = Times::default();
        threads::scope(|scope| {
            scope.spawn(|| {
                let inner = Times::default();
                threads::scope(|scope| _ = scope.spawn(|| work(&inner)));
                inner.take_over();
                work(&times);
            });
        });
        let before = thread_time().unwrap_or_default();
        times.take_over();
        let after = thread_time().unwrap_or_default();
        assert!(after - before >= Duration::from_millis(6), "{:?}", after - before);
        assert!(after - begun < Duration::from_secs(5), "{:?}", after - begun);
    }
}

//! The clock of a race: processor time, counted work, or a clock moved by a test.
//!
//! Wall time would be wrong, because a thread that waits for a core would seem slow. On a busy
//! machine another contender would win.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::parallel::thread_time;

pub(crate) trait Clock: fmt::Debug + Sync {
    fn now(&self) -> Duration;

    /// Records `work` nanoseconds of work. A work clock advances by this time; other clocks ignore
    /// it.
    fn pass(&self, _work: u64) {}
}

/// The processor time of the calling thread and its helpers; wall time if the system does not
/// report processor time.
#[derive(Debug)]
pub(crate) struct ThreadClock;

impl Clock for ThreadClock {
    fn now(&self) -> Duration {
        thread_time().unwrap_or_else(wall)
    }
}

fn wall() -> Duration {
    use std::sync::LazyLock;

    use limits::clock::Instant;

    static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    ORIGIN.elapsed()
}

/// A clock that advances only by counted work, which makes a race deterministic.
#[derive(Debug, Default)]
pub(crate) struct WorkClock(AtomicU64);

impl Clock for WorkClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Relaxed))
    }

    fn pass(&self, work: u64) {
        self.0.fetch_add(work, Relaxed);
    }
}

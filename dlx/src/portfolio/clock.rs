//! The clock of a race: processor time, work that is counted, or one that a test moves.
//!
//! Never the wall's: a thread that has to wait for a core would seem slow, and another contender would win on a busy
//! machine than on an idle one.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::parallel::thread_time;

/// Tells the time.
pub(crate) trait Clock: fmt::Debug + Sync {
    /// Returns the time since some moment that never changes.
    fn now(&self) -> Duration;

    /// Notes that a contender did so much work: on a clock of work so many nanoseconds pass, on any other they have
    /// passed.
    fn pass(&self, _work: u64) {}
}

/// The processor time of the calling thread, and of those that worked for it; where the system does not tell it, the
/// wall's.
#[derive(Debug)]
pub(crate) struct ThreadClock;

impl Clock for ThreadClock {
    fn now(&self) -> Duration {
        thread_time().unwrap_or_else(wall)
    }
}

fn wall() -> Duration {
    use std::sync::LazyLock;

    use ::clock::Instant;

    static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    ORIGIN.elapsed()
}

/// A clock on which time passes by counted work alone, so that a race on it is the same every time. Tests move it as
/// they like.
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

//! The clock of a race: the wall's, work that is counted, or one that a test moves.

use std::fmt;
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Tells the time.
pub(crate) trait Clock: fmt::Debug + Sync {
    /// Returns the time since some moment that never changes.
    fn now(&self) -> Duration;
}

/// The clock on the wall.
#[derive(Debug)]
pub(crate) struct Wall;

impl Clock for Wall {
    fn now(&self) -> Duration {
        static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        ORIGIN.elapsed()
    }
}

/// A clock on which time passes by counted work alone, so that a race on it is the same every time. Tests move it as
/// they like.
#[derive(Debug, Default)]
pub(crate) struct WorkClock(AtomicU64);

impl WorkClock {
    /// Lets so many nanoseconds pass.
    pub(crate) fn pass(&self, time: u64) {
        self.0.fetch_add(time, Relaxed);
    }
}

impl Clock for WorkClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Relaxed))
    }
}

//! A clock for targets whose standard library has none. The host installs a function that returns
//! the time.
//!
//! Without such a function each call of [`Instant::now`] advances the time by [`STEP`]. A search
//! reads the clock after each portion of work, which takes about that time, so the clock follows
//! the work done and a deadline still ends the search.

use std::ops::{Add, Sub};
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Time that each reading of the clock adds if the host has installed no function. A search does
/// about as much work between two readings.
pub const STEP: Duration = Duration::from_micros(200);

static HOST: OnceLock<fn() -> Duration> = OnceLock::new();
static LOOKS: AtomicU64 = AtomicU64::new(0);
/// The latest time returned (ns). The function of the host may go backward, but the clock must not.
static LATEST: AtomicU64 = AtomicU64::new(0);

/// Installs the function that [`Instant::now`] calls; it returns the time since a fixed moment.
/// Returns `false` and does not replace the function if one was installed before.
///
/// Call this before the first search, because without the function times are counted from another
/// origin.
pub fn install(now: fn() -> Duration) -> bool {
    HOST.set(now).is_ok()
}

/// A moment, like [`std::time::Instant`].
///
/// ```
/// use std::time::Duration;
///
/// use limits::clock::host::Instant;
///
/// let begun = Instant::now();
/// let deadline = begun.checked_add(Duration::from_millis(10)).expect("the clock does not end so soon");
/// // Without a host each reading advances the time.
/// while Instant::now() < deadline {}
/// assert!(begun.elapsed() >= Duration::from_millis(10));
/// assert_eq!(begun.saturating_duration_since(deadline), Duration::ZERO);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// Returns the present moment, never earlier than a previous result.
    #[must_use]
    pub fn now() -> Self {
        let time = match HOST.get() {
            Some(now) => now(),
            None => {
                STEP.saturating_mul((LOOKS.fetch_add(1, Relaxed) + 1).try_into().unwrap_or(u32::MAX))
            }
        };
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        Self(Duration::from_nanos(LATEST.fetch_max(time, Relaxed).max(time)))
    }

    /// Returns the time since this moment.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }

    /// Returns the time from `earlier` to this moment; zero if `earlier` is later.
    #[must_use]
    pub fn duration_since(&self, earlier: Self) -> Duration {
        self.saturating_duration_since(earlier)
    }

    /// Returns the time from `earlier` to this moment; zero if `earlier` is later.
    #[must_use]
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// Returns the moment after `time`; `None` past the end of the clock's range.
    #[must_use]
    pub fn checked_add(&self, time: Duration) -> Option<Self> {
        self.0.checked_add(time).map(Self)
    }

    /// Returns the moment `time` earlier; `None` before the clock's origin.
    #[must_use]
    pub fn checked_sub(&self, time: Duration) -> Option<Self> {
        self.0.checked_sub(time).map(Self)
    }
}

/// # Panics
/// If the result is past the end of the clock's range.
impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        self.checked_add(time).expect("the moment is within the range of the clock")
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.saturating_duration_since(earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TIME: AtomicU64 = AtomicU64::new(0);

    // There is only one test, because the clock is global to the process.
    #[test]
    fn each_reading_advances_the_time_until_the_host_installs_a_function() {
        let begun = Instant::now();
        assert!(Instant::now() - begun >= STEP);
        let hour = Duration::from_secs(3600);
        TIME.store(3_600_000_000_000, Relaxed);
        assert!(install(|| Duration::from_nanos(TIME.load(Relaxed))));
        assert!(!install(|| Duration::ZERO), "the first function stays");
        let now = Instant::now();
        assert_eq!(now, Instant(hour));
        TIME.store(5, Relaxed);
        assert_eq!(Instant::now(), now);
        TIME.store(3_600_000_000_007, Relaxed);
        assert_eq!(now.elapsed(), Duration::from_nanos(7));
        assert_eq!(now.checked_sub(2 * hour), None);
        assert_eq!(now.checked_add(Duration::MAX), None);
    }
}

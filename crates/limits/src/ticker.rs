//! A callback for hosts without threads.

use std::fmt;
use std::sync::Arc;

/// A callback that [`Limits::check`](crate::Limits::check) calls, on the thread of the search and
/// some thousand times a second. A host without threads reports the progress in it.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
///
/// use limits::{Limits, Ticker};
///
/// let ticks = Arc::new(AtomicU64::new(0));
/// let seen = Arc::clone(&ticks);
/// let limits = Limits::new().ticker(Ticker::new(move || _ = seen.fetch_add(1, Relaxed)));
/// assert_eq!(limits.check(), Ok(()));
/// assert_eq!(ticks.load(Relaxed), 1);
/// ```
#[derive(Clone)]
pub struct Ticker(Arc<dyn Fn() + Send + Sync>);

impl Ticker {
    /// Makes a ticker of a callback, which should return soon.
    #[must_use]
    pub fn new(call: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(call))
    }

    pub(crate) fn tick(&self) {
        (self.0)();
    }
}

impl fmt::Debug for Ticker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ticker")
    }
}

//! Limits that end a search, a count or another phase early, how a search ended, its progress, and
//! the idle cores that it may use.
//!
//! The crates `dlx`, `sudoku9` and `digits` share these types and export them again; each ignores
//! the limits that do not apply to its searches.
//!
//! The caller sets [`Limits`]. [`Limits::check`] is the only check of the clock and the flags; a
//! [`Pace`] calls it after each portion of work. Another thread can read the [`Progress`].
//! [`clock`] is the only clock of the libraries, and the host supplies it on targets without one.

pub mod clock;
mod cores;
mod pace;
mod progress;
mod ticker;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use clock::Instant;
pub use cores::{Core, Cores};
pub use pace::Pace;
pub use progress::{CountProgress, Progress};
pub use ticker::Ticker;

/// The limits of a search, and its progress reports. By default there is no limit.
///
/// Methods that set a numeric limit take a number or an `Option`, where `None` removes the limit.
///
/// ```
/// use std::time::Duration;
///
/// use limits::{Limit, Limits};
///
/// let limits = Limits::new().solutions(2).within(Duration::ZERO);
/// assert_eq!(limits.solutions, Some(2));
/// assert_eq!(limits.check(), Err(Limit::Time));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// Stop once this number of solutions was visited.
    pub solutions: Option<u64>,
    /// Stop before the search tree has more nodes than this number.
    pub nodes: Option<u64>,
    /// Stop with [`Limit::Nodes`] once the expected number of nodes of the search tree exceeds this
    /// number. The expectation is the number of nodes so far divided by the completed fraction of
    /// the tree ([`Progress::fraction`]). The limit is checked once the search has a sixteenth of
    /// this number of nodes.
    pub nodes_expected: Option<u64>,
    /// Whether the search may exceed the node limit slightly, to leave fewer unsearched subtrees.
    #[doc(hidden)]
    pub is_rough: bool,
    /// Stop with [`Limit::Nodes`] soon after this number of updates. With long options, most of the
    /// work may be choices that are abandoned before they become nodes.
    #[doc(hidden)]
    pub updates: Option<u64>,
    /// Approximate memory limit in bytes, where the algorithm allows a choice. `Counter` of `dlx`
    /// has a default of 2 GiB. If a count needs more memory, it continues in parts.
    pub memory: Option<usize>,
    /// Stop soon after this instant.
    pub deadline: Option<Instant>,
    /// Stop soon after another thread sets this flag.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Stop with [`Limit::Memory`] soon after this flag is set, when memory is short.
    pub full: Option<Arc<AtomicBool>>,
    /// Stop soon after this flag is set, when another worker has finished the same job.
    #[doc(hidden)]
    pub over: Option<Arc<AtomicBool>>,
    /// Receives the progress of the search, for another thread to read.
    pub progress: Option<Arc<Progress>>,
    /// Is called in each check of these limits.
    pub ticker: Option<Ticker>,
    /// Also count nodes and updates per level (`Report::levels` of `dlx`).
    pub profile: bool,
    /// Also return the unsearched subtrees if the search ends early (`Report::rest` of `dlx`).
    pub rest: bool,
}

impl Limits {
    /// Builds limits that allow everything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops once this number of solutions was visited.
    #[must_use]
    pub fn solutions(mut self, solutions: impl Into<Option<u64>>) -> Self {
        self.solutions = solutions.into();
        self
    }

    /// Stops before the search tree has more nodes than this number.
    #[must_use]
    pub fn nodes(mut self, nodes: impl Into<Option<u64>>) -> Self {
        self.nodes = nodes.into();
        self
    }

    /// Stops soon after the expected number of nodes of the search tree exceeds this number
    /// ([`Limits::nodes_expected`]).
    #[must_use]
    pub fn nodes_expected(mut self, nodes: impl Into<Option<u64>>) -> Self {
        self.nodes_expected = nodes.into();
        self
    }

    /// Limits memory to about this number of bytes, where the algorithm allows a choice.
    #[must_use]
    pub fn memory(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.memory = bytes.into();
        self
    }

    /// Stops soon after this instant.
    #[must_use]
    pub fn deadline(mut self, deadline: impl Into<Option<Instant>>) -> Self {
        self.deadline = deadline.into();
        self
    }

    /// Stops soon after `time` from now. `None`, or a time beyond the range of the clock, removes
    /// the deadline.
    #[must_use]
    pub fn within(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.deadline = time.into().and_then(|time| Instant::now().checked_add(time));
        self
    }

    /// Stops soon after `time` from now, unless an earlier deadline is set.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use limits::Limits;
    ///
    /// let limits = Limits::new().within(Duration::from_secs(5));
    /// assert_eq!(limits.clone().no_longer_than(Duration::from_secs(9)).deadline, limits.deadline);
    /// assert!(limits.clone().no_longer_than(Duration::from_secs(1)).deadline < limits.deadline);
    /// assert!(Limits::new().no_longer_than(Duration::MAX).deadline.is_none());
    /// ```
    #[must_use]
    pub fn no_longer_than(mut self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        self.deadline = [self.deadline, end].into_iter().flatten().min();
        self
    }

    /// Stops soon after another thread sets this flag.
    #[must_use]
    pub fn cancel(mut self, flag: impl Into<Option<Arc<AtomicBool>>>) -> Self {
        self.cancel = flag.into();
        self
    }

    /// Stops with [`Limit::Memory`] soon after this flag is set.
    #[must_use]
    pub fn full(mut self, flag: impl Into<Option<Arc<AtomicBool>>>) -> Self {
        self.full = flag.into();
        self
    }

    /// Writes the progress of the search to `progress`, for another thread to read.
    #[must_use]
    pub fn progress(mut self, progress: impl Into<Option<Arc<Progress>>>) -> Self {
        self.progress = progress.into();
        self
    }

    /// Calls `ticker` in each check.
    #[must_use]
    pub fn ticker(mut self, ticker: impl Into<Option<Ticker>>) -> Self {
        self.ticker = ticker.into();
        self
    }

    /// Sets whether to count nodes and updates per level.
    #[must_use]
    pub fn profile(mut self, is_wanted: bool) -> Self {
        self.profile = is_wanted;
        self
    }

    /// Sets whether to return the unsearched subtrees if the search ends early.
    #[must_use]
    pub fn rest(mut self, is_wanted: bool) -> Self {
        self.rest = is_wanted;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub fn rough(mut self, is_rough: bool) -> Self {
        self.is_rough = is_rough;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub fn updates(mut self, updates: impl Into<Option<u64>>) -> Self {
        self.updates = updates.into();
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub fn over(mut self, flag: impl Into<Option<Arc<AtomicBool>>>) -> Self {
        self.over = flag.into();
        self
    }

    /// Checks the flags and the deadline. Every phase calls this check.
    ///
    /// # Errors
    /// [`Limit::Cancelled`], [`Limit::Memory`] or [`Limit::Time`], if that limit is reached.
    ///
    /// ```
    /// use limits::{Limit, Limits};
    ///
    /// assert_eq!(Limits::new().check(), Ok(()));
    /// assert_eq!(Limits::new().within(std::time::Duration::ZERO).check(), Err(Limit::Time));
    /// ```
    pub fn check(&self) -> Result<(), Limit> {
        if let Some(ticker) = &self.ticker {
            ticker.tick();
        }
        let is_set =
            |flag: &Option<Arc<AtomicBool>>| flag.as_ref().is_some_and(|flag| flag.load(Relaxed));
        if is_set(&self.cancel) || is_set(&self.over) {
            return Err(Limit::Cancelled);
        }
        if is_set(&self.full) {
            return Err(Limit::Memory);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Limit::Time);
        }
        Ok(())
    }
}

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The whole tree was searched, so every solution was visited or counted.
    Exhausted,
    /// The visitor stopped the search.
    Stopped,
    /// A limit was reached.
    Limit(Limit),
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The number of solutions ([`Limits::solutions`]).
    Solutions,
    /// The number of nodes or updates ([`Limits::nodes`]).
    Nodes,
    /// The deadline ([`Limits::deadline`]).
    Time,
    /// The flag that cancels a search ([`Limits::cancel`]).
    Cancelled,
    /// The search needs more memory than the caller allows.
    Memory,
    /// The number of solutions exceeds a `u64`, and not all covers were visited.
    Numbers,
}

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Limits that end a search, a count or another phase early, and progress reports.
//!
//! The caller sets [`Limits`]. [`Limits::check`] is the only check of the clock and the flags; a
//! [`Pace`] calls it after each portion of work. Another thread can read the [`Progress`].
//! [`clock`] is the only clock of this crate, and the host supplies it on targets without one.

mod pace;
mod progress;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

pub use clock;
use clock::Instant;
pub use pace::Pace;
pub use progress::{CountProgress, Progress};

/// The limits of a search, and its progress reports. By default there is no limit.
///
/// Methods that set a numeric limit take a number or an `Option`, where `None` removes the limit.
///
/// ```
/// use std::time::Duration;
///
/// use dlx::{End, Engine, Limit, Limits, engine::Links};
///
/// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
/// let limits = Limits::new().solutions(1).within(Duration::from_secs(10));
/// let report = Links::new(&problem).count(&[], &limits);
/// assert_eq!((report.solutions, report.end), (1, End::Limit(Limit::Solutions)));
/// assert_eq!(report.count(), None);
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// Stop once this number of covers was visited.
    pub solutions: Option<u64>,
    /// Stop before the search tree has more nodes than this number.
    pub nodes: Option<u64>,
    /// Stop with [`Limit::Nodes`] once the expected number of nodes of the search tree exceeds this
    /// number. The expectation is the number of nodes so far divided by the completed fraction of
    /// the tree ([`Progress::fraction`]). The limit is checked once the search has a sixteenth of
    /// this number of nodes.
    ///
    /// ```
    /// use dlx::{End, Engine, Limit, Limits, engine::Links};
    ///
    /// // All ways to cover 60 items one by one or in neighboring pairs: too many.
    /// let mut builder = dlx::ProblemBuilder::new();
    /// let names = (0..60).map(|item| item.to_string());
    /// let items: Vec<_> = names.map(|name| builder.primary(&name)).collect::<Result<_, _>>()?;
    /// for pair in items.windows(2) {
    ///     builder.option([pair[0]])?;
    ///     builder.option([pair[0], pair[1]])?;
    /// }
    /// builder.option([items[59]])?;
    /// let limits = Limits::new().nodes_expected(1_000_000);
    /// let report = Links::new(&builder.build()).count(&[], &limits);
    /// assert_eq!(report.end, End::Limit(Limit::Nodes));
    /// assert!(report.nodes < 200_000);
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    pub nodes_expected: Option<u64>,
    /// Whether the search may exceed the node limit slightly, to leave fewer unsearched subtrees.
    pub(crate) is_rough: bool,
    /// Stop with [`Limit::Nodes`] soon after this number of updates. With long options, most of the
    /// work may be choices that are abandoned before they become nodes.
    pub(crate) updates: Option<u64>,
    /// Approximate memory limit in bytes, where the algorithm allows a choice. A
    /// [`Counter`](crate::count::Counter) has a default of 2 GiB. If a count needs more memory, it
    /// continues in parts.
    pub memory: Option<usize>,
    /// Stop soon after this instant.
    pub deadline: Option<Instant>,
    /// Stop soon after another thread sets this flag.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Stop with [`Limit::Memory`] soon after this flag is set, when memory is short.
    pub full: Option<Arc<AtomicBool>>,
    /// Stop soon after this flag is set, when another worker has finished the same job.
    pub(crate) over: Option<Arc<AtomicBool>>,
    /// Receives the progress of the search, for another thread to read.
    pub progress: Option<Arc<Progress>>,
    /// Also count nodes and updates per level ([`Report::levels`](crate::Report::levels)).
    pub profile: bool,
    /// Also return the unsearched subtrees if the search ends early
    /// ([`Report::rest`](crate::Report::rest)).
    pub rest: bool,
}

impl Limits {
    /// Builds limits that allow everything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops once this number of covers was visited.
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
    /// use dlx::Limits;
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

    /// Checks the flags and the deadline. Every phase calls this check.
    ///
    /// # Errors
    /// [`Limit::Cancelled`], [`Limit::Memory`] or [`Limit::Time`], if that limit is reached.
    ///
    /// ```
    /// use dlx::{Limit, Limits};
    ///
    /// assert_eq!(Limits::new().check(), Ok(()));
    /// assert_eq!(Limits::new().within(std::time::Duration::ZERO).check(), Err(Limit::Time));
    /// ```
    pub fn check(&self) -> Result<(), Limit> {
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

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The number of covers ([`Limits::solutions`]).
    Solutions,
    /// The number of nodes or updates ([`Limits::nodes`]).
    Nodes,
    /// The deadline ([`Limits::deadline`]).
    Time,
    /// The flag that cancels a search ([`Limits::cancel`]).
    Cancelled,
    /// The search needs more memory than the caller allows.
    Memory,
    /// The number of covers exceeds a `u64`, and not all covers were visited.
    Numbers,
}

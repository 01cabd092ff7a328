//! Limits that end a search, count or other phase early, the checks of them, and progress reports.
//!
//! [`Limits`] are set by the caller. [`Limits::check`] is the only check of flags and clock; a
//! [`Pace`] calls it after each portion of work. A [`Progress`] reports to another thread.
//! [`clock`] is the only clock of this crate; the host replaces it on targets without one.

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

/// The limits of a search, and the reports it makes meanwhile. By default, there is no limit.
///
/// A method that sets a numeric limit takes the number or an `Option`, where `None` removes the
/// limit.
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
    /// Stop once this many covers were visited.
    pub solutions: Option<u64>,
    /// Stop before the search tree has more nodes than this.
    pub nodes: Option<u64>,
    /// Stop, as with [`Limits::nodes`], soon after the expected number of nodes of the search tree
    /// exceeds this. The expectation is the number of nodes so far over the completed fraction of
    /// the tree ([`Progress::fraction`]); it is used once a sixteenth of this limit is reached.
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
    /// Whether the search may exceed the node limit slightly to leave fewer subtrees.
    pub(crate) is_rough: bool,
    /// Stop, as with [`Limits::nodes`], soon after this many updates: if options are long,
    /// abandoned choices without a node can be the largest part of the work.
    pub(crate) updates: Option<u64>,
    /// Approximate limit of memory in bytes, where the algorithm allows a choice. A
    /// [`Counter`](crate::count::Counter) has a default of 2 GiB; if it needs more, it continues in
    /// parts.
    pub memory: Option<usize>,
    /// Stop soon after this time.
    pub deadline: Option<Instant>,
    /// Stop soon after another thread sets this flag.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Stop with [`Limit::Memory`] soon after this flag is set, which signals that memory is short.
    pub full: Option<Arc<AtomicBool>>,
    /// Stop soon after this flag is set: another worker finished the same job.
    pub(crate) over: Option<Arc<AtomicBool>>,
    /// Receives the progress of the search, for another thread to read.
    pub progress: Option<Arc<Progress>>,
    /// Also count nodes and updates level by level ([`Report::levels`](crate::Report::levels)).
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

    /// Stops once this many covers were visited.
    #[must_use]
    pub fn solutions(mut self, solutions: impl Into<Option<u64>>) -> Self {
        self.solutions = solutions.into();
        self
    }

    /// Stops before the search tree has more nodes than this.
    #[must_use]
    pub fn nodes(mut self, nodes: impl Into<Option<u64>>) -> Self {
        self.nodes = nodes.into();
        self
    }

    /// Stops soon after the expected number of nodes of the search tree exceeds this
    /// ([`Limits::nodes_expected`]).
    #[must_use]
    pub fn nodes_expected(mut self, nodes: impl Into<Option<u64>>) -> Self {
        self.nodes_expected = nodes.into();
        self
    }

    /// Limits memory to about this many bytes, where the algorithm allows a choice.
    #[must_use]
    pub fn memory(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.memory = bytes.into();
        self
    }

    /// Stops soon after this time.
    #[must_use]
    pub fn deadline(mut self, deadline: impl Into<Option<Instant>>) -> Self {
        self.deadline = deadline.into();
        self
    }

    /// Stops soon after `time` from now; never, if that is past the clock's range.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
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

    /// Sets whether to count nodes and updates level by level.
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

    /// Checks whether a flag is set or the deadline has passed; all phases share this check.
    ///
    /// # Errors
    /// [`Limit::Cancelled`], [`Limit::Memory`] or [`Limit::Time`].
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
    /// [`Limits::solutions`]
    Solutions,
    /// [`Limits::nodes`]
    Nodes,
    /// [`Limits::deadline`]
    Time,
    /// [`Limits::cancel`]
    Cancelled,
    /// The search needs more memory than the caller allows.
    Memory,
    /// There are more covers than a `u64` counts, although not all were visited.
    Numbers,
}

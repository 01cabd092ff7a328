//! What ends a search, a count, or any other phase before its time: limits, the looks at them, and how far one is.
//!
//! [`Limits`] are what the caller allows, [`Limits::check`] is the one look at flags and clock, and a [`Pace`] looks
//! after each portion of work. A [`Progress`] tells another thread how far the work is. [`clock`] is the only clock of
//! this crate, which the host replaces on targets without one.

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

/// When a search stops early, and what it tells meanwhile. Nothing is limited at first.
///
/// What limits a number takes the number or an option of it, where `None` takes the limit away.
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
    /// Stop, as at [`Limits::nodes`], soon after it shows that the search tree will have more nodes than
    /// this: more for certain, or more by the fraction of the tree that is done ([`Progress::fraction`]),
    /// which is judged from a sixteenth of them on.
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
    /// Whether the search may enter some more nodes than that where it leaves fewer parts of the tree then.
    pub(crate) is_rough: bool,
    /// Stop, as at [`Limits::nodes`], soon after so many updates: where options are long, choices that are given up without
    /// a node may be most of the work.
    pub(crate) updates: Option<u64>,
    /// Hold about this many bytes at most, where that can be chosen. A [`Counter`](crate::count::Counter) holds 2 GiB
    /// by default; where it needs more it goes on in parts.
    pub memory: Option<usize>,
    /// Stop soon after this moment.
    pub deadline: Option<Instant>,
    /// Stop soon after another thread sets this flag.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Stop soon after this flag is set because memory is short: with [`Limit::Memory`].
    pub full: Option<Arc<AtomicBool>>,
    /// Stop soon after this flag is set because somebody else was done with the same.
    pub(crate) over: Option<Arc<AtomicBool>>,
    /// Where to tell another thread how far the search is.
    pub progress: Option<Arc<Progress>>,
    /// Also count nodes and updates level by level ([`Report::levels`](crate::Report::levels)).
    pub profile: bool,
    /// Also tell which parts of the tree were left when the search ended early ([`Report::rest`](crate::Report::rest)).
    pub rest: bool,
}

impl Limits {
    /// Makes limits that allow everything.
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

    /// Stops soon after it shows that the search tree will have more nodes than this ([`Limits::nodes_expected`]).
    #[must_use]
    pub fn nodes_expected(mut self, nodes: impl Into<Option<u64>>) -> Self {
        self.nodes_expected = nodes.into();
        self
    }

    /// Holds about this many bytes at most, where that can be chosen.
    #[must_use]
    pub fn memory(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.memory = bytes.into();
        self
    }

    /// Stops soon after this moment.
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

    /// Stops soon after `time` from now at the latest: a deadline that is earlier stays.
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

    /// Tells another thread there how far the search is.
    #[must_use]
    pub fn progress(mut self, progress: impl Into<Option<Arc<Progress>>>) -> Self {
        self.progress = progress.into();
        self
    }

    /// Also counts nodes and updates level by level, or does not.
    #[must_use]
    pub fn profile(mut self, is_wanted: bool) -> Self {
        self.profile = is_wanted;
        self
    }

    /// Also tells which parts of the tree were left when the search ended early, or does not.
    #[must_use]
    pub fn rest(mut self, is_wanted: bool) -> Self {
        self.rest = is_wanted;
        self
    }

    /// Tells whether a flag is set or the deadline past: the one look at them that every phase shares.
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

/// Which limit ended a search.
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
    /// More memory would be needed than the caller allows.
    Memory,
    /// There are more covers than a `u64` counts, which is known though not all were visited.
    Numbers,
}

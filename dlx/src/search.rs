//! What is asked of an engine and what it answers: limits, progress, reports.
//!
//! A report that is not [`End::Exhausted`] yields no count: the search was cut short, so what it
//! found is a lower bound.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use num_bigint::BigUint;

use crate::{OptionId, Subtree};

/// Receives each cover: the options of `given` first, then the chosen ones in order of choice.
///
/// `ControlFlow::Break` ends the search.
pub type Visit<'v> = dyn FnMut(&[OptionId]) -> ControlFlow<()> + 'v;

/// When a search stops early, and what it tells meanwhile. The default has no limit.
///
/// ```
/// use dlx::{End, Engine, Limit, Limits, engine::Links};
///
/// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
/// let limits = Limits { solutions: Some(1), ..Limits::default() };
/// let report = Links::new(&problem).count(&[], &limits);
/// assert_eq!((report.solutions, report.end), (1, End::Limit(Limit::Solutions)));
/// assert_eq!(report.count(), None);
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
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
    /// let limits = Limits { nodes_expected: Some(1_000_000), ..Limits::default() };
    /// let report = Links::new(&builder.build()).count(&[], &limits);
    /// assert_eq!(report.end, End::Limit(Limit::Nodes));
    /// assert!(report.nodes < 200_000);
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    pub nodes_expected: Option<u64>,
    /// Hold about so many bytes at most, where that can be chosen: a count by
    /// [`Counter`](crate::count::Counter) holds 2 GiB unless told otherwise, and then goes on in parts.
    pub memory: Option<usize>,
    /// Stop soon after this moment.
    pub deadline: Option<Instant>,
    /// Stop soon after another thread sets this flag.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Stop soon after this flag is set because memory is short: with [`Limit::Memory`].
    pub full: Option<Arc<AtomicBool>>,
    /// Where to tell another thread how far the search is.
    pub progress: Option<Arc<Progress>>,
    /// Also count nodes and updates level by level ([`Report::levels`]).
    pub profile: bool,
    /// Also tell which parts of the tree were left when the search ended early ([`Report::rest`]).
    pub rest: bool,
}

impl Limits {
    /// Makes limits that stop after `solutions` covers.
    #[must_use]
    pub fn solutions(solutions: u64) -> Self {
        Self { solutions: Some(solutions), ..Self::default() }
    }

    /// Returns these limits with a deadline `time` from now, none if that is past the clock's range.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { deadline: Instant::now().checked_add(time), ..self }
    }

    /// Tells whether a flag is set or the deadline past: the one look at them that every phase shares.
    ///
    /// # Errors
    /// [`Limit::Cancelled`], [`Limit::Memory`] or [`Limit::Time`].
    ///
    /// ```
    /// use dlx::{Limit, Limits};
    ///
    /// assert_eq!(Limits::default().check(), Ok(()));
    /// assert_eq!(Limits::default().within(std::time::Duration::ZERO).check(), Err(Limit::Time));
    /// ```
    pub fn check(&self) -> Result<(), Limit> {
        if self.cancel.as_ref().is_some_and(|flag| flag.load(Relaxed)) {
            return Err(Limit::Cancelled);
        }
        if self.full.as_ref().is_some_and(|flag| flag.load(Relaxed)) {
            return Err(Limit::Memory);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Limit::Time);
        }
        Ok(())
    }
}

/// Looks at flag and clock now and then while a phase that is no search does its work: reading, building,
/// reducing, ordering, drawing.
///
/// ```
/// use dlx::{Limit, Limits, search::Pace};
///
/// let limits = Limits::default().within(std::time::Duration::ZERO);
/// let mut pace = Pace::new(&limits);
/// let ended = (0..u64::MAX).find_map(|_| pace.spend(100).err());
/// assert_eq!(ended, Some(Limit::Time));
/// ```
#[derive(Debug)]
pub struct Pace<'l> {
    limits: &'l Limits,
    /// The work until the next look, in steps of about a nanosecond.
    until_look: u64,
}

impl<'l> Pace<'l> {
    /// Work between two looks: some tenths of a millisecond.
    const INTERVAL: u64 = 200_000;

    /// Starts a phase; the first work looks at once.
    #[must_use]
    pub fn new(limits: &'l Limits) -> Self {
        Self { limits, until_look: 0 }
    }

    /// Spends `work` steps of about a nanosecond each, before or soon after they are done.
    ///
    /// # Errors
    /// As [`Limits::check`].
    #[inline]
    pub fn spend(&mut self, work: u64) -> Result<(), Limit> {
        match self.until_look.checked_sub(work) {
            Some(left) => {
                self.until_look = left;
                Ok(())
            }
            None => self.look(),
        }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Limit> {
        self.until_look = Self::INTERVAL;
        self.limits.check()
    }
}

/// How far a running search is, written by the engine now and then and read by another thread.
#[derive(Debug, Default)]
pub struct Progress {
    /// The bits of the fraction, an `f64`.
    fraction: AtomicU64,
    nodes: AtomicU64,
    solutions: AtomicU64,
    outlook: Mutex<Option<Outlook>>,
}

/// How far a count is at which several ways take turns ([`count::Counter`](crate::count::Counter)), told after each turn:
/// some thousand times a second in the beginning, about once a second later.
///
/// Nodes and covers so far are in [`Progress::nodes`] and [`Progress::solutions`]: the nodes are those of all ways together,
/// the covers the most that one of them is certain of (which may be none for long, and then all at once).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outlook {
    /// The way that leads: of those that are sure how long they will take the fastest, else the one that had the most
    /// time so far.
    pub way: &'static str,
    /// The fraction of its work that is done, from 0 to 1; `None` while no way is sure how long it will take.
    pub fraction: Option<f64>,
    /// The time that it will still take, as it expects; `None` as above.
    pub left: Option<Duration>,
    /// By how many times that may well be too low, at least 1.
    pub doubt: f64,
    /// The time spent on all ways so far.
    pub spent: Duration,
    /// The number of the independent part at hand, from 1, and how many there are, the largest last.
    pub part: usize,
    /// See `part`.
    pub parts: usize,
    /// Whether the part is counted already, and this is a check by a second way.
    pub is_check: bool,
}

impl Progress {
    /// Returns the estimated fraction of the search tree that is done, from 0 to 1.
    ///
    /// It is Knuth's estimate (TAOCP 7.2.2.1): a node at level l with the choices c_1 of d_1, ...,
    /// c_l of d_l counts as (c_1 - 1)/d_1 + (c_2 - 1)/(d_1 d_2) + ..., plus half of the last share.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        f64::from_bits(self.fraction.load(Relaxed))
    }

    /// Returns how far a count is at which several ways take turns; `None` if there is no such count, or it has
    /// not begun.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use dlx::count::{Counter, METHODS};
    /// use dlx::{Limits, Progress};
    ///
    /// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
    /// let progress = Arc::new(Progress::default());
    /// let limits = Limits { progress: Some(Arc::clone(&progress)), ..Limits::default() };
    /// let frontier = METHODS.iter().find(|method| method.name == "frontier").expect("it is there");
    /// Counter::new(problem).by(frontier).count(&[], &limits);
    /// let outlook = progress.outlook().expect("it was told");
    /// assert_eq!((outlook.way, outlook.part, outlook.parts), ("frontier", 1, 1));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn outlook(&self) -> Option<Outlook> {
        self.outlook.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells how far a count is.
    pub(crate) fn set_outlook(&self, outlook: Outlook, nodes: u64, solutions: u64) {
        self.set(outlook.fraction.unwrap_or(0.0), nodes, solutions);
        *self.outlook.lock().unwrap_or_else(PoisonError::into_inner) = Some(outlook);
    }

    /// Forgets what was told of a count: another one begins.
    pub(crate) fn clear_outlook(&self) {
        *self.outlook.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Tells how far the search is. A sum of the shares of many parts may exceed 1 by their rounding.
    pub(crate) fn set(&self, fraction: f64, nodes: u64, solutions: u64) {
        self.fraction.store(fraction.min(1.0).to_bits(), Relaxed);
        self.nodes.store(nodes, Relaxed);
        self.solutions.store(solutions, Relaxed);
    }

    /// Returns the number of nodes so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Returns the number of covers so far.
    #[must_use]
    pub fn solutions(&self) -> u64 {
        self.solutions.load(Relaxed)
    }
}

/// Returns the fraction of the tree before the current node, plus half of the node's own share, from the
/// choices on the way to it: of each its number, counted from 1, and that of all there are.
pub(crate) fn fraction(choices: impl Iterator<Item = (u32, u32)>) -> f64 {
    let (mut fraction, mut share) = (0.0, 1.0);
    for (choice, degree) in choices {
        share /= f64::from(degree);
        fraction += share * f64::from(choice - 1);
    }
    fraction + share / 2.0
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

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The whole tree was searched: every cover was visited.
    Exhausted,
    /// The visitor asked to stop.
    Stopped,
    /// A limit was reached.
    Limit(Limit),
}

/// The nodes and updates of one level of the search tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Nodes at this level; the root is level 0.
    pub nodes: u64,
    /// Updates made by the choices at nodes of this level.
    pub updates: u64,
}

/// What a search found and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// How the search ended.
    pub end: End,
    /// Covers visited or counted; `u64::MAX` if they are more than that ([`Report::large`]).
    pub solutions: u64,
    /// The number of covers, where it is more than `solutions` can hold.
    pub large: Option<BigUint>,
    /// Nodes of the search tree that were entered, the root and the solutions included.
    pub nodes: u64,
    /// Changes of the engine's main structure; each engine says what it counts.
    pub updates: u64,
    /// One entry a level if [`Limits::profile`] asked for it and the engine keeps one, else empty.
    pub levels: Vec<Level>,
    /// What was left unsearched, if [`Limits::rest`] asked for it, the search ended early, and the engine
    /// can tell: parts of the tree, whose covers are just the covers that were not visited, each in one
    /// part. They come in the order of the search, and each lists the options given to this search
    /// first. [`Engine::search_subtree`](crate::Engine::search_subtree) goes on with one.
    ///
    /// ```
    /// use dlx::{Engine, Limits, Subtree, engine::Links};
    ///
    /// let problem: dlx::Problem = "a b c\na\nb\nc\na b\nb c\na c\n".parse()?;
    /// let mut links = Links::new(&problem);
    /// let mut open = vec![Subtree::default()];
    /// let mut covers = 0;
    /// // One cover at a time; what is left is searched later, perhaps elsewhere.
    /// while let Some(part) = open.pop() {
    ///     let report = links.count_subtree(&part, &Limits { rest: true, ..Limits::solutions(1) });
    ///     covers += report.solutions;
    ///     open.extend(report.rest.into_iter().flatten());
    /// }
    /// assert_eq!(covers, 4);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    pub rest: Option<Vec<Subtree>>,
}

impl Report {
    /// Makes the report of a search that never began, because `end` was plain beforehand.
    #[must_use]
    pub fn empty(end: End) -> Self {
        Self { end, solutions: 0, large: None, nodes: 0, updates: 0, levels: Vec::new(), rest: None }
    }

    /// Makes the report of a count of `total` covers.
    #[must_use]
    pub fn counted(end: End, total: BigUint) -> Self {
        let solutions = u64::try_from(&total).unwrap_or(u64::MAX);
        let large = (BigUint::from(solutions) < total).then_some(total);
        Self { solutions, large, ..Self::empty(end) }
    }

    /// Returns the number of covers if all were visited or counted and a `u64` holds it.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        (self.end == End::Exhausted && self.large.is_none()).then_some(self.solutions)
    }

    /// Returns the number of covers visited or counted: of all, if the search was exhausted.
    #[must_use]
    pub fn total(&self) -> BigUint {
        self.large.clone().unwrap_or_else(|| self.solutions.into())
    }
}

/// Counts nodes and solutions against the limits: the one place where engines meet the clock.
#[derive(Debug)]
pub struct Meter<'l> {
    limits: &'l Limits,
    node_work: u64,
    solutions: u64,
    nodes: u64,
    node_limit: u64,
    /// The work (updates and weighted nodes) at which clock and flag are looked at again, and how much
    /// there is between two looks.
    next_look: u64,
    look_interval: u64,
    levels: Vec<Level>,
    /// The level to which updates belong, and their number when it was entered.
    level: usize,
    updates_before: u64,
}

/// Work between two looks at the clock, in updates or items looked at: well under a millisecond.
const LOOK_INTERVAL: u64 = 1 << 16;
/// The same where it matters how far the search is.
const SHORT_INTERVAL: u64 = 1 << 12;

impl<'l> Meter<'l> {
    /// Starts to count against `limits`. A node without updates is still the work of `node_work`
    /// updates at most, for instance of a look at every item.
    #[must_use]
    pub fn new(limits: &'l Limits, node_work: usize) -> Self {
        let nothing_wanted = limits.solutions == Some(0);
        Self {
            limits,
            node_work: node_work as u64 + 1,
            solutions: 0,
            nodes: 0,
            node_limit: if nothing_wanted { 0 } else { limits.nodes.unwrap_or(u64::MAX) },
            next_look: 0,
            look_interval: if limits.nodes_expected.is_some() { SHORT_INTERVAL } else { LOOK_INTERVAL },
            levels: Vec::new(),
            level: 0,
            updates_before: 0,
        }
    }

    /// Returns this meter for updates that are the work of `update_work` each: clock and flag are looked at
    /// as much more often.
    #[must_use]
    pub fn with_update_work(self, update_work: usize) -> Self {
        Self { look_interval: (self.look_interval / update_work.max(1) as u64).max(1), ..self }
    }

    /// Returns the limits against which is counted.
    #[must_use]
    pub fn limits(&self) -> &'l Limits {
        self.limits
    }

    /// Looks at clock and flag if there was work enough since the last look: for an engine that gives up
    /// many choices without entering a node.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// ```
    /// use dlx::{Limit, Limits, search::Meter};
    ///
    /// let limits = Limits::default().within(std::time::Duration::ZERO);
    /// let mut meter = Meter::new(&limits, 0);
    /// assert_eq!(meter.tick(1_000_000, || 0.5), Err(Limit::Time));
    /// ```
    #[inline]
    pub fn tick(&mut self, updates: u64, fraction: impl FnOnce() -> f64) -> Result<(), Limit> {
        if updates + self.nodes * self.node_work >= self.next_look {
            self.look(updates, fraction())?;
        }
        Ok(())
    }

    /// Enters a node at `level` after `updates` updates, or tells which limit forbids it.
    ///
    /// `fraction` is asked now and then for the fraction of the tree that is done.
    ///
    /// # Errors
    /// The limit that was reached; the node was not entered then.
    #[inline]
    pub fn enter(
        &mut self,
        level: usize,
        updates: u64,
        fraction: impl FnOnce() -> f64,
    ) -> Result<(), Limit> {
        if self.nodes >= self.node_limit {
            let nothing_wanted = self.limits.solutions == Some(0);
            return Err(if nothing_wanted { Limit::Solutions } else { Limit::Nodes });
        }
        if updates + self.nodes * self.node_work >= self.next_look {
            self.look(updates, fraction())?;
        }
        self.nodes += 1;
        if self.limits.profile {
            self.profile(level, updates);
        }
        Ok(())
    }

    /// Tells whether nodes and covers are to be told one by one, because covers are limited or a profile is
    /// kept; otherwise an engine may tell many at a time.
    ///
    /// ```
    /// use dlx::{Limit, Limits, search::Meter};
    ///
    /// let limits = Limits { nodes: Some(100), ..Limits::default() };
    /// let mut meter = Meter::new(&limits, 0);
    /// assert!(!meter.is_exact());
    /// assert_eq!(meter.enter_many(64, 0, || 0.0), Ok(64));
    /// meter.add_solutions(5);
    /// assert_eq!(meter.enter_many(64, 0, || 0.5), Ok(36));
    /// assert_eq!(meter.enter_many(64, 0, || 0.8), Err(Limit::Nodes));
    /// let report = meter.report(dlx::End::Limit(Limit::Nodes), 0);
    /// assert_eq!((report.solutions, report.nodes), (5, 100));
    /// ```
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.limits.solutions.is_some() || self.limits.profile
    }

    /// Enters up to `nodes` nodes, at least one, and returns how many; or tells which limit forbids it.
    /// Only if not [`Self::is_exact`], where an example is.
    ///
    /// # Errors
    /// The limit that was reached; no node was entered then.
    #[inline]
    pub fn enter_many(
        &mut self,
        nodes: u64,
        updates: u64,
        fraction: impl FnOnce() -> f64,
    ) -> Result<u64, Limit> {
        debug_assert!(!self.is_exact(), "limits are kept node by node");
        if self.nodes >= self.node_limit {
            return Err(Limit::Nodes);
        }
        if updates + self.nodes * self.node_work >= self.next_look {
            self.look(updates, fraction())?;
        }
        let entered = nodes.min(self.node_limit - self.nodes);
        self.nodes += entered;
        Ok(entered)
    }

    /// Counts `solutions` covers without a visitor; only if not [`Self::is_exact`], where an example is.
    #[inline]
    pub fn add_solutions(&mut self, solutions: u64) {
        debug_assert!(!self.is_exact(), "limits are kept cover by cover");
        self.solutions += solutions;
    }

    #[cold]
    fn look(&mut self, updates: u64, fraction: f64) -> Result<(), Limit> {
        self.next_look = updates + self.nodes * self.node_work + self.look_interval;
        if let Some(progress) = &self.limits.progress {
            progress.set(fraction, self.nodes, self.solutions);
        }
        if let Some(most) = self.limits.nodes_expected
            && self.nodes >= most / 16
            && self.nodes as f64 >= fraction * most as f64
            && self.nodes > 0
        {
            return Err(Limit::Nodes);
        }
        self.limits.check()
    }

    #[cold]
    fn profile(&mut self, level: usize, updates: u64) {
        self.attribute(updates);
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Level::default());
        }
        self.levels[level].nodes += 1;
        self.level = level;
    }

    /// Adds the updates since the last call to the level of the last node.
    fn attribute(&mut self, updates: u64) {
        if let Some(level) = self.levels.get_mut(self.level) {
            level.updates += updates - self.updates_before;
        }
        self.updates_before = updates;
    }

    /// Shows a cover to the visitor and tells whether that ends the search.
    ///
    /// # Errors
    /// The end: the visitor stopped, or as many covers as wanted were visited.
    pub fn visit(&mut self, cover: &[OptionId], visit: &mut Visit<'_>) -> Result<(), End> {
        self.solutions += 1;
        if visit(cover).is_break() {
            return Err(End::Stopped);
        }
        if self.limits.solutions.is_some_and(|limit| self.solutions >= limit) {
            return Err(End::Limit(Limit::Solutions));
        }
        Ok(())
    }

    /// Counts a cover, and where there is a visitor makes it and shows it; tells as [`Self::visit`] does
    /// whether that ends the search.
    pub(crate) fn found<'c>(
        &mut self,
        visit: &mut Option<&mut Visit<'_>>,
        cover: impl FnOnce() -> &'c [OptionId],
    ) -> Result<(), End> {
        match visit {
            Some(visit) => self.visit(cover(), visit),
            None => self.visit(&[], &mut |_| ControlFlow::Continue(())),
        }
    }

    /// Makes the report.
    #[must_use]
    pub fn report(mut self, end: End, updates: u64) -> Report {
        self.attribute(updates);
        let Self { solutions, nodes, levels, .. } = self;
        Report { solutions, nodes, updates, levels, ..Report::empty(end) }
    }
}

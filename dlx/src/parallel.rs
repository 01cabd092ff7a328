//! Threads: one search on several cores, with any engine that can tell what it left.
//!
//! # Method
//! A *task* is a [`Subtree`]: the covers that contain some given options and, where items have bounds, none
//! of others. The tasks that are left stand in one list in the order of the search, first the whole
//! tree alone. Each worker takes the first task that nobody works on and searches it with an engine of
//! its own. When none waits, the hungry worker sets the flag of one that is busy ([`Limits::cancel`] of
//! its task); that one ends its search, and its [`Report::rest`], the parts of what it left, take the place
//! of the task in the list. The deepest come first, are small and go quickly; the last are large. So a task
//! is cut only where somebody waits for a part of it, and the engines know nothing of threads.
//!
//! A search begins alone on the caller's thread, and is over before others are called if it takes less
//! than `PATIENCE`; one of less than `FIRST_NODES` does not even look at the clock (two looks were 3 %
//! of a 9x9 Sudoku of 9 µs). From then on the caller's thread only shows the covers to the visitor
//! (which need not be `Send`), sees to the limits, and sleeps. A worker keeps the covers of its task
//! in a box of its own. With [`Order::Search`] they wait until all tasks before are done. What waits
//! is bounded in bytes; beyond that only the first task goes on, whose covers need not wait.
//!
//! # Limits
//! - Solutions: the visitor never sees more than were asked for. With [`Order::Search`] they are the
//!   first ones, and nobody works behind a task that has found as many.
//! - Nodes: handed out in portions, of which what a task does not need goes back. The sum is the limit
//!   exactly, or the tree is smaller; which nodes they are depends on the clock.
//! - Time and the caller's flag stop every worker within milliseconds. What was found by then is
//!   visited.
//!
//! # Invariant
//! The covers shown, the covers that wait and the tasks of the list partition the covers of the tree.
//! So no count depends on threads or luck. If the engine's choice of an item and its order of options
//! depend only on the options given, left out and chosen, as those of `links`, the tasks are just the
//! subtrees of the whole: no node is entered twice, and `Order::Search` is the order of one thread.
//!
//! # What it costs, and what limits it at 128 cores
//! With `links` on two cores, counting (seconds; the nodes are the same on any number of threads):
//!
//! ```text
//!                 1 thread  2 threads         tasks, cuts   with 128 threads   updates more
//! pent-6x10           4.51   2.27  1.99x         120    3         5132   227          3.0 %
//! pent1s-3x30         4.60   2.34  1.97x         209    5
//! pent-5x12           2.73   1.39  1.97x         153    4         3095   131          2.7 %
//! words-4x5           2.83   1.44  1.97x         625    1         2243    71          5.7 %
//! domino-8x8          1.33   0.68  1.97x         165   12         2352   233          0.2 %
//! partridge, order 6  1.22   0.63  1.95x   (with bounds)
//! ```
//!
//! Dominating queens, with bounds: five on 8x8 with `cells` 1.59 and 0.80 s, 1.98x; five on 9x9 with
//! `counts` 0.43 and 0.21 s, 2.05x.
//!
//! Nothing is shared while an engine runs; it looks at a flag of its own some thousand times a second.
//! What remains, roughly in the order in which it hurts:
//! - The start: `PATIENCE`, then threads are started one by one in some 20 µs each, so the last of 128
//!   begins after about 6 ms. Each builds an engine for itself: as many arenas as threads, which
//!   should fit into the caches of their own cores.
//! - The end: to get a part of a task takes a look interval of the engine (0.1 to 0.3 ms) and a
//!   wake-up (0.05 ms), and again for the parts of the part: some ten rounds, or about 4 ms, until
//!   what is left is not worth a cut. Both together cost a search of a second (8 ms on each of 128
//!   cores) more than half of its speedup, one of a minute 2 %.
//! - The visitor: one thread shows all covers. Where that takes a tenth of the search, eleven cores
//!   are all that can be used. 13 million domino tilings, listed: 4.3 s of work alone, 5.5 s with two
//!   threads.
//! - Giving the options of each task again: the updates in the table. With bounds also leaving out those
//!   that others have tried: of k choices of an item the last leaves out k - 1, so all of them as tasks are
//!   about k * k / 2 options hidden.
//! - The lock of the list, taken twice a task for about a microsecond. The 5,132 tasks of pent-6x10 in
//!   the 35 ms that 128 cores need for it would take a third of its time; a search that is ten times
//!   as long has hardly more tasks.
//! - Trees in which most nodes have one child that is worth a search: nobody can help there.
//!
//! Tried and dropped: a worker that waits while too many covers wait. A helper that withdrew from the
//! first task could leave all others waiting for it; now a task that has no room ends and is cut. Not
//! tried, since what an engine hides at the start of a task is much less: an engine for each set of
//! options left out.

use std::collections::VecDeque;
use std::fmt;
use std::iter;
use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crate::engine::Unsupported;
use crate::{
    End, Engine, EngineSpec, Limit, Limits, OptionId, Problem, Progress, Report, Subtree, Visit,
};

/// A search that takes less than this stays on the caller's thread.
const PATIENCE: Duration = Duration::from_millis(3);
/// A search of fewer nodes does not even look at the clock.
const FIRST_NODES: u64 = 500;
/// How often a search that is alone for want of idle cores looks for one.
const SLICE: Duration = Duration::from_millis(20);
/// How often the caller's thread looks at flags and boxes, if nothing wakes it before.
const TICK: Duration = Duration::from_millis(4);
/// A task that has run for less than this is not cut: it must come forward, too.
const RUN_MIN: Duration = Duration::from_micros(200);
/// A box of covers is emptied when it holds this many bytes.
const BOX_SIZE: usize = 1 << 14;
/// Covers may wait in about this many bytes.
const WAITING_MAX: usize = 1 << 26;
/// Beyond that, only covers of the first task may wait, in about this many.
const FIRST_WAITING_MAX: usize = 1 << 18;
/// The fewest nodes that are handed out at once where nodes are limited, if there are as many.
const PORTION_MIN: u64 = 1000;

/// In which order the covers of a parallel search are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As one thread would find them, with engines whose order depends on nothing but the options
    /// given and chosen. A cover waits until all before it have been found.
    #[default]
    Search,
    /// As they come.
    Any,
}

/// The cores that stand idle, shared by searches that run at the same time.
///
/// ```
/// use dlx::parallel::Cores;
///
/// let cores = Cores::new(4);
/// let busy = cores.occupy();
/// assert_eq!(cores.idle(), 3);
/// drop(busy);
/// assert_eq!(cores.idle(), 4);
/// ```
#[derive(Debug)]
pub struct Cores {
    /// Below zero where more are at work than there are cores.
    idle: AtomicIsize,
    count: usize,
}

/// A core at work; idle again when this is dropped.
#[derive(Debug)]
pub struct Core(Arc<Cores>);

impl Cores {
    /// Makes `count` idle cores.
    #[must_use]
    pub fn new(count: usize) -> Arc<Self> {
        Arc::new(Self { idle: AtomicIsize::new(count.try_into().unwrap_or(isize::MAX)), count })
    }

    /// Marks a core as at work, even if none is idle: then helpers of other searches withdraw.
    #[must_use]
    pub fn occupy(self: &Arc<Self>) -> Core {
        self.idle.fetch_sub(1, Relaxed);
        Core(Arc::clone(self))
    }

    /// Returns the number of idle cores.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.idle.load(Relaxed).try_into().unwrap_or(0)
    }

    /// Marks a core as at work if one is idle.
    fn take(self: &Arc<Self>) -> Option<Core> {
        let one_less = |idle: isize| (idle > 0).then(|| idle - 1);
        let taken = self.idle.fetch_update(Relaxed, Relaxed, one_less);
        taken.ok().map(|_| Core(Arc::clone(self)))
    }

    /// Tells whether more are at work than there are cores.
    pub(crate) fn is_overdrawn(&self) -> bool {
        self.idle.load(Relaxed) < 0
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.0.idle.fetch_add(1, Relaxed);
    }
}

/// What the last search of a [`Parallel`] engine took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// Threads that were started; 0 if the search was over before.
    pub threads: u64,
    /// Searches of subtrees.
    pub tasks: u64,
    /// Tasks that were cut because a thread was hungry.
    pub cuts: u64,
    /// The most bytes of covers that waited to be shown.
    pub waiting_max: usize,
}

/// Lets helpers work beside `lead`: one on each of `cores` that is idle, at most `most`, with what
/// `hire` made of its number from 0 when it was first needed.
///
/// `lead` works on the caller's thread. The helpers are to end soon after the flag is set, which whoever
/// is done may do; it is set when `lead` is over.
pub(crate) fn beside<H: Send, T>(
    cores: &Arc<Cores>,
    most: usize,
    helpers: &mut Vec<H>,
    hire: impl Fn(usize) -> H,
    help: impl Fn(&mut H, &Arc<AtomicBool>) + Sync,
    lead: impl FnOnce(&AtomicBool) -> T,
) -> T {
    let taken: Vec<_> = iter::from_fn(|| cores.take()).take(most).collect();
    while helpers.len() < taken.len() {
        helpers.push(hire(helpers.len()));
    }
    let flag = Arc::default();
    thread::scope(|scope| {
        let (help, flag) = (&help, &flag);
        for (core, helper) in taken.into_iter().zip(helpers) {
            let work = move || {
                let _core = core;
                help(helper, flag);
            };
            // Without a thread there is no help.
            _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        let _end = Raise(flag);
        lead(flag)
    })
}

/// Sets a flag when it is dropped, also if there is a panic.
struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// An engine that searches with several threads, each with an engine of its own.
///
/// Covers, counts and limits are those of the engine; see the [module](self) for what a limit on nodes
/// and a time limit mean with threads. On one thread are made a profile of levels
/// ([`Limits::profile`]), a search that is given up for its expected size ([`Limits::nodes_expected`]),
/// every search with an engine that cannot tell what it left ([`Report::rest`]), and one that shows covers
/// of a problem with bounds and is to tell that itself: for covers that wait would be left as well, and with
/// bounds a cover may contain another.
///
/// ```
/// use dlx::{Engine, Limits, parallel::Parallel};
///
/// let problem: dlx::Problem = "a b c\na\nb\nc\na b\nb c\na c\n".parse()?;
/// let mut engine = Parallel::new(&dlx::ENGINES[0], &problem, 4)?;
/// assert_eq!(engine.count(&[], &Limits::default()).count(), Some(4));
/// // So short a search needs no threads.
/// assert_eq!(engine.effort().threads, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Parallel<'b> {
    build: Box<dyn Fn() -> Box<dyn Engine> + Send + Sync + 'b>,
    /// The engines built so far.
    engines: Vec<Box<dyn Engine>>,
    cores: Arc<Cores>,
    has_bounds: bool,
    order: Order,
    patience: Duration,
    /// The most nodes of a task, and bytes of covers that wait.
    portion_max: u64,
    waiting_max: usize,
    /// Whether the engine can tell what it left, once that is known.
    can_split: Option<bool>,
    effort: Effort,
}

impl<'b> Parallel<'b> {
    /// Builds an engine of `spec` that searches `problem` with at most `threads` threads.
    ///
    /// # Errors
    /// If the engine does not take the problem.
    pub fn new(
        spec: &'b EngineSpec,
        problem: &'b Problem,
        threads: usize,
    ) -> Result<Self, Unsupported> {
        let first = (spec.build)(problem)?;
        let build = || (spec.build)(problem).expect("the engine took the problem before");
        Ok(Self::with(problem, first, build, Cores::new(threads.saturating_sub(1))))
    }

    /// Makes an engine that searches `problem` as `first` does, with others of the same `build` on each
    /// of `cores` that is idle. The core of the caller is not among them.
    ///
    /// ```
    /// use dlx::engine::Links;
    /// use dlx::parallel::{Cores, Parallel};
    /// use dlx::{Engine, Limits};
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let links = Links::new(&problem);
    /// let build = || Box::new(links.clone()) as Box<dyn Engine>;
    /// let mut engine = Parallel::with(&problem, build(), build, Cores::new(3));
    /// assert_eq!(engine.count(&[], &Limits::default()).count(), Some(2));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn with(
        problem: &Problem,
        first: Box<dyn Engine>,
        build: impl Fn() -> Box<dyn Engine> + Send + Sync + 'b,
        cores: Arc<Cores>,
    ) -> Self {
        Self {
            build: Box::new(build),
            engines: vec![first],
            cores,
            has_bounds: problem.has_bounds(),
            order: Order::default(),
            patience: PATIENCE,
            portion_max: u64::MAX,
            waiting_max: WAITING_MAX,
            can_split: None,
            effort: Effort::default(),
        }
    }

    /// Returns this engine with another order of covers.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Returns this engine such that it calls helpers at once, ends each task after `nodes` nodes, and
    /// lets covers wait in `bytes`.
    ///
    /// For tests: so even a small tree is cut in many parts.
    #[doc(hidden)]
    #[must_use]
    pub fn strained(self, nodes: u64, bytes: usize) -> Self {
        Self { patience: Duration::ZERO, portion_max: nodes, waiting_max: bytes, ..self }
    }

    /// Returns what the last search took.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Searches, and shows each cover to `visit` if there is one.
    fn search_with(
        &mut self,
        subtree: &Subtree,
        limits: &Limits,
        mut visit: Option<&mut Visit<'_>>,
    ) -> Report {
        self.effort = Effort::default();
        let mut engine = self.engine();
        // With bounds a cover may contain another, so those that wait could not be told as given options.
        let may_wait = visit.is_none() || !limits.rest || !self.has_bounds;
        let is_for_one = limits.profile || limits.nodes_expected.is_some() || !may_wait;
        if self.cores.count == 0 || is_for_one || !self.can_split(engine.as_mut()) {
            let report = run(engine.as_mut(), subtree, limits, visit);
            self.engines.push(engine);
            return report;
        }
        // Most searches are so short that even a look at the clock can be felt.
        let nodes = FIRST_NODES.min(self.portion_max).min(limits.nodes.unwrap_or(u64::MAX));
        let start = Limits { nodes: Some(nodes), rest: true, progress: None, ..limits.clone() };
        let first = run(engine.as_mut(), subtree, &start, visit.as_deref_mut());
        if first.end != End::Limit(Limit::Nodes) || limits.nodes == Some(nodes) {
            self.engines.push(engine);
            return Report { rest: first.rest.filter(|_| limits.rest), ..first };
        }
        let mut tree = Tree::new(limits, first, self);
        // Alone for a while, and then until a core is idle.
        let begun = Instant::now();
        let mut can_start = true;
        loop {
            let patience = self.patience.saturating_sub(begun.elapsed());
            if can_start
                && patience.is_zero()
                && let Some(core) = self.cores.take()
            {
                self.engines.push(engine);
                can_start = self.search_together(core, &mut tree, visit.as_deref_mut());
                engine = self.engine();
            }
            let Some(job) = tree.take(&Arc::default()) else {
                break;
            };
            let time = if patience.is_zero() { SLICE } else { patience };
            let limits = Limits { cancel: limits.cancel.clone(), ..job.limits(&slice(limits, time)) };
            let report = run(engine.as_mut(), &job.subtree, &limits, visit.as_deref_mut());
            tree.finish(&job, report);
            tree.tell();
        }
        self.engines.push(engine);
        self.effort.tasks = tree.taken;
        self.effort.cuts = tree.cuts;
        self.effort.waiting_max = tree.waiting_peak;
        tree.tell();
        tree.into_report()
    }

    /// Returns one of the engines, for a search on the caller's thread alone.
    pub(crate) fn alone(&mut self) -> &mut dyn Engine {
        if self.engines.is_empty() {
            self.engines.push((self.build)());
        }
        self.engines[0].as_mut()
    }

    pub(crate) fn cores(&self) -> &Arc<Cores> {
        &self.cores
    }

    fn engine(&mut self) -> Box<dyn Engine> {
        self.engines.pop().unwrap_or_else(|| (self.build)())
    }

    /// Tells whether the engine can say what it left: it is asked to leave the whole tree.
    fn can_split(&mut self, engine: &mut dyn Engine) -> bool {
        *self.can_split.get_or_insert_with(|| {
            let limits = Limits { nodes: Some(0), rest: true, ..Limits::default() };
            engine.count(&[], &limits).rest.is_some()
        })
    }

    /// Searches what is left with as many threads as there are idle cores, `core` being the first of
    /// them; `false` if no thread can be started.
    fn search_together(
        &mut self,
        core: Core,
        tree: &mut Tree<'_>,
        visit: Option<&mut Visit<'_>>,
    ) -> bool {
        tree.is_boxed = visit.is_some();
        let crew = Crew {
            tree: Mutex::new(tree),
            engines: Mutex::new(&mut self.engines),
            build: self.build.as_ref(),
            cores: &self.cores,
            work: Condvar::new(),
            news: Condvar::new(),
        };
        let nobody: &mut Visit<'_> = &mut |_| ControlFlow::Continue(());
        let visit = visit.unwrap_or(nobody);
        let threads = thread::scope(|scope| crew.lead(scope, core, visit));
        self.effort.threads += threads;
        tree.is_boxed = false;
        if threads > 0 {
            tree.show(visit);
        }
        threads > 0
    }
}

impl Engine for Parallel<'_> {
    fn search(&mut self, given: &[OptionId], limits: &Limits, visit: &mut Visit<'_>) -> Report {
        self.search_with(&given.to_vec().into(), limits, Some(visit))
    }

    fn count(&mut self, given: &[OptionId], limits: &Limits) -> Report {
        self.count_subtree(&given.to_vec().into(), limits)
    }

    fn search_subtree(&mut self, subtree: &Subtree, limits: &Limits, visit: &mut Visit<'_>) -> Report {
        self.search_with(subtree, limits, Some(visit))
    }

    fn count_subtree(&mut self, subtree: &Subtree, limits: &Limits) -> Report {
        // What threads count beyond a limit would be missing in the rest.
        let is_counted_one_by_one = limits.rest && limits.solutions.is_some();
        let visit: &mut Visit<'_> = &mut |_| ControlFlow::Continue(());
        self.search_with(subtree, limits, is_counted_one_by_one.then_some(visit))
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        self.engines.iter().all(|engine| engine.is_at_rest(problem))
    }
}

impl fmt::Debug for Parallel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cores, order, effort, .. } = self;
        f.debug_struct("Parallel")
            .field("cores", cores)
            .field("order", order)
            .field("effort", effort)
            .finish_non_exhaustive()
    }
}

fn run(
    engine: &mut dyn Engine,
    subtree: &Subtree,
    limits: &Limits,
    visit: Option<&mut Visit<'_>>,
) -> Report {
    match visit {
        Some(visit) => engine.search_subtree(subtree, limits, visit),
        None => engine.count_subtree(subtree, limits),
    }
}

/// Returns the limits of a search that is to stop in `time` and tell what it left.
fn slice(limits: &Limits, time: Duration) -> Limits {
    let end = Instant::now().checked_add(time);
    let deadline = limits.deadline.into_iter().chain(end).min();
    Limits { deadline, rest: true, ..limits.clone() }
}

fn is_late(limits: &Limits) -> bool {
    limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

fn is_cancelled(limits: &Limits) -> bool {
    limits.cancel.as_ref().is_some_and(|flag| flag.load(Relaxed))
}

/// What is left of a search tree, and what is known of the rest.
struct Tree<'l> {
    limits: &'l Limits,
    order: Order,
    portion_max: u64,
    waiting_max: usize,
    /// Whether the covers of tasks are put into boxes, to be shown in order.
    is_boxed: bool,
    /// What is left, in the order of the search.
    tasks: VecDeque<Task>,
    next_id: u64,
    /// Tasks that were taken, and those that were cut.
    taken: u64,
    cuts: u64,
    /// Covers that were visited or counted, the nodes and the updates.
    solutions: u64,
    nodes: u64,
    updates: u64,
    /// Covers that are still to be found, and nodes that are still to be handed out.
    wanted: u64,
    nodes_left: u64,
    /// The estimated fraction of the tree that is done.
    done: f64,
    /// The bytes of covers that wait.
    waiting_size: usize,
    waiting_peak: usize,
    /// The covers that the visitor did not want.
    unwanted: Vec<Vec<OptionId>>,
    workers: u64,
    running: usize,
    hungry: usize,
    /// Why it ends, if it is to end early; and whether nothing is left to take.
    stop: Option<End>,
    is_over: bool,
}

/// A part of the tree in the list.
struct Task {
    id: u64,
    subtree: Subtree,
    /// The estimated fraction of the whole tree.
    share: f64,
    stage: Stage,
    /// Covers that wait to be shown.
    found: Covers,
}

impl Task {
    fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }
}

enum Stage {
    Waiting,
    Running(Arc<Desk>, Instant),
    Done,
}

/// What a worker shares with others while it works on a task.
#[derive(Debug, Default)]
struct Desk {
    /// Set when the task is to be cut.
    flag: Arc<AtomicBool>,
    progress: Arc<Progress>,
    /// Covers found and not yet brought to the list.
    found: Mutex<Covers>,
}

/// A task as its worker sees it.
struct Job {
    id: u64,
    subtree: Subtree,
    desk: Arc<Desk>,
    solutions: Option<u64>,
    nodes: u64,
}

impl Job {
    /// Returns what limits the search of this task.
    fn limits(&self, limits: &Limits) -> Limits {
        Limits {
            solutions: self.solutions,
            nodes: Some(self.nodes),
            cancel: Some(Arc::clone(&self.desk.flag)),
            progress: Some(Arc::clone(&self.desk.progress)),
            rest: true,
            ..limits.clone()
        }
    }
}

/// A list of covers.
#[derive(Debug, Default)]
struct Covers {
    options: Vec<OptionId>,
    /// Where each cover ends.
    ends: Vec<usize>,
}

impl Covers {
    fn push(&mut self, cover: &[OptionId]) {
        self.options.extend_from_slice(cover);
        self.ends.push(self.options.len());
    }

    fn append(&mut self, other: Self) {
        if self.ends.is_empty() {
            *self = other;
            return;
        }
        let start = self.options.len();
        self.options.extend(other.options);
        self.ends.extend(other.ends.into_iter().map(|end| start + end));
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn size(&self) -> usize {
        size_of_val(&self.options[..]) + size_of_val(&self.ends[..])
    }

    fn iter(&self) -> impl Iterator<Item = &[OptionId]> {
        let starts = iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.options[start..end])
    }
}

impl<'l> Tree<'l> {
    /// Makes the tree of which a first search left something.
    fn new(limits: &'l Limits, first: Report, parallel: &Parallel<'_>) -> Self {
        let mut tree = Self {
            limits,
            order: parallel.order,
            portion_max: parallel.portion_max,
            waiting_max: parallel.waiting_max,
            is_boxed: false,
            tasks: VecDeque::new(),
            next_id: 0,
            taken: 0,
            cuts: 0,
            solutions: first.solutions,
            nodes: first.nodes,
            updates: first.updates,
            wanted: limits.solutions.map_or(u64::MAX, |limit| limit.saturating_sub(first.solutions)),
            nodes_left: limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(first.nodes)),
            done: 0.0,
            waiting_size: 0,
            waiting_peak: 0,
            unwanted: Vec::new(),
            workers: 1,
            running: 0,
            hungry: 0,
            stop: None,
            is_over: false,
        };
        tree.insert(first.rest, 1.0);
        tree
    }

    /// Puts what a task left before all other tasks. It has `share` of the whole tree.
    ///
    /// Where r parts stand at the end of a path, each of them and what is deeper count alike.
    fn insert(&mut self, rest: Option<Vec<Subtree>>, mut share: f64) {
        debug_assert!(rest.is_some(), "an engine that can tell what it left always can");
        if rest.is_none() {
            self.stop.get_or_insert(End::Limit(Limit::Cancelled));
        }
        let rest = rest.unwrap_or_default();
        if rest.is_empty() {
            self.done += share;
        }
        let is_as_deep = |a: &Subtree, b: &Subtree| a.given_count() == b.given_count();
        let mut siblings = rest.chunk_by(is_as_deep).rev().map(<[_]>::len).peekable();
        let mut shares = Vec::with_capacity(rest.len());
        while let Some(count) = siblings.next() {
            let deeper = usize::from(siblings.peek().is_some());
            let each = share / (count + deeper) as f64;
            shares.resize(shares.len() + count, each);
            share = each;
        }
        for (subtree, share) in rest.into_iter().rev().zip(shares) {
            let (stage, found) = (Stage::Waiting, Covers::default());
            self.tasks.push_front(Task { id: self.next_id, subtree, share, stage, found });
            self.next_id += 1;
        }
    }

    /// Takes the first task that waits, unless as many covers as wanted were found before it.
    fn take(&mut self, desk: &Arc<Desk>) -> Option<Job> {
        let at = self.next()?;
        if self.stop.is_some() || !self.has_room(at) {
            return None;
        }
        let portion = (self.nodes_left / (4 * self.workers)).max(PORTION_MIN);
        let portion = portion.min(self.nodes_left).min(self.portion_max);
        self.nodes_left -= portion;
        self.running += 1;
        self.taken += 1;
        desk.flag.store(false, Relaxed);
        desk.progress.set(0.0, 0, 0);
        let task = &mut self.tasks[at];
        task.stage = Stage::Running(Arc::clone(desk), Instant::now());
        Some(Job {
            id: task.id,
            subtree: task.subtree.clone(),
            desk: Arc::clone(desk),
            solutions: self.limits.solutions.map(|_| self.wanted),
            nodes: portion,
        })
    }

    /// Returns the place of the first task that waits, if it is wanted and nodes may be entered.
    fn next(&self) -> Option<usize> {
        let mut wanted = self.wanted_tasks().take_while(|_| self.nodes_left > 0);
        wanted.position(|task| matches!(task.stage, Stage::Waiting))
    }

    /// Goes through the tasks whose covers may be among those wanted.
    fn wanted_tasks(&self) -> impl Iterator<Item = &Task> {
        let mut found = 0;
        self.tasks.iter().take_while(move |task| {
            let is_wanted = found < self.wanted;
            found += task.found.len() as u64;
            is_wanted
        })
    }

    /// Tells whether the task at that place may find more covers: if too many wait, only the first one
    /// may, whose covers are shown at once.
    fn has_room(&self, at: usize) -> bool {
        let is_shown_soon =
            at == 0 && self.tasks[0].found.size() < self.waiting_max.min(FIRST_WAITING_MAX);
        self.waiting_size < self.waiting_max || is_shown_soon
    }

    fn position(&self, id: u64) -> Option<usize> {
        self.tasks.iter().position(|task| task.id == id)
    }

    /// Brings covers to the task that found them, or to the first one if their order is of no matter.
    fn store(&mut self, at: usize, desk: &Desk) {
        let at = if self.order == Order::Any { 0 } else { at };
        let found = mem::take(&mut *lock(&desk.found));
        self.waiting_size += found.size();
        self.waiting_peak = self.waiting_peak.max(self.waiting_size);
        self.tasks[at].found.append(found);
    }

    /// Ends the work on a task: what it left takes its place.
    fn finish(&mut self, job: &Job, report: Report) {
        let late = is_late(self.limits);
        let cancelled = is_cancelled(self.limits);
        let stops = match report.end {
            End::Exhausted | End::Limit(Limit::Nodes | Limit::Solutions) => false,
            End::Limit(Limit::Time) => late,
            End::Limit(Limit::Cancelled) => cancelled,
            // In a crew that is a full box.
            End::Stopped => !self.is_boxed,
            End::Limit(_) => true,
        };
        if stops {
            self.stop.get_or_insert(report.end);
        } else if report.end == End::Limit(Limit::Cancelled) {
            self.cuts += 1;
        }
        self.running -= 1;
        self.nodes += report.nodes;
        self.updates += report.updates;
        self.nodes_left += job.nodes - report.nodes;
        if !self.is_boxed {
            self.solutions += report.solutions;
            self.wanted = self.wanted.saturating_sub(report.solutions);
        }
        let at = self.position(job.id).expect("a task stays in the list while somebody works on it");
        self.store(at, &job.desk);
        let task = &mut self.tasks[at];
        task.stage = Stage::Done;
        if report.end == End::Exhausted {
            self.done += task.share;
        } else {
            // The fraction is that of the last look at the flag, which ended the search or is old.
            let is_new = matches!(report.end, End::Limit(Limit::Time | Limit::Cancelled));
            let fraction = job.desk.progress.fraction();
            let fraction = if is_new && report.nodes > 0 { fraction } else { 0.0 };
            let share = task.share;
            self.done += share * fraction;
            let before: Vec<_> = self.tasks.drain(..=at).collect();
            self.insert(report.rest, share * (1.0 - fraction));
            before.into_iter().rev().for_each(|task| self.tasks.push_front(task));
        }
        self.settle(at);
    }

    /// Lets a task that is done stay only for its covers, together with those of its neighbors.
    fn settle(&mut self, at: usize) {
        if self.tasks[at].found.len() == 0 {
            self.tasks.remove(at);
            return;
        }
        // First the one behind, then the one before.
        for behind in [Some(at + 1), at.checked_sub(1).map(|_| at)].into_iter().flatten() {
            let is_done = |at: usize| self.tasks.get(at).is_some_and(Task::is_done);
            if is_done(behind)
                && is_done(behind - 1)
                && let Some(task) = self.tasks.remove(behind)
            {
                self.tasks[behind - 1].found.append(task.found);
            }
        }
    }

    /// Brings the covers of all tasks to the list, as far as there is room: a box that nobody empties
    /// gets full, which ends its task.
    fn collect(&mut self) {
        for at in 0..self.tasks.len() {
            if let Stage::Running(desk, _) = &self.tasks[at].stage
                && self.has_room(at)
            {
                let desk = Arc::clone(desk);
                self.store(at, &desk);
            }
        }
    }

    /// Ends what must end before its time: all, if the caller or a limit says so; tasks whose covers
    /// are not wanted any more; and one task if a core is needed elsewhere.
    fn interrupt(&mut self, is_overdrawn: bool) {
        if is_cancelled(self.limits) {
            self.stop.get_or_insert(End::Limit(Limit::Cancelled));
        }
        if is_late(self.limits) {
            self.stop.get_or_insert(End::Limit(Limit::Time));
        }
        let running = |task: &Task| match &task.stage {
            Stage::Running(desk, _) => Some(Arc::clone(desk)),
            Stage::Waiting | Stage::Done => None,
        };
        if self.is_boxed {
            let wanted = self.wanted_tasks().count();
            for desk in self.tasks.range(wanted..).filter_map(running) {
                desk.flag.store(true, Relaxed);
            }
        } else if self.limits.solutions.is_some() {
            let counts = self.tasks.iter().filter_map(running).map(|desk| desk.progress.solutions());
            if counts.sum::<u64>() >= self.wanted {
                self.stop.get_or_insert(End::Limit(Limit::Solutions));
            }
        }
        if is_overdrawn && self.workers > 1 {
            let last = self.tasks.iter().rev().find_map(running);
            last.inspect(|desk| desk.flag.store(true, Relaxed));
        }
    }

    /// Sets the flag of a task, so that the hungry get a part of it.
    fn ask(&self) {
        let is_flagged = |desk: &Desk| desk.flag.load(Relaxed);
        let flagged = |task: &&Task| matches!(&task.stage, Stage::Running(desk, _) if is_flagged(desk));
        if self.nodes_left == 0 || self.waiting_size >= self.waiting_max {
            return;
        }
        if self.tasks.iter().filter(flagged).count() >= self.hungry {
            return;
        }
        let running = self.wanted_tasks().filter_map(|task| match &task.stage {
            Stage::Running(desk, start) if !is_flagged(desk) && start.elapsed() >= RUN_MIN => {
                Some((task.subtree.given_count(), desk))
            }
            _ => None,
        });
        // The first in order is wanted first; the one with the fewest options may be the largest.
        let victim = match (self.is_boxed, self.order) {
            (true, Order::Search) => { running }.next(),
            _ => running.min_by_key(|&(depth, _)| depth),
        };
        if let Some((_, desk)) = victim {
            desk.flag.store(true, Relaxed);
        }
    }

    /// Takes the covers whose turn it is out of the list.
    fn ready(&mut self) -> Covers {
        let mut ready = Covers::default();
        while let Some(first) = self.tasks.front_mut() {
            ready.append(mem::take(&mut first.found));
            if !first.is_done() {
                break;
            }
            self.tasks.pop_front();
        }
        self.waiting_size -= ready.size();
        self.wanted = self.wanted.saturating_sub(ready.len() as u64);
        ready
    }

    /// Takes note of covers that were shown.
    fn after_visit(&mut self, visited: u64, end: Option<End>, unwanted: Vec<Vec<OptionId>>) {
        self.solutions += visited;
        self.unwanted.extend(unwanted);
        if end.is_some() {
            self.stop = end;
        }
    }

    /// Shows the covers that still wait when all threads are done.
    fn show(&mut self, visit: &mut Visit<'_>) {
        for at in 0..self.tasks.len() {
            if matches!(self.stop, Some(End::Stopped | End::Limit(Limit::Solutions))) {
                return;
            }
            let found = mem::take(&mut self.tasks[at].found);
            let (visited, end, unwanted) = show(&found, self.solutions, self.limits, visit);
            self.after_visit(visited, end, unwanted);
        }
    }

    /// Tells the caller's other threads how far the search is.
    fn tell(&self) {
        let Some(progress) = &self.limits.progress else { return };
        let (mut fraction, mut nodes, mut solutions) = (self.done, self.nodes, self.solutions);
        for task in &self.tasks {
            if let Stage::Running(desk, _) = &task.stage {
                fraction += task.share * desk.progress.fraction();
                nodes += desk.progress.nodes();
                solutions += if self.is_boxed { 0 } else { desk.progress.solutions() };
            }
        }
        progress.set(fraction, nodes, solutions);
    }

    /// Makes the report when nobody works any more.
    fn into_report(self) -> Report {
        let limit = self.limits.solutions.unwrap_or(u64::MAX);
        let is_left = |task: &Task| matches!(task.stage, Stage::Waiting) || task.found.len() > 0;
        let end = match self.stop {
            Some(End::Stopped) => End::Stopped,
            _ if self.solutions >= limit => End::Limit(Limit::Solutions),
            _ if !self.tasks.iter().any(is_left) => End::Exhausted,
            stop => stop.unwrap_or(End::Limit(Limit::Nodes)),
        };
        let (nodes, updates, solutions) = (self.nodes, self.updates, self.solutions.min(limit));
        let report = Report { nodes, updates, solutions, ..Report::empty(end) };
        if !self.limits.rest || end == End::Exhausted {
            return report;
        }
        // A cover is a set of given options, too, and the only cover that contains it.
        let mut rest: Vec<Subtree> = self.unwanted.into_iter().map(Subtree::from).collect();
        for task in self.tasks {
            rest.extend(task.found.iter().map(|cover| cover.to_vec().into()));
            if matches!(task.stage, Stage::Waiting) {
                rest.push(task.subtree);
            }
        }
        Report { rest: Some(rest), ..report }
    }
}

/// Shows covers until the visitor or the limit ends it: how many were visited, the end, and the
/// others.
fn show(
    covers: &Covers,
    mut solutions: u64,
    limits: &Limits,
    visit: &mut Visit<'_>,
) -> (u64, Option<End>, Vec<Vec<OptionId>>) {
    let before = solutions;
    let mut covers = covers.iter();
    let mut end = None;
    while end.is_none()
        && let Some(cover) = covers.next()
    {
        solutions += 1;
        if visit(cover).is_break() {
            end = Some(End::Stopped);
        } else if limits.solutions == Some(solutions) {
            end = Some(End::Limit(Limit::Solutions));
        }
    }
    (solutions - before, end, covers.map(<[_]>::to_vec).collect())
}

/// Locks; a panic elsewhere is passed on by the thread that joins, not here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The threads of a search and what they share.
struct Crew<'c, 'l> {
    tree: Mutex<&'c mut Tree<'l>>,
    engines: Mutex<&'c mut Vec<Box<dyn Engine>>>,
    build: &'c (dyn Fn() -> Box<dyn Engine> + Send + Sync + 'c),
    cores: &'c Arc<Cores>,
    /// Tells the hungry that there are tasks, or room for covers.
    work: Condvar,
    /// Tells the caller's thread that there are covers, or that it is over.
    news: Condvar,
}

impl<'c> Crew<'c, '_> {
    /// Starts threads, shows what they find and sees to the limits until it is over; returns how many
    /// threads there were.
    fn lead<'s>(&'s self, scope: &'s Scope<'s, '_>, core: Core, visit: &mut Visit<'_>) -> u64 {
        let _alarm = Alarm(self);
        let mut threads = Vec::new();
        let mut start = |core| {
            let thread = thread::Builder::new().spawn_scoped(scope, move || self.work(core));
            threads.extend(thread.ok());
            threads.len()
        };
        // The caller's own core, and those that are idle.
        lock(&self.tree).workers = 0;
        if start(None) == 0 {
            return 0;
        }
        let idle: Vec<_> = iter::once(core).chain(iter::from_fn(|| self.cores.take())).collect();
        for core in idle {
            start(Some(core));
        }
        let mut tree = lock(&self.tree);
        while !tree.is_over && tree.stop.is_none() {
            tree.collect();
            tree.interrupt(self.cores.is_overdrawn());
            tree.tell();
            if tree.hungry == 0
                && let Some(core) = self.cores.take()
            {
                start(Some(core));
            }
            let ready = tree.ready();
            if ready.len() == 0 {
                tree = self.news.wait_timeout(tree, TICK).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let (solutions, limits) = (tree.solutions, tree.limits);
            drop(tree);
            let (visited, end, unwanted) = show(&ready, solutions, limits, visit);
            tree = lock(&self.tree);
            tree.after_visit(visited, end, unwanted);
            self.work.notify_all();
        }
        drop(tree);
        self.stop();
        let count = threads.len() as u64;
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
        count
    }

    /// What a thread does: it searches one task after the other.
    fn work(&self, mut core: Option<Core>) {
        let _alarm = Alarm(self);
        lock(&self.tree).workers += 1;
        let engine = lock(&self.engines).pop();
        let mut engine = engine.unwrap_or_else(|| (self.build)());
        let desk = Arc::default();
        let (limits, is_boxed, box_size) = {
            let tree = lock(&self.tree);
            (tree.limits, tree.is_boxed, tree.waiting_max.min(BOX_SIZE))
        };
        while let Some(job) = self.next(&desk, &mut core) {
            let limits = job.limits(limits);
            let report = if is_boxed {
                engine.search_subtree(&job.subtree, &limits, &mut |cover| {
                    self.keep(&job, cover, box_size)
                })
            } else {
                engine.count_subtree(&job.subtree, &limits)
            };
            self.finish(&job, report);
        }
        lock(&self.engines).push(engine);
        lock(&self.tree).workers -= 1;
    }

    /// Waits for a task; there is none when it is over or the core is needed elsewhere.
    fn next(&self, desk: &Arc<Desk>, core: &mut Option<Core>) -> Option<Job> {
        let mut tree = lock(&self.tree);
        let mut pause = RUN_MIN;
        while tree.stop.is_none() && !tree.is_over {
            if core.is_some() && self.cores.is_overdrawn() {
                *core = None;
                break;
            }
            let job = tree.take(desk);
            if job.is_some() {
                return job;
            }
            if tree.running == 0 && tree.next().is_none() {
                tree.is_over = true;
                self.work.notify_all();
                self.news.notify_one();
                break;
            }
            tree.hungry += 1;
            tree.ask();
            let waited = self.work.wait_timeout(tree, pause);
            tree = waited.unwrap_or_else(PoisonError::into_inner).0;
            tree.hungry -= 1;
            pause = (2 * pause).min(TICK);
        }
        None
    }

    fn finish(&self, job: &Job, report: Report) {
        let mut tree = lock(&self.tree);
        tree.finish(job, report);
        if tree.hungry > 0 {
            self.work.notify_all();
        }
        if tree.is_boxed || tree.wanted == 0 {
            self.news.notify_one();
        }
    }

    /// Keeps a cover until it is its turn; ends the task for now if too many are kept.
    fn keep(&self, job: &Job, cover: &[OptionId], box_size: usize) -> ControlFlow<()> {
        let is_full = {
            let mut found = lock(&job.desk.found);
            found.push(cover);
            found.size() >= box_size
        };
        if !is_full {
            return ControlFlow::Continue(());
        }
        let mut tree = lock(&self.tree);
        let at = tree.position(job.id).expect("a task stays in the list while somebody works on it");
        tree.store(at, &job.desk);
        self.news.notify_one();
        if tree.stop.is_some() || !tree.has_room(at) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Lets all threads end.
    fn stop(&self) {
        let mut tree = lock(&self.tree);
        tree.is_over = true;
        for task in &tree.tasks {
            if let Stage::Running(desk, _) = &task.stage {
                desk.flag.store(true, Relaxed);
            }
        }
        self.work.notify_all();
        self.news.notify_all();
    }
}

/// Stops all threads if the one that holds it panics, so that none waits for it in vain.
struct Alarm<'a, 'c, 'l>(&'a Crew<'c, 'l>);

impl Drop for Alarm<'_, '_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.tree).stop.get_or_insert(End::Stopped);
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two helpers that wait for the flag beside `lead`.
    fn wait_beside(cores: &Arc<Cores>, lead: impl FnOnce(&AtomicBool)) -> Vec<bool> {
        let mut helpers = Vec::new();
        let help = |is_done: &mut bool, flag: &Arc<AtomicBool>| {
            while !flag.load(Relaxed) {
                thread::yield_now();
            }
            *is_done = true;
        };
        beside(cores, 2, &mut helpers, |_| false, help, lead);
        helpers
    }

    #[test]
    fn helpers_end_when_the_one_that_leads_is_done_and_their_cores_are_idle_again() {
        let cores = Cores::new(5);
        let helpers = wait_beside(&cores, |_| assert_eq!(cores.idle(), 3));
        assert_eq!((helpers, cores.idle()), (vec![true; 2], 5));
        assert!(wait_beside(&Cores::new(0), |_| ()).is_empty());
        let lead = |_: &AtomicBool| panic!("as asked for");
        let call = std::panic::AssertUnwindSafe(|| wait_beside(&cores, lead));
        assert!(std::panic::catch_unwind(call).is_err());
        assert_eq!(cores.idle(), 5);
    }
}

//! Runs one search on several cores, with any engine that can return its unsearched subtrees.
//!
//! # Method
//! A *task* is a [`Subtree`] of the search tree. The open tasks form a list in search order
//! (`tree.rs`), which initially has the whole tree. Each worker takes the first waiting task and
//! searches it with its own engine. If no task waits, an idle worker sets the cancel flag of a
//! running task ([`Limits::cancel`]). The search of that task stops, and its unsearched subtrees
//! ([`Report::rest`]) replace it in the list. So a task is cut only if a worker is idle, and
//! engines need no support for threads.
//!
//! A search starts on the caller's thread, and starts other threads only if it takes longer than
//! `PATIENCE`. Once other threads run, the caller's thread only passes covers to the visitor (which
//! need not be `Send`), checks the limits, and sleeps. Each worker collects the covers of its task
//! in a box. With [`Order::Search`], covers wait until all earlier tasks are done. The waiting
//! covers are bounded in bytes. When the bound is reached, only the first task continues, because
//! its covers need not wait.
//!
//! # Limits
//! - Solutions: the visitor gets at most the requested number of covers. With [`Order::Search`]
//!   they are the first covers in search order, and no worker searches tasks after those that have
//!   found enough.
//! - Nodes: tasks get portions of the node limit (large ones if the limit is rough), and return
//!   unused nodes. Unless the tree is smaller, the number of nodes equals the limit. Timing
//!   determines which nodes are entered.
//! - Time and the caller's flag stop every worker within milliseconds. The covers found before the
//!   stop are visited.
//!
//! # Invariant
//! The covers passed to the visitor, the waiting covers and the open tasks partition the covers of
//! the tree, so counts do not depend on the number of threads or on timing. Some engines, such as
//! `links`, choose items and order options based only on the given, excluded and chosen options.
//! With such an engine, the tasks are exactly subtrees of the whole tree: no node is entered twice,
//! and [`Order::Search`] is the order of one thread.
//!
//! # Cost
//! Engines share no data; each checks only its own flag, some thousand times per second. Other
//! costs, largest first: starting threads and engines; splitting the last tasks; the single thread
//! of the visitor; repeating the given and excluded options of each task; the lock of the list. A
//! tree cannot be split if most of its nodes have only one child worth a search.
//!
//! Tried and dropped: pausing a worker while too many covers wait. All workers could then wait for
//! a first task whose worker had withdrawn. Instead, a task without room for covers ends and is
//! cut.

mod ahead;
mod crew;
mod helpers;
mod sharded;
mod threads;
mod time;
mod tree;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use limits::clock::Instant;

pub(crate) use self::ahead::{Ahead, Taken};
use self::crew::Crew;
pub(crate) use self::helpers::{Hire, beside, each, hiring};
pub(crate) use self::sharded::Sharded;
pub use self::threads::available_cores;
pub(crate) use self::time::thread_time;
use self::tree::Tree;
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem, Subtree};
use crate::search::{End, Engine, EngineSpec, Report, Unsupported, Visit, go_on};
pub use limits::{Core, Cores};

/// Time that a search runs on the caller's thread before it starts other threads.
pub(crate) const PATIENCE: Duration = Duration::from_millis(3);
/// Time between two checks for idle cores while a search runs on one thread.
const SLICE: Duration = Duration::from_millis(20);
const WAITING_MAX: usize = 1 << 26;

/// The order of the covers of a parallel search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// The order of a search with one thread, for engines whose order depends only on the given and
    /// chosen options. A cover waits until all earlier covers are found.
    #[default]
    Search,
    /// Any order: as the threads find the covers.
    Any,
}

/// The cost of the last search of a [`Parallel`] engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct Effort {
    /// Threads started; 0 if the search was too short for threads.
    pub threads: u64,
    /// Tasks (subtrees) searched.
    pub tasks: u64,
    /// Tasks cut because a thread was idle.
    pub cuts: u64,
    /// Maximum size of the waiting covers (bytes).
    pub waiting_max: usize,
}

type Build<'b> = dyn Fn() -> Box<dyn Engine> + Send + Sync + 'b;

/// An engine that searches with several threads, each with its own engine.
///
/// Covers, counts and limits are the same as with one thread; the [module](self) explains node and
/// time limits. These searches run on one thread:
/// - Searches that profile levels ([`Limits::profile`]) or limit the expected number of nodes
///   ([`Limits::nodes_expected`]).
/// - Searches with an engine that cannot return its unsearched subtrees ([`Report::rest`]).
/// - Searches that show covers of a problem with bounds and return the unsearched subtrees. Waiting
///   covers would have to be returned as subtrees, but with bounds a cover may contain another.
///
/// ```
/// use dlx::{Engine, Limits, parallel::Parallel};
///
/// let problem: dlx::Problem = "a b c\na\nb\nc\na b\nb c\na c\n".parse()?;
/// let mut engine = Parallel::new(&dlx::ENGINES[0], &problem, 4)?;
/// assert_eq!(engine.count(&[], &Limits::new()).count(), Some(4));
/// // So short a search needs no threads.
/// assert_eq!(engine.effort().threads, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Parallel<'b> {
    build: Box<Build<'b>>,
    engines: Vec<Box<dyn Engine>>,
    cores: Arc<Cores>,
    has_bounds: bool,
    order: Order,
    patience: Duration,
    /// Maximum number of nodes per task, and maximum size of waiting covers (bytes).
    portion_max: u64,
    waiting_max: usize,
    can_split: Option<bool>,
    effort: Effort,
}

impl<'b> Parallel<'b> {
    /// Builds an engine of `spec` that searches `problem` with at most `threads` threads.
    ///
    /// # Errors
    /// If the engine does not support the problem.
    pub fn new(
        spec: &'b EngineSpec,
        problem: &'b Problem,
        threads: usize,
    ) -> Result<Self, Unsupported> {
        let first = (spec.build)(problem)?;
        let build = || (spec.build)(problem).expect("the engine took the problem before");
        Ok(Self::with(problem, first, build, Cores::new(threads.saturating_sub(1))))
    }

    /// Creates an engine that searches `problem` with `first` on the caller's thread, and with
    /// engines from `build` on the idle `cores`. The caller's core is not one of `cores`.
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
    /// assert_eq!(engine.count(&[], &Limits::new()).count(), Some(2));
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

    /// Sets the order of the covers.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Sets the time that a search runs on the caller's thread before it starts other threads. The
    /// default is 3 ms.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use dlx::parallel::Parallel;
    /// use dlx::{ENGINES, Engine, Limits};
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let engine = Parallel::new(&ENGINES[0], &problem, 2)?;
    /// // Even this tree of five nodes is searched by two threads now.
    /// let mut engine = engine.patience(Duration::ZERO).portion(1).waiting(1000);
    /// assert_eq!(engine.count(&[], &Limits::new()).count(), Some(2));
    /// assert_eq!(engine.effort().threads, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Ends each task after `nodes` nodes, so that other threads can search its remaining subtrees.
    /// The default is unlimited.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn portion(self, nodes: u64) -> Self {
        Self { portion_max: nodes, ..self }
    }

    /// Limits the size of the waiting covers to about `bytes` bytes. The default is 64 MiB.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn waiting(self, bytes: usize) -> Self {
        Self { waiting_max: bytes, ..self }
    }

    /// Returns the cost of the last search.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn effort(&self) -> Effort {
        self.effort
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

    /// Returns whether one call can search several subtrees, where `is_shown` is whether it shows
    /// covers.
    fn takes_many(&self, is_shown: bool) -> bool {
        self.cores.count() > 0 && (!is_shown || !self.has_bounds)
    }

    /// Removes and returns the subtrees that one call can search: all, or only the first in search
    /// order, which is the last of `open`.
    pub(crate) fn next_parts(&self, open: &mut Vec<Subtree>, is_shown: bool) -> Vec<Subtree> {
        let count = if self.takes_many(is_shown) { open.len() } else { open.len().min(1) };
        open.drain(open.len() - count..).rev().collect()
    }

    /// Searches subtrees that the engine left, in search order. The returned rest has the same
    /// order, and its shares refer to the whole tree.
    ///
    /// Several subtrees must come from [`next_parts`](Self::next_parts), and `limits` must ask for
    /// the rest.
    pub(crate) fn run_parts(
        &mut self,
        parts: Vec<Subtree>,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        if let [part] = &parts[..] {
            return run_part(self, part, limits, visit);
        }
        self.effort = Effort::default();
        let go_on: &mut Visit<'_> = &mut go_on;
        let is_counted_one_by_one = limits.solutions.is_some();
        let visit = visit.or(is_counted_one_by_one.then_some(go_on));
        let nothing = Report { rest: Some(parts), ..Report::empty(End::Limit(Limit::Nodes)) };
        let engine = self.engine();
        self.go_on(engine, Instant::now(), nothing, limits, visit)
    }

    /// Returns whether the engine can return its unsearched subtrees, tested by a search of 0
    /// nodes.
    fn can_split(&mut self, engine: &mut dyn Engine) -> bool {
        *self.can_split.get_or_insert_with(|| {
            let limits = Limits::new().nodes(0).rest(true);
            engine.count(&[], &limits).rest.is_some()
        })
    }

    /// Searches the open tasks on `core` and all other idle cores. Returns `false` if no thread can
    /// be started.
    fn search_together(
        &mut self,
        core: Core,
        tree: &mut Tree<'_>,
        visit: Option<&mut Visit<'_>>,
    ) -> bool {
        tree.is_boxed = visit.is_some();
        let crew = Crew::new(tree, &mut self.engines, self.build.as_ref(), &self.cores);
        let go_on: &mut Visit<'_> = &mut go_on;
        let visit = visit.unwrap_or(go_on);
        let threads = threads::scope(|scope| crew.lead(scope, core, visit));
        crew.end();
        self.effort.threads += threads;
        tree.is_boxed = false;
        if threads > 0 {
            tree.show(visit);
        }
        threads > 0
    }

    /// Continues a search that started at `begun` and left the subtrees of `first`, on one thread
    /// until its patience ends, then also on idle cores.
    fn go_on(
        &mut self,
        mut engine: Box<dyn Engine>,
        begun: Instant,
        first: Report,
        limits: &Limits,
        mut visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let mut tree = Tree::new(limits, first, self);
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
            let Some(job) = tree.take(&Arc::default(), true) else {
                break;
            };
            let time = if patience.is_zero() { SLICE } else { patience };
            let limits = job.limits(&slice(limits, time)).cancel(limits.cancel.clone());
            let report = job.run(engine.as_mut(), &limits, visit.as_deref_mut());
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
}

impl Engine for Parallel<'_> {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        // Covers that threads counted beyond the limit would be missing from the unsearched
        // subtrees.
        let is_counted_one_by_one = limits.rest && limits.solutions.is_some();
        let go_on: &mut Visit<'_> = &mut go_on;
        let mut visit = visit.or(is_counted_one_by_one.then_some(go_on));
        self.effort = Effort::default();
        let mut engine = self.engine();
        // With bounds a cover may contain another, so a waiting cover cannot be returned as a
        // subtree with given options.
        let may_wait = visit.is_none() || !limits.rest || !self.has_bounds;
        let is_for_one = limits.profile || limits.nodes_expected.is_some() || !may_wait;
        if self.cores.count() == 0 || is_for_one || !self.can_split(engine.as_mut()) {
            let report = engine.run(given, without, limits, visit);
            self.engines.push(engine);
            return report;
        }
        let begun = Instant::now();
        let nodes = self.portion_max.min(limits.nodes.unwrap_or(u64::MAX));
        let start = slice(limits, self.patience).nodes(nodes).progress(None);
        let first = engine.run(given, without, &start, visit.as_deref_mut());
        let is_over = match first.end {
            End::Limit(Limit::Nodes) => limits.nodes == Some(nodes),
            End::Limit(Limit::Time) => limits.check().is_err(),
            _ => true,
        };
        if is_over {
            self.engines.push(engine);
            return Report { rest: first.rest.filter(|_| limits.rest), ..first };
        }
        self.go_on(engine, begun, first, limits, visit)
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

/// Searches a subtree that an engine left. The shares of the returned rest refer to the whole tree.
pub(crate) fn run_part(
    engine: &mut dyn Engine,
    part: &Subtree,
    limits: &Limits,
    visit: Option<&mut Visit<'_>>,
) -> Report {
    let report = engine.run(&part.given(), part.without(), limits, visit);
    let within = |left: Subtree| left.within(part.share());
    Report { rest: report.rest.map(|rest| rest.into_iter().map(within).collect()), ..report }
}

fn slice(limits: &Limits, time: Duration) -> Limits {
    let end = Instant::now().checked_add(time);
    let deadline = limits.deadline.into_iter().chain(end).min();
    limits.clone().deadline(deadline).rest(true)
}

/// Returns the index of the branch that worker `number` takes at `step`, if every worker visits all
/// `count` branches. Worker 0 starts at the first branch and goes forwards, and worker 1 starts at
/// the last and goes backwards. The other workers start in between.
#[inline]
pub(crate) fn turn(number: u32, step: usize, count: usize) -> usize {
    if number == 0 {
        return step;
    }
    let begin = ((u64::from((number / 2).reverse_bits()) * count as u64) >> 32) as usize;
    let place = (step + begin) % count;
    if number.is_multiple_of(2) { place } else { count - 1 - place }
}

/// Locks a mutex. Ignores poisoning, because the thread that joins the panicked thread passes the
/// panic on.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::engine::ENGINES;
    use crate::model::samples::rows;

    #[test]
    fn threads_leave_about_the_same_share_of_the_tree_as_one_thread() {
        let problem = rows(&[12, 11]);
        for spec in ENGINES {
            let limits = Limits::new().nodes(3000).rest(true);
            let left = |engine: &mut dyn Engine| -> Option<f64> {
                Some(engine.count(&[], &limits).rest?.iter().map(Subtree::share).sum())
            };
            let Ok(mut alone) = (spec.build)(&problem) else { continue };
            let Some(expected) = left(alone.as_mut()) else { continue };
            assert!(0.0 < expected && expected < 1.0, "{}: {expected}", spec.name);
            for portion in [100, u64::MAX] {
                let found = left(&mut Parallel::new(spec, &problem, 2).unwrap().portion(portion));
                let ratio = (1.0 - found.unwrap()) / (1.0 - expected);
                assert!((0.25..4.0).contains(&ratio), "{}: {ratio}", spec.name);
            }
        }
    }

    #[test]
    fn one_call_searches_all_unsearched_subtrees_in_order() {
        for problem in [rows(&[6, 5, 4]), rows(&[3; 7])] {
            for spec in ENGINES {
                let (mut expected, mut whole) = (Vec::new(), (spec.build)(&problem).unwrap());
                let all = whole.search(&[], &Limits::default(), &mut |cover| {
                    expected.push(cover.to_vec());
                    ControlFlow::Continue(())
                });
                for (helpers, nodes, slice) in [(0, 7, 50), (1, 30, u64::MAX), (2, 200, 90)] {
                    let parallel = Parallel::new(spec, &problem, helpers + 1).unwrap();
                    let mut parallel = parallel.patience(Duration::ZERO);
                    if !parallel.can_split(whole.as_mut()) {
                        continue;
                    }
                    let mut found = Vec::new();
                    let mut limits = Limits::new().nodes(nodes).rest(true);
                    let mut open = vec![Subtree::default()];
                    let mut shown = 0;
                    while !open.is_empty() {
                        let parts = parallel.next_parts(&mut open, true);
                        let show = &mut |cover: &[OptionId]| {
                            found.push(cover.to_vec());
                            ControlFlow::Continue(())
                        };
                        let report = parallel.run_parts(parts, &limits, Some(show));
                        assert_eq!(report.rest.is_none(), report.end == End::Exhausted);
                        shown += report.solutions;
                        open.extend(report.rest.unwrap_or_default().into_iter().rev());
                        let left: f64 = open.iter().map(Subtree::share).sum();
                        assert!((0.0..1.0 + 1e-9).contains(&left), "{left}");
                        limits.nodes = Some(slice);
                    }
                    assert_eq!(shown, all.solutions, "{} {helpers}", spec.name);
                    if spec.name == "links" {
                        assert_eq!(found, expected, "{helpers}");
                    }
                    let sorted = |covers: &[Vec<OptionId>]| {
                        let mut covers = covers.to_vec();
                        covers.iter_mut().for_each(|cover| cover.sort_unstable());
                        covers.sort_unstable();
                        covers
                    };
                    assert_eq!(sorted(&found), sorted(&expected), "{} {helpers}", spec.name);
                }
            }
        }
    }

    #[test]
    fn each_worker_takes_every_branch_once() {
        for (number, count) in (0..9).flat_map(|number| (1..20).map(move |count| (number, count))) {
            let mut taken: Vec<_> = (0..count).map(|step| turn(number, step, count)).collect();
            let backward = (0..count).rev();
            assert!(number != 1 || taken.iter().copied().eq(backward));
            taken.sort_unstable();
            assert!(taken.into_iter().eq(0..count), "{number} {count}");
        }
    }

    #[test]
    fn unused_nodes_of_a_task_are_given_to_other_tasks() {
        let problem = rows(&[6, 5]);
        let whole = (ENGINES[0].build)(&problem).unwrap().count(&[], &Limits::default());
        for portion in [3, 20, u64::MAX] {
            let engine = Parallel::new(&ENGINES[0], &problem, 2).unwrap();
            let mut engine = engine.patience(Duration::ZERO).portion(portion).waiting(1000);
            let limits = Limits::new().nodes(whole.nodes);
            let report = engine.count(&[], &limits);
            assert_eq!((report.count(), report.nodes), (Some(13 * 8), whole.nodes), "{portion}");
        }
    }
}

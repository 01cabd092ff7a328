//! Threads: one search on several cores, with any engine that can tell what it left.
//!
//! # Method
//! A *task* is a [`Subtree`]: the covers that contain some given options and, where items have bounds,
//! none of others. The tasks that are left stand in one list in the order of the search (`tree.rs`),
//! first the whole tree alone. Each worker takes the first task that nobody works on and searches it
//! with an engine of its own. When none waits, the hungry worker sets the flag of one that is busy
//! ([`Limits::cancel`] of its task); that one ends its search, and its [`Report::rest`], the parts of
//! what it left, take the place of the task in the list. The deepest come first, are small and go
//! quickly; the last are large. So a task is cut only where somebody waits for a part of it, and the
//! engines know nothing of threads.
//!
//! A search begins alone on the caller's thread, and is over before others are called if it takes less
//! than `PATIENCE`. It is not cut before: what an engine for batches leaves is a thousand parts, which take
//! longer than what they were cut from. From then on the caller's thread only shows the covers to the visitor
//! (which need not be `Send`), sees to the limits, and sleeps. A worker keeps the covers of its task
//! in a box of its own. With [`Order::Search`] they wait until all tasks before are done. What waits
//! is bounded in bytes; beyond that only the first task goes on, whose covers need not wait.
//!
//! # Limits
//! - Solutions: the visitor never sees more than were asked for. With [`Order::Search`] they are the
//!   first ones, and nobody works behind a task that has found as many.
//! - Nodes: handed out in portions (large ones where the limit is rough), of which what a task does not need goes back. The sum is the limit
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

mod ahead;
mod cores;
mod crew;
mod helpers;
mod sharded;
mod threads;
mod time;
mod tree;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clock::Instant;

pub(crate) use self::ahead::{Ahead, Taken};
pub use self::cores::{Core, Cores};
use self::crew::Crew;
pub(crate) use self::helpers::{Hire, beside, each, hiring};
pub(crate) use self::sharded::Sharded;
pub use self::threads::available_cores;
pub(crate) use self::time::thread_time;
use self::tree::Tree;
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem, Subtree};
use crate::search::{End, Engine, EngineSpec, Report, Unsupported, Visit, go_on};

/// A search that takes less than this stays on the caller's thread.
pub(crate) const PATIENCE: Duration = Duration::from_millis(3);
/// How often a search that is alone for want of idle cores looks for one.
const SLICE: Duration = Duration::from_millis(20);
/// Covers may wait in about this many bytes.
const WAITING_MAX: usize = 1 << 26;

/// In which order the covers of a parallel search are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// As one thread would find them, with engines whose order depends on nothing but the options
    /// given and chosen. A cover waits until all before it have been found.
    #[default]
    Search,
    /// As they come.
    Any,
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

/// Builds one more engine.
type Build<'b> = dyn Fn() -> Box<dyn Engine> + Send + Sync + 'b;

/// An engine that searches with several threads, each with an engine of its own.
///
/// Covers, counts and limits are those of the engine; see the [module](self) for what a limit on nodes
/// and a time limit mean with threads. On one thread are made a profile of levels
/// ([`Limits::profile`]), a search that is given up for its expected size ([`Limits::nodes_expected`]),
/// every search with an engine that cannot tell what it left ([`Report::rest`]), and one that shows
/// covers of a problem with bounds and is to tell that itself: for covers that wait would be left as
/// well, and with bounds a cover may contain another.
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

    /// Returns this engine with another order of covers.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Stays on the caller's thread for this long before others are called: 3 ms by default.
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
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Ends each task after this many nodes, so that what is left of it may go to others: never by default.
    #[must_use]
    pub fn portion(self, nodes: u64) -> Self {
        Self { portion_max: nodes, ..self }
    }

    /// Lets covers wait for those before them in about this many bytes: 64 MiB by default.
    #[must_use]
    pub fn waiting(self, bytes: usize) -> Self {
        Self { waiting_max: bytes, ..self }
    }

    /// Returns what the last search took.
    #[must_use]
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

    /// Tells whether several parts of a tree can be searched in one call, where covers are shown or only counted.
    fn takes_many(&self, is_shown: bool) -> bool {
        self.cores.count() > 0 && (!is_shown || !self.has_bounds)
    }

    /// Takes out of what is left, the first in its order last, what can be searched in one call: all of it, or one part.
    pub(crate) fn next_parts(&self, open: &mut Vec<Subtree>, is_shown: bool) -> Vec<Subtree> {
        let count = if self.takes_many(is_shown) { open.len() } else { open.len().min(1) };
        open.drain(open.len() - count..).rev().collect()
    }

    /// Searches parts that the engine left, in the order of the search, within limits that ask for the rest: what is left
    /// of them comes in that order, too, with its share of the whole tree.
    ///
    /// Several parts must be such as it [takes](Self::next_parts) out of what is left.
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

    /// Goes on with what was left of a search that has begun then, alone for a while and then until a core is idle.
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
            let limits = Limits { cancel: limits.cancel.clone(), ..job.limits(&slice(limits, time)) };
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
        // What threads count beyond a limit would be missing in the rest.
        let is_counted_one_by_one = limits.rest && limits.solutions.is_some();
        let go_on: &mut Visit<'_> = &mut go_on;
        let mut visit = visit.or(is_counted_one_by_one.then_some(go_on));
        self.effort = Effort::default();
        let mut engine = self.engine();
        // With bounds a cover may contain another, so those that wait could not be told as given
        // options.
        let may_wait = visit.is_none() || !limits.rest || !self.has_bounds;
        let is_for_one = limits.profile || limits.nodes_expected.is_some() || !may_wait;
        if self.cores.count() == 0 || is_for_one || !self.can_split(engine.as_mut()) {
            let report = engine.run(given, without, limits, visit);
            self.engines.push(engine);
            return report;
        }
        let begun = Instant::now();
        let nodes = self.portion_max.min(limits.nodes.unwrap_or(u64::MAX));
        let start = Limits { nodes: Some(nodes), progress: None, ..slice(limits, self.patience) };
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

/// Searches a part that an engine left; what is left of it has its share of the whole tree.
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

/// Returns the limits of a search that is to stop in `time` and tell what it left.
fn slice(limits: &Limits, time: Duration) -> Limits {
    let end = Instant::now().checked_add(time);
    let deadline = limits.deadline.into_iter().chain(end).min();
    Limits { deadline, rest: true, ..limits.clone() }
}

/// Returns what worker `number` takes in a step, of `count` branches that all will go through: the first one takes them from
/// the first to the last, the second one back, so that they meet, and others likewise from places between.
#[inline]
pub(crate) fn turn(number: u32, step: usize, count: usize) -> usize {
    if number == 0 {
        return step;
    }
    let begin = ((u64::from((number / 2).reverse_bits()) * count as u64) >> 32) as usize;
    let place = (step + begin) % count;
    if number.is_multiple_of(2) { place } else { count - 1 - place }
}

/// Locks; a panic elsewhere is passed on by the thread that joins, not here.
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
    fn the_share_that_is_left_is_that_of_one_thread() {
        let problem = rows(&[12, 11]);
        for spec in ENGINES {
            let limits = Limits { nodes: Some(3000), rest: true, ..Limits::default() };
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
    fn what_a_search_left_is_searched_in_one_call_in_its_order() {
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
                    let mut limits = Limits { nodes: Some(nodes), rest: true, ..Limits::default() };
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
                    // In which order an engine goes on with a part may differ.
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
    fn nodes_that_a_task_did_not_need_are_there_for_others() {
        let problem = rows(&[6, 5]);
        let whole = (ENGINES[0].build)(&problem).unwrap().count(&[], &Limits::default());
        for portion in [3, 20, u64::MAX] {
            let engine = Parallel::new(&ENGINES[0], &problem, 2).unwrap();
            let mut engine = engine.patience(Duration::ZERO).portion(portion).waiting(1000);
            // Just enough.
            let limits = Limits { nodes: Some(whole.nodes), ..Limits::default() };
            let report = engine.count(&[], &limits);
            assert_eq!((report.count(), report.nodes), (Some(13 * 8), whole.nodes), "{portion}");
        }
    }
}

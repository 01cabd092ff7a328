//! The open tasks of a parallel search in search order, and its results so far.

use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use limits::clock::Instant;

use super::{Order, Parallel, lock};
use crate::limits::{Limit, Limits, Progress};
use crate::model::{Covers, OptionId, Subtree};
use crate::search::{End, Engine, Report, Visit};

/// Minimum running time of a task before it may be cut, so that it makes progress.
pub(super) const RUN_MIN: Duration = Duration::from_micros(200);
/// Maximum size of the waiting covers of the first task while the limit for all waiting covers is
/// exceeded (bytes).
const FIRST_WAITING_MAX: usize = 1 << 18;
const PORTION_MIN: u64 = 1000;
/// Minimum number of nodes per portion of a rough node limit, because each portion that ends leaves
/// many small subtrees.
const ROUGH_MIN: u64 = 50_000;

/// The open tasks of a search tree, and the results so far.
pub(super) struct Tree<'l> {
    pub(super) limits: &'l Limits,
    order: Order,
    portion_max: u64,
    pub(super) waiting_max: usize,
    /// Whether workers collect covers in boxes, to be passed to the visitor in order.
    pub(super) is_boxed: bool,
    tasks: VecDeque<Task>,
    next_id: u64,
    pub(super) taken: u64,
    pub(super) cuts: u64,
    pub(super) solutions: u64,
    nodes: u64,
    updates: u64,
    /// The number of covers still wanted, and the number of nodes not assigned to tasks yet.
    pub(super) wanted: u64,
    nodes_left: u64,
    done: f64,
    waiting_size: usize,
    pub(super) waiting_peak: usize,
    /// Found covers that are not passed to the visitor and must be returned, if [`Limits::rest`] is
    /// set; and whether a limit left any.
    unwanted: Vec<Vec<OptionId>>,
    is_cut: bool,
    pub(super) workers: u64,
    pub(super) running: usize,
    pub(super) hungry: usize,
    /// The reason to stop early, if any; and whether no task is left.
    pub(super) stop: Option<End>,
    pub(super) is_over: bool,
}

struct Task {
    id: u64,
    subtree: Subtree,
    stage: TaskStage,
    found: Covers,
}

impl Task {
    fn is_done(&self) -> bool {
        matches!(self.stage, TaskStage::Done)
    }
}

enum TaskStage {
    Waiting,
    Running(Arc<Desk>, Instant),
    Done,
}

/// The state of a running task that its worker shares with other threads.
#[derive(Debug, Default)]
pub(super) struct Desk {
    flag: Arc<AtomicBool>,
    progress: Arc<Progress>,
    pub(super) found: Mutex<Covers>,
}

pub(super) struct Job {
    pub(super) id: u64,
    subtree: Subtree,
    pub(super) desk: Arc<Desk>,
    solutions: Option<u64>,
    nodes: u64,
}

impl Job {
    pub(super) fn limits(&self, limits: &Limits) -> Limits {
        limits
            .clone()
            .solutions(self.solutions)
            .nodes(self.nodes)
            .cancel(Arc::clone(&self.desk.flag))
            .progress(Arc::clone(&self.desk.progress))
            .rest(true)
    }

    pub(super) fn run(
        &self,
        engine: &mut dyn Engine,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        engine.run(&self.subtree.given(), self.subtree.without(), limits, visit)
    }
}

impl<'l> Tree<'l> {
    /// Creates the tree from the report of a first search, whose unsearched subtrees become the
    /// tasks.
    pub(super) fn new(limits: &'l Limits, first: Report, parallel: &Parallel<'_>) -> Self {
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
            is_cut: false,
            workers: 1,
            running: 0,
            hungry: 0,
            stop: None,
            is_over: false,
        };
        let done = tree.insert(first.rest, 1.0);
        tree.done = done;
        tree
    }

    /// Inserts the unsearched subtrees of a task with this `share` before all other tasks. Returns
    /// the share that was searched.
    fn insert(&mut self, rest: Option<Vec<Subtree>>, share: f64) -> f64 {
        debug_assert!(rest.is_some(), "an engine that can tell what it left always can");
        if rest.is_none() {
            self.stop.get_or_insert(End::Limit(Limit::Cancelled));
        }
        let mut left = 0.0;
        for subtree in rest.unwrap_or_default().into_iter().rev() {
            let (stage, found) = (TaskStage::Waiting, Covers::default());
            left += subtree.share();
            let subtree = subtree.within(share);
            self.tasks.push_front(Task { id: self.next_id, subtree, stage, found });
            self.next_id += 1;
        }
        share * (1.0 - left).max(0.0)
    }

    /// Takes the first waiting task, unless earlier tasks have found enough covers. A single worker
    /// gets all remaining nodes.
    pub(super) fn take(&mut self, desk: &Arc<Desk>, is_alone: bool) -> Option<Job> {
        let at = self.next()?;
        if self.stop.is_some() || !self.has_room(at) {
            return None;
        }
        let shared = if self.limits.is_rough {
            (self.nodes_left / self.workers.max(1)).max(ROUGH_MIN)
        } else {
            (self.nodes_left / (4 * self.workers.max(1))).max(PORTION_MIN)
        };
        let portion = if is_alone { u64::MAX } else { shared };
        let portion = portion.min(self.nodes_left).min(self.portion_max);
        self.nodes_left -= portion;
        self.running += 1;
        self.taken += 1;
        desk.flag.store(false, Relaxed);
        desk.progress.set(0.0, 0, 0);
        let task = &mut self.tasks[at];
        task.stage = TaskStage::Running(Arc::clone(desk), Instant::now());
        Some(Job {
            id: task.id,
            subtree: task.subtree.clone(),
            desk: Arc::clone(desk),
            solutions: self.limits.solutions.map(|_| self.wanted),
            nodes: portion,
        })
    }

    /// Returns the index of the first waiting task, if its covers may be wanted and nodes are left.
    pub(super) fn next(&self) -> Option<usize> {
        let mut wanted = self.wanted_tasks().take_while(|_| self.nodes_left > 0);
        wanted.position(|task| matches!(task.stage, TaskStage::Waiting))
    }

    fn wanted_tasks(&self) -> impl Iterator<Item = &Task> {
        let mut found = 0;
        self.tasks.iter().take_while(move |task| {
            let is_wanted = found < self.wanted;
            found += task.found.len() as u64;
            is_wanted
        })
    }

    /// Returns whether the task at index `at` may find more covers. If too many covers wait, only
    /// the first task may, because its covers are passed to the visitor at once.
    pub(super) fn has_room(&self, at: usize) -> bool {
        let is_shown_soon =
            at == 0 && self.tasks[0].found.size() < self.waiting_max.min(FIRST_WAITING_MAX);
        self.waiting_size < self.waiting_max || is_shown_soon
    }

    pub(super) fn position(&self, id: u64) -> Option<usize> {
        self.tasks.iter().position(|task| task.id == id)
    }

    pub(super) fn store(&mut self, at: usize, desk: &Desk) {
        let at = if self.order == Order::Any { 0 } else { at };
        let found = mem::take(&mut *lock(&desk.found));
        self.waiting_size += found.size();
        self.waiting_peak = self.waiting_peak.max(self.waiting_size);
        self.tasks[at].found.append(found);
    }

    pub(super) fn finish(&mut self, job: &Job, report: Report) {
        let stop = match report.end {
            End::Exhausted | End::Limit(Limit::Nodes | Limit::Solutions) => None,
            // If the whole search has reached no limit, only this task was stopped.
            End::Limit(Limit::Time | Limit::Cancelled) => self.limits.check().err().map(End::Limit),
            // With boxes, `Stopped` means that a box was full.
            End::Stopped => (!self.is_boxed).then_some(End::Stopped),
            end @ End::Limit(_) => Some(end),
        };
        if let Some(end) = stop {
            self.stop.get_or_insert(end);
        } else if report.end == End::Limit(Limit::Cancelled) {
            self.cuts += 1;
        }
        self.running -= 1;
        self.nodes += report.nodes;
        self.updates += report.updates;
        // With a rough limit, the task may have entered more nodes than its portion.
        self.nodes_left = (self.nodes_left + job.nodes).saturating_sub(report.nodes);
        if !self.is_boxed {
            self.solutions += report.solutions;
            self.wanted = self.wanted.saturating_sub(report.solutions);
        }
        let at = self.position(job.id).expect("a task stays in the list while somebody works on it");
        self.store(at, &job.desk);
        let task = &mut self.tasks[at];
        task.stage = TaskStage::Done;
        if report.end == End::Exhausted {
            self.done += task.subtree.share();
        } else {
            let share = task.subtree.share();
            let before: Vec<_> = self.tasks.drain(..=at).collect();
            self.done += self.insert(report.rest, share);
            before.into_iter().rev().for_each(|task| self.tasks.push_front(task));
        }
        self.settle(at);
    }

    /// Removes a finished task without covers, or merges a finished task with adjacent finished
    /// ones.
    fn settle(&mut self, at: usize) {
        if self.tasks[at].found.is_empty() {
            self.tasks.remove(at);
            return;
        }
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

    /// Moves the covers of all running tasks from their boxes to the list while there is room.
    /// Otherwise a box fills up, which ends its task.
    pub(super) fn collect(&mut self) {
        for at in 0..self.tasks.len() {
            if let TaskStage::Running(desk, _) = &self.tasks[at].stage
                && self.has_room(at)
            {
                let desk = Arc::clone(desk);
                self.store(at, &desk);
            }
        }
    }

    /// Stops running tasks early: all of them if the caller or a limit requires it, those whose
    /// covers are no longer wanted, and one task if another search needs a core.
    pub(super) fn interrupt(&mut self, is_overbooked: bool) {
        if let Err(limit) = self.limits.check() {
            self.stop.get_or_insert(End::Limit(limit));
        }
        let running = |task: &Task| match &task.stage {
            TaskStage::Running(desk, _) => Some(Arc::clone(desk)),
            TaskStage::Waiting | TaskStage::Done => None,
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
        if is_overbooked && self.workers > 1 {
            let last = self.tasks.iter().rev().find_map(running);
            last.inspect(|desk| desk.flag.store(true, Relaxed));
        }
    }

    pub(super) fn interrupt_all(&self) {
        for task in &self.tasks {
            if let TaskStage::Running(desk, _) = &task.stage {
                desk.flag.store(true, Relaxed);
            }
        }
    }

    /// Sets the cancel flag of a running task, so that idle workers get a part of it.
    pub(super) fn ask(&self) {
        let is_flagged = |desk: &Desk| desk.flag.load(Relaxed);
        let flagged =
            |task: &&Task| matches!(&task.stage, TaskStage::Running(desk, _) if is_flagged(desk));
        if self.nodes_left == 0 || self.waiting_size >= self.waiting_max {
            return;
        }
        if self.tasks.iter().filter(flagged).count() >= self.hungry {
            return;
        }
        let running = self.wanted_tasks().filter_map(|task| match &task.stage {
            TaskStage::Running(desk, start) if !is_flagged(desk) && start.elapsed() >= RUN_MIN => {
                Some((task.subtree.given_count(), desk))
            }
            _ => None,
        });
        // In search order the first task is needed first. If the order does not matter, the task
        // with the fewest given options is probably the largest.
        let victim = match (self.is_boxed, self.order) {
            (true, Order::Search) => { running }.next(),
            _ => running.min_by_key(|&(depth, _)| depth),
        };
        if let Some((_, desk)) = victim {
            desk.flag.store(true, Relaxed);
        }
    }

    pub(super) fn ready(&mut self) -> Covers {
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

    pub(super) fn after_visit(&mut self, visited: u64, end: Option<End>, unwanted: Vec<Vec<OptionId>>) {
        self.solutions += visited;
        self.unwanted.extend(unwanted);
        self.is_cut |= matches!(end, Some(End::Limit(limit)) if limit != Limit::Solutions);
        if end.is_some() {
            self.stop = end;
        }
    }

    /// Shows the remaining covers after all threads have ended; after a limit at most
    /// [`LATE_COVERS`] of them.
    pub(super) fn show(&mut self, visit: &mut Visit<'_>) {
        let mut until_look = LATE_COVERS;
        for at in 0..self.tasks.len() {
            if self.is_cut || matches!(self.stop, Some(End::Stopped | End::Limit(Limit::Solutions))) {
                return;
            }
            let found = mem::take(&mut self.tasks[at].found);
            let (visited, end, unwanted) =
                show(&found, self.solutions, self.limits, &mut until_look, visit);
            self.after_visit(visited, end, unwanted);
        }
    }

    pub(super) fn tell(&self) {
        let Some(progress) = &self.limits.progress else { return };
        let (mut fraction, mut nodes, mut solutions) = (self.done, self.nodes, self.solutions);
        for task in &self.tasks {
            if let TaskStage::Running(desk, _) = &task.stage {
                fraction += task.subtree.share() * desk.progress.fraction();
                nodes += desk.progress.nodes();
                solutions += if self.is_boxed { 0 } else { desk.progress.solutions() };
            }
        }
        progress.set(fraction, nodes, solutions);
    }

    pub(super) fn into_report(self) -> Report {
        let limit = self.limits.solutions.unwrap_or(u64::MAX);
        let is_left = |task: &Task| matches!(task.stage, TaskStage::Waiting) || !task.found.is_empty();
        let end = match self.stop {
            Some(End::Stopped) => End::Stopped,
            _ if self.solutions >= limit => End::Limit(Limit::Solutions),
            _ if !self.is_cut && !self.tasks.iter().any(is_left) => End::Exhausted,
            stop => stop.unwrap_or(End::Limit(Limit::Nodes)),
        };
        let (nodes, updates, solutions) = (self.nodes, self.updates, self.solutions.min(limit));
        let report = Report { nodes, updates, solutions, ..Report::empty(end) };
        if !self.limits.rest || end == End::Exhausted {
            return report;
        }
        // A waiting cover is returned as a subtree whose given options are the cover, because no
        // other cover contains them.
        let mut rest: Vec<Subtree> =
            self.unwanted.into_iter().map(|cover| Subtree::from(cover).within(0.0)).collect();
        for task in self.tasks {
            rest.extend(task.found.iter().map(|cover| Subtree::from(cover.to_vec()).within(0.0)));
            if matches!(task.stage, TaskStage::Waiting) {
                rest.push(task.subtree);
            }
        }
        Report { rest: Some(rest), ..report }
    }
}

/// Number of covers passed to the visitor between two checks of the limits. So at most this many
/// covers are passed after a limit is reached.
pub(super) const LATE_COVERS: u64 = 256;

/// Passes covers to the visitor until the visitor or a limit stops it. Returns the number of covers
/// passed, the end, and the remaining covers if [`Limits::rest`] is set.
pub(super) fn show(
    covers: &Covers,
    mut solutions: u64,
    limits: &Limits,
    until_look: &mut u64,
    visit: &mut Visit<'_>,
) -> (u64, Option<End>, Vec<Vec<OptionId>>) {
    let before = solutions;
    let mut covers = covers.iter().peekable();
    let mut end = None;
    while end.is_none() && covers.peek().is_some() {
        if *until_look == 0 {
            if let Err(limit) = limits.check() {
                end = Some(End::Limit(limit));
                break;
            }
            *until_look = LATE_COVERS;
        }
        *until_look -= 1;
        let Some(cover) = covers.next() else { break };
        solutions += 1;
        if visit(cover).is_break() {
            end = Some(End::Stopped);
        } else if limits.solutions == Some(solutions) {
            end = Some(End::Limit(Limit::Solutions));
        }
    }
    let left = if limits.rest { covers.map(<[_]>::to_vec).collect() } else { Vec::new() };
    (solutions - before, end, left)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::engine::ENGINES;
    use crate::model::samples::rows;

    fn work(tree: &mut Tree<'_>, engine: &mut dyn Engine, job: &Job, nodes: u64) {
        let limits = job.limits(tree.limits).nodes(nodes);
        let keep = &mut |cover: &[OptionId]| {
            lock(&job.desk.found).push(cover);
            ControlFlow::Continue(())
        };
        let report = job.run(engine, &limits, Some(keep));
        tree.finish(job, report);
    }

    #[test]
    fn waiting_covers_are_part_of_the_remaining_subtrees_if_the_caller_stops() {
        let problem = rows(&[4, 4]);
        let engine = || (ENGINES[0].build)(&problem).expect("links take every problem");
        let limits = Limits::new().rest(true);
        let first = engine().count(&[], &limits.clone().nodes(4));
        let shown_first = first.solutions;
        let parallel = Parallel::new(&ENGINES[0], &problem, 3).expect("links can be split");
        let mut tree = Tree::new(&limits, first, &parallel);
        tree.is_boxed = true;
        let jobs: Vec<_> =
            (0..3).map(|_| tree.take(&Arc::default(), false).expect("a task waits")).collect();
        // The unsearched part of the second task is between two tasks with covers.
        for (job, nodes) in [(2, 1000), (1, 1), (0, 1000)] {
            work(&mut tree, &mut *engine(), &jobs[job], nodes);
        }
        assert!(tree.tasks.iter().filter(|task| !task.found.is_empty()).count() > 1);
        tree.show(&mut |_| ControlFlow::Break(()));
        let report = tree.into_report();
        assert_eq!((report.end, report.solutions), (End::Stopped, shown_first + 1));
        let count =
            |part: &Subtree| engine().run(&part.given(), part.without(), &limits, None).solutions;
        let left: u64 = report.rest.expect("it was asked for").iter().map(count).sum();
        assert_eq!(shown_first + 1 + left, 5 * 5);
    }

    #[test]
    fn a_bounded_number_of_waiting_covers_is_reported_after_a_limit() {
        let problem = rows(&[9, 9]);
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::new().cancel(Arc::clone(&flag));
        let mut engine = (ENGINES[0].build)(&problem).expect("links take every problem");
        let first = engine.count(&[], &Limits::new().nodes(0).rest(true));
        let parallel = Parallel::new(&ENGINES[0], &problem, 3).expect("links can be split");
        let mut tree = Tree::new(&limits, first, &parallel);
        tree.is_boxed = true;
        let job = tree.take(&Arc::default(), false).expect("a task waits");
        work(&mut tree, engine.as_mut(), &job, u64::MAX);
        flag.store(true, Relaxed);
        let mut seen = 0;
        tree.show(&mut |_| {
            seen += 1;
            ControlFlow::Continue(())
        });
        let report = tree.into_report();
        assert!(engine.count(&[], &Limits::new()).solutions > 2 * LATE_COVERS);
        assert_eq!((seen, report.solutions), (LATE_COVERS, LATE_COVERS));
        assert_eq!(report.end, End::Limit(Limit::Cancelled));
    }
}

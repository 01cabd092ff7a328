//! The worker threads of one search, led by the caller's thread.

use std::iter;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::threads::{self, Scope};
use super::time::Times;
use super::tree::{Desk, Job, LATE_COVERS, RUN_MIN, Tree, show};
use super::{Build, Core, Cores, lock};
use crate::model::OptionId;
use crate::search::{End, Engine, Report, Visit};

/// Longest time between two checks of the flags and boxes by the caller's thread.
const TICK: Duration = Duration::from_millis(4);
/// A worker empties its box of covers once it reaches this size (bytes).
const BOX_SIZE: usize = 1 << 14;

pub(super) struct Crew<'c, 'l> {
    tree: Mutex<&'c mut Tree<'l>>,
    engines: Mutex<&'c mut Vec<Box<dyn Engine>>>,
    build: &'c Build<'c>,
    cores: &'c Arc<Cores>,
    work: Condvar,
    news: Condvar,
    times: Times,
}

impl<'c, 'l> Crew<'c, 'l> {
    pub(super) fn new(
        tree: &'c mut Tree<'l>,
        engines: &'c mut Vec<Box<dyn Engine>>,
        build: &'c Build<'c>,
        cores: &'c Arc<Cores>,
    ) -> Self {
        let (tree, engines) = (Mutex::new(tree), Mutex::new(engines));
        let (work, news, times) = (Condvar::new(), Condvar::new(), Times::default());
        Self { tree, engines, build, cores, work, news, times }
    }

    pub(super) fn end(self) {
        self.times.take_over();
    }

    /// Starts worker threads, shows their covers and checks the limits until the search is over.
    /// Returns the number of threads.
    pub(super) fn lead<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        core: Core,
        visit: &mut Visit<'_>,
    ) -> u64 {
        let _alarm = Alarm(self);
        let mut threads = Vec::new();
        let mut start = |core| {
            let thread = threads::start_scoped(scope, move || self.work(core));
            threads.extend(thread);
            threads.len()
        };
        // One worker runs on the caller's own core, and one on each idle core.
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
            tree.interrupt(self.cores.is_overbooked());
            tree.tell();
            if tree.hungry == 0
                && let Some(core) = self.cores.take()
            {
                start(Some(core));
            }
            let ready = tree.ready();
            if ready.is_empty() {
                tree = self.news.wait_timeout(tree, TICK).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let (solutions, limits) = (tree.solutions, tree.limits);
            drop(tree);
            let (visited, end, unwanted) = show(&ready, solutions, limits, &mut { LATE_COVERS }, visit);
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
            let keep: &mut Visit<'_> = &mut |cover| self.keep(&job, cover, box_size);
            let report = job.run(engine.as_mut(), &limits, is_boxed.then_some(keep));
            self.finish(&job, report);
        }
        lock(&self.engines).push(engine);
        lock(&self.tree).workers -= 1;
        self.times.add();
    }

    /// Waits for a task. Returns `None` if the search is over, or another search needs the core.
    fn next(&self, desk: &Arc<Desk>, core: &mut Option<Core>) -> Option<Job> {
        let mut tree = lock(&self.tree);
        let mut pause = RUN_MIN;
        while tree.stop.is_none() && !tree.is_over {
            if core.is_some() && self.cores.is_overbooked() {
                *core = None;
                break;
            }
            let job = tree.take(desk, false);
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

    /// Puts a cover into the worker's box. When the box is full, moves its covers to the tree, and
    /// stops the task if the tree has no room for more.
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

    fn stop(&self) {
        let mut tree = lock(&self.tree);
        tree.is_over = true;
        tree.interrupt_all();
        self.work.notify_all();
        self.news.notify_all();
    }
}

/// Stops all threads if the thread that holds it panics, so that no thread waits forever.
struct Alarm<'a, 'c, 'l>(&'a Crew<'c, 'l>);

impl Drop for Alarm<'_, '_, '_> {
    fn drop(&mut self) {
        if threads::panicking() {
            lock(&self.0.tree).stop.get_or_insert(End::Stopped);
            self.0.stop();
        }
    }
}

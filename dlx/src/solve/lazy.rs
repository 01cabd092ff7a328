//! An iterator over covers that a solver finds ahead of time on its own thread.
//!
//! First a search with a small node limit runs on the caller's thread, and many problems end there.
//! Otherwise the solver searches on its own thread, and sleeps while too many covers wait
//! ([`Ahead`]).
//!
//! If no thread can be started, the solver searches repeatedly, doubling the limit on covers and
//! skipping the covers found before.

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::Solver;
use crate::limits::{Limit, Limits};
use crate::model::OptionId;
use crate::parallel::{Ahead, Cores, Taken};
use crate::search::{End, Engine, Report};

/// Node limit of the first search, which takes some tenths of a millisecond.
const FIRST_NODES: u64 = 1000;
const FIRST_COVERS: u64 = 32;
const ROOM: usize = 1 << 20;
/// Time between two checks of the cancel flag while the caller waits for a cover.
const LOOK: Duration = Duration::from_millis(5);

/// An iterator over exact covers, returned by [`dlx::solutions`](crate::solutions) and
/// [`Solver::into_solutions`].
///
/// Each cover is returned once, as a list of options that starts with the given options. The solver
/// chooses the engines. Unless the search is very short, the solver searches ahead on its own
/// thread, and sleeps while a megabyte of covers waits. Dropping the iterator ends the search. If
/// you need only one or two covers, set [`Limits::solutions`], because the solver then searches
/// differently.
///
/// ```
/// use dlx::{End, Limit, Limits, OptionId};
///
/// // Any of 20 numbers: a million covers, of which those with the first number are wanted, and only three.
/// let text = "0:20|set\n".to_owned() + &"set\n".repeat(20);
/// let problem: dlx::Problem = text.parse()?;
/// let mut covers = dlx::solutions(&problem)
///     .given(&[OptionId::new(0)])
///     .limits(Limits::new().solutions(3))
///     .threads(2);
/// assert!(covers.by_ref().all(|cover| cover[0] == OptionId::new(0)));
/// let report = covers.report().expect("it is over");
/// assert_eq!((report.solutions, report.end), (3, End::Limit(Limit::Solutions)));
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Panics
/// The methods `given`, `limits` and `threads` panic after the first call of `next`.
/// [`Iterator::next`] panics if a given option does not belong to the problem.
#[must_use = "it searches when the first cover is asked for"]
pub struct LazyCovers {
    given: Vec<OptionId>,
    limits: Limits,
    state: LazyState,
    waiting: std::vec::IntoIter<Vec<OptionId>>,
    /// Covers of earlier searches, sorted, which the next search finds again.
    found: HashSet<Vec<OptionId>>,
    /// The number of returned covers and the cost of the first search. When the search is over,
    /// also how it ended.
    report: Report,
}

enum LazyState {
    /// No cover has been requested yet.
    New(Box<Solver>),
    Searching(Ahead<Vec<OptionId>, Report>),
    /// The solver has no thread of its own. All covers that it found are in [`LazyCovers::found`].
    Alone(Box<Solver>),
    /// The search has ended, and only waiting covers are left.
    Over,
}

impl LazyCovers {
    pub(super) fn new(solver: Solver, given: &[OptionId]) -> Self {
        Self {
            given: given.to_vec(),
            limits: Limits::new(),
            state: LazyState::New(Box::new(solver)),
            waiting: Vec::new().into_iter(),
            found: HashSet::new(),
            report: Report::empty(End::Stopped),
        }
    }

    fn assert_new(&self) {
        assert!(matches!(self.state, LazyState::New(_)), "the search must not have begun");
    }

    /// Restricts the search to covers that contain all options of `given`.
    pub fn given(mut self, given: &[OptionId]) -> Self {
        self.assert_new();
        self.given = given.to_vec();
        self
    }

    /// Sets the limits of the search. [`Limits::rest`] is ignored. [`Limits::cancel`] is also
    /// checked while the caller waits for a cover.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.assert_new();
        self.limits = limits.rest(false);
        self
    }

    /// Sets the number of search threads, in addition to the caller's thread.
    pub fn threads(mut self, threads: usize) -> Self {
        self.assert_new();
        if let LazyState::New(solver) = &mut self.state {
            solver.cores = Cores::new(threads.saturating_sub(1));
        }
        self
    }

    /// Returns the end and the cost of the search, or `None` until the iterator has returned
    /// `None`.
    ///
    /// [`Report::solutions`] is the number of returned covers. The nodes of all searches count.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        (matches!(self.state, LazyState::Over) && self.waiting.len() == 0).then_some(&self.report)
    }

    /// Runs the first search, and starts the second if a limit ended the first.
    fn begin(&mut self, mut solver: Box<Solver>) {
        // With a profile only one search may run, because a second one would count levels twice.
        let nodes = if self.limits.profile { 0 } else { FIRST_NODES };
        let smaller = |limit: Option<u64>, first| limit.map_or(first, |limit| limit.min(first));
        let mut first = self.limits.clone().nodes(smaller(self.limits.nodes, nodes));
        first.solutions = Some(smaller(self.limits.solutions, FIRST_COVERS));
        let mut covers = Vec::new();
        let report = solver.search(&self.given, &first, &mut |cover| {
            covers.push(cover.to_vec());
            ControlFlow::Continue(())
        });
        let is_enough = match report.end {
            End::Limit(Limit::Solutions) => first.solutions == self.limits.solutions,
            End::Limit(Limit::Nodes) => first.nodes == self.limits.nodes,
            _ => true,
        };
        self.report.nodes = report.nodes;
        self.report.updates = report.updates;
        if is_enough {
            self.report = Report { solutions: 0, ..report };
        } else {
            self.found = covers.iter().map(|cover| sorted(cover)).collect();
            self.search_ahead(solver);
        }
        self.waiting = covers.into_iter();
    }

    fn search_ahead(&mut self, solver: Box<Solver>) {
        let given = self.given.clone();
        let mut limits = self.limits.clone();
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(self.report.nodes));
        let ahead = Ahead::start(ROOM, solver, move |mut solver, maker| {
            limits.cancel = Some(maker.stop());
            solver.search(&given, &limits, &mut |cover| {
                maker.put(cover.to_vec(), size_of_val(cover) + size_of::<Vec<OptionId>>())
            })
        });
        self.state = ahead.map_or_else(LazyState::Alone, LazyState::Searching);
    }

    /// Searches again, with a limit of twice the number of covers found before.
    fn search_again(&mut self, mut solver: Box<Solver>) {
        let most = 2 * FIRST_COVERS.max(self.found.len() as u64);
        let most = self.limits.solutions.map_or(most, |wanted| wanted.min(most));
        let limits = self.limits.clone().solutions(most);
        let mut covers = Vec::new();
        let report = solver.search(&self.given, &limits, &mut |cover| {
            if self.found.insert(sorted(cover)) {
                covers.push(cover.to_vec());
            }
            ControlFlow::Continue(())
        });
        self.waiting = covers.into_iter();
        self.report.nodes += report.nodes;
        self.report.updates += report.updates;
        if report.end == End::Limit(Limit::Solutions) && self.limits.solutions != Some(most) {
            self.state = LazyState::Alone(solver);
        } else {
            let Report { solutions, nodes, updates, .. } = self.report;
            self.report = Report { solutions, nodes, updates, ..report };
        }
    }

    fn go_on(&mut self, ahead: Ahead<Vec<OptionId>, Report>) {
        let wanted = self.limits.solutions.map(|wanted| wanted - self.report.solutions);
        if wanted == Some(0) {
            return self.end(ahead, Some(End::Limit(Limit::Solutions)));
        }
        match ahead.take(LOOK) {
            Taken::Some(mut covers) => {
                covers.retain(|cover| self.found.is_empty() || !self.found.remove(&sorted(cover)));
                covers.truncate(wanted.and_then(|wanted| wanted.try_into().ok()).unwrap_or(usize::MAX));
                self.waiting = covers.into_iter();
            }
            Taken::NothingYet => {
                if self.limits.cancel.as_ref().is_some_and(|flag| flag.load(Relaxed)) {
                    ahead.stop();
                }
            }
            Taken::Over => return self.end(ahead, None),
        }
        self.state = LazyState::Searching(ahead);
    }

    /// Ends the second search. `end` overrides the end in its report.
    fn end(&mut self, ahead: Ahead<Vec<OptionId>, Report>, end: Option<End>) {
        ahead.stop();
        let report = ahead.join();
        self.report = Report {
            solutions: self.report.solutions,
            nodes: self.report.nodes + report.nodes,
            updates: self.report.updates + report.updates,
            end: end.unwrap_or(report.end),
            ..report
        };
    }
}

fn sorted(cover: &[OptionId]) -> Vec<OptionId> {
    let mut set = cover.to_vec();
    set.sort_unstable();
    set
}

impl Iterator for LazyCovers {
    type Item = Vec<OptionId>;

    fn next(&mut self) -> Option<Vec<OptionId>> {
        loop {
            if let Some(cover) = self.waiting.next() {
                self.report.solutions += 1;
                return Some(cover);
            }
            match std::mem::replace(&mut self.state, LazyState::Over) {
                LazyState::New(solver) => self.begin(solver),
                LazyState::Searching(ahead) => self.go_on(ahead),
                LazyState::Alone(solver) => self.search_again(solver),
                LazyState::Over => return None,
            }
        }
    }
}

impl std::iter::FusedIterator for LazyCovers {}

impl fmt::Debug for LazyCovers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyCovers")
            .field("given", &self.given)
            .field("limits", &self.limits)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

//! Covers one by one, found by the solver while the caller looks at those before.
//!
//! A search of few nodes is made at once on the caller's thread: many are over with it, and need no thread. Else the
//! solver searches on a thread of its own, and sleeps while many covers wait ([`Ahead`]). It finds the covers of the
//! first search again; they are passed over once each.
//!
//! Where no thread can be started the solver searches again and again for twice as many covers, and those that it found
//! before are passed over.
//!
//! With a thread at most `FIRST_COVERS` covers of the first search and `ROOM` bytes of covers wait, and one cover more.

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

/// Nodes of the search on the caller's thread: some tenths of a millisecond.
const FIRST_NODES: u64 = 1000;
/// Covers that it may find before it goes on elsewhere.
const FIRST_COVERS: u64 = 32;
/// Bytes of covers that may wait.
const ROOM: usize = 1 << 20;
/// How long the caller waits for a cover before it looks at the flag of the limits.
const LOOK: Duration = Duration::from_millis(5);

/// An iterator over exact covers, made by [`dlx::solutions`](crate::solutions) or [`Solver::into_solutions`].
///
/// Each cover is a list of options, those given first, and comes once. The solver chooses the engines, and searches
/// ahead on a thread of its own unless it is done at once; covers of a megabyte may wait, then it sleeps. Dropping
/// the iterator ends the search. Who wants one or two covers says so in the limits: it changes how they are
/// searched.
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
/// Its methods `given`, `limits` and `threads` panic once the first cover was asked for; [`Iterator::next`] if a
/// given option is not one of the problem's.
#[must_use = "it searches when the first cover is asked for"]
pub struct LazyCovers {
    given: Vec<OptionId>,
    limits: Limits,
    state: LazyState,
    /// Covers that were found and not yet returned.
    waiting: std::vec::IntoIter<Vec<OptionId>>,
    /// Covers of earlier searches, sorted, which the next one finds again.
    found: HashSet<Vec<OptionId>>,
    /// What was returned, and what the first search cost; in the end how all ended.
    report: Report,
}

enum LazyState {
    /// Nothing was asked for.
    New(Box<Solver>),
    /// The solver is at work on its thread.
    Searching(Ahead<Vec<OptionId>, Report>),
    /// There is no thread for the solver, which found all covers in [`LazyCovers::found`].
    Alone(Box<Solver>),
    /// All that waits is all there is.
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

    /// Returns the covers that contain all options of `given`.
    pub fn given(mut self, given: &[OptionId]) -> Self {
        self.assert_new();
        self.given = given.to_vec();
        self
    }

    /// Returns the covers that are found within `limits`.
    ///
    /// [`Limits::rest`] is not heeded. [`Limits::cancel`] is looked at while a cover is waited for.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.assert_new();
        self.limits = limits.rest(false);
        self
    }

    /// Lets this many threads search, beside the caller's.
    pub fn threads(mut self, threads: usize) -> Self {
        self.assert_new();
        if let LazyState::New(solver) = &mut self.state {
            solver.cores = Cores::new(threads.saturating_sub(1));
        }
        self
    }

    /// Returns how the search ended and what it cost; `None` until the iterator has returned `None`.
    ///
    /// [`Report::solutions`] are the covers that were returned. Nodes of both searches are counted.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        (matches!(self.state, LazyState::Over) && self.waiting.len() == 0).then_some(&self.report)
    }

    /// Makes the first search, and starts the second if that was not enough.
    fn begin(&mut self, mut solver: Box<Solver>) {
        // Levels are counted once, and so is what a profile asks for.
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

    /// Starts the second search.
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

    /// Searches for twice as many covers as were found before.
    fn search_again(&mut self, mut solver: Box<Solver>) {
        let most = 2 * FIRST_COVERS.max(self.found.len() as u64);
        let most = self.limits.solutions.map_or(most, |wanted| wanted.min(most));
        let limits = Limits { solutions: Some(most), ..self.limits.clone() };
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

    /// Takes the covers that wait, or waits a while for one.
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

    /// Ends the second search, as `end` says or as it ended by itself.
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

/// Returns a cover as a set.
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

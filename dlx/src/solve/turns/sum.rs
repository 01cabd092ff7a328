//! The question of a search, and the sum of the results of all contenders.

use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::learning::Helper;
use crate::engine::{FilterSession, Session};
use crate::limits::{Limit, Limits};
use crate::model::{Covers, OptionId};
use crate::parallel::Cores;
use crate::portfolio::Total;
use crate::search::{End, Report, Visit};

const FEW: u64 = 2;
const HELD_MAX: u64 = 1000;
pub(super) const LOOK_NODES: u64 = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// One or two covers, listed or counted.
    Few,
    /// All or many covers, listed.
    All,
    /// The number of covers up to a limit.
    AtMost,
    /// The number of all covers.
    Number,
}

impl Question {
    pub(super) fn new(limits: &Limits, is_shown: bool) -> Self {
        match (limits.solutions, is_shown) {
            (Some(1..=FEW), _) => Self::Few,
            (_, true) => Self::All,
            (Some(_), false) => Self::AtMost,
            (None, false) => Self::Number,
        }
    }
}

pub(super) struct Turns<'l, 'o, 'v> {
    pub(super) question: Question,
    pub(super) total: Total<'l>,
    visit: &'o mut Visit<'v>,
    solutions: u64,
    /// The covers passed to the visitor, each sorted, if few covers are wanted.
    shown: Vec<Vec<OptionId>>,
    /// The covers held back until it is known which contender shows them; and the number of covers
    /// counted by contenders other than the engine.
    held: Covers,
    counted: u64,
    end: Option<End>,
}

impl<'l, 'o, 'v> Turns<'l, 'o, 'v> {
    pub(super) fn new(question: Question, limits: &'l Limits, visit: &'o mut Visit<'v>) -> Self {
        let (total, held) = (Total::new(limits), Covers::default());
        Self { question, total, visit, solutions: 0, shown: Vec::new(), held, counted: 0, end: None }
    }

    pub(super) fn end(&self) -> Option<End> {
        self.end
    }

    pub(super) fn solutions(&self) -> u64 {
        self.solutions
    }

    pub(super) fn report(self, end: End) -> Report {
        Report { solutions: self.solutions.max(self.counted), ..self.total.report(end) }
    }

    /// Sets the number of covers, capped at the limit. The number includes the covers counted so
    /// far.
    pub(super) fn set_number(&mut self, number: u64) -> End {
        let wanted = self.total.limits().solutions.unwrap_or(u64::MAX);
        self.solutions = number.min(wanted);
        if number >= wanted { End::Limit(Limit::Solutions) } else { End::Exhausted }
    }

    /// Returns the limits of the next slice. With `u64::MAX` nodes there is no node limit.
    pub(super) fn limits(&self, nodes: u64) -> Limits {
        let mut wanted = self.total.limits().solutions;
        if self.question == Question::AtMost {
            wanted = wanted.map(|wanted| wanted - self.solutions);
        }
        let limits = self.total.left(wanted);
        let nodes = match limits.nodes {
            None if nodes == u64::MAX => None,
            left => Some(left.map_or(nodes, |left| left.min(nodes))),
        };
        limits.nodes(nodes)
    }

    /// Runs a depth-first search. `run` gets the visitor if covers must be passed to it.
    pub(super) fn search(
        &mut self,
        limits: &Limits,
        run: impl FnOnce(&Limits, Option<&mut Visit<'_>>) -> Report,
    ) -> Report {
        if self.question == Question::AtMost {
            let report = run(limits, None);
            self.solutions += report.solutions;
            return report;
        }
        run(limits, Some(&mut |cover| self.show(cover)))
    }

    pub(super) fn show(&mut self, cover: &[OptionId]) -> ControlFlow<()> {
        if self.question == Question::Few {
            let mut set = cover.to_vec();
            set.sort_unstable();
            if self.shown.contains(&set) {
                return ControlFlow::Continue(());
            }
            self.shown.push(set);
        }
        self.solutions += 1;
        if (self.visit)(cover).is_break() {
            self.end = Some(End::Stopped);
        } else if Some(self.solutions) == self.total.limits().solutions {
            self.end = Some(End::Limit(Limit::Solutions));
        }
        if self.end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Runs a slice of clause learning, of at least one node, until its total work exceeds `work`
    /// or a helper sets `flag`.
    pub(super) fn learn(
        &mut self,
        session: &mut Session<'_>,
        work: u64,
        cores: &Cores,
        flag: &AtomicBool,
    ) -> End {
        let mut is_helped = true;
        loop {
            // If another search needs a core, stop all helpers.
            if is_helped && cores.is_overbooked() {
                is_helped = false;
                flag.store(true, Relaxed);
            }
            let limits = self.limits(LOOK_NODES);
            let report = session.search_until(work, &limits, &mut |cover| self.show(cover));
            self.total.add(&report);
            let is_spent = session.work() >= work || self.total.is_spent();
            if report.end != End::Limit(Limit::Nodes) || is_spent || is_helped && flag.load(Relaxed) {
                return report.end;
            }
        }
    }

    /// Runs a slice of the search that filters until its total work exceeds `work`. Returns its end
    /// and its number of nodes.
    pub(super) fn filter(&mut self, session: &mut FilterSession, work: u64) -> (End, u64) {
        let wanted = self.total.limits().solutions;
        let report = match self.question {
            Question::Few => {
                let limits = self.limits(u64::MAX);
                session.search_until(work, &limits, Some(&mut |cover| self.show(cover)))
            }
            Question::AtMost | Question::Number => {
                let limits = self.total.left(wanted.map(|wanted| wanted - self.counted));
                let report = session.search_until(work, &limits, None);
                self.counted += report.solutions;
                report
            }
            Question::All => {
                let limits = self.total.left(None);
                let most = wanted.map_or(HELD_MAX, |wanted| wanted.min(HELD_MAX));
                let held = &mut self.held;
                session.search_until(
                    work,
                    &limits,
                    Some(&mut |cover| {
                        held.push(cover);
                        if held.len() as u64 >= most {
                            ControlFlow::Break(())
                        } else {
                            ControlFlow::Continue(())
                        }
                    }),
                )
            }
        };
        self.total.add(&report);
        if report.end != End::Stopped || self.end.is_some() || self.question != Question::All {
            return (report.end, report.nodes);
        }
        // This search found many covers before any other contender found one, so it continues
        // alone.
        self.show_held();
        if let Some(end) = self.end {
            return (end, report.nodes);
        }
        let limits = self.limits(u64::MAX);
        let rest = session.search(&limits, Some(&mut |cover| self.show(cover)));
        self.total.add(&rest);
        (self.end.unwrap_or(rest.end), report.nodes + rest.nodes)
    }

    /// Returns the end of the whole search, after the search that filters has finished.
    pub(super) fn end_of_filter(&mut self) -> End {
        match self.question {
            Question::Few => End::Exhausted,
            Question::AtMost | Question::Number => self.set_number(self.counted),
            Question::All => {
                self.show_held();
                self.end.unwrap_or(End::Exhausted)
            }
        }
    }

    pub(super) fn show_held(&mut self) {
        let held = mem::take(&mut self.held);
        if self.solutions == 0 {
            _ = held.iter().any(|cover| self.show(cover).is_break());
        }
    }

    /// Shows the covers of a helper and adds its cost. Returns whether the helper completed its
    /// search.
    pub(super) fn add_helper(&mut self, helper: &mut Helper<'_>) -> bool {
        let report = mem::replace(&mut helper.report, Report::empty(End::Limit(Limit::Nodes)));
        self.total.add(&report);
        for cover in helper.found.drain(..) {
            if self.end.is_none() {
                _ = self.show(&cover);
            }
        }
        report.end == End::Exhausted
    }

    /// Adds the cost of a slice. Returns whether the slice completed its search.
    ///
    /// # Errors
    /// The end of the whole search.
    pub(super) fn add(&mut self, report: &Report) -> Result<bool, End> {
        self.total.add(report);
        self.judge(report.end)
    }

    /// Returns whether a slice with this end completed its search.
    ///
    /// # Errors
    /// The end of the whole search.
    pub(super) fn judge(&self, end: End) -> Result<bool, End> {
        match self.end.unwrap_or(end) {
            End::Exhausted => Ok(true),
            // If only the learned clauses ran out of memory, the other contenders continue.
            End::Limit(Limit::Nodes) if !self.total.is_spent() => Ok(false),
            End::Limit(Limit::Memory) if !self.total.is_spent() && !self.total.is_full() => Ok(false),
            end => Err(end),
        }
    }
}

//! What is asked, and what the turns of all contenders came to.

use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::learning::Helper;
use crate::engine::Session;
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Subtree};
use crate::parallel::Cores;
use crate::portfolio::Total;
use crate::search::{End, Engine, Report, Visit};

/// No more covers than this are few: one, or a second one that tells whether there are several.
const FEW: u64 = 2;
/// Nodes of clause learning between two looks at what the others found.
pub(super) const LOOK_NODES: u64 = 512;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// One cover or two, shown or not.
    Few,
    /// All covers, or many, to be shown.
    All,
    /// How many covers there are, up to a limit.
    AtMost,
    /// How many there are, by going through them.
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

/// What the turns came to so far.
pub(super) struct Turns<'l, 'o, 'v> {
    pub(super) question: Question,
    pub(super) total: Total<'l>,
    visit: &'o mut Visit<'v>,
    /// How many covers were shown or counted.
    solutions: u64,
    /// The covers shown, as sets, if they are few.
    shown: Vec<Vec<OptionId>>,
    /// How showing a cover ended the search.
    end: Option<End>,
}

impl<'l, 'o, 'v> Turns<'l, 'o, 'v> {
    pub(super) fn new(question: Question, limits: &'l Limits, visit: &'o mut Visit<'v>) -> Self {
        Self { question, total: Total::new(limits), visit, solutions: 0, shown: Vec::new(), end: None }
    }

    /// Returns how showing a cover ended the search.
    pub(super) fn end(&self) -> Option<End> {
        self.end
    }

    /// Returns how many covers were shown or counted.
    pub(super) fn solutions(&self) -> u64 {
        self.solutions
    }

    /// Makes the report of all turns.
    pub(super) fn report(self, end: End) -> Report {
        Report { solutions: self.solutions, ..self.total.report(end) }
    }

    /// Takes the number of covers, of which those that were counted so far are some, as far as is asked.
    pub(super) fn set_number(&mut self, number: u64) -> End {
        let wanted = self.total.limits().solutions.unwrap_or(u64::MAX);
        self.solutions = number.min(wanted);
        if number >= wanted { End::Limit(Limit::Solutions) } else { End::Exhausted }
    }

    /// Returns the limits of the next turn; `u64::MAX` are as many nodes as there are.
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
        Limits { nodes, ..limits }
    }

    /// Searches a part of the tree in depth.
    pub(super) fn search(
        &mut self,
        engine: &mut dyn Engine,
        part: &Subtree,
        limits: &Limits,
    ) -> Report {
        if self.question == Question::AtMost {
            let report = engine.count_subtree(part, limits);
            self.solutions += report.solutions;
            return report;
        }
        engine.search_subtree(part, limits, &mut |cover| self.show(cover))
    }

    /// Shows a cover, unless that was done before.
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

    /// Takes a turn of clause learning, of a node at least, until the work since the search began exceeds `work`; ended
    /// by a helper that sets the flag.
    pub(super) fn learn(
        &mut self,
        session: &mut Session<'_>,
        work: u64,
        cores: &Cores,
        flag: &AtomicBool,
    ) -> End {
        let mut is_helped = true;
        loop {
            // If a core is needed elsewhere, all helpers go.
            if is_helped && cores.is_overdrawn() {
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

    /// Shows what a helper found and adds what that cost; tells whether there is no more.
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

    /// Adds what a turn cost, and tells whether it searched all that was asked of it.
    ///
    /// # Errors
    /// The end of the whole search.
    pub(super) fn add(&mut self, report: &Report) -> Result<bool, End> {
        self.total.add(report);
        self.judge(report.end)
    }

    /// Tells whether a turn that ended so searched all that was asked of it.
    ///
    /// # Errors
    /// The end of the whole search.
    pub(super) fn judge(&self, end: End) -> Result<bool, End> {
        match self.end.unwrap_or(end) {
            End::Exhausted => Ok(true),
            // Where learned clauses have no more room, the turns of the engine are left; not so where
            // nothing has.
            End::Limit(Limit::Nodes) if !self.total.is_spent() => Ok(false),
            End::Limit(Limit::Memory) if !self.total.is_spent() && !self.total.is_full() => Ok(false),
            end => Err(end),
        }
    }
}

//! Adds up the reports of several searches under common limits.

use crate::limits::{Limit, Limits};
use crate::search::{End, Level, Report};

#[derive(Debug)]
pub(crate) struct Total<'l> {
    limits: &'l Limits,
    pub(crate) solutions: u64,
    nodes: u64,
    updates: u64,
    levels: Vec<Level>,
}

impl<'l> Total<'l> {
    pub(crate) fn new(limits: &'l Limits) -> Self {
        Self { limits, solutions: 0, nodes: 0, updates: 0, levels: Vec::new() }
    }

    pub(crate) fn limits(&self) -> &'l Limits {
        self.limits
    }

    pub(crate) fn add(&mut self, report: &Report) {
        self.nodes += report.nodes;
        self.updates += report.updates;
        self.levels.resize(self.levels.len().max(report.levels.len()), Level::default());
        for (level, more) in self.levels.iter_mut().zip(&report.levels) {
            level.nodes += more.nodes;
            level.updates += more.updates;
        }
    }

    pub(crate) fn left(&self, solutions: Option<u64>) -> Limits {
        let nodes = self.limits.nodes.map(|limit| limit - self.nodes);
        self.limits.clone().solutions(solutions).nodes(nodes).rest(false)
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.limits.nodes == Some(self.nodes)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.limits.check() == Err(Limit::Memory)
    }

    /// Builds the total report, where `report` is the last search and covered the whole problem.
    pub(crate) fn end_with(mut self, report: Report) -> Report {
        self.add(&report);
        let Self { nodes, updates, levels, .. } = self;
        Report { nodes, updates, levels, ..report }
    }

    pub(crate) fn report(self, end: End) -> Report {
        let Self { solutions, nodes, updates, levels, .. } = self;
        Report { solutions, nodes, updates, levels, ..Report::empty(end) }
    }
}

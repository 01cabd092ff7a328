//! The node and cover counts of a search, and the checks of its limits.

use std::ops::ControlFlow;

use super::{End, Level, Report, Visit};
use crate::limits::{Limit, Limits};
use crate::model::OptionId;

/// Counts nodes and covers, and compares them with the limits. Engines check the clock only through
/// a meter.
#[derive(Debug)]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct Meter<'l> {
    limits: &'l Limits,
    node_work: u64,
    solutions: u64,
    nodes: u64,
    node_limit: u64,
    /// The work at the next check of the clock and flags, and the work between two checks, in
    /// updates. Each node counts as `node_work` updates.
    next_look: u64,
    look_interval: u64,
    levels: Vec<Level>,
    /// The level of the last node, and the number of updates before it was entered.
    level: usize,
    updates_before: u64,
}

/// Work between two checks of the clock, in updates or scanned items; takes well under a
/// millisecond.
const LOOK_INTERVAL: u64 = 1 << 16;
/// Work between two checks if `nodes_expected` or `updates` is limited, in updates or scanned
/// items.
const SHORT_INTERVAL: u64 = 1 << 12;

impl<'l> Meter<'l> {
    /// Creates a meter for `limits`. Each node counts as `node_work` updates in addition to its own
    /// updates, for example for a scan of all items.
    #[must_use]
    pub fn new(limits: &'l Limits, node_work: usize) -> Self {
        let nothing_wanted = limits.solutions == Some(0);
        let is_watched = limits.nodes_expected.is_some() || limits.updates.is_some();
        Self {
            limits,
            node_work: node_work as u64 + 1,
            solutions: 0,
            nodes: 0,
            node_limit: if nothing_wanted { 0 } else { limits.nodes.unwrap_or(u64::MAX) },
            next_look: 0,
            look_interval: if is_watched { SHORT_INTERVAL } else { LOOK_INTERVAL },
            levels: Vec::new(),
            level: 0,
            updates_before: 0,
        }
    }

    /// Sets the cost of an update to `update_work` units. The clock and flags are checked more
    /// often by this factor.
    #[must_use]
    pub fn with_update_work(self, update_work: usize) -> Self {
        Self { look_interval: (self.look_interval / update_work.max(1) as u64).max(1), ..self }
    }

    /// Returns the limits.
    #[must_use]
    pub fn limits(&self) -> &'l Limits {
        self.limits
    }

    /// Checks the clock and flags if enough work was done since the last check. Engines call `tick`
    /// where they abandon many choices without entering a node.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// ```
    /// use dlx::{Limit, Limits, search::Meter};
    ///
    /// let limits = Limits::new().within(std::time::Duration::ZERO);
    /// let mut meter = Meter::new(&limits, 0);
    /// assert_eq!(meter.tick(1_000_000, || 0.5), Err(Limit::Time));
    /// ```
    #[inline]
    pub fn tick(&mut self, updates: u64, fraction: impl FnOnce() -> f64) -> Result<(), Limit> {
        if updates + self.nodes * self.node_work >= self.next_look {
            self.look(updates, fraction())?;
        }
        Ok(())
    }

    /// Enters a node at `level` after `updates` updates.
    ///
    /// At some nodes, calls `fraction`, which returns the completed fraction of the tree.
    ///
    /// # Errors
    /// The limit that was reached. The node was then not entered.
    #[inline]
    pub fn enter(
        &mut self,
        level: usize,
        updates: u64,
        fraction: impl FnOnce() -> f64,
    ) -> Result<(), Limit> {
        if self.nodes >= self.node_limit {
            let nothing_wanted = self.limits.solutions == Some(0);
            return Err(if nothing_wanted { Limit::Solutions } else { Limit::Nodes });
        }
        if updates + self.nodes * self.node_work >= self.next_look {
            self.look(updates, fraction())?;
        }
        self.nodes += 1;
        if self.limits.profile {
            self.profile(level, updates);
        }
        Ok(())
    }

    /// Returns whether each node and cover must be reported separately, because covers are limited
    /// or levels are profiled. Otherwise an engine may report several at a time.
    ///
    /// ```
    /// use dlx::{Limit, Limits, search::Meter};
    ///
    /// let limits = Limits::new().nodes(100);
    /// let mut meter = Meter::new(&limits, 0);
    /// assert!(!meter.is_exact());
    /// assert_eq!(meter.enter_many(64, 0, || 0.0), Ok(64));
    /// meter.add_solutions(5);
    /// assert_eq!(meter.enter_many(64, 0, || 0.5), Ok(36));
    /// assert_eq!(meter.enter_many(64, 0, || 0.8), Err(Limit::Nodes));
    /// let report = meter.report(dlx::End::Limit(Limit::Nodes), 0);
    /// assert_eq!((report.solutions, report.nodes), (5, 100));
    /// ```
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.limits.solutions.is_some() || self.limits.profile
    }

    /// Enters up to `nodes` nodes, at least one, and returns their number. Must not be called if
    /// [`Self::is_exact`], which has an example, returns `true`.
    ///
    /// # Errors
    /// The limit that was reached. No node was then entered.
    #[inline]
    pub fn enter_many(
        &mut self,
        nodes: u64,
        updates: u64,
        fraction: impl FnOnce() -> f64,
    ) -> Result<u64, Limit> {
        debug_assert!(!self.is_exact(), "limits are kept node by node");
        if self.nodes >= self.node_limit {
            return Err(Limit::Nodes);
        }
        if updates + self.nodes * self.node_work >= self.next_look {
            self.look(updates, fraction())?;
        }
        let entered = nodes.min(self.node_limit - self.nodes);
        self.nodes += entered;
        Ok(entered)
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(crate) fn allow(&mut self, nodes: u64) {
        self.node_limit = self.nodes.saturating_add(nodes);
    }

    /// Counts `solutions` covers without visiting them. Must not be called if [`Self::is_exact`],
    /// which has an example, returns `true`.
    #[inline]
    pub fn add_solutions(&mut self, solutions: u64) {
        debug_assert!(!self.is_exact(), "limits are kept cover by cover");
        self.solutions += solutions;
    }

    #[cold]
    fn look(&mut self, updates: u64, fraction: f64) -> Result<(), Limit> {
        self.next_look = updates + self.nodes * self.node_work + self.look_interval;
        if let Some(progress) = &self.limits.progress {
            progress.set(fraction, self.nodes, self.solutions);
        }
        if let Some(most) = self.limits.nodes_expected
            && self.nodes >= most / 16
            && self.nodes as f64 >= fraction * most as f64
            && self.nodes > 0
        {
            return Err(Limit::Nodes);
        }
        if self.limits.updates.is_some_and(|most| updates >= most) {
            return Err(Limit::Nodes);
        }
        self.limits.check()
    }

    #[cold]
    fn profile(&mut self, level: usize, updates: u64) {
        self.attribute(updates);
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Level::default());
        }
        self.levels[level].nodes += 1;
        self.level = level;
    }

    /// Adds the updates since the last call to the level of the last entered node.
    fn attribute(&mut self, updates: u64) {
        if let Some(level) = self.levels.get_mut(self.level) {
            level.updates += updates - self.updates_before;
        }
        self.updates_before = updates;
    }

    /// Counts a cover and passes it to the visitor.
    ///
    /// # Errors
    /// The end of the search, if the visitor stopped it or the limit of covers is reached.
    pub fn visit(&mut self, cover: &[OptionId], visit: &mut Visit<'_>) -> Result<(), End> {
        self.solutions += 1;
        if visit(cover).is_break() {
            return Err(End::Stopped);
        }
        if self.limits.solutions.is_some_and(|limit| self.solutions >= limit) {
            return Err(End::Limit(Limit::Solutions));
        }
        Ok(())
    }

    /// Counts a cover. With a visitor, also builds the cover and passes it on.
    ///
    /// # Errors The errors of [`Self::visit`].
    pub(crate) fn found<'c>(
        &mut self,
        visit: &mut Option<&mut Visit<'_>>,
        cover: impl FnOnce() -> &'c [OptionId],
    ) -> Result<(), End> {
        match visit {
            Some(visit) => self.visit(cover(), visit),
            None => self.visit(&[], &mut |_| ControlFlow::Continue(())),
        }
    }

    /// Builds the report of the search.
    #[must_use]
    pub fn report(mut self, end: End, updates: u64) -> Report {
        self.attribute(updates);
        let Self { solutions, nodes, levels, .. } = self;
        Report { solutions, nodes, updates, levels, ..Report::empty(end) }
    }
}

/// Returns the fraction of the tree before the current node, plus half of the share of that node.
/// `choices` yields, for each choice on the path to the node, its index from 1 and the number of
/// choices.
pub(crate) fn fraction(choices: impl Iterator<Item = (u32, u32)>) -> f64 {
    let (mut fraction, mut share) = (0.0, 1.0);
    for (choice, degree) in choices {
        share /= f64::from(degree);
        fraction += share * f64::from(choice - 1);
    }
    fraction + share / 2.0
}

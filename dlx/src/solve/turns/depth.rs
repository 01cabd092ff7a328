//! The search in depth, by the engine that was chosen, as a contender.
//!
//! It goes on with what it left ([`Report::rest`]). Each part that is left has a *share* of the tree, so it is known
//! how much of the tree is done after how many nodes, and from that how many there are, roughly. The estimate is
//! trusted once two in a row agree: from the beginning of a tree alone it may be wrong by any factor.
//!
//! [`Report::rest`]: crate::search::Report::rest

use std::sync::Arc;
use std::time::Duration;

use super::sum::{Question, Turns};
use crate::limits::{Limits, Progress};
use crate::model::{OptionId, Subtree};
use crate::parallel::Parallel;
use crate::portfolio::costs::TURN_SHARED;
use crate::portfolio::{Budget, Contender, Cut, Estimate};
use crate::search::{End, Engine};

/// After fewer nodes nothing is said about the whole tree.
const SURE_NODES: u64 = 1000;
/// Two estimates agree that differ by this factor at most.
const AGREEMENT: f64 = 2.0;

/// Returns the nodes in a slice: one at least.
pub(super) fn nodes_in(slice: u64, node: f64) -> u64 {
    ((slice as f64 / node) as u64).max(1)
}

/// The search in depth by the chosen engine.
pub(super) struct Depth<'p> {
    name: &'static str,
    engine: &'p mut Parallel<'static>,
    /// Nanoseconds for a node.
    node: f64,
    /// What the engine left, the first in its order last, and about what share of the tree each part is.
    open: Vec<(Subtree, f64)>,
    nodes: u64,
    /// The nodes of the whole tree, by the last two estimates.
    foreseen: [f64; 2],
}

impl<'p> Depth<'p> {
    pub(super) fn new(
        name: &'static str,
        engine: &'p mut Parallel<'static>,
        node: f64,
        given: &[OptionId],
    ) -> Self {
        let open = vec![(Subtree::from(given.to_vec()), 1.0)];
        Self { name, engine, node, open, nodes: 0, foreseen: [f64::INFINITY; 2] }
    }

    /// Notes what is left of a part of the tree with that share, of which a fraction is done.
    fn leave(&mut self, rest: Vec<Subtree>, share: f64) {
        // Those of the fewest given options are the largest. The search is within one that is not among them, which
        // counts as half of one: what is left of it are all the others.
        let mut left = share;
        let mut rest = rest.into_iter().rev().peekable();
        while let Some(first) = rest.next() {
            let level = first.given_count();
            let mut parts = vec![first];
            while let Some(next) = rest.next_if(|next| next.given_count() == level) {
                parts.push(next);
            }
            let within = if rest.peek().is_some() { 0.5 } else { 0.0 };
            let each = left / (parts.len() as f64 + within);
            left = each * within;
            self.open.extend(parts.into_iter().map(|part| (part, each)));
        }
    }

    /// Estimates anew how many nodes there are.
    fn look_ahead(&mut self) {
        let left: f64 = self.open.iter().map(|(_, share)| share).sum();
        let all = self.nodes as f64 / (1.0 - left).max(1e-300);
        self.foreseen = [self.foreseen[1], all];
    }
}

impl<'l, 'o, 'v> Contender<Turns<'l, 'o, 'v>> for Depth<'_> {
    type Output = End;

    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, turns: &mut Turns<'l, 'o, 'v>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        // Who wants all covers, of which there are some, needs no other contender.
        let is_alone = turns.question == Question::All && turns.solutions() > 0;
        let mut nodes = if is_alone { u64::MAX } else { nodes_in(budget.work(), self.node) };
        while nodes > 0
            && let Some((part, share)) = self.open.pop()
        {
            let own = Arc::new(Progress::default());
            let mut limits = Limits { rest: true, ..turns.limits(nodes) };
            let progress = Arc::clone(limits.progress.get_or_insert(own));
            let is_short = !is_alone && budget.work() < TURN_SHARED;
            let engine: &mut dyn Engine = if is_short { self.engine.alone() } else { self.engine };
            let report = turns.search(engine, &part, &limits);
            nodes = nodes.saturating_sub(report.nodes);
            self.nodes += report.nodes;
            budget.charge((report.nodes as f64 * self.node) as u64);
            match turns.add(&report) {
                Err(end) => return Ok(end),
                Ok(true) => {}
                Ok(false) => match report.rest {
                    Some(rest) => self.leave(rest, share * (1.0 - progress.fraction())),
                    // An engine that cannot tell what it left starts anew.
                    None => self.open.push((part, share)),
                },
            }
        }
        self.look_ahead();
        if self.open.is_empty() { Ok(End::Exhausted) } else { Err(Cut::Work) }
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        let [before, now] = self.foreseen;
        let nodes = self.nodes as f64;
        let is_agreed = (1.0 / AGREEMENT..=AGREEMENT).contains(&(now / before));
        if self.nodes >= SURE_NODES && is_agreed {
            Estimate::at_most((now - nodes) * self.node, AGREEMENT)
        } else {
            Estimate::guess(spent.as_nanos() as f64)
        }
    }
}

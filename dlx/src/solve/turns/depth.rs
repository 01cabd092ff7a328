//! The search in depth, by the engine that was chosen, as a contender.
//!
//! It goes on with what it left ([`Report::rest`]). Each part that is left has a *share* of the tree, so it is known
//! how much of the tree is done after how many nodes, and from that how many there are, roughly. The estimate is
//! trusted once two in a row agree: from the beginning of a tree alone it may be wrong by any factor.
//!
//! Bit masks count faster than they show covers, since they take nodes in batches, up to three times. So where covers have not come
//! soon the covers of a part of the tree are counted first, and the part is searched again only if there are some.
//!
//! [`Report::rest`]: crate::search::Report::rest

use std::time::Duration;

use super::sum::{Question, Turns};
use crate::engine::masks;
use crate::limits::Limits;
use crate::model::{OptionId, Subtree};
use crate::parallel::{Parallel, run_part};
use crate::portfolio::costs::TURN_SHARED;
use crate::portfolio::{Budget, Contender, Cut, Estimate};
use crate::search::{End, Report, Visit};

/// After fewer nodes nothing is said about the whole tree.
const SURE_NODES: u64 = 1000;
/// Two estimates agree that differ by this factor at most.
const AGREEMENT: f64 = 2.0;

/// After so many nodes parts of the tree are counted first, for at most as many nodes at a time as there were, divided by the
/// second number: all these are searched again to show the covers, if there are some.
const COUNTED_FROM: u64 = 20_000;
const COUNTED: u64 = 8;
/// Where a node takes more nanoseconds, batches of them leave the cache: a nonogram took 1.7 times as long.
const COUNTED_NODE: f64 = 50.0;

/// Returns the nodes in a slice: one at least.
pub(super) fn nodes_in(slice: u64, node: f64) -> u64 {
    ((slice as f64 / node) as u64).max(1)
}

/// The search in depth by the chosen engine.
pub(super) struct Depth<'p> {
    name: &'static str,
    engine: &'p mut Parallel<'static>,
    /// Nanoseconds for a node, and to go on with a part of the tree, apart from its given options, each of which takes as
    /// long as a node.
    node: f64,
    begin: f64,
    /// What the engine left, the first in its order last.
    open: Vec<Subtree>,
    nodes: u64,
    /// The nodes of the whole tree, by the last two estimates.
    foreseen: [f64; 2],
}

impl<'p> Depth<'p> {
    pub(super) fn new(
        name: &'static str,
        engine: &'p mut Parallel<'static>,
        [node, begin]: [f64; 2],
        given: &[OptionId],
    ) -> Self {
        let open = vec![Subtree::from(given.to_vec())];
        Self { name, engine, node, begin, open, nodes: 0, foreseen: [f64::INFINITY; 2] }
    }

    /// Tells whether parts are to be counted before covers in them are shown: that goes faster, and mostly there are none.
    fn counts(&self, turns: &Turns<'_, '_, '_>) -> bool {
        let is_wanted = match turns.question {
            Question::Few => true,
            Question::All => turns.solutions() == 0,
            Question::AtMost | Question::Number => false,
        };
        let limits = turns.total.limits();
        // Where turns have single nodes, from the first one on.
        let first = if self.begin > 0.0 { COUNTED_FROM } else { 1 };
        let is_exact = limits.nodes.is_some() || limits.profile;
        let is_faster = self.name == masks::SPEC.name && self.node <= COUNTED_NODE;
        is_faster && self.nodes >= first && is_wanted && !is_exact
    }

    /// Estimates anew how many nodes there are.
    fn look_ahead(&mut self) {
        let left: f64 = self.open.iter().map(Subtree::share).sum();
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
        let is_short = !is_alone && budget.work() < TURN_SHARED;
        while nodes > 0 && !self.open.is_empty() {
            let counts = self.counts(turns);
            let most = if counts { nodes.min((self.nodes / COUNTED).max(1)) } else { nodes };
            let limits = Limits { rest: true, ..turns.limits(most) };
            let parts: Vec<_> = if is_short {
                self.open.pop().into_iter().collect()
            } else {
                self.engine.next_parts(&mut self.open, turns.question != Question::AtMost)
            };
            let count = parts.len();
            let given: usize = parts.iter().map(Subtree::given_count).sum();
            let mut run = |limits: &Limits, visit: Option<&mut Visit<'_>>| match &parts[..] {
                [part] if is_short => run_part(self.engine.alone(), part, limits, visit),
                _ => self.engine.run_parts(parts.clone(), limits, visit),
            };
            let counted = counts
                .then(|| run(&Limits { solutions: None, is_rough: true, ..limits.clone() }, None));
            let (report, more) = match counted {
                Some(report) if report.solutions == 0 => (report, 0),
                Some(Report { nodes, updates, .. }) => {
                    turns.total.add(&Report { nodes, updates, ..Report::empty(End::Exhausted) });
                    (turns.search(&limits, run), nodes)
                }
                None => (turns.search(&limits, run), 0),
            };
            self.nodes += report.nodes;
            let mut work = (more + report.nodes) as f64 * self.node;
            if self.begin > 0.0 {
                let begun = self.engine.effort().tasks.max(1) as f64;
                work += begun * (self.begin + given as f64 / count as f64 * self.node);
            }
            nodes = nodes.saturating_sub((work / self.node) as u64);
            budget.charge(work as u64);
            match turns.add(&report) {
                Err(end) => return Ok(end),
                Ok(true) => {}
                Ok(false) => match report.rest {
                    Some(rest) => self.open.extend(rest.into_iter().rev()),
                    // An engine that cannot tell what it left starts anew.
                    None => self.open.extend(parts.into_iter().rev()),
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

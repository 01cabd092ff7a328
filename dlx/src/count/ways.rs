//! The ways to count, as the race sees them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use super::frontier::Frontier;
use super::matching::Matching;
use super::memo::{Memo, Outlook};
use super::order::{FREEDOM, Order};
use super::race::Way;
use super::symmetry::Symmetry;
use super::{Cut, Hints, Method, Watch, Weighted};
use crate::engine::Choice;
use crate::parallel::Cores;
use crate::solver::Part;
use crate::{End, Engine, Limit, Limits, Progress, Subtree};

pub(super) const MATCHING: Method = Method {
    name: "matching",
    summary: "perfect matchings of planar graphs (dominoes) by Pfaffians, in polynomial time",
    ways: |part, _| vec![Box::new(Planar { part, matching: None })],
};

pub(super) const FRONTIER: Method = Method {
    name: "frontier",
    summary: "counts all states of a step at once, in an order with few open items",
    ways: |part, hints| {
        let orders = hints.orders(part).iter().take(ORDERS);
        orders.map(|order| Box::new(InOrder::new(part, order, hints)) as Box<dyn Way>).collect()
    },
};

pub(super) const SYMMETRY: Method = Method {
    name: "symmetry",
    summary: "counts problems once that differ in names only, where items are interchangeable",
    ways: |part, _| vec![Box::new(Alike { part, symmetry: None })],
};

pub(super) const MEMO: Method = Method {
    name: "memo",
    summary: "a search that remembers the count of what is left",
    ways: |part, hints| {
        let order = hints.orders(part).first();
        vec![Box::new(Remembering { part, order, memo: None })]
    },
};

pub(super) const SEARCH: Method = Method {
    name: "search",
    summary: "goes through all covers with the engine that fits",
    ways: |part, hints| vec![Box::new(Search::new(part, hints))],
};

/// The outlook of a way of which nothing can be known before it has begun, in nanoseconds: so it begins if
/// the others are not done soon.
const UNKNOWN: f64 = 1e6;
/// Orders that take part.
const ORDERS: usize = 3;
/// Nanoseconds for a state of a frontier, before that is known.
const STATE: f64 = 150.0;

/// Returns what was begun, made now if it was not.
fn begun<T>(slot: &mut Option<T>, new: impl FnOnce() -> Result<T, Cut>) -> Result<&mut T, Cut> {
    match slot {
        Some(begun) => Ok(begun),
        none => Ok(none.insert(new()?)),
    }
}

/// A frontier in an order, built when it is first needed.
pub(super) struct InOrder<'p> {
    part: &'p Weighted,
    cores: &'p Arc<Cores>,
    order: &'p Order,
    frontier: Option<Frontier>,
    modulus: Option<u64>,
}

impl<'p> InOrder<'p> {
    fn new(part: &'p Weighted, order: &'p Order, hints: &Hints<'p>) -> Self {
        Self { part, cores: hints.cores, order, frontier: None, modulus: hints.modulus }
    }
}

impl Way for InOrder<'_> {
    fn name(&self) -> &'static str {
        FRONTIER.name
    }

    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        let new = || Frontier::new(self.part, &self.order.items, self.cores, self.modulus);
        begun(&mut self.frontier, new)?.run(watch)
    }

    fn outlook(&self, spent: Duration) -> f64 {
        match &self.frontier {
            Some(frontier) => frontier.outlook(spent),
            None => self.order.states(FREEDOM) * STATE,
        }
    }

    fn explain(&self) -> String {
        self.frontier.as_ref().map_or_else(String::new, Frontier::explain)
    }

    fn modulus(&self) -> Option<u64> {
        self.modulus
    }
}

/// Perfect matchings of a planar graph, prepared when that is first needed.
struct Planar<'p> {
    part: &'p Weighted,
    matching: Option<Matching>,
}

impl Way for Planar<'_> {
    fn name(&self) -> &'static str {
        MATCHING.name
    }

    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        begun(&mut self.matching, || Matching::new(self.part, watch))?.count(watch)
    }

    fn outlook(&self, _: Duration) -> f64 {
        let begin = || 500.0 * self.part.problem.option_count() as f64;
        self.matching.as_ref().map_or_else(begin, |matching| matching.work() as f64)
    }

    fn explain(&self) -> String {
        self.matching.as_ref().map_or_else(String::new, Matching::explain)
    }
}

/// A search with a memo of forms, prepared when that is first needed.
struct Alike<'p> {
    part: &'p Weighted,
    symmetry: Option<Symmetry>,
}

/// Nanoseconds for an item, before anything is known.
const ITEM: f64 = 20_000.0;
/// Where so many items look alike this is expected to be done soon.
const ALIKE: f64 = 24.0;

impl Way for Alike<'_> {
    fn name(&self) -> &'static str {
        SYMMETRY.name
    }

    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        begun(&mut self.symmetry, || Symmetry::new(self.part))?.run(watch)
    }

    /// It does not know how far it is. So it is taken to need twice as long again, and longer the less
    /// items are alike: then it has but a small share of the time.
    fn outlook(&self, spent: Duration) -> f64 {
        let Some(symmetry) = &self.symmetry else {
            return ITEM * self.part.problem.item_count() as f64;
        };
        spent.as_nanos() as f64 * 2.0 * (ALIKE / symmetry.likeness()).max(1.0).powi(2)
    }

    fn explain(&self) -> String {
        let forms = self.symmetry.as_ref().map_or(0, Symmetry::form_count);
        format!("{forms} forms")
    }
}

/// A search with a memo of sets of items, prepared when that is first needed.
struct Remembering<'p> {
    part: &'p Weighted,
    order: Option<&'p Order>,
    memo: Option<Memo>,
}

impl Way for Remembering<'_> {
    fn name(&self) -> &'static str {
        MEMO.name
    }

    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        let order = self.order.map_or(&[][..], |order| &order.items);
        begun(&mut self.memo, || Memo::new(self.part, order))?.run(watch)
    }

    fn outlook(&self, spent: Duration) -> f64 {
        let Some(memo) = &self.memo else { return 3.0 * UNKNOWN };
        let fraction = memo.outlook().fraction;
        spent.as_nanos() as f64 * (1.0 - fraction).max(0.0) / fraction.max(1e-300)
    }

    fn explain(&self) -> String {
        let Some(memo) = &self.memo else { return String::new() };
        let Outlook { branch, nodes, lookups, hits, entries, bytes, .. } = memo.outlook();
        format!(
            "{branch:?}, {nodes} nodes, {hits} of {lookups} found again, {entries} kept in {bytes} bytes"
        )
    }
}

/// Plain search: every cover is visited by the engine that fits, on all cores that are idle.
pub(super) struct Search<'p> {
    part: &'p Weighted,
    cores: &'p Arc<Cores>,
    engine: Option<(Part, f64)>,
    /// What is left to search.
    open: Vec<Subtree>,
    found: BigUint,
    nodes: u64,
    /// How far the search was after so many nodes.
    probe: Option<(f64, u64)>,
    /// Whether that was judged for the second time, from the start.
    is_sure: bool,
}

/// Nodes after which is judged how far the search is; with as many more it is judged again.
const PROBE_NODES: u64 = 2000;
const PROBE_MORE: u64 = 8;

impl<'p> Search<'p> {
    pub(super) fn new(part: &'p Weighted, hints: &Hints<'p>) -> Self {
        let cores = hints.cores;
        let open = vec![Subtree::default()];
        Self {
            part,
            cores,
            engine: None,
            open,
            found: BigUint::ZERO,
            nodes: 0,
            probe: None,
            is_sure: false,
        }
    }
}

impl Way for Search<'_> {
    fn name(&self) -> &'static str {
        SEARCH.name
    }

    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        let (part, node) = self.engine.get_or_insert_with(|| {
            let problem = Arc::new(self.part.problem.clone());
            let choice = Choice::new(&problem);
            (Part::new(problem, choice, None, self.cores), choice.node)
        });
        let is_plain = self.part.weights.iter().all(|&weight| weight == 1);
        let mut nodes = ((watch.work() as f64 / *node) as u64).max(1);
        let is_judged_again = |&(_, before): &(f64, u64)| nodes >= PROBE_MORE * before;
        if !self.is_sure && self.probe.as_ref().is_some_and(is_judged_again) {
            (self.open, self.found) = (vec![Subtree::default()], BigUint::ZERO);
            (self.nodes, self.probe, self.is_sure) = (0, None, true);
        }
        while nodes > 0
            && let Some(subtree) = self.open.pop()
        {
            let progress = Arc::new(Progress::default());
            let mut limits =
                Limits { nodes: Some(nodes), rest: true, progress: None, ..watch.limits().clone() };
            if self.probe.is_none() {
                // So it is told often how far the search is.
                limits.nodes_expected = Some(u64::MAX);
                limits.progress = Some(Arc::clone(&progress));
            }
            let mut sum = 0u128;
            let mut found = BigUint::ZERO;
            let report = if is_plain {
                part.count_subtree(&subtree, &limits)
            } else {
                part.search_subtree(&subtree, &limits, &mut |cover| {
                    let weights = cover.iter().map(|option| self.part.weights[option.index()]);
                    match weights.clone().map(u128::from).try_fold(1u128, u128::checked_mul) {
                        Some(product) if product < 1 << 100 && sum < 1 << 100 => sum += product,
                        _ => found += weights.map(BigUint::from).product::<BigUint>(),
                    }
                    ControlFlow::Continue(())
                })
            };
            self.found += if is_plain { BigUint::from(report.solutions) } else { found + sum };
            self.nodes += report.nodes;
            nodes = nodes.saturating_sub(report.nodes.max(1));
            if self.probe.is_none() && self.nodes >= PROBE_NODES {
                self.probe = Some((progress.fraction(), progress.nodes()));
            }
            match report.end {
                End::Exhausted => {}
                End::Limit(Limit::Nodes) => match report.rest {
                    Some(rest) => self.open.extend(rest.into_iter().rev()),
                    None => return Err(Cut::Unsuited),
                },
                End::Limit(limit) => return Err(Cut::Limit(limit)),
                End::Stopped => unreachable!("the visitor goes on"),
            }
        }
        if self.open.is_empty() { Ok(self.found.clone()) } else { Err(Cut::Work) }
    }

    fn outlook(&self, spent: Duration) -> f64 {
        let Some((fraction, nodes)) = self.probe else { return UNKNOWN };
        let all = nodes as f64 / fraction.max(1e-300);
        // If there are more than was expected, so it will be again.
        let left = (all - self.nodes as f64).max(self.nodes as f64);
        spent.as_nanos() as f64 / self.nodes as f64 * left
    }

    fn explain(&self) -> String {
        let engine = self.engine.as_ref().map_or("", |(part, _)| part.plan().engine);
        format!("{engine}, {} nodes", self.nodes)
    }
}

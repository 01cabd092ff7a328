//! The ways to count, as the race sees them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use num_bigint::BigUint;

use super::matching::Matching;
use super::memo::{Memo, Outlook};
use super::symmetry::Symmetry;
use super::{Hints, Method};
use crate::frontier::Frontier;
use crate::frontier::order::{FREEDOM, Order};
use crate::limits::{Limit, Limits, Progress};
use crate::model::{Problem, Subtree};
use crate::parallel::Cores;
use crate::portfolio::race::Way;
use crate::portfolio::{Choice, Cut, Part, Watch};
use crate::prepare::Weighted;
use crate::search::{End, Engine};

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
        let new = |(place, order)| Box::new(InOrder::new(part, place, order, hints)) as Box<dyn Way>;
        orders.enumerate().map(new).collect()
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
const UNKNOWN: f64 = 2e6;
/// Orders that take part,
const ORDERS: usize = 3;
/// and the nanoseconds after which each next one does, if it promises as much.
const WAIT: f64 = 4e6;
/// Nanoseconds that a frontier and the forms of a problem take for an entry to begin.
const ENTRY: f64 = 100.0;
/// Nanoseconds for a state of a frontier, before that is known.
const STATE: f64 = 150.0;

/// Returns what was begun, made now if it was not. A beginning is not cut by work, for it could not be gone on
/// with; it heeds all limits.
fn begun<'s, T>(
    slot: &'s mut Option<T>,
    watch: &Watch<'_>,
    new: impl FnOnce(&mut Watch<'_>) -> Result<T, Cut>,
) -> Result<&'s mut T, Cut> {
    match slot {
        Some(begun) => Ok(begun),
        none => Ok(none.insert(new(&mut watch.for_beginning())?)),
    }
}

/// A frontier in an order, built when it is first needed.
pub(super) struct InOrder<'p> {
    part: &'p Weighted,
    cores: &'p Arc<Cores>,
    place: usize,
    order: &'p Order,
    frontier: Option<Frontier>,
    modulus: Option<u64>,
}

impl<'p> InOrder<'p> {
    fn new(part: &'p Weighted, place: usize, order: &'p Order, hints: &Hints<'p>) -> Self {
        Self { part, cores: hints.cores, place, order, frontier: None, modulus: hints.modulus }
    }
}

impl Way for InOrder<'_> {
    fn name(&self) -> &'static str {
        FRONTIER.name
    }

    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        let items = &self.order.items;
        let new =
            |watch: &mut Watch<'_>| Frontier::new(self.part, items, self.cores, self.modulus, watch);
        begun(&mut self.frontier, watch, new)?.run(watch)
    }

    fn effort(&self) -> (u64, u64) {
        let effort = self.frontier.as_ref().map(Frontier::effort).unwrap_or_default();
        (effort.states, effort.tries)
    }

    fn known(&self) -> BigUint {
        self.frontier.as_ref().map_or(BigUint::ZERO, Frontier::known)
    }

    fn bytes(&self) -> usize {
        self.frontier.as_ref().map_or(0, Frontier::bytes)
    }

    fn outlook(&self, spent: Duration) -> f64 {
        match &self.frontier {
            Some(frontier) => frontier.outlook(spent),
            None => self.order.states(FREEDOM) * STATE + self.place as f64 * WAIT,
        }
    }

    fn doubt(&self) -> Option<f64> {
        self.frontier.as_ref().filter(|frontier| frontier.is_past_growth()).map(|_| 2.0)
    }

    fn setup(&self) -> f64 {
        ENTRY * self.part.problem.entry_count() as f64
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
        begun(&mut self.matching, watch, |watch| Matching::new(self.part, watch))?.count(watch)
    }

    fn known(&self) -> BigUint {
        self.matching.as_ref().map_or(BigUint::ZERO, Matching::known)
    }

    fn outlook(&self, _: Duration) -> f64 {
        let begin = || 500.0 * self.part.problem.option_count() as f64;
        self.matching.as_ref().map_or_else(begin, |matching| matching.work() as f64)
    }

    fn doubt(&self) -> Option<f64> {
        self.matching.as_ref().map(|_| 1.0)
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
        begun(&mut self.symmetry, watch, |watch| Symmetry::new(self.part, watch))?.run(watch)
    }

    fn effort(&self) -> (u64, u64) {
        self.symmetry.as_ref().map(Symmetry::effort).unwrap_or_default()
    }

    fn known(&self) -> BigUint {
        self.symmetry.as_ref().map_or(BigUint::ZERO, Symmetry::known)
    }

    fn bytes(&self) -> usize {
        self.symmetry.as_ref().map_or(0, Symmetry::memo_bytes)
    }

    /// It does not know how far it is. So it is taken to need twice as long again, and longer the less
    /// items are alike: then it has but a small share of the time.
    fn outlook(&self, spent: Duration) -> f64 {
        let Some(symmetry) = &self.symmetry else {
            return ITEM * self.part.problem.item_count() as f64;
        };
        spent.as_nanos() as f64 * 2.0 * (ALIKE / symmetry.likeness()).max(1.0).powi(2)
    }

    fn setup(&self) -> f64 {
        ENTRY * self.part.problem.entry_count() as f64
    }

    fn explain(&self) -> String {
        let forms = self.symmetry.as_ref().map_or(0, Symmetry::form_count);
        format!("{forms} forms")
    }
}

/// Nanoseconds for two options that may exclude each other.
const PAIR: f64 = 1.6;

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
        begun(&mut self.memo, watch, |watch| Memo::new(self.part, order, watch))?.run(watch)
    }

    fn effort(&self) -> (u64, u64) {
        let outlook = self.memo.as_ref().map(Memo::outlook);
        outlook.map_or((0, 0), |outlook| (outlook.nodes, outlook.lookups))
    }

    fn known(&self) -> BigUint {
        self.memo.as_ref().map_or(BigUint::ZERO, Memo::known)
    }

    fn bytes(&self) -> usize {
        self.memo.as_ref().map_or(0, Memo::bytes)
    }

    fn outlook(&self, spent: Duration) -> f64 {
        let Some(memo) = &self.memo else {
            return 3.0 * UNKNOWN + self.setup();
        };
        let fraction = memo.outlook().fraction;
        spent.as_nanos() as f64 * (1.0 - fraction).max(0.0) / fraction.max(1e-300)
    }

    fn setup(&self) -> f64 {
        PAIR * (self.part.problem.option_count() as f64).powi(2)
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
///
/// How far it is can be told after some thousand nodes, and mostly is known from a trial. A first slice that
/// was by far too short is searched again with the next: what is left of a search that was cut short is
/// many small ones, which take longer.
pub(super) struct Search<'p> {
    part: &'p Weighted,
    problem: Arc<Problem>,
    cores: &'p Arc<Cores>,
    choice: Choice,
    /// Built when it is first needed.
    engine: Option<Part>,
    /// Nanoseconds for a node.
    pace: f64,
    /// What is left to search.
    open: Vec<Subtree>,
    found: BigUint,
    nodes: u64,
    /// Nodes and updates before it began anew, and the covers found then.
    before: (u64, u64),
    found_before: BigUint,
    updates: u64,
    /// How far a search from the root was after so many nodes.
    probe: Option<(f64, u64)>,
}

/// A search of less nodes says nothing,
const PROBE_NODES: u64 = 256;
/// and one of so many how long it will take.
const SURE_NODES: u64 = 1000;
/// The search begins anew if there was less than this part of the nodes that are before it.
const EARLY: f64 = 0.25;

impl<'p> Search<'p> {
    pub(super) fn new(part: &'p Weighted, hints: &Hints<'p>) -> Self {
        let problem = Arc::new(part.problem.clone());
        let choice = Choice::new(&problem);
        Self {
            part,
            problem,
            cores: hints.cores,
            choice,
            engine: hints.engine.take(),
            pace: choice.node,
            open: vec![Subtree::default()],
            found: BigUint::ZERO,
            nodes: 0,
            before: (0, 0),
            found_before: BigUint::ZERO,
            updates: 0,
            probe: hints.search,
        }
    }

    /// Searches that many nodes.
    fn search(&mut self, engine: &mut Part, mut nodes: u64, limits: &Limits) -> Result<BigUint, Cut> {
        let is_plain = self.part.weights.iter().all(|&weight| weight == 1);
        while nodes > 0
            && let Some(subtree) = self.open.pop()
        {
            let is_root = self.nodes == 0;
            let progress = Arc::new(Progress::default());
            let mut slice = Limits { nodes: Some(nodes), rest: true, progress: None, ..limits.clone() };
            if is_root {
                slice.progress = Some(Arc::clone(&progress));
            }
            let mut sum = 0u128;
            let mut found = BigUint::ZERO;
            let report = if is_plain {
                engine.count_subtree(&subtree, &slice)
            } else {
                engine.search_subtree(&subtree, &slice, &mut |cover| {
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
            self.updates += report.updates;
            nodes = nodes.saturating_sub(report.nodes.max(1));
            if is_root && progress.nodes() >= PROBE_NODES {
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
}

impl Way for Search<'_> {
    fn name(&self) -> &'static str {
        SEARCH.name
    }

    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        let nodes = ((watch.work() as f64 / self.pace) as u64).max(1);
        // Without a probe nothing is known of it, however long it goes on.
        let early = if self.probe.is_some() { EARLY } else { 2.0 };
        if self.nodes > 0 && (self.nodes as f64) < early * nodes as f64 {
            let (nodes, updates) = self.effort();
            self.before = (nodes, updates);
            self.found_before = self.known();
            self.open = vec![Subtree::default()];
            (self.found, self.nodes, self.updates) = (BigUint::ZERO, 0, 0);
        }
        let new = || Part::new(Arc::clone(&self.problem), self.choice, None, self.cores);
        let mut engine = self.engine.take().unwrap_or_else(new);
        let (begun, before) = (Instant::now(), self.nodes);
        let result = self.search(&mut engine, nodes, watch.limits());
        self.engine = Some(engine);
        self.pace = begun.elapsed().as_nanos() as f64 / (self.nodes - before).max(1) as f64;
        result
    }

    fn effort(&self) -> (u64, u64) {
        (self.before.0 + self.nodes, self.before.1 + self.updates)
    }

    fn known(&self) -> BigUint {
        self.found.clone().max(self.found_before.clone())
    }

    fn outlook(&self, spent: Duration) -> f64 {
        let unknown = (self.choice.setup + UNKNOWN).max(2.0 * spent.as_nanos() as f64);
        let Some((fraction, nodes)) = self.probe else { return unknown };
        let all = nodes as f64 / fraction.max(1e-300);
        // If there are more than was expected, so it will be again.
        let left = (all - self.nodes as f64).max(self.nodes as f64);
        let setup = if self.engine.is_none() { self.choice.setup } else { 0.0 };
        setup + self.pace * left
    }

    fn doubt(&self) -> Option<f64> {
        // Once there were far more than that, it was wrong.
        let is_right = |&(fraction, nodes): &(f64, u64)| {
            nodes >= SURE_NODES && self.nodes as f64 <= 2.0 * nodes as f64 / fraction.max(1e-300)
        };
        self.probe.filter(is_right).map(|_| 1.0)
    }

    fn explain(&self) -> String {
        let engine = self.engine.as_ref().map_or("", |engine| engine.plan().engine);
        format!("{engine}, {} nodes", self.nodes)
    }
}

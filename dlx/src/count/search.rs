//! The method `search`: plain search by the engine that fits.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use num_bigint::BigUint;

use super::method::{Hints, Method, UNKNOWN};
use crate::limits::{Limit, Limits, Progress};
use crate::model::{Problem, Subtree};
use crate::parallel::Cores;
use crate::portfolio::race::Way;
use crate::portfolio::{Choice, Cut, Part, Watch};
use crate::prepare::Weighted;
use crate::search::{End, Engine};

pub(super) const METHOD: Method = Method {
    name: "search",
    summary: "goes through all covers with the engine that fits",
    ways: |part, hints| vec![Box::new(Search::new(part, hints))],
};

/// Plain search: every cover is visited by the engine that fits, on all cores that are idle.
///
/// How far it is can be told after some thousand nodes, and mostly is known from a trial. A first slice that
/// was by far too short is searched again with the next: what is left of a search that was cut short is
/// many small ones, which take longer.
struct Search<'p> {
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

/// A search of fewer nodes says nothing.
const PROBE_NODES: u64 = 256;
/// A search of so many nodes says how long it will take.
const SURE_NODES: u64 = 1000;
/// The search begins anew if there was less than this part of the nodes that are before it.
const EARLY: f64 = 0.25;

impl<'p> Search<'p> {
    fn new(part: &'p Weighted, hints: &Hints<'p>) -> Self {
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
        METHOD.name
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

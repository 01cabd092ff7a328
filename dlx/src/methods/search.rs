//! The method `search`: plain search by the engine that fits.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use super::method::{Count, Hints, Method};
use crate::limits::{Limit, Limits, Progress};
use crate::model::{Problem, Subtree};
use crate::parallel::{Cores, Parallel};
use crate::portfolio::{Budget, Choice, Contender, Cut, Estimate, costs};
use crate::prepare::Weighted;
use crate::search::{End, Engine};

pub(crate) const METHOD: Method = Method {
    name: "search",
    summary: "goes through all covers with the engine that fits",
    contenders: |part, hints| vec![Box::new(Search::new(part, hints))],
};

/// Plain search: every cover is visited by the engine that fits, on all cores that are idle.
///
/// How far it is can be told after some thousand nodes, and mostly is known from the trial of the counter. After a
/// first slice that was by far too short it begins anew: what is left of a search that was cut short is many small
/// searches, which take longer.
struct Search<'p> {
    part: &'p Weighted,
    problem: Arc<Problem>,
    cores: &'p Arc<Cores>,
    choice: Choice,
    /// Built when it is first needed.
    engine: Option<Parallel<'static>>,
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

/// A search of fewer nodes than this says nothing about the whole.
const PROBE_NODES: u64 = 256;
/// A search of at least this many nodes says how long the whole will take.
const SURE_NODES: u64 = 1000;
/// The search begins anew if it has had less than this fraction of the nodes of its next slice.
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

    /// Returns how many covers it has found, before it began anew or since.
    fn covers(&self) -> BigUint {
        self.found.clone().max(self.found_before.clone())
    }

    /// Searches that many nodes.
    fn search(
        &mut self,
        engine: &mut dyn Engine,
        mut nodes: u64,
        limits: &Limits,
    ) -> Result<BigUint, Cut> {
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

impl Contender for Search<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let nodes = ((budget.work() as f64 / self.pace) as u64).max(1);
        // Without a probe nothing is known of it, however long it goes on.
        let early = if self.probe.is_some() { EARLY } else { 2.0 };
        if self.nodes > 0 && (self.nodes as f64) < early * nodes as f64 {
            let (nodes, updates) = self.effort();
            self.before = (nodes, updates);
            self.found_before = self.covers();
            self.open = vec![Subtree::default()];
            (self.found, self.nodes, self.updates) = (BigUint::ZERO, 0, 0);
        }
        let new = || self.choice.engine(&self.problem, self.cores);
        let mut engine = self.engine.take().unwrap_or_else(new);
        let (begun, before) = (budget.clock().now(), self.nodes);
        let result = self.search(&mut engine, nodes, budget.limits());
        self.engine = Some(engine);
        let time = budget.clock().now() - begun;
        self.pace = time.as_nanos() as f64 / (self.nodes - before).max(1) as f64;
        result
    }

    fn effort(&self) -> (u64, u64) {
        (self.before.0 + self.nodes, self.before.1 + self.updates)
    }

    fn known(&self) -> Option<BigUint> {
        Some(self.covers())
    }

    fn setup(&self) -> f64 {
        if self.engine.is_none() { self.choice.setup } else { 0.0 }
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        let Some((fraction, nodes)) = self.probe else {
            let left = self.choice.setup + costs::COUNT_UNKNOWN;
            return Estimate::guess(left.max(2.0 * spent.as_nanos() as f64));
        };
        let all = nodes as f64 / fraction.max(1e-300);
        // If there are more than was expected, so it will be again.
        let left = (all - self.nodes as f64).max(self.nodes as f64);
        // Once there were far more than that, it was wrong.
        let is_right = nodes >= SURE_NODES && self.nodes as f64 <= 2.0 * all;
        Estimate::new(self.setup() + self.pace * left, is_right.then_some(1.0))
    }
}

impl Count for Search<'_> {
    fn explain(&self) -> String {
        format!("{}, {} nodes", self.choice.spec.name, self.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::Orders;

    #[test]
    fn a_search_that_went_past_its_estimate_is_not_sure_of_it() {
        let part = Weighted::whole(&"a b c\na b\nb c\na c\na\nb\nc\n".parse().unwrap());
        let (cores, orders, limits) = (Cores::new(0), Orders::default(), Limits::default());
        let engine = std::cell::Cell::new(None);
        let (cores, orders, limits, engine) = (&cores, &orders, &limits, &engine);
        let search = Some((0.5, SURE_NODES));
        let hints = Hints { cores, modulus: None, orders, limits, search, engine };
        let mut search = Search::new(&part, &hints);
        let mut error = |nodes| {
            search.nodes = nodes;
            search.estimate(Duration::ZERO).error
        };
        assert_eq!([1, 2, 4].map(|times| error(times * SURE_NODES)), [Some(1.0); 3]);
        assert_eq!(error(4 * SURE_NODES + 1), None);
    }
}

//! The method `search`: plain search, and as a second contender the search with the engine
//! `filter`.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use num_bigint::BigUint;

use super::alike::{ChoiceClasses, Comparison, EARLY, ExpectedSearch};
use super::descents::{self, Descents};
use super::filtering::Filtered;
use super::forecast::Moments;
use super::method::{Count, Counting, Hints, Method};
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem, Subtree};
use crate::parallel::{Cores, PATIENCE, Parallel};
use crate::portfolio::{Budget, Choice, Contender, Cut, Estimate, costs};
use crate::prepare::Weighted;
use crate::search::End;

pub(crate) const METHOD: Method = Method {
    name: "search",
    summary: "goes through all covers with the engine that fits",
    contenders: |part, hints| {
        let (problem, is_plain) = part.plain();
        let problem = Arc::new(problem);
        let filtered = Filtered::new(part, &problem, is_plain, hints.has_cover);
        let mut contenders: Vec<Box<Counting<'_>>> =
            vec![Box::new(Search::new(part, problem, is_plain, hints))];
        contenders.extend(filtered.map(|filtered| Box::new(filtered) as Box<Counting<'_>>));
        contenders
    },
};

/// Plain search: visits every cover with the best engine for the part, on all idle cores.
///
/// The estimate comes from the trial search of the counter, or from the first few thousand nodes.
/// If the first slice was far too short, the search restarts, because an interrupted search leaves
/// many small subtrees that take longer to finish. A long search visits only one of several
/// isomorphic first choices (`alike.rs`).
struct Search<'p> {
    part: &'p Weighted,
    /// The part, with weighted options repeated if that hardly enlarges it.
    problem: Arc<Problem>,
    is_plain: bool,
    cores: &'p Arc<Cores>,
    choice: Choice,
    engine: Option<Parallel<'static>>,
    has_cover: &'p AtomicBool,
    pace: f64,
    /// The unsearched subtrees (the next one is the last element), and the multiplicity of their
    /// covers.
    open: Vec<Subtree>,
    times: u32,
    later: Vec<(u32, Vec<Subtree>)>,
    comparison: Comparison,
    /// The number of first choices searched since the last restart, and the number of all first
    /// choices, if some are skipped.
    spared: Option<[usize; 2]>,
    found: BigUint,
    nodes: u64,
    before: (u64, u64),
    found_before: BigUint,
    updates: u64,
    /// The searched fraction of the tree and its number of nodes, from the counter's trial search
    /// or the last slice.
    probe: Option<(f64, u64)>,
    moments: Moments,
    descents: Option<Descents>,
}

const PROBE_NODES: u64 = 256;
/// Minimum number of nodes for a reliable estimate. Long estimates need `SURE_NODES_LONG`, because
/// their errors cost more.
const SURE_NODES: u64 = 1000;
const SURE_NODES_LONG: u64 = 3000;
/// Below `FEW_NODES` nodes, even a reliable estimate may be too low by the factor `ERROR`.
const FEW_NODES: u64 = 30_000;
const ERROR: f64 = 2.0;
/// Slices below this time run with cold caches, so their measured time per node is capped (ns).
const WARM: f64 = 2e6;
/// Cap on the time per node in a slice with cold caches, as a multiple of the predicted time.
const COLD: f64 = 1.5;
/// Maximum growth of a reliable estimate since an earlier moment (`forecast.rs`).
const AGREEMENT: f64 = 1.6;
/// A search with an estimate up to this time gets a trial slice at once (ns).
const SOON: f64 = 5e6;
/// Slices below this time run on one core, because starting a thread takes a substantial part of
/// them (ns).
const SHORT: u64 = 10_000_000;
/// Random descents take the share `DESCENTS_SHARE` of each slice while more than `DESCENTS_FROM`
/// nanoseconds are left. Their mean counts if its relative error is at most `DESCENTS_ERROR`, until
/// the share `MOSTLY` of the tree is searched.
const DESCENTS_SHARE: f64 = 0.05;
const DESCENTS_FROM: f64 = 1e7;
const DESCENTS_ERROR: f64 = 0.6;
const MOSTLY: f64 = 0.5;
/// Minimum share of a first slice that is attributed to the search, because the rest may be setup.
const SEARCHED: f64 = 0.2;
/// Exponent that reduces the ratio of an early estimate to [`costs::COUNT_UNKNOWN`], before the
/// search has started.
const DOUBT: f64 = 0.25;
/// Typical remaining work after symmetry reduction, as a multiple of the smallest possible work.
const SAVING: f64 = 1.3;

#[derive(Default)]
pub(super) struct Sum {
    small: u128,
    large: BigUint,
}

impl Sum {
    pub(super) fn add(&mut self, part: &Weighted, cover: &[OptionId]) {
        let weights = cover.iter().map(|option| part.weights[option.index()]);
        match weights.clone().map(u128::from).try_fold(1u128, u128::checked_mul) {
            Some(product) if product < 1 << 100 && self.small < 1 << 100 => self.small += product,
            _ => self.large += weights.map(BigUint::from).product::<BigUint>(),
        }
    }

    pub(super) fn total(self) -> BigUint {
        self.large + self.small
    }
}

pub(crate) fn note_cover(has_cover: &AtomicBool, found: &BigUint) {
    if *found != BigUint::ZERO {
        has_cover.store(true, Ordering::Relaxed);
    }
}

impl<'p> Search<'p> {
    fn new(part: &'p Weighted, problem: Arc<Problem>, is_plain: bool, hints: &Hints<'p>) -> Self {
        let choice = Choice::new(&problem);
        Self {
            part,
            problem,
            is_plain,
            cores: hints.cores,
            choice,
            engine: hints.engine.take(),
            has_cover: hints.has_cover,
            pace: choice.pace,
            open: vec![Subtree::default()],
            times: 1,
            later: Vec::new(),
            comparison: Comparison::default(),
            spared: None,
            found: BigUint::ZERO,
            nodes: 0,
            before: (0, 0),
            found_before: BigUint::ZERO,
            updates: 0,
            probe: hints.search,
            moments: Moments::default(),
            descents: None,
        }
    }

    fn covers(&self) -> BigUint {
        self.found.clone().max(self.found_before.clone())
    }

    /// Returns the estimated number of nodes: from random descents while little of the tree is
    /// searched, otherwise from the searched share of the tree.
    fn all(&self) -> Option<f64> {
        let (done, nodes) = self.probe?;
        let by_share = nodes as f64 / done.max(1e-300);
        let by_descents = self.descended().filter(|&all| done < MOSTLY && (nodes as f64) < all);
        Some(by_descents.unwrap_or(by_share))
    }

    /// Returns the number of nodes by random descents, if their relative error is small.
    fn descended(&self) -> Option<f64> {
        let descents = self.descents.as_ref().filter(|descents| descents.error() <= DESCENTS_ERROR)?;
        // The search skips first choices that are isomorphic to others.
        let part = self.spared.map_or(1.0, |[searched, all]| searched as f64 / all.max(1) as f64);
        descents.nodes().map(|nodes| nodes * part)
    }

    /// Spends a share of a slice of `work` nanoseconds on random descents, if much is left.
    ///
    /// # Errors
    /// If a limit is reached.
    fn descend(&mut self, work: u64, limits: &Limits) -> Result<(), Limit> {
        let time = DESCENTS_SHARE * work as f64;
        let left = self.all().map_or(0.0, |all| self.pace * (all - self.nodes as f64));
        if self.nodes == 0 || left < DESCENTS_FROM {
            return Ok(());
        }
        if self.descents.is_none() && descents::setup(&self.problem).is_some_and(|setup| setup <= time)
        {
            self.descents = Some(Descents::new(&self.problem, limits)?);
        }
        if let Some(descents) = &mut self.descents {
            descents.run(time);
        }
        Ok(())
    }

    /// Returns the unsearched share of the tree, including subtrees that are skipped because they
    /// are isomorphic to others.
    fn left(&self) -> f64 {
        let share = |times: u32, parts: &[Subtree]| {
            f64::from(times) * parts.iter().map(Subtree::share).sum::<f64>()
        };
        let later = self.later.iter().map(|(times, parts)| share(*times, parts));
        share(self.times, &self.open) + later.sum::<f64>()
    }

    fn look_ahead(&mut self) {
        self.note();
        if self.nodes >= PROBE_NODES {
            self.probe = Some((1.0 - self.left(), self.nodes));
            self.note();
        }
    }

    fn note(&mut self) {
        if let (Some((_, nodes)), Some(all)) = (self.probe, self.all()) {
            self.moments.note(nodes as f64, all);
        }
    }

    fn agrees(&self, nodes: u64, all: f64) -> bool {
        let before = self.moments.before(nodes as f64);
        before.is_none_or(|(_, before)| all <= AGREEMENT * before)
    }

    /// Returns the share of the remaining nodes that are probably left if the search restarts with
    /// unused symmetries.
    fn prospect(&self, all: f64) -> f64 {
        let has_begun = self.nodes as f64 >= EARLY * (all - self.nodes as f64);
        if has_begun { 1.0 } else { (SAVING / self.comparison.unused()).min(1.0) }
    }

    /// Compares first choices if enough is left to search, and much more work is available than at
    /// the last comparison.
    fn compare(&mut self, engine: &mut Parallel<'_>, work: u64, limits: &Limits) -> Result<(), Limit> {
        if self.is_plain && self.comparison.is_due(work) {
            // The time per node measured in a short slice is usually too low, because part of the
            // slice is attributed to setup.
            let pace = self.pace.max(self.choice.pace);
            let outlook = ExpectedSearch { nodes: self.all().unwrap_or(0.0), pace, work };
            self.comparison.look(&self.problem, outlook, engine.alone(), limits)?;
        }
        Ok(())
    }

    fn saves_anew(&self) -> bool {
        let later = self.later.iter().flat_map(|(_, parts)| parts);
        self.comparison.saves_of(self.open.iter().chain(later).map(Subtree::share).sum())
    }

    fn begin(&mut self) {
        (self.open, self.times) = (vec![Subtree::default()], 1);
        self.later.clear();
        self.spared = None;
        if let Some(alike) = self.comparison.alike() {
            self.open.clear();
            self.later.clone_from(&alike.groups);
            self.spared = Some(alike.counts());
        }
        (self.found, self.nodes, self.updates) = (BigUint::ZERO, 0, 0);
    }

    fn next_group(&mut self) -> bool {
        if self.open.is_empty()
            && let Some((times, choices)) = self.later.pop()
        {
            (self.times, self.open) = (times, choices);
            self.open.reverse();
        }
        !self.open.is_empty()
    }

    fn search(
        &mut self,
        engine: &mut Parallel<'_>,
        mut nodes: u64,
        limits: &Limits,
    ) -> Result<BigUint, Cut> {
        while nodes > 0 && self.next_group() {
            let parts = engine.next_parts(&mut self.open, !self.is_plain);
            let slice = limits.clone().nodes(nodes).rough(true).rest(true).progress(None);
            let mut sum = Sum::default();
            let report = if self.is_plain {
                engine.run_parts(parts, &slice, None)
            } else {
                let add = &mut |cover: &[OptionId]| {
                    sum.add(self.part, cover);
                    ControlFlow::Continue(())
                };
                engine.run_parts(parts, &slice, Some(add))
            };
            let found = if self.is_plain { BigUint::from(report.solutions) } else { sum.total() };
            self.found += found * self.times;
            note_cover(self.has_cover, &self.found);
            self.nodes += report.nodes;
            self.updates += report.updates;
            nodes = nodes.saturating_sub(report.nodes.max(1));
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
        if self.next_group() { Err(Cut::Work) } else { Ok(self.found.clone()) }
    }
}

impl Contender for Search<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let nodes = ((budget.work() as f64 / self.pace) as u64).max(1);
        // Before the first estimate, a restart may come later than usual.
        let early = if self.probe.is_some() { EARLY } else { 2.0 };
        let left = self.all().map_or(f64::INFINITY, |all| (all - self.nodes as f64).max(0.0));
        let new = || self.choice.engine(&self.problem, self.cores);
        let patience = if budget.work() < SHORT { Duration::MAX } else { PATIENCE };
        let setup = self.setup();
        let mut engine = self.engine.take().unwrap_or_else(new).patience(patience);
        self.compare(&mut engine, budget.work(), budget.limits()).map_err(Cut::Limit)?;
        self.descend(budget.work(), budget.limits()).map_err(Cut::Limit)?;
        let is_early = self.nodes == 0 || (self.nodes as f64) < early * left.min(nodes as f64);
        if is_early || self.saves_anew() {
            (self.before, self.found_before) = (self.effort(), self.covers());
            self.begin();
        }
        let (begun, before) = (budget.clock().now(), self.nodes);
        let result = self.search(&mut engine, nodes, budget.limits());
        self.engine = Some(engine);
        let time = budget.clock().now() - begun;
        let time = time.as_nanos() as f64;
        let pace = (time - setup).max(SEARCHED * time) / (self.nodes - before).max(1) as f64;
        self.pace = if time < WARM { pace.min(COLD * self.choice.pace) } else { pace };
        self.look_ahead();
        result
    }

    fn effort(&self) -> (u64, u64) {
        (self.before.0 + self.nodes, self.before.1 + self.updates)
    }

    fn known(&self) -> Option<BigUint> {
        Some(self.covers())
    }

    fn setup(&self) -> f64 {
        let has_begun = self.before.0 + self.nodes > 0;
        let pages = if self.engine.is_none() { self.choice.pages } else { 0.0 };
        if has_begun { 0.0 } else { self.choice.setup + pages }
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        let (Some((_, nodes)), Some(all)) = (self.probe, self.all()) else {
            let left = self.choice.setup + costs::COUNT_SLICE as f64;
            return Estimate::guess(left.max(2.0 * spent.as_nanos() as f64));
        };
        let prospect = self.prospect(all);
        let left = prospect * self.pace * (all - self.nodes as f64).max(0.0);
        if self.nodes == 0 && left > costs::COUNT_UNKNOWN {
            // An estimate from the first nodes may be wrong by any factor, and a slice improves it.
            // A search with a short estimate gets a slice at once. A longer estimate delays the
            // slice.
            if left <= SOON {
                return Estimate::guess(self.setup() + costs::COUNT_SLICE as f64);
            }
            let doubted = (left / costs::COUNT_UNKNOWN).powf(DOUBT);
            return Estimate::guess(self.setup() + costs::COUNT_UNKNOWN * doubted);
        }
        let is_soon = left <= costs::COUNT_UNKNOWN;
        let sure_nodes = if is_soon { SURE_NODES } else { SURE_NODES_LONG };
        let is_right = nodes >= sure_nodes && self.agrees(nodes, all) || self.descended() == Some(all);
        Estimate::new(
            self.setup() + left,
            is_right.then_some(if prospect == 1.0 && (is_soon || nodes >= FEW_NODES) {
                1.0
            } else {
                ERROR
            }),
        )
    }
}

impl Count for Search<'_> {
    fn explain(&self) -> String {
        let mut said = format!("{}, {} nodes", self.choice.spec.name, self.nodes);
        if let Some(counts) = self.spared {
            said += &format!(", {}", ChoiceClasses::explain(counts));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::engine::Naive;
    use crate::methods::Orders;
    use crate::model::samples::problems_with_isomorphic_choices;
    use crate::numbers::Random;
    use crate::search::Engine as _;

    #[test]
    fn isomorphic_choices_are_searched_once_and_counted_with_their_multiplicity() {
        let mut random = Random::new(23);
        let mut spared = 0;
        for problem in problems_with_isomorphic_choices(&mut random, 60) {
            let expected = Naive::new(&problem).count(&[], &Limits::default()).solutions;
            for helpers in 0..2 {
                let part = Weighted::whole(&problem);
                let (cores, orders, engine) = (Cores::new(helpers), Orders::default(), Cell::new(None));
                let (cores, orders, engine) = (&cores, &orders, &engine);
                let (search, has_cover) = (Some((0.5, 1000)), &AtomicBool::new(false));
                let hints = Hints { cores, modulus: None, orders, search, has_cover, engine };
                let mut search = Search::new(&part, Arc::new(part.plain().0), true, &hints);
                search.pace = 1e12;
                let mut engine = search.choice.engine(&search.problem, cores).patience(Duration::ZERO);
                search.compare(&mut engine, u64::MAX, &Limits::default()).unwrap();
                let says_so = |search: &Search<'_>| search.explain().contains("first choices");
                assert!(!says_so(&search), "it has not begun so");
                search.begin();
                assert_eq!(says_so(&search), search.comparison.alike().is_some());
                spared += u32::from(search.comparison.alike().is_some());
                let mut left = search.left();
                assert!((0.5..1.0 + 1e-9).contains(&left), "{left}");
                let total = loop {
                    let nodes = 1 + random.below(40) as u64;
                    match search.search(&mut engine, nodes, &Limits::default()) {
                        Ok(total) => break total,
                        Err(cut) => assert_eq!(cut, Cut::Work),
                    }
                    assert!(search.covers() <= expected.into());
                    assert!(search.left() < left + 1e-9);
                    left = search.left();
                };
                assert_eq!(total, expected.into(), "{problem:?} {:?}", search.comparison);
            }
        }
        assert!(spared >= 14, "{spared}");
    }

    #[test]
    fn an_estimate_that_keeps_growing_is_unreliable() {
        let part = Weighted::whole(&"a b c\na b\nb c\na c\na\nb\nc\n".parse().unwrap());
        let (cores, orders) = (Cores::new(0), Orders::default());
        let (engine, has_cover) = (Cell::new(None), &AtomicBool::new(false));
        let (cores, orders, engine) = (&cores, &orders, &engine);
        let search = Some((0.5, SURE_NODES));
        let hints = Hints { cores, modulus: None, orders, search, has_cover, engine };
        let problem = Arc::new(part.plain().0);
        let mut search = Search::new(&part, problem, true, &hints);
        assert_eq!(search.estimate(Duration::ZERO).error, Some(1.0));
        let mut error = |nodes, left: f64| {
            search.nodes = nodes;
            search.open = vec![Subtree::default().within(left)];
            search.look_ahead();
            search.estimate(Duration::ZERO).error
        };
        assert_eq!(error(2 * SURE_NODES, 0.25), Some(1.0));
        assert_eq!(error(4 * SURE_NODES, 0.6), None);
        assert_eq!(error(6 * SURE_NODES, 0.6), Some(1.0));
        assert_eq!(error(8 * SURE_NODES, 0.6), None);
    }
}

//! Small problems with every feature, tested with all methods to search, to count and to minimize
//! the cost.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use dlx::cheapest::{Tuning, search_with};
use dlx::count::{Counter, METHODS};
use dlx::diagram::Diagram;
use dlx::engine::VARIANTS;
use dlx::parallel::{Cores, Order, Parallel};
use dlx::{ENGINES, End, Engine, Limit, Limits, OptionId, Problem, Solver, Subtree, verify};
use num_bigint::BigUint;

use super::{Target, noise};
use crate::bytes::Bytes;
use crate::draw;
use crate::oracle::{self, Cover};

pub(super) const TARGET: Target = Target {
    name: "problem",
    summary: "small problems with every feature through every engine, method, limit and thread",
    run,
    seeds: noise,
    short_runs: 8_000,
};

const BUDGET: u64 = 20_000;
/// Memory limit (bytes) that is enough for the diagram or the states of a small problem.
const BYTES: usize = 1 << 26;

struct Case {
    problem: Problem,
    given: Vec<OptionId>,
    without: Vec<OptionId>,
    /// The covers that contain `given`, and among them the covers without options of `without`.
    whole: BTreeSet<Cover>,
    part: BTreeSet<Cover>,
}

/// Draws a problem, finds its covers with the oracle, and tests three of the aspects.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let aspects = [(); 3].map(|()| bytes.below(ASPECTS.len()));
    let problem = draw::small(&mut bytes);
    let given = draw::options(&mut bytes, &problem);
    let without = draw::options(&mut bytes, &problem);
    let Some(whole) = oracle::covers(&problem, &given, &[], BUDGET) else { return };
    let is_part = |cover: &&Cover| !without.iter().any(|option| cover.contains(option));
    let part = whole.iter().filter(is_part).cloned().collect();
    let case = Case { problem, given, without, whole, part };
    for aspect in aspects {
        ASPECTS[aspect](&case, &mut bytes);
    }
}

const ASPECTS: &[fn(&Case, &mut Bytes<'_>)] =
    &[search, search, search, threads, counts, counts, diagram, prices, prices, restricted, verified];

pub(super) const ENGINE_COUNT: usize = 3 + ENGINES.len() + VARIANTS.len();

/// Builds an engine: a variant of the solver, or an entry of the tables of engines. Returns `None`
/// if the engine refuses the problem. Building an engine takes longer than most searches here, so
/// each is built only when needed.
pub(super) fn engine(problem: &Problem, number: usize) -> Option<(&'static str, Box<dyn Engine + '_>)> {
    let solver = || Solver::new(problem.clone());
    let spec = match number % ENGINE_COUNT {
        0 => return Some(("solver", Box::new(solver()))),
        1 => return Some(("solver at once", Box::new(solver().at_once()))),
        2 => return Some(("solver in turns", Box::new(solver().at_once().node_by_node()))),
        number => ENGINES.iter().chain(VARIANTS).nth(number - 3).expect("it is below the count"),
    };
    match (spec.build)(problem) {
        Ok(engine) => Some((spec.name, engine)),
        Err(unsupported) => {
            let may_refuse = problem.has_bounds() && matches!(spec.name, "masks" | "filter" | "learn");
            assert!(may_refuse, "{}: {unsupported}", spec.name);
            None
        }
    }
}

pub(super) fn listed(
    engine: &mut dyn Engine,
    part: &Subtree,
    limits: &Limits,
) -> (BTreeSet<Cover>, dlx::Report) {
    let mut covers = BTreeSet::new();
    let report = engine.search_subtree(part, limits, &mut |cover| {
        let set: Cover = cover.iter().copied().collect();
        assert_eq!(set.len(), cover.len(), "a cover names an option once");
        assert!(covers.insert(set), "a cover is visited once");
        ControlFlow::Continue(())
    });
    assert_eq!(report.solutions, covers.len() as u64);
    (covers, report)
}

fn search(case: &Case, bytes: &mut Bytes<'_>) {
    if let Some((name, mut engine)) = engine(&case.problem, bytes.below(ENGINE_COUNT)) {
        try_engine(case, name, engine.as_mut(), bytes);
    }
}

fn try_engine(case: &Case, name: &str, engine: &mut dyn Engine, bytes: &mut Bytes<'_>) {
    let unlimited = Limits::default();
    let (whole, part) =
        (Subtree::from(case.given.clone()), Subtree::new(case.given.clone(), case.without.clone()));
    for (subtree, expected) in [(&whole, &case.whole), (&part, &case.part)] {
        let (found, report) = listed(engine, subtree, &unlimited);
        assert_eq!((&found, report.end), (expected, End::Exhausted), "{name}");
        assert_eq!(engine.count_subtree(subtree, &unlimited).count(), Some(expected.len() as u64));
        assert!(engine.is_at_rest(&case.problem), "{name}");
        // The covers of a stopped search and of the rest that it reports must be all covers.
        let limits = match bytes.below(3) {
            0 => Limits::new().solutions(bytes.below(4) as u64).rest(true),
            _ => Limits::new().rest(true).nodes(bytes.below(12) as u64),
        };
        let (mut found, report) = listed(engine, subtree, &limits);
        assert!(found.is_subset(expected), "{name}");
        assert!(engine.is_at_rest(&case.problem), "{name}");
        if let Some(rest) = report.rest {
            assert_ne!(report.end, End::Exhausted);
            let mut sum = found.len();
            for part in rest {
                let (more, _) = listed(engine, &part, &unlimited);
                sum += more.len();
                found.extend(more);
            }
            assert_eq!((&found, sum), (expected, expected.len()), "{name}: nothing twice or lost");
        } else if report.end == End::Exhausted {
            assert_eq!(&found, expected, "{name}");
        }
        let wanted = 1 + bytes.below(4) as u64;
        let (found, report) = listed(engine, subtree, &Limits::new().solutions(wanted));
        let is_enough = expected.len() as u64 >= wanted;
        let end = if is_enough { End::Limit(Limit::Solutions) } else { End::Exhausted };
        assert_eq!((found.len(), report.end), (expected.len().min(wanted as usize), end), "{name}");
        assert!(found.is_subset(expected), "{name}");
        let counted = engine.count_subtree(subtree, &Limits::new().solutions(wanted));
        assert_eq!((counted.solutions, counted.end), (found.len() as u64, end), "{name}");
        assert!(engine.is_at_rest(&case.problem), "{name}");
    }
}

/// Tests an engine on two threads, with tasks of a few nodes.
fn threads(case: &Case, bytes: &mut Bytes<'_>) {
    // Starting threads takes a hundred times as long as a search, so this test is rare.
    if !bytes.once_in(32) {
        return;
    }
    let spec = &ENGINES[bytes.below(ENGINES.len())];
    let order = if bytes.once_in(2) { Order::Any } else { Order::Search };
    let Ok(engine) = Parallel::new(spec, &case.problem, 2) else { return };
    let mut engine = engine
        .order(order)
        .patience(Duration::ZERO)
        .portion(1 + bytes.below(20) as u64)
        .waiting(1 + bytes.below(500));
    try_engine(case, spec.name, &mut engine, bytes);
    let cores = Cores::new(1);
    let mut solver = Solver::new(case.problem.clone()).on(&cores).at_once().node_by_node();
    try_engine(case, "solver on two threads", &mut solver, bytes);
}

fn counts(case: &Case, bytes: &mut Bytes<'_>) {
    let expected = BigUint::from(case.whole.len());
    let limits = Limits::new().memory(bytes.once_in(2).then(|| bytes.below(3000)));
    let chosen = bytes.below(METHODS.len() + 1);
    let mut counter = Counter::new(case.problem.clone());
    if let Some(method) = METHODS.get(chosen) {
        counter = counter.by(method);
    }
    if bytes.once_in(4) {
        counter = counter.checked();
    }
    for _ in 0..2 {
        let Ok(report) = counter.try_count(&case.given, &limits) else {
            let name = METHODS.get(chosen).map(|method| method.name);
            let may_refuse =
                name.is_some_and(|name| matches!(name, "algebra" | "matching" | "signs" | "symmetry"));
            assert!(may_refuse, "{name:?} refuses a problem");
            return;
        };
        match report.end {
            End::Exhausted => assert_eq!(report.total(), expected, "{}", counter.explain()),
            End::Limit(Limit::Memory) => assert!(report.total() <= expected),
            end => panic!("a count ends with {end:?}"),
        }
    }
}

fn diagram(case: &Case, _: &mut Bytes<'_>) {
    let Case { problem, given, whole, .. } = case;
    let diagram = Diagram::new(problem, given, &Limits::default(), BYTES as u64).expect("it is small");
    assert_eq!(diagram.count(), whole.len().into());
    let counts = diagram.counts();
    for option in problem.options() {
        let count = whole.iter().filter(|cover| cover.contains(&option)).count();
        assert_eq!(counts[option.index()], count.into());
    }
    let mut covers = BTreeSet::new();
    for (number, cover) in (0_u32..).zip(diagram.covers()) {
        assert_eq!(diagram.unrank(&number.into()).as_ref(), Some(&cover));
        assert_eq!(diagram.rank(&cover), Some(number.into()));
        assert!(covers.insert(cover.into_iter().collect::<Cover>()));
    }
    assert_eq!(&covers, whole);
    assert_eq!(diagram.unrank(&whole.len().into()), None);
    let mut histogram: BTreeMap<u128, BigUint> = BTreeMap::new();
    for cover in whole {
        *histogram.entry(cost(problem, cover)).or_default() += 1_u32;
    }
    assert_eq!(diagram.histogram(usize::MAX), Some(histogram));
    let costs: Vec<u128> = diagram.cheapest().map(|priced| priced.cost).collect();
    assert_eq!(costs, sorted_costs(case));
    let again = Diagram::from_text(&diagram.to_text()).expect("what was written can be read");
    assert_eq!(again.count(), diagram.count());
}

fn cost(problem: &Problem, cover: &Cover) -> u128 {
    cover.iter().map(|&option| u128::from(problem.cost(option))).sum()
}

fn sorted_costs(case: &Case) -> Vec<u128> {
    let mut costs: Vec<u128> = case.whole.iter().map(|cover| cost(&case.problem, cover)).collect();
    costs.sort_unstable();
    costs
}

fn prices(case: &Case, bytes: &mut Bytes<'_>) {
    let tuning = Tuning {
        plain_updates: [0, 3, 12_000][bytes.below(3)],
        turn: [1, 100_000][bytes.below(2)],
        has_masks: !bytes.once_in(3),
        has_linear: !bytes.once_in(3),
        has_layers: !bytes.once_in(3),
    };
    let wanted = 1 + bytes.below(5);
    let nodes = bytes.once_in(3).then(|| bytes.below(9) as u64);
    let limits = Limits::new().nodes(nodes);
    let found = search_with(tuning, &case.problem, &case.given, wanted, &limits);
    let all = sorted_costs(case);
    let mut seen = BTreeSet::new();
    for priced in &found.covers {
        let cover: Cover = priced.options.iter().copied().collect();
        assert_eq!(priced.cost, cost(&case.problem, &cover));
        assert!(case.whole.contains(&cover) && seen.insert(cover));
    }
    let costs: Vec<u128> = found.covers.iter().map(|priced| priced.cost).collect();
    assert!(costs.is_sorted());
    if found.report.end == End::Exhausted {
        assert_eq!(costs, all[..all.len().min(wanted)]);
    }
    let others = case.whole.iter().filter(|cover| !seen.contains(*cover));
    if let Some(least) = others.map(|cover| cost(&case.problem, cover)).min() {
        assert!(found.bound.is_some_and(|bound| bound <= least), "{:?}, {least}", found.bound);
    }
}

fn restricted(case: &Case, bytes: &mut Bytes<'_>) {
    let Case { problem, given, whole, .. } = case;
    let Ok(restricted) = dlx::restrict(problem, given) else {
        assert!(whole.is_empty());
        return;
    };
    let covers = oracle::covers(&restricted.problem, &[], &[], 4 * BUDGET);
    let original = |cover: Cover| -> Cover {
        cover.into_iter().map(|option| restricted.originals[option.index()]).collect()
    };
    if let Some(covers) = covers {
        assert_eq!(&covers.into_iter().map(original).collect::<BTreeSet<_>>(), whole);
    }
    let text = dlx::text::write(&restricted.problem);
    let again: Problem = text.parse().expect("what was written can be read");
    assert_eq!(dlx::text::write(&again), text);
    counts(case, bytes);
}

/// Tests that the verifier accepts covers and refuses everything else.
fn verified(case: &Case, bytes: &mut Bytes<'_>) {
    let Case { problem, given, whole, .. } = case;
    for cover in whole {
        let options: Vec<OptionId> = cover.iter().copied().collect();
        assert_eq!(verify(problem, given, &options), Ok(()));
    }
    let drawn: Cover =
        problem.options().filter(|_| bytes.once_in(3)).chain(given.iter().copied()).collect();
    let options: Vec<OptionId> = drawn.iter().copied().collect();
    assert_eq!(verify(problem, given, &options).is_ok(), whole.contains(&drawn));
}

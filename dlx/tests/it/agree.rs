//! Compares every engine with the oracle on tens of thousands of random problems.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use dlx::engine::{Links, Naive, VARIANTS};
use dlx::{
    ENGINES, End, Engine, Limit, Limits, OptionId, Problem, Solver, Subtree, Unsupported, verify,
};
use fastrand::Rng;

use crate::random::{ALL_FEATURES, Features, given, parts, problem};

const PROBLEMS: u64 = if cfg!(feature = "slow-tests") { 100_000 } else { 10_000 };

type Cover = BTreeSet<OptionId>;

type Built<'p> = Result<Box<dyn Engine + 'p>, Unsupported>;

fn engines(problem: &Problem) -> impl Iterator<Item = (&'static str, Built<'_>)> {
    let build = |spec: &dlx::EngineSpec| (spec.name, (spec.build)(problem).map(|engine| engine as _));
    let solver: Box<dyn Engine + '_> = Box::new(Solver::new(problem.clone()));
    let at_once: Box<dyn Engine + '_> = Box::new(Solver::new(problem.clone()).at_once());
    let in_turns: Box<dyn Engine + '_> =
        Box::new(Solver::new(problem.clone()).at_once().node_by_node());
    ENGINES.iter().chain(VARIANTS).map(build).chain([
        ("solver", Ok(solver)),
        ("solver at once", Ok(at_once)),
        ("solver in turns", Ok(in_turns)),
    ])
}

/// Returns all covers, and how the search ended. Panics if a cover is visited twice.
fn covers(engine: &mut dyn Engine, part: &Subtree, limits: &Limits) -> (BTreeSet<Cover>, End) {
    let mut covers = BTreeSet::new();
    let report = engine.search_subtree(part, limits, &mut |cover| {
        let set: Cover = cover.iter().copied().collect();
        assert_eq!(set.len(), cover.len(), "a cover names an option once");
        assert!(covers.insert(set), "a cover is visited once");
        ControlFlow::Continue(())
    });
    assert_eq!(report.solutions, covers.len() as u64);
    (covers, report.end)
}

/// Returns whether the engine is expected to refuse the problem with this message.
fn is_known(engine: &str, problem: &Problem, unsupported: &str) -> bool {
    let refused = match engine {
        "masks" | "filter" => "multiplicities",
        "learn" => "bounds",
        _ => return false,
    };
    problem.has_bounds() && unsupported == format!("the engine does not support {refused}")
}

/// Returns whether the engine always reports the remaining subtrees of a stopped search.
fn reports_rest(engine: &str) -> bool {
    !engine.starts_with("solver") && engine != "naive" && engine != "learn"
}

/// Checks all engines on the covers that contain `given`, and on the covers that contain `given`
/// but no option of `left_out`.
fn check(problem: &Problem, given: &[OptionId], left_out: &[OptionId]) {
    let unlimited = Limits::default();
    let whole = Subtree::from(given.to_vec());
    let part = Subtree::new(given.to_vec(), left_out.to_vec());
    let (expected, _) = covers(&mut Naive::new(problem), &whole, &unlimited);
    let is_in_part = |cover: &&Cover| left_out.iter().all(|option| !cover.contains(option));
    let expected_in_part: BTreeSet<Cover> = expected.iter().filter(is_in_part).cloned().collect();
    for (name, built) in engines(problem) {
        let context = || format!("{name}, given {given:?}:\n{}", dlx::text::write(problem));
        let mut engine = match built {
            Ok(engine) => engine,
            Err(unsupported) => {
                let unsupported = unsupported.to_string();
                assert!(is_known(name, problem, &unsupported), "{unsupported}: {}", context());
                continue;
            }
        };
        // Search twice: the first search must leave the engine unchanged.
        for _ in 0..2 {
            assert!(engine.is_at_rest(problem), "{}", context());
            let (found, end) = covers(engine.as_mut(), &whole, &unlimited);
            assert_eq!((&found, end), (&expected, End::Exhausted), "{}", context());
            assert!(engine.is_at_rest(problem), "{}", context());
        }
        assert_eq!(
            engine.count(given, &unlimited).count(),
            Some(expected.len() as u64),
            "{}",
            context()
        );
        let (found, end) = covers(engine.as_mut(), &part, &unlimited);
        let context = || format!("without {left_out:?}, {}", context());
        assert_eq!((&found, end), (&expected_in_part, End::Exhausted), "{}", context());
        assert!(engine.is_at_rest(problem), "{}", context());
        let count = expected_in_part.len() as u64;
        assert_eq!(engine.count_subtree(&part, &unlimited).count(), Some(count), "{}", context());
        // A search stopped anywhere also leaves the engine unchanged, and the reported rest
        // contains exactly the missing covers.
        for nodes in 0..6 {
            let limits = Limits::new().nodes(nodes).rest(true);
            for (part, expected) in [(&whole, &expected), (&part, &expected_in_part)] {
                let mut found = Vec::new();
                let mut visit = |cover: &[OptionId]| {
                    found.push(cover.iter().copied().collect::<Cover>());
                    ControlFlow::Continue(())
                };
                let report = engine.search_subtree(part, &limits, &mut visit);
                assert!(engine.is_at_rest(problem), "{}", context());
                let is_done = report.end == End::Exhausted;
                assert!(is_done || report.end == End::Limit(Limit::Nodes), "{}", context());
                assert!(found.iter().all(|cover| expected.contains(cover)), "{}", context());
                assert!(!is_done || report.rest.is_none(), "{}", context());
                assert!(is_done || !reports_rest(name) || report.rest.is_some(), "{}", context());
                if is_done || report.rest.is_some() {
                    for part in report.rest.into_iter().flatten() {
                        let (more, _) = covers(engine.as_mut(), &part, &unlimited);
                        found.extend(more);
                    }
                    assert_eq!(found.len(), expected.len(), "{}", context());
                    let found: BTreeSet<_> = found.into_iter().collect();
                    assert_eq!(&found, expected, "{}", context());
                }
            }
        }
        for wanted in 1..=3 {
            let limits = Limits::new().solutions(wanted);
            let (found, end) = covers(engine.as_mut(), &whole, &limits);
            let is_enough = expected.len() as u64 >= wanted;
            let end_expected = if is_enough { End::Limit(Limit::Solutions) } else { End::Exhausted };
            let count = expected.len().min(wanted as usize);
            assert_eq!((found.len(), end), (count, end_expected), "{}", context());
            assert!(found.is_subset(&expected), "{}", context());
            let report = engine.count(given, &limits);
            assert_eq!((report.solutions, report.end), (count as u64, end), "{}", context());
            assert!(engine.is_at_rest(problem), "{}", context());
        }
    }
    let listed: BTreeSet<Cover> =
        Links::new(problem).into_solutions(given).map(|cover| cover.into_iter().collect()).collect();
    assert_eq!(listed, expected);
    for cover in expected {
        let cover: Vec<_> = cover.into_iter().collect();
        assert_eq!(verify(problem, given, &cover), Ok(()));
    }
}

#[test]
fn all_engines_find_the_covers_of_the_oracle() {
    agree_on(PROBLEMS, 0, problem);
}

#[test]
fn all_engines_find_the_covers_of_problems_with_independent_parts() {
    agree_on(PROBLEMS / 4, 1000, parts);
}

fn agree_on(problems: u64, seed: u64, make: fn(&mut Rng, Features) -> Problem) {
    for (kind, features) in ALL_FEATURES.into_iter().enumerate() {
        let mut rng = Rng::with_seed(seed + kind as u64);
        let mut solved = 0;
        for _ in 0..problems {
            let problem = make(&mut rng, features);
            let [given, left_out] = [(); 2].map(|()| given(&mut rng, &problem));
            check(&problem, &given, &left_out);
            solved += u64::from(Links::new(&problem).into_solutions(&given).next().is_some());
        }
        assert!(solved > problems / 20, "enough problems have solutions: {solved} of {features:?}");
    }
}

#[test]
fn the_oracle_agrees_with_enumeration_of_all_subsets() {
    for (kind, features) in ALL_FEATURES.into_iter().enumerate() {
        let mut rng = Rng::with_seed(100 + kind as u64);
        for _ in 0..300 {
            let problem = problem(&mut rng, features);
            let subset = |bits: u32| -> Vec<OptionId> {
                problem.options().filter(|option| bits >> option.index() & 1 == 1).collect()
            };
            let expected: BTreeSet<Cover> = (0..1 << problem.option_count())
                .map(subset)
                .filter(|options| verify(&problem, &[], options).is_ok())
                .map(|options| options.into_iter().collect())
                .collect();
            let whole = Subtree::default();
            let (found, _) = covers(&mut Naive::new(&problem), &whole, &Limits::default());
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn a_profile_adds_up_to_the_totals() {
    let problem: Problem = "a b c\na\nb\nc\na b\nb c\na c\na b c\n".parse().unwrap();
    let limits = Limits::new().profile(true);
    for (name, engine) in engines(&problem) {
        let report = engine.unwrap().count(&[], &limits);
        assert_eq!(report.count(), Some(5), "{name}");
        assert_eq!(report.levels.iter().map(|level| level.nodes).sum::<u64>(), report.nodes);
        assert_eq!(report.levels.iter().map(|level| level.updates).sum::<u64>(), report.updates);
    }
}

#[test]
fn a_cancel_flag_set_before_a_search_stops_it_immediately() {
    let problem: Problem = "a b\na\nb\n".parse().unwrap();
    let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let limits = Limits::new().cancel(cancel);
    for (_, engine) in engines(&problem) {
        let report = engine.unwrap().count(&[], &limits);
        assert_eq!((report.end, report.count()), (End::Limit(Limit::Cancelled), None));
    }
}

#[test]
fn the_visitor_can_stop_a_search() {
    let problem: Problem = "a\na\na\na\n".parse().unwrap();
    for (_, engine) in engines(&problem) {
        let mut engine = engine.unwrap();
        let report = engine.search(&[], &Limits::default(), &mut |_| ControlFlow::Break(()));
        assert_eq!((report.solutions, report.end), (1, End::Stopped));
        assert!(engine.is_at_rest(&problem));
    }
}

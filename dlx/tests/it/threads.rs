//! Tests that several threads find the same covers as one, for every engine, limit and schedule.

use std::collections::BTreeSet;
use std::iter;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use dlx::engine::Links;
use dlx::parallel::{Cores, Order, Parallel};
use dlx::{
    ENGINES, End, Engine, EngineSpec, Limit, Limits, OptionId, Problem, ProblemBuilder, Progress,
    Subtree,
};
use fastrand::Rng;

use crate::random::{ALL_FEATURES, given, problem};
use crate::samples;

const PROBLEMS: u64 = if cfg!(feature = "slow-tests") { 2000 } else { 100 };

type Covers = Vec<Vec<OptionId>>;

fn search(engine: &mut dyn Engine, given: &[OptionId], limits: &Limits) -> (Covers, dlx::Report) {
    search_part(engine, &given.to_vec().into(), limits)
}

fn search_part(engine: &mut dyn Engine, part: &Subtree, limits: &Limits) -> (Covers, dlx::Report) {
    let mut covers = Vec::new();
    let report = engine.search_subtree(part, limits, &mut |cover| {
        covers.push(cover.to_vec());
        ControlFlow::Continue(())
    });
    assert_eq!(report.solutions, covers.len() as u64);
    (covers, report)
}

fn sets(covers: &Covers) -> BTreeSet<BTreeSet<OptionId>> {
    let sets: BTreeSet<_> = covers.iter().map(|cover| cover.iter().copied().collect()).collect();
    assert_eq!(sets.len(), covers.len(), "no cover is visited twice");
    sets
}

/// Returns whether the order of covers depends only on the problem and on the options given and
/// excluded.
fn has_fixed_order(spec: &EngineSpec) -> bool {
    matches!(spec.name, "links" | "counts" | "naive")
}

/// Returns whether the engine also enters the same nodes for every division of the tree.
fn has_fixed_nodes(spec: &EngineSpec) -> bool {
    matches!(spec.name, "links" | "naive")
}

fn dominoes(width: usize, height: usize) -> Problem {
    samples::dominoes(height, width).parse().expect("a problem")
}

/// Returns placements of `count` queens that attack or occupy every square of a board.
fn dominating_queens(size: usize, count: u32) -> Problem {
    let mut builder = ProblemBuilder::new();
    let queens = builder.bounded("queens", count, count).expect("in order");
    let mut items = Vec::new();
    for square in 0..size * size {
        items.push(builder.bounded(&square.to_string(), 1, count).expect("in order"));
    }
    for square in 0..size * size {
        let (x, y) = (square % size, square / size);
        let is_held = |other: &usize| {
            let (u, v) = (other % size, other / size);
            u == x || v == y || u + v == x + y || u + y == x + v
        };
        let held = (0..size * size).filter(is_held).map(|other| items[other]);
        builder.option(iter::once(queens).chain(held)).expect("in order");
    }
    builder.build()
}

#[test]
fn problems_with_bounds_have_the_same_covers_on_several_threads() {
    let problem = dominating_queens(6, 4);
    let (expected, _) = search(&mut Links::new(&problem), &[], &Limits::default());
    for spec in ENGINES {
        let Ok(mut alone) = (spec.build)(&problem) else { continue };
        if spec.name == "naive" {
            continue;
        }
        let (in_order, whole) = search(alone.as_mut(), &[], &Limits::default());
        let mut tasks = 0;
        for threads in [2, 3, 4] {
            for (order, nodes) in [(Order::Search, 50), (Order::Any, 500), (Order::Search, u64::MAX)] {
                let engine = Parallel::new(spec, &problem, threads).unwrap().order(order);
                let mut engine = engine.patience(Duration::ZERO).portion(nodes).waiting(10_000);
                let context = format!("{} with {threads} threads, {nodes} nodes", spec.name);
                let (found, report) = search(&mut engine, &[], &Limits::default());
                assert_eq!(report.count(), whole.count(), "{context}");
                assert_eq!(sets(&found), sets(&expected), "{context}");
                if has_fixed_order(spec) && order == Order::Search {
                    assert!(found == in_order, "{context}");
                }
                tasks += engine.effort().tasks;
                let report = engine.count(&[], &Limits::default());
                assert_eq!(report.count(), whole.count(), "{context}");
                assert_eq!(engine.effort().threads, threads as u64, "{context}");
                assert!(engine.is_at_rest(&problem), "{context}");
                let (found, _) = search(&mut engine, &[], &Limits::new().solutions(100));
                assert_eq!(found.len(), 100, "{context}");
                assert!(sets(&found).is_subset(&sets(&expected)), "{context}");
            }
        }
        assert!(tasks > 100, "{}: {tasks} tasks", spec.name);
    }
}

#[test]
fn all_covers_are_found_when_small_trees_are_divided_into_many_parts() {
    for (kind, features) in ALL_FEATURES.into_iter().enumerate() {
        let mut rng = Rng::with_seed(200 + kind as u64);
        let mut tasks = 0;
        for _ in 0..PROBLEMS {
            let problem = problem(&mut rng, features);
            let given = given(&mut rng, &problem);
            for spec in ENGINES {
                let Ok(mut alone) = (spec.build)(&problem) else { continue };
                let (expected, whole) = search(alone.as_mut(), &given, &Limits::default());
                for threads in [1, 2, 5] {
                    let order = if rng.bool() { Order::Search } else { Order::Any };
                    let (nodes, bytes) = (rng.u64(1..4), [1, 40, 1 << 20][rng.usize(0..3)]);
                    let engine = Parallel::new(spec, &problem, threads).unwrap().order(order);
                    let mut engine = engine.patience(Duration::ZERO).portion(nodes).waiting(bytes);
                    let context = format!(
                        "{} with {threads} threads, {nodes} nodes each, {order:?}, {given:?} given:\n{}",
                        spec.name,
                        dlx::text::write(&problem)
                    );
                    let (found, report) = search(&mut engine, &given, &Limits::default());
                    assert_eq!(report.end, End::Exhausted, "{context}");
                    assert_eq!(sets(&found), sets(&expected), "{context}");
                    if has_fixed_nodes(spec) {
                        assert_eq!(report.nodes, whole.nodes, "{context}");
                    }
                    if has_fixed_order(spec) && order == Order::Search {
                        assert_eq!(found, expected, "{context}");
                    }
                    tasks += engine.effort().tasks;
                    let report = engine.count(&given, &Limits::default());
                    assert_eq!(report.count(), Some(expected.len() as u64), "{context}");
                    assert!(engine.is_at_rest(&problem), "{context}");
                    check_limits(&mut engine, &mut rng, &given, &expected, whole.nodes, &context);
                }
            }
        }
        assert!(tasks > PROBLEMS / 2, "trees were cut: {tasks} tasks");
    }
}

/// Checks that limits are exact and that the reported rest contains exactly the missing covers.
fn check_limits(
    engine: &mut Parallel<'_>,
    rng: &mut Rng,
    given: &[OptionId],
    expected: &Covers,
    nodes: u64,
    context: &str,
) {
    let all = sets(expected);
    let count = expected.len() as u64;
    let limit = rng.u64(0..=count + 1);
    let limits = Limits::new().solutions(limit).rest(rng.bool());
    let end = |is_cut, limit| if is_cut { End::Limit(limit) } else { End::Exhausted };
    let report = engine.count(given, &limits);
    // With a limit of zero solutions, the ending depends on whether any node has to be searched.
    if limit > 0 {
        assert_eq!(report.end, end(limit <= count, Limit::Solutions), "limit {limit}: {context}");
    }
    assert_eq!(report.solutions, limit.min(count), "limit {limit}: {context}");
    let (found, report) = search(engine, given, &limits);
    assert_eq!(report.solutions, limit.min(count), "limit {limit}: {context}");
    check_rest(engine, given, found, report, &all, context);

    let limit = rng.u64(0..=nodes + 1);
    let limits = Limits::new().nodes(limit).rest(rng.bool());
    let (found, report) = search(engine, given, &limits);
    // Some engines enter a different number of nodes in a divided tree, but at least one.
    assert!(report.nodes <= limit, "limit of {limit} nodes: {context}");
    assert!(matches!(report.end, End::Exhausted | End::Limit(Limit::Nodes)), "{context}");
    assert!(report.end == End::Exhausted || report.nodes == limit, "{limit} nodes: {context}");
    check_rest(engine, given, found, report, &all, context);

    let stop = rng.u64(1..=count + 1);
    let mut found = Vec::new();
    let limits = Limits::new().rest(true);
    let report = engine.search(given, &limits, &mut |cover| {
        found.push(cover.to_vec());
        if found.len() as u64 == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(found.len() as u64, stop.min(count), "{context}");
    assert_eq!(report.end == End::Stopped, stop <= count, "{context}");
    check_rest(engine, given, found, report, &all, context);
}

fn check_rest(
    engine: &mut Parallel<'_>,
    given: &[OptionId],
    mut found: Covers,
    report: dlx::Report,
    all: &BTreeSet<BTreeSet<OptionId>>,
    context: &str,
) {
    assert!(sets(&found).is_subset(all), "{context}");
    for part in report.rest.into_iter().flatten() {
        assert!(given.iter().all(|option| part.given().contains(option)), "{context}");
        let (more, _) = search_part(engine, &part, &Limits::default());
        found.extend(more);
        assert_eq!(sets(&found).intersection(all).count(), found.len(), "{context}");
    }
}

#[test]
fn the_remaining_subtrees_of_a_stopped_search_contain_the_missing_covers() {
    check_parts(&dominoes(4, 5));
    check_parts(&dominating_queens(5, 3));
}

fn check_parts(problem: &Problem) {
    for (seed, order) in [Order::Search, Order::Any].into_iter().cycle().take(40).enumerate() {
        let mut rng = Rng::with_seed(seed as u64);
        let engine =
            Parallel::new(&ENGINES[0], problem, 3).expect("links take every problem").order(order);
        let mut engine =
            engine.patience(Duration::ZERO).portion(rng.u64(1..20)).waiting(rng.usize(0..500));
        let (mut found, mut searches) = (Vec::new(), 0);
        let mut open = vec![Subtree::default()];
        while let Some(part) = open.pop() {
            let limits = match rng.u8(0..3) {
                0 => Limits::new().solutions(rng.u64(1..20)),
                1 => Limits::new().nodes(rng.u64(1..100)),
                _ => Limits::new().deadline(Instant::now()),
            };
            let limits = limits.rest(true);
            let (covers, report) = search_part(&mut engine, &part, &limits);
            found.extend(covers);
            assert_eq!(report.rest.is_some(), report.end != End::Exhausted);
            open.extend(report.rest.into_iter().flatten());
            searches += 1;
        }
        let expected = search(&mut Links::new(problem), &[], &Limits::default()).0;
        assert_eq!(sets(&found), sets(&expected));
        assert!(searches > 3);
    }
}

#[test]
fn idle_threads_receive_parts_of_the_work_of_others() {
    let problem = dominoes(6, 7);
    let (expected, whole) = search(&mut Links::new(&problem), &[], &Limits::default());
    let mut cuts = 0;
    for round in 0..if cfg!(feature = "slow-tests") { 200 } else { 10 } {
        for threads in [2, 3, 16] {
            let order = if round % 2 == 0 { Order::Search } else { Order::Any };
            let engine = Parallel::new(&ENGINES[0], &problem, threads).unwrap().order(order);
            // The queue has room for 10 kB of covers, and all covers need a megabyte.
            let mut engine = engine.patience(Duration::ZERO).portion(u64::MAX).waiting(10_000);
            let report = engine.count(&[], &Limits::default());
            assert_eq!((report.count(), report.nodes), (whole.count(), whole.nodes));
            assert_eq!(engine.effort().threads, threads as u64);
            cuts += engine.effort().cuts;
            let (found, report) = search(&mut engine, &[], &Limits::default());
            assert_eq!((report.count(), report.nodes), (whole.count(), whole.nodes));
            assert!(order == Order::Any || found == expected);
            assert_eq!(sets(&found), sets(&expected));
            // Each thread may add two boxes of 16 kB when the queue is almost full.
            let waited = engine.effort().waiting_max;
            assert!(waited < 10_000 + 32_768 * (threads + 1), "covers in {waited} bytes waited");
            let (found, _) = search(&mut engine, &[], &Limits::new().solutions(1000));
            assert!(order == Order::Any || found == expected[..1000]);
            assert_eq!(found.len(), 1000);
        }
    }
    assert!(cuts > 20, "tasks were cut: {cuts}");
}

#[test]
fn every_engine_that_reports_remaining_subtrees_can_run_in_parallel() {
    let problem = dominoes(4, 4);
    for spec in ENGINES {
        let mut alone = (spec.build)(&problem).unwrap();
        let limits = Limits::new().nodes(0).rest(true);
        let can_split = alone.count(&[], &limits).rest.is_some();
        let mut engine =
            Parallel::new(spec, &problem, 3).unwrap().patience(Duration::ZERO).portion(2).waiting(100);
        assert_eq!(engine.count(&[], &Limits::default()).count(), Some(36), "{}", spec.name);
        assert_eq!(engine.effort().threads > 0, can_split, "{}", spec.name);
        assert!(can_split || ["learn", "naive"].contains(&spec.name), "{}", spec.name);
    }
}

fn endless() -> Problem {
    dominoes(16, 16)
}

#[test]
fn a_flag_and_the_clock_stop_all_threads() {
    let problem = endless();
    let mut engine = Parallel::new(&ENGINES[0], &problem, 3).unwrap();
    let time = Duration::from_millis(100);
    let begun = Instant::now();
    let report = engine.count(&[], &Limits::default().within(time));
    assert_eq!(report.end, End::Limit(Limit::Time));
    assert!(report.solutions > 0 && report.nodes > report.solutions);
    assert!((time..100 * time).contains(&begun.elapsed()));
    assert!(engine.is_at_rest(&problem));

    let cancel = Arc::new(AtomicBool::new(false));
    let progress = Arc::new(Progress::default());
    let limits = Limits::new().cancel(Arc::clone(&cancel)).progress(Arc::clone(&progress));
    let caller = thread::spawn(move || {
        thread::sleep(time);
        cancel.store(true, Relaxed);
    });
    let (found, report) = search(&mut engine, &[], &limits);
    caller.join().unwrap();
    assert_eq!(report.end, End::Limit(Limit::Cancelled));
    assert_eq!(sets(&found).len() as u64, report.solutions);
    assert!((1..=report.nodes).contains(&progress.nodes()));
    assert!((0.0..=1.0).contains(&progress.fraction()));
    assert!(engine.effort().threads == 3);
    assert!(engine.is_at_rest(&problem));
}

#[test]
fn limits_of_long_searches_are_exact() {
    let problem = endless();
    let mut engine = Parallel::new(&ENGINES[0], &problem, 3)
        .unwrap()
        .patience(Duration::ZERO)
        .portion(u64::MAX)
        .waiting(100_000);
    let report = engine.count(&[], &Limits::new().nodes(123_456));
    assert_eq!((report.nodes, report.end), (123_456, End::Limit(Limit::Nodes)));
    let report = engine.count(&[], &Limits::new().solutions(54_321));
    assert_eq!((report.solutions, report.end), (54_321, End::Limit(Limit::Solutions)));
    let (found, _) = search(&mut engine, &[], &Limits::new().solutions(12_345));
    let first: Covers = Links::new(&problem).into_solutions(&[]).take(12_345).collect();
    assert!(found == first, "the first solutions are those of one thread");
}

#[test]
fn a_panic_is_passed_on_and_leaves_a_usable_engine() {
    let problem = dominoes(5, 6);
    let mut engine = Parallel::new(&ENGINES[0], &problem, 3)
        .unwrap()
        .patience(Duration::ZERO)
        .portion(5)
        .waiting(1000);
    for visits in [0, 1, 100] {
        let mut left = visits;
        let search = AssertUnwindSafe(|| {
            engine.search(&[], &Limits::default(), &mut |_| {
                assert!(left > 0, "the visitor does not want it");
                left -= 1;
                ControlFlow::Continue(())
            })
        });
        assert!(catch_unwind(search).is_err());
        assert_eq!(engine.count(&[], &Limits::default()).count(), Some(1183));
    }
    let first = Box::new(Links::new(&endless()));
    let build = || panic!("it cannot be built");
    let mut engine = Parallel::with(&endless(), first, build, Cores::new(2))
        .patience(Duration::ZERO)
        .portion(5)
        .waiting(1000);
    let search = AssertUnwindSafe(|| engine.count(&[], &Limits::default()));
    assert!(catch_unwind(search).is_err());
}

#[test]
fn helper_threads_join_and_leave_as_cores_become_idle_or_busy() {
    let problem = dominoes(6, 7);
    let links = Links::new(&problem);
    let build = || Box::new(links.clone()) as Box<dyn Engine>;
    let cores = Cores::new(2);
    let mut others = vec![cores.occupy(), cores.occupy()];
    let mut engine = Parallel::with(&problem, build(), build, Arc::clone(&cores));
    engine = engine.patience(Duration::ZERO).portion(100).waiting(10_000);
    let mut solutions = 0;
    let report = engine.search(&[], &Limits::default(), &mut |_| {
        solutions += 1;
        // Other jobs end, start again, and end, which changes the number of idle cores.
        match solutions {
            1000 | 7000 => others.clear(),
            5000 => others.extend([cores.occupy(), cores.occupy(), cores.occupy()]),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    assert_eq!(report.count(), Some(31529));
    assert!(engine.effort().threads >= 2);
    assert_eq!(cores.idle(), 2);
}

#[test]
fn the_progress_of_all_threads_adds_up() {
    let problem = dominoes(5, 6);
    let whole = Links::new(&problem).count(&[], &Limits::default());
    for nodes in [1, 10, 1000] {
        let mut engine = Parallel::new(&ENGINES[0], &problem, 3)
            .unwrap()
            .patience(Duration::ZERO)
            .portion(nodes)
            .waiting(1000);
        let progress = Arc::new(Progress::default());
        let limits = Limits::new().progress(Arc::clone(&progress));
        let (_, report) = search(&mut engine, &[], &limits);
        assert_eq!((progress.nodes(), progress.solutions()), (whole.nodes, report.solutions));
        assert!((progress.fraction() - 1.0).abs() < 1e-6, "{}", progress.fraction());
        let report = engine.search(&[], &limits, &mut |_| {
            assert!((0.0..1.001).contains(&progress.fraction()));
            ControlFlow::Continue(())
        });
        assert_eq!(report.count(), whole.count());
    }
}

//! Compares the cheapest covers with the covers of the oracle, sorted by cost.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dlx::cheapest::{Cheapest, Tuning, search, search_with};
use dlx::engine::{Links, Naive};
use dlx::{End, Engine, Limit, Limits, OptionId, Problem, Progress, verify};
use fastrand::Rng;

use crate::random::{ALL_FEATURES, given, parts, priced, problem};

const PROBLEMS: u64 = if cfg!(feature = "slow-tests") { 100_000 } else { 5_000 };

fn cost(problem: &Problem, cover: &[OptionId]) -> u128 {
    cover.iter().map(|&option| u128::from(problem.cost(option))).sum()
}

fn all_costs(engine: &mut dyn Engine, problem: &Problem, given: &[OptionId]) -> Vec<u128> {
    let mut costs = Vec::new();
    engine.search(given, &Limits::default(), &mut |cover| {
        costs.push(cost(problem, cover));
        ControlFlow::Continue(())
    });
    costs.sort_unstable();
    costs
}

/// Checks that the covers are valid, distinct and sorted, and have the stated costs.
fn check_sound(problem: &Problem, given: &[OptionId], found: &Cheapest) {
    assert_eq!(found.report.solutions, found.covers.len() as u64);
    assert!(found.covers.is_sorted_by_key(|cover| cover.cost));
    let mut sets = BTreeSet::new();
    for cover in &found.covers {
        assert_eq!(verify(problem, given, &cover.options), Ok(()));
        assert_eq!(cost(problem, &cover.options), cover.cost);
        assert!(sets.insert(cover.options.iter().collect::<BTreeSet<_>>()), "a cover comes once");
    }
}

/// Returns tunings that limit the plain search to `plain_updates` updates. After the plain search,
/// the tunings use prices, masks, linear programs, layers or several of these methods. With default
/// tunings, small problems would never reach these methods.
fn tunings(plain_updates: u64) -> [Tuning; 6] {
    let ways = [
        (u64::MAX, false, false, false),
        (u64::MAX, true, false, false),
        (1, true, false, false),
        (u64::MAX, false, true, false),
        (u64::MAX, false, false, true),
        (1, true, true, true),
    ];
    ways.map(|(turn, has_masks, has_linear, has_layers)| Tuning {
        plain_updates,
        turn,
        has_masks,
        has_linear,
        has_layers,
    })
}

fn check(problem: &Problem, given: &[OptionId], count: usize) {
    let context = || format!("{count} with given {given:?} of\n{}", dlx::text::write(problem));
    let all = all_costs(&mut Naive::new(problem), problem, given);
    let found = search(problem, given, count, &Limits::default());
    check_sound(problem, given, &found);
    let costs: Vec<_> = found.covers.iter().map(|cover| cover.cost).collect();
    assert_eq!(costs, all[..count.min(all.len())], "{}", context());
    assert_eq!(found.report.end, End::Exhausted, "{}", context());
    let bound = (all.len() >= count).then(|| all[count - 1]);
    assert_eq!(found.bound, bound, "{}", context());
    assert_eq!(search(problem, given, count, &Limits::default()), found, "{}", context());
    for tuning in [0, 4, 16].into_iter().flat_map(tunings) {
        let found = search_with(tuning, problem, given, count, &Limits::default());
        check_sound(problem, given, &found);
        let costs: Vec<_> = found.covers.iter().map(|cover| cover.cost).collect();
        assert_eq!(costs, all[..count.min(all.len())], "{tuning:?}: {}", context());
        assert_eq!((found.report.end, found.bound), (End::Exhausted, bound), "{}", context());
    }
    // After an interrupted search the covers and the bound are still valid.
    for (nodes, tuning) in (0..6).flat_map(|nodes| tunings(4 * nodes).map(|tuning| (nodes, tuning))) {
        let limits = Limits::new().nodes(nodes);
        let found = search_with(tuning, problem, given, count, &limits);
        check_sound(problem, given, &found);
        assert!(matches!(found.report.end, End::Exhausted | End::Limit(Limit::Nodes)), "{}", context());
        assert!(found.report.nodes <= nodes, "{}", context());
        let costs: Vec<_> = found.covers.iter().map(|cover| cover.cost).collect();
        check_bound(&all, &costs, found.bound, &context);
    }
}

fn check_bound(all: &[u128], found: &[u128], bound: Option<u128>, context: &dyn Fn() -> String) {
    let mut others = all.to_vec();
    for cost in found {
        let place = others.iter().position(|other| other == cost).expect("a cover of the oracle");
        others.remove(place);
    }
    match (others.first(), bound) {
        (Some(&least), Some(bound)) => assert!(bound <= least, "{}", context()),
        (Some(_), None) => panic!("there are other covers: {}", context()),
        (None, _) => {}
    }
}

#[test]
fn the_cheapest_covers_agree_with_the_oracle() {
    for (kind, features) in ALL_FEATURES.into_iter().enumerate() {
        let mut rng = Rng::with_seed(200 + kind as u64);
        for _ in 0..PROBLEMS {
            let problem = problem(&mut rng, features);
            let problem = priced(&mut rng, &problem);
            let given = given(&mut rng, &problem);
            let count = [1, 1, 2, 3, 5, 1000][rng.usize(0..6)];
            check(&problem, &given, count);
        }
    }
}

#[test]
fn the_cheapest_covers_of_several_parts_agree_with_the_oracle() {
    let mut several = 0;
    for (kind, features) in ALL_FEATURES.into_iter().enumerate() {
        let mut rng = Rng::with_seed(250 + kind as u64);
        for _ in 0..PROBLEMS / 4 {
            let whole = parts(&mut rng, features);
            let whole = priced(&mut rng, &whole);
            several += u64::from(dlx::count(&whole) > 1u32.into());
            let given = given(&mut rng, &whole);
            check(&whole, &given, [1, 2, 3, 7, 30, 3000][rng.usize(0..6)]);
        }
    }
    assert!(several > PROBLEMS / 8, "{several} with more than one cover");
}

#[test]
fn the_time_for_many_small_parts_is_linear_in_their_number() {
    // A single search of the whole problem would scan all items for each chosen option.
    let pairs = 60_000;
    let mut builder = dlx::ProblemBuilder::new();
    for pair in 0..pairs {
        let [a, b] =
            ["a", "b"].map(|name| builder.primary(&format!("{name}{pair}")).expect("in order"));
        for (items, cost) in [(vec![a, b], 9), (vec![a], 4 + pair % 2), (vec![b], 4)] {
            let option = builder.option(items).expect("in order");
            builder.set_cost(option, cost);
        }
    }
    let problem = builder.build();
    let found = search(&problem, &[], 3, &Limits::default());
    check_sound(&problem, &[], &found);
    let costs: Vec<_> = found.covers.iter().map(|cover| cover.cost).collect();
    // Every second pair has two covers of cost 9.
    let least = u128::from(pairs / 2 * 8 + pairs / 2 * 9);
    assert_eq!((costs, found.report.end), (vec![least; 3], End::Exhausted));
}

/// Returns a problem with a few dozen options and many covers, where every item has an option of
/// its own.
fn larger_problem(rng: &mut Rng) -> Problem {
    let (primary_count, secondary_count) = (rng.usize(6..=9), rng.usize(0..=3));
    let name = |item: usize| format!("i{item}");
    let names = |items: std::ops::Range<usize>| items.map(name).collect::<Vec<_>>().join(" ");
    let all = primary_count + secondary_count;
    let mut text = format!("{} | {}\n", names(0..primary_count), names(primary_count..all));
    for item in 0..primary_count {
        text.push_str(&format!("{} |{}\n", name(item), rng.u32(5..=20)));
    }
    for _ in 0..rng.usize(10..=25) {
        let mut items: Vec<usize> = (0..all).collect();
        rng.shuffle(&mut items);
        items.truncate(rng.usize(2..=4));
        items[0] %= primary_count;
        items.sort_unstable();
        items.dedup();
        let items: Vec<String> = items.into_iter().map(name).collect();
        text.push_str(&format!("{} |{}\n", items.join(" "), rng.u32(5..=30)));
    }
    text.parse().expect("in order")
}

#[test]
fn the_cheapest_covers_of_larger_problems_agree_with_the_oracle() {
    let mut rng = Rng::with_seed(300);
    for _ in 0..PROBLEMS / 10 {
        let problem = larger_problem(&mut rng);
        let given = given(&mut rng, &problem);
        check(&problem, &given, [1, 2, 7, 40, 5000][rng.usize(0..5)]);
    }
}

/// Returns an assignment problem with workers and jobs as items. Every pair is an option of random
/// cost.
fn assignment(rng: &mut Rng, size: usize) -> Problem {
    let mut builder = dlx::ProblemBuilder::new();
    let mut items = |kind: &str| -> Vec<_> {
        (0..size).map(|i| builder.primary(&format!("{kind}{i}")).expect("in order")).collect()
    };
    let (workers, jobs) = (items("worker"), items("job"));
    for &worker in &workers {
        for &job in &jobs {
            let option = builder.option([worker, job]).expect("in order");
            builder.set_cost(option, rng.u64(0..1000));
        }
    }
    builder.build()
}

#[test]
fn a_large_assignment_is_proven_optimal_with_few_nodes() {
    let problem = assignment(&mut Rng::with_seed(7), 40);
    let limits = Limits::new().nodes(20_000);
    let found = search(&problem, &[], 3, &limits);
    check_sound(&problem, &[], &found);
    assert_eq!((found.report.end, found.covers.len()), (End::Exhausted, 3));
}

/// Returns all perfect matchings of `numbers`, which are ascending, each as a list of edges.
fn matchings(numbers: &[u32], edge: &impl Fn(u32, u32) -> u32) -> Vec<Vec<u32>> {
    let [first, others @ ..] = numbers else { return vec![Vec::new()] };
    let with = |other: &u32| {
        let rest: Vec<_> = others.iter().copied().filter(|number| number != other).collect();
        let mut sets = matchings(&rest, edge);
        sets.iter_mut().for_each(|set| set.push(edge(*first, *other)));
        sets
    };
    others.iter().flat_map(with).collect()
}

#[test]
fn a_deadline_or_a_flag_keeps_the_best_covers_so_far() {
    // The covers are the one-factorizations of the complete graph on 8 vertices. A
    // one-factorization partitions the edges into perfect matchings.
    let edge = |a: u32, b: u32| b * (b - 1) / 2 + a;
    let problem = Problem::from_sets(28, matchings(&[0, 1, 2, 3, 4, 5, 6, 7], &edge)).expect("sets");
    // The 6240 covers have no costs, so all cost the same.
    let found = search(&problem, &[], 6000, &Limits::default());
    assert_eq!((found.covers.len(), found.report.end), (6000, End::Exhausted));
    assert_eq!(found.bound, Some(0));
    let found = search(&problem, &[], 7000, &Limits::default().within(Duration::ZERO));
    assert_eq!((found.covers.len(), found.report.end), (0, End::Limit(Limit::Time)));
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    let found = search(&problem, &[], 7000, &Limits::new().cancel(cancel));
    assert_eq!((found.bound, found.report.end), (Some(0), End::Limit(Limit::Cancelled)));
}

/// Returns tilings of a board by dominoes and both kinds of trominoes, with costs below `cost_max`.
/// Some of the tiles share the secondary item `mark`, with colors.
fn tiling(rng: &mut Rng, height: usize, width: usize, cost_max: u64) -> Problem {
    tilings(rng, 1, (height, width), cost_max)
}

fn tilings(rng: &mut Rng, boards: usize, (height, width): (usize, usize), cost_max: u64) -> Problem {
    let mut builder = dlx::ProblemBuilder::new();
    let cells: Vec<_> = (0..boards * height * width)
        .map(|cell| builder.primary(&format!("{cell}")).expect("in order"))
        .collect();
    let marks: Vec<_> = (0..boards)
        .map(|board| builder.secondary(&format!("mark{board}")).expect("in order"))
        .collect();
    let colors = ["red", "blue"].map(|name| builder.color(name).expect("in order"));
    const SHAPES: [&[(usize, usize)]; 8] = [
        &[(0, 0), (0, 1)],
        &[(0, 0), (1, 0)],
        &[(0, 0), (0, 1), (0, 2)],
        &[(0, 0), (1, 0), (2, 0)],
        &[(0, 0), (0, 1), (1, 0)],
        &[(0, 0), (0, 1), (1, 1)],
        &[(0, 0), (1, 0), (1, 1)],
        &[(0, 1), (1, 0), (1, 1)],
    ];
    for place in 0..boards * height * width {
        let (board, corner) = (place / (height * width), place % (height * width));
        let (cells, mark) = (&cells[board * height * width..], marks[board]);
        for shape in SHAPES {
            let at = |&(y, x): &(usize, usize)| (corner / width + y, corner % width + x);
            if shape.iter().map(at).all(|(y, x)| y < height && x < width) {
                let mut entries: Vec<dlx::Entry> =
                    shape.iter().map(at).map(|(y, x)| cells[y * width + x].into()).collect();
                match rng.u8(0..12) {
                    0 => entries.push(mark.into()),
                    place @ 1..4 => entries.push(mark.with(colors[usize::from(place) % 2])),
                    _ => {}
                }
                let option = builder.option(entries).expect("in order");
                builder.set_cost(option, rng.u64(0..cost_max));
            }
        }
    }
    builder.build()
}

#[test]
fn every_tuning_finds_the_cheapest_tilings() {
    let mut rng = Rng::with_seed(400);
    for (height, width) in [(4, 4), (3, 6), (4, 5)] {
        for cost_max in [1, 2, 5, 100, 1 << 20, u64::MAX] {
            let problem = tiling(&mut rng, height, width, cost_max);
            let all = all_costs(&mut Links::new(&problem), &problem, &[]);
            assert!(all.len() > 100, "{} covers", all.len());
            for count in [1, 2, 30, all.len(), all.len() + 1] {
                for tuning in tunings(3).into_iter().chain([Tuning::default()]) {
                    let context = format!("{height}x{width}, costs below {cost_max}, {tuning:?}");
                    let found = search_with(tuning, &problem, &[], count, &Limits::default());
                    check_sound(&problem, &[], &found);
                    let costs: Vec<_> = found.covers.iter().map(|cover| cover.cost).collect();
                    assert_eq!(costs, all[..count.min(all.len())], "{context}");
                    assert_eq!(found.report.end, End::Exhausted, "{context}");
                    let limits = Limits::new().nodes(rng.u64(4..2000));
                    let found = search_with(tuning, &problem, &[], count, &limits);
                    check_sound(&problem, &[], &found);
                    let costs: Vec<_> = found.covers.iter().map(|cover| cover.cost).collect();
                    check_bound(&all, &costs, found.bound, &|| context.clone());
                }
            }
        }
    }
}

#[test]
fn bounds_of_an_interrupted_search_of_several_parts_are_valid() {
    // Both parts are interrupted, sometimes twice. Bounds from several rounds are combined, and the
    // cheapest cover found for a part may not be its optimum.
    let mut rng = Rng::with_seed(450);
    let (mut cut, mut useful) = (0, 0);
    for _ in 0..if cfg!(feature = "slow-tests") { 1500 } else { 150 } {
        let cost_max = [3, 20, 1000][rng.usize(0..3)];
        let size = [(2, 4), (3, 3), (3, 4), (2, 6)][rng.usize(0..4)];
        let problem = tilings(&mut rng, 2, size, cost_max);
        let all = all_costs(&mut Links::new(&problem), &problem, &[]);
        for _ in 0..60 {
            let count = rng.usize(1..12);
            let most = [60, 200][rng.usize(0..2)];
            let ways = tunings(rng.u64(1..most));
            let tuning = ways[rng.usize(0..ways.len())];
            let limits = Limits::new().nodes(rng.u64(1..most));
            let found = search_with(tuning, &problem, &[], count, &limits);
            check_sound(&problem, &[], &found);
            let costs: Vec<_> = found.covers.iter().map(|cover| cover.cost).collect();
            check_bound(&all, &costs, found.bound, &|| format!("{count} {tuning:?} {limits:?}"));
            if found.report.end != End::Exhausted {
                cut += 1;
                useful += u64::from(found.bound > Some(0));
            }
        }
    }
    assert!(cut > 200, "{cut} were cut");
    assert!(useful > 100, "{useful} of them say something");
}

#[test]
fn the_cheapest_search_reports_progress_in_its_last_round() {
    let problem = tiling(&mut Rng::with_seed(500), 6, 6, 1_000);
    let progress = Arc::new(Progress::default());
    let limits = Limits::new().progress(Arc::clone(&progress));
    let found = search(&problem, &[], 4000, &limits);
    assert_eq!((found.covers.len(), found.report.end), (4000, End::Exhausted));
    assert!(found.report.updates > 1 << 20, "there are some looks: {} updates", found.report.updates);
    let fraction = progress.fraction();
    assert!(fraction > 0.5 && fraction <= 1.0, "{fraction}");
}

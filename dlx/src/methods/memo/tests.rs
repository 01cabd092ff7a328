use std::time::Duration;

use num_bigint::BigUint;

use super::method::{ERROR, FEW_SAVED};
use super::{BRANCHES, Branch, Memo, MemoProgress};
use crate::engine::Naive;
use crate::limits::Limits;
use crate::model::samples::queens;
use crate::model::{ItemId, Problem, ProblemBuilder};
use crate::numbers::Random;
use crate::parallel::Cores;
use crate::portfolio::budget::free;
use crate::portfolio::{Budget, Cut, WorkClock};
use crate::prepare::Weighted;
use crate::search::Engine;

fn random_problem(random: &mut Random, has_colors: bool, has_bounds: bool) -> Problem {
    let mut builder = ProblemBuilder::new();
    let primary_count = 1 + random.below(7);
    let mut items = Vec::new();
    for index in 0..primary_count {
        let name = format!("p{index}");
        items.push(if has_bounds && random.below(2) == 0 {
            let low = random.below(3) as u32;
            builder.bounded(&name, low, low + random.below(3) as u32).unwrap()
        } else {
            builder.primary(&name).unwrap()
        });
    }
    for index in 0..random.below(5) {
        items.push(builder.secondary(&format!("s{index}")).unwrap());
    }
    let colors = ["red", "blue"].map(|name| builder.color(name).unwrap());
    for _ in 0..random.below(14) {
        let first = random.below(primary_count);
        let mut entries = vec![items[first].into()];
        for _ in 0..random.below(4) {
            let index = random.below(items.len());
            let color = colors[random.below(2)];
            if entries.iter().all(|entry: &crate::model::Entry| entry.item != items[index]) {
                let is_colored = has_colors && index >= primary_count && random.below(4) > 0;
                entries.push(if is_colored { items[index].with(color) } else { items[index].into() });
            }
        }
        builder.option(entries).unwrap();
    }
    builder.build()
}

fn weighted(random: &mut Random, problem: &Problem) -> Weighted {
    let mut weighted = Weighted::whole(problem);
    let kind = random.below(4);
    for weight in &mut weighted.weights {
        *weight = match kind {
            0 => 1,
            1 => 1 + random.below(5) as u64,
            2 => 1 << random.below(64),
            _ => u64::MAX - random.below(9) as u64,
        };
    }
    weighted
}

fn oracle(weighted: &Weighted) -> BigUint {
    let mut sum = BigUint::default();
    let report = Naive::new(&weighted.problem).search(&[], &Limits::default(), &mut |cover| {
        sum += cover
            .iter()
            .map(|option| BigUint::from(weighted.weights[option.index()]))
            .product::<BigUint>();
        std::ops::ControlFlow::Continue(())
    });
    assert!(report.count().is_some(), "nothing limits the oracle");
    sum
}

fn count(memo: &mut Memo, work: u64, bytes: usize) -> BigUint {
    let limits = Limits::default();
    let mut more = work;
    loop {
        match memo.run(&mut Budget::new(&limits, more, bytes)) {
            Ok(count) => return count,
            Err(Cut::Work) => more += 1,
            Err(cut) => panic!("{cut:?}"),
        }
    }
}

fn shuffled(random: &mut Random, problem: &Problem) -> Vec<ItemId> {
    let mut order: Vec<_> = problem.items().collect();
    random.shuffle(&mut order);
    order
}

fn in_order(problem: &Problem) -> Vec<ItemId> {
    crate::frontier::order::candidates(problem, &mut free())
        .unwrap()
        .into_iter()
        .next()
        .map_or_else(Vec::new, |order| order.items)
}

#[test]
fn random_problems_are_counted_as_by_the_naive_engine() {
    let mut random = Random::new(1);
    for round in 0..4000 {
        let problem = random_problem(&mut random, round % 2 == 1, round / 2 % 2 == 1);
        let weighted = weighted(&mut random, &problem);
        let expected = oracle(&weighted);
        let order = shuffled(&mut random, &problem);
        for branch in BRANCHES {
            let mut memo = Memo::with_branches(&weighted, &order, &[branch], &mut free()).unwrap();
            assert_eq!(count(&mut memo, u64::MAX, 1 << 30), expected, "{branch:?} {round}");
            assert_eq!(count(&mut memo, 1, 1 << 30), expected, "{branch:?} {round}");
        }
        let mut memo = Memo::new(&weighted, &in_order(&problem), &mut free()).unwrap();
        assert_eq!(count(&mut memo, 1 + random.below(300) as u64, 1 << 30), expected, "{round}");
    }
}

fn dominoes(rows: usize, columns: usize) -> Problem {
    let mut builder = ProblemBuilder::new();
    let squares: Vec<_> =
        (0..rows * columns).map(|at| builder.primary(&at.to_string()).unwrap()).collect();
    for at in 0..squares.len() {
        if (at + 1) % columns > 0 {
            builder.option([squares[at], squares[at + 1]]).unwrap();
        }
        if at + columns < squares.len() {
            builder.option([squares[at], squares[at + columns]]).unwrap();
        }
    }
    builder.build()
}

fn langford(size: usize) -> Problem {
    let mut builder = ProblemBuilder::new();
    let slots: Vec<_> = (0..2 * size).map(|at| builder.primary(&format!("s{at}")).unwrap()).collect();
    for number in 1..=size {
        let item = builder.primary(&number.to_string()).unwrap();
        for at in 0..2 * size - number - 1 {
            builder.option([item, slots[at], slots[at + number + 1]]).unwrap();
        }
    }
    builder.build()
}

/// The problem of partitioning a set, where each nonempty subset is an option.
fn bell(size: usize) -> Problem {
    let mut builder = ProblemBuilder::new();
    let items: Vec<_> = (0..size).map(|at| builder.primary(&at.to_string()).unwrap()).collect();
    for set in 1..1_usize << size {
        builder.option((0..size).filter(|at| set >> at & 1 == 1).map(|at| items[at])).unwrap();
    }
    builder.build()
}

#[test]
fn both_branching_rules_compute_known_counts() {
    let known: [(&str, Problem, u128); 9] = [
        ("dominoes 6x6", dominoes(6, 6), 6728),
        ("dominoes 8x8", dominoes(8, 8), 12_988_816),
        ("dominoes 10x12", dominoes(10, 12), 65_743_732_590_821),
        ("dominoes 12x12", dominoes(12, 12), 53_060_477_521_960_000),
        ("dominoes 14x14", dominoes(14, 14), 112_202_208_776_036_178_000_000),
        ("queens 8", queens(8), 92),
        ("queens 9", queens(9), 352),
        ("Langford 8", langford(8), 300),
        ("partitions of 8", bell(8), 4140),
    ];
    for (name, problem, expected) in known {
        let weighted = Weighted::whole(&problem);
        let order = in_order(&problem);
        for branch in BRANCHES {
            if expected > 1 << 60 && branch != Branch::Static {
                continue;
            }
            let mut memo = Memo::with_branches(&weighted, &order, &[branch], &mut free()).unwrap();
            assert_eq!(count(&mut memo, u64::MAX, 1 << 30), expected.into(), "{name}, {branch:?}");
        }
        let mut memo = Memo::new(&weighted, &order, &mut free()).unwrap();
        assert_eq!(count(&mut memo, u64::MAX, 1 << 30), expected.into(), "{name}");
        assert_eq!(memo.progress().left, Some(0.0), "{name}");
    }
}

#[test]
fn a_count_resumes_after_slices_of_any_size() {
    let problem = langford(7);
    let weighted = Weighted::whole(&problem);
    let order = in_order(&problem);
    for work in (1..2000).step_by(97).chain([10_000, 100_000]) {
        let mut memo = Memo::new(&weighted, &order, &mut free()).unwrap();
        assert_eq!(count(&mut memo, work, 1 << 30), 52_u32.into(), "work {work}");
    }
}

#[test]
fn searches_on_several_cores_compute_the_same_count() {
    let mut random = Random::new(17);
    for helpers in 1..4 {
        let cores = Cores::new(helpers);
        let known =
            [(dominoes(8, 8), 12_988_816), (queens(8), 92), (langford(8), 300), (bell(8), 4140)];
        let mut parts: Vec<_> = known
            .iter()
            .map(|(problem, expected)| (Weighted::whole(problem), BigUint::from(*expected as u64)))
            .collect();
        for round in 0..300 {
            let problem = random_problem(&mut random, round % 2 == 0, round % 3 == 0);
            let part = weighted(&mut random, &problem);
            let expected = oracle(&part);
            parts.push((part, expected));
        }
        for (part, expected) in parts {
            let order = in_order(&part.problem);
            for (work, bytes) in [(u64::MAX, 1 << 30), (u64::MAX, 1 << 20), (3000, 1 << 30)] {
                let mut memo = Memo::new(&part, &order, &mut free()).unwrap().on(&cores);
                memo.0.ground.alone = 1 + random.below(1000) as u64;
                assert_eq!(count(&mut memo, work, bytes), expected, "{:?}", part.problem);
                assert_eq!(memo.known(), expected);
            }
        }
        assert_eq!(cores.idle(), helpers, "all are given back");
    }
}

#[test]
fn eviction_changes_no_count() {
    for (problem, expected) in [(dominoes(8, 8), 12_988_816_u64), (queens(8), 92), (bell(8), 4140)] {
        let weighted = Weighted::whole(&problem);
        let order = in_order(&problem);
        let mut large = Memo::with_branches(&weighted, &order, &[Branch::Static], &mut free()).unwrap();
        count(&mut large, u64::MAX, 1 << 30);
        let rows = (0..).map(|shift| 1_usize << shift);
        let limits = Limits::default();
        let fits = |bytes: &usize| {
            let mut memo =
                Memo::with_branches(&weighted, &order, &[Branch::Static], &mut free()).unwrap();
            memo.run(&mut Budget::new(&limits, 0, *bytes)) != Err(Cut::Memory)
        };
        let exact = {
            let upper = rows.into_iter().find(fits).unwrap();
            (upper / 2..upper).find(fits).unwrap()
        };
        for more in [0, 500, 2000] {
            let mut small =
                Memo::with_branches(&weighted, &order, &[Branch::Static], &mut free()).unwrap();
            assert_eq!(count(&mut small, u64::MAX, exact + more), expected.into(), "{more} bytes more");
            let [small, large] = [small.progress(), large.progress()];
            assert!(small.bytes <= more.max(2000), "{} bytes", small.bytes);
            assert!(small.entries < large.entries && small.nodes > large.nodes, "{small:?} {large:?}");
        }
    }
}

#[test]
fn progress_includes_the_nodes_saved_by_the_cache() {
    let problem = dominoes(8, 8);
    let mut memo = Memo::new(&Weighted::whole(&problem), &in_order(&problem), &mut free()).unwrap();
    count(&mut memo, u64::MAX, 1 << 30);
    let progress = memo.progress();
    assert!(progress.saved > 1e6, "{progress:?}");
    assert!(progress.hits * 3 > progress.lookups, "{progress:?}");
    assert!(progress.nodes < 3000, "{progress:?}");
}

fn sparse(random: &mut Random, vertices: usize, chords: usize) -> Problem {
    let mut edges: Vec<(usize, usize)> = (1..vertices).map(|vertex| (vertex - 1, vertex)).collect();
    while edges.len() < vertices - 1 + chords {
        let (from, length) = (random.below(vertices), 2 + random.below(vertices / 4));
        if from + length < vertices && !edges.contains(&(from, from + length)) {
            edges.push((from, from + length));
        }
    }
    let mut builder = ProblemBuilder::new();
    let items: Vec<_> =
        (0..vertices).map(|vertex| builder.primary(&vertex.to_string()).unwrap()).collect();
    edges.iter().for_each(|&(a, b)| _ = builder.option([items[a], items[b]]).unwrap());
    builder.build()
}

/// Counts in slices whose work doubles. Returns the forecasts that pass `accepts`, as multiples of
/// the actual work. The clock stands still, so that slices always end at the same work.
fn foreseen(memo: &mut Memo, accepts: impl Fn(&MemoProgress) -> bool) -> Vec<f64> {
    let (limits, clock, mut foreseen) = (Limits::default(), WorkClock::default(), Vec::new());
    for doubling in 0.. {
        let budget = Budget::new(&limits, 100_000 << doubling, usize::MAX);
        if memo.run(&mut budget.within(&clock, Duration::MAX)).is_ok() {
            break;
        }
        let progress = memo.progress();
        let left = progress.left.filter(|_| accepts(&progress));
        foreseen.extend(left.map(|left| progress.work as f64 + left));
    }
    foreseen.into_iter().map(|foreseen| foreseen / memo.work() as f64).collect()
}

#[test]
fn forecasts_for_sparse_matching_problems_are_within_a_factor_of_five() {
    let mut random = Random::new(3);
    let mut factors = Vec::new();
    for _ in 0..12 {
        let part = Weighted::whole(&sparse(&mut random, 120, 44));
        for branch in BRANCHES {
            let order = shuffled(&mut random, &part.problem);
            let mut memo = Memo::with_branches(&part, &order, &[branch], &mut free()).unwrap();
            factors.extend(foreseen(&mut memo, |_| true).into_iter().rev().take(2));
        }
    }
    factors.sort_by(f64::total_cmp);
    let within =
        |most: f64| factors.iter().filter(|factor| (1.0 / most..most).contains(*factor)).count();
    assert_eq!(within(5.0), factors.len(), "{factors:?}");
    assert!(10 * within(2.5) >= 9 * factors.len(), "{factors:?}");
}

#[test]
fn with_few_cache_hits_the_first_forecast_is_reliable() {
    let mut random = Random::new(7);
    let mut count = 0;
    for round in 0..12 {
        let part = Weighted::whole(&queens(9 + round % 3));
        let order = shuffled(&mut random, &part.problem);
        for branch in BRANCHES {
            let mut memo = Memo::with_branches(&part, &order, &[branch], &mut free()).unwrap();
            let accepts = |progress: &MemoProgress| progress.saves_at_most(FEW_SAVED);
            let factor = foreseen(&mut memo, accepts).first().copied();
            count += u32::from(factor.is_some());
            assert!(factor.is_none_or(|factor| (1.0 / ERROR..ERROR).contains(&factor)), "{factor:?}");
        }
    }
    assert!(count >= 12, "{count}");
}

#[test]
fn with_many_cache_hits_the_forecast_is_unreliable() {
    let part = Weighted::whole(&dominoes(16, 16));
    let mut memo = Memo::new(&part, &in_order(&part.problem), &mut free()).unwrap();
    assert_eq!(memo.run(&mut Budget::new(&Limits::default(), 200_000, usize::MAX)), Err(Cut::Work));
    let progress = memo.progress();
    assert!(progress.nodes > 300 && !progress.saves_at_most(FEW_SAVED), "{progress:?}");
}

#[test]
fn items_with_255_options_are_not_mistaken_for_covered_items() {
    // 64 items with 255 options each use bytes as lanes, where 255 also marks a covered item. Each
    // option has a color of a separate item, so that no two options are equal.
    let mut builder = ProblemBuilder::new();
    let items: Vec<_> = (0..64).map(|at| builder.primary(&format!("i{at}")).unwrap()).collect();
    let shared: Vec<_> = (0..255).map(|at| builder.secondary(&format!("s{at}")).unwrap()).collect();
    let red = builder.color("red").unwrap();
    for &item in &items {
        for other in &shared {
            builder.option([item.into(), other.with(red)]).unwrap();
        }
    }
    let weighted = Weighted::whole(&builder.build());
    for branch in BRANCHES {
        let mut memo = Memo::with_branches(&weighted, &items, &[branch], &mut free()).unwrap();
        assert_eq!(count(&mut memo, u64::MAX, 1 << 30), BigUint::from(255_u8).pow(64), "{branch:?}");
    }
}

//! Tests of the linear programs, and of the search by linear programs without the race.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use fastrand::Rng;

use super::{Linear, RunEnd, most, to_units};
use crate::cheapest::SCALE_BITS;
use crate::cheapest::amount::Amount;
use crate::cheapest::state::{Settled, State};
use crate::engine::Naive;
use crate::limits::Limits;
use crate::model::{OptionId, Problem};
use crate::search::{Engine, Meter};
use crate::simplex::factor::{Factor, SparseColumn};
use crate::simplex::{Simplex, Stop};

/// Builds columns of random rows with random costs. Every row also has an expensive column of its
/// own, so a solution exists.
fn columns(rng: &mut Rng, rows: u32, count: usize) -> Vec<(Vec<u32>, f64)> {
    let mut columns: Vec<_> = (0..rows).map(|row| (vec![row], 100.0)).collect();
    columns.extend((0..count).map(|_| {
        let len = rng.usize(1..=rows.min(5) as usize);
        let set: BTreeSet<u32> = (0..len).map(|_| rng.u32(0..rows)).collect();
        (set.into_iter().collect(), f64::from(rng.u32(0..50)))
    }));
    columns
}

fn program(row_count: usize, columns: &[(Vec<u32>, f64)]) -> Simplex {
    let mut starts = vec![0];
    let mut rows = Vec::new();
    for (set, _) in columns {
        rows.extend_from_slice(set);
        starts.push(rows.len() as u32);
    }
    Simplex::new(row_count, starts, rows, columns.iter().map(|column| column.1).collect())
}

fn check_optimum(simplex: &Simplex, row_count: usize, columns: &[(Vec<u32>, f64)]) -> f64 {
    let prices = simplex.prices();
    for (set, cost) in columns {
        let sum: f64 = set.iter().map(|&row| prices[row as usize]).sum();
        assert!(sum <= cost + 1e-3, "{sum} for {cost}");
    }
    let mut cover = vec![0.0; row_count];
    let mut costs = 0.0;
    for (column, value) in simplex.values() {
        assert!(value > -1e-6, "{value}");
        costs += value * columns[column].1;
        for &row in &columns[column].0 {
            cover[row as usize] += value;
        }
    }
    assert!(cover.iter().all(|&sum| (sum - 1.0).abs() < 1e-6), "{cover:?}");
    let bound: f64 = prices.iter().sum();
    assert!((bound - costs).abs() < 1e-2, "{bound} and {costs}");
    costs
}

#[test]
fn the_optimum_takes_half_of_each_edge_of_a_triangle() {
    let columns = [(vec![0, 1], 1.0), (vec![1, 2], 1.0), (vec![0, 2], 1.0)];
    let mut simplex = program(3, &columns);
    assert_eq!(simplex.run(f64::INFINITY, u64::MAX), Stop::Optimal);
    assert!((check_optimum(&simplex, 3, &columns) - 1.5).abs() < 1e-6);
    simplex.close(0, true);
    simplex.list_open();
    assert_eq!(simplex.run(100.0, u64::MAX), Stop::TooDear, "no cover of three items by two sides");
    assert!(
        simplex.prices().iter().sum::<f64>() > 100.0,
        "prices of no solution rise beyond the limit"
    );
}

#[test]
fn dual_prices_and_primal_values_prove_each_other_optimal() {
    let mut rng = Rng::with_seed(1);
    for round in 0..300 {
        let rows = rng.u32(1..30);
        let count = rng.usize(0..120);
        let columns = columns(&mut rng, rows, count);
        let row_count = rows as usize;
        let mut simplex = program(row_count, &columns);
        let mut work = 0;
        while simplex.run(f64::INFINITY, work) == Stop::Paused {
            work = simplex.work + rng.u64(1..2000);
        }
        let whole = check_optimum(&simplex, row_count, &columns);
        // A trial must leave no trace: close columns, reopen them, and restore the earlier basis.
        let basis = simplex.basis();
        simplex.save();
        let closed: Vec<usize> = (row_count..columns.len()).filter(|_| rng.bool()).collect();
        for &column in &closed {
            simplex.close(column, true);
        }
        simplex.run_steps(f64::INFINITY, 5);
        simplex.restore();
        assert_eq!(simplex.run(f64::INFINITY, u64::MAX), Stop::Optimal, "round {round}");
        let part = simplex.objective();
        assert!(part > whole - 1e-3, "fewer columns cost no less: {part}, {whole}");
        for &column in &closed {
            simplex.close(column, false);
        }
        simplex.list_open();
        simplex.set_basis(&basis);
        assert_eq!(simplex.run(f64::INFINITY, u64::MAX), Stop::Optimal);
        assert!((check_optimum(&simplex, row_count, &columns) - whole).abs() < 1e-3);
    }
}

#[test]
fn a_factored_basis_solves_both_systems_after_column_exchanges() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..200 {
        let count = rng.usize(1..40);
        let columns = columns(&mut rng, count as u32, 3 * count);
        let mut basis: Vec<Option<usize>> =
            (0..count).map(|_| Some(rng.usize(0..columns.len()))).collect();
        let mut factor = Factor::default();
        let column = |basis: &[Option<usize>], slot: usize| -> Vec<u32> {
            basis[slot].map_or(vec![slot as u32], |column| columns[column].0.clone())
        };
        let mut sets: Vec<Vec<u32>> = (0..count).map(|slot| column(&basis, slot)).collect();
        while let Err((slots, rows)) =
            factor.refactor(count, |slot| SparseColumn::Structural(&sets[slot]))
        {
            assert_eq!(slots.len(), rows.len());
            for (slot, row) in slots.into_iter().zip(rows) {
                basis[slot as usize] = None;
                sets[slot as usize] = vec![row];
            }
        }
        for _ in 0..10 {
            let values: Vec<f64> = (0..count).map(|_| f64::from(rng.i32(-5..6))).collect();
            let mut x = vec![0.0; count];
            for (set, &value) in sets.iter().zip(&values) {
                set.iter().for_each(|&row| x[row as usize] += value);
            }
            factor.solve(&mut x);
            assert!(x.iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-6), "{x:?} {values:?}");
            let mut y: Vec<f64> =
                sets.iter().map(|set| set.iter().map(|&row| values[row as usize]).sum()).collect();
            factor.solve_transposed(&mut y);
            assert!(y.iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-6), "{y:?} {values:?}");
            let entering = &columns[rng.usize(0..columns.len())].0;
            let mut column = vec![0.0; count];
            entering.iter().for_each(|&row| column[row as usize] = 1.0);
            factor.solve(&mut column);
            let slot = rng.usize(0..count);
            if column[slot].abs() > 0.1 {
                factor.exchange(slot, &column);
                sets[slot].clone_from(entering);
            }
        }
    }
}

fn problem(rng: &mut Rng) -> Problem {
    let mut text = String::from("% ");
    let primary = rng.usize(3..9);
    text.clear();
    for item in 0..primary {
        let bounds = if rng.u32(0..6) == 0 {
            format!("{}:{}|", rng.u32(0..2), rng.u32(1..3))
        } else {
            String::new()
        };
        text += &format!("{bounds}{} ", char::from(b'a' + item as u8));
    }
    text += "| x y\n";
    for _ in 0..rng.usize(4..40) {
        let set: BTreeSet<usize> = (0..rng.usize(1..4)).map(|_| rng.usize(0..primary)).collect();
        for item in set {
            text += &format!("{} ", char::from(b'a' + item as u8));
        }
        match rng.u32(0..8) {
            0 => text += "x ",
            1 => text += "y:1 ",
            2 => text += "y:2 ",
            _ => {}
        }
        text += &format!("|{}\n", rng.u32(0..20));
    }
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn costs(problem: &Problem, count: usize, with_cliques: &mut usize) -> Vec<u64> {
    let scale = |cost: u64| i64::new(i128::from(cost)).shift(SCALE_BITS);
    let sum = |cover: &[u32]| -> u64 {
        cover.iter().map(|&option| problem.cost(OptionId::new(option as usize))).sum()
    };
    let mut best = BTreeSet::new();
    let mut state = State::<i64>::new(problem, &[], |option| scale(problem.cost(option)));
    state.exclude_idle(problem);
    if state.settle() != Settled::Open {
        return Vec::new();
    }
    let Some(mut linear) = Linear::new(&state, most(20, 5)) else { return vec![u64::MAX] };
    let limits = Limits::default();
    let mut meter = Meter::new(&limits, 0);
    let mut record = |cover: &[u32]| {
        let mut options = cover.to_vec();
        options.sort_unstable();
        best.insert((sum(cover), options));
        if best.len() > count {
            best.pop_last();
        }
        let last = best.last().filter(|_| best.len() == count);
        last.map_or(i64::INFINITY, |&(cost, _)| scale(cost) - (1 << SCALE_BITS))
    };
    assert_eq!(linear.run(u64::MAX, count > 1, &mut meter, 0, &mut record), Ok(RunEnd::Root));
    let changes = linear.changes(&state);
    state.reprice(changes.into_iter());
    let cliques = linear.cliques(&state, 1000);
    if !cliques.is_empty() {
        let bound = state.bound;
        state = state.with_cliques(problem, &cliques, |option| scale(problem.cost(option)));
        linear.add_cliques(&state, &cliques, most(20, 25));
        assert_eq!(linear.solve_root(u64::MAX, &limits), Ok(RunEnd::Root));
        let changes = linear.changes(&state);
        state.reprice(changes.into_iter());
        let mut bounds = problem.items().filter_map(|item| problem.bounds(item));
        let is_plain = bounds.all(|bounds| (bounds.low, bounds.high) == (1, 1));
        assert!(state.bound > bound - 100 || !is_plain, "{} and {bound}", state.bound);
        *with_cliques += 1;
    }
    if state.settle() == Settled::Open {
        linear.begin(&state);
        let mut work = 0;
        while linear.run(work, count > 1, &mut meter, 0, &mut record) == Ok(RunEnd::Paused) {
            work = linear.work() + 3000;
        }
        assert!(to_units(linear.state.bound) < 1e9);
    }
    best.into_iter().map(|(cost, _)| cost).collect()
}

/// Builds a random problem without bounds or colors whose costs hardly differ. The search branches
/// on pairs, and one side of many pairs exceeds the limit.
fn crews(rng: &mut Rng) -> Problem {
    let name = |item: usize| char::from(b'a' + item as u8);
    let items = rng.usize(10..15);
    let mut text: String = (0..items).flat_map(|item| [name(item), ' ']).collect();
    text.push('\n');
    for _ in 0..rng.usize(3 * items..5 * items) {
        let set: BTreeSet<usize> = (0..rng.usize(2..5)).map(|_| rng.usize(0..items)).collect();
        let cost = 20 * set.len() + rng.usize(0..12);
        set.into_iter().for_each(|item| text.extend([name(item), ' ']));
        text += &format!("|{cost}\n");
    }
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn compare(problem: &Problem, with_cliques: &mut usize) -> usize {
    let mut all = Vec::new();
    Naive::new(problem).search(&[], &Limits::default(), &mut |cover| {
        all.push(cover.iter().map(|&option| problem.cost(option)).sum::<u64>());
        ControlFlow::Continue(())
    });
    all.sort_unstable();
    let mut found = 0;
    for count in [1, 3] {
        let costs = costs(problem, count, with_cliques);
        if costs != [u64::MAX] {
            let expected = &all[..count.min(all.len())];
            assert_eq!(costs, expected, "{count} of {}", crate::text::write(problem));
            found += costs.len();
        }
    }
    found
}

#[test]
fn linear_programs_alone_find_the_cheapest_covers() {
    let mut rng = Rng::with_seed(3);
    let (mut found, mut with_cliques) = (0, 0);
    for _ in 0..800 {
        found += compare(&problem(&mut rng), &mut with_cliques);
    }
    assert!(found > 300 && with_cliques > 30, "{found} covers, {with_cliques} problems with cliques");
}

#[test]
fn branching_on_pairs_with_one_side_above_the_limit_loses_no_cover() {
    let mut rng = Rng::with_seed(5);
    let mut with_cliques = 0;
    let found: usize = (0..100).map(|_| compare(&crews(&mut rng), &mut with_cliques)).sum();
    assert!(found > 300, "{found} covers");
}

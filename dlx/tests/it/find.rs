//! One cover of problems with hundreds of options, and all covers of problems with dozens. The
//! random problems of `agree` are too small for restarts and for learning and forgetting clauses.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use dlx::engine::{Learn, Links};
use dlx::parallel::Cores;
use dlx::{End, Engine, Entry, Limit, Limits, OptionId, Problem, ProblemBuilder, Solver, verify};
use fastrand::Rng;

fn learn(problem: &Problem, seed: u64) -> Learn {
    Learn::with_seed(problem, seed).expect("there are no bounds")
}

fn covers(engine: &mut dyn Engine, given: &[OptionId]) -> BTreeSet<BTreeSet<OptionId>> {
    let mut covers = BTreeSet::new();
    let report = engine.search(given, &Limits::default(), &mut |cover| {
        assert!(covers.insert(cover.iter().copied().collect()), "a cover is visited once");
        ControlFlow::Continue(())
    });
    assert_eq!(report.count(), Some(covers.len() as u64));
    covers
}

/// Returns a random problem with a planted cover of `cover_count` options. All other options have
/// at most four items.
fn planted(rng: &mut Rng, cover_count: usize, option_count: usize) -> Problem {
    let mut builder = ProblemBuilder::new();
    let items: Vec<_> =
        (0..3 * cover_count).map(|i| builder.primary(&i.to_string()).expect("new")).collect();
    let secondary: Vec<_> = (0..6).map(|i| builder.secondary(&format!("s{i}")).expect("new")).collect();
    let colors = ["red", "blue"].map(|name| builder.color(name).expect("short"));
    let mut options: Vec<Vec<Entry>> =
        items.chunks(3).map(|chunk| chunk.iter().map(|&item| item.into()).collect()).collect();
    while options.len() < option_count {
        let mut chosen = items.clone();
        rng.shuffle(&mut chosen);
        chosen.truncate(rng.usize(2..=4));
        let mut entries: Vec<Entry> = chosen.into_iter().map(Entry::from).collect();
        let item = secondary[rng.usize(0..secondary.len())];
        match rng.u8(0..6) {
            0 => entries.push(item.into()),
            1..3 => entries.push(item.with(colors[rng.usize(0..2)])),
            _ => {}
        }
        options.push(entries);
    }
    rng.shuffle(&mut options);
    for option in options {
        builder.option(option).expect("each item once");
    }
    builder.build()
}

fn quasigroup(rng: &mut Rng, order: usize, holes: usize) -> Problem {
    let mut rows: Vec<usize> = (0..order).collect();
    let mut columns = rows.clone();
    rng.shuffle(&mut rows);
    rng.shuffle(&mut columns);
    let symbol = |row: usize, column: usize| (rows[row] + columns[column]) % order;
    let mut cells: Vec<(usize, usize)> =
        (0..order * order).map(|cell| (cell / order, cell % order)).collect();
    rng.shuffle(&mut cells);
    cells.truncate(holes);
    let mut builder = ProblemBuilder::new();
    for &(row, column) in &cells {
        let symbol = symbol(row, column);
        for name in
            [format!("c{row},{column}"), format!("r{row},{symbol}"), format!("k{column},{symbol}")]
        {
            builder.primary(&name).expect("each hole has its own");
        }
    }
    for &(row, column) in &cells {
        for symbol in 0..order {
            let names =
                [format!("c{row},{column}"), format!("r{row},{symbol}"), format!("k{column},{symbol}")];
            let items: Option<Vec<_>> = names.iter().map(|name| builder.item_by_name(name)).collect();
            if let Some(items) = items {
                builder.option(items).expect("three items");
            }
        }
    }
    builder.build()
}

/// Returns domino tilings of a square board without two opposite corners, which do not exist if
/// `side` is even.
fn mutilated(side: usize) -> Problem {
    let mut builder = ProblemBuilder::new();
    let is_cell = |row, column| {
        row < side && column < side && ![(0, 0), (side - 1, side - 1)].contains(&(row, column))
    };
    let cells = (0..side * side).map(|cell| (cell / side, cell % side));
    let cells: Vec<_> = cells.filter(|&(row, column)| is_cell(row, column)).collect();
    for (row, column) in &cells {
        builder.primary(&format!("{row},{column}")).expect("new");
    }
    for &(row, column) in &cells {
        for (other_row, other_column) in [(row, column + 1), (row + 1, column)] {
            if is_cell(other_row, other_column) {
                let names = [format!("{row},{column}"), format!("{other_row},{other_column}")];
                let items = names.map(|name| builder.item_by_name(&name).expect("a cell"));
                builder.option(items).expect("two cells");
            }
        }
    }
    builder.build()
}

#[test]
fn clause_learning_finds_the_covers_of_dancing_links() {
    let mut rng = Rng::with_seed(1);
    for round in 0..200 {
        let problem = planted(&mut rng, 6, 90);
        let count = if round % 2 == 0 { 0 } else { 1 };
        let given: Vec<_> =
            (0..count).map(|_| OptionId::new(rng.usize(0..problem.option_count()))).collect();
        let expected = covers(&mut Links::new(&problem), &given);
        let found = covers(&mut learn(&problem, round), &given);
        assert_eq!(found, expected, "{}", dlx::text::write(&problem));
    }
}

#[test]
fn forgetting_clauses_does_not_change_the_covers() {
    let mut rng = Rng::with_seed(2);
    let problem = planted(&mut rng, 9, 190);
    let expected = covers(&mut Links::new(&problem), &[]);
    assert!(expected.len() > 10, "there are covers to be found: {}", expected.len());
    assert_eq!(covers(&mut learn(&problem, 0), &[]), expected);
}

#[test]
fn one_cover_of_a_quasigroup_with_holes_is_found() {
    let mut rng = Rng::with_seed(3);
    for round in 0..10 {
        let problem = quasigroup(&mut rng, 20, 170);
        let engines: [Box<dyn Engine>; 2] =
            [Box::new(learn(&problem, round)), Box::new(Solver::new(problem.clone()))];
        for mut engine in engines {
            let report = engine.search(&[], &Limits::new().solutions(1), &mut |cover| {
                assert_eq!(verify(&problem, &[], cover), Ok(()));
                ControlFlow::Continue(())
            });
            assert_eq!((report.solutions, report.end), (1, End::Limit(Limit::Solutions)));
        }
    }
}

#[test]
fn the_first_cover_does_not_depend_on_the_number_of_threads() {
    let mut rng = Rng::with_seed(5);
    let mut learned = 0;
    for _ in 0..5 {
        let problem = quasigroup(&mut rng, 24, 230);
        let find = |threads: usize| {
            let mut solver = Solver::new(problem.clone()).on(&Cores::new(threads - 1));
            let mut found = Vec::new();
            let report = solver.search(&[], &Limits::new().solutions(1), &mut |cover| {
                found.extend_from_slice(cover);
                ControlFlow::Continue(())
            });
            (found, report, solver.explain().to_string())
        };
        let alone = find(1);
        assert_eq!(find(3), alone);
        learned += u32::from(alone.2.contains("learn"));
    }
    assert!(learned > 0, "some of the searches are not over in the first turn");
}

#[test]
fn helper_searches_respect_the_limits_and_release_the_cores() {
    let mut rng = Rng::with_seed(7);
    let problem = quasigroup(&mut rng, 12, 70);
    for _ in 0..50 {
        let cores = Cores::new(2);
        let mut solver = Solver::new(problem.clone()).at_once().node_by_node().on(&cores);
        let mut given = Vec::new();
        // Search first without given options, then with an option of the cover that was found.
        for _ in 0..2 {
            let mut found = Vec::new();
            let report = solver.search(&given, &Limits::new().solutions(1), &mut |cover| {
                found.extend_from_slice(cover);
                ControlFlow::Continue(())
            });
            assert_eq!((report.solutions, report.end), (1, End::Limit(Limit::Solutions)));
            assert_eq!(verify(&problem, &given, &found), Ok(()));
            given = vec![found[found.len() / 2]];
        }
        let report = solver.search(&[], &Limits::new().solutions(2), &mut |_| ControlFlow::Break(()));
        assert_eq!((report.solutions, report.end), (1, End::Stopped));
        let limits = Limits::new().solutions(2).nodes(5);
        assert_eq!(solver.count(&[], &limits).nodes, 5);
        let limits = Limits::new().solutions(1).within(std::time::Duration::ZERO);
        assert_eq!(solver.count(&[], &limits).end, End::Limit(Limit::Time));
        assert_eq!(cores.idle(), 2);
        assert!(solver.is_at_rest(&problem));
    }
}

#[test]
fn a_refutation_by_a_helper_ends_the_search() {
    let problem = mutilated(6);
    for cores in [0, 2] {
        let mut solver = Solver::new(problem.clone()).at_once().node_by_node().on(&Cores::new(cores));
        let report = solver.count(&[], &Limits::new().solutions(1));
        assert_eq!((report.solutions, report.end), (0, End::Exhausted));
    }
}

#[test]
fn a_search_of_several_parts_with_few_covers_is_exhaustive() {
    let mut rng = Rng::with_seed(6);
    let mut counts = [0; 3];
    for _ in 0..300 {
        let mut builder = ProblemBuilder::new();
        let items: Vec<Vec<_>> = (0..2)
            .map(|part| (0..9).map(|i| builder.primary(&format!("{part}.{i}")).expect("new")).collect())
            .collect();
        for items in &items {
            for _ in 0..14 {
                let mut chosen = items.clone();
                rng.shuffle(&mut chosen);
                builder.option(chosen[..3].iter().copied()).expect("three items");
            }
        }
        let problem = builder.build();
        let expected = covers(&mut Links::new(&problem), &[]);
        for (wanted, cores) in [(1, 0), (2, 0), (3, 0), (1, 2), (2, 2)] {
            let mut found = BTreeSet::new();
            let cores = Cores::new(cores);
            let mut solver = Solver::new(problem.clone()).at_once().node_by_node().on(&cores);
            let report = solver.search(&[], &Limits::new().solutions(wanted), &mut |cover| {
                let is_new = found.insert(cover.iter().copied().collect::<BTreeSet<_>>());
                assert!(is_new, "a cover is visited once");
                ControlFlow::Continue(())
            });
            assert!(found.is_subset(&expected));
            assert_eq!(found.len(), expected.len().min(wanted as usize));
            assert_eq!(report.end == End::Exhausted, expected.len() < wanted as usize);
        }
        counts[expected.len().min(2)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 5), "none, one and several: {counts:?}");
}

#[test]
fn searches_with_restarts_terminate() {
    // The refutation takes thousands of dead ends, and restarts must not prevent its end.
    for (side, seed) in [(6, 0), (8, 1), (10, 0)] {
        let report = learn(&mutilated(side), seed).count(&[], &Limits::new().solutions(1));
        assert_eq!((report.solutions, report.end), (0, End::Exhausted));
    }
}

#[test]
fn the_solver_refutes_a_problem_by_clause_learning() {
    // Depth-first search would take minutes. The profile disables the counting methods, which
    // refute the problem immediately.
    let mut solver = Solver::new(mutilated(10));
    let report = solver.count(&[], &Limits::new().solutions(1).profile(true));
    assert_eq!((report.solutions, report.end), (0, End::Exhausted));
    assert_eq!(solver.explain().engine(), "learn");
}

#[test]
fn searches_for_one_two_or_all_covers_use_the_refutations_of_counting() {
    // A search for a cover of these problems would practically never end.
    let mut cases = vec![("mutilated", mutilated(16))];
    let odd = Problem::from_sets(31, (0..31).flat_map(|a| (0..a).map(move |b| [a, b])));
    cases.push(("odd", odd.expect("sets")));
    // Bars of three cells on a 14x14 board without one corner. Every option has more than two
    // items, so matching does not apply.
    let bar = |from: u32, step: u32| [from, from + step, from + 2 * step].map(|cell| cell - 1);
    let across = (0..14).flat_map(|row| (0..12).map(move |column| (14 * row + column, 1)));
    let bars = across.chain((0..12 * 14).map(|cell| (cell, 14))).filter(|&(from, _)| from > 0);
    let bars = Problem::from_sets(195, bars.map(|(from, step)| bar(from, step)));
    cases.push(("bars", bars.expect("sets")));
    for (name, problem) in cases {
        for wanted in [Some(1), Some(2), Some(1000), None] {
            for cores in [0, 1] {
                let mut solver = Solver::new(problem.clone()).on(&Cores::new(cores));
                let limits = Limits::new().solutions(wanted);
                let report = solver.search(&[], &limits, &mut |_| panic!("there is no cover"));
                assert_eq!((report.count(), name), (Some(0), name));
                let method = solver.explain().engine();
                let is_counted = dlx::count::METHODS.iter().any(|one| one.name == method);
                let expected = if name == "bars" { is_counted } else { method == "pairs" };
                assert!(expected, "{name}: {method}");
                if wanted.is_some() {
                    assert_eq!((solver.count(&[], &limits).count(), name), (Some(0), name));
                }
            }
        }
    }
}

#[test]
fn the_same_seed_searches_the_same_tree() {
    let problem = quasigroup(&mut Rng::with_seed(4), 20, 170);
    for seed in 0..3 {
        let search = || learn(&problem, seed).count(&[], &Limits::new().solutions(1));
        assert_eq!(search(), search());
    }
}

#[test]
fn a_time_limit_ends_clause_learning() {
    let limits = Limits::new().solutions(1).within(std::time::Duration::from_millis(20));
    assert_eq!(learn(&mutilated(16), 0).count(&[], &limits).end, End::Limit(Limit::Time));
}

//! The decision diagram of all covers, against enumeration, and the commands that ask it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use dlx::diagram::Diagram;
use dlx::engine::Naive;
use dlx::{Bounds, Engine, Limits, OptionId, Problem, verify};
use fastrand::Rng;

use crate::command::run;
use crate::random::{ALL_FEATURES, given, parts, priced, problem};

const PROBLEMS: u64 = if cfg!(feature = "slow-tests") { 20_000 } else { 2_000 };

fn diagram(problem: &Problem, given: &[OptionId]) -> Diagram {
    Diagram::new(problem, given, &Limits::default(), 1 << 26).expect("it is small")
}

/// Checks all that a diagram answers against the covers that the oracle finds.
fn check(problem: &Problem, given: &[OptionId]) {
    let mut covers = BTreeSet::new();
    Naive::new(problem).search(given, &Limits::default(), &mut |cover| {
        covers.insert(cover.iter().copied().collect::<BTreeSet<_>>());
        ControlFlow::Continue(())
    });
    let context = || format!("given {given:?}:\n{}", dlx::text::write(problem));
    let diagram = diagram(problem, given);
    assert_eq!(diagram.count(), covers.len().into(), "{}", context());

    let counts = diagram.counts();
    for option in problem.options() {
        let count = covers.iter().filter(|cover| cover.contains(&option)).count();
        assert_eq!(counts[option.index()], count.into(), "{option:?}, {}", context());
    }
    for item in problem.items().filter(|&item| problem.bounds(item) == Some(Bounds::ONE)) {
        let names_it = |o: &OptionId| problem.option(*o).iter().any(|entry| entry.item == item);
        let sum: num_bigint::BigUint =
            problem.options().filter(names_it).map(|option| &counts[option.index()]).sum();
        assert_eq!(sum, diagram.count(), "{}", context());
    }

    // In order, by number, and back.
    let mut places: Vec<usize> = vec![usize::MAX; problem.option_count()];
    for (place, option) in diagram.options().iter().enumerate() {
        places[option.index()] = place;
    }
    assert!(places.iter().all(|&place| place < problem.option_count()), "{}", context());
    // The first that has the first option that only one has: ascending where what is not there is 1.
    let vector = |cover: &[OptionId]| {
        let mut vector = vec![true; problem.option_count()];
        cover.iter().for_each(|option| vector[places[option.index()]] = false);
        vector
    };
    let mut last = None;
    let mut number = 0_u32;
    for mut cover in diagram.covers() {
        assert!(covers.contains(&cover.iter().copied().collect::<BTreeSet<_>>()), "{}", context());
        assert_eq!(verify(problem, given, &cover), Ok(()), "{}", context());
        assert_eq!(diagram.unrank(&number.into()).as_ref(), Some(&cover), "{}", context());
        cover.reverse();
        assert_eq!(diagram.rank(&cover), Some(number.into()), "{}", context());
        let next = vector(&cover);
        assert!(last.is_none_or(|last| last < next), "{}", context());
        last = Some(next);
        if let Some(dropped) = cover.pop() {
            let is_cover = covers.contains(&cover.iter().copied().collect());
            assert_eq!(diagram.rank(&cover).is_some(), is_cover, "{}", context());
            cover.extend([dropped, dropped]);
            assert_eq!(diagram.rank(&cover), None, "{}", context());
        }
        number += 1;
    }
    assert_eq!(number as usize, covers.len(), "{}", context());
    assert_eq!(diagram.unrank(&number.into()), None, "{}", context());

    // Costs.
    let cost = |cover: &[OptionId]| cover.iter().map(|&o| u128::from(problem.cost(o))).sum::<u128>();
    let mut histogram: BTreeMap<u128, num_bigint::BigUint> = BTreeMap::new();
    let mut costs: Vec<u128> =
        covers.iter().map(|cover| cost(&cover.iter().copied().collect::<Vec<_>>())).collect();
    costs.sort_unstable();
    costs.iter().for_each(|&cost| *histogram.entry(cost).or_default() += 1_u32);
    assert_eq!(diagram.histogram(usize::MAX), Some(histogram), "{}", context());
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for priced in diagram.cheapest() {
        assert_eq!(priced.cost, cost(&priced.options), "{}", context());
        found.push(priced.cost);
        assert!(seen.insert(priced.options.into_iter().collect::<BTreeSet<_>>()), "{}", context());
    }
    assert_eq!((found, seen), (costs, covers), "{}", context());

    // As a text and back.
    let again = Diagram::from_text(&diagram.to_text()).expect("what is written can be read");
    let original = |option: OptionId| diagram.options()[option.index()];
    let again = again.covers().map(|cover| cover.into_iter().map(original).collect::<Vec<_>>());
    assert!(again.eq(diagram.covers()), "{}", context());
}

#[test]
fn every_answer_is_that_of_the_oracle() {
    let mut rng = Rng::with_seed(77);
    for round in 0..PROBLEMS {
        for features in ALL_FEATURES {
            let problem =
                if round % 2 == 0 { problem(&mut rng, features) } else { parts(&mut rng, features) };
            let problem = if rng.bool() { priced(&mut rng, &problem) } else { problem };
            let given = given(&mut rng, &problem);
            check(&problem, &given);
        }
    }
}

#[test]
fn an_empty_problem_has_the_empty_cover() {
    let empty = dlx::ProblemBuilder::new().build();
    check(&empty, &[]);
    check(&"a | x\na x\nx\n".parse().expect("in order"), &[OptionId::new(1)]);
    check(&"0:1|a\na\n".parse().expect("in order"), &[]);
    check(&"a\n".parse().expect("in order"), &[]);
}

fn check_run(args: &str, input: &str, out: &str, code: i32) {
    let ran = run(args, input);
    assert_eq!((ran.out.as_str(), ran.code), (out, code), "{args}: {}", ran.err);
}

const PRICED: &str = "a b c\na |1\nb |2\nc |3\na b |1\nb c |5\n";

#[test]
fn options_are_counted() {
    check_run("count --per-option", PRICED, "2\ta\n1\tb\n2\tc\n1\ta b\n1\tb c\n", 0);
    let json = "{\"puzzle\":1,\"kind\":\"cover\",\"count\":\"3\",\"options\":[\"a\",\"b\",\"c\",\"a b\",\"b c\"],\
                \"counts\":[\"2\",\"1\",\"2\",\"1\",\"1\"]}\n";
    let ran = run("count --per-option --json", PRICED);
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert_eq!((value(&ran.out), ran.code), (value(json), 0), "{}", ran.err);
    check_run("count --histogram", PRICED, "4\t1\n6\t2\n", 0);
    check_run("count --per-option", "a b\na\n", "0\ta\n", 1);
}

#[test]
fn candidates_of_a_grid_are_counted() {
    let ran = run("count --per-option", "12.............4");
    let lines: Vec<&str> = ran.out.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!((lines.len(), ran.code), (17, 0), "{}", ran.err);
    let total: u32 = run("count", "12.............4").out.trim().parse().expect("a number");
    for line in &lines[1..] {
        let sum: u32 =
            line.split_whitespace().skip(1).map(|n| n.parse::<u32>().expect("a number")).sum();
        assert_eq!(sum, total, "{line}");
    }
}

#[test]
fn solutions_have_numbers() {
    let grid = "1..............4";
    let count: usize = run("count", grid).out.trim().parse().expect("a number");
    let mut seen = BTreeSet::new();
    let all: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    let ran = run(&format!("unrank {}", all.join(",")), grid);
    for line in ran.out.lines() {
        assert!(seen.insert(line.to_owned()), "each solution comes once");
    }
    assert_eq!((seen.len(), ran.code), (count, 0), "{}", ran.err);
    let listed: BTreeSet<String> = run("list", grid).out.lines().map(str::to_owned).collect();
    assert_eq!(seen, listed);
    // And back, from a file.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("solutions.txt");
    std::fs::write(&file, &ran.out).expect("it can be written");
    let numbers: String = all.iter().map(|number| number.clone() + "\n").collect();
    check_run(&format!("rank --solution {}", file.display()), grid, &numbers, 0);
    check_run(
        &format!("rank --solution {}", file.display()),
        "2...............",
        &"not a solution\n".repeat(count),
        1,
    );
    let ran = run(&format!("unrank {count}"), grid);
    let err = format!(
        "puzzle 1: there are {count} solutions, numbered from 0, so none has the number {count}\n"
    );
    assert_eq!((ran.out.as_str(), ran.err, ran.code), ("", err, 2));
}

#[test]
fn solutions_of_every_kind_are_ranked() {
    for (puzzle, kind) in [
        ("puzzles/cover/colored.dlx", ""),
        ("puzzles/cover/steiner-7.dlx", ""),
        ("puzzles/langford/seven.txt", ""),
        ("puzzles/queens/empty-8.txt", ""),
        ("puzzles/polyomino/pentominoes-3x20.poly", ""),
        ("5", "--puzzle langford"),
        ("puzzles/latin/empty-4.txt", ""),
    ] {
        let count = run(&format!("count {kind} {puzzle}"), "").out;
        let count: u64 = count.trim().parse().expect("a number");
        if count == 0 {
            continue;
        }
        let number = count / 3;
        let ran = run(&format!("unrank {number} {kind} {puzzle}"), "");
        assert_eq!(ran.code, 0, "{puzzle}: {}", ran.err);
        check_run(&format!("rank --solution - {kind} {puzzle}"), &ran.out, &format!("{number}\n"), 0);
    }
}

#[test]
fn samples_are_the_same_for_the_same_seed() {
    let grid = "1..............4\n";
    let [one, same, other] = [5, 5, 6].map(|seed| run(&format!("sample -n 8 --seed {seed}"), grid).out);
    assert_eq!(one, same);
    assert_ne!(one, other);
    assert_eq!(one.lines().count(), 8);
    let listed = run("list", grid).out;
    assert!(one.lines().all(|line| listed.contains(line)));
    check_run("sample -n 3", "a b\na\n", "no solution\n", 1);
}

#[test]
fn a_hopeless_diagram_is_refused_beforehand() {
    let ran = run("count --per-option", &(".".repeat(81) + "\n"));
    assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    assert!(ran.err.starts_with("puzzle 1: the diagram of all solutions has about "), "{}", ran.err);
}

#[test]
fn a_diagram_is_written_and_read() {
    let written = run("convert --to zdd", "a b\na\nb\na b\n");
    assert_eq!(written.code, 0, "{}", written.err);
    assert!(written.out.contains("\n.\n"), "{}", written.out);
    check_run("count --from zdd", &written.out, "2\n", 0);
    let mut counts: Vec<String> =
        run("count --from zdd --per-option", &written.out).out.lines().map(str::to_owned).collect();
    counts.sort();
    assert_eq!(counts, ["1\ta", "1\ta b", "1\tb"]);
    check_run("unrank 0 --from zdd", "1 1 B T\n.\n", "x1\n", 0);
    let ran = run("count --from zdd", "1 1 B\n.\n");
    let message = "standard input:1:1: expected a node `number variable low high` or `.`, found `1`";
    assert!(ran.err.starts_with(message), "{}", ran.err);
    assert_eq!(ran.code, 2);
    let ran = run("solve --from zdd", "1 1 B T\n.\n");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("invalid value 'zdd' for '--from <FORMAT>'"), "{}", ran.err);
}

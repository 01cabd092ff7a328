//! Counts without enumeration: every method against the oracle, and large numbers.

use std::sync::Arc;

use dlx::count::{Counter, METHODS, Method};
use dlx::engine::{Links, Naive};
use dlx::parallel::Cores;
use dlx::{BigUint, End, Engine as _, Limit, Limits, OptionId, Problem, Progress};
use fastrand::Rng;

use crate::random::{self, ALL_FEATURES};
use crate::samples::{dominoes, product};

const ROUNDS: usize = if cfg!(feature = "slow-tests") { 20_000 } else { 1500 };

/// Returns Langford's problem: two copies of each number `n` with `n` positions between them, in `2
/// * count` positions.
fn langford(count: usize) -> String {
    let names = (1..=count).map(|number| format!("n{number}"));
    let names: Vec<_> = names.chain((1..=2 * count).map(|place| format!("p{place}"))).collect();
    let mut text = names.join(" ") + "\n";
    for number in 1..=count {
        for place in 1..2 * count - number {
            text += &format!("n{number} p{place} p{}\n", place + number + 1);
        }
    }
    text
}

#[test]
fn every_method_agrees_with_the_oracle() {
    let mut rng = Rng::with_seed(5);
    for features in ALL_FEATURES {
        for round in 0..ROUNDS {
            let problem = random::problem(&mut rng, features);
            let mut options: Vec<OptionId> = problem.options().collect();
            rng.shuffle(&mut options);
            options.truncate(round % 3);
            for given in [&[], &options[..]] {
                let expected = Naive::new(&problem).count(given, &Limits::default()).count();
                for method in METHODS {
                    // With almost no memory a method counts in parts.
                    for memory in [None, Some(1), Some(2000)] {
                        let limits = Limits::new().memory(memory);
                        let counter =
                            Counter::new(problem.clone()).by(method).try_count(given, &limits);
                        // A method may refuse a problem or run out of memory.
                        let Ok(report) = counter else { continue };
                        if memory.is_some() && report.end == End::Limit(Limit::Memory) {
                            continue;
                        }
                        let name = method.name;
                        assert_eq!(
                            report.count(),
                            expected,
                            "{name} {given:?}\n{}",
                            dlx::text::write(&problem)
                        );
                    }
                }
                let report = Counter::new(problem.clone()).count(given, &Limits::default());
                assert_eq!(report.count(), expected);
            }
        }
    }
}

/// Checks a count by every method that supports the problem; `frontier` must support it.
fn check(text: &str, expected: &str) {
    let problem: Problem = text.parse().expect("a problem");
    for method in METHODS.iter().filter(|method| method.name != "search") {
        let limits = Limits::default().within(std::time::Duration::from_secs(60));
        match Counter::new(problem.clone()).by(method).try_count(&[], &limits) {
            Ok(report) if report.end == End::Exhausted => {
                assert_eq!(report.total().to_string(), expected, "{}", method.name);
            }
            other => assert_ne!(method.name, "frontier", "{other:?}"),
        }
    }
    assert_eq!(Counter::new(problem).count(&[], &Limits::default()).total().to_string(), expected);
}

#[test]
fn dominoes_are_counted_beyond_64_bits() {
    check(&dominoes(8, 8), "12988816");
    check(&dominoes(10, 10), "258584046368");
    check(&dominoes(12, 12), "53060477521960000");
    check(&dominoes(14, 14), "112202208776036178000000");
    // The counts are Fibonacci numbers, which need more and more limbs.
    let (mut a, mut b) = (BigUint::from(1u32), BigUint::from(1u32));
    for columns in 2..=400 {
        (a, b) = (b.clone(), a + &b);
        if columns % 100 == 0 {
            check(&dominoes(2, columns), &b.to_string());
        }
    }
}

#[test]
fn counts_of_independent_parts_and_identical_options_are_multiplied() {
    check(&product(100, 3), &BigUint::from(3u32).pow(100).to_string());
    let problem: Problem = product(64, 2).parse().expect("a problem");
    let report = Counter::new(problem).count(&[], &Limits::default());
    assert_eq!((report.solutions, report.count(), report.end), (u64::MAX, None, End::Exhausted));
    assert_eq!(report.total().to_string(), "18446744073709551616");
}

#[test]
fn counts_depend_on_neither_workers_nor_memory() {
    let problem: Problem = langford(12).parse().expect("a problem");
    for cores in [0, 1, 3] {
        for memory in [1 << 22, 1 << 30] {
            let mut counter = Counter::new(problem.clone()).on(&Cores::new(cores)).by(frontier());
            let limits = Limits::new().memory(memory);
            let report = counter.try_count(&[], &limits).expect("it takes any problem");
            assert_eq!(report.count(), Some(216_288), "{cores} cores, {memory} bytes");
            let is_split = counter.explain().to_string().contains("times in parts");
            assert_eq!(is_split, memory < 1 << 30, "{}", counter.explain());
        }
    }
}

fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with = |last: usize| {
        subsets(last, size - 1).into_iter().map(move |mut subset| {
            subset.push(last);
            subset
        })
    };
    (0..count).flat_map(with).collect()
}

fn text(count: usize, options: impl IntoIterator<Item = Vec<usize>>) -> String {
    let line = |items: &mut dyn Iterator<Item = usize>| {
        items.map(|item| item.to_string()).collect::<Vec<_>>().join(" ") + "\n"
    };
    let options = options.into_iter().map(|option| line(&mut option.into_iter()));
    line(&mut (0..count)) + &options.collect::<String>()
}

#[test]
fn designs_partitions_and_matchings_have_the_known_counts() {
    // The perfect matchings of complete graphs are counted by double factorials.
    check(&text(12, subsets(12, 2)), "10395");
    check(&text(20, subsets(20, 2)), "654729075");
    // The partitions of a set are counted by Bell numbers.
    check(&text(8, (1..=8).flat_map(|size| subsets(8, size))), "4140");
    check(&text(10, (1..=10).flat_map(|size| subsets(10, size))), "115975");
    // The counts of perfect matchings of hypercubes are published.
    let cube = |dimension: usize| {
        let edges = (0..1usize << dimension).flat_map(move |vertex| {
            let others = (0..dimension).map(move |axis| vertex ^ (1 << axis));
            others.filter(move |&other| other > vertex).map(move |other| vec![vertex, other])
        });
        text(1 << dimension, edges)
    };
    check(&cube(3), "9");
    check(&cube(4), "272");
    check(&cube(5), "589185");
    // The options of a Steiner triple system are triples of points, and its items are the pairs of
    // points.
    let steiner = |points: usize| {
        let pairs = subsets(points, 2);
        let place = |a: usize, b: usize| pairs.iter().position(|pair| *pair == [a, b]).expect("a pair");
        let triple = |t: Vec<usize>| vec![place(t[0], t[1]), place(t[0], t[2]), place(t[1], t[2])];
        text(pairs.len(), subsets(points, 3).into_iter().map(triple))
    };
    check(&steiner(7), "30");
    check(&steiner(9), "840");
}

/// Returns a problem with known covers. `items` items are partitioned at random into three to five
/// blocks, `ways` times, and each block is an option. The blocks of a partition share one of nine
/// colors. With bounds, a cover must have four or five blocks.
fn cuts(rng: &mut Rng, items: usize, ways: usize, has_bounds: bool) -> String {
    let names: Vec<_> = (0..items).map(|item| format!("i{item}")).collect();
    let (item, entry) = if has_bounds { (" 4:5|blocks", " blocks") } else { ("", "") };
    let mut text = format!("{}{item} | hue\n", names.join(" "));
    for way in 0..ways {
        let mut blocks = vec![String::new(); rng.usize(3..=5)];
        for name in &names {
            let block = rng.usize(0..blocks.len());
            blocks[block] += &format!("{name} ");
        }
        for block in blocks.iter().filter(|block| !block.is_empty()) {
            text += &format!("{block}hue:{}{entry}\n", way % 9);
        }
    }
    text
}

fn frontier() -> &'static Method {
    METHODS.iter().find(|method| method.name == "frontier").expect("it is there")
}

#[test]
fn problems_with_many_options_per_item_and_wide_states_are_counted() {
    let mut rng = Rng::with_seed(6);
    for (items, ways) in [(12, 400), (60, 220), (110, 220), (200, 150), (400, 90), (800, 40)] {
        for has_bounds in [false, true] {
            let problem: Problem = cuts(&mut rng, items, ways, has_bounds).parse().expect("a problem");
            let expected = dlx::Solver::new(problem.clone()).count(&[], &Limits::default());
            assert!(expected.solutions >= 10, "{expected:?}");
            let mut counter = Counter::new(problem).by(frontier());
            let report = counter.try_count(&[], &Limits::default()).expect("it takes the problem");
            assert_eq!(report.count(), expected.count(), "{items} items: {}", counter.explain());
        }
    }
}

fn repeated(text: &str, copies: usize) -> Problem {
    let (items, options) = text.split_once('\n').expect("a line of items");
    format!("{items}\n{}", options.repeat(copies)).parse().expect("a problem")
}

#[test]
fn counts_above_64_bits_are_right_with_workers_and_little_memory() {
    let problem = repeated(&langford(12), 50);
    let expected = BigUint::from(50u32).pow(12) * 216_288u32;
    for (cores, memory) in [(0, 1 << 22), (3, 1 << 23), (3, 1 << 30)] {
        let mut counter = Counter::new(problem.clone()).on(&Cores::new(cores)).by(frontier());
        let limits = Limits::new().memory(memory);
        let report = counter.try_count(&[], &limits).expect("it takes any problem");
        assert_eq!(report.total(), expected, "{cores} cores: {}", counter.explain());
        let is_split = counter.explain().to_string().contains("times in parts");
        assert_eq!(is_split, memory < 1 << 30, "{}", counter.explain());
    }
}

#[test]
fn a_count_is_checked_by_another_method() {
    // Counts that exceed the prime of the check. With three copies, each domino has two equal
    // options.
    for (text, copies) in [(dominoes(2, 120), 1), (dominoes(2, 120), 3), (dominoes(12, 12), 1)] {
        let problem = repeated(&text, copies);
        let expected = Counter::new(problem.clone()).count(&[], &Limits::default()).total();
        for method in
            METHODS.iter().filter(|method| ["matching", "memo", "frontier"].contains(&method.name))
        {
            let mut counter = Counter::new(problem.clone()).by(method).checked();
            let report = counter.count(&[], &Limits::default());
            let plan = counter.explain().to_string();
            assert_eq!((report.end, report.total()), (End::Exhausted, expected.clone()), "{plan}");
            assert!(plan.contains("checked by"), "{plan}");
        }
    }
}

#[test]
fn checked_counts_of_random_problems_pass_their_check() {
    let mut rng = Rng::with_seed(7);
    for features in ALL_FEATURES {
        for _ in 0..ROUNDS / 5 {
            let problem = random::parts(&mut rng, features);
            let expected = Naive::new(&problem).count(&[], &Limits::default()).count();
            let report = Counter::new(problem.clone()).checked().count(&[], &Limits::default());
            assert_eq!(report.count(), expected, "{}", dlx::text::write(&problem));
            for method in METHODS {
                let counter =
                    Counter::new(problem.clone()).by(method).try_count(&[], &Limits::default());
                let Ok(report) = counter else { continue };
                assert_eq!(report.count(), expected, "{}\n{}", method.name, dlx::text::write(&problem));
            }
        }
    }
}

#[test]
fn the_search_method_multiplies_identical_options() {
    let search = METHODS.iter().find(|method| method.name == "search").expect("it is there");
    let whole = |copies: u32| BigUint::from(copies).pow(24) * 167_089u32;
    for copies in [1, 3, 400] {
        let mut counter = Counter::new(repeated(&dominoes(6, 8), copies)).by(search);
        let total = counter.count(&[], &Limits::default()).total();
        assert_eq!(total, whole(copies as u32), "{}", counter.explain());
    }
}

#[test]
fn the_progress_of_a_count_names_the_method_and_the_part() {
    let problem: Problem = "a b c\na b\nc\na\nb c\n".parse().unwrap();
    let progress = Arc::new(Progress::default());
    let limits = Limits::new().progress(Arc::clone(&progress));
    Counter::new(problem).by(frontier()).count(&[], &limits);
    let count = progress.of_count().unwrap();
    assert_eq!((count.method, count.part, count.parts), ("frontier", 1, 1));
}

#[test]
fn a_limit_on_expected_nodes_ends_a_large_search_early() {
    // All ways to cover 60 items one by one or in neighboring pairs.
    let sets = (0..60).map(|item| vec![item]).chain((1..60).map(|item| vec![item - 1, item]));
    let problem = Problem::from_sets(60, sets).unwrap();
    let report = Links::new(&problem).count(&[], &Limits::new().nodes_expected(1_000_000));
    assert_eq!(report.end, End::Limit(Limit::Nodes));
    assert!(report.nodes < 200_000);
}

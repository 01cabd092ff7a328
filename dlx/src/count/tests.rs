use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::engine::{Links, Naive};
use crate::frontier::Frontier;
use crate::methods::algebra;
use crate::model::samples::{latin, neighbors, queens, rows};
use crate::model::{ItemId, ProblemBuilder};
use crate::numbers::Random;
use crate::parallel::Parallel;
use crate::portfolio::Budget;
use crate::portfolio::budget::free;

fn check(number: u32) -> Option<String> {
    let counter = Counter::new("a b c\na b\nc\na\nb c\n".parse::<Problem>().unwrap()).checked();
    let (result, explanation) = (Ok(number.into()), String::new());
    let first = Finish {
        result,
        known: BigUint::ZERO,
        effort: (0, 0),
        name: "guess",
        explanation,
        modulus: None,
        foreseen: None,
        laps: Vec::new(),
        place: 0,
    };
    let (part, unknown) = (Weighted::whole(&counter.problem), Unknown::new());
    let limits = Limits::default();
    let done = Done { part: 1, part_count: 1, nodes: 0, factor: None };
    counter.check_part(&part, &unknown.hints(), &first, &limits, &done)?.0
}

#[test]
fn a_correct_count_passes_the_check() {
    assert!(check(2).is_some_and(|text| text.starts_with("checked by ")));
}

#[test]
#[should_panic(expected = "two methods agree")]
fn a_wrong_count_fails_the_check() {
    check(3);
}

struct Unknown {
    cores: Arc<Cores>,
    orders: crate::methods::Orders,
    has_cover: AtomicBool,
    engine: Cell<Option<Parallel<'static>>>,
}

impl Unknown {
    fn new() -> Self {
        Self {
            cores: Cores::new(0),
            orders: crate::methods::Orders::default(),
            has_cover: AtomicBool::new(false),
            engine: Cell::new(None),
        }
    }

    fn hints(&self) -> Hints<'_> {
        let Self { cores, orders, has_cover, engine } = self;
        Hints { cores, modulus: None, orders, search: None, has_cover, engine }
    }
}

#[test]
fn the_estimate_of_a_search_without_progress_is_long() {
    let (part, ..) = strip(30, 1, 1, 1);
    let (unknown, limits) = (Unknown::new(), Limits::default());
    let mut search =
        (search::METHOD.contenders)(&part, &unknown.hints()).pop().expect("it takes any part");
    for _ in 0..3 {
        // A budget of 1 ns is far too short to measure progress, as on a busy machine.
        assert_eq!(search.run(&mut (), &mut Budget::new(&limits, 1, usize::MAX)), Err(Cut::Work));
    }
    let estimate = search.estimate(Duration::from_secs(100));
    assert!(estimate.error.is_none() && estimate.left >= 100e9, "{estimate:?}");
}

#[test]
fn refutation_stops_once_a_cover_is_known() {
    let odd = Weighted::whole(&"a b c\na b\nb c\na c\n".parse().unwrap());
    let unknown = Unknown::new();
    let refute = || (algebra::METHOD.contenders)(&odd, &unknown.hints())[0].run(&mut (), &mut free());
    assert_eq!(refute(), Ok(BigUint::ZERO));
    unknown.has_cover.store(true, Ordering::Relaxed);
    assert_eq!(refute(), Err(Cut::Unsuited));

    for (text, count) in [("a b c\na b\nb c\na c\n", 0_u32), ("a b c\na b\nc\na\nb c\n", 2)] {
        let part = Weighted::whole(&text.parse().unwrap());
        let unknown = Unknown::new();
        for mut contender in (search::METHOD.contenders)(&part, &unknown.hints()) {
            unknown.has_cover.store(false, Ordering::Relaxed);
            assert_eq!(contender.run(&mut (), &mut free()), Ok(count.into()), "{}", contender.name());
            assert_eq!(unknown.has_cover.load(Ordering::Relaxed), count > 0, "{}", contender.name());
        }
    }
}

/// Builds a board of two rows with domino tilings and one option that covers the whole board.
/// Vertical dominoes have the weight `standing`, horizontal ones `lying`.
fn strip(columns: usize, standing: u64, lying: u64, all: u64) -> (Weighted, Vec<ItemId>, BigUint) {
    let mut builder = ProblemBuilder::new();
    let items: Vec<_> =
        (0..2 * columns).map(|square| builder.primary(&square.to_string()).unwrap()).collect();
    let mut weights = vec![all];
    builder.option(items.clone()).unwrap();
    for square in 0..2 * columns {
        for (step, weight) in [(1, standing), (2, lying)] {
            if square + step < 2 * columns && (step == 2 || square % 2 == 0) {
                builder.option([items[square], items[square + step]]).unwrap();
                weights.push(weight);
            }
        }
    }
    let (mut before, mut count) = (BigUint::ZERO, BigUint::from(1u32));
    for _ in 0..columns {
        (before, count) = (count.clone(), &count * standing + before * lying * lying);
    }
    (Weighted { problem: builder.build(), weights, groups: Default::default() }, items, count + all)
}

#[test]
fn the_frontier_method_counts_correctly_when_its_results_are_set_aside() {
    let limits = Limits::default();
    for (standing, lying, all) in [(1, 1, 1), (3, 5, 7), (1 << 40, 1 << 40, 1 << 60), (1, 1 << 50, 9)] {
        let (part, order, expected) = strip(12, standing, lying, all);
        // With one byte of memory, results are set aside repeatedly.
        for bytes in [1, usize::MAX] {
            for modulus in [None, Some(7), Some((1 << 61) - 1)] {
                let cores = Cores::new(0);
                let mut frontier = Frontier::new(&part, &order, &cores, modulus, &mut free()).unwrap();
                let found = frontier.run(&mut Budget::new(&limits, u64::MAX, bytes)).unwrap();
                let expected = modulus.map_or_else(|| expected.clone(), |modulus| &expected % modulus);
                assert_eq!(found, expected, "{standing} {lying} {all} {bytes} {modulus:?}");
            }
        }
    }
}

/// Counts the covers that contain the options of `given`. A cover counts as the product of the
/// weights of its options.
fn naive(problem: &Problem, given: &[OptionId], weights: &[u64]) -> BigUint {
    let mut sum = BigUint::ZERO;
    let report = Naive::new(problem).search(given, &Limits::default(), &mut |cover| {
        sum += cover.iter().map(|option| BigUint::from(weights[option.index()])).product::<BigUint>();
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(report.end, End::Exhausted);
    sum
}

#[test]
fn an_interrupted_count_never_exceeds_the_result() {
    let mut random = Random::new(3);
    let limits = Limits::default();
    let mut partial = vec![0; METHODS.len()];
    for round in 0..120 {
        // The method `symmetry` needs interchangeable items and equal weights, so the first problem
        // is a Latin square.
        let problem = if round == 0 { latin(4) } else { neighbors(&mut random, 12, 40) };
        let weight_max = if round == 0 { 1 } else { 3 };
        let weights = problem.options().map(|_| 1 + random.next_u64() % weight_max);
        let weights: Vec<_> = weights.collect();
        let expected = naive(&problem, &[], &weights);
        let part = Weighted { weights, ..Weighted::whole(&problem) };
        let unknown = Unknown::new();
        let hints = unknown.hints();
        for (method, partial) in METHODS.iter().zip(&mut partial) {
            for mut contender in (method.contenders)(&part, &hints) {
                let (mut slice, mut effort) = (500, (0, 0));
                let found = loop {
                    let work = slice + random.next_u64() % slice;
                    match contender.run(&mut (), &mut Budget::new(&limits, work, 1 << 24)) {
                        Ok(found) => break Some(found),
                        Err(Cut::Work) => {}
                        Err(_) => break None,
                    }
                    slice += slice / 32;
                    let known = contender.known().unwrap_or_default();
                    assert!(known <= expected, "{}: {known} of {expected}", contender.name());
                    *partial += usize::from(known > BigUint::ZERO);
                    let now = contender.effort();
                    assert!(now.0 >= effort.0 && now.1 >= effort.1, "{}", contender.name());
                    effort = now;
                };
                let Some(found) = found else { continue };
                assert_eq!(found, expected, "{}", contender.name());
            }
        }
    }
    // The methods `search` and `frontier` find covers one by one in any problem.
    for (method, partial) in METHODS.iter().zip(partial) {
        let must_know = ["search", "frontier"].contains(&method.name);
        assert!(!must_know || partial > 0, "{} knows nothing on the way", method.name);
    }
}

#[test]
fn an_interrupted_counter_returns_a_lower_bound() {
    let mut random = Random::new(4);
    for round in 0..120 {
        let problem = neighbors(&mut random, 24, 70);
        let expected = Solver::new(problem.clone()).count(&[], &Limits::default()).total();
        let counter = Counter::new(problem);
        let mut counter = match METHODS.get(round % (METHODS.len() + 1)) {
            Some(method) => counter.by(method),
            None => counter,
        };
        for _ in 0..4 {
            let time = Duration::from_nanos(random.next_u64() % 2_000_000);
            let Ok(report) = counter.try_count(&[], &Limits::default().within(time)) else { break };
            match report.end {
                End::Exhausted => assert_eq!(report.total(), expected),
                _ => assert!(report.total() <= expected, "{} of {expected}", report.total()),
            }
        }
    }
}

#[test]
fn every_counting_method_respects_given_options() {
    let mut random = Random::new(5);
    for _ in 0..40 {
        let problem = neighbors(&mut random, 12, 40);
        let ones = vec![1; problem.option_count()];
        let given: Vec<_> =
            problem.options().filter(|_| random.next_u64().is_multiple_of(16)).collect();
        let expected = naive(&problem, &given, &ones);
        for method in METHODS.iter().map(Some).chain([None]) {
            let counter = Counter::new(problem.clone());
            let mut counter =
                method.map_or_else(|| Counter::new(problem.clone()).checked(), |m| counter.by(m));
            let Ok(report) = counter.try_count(&given, &Limits::default()) else { continue };
            assert_eq!((report.end, report.total()), (End::Exhausted, expected.clone()));
        }
    }
}

#[test]
fn the_search_of_a_part_reuses_the_trial_engine() {
    let forced = beside(&queens(11), &rows(&[1]));
    let two = beside(&queens(11), &queens(5));
    for (problem, expected) in [(queens(11), vec![2680]), (forced, vec![2680]), (two, vec![10, 2680])] {
        let problem = Arc::new(problem);
        let mut solver = Solver::new(Arc::clone(&problem)).keeping_parts();
        let short = Limits::new().nodes_expected(200);
        assert!(matches!(solver.count(&[], &short).end, End::Limit(_)));
        let engines = solver.take_engines();
        let counts: Vec<_> = engines
            .into_iter()
            .map(|mut engine| engine.count(&[], &Limits::default()).solutions)
            .collect();
        assert_eq!(counts, expected);
        assert!(solver.take_engines().is_empty());
        let mut counter = Counter::new(problem);
        let all: u64 = expected.iter().product();
        for _ in 0..2 {
            assert_eq!(counter.count(&[], &Limits::default()).count(), Some(all));
        }
    }
}

#[test]
fn given_options_do_not_reuse_engines_of_an_interrupted_search() {
    let problem = beside(&queens(13), &rows(&[1]));
    let mut counter = Counter::new(problem.clone());
    let cut = counter.count(&[], &Limits::new().nodes(50_000));
    assert_eq!(cut.end, End::Limit(Limit::Nodes));
    let mut counter = counter.by(&search::METHOD);
    let mut links = Links::new(&problem);
    for option in [0, 17] {
        let given = [OptionId::new(option)];
        let expected = links.count(&given, &Limits::default()).count();
        assert_eq!(counter.count(&given, &Limits::default()).count(), expected);
    }
}

fn beside(one: &Problem, other: &Problem) -> Problem {
    let mut builder = ProblemBuilder::new();
    for (number, problem) in [one, other].into_iter().enumerate() {
        let items: Vec<_> = problem
            .items()
            .map(|item| {
                let name = format!("{number}.{}", item.index());
                let item_of = if problem.is_primary(item) {
                    ProblemBuilder::primary
                } else {
                    ProblemBuilder::secondary
                };
                item_of(&mut builder, &name).unwrap()
            })
            .collect();
        for option in problem.options() {
            let entries = problem.option(option).iter().map(|entry| items[entry.item.index()]);
            builder.option(entries).unwrap();
        }
    }
    builder.build()
}

#[test]
fn parts_with_short_searches_are_counted_without_a_race() {
    let mut counter = Counter::new(rows(&[2; 100]));
    let report = counter.count(&[], &Limits::new());
    assert_eq!((report.end, report.total()), (End::Exhausted, BigUint::from(2_u32).pow(100)));
    assert!(counter.explain().search.is_some(), "{}", counter.explain());
    let mut beside = Beside::default();
    beside.add(&latin(6));
    (0..80).for_each(|_| beside.add(&rows(&[2])));
    let mut counter = Counter::new(beside.problem());
    let report = counter.count(&[], &Limits::new());
    assert_eq!(report.total(), BigUint::from(812_851_200_u32) << 80);
    let plan = counter.explain();
    assert_eq!(plan.parts.len(), 81);
    assert_eq!(plan.parts.iter().filter(|part| part.laps.is_empty()).count(), 80, "{plan}");
}

#[derive(Default)]
struct Beside {
    builder: ProblemBuilder,
    items: usize,
}

impl Beside {
    fn add(&mut self, problem: &Problem) {
        let items: Vec<ItemId> = problem
            .items()
            .map(|_| {
                self.items += 1;
                self.builder.primary(&self.items.to_string()).unwrap()
            })
            .collect();
        for option in problem.options() {
            let entries = problem.option(option).iter().map(|entry| items[entry.item.index()]);
            self.builder.option(entries).unwrap();
        }
    }

    fn problem(self) -> Problem {
        self.builder.build()
    }
}

#[test]
fn a_short_search_of_a_dense_matrix_does_not_build_bit_masks() {
    let mut random = Random::new(1);
    let item = |_| (0..60).filter(|_| random.next_u64().is_multiple_of(3)).collect::<Vec<u32>>();
    let mut sets: Vec<_> = (0..3000).map(item).collect();
    sets.push((0..60).collect());
    let mut counter = Counter::new(Problem::from_sets(60, sets).unwrap());
    let report = counter.count(&[], &Limits::new());
    assert_eq!(report.count(), Some(1));
    assert!(counter.explain().to_string().starts_with("engine counts"), "{}", counter.explain());
}

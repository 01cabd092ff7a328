//! Compares every counting method and the automatic count with dancing links, on random problems of
//! 50 to 300 options, which are too large for the oracle. The tests also check which methods refuse
//! a problem.

use dlx::count::{Counter, METHODS, Method};
use dlx::engine::Links;
use dlx::{BigUint, End, Engine as _, Entry, ItemId, Limits, Problem, ProblemBuilder, Random};

#[derive(Clone, Copy, Debug)]
struct Features {
    has_colors: bool,
    has_optional: bool,
    has_bounds: bool,
}

const NODES_MAX: u64 = 150_000;
/// Counts that take more nodes do not finish in the trial of a counter.
const NODES_TRIAL: u64 = 20_000;

/// Draws random problems whose items form a row and whose options cover nearby items.
struct Rows {
    random: Random,
    features: Features,
}

impl Rows {
    fn below(&mut self, count: usize) -> usize {
        (self.random.next_u64() % count as u64) as usize
    }

    fn problem(&mut self) -> Problem {
        let Features { has_colors, has_optional, has_bounds } = self.features;
        let mut builder = ProblemBuilder::new();
        let count = 14 + self.below(22);
        let mut items = Vec::new();
        for index in 0..count {
            let name = format!("i{index}");
            let item = match self.below(6) {
                0 if has_bounds => {
                    let low = self.below(2) as u32;
                    builder.bounded(&name, low, low + 1 + self.below(2) as u32)
                }
                _ => builder.primary(&name),
            };
            items.push(item.expect("the name is new"));
        }
        let optional: Vec<ItemId> = (0..if has_optional || has_colors { 6 } else { 0 })
            .map(|index| builder.secondary(&format!("s{index}")).expect("the name is new"))
            .collect();
        let colors = ["red", "green", "blue"].map(|name| builder.color(name).expect("a name"));
        // Cutting the row into pieces guarantees some covers.
        for _ in 0..3 {
            let mut rest = &items[..];
            while !rest.is_empty() {
                let (piece, after) = rest.split_at((1 + self.below(3)).min(rest.len()));
                builder.option(piece.iter().copied()).expect("items in a row");
                rest = after;
            }
        }
        let options = 50 + self.below(180);
        for _ in 0..options {
            let (at, size) = (self.below(count), 2 + self.below(3));
            let mut places: Vec<usize> = (0..size).map(|_| (at + self.below(7)) % count).collect();
            places.sort_unstable();
            places.dedup();
            let mut entries: Vec<Entry> = places.iter().map(|&place| items[place].into()).collect();
            if !optional.is_empty() && self.below(3) > 0 {
                let item = optional[at * optional.len() / count];
                let has_color = has_colors && (!has_optional || self.below(2) == 0);
                entries.push(if has_color { item.with(colors[self.below(3)]) } else { item.into() });
            }
            builder.option(entries).expect("different items");
        }
        builder.build()
    }

    /// Returns a problem within the node limit of dancing links, its number of covers, and the
    /// number of nodes.
    fn counted(&mut self) -> (Problem, BigUint, u64) {
        for _ in 0..1000 {
            let problem = self.problem();
            let limits = Limits::default().nodes(NODES_MAX);
            let report = Links::new(&problem).count(&[], &limits);
            if report.end == End::Exhausted && report.nodes > 1000 && report.solutions > 0 {
                assert!((50..=300).contains(&problem.option_count()), "{}", problem.option_count());
                return (problem, report.solutions.into(), report.nodes);
            }
        }
        panic!("hardly a problem of {:?} is of the right size", self.features);
    }
}

fn count(problem: &Problem, method: &'static Method) -> Option<BigUint> {
    let mut counter = Counter::new(problem.clone()).by(method);
    let report = counter.try_count(&[], &Limits::default()).ok()?;
    assert_eq!(report.end, End::Exhausted, "{}", method.name);
    Some(report.total())
}

/// Checks the count by every method and the automatic count. Exactly the methods `refused_by` must
/// refuse the problem.
fn check(problem: &Problem, expected: &BigUint, refused_by: &[&str]) {
    for method in METHODS {
        let found = count(problem, method);
        let is_refused = refused_by.contains(&method.name);
        let text = || dlx::text::write(problem);
        assert_eq!(found.is_none(), is_refused, "{} refuses:\n{}", method.name, text());
        assert!(
            is_refused || found.as_ref() == Some(expected),
            "{} {found:?}:\n{}",
            method.name,
            text()
        );
    }
    // Count without a trial, and with a second count as a check.
    let mut counter = Counter::new(problem.clone()).checked();
    let report = counter.count(&[], &Limits::default());
    assert_eq!(report.total(), *expected, "{}\n{}", counter.explain(), dlx::text::write(problem));
    assert!(counter.explain().search.is_none());
}

#[test]
fn every_method_counts_large_random_problems_or_refuses_them() {
    let mut left_the_trial = 0;
    for kind in 0..8 {
        let [has_colors, has_optional, has_bounds] = [1, 2, 4].map(|bit| kind & bit != 0);
        let features = Features { has_colors, has_optional, has_bounds };
        let mut rows = Rows { random: Random::new(kind), features };
        for _ in 0..3 {
            let (problem, expected, nodes) = rows.counted();
            // Options of three items are not edges, no two items are interchangeable, the options
            // have no groups of items, and the problem has covers.
            check(&problem, &expected, &["matching", "symmetry", "signs", "algebra"]);
            let mut counter = Counter::new(problem);
            assert_eq!(counter.count(&[], &Limits::default()).total(), expected);
            let is_left = counter.explain().search.is_none();
            assert!(!is_left || nodes > NODES_TRIAL / 16, "{nodes} nodes: {}", counter.explain());
            left_the_trial += usize::from(is_left);
        }
    }
    assert!(left_the_trial >= 2, "{left_the_trial} of 24 were not over in the trial");
}

#[test]
fn every_method_except_symmetry_and_algebra_counts_planar_matchings() {
    let mut random = Random::new(9);
    for _ in 0..8 {
        // A board of 6x7 squares where some dominoes are missing.
        let mut builder = ProblemBuilder::with_items(42).expect("few items");
        for square in 0..42 {
            for (step, fits) in [(1, square % 7 < 6), (7, square < 35)] {
                if fits && !random.next_u64().is_multiple_of(16) {
                    builder.option([square, square + step].map(ItemId::new)).expect("a domino");
                }
            }
        }
        let problem = builder.build();
        assert!(problem.option_count() > 50);
        let expected = Links::new(&problem).count(&[], &Limits::default()).solutions;
        assert!(expected > 0);
        check(&problem, &expected.into(), &["symmetry", "algebra"]);
    }
}

#[test]
fn every_method_except_matching_signs_and_algebra_counts_partitions() {
    // All sets of 7 items, all sets of 8 items, and the sets of two to four of 9 items.
    for (items, sizes, expected) in [(7, 1..=7, 877_u32), (8, 1..=8, 4140), (9, 2..=4, 2800)] {
        let sets = (1_u32..1 << items).filter(|set| sizes.contains(&set.count_ones()));
        let sets = sets.map(|set| (0..items).filter(move |item| set >> item & 1 == 1));
        let problem = Problem::from_sets(items, sets).expect("sets of items");
        let counted = Links::new(&problem).count(&[], &Limits::default()).solutions;
        assert_eq!(counted, u64::from(expected));
        check(&problem, &expected.into(), &["matching", "signs", "algebra"]);
    }
}

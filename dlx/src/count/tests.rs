use super::frontier::Frontier;
use super::*;
use crate::{ItemId, ProblemBuilder};

/// Checks a number that is said to come from a way that does not exist.
fn check(number: u32) -> Option<String> {
    let counter = Counter::new("a b c\na b\nc\na\nb c\n".parse::<Problem>().unwrap()).checked();
    let (result, explanation) = (Ok(number.into()), String::new());
    let first = Finish {
        result,
        name: "guess",
        explanation,
        modulus: None,
        foreseen: None,
        field: Vec::new(),
        place: 0,
    };
    let (part, orders) = (Weighted::whole(&counter.problem), OnceCell::new());
    let engine = Cell::new(None);
    let hints =
        Hints { cores: &counter.cores, modulus: None, orders: &orders, search: None, engine: &engine };
    counter.check_part(&part, &hints, &first, &Limits::default())
}

#[test]
fn a_number_that_is_right_passes_the_check() {
    assert!(check(2).is_some_and(|text| text.starts_with("checked by ")));
}

#[test]
#[should_panic(expected = "two ways to count agree")]
fn a_number_that_is_wrong_does_not() {
    check(3);
}

#[test]
fn a_search_of_which_nothing_is_known_is_not_promising_for_ever() {
    let (part, ..) = strip(30, 1, 1, 1);
    let (cores, orders, engine) = (Cores::new(0), OnceCell::new(), Cell::new(None));
    let hints = Hints { cores: &cores, modulus: None, orders: &orders, search: None, engine: &engine };
    let mut search = ways::Search::new(&part, &hints);
    let limits = Limits::default();
    for _ in 0..3 {
        // As on a busy machine: far too short to see how far it is.
        assert_eq!(search.run(&mut Watch::new(&limits, 1, usize::MAX)), Err(Cut::Work));
    }
    assert_eq!(search.doubt(), None);
    assert!(search.outlook(Duration::from_secs(100)) >= 100e9);
}

/// Dominoes on two rows, standing ones and lying ones of those weights, and an option that covers all.
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
fn a_frontier_in_parts_keeps_its_numbers() {
    let limits = Limits::default();
    for (standing, lying, all) in [(1, 1, 1), (3, 5, 7), (1 << 40, 1 << 40, 1 << 60), (1, 1 << 50, 9)] {
        let (part, order, expected) = strip(12, standing, lying, all);
        // With one byte everything is put aside again and again.
        for bytes in [1, usize::MAX] {
            for modulus in [None, Some(7), Some((1 << 61) - 1)] {
                let cores = Cores::new(0);
                let mut frontier = Frontier::new(&part, &order, &cores, modulus).unwrap();
                let found = frontier.run(&mut Watch::new(&limits, u64::MAX, bytes)).unwrap();
                let expected = modulus.map_or_else(|| expected.clone(), |modulus| &expected % modulus);
                assert_eq!(found, expected, "{standing} {lying} {all} {bytes} {modulus:?}");
            }
        }
    }
}

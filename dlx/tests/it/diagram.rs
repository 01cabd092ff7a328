//! Compares the decision diagram of all covers with an enumeration.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use dlx::diagram::Diagram;
use dlx::engine::Naive;
use dlx::{BigUint, Bounds, Engine, Limits, OptionId, Problem, verify};
use fastrand::Rng;

use crate::random::{ALL_FEATURES, given, parts, priced, problem};

const PROBLEMS: u64 = if cfg!(feature = "slow-tests") { 20_000 } else { 2_000 };

fn diagram(problem: &Problem, given: &[OptionId]) -> Diagram {
    Diagram::new(problem, given, &Limits::default(), 1 << 26).expect("it is small")
}

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
        let sum: BigUint =
            problem.options().filter(names_it).map(|option| &counts[option.index()]).sum();
        assert_eq!(sum, diagram.count(), "{}", context());
    }

    let mut places: Vec<usize> = vec![usize::MAX; problem.option_count()];
    for (place, option) in diagram.options().iter().enumerate() {
        places[option.index()] = place;
    }
    assert!(places.iter().all(|&place| place < problem.option_count()), "{}", context());
    // The covers are in ascending lexicographic order of vectors, where 0 marks an option of the
    // cover.
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

    let cost = |cover: &[OptionId]| cover.iter().map(|&o| u128::from(problem.cost(o))).sum::<u128>();
    let mut histogram: BTreeMap<u128, BigUint> = BTreeMap::new();
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

    let again = Diagram::from_text(&diagram.to_text()).expect("what is written can be read");
    let original = |option: OptionId| diagram.options()[option.index()];
    let again = again.covers().map(|cover| cover.into_iter().map(original).collect::<Vec<_>>());
    assert!(again.eq(diagram.covers()), "{}", context());
}

#[test]
fn every_query_agrees_with_the_oracle() {
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

//! Tests that the shards of a problem add up to its count, and that incomplete sets and shards of
//! other problems are refused.

use dlx::count::Counter;
use dlx::engine::Links;
use dlx::shards::{
    Fault, Path, Sha256Digest, Shard, ShardCount, ShardCounter, ShardId, ShardTally, split,
    split_apart, split_further,
};
use dlx::{BigUint, Engine, Limits, OptionId, Problem};
use fastrand::Rng;

use crate::random;
use crate::samples::dominoes;
use crate::squares::latin;

fn digest(problem: &Problem, given: &[OptionId]) -> Sha256Digest {
    Sha256Digest::of(problem, given, &Limits::new()).expect("no limits are set")
}

fn shards(problem: &Problem, given: &[OptionId], count: usize) -> Vec<Shard> {
    split(problem, given, count, &Limits::new()).expect("no limits are set")
}

fn counted(problem: &Problem, digest: &Sha256Digest, shards: &[Shard]) -> Vec<ShardCount> {
    let mut counter = ShardCounter::new(problem.clone());
    let count = |shard: &Shard| shard.counted(digest, counter.count(shard, &Limits::new()).total());
    shards.iter().map(count).collect()
}

fn total(digest: &Sha256Digest, counts: &[ShardCount]) -> Result<BigUint, Fault> {
    let mut tally = ShardTally::new(*digest);
    counts.iter().try_for_each(|count| tally.add(count.clone()).map(drop))?;
    tally.total()
}

#[test]
fn shards_of_random_problems_add_up_to_the_count() {
    let mut rng = Rng::with_seed(15);
    let mut most = 0;
    for round in 0..400 {
        let (problem, given, expected) = random::drawn(round, &mut rng);
        let digest = digest(&problem, &given);
        for count in [1, 2, 5, 40] {
            let shards = shards(&problem, &given, count);
            most = most.max(shards.len());
            let sum = total(&digest, &counted(&problem, &digest, &shards));
            assert_eq!(
                sum,
                Ok(expected.clone()),
                "{count} shards of\n{}{given:?}",
                dlx::text::write(&problem)
            );
            let place = rng.usize(0..shards.len());
            let parts = split_further(&problem, &shards[place], 4, &Limits::new()).unwrap();
            let mut mixed = shards;
            mixed.splice(place..=place, parts);
            let sum = total(&digest, &counted(&problem, &digest, &mixed));
            assert_eq!(sum, Ok(expected.clone()), "a shard of {count} split further");
        }
    }
    assert!(most > 20, "some are split far: {most}");
}

#[test]
fn shards_are_deterministic_and_isomorphic_shards_are_merged() {
    let latin = latin(5);
    let (one, same) = (shards(&latin, &[], 20), shards(&latin, &[], 20));
    assert_eq!(one, same);
    assert!(one.len() >= 20, "{}", one.len());
    let weights: Vec<_> = one.iter().map(|shard| shard.path.weight()).collect();
    assert!(weights.iter().any(|weight| *weight >= 120_u32.into()), "{weights:?}");
    let digest = digest(&latin, &[]);
    assert_eq!(total(&digest, &counted(&latin, &digest, &one)), Ok(161_280_u32.into()));
}

fn nodes(problem: &Problem, shards: &[Shard]) -> u64 {
    let mut links = Links::new(problem);
    shards.iter().map(|shard| links.count_subtree(&shard.part, &Limits::new()).nodes).sum()
}

#[test]
fn one_shard_represents_each_orbit_of_isomorphic_shards() {
    let problem: Problem = dominoes(7, 8).parse().expect("it is in order");
    let whole = Links::new(&problem).count(&[], &Limits::new());
    let (all, digest) = (whole.total(), digest(&problem, &[]));
    for count in [2, 300] {
        let shards = shards(&problem, &[], count);
        assert_eq!(shards, self::shards(&problem, &[], count));
        // The board has four symmetries.
        assert!(shards.iter().any(|shard| shard.path.weight() == 4_u32.into()));
        assert!(5 * nodes(&problem, &shards) < 3 * whole.nodes);
        let counts = counted(&problem, &digest, &shards);
        assert_eq!(total(&digest, &counts), Ok(all.clone()));
        assert!(matches!(total(&digest, &counts[1..]), Err(Fault::Missing { count: 1, .. })));
        let parts = shards.into_iter().enumerate().flat_map(|(place, shard)| match place % 5 {
            0 => split_further(&problem, &shard, 4, &Limits::new()).unwrap(),
            _ => vec![shard],
        });
        let counts = counted(&problem, &digest, &parts.collect::<Vec<_>>());
        assert_eq!(total(&digest, &counts), Ok(all.clone()));
    }
    // A symmetry that moves the given option must not merge shards.
    for given in problem.options().step_by(7) {
        let expected = Counter::new(problem.clone()).count(&[given], &Limits::new()).total();
        let digest = self::digest(&problem, &[given]);
        let counts = counted(&problem, &digest, &shards(&problem, &[given], 20));
        assert_eq!(total(&digest, &counts), Ok(expected));
    }
    let apart = split_apart(&problem, &[], 50, &Limits::new()).unwrap();
    assert!(apart.iter().all(|shard| shard.path.weight() == 1_u32.into()));
    assert_eq!(total(&digest, &counted(&problem, &digest, &apart)), Ok(all));
}

#[test]
fn missing_foreign_overlapping_and_contradictory_shards_are_refused_with_the_reason() {
    let problem = latin(4);
    let digest = digest(&problem, &[]);
    let whole = shards(&problem, &[], 8);
    let counts = counted(&problem, &digest, &whole);
    assert_eq!(total(&digest, &counts), Ok(576_u32.into()));
    let repeated = [&counts[..], &counts[..2]].concat();
    assert_eq!(total(&digest, &repeated), Ok(576_u32.into()), "identical repeats are fine");

    for (place, shard) in whole.iter().enumerate() {
        let mut dropped = counts.clone();
        let one = dropped.remove(place);
        match total(&digest, &dropped) {
            Err(Fault::Missing { first, count }) => {
                let [first] = &first[..] else { panic!("one was dropped: {first:?}") };
                let unweighted = |path: &Path| -> Vec<_> {
                    path.choices().iter().map(|choice| (choice.choice, choice.degree)).collect()
                };
                assert!(unweighted(&one.path).starts_with(&unweighted(first)), "{first}");
                assert_eq!(count, 1);
            }
            other => panic!("a shard was dropped: {other:?}"),
        }
        let mut other = one.clone();
        other.count += 1_u32;
        let contradictory = [&counts[..], &[other]].concat();
        assert!(
            matches!(total(&digest, &contradictory), Err(Fault::Contradictory { id, .. }) if id == one.id)
        );

        let parts = split_further(&problem, shard, 2, &Limits::new()).unwrap();
        if parts.len() > 1 {
            let parts = counted(&problem, &digest, &parts);
            let overlapping = [&counts[..], &parts[1..]].concat();
            assert!(matches!(total(&digest, &overlapping), Err(Fault::Overlapping(..))));
        }
        let mut foreign = one;
        foreign.id = "0123456789abcdef".parse().unwrap();
        let foreign = [&counts[..], &[foreign]].concat();
        assert!(matches!(total(&digest, &foreign), Err(Fault::Foreign(_))));
    }
    assert!(matches!(total(&Sha256Digest::of_bytes(b"other"), &counts), Err(Fault::Foreign(_))));
    assert!(matches!(total(&digest, &[]), Err(Fault::Missing { .. })));
    let odd: Path = "0/7".parse().unwrap();
    let odd =
        ShardCount { id: ShardId::of(&digest, &odd), path: odd, count: 1_u32.into(), covers: None };
    assert!(matches!(
        total(&digest, &[&counts[1..], &[odd]].concat()),
        Err(Fault::Unlike(..) | Fault::Overlapping(..))
    ));
}

#[test]
fn a_time_limit_ends_the_splitting_into_shards() {
    let limits = Limits::new().within(std::time::Duration::ZERO);
    assert_eq!(split(&latin(6), &[], 100, &limits), Err(dlx::Limit::Time));
}

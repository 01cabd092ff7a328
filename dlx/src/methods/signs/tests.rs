use super::*;
use crate::engine::Naive;
use crate::limits::Limits;
use crate::model::{Groups, ItemId, ProblemBuilder};
use crate::numbers::Random;
use crate::portfolio::budget::free;
use crate::search::Engine as _;

fn part(item_count: usize, options: &[(Vec<usize>, u64)]) -> Weighted {
    let mut builder = ProblemBuilder::new();
    let items: Vec<ItemId> =
        (0..item_count).map(|item| builder.primary(&item.to_string()).unwrap()).collect();
    for (option, _) in options {
        builder.option(option.iter().map(|&item| items[item])).unwrap();
    }
    let weights = options.iter().map(|&(_, weight)| weight).collect();
    Weighted { problem: builder.build(), weights, groups: Groups::default() }
}

fn langford(n: usize) -> Weighted {
    let mut options = Vec::new();
    for number in 0..n {
        for place in 0..2 * n {
            let other = place + number + 2;
            if other < 2 * n {
                options.push((vec![number, n + place, n + other], 1));
            }
        }
    }
    part(3 * n, &options)
}

fn count_of(part: &Weighted) -> Option<BigUint> {
    Signs::new(part, &Cores::new(0))?.count(&mut free()).ok()
}

fn naive(part: &Weighted) -> BigUint {
    let mut sum = BigUint::ZERO;
    Naive::new(&part.problem).search(&[], &Limits::default(), &mut |cover| {
        let weights = cover.iter().map(|option| BigUint::from(part.weights[option.index()]));
        sum += weights.product::<BigUint>();
        std::ops::ControlFlow::Continue(())
    });
    sum
}

fn random_part(random: &mut Random) -> Weighted {
    let sizes: Vec<_> = (0..1 + random.below(5)).map(|_| random.below(4)).collect();
    let point_count: usize = sizes.iter().sum();
    let item_count = point_count + sizes.len();
    let mut names: Vec<usize> = (0..item_count).collect();
    random.shuffle(&mut names);
    let (density, most) = (1 + random.below(5), [1, 1, 7, 900][random.below(4)]);
    let mut options = Vec::new();
    for (group, &size) in sizes.iter().enumerate() {
        for _ in 0..1 + random.below(2 + 2 * density) {
            let mut points: Vec<usize> = (0..point_count).collect();
            random.shuffle(&mut points);
            let items = points[..size].iter().map(|&point| names[point]);
            let items = items.chain([names[point_count + group]]).collect();
            options.push((items, 1 + random.below(most) as u64));
        }
    }
    random.shuffle(&mut options);
    part(item_count, &options)
}

#[test]
fn random_parts_are_counted_as_by_the_naive_engine() {
    let mut random = Random::new(1);
    let (mut counted, mut positive) = (0, 0);
    for _ in 0..1000 {
        let part = random_part(&mut random);
        if let Some(count) = count_of(&part) {
            assert_eq!(count, naive(&part), "{:?}", part.problem);
            counted += 1;
            positive += u32::from(count > BigUint::ZERO);
        }
    }
    assert!(counted > 600 && positive > 100, "{counted}, {positive}");
}

#[test]
fn langford_pairs_are_counted_by_every_instruction_set() {
    let known = [
        (3, 2),
        (4, 2),
        (5, 0),
        (6, 0),
        (7, 52),
        (8, 300),
        (9, 0),
        (10, 0),
        (11, 35584),
        (12, 216_288),
    ];
    for (n, expected) in known {
        for leaf in Leaf::all() {
            let mut signs = Signs::new(&langford(n), &Cores::new(0)).unwrap().by(leaf);
            assert_eq!(signs.count(&mut free()), Ok(BigUint::from(expected as u32)), "{n} {leaf:?}");
        }
    }
}

#[test]
fn permanents_are_exact_when_products_are_computed_in_1_2_or_4_parts() {
    let mut random = Random::new(2);
    let mut parts_seen = [0; 5];
    for round in 0..60 {
        let order = 2 + round % 8;
        let most = [1, 20, 880][random.below(3)];
        let matrix: Vec<Vec<u64>> =
            (0..order).map(|_| (0..order).map(|_| 1 + random.below(most) as u64).collect()).collect();
        let options = (0..order * order).map(|place| {
            let (row, column) = (place / order, place % order);
            (vec![row, order + column], matrix[row][column])
        });
        let part = part(2 * order, &options.collect::<Vec<_>>());
        let mut sums = vec![BigUint::ZERO; 1 << order];
        sums[0] += 1_u32;
        for taken in 0..1 << order {
            let row = &matrix[(taken as u32).count_ones() as usize % order];
            for (column, &entry) in
                row.iter().enumerate().filter(|(column, _)| taken >> column & 1 == 0)
            {
                let more = &sums[taken] * entry;
                sums[taken | 1 << column] += more;
            }
        }
        for leaf in Leaf::all() {
            let mut signs = Signs::new(&part, &Cores::new(0)).unwrap().by(leaf);
            parts_seen[signs.layout.factors.parts] += 1;
            assert_eq!(
                signs.count(&mut free()).as_ref(),
                Ok(&sums[(1 << order) - 1]),
                "{matrix:?} {leaf:?}"
            );
        }
    }
    assert!([1, 2, 4].iter().all(|&parts| parts_seen[parts] > 0), "{parts_seen:?}");
}

#[test]
fn an_interrupted_count_resumes_with_and_without_helpers() {
    let expected = Ok(BigUint::from(79_619_280_u32));
    let limits = Limits::default();
    for helpers in 0..3 {
        let mut signs = Signs::new(&langford(15), &Cores::new(helpers)).unwrap();
        let mut cuts = 0;
        let mut result = Err(Cut::Work);
        while result == Err(Cut::Work) {
            let left = signs.left();
            result = signs.count(&mut Budget::new(&limits, 6_000_000, usize::MAX));
            assert!(signs.left() < left, "it goes on");
            cuts += 1;
        }
        assert_eq!((&result, signs.count(&mut free())), (&expected, expected.clone()));
        assert!(cuts > 2, "{cuts}");
    }
}

#[test]
fn sign_changes_that_negate_the_sum_prove_that_there_is_no_cover() {
    for n in 1..=18 {
        let signs = Signs::new(&langford(n), &Cores::new(0));
        let is_zero = signs.is_some_and(|signs| signs.is_zero() && signs.left() == 0);
        assert_eq!(is_zero, n > 1 && matches!(n % 4, 1 | 2), "{n}");
    }
}

#[test]
fn parts_without_groups_or_with_too_many_points_are_unsuited() {
    // A triangle of pairs has no groups, a group may not have options of several sizes, and 64
    // points are too many.
    let pairs = [vec![0, 1], vec![1, 2], vec![0, 2]].map(|pair| (pair, 1));
    assert!(SignSystem::new(&part(3, &pairs)).is_none());
    let sizes = [vec![0, 1], vec![0, 1, 2], vec![3, 1, 2], vec![3, 2]].map(|option| (option, 1));
    assert!(SignSystem::new(&part(4, &sizes)).is_none());
    assert!(SignSystem::new(&langford(32)).is_none());
    assert!(SignSystem::new(&langford(12)).is_some());
}

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use num_bigint::BigUint;

use super::form::FormBuilder;
use super::layers::Layers;
use super::memo::Memo;
use super::number::CoverCount;
use super::tables::PartTables;
use super::{Cut, LayeredCount, Symmetry};
use crate::engine::Naive;
use crate::limits::Limits;
use crate::model::samples::{latin, rows};
use crate::model::{ItemId, OptionId, Problem, ProblemBuilder};
use crate::numbers::Random;
use crate::parallel::Cores;
use crate::portfolio::Budget;
use crate::portfolio::budget::free;
use crate::prepare::{Parts, Weighted};
use crate::search::Engine;

pub(super) const BYTES: usize = 1 << 26;

pub(super) fn alone() -> Arc<Cores> {
    Cores::new(0)
}

pub(super) fn problem(primary: usize, secondary: usize, options: &[Vec<usize>]) -> Problem {
    let mut builder = ProblemBuilder::new();
    let mut items: Vec<_> =
        (0..primary).map(|item| builder.primary(&item.to_string()).unwrap()).collect();
    items.extend((0..secondary).map(|item| builder.secondary(&format!("s{item}")).unwrap()));
    for option in options {
        builder.option(option.iter().map(|&item| items[item])).unwrap();
    }
    builder.build()
}

pub(super) fn shuffled(problem: &Problem, random: &mut Random) -> Problem {
    let mut names: Vec<_> = problem.items().collect();
    random.shuffle(&mut names);
    let mut builder = ProblemBuilder::new();
    let mut items = vec![ItemId::new(0); names.len()];
    for is_primary in [true, false] {
        for &item in names.iter().filter(|&&item| problem.is_primary(item) == is_primary) {
            let name = problem.item_name(item);
            items[item.index()] =
                if is_primary { builder.primary(name) } else { builder.secondary(name) }.unwrap();
        }
    }
    let mut options: Vec<_> = problem.options().collect();
    random.shuffle(&mut options);
    for option in options {
        builder.option(problem.option(option).iter().map(|entry| items[entry.item.index()])).unwrap();
    }
    builder.build()
}

pub(super) fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        let longer = |set: &Vec<usize>| {
            let first = set.last().map_or(0, |&last| last + 1);
            let set = set.clone();
            (first..count).map(move |next| [&set[..], &[next]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

pub(super) fn sudoku(height: usize, width: usize) -> Problem {
    let order = height * width;
    let square = order * order;
    let option = |place: usize| {
        let (row, column, symbol) = (place / square, place / order % order, place % order);
        let region = row / height * height + column / width;
        let lines =
            [row, order + column, 2 * order + region].map(|line| square + line * order + symbol);
        [&[row * order + column], &lines[..]].concat()
    };
    problem(4 * square, 0, &(0..square * order).map(option).collect::<Vec<_>>())
}

fn designs(points: usize, block: usize, strength: usize) -> Problem {
    let items = subsets(points, strength);
    let within = |block: &Vec<usize>| {
        let is_within = |item: &[usize]| item.iter().all(|point| block.contains(point));
        (0..items.len()).filter(|&item| is_within(&items[item])).collect::<Vec<_>>()
    };
    problem(items.len(), 0, &subsets(points, block).iter().map(within).collect::<Vec<_>>())
}

pub(super) fn partitions(points: usize, sizes: impl Iterator<Item = usize>) -> Problem {
    problem(points, 0, &sizes.flat_map(|size| subsets(points, size)).collect::<Vec<_>>())
}

fn count(part: &Weighted) -> BigUint {
    let limits = Limits::default();
    Symmetry::of_likeness(0.0, part, &alone(), &mut free())
        .unwrap()
        .run(&mut Budget::new(&limits, u64::MAX, BYTES))
        .unwrap()
}

fn check(problem: &Problem, expected: u128) {
    let mut random = Random::new(7);
    for problem in [problem, &shuffled(problem, &mut random)] {
        let parts = Parts::new(problem, &[], &Limits::default()).unwrap().unwrap();
        let total: BigUint = parts.parts.iter().map(count).product();
        assert_eq!(total * parts.factor(), expected.into());
        assert_eq!(count(&Weighted::whole(problem)), expected.into());
    }
}

#[test]
fn latin_squares_are_counted() {
    for (order, expected) in [(1, 1), (2, 2), (3, 12), (4, 576), (5, 161_280), (6, 812_851_200)] {
        check(&latin(order), expected);
    }
}

#[test]
fn latin_squares_of_order_7_are_counted() {
    check(&latin(7), 61_479_419_904_000);
}

fn latin_below_a_row(order: usize) -> Problem {
    let (square, all) = (order * order, latin(order as u32));
    let items = |option| all.option(option).iter().map(|entry| entry.item.index()).collect::<Vec<_>>();
    // The first row is fixed: each value is in the column with its number.
    let is_left = |items: &Vec<usize>| items[0] >= order || items[1] - square == items[0];
    problem(3 * square, 0, &all.options().map(items).filter(is_left).collect::<Vec<_>>())
}

#[test]
fn latin_squares_whose_first_row_is_given_are_counted() {
    for (order, expected) in [(4, 24), (5, 1344), (6, 1_128_960)] {
        check(&latin_below_a_row(order), expected);
    }
}

#[test]
fn the_branching_order_finishes_copies_one_by_one_in_the_same_order() {
    let mut random = Random::new(11);
    for problem in [latin(5), latin(6), latin_below_a_row(6), latin_below_a_row(7)] {
        for problem in [shuffled(&problem, &mut random), problem] {
            let symmetry =
                Symmetry::of_likeness(0.0, &Weighted::whole(&problem), &alone(), &mut free()).unwrap();
            let super::Ground { copies, places, .. } = &symmetry.ground;
            let mut items: Vec<usize> =
                (0..places.len()).filter(|&item| copies.has(item as u32)).collect();
            items.sort_unstable_by_key(|&item| places[item]);
            let of_copies: Vec<Vec<usize>> = items
                .chunk_by(|&a, &b| copies.of_item(a) == copies.of_item(b))
                .map(|items| items.iter().map(|&item| copies.model(item)).collect())
                .collect();
            assert!(copies.len() >= 5 && of_copies.len() == copies.len());
            for items in &of_copies {
                let others = of_copies[0].iter().filter(|&&item| item != items[0]);
                assert!(others.eq(&items[1..]), "{of_copies:?}");
            }
        }
    }
}

#[test]
fn small_sudokus_are_counted() {
    check(&sudoku(2, 2), 288);
    check(&sudoku(2, 3), 28_200_960);
}

#[test]
fn designs_are_counted() {
    check(&designs(7, 3, 2), 30);
    check(&designs(8, 3, 2), 0);
    check(&designs(9, 3, 2), 840);
    check(&designs(13, 3, 2), 1_197_504_000);
    check(&designs(13, 4, 2), 1_108_800);
    check(&designs(8, 4, 3), 30);
    check(&designs(10, 4, 3), 2520);
}

#[test]
fn partitions_are_counted() {
    check(&partitions(30, [2].into_iter()), 6_190_283_353_629_375);
    check(&partitions(9, 1..10), 21_147);
    check(&partitions(12, [3].into_iter()), 15_400);
    check(&partitions(11, [3].into_iter()), 0);
}

#[test]
fn a_problem_without_primary_items_has_one_cover() {
    check(&problem(0, 2, &[vec![0], vec![1]]), 1);
    assert_eq!(count(&Weighted::whole(&problem(1, 0, &[]))), BigUint::ZERO);
}

pub(super) fn enumerated(part: &Weighted) -> BigUint {
    let mut total = BigUint::ZERO;
    let mut naive = Naive::new(&part.problem);
    naive.search(&[], &Limits::default(), &mut |cover| {
        total +=
            cover.iter().map(|option| BigUint::from(part.weights[option.index()])).product::<BigUint>();
        std::ops::ControlFlow::Continue(())
    });
    total
}

/// Several copies of one piece, some of them shuffled, connected by some options.
fn random_part(random: &mut Random) -> Weighted {
    let (copies, size) = (1 + random.below(4), 1 + random.below(4));
    let secondary = random.below(3);
    let primary = copies * size;
    let mut options = Vec::new();
    for _ in 0..1 + random.below(2 * size) {
        let piece: Vec<_> = (0..size).filter(|_| random.below(2) == 0).collect();
        if piece.is_empty() {
            continue;
        }
        let shared = (random.below(3) == 0 && secondary > 0).then(|| primary + random.below(secondary));
        let skipped = random.below(3 * copies);
        for copy in (0..copies).filter(|&copy| copy != skipped) {
            let items = piece.iter().map(|&item| copy * size + item);
            options.push(items.chain(shared).collect());
        }
    }
    for _ in 0..random.below(2 * copies) {
        let mut option: Vec<_> =
            (0..primary + secondary).filter(|_| random.below(primary) < 2).collect();
        option.truncate(5);
        options.push(option);
    }
    options.retain(|option: &Vec<usize>| option.iter().any(|&item| item < primary));
    let part = shuffled(&problem(primary, secondary, &options), random);
    let mut part = Weighted::whole(&part);
    if random.below(2) == 0 {
        part.weights.iter_mut().for_each(|weight| *weight = 1 + random.below(3) as u64);
    }
    if random.below(8) == 0 {
        part.weights.iter_mut().for_each(|weight| *weight <<= 61);
    }
    part
}

#[test]
fn random_parts_are_counted_as_by_enumeration() {
    let mut random = Random::new(1);
    let mut positive = 0;
    for _ in 0..4000 {
        let part = random_part(&mut random);
        let expected = enumerated(&part);
        positive += u32::from(expected > BigUint::from(1u8));
        let limits = Limits::default();
        let mut symmetry = Symmetry::of_likeness(0.0, &part, &alone(), &mut free()).unwrap();
        let bytes = if random.below(2) == 0 { BYTES } else { symmetry.bytes() + 1000 };
        let total = loop {
            match symmetry.run(&mut Budget::new(&limits, 2000, bytes)) {
                Ok(total) => break total,
                Err(cut) => assert_eq!(cut, Cut::Work),
            }
        };
        assert_eq!(total, expected, "{:?} {:?}", part.problem, part.weights);
        let again = symmetry.run(&mut Budget::new(&limits, 2000, bytes));
        assert_eq!(again, Ok(expected), "a total stays");
    }
    assert!(positive > 1000, "{positive}");
}

#[test]
fn counts_may_exceed_128_bits() {
    let part = {
        let mut part = Weighted::whole(&latin(3));
        part.weights.fill(u64::MAX);
        part
    };
    assert_eq!(count(&part), BigUint::from(12u8) * BigUint::from(u64::MAX).pow(9));
}

#[test]
fn an_interrupted_count_resumes() {
    let part = Weighted::whole(&latin(6));
    let limits = Limits::default();
    let mut symmetry = Symmetry::new(&part, &alone(), &mut free()).unwrap();
    let mut cuts = 0;
    let total = loop {
        match symmetry.run(&mut Budget::new(&limits, 100_000, BYTES)) {
            Ok(total) => break total,
            Err(cut) => assert_eq!(cut, Cut::Work),
        }
        cuts += 1;
    };
    assert_eq!(total, BigUint::from(812_851_200u32));
    assert!((10..1000).contains(&cuts), "{cuts}");
}

/// Returns the forecasts of the total work after slices whose work doubles, as multiples of the
/// actual work.
fn foreseen(problem: &Problem) -> Vec<f64> {
    let part = Weighted::whole(problem);
    let (limits, cores) = (Limits::default(), alone());
    let mut symmetry = Symmetry::new(&part, &cores, &mut free()).unwrap();
    let mut totals = Vec::new();
    for doubling in 0..30 {
        let mut budget = Budget::new(&limits, 100_000 << doubling, usize::MAX);
        if symmetry.run(&mut budget).is_ok() {
            break;
        }
        let times = symmetry.times_left();
        totals.extend(times.map(|times| (1.0 + times) * symmetry.first.work() as f64));
    }
    totals.into_iter().map(|total| total / symmetry.first.work() as f64).collect()
}

#[test]
fn forecasts_of_the_total_work_are_never_far_too_low() {
    for problem in [latin(6), latin(7), sudoku(2, 3), designs(13, 3, 2)] {
        let factors = foreseen(&problem);
        assert!(factors.iter().all(|&factor| factor > 0.5), "{factors:?}");
        assert!(factors.last().is_some_and(|&last| last < 200.0), "{factors:?}");
    }
}

#[test]
fn walks_on_several_cores_compute_the_same_count() {
    let mut random = Random::new(13);
    for helpers in 1..4 {
        let cores = Cores::new(helpers);
        let mut parts = vec![Weighted::whole(&latin(7)), Weighted::whole(&designs(13, 3, 2))];
        parts.push(Weighted::whole(&shuffled(&latin(6), &mut random)));
        parts.extend((0..200).map(|_| random_part(&mut random)));
        for part in parts {
            let expected = count(&part);
            let limits = Limits::default();
            for (work, bytes) in [(u64::MAX, BYTES), (5_000_000, BYTES), (u64::MAX, 1 << 20)] {
                let mut symmetry = Symmetry::of_likeness(0.0, &part, &cores, &mut free()).unwrap();
                symmetry.alone = 1 + random.below(2000) as u64;
                let bytes = bytes + symmetry.bytes();
                let total = loop {
                    match symmetry.run(&mut Budget::new(&limits, work, bytes)) {
                        Ok(total) => break total,
                        Err(cut) => assert_eq!(cut, Cut::Work),
                    }
                    assert!(symmetry.known() <= expected);
                };
                assert_eq!(total, expected, "{:?} {:?}", part.problem, part.weights);
                assert!(symmetry.memo_bytes() <= bytes);
            }
        }
        assert_eq!(cores.idle(), helpers, "all are given back");
    }
}

#[test]
fn counting_by_layers_agrees_with_the_depth_first_walk() {
    let mut random = Random::new(17);
    let mut parts = vec![Weighted::whole(&latin(6)), Weighted::whole(&designs(9, 3, 1))];
    parts.push(Weighted::whole(&shuffled(&latin(5), &mut random)));
    parts.extend((0..1500).map(|_| random_part(&mut random)));
    for part in parts {
        let expected = count(&part);
        let limits = Limits::default();
        let cores = Cores::new(random.below(3));
        let mut symmetry = Symmetry::of_likeness(0.0, &part, &cores, &mut free()).unwrap();
        symmetry.alone = 1 + random.below(2000) as u64;
        symmetry.backwards = [0, 300, 30_000][random.below(3)];
        if symmetry.backwards == 0 {
            let often = 1 + random.below(4);
            let pays = (0..=part.problem.item_count()).map(|_| random.below(often) == 0).collect();
            symmetry.layers = Some(Layers::new(&symmetry.ground, pays));
        }
        // Without enough memory for layers, the count returns to the depth-first walk.
        let room = if random.below(4) == 0 { 1000 } else { BYTES };
        let (work, bytes) = (1 + random.below(100_000) as u64, room + symmetry.bytes());
        let total = loop {
            match symmetry.run(&mut Budget::new(&limits, work, bytes)) {
                Ok(total) => break total,
                Err(cut) => assert_eq!(cut, Cut::Work),
            }
            assert!(symmetry.known() <= expected);
        };
        assert_eq!(total, expected, "{:?} {:?}", part.problem, part.weights);
    }
}

#[test]
fn a_count_that_starts_layers_has_enough_memory_for_them() {
    let part = Weighted::whole(&latin(6));
    let limits = Limits::default();
    let mut symmetry = Symmetry::new(&part, &alone(), &mut free()).unwrap();
    symmetry.backwards = 30_000;
    let total = symmetry.run(&mut Budget::new(&limits, u64::MAX, BYTES));
    assert_eq!(total, Ok(812_851_200_u32.into()));
    assert!(symmetry.layers.is_some(), "it has not gone back");
}

#[test]
fn a_count_saved_at_any_time_can_be_resumed() {
    let mut random = Random::new(23);
    let mut problems = vec![latin(5), latin(6), designs(9, 3, 1), shuffled(&latin(6), &mut random)];
    problems.extend((0..300).map(|_| random_part(&mut random).problem));
    let limits = Limits::default();
    let (mut kept, mut taken) = (0, 0);
    for problem in problems {
        let cores = Cores::new(random.below(3));
        let begin = |backwards| {
            let mut count = LayeredCount::new(&problem, &[], &cores, &limits).unwrap()?;
            count.forwards_after(backwards);
            Some(count)
        };
        let backwards = [1, 300, 30_000][random.below(3)];
        let (Some(mut count), Some(part)) =
            (begin(backwards), Parts::new(&problem, &[], &limits).unwrap())
        else {
            continue;
        };
        taken += 1;
        let expected = part.parts.iter().map(super::tests::count).product::<BigUint>() * part.factor();
        let total = loop {
            let most = 300_000 >> random.below(12);
            let work = 1 + random.below(most) as u64;
            if let Some(total) = count.go_on(&limits, work).unwrap() {
                break total;
            }
            assert!(count.known() <= expected);
            let Some(head) = count.head().filter(|_| random.below(2) == 0) else { continue };
            let blocks = count.blocks();
            assert_eq!(blocks.len(), head.blocks());
            count = begin(backwards).unwrap();
            // A damaged or incomplete state is refused, and the count is unchanged.
            if let Some(block) = blocks.first() {
                let mut torn = blocks.clone();
                torn[0][random.below(block.len())] ^= 1;
                assert!(count.resume(&head, torn.into_iter().map(Ok)).is_err());
                assert!(count.resume(&head, blocks[1..].iter().cloned().map(Ok)).is_err());
            }
            count.resume(&head, blocks.into_iter().map(Ok)).unwrap();
            kept += 1;
        };
        assert_eq!(total, expected, "{problem:?}");
    }
    assert!(kept > 20 && taken > 50, "{kept} times, {taken} problems");
}

#[test]
fn a_memory_limit_does_not_change_the_count() {
    let part = Weighted::whole(&latin(5));
    let limits = Limits::default();
    let mut symmetry = Symmetry::new(&part, &alone(), &mut free()).unwrap();
    assert_eq!(symmetry.run(&mut Budget::new(&limits, u64::MAX, 1000)), Err(Cut::Memory));
    let bytes = symmetry.bytes() + 10_000;
    let total = symmetry.run(&mut Budget::new(&limits, u64::MAX, bytes));
    assert_eq!(total, Ok(BigUint::from(161_280u32)));
    assert!(symmetry.form_count() < 30);
}

#[test]
fn parts_with_colors_bounds_or_dissimilar_items_are_unsuited() {
    let part = |text: &str| Weighted::whole(&text.parse().unwrap());
    for text in ["a b | x\na x:red\nb x:red\n", "1:2|a b\na\nb\na b\n"] {
        assert_eq!(
            Symmetry::new(&part(text), &alone(), &mut free()).err(),
            Some(Cut::Unsuited),
            "{text}"
        );
    }
    let path =
        problem(9, 0, &(0..8).map(|item| vec![item, item + 1]).chain([vec![0]]).collect::<Vec<_>>());
    assert_eq!(
        Symmetry::new(&Weighted::whole(&path), &alone(), &mut free()).err(),
        Some(Cut::Unsuited)
    );
    assert_eq!(
        Symmetry::new(&Weighted::whole(&latin(4)), &alone(), &mut free()).unwrap().likeness(),
        48.0
    );
}

fn form(part: &Weighted) -> Vec<u64> {
    let tables = PartTables::new(part, &free()).unwrap();
    let mut former = FormBuilder::new(&tables);
    former.load_plain(&tables, &tables.options().collect::<Vec<_>>());
    former.form(&tables).to_vec()
}

#[test]
fn small_graphs_have_as_many_canonical_forms_as_isomorphism_classes() {
    // Graphs without isolated vertices, where vertices are items and edges are options. The number
    // of these graphs up to isomorphism is sequence A002494.
    let mut random = Random::new(3);
    for (count, expected) in [(2, 1), (3, 2), (4, 7), (5, 23), (6, 122)] {
        let edges = subsets(count, 2);
        let mut forms = HashSet::new();
        for graph in 0u32..1 << edges.len() {
            let chosen: Vec<_> = (0..edges.len())
                .filter(|edge| graph >> edge & 1 == 1)
                .map(|e| edges[e].clone())
                .collect();
            if (0..count).any(|vertex| !chosen.iter().any(|edge| edge.contains(&vertex))) {
                continue;
            }
            let graph = problem(count, 0, &chosen);
            if count < 6 || random.below(8) == 0 {
                let copy = Weighted::whole(&shuffled(&graph, &mut random));
                forms.insert(form(&copy));
            } else {
                forms.insert(form(&Weighted::whole(&graph)));
            }
        }
        assert_eq!(forms.len(), expected, "{count}");
    }
}

#[test]
fn shuffled_problems_have_the_same_canonical_form() {
    let mut random = Random::new(5);
    let problems =
        [latin(5), sudoku(2, 2), designs(9, 3, 2), designs(8, 4, 3), partitions(12, [2].into_iter())];
    for problem in problems {
        let expected = form(&Weighted::whole(&problem));
        for _ in 0..5 {
            assert_eq!(form(&Weighted::whole(&shuffled(&problem, &mut random))), expected);
        }
    }
}

/// The smallest description of a part over all permutations of its items.
fn least_description(part: &Weighted) -> (Vec<bool>, Vec<(u64, u64)>) {
    let problem = &part.problem;
    let count = problem.item_count();
    let mut orders = vec![Vec::new()];
    for _ in 0..count {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            let rest = (0..count).filter(|item| !order.contains(item)).collect::<Vec<_>>();
            rest.into_iter().map(move |item| [&order[..], &[item]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let describe = |names: Vec<usize>| {
        let mut kinds = vec![false; count];
        problem.items().for_each(|item| kinds[names[item.index()]] = problem.is_primary(item));
        let set = |option: OptionId| {
            problem.option(option).iter().map(|entry| 1 << names[entry.item.index()]).sum::<u64>()
        };
        let weigh = |option: OptionId| (set(option), part.weights[option.index()]);
        let mut options: Vec<_> = problem.options().map(weigh).collect();
        options.sort_unstable();
        (kinds, options)
    };
    orders.into_iter().map(describe).min().unwrap()
}

#[test]
fn small_parts_have_equal_canonical_forms_exactly_when_they_are_isomorphic() {
    let mut random = Random::new(9);
    let mut form_of = HashMap::new();
    let mut part_of = HashMap::new();
    for _ in 0..6000 {
        let primary = 1 + random.below(4);
        let secondary = random.below(5 - primary);
        let likely = 1 + random.below(7);
        let sets = (1..1usize << (primary + secondary)).filter(|set| set % (1 << primary) != 0);
        let sets: Vec<_> = sets.filter(|_| random.below(8) < likely).collect();
        let has = |set: usize, item: usize| set >> item & 1 == 1;
        let uses = |item: usize| sets.iter().filter(|&&set| has(set, item)).count();
        if (0..primary + secondary).any(|item| uses(item) < 1 + usize::from(item >= primary)) {
            continue;
        }
        let items = |&set: &usize| (0..primary + secondary).filter(|&item| has(set, item)).collect();
        let options: Vec<_> = sets.iter().map(items).collect();
        let mut part = Weighted::whole(&shuffled(&problem(primary, secondary, &options), &mut random));
        if random.below(3) == 0 {
            part.weights.iter_mut().for_each(|weight| *weight = 1 + random.below(2) as u64);
        }
        let (form, part) = (form(&part), least_description(&part));
        assert_eq!(form_of.entry(part.clone()).or_insert_with(|| form.clone()), &form, "{part:?}");
        assert_eq!(part_of.entry(form).or_insert_with(|| part.clone()), &part);
    }
    assert!(part_of.len() > 500, "{}", part_of.len());
}

#[test]
fn items_whose_options_differ_in_weight_are_not_interchangeable() {
    let mut random = Random::new(11);
    for _ in 0..100 {
        let sizes = if random.below(2) == 0 { 2..3 } else { 1..4 };
        let mut part = Weighted::whole(&partitions(6, sizes));
        for _ in 0..1 + random.below(6) {
            let option = random.below(part.weights.len());
            part.weights[option] = 2 + random.below(2) as u64;
        }
        assert_eq!(count(&part), enumerated(&part));
    }
}

/// The numbers 1 to 4, three of each, are divided into triples with sum 7 or 8.
fn triples() -> Problem {
    let pairs = (0..12).flat_map(|b| (0..b).map(move |a| (a, b)));
    let all = pairs.flat_map(|(a, b)| (b + 1..12).map(move |c| vec![a, b, c]));
    let sum = |items: &[usize]| items.iter().map(|item| 1 + item / 3).sum::<usize>();
    problem(12, 0, &all.filter(|items| (7..=8).contains(&sum(items))).collect::<Vec<_>>())
}

#[test]
fn the_twin_share_is_the_share_of_interchangeable_items() {
    let share = |problem: &Problem| {
        let part = Weighted::whole(problem);
        Symmetry::new(&part, &alone(), &mut free()).unwrap().twin_share()
    };
    let problem = triples();
    assert_eq!(share(&problem), 1.0);
    assert_eq!(share(&latin(4)), 0.0);
    let expected = Naive::new(&problem).count(&[], &Limits::default()).solutions;
    check(&problem, expected.into());
}

#[test]
fn the_number_of_reachable_item_sets_up_to_interchangeable_items_is_exact() {
    let mut random = Random::new(5);
    for items in 2..11 {
        let kinds = 1 + random.below(3);
        let sizes = kinds..kinds + 1 + random.below(3);
        let problem = partitions(items, sizes.clone());
        let mut symmetry = Symmetry::new(&Weighted::whole(&problem), &alone(), &mut free()).unwrap();
        let sets = symmetry.ground.twins.set_count(&symmetry.ground.tables, &mut free()).unwrap();
        let mut reached = vec![false; items];
        reached.push(true);
        for left in (0..items).rev() {
            reached[left] = sizes.clone().any(|size| left + size <= items && reached[left + size]);
        }
        let reached = reached.into_iter().filter(|&is_reached| is_reached).count();
        assert_eq!(sets, Some(reached), "{items} {sizes:?}");
        let foreseen = symmetry.work_left();
        symmetry.run(&mut free()).unwrap();
        assert!(symmetry.ground.sets_seen.len() <= reached);
        assert!(symmetry.first.work() as f64 <= 2.0 * foreseen.unwrap(), "{items} {sizes:?}");
    }
    // The first problem has no interchangeable items, and the second has too many classes of them.
    let (path, many) = (rows(&[5]), rows(&[2; 20]));
    for problem in [path, many] {
        let symmetry =
            Symmetry::of_likeness(0.0, &Weighted::whole(&problem), &alone(), &mut free()).unwrap();
        assert_eq!(symmetry.work_left(), None);
    }
}

#[test]
fn set_systems_have_as_many_canonical_forms_as_isomorphism_classes() {
    // Families of sets that cover all numbers, up to isomorphism: sequence A055621.
    for (count, expected) in [(1, 1), (2, 4), (3, 34), (4, 1952)] {
        let sets: Vec<Vec<usize>> = (1..=count).flat_map(|size| subsets(count, size)).collect();
        let mut forms = HashSet::new();
        for system in 0u32..1 << sets.len() {
            let chosen = (0..sets.len()).filter(|set| system >> set & 1 == 1);
            let options: Vec<_> = chosen.map(|set| sets[set].clone()).collect();
            if (0..count).all(|item| options.iter().any(|option| option.contains(&item))) {
                forms.insert(form(&Weighted::whole(&problem(count, 0, &options))));
            }
        }
        assert_eq!(forms.len(), expected, "{count}");
    }
}

#[test]
fn counts_do_not_overflow() {
    let mut number = CoverCount::Small(u128::MAX);
    number.add(&CoverCount::ONE);
    number.add(&CoverCount::ONE);
    assert_eq!(BigUint::from(&number), (BigUint::from(1u8) << 128) + 1u8);
    number.multiply(&CoverCount::Small(1 << 100));
    assert_eq!(BigUint::from(&number), (BigUint::from(1u8) << 228) + (BigUint::from(1u8) << 100));
}

#[test]
fn a_memo_drops_entries_beyond_its_memory_limit() {
    let memo = Memo::default();
    memo.limit(20_000);
    for key in 0..1000u64 {
        memo.insert(&[key, !key], key.into());
        assert_eq!(memo.get(&[key, !key]), Some(key.into()));
        assert_eq!(memo.get(&[key, key]), None);
    }
    assert!((90..200).contains(&memo.len()), "{}", memo.len());
}

//! Compares frontier counts with a naive search, for one worker and several, and tests each
//! technique that reduces the number of states.

use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::beam::SampledSizes;
use super::order::{candidates, given};
use super::{Effort, Frontier, states_left_by_sample};
use crate::engine::Naive;
use crate::limits::Limits;
use crate::model::samples::{latin, neighbors, queens, rows};
use crate::model::{ItemId, Problem, ProblemBuilder};
use crate::numbers::Random;
use crate::parallel::Cores;
use crate::portfolio::budget::free;
use crate::portfolio::{Budget, Cut};
use crate::prepare::Weighted;
use crate::search::Engine;

/// Returns the sum over all covers of the product of their weights, by naive search.
fn oracle(weighted: &Weighted) -> BigUint {
    let mut sum = BigUint::default();
    Naive::new(&weighted.problem).search(&[], &Limits::default(), &mut |cover| {
        let weights = cover.iter().map(|option| BigUint::from(weighted.weights[option.index()]));
        sum += weights.product::<BigUint>();
        ControlFlow::Continue(())
    });
    sum
}

/// Counts with `idle` idle cores and `work` units of work per slice. During some slices other jobs
/// occupy cores.
fn count(weighted: &Weighted, order: &[ItemId], idle: usize, work: u64) -> (BigUint, Effort) {
    count_within(weighted, order, idle, work, usize::MAX)
}

fn count_within(
    weighted: &Weighted,
    order: &[ItemId],
    idle: usize,
    work: u64,
    bytes: usize,
) -> (BigUint, Effort) {
    let (limits, cores) = (Limits::default(), Cores::new(idle));
    let mut frontier = Frontier::new(weighted, order, &cores, None, &mut free()).unwrap();
    for slice in 0.. {
        let busy = (0..if slice % 3 == 2 { idle } else { slice % 2 }).map(|_| cores.occupy());
        let busy: Vec<_> = busy.collect();
        let result = frontier.run(&mut Budget::new(&limits, work, bytes));
        drop(busy);
        assert_eq!(cores.idle(), idle);
        match result {
            Ok(count) => return (count, frontier.effort()),
            Err(Cut::Work) => {}
            Err(cut) => panic!("{cut:?}"),
        }
    }
    unreachable!("there is no last slice")
}

/// Builds a problem of trains on one line. Each train takes one of several departures and passes
/// four blocks in turn.
fn trains(count: usize, departures: usize, random: &mut Random) -> Problem {
    let mut builder = ProblemBuilder::new();
    let trains: Vec<_> =
        (0..count).map(|train| builder.primary(&format!("t{train}")).unwrap()).collect();
    let blocks: Vec<Vec<_>> = (0..4)
        .map(|block| {
            let at = |time: usize| builder.secondary(&format!("b{block}.{time}")).unwrap();
            (0..3 * count + departures + 8).map(at).collect()
        })
        .collect();
    for &train in &trains {
        let (begin, is_back) = (random.below(3 * count), random.below(2) == 1);
        for departure in 0..departures {
            let at = |step: usize| {
                let block = if is_back { 3 - step } else { step };
                let time = begin + departure + 2 * step;
                [blocks[block][time], blocks[block][time + 1]]
            };
            builder.option((0..4).flat_map(at).chain([train])).unwrap();
        }
    }
    builder.build()
}

#[test]
fn one_worker_and_several_workers_count_random_problems_correctly() {
    let mut random = Random::new(11);
    for round in 0..1500 {
        let problem = if round % 10 == 0 {
            trains(2 + random.below(4), 1 + random.below(5), &mut random)
        } else {
            neighbors(&mut random, 14, 40)
        };
        let mut weighted = Weighted::whole(&problem);
        for weight in &mut weighted.weights {
            *weight = [1, 1 + random.below(5) as u64, 1 << 50][round % 3];
        }
        let expected = oracle(&weighted);
        let mut orders = vec![given(&problem)];
        orders.extend(candidates(&problem, &mut free()).unwrap().into_iter().map(|order| order.items));
        for order in orders.into_iter().filter(|order| !order.is_empty()).take(3) {
            for idle in 0..4 {
                let work = [u64::MAX, 1 + random.below(5000) as u64][random.below(2)];
                let (count, _) = count(&weighted, &order, idle, work);
                assert_eq!(count, expected, "{round} {idle}");
            }
        }
    }
}

#[test]
fn a_sample_estimates_the_number_of_remaining_states() {
    let mut random = Random::new(4);
    let problems = [queens(8), queens(9), latin(4), rows(&[9, 9, 9]), trains(6, 7, &mut random)];
    for problem in problems {
        let weighted = Weighted::whole(&problem);
        let order = given(&problem);
        let (expected, whole) = count(&weighted, &order, 0, u64::MAX);
        let limits = Limits::default();
        for work in [1000, 100_000, 1_000_000] {
            let cores = Cores::new(0);
            let mut frontier = Frontier::new(&weighted, &order, &cores, None, &mut free()).unwrap();
            let result = frontier.run(&mut Budget::new(&limits, work, usize::MAX));
            let left = (whole.states - frontier.effort().states) as f64;
            if result.is_ok() || left < 200.0 {
                continue;
            }
            for beam in [256, 1 << 16] {
                frontier.sample(beam, &mut free()).unwrap();
                let told = frontier.states_left();
                let most = if frontier.is_seen() { 3.0 * left } else { f64::INFINITY };
                assert!((left / 3.0..most).contains(&told), "{problem:?}: {told} of {left}");
                assert!(frontier.is_seen() || beam == 256);
            }
            assert_eq!(frontier.run(&mut free()).unwrap(), expected, "{problem:?}");
        }
    }
}

#[test]
fn an_underestimate_of_recent_layers_scales_up_the_later_ones() {
    let sample = SampledSizes { states: vec![1.0, 9.0, 20.0, 30.0], is_seen: false };
    assert_eq!(states_left_by_sample(&sample, &[1, 39, 0, 0], 2), 4.0 * 50.0);
    assert_eq!(states_left_by_sample(&sample, &[1, 4, 0, 0], 2), 50.0);
    assert_eq!(states_left_by_sample(&sample, &[1, 9999, 0, 0], 2), 16.0 * 50.0);
    assert_eq!(states_left_by_sample(&sample, &[1, 9, 20, 30], 4), 0.0);
}

#[test]
fn the_best_order_of_trains_that_share_only_secondary_items_has_few_states() {
    let mut random = Random::new(3);
    for _ in 0..4 {
        let problem = trains(12, 8, &mut random);
        let weighted = Weighted::whole(&problem);
        let best = candidates(&problem, &mut free()).unwrap().swap_remove(0);
        let of_best = count(&weighted, &best.items, 0, u64::MAX);
        let of_given = count(&weighted, &given(&problem), 0, u64::MAX);
        assert_eq!(of_best.0, of_given.0);
        let (few, many) = (of_best.1.states, of_given.1.states);
        assert!(10 * few < many, "{few} states instead of {many}");
    }
}

#[test]
fn states_merge_when_a_secondary_item_is_in_no_remaining_option() {
    // The options of `c` contain `x`, `y` or `z`. A state with `z` taken excludes both options with
    // `x` and `y`, so it no longer matters whether `x` and `y` are taken.
    let text = "a b c | x y z\na x z\na y z\na z\nb\nc x z\nc y z\nc\n";
    let problem: Problem = text.parse().unwrap();
    let (count, effort) = count(&Weighted::whole(&problem), &given(&problem), 0, u64::MAX);
    assert_eq!(count, 3u32.into());
    assert_eq!(effort.states, 3, "one state before each item");
}

fn with_weights(problem: &Problem, most: usize, random: &mut Random) -> Weighted {
    let mut weighted = Weighted::whole(problem);
    weighted.weights.iter_mut().for_each(|weight| *weight = 1 + random.below(most) as u64);
    weighted
}

/// Builds the problem of tiling a board with trominoes of both shapes.
fn trominoes(height: usize, width: usize) -> Problem {
    const SHAPES: [[(usize, usize); 3]; 6] = [
        [(0, 0), (0, 1), (0, 2)],
        [(0, 0), (1, 0), (2, 0)],
        [(0, 0), (0, 1), (1, 0)],
        [(0, 0), (0, 1), (1, 1)],
        [(0, 0), (1, 0), (1, 1)],
        [(0, 1), (1, 0), (1, 1)],
    ];
    let mut builder = ProblemBuilder::new();
    let name = |cell: usize| format!("r{}c{}", cell / width, cell % width);
    let cells: Vec<_> = (0..height * width).map(|cell| builder.primary(&name(cell)).unwrap()).collect();
    for cell in 0..height * width {
        for shape in SHAPES {
            let at = shape.map(|(row, column)| (cell / width + row, cell % width + column));
            if at.iter().all(|&(row, column)| row < height && column < width) {
                builder.option(at.map(|(row, column)| cells[row * width + column])).unwrap();
            }
        }
    }
    builder.build()
}

#[test]
fn mirrored_states_are_merged_unless_their_options_differ_in_weight() {
    let mut random = Random::new(2);
    for (height, width) in [(4, 6), (6, 4), (5, 6), (6, 5), (7, 3)] {
        let problem = trominoes(height, width);
        let mut weighted = Weighted::whole(&problem);
        let expected = oracle(&weighted);
        let order = given(&problem);
        let mut states = 0;
        for idle in 0..4 {
            for work in [u64::MAX, 1 + random.below(5000) as u64] {
                let (result, effort) = count(&weighted, &order, idle, work);
                assert_eq!(result, expected, "{height} {width} {idle} {work}");
                states = effort.states;
            }
        }
        weighted = with_weights(&problem, 1000, &mut random);
        let (result, effort) = count(&weighted, &order, 0, u64::MAX);
        assert_eq!(result, oracle(&weighted), "{height} {width}");
        assert!(height < 5 || 5 * states < 4 * effort.states, "{states} of {}", effort.states);
        for option in problem.options() {
            let place = |entry: &crate::model::Entry| entry.item.index();
            let sum = problem.option(option).iter().map(place).sum::<usize>();
            weighted.weights[option.index()] = 1 + (2 * sum).abs_diff(3 * (height * width - 1)) as u64;
        }
        assert_eq!(count(&weighted, &order, 0, u64::MAX).0, oracle(&weighted), "{height} {width}");
    }
}

#[test]
fn additional_checks_prune_states_where_an_item_of_the_window_has_no_option() {
    // Without closer checks there are 283,367 states.
    let problem = trominoes(4, 12);
    let weighted = with_weights(&problem, 1000, &mut Random::new(3));
    let (_, effort) = count(&weighted, &given(&problem), 0, u64::MAX);
    assert!(effort.states < 260_000, "{} states", effort.states);
}

#[test]
fn dead_ends_are_pruned_at_steps_with_more_than_64_choices() {
    let mut random = Random::new(8);
    for round in 0..6 {
        let mut builder = ProblemBuilder::new();
        let items: Vec<_> = (0..11).map(|item| builder.primary(&format!("i{item}")).unwrap()).collect();
        // Random sets of three or four items; the first three items are in up to 165, 120 and 84 of
        // these sets.
        let has_size = |set: &usize| (3..=4).contains(&set.count_ones());
        let mut sets: Vec<usize> = (1_usize..1 << 11).filter(has_size).collect();
        random.shuffle(&mut sets);
        sets.truncate(sets.len() * (9 - round) / 9);
        for set in sets {
            let members = items.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
            builder.option(members.map(|(_, &item)| item)).unwrap();
        }
        let problem = builder.build();
        let weighted = with_weights(&problem, 9, &mut random);
        let (count, _) = count(&weighted, &given(&problem), round % 2, u64::MAX);
        assert_eq!(count, oracle(&weighted), "{round}");
    }
}

/// Builds a board that is mirror symmetric except for some entries and weights, where some items
/// are secondary or have bounds. Also adds `in_use` items whose fields are in use from the first
/// step to the last.
fn mirrored(random: &mut Random, in_use: usize) -> Weighted {
    let mut builder = ProblemBuilder::new();
    let mut weights = Vec::new();
    let first = builder.primary("first").unwrap();
    let colors = ["red", "blue"].map(|name| builder.color(name).unwrap());
    let (height, width) = (2 + random.below(4), 2 + random.below(3));
    let mirror = |cell: usize| cell / width * width + width - 1 - cell % width;
    // Each item is primary, bounded or secondary; the kinds are usually mirror symmetric.
    let others = random.below(4);
    let mut kinds: Vec<usize> = (0..height * width)
        .map(|_| if random.below(6) == 0 && others & 1 == 1 { 1 + random.below(2) } else { 0 })
        .collect();
    for cell in 0..kinds.len() {
        if random.below(40) > 0 {
            kinds[cell] = kinds[cell.max(mirror(cell))];
        }
    }
    let mut item = |(cell, &kind): (usize, &usize)| {
        let name = format!("r{}c{}", cell / width, cell % width);
        match kind {
            0 => builder.primary(&name),
            1 => builder.bounded(&name, 0, 1 + (others / 2) as u32),
            _ => builder.secondary(&name),
        }
    };
    let items: Vec<_> = kinds.iter().enumerate().map(|cell| item(cell).unwrap()).collect();
    let last: Vec<_> =
        (0..in_use).map(|index| builder.primary(&format!("l{index}")).unwrap()).collect();
    let links: Vec<_> =
        (0..=in_use).map(|index| builder.secondary(&format!("n{index}")).unwrap()).collect();
    let singles = (0..items.len()).filter(|_| random.below(3) > 0).map(|cell| vec![cell]);
    let mut shapes: Vec<Vec<usize>> = singles.collect();
    for _ in 0..4 + random.below(6) {
        let at = random.below(items.len());
        let near = [at, at + 1, at + width, at + width + 1, at + 2].map(|cell| cell % items.len());
        let mut shape: Vec<_> = (0..2 + random.below(2)).map(|_| near[random.below(5)]).collect();
        shape.sort_unstable();
        shape.dedup();
        shapes.push(shape);
    }
    for shape in shapes {
        let color = random.below(3);
        let weight = 1 + random.below(3) as u64;
        let mut image: Vec<_> = shape.iter().map(|&cell| mirror(cell)).collect();
        image.sort_unstable();
        let is_alone = image == shape || random.below(40) == 0;
        for cells in [shape, image].into_iter().take(if is_alone { 1 } else { 2 }) {
            let entry = |cell: usize| match (kinds[cell], colors.get(color)) {
                (2, Some(&color)) => items[cell].with(color),
                _ => items[cell].into(),
            };
            builder.option(cells.into_iter().map(entry)).unwrap();
            weights.push(weight + u64::from(random.below(60) == 0));
        }
    }
    builder.option([first]).unwrap();
    builder.option(last.iter().copied().chain([first])).unwrap();
    for (index, &item) in last.iter().enumerate() {
        let links = [index, index + 1].map(|index| links[index].with(colors[0]));
        builder.option([item.into()].into_iter().chain(links)).unwrap();
    }
    weights.resize(weights.len() + 2 + in_use, 1);
    Weighted { weights, ..Weighted::whole(&builder.build()) }
}

#[test]
fn nearly_mirror_symmetric_boards_are_counted_correctly() {
    let mut random = Random::new(5);
    for round in 0..100 {
        let in_use = [0, 0, 50 + random.below(14), 110 + random.below(20)][round % 4];
        // The `in_use` items can be covered in exactly two ways, for any `in_use`.
        let expected = oracle(&mirrored(&mut random.clone(), 0));
        let weighted = mirrored(&mut random, in_use);
        let order = given(&weighted.problem);
        for idle in [0, 1 + round % 3] {
            let work = [u64::MAX, 1 + random.below(5000) as u64][random.below(2)];
            let (count, effort) = count(&weighted, &order, idle, work);
            assert_eq!(count, expected, "{round} {idle}: {:?}", weighted.problem);
            assert!(expected == BigUint::ZERO || effort.width >= in_use);
        }
    }
}

#[test]
fn problems_with_more_than_64_options_per_step_are_counted_correctly() {
    let mut random = Random::new(6);
    for round in 0..8 {
        let mut builder = ProblemBuilder::new();
        let items: Vec<_> = (0..3).map(|item| builder.primary(&format!("i{item}")).unwrap()).collect();
        let name = |item: usize| format!("s{item}");
        let others = 10 + random.below(90);
        let others: Vec<_> = (0..others).map(|item| builder.secondary(&name(item)).unwrap()).collect();
        let colors = ["red", "blue"].map(|name| builder.color(name).unwrap());
        for (item, most) in items.into_iter().zip([80, 2, 90]) {
            for _ in 0..most / 2 + random.below(most / 2 + 1) {
                let start = random.below(others.len());
                let entries = (0..random.below(others.len() / 4)).map(|place| {
                    let other = others[(start + 3 * place) % others.len()];
                    colors.get(random.below(3)).map_or(other.into(), |&color| other.with(color))
                });
                let entries: Vec<crate::model::Entry> = entries.collect();
                builder.option(entries.into_iter().chain([item.into()])).unwrap();
            }
        }
        let problem = builder.build();
        let weighted = with_weights(&problem, 9, &mut random);
        let expected = oracle(&weighted);
        let (count, _) = count(&weighted, &given(&problem), round % 2, u64::MAX);
        assert_eq!(count, expected, "{round}");
    }
}

#[test]
fn a_count_that_sets_states_aside_is_correct_with_any_number_of_workers() {
    let mut random = Random::new(7);
    let mut splits = [0; 4];
    for round in 0..30 {
        let problem = match round % 3 {
            0 => trominoes(4 + random.below(2), 3 + random.below(4)),
            1 => trains(3 + random.below(3), 1 + random.below(5), &mut random),
            _ => neighbors(&mut random, 14, 60),
        };
        let weighted = with_weights(&problem, 1000, &mut random);
        let order = given(&problem);
        let (expected, _) = count(&weighted, &order, 0, u64::MAX);
        for (idle, splits) in splits.iter_mut().enumerate() {
            let work = [u64::MAX, 1 + random.below(5000) as u64][random.below(2)];
            let bytes = [1, 1 << random.below(20)][random.below(2)];
            let (count, effort) = count_within(&weighted, &order, idle, work, bytes);
            assert_eq!(count, expected, "{round} {idle} {bytes}");
            *splits += effort.splits;
        }
    }
    assert!(splits.iter().all(|&splits| splits > 30), "{splits:?}");
}

/// Builds a matrix whose rows take columns, where columns of one group are interchangeable except
/// for some options and weights. Rows and columns have various bounds.
fn matrix(random: &mut Random) -> Weighted {
    let mut builder = ProblemBuilder::new();
    let mut weights = Vec::new();
    let bounded = |builder: &mut ProblemBuilder, name: &str, kind: usize| match kind {
        0 => builder.primary(name),
        1 => builder.secondary(name),
        _ => builder.bounded(name, kind as u32 / 3, kind as u32 / 2 + 1),
    };
    let rows: Vec<_> = (0..2 + random.below(2))
        .map(|row| bounded(&mut builder, &format!("r{row}"), 2 * random.below(3)).unwrap())
        .collect();
    let kinds = [random.below(6), random.below(6)];
    let columns: Vec<_> = (0..3 + random.below(3))
        .map(|column| bounded(&mut builder, &format!("c{column}"), kinds[column % 2]).unwrap())
        .collect();
    let breaks = [0, 12][random.below(2)];
    let is_broken = |random: &mut Random| breaks > 0 && random.below(breaks) == 0;
    for &row in &rows {
        let group_weights = [1 + random.below(3) as u64, 1 + random.below(3) as u64];
        let has_pairs = random.below(3) == 0;
        for (place, &column) in columns.iter().enumerate() {
            if !is_broken(random) {
                builder.option([row, column]).unwrap();
                weights.push(group_weights[place % 2] + u64::from(is_broken(random)));
            }
            for other in (place % 2..place).step_by(2).filter(|_| has_pairs) {
                builder.option([row, column, columns[other]]).unwrap();
                weights.push(1 + u64::from(is_broken(random)));
            }
        }
    }
    Weighted { weights, ..Weighted::whole(&builder.build()) }
}

#[test]
fn matrices_with_nearly_interchangeable_columns_are_counted_correctly() {
    let mut random = Random::new(8);
    for round in 0..200 {
        let weighted = matrix(&mut random);
        let mut order = given(&weighted.problem);
        if round % 3 == 0 {
            random.shuffle(&mut order);
        }
        let expected = oracle(&weighted);
        for idle in 0..2 {
            let work = [u64::MAX, 1 + random.below(5000) as u64][random.below(2)];
            let (count, _) = count(&weighted, &order, idle, work);
            assert_eq!(count, expected, "{round} {idle}: {:?}", weighted.problem);
        }
    }
}

#[test]
fn interchangeable_columns_share_their_states() {
    let items = |name: &str| (0..9).map(|index| format!("3|{name}{index} ")).collect::<String>();
    let options = (0..81).map(|cell| format!("\nr{} c{}", cell / 9, cell % 9));
    let text = items("r") + &items("c") + &options.collect::<String>();
    let weighted = Weighted::whole(&text.parse().unwrap());
    // The number of 9x9 matrices of zeros and ones with sums of 3: OEIS A001501.
    let (count, effort) = count(&weighted, &given(&weighted.problem), 0, u64::MAX);
    assert_eq!(count, BigUint::from(12_025_780_892_160_u64));
    assert!(effort.states < 20_000, "{effort:?}");
}

//! Compares random networks of all rules with a brute-force search that evaluates the definition of
//! each rule.

use std::collections::BTreeSet;

use digits::{
    DigitSet, End, Limit, Limits, Network, NetworkBuilder, Search, StepResult, TrueCandidates, WalkStep,
};
use fastrand::Rng;

/// The definition of a rule, as a predicate on filled cells.
type Meaning = Box<dyn Fn(&[usize]) -> bool>;

fn solutions(network: &Network) -> BTreeSet<Vec<usize>> {
    let mut search = Search::new(network);
    let mut all = BTreeSet::new();
    loop {
        match search.step() {
            StepResult::End => break,
            StepResult::Nothing => {}
            StepResult::Solution => {
                let digits =
                    search.digits().iter().map(|digit| digit.trailing_zeros() as usize).collect();
                assert!(all.insert(digits), "each solution is found once");
            }
        }
        assert!((0.0..=1.0).contains(&search.fraction()));
    }
    assert!((search.fraction() - 1.0).abs() < 1e-9, "all of the tree is done: {}", search.fraction());
    all
}

/// Returns all fillings of the cells that satisfy all definitions, by brute force.
fn fillings(cells: usize, order: usize, meanings: &[Meaning]) -> BTreeSet<Vec<usize>> {
    let all = (0..order.pow(cells as u32)).map(|number| {
        (0..cells).map(|cell| number / order.pow(cell as u32) % order).collect::<Vec<_>>()
    });
    all.filter(|digits| meanings.iter().all(|is_met| is_met(digits))).collect()
}

/// Compares the true candidates of a network, and the counts up to a limit, with its solutions. The
/// search is sometimes interrupted and continued.
fn check_candidates(
    random: &mut Rng,
    network: &Network,
    expected: &BTreeSet<Vec<usize>>,
    order: usize,
) {
    let limit = random.choice([1, 2, 5, 1000]).expect("a limit");
    let mut candidates = TrueCandidates::new(network).up_to(limit);
    if random.bool() {
        let end = candidates.search(network, &Limits::new().nodes(random.u64(0..20)));
        assert!(matches!(end, End::Exhausted | End::Limit(Limit::Nodes)));
        check_counts(&candidates, expected, order, limit, end == End::Exhausted);
    }
    assert_eq!(candidates.search(network, &Limits::new()), End::Exhausted);
    check_counts(&candidates, expected, order, limit, true);
}

fn check_counts(
    candidates: &TrueCandidates,
    expected: &BTreeSet<Vec<usize>>,
    order: usize,
    limit: u32,
    is_done: bool,
) {
    let cells = expected.first().map_or(0, Vec::len);
    for (cell, digit) in (0..cells).flat_map(|cell| (0..order).map(move |digit| (cell, digit))) {
        let all = expected.iter().filter(|solution| solution[cell] == digit).count();
        let count = candidates.count(cell, digit) as usize;
        assert!(count <= all && (!is_done || count >= all.min(limit as usize)), "{count} of {all}");
        assert!(!candidates.is_exact(cell, digit) || count == all, "{count} of {all}");
        assert_eq!(candidates.digits(cell) >> digit & 1 == 1, count > 0);
        let is_unknown = candidates.unknown(cell) >> digit & 1 == 1;
        assert!(!is_unknown || !is_done && count == 0, "{count} of {all}");
        assert!(count > 0 || is_unknown || all == 0, "a refuted candidate has no solution");
    }
}

fn some_cells(random: &mut Rng, cells: usize, count: usize) -> Vec<usize> {
    random.choose_multiple(0..cells, count.min(cells))
}

fn add_rule(random: &mut Rng, builder: &mut NetworkBuilder, cells: usize, order: usize) -> Meaning {
    let any = ((1_u32 << order) - 1) as DigitSet;
    let are_different = |digits: &[usize], cells: &[usize]| {
        cells.iter().map(|&cell| digits[cell]).collect::<BTreeSet<_>>().len() == cells.len()
    };
    match random.u8(0..14) {
        0 => {
            let (cell, digits) = (random.usize(..cells), random.u16(1..=any));
            builder.keep(cell, digits);
            Box::new(move |all| digits >> all[cell] & 1 == 1)
        }
        1 => {
            let some = some_cells(random, cells, order);
            builder.differ(&some);
            Box::new(move |all| are_different(all, &some))
        }
        2 => {
            let pair = [random.usize(..cells), random.usize(..cells)];
            let rows: Vec<DigitSet> = match random.u8(0..4) {
                0 => (0..order).map(|digit| 1 << digit).collect(),
                1 => (0..order).map(|digit| any & !(1 << digit)).collect(),
                _ => (0..order).map(|_| random.u16(0..=any)).collect(),
            };
            builder.pair(pair[0], pair[1], |one, other| rows[one] >> other & 1 == 1);
            Box::new(move |all| rows[all[pair[0]]] >> all[pair[1]] & 1 == 1)
        }
        3 => {
            let count = random.usize(1..=order);
            let some = some_cells(random, cells, count);
            let sets: Vec<DigitSet> = (0..=any)
                .filter(|set| set.count_ones() as usize == some.len() && random.bool())
                .collect();
            builder.differ(&some);
            builder.sets(&some, sets.clone());
            Box::new(move |all| {
                let set = some.iter().fold(0, |set, &cell| set | 1 << all[cell]);
                are_different(all, &some) && sets.contains(&set)
            })
        }
        4 | 5 => {
            let count = random.usize(0..=cells);
            let is_plain = random.bool();
            let mut factor = || if is_plain { 1 } else { random.i32(-2..=3) };
            let factors: Vec<i32> = (0..count).map(|_| factor()).collect();
            // The same cell may occur twice in a rule.
            let some: Vec<usize> = if random.u8(0..4) == 0 {
                (0..count).map(|_| random.usize(..cells)).collect()
            } else {
                some_cells(random, cells, count)
            };
            let of_digit = |_: &usize| random.i32(0..order as i32);
            let guess: Vec<i32> = some.iter().map(of_digit).collect();
            let sum: i32 = guess.iter().zip(&factors).map(|(digit, factor)| digit * factor).sum();
            let terms: Vec<(usize, i32)> = some.into_iter().zip(factors).collect();
            builder.sum(terms.iter().copied(), sum);
            Box::new(move |all| {
                terms.iter().map(|&(cell, factor)| all[cell] as i32 * factor).sum::<i32>() == sum
            })
        }
        7 => {
            let count = random.usize(1..=order.min(cells));
            let groups = [some_cells(random, cells, count), some_cells(random, cells, count)];
            groups.iter().for_each(|cells| builder.differ(cells));
            builder.same(&groups[0], &groups[1]);
            Box::new(move |all| {
                let sets = groups
                    .each_ref()
                    .map(|cells| cells.iter().map(|&cell| all[cell]).collect::<BTreeSet<_>>());
                groups.iter().all(|cells| are_different(all, cells)) && sets[0] == sets[1]
            })
        }
        9 | 10 => {
            let count = random.usize(1..=order.min(cells));
            let some = some_cells(random, cells, count);
            let sets: Vec<DigitSet> = (0..=any).filter(|_| random.u8(0..3) > 0).collect();
            let ends: Vec<usize> = random.choose_multiple(0..order, 2);
            let ends = ends.iter().fold(0, |ends, end| ends | 1 << end);
            let ends = if order == 1 || random.bool() { 0 } else { ends };
            builder.differ(&some);
            builder.between(&some, ends, &sets);
            Box::new(move |all| {
                let digits: Vec<usize> = some.iter().map(|&cell| all[cell]).collect();
                let extremes = [digits.iter().min(), digits.iter().max()];
                let is_end = |digit: &usize| match ends {
                    0 => extremes.contains(&Some(digit)),
                    _ => ends >> digit & 1 == 1,
                };
                let places: Vec<usize> =
                    (0..digits.len()).filter(|&place| is_end(&digits[place])).collect();
                let [first, last] = places[..] else { return false };
                let set = digits[first + 1..last].iter().fold(0, |set, digit| set | 1 << digit);
                are_different(all, &some) && sets.contains(&set)
            })
        }
        6 => {
            let count = random.usize(1..=cells);
            let some = some_cells(random, cells, count);
            let counts: Vec<u128> = (0..order).map(|_| random.u128(..) | random.u128(..)).collect();
            builder.often(&some, counts.clone());
            Box::new(move |all| {
                let often = |digit| some.iter().filter(|&&cell| all[cell] == digit).count();
                counts.iter().enumerate().all(|(digit, counts)| counts >> often(digit) & 1 == 1)
            })
        }
        11 => {
            let count = random.usize(1..=cells.min(5));
            let some = some_cells(random, cells, count);
            let is_apart = random.bool();
            let mut kinds: Vec<Vec<DigitSet>> = Vec::new();
            for _ in 0..random.usize(1..=some.len().min(4)) {
                let free = |place: usize| match is_apart {
                    true => any & !kinds.iter().fold(0, |taken, kind| taken | kind[place]),
                    false => any,
                };
                kinds.push((0..some.len()).map(|place| free(place) & random.u16(0..=any)).collect());
            }
            builder.each_of(&some, &kinds);
            Box::new(move |all| {
                let has = |(&cell, set): (&usize, &DigitSet)| set >> all[cell] & 1 == 1;
                kinds.iter().all(|kind| some.iter().zip(kind).any(has))
            })
        }
        13 => {
            let count = random.usize(1..=order.min(cells));
            let some = some_cells(random, cells, count);
            let mut number = 0;
            let sets: Vec<Option<(usize, Vec<DigitSet>)>> = (0..order)
                .map(|digit| {
                    number = (number + random.usize(0..2)).min(count - 1);
                    let fits =
                        |set: &DigitSet| set.count_ones() as usize == number && set >> digit & 1 == 0;
                    let sets = (0..=any).filter(fits).filter(|_| random.bool()).collect();
                    (random.u8(0..5) > 0).then_some((number, sets))
                })
                .collect();
            builder.differ(&some);
            builder.prefix(&some, sets.clone());
            Box::new(move |all| {
                let Some((number, sets)) = &sets[all[some[0]]] else { return false };
                let set = some[1..=*number].iter().fold(0, |set, &cell| set | 1 << all[cell]);
                are_different(all, &some) && sets.contains(&set)
            })
        }
        12 => {
            let count = random.usize(1..=cells);
            let some = some_cells(random, cells, count);
            let is_loop = random.bool();
            let (first, sum) = (random.usize(usize::from(is_loop)..3), random.usize(1..8));
            assert!(builder.runs(&some, first as u32, sum as u32, is_loop), "sums are small");
            Box::new(move |all| {
                let digits: Vec<usize> = some.iter().map(|&cell| all[cell] + first).collect();
                let starts = if is_loop { digits.len() } else { 1 };
                (0..starts).any(|start| {
                    let mut run = 0;
                    let line = digits[start..].iter().chain(&digits[..start]);
                    let is_short = line.fold(true, |is_short, digit| {
                        run += digit;
                        let is_short = is_short && run <= sum;
                        run = if run == sum { 0 } else { run };
                        is_short
                    });
                    is_short && run == 0
                })
            })
        }
        _ => {
            let count = random.usize(1..=cells);
            let some = some_cells(random, cells, count);
            let states: Vec<u16> = (0..=some.len()).map(|_| random.u16(1..=70)).collect();
            let steps: Vec<Vec<WalkStep>> = (0..some.len())
                .map(|place| {
                    let step = |from: u16, digit: usize| {
                        let to = random.u16(..states[place + 1]);
                        (random.u8(0..3) > 0).then_some(WalkStep { from, digits: 1 << digit, to })
                    };
                    let froms =
                        (0..states[place]).flat_map(|from| (0..order).map(move |digit| (from, digit)));
                    let mut step = step;
                    froms.filter_map(|(from, digit)| step(from, digit)).collect()
                })
                .collect();
            builder.walk(&some, 1, steps.clone());
            Box::new(move |all| {
                some.iter()
                    .zip(&steps)
                    .try_fold(0, |state, (&cell, steps)| {
                        let leads =
                            |step: &&WalkStep| step.from == state && step.digits >> all[cell] & 1 == 1;
                        steps.iter().find(leads).map(|step| step.to)
                    })
                    .is_some()
            })
        }
    }
}

#[test]
fn random_networks_match_brute_force() {
    let mut random = Rng::with_seed(1);
    let (mut some, mut none) = (0, 0);
    for round in 0..3000 {
        let (cells, order) = [(6, 3), (5, 4), (4, 5), (7, 2), (1, 16), (6, 3), (13, 2)][round % 7];
        let mut builder = NetworkBuilder::new(cells, order).expect("it is small");
        let count = random.usize(1..6);
        let meanings: Vec<Meaning> =
            (0..count).map(|_| add_rule(&mut random, &mut builder, cells, order)).collect();
        let expected = fillings(cells, order, &meanings);
        let network = builder.build();
        let found = solutions(&network);
        assert!(found == expected, "round {round}: {} of {}", found.len(), expected.len());
        check_candidates(&mut random, &network, &expected, order);
        some += usize::from(!expected.is_empty());
        none += usize::from(expected.is_empty());
    }
    assert!(some > 500 && none > 200, "{some} with solutions, {none} without");
}

#[test]
fn latin_squares_are_counted() {
    // The counts of Latin squares are from OEIS A002860.
    for (order, count) in [(1, 1), (2, 2), (3, 12), (4, 576), (5, 161_280)] {
        let mut builder = NetworkBuilder::new(order * order, order).expect("it is small");
        for line in 0..order {
            let row: Vec<usize> = (0..order).map(|place| line * order + place).collect();
            let column: Vec<usize> = (0..order).map(|place| place * order + line).collect();
            builder.differ(&row);
            builder.differ(&column);
        }
        let network = builder.build();
        assert_eq!(network.cell_count(), order * order);
        let mut search = Search::new(&network);
        let mut found = 0;
        loop {
            match search.step() {
                StepResult::End => break,
                StepResult::Nothing => {}
                StepResult::Solution => found += 1,
            }
        }
        assert_eq!(found, count, "order {order}, {} nodes", search.nodes());
    }
}

#[test]
fn known_solutions_and_refuted_candidates_stay_when_clues_are_added() {
    let mut random = Rng::with_seed(3);
    let mut reused = 0;
    for _ in 0..100 {
        let mut clues: Vec<(usize, usize)> = Vec::new();
        let network = |clues: &[(usize, usize)]| {
            let mut builder = NetworkBuilder::sudoku(2, 2).expect("it is small");
            builder.cage(&[0, 5, 10], 7);
            clues.iter().for_each(|&(cell, digit)| builder.clue(cell, digit + 1));
            builder.build()
        };
        let mut networks = vec![network(&clues)];
        for _ in 0..3 {
            clues.push((random.usize(..16), random.usize(..4)));
            networks.push(network(&clues));
        }
        let mut candidates = TrueCandidates::new(&networks[0]).up_to(3);
        assert_eq!(candidates.search(&networks[0], &Limits::new()), End::Exhausted);
        for network in &networks[1..] {
            let expected = solutions(network);
            // Nothing is searched, but known solutions are tested.
            candidates.search(network, &Limits::new().nodes(0));
            check_counts(&candidates, &expected, 4, 3, false);
            reused += usize::from(candidates.solutions().next().is_some());
            assert_eq!(candidates.search(network, &Limits::new()), End::Exhausted);
            check_counts(&candidates, &expected, 4, 3, true);
            assert!(!expected.is_empty() || (0..16).all(|cell| candidates.digits(cell) == 0));
        }
    }
    assert!(reused > 50, "{reused} with known solutions");
}

#[test]
fn networks_with_too_many_cells_or_digits_are_refused() {
    assert!(NetworkBuilder::new(digits::CELLS_MAX + 1, 4).is_none());
    assert!(
        NetworkBuilder::new(4, digits::ORDER_MAX + 1).is_none() && NetworkBuilder::new(4, 0).is_none()
    );
}

#[test]
fn a_small_sudoku_with_long_sums_has_the_expected_solutions() {
    let with_houses = || {
        let mut builder = NetworkBuilder::new(16, 4).expect("it is small");
        for house in 0..4 {
            let cells = |cell: &dyn Fn(usize) -> usize| (0..4).map(cell).collect::<Vec<_>>();
            builder.differ(&cells(&|place| 4 * house + place));
            builder.differ(&cells(&|place| 4 * place + house));
            builder.differ(&cells(&|place| {
                8 * (house / 2) + 2 * (house % 2) + 4 * (place / 2) + place % 2
            }));
        }
        builder
    };
    let grids = solutions(&with_houses().build());
    assert_eq!(grids.len(), 288);
    let mut random = Rng::with_seed(2);
    let mut several = 0;
    for _ in 0..300 {
        let grid = grids.iter().nth(random.usize(..grids.len())).expect("a grid");
        let mut cells: Vec<usize> = (0..16).collect();
        random.shuffle(&mut cells);
        let (first, second) = (random.usize(5..9), random.usize(5..8));
        let mut parts =
            vec![cells[..first].to_vec(), cells[first..first + second].to_vec(), cells[11..].to_vec()];
        parts.truncate(random.usize(1..4));
        let mut builder = with_houses();
        let sum =
            |grid: &Vec<usize>, part: &Vec<usize>| part.iter().map(|&cell| grid[cell]).sum::<usize>();
        for part in &parts {
            builder.sum(part.iter().map(|&cell| (cell, 1)), sum(grid, part) as i32);
        }
        let fits = |other: &&Vec<usize>| parts.iter().all(|part| sum(other, part) == sum(grid, part));
        let expected: BTreeSet<Vec<usize>> = grids.iter().filter(fits).cloned().collect();
        assert_eq!(solutions(&builder.build()), expected);
        several += usize::from(expected.len() > 1);
    }
    assert!(several > 50, "{several} with several grids");
}

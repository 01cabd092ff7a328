//! Problems that the tests of several modules share.

use super::{Entry, Problem, ProblemBuilder};
use crate::numbers::Random;

/// Builds separate rows of items, where an option covers one item or two adjacent items. The number
/// of covers of a row is a Fibonacci number.
pub(crate) fn rows(counts: &[usize]) -> Problem {
    let mut builder = ProblemBuilder::new();
    for (row, &count) in counts.iter().enumerate() {
        let item = |index| builder.primary(&format!("{row}.{index}")).unwrap();
        let items: Vec<_> = (0..count).map(item).collect();
        for index in 0..count {
            builder.option([items[index]]).unwrap();
            if let Some(&next) = items.get(index + 1) {
                builder.option([items[index], next]).unwrap();
            }
        }
    }
    builder.build()
}

/// Builds the problem of Latin squares of an order, with an item for each cell, each row and value,
/// and each column and value.
pub(crate) fn latin(order: u32) -> Problem {
    let square = order * order;
    let option = |place: u32| {
        let (row, column, value) = (place / square, place / order % order, place % order);
        [row * order + column, square + row * order + value, 2 * square + column * order + value]
    };
    Problem::from_sets(3 * square as usize, (0..square * order).map(option)).expect("sets of items")
}

/// Builds problems whose first choices include isomorphic ones, and `count` random problems.
pub(crate) fn problems_with_isomorphic_choices(random: &mut Random, count: usize) -> Vec<Problem> {
    let mut problems = vec![latin(3), latin(4), rows(&[3, 3, 3]), rows(&[6, 5, 4])];
    problems.extend((5..9).map(queens));
    problems.extend((0..count).map(|_| neighbors(random, 10, 14)));
    problems
}

/// Builds a random problem whose items form a row. Some items are secondary and some have bounds.
/// Options contain nearby items; some have colors, and some are equal.
pub(crate) fn neighbors(random: &mut Random, items: u64, options: u64) -> Problem {
    let mut draw = |count: u64| random.next_u64() % count;
    let mut builder = ProblemBuilder::new();
    let count = 2 + draw(items - 1) as usize;
    let has_bounds = draw(3) == 0;
    let has_secondary = draw(3) == 0;
    let mut items = Vec::new();
    for index in 0..count {
        let name = format!("i{index}");
        let item = match draw(8) {
            0 if has_secondary => builder.secondary(&name).map(|item| (item, true)),
            1 if has_bounds => builder.bounded(&name, 0, 1 + draw(3) as u32).map(|item| (item, false)),
            _ => builder.primary(&name).map(|item| (item, false)),
        };
        items.push(item.unwrap());
    }
    let colors = ["red", "blue"].map(|name| builder.color(name).unwrap());
    for _ in 0..draw(options) {
        let (at, size) = (draw(count as u64) as usize, 1 + draw(3) as usize);
        let mut places: Vec<_> = (0..size).map(|_| (at + draw(4) as usize) % count).collect();
        places.sort_unstable();
        places.dedup();
        let entries = places.into_iter().map(|place| match items[place] {
            (item, true) if draw(2) == 0 => item.with(colors[draw(2) as usize]),
            (item, _) => Entry::from(item),
        });
        let entries: Vec<_> = entries.collect();
        builder.option(entries).unwrap();
    }
    builder.build()
}

/// Builds the queens problem, with diagonals as secondary items.
pub(crate) fn queens(size: usize) -> Problem {
    let mut builder = ProblemBuilder::new();
    let mut items = |kind: &str, count: usize, is_primary: bool| -> Vec<_> {
        let names = (0..count).map(|index| format!("{kind}{index}"));
        names
            .map(|name| {
                if is_primary { builder.primary(&name) } else { builder.secondary(&name) }.unwrap()
            })
            .collect()
    };
    let (rows, columns) = (items("r", size, true), items("c", size, true));
    let (up, down) = (items("u", 2 * size - 1, false), items("d", 2 * size - 1, false));
    for row in 0..size {
        for column in 0..size {
            let diagonals = [up[row + column], down[row + size - 1 - column]];
            builder.option([rows[row], columns[column]].into_iter().chain(diagonals)).unwrap();
        }
    }
    builder.build()
}

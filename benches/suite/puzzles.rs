//! Packings of random pieces, logic puzzles with colored items, and schedules.

use std::collections::BTreeSet;

use dlx::{Problem, Random};

use super::Draft;

type Cube = [usize; 3];

fn fields(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// Tilings of a square by oblongs (rectangles that are not squares) of distinct dimensions (OEIS
/// A360498).
pub(super) fn oblongs(size: &[usize]) -> Problem {
    let side = size[0];
    let mut draft = Draft::default();
    for (height, width) in fields(side + 1, side + 1).filter(|(height, width)| height != width) {
        for (top, left) in fields(side + 1 - height, side + 1 - width) {
            if height * width > 0 {
                let kind = format!("?{}x{}", height.min(width), height.max(width));
                let cells: String = fields(height, width)
                    .map(|(row, column)| format!(" {}.{}", top + row, left + column))
                    .collect();
                draft.option(&(kind + &cells));
            }
        }
    }
    draft.done()
}

/// Returns the 24 rotations of a set of cubes, each moved to the origin, without repetitions.
fn rotations(piece: &BTreeSet<Cube>) -> BTreeSet<BTreeSet<Cube>> {
    let mut all = BTreeSet::new();
    for axes in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]] {
        let swaps = [(0, 1), (0, 2), (1, 2)].iter().filter(|(a, b)| axes[*a] > axes[*b]).count();
        for signs in 0..8_u32 {
            if (signs.count_ones() as usize + swaps).is_multiple_of(2) {
                let turned = piece.iter().map(|cube| {
                    std::array::from_fn(|axis| {
                        let place = cube[axes[axis]];
                        if signs >> axis & 1 == 1 { 64 - place } else { place }
                    })
                });
                all.insert(at_origin(&turned.collect()));
            }
        }
    }
    all
}

fn at_origin(cubes: &BTreeSet<Cube>) -> BTreeSet<Cube> {
    let low: Cube = std::array::from_fn(|axis| cubes.iter().map(|cube| cube[axis]).min().unwrap_or(0));
    cubes.iter().map(|cube| std::array::from_fn(|axis| cube[axis] - low[axis])).collect()
}

/// Adds an option for each rotation and place of a piece in a box.
pub(super) fn place_piece(draft: &mut Draft, piece: &BTreeSet<Cube>, sides: Cube, name: &str) {
    for turned in rotations(piece) {
        let far: Cube =
            std::array::from_fn(|axis| turned.iter().map(|cube| cube[axis]).max().unwrap_or(0));
        if (0..3).any(|axis| far[axis] >= sides[axis]) {
            continue;
        }
        let [x, y, z]: Cube = std::array::from_fn(|axis| sides[axis] - far[axis]);
        for (right, (back, up)) in (0..x).flat_map(|right| fields(y, z).map(move |rest| (right, rest)))
        {
            let cells: String = turned
                .iter()
                .map(|cube| format!(" {}.{}.{}", cube[0] + right, cube[1] + back, cube[2] + up))
                .collect();
            draft.option(&format!("{name}{cells}"));
        }
    }
}

/// A box filled by random connected pieces of four to six cubes, which are then taken out.
pub(super) fn filled_boxes(size: &[usize]) -> Problem {
    let &[x, y, z, seed] = size else { unreachable!("four numbers") };
    let random = &mut Random::new(seed as u64);
    let mut free: BTreeSet<Cube> =
        (0..x).flat_map(|a| fields(y, z).map(move |(b, c)| [a, b, c])).collect();
    let mut pieces: Vec<BTreeSet<Cube>> = Vec::new();
    let near = |a: &Cube, b: &Cube| (0..3).map(|axis| a[axis].abs_diff(b[axis])).sum::<usize>() == 1;
    while let Some(first) = free.pop_first() {
        let mut piece = BTreeSet::from([first]);
        let wanted = 4 + random.below(3);
        while piece.len() < wanted {
            let border: Vec<Cube> = free
                .iter()
                .filter(|cube| piece.iter().any(|other| near(cube, other)))
                .copied()
                .collect();
            if border.is_empty() {
                break;
            }
            let next = border[random.below(border.len())];
            free.remove(&next);
            piece.insert(next);
        }
        pieces.push(piece);
    }
    let mut draft = Draft::default();
    for (place, piece) in pieces.iter().enumerate() {
        place_piece(&mut draft, piece, [x, y, z], &format!("piece{place}"));
    }
    draft.done()
}

/// Adds an option for each way to give distinct digits of a fixed sum to cells in colors.
pub(super) fn color_sums(draft: &mut Draft, name: &str, cells: &[String], sum: usize, top: usize) {
    fn fill(draft: &mut Draft, text: &str, cells: &[String], sum: usize, top: usize, used: u64) {
        let Some((cell, rest)) = cells.split_first() else {
            if sum == 0 {
                draft.option(text);
            }
            return;
        };
        for digit in (1..=top.min(sum)).filter(|digit| used >> digit & 1 == 0) {
            fill(draft, &format!("{text} ?{cell}:{digit}"), rest, sum - digit, top, used | 1 << digit);
        }
    }
    fill(draft, name, cells, sum, top, 0);
}

/// Latin squares with cages of one to three cells, whose digits differ and have a given sum.
pub(super) fn cages(size: &[usize]) -> Problem {
    let &[order, seed] = size else { unreachable!("two numbers") };
    let random = &mut Random::new(seed as u64);
    let mut digits: Vec<usize> = (1..=order).collect();
    let mut rows: Vec<usize> = (0..order).collect();
    random.shuffle(&mut digits);
    random.shuffle(&mut rows);
    let digit = |row: usize, column: usize| digits[(rows[row] + column) % order];
    let mut draft = Draft::default();
    for (row, column) in fields(order, order) {
        for digit in 1..=order {
            draft.option(&format!(
                "f{row}.{column} r{row}.{digit} c{column}.{digit} ?{row}.{column}:{digit}"
            ));
        }
    }
    for row in 0..order {
        let mut column = 0;
        while column < order {
            let length = (1 + random.below(3)).min(order - column);
            let cells: Vec<_> = (column..column + length).map(|c| format!("{row}.{c}")).collect();
            let sum = (column..column + length).map(|column| digit(row, column)).sum();
            if length > 1 {
                color_sums(&mut draft, &format!("cage{row}.{column}"), &cells, sum, order);
            }
            column += length;
        }
    }
    draft.done()
}

/// A row of houses, whose values of several attributes differ, with clues that two values are in
/// the same house or side by side.
pub(super) fn houses(size: &[usize]) -> Problem {
    let &[houses, attributes, clues, seed] = size else { unreachable!("four numbers") };
    let random = &mut Random::new(seed as u64);
    let planted: Vec<Vec<usize>> = (0..attributes)
        .map(|_| {
            let mut order: Vec<usize> = (0..houses).collect();
            random.shuffle(&mut order);
            order
        })
        .collect();
    let mut draft = Draft::default();
    for attribute in 0..attributes {
        for (value, house) in fields(houses, houses) {
            draft.option(&format!(
                "v{attribute}.{value} h{attribute}.{house} ?{attribute}.{value}:{house}"
            ));
        }
    }
    for clue in 0..clues {
        let [first, second] = [0; 2].map(|_| (random.below(attributes), random.below(houses)));
        let place = |(attribute, value): (usize, usize)| planted[attribute][value];
        let apart = place(first).abs_diff(place(second));
        if first != second && apart <= 1 {
            for (a, b) in fields(houses, houses).filter(|(a, b)| a.abs_diff(*b) == apart) {
                draft.option(&format!(
                    "clue{clue} ?{}.{}:{a} ?{}.{}:{b}",
                    first.0, first.1, second.0, second.1
                ));
            }
        }
    }
    draft.done()
}

/// Hidato: numbers on a board, where consecutive numbers are in fields that touch. Every `every`th
/// number of a path along the rows is given.
pub(super) fn numbered_paths(size: &[usize]) -> Problem {
    let &[rows, columns, every, is_diagonal] = size else { unreachable!("four numbers") };
    let path: Vec<(usize, usize)> = fields(rows, columns)
        .map(|(row, column)| (row, if row % 2 == 0 { column } else { columns - 1 - column }))
        .collect();
    let is_open = |step: usize, field: (usize, usize)| {
        if step.is_multiple_of(every) {
            path.get(step) == Some(&field)
        } else {
            path.iter().position(|&other| other == field).is_some_and(|place| place % every != 0)
        }
    };
    let mut draft = Draft::default();
    for step in 0..path.len() {
        for field in fields(rows, columns).filter(|&field| is_open(step, field)) {
            let (row, column) = field;
            draft.option(&format!("n{step} f{row}.{column} ?s{step}:{row}.{column}"));
            for next in fields(rows, columns).filter(|&next| is_open(step + 1, next)) {
                let (down, across) = (row.abs_diff(next.0), column.abs_diff(next.1));
                let touches = down + across == 1 || is_diagonal == 1 && down.max(across) == 1;
                if step + 1 < path.len() && touches {
                    let (down, across) = next;
                    draft.option(&format!(
                        "e{step} ?s{step}:{row}.{column} ?s{}:{down}.{across}",
                        step + 1
                    ));
                }
            }
        }
    }
    draft.done()
}

/// Jobs of one to four hours, each on one of the machines that can do it, between random first and
/// last hours.
pub(super) fn jobs(size: &[usize]) -> Problem {
    let &[jobs, machines, hours, seed] = size else { unreachable!("four numbers") };
    let random = &mut Random::new(seed as u64);
    let mut draft = Draft::default();
    for job in 0..jobs {
        let length = 1 + random.below(4);
        let first = random.below(hours - length);
        let last = hours.min(first + length + 3);
        for machine in (0..machines).filter(|_| random.below(3) > 0) {
            for begin in first..=last - length {
                let slots: String =
                    (begin..begin + length).map(|hour| format!(" ?m{machine}.{hour}")).collect();
                draft.option(&format!("job{job}{slots}"));
            }
        }
    }
    draft.done()
}

/// Tilings of a torus by L-shaped trominoes.
pub(super) fn torus(size: &[usize]) -> Problem {
    let &[rows, columns] = size else { unreachable!("two numbers") };
    let mut draft = Draft::default();
    for (row, column) in fields(rows, columns) {
        let square = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)];
        for missing in square {
            let cells: Vec<_> = square
                .iter()
                .filter(|&&cell| cell != missing)
                .map(|(row, column)| format!("{}.{}", row % rows, column % columns))
                .collect();
            draft.option(&cells.join(" "));
        }
    }
    draft.done()
}

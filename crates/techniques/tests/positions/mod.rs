//! Random puzzles and positions on boards of several shapes, for the tests of the techniques.
#![allow(dead_code, reason = "each test uses a part")]

use std::sync::Arc;

use fastrand::Rng;
use techniques::{
    Board, Candidate, Cells, House, HouseKind, Layout, Settings, Step, Technique, find, find_only,
    techniques,
};

/// Returns the layout with rows, columns, boxes with the given name per cell (none: Latin square),
/// and further groups.
pub(crate) fn layout(size: usize, boxes: &str, others: &[Vec<usize>]) -> Arc<Layout> {
    let mut groups = Vec::new();
    let mut add = |kind, name: String, cells: Cells| groups.push(House { kind, name, cells });
    for line in 0..size {
        let row = (0..size).map(|n| line * size + n).collect();
        add(HouseKind::Row, format!("row {}", line + 1), row);
    }
    for line in 0..size {
        let column = (0..size).map(|n| n * size + line).collect();
        add(HouseKind::Column, format!("column {}", line + 1), column);
    }
    let names: Vec<char> = boxes.chars().filter(|letter| !letter.is_whitespace()).collect();
    let mut kinds = names.clone();
    kinds.sort_unstable();
    kinds.dedup();
    for (number, kind) in kinds.iter().enumerate() {
        let cells = (0..size * size).filter(|&cell| names[cell] == *kind).collect();
        add(HouseKind::Box, format!("box {}", number + 1), cells);
    }
    for (number, cells) in others.iter().enumerate() {
        add(HouseKind::Other, format!("group {}", number + 1), cells.iter().copied().collect());
    }
    let symbols = (1..=size).map(|digit| digit.to_string()).collect();
    Arc::new(Layout::new(size, symbols, groups).unwrap())
}

/// Returns the names of the boxes of a regular board.
fn regular(size: usize, rows: usize, columns: usize) -> String {
    (0..size * size)
        .map(|cell| {
            let number = cell / size / rows * (size / columns) + cell % size / columns;
            char::from_digit(number as u32, 36).unwrap()
        })
        .collect()
}

/// Returns boards of all shapes: with boxes, with irregular regions, Latin, with diagonals, with
/// windows, and with pairs of cells that see each other without a common house.
pub(crate) fn layouts() -> Vec<Arc<Layout>> {
    let diagonals =
        vec![(0..9).map(|n| n * 10).collect::<Vec<_>>(), (0..9).map(|n| 8 + n * 8).collect::<Vec<_>>()];
    let window = |row: usize, column: usize| -> Vec<usize> {
        (0..9).map(|n| (row + n / 3) * 9 + column + n % 3).collect()
    };
    let windows = vec![window(1, 1), window(1, 5), window(5, 1), window(5, 5)];
    vec![
        Arc::new(Layout::classic()),
        layout(4, &regular(4, 2, 2), &[]),
        layout(6, &regular(6, 2, 3), &[]),
        layout(5, "AABBB AABBC ADDCC DDECC DEEEE", &[]),
        layout(6, "", &[]),
        layout(9, &regular(9, 3, 3), &diagonals),
        layout(9, &regular(9, 3, 3), &windows),
        layout(6, &regular(6, 2, 3), &[vec![0, 8], vec![4, 12], vec![13, 20, 27], vec![30, 25]]),
    ]
}

/// Returns the number of solutions of a position, at most 2, and the first one found.
pub(crate) fn solve(board: &Board, rng: &mut Rng) -> (usize, Option<Vec<usize>>) {
    let mut count = 0;
    let mut first = None;
    search(board.clone(), rng, &mut count, &mut first);
    (count, first)
}

fn search(mut board: Board, rng: &mut Rng, count: &mut usize, first: &mut Option<Vec<usize>>) {
    loop {
        let Some(cell) = board.open().iter().min_by_key(|&cell| board.marks(cell).len()) else {
            *count += 1;
            let cells = 0..board.layout().cell_count();
            first.get_or_insert_with(|| cells.map(|cell| board.value(cell).unwrap()).collect());
            return;
        };
        let mut marks: Vec<usize> = board.marks(cell).iter().collect();
        if let &[digit] = &marks[..] {
            board.place(Candidate { cell, digit });
            continue;
        }
        rng.shuffle(&mut marks);
        for digit in marks {
            if *count < 2 {
                let mut next = board.clone();
                next.place(Candidate { cell, digit });
                search(next, rng, count, first);
            }
        }
        return;
    }
}

/// Returns a random puzzle with a unique solution, as clues only, and the solution.
pub(crate) fn puzzle(layout: &Arc<Layout>, rng: &mut Rng) -> (Board, Vec<usize>) {
    let (_, solution) = solve(&Board::new(layout), rng);
    let solution = solution.expect("the empty board has a solution");
    let mut clues: Vec<usize> = (0..layout.cell_count()).collect();
    let mut order = clues.clone();
    rng.shuffle(&mut order);
    let make = |clues: &[usize]| {
        let mut board = Board::new(layout);
        clues.iter().for_each(|&cell| board.give(Candidate { cell, digit: solution[cell] }));
        board
    };
    let rest = order.len() / 3;
    if solve(&make(&order[rest..]), rng).0 == 1 {
        clues = order.split_off(rest);
        order = clues.clone();
    }
    for cell in order {
        let fewer: Vec<usize> = clues.iter().copied().filter(|&other| other != cell).collect();
        let board = make(&fewer);
        if solve(&board, rng).0 == 1 {
            clues = fewer;
        }
    }
    (make(&clues), solution)
}

/// Applies a step.
pub(crate) fn apply(board: &mut Board, step: &Step) {
    step.removed.iter().for_each(|&candidate| board.remove(candidate));
    step.placed.iter().for_each(|&candidate| board.place(candidate));
}

/// Calls `visit` with positions of a puzzle: after each of the steps that solve it, each chosen at
/// random, and in between with random wrong candidates removed.
pub(crate) fn positions(
    start: &Board,
    solution: &[usize],
    rng: &mut Rng,
    visit: &mut dyn FnMut(&Board, &mut Rng),
) {
    let limits = limits::Limits::new();
    let mut board = start.clone();
    loop {
        let steps = find(&board, Settings::new(), &limits).unwrap();
        // Placements alone are not worth a visit.
        if steps.first().is_none_or(|step| step.placed.is_empty()) {
            visit(&board, rng);
        }
        let wrong: Vec<Candidate> = board
            .candidates(board.open(), board.layout().digits())
            .filter(|candidate| solution[candidate.cell] != candidate.digit)
            .collect();
        if steps.is_empty() {
            let Some(&first) = rng.choice(&wrong) else { return };
            board.remove(first);
            continue;
        }
        if rng.u8(..4) == 0 && !wrong.is_empty() {
            let mut fewer = board.clone();
            (0..rng.usize(..12)).for_each(|_| fewer.remove(*rng.choice(&wrong).unwrap()));
            visit(&fewer, rng);
        }
        apply(&mut board, rng.choice(&steps).unwrap());
    }
}

/// Returns a grave: the cells in which two random solutions differ, each with both digits, and some
/// extra candidates.
pub(crate) fn grave(layout: &Arc<Layout>, rng: &mut Rng) -> Board {
    let (_, first) = solve(&Board::new(layout), rng);
    let first = first.expect("the empty board has a solution");
    let mut order: Vec<usize> = (0..layout.cell_count()).collect();
    rng.shuffle(&mut order);
    let second = loop {
        let mut fewer = Board::new(layout);
        order.iter().for_each(|&cell| fewer.give(Candidate { cell, digit: first[cell] }));
        match solve(&fewer, rng) {
            (2, Some(second)) if second != first => break second,
            _ => drop(order.pop()),
        }
    };
    let mut board = Board::new(layout);
    let cells = 0..layout.cell_count();
    for cell in cells.clone().filter(|&cell| first[cell] == second[cell]) {
        board.place(Candidate { cell, digit: first[cell] });
    }
    let is_used = |old: &Candidate| [first[old.cell], second[old.cell]].contains(&old.digit);
    let others: Vec<Candidate> =
        board.candidates(board.open(), layout.digits()).filter(|old| !is_used(old)).collect();
    let mut extra: Vec<Candidate> = others.clone();
    rng.shuffle(&mut extra);
    extra.truncate(rng.usize(1..4));
    if rng.bool() {
        let digit = extra.first().map(|candidate| candidate.digit);
        extra.retain(|candidate| Some(candidate.digit) == digit);
    } else if let Some(house) = extra.first().map(|candidate| layout.houses_of(candidate.cell)[0]) {
        let near = |old: &&Candidate| layout.houses()[house].cells.has(old.cell);
        extra = others.iter().filter(near).copied().take(2).collect();
    }
    others.iter().filter(|old| !extra.contains(old)).for_each(|&old| board.remove(old));
    board
}

/// Returns a board whose open cells have random candidates, without any solution in mind.
pub(crate) fn noise(layout: &Arc<Layout>, rng: &mut Rng, density: f64) -> Board {
    let mut board = Board::new(layout);
    let all: Vec<Candidate> =
        board.candidates(board.open(), layout.digits()).filter(|_| rng.f64() > density).collect();
    all.into_iter().for_each(|candidate| board.remove(candidate));
    board
}

/// Returns the technique with a name.
pub(crate) fn technique(name: &str) -> &'static Technique {
    techniques().into_iter().find(|technique| technique.name == name).unwrap()
}

/// Returns all steps of a technique in a position.
pub(crate) fn steps(board: &Board, name: &str) -> Vec<Step> {
    let settings = Settings::new().uniqueness(true);
    find_only(technique(name), board, settings, &limits::Limits::new()).unwrap()
}

/// Reads a line of HoDoKu's library: clues and values, then removed candidates (digit, row,
/// column).
pub(crate) fn read(line: &str) -> Board {
    let fields: Vec<&str> = line.split(':').collect();
    let mut board = Board::new(&Arc::new(Layout::classic()));
    let (mut cell, mut is_placed) = (0, false);
    let mut placed = Vec::new();
    for letter in fields[0].bytes() {
        match letter {
            b'+' => is_placed = true,
            b'1'..=b'9' => {
                let candidate = Candidate { cell, digit: usize::from(letter - b'1') };
                if is_placed {
                    placed.push(candidate);
                } else {
                    board.give(candidate);
                }
                (cell, is_placed) = (cell + 1, false);
            }
            _ => cell += 1,
        }
    }
    placed.into_iter().for_each(|candidate| board.place(candidate));
    candidates(fields[1]).into_iter().for_each(|candidate| board.remove(candidate));
    board
}

/// Reads candidates as digit, row, column.
pub(crate) fn candidates(words: &str) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = words
        .split_whitespace()
        .map(|word| {
            let [digit, row, column] = [0, 1, 2].map(|n| usize::from(word.as_bytes()[n] - b'1'));
            Candidate { cell: row * 9 + column, digit }
        })
        .collect();
    all.sort_unstable();
    all
}

/// Returns the transposed position with digits exchanged as in `digits`.
pub(crate) fn image(board: &Board, digits: &[usize]) -> Board {
    let layout = board.layout();
    let size = layout.size();
    let flip = |cell: usize| cell % size * size + cell / size;
    let groups = layout.houses().iter().map(|house| House {
        kind: match house.kind {
            HouseKind::Row => HouseKind::Column,
            HouseKind::Column => HouseKind::Row,
            kind => kind,
        },
        name: house.name.clone(),
        cells: house.cells.iter().map(flip).collect(),
    });
    // Pairs keep what cells see each other without a common house.
    let pairs = (0..size * size).flat_map(|cell| {
        let houses = layout.houses_of(cell).iter().map(|&house| layout.houses()[house].cells);
        let apart = layout.peers(cell) - houses.fold(Cells::NONE, |all, cells| all | cells);
        apart.iter().filter(move |&other| other > cell).map(move |other| House {
            kind: HouseKind::Other,
            name: "pair".to_owned(),
            cells: Cells::one(flip(cell)) | Cells::one(flip(other)),
        })
    });
    let symbols = (1..=size).map(|digit| digit.to_string()).collect();
    let groups = if size > 2 { groups.chain(pairs).collect() } else { groups.collect() };
    let layout = Arc::new(Layout::new(size, symbols, groups).unwrap());
    let mut image = Board::new(&layout);
    for cell in (0..size * size).filter(|&cell| board.clues().has(cell)) {
        image.give(Candidate { cell: flip(cell), digit: digits[board.value(cell).unwrap()] });
    }
    for cell in (0..size * size).filter(|&cell| !board.clues().has(cell)) {
        if let Some(digit) = board.value(cell) {
            image.place(Candidate { cell: flip(cell), digit: digits[digit] });
        }
    }
    for cell in board.open().iter() {
        for digit in (0..size).filter(|&digit| !board.marks(cell).has(digit)) {
            image.remove(Candidate { cell: flip(cell), digit: digits[digit] });
        }
    }
    image
}

/// Asserts that the steps of a technique do not depend on the numbering of rows, columns, digits.
pub(crate) fn check_invariance(board: &Board, name: &str, rng: &mut Rng) {
    let size = board.layout().size();
    let mut digits: Vec<usize> = (0..size).collect();
    rng.shuffle(&mut digits);
    let other = image(board, &digits);
    let map = |candidates: &[Candidate]| {
        let flip = |cell: usize| cell % size * size + cell / size;
        let mut all: Vec<Candidate> = candidates
            .iter()
            .map(|old| Candidate { cell: flip(old.cell), digit: digits[old.digit] })
            .collect();
        all.sort_unstable();
        all
    };
    let mut expected: Vec<_> = steps(board, name)
        .iter()
        .map(|step| (step.score, map(&step.placed), map(&step.removed)))
        .collect();
    let mut found: Vec<_> =
        steps(&other, name).into_iter().map(|step| (step.score, step.placed, step.removed)).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(expected, found, "{name}");
}

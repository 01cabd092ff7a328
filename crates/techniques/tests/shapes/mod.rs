//! Random positions on boards of many shapes, and their images under symmetries.

use std::collections::BTreeSet;
use std::sync::Arc;

use techniques::{Board, Candidate, Cells, House, HouseKind, Layout, Settings, Step};

/// A position and the solution that it was made from.
pub(crate) struct Position {
    pub(crate) board: Board,
    pub(crate) solution: Vec<usize>,
}

fn house(kind: HouseKind, number: usize, cells: impl Iterator<Item = usize>) -> House {
    House { kind, name: format!("{kind:?} {}", number + 1).to_lowercase(), cells: cells.collect() }
}

fn layout(size: usize, boxes: &[&str], others: &[&[usize]]) -> Arc<Layout> {
    let mut houses = Vec::new();
    for n in 0..size {
        houses.push(house(HouseKind::Row, n, (0..size).map(|k| n * size + k)));
    }
    for n in 0..size {
        houses.push(house(HouseKind::Column, n, (0..size).map(|k| k * size + n)));
    }
    let names: Vec<u8> = boxes.concat().into_bytes();
    for (n, name) in names.iter().collect::<BTreeSet<_>>().into_iter().enumerate() {
        let cells = (0..size * size).filter(|&cell| names[cell] == *name);
        houses.push(house(HouseKind::Box, n, cells));
    }
    for (n, cells) in others.iter().enumerate() {
        houses.push(house(HouseKind::Other, n, cells.iter().copied()));
    }
    assert!(houses.iter().all(|house| house.cells.len() == size), "houses have one cell per digit");
    let symbols = (1..=size).map(|digit| digit.to_string()).collect();
    Arc::new(Layout::new(size, symbols, houses).expect("a small layout"))
}

/// Boxes of 9x9 boards.
const BOXES: [&str; 9] = [
    "aaabbbccc",
    "aaabbbccc",
    "aaabbbccc",
    "dddeeefff",
    "dddeeefff",
    "dddeeefff",
    "ggghhhiii",
    "ggghhhiii",
    "ggghhhiii",
];

/// Boards with all kinds of houses, each with its name.
pub(crate) fn layouts() -> Vec<(&'static str, Arc<Layout>)> {
    let diagonals: [Vec<usize>; 2] =
        [(0..9).map(|n| n * 10).collect(), (1..10).map(|n| n * 8).collect()];
    let windows: Vec<Vec<usize>> = [10, 14, 46, 50]
        .iter()
        .map(|corner| (0..9).map(|n| corner + n / 3 * 9 + n % 3).collect())
        .collect();
    let others = |cells: &[Vec<usize>]| -> Arc<Layout> {
        layout(9, &BOXES, &cells.iter().map(Vec::as_slice).collect::<Vec<_>>())
    };
    vec![
        ("classic", Arc::new(Layout::classic())),
        ("4x4", layout(4, &["aabb", "aabb", "ccdd", "ccdd"], &[])),
        ("6x6", layout(6, &["aaabbb", "aaabbb", "cccddd", "cccddd", "eeefff", "eeefff"], &[])),
        ("small jigsaw", layout(5, &["aaabb", "aabbc", "ddbcc", "ddecc", "deeee"], &[])),
        (
            "jigsaw",
            layout(
                9,
                &[
                    "aaaabbccc",
                    "aaabbbccc",
                    "aabbbbccf",
                    "dddeeecff",
                    "dddeeefff",
                    "ddgeehfff",
                    "dggehhiii",
                    "ggghhhiii",
                    "ggghhhiii",
                ],
                &[],
            ),
        ),
        ("diagonals", others(&diagonals)),
        ("windows", others(&windows)),
        ("Latin square", layout(7, &[], &[])),
        ("10x10", {
            let rows: Vec<String> = (0..10)
                .map(|row| (0..10).map(|column| (b'a' + row / 2 * 2 + column / 5) as char).collect())
                .collect();
            layout(10, &rows.iter().map(String::as_str).collect::<Vec<_>>(), &[])
        }),
        ("Latin square 11x11", layout(11, &[], &[])),
    ]
}

/// Makes a random filled board: the cell with the fewest digits left takes a random one, with a
/// restart after a dead end.
fn solution(layout: &Arc<Layout>, random: &mut fastrand::Rng) -> Vec<usize> {
    for _ in 0..10_000 {
        let mut board = Board::new(layout);
        while let Some(cell) = random_least(&board, random) {
            let marks: Vec<usize> = board.marks(cell).iter().collect();
            match random.choice(&marks) {
                Some(&digit) => board.place(Candidate { cell, digit }),
                None => break,
            }
        }
        if board.open().is_empty() {
            return (0..layout.cell_count())
                .map(|cell| board.value(cell).expect("no cell is open"))
                .collect();
        }
    }
    panic!("the layout should have solutions");
}

fn random_least(board: &Board, random: &mut fastrand::Rng) -> Option<usize> {
    board.open().iter().min_by_key(|&cell| (board.marks(cell).len(), random.u8(..)))
}

/// Makes a random position: some cells of a solution are clues, and each wrong candidate of the
/// others is left with a random probability.
pub(crate) fn position(layout: &Arc<Layout>, random: &mut fastrand::Rng) -> Position {
    let solution = solution(layout, random);
    let (clued, kept) = (random.f64() * 0.6, 0.3 + random.f64() * 0.7);
    let mut board = Board::new(layout);
    for (cell, &digit) in solution.iter().enumerate() {
        if random.f64() < clued {
            board.give(Candidate { cell, digit });
        }
    }
    // Some digits are thinned out more than others, so that patterns of one digit occur as well.
    let kept: Vec<f64> = solution.iter().map(|_| kept * random.f64().sqrt()).collect();
    for (cell, &digit) in solution.iter().enumerate() {
        for other in board.marks(cell).iter() {
            if other != digit && random.f64() > kept[other] {
                board.remove(Candidate { cell, digit: other });
            }
        }
    }
    Position { board, solution }
}

/// Calls `check` with each step of the named techniques on `count` random positions of each layout,
/// after checks that hold for every technique: its facts prove it, and it agrees with the solution.
/// Returns the number of steps of each technique in classic Sudoku.
pub(crate) fn each_step(
    names: &[&str],
    count: usize,
    check: &dyn Fn(&Board, &Step) -> Result<(), String>,
) -> Vec<usize> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut found = vec![0; names.len()];
    for (name, layout) in layouts() {
        for _ in 0..count {
            let Position { board, solution } = position(&layout, &mut random);
            for (number, step) in steps(&board, names) {
                found[number] += usize::from(name == "classic");
                let told = tell(&board, &step);
                let is_right = |candidate: &Candidate| solution[candidate.cell] == candidate.digit;
                assert!(step.placed.iter().all(is_right), "{name}: wrong placement: {told}");
                assert!(!step.removed.iter().any(is_right), "{name}: wrong elimination: {told}");
                assert!(techniques::is_proved(&board, &step), "{name}: not proved: {told}");
                if let Err(fault) = check(&board, &step) {
                    panic!("{name}: {fault}: {told}");
                }
            }
        }
    }
    found
}

/// Returns all steps of the named techniques, each with the index of its name.
pub(crate) fn steps(board: &Board, names: &[&str]) -> Vec<(usize, Step)> {
    let settings = Settings::new().uniqueness(true);
    let mut all = Vec::new();
    for technique in techniques::techniques() {
        if let Some(number) = names.iter().position(|&name| name == technique.name) {
            let found = techniques::find_only(technique, board, settings, &limits::Limits::new());
            all.extend(found.expect("no limit is set").into_iter().map(|step| (number, step)));
        }
    }
    all
}

fn tell(board: &Board, step: &Step) -> String {
    let words = techniques::Words::new(board.layout());
    format!("{} {}: {}: {}", step.technique.name, step.score, words.tell(step), words.conclusion(step))
}

/// Checks that the named techniques find the same steps after a random relabelling of the digits,
/// of the houses and, with rows and columns exchanged, of the cells.
pub(crate) fn assert_invariant(names: &[&str], count: usize) {
    let mut random = fastrand::Rng::with_seed(2);
    for (name, layout) in layouts() {
        let size = layout.size();
        for _ in 0..count {
            let board = position(&layout, &mut random).board;
            let mut digits: Vec<usize> = (0..size).collect();
            random.shuffle(&mut digits);
            let turn = |cell: usize| cell % size * size + cell / size;
            let mut houses = layout.houses().to_vec();
            for house in &mut houses {
                house.cells = house.cells.iter().map(turn).collect::<Cells>();
                house.kind = match house.kind {
                    HouseKind::Row => HouseKind::Column,
                    HouseKind::Column => HouseKind::Row,
                    kind => kind,
                };
            }
            random.shuffle(&mut houses);
            let symbols = (0..size).map(|digit| digit.to_string()).collect();
            let mut image =
                Board::new(&Arc::new(Layout::new(size, symbols, houses).expect("a small layout")));
            let turned = |c: Candidate| Candidate { cell: turn(c.cell), digit: digits[c.digit] };
            for cell in 0..size * size {
                for digit in 0..size {
                    let candidate = Candidate { cell, digit };
                    if board.value(cell) == Some(digit) {
                        image.give(turned(candidate));
                    }
                }
            }
            for cell in board.open().iter() {
                for digit in (layout.digits() - board.marks(cell)).iter() {
                    image.remove(turned(Candidate { cell, digit }));
                }
            }
            let keys = |board: &Board, map: &dyn Fn(Candidate) -> Candidate| -> Vec<_> {
                let key = |(number, step): (usize, Step)| {
                    let mut changed: Vec<Candidate> =
                        step.placed.iter().chain(&step.removed).map(|&c| map(c)).collect();
                    changed.sort_unstable();
                    (names[number], step.score, changed)
                };
                let mut keys: Vec<_> = steps(board, names).into_iter().map(key).collect();
                keys.sort_unstable();
                keys.dedup();
                keys
            };
            let (here, there) = (keys(&board, &turned), keys(&image, &|c| c));
            let gone: Vec<_> = here.iter().filter(|key| !there.contains(key)).collect();
            let new: Vec<_> = there.iter().filter(|key| !here.contains(key)).collect();
            assert!(gone.is_empty() && new.is_empty(), "{name}: {gone:?} became {new:?}");
        }
    }
}

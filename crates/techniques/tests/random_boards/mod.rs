//! Random positions with a known solution, on boards of several shapes.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, reason = "test code")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fastrand::Rng;
use techniques::{
    Board, Candidate, Cells, House, HouseKind, Layout, Settings, Step, Technique, find, find_only,
    is_proved, techniques,
};

/// A position and its solution.
pub struct Position {
    pub board: Board,
    pub solution: Vec<usize>,
}

/// Makes a board of rows, columns, the regions given cell by cell, and further groups of cells.
pub fn layout(size: usize, regions: &str, others: &[&[usize]]) -> Arc<Layout> {
    let house = |kind, name: String, cells: Cells| House { kind, name, cells };
    let all = |is: &dyn Fn(usize) -> bool| (0..size * size).filter(|&cell| is(cell)).collect::<Cells>();
    let mut houses = Vec::new();
    for n in 0..size {
        houses.push(house(HouseKind::Row, format!("row {}", n + 1), all(&|cell| cell / size == n)));
        houses.push(house(
            HouseKind::Column,
            format!("column {}", n + 1),
            all(&|cell| cell % size == n),
        ));
    }
    let letters: BTreeSet<u8> = regions.bytes().collect();
    for (n, letter) in letters.into_iter().enumerate() {
        let cells = all(&|cell| regions.as_bytes()[cell] == letter);
        houses.push(house(HouseKind::Box, format!("box {}", n + 1), cells));
    }
    for (n, cells) in others.iter().enumerate() {
        let cells = cells.iter().copied().collect();
        houses.push(house(HouseKind::Other, format!("group {}", n + 1), cells));
    }
    let symbols = (1..=size).map(|digit| digit.to_string()).collect();
    Arc::new(Layout::new(size, symbols, houses).unwrap())
}

/// Classic Sudoku, and boards with other boxes, without boxes, and with further groups.
pub fn layouts() -> Vec<Arc<Layout>> {
    let diagonals: [Vec<usize>; 2] =
        [(0..9).map(|n| 10 * n).collect(), (0..9).map(|n| 8 * n + 8).collect()];
    let squares: String =
        (0..81).map(|cell| char::from(b'a' + (cell / 27 * 3 + cell % 9 / 3) as u8)).collect();
    vec![
        Arc::new(Layout::classic()),
        Arc::new(Layout::classic()),
        layout(9, &squares, &[&diagonals[0], &diagonals[1], &[4, 12, 14]]),
        layout(6, "aaabbbaaabbbcccdddcccdddeeefffeeefff", &[]),
        layout(5, "aaabbacbbbaccddeccddeeeed", &[]),
        layout(7, "", &[]),
        layout(11, "", &[]),
    ]
}

/// Makes a random position: some clues of a random solution, then random deletions.
pub fn random(layout: &Arc<Layout>, rng: &mut Rng) -> Position {
    let solution = solution(layout, rng);
    let count = layout.cell_count();
    let mut cells: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut cells);
    let clues = rng.usize(count / 6..=count * 6 / 10);
    let mut board = Board::new(layout);
    cells[..clues].iter().for_each(|&cell| board.give(Candidate { cell, digit: solution[cell] }));
    let percent = rng.u32(0..65);
    for &cell in &cells[clues..] {
        for digit in board.marks(cell).iter() {
            if digit != solution[cell] && rng.u32(0..100) < percent {
                board.remove(Candidate { cell, digit });
            }
        }
    }
    Position { board, solution }
}

fn solution(layout: &Arc<Layout>, rng: &mut Rng) -> Vec<usize> {
    for _ in 0..1_000 {
        let mut tries = 500;
        if let Some(board) = fill(Board::new(layout), rng, &mut tries) {
            return (0..layout.cell_count()).map(|cell| board.value(cell).unwrap()).collect();
        }
    }
    panic!("the board has no solution")
}

fn fill(board: Board, rng: &mut Rng, tries: &mut u32) -> Option<Board> {
    *tries = tries.checked_sub(1)?;
    let Some(cell) = board.open().iter().min_by_key(|&cell| (board.marks(cell).len(), rng.u32(..)))
    else {
        return Some(board);
    };
    let mut digits: Vec<usize> = board.marks(cell).iter().collect();
    rng.shuffle(&mut digits);
    digits.into_iter().find_map(|digit| {
        let mut next = board.clone();
        next.place(Candidate { cell, digit });
        fill(next, rng, tries)
    })
}

/// Returns the technique with a name.
pub fn technique(name: &str) -> &'static Technique {
    techniques().into_iter().find(|technique| technique.name == name).unwrap()
}

/// Returns all steps of a technique, after the checks that hold for each: the solution agrees, the
/// facts prove the conclusion, and the explanation is text.
pub fn steps(position: &Position, technique: &'static Technique) -> Vec<Step> {
    let Position { board, solution } = position;
    let found = find_only(technique, board, Settings::new(), &limits::Limits::new()).unwrap();
    for step in &found {
        assert!(step.score >= technique.score, "{step:?}");
        assert!(step.removed.iter().all(|removed| solution[removed.cell] != removed.digit), "{step:?}");
        assert!(step.placed.iter().all(|placed| solution[placed.cell] == placed.digit), "{step:?}");
        assert!(is_proved(board, step), "{step:?} of {board:?}");
        assert!(!techniques::Words::new(board.layout()).tell(step).is_empty(), "{step:?}");
    }
    found
}

/// The conclusions of steps, each with its least score. Which of several continuous loops of equal
/// length a search finds may depend on the numbering, so loops are left out.
pub fn conclusions(steps: &[Step]) -> BTreeMap<(bool, Candidate), u32> {
    let mut least = BTreeMap::new();
    let is_loop = |step: &Step| step.chains.iter().any(|chain| chain.is_loop);
    for step in steps.iter().filter(|step| !is_loop(step)) {
        let placed = step.placed.iter().map(|&candidate| (true, candidate));
        for conclusion in placed.chain(step.removed.iter().map(|&candidate| (false, candidate))) {
            let score = least.entry(conclusion).or_insert(step.score);
            *score = step.score.min(*score);
        }
    }
    least
}

/// Checks that a technique finds the same after transposition and a change of digits.
pub fn check_invariance(position: &Position, technique: &'static Technique, rng: &mut Rng) {
    let (board, size) = (&position.board, position.board.layout().size());
    let mut digits: Vec<usize> = (0..size).collect();
    rng.shuffle(&mut digits);
    let image = |candidate: Candidate| Candidate {
        cell: candidate.cell % size * size + candidate.cell / size,
        digit: digits[candidate.digit],
    };
    let mut other = Board::new(&Arc::new(board.layout().clone()));
    let mut solution = vec![0; position.solution.len()];
    for cell in 0..size * size {
        let to = image(Candidate { cell, digit: position.solution[cell] });
        solution[to.cell] = to.digit;
        if board.value(cell).is_some() {
            other.give(to);
        }
    }
    for cell in board.open().iter() {
        for digit in board.layout().digits().iter().filter(|&digit| !board.marks(cell).has(digit)) {
            other.remove(image(Candidate { cell, digit }));
        }
    }
    let other = Position { board: other, solution };
    let mapped: BTreeMap<_, _> = conclusions(&steps(position, technique))
        .into_iter()
        .map(|((is_placed, candidate), score)| ((is_placed, image(candidate)), score))
        .collect();
    assert_eq!(mapped, conclusions(&steps(&other, technique)), "{} of {board:?}", technique.name);
    let first = |board: &Board| {
        let found = find(board, Settings::new(), &limits::Limits::new()).unwrap();
        found.iter().map(|step| (step.score, step.technique.name)).collect::<BTreeSet<_>>()
    };
    assert_eq!(first(board), first(&other.board), "{board:?}");
}

/// Checks every step of a technique on random positions of all shapes, and invariance on classic
/// boards. Returns the number of steps.
pub fn check_random(name: &str, rounds: u64, check: &dyn Fn(&Board, &Step)) -> usize {
    let technique = technique(name);
    let mut count = 0;
    for (number, layout) in layouts().iter().enumerate() {
        for seed in 0..rounds {
            let mut rng = Rng::with_seed(seed * 100 + number as u64);
            let position = random(layout, &mut rng);
            for step in steps(&position, technique) {
                count += 1;
                assert_eq!(step.technique.name, name);
                check(&position.board, &step);
            }
            if number == 0 {
                check_invariance(&position, technique, &mut rng);
            }
        }
    }
    count
}

/// Returns the candidates that are left among those of some digits in some cells.
pub fn candidates(board: &Board, is: &dyn Fn(Candidate) -> bool) -> Vec<Candidate> {
    board.candidates(board.open(), board.layout().digits()).filter(|&candidate| is(candidate)).collect()
}

/// Returns whether two cells see each other.
pub fn sees(board: &Board, a: usize, b: usize) -> bool {
    board.layout().peers(a).has(b)
}

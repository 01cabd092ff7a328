//! The multi-sector techniques: each step is checked by the definition of its pattern.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::sync::Arc;

use limits::Limits;
use techniques::{
    Board, Candidate, Cells, Digits, House, HouseKind, Layout, Part, Settings, Step, Technique, Truth,
    Words, find_only, is_proved, techniques,
};

/// Puzzles in which a technique applies after singles, with the number of its conclusions. Sources:
/// Easter Monster and Fata Morgana (the forum of players); Loki and its variant by mith (examples
/// of D. Berthier's CSP-Rules).
const EXEMPLARS: &[(&str, &str, usize)] = &[
    (
        "SK loop",
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
        13,
    ),
    (
        "multi-sector locked set",
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
        25,
    ),
    (
        "junior exocet",
        "........3..1..56...9..4..7......9.5.7.......8.5.4.2....8..2..9...35..1..6........",
        2,
    ),
    (
        "tridagon",
        "57....9..........8.1.........168..4......28.9..2.9416.....2.....6.9.82.4...41.6..",
        1,
    ),
    (
        "tridagon",
        "........1.....2.......3..45..6.......71.8....32..67..8.6..23....837..1..7.281.6..",
        1,
    ),
];

fn technique(name: &str) -> &'static Technique {
    techniques().into_iter().find(|technique| technique.name == name).unwrap()
}

fn steps(name: &str, board: &Board) -> Vec<Step> {
    find_only(technique(name), board, Settings::new(), &Limits::new()).unwrap()
}

/// Reads a puzzle and places singles until there is none.
fn after_singles(puzzle: &str) -> Board {
    let mut board = read(puzzle);
    loop {
        let singles = ["hidden single", "naked single", "full house"];
        let found =
            singles.iter().flat_map(|name| steps(name, &board)).find(|step| !step.placed.is_empty());
        match found {
            Some(step) => board.place(step.placed[0]),
            None => return board,
        }
    }
}

fn read(puzzle: &str) -> Board {
    let mut board = Board::new(&Arc::new(Layout::classic()));
    for (cell, byte) in puzzle.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()) {
        board.give(Candidate { cell, digit: usize::from(byte - b'1') });
    }
    board
}

/// Returns the solution of a board with one solution, by trials.
fn solve(board: &Board) -> Option<Vec<usize>> {
    let open = board.open().iter().min_by_key(|&cell| board.marks(cell).len());
    let Some(cell) = open else {
        return Some((0..81).map(|cell| board.value(cell).unwrap()).collect());
    };
    board.marks(cell).iter().find_map(|digit| {
        let mut next = board.clone();
        next.place(Candidate { cell, digit });
        solve(&next)
    })
}

/// Makes a random full grid, by trials in random order.
fn random_grid(rng: &mut fastrand::Rng) -> Vec<usize> {
    fill(&read(""), rng).unwrap()
}

fn fill(board: &Board, rng: &mut fastrand::Rng) -> Option<Vec<usize>> {
    let Some(cell) = board.open().iter().min_by_key(|&cell| board.marks(cell).len()) else {
        return Some((0..81).map(|cell| board.value(cell).unwrap()).collect());
    };
    let mut marks: Vec<usize> = board.marks(cell).iter().collect();
    rng.shuffle(&mut marks);
    marks.into_iter().find_map(|digit| {
        let mut next = board.clone();
        next.place(Candidate { cell, digit });
        fill(&next, rng)
    })
}

/// Makes a position with a known solution: some cells are solved, some false candidates are gone.
fn random_position(solution: &[usize], solved: f64, removed: f64, rng: &mut fastrand::Rng) -> Board {
    let mut board = read("");
    for (cell, &digit) in solution.iter().enumerate() {
        if rng.f64() < solved {
            board.give(Candidate { cell, digit });
        }
    }
    for candidate in all_candidates(&board) {
        if solution[candidate.cell] != candidate.digit && rng.f64() < removed {
            board.remove(candidate);
        }
    }
    board
}

fn all_candidates(board: &Board) -> Vec<Candidate> {
    board.candidates(board.open(), board.layout().digits()).collect()
}

/// A renaming of cells and digits that keeps houses.
struct Renaming {
    cells: Vec<usize>,
    digits: Vec<usize>,
}

impl Renaming {
    fn random(rng: &mut fastrand::Rng) -> Self {
        let mut shuffled = |count: usize| {
            let mut all: Vec<usize> = (0..count).collect();
            rng.shuffle(&mut all);
            all
        };
        let mut lines = || -> Vec<usize> {
            let bands = shuffled(3);
            bands
                .into_iter()
                .flat_map(|band| shuffled(3).into_iter().map(move |n| 3 * band + n))
                .collect()
        };
        let (rows, columns) = (lines(), lines());
        let digits = shuffled(9);
        let is_transposed = rng.bool();
        let cell = |cell: usize| {
            let (row, column) = (rows[cell / 9], columns[cell % 9]);
            if is_transposed { 9 * column + row } else { 9 * row + column }
        };
        Self { cells: (0..81).map(cell).collect(), digits }
    }

    fn candidate(&self, candidate: Candidate) -> Candidate {
        Candidate { cell: self.cells[candidate.cell], digit: self.digits[candidate.digit] }
    }

    fn board(&self, board: &Board) -> Board {
        let mut renamed = read("");
        for cell in 0..81 {
            if let Some(digit) = board.value(cell) {
                renamed.place(self.candidate(Candidate { cell, digit }));
            }
        }
        for candidate in all_candidates(&read("")) {
            if board.value(candidate.cell).is_none() && !board.has(candidate) {
                renamed.remove(self.candidate(candidate));
            }
        }
        renamed
    }
}

/// Sorted conclusions of some steps.
fn conclusions(steps: &[Step], rename: impl Fn(Candidate) -> Candidate) -> BTreeSet<Vec<Candidate>> {
    let conclusion = |step: &Step| {
        let mut all: Vec<Candidate> =
            step.placed.iter().chain(&step.removed).map(|&candidate| rename(candidate)).collect();
        all.sort_unstable();
        all
    };
    steps.iter().map(conclusion).collect()
}

/// Checks one step of any technique: it is sound, proved, agrees with its pattern and can be told.
fn check(board: &Board, solution: &[usize], step: &Step) {
    let words = Words::new(board.layout());
    let what = format!("{}: {} {}", step.technique.name, words.tell(step), words.conclusion(step));
    assert!(step.placed.iter().all(|placed| solution[placed.cell] == placed.digit), "{what}");
    assert!(step.removed.iter().all(|removed| solution[removed.cell] != removed.digit), "{what}");
    assert!(step.truths.iter().all(|&truth| is_open(board, truth)), "facts are open: {what}");
    assert!(is_proved(board, step), "{what}");
    let is_pattern = match step.technique.name {
        "SK loop" => is_sk_loop(board, step),
        "multi-sector locked set" => is_multi_sector_locked_set(board, step),
        "junior exocet" => is_junior_exocet(board, step),
        "tridagon" => is_tridagon(board, step),
        "triple firework" => is_triple_firework(board, step),
        "quadruple firework" => is_quadruple_firework(board, step),
        _ => false,
    };
    assert!(is_pattern, "{what}");
}

fn is_open(board: &Board, truth: Truth) -> bool {
    match truth {
        Truth::Cell(cell) => board.open().has(cell),
        Truth::Place { house, digit } => board.missing(house).has(digit),
    }
}

fn truth_cells(step: &Step) -> Cells {
    let cell = |truth: &Truth| match *truth {
        Truth::Cell(cell) => cell,
        Truth::Place { .. } => panic!("all facts are cells"),
    };
    step.truths.iter().map(cell).collect()
}

/// Lines of a set of cells, by `line` (such as the row of a cell).
fn lines(cells: Cells, line: impl Fn(usize) -> usize) -> BTreeSet<usize> {
    cells.iter().map(line).collect()
}

fn row(cell: usize) -> usize {
    cell / 9
}

fn column(cell: usize) -> usize {
    cell % 9
}

fn square(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

/// Whether the links of a step cover its cells, and as many as there are, and whether the step has
/// the eliminations of these links.
fn is_locked(board: &Board, step: &Step) -> bool {
    let cells = truth_cells(step);
    let links: Vec<(Cells, Digits)> = (0..)
        .zip(&step.covers)
        .map(|(n, &house)| (board.houses()[house].cells, step.digits(Part::Set(n))))
        .collect();
    let count: usize = links.iter().map(|(_, digits)| digits.len()).sum();
    let covering = |candidate: &Candidate| {
        links
            .iter()
            .filter(|(house, digits)| house.has(candidate.cell) && digits.has(candidate.digit))
            .count()
    };
    let (inside, outside): (Vec<Candidate>, Vec<Candidate>) =
        all_candidates(board).into_iter().partition(|candidate| cells.has(candidate.cell));
    count == cells.len()
        && inside.iter().all(|candidate| covering(candidate) >= 1)
        && inside.iter().all(|it| covering(it) == 1 || step.removed.contains(it))
        && outside.iter().all(|it| covering(it) == 0 || step.removed.contains(it))
}

fn is_sk_loop(board: &Board, step: &Step) -> bool {
    let cells = truth_cells(step);
    // Crossings are the cells outside of the ring that see eight of its cells in lines of boxes.
    let crossing = |cell: &usize| {
        let of_box: Cells = cells.iter().filter(|&other| square(other) == square(*cell)).collect();
        let in_row = of_box.iter().filter(|&other| row(other) == row(*cell)).count();
        let in_column = of_box.iter().filter(|&other| column(other) == column(*cell)).count();
        of_box.len() == 4 && in_row == 2 && in_column == 2
    };
    let crossings: Cells = (0..81).filter(crossing).collect();
    let is_ring = cells.len() == 16
        && crossings.len() == 4
        && !crossings.meets(cells)
        && lines(crossings, row).len() == 2
        && lines(crossings, column).len() == 2
        && lines(crossings, square).len() == 4;
    let mut houses: Vec<(HouseKind, Cells)> = step
        .covers
        .iter()
        .map(|&house| (board.houses()[house].kind, board.houses()[house].cells))
        .collect();
    houses.dedup();
    let holds_crossings = |&(kind, house): &(HouseKind, Cells)| {
        (house & crossings).len() == if kind == HouseKind::Box { 1 } else { 2 }
    };
    is_ring && houses.len() == 8 && houses.iter().all(holds_crossings) && is_locked(board, step)
}

/// Whether the cells are all open cells where at least three rows cross at least three columns.
fn is_multi_sector_locked_set(board: &Board, step: &Step) -> bool {
    let cells = truth_cells(step);
    let (rows, columns) = (lines(cells, row), lines(cells, column));
    let crosses = |&cell: &usize| rows.contains(&row(cell)) && columns.contains(&column(cell));
    let crossings: Cells = board.open().iter().filter(crosses).collect();
    rows.len() >= 3 && columns.len() >= 3 && crossings == cells && is_locked(board, step)
}

/// The number of a line through a cell.
type Line = fn(usize) -> usize;

fn is_junior_exocet(board: &Board, step: &Step) -> bool {
    let (base, targets) = (step.cells(Part::Body), step.cells(Part::Fin));
    let is_row = lines(base, row).len() == 1;
    // Lines along the band of the base, and lines across it.
    let (along, across): (Line, Line) = if is_row { (row, column) } else { (column, row) };
    let digits = board.marks_of(base);
    let (Some(one), Some(target)) = (base.least(), targets.least()) else { return false };
    let is_third =
        |&cell: &usize| square(cell) == square(one) && along(cell) == along(one) && !base.has(cell);
    let Some(third) = (0..81).find(is_third) else { return false };
    let in_band = |cell: usize| along(cell) / 3 == along(one) / 3;
    let crosses: BTreeSet<usize> = targets.iter().chain([third]).map(across).collect();
    let has =
        |cell: usize, digit: usize| board.value(cell) == Some(digit) || board.marks(cell).has(digit);
    let companion = |cell: &usize| {
        in_band(*cell)
            && along(*cell) != along(one)
            && !targets.has(*cell)
            && targets.iter().any(|target| across(target) == across(*cell))
    };
    let is_free = |cell: usize| digits.iter().all(|digit| !has(cell, digit));
    // No three S-cells can take the same digit.
    let is_covered = |digit: usize| {
        let spots: Vec<usize> = (0..81)
            .filter(|&cell| !in_band(cell) && crosses.contains(&across(cell)) && has(cell, digit))
            .collect();
        let free = |a: usize, b: usize| a != b && !board.layout().peers(a).has(b);
        !spots.iter().any(|&a| {
            spots.iter().any(|&b| free(a, b) && spots.iter().any(|&c| free(a, c) && free(b, c)))
        })
    };
    let houses: BTreeSet<usize> = (0..27)
        .filter(|&house| {
            let cells = board.houses()[house].cells;
            cells.iter().all(|cell| across(cell) == across(cells.least().unwrap()))
                && crosses.contains(&across(cells.least().unwrap()))
        })
        .collect();
    base.len() == 2
        && targets.len() == 2
        && lines(base, square).len() == 1
        && lines(base, along).len() == 1
        && (3..=4).contains(&digits.len())
        && lines(targets | base, square).len() == 3
        && (targets | base).iter().all(in_band)
        && targets.iter().all(|cell| along(cell) != along(one) && board.marks(cell).meets(digits))
        && square(target) != square(one)
        && (0..81).filter(companion).all(is_free)
        && digits.iter().all(is_covered)
        && houses == step.houses.iter().copied().collect()
        && step.removed.iter().all(|removed| in_band(removed.cell))
        && board.candidates(targets, Digits::first(9) - digits).all(|it| step.removed.contains(&it))
}

/// Whether digits can fill cells so that none sees itself.
fn can_fill(
    layout: &Layout,
    cells: &[usize],
    digits: &[usize],
    filled: &mut Vec<(usize, usize)>,
) -> bool {
    let Some((&cell, rest)) = cells.split_first() else { return true };
    digits.iter().any(|&digit| {
        let is_free =
            filled.iter().all(|&(other, value)| value != digit || !layout.peers(cell).has(other));
        filled.push((cell, digit));
        let can_fill = is_free && can_fill(layout, rest, digits, filled);
        filled.pop();
        can_fill
    })
}

fn is_tridagon(board: &Board, step: &Step) -> bool {
    let cells = truth_cells(step);
    let digits = step.digits(Part::Body);
    let is_diagonal = |number: usize| {
        let of_box: Cells = cells.iter().filter(|&cell| square(cell) == number).collect();
        of_box.len() == 3 && lines(of_box, row).len() == 3 && lines(of_box, column).len() == 3
    };
    let boxes = lines(cells, square);
    let guardians: Vec<Candidate> = all_candidates(board)
        .into_iter()
        .filter(|it| cells.has(it.cell) && !digits.has(it.digit))
        .collect();
    let named: BTreeSet<Candidate> =
        step.part(Part::Fin).flat_map(|group| board.candidates(group.cells, group.digits)).collect();
    let conflict = |a: &Candidate, b: &Candidate| {
        (a.cell == b.cell && a.digit != b.digit)
            || (a.digit == b.digit && board.layout().peers(a.cell).has(b.cell))
    };
    let falls = |it: &Candidate| guardians.iter().all(|guardian| conflict(guardian, it));
    let expected: Vec<Candidate> = all_candidates(board).into_iter().filter(falls).collect();
    cells.len() == 12
        && digits.len() == 3
        && boxes.len() == 4
        && boxes.iter().all(|&number| is_diagonal(number))
        && lines(cells, |cell| cell / 27).len() == 2
        && lines(cells, |cell| cell % 9 / 3).len() == 2
        && cells.iter().all(|cell| (board.marks(cell) & digits).len() >= 2)
        && !can_fill(
            board.layout(),
            &cells.iter().collect::<Vec<_>>(),
            &digits.iter().collect::<Vec<_>>(),
            &mut vec![],
        )
        && named == guardians.iter().copied().collect()
        && if guardians.len() == 1 { step.placed == guardians } else { step.removed == expected }
}

/// Whether a digit stands in a crossing or in one of two wings: outside of the box of the crossing,
/// its row and column have the digit in wings only.
fn is_firework(board: &Board, crossing: usize, wings: Cells, digit: usize) -> bool {
    let beyond = |cell: &usize| {
        square(*cell) != square(crossing)
            && (row(*cell) == row(crossing)) != (column(*cell) == column(crossing))
    };
    let stands = (0..81).any(|cell| {
        board.value(cell) == Some(digit)
            && (row(cell) == row(crossing) || column(cell) == column(crossing))
    });
    !stands && board.spots(digit).iter().filter(beyond).all(|cell| wings.has(cell))
}

/// Whether one of the wings is in the row of a crossing, the other in its column, both in other
/// boxes.
fn are_wings(crossing: usize, wings: Cells) -> bool {
    wings.len() == 2
        && wings.iter().filter(|&wing| row(wing) == row(crossing)).count() == 1
        && wings.iter().filter(|&wing| column(wing) == column(crossing)).count() == 1
        && wings.iter().all(|wing| square(wing) != square(crossing))
}

fn is_triple_firework(board: &Board, step: &Step) -> bool {
    let (digits, wings) = (step.digits(Part::Body), step.cells(Part::Fin));
    let Some(crossing) = step.cells(Part::Body).only() else { return false };
    let cells = wings | Cells::one(crossing);
    let falls = |it: &Candidate| cells.has(it.cell) && !digits.has(it.digit);
    let expected: Vec<Candidate> = all_candidates(board).into_iter().filter(falls).collect();
    digits.len() == 3
        && are_wings(crossing, wings)
        && digits.iter().all(|digit| is_firework(board, crossing, wings, digit))
        && step.removed == expected
}

fn is_quadruple_firework(board: &Board, step: &Step) -> bool {
    let wings = step.cells(Part::Fin);
    let part = |n| step.cells(Part::Set(n)).only().map(|cell| (cell, step.digits(Part::Set(n))));
    let (Some((one, first)), Some((other, second))) = (part(0), part(1)) else { return false };
    let allowed = |cell: usize| match cell {
        _ if cell == one => Some(first),
        _ if cell == other => Some(second),
        _ => wings.has(cell).then_some(first | second),
    };
    let falls = |it: &Candidate| allowed(it.cell).is_some_and(|digits| !digits.has(it.digit));
    let expected: Vec<Candidate> = all_candidates(board).into_iter().filter(falls).collect();
    first.len() == 2
        && second.len() == 2
        && !first.meets(second)
        && are_wings(one, wings)
        && are_wings(other, wings)
        && first.iter().all(|digit| is_firework(board, one, wings, digit))
        && second.iter().all(|digit| is_firework(board, other, wings, digit))
        && step.removed == expected
}

const NAMES: &[&str] = &[
    "SK loop",
    "multi-sector locked set",
    "junior exocet",
    "tridagon",
    "triple firework",
    "quadruple firework",
];

/// Checks all steps on a board, and on the same board after renamings.
fn check_all(board: &Board, solution: &[usize], name: &str, rng: &mut fastrand::Rng) -> usize {
    let found = steps(name, board);
    found.iter().for_each(|step| check(board, solution, step));
    let renaming = Renaming::random(rng);
    let renamed = steps(name, &renaming.board(board));
    assert_eq!(
        conclusions(&found, |candidate| renaming.candidate(candidate)),
        conclusions(&renamed, |candidate| candidate),
        "{name} depends on the numbering"
    );
    found.len()
}

#[test]
fn exemplars_have_their_step_with_all_eliminations() {
    let mut rng = fastrand::Rng::with_seed(1);
    for &(name, puzzle, count) in EXEMPLARS {
        let board = after_singles(puzzle);
        let solution = solve(&board).unwrap();
        let found = steps(name, &board);
        let all: BTreeSet<Candidate> =
            conclusions(&found, |candidate| candidate).into_iter().flatten().collect();
        assert_eq!(all.len(), count, "{name} in {puzzle}");
        check_all(&board, &solution, name, &mut rng);
        // Also with fewer candidates the steps must hold.
        for _ in 0..20 {
            let mut board = board.clone();
            for candidate in all_candidates(&board) {
                if solution[candidate.cell] != candidate.digit && rng.f64() < 0.05 {
                    board.remove(candidate);
                }
            }
            check_all(&board, &solution, name, &mut rng);
        }
    }
}

#[test]
fn steps_on_random_positions_match_their_pattern() {
    let mut rng = fastrand::Rng::with_seed(2);
    let mut counts = vec![0; NAMES.len()];
    for _ in 0..15 {
        let solution = random_grid(&mut rng);
        for (solved, removed) in [(0.2, 0.3), (0.3, 0.3), (0.3, 0.5), (0.4, 0.5), (0.4, 0.6)] {
            let board = random_position(&solution, solved, removed, &mut rng);
            for (count, name) in counts.iter_mut().zip(NAMES) {
                *count += check_all(&board, &solution, name, &mut rng);
            }
        }
    }
    let count = |name: &str| counts[NAMES.iter().position(|&other| other == name).unwrap()];
    assert!(NAMES[4..].iter().all(|name| count(name) > 0), "{counts:?}");
}

/// Columns of three cells of a box, by row; the last three arrangements are odd.
const SHAPES: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

/// Cells of an arrangement in a box.
fn shape(number: usize, pick: usize) -> Cells {
    (0..3).map(|n| number / 3 * 27 + number % 3 * 3 + 9 * n + SHAPES[pick][n]).collect()
}

/// Returns twelve cells, in an odd rectangle of diagonals, of which at least `least` have one of
/// three digits in the solution.
fn nearly_filled(solution: &[usize], least: usize) -> Option<(Cells, Digits)> {
    for first in 0..9 {
        for second in first + 1..9 {
            for digits in (second + 1..9).map(|third| [first, second, third]) {
                let hits = |number, pick| {
                    shape(number, pick).iter().filter(|&cell| digits.contains(&solution[cell])).count()
                };
                let best = |number| {
                    let best = |picks: [usize; 3]| {
                        picks.map(|pick| (hits(number, pick), pick)).into_iter().max()
                    };
                    [best([0, 1, 2]).unwrap(), best([3, 4, 5]).unwrap()]
                };
                for boxes in [[0, 1, 3, 4], [0, 2, 6, 8], [3, 5, 6, 8], [1, 2, 7, 8], [0, 1, 6, 7]] {
                    let choices = boxes.map(best);
                    for odd in (0..16_usize).filter(|odd| odd.count_ones() % 2 == 1) {
                        let chosen = [0, 1, 2, 3].map(|n| choices[n][odd >> n & 1]);
                        if chosen.iter().map(|(hits, _)| hits).sum::<usize>() >= least {
                            let cells = (0..4).flat_map(|n| shape(boxes[n], chosen[n].1).iter());
                            return Some((cells.collect(), digits.into_iter().collect()));
                        }
                    }
                }
            }
        }
    }
    None
}

/// Positions made around the twelve cells: they have three digits and a few others.
#[test]
fn tridagons_are_found_around_random_guardians() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut found = 0;
    for trial in 0..60 {
        let solution = random_grid(&mut rng);
        let Some((cells, body)) = nearly_filled(&solution, 10 + trial % 2) else { continue };
        for others in 0..6_usize {
            let mut board = read("");
            for candidate in all_candidates(&board) {
                let Candidate { cell, digit } = candidate;
                let is_other = cells.has(cell) && !body.has(digit);
                if is_other && digit != solution[cell] && rng.usize(..100) >= others {
                    board.remove(candidate);
                }
            }
            found += check_all(&board, &solution, "tridagon", &mut rng);
        }
    }
    assert!(found > 20, "{found}");
}

/// Twelve cells in a rectangle of boxes, three on a diagonal of each, cannot take three digits
/// exactly when an odd number of the diagonals is odd.
#[test]
fn three_digits_cannot_fill_an_odd_rectangle_of_diagonals() {
    let layout = Layout::classic();
    for picks in 0..6_usize.pow(4) {
        let picks = [picks % 6, picks / 6 % 6, picks / 36 % 6, picks / 216];
        let boxes = [0, 1, 3, 4].into_iter().zip(picks);
        let cells: Vec<usize> = boxes.flat_map(|(number, pick)| shape(number, pick).iter()).collect();
        let odd = picks.iter().filter(|&&pick| pick >= 3).count();
        assert_eq!(can_fill(&layout, &cells, &[0, 1, 2], &mut vec![]), odd % 2 == 0, "{picks:?}");
    }
}

/// Latin squares of every size, and 6x6 with boxes of two rows.
#[test]
fn boards_of_other_sizes_have_proved_steps_only() {
    let mut rng = fastrand::Rng::with_seed(4);
    for size in 1..=Layout::SIZE_MAX {
        for has_boxes in [false, size == 6] {
            let group = |kind, of: &dyn Fn(usize) -> usize| -> Vec<House> {
                let cells = |n| (0..size * size).filter(|&cell| of(cell) == n).collect();
                (0..size)
                    .map(|n| House { kind, name: format!("{kind:?} {n}"), cells: cells(n) })
                    .collect()
            };
            let mut houses = group(HouseKind::Row, &|cell| cell / size);
            houses.extend(group(HouseKind::Column, &|cell| cell % size));
            if has_boxes {
                houses.extend(group(HouseKind::Box, &|cell| cell / 12 * 2 + cell % 6 / 3));
            }
            let symbols = (1..=size).map(|n| n.to_string()).collect();
            let layout = Arc::new(Layout::new(size, symbols, houses).unwrap());
            let solution = |cell: usize| match has_boxes {
                true => (cell / 6 % 2 * 3 + cell / 12 + cell % 6) % 6,
                false => (cell / size + cell % size) % size,
            };
            for _ in 0..6 {
                let mut board = Board::new(&layout);
                for cell in (0..size * size).filter(|_| rng.usize(..10) < 3) {
                    board.give(Candidate { cell, digit: solution(cell) });
                }
                for candidate in all_candidates(&board) {
                    if solution(candidate.cell) != candidate.digit && rng.usize(..10) < 4 {
                        board.remove(candidate);
                    }
                }
                for step in NAMES.iter().flat_map(|name| steps(name, &board)) {
                    assert!(step.removed.iter().all(|it| solution(it.cell) != it.digit));
                    assert!(is_proved(&board, &step), "{}", step.technique.name);
                }
            }
        }
    }
}

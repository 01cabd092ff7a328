//! Every Sue de Coq and every step of almost locked candidates is checked against its definition.

#![allow(clippy::unwrap_used, reason = "a failed expectation fails the test")]

mod positions;

use fastrand::Rng;
use positions::{candidates, check_invariance, layouts, noise, puzzle, read, steps};
use techniques::{Board, Candidate, Cells, Digits, HouseKind, Part, Step, Words, is_proved};

const NAMES: &[&str] = &["Sue de Coq", "almost locked pair", "almost locked triple"];

/// The cells and the kind of a house of a step.
fn house(board: &Board, house: usize) -> (Cells, HouseKind) {
    (board.houses()[house].cells, board.houses()[house].kind)
}

fn check_sue_de_coq(board: &Board, step: &Step) {
    let [(line, line_kind), (box_, box_kind)] = [0, 1].map(|n| house(board, step.houses[n]));
    assert!(line_kind.is_line() && box_kind == HouseKind::Box, "one line, one box");
    let [inner, a, b] = [Part::Body, Part::Set(0), Part::Set(1)].map(|part| step.cells(part));
    assert!(inner.is_within(line & box_) && inner.len() > 1);
    assert!(a.is_within(line - box_) && b.is_within(box_ - line));
    assert!(!a.is_empty() && !b.is_empty());
    let [v, of_a, of_b] = [inner, a, b].map(|cells| board.marks_of(cells));
    assert!(v.len() >= inner.len() + 2, "at least two candidates more than cells");
    assert!(!of_a.meets(of_b), "no common candidate");
    let cells = inner | a | b;
    assert_eq!(cells.len(), (v | of_a | of_b).len(), "as many digits as cells");
    // By definition: digits of the line part see the line, of the box part the box.
    let mut expected: Vec<Candidate> = Vec::new();
    expected.extend(board.candidates(line - cells, (v - of_b) | of_a));
    expected.extend(board.candidates(box_ - cells, (v - of_a) | of_b));
    let is_removed = |candidate: &Candidate| step.removed.contains(candidate);
    assert!(expected.iter().all(is_removed), "all eliminations");
    // Other cells see every cell of the digit, as on a diagonal.
    for gone in &step.removed {
        let homes = cells & board.spots(gone.digit);
        assert!(homes.is_within(board.layout().peers(gone.cell)) && !homes.is_empty());
    }
}

fn check_almost_locked(board: &Board, step: &Step) {
    let (first, first_kind) = house(board, step.covers[0]);
    let (second, second_kind) = house(board, step.houses[0]);
    let kinds = [first_kind, second_kind];
    assert!(kinds.contains(&HouseKind::Box) && kinds.iter().any(|kind| kind.is_line()));
    let size = if step.technique.name == "almost locked pair" { 1 } else { 2 };
    let (set, hidden) = (step.cells(Part::Set(0)), step.cells(Part::Body));
    let digits: Digits = board.marks_of(set);
    assert!(set.is_within(first - second) && set.len() == size && digits.len() == size + 1);
    let homes =
        (second - first).iter().filter(|&cell| board.marks(cell).meets(digits)).collect::<Cells>();
    assert!(hidden == homes && hidden.len() == size);
    for digit in digits.iter() {
        assert!(board.spots(digit).meets(second), "the digit is missing in the second house");
    }
    let mut expected: Vec<Candidate> = Vec::new();
    expected.extend(board.candidates(first - second - set, digits));
    expected.extend(board.candidates(hidden, board.layout().digits() - digits));
    expected.sort_unstable();
    assert_eq!(step.removed, expected);
}

fn check(board: &Board, step: &Step) {
    if step.technique.name == "Sue de Coq" {
        check_sue_de_coq(board, step);
    } else {
        check_almost_locked(board, step);
    }
    assert!(is_proved(board, step), "{step:?}");
    let words = Words::new(board.layout()).tell(step);
    assert!(words.len() > 20 && !words.contains("  "), "{words}");
}

/// One step each, from HoDoKu's regression library 1.4, code 1101: technique, position (clues,
/// values, removed candidates), conclusion.
const EXEMPLARS: &[(&str, &str, &str)] = &[
    (
        "Sue de Coq",
        ".....3+5+1+7+1+3+5+42+786+9867+91+54..+6+935+4+82+717183.+2.+54+2+54...........47.55......+4.....+5..9.:",
        "184 194 273 371 684 685 694 985",
    ),
    (
        "Sue de Coq",
        ".2.+31+4+6893+14+8+697+52+86+95+2+7...+2+78+641..5.+4...+312.93+1......4....8.......7.24....+4.....:555 659 373 573 974 378 978 379 581 583 591 593",
        "189 596 683 689",
    ),
    (
        "Sue de Coq",
        "....6...1.3.2..6..8..49.....5....1.72........7.4....3.6...7.5.....6.2..8..28.476.:525 343 943 345 845 346 946 848 948 555 565 972 973 978 979",
        "132 172 182 653 853 912 982",
    ),
    (
        "Sue de Coq",
        ".2.4.5........9.......3.28....3..8493..8.47..4....6523..1......64.97.1527.....3..:911 913 152 652 653 155 274 275 575 875 678 679 595 895",
        "522 532 542 871 893 932 962",
    ),
    (
        "Sue de Coq",
        "12..795688....2.9.9.........61..79..39.1........96.4....2.9....689...14....8...29:444",
        "323 333 423 433 572 592 772 792",
    ),
    (
        "Sue de Coq",
        "+51.....49..9315.68...+9.+45......96......4.+3.2..3........6...78......4...67.5+63...4:",
        "178 179 188 347 747 757 767 978 988",
    ),
    (
        "Sue de Coq",
        "+6+41..8+32+98+7+3+29+164+55+92..+4+1+87.8..2.+4.+1.....9+2.3...41.+8.+6......+7+3..6.9..51...714.+96+8:",
        "271 471 543 553 562 943",
    ),
    (
        "Sue de Coq",
        ".....3+5+1+7+1+3+5+42+786+9867+91+54..+6+935+4+82+717183.+2.+54+2+54...........47.55......+4.....+5..9.:",
        "184 186 194 273 684 685 686 694 973",
    ),
];

#[test]
fn every_exemplar_has_a_step_with_all_eliminations() {
    for &(name, position, conclusion) in EXEMPLARS {
        let board = read(position);
        let found = steps(&board, name);
        let is_whole = |step: &Step| {
            candidates(conclusion).iter().all(|candidate| step.removed.contains(candidate))
        };
        assert!(found.iter().any(is_whole), "{name}: {position}");
        found.iter().for_each(|step| check(&board, step));
    }
}

#[test]
fn every_step_has_the_pattern_of_its_name() {
    let mut rng = Rng::with_seed(3);
    let mut counts = [0; NAMES.len()];
    let mut visit = |board: &Board, rng: &mut Rng, solution: Option<&[usize]>| {
        for (n, &name) in NAMES.iter().enumerate() {
            for step in &steps(board, name) {
                counts[n] += 1;
                let is_wrong =
                    |gone: &Candidate| solution.is_none_or(|all| all[gone.cell] != gone.digit);
                assert!(step.removed.iter().all(is_wrong));
                check(board, step);
            }
            if rng.u8(..4) == 0 {
                check_invariance(board, name, rng);
            }
        }
    };
    for (number, layout) in layouts().iter().enumerate() {
        for _ in 0..if number == 0 { 4 } else { 2 } {
            let (start, solution) = puzzle(layout, &mut rng);
            positions::positions(&start, &solution, &mut rng, &mut |board, rng| {
                if rng.u8(..4) == 0 {
                    visit(board, rng, Some(&solution));
                }
            });
        }
        for _ in 0..10 {
            let density = 0.2 + rng.f64() / 4.0;
            let board = noise(layout, &mut rng, density);
            visit(&board, &mut rng, None);
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

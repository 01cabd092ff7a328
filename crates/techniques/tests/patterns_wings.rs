//! The patterns of wings, checked from their definitions.

mod random_boards;

use random_boards::{candidates, check_random, sees};
use techniques::{Board, Cells, Digits, Part, Step, Truth};

/// Returns the cells of a group, as a list.
fn cells(step: &Step, part: Part) -> Vec<usize> {
    step.cells(part).iter().collect()
}

/// Checks that a digit is removed from exactly the cells that see all of some cells.
fn check_removed(board: &Board, step: &Step, digit: usize, seen: &[usize]) {
    let expected = candidates(board, &|candidate| {
        candidate.digit == digit && seen.iter().all(|&cell| sees(board, cell, candidate.cell))
    });
    assert_eq!(step.removed, expected, "{step:?}");
}

fn check_pivot(board: &Board, step: &Step, pivot_has_last: bool) {
    let (pivots, pincers) = (cells(step, Part::Body), cells(step, Part::Fin));
    let ([pivot], &[first, second]) = (pivots.as_slice(), pincers.as_slice()) else {
        panic!("one pivot and two pincers: {step:?}")
    };
    let digit = step.removed[0].digit;
    let (all, a, b) = (board.marks(*pivot), board.marks(first), board.marks(second));
    assert!(sees(board, *pivot, first) && sees(board, *pivot, second));
    assert!(a.len() == 2 && b.len() == 2 && a != b && a.has(digit) && b.has(digit));
    let both = a | b;
    assert_eq!(all, if pivot_has_last { both } else { both - Digits::one(digit) });
    let seen = if pivot_has_last { vec![first, second, *pivot] } else { vec![first, second] };
    check_removed(board, step, digit, &seen);
}

#[test]
fn every_xy_wing_is_a_pivot_with_two_pincers() {
    assert!(check_random("XY-wing", 150, &|board, step| check_pivot(board, step, false)) > 100);
}

#[test]
fn every_xyz_wing_is_a_pivot_with_two_pincers() {
    assert!(check_random("XYZ-wing", 150, &|board, step| check_pivot(board, step, true)) > 50);
}

#[test]
fn every_w_wing_is_two_equal_cells_with_a_conjugate_pair_between_them() {
    let check = |board: &Board, step: &Step| {
        let body = cells(step, Part::Body);
        let &[first, second] = body.as_slice() else { panic!("two cells: {step:?}") };
        assert!(board.marks(first) == board.marks(second) && board.marks(first).len() == 2);
        assert!(!sees(board, first, second));
        let Some(&Truth::Place { house, digit }) = step.truths.last() else { panic!("{step:?}") };
        let link: Vec<usize> = board.spots_in(house, digit).iter().collect();
        let &[a, b] = link.as_slice() else { panic!("a conjugate pair: {step:?}") };
        let is_between = |a, b| sees(board, a, first) && sees(board, b, second);
        assert!(is_between(a, b) || is_between(b, a));
        let last = (board.marks(first) - Digits::one(digit)).only().unwrap();
        check_removed(board, step, last, &[first, second]);
    };
    assert!(check_random("W-wing", 150, &check) > 100);
}

#[test]
fn every_wxyz_wing_is_four_cells_with_one_digit_that_is_not_restricted() {
    let check = |board: &Board, step: &Step| {
        let four = cells(step, Part::Body);
        assert_eq!(four.len(), 4);
        let set: Cells = step.cells(Part::Body);
        let digits = board.marks_of(set);
        assert_eq!(digits.len(), 4);
        let is_restricted = |digit: usize| {
            let holders: Vec<usize> =
                four.iter().copied().filter(|&cell| board.marks(cell).has(digit)).collect();
            holders.iter().all(|&a| holders.iter().all(|&b| a == b || sees(board, a, b)))
        };
        let loose: Vec<usize> = digits.iter().filter(|&digit| !is_restricted(digit)).collect();
        assert_eq!(loose, [step.removed[0].digit]);
        let holders: Vec<usize> =
            four.into_iter().filter(|&cell| board.marks(cell).has(loose[0])).collect();
        check_removed(board, step, loose[0], &holders);
    };
    assert!(check_random("WXYZ-wing", 60, &check) > 100);
}

//! The patterns of colouring, checked from their definitions.

mod random_boards;

use random_boards::{candidates, check_random, sees};
use techniques::{Board, Candidate, Cells, Part, Step};

/// Returns the cells of a colour.
fn colour(step: &Step, number: u8) -> Cells {
    step.cells(Part::Set(number))
}

fn meets(board: &Board, cell: usize, cells: Cells) -> bool {
    cells.iter().any(|other| sees(board, cell, other))
}

/// Returns whether two cells are the only ones of a digit in a house.
fn is_conjugate(board: &Board, digit: usize, a: usize, b: usize) -> bool {
    let pair: Cells = [a, b].into_iter().collect();
    (0..board.houses().len()).any(|house| board.spots_in(house, digit) == pair)
}

/// Checks that links connect all cells of two colours, always from one colour to the other.
fn check_component(colours: [Cells; 2], is_linked: &dyn Fn(usize, usize) -> bool) {
    let all = colours[0] | colours[1];
    let mut reached = Cells::one(all.least().expect("a component has cells"));
    for _ in 0..all.len() {
        let linked = |cell: usize| reached.iter().any(|other| is_linked(cell, other));
        reached = all.iter().filter(|&cell| reached.has(cell) || linked(cell)).collect();
    }
    assert_eq!(reached, all);
    for side in colours {
        assert!(side.iter().all(|a| side.iter().all(|b| a == b || !is_linked(a, b))));
    }
}

#[test]
fn every_remote_pair_is_a_chain_of_equal_cells() {
    let check = |board: &Board, step: &Step| {
        let (one, other) = (colour(step, 0), colour(step, 1));
        let digits = step.digits(Part::Set(0));
        assert!(digits.len() == 2 && (one | other).len() >= 4);
        assert!((one | other).iter().all(|cell| board.marks(cell) == digits));
        check_component([one, other], &|a, b| sees(board, a, b));
        let expected = candidates(board, &|candidate| {
            digits.has(candidate.digit)
                && !(one | other).has(candidate.cell)
                && meets(board, candidate.cell, one)
                && meets(board, candidate.cell, other)
        });
        assert_eq!(step.removed, expected);
    };
    assert!(check_random("remote pair", 1500, &check) > 20);
}

#[test]
fn every_simple_colouring_is_a_trap_or_a_wrap() {
    let check = |board: &Board, step: &Step| {
        let (one, other) = (colour(step, 0), colour(step, 1));
        let digit = step.removed[0].digit;
        check_component([one, other], &|a, b| is_conjugate(board, digit, a, b));
        let removed: Cells = step.removed.iter().map(|removed| removed.cell).collect();
        assert!(step.removed.iter().all(|removed| removed.digit == digit));
        if removed == one || removed == other {
            assert!(removed.iter().any(|cell| meets(board, cell, removed)));
            return;
        }
        let expected = candidates(board, &|candidate| {
            candidate.digit == digit
                && !(one | other).has(candidate.cell)
                && meets(board, candidate.cell, one)
                && meets(board, candidate.cell, other)
        });
        assert_eq!(step.removed, expected);
    };
    assert!(check_random("simple colouring", 150, &check) > 100);
}

#[test]
fn every_multi_colouring_is_of_type_1_or_2() {
    let check = |board: &Board, step: &Step| {
        let colours = [0, 1, 2, 3].map(|number| colour(step, number));
        let digit = step.removed[0].digit;
        check_component([colours[0], colours[1]], &|a, b| is_conjugate(board, digit, a, b));
        check_component([colours[2], colours[3]], &|a, b| is_conjugate(board, digit, a, b));
        let clash = |a: usize, b: usize| colours[a].iter().any(|cell| meets(board, cell, colours[b]));
        let expected = candidates(board, &|candidate| {
            let Candidate { cell, digit: of } = candidate;
            // Type 1: the colour of the cell sees both colours of the other group.
            let is_type_1 = (0..4).any(|a| {
                let others = if a < 2 { [2, 3] } else { [0, 1] };
                colours[a].has(cell) && others.iter().all(|&b| clash(a, b))
            });
            // Type 2: two colours see each other, and the cell sees both opposite colours.
            let is_type_2 = [(0, 2), (0, 3), (1, 2), (1, 3)].iter().any(|&(a, b)| {
                clash(a, b) && meets(board, cell, colours[1 - a]) && meets(board, cell, colours[5 - b])
            });
            of == digit && (is_type_1 || is_type_2)
        });
        assert_eq!(step.removed, expected);
    };
    assert!(check_random("multi colouring", 150, &check) > 100);
}

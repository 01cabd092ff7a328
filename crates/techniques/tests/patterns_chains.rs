//! The patterns of chains, checked from their definitions.

mod random_boards;

use random_boards::{candidates, check_random, sees};
use techniques::{Board, Candidate, Cells, Chain, Group, Node, Step};

/// Returns whether a candidate and a node cannot both hold.
fn excludes(board: &Board, candidate: Candidate, node: &Node) -> bool {
    if candidate.digit == node.digit {
        return node.cells.iter().all(|cell| sees(board, cell, candidate.cell));
    }
    node.cells.only() == Some(candidate.cell)
}

fn is_weak(board: &Board, a: &Node, b: &Node) -> bool {
    b.cells.iter().all(|cell| excludes(board, Candidate { cell, digit: b.digit }, a))
}

fn is_strong(board: &Board, a: &Node, b: &Node) -> bool {
    if a.digit == b.digit {
        let cells = a.cells | b.cells;
        return (0..board.houses().len()).any(|house| board.spots_in(house, a.digit) == cells);
    }
    let marks = a.cells.only().map(|cell| board.marks(cell));
    a.cells == b.cells && marks.is_some_and(|marks| marks.len() == 2)
}

/// Returns the cells of a digit in a set of cells.
fn spots(board: &Board, cells: Cells, digit: usize) -> Cells {
    cells.iter().filter(|&cell| board.has(Candidate { cell, digit })).collect()
}

/// Returns whether two nodes are all cells of two digits in an almost locked set.
fn is_in_set(board: &Board, set: &Group, a: &Node, b: &Node) -> bool {
    let is_place = |node: &Node| spots(board, set.cells, node.digit) == node.cells;
    a.digit != b.digit && is_place(a) && is_place(b)
}

/// Checks that each part of a step is an almost locked set that the chain uses.
fn check_sets(board: &Board, step: &Step) {
    for set in &step.groups {
        let digits: Vec<usize> = board
            .layout()
            .digits()
            .iter()
            .filter(|&digit| !spots(board, set.cells, digit).is_empty())
            .collect();
        assert_eq!(digits, set.digits.iter().collect::<Vec<_>>());
        assert_eq!(digits.len(), set.cells.len() + 1);
        assert!(
            (0..board.houses().len()).any(|house| set.cells.is_within(board.houses()[house].cells))
        );
        let mut links = step.chains[0].nodes.chunks(2);
        assert!(links.any(|pair| is_in_set(board, set, &pair[0], &pair[1])), "{step:?}");
    }
}

/// Checks the links of a chain, and that the step has its whole conclusion.
fn check_chain(board: &Board, step: &Step) {
    let [Chain { nodes, is_loop }] = step.chains.as_slice() else { panic!("one chain: {step:?}") };
    for node in nodes {
        assert!(node.cells.iter().all(|cell| board.has(Candidate { cell, digit: node.digit })));
    }
    for pair in nodes.windows(2) {
        let [a, b] = pair else { unreachable!() };
        assert_ne!(a.is_on, b.is_on);
        let is_in_set = || step.groups.iter().any(|set| is_in_set(board, set, a, b));
        let is_linked =
            if a.is_on { is_weak(board, a, b) } else { is_strong(board, a, b) || is_in_set() };
        assert!(is_linked, "{a:?} and {b:?} of {step:?}");
    }
    let (first, last) = (&nodes[0], &nodes[nodes.len() - 1]);
    assert!(!first.is_on && last.is_on && nodes.len() % 2 == 0);
    assert_eq!(*is_loop, is_weak(board, first, last), "{step:?}");
    if (first.cells, first.digit) == (last.cells, last.digit) && first.cells.len() == 1 {
        let cell = first.cells.least().unwrap_or(usize::MAX);
        assert_eq!(step.placed, [Candidate { cell, digit: first.digit }]);
        assert!(step.removed.is_empty());
        return;
    }
    let mut links = vec![(first, last)];
    if *is_loop {
        links.extend(nodes.windows(2).filter(|pair| pair[0].is_on).map(|pair| (&pair[0], &pair[1])));
    }
    let expected = candidates(board, &|candidate| {
        let is_seen =
            |(a, b): &(&Node, &Node)| excludes(board, candidate, a) && excludes(board, candidate, b);
        links.iter().any(is_seen) || *is_loop && is_locked(board, step, candidate)
    });
    assert_eq!(step.removed, expected, "{step:?}");
    assert!(step.placed.is_empty());
}

/// Returns whether a candidate sees a digit that a loop leaves in an almost locked set.
fn is_locked(board: &Board, step: &Step, candidate: Candidate) -> bool {
    let mut links = step.chains[0].nodes.chunks(2).filter(|pair| !is_strong(board, &pair[0], &pair[1]));
    links.any(|pair| {
        let set = step.groups.iter().find(|set| is_in_set(board, set, &pair[0], &pair[1]));
        let set = set.expect("a set");
        let is_end = pair.iter().any(|node| node.digit == candidate.digit);
        let cells = spots(board, set.cells, candidate.digit);
        !is_end && !cells.is_empty() && cells.iter().all(|cell| sees(board, cell, candidate.cell))
    })
}

fn has_one_digit(step: &Step) -> bool {
    let nodes = &step.chains[0].nodes;
    nodes.iter().all(|node| node.digit == nodes[0].digit)
}

fn has_group(step: &Step) -> bool {
    step.chains[0].nodes.iter().any(|node| node.cells.len() > 1)
}

/// Returns whether each strong link lies in a cell.
fn has_pairs(step: &Step) -> bool {
    step.chains[0].nodes.chunks(2).all(|pair| pair[0].cells == pair[1].cells)
}

#[test]
fn every_x_chain_has_one_digit_and_at_least_three_strong_links() {
    let check = |board: &Board, step: &Step| {
        check_chain(board, step);
        assert!(has_one_digit(step) && !has_group(step) && step.chains[0].nodes.len() >= 6);
    };
    assert!(check_random("X-chain", 60, &check) > 100);
}

#[test]
fn every_xy_chain_has_at_least_four_cells_of_two_candidates() {
    let check = |board: &Board, step: &Step| {
        check_chain(board, step);
        let nodes = &step.chains[0].nodes;
        assert!(has_pairs(step) && nodes.len() >= 8);
        assert_eq!(nodes[0].digit, nodes[nodes.len() - 1].digit);
    };
    assert!(check_random("XY-chain", 60, &check) > 100);
}

#[test]
fn every_aic_has_several_digits_and_is_no_xy_chain() {
    let check = |board: &Board, step: &Step| {
        check_chain(board, step);
        let nodes = &step.chains[0].nodes;
        let has_same_ends = nodes[0].digit == nodes[nodes.len() - 1].digit;
        assert!(!has_one_digit(step) && !has_group(step) && !step.chains[0].is_loop);
        assert!(!(has_pairs(step) && has_same_ends));
    };
    assert!(check_random("AIC", 20, &check) > 100);
}

#[test]
fn every_continuous_loop_is_closed() {
    let check = |board: &Board, step: &Step| {
        check_chain(board, step);
        assert!(!has_group(step) && step.chains[0].is_loop);
        assert!(step.chains[0].nodes.len() >= 6);
    };
    assert!(check_random("continuous loop", 20, &check) > 100);
}

#[test]
fn every_grouped_chain_has_a_group() {
    let check = |board: &Board, step: &Step| {
        check_chain(board, step);
        assert!(has_group(step) && !has_one_digit(step) && !step.chains[0].is_loop);
    };
    assert!(check_random("grouped AIC", 10, &check) > 100);
    let check = |board: &Board, step: &Step| {
        check_chain(board, step);
        assert!(has_group(step) && has_one_digit(step));
    };
    assert!(check_random("grouped X-chain", 20, &check) > 50);
    let check = |board: &Board, step: &Step| {
        check_chain(board, step);
        assert!(has_group(step) && step.chains[0].is_loop);
    };
    assert!(check_random("grouped continuous loop", 10, &check) > 50);
}

#[test]
fn every_chain_with_sets_has_an_almost_locked_set_and_another_strong_link() {
    let check = |board: &Board, step: &Step| {
        check_chain(board, step);
        check_sets(board, step);
        let nodes = &step.chains[0].nodes;
        let ends = [&nodes[0], &nodes[nodes.len() - 1]];
        let is_other = |pair: &[Node]| is_strong(board, &pair[0], &pair[1]);
        assert!(!step.groups.is_empty() && !step.chains[0].is_loop);
        assert!(ends[0].digit != ends[1].digit || nodes.chunks(2).any(is_other));
    };
    assert!(check_random("AIC with ALS", 4, &check) > 100);
    let check = |board: &Board, step: &Step| {
        check_chain(board, step);
        check_sets(board, step);
        assert!(!step.groups.is_empty() && step.chains[0].is_loop);
        assert!(step.chains[0].nodes.len() >= 6);
    };
    assert!(check_random("continuous loop with ALS", 4, &check) > 20);
}

//! The patterns of forcing chains and nets, checked from their definitions.

mod random_boards;

use std::collections::BTreeSet;

use random_boards::{candidates, check_random, sees};
use techniques::{Board, Candidate, Net, Node, Step, Truth};

fn choices(board: &Board, truth: Truth) -> BTreeSet<Candidate> {
    let is_choice = |candidate: Candidate| match truth {
        Truth::Cell(cell) => candidate.cell == cell,
        Truth::Place { house, digit } => {
            candidate.digit == digit && board.houses()[house].cells.has(candidate.cell)
        }
    };
    candidates(board, &is_choice).into_iter().collect()
}

fn all_truths(board: &Board) -> impl Iterator<Item = Truth> + '_ {
    let places = (0..board.houses().len()).flat_map(|house| {
        board.layout().digits().iter().map(move |digit| Truth::Place { house, digit })
    });
    board.open().iter().map(Truth::Cell).chain(places)
}

fn excludes(board: &Board, a: Candidate, b: Candidate) -> bool {
    if a.cell == b.cell {
        a.digit != b.digit
    } else {
        a.digit == b.digit && sees(board, a.cell, b.cell)
    }
}

fn candidate(node: &Node) -> Candidate {
    Candidate { cell: node.cells.only().unwrap_or(usize::MAX), digit: node.digit }
}

/// Checks that chains from all candidates of a fact lead to the conclusion of the step.
fn check_chains(board: &Board, step: &Step, is_cell: bool) {
    let starts: BTreeSet<Candidate> =
        step.chains.iter().map(|chain| candidate(&chain.nodes[0])).collect();
    assert_eq!(starts.len(), step.chains.len());
    let is_fact =
        |truth: Truth| matches!(truth, Truth::Cell(_)) == is_cell && choices(board, truth) == starts;
    assert!(all_truths(board).any(is_fact) && starts.len() >= 3, "{step:?}");
    for chain in &step.chains {
        let (first, last) = (&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]);
        assert!(first.is_on && !chain.is_loop);
        let conclusion = [candidate(last)];
        if last.is_on {
            assert!(step.placed == conclusion && step.removed.is_empty());
        } else {
            assert!(step.removed == conclusion && step.placed.is_empty());
        }
        for pair in chain.nodes.windows(2) {
            let (a, b) = (candidate(&pair[0]), candidate(&pair[1]));
            assert_ne!(pair[0].is_on, pair[1].is_on);
            let both: BTreeSet<Candidate> = [a, b].into_iter().collect();
            let is_linked = if pair[0].is_on {
                excludes(board, a, b)
            } else {
                all_truths(board).any(|truth| choices(board, truth) == both)
            };
            assert!(is_linked, "{a:?} {b:?} of {step:?}");
        }
    }
}

/// Replays a net. Returns what holds and what is excluded at its end.
fn replay(board: &Board, net: &Net) -> (BTreeSet<Candidate>, BTreeSet<Candidate>) {
    let mut placed = BTreeSet::from([net.start]);
    let all = candidates(board, &|_| true);
    let excluded = |placed: &BTreeSet<Candidate>| -> BTreeSet<Candidate> {
        let is_out = |&other: &Candidate| placed.iter().any(|&one| excludes(board, one, other));
        all.iter().copied().filter(is_out).collect()
    };
    for inference in &net.inferences {
        let out = excluded(&placed);
        let mut rest = choices(board, inference.truth);
        assert!(rest.remove(&inference.placed));
        assert!(rest.is_subset(&out), "{inference:?} of {net:?}");
        assert!(placed.insert(inference.placed), "each inference comes once");
    }
    let out = excluded(&placed);
    if let Some(failed) = net.failed {
        assert!(choices(board, failed).is_subset(&out), "{net:?}");
    }
    (placed, out)
}

fn check_contradiction(board: &Board, step: &Step) {
    let [net] = step.nets.as_slice() else { panic!("one net: {step:?}") };
    assert!(net.failed.is_some());
    assert_eq!(step.removed, [net.start]);
    replay(board, net);
}

#[test]
fn every_cell_forcing_chain_has_a_chain_for_each_candidate_of_a_cell() {
    let check = |board: &Board, step: &Step| check_chains(board, step, true);
    assert!(check_random("cell forcing chain", 3, &check) > 100);
}

#[test]
fn every_region_forcing_chain_has_a_chain_for_each_place_of_a_digit() {
    let check = |board: &Board, step: &Step| check_chains(board, step, false);
    assert!(check_random("region forcing chain", 3, &check) > 100);
}

#[test]
fn every_nishio_follows_one_digit_to_a_contradiction() {
    let check = |board: &Board, step: &Step| {
        check_contradiction(board, step);
        let is_place = |truth: &Truth| match truth {
            Truth::Place { digit, .. } => *digit == step.removed[0].digit,
            Truth::Cell(_) => false,
        };
        assert!(step.truths.iter().all(is_place));
    };
    assert!(check_random("Nishio", 20, &check) > 100);
}

#[test]
fn every_dynamic_contradiction_can_be_replayed() {
    assert!(check_random("dynamic contradiction", 4, &check_contradiction) > 100);
}

#[test]
fn both_nets_of_a_dynamic_forcing_net_lead_to_its_conclusion() {
    let check = |board: &Board, step: &Step| {
        let starts: BTreeSet<Candidate> = step.nets.iter().map(|net| net.start).collect();
        assert_eq!(starts.len(), 2);
        assert!(all_truths(board).any(|truth| choices(board, truth) == starts));
        for net in &step.nets {
            let (placed, excluded) = replay(board, net);
            assert!(net.failed.is_none());
            assert!(step.placed.iter().all(|placing| placed.contains(placing)));
            assert!(step.removed.iter().all(|removed| excluded.contains(removed)));
        }
        assert_eq!(step.placed.len() + step.removed.len(), 1);
    };
    assert!(check_random("dynamic forcing net", 2, &check) > 100);
}

#[test]
fn explanations_of_nets_have_at_most_ten_lines() {
    let check = |board: &Board, step: &Step| {
        let text = techniques::Words::new(board.layout()).tell(step);
        let lines: usize = text.lines().map(|line| line.chars().count().div_ceil(100)).sum();
        assert!(lines <= 10, "{text}");
    };
    check_random("dynamic contradiction", 2, &check);
    check_random("dynamic forcing net", 1, &check);
}

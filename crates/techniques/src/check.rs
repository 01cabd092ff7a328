//! An independent check of a step: its facts alone exclude the opposite of its conclusion.
//!
//! Suppose that an eliminated candidate stands (or that a placed one does not). Then no choice of
//! one candidate per fact is free of conflicts. A plain backtracker decides this; it shares no code
//! with the techniques.

use crate::board::{Board, Candidate};
use crate::step::{Step, Truth};

/// Returns whether the facts of a step prove its whole conclusion. Does not hold for techniques
/// that assume a unique solution.
///
/// ```
/// use std::sync::Arc;
/// use techniques::{Board, Candidate, Layout, Settings};
///
/// // Eight digits in the first row leave one for its last cell.
/// let mut board = Board::new(&Arc::new(Layout::classic()));
/// (0..8).for_each(|n| board.give(Candidate { cell: n, digit: n }));
/// let steps = techniques::find(&board, Settings::new(), &Default::default())?;
/// assert_eq!(steps[0].technique.name, "full house");
/// assert!(techniques::is_proved(&board, &steps[0]));
/// # Ok::<(), limits::Limit>(())
/// ```
#[must_use]
pub fn is_proved(board: &Board, step: &Step) -> bool {
    let facts: Vec<Vec<Candidate>> = step.truths.iter().map(|&truth| choices(board, truth)).collect();
    let falls = |&candidate: &Candidate| !is_consistent(board, &facts, &mut vec![candidate]);
    let stands = |&placed: &Candidate| {
        let others: Vec<Vec<Candidate>> = facts
            .iter()
            .map(|fact| fact.iter().copied().filter(|&choice| choice != placed).collect())
            .collect();
        !is_consistent(board, &others, &mut Vec::new())
    };
    step.removed.iter().all(falls) && step.placed.iter().all(stands)
}

fn choices(board: &Board, truth: Truth) -> Vec<Candidate> {
    match truth {
        Truth::Cell(cell) => board.marks(cell).iter().map(|digit| Candidate { cell, digit }).collect(),
        Truth::Place { house, digit } => {
            board.spots_in(house, digit).iter().map(|cell| Candidate { cell, digit }).collect()
        }
    }
}

fn conflict(board: &Board, a: Candidate, b: Candidate) -> bool {
    match (a.cell == b.cell, a.digit == b.digit) {
        (true, same) => !same,
        (false, true) => board.layout().peers(a.cell).has(b.cell),
        (false, false) => false,
    }
}

/// Returns whether one candidate of each fact can be chosen beside `chosen` without a conflict. The
/// fact with the fewest choices comes first.
fn is_consistent(board: &Board, facts: &[Vec<Candidate>], chosen: &mut Vec<Candidate>) -> bool {
    let is_free = |candidate: Candidate| chosen.iter().all(|&other| !conflict(board, candidate, other));
    let open = facts.iter().filter(|fact| !fact.iter().any(|choice| chosen.contains(choice)));
    let free = open.map(|fact| -> Vec<Candidate> {
        fact.iter().copied().filter(|&choice| is_free(choice)).collect()
    });
    let Some(tightest) = free.min_by_key(Vec::len) else { return true };
    tightest.into_iter().any(|choice| {
        chosen.push(choice);
        let is_consistent = is_consistent(board, facts, chosen);
        chosen.pop();
        is_consistent
    })
}

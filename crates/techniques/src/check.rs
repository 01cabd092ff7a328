//! An independent check of a step: its facts alone exclude the opposite of its conclusion.
//!
//! Suppose that an eliminated candidate stands (or that a placed one does not). Then no choice of
//! one candidate per fact is free of conflicts. A backtracker decides this, which chooses for the
//! fact with the fewest choices left; it shares no code with the techniques.
//!
//! Bound: the search has at most as many levels as the step has facts. The candidates of the facts
//! are numbered, so that sets of them are bits.

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
    let facts = Facts::new(board, &step.truths);
    let falls = |&candidate: &Candidate| !facts.hold(&facts.without_conflicts(board, candidate));
    let stands = |&placed: &Candidate| !facts.hold(&facts.without(placed));
    step.removed.iter().all(falls) && step.placed.iter().all(stands)
}

/// A set of candidates, by their number in [`Facts`].
type Set = Vec<u64>;

/// The facts of a step, as sets of candidates of which one must stand.
struct Facts {
    candidates: Vec<Candidate>,
    facts: Vec<Set>,
    /// For each candidate, the candidates that do not conflict with it.
    allowed: Vec<Set>,
}

impl Facts {
    fn new(board: &Board, truths: &[Truth]) -> Self {
        let choices: Vec<Vec<Candidate>> = truths.iter().map(|&truth| choices(board, truth)).collect();
        let mut candidates: Vec<Candidate> = choices.iter().flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let set = |is_in: &dyn Fn(Candidate) -> bool| set(&candidates, is_in);
        let facts =
            choices.iter().map(|choices| set(&|candidate| choices.contains(&candidate))).collect();
        let allowed = candidates
            .iter()
            .map(|&candidate| set(&|other| !conflict(board, candidate, other)))
            .collect();
        Self { facts, allowed, candidates }
    }

    /// Returns the candidates that could stand with this one.
    fn without_conflicts(&self, board: &Board, candidate: Candidate) -> Set {
        set(&self.candidates, &|other| !conflict(board, candidate, other))
    }

    /// Returns the candidates other than this one.
    fn without(&self, candidate: Candidate) -> Set {
        set(&self.candidates, &|other| other != candidate)
    }

    /// Returns whether all facts can hold with candidates of this set.
    fn hold(&self, left: &Set) -> bool {
        let chosen = vec![0; left.len()];
        self.can_choose(left, &chosen)
    }

    /// Returns whether one candidate of each fact can be chosen besides those chosen. All that are
    /// left are free of conflicts with these.
    fn can_choose(&self, left: &Set, chosen: &Set) -> bool {
        let open = self.facts.iter().filter(|fact| common(fact, chosen) == 0);
        let Some(tightest) = open.min_by_key(|fact| common(fact, left)) else { return true };
        (0..self.candidates.len()).filter(|&number| has(tightest, number) && has(left, number)).any(
            |number| {
                let mut chosen = chosen.clone();
                chosen[number / 64] |= 1 << (number % 64);
                let left = left.iter().zip(&self.allowed[number]).map(|(left, allowed)| left & allowed);
                self.can_choose(&left.collect(), &chosen)
            },
        )
    }
}

/// Returns the set of the candidates with a property.
fn set(candidates: &[Candidate], is_in: &dyn Fn(Candidate) -> bool) -> Set {
    let mut set = vec![0; candidates.len().div_ceil(64)];
    for (number, &candidate) in candidates.iter().enumerate() {
        set[number / 64] |= u64::from(is_in(candidate)) << (number % 64);
    }
    set
}

fn has(set: &Set, number: usize) -> bool {
    set[number / 64] >> (number % 64) & 1 == 1
}

/// Returns the number of common elements.
fn common(set: &Set, other: &Set) -> u32 {
    set.iter().zip(other).map(|(one, other)| (one & other).count_ones()).sum()
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::layout::Layout;

    #[test]
    fn a_digit_of_a_row_removes_nothing_from_cells_that_do_not_see_the_row() {
        let board = Board::new(&Arc::new(Layout::classic()));
        let row = board.houses().iter().position(|house| (0..9).all(|cell| house.cells.has(cell)));
        let mut step = Step::new(crate::by_name("hidden single").expect("a technique"));
        step.truths = vec![Truth::Place { house: row.expect("the first row"), digit: 0 }];
        step.removed = vec![Candidate { cell: 80, digit: 0 }];
        assert!(!is_proved(&board, &step));
    }
}

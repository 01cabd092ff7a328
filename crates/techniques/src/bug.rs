//! Bivalue universal graves (BUG): every open cell has two candidates, except for some extra ones.
//!
//! In a grave every open cell has two candidates and every house has each missing digit as a
//! candidate of two cells. Then the candidates that a solution does not use form a second
//! solution. Hence a puzzle with one solution is never in that state: at least one candidate
//! outside of the grave, an extra candidate, holds. This needs houses as the only rules: a board on
//! which some cells see each other without sharing a house has no grave.
//!
//! Bound: at most [`EXTRA_CELLS_MAX`] cells with more than two candidates, each with at most
//! [`MARKS_MAX`]; their extra candidates are found by a depth-first search that counts candidates
//! per house.
//!
//! Source: the definitions of Sudoku Explainer (BUG types 1 to 4) and HoDoKu (BUG+1).

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::layout::Layout;
use crate::rectangles::{SUBSET_SCORE, subsets};
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family = Family { techniques: &[&BUG_1, &BUG_2, &BUG_4, &BUG_3], find };

/// Most cells with more than two candidates; more of them never share a conclusion in practice.
const EXTRA_CELLS_MAX: usize = 6;

/// Most candidates of a cell with extra ones; bounds the choices of its pair to 10.
const MARKS_MAX: usize = 5;

static BUG_1: Technique = Technique {
    name: "BUG+1",
    score: 56,
    summary: "All open cells have two candidates except one with three, which takes the digit that \
              occurs three times in its houses.",
    is_uniqueness: true,
    tell: tell_one,
};

static BUG_2: Technique = Technique {
    name: "BUG type 2",
    score: 57,
    summary: "All extra candidates over two per cell are of one digit, and one of them holds.",
    is_uniqueness: true,
    tell: tell_same,
};

static BUG_3: Technique = Technique {
    name: "BUG type 3",
    score: 58,
    summary: "The extra candidates over two per cell form a subset with other cells of a house.",
    is_uniqueness: true,
    tell: tell_subset,
};

static BUG_4: Technique = Technique {
    name: "BUG type 4",
    score: 57,
    summary: "Two cells of a house have extra candidates and share a digit, which one of them takes.",
    is_uniqueness: true,
    tell: tell_tied,
};

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    let open = board.open();
    let more = open - board.cells_with(2);
    let is_possible = |cell: usize| (3..=MARKS_MAX).contains(&board.marks(cell).len());
    let is_wanted = search.uniqueness() && (1..=EXTRA_CELLS_MAX).contains(&more.len());
    if !is_wanted || !more.iter().all(is_possible) || !has_only_houses(board.layout()) {
        return Ok(());
    }
    search.spend(20_000)?;
    let mut counts = Counts::new(board);
    if !(open - more).iter().all(|cell| counts.add(cell, board.marks(cell))) {
        return Ok(());
    }
    let cells: Vec<usize> = more.iter().collect();
    let mut pairs = Vec::with_capacity(cells.len());
    search_pairs(search, &mut counts, &cells, &mut pairs)
}

/// Returns whether cells see each other only within houses.
fn has_only_houses(layout: &Layout) -> bool {
    (0..layout.cell_count()).all(|cell| {
        let houses = layout.houses_of(cell).iter();
        let seen = houses.fold(Cells::NONE, |seen, &house| seen | layout.houses()[house].cells);
        layout.peers(cell).is_within(seen)
    })
}

/// For each house and digit, the number of cells with the digit in the grave.
struct Counts<'b> {
    board: &'b Board,
    counts: Vec<[u8; Digits::CAPACITY]>,
}

impl<'b> Counts<'b> {
    fn new(board: &'b Board) -> Self {
        Self { board, counts: vec![[0; Digits::CAPACITY]; board.houses().len()] }
    }

    /// Adds the pair of a cell; returns whether no count exceeds two.
    fn add(&mut self, cell: usize, pair: Digits) -> bool {
        let mut is_possible = true;
        for &house in self.board.layout().houses_of(cell) {
            for digit in pair.iter() {
                self.counts[house][digit] += 1;
                is_possible &= self.counts[house][digit] <= 2;
            }
        }
        is_possible
    }

    fn remove(&mut self, cell: usize, pair: Digits) {
        for &house in self.board.layout().houses_of(cell) {
            pair.iter().for_each(|digit| self.counts[house][digit] -= 1);
        }
    }

    fn is_grave(&self) -> bool {
        self.counts.iter().flatten().all(|&count| count == 0 || count == 2)
    }
}

/// Chooses the pair of each cell in turn, and offers the steps of each grave.
fn search_pairs(
    search: &mut Search<'_>,
    counts: &mut Counts<'_>,
    cells: &[usize],
    pairs: &mut Vec<Digits>,
) -> Result<(), Limit> {
    let Some(&cell) = cells.get(pairs.len()) else {
        if counts.is_grave() {
            offer(search, cells, pairs);
        }
        return Ok(());
    };
    search.spend(100)?;
    let marks = search.board().marks(cell);
    for first in marks.iter() {
        for second in marks.iter().filter(|&second| second > first) {
            let pair = Digits::one(first) | Digits::one(second);
            if counts.add(cell, pair) {
                pairs.push(pair);
                search_pairs(search, counts, cells, pairs)?;
                pairs.pop();
            }
            counts.remove(cell, pair);
        }
    }
    Ok(())
}

/// Offers the steps of a grave: the pairs of the cells that have extra candidates.
fn offer(search: &mut Search<'_>, cells: &[usize], pairs: &[Digits]) {
    let board = search.board();
    let layout = board.layout();
    let roof: Cells = cells.iter().copied().collect();
    let pair_of =
        |cell| cells.iter().position(|&other| other == cell).map_or(Digits::NONE, |n| pairs[n]);
    let extra_of = |cell: usize| board.marks(cell) - pair_of(cell);
    let extra = cells.iter().fold(Digits::NONE, |all, &cell| all | extra_of(cell));
    let new_step = |technique| {
        let mut step = Step::new(technique);
        let fin =
            |&cell: &usize| Group { part: Part::Fin, cells: Cells::one(cell), digits: extra_of(cell) };
        let body =
            |&cell: &usize| Group { part: Part::Body, cells: Cells::one(cell), digits: pair_of(cell) };
        step.groups = cells.iter().map(body).chain(cells.iter().map(fin)).collect();
        step.truths = board.open().iter().map(Truth::Cell).collect();
        step
    };
    if let ([cell], Some(digit)) = (cells, extra.only()) {
        let mut step = new_step(&BUG_1);
        step.placed = vec![Candidate { cell: *cell, digit }];
        search.offer(step);
        return;
    }
    if let Some(digit) = extra.only() {
        let mut step = new_step(&BUG_2);
        let seen = layout.common_peers(roof) & board.spots(digit);
        step.removed = seen.iter().map(|cell| Candidate { cell, digit }).collect();
        search.offer(step);
        return;
    }
    let houses: Vec<usize> = layout.houses_around(roof).collect();
    if let (&[first, second], Some(&house)) = (cells, houses.first()) {
        // A shared digit of the pairs has no third cell in the house.
        let shared = pair_of(first) & pair_of(second);
        for digit in shared.iter() {
            let mut step = new_step(&BUG_4);
            let others = |cell| board.candidates(Cells::one(cell), pair_of(cell) - Digits::one(digit));
            step.removed = others(first).chain(others(second)).collect();
            step.houses = vec![house];
            search.offer(step);
        }
    }
    if cells.len() < 2 || !search.wants(BUG_3.score) {
        return;
    }
    for house in houses {
        subsets(board, house, roof, extra, Cells::NONE, &mut |subset| {
            let mut step = new_step(&BUG_3);
            step.score += SUBSET_SCORE * (subset.cells.len() as u32 - 1);
            subset.complete(board, house, &mut step);
            search.offer(step);
        });
    }
}

const GRAVE: &str = "Without the extra candidates every open cell would have two candidates and every digit \
                     two cells in each house, which gives no solution or two";

fn tell_one(step: &Step, words: &Words<'_>) -> String {
    format!("{GRAVE}; only {} has one, {}", cells(step, words), words.digits(step.digits(Part::Fin)))
}

fn tell_same(step: &Step, words: &Words<'_>) -> String {
    format!("{GRAVE}; so one of {} is {}", cells(step, words), words.digits(step.digits(Part::Fin)))
}

fn tell_subset(step: &Step, words: &Words<'_>) -> String {
    let extra = step.digits(Part::Fin);
    format!(
        "{GRAVE}; so one of {} has {}, and with {} this takes up all {} of {}",
        cells(step, words),
        words.digits(extra).replace(" and ", " or "),
        words.cells(step.cells(Part::Set(0))),
        words.digits(extra | step.digits(Part::Set(0))),
        words.houses(&step.houses),
    )
}

fn tell_tied(step: &Step, words: &Words<'_>) -> String {
    let pairs: Vec<Digits> = step.part(Part::Body).map(|group| group.digits).collect();
    let removed = step.removed.iter().fold(Digits::NONE, |all, gone| all | Digits::one(gone.digit));
    let kept = pairs.iter().fold(Digits::first(Digits::CAPACITY), |all, &pair| all & pair) - removed;
    format!(
        "{GRAVE}; one of {} is {} in {}, and the other must take an extra candidate ({})",
        cells(step, words),
        words.digits(kept),
        words.houses(&step.houses),
        words.digits(step.digits(Part::Fin)).replace(" and ", " or "),
    )
}

fn cells(step: &Step, words: &Words<'_>) -> String {
    words.cells(step.cells(Part::Fin))
}

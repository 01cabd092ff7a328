//! Fireworks: digits that a row and a column must put into the same few cells.
//!
//! A row and a column cross in a box. If a digit has, outside of the box, at most one cell in the
//! row and at most one in the column (the wings), then it stands in a wing or in the crossing: in
//! neither wing, its cells in the row and in the column would both be in the box, so both would be
//! the crossing. Three such digits with the same wings fill the crossing and both wings; two such
//! digits at each of two opposite crossings with the same wings fill all four cells.
//!
//! Source: SudokuWiki, "Fireworks", after shye.
//!
//! Bound: each of at most 121 crossings has at most 100 pairs of wings; bit sets test each pair.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::layout::HouseKind;
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family = Family { techniques: &[&TRIPLE, &QUADRUPLE], find };

static TRIPLE: Technique = Technique {
    name: "triple firework",
    score: 71,
    summary: "A row and a column cross in a box. Three digits have at most one cell outside of the box \
              in the row, all the same, and in the column likewise. They fill these two cells and the \
              crossing.",
    is_uniqueness: false,
    tell: tell_triple,
};

static QUADRUPLE: Technique = Technique {
    name: "quadruple firework",
    score: 74,
    summary: "Two rows and two columns cross in four cells. Two digits can leave the box of one \
              crossing only to its two neighbours, and two other digits that of the opposite crossing. \
              These four digits fill the four cells.",
    is_uniqueness: false,
    tell: tell_quadruple,
};

/// The row, the column and the box of a crossing.
#[derive(Clone, Copy, Debug)]
struct FireworkCrossing {
    cell: usize,
    row: usize,
    column: usize,
    around: Cells,
}

impl FireworkCrossing {
    fn new(board: &Board, cell: usize) -> Option<Self> {
        let house = |kind| board.layout().house_of(cell, kind);
        let around = board.houses()[house(HouseKind::Box)?].cells;
        Some(Self { cell, row: house(HouseKind::Row)?, column: house(HouseKind::Column)?, around })
    }

    /// Returns the digits that stand in the crossing or in one of these wings.
    fn digits(&self, board: &Board, row_wing: usize, column_wing: usize) -> Digits {
        let is_bound = |digit: usize| {
            let in_row = board.spots_in(self.row, digit);
            let in_column = board.spots_in(self.column, digit);
            !in_row.is_empty()
                && !in_column.is_empty()
                && (in_row - self.around).is_within(Cells::one(row_wing))
                && (in_column - self.around).is_within(Cells::one(column_wing))
        };
        board.layout().digits().iter().filter(|&digit| is_bound(digit)).collect()
    }

    /// Returns the facts that bind these digits.
    fn truths(&self, digits: Digits) -> impl Iterator<Item = Truth> {
        let houses = [self.row, self.column];
        houses
            .into_iter()
            .flat_map(move |house| digits.iter().map(move |digit| Truth::Place { house, digit }))
    }
}

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    if !search.wants(TRIPLE.score) {
        return Ok(());
    }
    let size = board.layout().size();
    for cell in board.open().iter() {
        let Some(crossing) = FireworkCrossing::new(board, cell) else { continue };
        search.spend(2_000)?;
        // Digits with at most one cell outside of the box in the row, and in the column.
        let ends = |house: usize| -> (Digits, Cells) {
            let mut bound = (Digits::NONE, Cells::NONE);
            for digit in board.layout().digits().iter() {
                let spots = board.spots_in(house, digit);
                let outside = spots - crossing.around;
                if !spots.is_empty() && outside.len() <= 1 {
                    bound.0.insert(digit);
                    bound.1 |= outside;
                }
            }
            bound
        };
        let (in_row, row_wings) = ends(crossing.row);
        let (in_column, column_wings) = ends(crossing.column);
        if (in_row & in_column).len() < 2 {
            continue;
        }
        for row_wing in row_wings.iter() {
            for column_wing in column_wings.iter() {
                let digits = crossing.digits(board, row_wing, column_wing);
                if digits.len() == 3 {
                    offer_triple(search, crossing, [row_wing, column_wing], digits);
                }
                let opposite = column_wing / size * size + row_wing % size;
                if digits.len() >= 2 && board.open().has(opposite) {
                    let Some(opposite) = FireworkCrossing::new(board, opposite) else { continue };
                    let others = opposite.digits(board, column_wing, row_wing);
                    let wings = [row_wing, column_wing];
                    offer_quadruples(search, [crossing, opposite], wings, [digits, others]);
                }
            }
        }
    }
    Ok(())
}

fn offer_triple(
    search: &mut Search<'_>,
    crossing: FireworkCrossing,
    wings: [usize; 2],
    digits: Digits,
) {
    let board = search.board();
    let cells = Cells::one(crossing.cell) | wings.into_iter().collect();
    let mut step = Step::new(&TRIPLE);
    step.removed = board.candidates(cells, board.layout().digits() - digits).collect();
    step.truths = crossing.truths(digits).collect();
    step.houses = vec![crossing.row, crossing.column];
    step.groups = vec![
        Group { part: Part::Body, cells: Cells::one(crossing.cell), digits },
        Group { part: Part::Fin, cells: wings.into_iter().collect(), digits },
    ];
    search.offer(step);
}

/// Offers the steps of two opposite crossings: each takes two of its digits.
fn offer_quadruples(
    search: &mut Search<'_>,
    crossings: [FireworkCrossing; 2],
    wings: [usize; 2],
    digits: [Digits; 2],
) {
    if !search.wants(QUADRUPLE.score) {
        return;
    }
    let board = search.board();
    let all = board.layout().digits();
    for one in pairs(digits[0]) {
        for other in pairs(digits[1]).filter(|&other| !one.meets(other)) {
            let [here, opposite] = crossings.map(|crossing| Cells::one(crossing.cell));
            let ends: Cells = wings.into_iter().collect();
            let mut removed: Vec<Candidate> = board
                .candidates(here, all - one)
                .chain(board.candidates(opposite, all - other))
                .chain(board.candidates(ends, all - one - other))
                .collect();
            if removed.is_empty() {
                continue;
            }
            removed.sort_unstable();
            let mut step = Step::new(&QUADRUPLE);
            step.removed = removed;
            step.truths = crossings[0].truths(one).chain(crossings[1].truths(other)).collect();
            step.houses =
                crossings.iter().flat_map(|crossing| [crossing.row, crossing.column]).collect();
            step.groups = vec![
                Group { part: Part::Set(0), cells: here, digits: one },
                Group { part: Part::Set(1), cells: opposite, digits: other },
                Group { part: Part::Fin, cells: ends, digits: one | other },
            ];
            search.offer(step);
        }
    }
}

/// Returns all sets of two of these digits.
fn pairs(digits: Digits) -> impl Iterator<Item = Digits> {
    digits.iter().flat_map(move |first| {
        let later = digits.iter().filter(move |&second| second > first);
        later.map(move |second| Digits::one(first) | Digits::one(second))
    })
}

fn tell_triple(step: &Step, words: &Words<'_>) -> String {
    let digits = words.digits(step.digits(Part::Body));
    let crossing = words.cells(step.cells(Part::Body));
    let wings = words.cells(step.cells(Part::Fin));
    format!(
        "Each of {digits} has no cell in {} outside of the box of {crossing} except {wings}, so each \
         stands in {crossing} or {wings}, and the three fill these three cells",
        words.houses(&step.houses)
    )
}

fn tell_quadruple(step: &Step, words: &Words<'_>) -> String {
    let wings = words.cells(step.cells(Part::Fin));
    let part = |number: u8| {
        let crossing = words.cells(step.cells(Part::Set(number)));
        format!("{} in {crossing} or {wings}", words.digits(step.digits(Part::Set(number))))
    };
    format!(
        "The row and the column of each crossing leave its box only through {wings}, so two digits \
         stand each: {}; and {}. These four digits fill the four cells",
        part(0),
        part(1)
    )
}

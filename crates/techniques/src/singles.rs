//! Singles: full house, hidden single, naked single.

use limits::Limit;

use crate::board::Candidate;
use crate::layout::HouseKind;
use crate::search::Search;
use crate::step::{Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family =
    Family { techniques: &[&FULL_HOUSE, &HIDDEN_SINGLE, &NAKED_SINGLE], find };

static FULL_HOUSE: Technique = Technique {
    name: "full house",
    score: 10,
    summary: "A house has one open cell, which takes the missing digit.",
    is_uniqueness: false,
    tell: tell_hidden,
};

static HIDDEN_SINGLE: Technique = Technique {
    name: "hidden single",
    score: 12,
    summary: "A digit has one cell left in a house.",
    is_uniqueness: false,
    tell: tell_hidden,
};

static NAKED_SINGLE: Technique = Technique {
    name: "naked single",
    score: 23,
    summary: "A cell has one candidate left.",
    is_uniqueness: false,
    tell: tell_naked,
};

/// Score above that of a box for a hidden single in a line, in tenths: lines are harder to scan.
const LINE: u32 = 3;

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    search.spend(2_000)?;
    for (number, house) in board.houses().iter().enumerate() {
        let is_last = (house.cells & board.open()).len() == 1;
        for digit in board.layout().digits().iter() {
            let Some(cell) = board.spots_in(number, digit).only() else { continue };
            let mut step = Step::new(if is_last { &FULL_HOUSE } else { &HIDDEN_SINGLE });
            if !is_last && house.kind != HouseKind::Box {
                step.score += LINE;
            }
            step.placed = vec![Candidate { cell, digit }];
            step.houses = vec![number];
            step.truths = vec![Truth::Place { house: number, digit }];
            search.offer(step);
        }
    }
    for cell in board.cells_with(1).iter() {
        let Some(digit) = board.marks(cell).only() else { continue };
        let mut step = Step::new(&NAKED_SINGLE);
        step.placed = vec![Candidate { cell, digit }];
        step.truths = vec![Truth::Cell(cell)];
        search.offer(step);
    }
    Ok(())
}

fn tell_hidden(step: &Step, words: &Words<'_>) -> String {
    let house = step.houses.first().map_or("", |&house| words.house(house));
    match step.placed.first() {
        Some(placed) => format!("{} has one cell left in {house}", words.digit(placed.digit)),
        None => String::new(),
    }
}

fn tell_naked(step: &Step, words: &Words<'_>) -> String {
    match step.placed.first() {
        Some(placed) => {
            let cell = words.cells(crate::bits::Cells::one(placed.cell));
            format!("{cell} has one candidate left, {}", words.digit(placed.digit))
        }
        None => String::new(),
    }
}

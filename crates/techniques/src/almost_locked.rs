//! Almost locked candidates (pair and triple) at one intersection of a box and a line.
//!
//! Outside of the intersection one house has n - 1 cells with n digits together, and the other
//! house has these digits in only n - 1 cells. So the other house has one of the digits in the
//! intersection; the first house has the others in its n - 1 cells. Hence the digits have no
//! further cell in the first house, and the n - 1 cells of the other house have no other digits.
//!
//! Bound: for each intersection at most 11 cells, or 55 pairs of cells, in each of both houses.
//!
//! Source: SudokuWiki, "Almost Locked Candidates".

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::layout::HouseKind;
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family = Family { techniques: &[&PAIR, &TRIPLE], find };

static PAIR: Technique = Technique {
    name: "almost locked pair",
    score: 71,
    summary: "Outside of an intersection of a box and a line, one of them has a cell with two digits, and \
              the other has these digits in one cell. So one of the digits is in the intersection.",
    is_uniqueness: false,
    tell,
};

static TRIPLE: Technique = Technique {
    name: "almost locked triple",
    score: 73,
    summary: "Outside of an intersection of a box and a line, one of them has two cells with three digits, \
              and the other has these digits in two cells. So one of the digits is in the intersection.",
    is_uniqueness: false,
    tell,
};

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    let houses = board.houses();
    search.spend(10_000)?;
    for (box_, shape) in houses.iter().enumerate().filter(|(_, house)| house.kind == HouseKind::Box) {
        for (line, other) in houses.iter().enumerate().filter(|(_, house)| house.kind.is_line()) {
            if (shape.cells & other.cells & board.open()).is_empty() {
                continue;
            }
            for (first, second) in [(box_, line), (line, box_)] {
                let cells = (houses[first].cells - houses[second].cells) & board.open();
                for cell in cells.iter().filter(|&cell| board.marks(cell).len() <= 3) {
                    if board.marks(cell).len() == 2 {
                        try_set(search, &PAIR, [first, second], Cells::one(cell));
                    }
                    for next in cells.iter().filter(|&next| next > cell) {
                        if (board.marks(cell) | board.marks(next)).len() == 3 {
                            let pair = Cells::one(cell) | Cells::one(next);
                            try_set(search, &TRIPLE, [first, second], pair);
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// Offers the step of some cells of the first house, if the other house has their digits in as many
/// cells outside of the intersection.
fn try_set(search: &mut Search<'_>, technique: &'static Technique, pair: [usize; 2], set: Cells) {
    let board = search.board();
    let [first, second] = pair.map(|house| board.houses()[house].cells);
    if !search.wants(technique.score) {
        return;
    }
    let digits = board.marks_of(set);
    let homes = digits.iter().fold(Cells::NONE, |all, digit| all | board.spots(digit)) & second;
    let hidden = homes - first;
    let is_missing = digits.iter().all(|digit| board.spots(digit).meets(second));
    if hidden.len() != set.len() || !is_missing {
        return;
    }
    let mut step = Step::new(technique);
    step.removed = board.candidates(first - second - set, digits).collect();
    step.removed.extend(board.candidates(hidden, board.layout().digits() - digits));
    if step.removed.is_empty() {
        return;
    }
    step.removed.sort_unstable();
    step.groups = vec![
        Group { part: Part::Set(0), cells: set, digits },
        Group { part: Part::Body, cells: hidden, digits },
        Group { part: Part::Link, cells: homes & first, digits },
    ];
    step.houses = vec![pair[1]];
    step.covers = vec![pair[0]];
    step.truths = set.iter().map(Truth::Cell).collect();
    step.truths.extend(digits.iter().map(|digit| Truth::Place { house: pair[1], digit }));
    search.offer(step);
}

fn tell(step: &Step, words: &Words<'_>) -> String {
    let house = |houses: &[usize]| houses.first().map_or("", |&house| words.house(house));
    let digits: Digits = step.digits(Part::Set(0));
    let (first, second) = (house(&step.covers), house(&step.houses));
    format!(
        "Outside of {first}, {second} has {} only in {}, so it has one of them in {first}; the others are in \
         {}, which has no other digits",
        words.digits(digits),
        words.cells(step.cells(Part::Body)),
        words.cells(step.cells(Part::Set(0))),
    )
}

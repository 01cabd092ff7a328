//! Wings: two to four cells of few candidates that leave a digit no other place.
//!
//! All but the W-wing are bent sets: as many cells as digits together, of which all digits but one
//! are restricted (cells with the digit see one another, so it stands in at most one of them). So
//! the last digit stands in one of its cells, and in no cell that sees all of them.
//!
//! Bound: XY- and XYZ-wing try two peers of each cell (at most 32 of 121), the W-wing two cells and
//! a house, the WXYZ-wing four cells for each four digits, pruned as soon as two digits are not
//! restricted.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::Board;
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const SHORT: Family = Family { techniques: &[&XY_WING, &XYZ_WING], find: find_short };
pub(crate) const W: Family = Family { techniques: &[&W_WING], find: find_w };
pub(crate) const WXYZ: Family = Family { techniques: &[&WXYZ_WING], find: find_wxyz };

static XY_WING: Technique = Technique {
    name: "XY-wing",
    score: 42,
    summary: "A pivot with candidates x and y sees two pincers with x and z, and with y and z. One of \
              the pincers is z, whatever the pivot is.",
    is_uniqueness: false,
    tell: tell_pivot,
};

static XYZ_WING: Technique = Technique {
    name: "XYZ-wing",
    score: 44,
    summary: "A pivot with candidates x, y and z sees two pincers with x and z, and with y and z. One \
              of the three cells is z.",
    is_uniqueness: false,
    tell: tell_pivot,
};

static W_WING: Technique = Technique {
    name: "W-wing",
    score: 64,
    summary: "Two cells have the same two candidates x and y. A house has x in two cells, of which \
              each sees one of the former. So these are not both x, and one of them is y.",
    is_uniqueness: false,
    tell: tell_w,
};

static WXYZ_WING: Technique = Technique {
    name: "WXYZ-wing",
    score: 71,
    summary: "Four cells have four candidates together, of which three fit only once because their \
              cells see one another. So one of the cells is the fourth digit.",
    is_uniqueness: false,
    tell: tell_wxyz,
};

/// Adds the digit that stands in one of some cells, and its eliminations.
fn conclude(step: &mut Step, board: &Board, cells: Cells, digit: usize) {
    let seen = board.layout().common_peers(cells) & board.spots(digit);
    step.removed = board.candidates(seen, Digits::one(digit)).collect();
}

fn find_short(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    let layout = board.layout();
    let pairs = board.cells_with(2);
    search.spend(2_000)?;
    for pivot in (pairs | board.cells_with(3)).iter() {
        let marks = board.marks(pivot);
        let near = pairs & layout.peers(pivot);
        for first in near.iter() {
            for second in near.iter().filter(|&second| second > first) {
                let (one, other) = (board.marks(first), board.marks(second));
                let Some(last) = (one & other).only() else { continue };
                let mut wanted = one | other;
                if marks.len() == 2 {
                    wanted.remove(last);
                }
                let technique = if marks.len() == 2 { &XY_WING } else { &XYZ_WING };
                if marks != wanted || !search.wants(technique.score) {
                    continue;
                }
                let pincers = Cells::one(first) | Cells::one(second);
                let cells = pincers | Cells::one(pivot);
                let holders = if marks.len() == 2 { pincers } else { cells };
                // Three cells of one house are a naked triple.
                let is_triple = layout.houses_around(cells).next().is_some();
                if is_triple || !layout.common_peers(holders).meets(board.spots(last)) {
                    continue;
                }
                let mut step = Step::new(technique);
                conclude(&mut step, board, holders, last);
                step.groups = vec![
                    Group { part: Part::Body, cells: Cells::one(pivot), digits: marks },
                    Group { part: Part::Fin, cells: Cells::one(first), digits: one },
                    Group { part: Part::Fin, cells: Cells::one(second), digits: other },
                ];
                step.truths = cells.iter().map(Truth::Cell).collect();
                search.offer(step);
            }
        }
    }
    Ok(())
}

fn find_w(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    let layout = board.layout();
    let pairs = board.cells_with(2);
    search.spend(2_000)?;
    for first in pairs.iter() {
        let digits = board.marks(first);
        let (near, both) = (layout.peers(first), pairs - layout.peers(first));
        for second in both.iter().filter(|&second| second > first && board.marks(second) == digits) {
            let far = layout.peers(second);
            for last in digits.iter().filter(|&last| (near & far).meets(board.spots(last))) {
                let linked = (digits - Digits::one(last)).least().unwrap_or(last);
                for house in 0..board.houses().len() {
                    let link = board.spots_in(house, linked);
                    let is_split = |a, b| near.has(a) && far.has(b) || near.has(b) && far.has(a);
                    let mut ends = link.iter();
                    let (Some(a), Some(b), None) = (ends.next(), ends.next(), ends.next()) else {
                        continue;
                    };
                    if !is_split(a, b) {
                        continue;
                    }
                    let cells = Cells::one(first) | Cells::one(second);
                    let mut step = Step::new(&W_WING);
                    conclude(&mut step, board, cells, last);
                    step.houses = vec![house];
                    step.groups = vec![
                        Group { part: Part::Body, cells, digits },
                        Group { part: Part::Link, cells: link, digits: Digits::one(linked) },
                    ];
                    step.truths = vec![
                        Truth::Cell(first),
                        Truth::Cell(second),
                        Truth::Place { house, digit: linked },
                    ];
                    search.offer(step);
                }
            }
        }
    }
    Ok(())
}

/// Some cells with candidates among four digits.
#[derive(Clone, Copy)]
struct Bent {
    cells: Cells,
    digits: Digits,
    /// The digits that two of the cells have without seeing each other.
    loose: Digits,
}

impl Bent {
    const NONE: Self = Self { cells: Cells::NONE, digits: Digits::NONE, loose: Digits::NONE };

    /// Adds a cell, unless that makes two loose digits.
    fn with(self, board: &Board, cell: usize) -> Option<Self> {
        let marks = board.marks(cell);
        let mut loose = self.loose;
        if self.digits.meets(marks) {
            let far = self.cells - board.layout().peers(cell);
            loose |= board.marks_of(far) & marks;
        }
        let (cells, digits) = (self.cells | Cells::one(cell), self.digits | marks);
        (loose.len() <= 1).then_some(Self { cells, digits, loose })
    }

    /// Returns whether fewer cells of these have no more digits than cells.
    fn has_smaller(self, board: &Board) -> bool {
        self.cells.iter().any(|cell| {
            let three = self.cells - Cells::one(cell);
            let is_locked = |cells: Cells| board.marks_of(cells).len() <= cells.len();
            is_locked(three) || three.iter().any(|cell| is_locked(three - Cells::one(cell)))
        })
    }
}

fn find_wxyz(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    let few = board.cells_with(2) | board.cells_with(3) | board.cells_with(4);
    let size = board.layout().size();
    // All sets of four digits, ascending as numbers.
    let fours = (0..size).flat_map(|d| {
        let three = move |c| (0..c).flat_map(move |b| (0..b).map(move |a| [a, b, c, d]));
        (0..d).flat_map(three)
    });
    let marks: Vec<(usize, Digits)> = few.iter().map(|cell| (cell, board.marks(cell))).collect();
    let mut inside = Vec::with_capacity(marks.len());
    for digits in fours.map(|four| four.into_iter().collect::<Digits>()) {
        search.spend(500)?;
        inside.clear();
        inside.extend(marks.iter().copied().filter(|(_, marks)| marks.is_within(digits)));
        // Two cells with two digits, or three with three, are a locked set or a smaller wing.
        for (a, &(cell, _)) in inside.iter().enumerate() {
            let Some(one) = Bent::NONE.with(board, cell) else { continue };
            for (b, &(cell, _)) in inside.iter().enumerate().skip(a + 1) {
                let Some(two) = one.with(board, cell).filter(|two| two.digits.len() > 2) else {
                    continue;
                };
                for (c, &(cell, _)) in inside.iter().enumerate().skip(b + 1) {
                    let Some(three) = two.with(board, cell).filter(|three| three.digits == digits)
                    else {
                        continue;
                    };
                    for &(cell, _) in &inside[c + 1..] {
                        let step = three.with(board, cell).and_then(|four| wxyz(board, four));
                        step.into_iter().for_each(|step| search.offer(step));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Makes the step of four cells, if they are a WXYZ-wing that eliminates.
fn wxyz(board: &Board, bent: Bent) -> Option<Step> {
    let last = bent.loose.only()?;
    let holders = bent.cells & board.spots(last);
    let seen = board.layout().common_peers(holders) & board.spots(last);
    // Four cells of two candidates each are an XY-chain.
    let is_chain = bent.cells.iter().all(|cell| board.marks(cell).len() == 2);
    if is_chain || seen.is_empty() || bent.has_smaller(board) {
        return None;
    }
    let mut step = Step::new(&WXYZ_WING);
    conclude(&mut step, board, holders, last);
    step.groups = vec![
        Group { part: Part::Body, cells: bent.cells, digits: bent.digits - bent.loose },
        Group { part: Part::Fin, cells: holders, digits: bent.loose },
    ];
    step.truths = bent.cells.iter().map(Truth::Cell).collect();
    Some(step)
}

/// Writes cells with commas and a last word between them.
fn list(words: &Words<'_>, cells: Cells, last: &str) -> String {
    let names: Vec<String> = cells.iter().map(|cell| words.cells(Cells::one(cell))).collect();
    match names.as_slice() {
        [rest @ .., end] if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => names.concat(),
    }
}

fn tell_pivot(step: &Step, words: &Words<'_>) -> String {
    let (body, fins) = (step.digits(Part::Body), step.digits(Part::Fin));
    let (pivot, pincers) = (step.cells(Part::Body), step.cells(Part::Fin));
    let last = step.removed.first().map_or(Digits::NONE, |removed| Digits::one(removed.digit));
    let ends: Vec<String> = step
        .part(Part::Fin)
        .flat_map(|fin| {
            let other = fin.digits - last;
            let name = words.cells(fin.cells);
            other.iter().map(move |digit| format!("if it is {}, {name} is", words.digit(digit)))
        })
        .map(|start| format!("{start} {}", words.digits(last)))
        .collect();
    let start = format!("{} is {}", words.cells(pivot), either(words, body));
    if body == fins {
        let cells = list(words, pivot | pincers, "or");
        return format!("{start}, so {} stands in {cells}", words.digits(last));
    }
    format!("{start}: {}", ends.join(", and "))
}

/// Writes digits with commas and "or".
fn either(words: &Words<'_>, digits: Digits) -> String {
    let names: Vec<&str> = digits.iter().map(|digit| words.digit(digit)).collect();
    match names.as_slice() {
        [rest @ .., end] if !rest.is_empty() => format!("{} or {end}", rest.join(", ")),
        _ => names.concat(),
    }
}

fn tell_w(step: &Step, words: &Words<'_>) -> String {
    let house = step.houses.first().map_or("", |&house| words.house(house));
    let (cells, linked) = (step.cells(Part::Body), step.digits(Part::Link));
    let last = step.digits(Part::Body) - linked;
    let (linked, last) = (words.digits(linked), words.digits(last));
    let places = list(words, step.cells(Part::Link), "or");
    format!(
        "In {house}, {linked} stands in {places}, so {} are not both {linked}, and one of them is {last}",
        list(words, cells, "and"),
    )
}

fn tell_wxyz(step: &Step, words: &Words<'_>) -> String {
    let (body, last) = (step.digits(Part::Body), step.digits(Part::Fin));
    format!(
        "{} have no candidates but {}; {} fit only once each, so {} stands in {}",
        list(words, step.cells(Part::Body), "and"),
        words.digits(body | last),
        words.digits(body),
        words.digits(last),
        list(words, step.cells(Part::Fin), "or"),
    )
}

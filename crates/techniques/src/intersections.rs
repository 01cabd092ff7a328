//! Intersections: pointing, claiming, and locked candidates in general.
//!
//! If a digit stands only in some cells of a house, then no cell that sees all of them has it. The
//! usual case is a box and a line: the cells lie in both.
//!
//! Bound: one intersection of peers per house and digit.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::layout::HouseKind;
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family = Family {
    techniques: &[&DIRECT_POINTING, &DIRECT_CLAIMING, &POINTING, &CLAIMING, &LOCKED_CANDIDATES],
    find,
};

static DIRECT_POINTING: Technique = Technique {
    name: "direct pointing",
    score: 17,
    summary: "Pointing after which the digit has one cell left in another box.",
    is_uniqueness: false,
    tell,
};

static DIRECT_CLAIMING: Technique = Technique {
    name: "direct claiming",
    score: 19,
    summary: "Claiming after which the digit has one cell left in a parallel line.",
    is_uniqueness: false,
    tell,
};

static POINTING: Technique = Technique {
    name: "pointing",
    score: 26,
    summary: "The cells of a digit in a box lie in one line, so the rest of the line loses the digit.",
    is_uniqueness: false,
    tell,
};

static CLAIMING: Technique = Technique {
    name: "claiming",
    score: 28,
    summary: "The cells of a digit in a line lie in one box, so the rest of the box loses the digit.",
    is_uniqueness: false,
    tell,
};

static LOCKED_CANDIDATES: Technique = Technique {
    name: "locked candidates",
    score: 28,
    summary: "All cells of a digit in a house see another cell, which therefore loses the digit. This \
              is the general form of pointing and claiming, for diagonals, windows and jigsaws.",
    is_uniqueness: false,
    tell,
};

/// Work per search, in ns: 243 pairs of house and digit, each with about three peers.
const WORK: u64 = 2_000;

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    search.spend(WORK)?;
    for (number, house) in board.houses().iter().enumerate() {
        for digit in board.layout().digits().iter() {
            let spots = board.spots_in(number, digit);
            let mut seeing = board.spots(digit) - house.cells;
            for cell in spots.iter() {
                seeing &= board.layout().peers(cell);
                if seeing.is_empty() {
                    break;
                }
            }
            if !seeing.is_empty() && spots.len() > 1 {
                offer(search, number, digit, spots, seeing);
            }
        }
    }
    Ok(())
}

/// Offers a step for each other house around `spots`, and one without such a house if `seeing` has
/// cells outside of all of them.
fn offer(search: &mut Search<'_>, house: usize, digit: usize, spots: Cells, seeing: Cells) {
    let board = search.board();
    let mut others = seeing;
    for cover in board.layout().houses_around(spots).filter(|&cover| cover != house) {
        let removed = seeing & board.houses()[cover].cells;
        others -= removed;
        let technique = match (board.houses()[house].kind, board.houses()[cover].kind) {
            (HouseKind::Box, kind) if kind.is_line() => &POINTING,
            (kind, HouseKind::Box) if kind.is_line() => &CLAIMING,
            _ => &LOCKED_CANDIDATES,
        };
        offer_one(search, technique, (house, Some(cover)), digit, spots, removed);
    }
    if !others.is_empty() {
        offer_one(search, &LOCKED_CANDIDATES, (house, None), digit, spots, seeing);
    }
}

fn offer_one(
    search: &mut Search<'_>,
    technique: &'static Technique,
    (house, cover): (usize, Option<usize>),
    digit: usize,
    spots: Cells,
    removed: Cells,
) {
    if removed.is_empty() || !search.wants(DIRECT_POINTING.score) {
        return;
    }
    let is_direct = || leads_to_single(search.board(), house, digit, removed);
    let technique = match technique {
        pointing if pointing == &POINTING && is_direct() => &DIRECT_POINTING,
        claiming if claiming == &CLAIMING && is_direct() => &DIRECT_CLAIMING,
        other => other,
    };
    if !search.wants(technique.score) {
        return;
    }
    let mut step = Step::new(technique);
    step.removed = removed.iter().map(|cell| Candidate { cell, digit }).collect();
    step.houses = vec![house];
    step.covers = cover.into_iter().collect();
    step.groups = vec![Group { part: Part::Body, cells: spots, digits: Digits::one(digit) }];
    step.truths = vec![Truth::Place { house, digit }];
    search.offer(step);
}

/// Returns whether a digit has one cell left in a house of the same kind as `house`, and had more,
/// once the cells `removed` lose it.
fn leads_to_single(board: &Board, house: usize, digit: usize, removed: Cells) -> bool {
    let kind = board.houses()[house].kind;
    board.houses().iter().filter(|other| other.kind == kind).any(|other| {
        let spots = other.cells & board.spots(digit);
        spots.meets(removed) && (spots - removed).len() == 1
    })
}

fn tell(step: &Step, words: &Words<'_>) -> String {
    let (Some(&house), Some(group)) = (step.houses.first(), step.groups.first()) else {
        return String::new();
    };
    let (house, digit) = (words.house(house), words.digits(group.digits));
    match step.covers.first() {
        Some(&cover) => {
            let cover = words.house(cover);
            format!("In {house}, {digit} stands only in {cover}, so {cover} has no other {digit}")
        }
        None => {
            let cells = words.cells(group.cells);
            format!(
                "In {house}, {digit} stands only in {cells}, so no cell that sees all of these has {digit}"
            )
        }
    }
}

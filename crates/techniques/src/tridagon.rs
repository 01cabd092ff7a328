//! Tridagon (Thor's hammer): twelve cells that cannot all be filled with three digits.
//!
//! Four boxes form a rectangle. In each, three cells in different rows and columns of the box are
//! chosen; each is an even or odd arrangement of rows and columns. If an odd number of the four is
//! odd, three digits cannot fill the twelve cells. So some other candidate of these cells (a
//! guardian) stands, and a candidate that conflicts with every guardian falls.
//!
//! Why: each box needs all three digits, so next to it in the band (or stack) the digits stand in
//! cells that differ by a rotation of the box, never by a swap. Around the rectangle the rotations
//! must cancel, but an odd number of odd arrangements leaves a swap. `check` in the tests tries all
//! cases.
//!
//! Source: the forum of players, from puzzles by mith and by coloin that no two levels of trials
//! solve; D. Berthier's "tridagon".
//!
//! Bound: 84 triples of digits with at most 6 arrangements in each of 9 boxes, and at most 1,296
//! choices in each of 9 rectangles. Each cell must have two of the three digits, and a choice ends
//! when no candidate can conflict with all its guardians, so that few choices remain.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::search::Search;
use crate::sectors;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family = Family { techniques: &[&TRIDAGON], find };

static TRIDAGON: Technique = Technique {
    name: "tridagon",
    score: 89,
    summary: "Three digits alone cannot fill twelve cells that lie in four boxes of a rectangle, three \
              in each on diagonals with an odd twist. So one of their other candidates stands.",
    is_uniqueness: false,
    tell,
};

/// Arrangements of three cells in different rows and columns of a box: the column of each row, and
/// whether the arrangement is odd.
const ARRANGEMENTS: [([usize; 3], bool); 6] = [
    ([0, 1, 2], false),
    ([1, 2, 0], false),
    ([2, 0, 1], false),
    ([0, 2, 1], true),
    ([1, 0, 2], true),
    ([2, 1, 0], true),
];

/// Least number of the three digits that each cell must have as candidates; with fewer it is an
/// easier pattern.
const MARKS: usize = 2;

/// Three cells of a box that could be part of the pattern.
#[derive(Clone, Copy, Debug)]
struct Diagonal {
    cells: Cells,
    is_odd: bool,
    strays: Strays,
}

/// For each digit, the number of cells that have a guardian of another digit, in four bits each: at
/// most twelve.
///
/// A candidate that conflicts with all guardians lies in the cell of one of them, or they all have
/// its digit; in both cases at most one cell has guardians of other digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Strays(u64);

impl Strays {
    /// One in the four bits of every digit of a classic board.
    const ONES: u64 = 0x1_1111_1111;

    /// Counts the cells by their guardians.
    fn new(board: &Board, cells: Cells, digits: Digits) -> Self {
        let others = cells.iter().map(|cell| board.marks(cell) - digits);
        Self(others.fold(0, |sum, marks| match marks.only() {
            _ if marks.is_empty() => sum,
            Some(digit) => sum + Self::ONES - (1 << (4 * digit)),
            None => sum + Self::ONES,
        }))
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Returns whether some candidate might conflict with all guardians.
    fn is_hopeful(self) -> bool {
        (self.0 >> 1 | self.0 >> 2 | self.0 >> 3) & Self::ONES != Self::ONES
    }
}

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    if !search.wants(TRIDAGON.score) || !sectors::is_classic(board.layout()) {
        return Ok(());
    }
    let shapes: [[(Cells, bool); 6]; 9] = std::array::from_fn(shapes);
    let mut diagonals: [Vec<Diagonal>; 9] = std::array::from_fn(|_| Vec::new());
    for digits in triples() {
        search.spend(500)?;
        let cells: Cells =
            board.open().iter().filter(|&cell| (board.marks(cell) & digits).len() >= MARKS).collect();
        for (diagonals, shapes) in diagonals.iter_mut().zip(&shapes) {
            let fitting = shapes.iter().filter(|(shape, _)| shape.is_within(cells));
            let made = fitting.map(|&(cells, is_odd)| Diagonal {
                cells,
                is_odd,
                strays: Strays::new(board, cells, digits),
            });
            diagonals.clear();
            diagonals.extend(made.filter(|diagonal| diagonal.strays.is_hopeful()));
        }
        for [top, bottom] in [[0, 1], [0, 2], [1, 2]] {
            for [left, right] in [[0, 1], [0, 2], [1, 2]] {
                let boxes = [(top, left), (top, right), (bottom, left), (bottom, right)]
                    .map(|(band, stack)| &diagonals[3 * band + stack]);
                offer(search, digits, boxes)?;
            }
        }
    }
    Ok(())
}

/// Returns all sets of three digits of a classic board.
fn triples() -> impl Iterator<Item = Digits> {
    let pairs = (0..9).flat_map(|first| (first + 1..9).map(move |second| (first, second)));
    pairs.flat_map(|(first, second)| {
        (second + 1..9).map(move |third| [first, second, third].into_iter().collect())
    })
}

/// Returns the sets of three cells of a box in different rows and columns, and whether each is odd.
fn shapes(square: usize) -> [(Cells, bool); 6] {
    let corner = square / 3 * 27 + square % 3 * 3;
    ARRANGEMENTS
        .map(|(columns, is_odd)| ((0..3).map(|row| corner + 9 * row + columns[row]).collect(), is_odd))
}

/// Offers the steps of a rectangle of boxes with these diagonals.
fn offer(search: &mut Search<'_>, digits: Digits, boxes: [&Vec<Diagonal>; 4]) -> Result<(), Limit> {
    if boxes.iter().any(|diagonals| diagonals.is_empty()) {
        return Ok(());
    }
    let none = Diagonal { cells: Cells::NONE, is_odd: false, strays: Strays(0) };
    let mut partial = vec![none];
    for diagonals in boxes {
        search.spend(10 * (partial.len() * diagonals.len()) as u64)?;
        let joined = partial.iter().flat_map(|one| {
            diagonals.iter().map(|other| Diagonal {
                cells: one.cells | other.cells,
                is_odd: one.is_odd ^ other.is_odd,
                strays: one.strays.and(other.strays),
            })
        });
        partial = joined.filter(|joined| joined.strays.is_hopeful()).collect();
    }
    for pattern in partial.iter().filter(|pattern| pattern.is_odd) {
        search.spend(300)?;
        offer_pattern(search, digits, pattern.cells);
    }
    Ok(())
}

/// Offers the step of twelve cells that three digits cannot fill.
fn offer_pattern(search: &mut Search<'_>, digits: Digits, cells: Cells) {
    let board = search.board();
    let guardians: Vec<Candidate> = board.candidates(cells, board.layout().digits() - digits).collect();
    let mut step = Step::new(&TRIDAGON);
    match guardians[..] {
        [] => return,
        [guardian] => step.placed = vec![guardian],
        _ => step.removed = conflicting(board, &guardians),
    }
    if step.placed.is_empty() && step.removed.is_empty() {
        return;
    }
    step.truths = cells.iter().map(Truth::Cell).collect();
    step.groups = vec![Group { part: Part::Body, cells, digits }];
    let fin = |guardian: &Candidate| Group {
        part: Part::Fin,
        cells: Cells::one(guardian.cell),
        digits: Digits::one(guardian.digit),
    };
    step.groups.extend(guardians.iter().map(fin));
    search.offer(step);
}

/// Returns the candidates that conflict with all of several candidates, sorted.
fn conflicting(board: &Board, all: &[Candidate]) -> Vec<Candidate> {
    let cells: Cells = all.iter().map(|candidate| candidate.cell).collect();
    let digits: Digits = all.iter().map(|candidate| candidate.digit).collect();
    let conflicts = |candidate: &Candidate| {
        all.iter().all(|guardian| {
            (guardian.cell == candidate.cell && guardian.digit != candidate.digit)
                || (guardian.digit == candidate.digit
                    && board.layout().peers(guardian.cell).has(candidate.cell))
        })
    };
    let alike = digits.only().map(|digit| {
        let seeing = board.layout().common_peers(cells) & board.spots(digit);
        seeing.iter().map(|cell| Candidate { cell, digit }).collect::<Vec<_>>()
    });
    // A candidate that conflicts with guardians of several digits is in the cell of one of them.
    let mut found = alike.unwrap_or_else(|| board.candidates(cells, board.layout().digits()).collect());
    found.retain(conflicts);
    found.sort_unstable();
    found
}

fn tell(step: &Step, words: &Words<'_>) -> String {
    let digits = words.digits(step.digits(Part::Body));
    let cells = words.cells(step.cells(Part::Body));
    let guardians: Vec<String> = step
        .part(Part::Fin)
        .map(|group| format!("{} in {}", words.digits(group.digits), words.cells(group.cells)))
        .collect();
    let guardians: Vec<&str> = guardians.iter().map(String::as_str).collect();
    let rest = match guardians[..] {
        [guardian] => format!("the only other candidate, {guardian}, stands"),
        _ => format!("one of their other candidates stands: {}", crate::words::join(&guardians)),
    };
    format!("The digits {digits} alone cannot fill the twelve cells {cells}, so {rest}")
}

//! What multi-sector patterns share: sets of cells that just as many digits of houses must fill.
//!
//! Each open cell of a set needs a digit. Some pairs of house and digit (links) contain all
//! candidates of the set, and each link gives at most one digit. If there are as many links as
//! cells, every link gives one, so its digit stands nowhere else in its house, and no candidate of
//! the set can use up two links.
//!
//! Invariant: the least number of links is the sum over the digits of the least number of houses
//! that contain their candidates in the set, because a link has one digit.

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::layout::{HouseKind, Layout};
use crate::step::{Group, Part, Step, Truth};
use crate::words::Words;

/// Returns the least number of these houses that contain all `cells`, if it is at most `most`.
///
/// Visits at most as many branches as there are houses around a cell, to the power of `most`.
pub(crate) fn cover_count(board: &Board, houses: &[usize], cells: Cells, most: usize) -> Option<usize> {
    let Some(cell) = cells.least() else { return Some(0) };
    if most == 0 {
        return None;
    }
    let mut best = None;
    let mut most = most;
    for &house in houses {
        let inside = board.houses()[house].cells;
        if !inside.has(cell) {
            continue;
        }
        if let Some(count) = cover_count(board, houses, cells - inside, most - 1) {
            best = Some(count + 1);
            if count == 0 {
                break;
            }
            most = count;
        }
    }
    best
}

/// A set of cells with as many links as cells.
#[derive(Debug)]
pub(crate) struct Locked {
    /// The candidates that fall, sorted.
    pub(crate) removed: Vec<Candidate>,
    /// For each house of a cheapest choice of links, the house and the digits it gives.
    pub(crate) links: Vec<(usize, Digits)>,
}

/// Returns the eliminations of a set of open cells, if these houses give as many digits as it has
/// cells. The links are those of all cheapest choices together.
pub(crate) fn locked(board: &Board, houses: &[usize], cells: Cells) -> Option<Locked> {
    let counts = counts(board, houses, cells)?;
    let mut removed = Vec::new();
    let mut links: Vec<(usize, Digits)> = houses.iter().map(|&house| (house, Digits::NONE)).collect();
    for (digit, &count) in counts.iter().enumerate() {
        let spots = board.spots(digit) & cells;
        let mut falling = Cells::NONE;
        let within = |rest: Cells, most: usize| cover_count(board, houses, rest, most).is_some();
        for (number, &house) in houses.iter().enumerate() {
            let inside = board.houses()[house].cells;
            if count == 0 || !spots.meets(inside) || !within(spots - inside, count - 1) {
                continue;
            }
            falling |= board.spots_in(house, digit) - cells;
            for &other in &houses[number + 1..] {
                let both = inside & board.houses()[other].cells & spots;
                let rest = spots - inside - board.houses()[other].cells;
                if count >= 2 && !both.is_empty() && within(rest, count - 2) {
                    falling |= both;
                }
            }
        }
        removed.extend(falling.iter().map(|cell| Candidate { cell, digit }));
        let mut rest = spots;
        let mut left = count;
        for (number, &house) in houses.iter().enumerate() {
            let inside = board.houses()[house].cells;
            if left > 0 && rest.meets(inside) && within(rest - inside, left - 1) {
                links[number].1.insert(digit);
                rest -= inside;
                left -= 1;
            }
        }
    }
    removed.sort_unstable();
    links.retain(|(_, digits)| !digits.is_empty());
    Some(Locked { removed, links })
}

/// Returns the number of links of each digit, if there are as many links as cells.
fn counts(board: &Board, houses: &[usize], cells: Cells) -> Option<Vec<usize>> {
    let mut left = cells.len();
    let mut counts = Vec::with_capacity(board.layout().size());
    for digit in board.layout().digits().iter() {
        let count = cover_count(board, houses, board.spots(digit) & cells, left)?;
        left -= count;
        counts.push(count);
    }
    (left == 0).then_some(counts)
}

/// Returns whether these houses give exactly as many digits as the set has cells.
pub(crate) fn is_locked(board: &Board, houses: &[usize], cells: Cells) -> bool {
    counts(board, houses, cells).is_some()
}

impl Locked {
    /// Writes the pattern into a step: its cells need digits, its houses give them. The digits of
    /// the n-th cover are those of the part `Set(n)`.
    pub(crate) fn write(self, step: &mut Step, cells: Cells, board: &Board) {
        step.removed = self.removed;
        step.truths = cells.iter().map(Truth::Cell).collect();
        step.covers = self.links.iter().map(|&(house, _)| house).collect();
        step.groups = (0..)
            .zip(&self.links)
            .map(|(number, &(house, digits))| Group {
                part: Part::Set(number),
                cells: cells & board.houses()[house].cells,
                digits,
            })
            .collect();
    }
}

/// Describes a locked set of cells by its links.
pub(crate) fn tell_locked(step: &Step, words: &Words<'_>) -> String {
    let cells: Cells = step.truths.iter().filter_map(cell).collect();
    let count = cells.len();
    let links: Vec<String> = (0..)
        .zip(&step.covers)
        .map(|(number, &house)| {
            format!("{} of {}", words.digits(step.digits(Part::Set(number))), words.house(house))
        })
        .collect();
    format!(
        "The {count} cells {} can only take {}: these are {count} digits, so each of them stands in \
         one of these cells",
        words.cells(cells),
        links.join("; ")
    )
}

fn cell(truth: &Truth) -> Option<usize> {
    match *truth {
        Truth::Cell(cell) => Some(cell),
        Truth::Place { .. } => None,
    }
}

/// Returns whether the board has the rows, columns and boxes of classic Sudoku; other houses may
/// come on top.
pub(crate) fn is_classic(layout: &Layout) -> bool {
    let holds = |cell: usize, kind, expected: Cells| {
        layout.house_of(cell, kind).is_some_and(|house| layout.houses()[house].cells == expected)
    };
    layout.size() == 9
        && (0..9).all(|number| {
            holds(9 * number, HouseKind::Row, row(number))
                && holds(number, HouseKind::Column, column(number))
                && holds(box_corner(number), HouseKind::Box, square(number))
        })
}

/// Returns the cells of a row of a classic board, from 0.
pub(crate) fn row(number: usize) -> Cells {
    (9 * number..9 * number + 9).collect()
}

/// Returns the cells of a column of a classic board, from 0.
pub(crate) fn column(number: usize) -> Cells {
    (0..9).map(|row| 9 * row + number).collect()
}

/// Returns the cells of a box of a classic board, from 0, row by row.
pub(crate) fn square(number: usize) -> Cells {
    (0..9).map(|place| box_corner(number) + place / 3 * 9 + place % 3).collect()
}

fn box_corner(number: usize) -> usize {
    number / 3 * 27 + number % 3 * 3
}

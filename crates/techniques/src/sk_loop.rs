//! SK loop: sixteen cells around the crossings of two rows and two columns.
//!
//! Four boxes form a rectangle. Two rows and two columns, one through each side of it, cross in one
//! cell of each box. In each box, the other two cells of the row and of the column are two pairs of
//! a ring of eight pairs, in which neighbours share a line or a box. If the four lines and the four
//! boxes give only sixteen digits to the sixteen cells, the ring is a locked set.
//!
//! Source: the forum of players ("Steve's loop", named after Steve Kurzhals), first for Easter
//! Monster.
//!
//! Bound: there are 729 choices of the lines; most fail at a solved cell of the ring.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::Board;
use crate::layout::HouseKind;
use crate::search::Search;
use crate::sectors::{self, Locked, column, row};
use crate::step::Step;
use crate::technique::{Family, Technique};

pub(crate) const FAMILY: Family = Family { techniques: &[&SK_LOOP], find };

static SK_LOOP: Technique = Technique {
    name: "SK loop",
    score: 85,
    summary: "Sixteen cells in four boxes, around the crossings of two rows and two columns, can only \
              take sixteen digits of these lines and boxes; each of these digits falls elsewhere in \
              its line or box.",
    is_uniqueness: false,
    tell: sectors::tell_locked,
};

/// Number of cells of the ring.
const CELLS: usize = 16;

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    if !search.wants(SK_LOOP.score) || !sectors::is_classic(board.layout()) {
        return Ok(());
    }
    search.spend(5_000)?;
    let ring_rows: Vec<([usize; 2], Cells, Cells)> = pairs().map(|rows| lines(rows, row)).collect();
    let ring_columns: Vec<([usize; 2], Cells, Cells)> =
        pairs().map(|columns| lines(columns, column)).collect();
    for &(rows, in_rows, bands) in &ring_rows {
        for &(columns, in_columns, stacks) in &ring_columns {
            let in_boxes = bands & stacks;
            let ring = ((in_rows | in_columns) & in_boxes) - (in_rows & in_columns);
            if !ring.is_within(board.open()) {
                continue;
            }
            search.spend(5_000)?;
            let Some(locked) = locked(board, ring, rows, columns) else { continue };
            let mut step = Step::new(&SK_LOOP);
            locked.write(&mut step, ring, board);
            search.offer(step);
        }
    }
    Ok(())
}

/// Returns all pairs of lines in different bands.
fn pairs() -> impl Iterator<Item = [usize; 2]> {
    (0..81).map(|number| [number / 9, number % 9]).filter(|[first, second]| first / 3 < second / 3)
}

/// Returns two lines with their cells, and with the cells of their bands.
fn lines(pair: [usize; 2], line: fn(usize) -> Cells) -> ([usize; 2], Cells, Cells) {
    let band = |number: usize| (0..3).fold(Cells::NONE, |cells, n| cells | line(number / 3 * 3 + n));
    let [first, second] = pair;
    (pair, line(first) | line(second), band(first) | band(second))
}

/// Returns the boxes of the four crossings, in the order of the ring.
fn boxes(rows: [usize; 2], columns: [usize; 2]) -> [usize; 4] {
    let at = |row: usize, column: usize| row / 3 * 3 + column / 3;
    let ([top, bottom], [left, right]) = (rows, columns);
    [at(top, left), at(top, right), at(bottom, right), at(bottom, left)]
}

/// Returns the eliminations of the ring if it is locked and every line and box gives a digit.
fn locked(board: &Board, ring: Cells, rows: [usize; 2], columns: [usize; 2]) -> Option<Locked> {
    let layout = board.layout();
    let house = |cell: usize, kind| layout.house_of(cell, kind);
    let [top_left, top_right, bottom_right, bottom_left] = boxes(rows, columns);
    let square = |number: usize| house(number / 3 * 27 + number % 3 * 3, HouseKind::Box);
    // Neighbours in the ring: row, box, column, box, and so on.
    let houses = [
        house(9 * rows[0], HouseKind::Row)?,
        square(top_right)?,
        house(columns[1], HouseKind::Column)?,
        square(bottom_right)?,
        house(9 * rows[1], HouseKind::Row)?,
        square(bottom_left)?,
        house(columns[0], HouseKind::Column)?,
        square(top_left)?,
    ];
    debug_assert_eq!(ring.len(), CELLS, "the ring has eight pairs");
    let locked = sectors::locked(board, &houses, ring)?;
    let is_ring = locked.links.len() == houses.len()
        && locked.links.iter().all(|&(house, digits)| joins(board, ring, house, digits));
    is_ring.then_some(locked)
}

/// Returns whether some digit that a house gives is a candidate of both pairs of the ring in it.
fn joins(board: &Board, ring: Cells, house: usize, digits: Digits) -> bool {
    let house = &board.houses()[house];
    let cells = ring & house.cells;
    let part = |cell: usize| match house.kind {
        HouseKind::Box => (cells & row(cell / 9)).len() >= 2,
        HouseKind::Row => cell % 9 / 3 == cells.least().map_or(0, |first| first % 9 / 3),
        HouseKind::Column | HouseKind::Other => {
            cell / 27 == cells.least().map_or(0, |first| first / 27)
        }
    };
    let (one, other): (Vec<usize>, Vec<usize>) = cells.iter().partition(|&cell| part(cell));
    let marks = |cells: Vec<usize>| board.marks_of(cells.into_iter().collect());
    (marks(one) & marks(other)).meets(digits)
}

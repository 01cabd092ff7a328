//! Shapes of pieces, which are sets of cells with marks, and their rotations and reflections.
//!
//! A shape is the ascending list of its cells, translated so that the first cell is at its
//! [origin](PieceLattice::origin). So two shapes that differ by a translation are equal, and
//! collecting the orientations of a piece in a set merges equal ones. For example, a square has one
//! orientation instead of eight.

use std::collections::BTreeSet;

use super::lattice::{Motions, PieceLattice, Turn};

/// The position of a cell: layer, row, column.
pub(super) type Position = [i32; 3];

/// A cell and its mark; the mark is [`PLAIN`] if there is none.
pub(super) type MarkedCell = (Position, char);

/// The mark of a cell that is compatible with all marks.
pub(super) const PLAIN: char = '.';

/// The cells of a piece in ascending order; the first cell is at its origin.
pub(super) type PieceCells = Vec<MarkedCell>;

pub(super) fn add(cell: Position, offset: Position) -> Position {
    [cell[0] + offset[0], cell[1] + offset[1], cell[2] + offset[2]]
}

pub(super) fn subtract(cell: Position, other: Position) -> Position {
    [cell[0] - other[0], cell[1] - other[1], cell[2] - other[2]]
}

pub(super) fn plain(cells: impl IntoIterator<Item = Position>) -> Vec<MarkedCell> {
    cells.into_iter().map(|cell| (cell, PLAIN)).collect()
}

/// Returns the shape of some cells. The shape is empty if there are no cells.
pub(super) fn shape(lattice: &PieceLattice, mut cells: Vec<MarkedCell>) -> PieceCells {
    cells.sort_unstable();
    if let Some(&(first, _)) = cells.first() {
        let shift = subtract(lattice.origin(first), first);
        cells.iter_mut().for_each(|(cell, _)| *cell = add(*cell, shift));
    }
    cells
}

pub(super) fn turned(lattice: &PieceLattice, turn: Turn, shape: &[MarkedCell]) -> PieceCells {
    let cells = shape.iter().map(|&(cell, mark)| (lattice.turned(turn, cell), mark));
    self::shape(lattice, cells.collect())
}

/// Returns the different orientations of a shape, in the plane or in space.
pub(super) fn orientations(
    lattice: &PieceLattice,
    cells: &[MarkedCell],
    motions: Motions,
    is_solid: bool,
) -> BTreeSet<PieceCells> {
    let shape = shape(lattice, cells.to_vec());
    let turns = lattice.turns(motions, is_solid);
    let mut shapes = vec![shape];
    if motions != Motions::Fixed {
        let places: Vec<Position> = shapes[0].iter().map(|(cell, _)| *cell).collect();
        let marks: Vec<char> = shapes[0].iter().map(|(_, mark)| *mark).collect();
        let twists = lattice.twists(&places).into_iter();
        shapes.extend(twists.map(|cells| cells.into_iter().zip(marks.iter().copied()).collect()));
    }
    let all =
        shapes.iter().flat_map(|shape| turns.iter().map(move |&turn| turned(lattice, turn, shape)));
    all.collect()
}

/// Translates a shape to the upper left corner of a drawing, as near as the lattice permits.
pub(super) fn in_corner(lattice: &PieceLattice, shape: &[MarkedCell]) -> PieceCells {
    let shown = |axis: usize| {
        let places = shape.iter().flat_map(|&(cell, _)| lattice.points(cell).chain([cell]));
        places.map(|place| place[axis]).min().unwrap_or(0)
    };
    let [layer, row, column] = [0, 1, 2].map(shown);
    let [layers, rows, columns] = lattice.periods();
    let steps = (0..layers).flat_map(|up| (0..rows).map(move |down| [up, down]));
    let mut steps = steps.flat_map(|[up, down]| (0..columns).map(move |right| [up, down, right]));
    let shift = steps
        .find_map(|[up, down, right]| {
            let shift = [up - layer, down - row, right - column];
            lattice.is_shift(shift).then_some(shift)
        })
        .unwrap_or_default();
    shape.iter().map(|&(cell, mark)| (add(cell, shift), mark)).collect()
}

/// Splits cells, given in ascending order, into connected parts. Two adjacent cells are connected
/// only if `joins` holds for their indices.
pub(super) fn parts(
    lattice: &PieceLattice,
    cells: &[Position],
    joins: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    debug_assert!(cells.is_sorted(), "places are found by bisection");
    let mut is_seen = vec![false; cells.len()];
    let mut parts = Vec::new();
    for start in 0..cells.len() {
        if is_seen[start] {
            continue;
        }
        is_seen[start] = true;
        let mut part = vec![start];
        let mut done = 0;
        while let Some(&place) = part.get(done) {
            done += 1;
            for offset in lattice.around(cells[place]) {
                if let Ok(next) = cells.binary_search(&add(cells[place], offset))
                    && !is_seen[next]
                    && joins(place, next)
                {
                    is_seen[next] = true;
                    part.push(next);
                }
            }
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

//! Shapes of pieces: cells of the cubic lattice, turned and reflected.
//!
//! A shape is the ascending list of its cells (layer, row, column), relative to the first of them.
//! Shapes that differ by a translation are therefore equal, and equal orientations fall together in a
//! set: a square has one, not eight.

use std::collections::BTreeSet;

/// A place in space: layer, row, column.
pub(super) type Position = [i32; 3];

/// The cells of a piece, ascending, relative to the first.
pub(super) type PieceCells = Vec<Position>;

/// Which motions a piece may make besides translations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motions {
    /// None: the piece lies as drawn.
    Fixed,
    /// Rotations: 4 in the plane, 24 in space.
    Rotate,
    /// Rotations and reflections: 8 in the plane, 48 in space.
    Reflect,
}

/// Returns the cell that lies `offset` from `cell`.
pub(super) fn add(cell: Position, offset: Position) -> Position {
    [cell[0] + offset[0], cell[1] + offset[1], cell[2] + offset[2]]
}

/// Returns the six cells that share a side with `cell`.
pub(super) fn neighbors(cell: Position) -> [Position; 6] {
    [[0, 0, 1], [0, 0, -1], [0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0]]
        .map(|offset| add(cell, offset))
}

/// Makes the shape of some cells; none make the empty shape.
pub(super) fn shape(mut cells: Vec<Position>) -> PieceCells {
    cells.sort_unstable();
    if let Some(&[layer, row, column]) = cells.first() {
        cells.iter_mut().for_each(|cell| *cell = add(*cell, [-layer, -row, -column]));
    }
    cells
}

/// Returns the different orientations of a shape, in the plane or in space.
pub(super) fn orientations(cells: &[Position], motions: Motions, is_solid: bool) -> Vec<PieceCells> {
    const ORDERS: [([usize; 3], i32); 6] = [
        ([0, 1, 2], 1),
        ([0, 2, 1], -1),
        ([1, 0, 2], -1),
        ([1, 2, 0], 1),
        ([2, 0, 1], 1),
        ([2, 1, 0], -1),
    ];
    let mut found = BTreeSet::new();
    for (axes, parity) in ORDERS {
        for signs in 0..8 {
            let sign = [0, 1, 2].map(|axis| if signs >> axis & 1 == 1 { -1 } else { 1 });
            let is_rotation = parity * sign[0] * sign[1] * sign[2] == 1;
            let is_level = axes[0] == 0 && sign[0] == 1;
            let is_allowed = match motions {
                Motions::Fixed => axes == [0, 1, 2] && signs == 0,
                Motions::Rotate => is_rotation && (is_solid || is_level),
                Motions::Reflect => is_solid || is_level,
            };
            if is_allowed {
                let moved = cells.iter().map(|cell| [0, 1, 2].map(|to| sign[to] * cell[axes[to]]));
                found.insert(shape(moved.collect()));
            }
        }
    }
    found.into_iter().collect()
}

/// Splits ascending cells into connected parts, each ascending; cells hang together only if `joins`
/// says so of their places in the list.
pub(super) fn parts(cells: &[Position], joins: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
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
            for neighbor in neighbors(cells[place]) {
                if let Ok(next) = cells.binary_search(&neighbor)
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

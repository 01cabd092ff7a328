//! The lattice of edges of the triangular lattice, for polytrigs, which are polysticks in three
//! directions.
//!
//! A drawing shows the points as `+`, and the midpoints of the edges between them:
//!
//! ```text
//! + . + . +   The point at row r and column c has even r and c and even r/2 + c/2, so the first
//!  . . . .    position is a point; all other positions with even r + c are edges. In a row of points an
//!   + . +     edge is horizontal; between two rows it falls to the right if (r + c) / 2 is odd, else to
//!             the left.
//! ```
//!
//! A rotation by a sixth about the first point maps (r, c) to ((r + c) / 2, (c - 3r) / 2), as on
//! the hexagonal lattice.

use super::super::shape::Position;
use super::edges::EdgeRules;
use super::{PieceFamily, PieceLattice, Turn, triangular};

pub(super) static LATTICE: PieceLattice = PieceLattice {
    name: "triangular-edges",
    families: &[PieceFamily {
        names: &["monotrigs", "ditrigs", "tritrigs", "tetratrigs", "pentatrigs"],
        is_solid: false,
    }],
    flat: &[Turn([[2, 0, 0], [0, 1, 1], [0, -3, 1]]), Turn([[2, 0, 0], [0, 2, 0], [0, 0, -2]])],
    solid: &[Turn([[-2, 0, 0], [0, 2, 0], [0, 0, 2]])],
    is_offset: |[_, row, column]| (row + column) % 2 == 0,
    is_shift,
    around: |edge| match direction(edge) {
        Direction::Flat => &[
            [0, 0, 4],
            [0, 0, -4],
            [0, 1, 1],
            [0, 1, -1],
            [0, -1, 1],
            [0, -1, -1],
            [0, 1, 3],
            [0, 1, -3],
            [0, -1, 3],
            [0, -1, -3],
        ],
        Direction::FallsRight => &[
            [0, 2, 2],
            [0, -2, -2],
            [0, 1, 3],
            [0, -1, -3],
            [0, 0, 2],
            [0, 0, -2],
            [0, 2, 0],
            [0, -2, 0],
            [0, 1, -1],
            [0, -1, 1],
        ],
        Direction::FallsLeft => &[
            [0, 2, -2],
            [0, -2, 2],
            [0, 1, -3],
            [0, -1, 3],
            [0, 0, 2],
            [0, 0, -2],
            [0, 2, 0],
            [0, -2, 0],
            [0, 1, 1],
            [0, -1, -1],
        ],
    },
    center: |cell| cell,
    cell: |center| center,
    boards: &[],
    full: |rows, cells| [rows, cells],
    corners: |edge| {
        let [down, right] = match direction(edge) {
            Direction::Flat => [0.0, 2.0],
            Direction::FallsRight => [1.0, 1.0],
            Direction::FallsLeft => [1.0, -1.0],
        };
        let (row, column) = (f64::from(edge[1]), f64::from(edge[2]));
        vec![[row - down, column - right], [row + down, column + right]]
    },
    scale: [0.25, 0.433_012_701_892_219_3],
    edges: Some(&EdgeRules {
        faces: &triangular::LATTICE,
        sides: |[layer, row, column]| {
            let points_up = (row + column).rem_euclid(2) == 0;
            let (row, column) = (2 * row, 2 * column + 4);
            // The horizontal edge is below a triangle that points up, and above a triangle that
            // points down.
            let flat = if points_up { row + 2 } else { row };
            vec![[layer, row + 1, column - 1], [layer, row + 1, column + 1], [layer, flat, column]]
        },
        is_edge: |edge| is_edge(edge),
        spokes: &[[0, 0, 2], [0, 1, 1], [0, 1, -1], [0, 0, -2], [0, -1, -1], [0, -1, 1]],
    }),
    solids: None,
};

#[derive(Clone, Copy, Debug)]
pub(super) enum Direction {
    Flat,
    FallsRight,
    FallsLeft,
}

pub(super) fn direction([_, row, column]: Position) -> Direction {
    match (row.rem_euclid(2), (row + column).rem_euclid(4)) {
        (0, _) => Direction::Flat,
        (_, 2) => Direction::FallsRight,
        _ => Direction::FallsLeft,
    }
}

pub(super) fn is_shift([_, row, column]: Position) -> bool {
    row % 2 == 0 && (row + column) % 4 == 0
}

pub(super) fn is_edge(edge: Position) -> bool {
    (edge[1] + edge[2]) % 2 == 0 && !is_shift(edge)
}

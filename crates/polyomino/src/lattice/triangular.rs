//! The lattice of triangles in rows, which point alternately up and down, and of triangular prisms
//! in layers.
//!
//! A drawing shows each triangle as a character. The triangle at row r and column c (from 0) points
//! up if r + c is even, and down otherwise. So the first character of a drawing points up:
//!
//! ```text
//!   .         A triangle that points up has a neighbor below, one that points down has it above; both
//!  ...        have neighbors at c - 1 and c + 1. Centers are (3r + 2, c) and (3r + 1, c), and a rotation
//! .....       by a sixth about a corner maps (y, x) to ((y + 3x) / 2, (x - y) / 2).
//! ```

use super::{NamedBoard, PieceFamily, PieceLattice, Turn};

pub(super) static LATTICE: PieceLattice = PieceLattice {
    name: "triangular",
    families: &[PieceFamily {
        names: &[
            "moniamonds",
            "diamonds",
            "triamonds",
            "tetriamonds",
            "pentiamonds",
            "hexiamonds",
            "heptiamonds",
            "octiamonds",
            "enneiamonds",
        ],
        is_solid: false,
    }],
    flat: &[Turn([[2, 0, 0], [0, 1, 3], [0, -1, 1]]), Turn([[2, 0, 0], [0, 2, 0], [0, 0, -2]])],
    solid: &[Turn([[-2, 0, 0], [0, 2, 0], [0, 0, 2]])],
    is_offset: |_| true,
    is_shift: |[_, row, column]| (row + column) % 2 == 0,
    around: |[_, row, column]| match (row + column).rem_euclid(2) {
        0 => &[[0, 0, 1], [0, 0, -1], [0, 1, 0]],
        _ => &[[0, 0, 1], [0, 0, -1], [0, -1, 0]],
    },
    center: |[layer, row, column]| [layer, 3 * row + 2 - (row + column).rem_euclid(2), column],
    cell: |[layer, y, column]| [layer, y.div_euclid(3), column],
    boards: &[
        NamedBoard {
            name: "hexagon",
            is_double: false,
            // An extra column is needed if the first triangle would point down.
            size: |[side, _]| [2 * side, 4 * side - side % 2],
            row: |[side, _], row| {
                let shift = 1 - side % 2;
                if row < side {
                    (shift + side - 1 - row, 2 * (side + row) + 1)
                } else {
                    (shift + row - side, 6 * side - 2 * row - 1)
                }
            },
            step: 1,
        },
        NamedBoard {
            name: "triangle",
            is_double: false,
            size: |[side, _]| [side, 2 * side - side % 2],
            row: |[side, _], row| (side - side % 2 - row, 2 * row + 1),
            step: 1,
        },
        NamedBoard {
            name: "rhombus",
            is_double: true,
            size: |[rows, cells]| [rows, 2 * cells + rows - rows % 2],
            row: |[rows, cells], row| (rows - rows % 2 - row, 2 * cells),
            step: 1,
        },
    ],
    full: |rows, cells| [rows, cells],
    corners: |[_, row, column]| {
        let points_up = (row + column).rem_euclid(2) == 0;
        let (row, column) = (f64::from(row), f64::from(column));
        match points_up {
            true => vec![[row, column + 1.0], [row + 1.0, column + 2.0], [row + 1.0, column]],
            false => vec![[row, column], [row, column + 2.0], [row + 1.0, column + 1.0]],
        }
    },
    scale: [0.7, 1.212_435_565_298_214],
    edges: None,
    solids: None,
};

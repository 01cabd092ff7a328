//! The lattice of hexagons with two upright sides, in rows that are shifted by half a cell, and of
//! hexagonal prisms in layers.
//!
//! A drawing has a blank between two cells of a row, and each row is shifted by one column to the
//! left or to the right relative to the row above:
//!
//! ```text
//!  . .        The cell at row r and column c has neighbors at c - 2 and c + 2 in its row, and at c - 1
//! . . .       and c + 1 in the rows above and below. All cells of a drawing have even r + c, or all
//!  . .        odd. A rotation by a sixth maps (r, c) to ((r + c) / 2, (c - 3r) / 2).
//! ```

use super::{NamedBoard, PieceFamily, PieceLattice, Turn};

pub(super) static LATTICE: PieceLattice = PieceLattice {
    name: "hexagonal",
    families: &[PieceFamily {
        names: &[
            "monohexes",
            "dihexes",
            "trihexes",
            "tetrahexes",
            "pentahexes",
            "hexahexes",
            "heptahexes",
        ],
        is_solid: false,
    }],
    flat: &[Turn([[2, 0, 0], [0, 1, 1], [0, -3, 1]]), Turn([[2, 0, 0], [0, 2, 0], [0, 0, -2]])],
    solid: &[Turn([[-2, 0, 0], [0, 2, 0], [0, 0, 2]])],
    is_offset: |[_, row, column]| (row + column) % 2 == 0,
    // All translations between even and odd positions are allowed, because all cells of a drawing
    // have the same parity.
    is_shift: |_| true,
    around: |_| &[[0, 0, 2], [0, 0, -2], [0, 1, 1], [0, 1, -1], [0, -1, 1], [0, -1, -1]],
    center: |cell| cell,
    cell: |center| center,
    boards: &[
        NamedBoard {
            name: "hexagon",
            is_double: false,
            size: |[side, _]| [2 * side - 1, 4 * side - 3],
            row: |[side, _], row| {
                let away = row.abs_diff(side - 1);
                (away, 2 * side - 1 - away)
            },
            step: 2,
        },
        NamedBoard {
            name: "triangle",
            is_double: false,
            size: |[side, _]| [side, 2 * side - 1],
            row: |[side, _], row| (side - 1 - row, row + 1),
            step: 2,
        },
        NamedBoard {
            name: "rhombus",
            is_double: true,
            size: |[rows, cells]| [rows, 2 * cells + rows - 2],
            row: |[_, cells], row| (row, cells),
            step: 2,
        },
    ],
    full: |rows, cells| [rows, 2 * cells - usize::from(rows == 1)],
    corners: |[_, row, column]| {
        // The rows are 3/2 sides apart; the tip of a hexagon extends 1/2 side into the next row.
        let (row, column) = (f64::from(row), f64::from(column));
        vec![
            [row, column + 1.0],
            [row + 1.0 / 3.0, column + 2.0],
            [row + 1.0, column + 2.0],
            [row + 4.0 / 3.0, column + 1.0],
            [row + 1.0, column],
            [row + 1.0 / 3.0, column],
        ]
    },
    scale: [0.5, 0.866_025_403_784_438_6],
    edges: None,
    solids: None,
};

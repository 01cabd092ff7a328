//! The lattice of squares in rows and columns, and of cubes in layers. A drawing shows each square
//! or cube as a character.

use super::{NamedBoard, PieceFamily, PieceLattice, Turn};

pub(super) static LATTICE: PieceLattice = PieceLattice {
    name: "square",
    families: &[
        PieceFamily {
            names: &[
                "monominoes",
                "dominoes",
                "trominoes",
                "tetrominoes",
                "pentominoes",
                "hexominoes",
                "heptominoes",
                "octominoes",
            ],
            is_solid: false,
        },
        PieceFamily {
            names: &[
                "monocubes",
                "dicubes",
                "tricubes",
                "tetracubes",
                "pentacubes",
                "hexacubes",
                "heptacubes",
            ],
            is_solid: true,
        },
    ],
    // The generators in the plane are a quarter turn and a reflection. In space there is also an
    // exchange of rows and layers.
    flat: &[Turn([[2, 0, 0], [0, 0, 2], [0, -2, 0]]), Turn([[2, 0, 0], [0, 2, 0], [0, 0, -2]])],
    solid: &[Turn([[0, 2, 0], [2, 0, 0], [0, 0, 2]])],
    is_offset: |_| true,
    is_shift: |_| true,
    around: |_| &[[0, 0, 1], [0, 0, -1], [0, 1, 0], [0, -1, 0]],
    center: |cell| cell,
    cell: |center| center,
    boards: &[
        // A diamond has rows of 1, 3, 5 ... 5, 3, 1 cells.
        NamedBoard {
            name: "diamond",
            is_double: false,
            size: |[side, _]| [2 * side - 1; 2],
            row: |[side, _], row| {
                let away = row.abs_diff(side - 1);
                (away, 2 * (side - away) - 1)
            },
            step: 1,
        },
        // An Aztec diamond has rows of 2, 4, 6 ... 6, 4, 2 cells.
        NamedBoard {
            name: "aztec",
            is_double: false,
            size: |[side, _]| [2 * side; 2],
            row: |[side, _], row| {
                let away = if row < side { side - 1 - row } else { row - side };
                (away, 2 * (side - away))
            },
            step: 1,
        },
    ],
    full: |rows, cells| [rows, cells],
    corners: |[_, row, column]| {
        let (row, column) = (f64::from(row), f64::from(column));
        vec![[row, column], [row, column + 1.0], [row + 1.0, column + 1.0], [row + 1.0, column]]
    },
    scale: [1.0, 1.0],
    edges: None,
    solids: None,
};

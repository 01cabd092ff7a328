//! The lattice of edges of the square lattice, for polysticks.
//!
//! A drawing shows the points of the square lattice at even rows and columns (from 0), and the
//! edges between them:
//!
//! ```text
//! + . + . +     The edge at row r and column c is horizontal if r is even and c odd, upright if r is odd
//! .   .   .     and c even (shown here with more blanks than in a drawing). Rotations about the first
//! + . + . +     point are those of the square lattice.
//! ```

use super::edges::EdgeRules;
use super::{PieceFamily, PieceLattice, Turn, square};

pub(super) static LATTICE: PieceLattice = PieceLattice {
    name: "square-edges",
    families: &[PieceFamily {
        names: &["monosticks", "disticks", "tristicks", "tetrasticks", "pentasticks", "hexasticks"],
        is_solid: false,
    }],
    flat: &[Turn([[2, 0, 0], [0, 0, 2], [0, -2, 0]]), Turn([[2, 0, 0], [0, 2, 0], [0, 0, -2]])],
    solid: &[Turn([[-2, 0, 0], [0, 2, 0], [0, 0, 2]])],
    is_offset: |_| true,
    is_shift: |[_, row, column]| row % 2 == 0 && column % 2 == 0,
    around: |[_, row, _]| match row.rem_euclid(2) {
        0 => &[[0, 0, 2], [0, 0, -2], [0, 1, 1], [0, 1, -1], [0, -1, 1], [0, -1, -1]],
        _ => &[[0, 2, 0], [0, -2, 0], [0, 1, 1], [0, 1, -1], [0, -1, 1], [0, -1, -1]],
    },
    center: |cell| cell,
    cell: |center| center,
    boards: &[],
    full: |rows, cells| [rows, cells],
    corners: |[_, row, column]| {
        let (along, across) = if row.rem_euclid(2) == 0 { (0.0, 1.0) } else { (1.0, 0.0) };
        let (row, column) = (f64::from(row), f64::from(column));
        vec![[row - along, column - across], [row + along, column + across]]
    },
    scale: [0.5, 0.5],
    edges: Some(&EdgeRules {
        faces: &square::LATTICE,
        sides: |[layer, row, column]| {
            let (row, column) = (2 * row + 1, 2 * column + 1);
            let steps = [[-1, 0], [0, -1], [0, 1], [1, 0]];
            steps.map(|[down, right]| [layer, row + down, column + right]).to_vec()
        },
        is_edge: |[_, row, column]| (row + column).rem_euclid(2) == 1,
        spokes: &[[0, -1, 0], [0, 0, 1], [0, 1, 0], [0, 0, -1]],
    }),
    solids: None,
};

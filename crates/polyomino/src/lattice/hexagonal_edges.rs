//! The lattice of edges between hexagons, for polytwigs.
//!
//! The midpoints of these edges are also the midpoints of the edges of the triangular lattice whose
//! points are the centers of the hexagons. So a drawing has edges at the same positions (rows and
//! columns from 0), with the same rotations:
//!
//! ```text
//!   .   .      In rows 0, 2, 4 ... edges are upright; in other rows they cross those of the
//!  . . . .     triangular lattice. The points where three edges meet have no positions, and no two
//! .   .   .    pieces can cross. An empty row 0 is drawn as `#` in a board and as `.` in a piece.
//!  . . . .
//!   .   .
//! ```

use super::edges::EdgeRules;
use super::triangular_edges::{self, Direction, direction};
use super::{PieceFamily, PieceLattice, hexagonal};

pub(super) static LATTICE: PieceLattice = PieceLattice {
    name: "hexagonal-edges",
    families: &[PieceFamily {
        names: &[
            "monotwigs",
            "ditwigs",
            "tritwigs",
            "tetratwigs",
            "pentatwigs",
            "hexatwigs",
            "heptatwigs",
        ],
        is_solid: false,
    }],
    flat: triangular_edges::LATTICE.flat,
    solid: triangular_edges::LATTICE.solid,
    is_offset: |[_, row, column]| (row + column) % 2 == 0,
    is_shift: triangular_edges::is_shift,
    around: |edge| match direction(edge) {
        Direction::Flat => &[[0, 1, 1], [0, 1, -1], [0, -1, 1], [0, -1, -1]],
        Direction::FallsRight => &[[0, 0, 2], [0, 0, -2], [0, 1, -1], [0, -1, 1]],
        Direction::FallsLeft => &[[0, 0, 2], [0, 0, -2], [0, 1, 1], [0, -1, -1]],
    },
    center: |cell| cell,
    cell: |center| center,
    boards: &[],
    full: |rows, cells| [rows, cells],
    corners: |edge| {
        let [down, right] = match direction(edge) {
            Direction::Flat => [2.0 / 3.0, 0.0],
            Direction::FallsRight => [1.0 / 3.0, -1.0],
            Direction::FallsLeft => [1.0 / 3.0, 1.0],
        };
        let (row, column) = (f64::from(edge[1]), f64::from(edge[2]));
        vec![[row - down, column - right], [row + down, column + right]]
    },
    scale: [0.433_012_701_892_219_3, 0.75],
    edges: Some(&EdgeRules {
        faces: &hexagonal::LATTICE,
        sides: |[layer, row, column]| {
            // The parity of row + column is the same for all cells of a board.
            let column = column + (row + column).rem_euclid(2);
            let steps = [[0, 2], [0, -2], [1, 1], [1, -1], [-1, 1], [-1, -1]];
            steps.map(|[down, right]| [layer, 2 * row + down, 2 * column + right]).to_vec()
        },
        is_edge: triangular_edges::is_edge,
        spokes: &[],
    }),
    solids: None,
};

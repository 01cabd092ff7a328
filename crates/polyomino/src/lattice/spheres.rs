//! Spheres that are packed as closely as they can be, in layers of squares.
//!
//! A drawing shows each sphere by a character. There is one at layer l, row r and column c if l + r + c is even, so that each row is
//! shifted by one column from the row above, and each layer from the layer before:
//!
//! ```text
//! . . .       A sphere touches twelve others: four in its layer, at (r - 1, c - 1), (r - 1, c + 1) and so on, and four in each of
//!  . .        the layers before and behind, straight above and beside it. The turns are those of a cube.
//! . . .
//! ```
//!
//! Spheres that lie in one plane of triangles may also be turned by a sixth in it, which no turn of the cube does; so may all
//! whose distances from that plane are multiples of three. BurrTools has 120 rotations for this: the 24, and behind each
//! the half turn about one of the four diagonals.

use super::super::shape::{Position, subtract};
use super::solids::SolidRules;
use super::{PieceLattice, square};

/// How far neighbors lie.
const AROUND: [Position; 12] = [
    [0, 1, 1],
    [0, 1, -1],
    [0, -1, 1],
    [0, -1, -1],
    [1, 0, 1],
    [1, 0, -1],
    [1, 1, 0],
    [1, -1, 0],
    [-1, 0, 1],
    [-1, 0, -1],
    [-1, 1, 0],
    [-1, -1, 0],
];
/// The diagonals of a cube.
const DIAGONALS: [Position; 4] = [[1, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1]];

/// Turns cells by a half about each diagonal, if they come to cells again.
fn twists(cells: &[Position]) -> Vec<Vec<Position>> {
    let Some(&first) = cells.first() else { return Vec::new() };
    let twisted = |diagonal: Position| {
        let twist = |cell: &Position| {
            let way = subtract(*cell, first);
            let along: i32 = way.iter().zip(diagonal).map(|(step, direction)| step * direction).sum();
            // Along the diagonal it stays, across it goes to the other side.
            let turned = [0, 1, 2].map(|axis| 2 * along / 3 * diagonal[axis] - way[axis]);
            (along % 3 == 0).then_some(turned)
        };
        cells.iter().map(twist).collect::<Option<Vec<_>>>()
    };
    DIAGONALS.into_iter().filter_map(twisted).collect()
}

pub(super) static LATTICE: PieceLattice = PieceLattice {
    name: "spheres",
    families: &[],
    flat: square::LATTICE.flat,
    solid: square::LATTICE.solid,
    is_offset: |_| true,
    is_shift: |[layer, row, column]| (layer + row + column) % 2 == 0,
    around: |_| &[],
    center: |cell| cell,
    cell: |center| center,
    boards: &[],
    full: |rows, cells| [rows, cells],
    // Squares on their points, which share a side with those in the same layer.
    corners: |[_, row, column]| {
        let (row, column) = (f64::from(row), f64::from(column));
        vec![
            [row - 0.5, column + 0.5],
            [row + 0.5, column + 1.5],
            [row + 1.5, column + 0.5],
            [row + 0.5, column - 0.5],
        ]
    },
    scale: [0.7, 0.7],
    edges: None,
    solids: Some(&SolidRules {
        is_cell: |[layer, row, column]| (layer + row + column) % 2 == 0,
        neighbor: |_, number| AROUND.get(number).copied(),
        origins: &[[0, 0, 0]],
        twists,
        unit: 1,
        period: 2,
    }),
};

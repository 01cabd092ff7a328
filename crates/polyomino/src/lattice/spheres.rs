//! The lattice of close-packed spheres in square layers.
//!
//! A drawing shows each sphere as a character. There is a sphere at layer l, row r and column c if
//! l + r + c is even. So each row is shifted by one column relative to the row above, and each
//! layer relative to the previous layer:
//!
//! ```text
//! . . .       A sphere touches twelve others: four in its layer, at (r - 1, c - 1), (r - 1, c + 1) and
//!  . .        so on, and four in each adjacent layer, in the same row or column. The motions are
//! . . .       those of a cube.
//! ```
//!
//! Some groups of spheres have additional rotations. Spheres in a triangular plane may also be
//! rotated by a sixth in that plane, which no rotation of the cube does. The same holds for spheres
//! whose distances from the plane are multiples of three. BurrTools has 120 rotations for this
//! reason: the 24 rotations of the cube, and each of them after a half turn about one of the four
//! diagonals.

use super::super::shape::{Position, subtract};
use super::solids::SolidRules;
use super::{PieceLattice, square};

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
const DIAGONALS: [Position; 4] = [[1, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1]];

/// Returns the images of the cells under the half turn about each diagonal, if all images are
/// cells.
fn twists(cells: &[Position]) -> Vec<Vec<Position>> {
    let Some(&first) = cells.first() else { return Vec::new() };
    let twisted = |diagonal: Position| {
        let twist = |cell: &Position| {
            let way = subtract(*cell, first);
            let along: i32 = way.iter().zip(diagonal).map(|(step, direction)| step * direction).sum();
            // A half turn keeps the component along the diagonal and negates the perpendicular one.
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
    // A picture shows spheres as squares that stand on a corner. Neighbors in the same layer share
    // a side.
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

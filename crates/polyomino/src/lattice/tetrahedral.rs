//! The lattice of regular tetrahedra and octahedra that fill space; each octahedron is cut into
//! eight parts.
//!
//! Each cube is cut at four of its corners, which leaves a tetrahedron in the middle. Eight cut-off
//! parts form an octahedron around a corner. Neighboring cubes are cut at their common corners. A
//! drawing shows a cube as 3 layers of 3 rows and columns, with the tetrahedron in the middle and
//! the other parts in the corners. The first cube, and every second cube in each direction, looks
//! as follows:
//!
//! ```text
//! (layer 0)   (layer 1)   (layer 2)     The tetrahedron touches the four corner parts; each of these
//! ..#         ...         #..           also touches those of the three next cubes at the same corner.
//! ...         .#.         ...
//! #..         ...         ..#           The motions are those of a cube about a corner, so the centers
//!                                       of positions are halves.
//! ```

use super::super::shape::Position;
use super::solids::SolidRules;
use super::{PieceLattice, square};

const SIDE: i32 = 3;

/// Returns the offset of a position from the center of its cube, and the product of the coordinates
/// of the corners that are cut off (1 or -1).
fn within(cell: Position) -> (Position, i32) {
    let cubes: i32 = cell.iter().map(|at| at.div_euclid(SIDE)).sum();
    (cell.map(|at| at.rem_euclid(SIDE) - 1), if cubes % 2 == 0 { 1 } else { -1 })
}

fn is_cell(cell: Position) -> bool {
    let (sides, product) = within(cell);
    sides == [0; 3] || sides.iter().product::<i32>() == product
}

fn neighbor(cell: Position, number: usize) -> Option<Position> {
    let (sides, product) = within(cell);
    match (sides == [0; 3], number) {
        (true, 0..4) => {
            let [one, other] = [number / 2, number % 2].map(|bit| 2 * bit as i32 - 1);
            Some([one, other, product * one * other])
        }
        (false, 0) => Some(sides.map(|side| -side)),
        (false, 1..4) => {
            let mut way = [0; 3];
            way[number - 1] = sides[number - 1];
            Some(way)
        }
        _ => None,
    }
}

pub(super) static LATTICE: PieceLattice = PieceLattice {
    name: "tetrahedral",
    families: &[],
    flat: square::LATTICE.flat,
    solid: square::LATTICE.solid,
    is_offset: |_| true,
    is_shift: |way| way.iter().all(|step| step % SIDE == 0) && way.iter().sum::<i32>() % 2 == 0,
    around: |_| &[],
    center: |cell| cell.map(|at| 2 * at + 1),
    cell: |center| center.map(|at| (at - 1).div_euclid(2)),
    boards: &[],
    full: |rows, cells| [rows, cells],
    corners: square::LATTICE.corners,
    scale: [0.5, 0.5],
    edges: None,
    solids: Some(&SolidRules {
        is_cell,
        neighbor,
        origins: &[
            [1, 1, 1],
            [0, 0, 2],
            [0, 2, 0],
            [2, 0, 0],
            [2, 2, 2],
            [1, 1, 4],
            [0, 0, 3],
            [0, 2, 5],
            [2, 0, 5],
            [2, 2, 3],
        ],
        twists: |_| Vec::new(),
        unit: 3,
        period: 2 * SIDE,
    }),
};

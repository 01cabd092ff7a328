//! The lattice of cubes that are each cut into 24 tetrahedra by the planes through the center and
//! two edges. The tetrahedra are also the parts of rhombic dodecahedra.
//!
//! A drawing shows a cube as 5 layers of 5 rows and columns. Each tetrahedron belongs to a side of
//! the cube and to an edge of this side. Of its layer, row and column within the cube, one is 0 or
//! 4 (the side), one is 1 or 3 (the edge), and one is 2:
//!
//! ```text
//! (layer 0)   (layer 1)   (layer 2)     It touches four others: one in the next cube; the two at its
//! .....       ..#..       .#.#.         side with the adjacent edges; and the one with side and edge
//! ..#..       .....       #...#         exchanged.
//! .#.#.       #...#       .....
//! ..#..       .....       #...#         The motions are those of a cube about a corner, so the centers
//! .....       ..#..       .#.#.         of positions are halves.
//! ```

use super::super::shape::Position;
use super::solids::SolidRules;
use super::{PieceLattice, square};

const SIDE: i32 = 5;

fn axes(cell: Position) -> Option<[usize; 3]> {
    let at = |kinds: [i32; 2]| {
        let mut axes = (0..3).filter(|&axis| kinds.contains(&cell[axis].rem_euclid(SIDE)));
        axes.next().filter(|_| axes.next().is_none())
    };
    Some([at([0, 4])?, at([1, 3])?, at([2, 2])?])
}

fn neighbor(cell: Position, number: usize) -> Option<Position> {
    let [side, edge, third] = axes(cell)?;
    // Direction away from the center of the cube along each axis.
    let sign = |axis: usize| (cell[axis].rem_euclid(SIDE) - 2).signum();
    let mut way = [0; 3];
    match number {
        0 => way[side] = sign(side),
        1 | 2 => {
            way[edge] = -sign(edge);
            way[third] = if number == 1 { 1 } else { -1 };
        }
        3 => {
            way[side] = -sign(side);
            way[edge] = sign(edge);
        }
        _ => return None,
    }
    Some(way)
}

const ORIGINS: [Position; 24] = {
    let mut origins = [[0; 3]; 24];
    let (mut place, mut count) = (0, 0);
    while place < 125 {
        let cell = [place / 25, place / 5 % 5, place % 5];
        let (mut sides, mut edges, mut axis) = (0, 0, 0);
        while axis < 3 {
            match cell[axis] {
                0 | 4 => sides += 1,
                1 | 3 => edges += 1,
                _ => {}
            }
            axis += 1;
        }
        if sides == 1 && edges == 1 {
            origins[count] = cell;
            count += 1;
        }
        place += 1;
    }
    origins
};

pub(super) static LATTICE: PieceLattice = PieceLattice {
    name: "rhombic",
    families: &[],
    flat: square::LATTICE.flat,
    solid: square::LATTICE.solid,
    is_offset: |_| true,
    is_shift: |way| way.iter().all(|step| step % SIDE == 0),
    around: |_| &[],
    center: |cell| cell.map(|at| 2 * at + 1),
    cell: |center| center.map(|at| (at - 1).div_euclid(2)),
    boards: &[],
    full: |rows, cells| [rows, cells],
    corners: square::LATTICE.corners,
    scale: [0.5, 0.5],
    edges: None,
    solids: Some(&SolidRules {
        is_cell: |cell| axes(cell).is_some(),
        neighbor,
        origins: &ORIGINS,
        twists: |_| Vec::new(),
        unit: 5,
        period: SIDE,
    }),
};

//! Rules of lattices in space whose layers are not copies of each other: close-packed spheres,
//! cubes cut into tetrahedra, and tetrahedra between octahedra.
//!
//! A drawing shows the layers of a box of positions one after the other; only some of the positions
//! are cells. Pieces always rotate in space, even if they have only one layer. These lattices are
//! the grids 2, 3 and 4 of BurrTools, whose file format defines the positions.

use super::super::shape::Position;
use super::PieceLattice;

type Twists = fn(&[Position]) -> Vec<Vec<Position>>;

#[derive(Debug)]
pub(super) struct SolidRules {
    pub(super) is_cell: fn(Position) -> bool,
    /// Returns the offset from a cell to its neighbor with the given number, counted from 0.
    pub(super) neighbor: fn(Position, usize) -> Option<Position>,
    /// One representative for each class of cells under translation.
    pub(super) origins: &'static [Position],
    /// Returns the images of some cells under rotations outside the group of the lattice, one
    /// rotation per coset.
    pub(super) twists: Twists,
    /// Number of positions per side of a board of size 1.
    pub(super) unit: usize,
    /// Period of the lattice on each axis (positions).
    pub(super) period: i32,
}

impl PieceLattice {
    pub(in super::super) fn is_solid(&self) -> bool {
        self.solids.is_some()
    }

    pub(in super::super) fn twists(&self, cells: &[Position]) -> Vec<Vec<Position>> {
        self.solids.map_or(Vec::new(), |rules| (rules.twists)(cells))
    }

    /// Returns the largest translation that may be needed to reach valid positions, in layers, rows
    /// and columns.
    pub(in super::super) fn periods(&self) -> [i32; 3] {
        self.solids.map_or([1, 2, 4], |rules| [rules.period; 3])
    }
}

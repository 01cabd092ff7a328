//! Lattices in space whose layers are not copies of each other: spheres packed closely, cubes that are cut into tetrahedra, tetrahedra
//! between octahedra.
//!
//! A drawing shows the layers of a box of places one after the other, and only some places hold a cell. Pieces always turn in space,
//! also those of one layer. These are the grids 2, 3 and 4 of BurrTools, from whose files the places are known.

use super::super::shape::Position;
use super::PieceLattice;

/// Moves cells to where they may lie as well.
type Twists = fn(&[Position]) -> Vec<Vec<Position>>;

/// How cells lie in space.
#[derive(Debug)]
pub(super) struct SolidRules {
    /// Tells whether there is a cell at a place.
    pub(super) is_cell: fn(Position) -> bool,
    /// Returns how far the neighbor of that number lies from a cell.
    pub(super) neighbor: fn(Position, usize) -> Option<Position>,
    /// The cells none of which may be moved to another one.
    pub(super) origins: &'static [Position],
    /// Returns where some cells may lie that no turn of the lattice brings them to, each once up to turns.
    pub(super) twists: Twists,
    /// What a board of one unit takes in places, on each side.
    pub(super) unit: usize,
    /// After so many places on each axis the lattice is the same again.
    pub(super) period: i32,
}

impl PieceLattice {
    /// Tells whether pieces turn in space, however few layers there are.
    pub(in super::super) fn is_solid(&self) -> bool {
        self.solids.is_some()
    }

    /// Returns where some cells may lie that no turn of the lattice brings them to, each once up to turns.
    pub(in super::super) fn twists(&self, cells: &[Position]) -> Vec<Vec<Position>> {
        self.solids.map_or(Vec::new(), |rules| (rules.twists)(cells))
    }

    /// Returns how far cells must be moved, at most, until they lie as the lattice allows: layers, rows and columns.
    pub(in super::super) fn periods(&self) -> [i32; 3] {
        self.solids.map_or([1, 2, 4], |rules| [rules.period; 3])
    }
}

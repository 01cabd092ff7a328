//! Lattices whose cells are the edges of another lattice, for polysticks, polytrigs and polytwigs.
//!
//! A cell is an edge, and its position is its midpoint. Two edges are neighbors if they meet at a
//! point. A board consists of all edges of a board of the other lattice. For example, `5x5` has 60
//! edges on the square lattice, and `hexagon-2` has 42 on the triangular lattice.
//!
//! # Crossings
//! Where at least four edges meet at a point, two pieces can cross. Of four edges in their order
//! around the point, one piece has the first and the third, and another piece has the second and
//! the fourth. Crossing is forbidden, as in Knuth's *Dancing Links* (2000), where the interior
//! points of tetrasticks are secondary columns. So [`crossings`] lists, for each point, every set
//! of four of its edges on the board. The translation makes each set a secondary item, which an
//! option contains if its piece has two opposite edges of the four. The square lattice has one such
//! item per point, and the triangular lattice fifteen. The lattice of hexagons has none.
//!
//! [`crossing`] checks placed pieces independently of these items.

use std::collections::{BTreeMap, BTreeSet};

use super::super::shape::{Position, add, in_corner, plain, subtract};
use super::PieceLattice;

#[derive(Debug)]
pub(super) struct EdgeRules {
    pub(super) faces: &'static PieceLattice,
    /// Returns the edges of a cell of the other lattice.
    pub(super) sides: fn(Position) -> Vec<Position>,
    pub(super) is_edge: fn(Position) -> bool,
    /// Offsets from a point to its edges, in their order around the point; empty if points have no
    /// positions.
    pub(super) spokes: &'static [Position],
}

/// Four edges around a point, where pieces could cross.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Crossing {
    pub(in super::super) point: Position,
    /// Index among the crossings at the same point; `None` if it is the only one.
    pub(in super::super) number: Option<u32>,
    pub(in super::super) edges: [Position; 4],
}

impl PieceLattice {
    pub(in super::super) fn has_edges(&self) -> bool {
        self.edges.is_some()
    }

    /// Returns whether `cell` can be a cell in a drawing where `other` is a cell.
    pub(in super::super) fn is_cell(&self, cell: Position, other: Position) -> bool {
        (self.is_offset)(subtract(cell, other))
            && self.edges.is_none_or(|rules| (rules.is_edge)(cell))
            && self.solids.is_none_or(|rules| (rules.is_cell)(cell))
    }

    pub(in super::super) fn spokes(&self) -> &'static [Position] {
        self.edges.map_or(&[], |rules| rules.spokes)
    }

    pub(in super::super) fn is_point(&self, [_, row, column]: Position) -> bool {
        !self.spokes().is_empty() && (self.is_shift)([0, row, column])
    }

    pub(in super::super) fn points(&self, edge: Position) -> impl Iterator<Item = Position> {
        let points = self.spokes().iter().map(move |&spoke| subtract(edge, spoke));
        points.filter(|&point| self.is_point(point))
    }
}

/// Returns the edges of some cells in ascending order, translated to the upper left corner of a
/// drawing.
pub(super) fn sides(
    lattice: &PieceLattice,
    rules: &EdgeRules,
    faces: impl Iterator<Item = Position>,
) -> Vec<Position> {
    let edges: BTreeSet<Position> = faces.flat_map(rules.sides).collect();
    let moved = in_corner(lattice, &plain(edges));
    moved.into_iter().map(|(edge, _)| edge).collect()
}

/// Returns all possible crossings on a board with these edges; points ascend.
pub(in super::super) fn crossings(
    lattice: &PieceLattice,
    edges: impl IntoIterator<Item = Position>,
) -> Vec<Crossing> {
    let edges: BTreeSet<Position> = edges.into_iter().collect();
    let points: BTreeSet<Position> = edges.iter().flat_map(|&edge| lattice.points(edge)).collect();
    let spokes = lattice.spokes();
    let mut found = Vec::new();
    for &point in &points {
        let mut number: u32 = 0;
        for fourth in 3..spokes.len() {
            for third in 2..fourth {
                for second in 1..third {
                    for first in 0..second {
                        let edges_here =
                            [first, second, third, fourth].map(|at| add(point, spokes[at]));
                        if edges_here.iter().all(|edge| edges.contains(edge)) {
                            let number = (spokes.len() > 4).then_some(number);
                            found.push(Crossing { point, number, edges: edges_here });
                        }
                        number += 1;
                    }
                }
            }
        }
    }
    found
}

/// Returns a point where two pieces cross, and the indices of the pieces; `owners` returns the
/// piece on an edge. Only the end points of the edges `wanted` are checked.
pub(in super::super) fn crossing(
    lattice: &PieceLattice,
    wanted: impl IntoIterator<Item = Position>,
    owners: impl Fn(Position) -> Option<usize>,
) -> Option<(Position, usize, usize)> {
    let wanted: BTreeSet<Position> = wanted.into_iter().flat_map(|edge| lattice.points(edge)).collect();
    wanted.into_iter().find_map(|point| {
        let around: Vec<usize> =
            lattice.spokes().iter().filter_map(|&spoke| owners(add(point, spoke))).collect();
        // Two edges of a piece divide the edges around the point into two arcs. Another piece
        // crosses this piece if it has an edge in both arcs.
        let mut sides: BTreeMap<(usize, usize), [bool; 2]> = BTreeMap::new();
        for (start, &piece) in around.iter().enumerate() {
            for end in start + 1..around.len() {
                if around[end] != piece {
                    continue;
                }
                sides.clear();
                for (at, &other) in around.iter().enumerate().filter(|(_, other)| **other != piece) {
                    sides.entry((piece, other)).or_default()[usize::from(start < at && at < end)] =
                        true;
                }
                if let Some(((one, other), _)) = sides.iter().find(|(_, sides)| sides[0] && sides[1]) {
                    return Some((point, (*one).min(*other), (*one).max(*other)));
                }
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::super::{LATTICES, by_name};
    use super::*;

    #[test]
    fn boards_have_the_expected_number_of_edges() {
        let check = |lattice: &str, board: &str, expected: usize| {
            let lattice = by_name(lattice).expect(lattice);
            let board = lattice.parse_board(board).expect(board);
            let cells: Vec<_> = board.cells().collect();
            assert_eq!(cells.len(), expected, "{board:?}");
            let size = lattice.extent(cells.iter().copied());
            assert!((0..3).all(|axis| size[axis] <= board.size[axis]), "{board:?}");
            assert!(cells.iter().all(|&cell| lattice.is_cell(cell, cells[0])), "{board:?}");
            assert!(cells.is_sorted(), "{board:?}");
            for cell in cells.iter().copied().chain(cells.iter().flat_map(|&cell| lattice.points(cell)))
            {
                let is_inside = cell.iter().zip(size).all(|(&at, size)| (0..size as i32).contains(&at));
                assert!(is_inside, "{board:?} {cell:?}");
            }
        };
        for n in 1..7 {
            check("square-edges", &format!("{n}x3"), n * 4 + 3 * (n + 1));
            check("square-edges", &format!("diamond-{n}"), 4 * n * n);
            check("square-edges", &format!("aztec-{n}"), 4 * n * n + 8 * n);
            check("triangular-edges", &format!("triangle-{n}"), 3 * n * (n + 1) / 2);
            check("triangular-edges", &format!("hexagon-{n}"), 9 * n * n + 3 * n);
            check("triangular-edges", &format!("rhombus-{n}x2"), n * 3 + 2 * (n + 1) + 2 * n);
            check("hexagonal-edges", &format!("hexagon-{n}"), 9 * n * n - 3 * n);
            check("hexagonal-edges", &format!("triangle-{n}"), 3 * n * (n + 3) / 2);
        }
    }

    #[test]
    fn listed_crossings_agree_with_the_check_of_placed_pieces() {
        for lattice in LATTICES.iter().filter(|lattice| !lattice.spokes().is_empty()) {
            let point = [0, 4, 4];
            let edges: Vec<Position> =
                lattice.spokes().iter().map(|&spoke| add(point, spoke)).collect();
            let listed = crossings(lattice, edges.iter().copied());
            assert_eq!(listed.len(), if edges.len() == 4 { 1 } else { 15 });
            for code in 0..4_usize.pow(edges.len() as u32) {
                let owner = |edge: Position| {
                    let place = edges.iter().position(|&other| other == edge)?;
                    Some(code / 4_usize.pow(place as u32) % 4).filter(|&owner| owner < 3)
                };
                let has = |piece: usize, crossing: &Crossing| {
                    let own = crossing.edges.map(|edge| owner(edge) == Some(piece));
                    own[0] && own[2] || own[1] && own[3]
                };
                let is_listed = listed
                    .iter()
                    .any(|crossing| (0..3).filter(|&piece| has(piece, crossing)).count() > 1);
                let seen = crossing(lattice, edges.iter().copied(), owner);
                assert_eq!(seen.is_some(), is_listed, "{} {code}", lattice.name);
            }
        }
    }
}

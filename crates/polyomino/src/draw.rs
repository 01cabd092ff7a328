//! Generates random boards by placing some pieces of a set next to each other.
//!
//! # Method
//! The pieces are chosen at random. The first piece is placed anywhere. Each further piece gets a
//! random position among the positions where it touches the previous pieces at the most sides. So
//! boards are compact, because pieces fill notches. A board with a hole is rejected and drawn
//! again. The distribution of the boards is unknown.
//!
//! Bound: at most [`PIECES_MAX`] pieces, and at most [`DRAWS_MAX`] attempts to draw a board without
//! a hole.

use std::collections::{BTreeSet, HashMap};

use dlx::{Limit, Limits, Random};

use super::board::{PieceBoard, PlaceKind};
use super::lattice::Motions;
use super::lattice::edges::crossing;
use super::sets::{self, PieceSet};
use super::shape::{MarkedCell, PieceCells, Position, add, in_corner, orientations, plain, subtract};
use super::{Piece, Supply, native};

const PIECES_MAX: usize = 60;
const DRAWS_MAX: usize = 100;
/// Width (cells) of the margin around a board that the search for holes includes.
const MARGIN: i32 = 3;

/// A generator of boards from a set of pieces.
#[derive(Debug)]
pub struct BoardDrawing {
    set: PieceSet,
    count: usize,
    is_solid: bool,
    shapes: Vec<Vec<PieceCells>>,
}

impl BoardDrawing {
    /// Prepares to draw boards from `count` pieces of the set named `name`.
    ///
    /// # Errors
    /// If there is no such set, or it has fewer pieces.
    pub fn new(name: &str, count: usize) -> Result<Self, String> {
        let set = sets::by_name(name, &Limits::new())
            .unwrap_or_default()
            .ok_or_else(|| format!("expected {}, found `{name}`", sets::expected(name)))?;
        let most = set.pieces.len().min(PIECES_MAX);
        if !(1..=most).contains(&count) {
            return Err(match most {
                1 => format!("expected 1 piece of the set {name}, found {count}"),
                _ => format!("expected 1 to {most} pieces of the set {name}, found {count}"),
            });
        }
        let is_solid = set.pieces.iter().any(|(_, cells)| cells.iter().any(|(cell, _)| cell[0] > 0));
        let default = if is_solid { Motions::Rotate } else { Motions::Reflect };
        let motions = set.motions.unwrap_or(default);
        let shapes = set.pieces.iter().map(|(_, cells)| {
            orientations(set.lattice, cells, motions, is_solid).into_iter().collect()
        });
        let shapes = shapes.collect();
        Ok(Self { set, count, is_solid, shapes })
    }

    /// Draws pieces and a board that they cover. Returns the text of the puzzle, and the text of
    /// the same puzzle with all pieces placed. Returns `None` if all boards had holes.
    ///
    /// ```
    /// use dlx::{Limits, Random};
    /// use polyomino::BoardDrawing;
    ///
    /// let drawing = BoardDrawing::new("trominoes", 2)?;
    /// let text = drawing.draw(&mut Random::new(1), &Limits::new()).expect("no limits are set");
    /// let (text, tiled) = text.expect("few have holes");
    /// assert!(text.starts_with("piece I\n###\n\npiece L\n"));
    /// assert_eq!(tiled.matches('I').count(), 1 + 3);
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached: time or an interrupt.
    pub fn draw(
        &self,
        random: &mut Random,
        limits: &Limits,
    ) -> Result<Option<(String, String)>, Limit> {
        let mut order: Vec<usize> = (0..self.set.pieces.len()).collect();
        random.shuffle(&mut order);
        order.truncate(self.count);
        for _ in 0..DRAWS_MAX {
            random.shuffle(&mut order);
            let owners = self.lay(&order, random, limits)?;
            if !self.has_hole(&owners.keys().copied().collect()) {
                order.sort_unstable();
                return Ok(Some(self.write(&order, &owners)));
            }
        }
        Ok(None)
    }

    fn lay(
        &self,
        order: &[usize],
        random: &mut Random,
        limits: &Limits,
    ) -> Result<HashMap<Position, usize>, Limit> {
        let mut covered: BTreeSet<Position> = BTreeSet::new();
        let mut owners: HashMap<Position, usize> = HashMap::new();
        for &piece in order {
            limits.check()?;
            let mut starts: BTreeSet<Position> =
                covered.iter().flat_map(|&cell| self.around(cell)).collect();
            starts.retain(|cell| !covered.contains(cell));
            if starts.is_empty() {
                starts.insert(self.shapes[piece][0][0].0);
            }
            let (mut best, mut most) = (Vec::new(), 0);
            for shape in &self.shapes[piece] {
                for (&start, &(cell, _)) in
                    starts.iter().flat_map(|at| shape.iter().map(move |it| (at, it)))
                {
                    let shift = subtract(start, cell);
                    if !self.set.lattice.is_shift(shift) {
                        continue;
                    }
                    let laid: Vec<Position> = shape.iter().map(|&(cell, _)| add(cell, shift)).collect();
                    if laid.iter().any(|cell| covered.contains(cell)) {
                        continue;
                    }
                    let beside = laid.iter().flat_map(|&cell| self.around(cell));
                    let touched = beside.filter(|cell| covered.contains(cell)).count();
                    if touched > most && !self.crosses(&laid, &owners) {
                        (best, most) = (Vec::new(), touched);
                    }
                    if touched == most && !self.crosses(&laid, &owners) {
                        best.push(laid);
                    }
                }
            }
            if !best.is_empty() {
                let laid = best.swap_remove(random.below(best.len()));
                owners.extend(laid.iter().map(|&cell| (cell, piece)));
                covered.extend(laid);
            }
        }
        Ok(owners)
    }

    /// Returns whether a piece on the edges `laid` would cross an earlier piece.
    fn crosses(&self, laid: &[Position], owners: &HashMap<Position, usize>) -> bool {
        let owner = |edge: Position| {
            if laid.contains(&edge) { Some(usize::MAX) } else { owners.get(&edge).copied() }
        };
        crossing(self.set.lattice, laid.iter().copied(), owner).is_some()
    }

    /// Iterates over the neighbors of a cell. Neighbors in other layers are included only if the
    /// pieces are solids.
    fn around(&self, cell: Position) -> impl Iterator<Item = Position> {
        let around = self.set.lattice.around(cell).map(move |offset| add(cell, offset));
        around.filter(move |next| self.is_solid || next[0] == cell[0])
    }

    fn has_hole(&self, covered: &BTreeSet<Position>) -> bool {
        let ends = [0, 1, 2].map(|axis| {
            let at = covered.iter().map(move |cell| cell[axis]);
            (at.clone().min().unwrap_or(0) - MARGIN, at.max().unwrap_or(0) + MARGIN)
        });
        let is_inside =
            |cell: &Position| (0..3).all(|axis| (ends[axis].0..=ends[axis].1).contains(&cell[axis]));
        let Some(first) = covered.iter().min_by_key(|cell| cell[2]) else { return false };
        let outer = self.around(*first).filter(|cell| cell[2] < first[2]);
        let mut reached: BTreeSet<Position> = outer.collect();
        let mut left: Vec<Position> = reached.iter().copied().collect();
        while let Some(cell) = left.pop() {
            for next in self.around(cell).filter(is_inside) {
                if !covered.contains(&next) && reached.insert(next) {
                    left.push(next);
                }
            }
        }
        let mut beside = covered.iter().flat_map(|&cell| self.around(cell));
        beside.any(|cell| !covered.contains(&cell) && !reached.contains(&cell))
    }

    fn write(&self, order: &[usize], owners: &HashMap<Position, usize>) -> (String, String) {
        let lattice = self.set.lattice;
        let covered: BTreeSet<Position> = owners.keys().copied().collect();
        // A translation preserves the order of the cells, so the cells and their owners can be
        // zipped.
        let cells: Vec<MarkedCell> = in_corner(lattice, &plain(covered.iter().copied()));
        let mut board = PieceBoard::new(lattice, lattice.extent(cells.iter().map(|(cell, _)| *cell)));
        cells.iter().for_each(|&(cell, _)| board.set(cell, PlaceKind::Covered));
        let pieces: Vec<Piece> = order
            .iter()
            .map(|&piece| {
                let (name, cells) = self.set.pieces[piece].clone();
                let (supply, motions) = (Supply::ONCE, self.set.motions);
                Piece { name, cells, supply, motions, has_own_name: false, line: 0 }
            })
            .collect();
        let mut text = native::write_pieces(&board, &pieces);
        text.push_str("board\n");
        let mut tiled = text.clone();
        board.draw(|_| '.', &mut text);
        let names: HashMap<Position, char> = cells
            .iter()
            .zip(&covered)
            .map(|((cell, _), at)| (*cell, self.set.pieces[owners[at]].0))
            .collect();
        board.draw(|place| names.get(&board.cell(place)).copied().unwrap_or('.'), &mut tiled);
        (text, tiled)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dlx::{Engine as _, Solver};

    use super::*;
    use puzzle::Puzzle as _;

    #[test]
    fn boards_are_covered_by_their_pieces_and_have_no_holes() {
        let sets = [
            ("monominoes", 1),
            ("tetrominoes", 5),
            ("pentominoes", 6),
            ("one-sided-pentominoes", 5),
            ("hexominoes", 7),
            ("tetrahexes", 5),
            ("hexiamonds", 6),
            ("fixed-trominoes", 4),
            ("soma", 7),
            ("tetracubes", 4),
            ("tristicks", 5),
            ("one-sided-tetrasticks", 9),
            ("tetratwigs", 4),
            ("tritrigs", 8),
        ];
        for (name, count) in sets {
            let drawing = BoardDrawing::new(name, count).expect(name);
            let mut seen = BTreeSet::new();
            for seed in 0..4 {
                let text = drawing.draw(&mut Random::new(seed), &Limits::new());
                let (text, tiled) = text.expect("no limits are set").expect(name);
                let solved = super::super::read(&tiled, &Limits::new()).expect(&tiled);
                assert_eq!(solved.given().len(), count, "{tiled}");
                assert!(
                    dlx::verify(solved.problem(), solved.given(), solved.given()).is_ok(),
                    "{tiled}"
                );
                let puzzle = super::super::read(&text, &Limits::new()).expect(&text);
                assert_eq!(puzzle.pieces.len(), count, "{text}");
                assert_eq!(puzzle.note(), None, "{text}");
                let mut solver = Solver::new(Arc::clone(puzzle.problem()));
                assert!(solver.count(&[], &Limits::new().solutions(1)).solutions == 1, "{text}");
                let cells =
                    puzzle.board.places(PlaceKind::Covered).map(|place| puzzle.board.cell(place));
                assert!(!drawing.has_hole(&cells.collect()), "{text}");
                seen.insert(text);
            }
            assert!(seen.len() > 2 || count == 1, "{name}");
        }
    }

    #[test]
    fn cells_that_touch_at_corners_enclose_a_hole() {
        let drawing = BoardDrawing::new("pentominoes", 1).expect("a set");
        let cells = |drawn: &str| -> BTreeSet<Position> {
            let rows = (0..).zip(drawn.lines());
            let cells = rows.flat_map(|(row, line)| {
                (0..).zip(line.chars()).map(move |(column, c)| (row, column, c))
            });
            cells.filter(|cell| cell.2 == '#').map(|(row, column, _)| [0, row, column]).collect()
        };
        assert!(drawing.has_hole(&cells("###\n#.#\n###\n")));
        assert!(!drawing.has_hole(&cells("###\n#..\n###\n")));
        assert!(drawing.has_hole(&cells(".#.\n#.#\n.#.\n")));
    }
}

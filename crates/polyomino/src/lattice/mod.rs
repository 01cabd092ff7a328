//! The lattices, which define the positions of the cells of pieces and boards.
//!
//! A cell is identified by its position in a drawing: layer, row and column, from 0. On every
//! lattice a drawing shows the geometry, so the code that reads and writes drawings is shared. A
//! lattice defines the positions that are cells, the neighbors of a cell, and the motions of cells.
//! For motions, each cell has an integer center in suitable units. A [`Turn`] is a matrix of halves
//! of integers that maps centers to centers.
//!
//! A new lattice is one file and its entry in [`LATTICES`]. Lattices of edges have additional rules
//! in [`edges`]. Lattices whose layers are not copies of each other have additional rules in
//! [`solids`].

pub(super) mod edges;
mod hexagonal;
mod hexagonal_edges;
mod rhombic;
pub(super) mod solids;
mod spheres;
mod square;
mod square_edges;
mod tetrahedral;
mod triangular;
mod triangular_edges;

use self::edges::EdgeRules;
use self::solids::SolidRules;
use super::shape::{Position, subtract};

/// All lattices; the first is the default.
pub(super) static LATTICES: &[&PieceLattice] = &[
    &square::LATTICE,
    &hexagonal::LATTICE,
    &triangular::LATTICE,
    &square_edges::LATTICE,
    &hexagonal_edges::LATTICE,
    &triangular_edges::LATTICE,
    &spheres::LATTICE,
    &rhombic::LATTICE,
    &tetrahedral::LATTICE,
];

/// Offsets to the neighbors in other layers, for lattices whose layers are copies of each other.
const ABOVE: [Position; 2] = [[1, 0, 0], [-1, 0, 0]];
/// Cells that may represent a class of cells under translation; a lattice uses the first ones.
const ORIGINS: [Position; 6] = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 0, 2], [0, 1, 1], [0, 1, 3]];

/// A lattice of cells, in the plane or in layers above each other.
#[derive(Debug)]
pub(super) struct PieceLattice {
    pub(super) name: &'static str,
    /// Names of the sets of all pieces with 1, 2, 3 ... cells.
    pub(super) families: &'static [PieceFamily],
    /// Generators of the group of motions that preserve the layers.
    flat: &'static [Turn],
    /// Additional generators of the group of motions in space.
    solid: &'static [Turn],
    is_offset: fn(Position) -> bool,
    /// Returns whether a translation maps cells to cells.
    is_shift: fn(Position) -> bool,
    /// Returns the offsets from a cell to its neighbors in the same layer.
    around: fn(Position) -> &'static [Position],
    center: fn(Position) -> Position,
    cell: fn(Position) -> Position,
    boards: &'static [NamedBoard],
    /// Returns the row and column counts of the drawing of a full board, given as `rows` rows with
    /// `cells` cells each.
    full: fn(rows: usize, cells: usize) -> [usize; 2],
    /// Returns the corners of a cell, or the two ends of an edge, as row and column in the drawing.
    corners: fn(Position) -> Vec<[f64; 2]>,
    /// Width of a column and height of a row in a picture; the unit is the side of a square cell.
    scale: [f64; 2],
    /// The geometry of the edges; `None` if the cells are not edges.
    edges: Option<&'static EdgeRules>,
    /// The rules of a lattice whose layers are not copies of each other; `None` for other lattices.
    solids: Option<&'static SolidRules>,
}

/// Names of the sets of all pieces with the same number of cells, for several numbers.
#[derive(Debug)]
pub(super) struct PieceFamily {
    /// Names of the sets for 1, 2, 3 ... cells.
    pub(super) names: &'static [&'static str],
    pub(super) is_solid: bool,
}

#[derive(Debug)]
pub(super) struct NamedBoard {
    pub(super) name: &'static str,
    /// Whether the name has two lengths, as in `rhombus-4x6`, or one.
    pub(super) is_double: bool,
    size: fn([usize; 2]) -> [usize; 2],
    row: fn([usize; 2], usize) -> (usize, usize),
    /// Distance between two cells of a row (columns).
    step: usize,
}

/// A motion that fixes the origin: a matrix, in halves of integers, that maps centers of cells to
/// centers of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn([[i32; 3]; 3]);

impl Turn {
    const NONE: Self = Self([[2, 0, 0], [0, 2, 0], [0, 0, 2]]);

    fn apply(self, point: Position) -> Position {
        self.0.map(|row| (row[0] * point[0] + row[1] * point[1] + row[2] * point[2]) / 2)
    }

    /// Returns the composition of two motions: first `other`, then this motion.
    fn behind(self, other: Self) -> Self {
        let column = |at: usize| [other.0[0][at], other.0[1][at], other.0[2][at]];
        let columns = [0, 1, 2].map(|at| self.apply(column(at)));
        Self([0, 1, 2].map(|row| [0, 1, 2].map(|at| columns[at][row])))
    }

    fn is_proper(self) -> bool {
        let [a, b, c] = self.0;
        let minor = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
        a[0] * minor(1, 2) - a[1] * minor(0, 2) + a[2] * minor(0, 1) > 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motions {
    Fixed,
    /// Rotations. The square lattice has 4 in the plane and 24 in space.
    Rotate,
    Reflect,
}

impl PieceLattice {
    pub(super) fn is_first(&self) -> bool {
        self.name == LATTICES[0].name
    }

    /// Returns the motions of the given kind; the first is the identity.
    pub(super) fn turns(&self, motions: Motions, is_solid: bool) -> Vec<Turn> {
        let mut found = vec![Turn::NONE];
        if motions == Motions::Fixed {
            return found;
        }
        let generators = || self.flat.iter().chain(if is_solid { self.solid } else { &[] }).copied();
        let mut done = 0;
        while let Some(&turn) = found.get(done) {
            done += 1;
            for next in generators().map(|generator| generator.behind(turn)) {
                if !found.contains(&next) {
                    found.push(next);
                }
            }
        }
        found.retain(|turn| motions == Motions::Reflect || turn.is_proper());
        found
    }

    pub(super) fn turned(&self, turn: Turn, cell: Position) -> Position {
        (self.cell)(turn.apply((self.center)(cell)))
    }

    pub(super) fn around(&self, cell: Position) -> impl Iterator<Item = Position> {
        let flat = (self.around)(cell);
        (0..).map_while(move |number: usize| match self.solids {
            Some(rules) => (rules.neighbor)(cell, number),
            None => flat.get(number).or_else(|| ABOVE.get(number - flat.len())).copied(),
        })
    }

    pub(super) fn is_shift(&self, offset: Position) -> bool {
        (self.is_shift)(offset)
    }

    /// Returns the representative of the class of `cell` under translation.
    pub(super) fn origin(&self, cell: Position) -> Position {
        let is_origin = |origin: &Position| (self.is_shift)(subtract(cell, *origin));
        self.origin_cells().iter().copied().find(is_origin).unwrap_or([0, 0, 0])
    }

    fn origin_cells(&self) -> &'static [Position] {
        self.solids.map_or(&ORIGINS, |rules| rules.origins)
    }

    /// Iterates over the representative cells, one for each class of cells under translation.
    pub(super) fn origins(&self) -> impl Iterator<Item = Position> {
        let is_origin = |cell: &Position| self.is_cell(*cell, *cell) && self.origin(*cell) == *cell;
        self.origin_cells().iter().copied().filter(is_origin)
    }

    /// Returns the size of a drawing that begins at position 0 and shows these cells.
    pub(super) fn extent(&self, cells: impl IntoIterator<Item = Position>) -> [usize; 3] {
        cells.into_iter().fold([1; 3], |size, cell| {
            let shown = self.points(cell).chain([cell]);
            shown.fold(size, |size, place| {
                [0, 1, 2].map(|axis| size[axis].max(usize::try_from(place[axis] + 1).unwrap_or(0)))
            })
        })
    }

    /// Returns the corners of a cell in a picture of a board, as (x, y) with y pointing down. Up to
    /// `SIDE_BY_SIDE` layers are in one row; more layers are arranged in a nearly square block.
    pub(super) fn corners(&self, cell: Position, [layers, rows, columns]: [usize; 3]) -> Vec<[f64; 2]> {
        const SIDE_BY_SIDE: usize = 8;
        let [width, height] = self.scale;
        let [wide, high] =
            [(columns, width), (rows, height)].map(|(count, side)| ((count + 1) as f64 * side).ceil());
        let in_line = match layers {
            ..=SIDE_BY_SIDE => usize::MAX,
            _ => ((layers as f64 * high / wide).sqrt().ceil() as usize).clamp(1, layers),
        };
        // Cells of a piece may be in layers before the first.
        let (line, place) = match usize::try_from(cell[0]) {
            Ok(layer) => (layer / in_line, (layer % in_line) as f64),
            Err(_) => (0, f64::from(cell[0])),
        };
        let (left, top) = (place * wide, line as f64 * (high + 1.0));
        let corners = (self.corners)(cell).into_iter();
        corners.map(|[row, column]| [left + column * width, top + row * height]).collect()
    }

    pub(super) fn board_names(&self) -> String {
        let faces = self.edges.map_or(self, |rules| rules.faces);
        let name = |board: &NamedBoard| match board.is_double {
            true => format!(", `{}-3x4`", board.name),
            false => format!(", `{}-3`", board.name),
        };
        faces.boards.iter().map(name).collect()
    }

    /// Parses the size of a board, such as `6x10`, `3x3x3` or `hexagon-4`.
    pub(super) fn parse_board(&'static self, text: &str) -> Option<BoardSize> {
        if let Some(rules) = self.edges {
            let board = rules.faces.parse_board(text)?;
            let [layers, rows, columns] = board.size;
            // An upper bound on the extent of the edges of the board's cells.
            let size = [layers, 2 * rows + 3, 2 * columns + 8];
            return Some(BoardSize { edges: Some(self), size, ..board });
        }
        let (name, lengths) = match text.rsplit_once('-') {
            Some((name, lengths)) => (Some(name), lengths),
            None => (None, text),
        };
        let lengths = lengths.split('x').map(|part| {
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|&size: &usize| is_number && size > 0 && size < 1 << 30)
        });
        let lengths: Vec<usize> = lengths.collect::<Option<_>>()?;
        let (named, [layers, rows, cells]) = match (name, &lengths[..]) {
            (None, &[rows, cells]) => (None, [1, rows, cells]),
            (None, &[layers, rows, cells]) => (None, [layers, rows, cells]),
            (Some(name), lengths) => {
                let board = self.boards.iter().find(|board| board.name == name)?;
                match (board.is_double, lengths) {
                    (false, &[side]) => (Some(board), [1, side, side]),
                    (true, &[rows, cells]) => (Some(board), [1, rows, cells]),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let [height, width] = match named {
            Some(board) => (board.size)([rows, cells]),
            None => (self.full)(rows, cells),
        };
        let size = [layers, height, width];
        let size = self.solids.map_or(size, |rules| size.map(|side| side.saturating_mul(rules.unit)));
        let lengths = [rows, cells];
        Some(BoardSize { lattice: self, named, lengths, faces: size, size, edges: None })
    }
}

/// The size of a board that is given without a drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardSize {
    lattice: &'static PieceLattice,
    named: Option<&'static NamedBoard>,
    lengths: [usize; 2],
    /// Size of the drawing. For a board of edges this is an upper bound.
    pub(super) size: [usize; 3],
    /// Size of the drawing of the cells. For a board of edges, these are the cells of the other
    /// lattice.
    faces: [usize; 3],
    edges: Option<&'static PieceLattice>,
}

impl BoardSize {
    pub(super) fn cells(self) -> impl Iterator<Item = Position> {
        let faces = self.faces();
        let cells = match self.edges.and_then(|lattice| Some((lattice, lattice.edges?))) {
            Some((lattice, rules)) => edges::sides(lattice, rules, faces),
            None => faces.collect(),
        };
        cells.into_iter()
    }

    /// Iterates over the cells. For a board of edges, these are the cells of the other lattice.
    fn faces(self) -> impl Iterator<Item = Position> {
        let [layers, rows, columns] = self.faces;
        let row = move |layer: usize, row: usize| match self.named {
            Some(board) => {
                let (first, count) = (board.row)(self.lengths, row);
                (first..).step_by(board.step).take(count).collect::<Vec<_>>()
            }
            None => {
                let is_cell = |column: &usize| {
                    let [layer, row, column] = [layer, row, *column].map(|at| at as i32);
                    let is_solid =
                        self.lattice.solids.is_none_or(|rules| (rules.is_cell)([layer, row, column]));
                    is_solid && (self.lattice.is_offset)([0, row, column])
                };
                (0..columns).filter(is_cell).collect()
            }
        };
        let lines = (0..layers).flat_map(move |layer| (0..rows).map(move |row| (layer, row)));
        lines.flat_map(move |(layer, line)| {
            row(layer, line).into_iter().map(move |column| [layer, line, column].map(|at| at as i32))
        })
    }
}

pub(super) fn by_name(name: &str) -> Option<&'static PieceLattice> {
    LATTICES.iter().copied().find(|lattice| lattice.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motions_form_groups_and_preserve_neighbors() {
        let orders = [[4, 8, 24, 48], [6, 12, 12, 24], [6, 12, 12, 24]];
        let orders = orders.into_iter().chain([[4, 8, 8, 16], [6, 12, 12, 24], [6, 12, 12, 24]]);
        let orders = orders.chain([[4, 8, 24, 48]; 3]);
        for (lattice, orders) in LATTICES.iter().zip(orders) {
            let sorts = [(Motions::Rotate, false), (Motions::Reflect, false)];
            let sorts = sorts.into_iter().chain([(Motions::Rotate, true), (Motions::Reflect, true)]);
            for ((motions, is_solid), order) in sorts.zip(orders) {
                let turns = lattice.turns(motions, is_solid);
                assert_eq!(turns.len(), order, "{}", lattice.name);
                let is_closed =
                    turns.iter().all(|a| turns.iter().all(|b| turns.contains(&a.behind(*b))));
                assert!(is_closed, "{}", lattice.name);
                for (turn, cell) in
                    turns.into_iter().flat_map(|turn| lattice.origins().map(move |cell| (turn, cell)))
                {
                    let neighbors = |cell: Position| {
                        let around = lattice.around(cell);
                        around.map(|offset| super::super::shape::add(cell, offset)).collect::<Vec<_>>()
                    };
                    let turned = neighbors(lattice.turned(turn, cell));
                    let is_kept = |next: &Position| turned.contains(&lattice.turned(turn, *next));
                    assert!(
                        neighbors(cell).iter().filter(|next| is_solid || next[0] == 0).all(is_kept)
                    );
                    assert_eq!((lattice.cell)((lattice.center)(cell)), cell);
                }
            }
        }
    }

    #[test]
    fn neighboring_cells_share_a_side_in_the_picture() {
        for lattice in LATTICES.iter().filter(|lattice| !lattice.is_solid()) {
            let cells = lattice.origins().map(|cell| super::super::shape::add(cell, [0, 4, 4]));
            for cell in cells.chain(lattice.origins().filter(|_| lattice.is_first()).map(|_| [0, 5, 4]))
            {
                let corners = |cell: Position| {
                    let corners = lattice.corners(cell, [1, 10, 10]).into_iter();
                    corners.map(|[x, y]| [(x * 1000.0).round() as i64, (y * 1000.0).round() as i64])
                };
                for offset in lattice.around(cell).filter(|offset| offset[0] == 0) {
                    let next = super::super::shape::add(cell, offset);
                    let shared =
                        corners(cell).filter(|corner| corners(next).any(|other| other == *corner));
                    let expected = if lattice.has_edges() { 1 } else { 2 };
                    assert_eq!(shared.count(), expected, "{} {cell:?} {next:?}", lattice.name);
                }
            }
        }
    }

    #[test]
    fn named_boards_have_the_expected_number_of_cells() {
        let check = |lattice: &str, board: &str, expected: usize| {
            let size = by_name(lattice).and_then(|lattice| lattice.parse_board(board)).expect(board);
            let cells: Vec<_> = size.cells().collect();
            assert_eq!(cells.len(), expected, "{lattice} {board}");
            assert!(cells.is_sorted(), "{lattice} {board}");
            let is_inside =
                |cell: &Position| cell.iter().zip(size.size).all(|(&at, size)| (at as usize) < size);
            assert!(cells.iter().all(is_inside), "{lattice} {board}");
            assert!(cells.iter().any(|cell| cell[2] as usize + 1 == size.size[2]), "{lattice} {board}");
        };
        for side in 1..6 {
            check("hexagonal", &format!("hexagon-{side}"), 3 * side * (side - 1) + 1);
            check("hexagonal", &format!("triangle-{side}"), side * (side + 1) / 2);
            check("hexagonal", &format!("rhombus-{side}x3"), 3 * side);
            check("hexagonal", &format!("{side}x3"), 3 * side);
            check("triangular", &format!("hexagon-{side}"), 6 * side * side);
            check("triangular", &format!("triangle-{side}"), side * side);
            check("triangular", &format!("rhombus-{side}x3"), 6 * side);
            check("triangular", &format!("{side}x3"), 3 * side);
            check("square", &format!("2x{side}x3"), 6 * side);
            check("square", &format!("diamond-{side}"), 2 * side * (side - 1) + 1);
            check("square", &format!("aztec-{side}"), 2 * side * (side + 1));
            check("spheres", &format!("2x{side}x4"), 4 * side);
            check("rhombic", &format!("1x{side}x2"), 48 * side);
            check("tetrahedral", &format!("2x{side}x2"), 20 * side);
        }
    }

    /// Returns the corners of a cell that is not a sphere; the unit is half the side of a cube.
    fn corners_in_space(lattice: &PieceLattice, cell: Position) -> Vec<Position> {
        let side = if lattice.name == "rhombic" { 5 } else { 3 };
        let cube = cell.map(|at| at.div_euclid(side));
        let way = [0, 1, 2].map(|axis| cell[axis] - side * cube[axis] - side / 2);
        let middle = cube.map(|at| 2 * at + 1);
        let at = |way: Position| super::super::shape::add(middle, way);
        let signs = [-1, 1];
        if lattice.name == "rhombic" {
            let face = way.map(|step| step / 2);
            let edge = way.map(i32::signum);
            let third = way.iter().position(|step| *step == 0).expect("an axis");
            let ends = signs.map(|sign| {
                let mut end = edge;
                end[third] = sign;
                at(end)
            });
            return vec![middle, at(face), ends[0], ends[1]];
        }
        let all = signs.map(|a| signs.map(|b| signs.map(|c| [a, b, c])));
        let all = all.as_flattened().as_flattened().iter().copied();
        let is_even = cube.iter().sum::<i32>() % 2 == 0;
        let is_corner = |corner: &Position| match way {
            [0, 0, 0] => (corner.iter().product::<i32>() == 1) != is_even,
            _ => corner.iter().zip(way).filter(|(one, other)| *one != other).count() <= 1,
        };
        all.filter(is_corner).map(at).collect()
    }

    #[test]
    fn neighboring_cells_in_space_share_three_corners() {
        for lattice in LATTICES.iter().filter(|lattice| lattice.is_solid()) {
            let period = lattice.periods()[0];
            let numbers = 0..period * period * period;
            let place =
                |number: i32| [number / period / period, number / period % period, number % period];
            let cells: Vec<Position> =
                numbers.map(place).filter(|&cell| lattice.is_cell(cell, cell)).collect();
            let count = match lattice.name {
                "spheres" => 4,
                "rhombic" => 24,
                _ => 40,
            };
            assert_eq!(cells.len(), count, "{}", lattice.name);
            for cell in cells {
                let around: Vec<Position> = lattice.around(cell).collect();
                assert_eq!(around.len(), if lattice.name == "spheres" { 12 } else { 4 });
                for way in around {
                    let next = super::super::shape::add(cell, way);
                    assert!(lattice.is_cell(next, next), "{} {cell:?} {next:?}", lattice.name);
                    if lattice.name == "spheres" {
                        assert_eq!(way.iter().map(|step| step * step).sum::<i32>(), 2);
                        continue;
                    }
                    let corners = corners_in_space(lattice, next);
                    assert_eq!(corners.len(), 4);
                    let shared = corners_in_space(lattice, cell);
                    let shared = shared.into_iter().filter(|corner| corners.contains(corner));
                    assert_eq!(shared.count(), 3, "{} {cell:?} {next:?}", lattice.name);
                }
            }
        }
    }
}

//! The board of a tiling puzzle, and the placements of a shape on it.

use dlx::Limit;
use dlx::limits::Pace;

use super::lattice::PieceLattice;
use super::shape::{MarkedCell, PLAIN, PieceCells, Position, add, subtract};

/// Approximate time to examine a position (ns). Building an option from it takes several times
/// longer.
const PLACE_WORK: u64 = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceKind {
    Outside,
    /// A cell that must be covered.
    Covered,
    /// A cell that may stay empty.
    Free,
}

/// A board, as a box of layers, rows and columns. Each position is outside or is a cell.
#[derive(Clone, Debug)]
pub(super) struct PieceBoard {
    pub(super) lattice: &'static PieceLattice,
    pub(super) size: [usize; 3],
    pub(super) fields: Vec<PlaceKind>,
    pub(super) marks: Vec<char>,
    /// The compatible pairs of marks on a piece and on the board; `None` if only equal marks are
    /// compatible.
    pub(super) pairs: Option<Vec<(char, char)>>,
}

impl PieceBoard {
    pub(super) fn new(lattice: &'static PieceLattice, size: [usize; 3]) -> Self {
        let count = size.iter().product();
        let (fields, marks) = (vec![PlaceKind::Outside; count], vec![PLAIN; count]);
        Self { lattice, size, fields, marks, pairs: None }
    }

    pub(super) fn place(&self, cell: Position) -> Option<usize> {
        let mut place = 0;
        for (at, size) in cell.into_iter().zip(self.size) {
            let at = usize::try_from(at).ok().filter(|&at| at < size)?;
            place = place * size + at;
        }
        Some(place)
    }

    pub(super) fn cell(&self, place: usize) -> Position {
        let [_, rows, columns] = self.size;
        [place / columns / rows, place / columns % rows, place % columns].map(|at| at as i32)
    }

    pub(super) fn set(&mut self, cell: Position, field: PlaceKind) {
        if let Some(place) = self.place(cell) {
            self.fields[place] = field;
        }
    }

    pub(super) fn set_mark(&mut self, cell: Position, mark: char) {
        if let Some(place) = self.place(cell) {
            self.marks[place] = mark;
        }
    }

    pub(super) fn places(&self, wanted: PlaceKind) -> impl Iterator<Item = usize> {
        (0..self.fields.len()).filter(move |&place| self.fields[place] == wanted)
    }

    pub(super) fn count(&self, wanted: PlaceKind) -> usize {
        self.places(wanted).count()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.iter().all(|&field| field == PlaceKind::Outside)
    }

    /// Iterates over the positions of a shape whose first cell is at position `start`; stops before
    /// the first position that is invalid.
    fn covered(&self, shape: &PieceCells, start: usize) -> impl Iterator<Item = usize> {
        let (first, start) = (shape[0].0, self.cell(start));
        shape.iter().map_while(move |&(cell, mark)| {
            let place = self.place(add(start, subtract(cell, first)))?;
            let is_inside = self.fields[place] != PlaceKind::Outside;
            (is_inside && self.goes_with(mark, self.marks[place])).then_some(place)
        })
    }

    fn goes_with(&self, mark: char, on: char) -> bool {
        mark == PLAIN
            || on == PLAIN
            || match &self.pairs {
                None => mark == on,
                Some(pairs) => pairs.contains(&(mark, on)),
            }
    }

    /// Calls `visit` for every placement of a shape, with its positions in ascending order.
    ///
    /// # Errors
    /// The limit that was reached, or the error of `visit`.
    pub(super) fn placements(
        &self,
        shape: &PieceCells,
        pace: &mut Pace<'_>,
        mut visit: impl FnMut(&[usize]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let Some(&(first, _)) = shape.first() else { return Ok(()) };
        let mut places = Vec::with_capacity(shape.len());
        for place in (0..self.fields.len()).filter(|&place| self.fields[place] != PlaceKind::Outside) {
            pace.spend(PLACE_WORK * shape.len() as u64)?;
            if !self.lattice.is_shift(subtract(self.cell(place), first)) {
                continue;
            }
            places.clear();
            places.extend(self.covered(shape, place));
            if places.len() == shape.len() {
                visit(&places)?;
            }
        }
        Ok(())
    }

    pub(super) fn draw_marks(&self, out: &mut String) {
        self.draw(|place| self.marks[place], out);
    }

    pub(super) fn has_marks(&self) -> bool {
        self.marks.iter().any(|&mark| mark != PLAIN)
    }

    /// Draws the board; `character` returns the character of each cell.
    ///
    /// On the square lattice, `#` marks a position outside the board. On other lattices, such
    /// positions at the ends of a row are blank.
    pub(super) fn draw(&self, character: impl Fn(usize) -> char, out: &mut String) {
        if self.lattice.has_edges() {
            return self.draw_edges(character, out);
        }
        let [_, rows, columns] = self.size;
        let is_square = self.lattice.is_first();
        let some = (0..self.fields.len()).find(|&place| self.fields[place] != PlaceKind::Outside);
        let some = self.cell(some.unwrap_or(0));
        for (row, start) in (0..self.fields.len()).step_by(columns).enumerate() {
            if row > 0 && row % rows == 0 {
                out.push_str("/\n");
            }
            let is_inside = |&place: &usize| self.fields[place] != PlaceKind::Outside;
            let places = start..start + columns;
            let (first, last) = match (places.clone().find(is_inside), places.clone().rfind(is_inside))
            {
                _ if is_square => (start, start + columns - 1),
                (Some(first), Some(last)) => (first, last),
                // Draw at least one character, because a blank line would end the drawing.
                _ => (start, start),
            };
            for place in start..=last {
                out.push(if is_inside(&place) {
                    character(place)
                } else if place < first || !self.lattice.is_cell(self.cell(place), some) {
                    // In a row without cells, draw `#` at the first position.
                    if first == last && first == start { '#' } else { ' ' }
                } else {
                    '#'
                });
            }
            out.push('\n');
        }
    }

    /// Draws a board of edges, with `+` for their end points if the drawing has positions for
    /// points.
    fn draw_edges(&self, character: impl Fn(usize) -> char, out: &mut String) {
        let [_, rows, columns] = self.size;
        let is_inside = |place: usize| self.fields[place] != PlaceKind::Outside;
        for (row, start) in (0..self.fields.len()).step_by(columns).enumerate() {
            if row > 0 && row % rows == 0 {
                out.push_str("/\n");
            }
            let before = out.len();
            for place in start..start + columns {
                let cell = self.cell(place);
                let ends_edge = |spoke: &Position| self.place(add(cell, *spoke)).is_some_and(is_inside);
                out.push(if is_inside(place) {
                    character(place)
                } else if self.lattice.is_point(cell) && self.lattice.spokes().iter().any(ends_edge) {
                    '+'
                } else {
                    ' '
                });
            }
            out.truncate(before + out[before..].trim_end().len());
            if out.len() == before {
                // A blank line would end the drawing.
                out.push('#');
            }
            out.push('\n');
        }
    }
}

pub(super) fn draw_piece(lattice: &'static PieceLattice, cells: &[MarkedCell], out: &mut String) {
    let mut board = PieceBoard::new(lattice, lattice.extent(cells.iter().map(|(cell, _)| *cell)));
    cells.iter().for_each(|&(cell, _)| board.set(cell, PlaceKind::Covered));
    let mut drawn = String::new();
    board.draw(|_| '\u{1}', &mut drawn);
    out.push_str(&drawn.replace('#', ".").replace('\u{1}', "#"));
    if cells.iter().any(|&(_, mark)| mark != PLAIN) {
        cells.iter().for_each(|&(cell, mark)| board.set_mark(cell, mark));
        out.push_str("colors\n");
        board.draw_marks(out);
    }
}

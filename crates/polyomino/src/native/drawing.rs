//! Reads drawings of boards, pieces, and their colors.

use super::super::shape::{PLAIN, Position};
use super::super::{MAX_BOARD_SIZE, Piece};
use super::{CLUES, COLORS, KEYWORDS, TextReader, TextWord, is_name, words};
use text::InputError;

#[derive(Clone, Copy, Debug)]
pub(super) struct DrawnMark {
    pub(super) cell: Position,
    pub(super) character: char,
    /// Line of the character (from 0), and its byte in the line.
    pub(super) line: usize,
    pub(super) start: usize,
}

/// The characters of a drawing except blanks, sorted by cell.
#[derive(Debug)]
pub(super) struct MarkedDrawing {
    pub(super) marks: Vec<DrawnMark>,
    pub(super) size: [usize; 3],
}

/// Returns whether a line begins the clues of a board. The line is `clues`, possibly with letters
/// of copies, as in `clues a=A`.
fn is_clues(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some(CLUES) && words.all(|word| word.contains('='))
}

impl TextReader<'_> {
    pub(super) fn color(&self, piece: &mut Piece, marks: &[DrawnMark]) -> Result<(), InputError> {
        for mark in marks.iter().filter(|mark| mark.character != PLAIN) {
            let cell = piece.cells.iter_mut().find(|(cell, _)| *cell == mark.cell);
            self.check_color(mark, cell.is_some())?;
            if let Some((_, color)) = cell {
                *color = mark.character;
            }
        }
        Ok(())
    }

    /// Checks that a mark is a valid color and is on a cell.
    pub(super) fn check_color(&self, mark: &DrawnMark, is_cell: bool) -> Result<(), InputError> {
        let found = mark.character;
        let message = match (is_name(found), is_cell) {
            (true, true) => return Ok(()),
            (false, _) => {
                format!("expected a letter or digit for a color or `.` for none, found `{found}`")
            }
            (true, false) => format!("expected colors of cells alone, found `{found}` where none is"),
        };
        Err(self.error(mark.line, mark.start, message))
    }

    pub(super) fn check_cells(&self, marks: &[DrawnMark]) -> Result<(), InputError> {
        let is_wrong = |mark: &&DrawnMark| !self.lattice.is_cell(mark.cell, marks[0].cell);
        let Some(mark) = marks.iter().find(is_wrong) else { return Ok(()) };
        let expected = match self.lattice.has_edges() {
            true => {
                "an edge at a place where the lattice has one, counted from the first of the drawing"
            }
            false if self.lattice.is_solid() => "a cell at a place where the lattice has one",
            false => "each row shifted by one place, and a blank between two cells",
        };
        let message = format!("expected {expected}, found `{}`", mark.character);
        Err(self.error(mark.line, mark.start, message))
    }

    pub(super) fn board(
        &mut self,
        number: usize,
        rest: &[TextWord<'_>],
    ) -> Result<MarkedDrawing, InputError> {
        let Some(word) = rest.first() else { return self.drawing(number, "of the board", false) };
        let board = self.lattice.parse_board(word.text).ok_or_else(|| {
            let names = self.lattice.board_names();
            let found = word.text;
            let message = format!("expected a size such as `6x10` or `3x3x3`{names}, found `{found}`");
            self.error(number, word.start, message)
        })?;
        if let Some(word) = rest.get(1) {
            let message = format!("expected the end of the line, found `{}`", word.text);
            return Err(self.error(number, word.start, message));
        }
        self.check_size(number, board.size)?;
        let mark = |cell| DrawnMark { cell, character: '.', line: number, start: word.start };
        let marks: Vec<DrawnMark> = board.cells().map(mark).collect();
        let size = self.lattice.extent(marks.iter().map(|mark| mark.cell));
        let size = if self.lattice.has_edges() { size } else { board.size };
        Ok(MarkedDrawing { marks, size })
    }

    /// Reads the drawing below line `number`. The drawing ends at a blank line or at its colors,
    /// and also at a keyword if `ends_at_keyword` holds.
    pub(super) fn drawing(
        &mut self,
        number: usize,
        of: &str,
        ends_at_keyword: bool,
    ) -> Result<MarkedDrawing, InputError> {
        let mut marks = Vec::new();
        let mut size = [1, 0, 0];
        let mut row = 0;
        while let Some(line) = self.line().filter(|line| !line.trim().is_empty()) {
            let first = words(line).next().map_or("", |word| word.text);
            if ends_at_keyword && KEYWORDS.contains(&first) || line.trim() == COLORS || is_clues(line) {
                break;
            }
            if line.trim() == "/" {
                if row == 0 {
                    return Err(self.error(self.next, 0, "expected the rows of a layer, found `/`"));
                }
                (size[0], row) = (size[0] + 1, 0);
            } else {
                let line = line.trim_end();
                let layer = size[0] - 1;
                for (column, (start, character)) in line.char_indices().enumerate() {
                    let cell = [layer as i32, row as i32, column as i32];
                    let is_point = character == '+' && self.lattice.is_point(cell);
                    if character != ' ' && !is_point {
                        marks.push(DrawnMark { cell, character, line: self.next, start });
                    }
                }
                row += 1;
                size[1] = size[1].max(row);
                size[2] = size[2].max(line.chars().count());
            }
            self.next += 1;
        }
        if marks.is_empty() {
            return Err(self.error(number, 0, format!("expected a drawing {of} below, found none")));
        }
        if row == 0 {
            return Err(self.error(self.next - 1, 0, "expected another layer below `/`, found none"));
        }
        self.check_size(number, size)?;
        Ok(MarkedDrawing { marks, size })
    }

    fn check_size(&self, number: usize, size: [usize; 3]) -> Result<(), InputError> {
        let count = size.iter().fold(1, |count: usize, &size| count.saturating_mul(size));
        if count > MAX_BOARD_SIZE {
            let [layers, rows, columns] = size;
            let message = format!(
                "drawing of {layers}x{rows}x{columns} has {count} places, which exceeds the limit of \
                 {MAX_BOARD_SIZE}"
            );
            return Err(self.error(number, 0, message));
        }
        Ok(())
    }
}

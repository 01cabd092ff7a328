//! A full grid with some cells as clues, which are deleted one after the other.
//!
//! A clue is superfluous if, given the other clues, no other digit is possible in its cell. Most
//! clues can be decided without a search, because all other digits are clues of peers, or because
//! the clue's digit has no other position in a row, column or box. Otherwise a search gets the
//! board without this clue and without its digit in the cell, so any solution is a second solution
//! of the puzzle.

use crate::model::board::{Board, PLACES, with_copies};

/// `ROWS[bits]` is the mask of the rows of a box whose bits are set; the next table is for columns.
const ROWS: [u16; 8] = {
    let mut rows = [0; 8];
    let mut bits = 0;
    while bits < 8 {
        let [a, b, c] = [bits as u16 & 1, bits as u16 >> 1 & 1, bits as u16 >> 2];
        rows[bits] = a * 0b111 + b * 0b111_000 + c * 0b111_000_000;
        bits += 1;
    }
    rows
};
const COLUMNS: [u16; 8] = {
    let mut columns = [0; 8];
    let mut bits = 0;
    while bits < 8 {
        columns[bits] = bits as u16 * 0b001_001_001;
        bits += 1;
    }
    columns
};

const fn place(cell: usize) -> (usize, usize, usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    (row, column, row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
}

#[derive(Clone, Debug)]
pub(super) struct ClueBoard {
    pub(super) solution: [u8; 81],
    pub(super) cells: u128,
    board: Board,
    /// For each digit, the rows, columns and boxes where it is a clue.
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
    /// The cells without a clue in each row, column and box.
    blank_rows: [u16; 9],
    blank_columns: [u16; 9],
    blank_boxes: [u16; 9],
}

impl ClueBoard {
    pub(super) fn new(solution: [u8; 81]) -> Self {
        let all = [0x1ff; 9];
        let mut board = Board::EMPTY;
        for (&digit, &(slot, bit)) in solution.iter().zip(&PLACES) {
            board.0[9 * usize::from(digit - 1) + usize::from(slot)] |= with_copies(1 << bit);
        }
        Self {
            solution,
            cells: (1 << 81) - 1,
            board,
            rows: all,
            columns: all,
            boxes: all,
            blank_rows: [0; 9],
            blank_columns: [0; 9],
            blank_boxes: [0; 9],
        }
    }

    pub(super) fn has(&self, cell: usize) -> bool {
        self.cells >> cell & 1 == 1
    }

    pub(super) fn delete(&mut self, cell: usize) {
        let (row, column, nth, at) = place(cell);
        let digit = usize::from(self.solution[cell] - 1);
        self.cells &= !(1 << cell);
        open(&mut self.board, cell);
        self.rows[digit] &= !(1 << row);
        self.columns[digit] &= !(1 << column);
        self.boxes[digit] &= !(1 << nth);
        self.blank_rows[row] |= 1 << column;
        self.blank_columns[column] |= 1 << row;
        self.blank_boxes[nth] |= 1 << at;
    }

    /// Returns whether the digit of a clue is a hidden or naked single, given the other clues.
    pub(super) fn is_single(&self, cell: usize) -> bool {
        let (row, column, nth, at) = place(cell);
        let digit = usize::from(self.solution[cell] - 1);
        let rows = self.rows[digit] & !(1 << row);
        let columns = self.columns[digit] & !(1 << column);
        let boxes = self.boxes[digit] & !(1 << nth);
        let (free_rows, free_columns) = (!rows >> (row / 3 * 3) & 7, !columns >> (column / 3 * 3) & 7);
        let in_box =
            self.blank_boxes[nth] & ROWS[usize::from(free_rows)] & COLUMNS[usize::from(free_columns)];
        if in_box & !(1 << at) == 0 {
            return true;
        }
        let spread = |boxes: u16| ROWS[usize::from(!boxes & 7)];
        let in_row = self.blank_rows[row] & !columns & spread(boxes >> (row / 3 * 3));
        if in_row & !(1 << column) == 0 {
            return true;
        }
        let stack = column / 3;
        let of_stack =
            boxes >> stack & 1 | boxes >> (stack + 3) << 1 & 2 | boxes >> (stack + 6) << 2 & 4;
        let in_column = self.blank_columns[column] & !rows & spread(of_stack);
        if in_column & !(1 << row) == 0 {
            return true;
        }
        (0..9).all(|other| {
            let stands =
                self.rows[other] >> row | self.columns[other] >> column | self.boxes[other] >> nth;
            other == digit || stands & 1 == 1
        })
    }

    /// Writes a board that has a solution exactly when the puzzle without this clue has several
    /// solutions.
    pub(super) fn ask_without(&self, cell: usize, board: &mut Board) {
        *board = self.board;
        open(board, cell);
        let (slot, bit) = PLACES[cell];
        let digit = usize::from(self.solution[cell] - 1);
        board.0[9 * digit + usize::from(slot)] &= !with_copies(1 << bit);
    }

    /// Writes the puzzle without the clues of these cells to `board`.
    pub(super) fn ask_without_all(&self, cells: &[u8], board: &mut Board) {
        *board = self.board;
        cells.iter().for_each(|&cell| open(board, usize::from(cell)));
    }

    pub(super) fn line(&self) -> [u8; 81] {
        std::array::from_fn(|cell| if self.has(cell) { b'0' + self.solution[cell] } else { b'.' })
    }
}

fn open(board: &mut Board, cell: usize) {
    let (slot, bit) = PLACES[cell];
    let bits = with_copies(1 << bit);
    for digit in 0..9 {
        board.0[9 * digit + usize::from(slot)] |= bits;
    }
}

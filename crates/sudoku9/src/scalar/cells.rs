//! Sets of cells as bits of ordinary words, and the conversion from and to a [`Board`].
//!
//! A set of cells is three 27-bit words, one for each row of a box. Bit 9c + 3S + B of the word for
//! row r is the cell in row r and column c of the box in stack S and band B. So a word has three
//! groups, one per column, of nine bits, one per box. An operation on a word handles all boxes at
//! once, and moving from box to box along a band or a stack is a rotation within the groups.
//!
//! The three words are stored in two: the words for rows 0 and 1 are the halves of the first, and
//! row 2 is the second.

use crate::model::board::{Board, with_copies};

pub(super) const WORD: u64 = (1 << 27) - 1;
/// The bits of the nine boxes, in both halves of a word.
pub(super) const BOXES: u64 = both(0o777);

pub(super) type Cells = [u64; 2];
pub(super) const EVERY: Cells = [both(WORD), WORD];

pub(super) const fn both(half: u64) -> u64 {
    half << 32 | half
}

/// Ors the three 9-bit groups (columns) of a word, or of each half. The low nine bits of the result
/// are the boxes with a cell in any column; higher bits are undefined.
#[inline(always)]
pub(super) const fn fold(word: u64) -> u64 {
    word | word >> 9 | word >> 18
}

/// Copies the low nine bits (boxes) to all three groups (columns), in one half or in both. The
/// result is all cells of the row in these boxes.
#[inline(always)]
pub(super) const fn spread(boxes: u64) -> u64 {
    boxes * 0o1001001
}

/// Returns the bits set in at least two of the three words.
#[inline(always)]
pub(super) const fn most(a: u64, b: u64, c: u64) -> u64 {
    a & b | c & (a | b)
}

/// Returns the words for rows 0, 1 and 2, each in the lower half of a `u64`.
#[inline(always)]
pub(super) const fn rows([a, b]: Cells) -> [u64; 3] {
    [a & WORD, a >> 32, b]
}

/// Returns all cells of the boxes that contain some of `cells`.
#[inline(always)]
pub(super) const fn whole_boxes(cells: Cells) -> Cells {
    let [a, b, c] = rows(cells);
    let word = spread(fold(a | b | c) & 0o777);
    [both(word), word]
}

#[inline(always)]
pub(super) fn from_board(board: &Board) -> [Cells; 9] {
    // Remove the copies of bands and the gaps between stacks. The compiler vectorizes this loop.
    let mut boxes = board.0;
    for word in &mut boxes {
        *word = *word & 0o7 | *word >> 2 & 0o70 | *word >> 4 & 0o700;
    }
    let mut digits = [[0; 2]; 9];
    for (cells, slots) in digits.iter_mut().zip(boxes.as_chunks::<9>().0) {
        let [a, b, c, d, e, f, g, h, i] = slots.map(u64::from);
        let columns = |a: u64, b: u64, c: u64| a | b << 9 | c << 18;
        *cells = [columns(a, b, c) | columns(d, e, f) << 32, columns(g, h, i)];
    }
    digits
}

pub(super) fn to_board(digits: &[Cells; 9], board: &mut Board) {
    for (words, &cells) in board.0.as_chunks_mut::<9>().0.iter_mut().zip(digits) {
        for (row, word) in rows(cells).into_iter().enumerate() {
            for column in 0..3 {
                let boxes = word >> (9 * column) & 0o777;
                let bands = (boxes & 0o7 | (boxes & 0o70) << 2 | (boxes & 0o700) << 4) as u16;
                words[3 * row + column] = with_copies(bands);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converting_a_board_to_cells_and_back_does_not_change_it() {
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..100 {
            let marks: [u16; 81] = std::array::from_fn(|_| rng.u16(..512));
            let board = Board::from_candidates(|cell| marks[cell]);
            let mut again = Board::EMPTY;
            to_board(&from_board(&board), &mut again);
            assert_eq!(again, board);
        }
    }

    #[test]
    fn the_bits_of_cells_have_the_documented_layout() {
        for cell in 0..81 {
            let (row, column) = (cell / 9, cell % 9);
            let board = Board::from_candidates(|other| u16::from(other == cell));
            let bit = 1 << (9 * (column % 3) + 3 * (column / 3) + row / 3);
            let mut expected = [0; 3];
            expected[row % 3] = bit;
            assert_eq!(rows(from_board(&board)[0]), expected, "cell {cell}");
        }
    }
}

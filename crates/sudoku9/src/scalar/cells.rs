//! Cells as bits of ordinary words, and the conversion from and to a [`Board`].
//!
//! The cells in row `r` of their boxes are the bits of one 27-bit word: the cell in column c of the
//! box in stack S and band B is bit 9c + 3S + B. So nine bits 3S + B are the nine boxes, and three
//! such groups are the columns. An operation on a word handles all boxes at once, and a move from
//! box to box along a band or a stack is a rotation within the groups.
//!
//! A set of cells is two words: rows 0 and 1 are the halves of the first, row 2 is the second.

use crate::model::board::{Board, with_copies};

pub(super) const WORD: u64 = (1 << 27) - 1;
/// The nine boxes in both halves of a word.
pub(super) const BOXES: u64 = both(0o777);

pub(super) type Cells = [u64; 2];
pub(super) const EVERY: Cells = [both(WORD), WORD];

pub(super) const fn both(half: u64) -> u64 {
    half << 32 | half
}

/// Ors the three 9-bit column groups of a word, or of each half: the low nine bits are the boxes
/// with a cell in any column. Higher bits are garbage.
#[inline(always)]
pub(super) const fn fold(word: u64) -> u64 {
    word | word >> 9 | word >> 18
}

/// Copies the low nine bits (boxes) to all three column groups, in one half or both: all cells of
/// the row in these boxes.
#[inline(always)]
pub(super) const fn spread(boxes: u64) -> u64 {
    boxes * 0o1001001
}

/// Returns the bits set in at least two of the three words.
#[inline(always)]
pub(super) const fn most(a: u64, b: u64, c: u64) -> u64 {
    a & b | c & (a | b)
}

/// Returns the cells as 27-bit words for rows 0, 1 and 2, each in the lower half.
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

/// Returns the cells where each digit may stand.
#[inline(always)]
pub(super) fn from_board(board: &Board) -> [Cells; 9] {
    // Removes the copies of bands and the gaps between stacks, in a loop that compilers vectorize.
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

/// Writes the cells where each digit may stand to a board.
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
    fn a_board_survives_the_conversion() {
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
    fn bits_match_the_documented_layout() {
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

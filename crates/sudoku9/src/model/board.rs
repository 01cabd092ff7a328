//! A grid in the layout of the lanes.
//!
//! A cell is identified by its position in its box and by the box. *Slot* 3r + c is row r and
//! column c of a box; bit 5S + B of a word is the box in band B and stack S. Each of the three
//! groups of five bits (one per stack) contains two of its bands twice, as `B0 B1 B2 B0 B1`, so
//! that a shift by one or two bits rotates the bands. The nine words of digit 1 come first, then
//! the words of digit 2, and so on to word 80. A set bit means that the digit is a candidate of the
//! cell.

use std::fmt;
use std::str::FromStr;

pub(crate) const WORDS: usize = 81;
pub(crate) const FULL: u16 = 0b11111_11111_11111;
pub(crate) const ORIGINAL: u16 = 0b00111_00111_00111;
/// The bits of a word that have copies, in each of its three groups.
pub(crate) const COPIED: u16 = 0b00011_00011_00011;

/// The slot and the bit number of each cell, row by row.
pub(crate) const PLACES: [(u8, u8); 81] = {
    let mut places = [(0, 0); 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        places[cell] = ((row % 3 * 3 + column % 3) as u8, (column / 3 * 5 + row / 3) as u8);
        cell += 1;
    }
    places
};

/// The slot of each cell, and its bit together with the copy of the bit, if there is one.
const COPIES: [(u8, u16); 81] = {
    let mut copies = [(0, 0); 81];
    let mut cell = 0;
    while cell < 81 {
        copies[cell] = (PLACES[cell].0, with_copies(1 << PLACES[cell].1));
        cell += 1;
    }
    copies
};

/// The row, column and box of each cell, as three of 27 bits.
const HOUSES: [u32; 81] = {
    let mut houses = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        houses[cell] = 1 << row | 1 << (9 + column) | 1 << (18 + row / 3 * 3 + column / 3);
        cell += 1;
    }
    houses
};

const SPREAD: [u32; 8] = {
    let mut spread = [0; 8];
    let mut bits = 0;
    while bits < 8 {
        spread[bits] = (bits & 1 | (bits >> 1 & 1) << 8 | (bits >> 2) << 16) as u32;
        bits += 1;
    }
    spread
};

/// Three points, as bytes of a word.
const BLANKS: u32 = b'.' as u32 * 0x01_0101;

pub(crate) const fn with_copies(bits: u16) -> u16 {
    bits | (bits & COPIED) << 3
}

/// Returns the mask of the cells with digits 1 to 9 in two words: cells 0 to 63, and the rest.
///
/// Eight characters are processed together, because a branch for each character would be
/// unpredictable and slower.
#[inline(always)]
fn clues(text: &[u8; 81]) -> [u64; 2] {
    const fn each(byte: u8) -> u64 {
        byte as u64 * 0x0101_0101_0101_0101
    }
    let (eights, last) = text.as_chunks::<8>();
    let bits = |at: usize| {
        let number = u64::from_le_bytes(eights[at]) ^ each(b'0');
        let (low, high) = (number & each(0x7f), number & each(0x80));
        let digits = (low + each(0x7f)) & !(low + each(0x76)) & !high & each(0x80);
        (digits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    let first = (0..8).fold(0, |clues, at| clues | bits(at) << (8 * at));
    let is_clue = last[0].is_ascii_digit() && last[0] != b'0';
    [first, bits(8) | bits(9) << 8 | u64::from(is_clue) << 16]
}

/// Error for a character of a grid that is neither a digit nor a blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CellError {
    /// Number of the cell, row by row from 0; 81 if the text has another length.
    pub cell: usize,
    /// The character; 0 if the text has another length.
    pub byte: u8,
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cell, byte } = *self;
        if cell == 81 {
            return f.write_str("expected the 81 cells of a grid");
        }
        let (row, column, found) = (cell / 9 + 1, cell % 9 + 1, byte.escape_ascii());
        write!(f, "r{row}c{column}: expected a digit or `.`, found `{found}`")
    }
}

impl std::error::Error for CellError {}

/// Checks that each character is a digit or a blank: `.`, `0`, `*`, `_` or `-`. The loop is written
/// so that the compiler vectorizes it.
pub(crate) fn check_cells(text: &[u8; 81]) -> Result<(), CellError> {
    // The characters from `-` to `9` are the blanks `-`, `.` and `0`, the digits, and `/`.
    let is_other = |c: u8| (c.wrapping_sub(b'-') > b'9' - b'-' || c == b'/') && c != b'*' && c != b'_';
    if text.iter().fold(0, |others, &c| others | u8::from(is_other(c))) == 0 {
        return Ok(());
    }
    let cell = text.iter().position(|&c| is_other(c)).unwrap_or_default();
    Err(CellError { cell, byte: text[cell] })
}

/// A 9x9 Sudoku, as the candidates of each cell. The text form is 81 characters, row by row.
///
/// ```
/// use sudoku9::Board;
///
/// let line = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// let board = Board::from_line(line)?;
/// assert_eq!(board.candidates(0), 1 << 7);
/// assert_eq!(board.candidates(1), 0b1_1111_1111);
/// let mut text = [0; 81];
/// board.write_line(&mut text);
/// assert_eq!(&text, line);
///
/// let text = board.to_string();
/// assert_eq!(text.parse(), Ok(board));
/// let error = text.replacen('.', "O", 1).parse::<Board>().unwrap_err();
/// assert_eq!(error.to_string(), "r1c2: expected a digit or `.`, found `O`");
/// # Ok::<(), sudoku9::CellError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board(pub(crate) [u16; WORDS]);

impl Board {
    /// A board without any candidates, used as a buffer for reading.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// Builds a board from 81 characters, row by row. A digit from 1 to 9 is a clue; `.`, `0`, `*`,
    /// `_` and `-` are blanks.
    ///
    /// # Errors
    /// The first character that is neither a digit nor a blank.
    pub fn from_line(text: &[u8; 81]) -> Result<Self, CellError> {
        check_cells(text).map(|()| Self::from_digits(text))
    }

    /// Does the same as [`Board::from_line`] without checking the characters: all characters except
    /// the digits from 1 to 9 are blanks.
    #[must_use]
    pub fn from_digits(text: &[u8; 81]) -> Self {
        let mut board = Self::EMPTY;
        if !Self::read_line(text, &mut board) {
            return Self::from_candidates(|cell| match text[cell] {
                digit @ b'1'..=b'9' => 1 << (digit - b'1'),
                _ => 0b1_1111_1111,
            });
        }
        board
    }

    /// Does the same as [`Board::from_digits`] in place. At the first clue that clashes with
    /// another, leaves the board without candidates and returns `false`. For instruction sets
    /// without their own reader.
    pub(crate) fn read_line(text: &[u8; 81], board: &mut Self) -> bool {
        board.0 = [0; WORDS];
        let mut houses = [0; 9];
        for (first, mut clues) in [0, 64].into_iter().zip(clues(text)) {
            while clues != 0 {
                let cell = first + clues.trailing_zeros() as usize;
                clues &= clues - 1;
                let (slot, bits) = COPIES[cell];
                let (slot, digit) = (usize::from(slot), usize::from(text[cell] - b'1'));
                if houses[digit] & HOUSES[cell] != 0 {
                    board.0 = [0; WORDS];
                    return false;
                }
                houses[digit] |= HOUSES[cell];
                board.0[9 * digit + slot] |= bits;
            }
        }
        let digits = board.0.as_chunks_mut::<9>().0;
        let mut given = [0; 9];
        for words in &*digits {
            given.iter_mut().zip(words).for_each(|(given, word)| *given |= word);
        }
        for words in digits {
            words.iter_mut().zip(given).for_each(|(word, given)| *word |= FULL & !given);
        }
        true
    }

    /// Returns whether the upper left cell of every box has no candidate, as on a board without
    /// candidates.
    #[inline(always)]
    pub(crate) fn is_void(&self) -> bool {
        self.0.iter().step_by(9).all(|&word| word == 0)
    }

    /// Builds a board from the candidates of each cell. Bit 0 is digit 1, and bit 8 is digit 9;
    /// other bits are ignored.
    #[must_use]
    pub fn from_candidates(candidates: impl Fn(usize) -> u16) -> Self {
        let mut board = Self::EMPTY;
        for (cell, &(slot, bit)) in PLACES.iter().enumerate() {
            let digits = candidates(cell);
            for digit in (0..9).filter(|digit| digits >> digit & 1 == 1) {
                board.0[9 * digit + slot as usize] |= with_copies(1 << bit);
            }
        }
        board
    }

    /// Returns the candidates of `cell`. Bit 0 is digit 1, and bit 8 is digit 9.
    ///
    /// # Panics
    /// If `cell` is above 80; cells are numbered row by row from 0.
    #[must_use]
    pub fn candidates(&self, cell: usize) -> u16 {
        let (slot, bit) = PLACES[cell];
        let has = |digit: usize| self.0[9 * digit + slot as usize] >> bit & 1;
        (0..9).fold(0, |digits, digit| digits | has(digit) << digit)
    }

    /// Writes 81 characters: the digit of each cell with one candidate, and a point for each other
    /// cell.
    pub fn write_line(&self, text: &mut [u8; 81]) {
        // The cells with a digit, the cells with several digits, and for each of four bits the
        // cells whose digit has this bit; one word per slot.
        let (mut once, mut more, mut binary) = ([0; 9], [0; 9], [[0; 9]; 4]);
        for (digit, words) in (1..=9).zip(self.0.as_chunks::<9>().0) {
            for slot in 0..9 {
                more[slot] |= once[slot] & words[slot];
                once[slot] |= words[slot];
            }
            for (bit, plane) in binary.iter_mut().enumerate() {
                if digit >> bit & 1 == 1 {
                    plane.iter_mut().zip(words).for_each(|(plane, word)| *plane |= word);
                }
            }
        }
        for slot in 0..9 {
            let (row, column) = (slot / 3, slot % 3);
            let single = once[slot] & !more[slot];
            for stack in 0..3 {
                // The three bands of the stack are the bytes of a word.
                let bands = |word: u16| SPREAD[usize::from(word >> (5 * stack) & 7)];
                let digit = |bit: usize| bands(binary[bit][slot] & single) << bit;
                let offset = bands(single) * u32::from(b'0' - b'.');
                let texts = BLANKS + offset + (digit(0) | digit(1) | digit(2) | digit(3));
                for (band, byte) in texts.to_le_bytes().into_iter().take(3).enumerate() {
                    text[9 * (3 * band + row) + 3 * stack + column] = byte;
                }
            }
        }
    }
}

/// Parses the text like [`Board::from_line`], but allows blanks around it.
impl FromStr for Board {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Self, CellError> {
        let line = text.trim().as_bytes().try_into().map_err(|_| CellError { cell: 81, byte: 0 })?;
        Self::from_line(line)
    }
}

/// Formats the board like [`Board::write_line`].
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 81];
        self.write_line(&mut text);
        text.iter().try_for_each(|&c| fmt::Write::write_char(f, char::from(c)))
    }
}

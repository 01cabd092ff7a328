//! Propagation of one grid in ordinary words, digit by digit.
//!
//! # Method
//! The rules are the rules of `lanes::round`, but only *touched* digits, which lost a candidate,
//! are processed. Two digits are processed at a time, as the halves of 64-bit words ([`cross`]),
//! for all nine boxes at once:
//! 1. In a band there are six ways to assign the digit's three rows to the three boxes. Positions
//!    in a row of a box that are possible in none of them are removed. Rows are words, and boxes
//!    are groups of bits.
//! 2. The same is done for the columns and the three boxes of each stack, on the union of all three
//!    rows.
//! 3. A box where only one row and one column are left has one position for the digit. The digit is
//!    *fixed* there. All other digits lose the cell ([`Grid::fix`]), which touches the digits that
//!    lose a candidate.
//!
//! If rule 2 removes a row of a box, the digit is touched again, because only this can enable rule
//! 1.
//!
//! When no digit is touched, the candidates of all cells are counted bit by bit. A cell with one
//! candidate is fixed, and its digit is removed from the rest of the box ([`Grid::fix_singles`]).
//!
//! # Invariant
//! A fixed cell has one candidate, and its digit has no other position in the box. If no digit is
//! touched, every digit has a position in each box, and rules 1 and 2 remove no candidate. So if
//! all cells are fixed as well, the grid is a solution.
//!
//! These contradictions are detected at once: two digits fixed in one cell, a digit fixed twice in
//! a box, a digit without a position in some box, and a cell without a candidate. Clues are cells
//! with one candidate and need no other check.
//!
//! Tried and dropped: one digit at a time; removing fixed digits from the others once per round;
//! 32-bit rows for the compiler to vectorize; skipping digits that are fixed everywhere; skipping
//! digits whose rows and columns are unchanged.

use super::cells::{
    BOXES, Cells, EVERY, WORD, both, fold, from_board, most, rows, spread, whole_boxes,
};
use crate::model::board::Board;

#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) digits: [Cells; 9],
    fixed: Cells,
    /// A bit for each touched digit (one that lost a candidate); [`NEW`] before the first
    /// propagation.
    touched: u32,
}

/// Value of `touched` before the first propagation.
const NEW: u32 = 1 << 9;

#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Dead,
    Solved,
    /// No rule applies any more. The fields are the cells with at least two candidates, and the
    /// cells with more than two.
    Stalled {
        twos: Cells,
        more: Cells,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dead;

const LOW: u64 = 0xffff_ffff;

#[inline(always)]
const fn paired([a, b]: Cells, [x, y]: Cells) -> [u64; 3] {
    [a & LOW | x << 32, a >> 32 | x & !LOW, b | y << 32]
}

#[inline(always)]
const fn parted([a, b, c]: [u64; 3]) -> [Cells; 2] {
    [[a & LOW | b << 32, c & LOW], [a >> 32 | b & !LOW, c >> 32]]
}

#[inline(always)]
const fn next_column(word: u64) -> u64 {
    word >> 9 & both(0o777_777) | word << 18 & both(0o777_000_000)
}

/// Moves each band to the position of the next band, in the groups of a word (columns).
#[inline(always)]
const fn next_band(word: u64) -> u64 {
    word >> 1 & both(0o333_333_333) | word << 2 & both(0o444_444_444)
}

struct Crossed {
    rows: [u64; 3],
    last: [u64; 3],
    /// Not zero in a half if the digit of this half is touched again.
    again: u64,
}

/// Restricts two digits to the positions where the other rows and columns can use the other boxes.
#[inline(always)]
fn cross(mut w: [u64; 3]) -> Result<Crossed, Dead> {
    // Rule 1: find the rows that are left in each box, and move each stack to the positions of the
    // two other stacks.
    let any = w.map(|word| fold(word) & BOXES);
    let twice = any.map(|boxes| boxes * 0o1001);
    let (a, b) = (twice.map(|boxes| boxes >> 3), twice.map(|boxes| boxes >> 6));
    let kept = [
        (a[1] & b[2] | b[1] & a[2]) & any[0],
        (a[2] & b[0] | b[2] & a[0]) & any[1],
        (a[0] & b[1] | b[0] & a[1]) & any[2],
    ];
    for (word, kept) in w.iter_mut().zip(kept) {
        *word &= spread(kept);
    }
    // Rule 2: find the columns that are left in each box, and move each band to the positions of
    // the two other bands.
    let columns = w[0] | w[1] | w[2];
    let x = next_band(columns);
    let y = columns >> 2 & both(0o111_111_111) | columns << 1 & both(0o666_666_666);
    let columns = columns & next_column(x & next_column(y) | y & next_column(x));
    for word in &mut w {
        *word &= columns;
    }
    // Rule 3: find the boxes with only one row and one column left.
    let any = w.map(|word| fold(word) & BOXES);
    if (any[0] | any[1] | any[2]) != BOXES {
        return Err(Dead);
    }
    let again = (any[0] ^ kept[0]) | (any[1] ^ kept[1]) | (any[2] ^ kept[2]);
    let several = most(any[0], any[1], any[2]) | most(columns, columns >> 9, columns >> 18);
    let last = spread(!several & BOXES);
    Ok(Crossed { rows: w, last: w.map(|word| word & last), again })
}

impl Grid {
    #[inline(always)]
    pub(super) fn new(board: &Board) -> Self {
        Self { digits: from_board(board), fixed: [0; 2], touched: NEW }
    }

    #[inline(always)]
    pub(super) fn propagate(&mut self, passes: &mut u64) -> Event {
        self.try_propagate(passes).unwrap_or(Event::Dead)
    }

    #[inline(always)]
    fn try_propagate(&mut self, passes: &mut u64) -> Result<Event, Dead> {
        if self.touched == NEW {
            // Fix all clues first, and process the digits only after each clue's digit was removed
            // from the rest of its box.
            let (any, twos, _) = self.count();
            if any != EVERY {
                return Err(Dead);
            }
            self.fix_singles([!twos[0] & EVERY[0], !twos[1] & EVERY[1]])?;
            if twos == [0; 2] {
                // Every box has each digit once.
                return if self.has_line_twice() { Err(Dead) } else { Ok(Event::Solved) };
            }
            self.touched = 0o777;
        }
        loop {
            while self.touched != 0 {
                let first = self.next_touched();
                let second = if self.touched == 0 { first } else { self.next_touched() };
                *passes += 1;
                self.cross(first, second)?;
            }
            let (any, twos, more) = self.count();
            if any != EVERY {
                return Err(Dead);
            }
            let single = [!(twos[0] | self.fixed[0]) & EVERY[0], !(twos[1] | self.fixed[1]) & EVERY[1]];
            if single == [0; 2] {
                let is_solved = self.fixed == EVERY;
                return Ok(if is_solved { Event::Solved } else { Event::Stalled { twos, more } });
            }
            self.fix_singles(single)?;
        }
    }

    #[inline(always)]
    fn next_touched(&mut self) -> usize {
        let digit = self.touched.trailing_zeros() as usize;
        self.touched &= self.touched - 1;
        digit
    }

    #[inline(always)]
    fn count(&self) -> (Cells, Cells, Cells) {
        let (mut any, mut twos, mut more) = ([0; 2], [0; 2], [0; 2]);
        for cells in &self.digits {
            for at in 0..2 {
                more[at] |= twos[at] & cells[at];
                twos[at] |= any[at] & cells[at];
                any[at] |= cells[at];
            }
        }
        (any, twos, more)
    }

    /// Processes two digits; for a single digit, `first` and `second` are equal.
    #[inline(always)]
    fn cross(&mut self, first: usize, second: usize) -> Result<(), Dead> {
        let Crossed { rows, last, again } = cross(paired(self.digits[first], self.digits[second]))?;
        [self.digits[first], self.digits[second]] = parted(rows);
        self.touched |= u32::from(again & LOW != 0) << first | u32::from(again & !LOW != 0) << second;
        let fixed = paired(self.fixed, self.fixed);
        let last = [last[0] & !fixed[0], last[1] & !fixed[1], last[2] & !fixed[2]];
        if last[0] | last[1] | last[2] != 0 {
            let [a, b] = parted(last);
            if first != second && (a[0] & b[0] | a[1] & b[1]) != 0 {
                return Err(Dead);
            }
            self.fix(first, second, a, b);
        }
        Ok(())
    }

    /// Fixes two digits at their last positions `a` and `b` in boxes, and removes all other digits
    /// from these cells.
    #[inline(always)]
    fn fix(&mut self, first: usize, second: usize, a: Cells, b: Cells) {
        for at in 0..2 {
            self.digits[first][at] &= !a[at];
            self.digits[second][at] &= !b[at];
        }
        let taken = [a[0] | b[0], a[1] | b[1]];
        let mut losers = 0;
        for cells in self.digits.iter_mut().rev() {
            let lost = cells[0] & taken[0] | cells[1] & taken[1];
            *cells = [cells[0] & !taken[0], cells[1] & !taken[1]];
            losers = losers << 1 | u32::from(lost != 0);
        }
        self.touched |= losers;
        for at in 0..2 {
            self.digits[first][at] |= a[at];
            self.digits[second][at] |= b[at];
            self.fixed[at] |= taken[at];
        }
    }

    /// Fixes the cells with one candidate, and removes their digits from the rest of their boxes.
    #[inline(always)]
    fn fix_singles(&mut self, single: Cells) -> Result<(), Dead> {
        for (digit, cells) in self.digits.iter_mut().enumerate() {
            let its = [cells[0] & single[0], cells[1] & single[1]];
            if its == [0; 2] {
                continue;
            }
            let [a, b, c] = rows(its);
            let columns = a | b | c;
            let is_twice = most(a, b, c) | most(columns, columns >> 9, columns >> 18) & 0o777;
            if is_twice != 0 {
                return Err(Dead);
            }
            let boxes = whole_boxes(its);
            *cells = [cells[0] & !boxes[0] | its[0], cells[1] & !boxes[1] | its[1]];
            self.touched |= 1 << digit;
        }
        self.fixed = [self.fixed[0] | single[0], self.fixed[1] | single[1]];
        Ok(())
    }

    /// Returns whether a digit that has one position in each box is twice in a row or a column.
    #[inline(always)]
    fn has_line_twice(&self) -> bool {
        let mut twice = 0;
        for cells in &self.digits {
            let columns = cells[0] & WORD | cells[0] >> 32 | cells[1];
            twice |= columns & next_band(columns);
            for word in cells {
                let boxes = fold(*word) & BOXES;
                twice |= boxes & (boxes * 0o1001) >> 3;
            }
        }
        twice != 0
    }

    /// Returns the candidates of the cell `bit` of word `at`, one bit per digit.
    #[inline(always)]
    pub(super) fn candidates(&self, at: usize, bit: u64) -> u32 {
        let has = |digits, cells: &Cells| digits << 1 | u32::from(cells[at] & bit != 0);
        self.digits.iter().rev().fold(0, has)
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, digit: usize, at: usize, bit: u64) {
        self.digits[digit][at] &= !bit;
        self.touched |= 1 << digit;
    }

    #[inline(always)]
    pub(super) fn place(&mut self, digit: usize, at: usize, bit: u64, candidates: u32) {
        for cells in &mut self.digits {
            cells[at] &= !bit;
        }
        let mut cell = [0; 2];
        cell[at] = bit;
        let boxes = whole_boxes(cell);
        let its = &mut self.digits[digit];
        *its = [its[0] & !boxes[0], its[1] & !boxes[1]];
        its[at] |= bit;
        self.fixed[at] |= bit;
        self.touched |= candidates;
    }
}

const _: () = assert!(WORD.count_ones() == 27, "three rows of a digit fit into two words of 64 bits");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::cells::to_board;

    /// Returns the candidates of each cell after propagation; `None` if there is a contradiction.
    fn closure(board: &Board) -> Option<Vec<u16>> {
        let mut grid = Grid::new(board);
        match grid.propagate(&mut 0) {
            Event::Dead => None,
            Event::Solved | Event::Stalled { .. } => {
                let mut board = Board::EMPTY;
                to_board(&grid.digits, &mut board);
                Some((0..81).map(|cell| board.candidates(cell)).collect())
            }
        }
    }

    fn houses() -> Vec<[usize; 9]> {
        let row = |n: usize| std::array::from_fn(|k| 9 * n + k);
        let column = |n: usize| std::array::from_fn(|k| 9 * k + n);
        let square = |n: usize| {
            let first = 27 * (n / 3) + 3 * (n % 3);
            std::array::from_fn(|k| first + 9 * (k / 3) + k % 3)
        };
        (0..9).flat_map(|n| [row(n), column(n), square(n)]).collect()
    }

    #[test]
    fn propagation_leaves_no_unprocessed_single_or_locked_candidate() {
        let mut rng = fastrand::Rng::with_seed(7);
        let houses = houses();
        let (mut dead, mut open) = (0, 0);
        for round in 0..3000 {
            let (turn, clues) = (rng.usize(0..9), rng.usize(0..60));
            let marks: [u16; 81] = std::array::from_fn(|cell| {
                let (row, column) = (cell / 9, cell % 9);
                let digit = (3 * row + row / 3 + column + turn) % 9;
                match rng.usize(0..81) < clues {
                    true if rng.usize(0..300) == 0 => 1 << rng.u16(0..9),
                    true if round % 2 == 0 => {
                        1 << digit | rng.u16(..512) & rng.u16(..512) & rng.u16(..512)
                    }
                    true => 1 << digit,
                    false => 511,
                }
            });
            let Some(left) = closure(&Board::from_candidates(|cell| marks[cell])) else {
                dead += 1;
                continue;
            };
            open += usize::from(left.iter().any(|digits| digits.count_ones() > 1));
            assert!(left.iter().zip(&marks).all(|(left, mark)| *left != 0 && left & !mark == 0));
            for house in &houses {
                for digit in (0..9).map(|digit| 1u16 << digit) {
                    let places: Vec<usize> =
                        house.iter().copied().filter(|&cell| left[cell] & digit != 0).collect();
                    assert!(!places.is_empty(), "a digit has no place and nobody saw it: {marks:?}");
                    for other in
                        houses.iter().filter(|other| places.iter().all(|cell| other.contains(cell)))
                    {
                        let elsewhere = other
                            .iter()
                            .find(|cell| !places.contains(cell) && left[**cell] & digit != 0);
                        assert_eq!(elsewhere, None, "{marks:?}");
                    }
                    let is_single = places.iter().any(|&cell| left[cell] == digit);
                    assert!(is_single == (places.len() == 1), "{marks:?}");
                    assert!(!is_single || left[places[0]] == digit, "{marks:?}");
                }
            }
        }
        assert!(dead > 100 && open > 500, "{dead} {open}");
    }
}

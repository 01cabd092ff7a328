//! The rule for ranks of lines, which are read as numbers.
//!
//! A ranked line begins with a given digit, and a given number of the other lines with the same
//! first digit must be less than it. For each other line, the rule finds whether it may begin with
//! that digit, and whether it may be less or not less than the ranked line. If only as many lines
//! are possible on one side as are needed, these lines begin with the digit and are on that side.
//! If enough lines are on one side for certain, all others are on the other side, or begin with
//! another digit.
//!
//! A comparison goes from cell to cell as long as both lines can be equal. As the digits of a line
//! differ, later cells have none of the digits of the equal part.
//!
//! Source: the counts on both sides are from Interactive Sudoku Solver (2026).

use super::super::board::CandidateGrid;
use super::super::{Contradiction, DigitSet};

/// A line with a given rank.
#[derive(Debug)]
pub(crate) struct Rank {
    cells: Box<[u16]>,
    /// The cells of the ranked line, then of all other lines, `len` each.
    lines: Box<[u16]>,
    len: usize,
    first: DigitSet,
    /// Number of the other lines with the same first digit that are less, and that are not.
    needed: [usize; 2],
    /// Whether other lines may equal the ranked line. Such a line is not less.
    may_tie: bool,
}

/// The possible results of comparing a line with the ranked line.
#[derive(Clone, Copy, Debug, Default)]
struct Comparison {
    /// Whether the line may be less, and whether it may be greater.
    may_be: [bool; 2],
    may_equal: bool,
}

const LESS: usize = 0;
const NOT_LESS: usize = 1;
/// Maximum number of other lines: four sides of a grid with the largest number of digits.
const OTHERS_MAX: usize = 64;

impl Rank {
    /// Builds the rule. `lines` has the ranked line and then the others, `len` cells each.
    pub(crate) fn new(
        lines: Vec<u16>,
        len: usize,
        first: DigitSet,
        needed: [usize; 2],
        may_tie: bool,
    ) -> Self {
        assert!(!lines.is_empty() && lines.len().is_multiple_of(len), "lines are equally long");
        assert!(lines.len() / len <= 1 + OTHERS_MAX, "other lines are at most 64");
        let mut cells = lines.clone();
        cells.sort_unstable();
        cells.dedup();
        Self { cells: cells.into(), lines: lines.into(), len, first, needed, may_tie }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// Returns the digit with which the ranked line begins.
    pub(crate) fn first(&self) -> DigitSet {
        self.first
    }

    /// Returns the first cells of all lines.
    pub(crate) fn heads(&self) -> Vec<u16> {
        self.lines.chunks_exact(self.len).map(|line| line[0]).collect()
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let (own, others) = self.lines.split_at(self.len);
        board.keep(own[0], self.first)?;
        // The lines that may begin with the digit, and on which sides they may be.
        let mut lines: [(&[u16], [bool; 2]); OTHERS_MAX] = [(&[], [false; 2]); OTHERS_MAX];
        let (mut count, mut possible, mut certain) = (0, [0; 2], [0; 2]);
        for line in others.chunks_exact(self.len) {
            let digits = board.digits(line[0]);
            if digits & self.first == 0 {
                continue;
            }
            let Comparison { may_be, may_equal } = compare(board, line, own);
            let may_be = [may_be[LESS], may_be[NOT_LESS] || may_equal && self.may_tie];
            if may_be == [false; 2] {
                // The line would equal the ranked line.
                board.keep(line[0], !self.first)?;
                continue;
            }
            for side in [LESS, NOT_LESS] {
                possible[side] += usize::from(may_be[side]);
                certain[side] += usize::from(!may_be[1 - side] && digits == self.first);
            }
            lines[count] = (line, may_be);
            count += 1;
        }
        for side in [LESS, NOT_LESS] {
            let needed = self.needed[side];
            if possible[side] < needed || certain[side] > needed {
                return Err(Contradiction);
            }
        }
        for side in [LESS, NOT_LESS] {
            let needed = self.needed[side];
            for &(line, may_be) in &lines[..count] {
                if possible[side] == needed && may_be[side] {
                    board.keep(line[0], self.first)?;
                    self.place(board, line, side)?;
                } else if certain[side] == needed && may_be[side] {
                    let is_same = board.digits(line[0]) == self.first;
                    if !may_be[1 - side] && !is_same {
                        board.keep(line[0], !self.first)?;
                    } else if may_be[1 - side] && is_same {
                        self.place(board, line, 1 - side)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Restricts a line with the same first digit to one side of the ranked line.
    fn place(
        &self,
        board: &mut CandidateGrid<'_>,
        line: &[u16],
        side: usize,
    ) -> Result<(), Contradiction> {
        let own = &self.lines[..self.len];
        match side {
            LESS => order(board, line, own, false),
            _ => order(board, own, line, self.may_tie),
        }
    }
}

/// Compares two lines with equal first digits.
fn compare(board: &CandidateGrid<'_>, line: &[u16], own: &[u16]) -> Comparison {
    compare_from(board, line, own, 1, 0)
}

/// Compares two lines whose cells before `start` are equal and have the digits `used`, as far as
/// they are known.
fn compare_from(
    board: &CandidateGrid<'_>,
    line: &[u16],
    own: &[u16],
    start: usize,
    mut used: DigitSet,
) -> Comparison {
    let mut may_be = [false; 2];
    for (&cell, &other) in line[start..].iter().zip(&own[start..]) {
        let (digits, others) = (board.digits(cell) & !used, board.digits(other) & !used);
        if digits == 0 || others == 0 {
            return Comparison { may_be, may_equal: false };
        }
        if cell != other {
            may_be[LESS] |= digits.trailing_zeros() < 15 - others.leading_zeros();
            may_be[NOT_LESS] |= others.trailing_zeros() < 15 - digits.leading_zeros();
        }
        let common = digits & others;
        if common == 0 || may_be == [true; 2] {
            return Comparison { may_be, may_equal: common != 0 };
        }
        if common.is_power_of_two() {
            used |= common;
        }
    }
    Comparison { may_be, may_equal: true }
}

/// Requires that a line is less than another one, or not greater if `may_tie`. Their first digits
/// are equal.
fn order(
    board: &mut CandidateGrid<'_>,
    less: &[u16],
    greater: &[u16],
    may_tie: bool,
) -> Result<(), Contradiction> {
    let mut used = 0;
    for at in 1..less.len() {
        let (low, high) = (less[at], greater[at]);
        let (digits, others) = (board.digits(low), board.digits(high));
        let common = digits & others;
        let is_equal = low == high || digits == others && digits.is_power_of_two();
        if is_equal {
            if digits.is_power_of_two() {
                used |= digits;
            }
            continue;
        }
        if others & !used == 0 || digits & !used == 0 {
            return Err(Contradiction);
        }
        // The lines are equal so far, so neither has the digits of the equal part here.
        let rest = compare_from(board, less, greater, at + 1, used | single(common & !used));
        let may_equal = rest.may_be[LESS] || rest.may_equal && may_tie;
        let most = 15 - (others & !used).leading_zeros();
        let least = (digits & !used).trailing_zeros();
        let strict = u32::from(!may_equal);
        board.keep(low, ((1_u32 << (most + 1 - strict)) - 1) as DigitSet)?;
        return board.keep(high, !((1_u32 << (least + strict)) - 1) as DigitSet);
    }
    if may_tie { Ok(()) } else { Err(Contradiction) }
}

/// Returns the set if it has one digit, otherwise the empty set.
fn single(digits: DigitSet) -> DigitSet {
    if digits.is_power_of_two() { digits } else { 0 }
}

#[cfg(test)]
mod tests {
    use crate::NetworkBuilder;

    const ORDER: usize = 4;

    /// Returns the cells of all rows and columns, in both directions.
    fn lines() -> Vec<Vec<usize>> {
        let forward = (0..2 * ORDER).map(|line| {
            let cell = |at| if line < ORDER { ORDER * line + at } else { ORDER * at + line - ORDER };
            (0..ORDER).map(cell).collect::<Vec<_>>()
        });
        forward.flat_map(|line| [line.clone(), line.into_iter().rev().collect()]).collect()
    }

    fn latin_squares(random: &mut fastrand::Rng) -> NetworkBuilder {
        let mut builder = NetworkBuilder::new(ORDER * ORDER, ORDER).expect("it is small");
        lines().iter().step_by(2).for_each(|line| builder.differ(line));
        for _ in 0..random.usize(..4) {
            builder.keep(random.usize(..ORDER * ORDER), random.u16(1..16));
        }
        builder
    }

    #[test]
    fn exactly_the_latin_squares_whose_line_has_the_rank_are_found() {
        let mut random = fastrand::Rng::with_seed(47);
        let (mut some, mut none) = (0, 0);
        for round in 0..200 {
            let all = lines();
            let mut others = all.clone();
            let own = others.remove(random.usize(..all.len()));
            let (rank, may_tie) = (random.usize(..4 * ORDER), random.bool());
            let seed = random.u64(..);
            let squares = latin_squares(&mut fastrand::Rng::with_seed(seed)).build();
            let has_rank = |square: &Vec<u8>| {
                let number =
                    |line: &Vec<usize>| line.iter().map(|&cell| square[cell]).collect::<Vec<_>>();
                let own = number(&own);
                let less = all.iter().filter(|line| number(line) < own).count();
                let equal = all.iter().filter(|line| number(line) == own).count();
                less == rank && (may_tie || equal == 1)
            };
            let mut expected: Vec<Vec<u8>> = squares.solutions().filter(has_rank).collect();
            let mut builder = latin_squares(&mut fastrand::Rng::with_seed(seed));
            let cells = [&own[..], &others.concat()].concat();
            builder.rank(&cells, ORDER, rank / 4, [rank % 4, 3 - rank % 4], may_tie);
            let mut found: Vec<Vec<u8>> = builder.build().solutions().collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "round {round}: {own:?} has rank {rank}, ties {may_tie}");
            some += usize::from(!found.is_empty());
            none += usize::from(found.is_empty());
        }
        assert!(some > 50 && none > 20, "{some} have solutions, {none} have none");
    }
}

//! Chooses the cell to guess, by the rules of `lanes::branch` but without triples.
//!
//! Two opposite cells are in different row words, and in neighboring columns (cyclically). For each
//! of the three pairs of rows, one rotation and its inverse give all 18 pairs of slots.

use super::cells::{Cells, WORD, rows};
use super::step::Grid;

/// Rotates the columns of a word: each column gets the bits of the column that is `columns` after
/// it.
#[inline(always)]
fn turn(word: u32, columns: u32) -> u32 {
    word >> (9 * columns) | word << (27 - 9 * columns)
}

#[inline(always)]
fn sum(a: u32, b: u32, c: u32) -> (u32, u32) {
    (a ^ b ^ c, a & b | c & (a | b))
}

/// Returns the score of each cell of a row: the number of opposites that share a candidate, plus
/// the number of these opposites that are in `pairs`.
#[inline(always)]
fn score([a, b, c, d]: [u32; 4], pairs: [u32; 4]) -> [u32; 4] {
    let (s, t) = sum(a, b, c);
    let (s1, t1) = sum(d, a & pairs[0], b & pairs[1]);
    let (s2, t2) = sum(s, c & pairs[2], d & pairs[3]);
    let (ones, t3) = (s1 ^ s2, s1 & s2);
    let (u, f) = sum(t, t1, t2);
    let (twos, f1) = (u ^ t3, u & t3);
    [ones, twos, f ^ f1, f & f1]
}

/// Returns the cells of `pairs` with the highest score. `pairs` is the set of cells with two
/// candidates, and must not be empty.
#[inline(never)]
pub(super) fn best_pairs(grid: &Grid, pairs: Cells) -> Cells {
    let mut shared = [[0; 2]; 3];
    for &cells in &grid.digits {
        let [a, b, c] = rows(cells).map(|word| word as u32);
        for (shared, (one, other)) in shared.iter_mut().zip([(a, b), (a, c), (b, c)]) {
            shared[0] |= one & turn(other, 1);
            shared[1] |= one & turn(other, 2);
        }
    }
    let three = |cells: Cells| rows(cells).map(|word| word as u32);
    let mut best = three(pairs);
    let turned = best.map(|word| [turn(word, 1), turn(word, 2)]);
    let [ab, ac, bc] = shared;
    let back = |[once, twice]: [u32; 2]| [turn(once, 2) & WORD as u32, turn(twice, 1) & WORD as u32];
    let scores = [
        (ab, ac, turned[1], turned[2]),
        (back(ab), bc, [turned[0][1], turned[0][0]], turned[2]),
        (back(ac), back(bc), [turned[0][1], turned[0][0]], [turned[1][1], turned[1][0]]),
    ]
    .map(|([a, b], [c, d], [p, q], [r, s])| score([a, b, c, d], [p, q, r, s]));
    for bit in (0..4).rev() {
        let better: [u32; 3] = std::array::from_fn(|row| best[row] & scores[row][bit]);
        if better != [0; 3] {
            best = better;
        }
    }
    let [a, b, c] = best.map(u64::from);
    [a | b << 32, c]
}

/// Returns the cells with the fewest candidates (at least two). Some cell must have two candidates
/// or more.
#[inline(never)]
pub(super) fn fewest(grid: &Grid, twos: Cells) -> Cells {
    let mut counts = [[0; 2]; 4];
    for cells in &grid.digits {
        for at in 0..2 {
            let mut carry = cells[at];
            for count in &mut counts {
                (count[at], carry) = (count[at] ^ carry, count[at] & carry);
            }
        }
    }
    let mut best = twos;
    for count in counts.iter().rev() {
        let fewer = [best[0] & !count[0], best[1] & !count[1]];
        if fewer != [0; 2] {
            best = fewer;
        }
    }
    best
}

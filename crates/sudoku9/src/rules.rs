//! Propagation rules on the nine words of a digit. The rules do not depend on the meaning of the
//! lanes, which may be one grid each, or the digits of one grid.
//!
//! Arrays are written out in this file. A closure called by `std::array::from_fn` would be compiled
//! without the instruction set of the caller, and a large one would not be inlined but would call a
//! function for each instruction.

use crate::leaf::vector::Words;
use crate::model::board::ORIGINAL;

#[inline(always)]
pub(crate) fn thirds<W: Words>(w: &[W; 9], join: fn(W, W, W) -> W) -> [W; 3] {
    [join(w[0], w[1], w[2]), join(w[3], w[4], w[5]), join(w[6], w[7], w[8])]
}

#[inline(always)]
pub(crate) fn or_of<W: Words>([a, b, c]: [W; 3]) -> W {
    a.or3(b, c)
}

/// Returns the bits set in at least one of the nine words, and the bits set in exactly one.
#[inline(always)]
pub(crate) fn any_and_just_one<W: Words>(w: &[W; 9]) -> (W, W) {
    let [a, b, c] = thirds(w, W::or3);
    (a.or3(b, c), a.just_one(b, c).and(or_of(thirds(w, W::just_one))))
}

/// Adds three bits in each position; returns the ones bits and the twos bits of the sums.
#[inline(always)]
pub(crate) fn sum<W: Words>(a: W, b: W, c: W) -> (W, W) {
    (a.odd(b, c), a.most(b, c))
}

/// Returns the bits that both arrays have in at least one of the three words from index `a` on.
#[inline(always)]
fn third_of_ands<W: Words>(w: &[W; 9], with: &[W; 9], a: usize) -> W {
    let [b, c] = [a + 1, a + 2];
    w[c].and_or(with[c], w[b].and_or(with[b], w[a].and(with[a])))
}

#[inline(always)]
pub(crate) fn or_of_ands<W: Words>(w: &[W; 9], with: &[W; 9]) -> W {
    or_of([third_of_ands(w, with, 0), third_of_ands(w, with, 3), third_of_ands(w, with, 6)])
}

/// Restricts a digit to the positions where the other rows of its band can use the other two boxes,
/// and the other columns of its stack as well. Returns the boxes where the digit has a position
/// left, and the boxes where it has exactly one (in one row and one column).
#[inline(always)]
pub(crate) fn leave_crossings<W: Words>(w: &mut [W; 9]) -> (W, W) {
    let rows = [w[0].or3(w[1], w[2]).turn(), w[3].or3(w[4], w[5]).turn(), w[6].or3(w[7], w[8]).turn()];
    for row in 0..3 {
        let stays = crossed(rows[(row + 1) % 3], rows[(row + 2) % 3]);
        for slot in [3 * row, 3 * row + 1, 3 * row + 2] {
            w[slot] = w[slot].and(stays);
        }
    }
    let mut columns = [w[0].or3(w[3], w[6]), w[1].or3(w[4], w[7]), w[2].or3(w[5], w[8])];
    let turned = [bands(columns[0]), bands(columns[1]), bands(columns[2])];
    for column in 0..3 {
        let stays = crossed(turned[(column + 1) % 3], turned[(column + 2) % 3]);
        let stays = stays.splat(ORIGINAL).select(stays, stays.up::<3>());
        columns[column] = columns[column].and(stays);
        for slot in [column, column + 3, column + 6] {
            w[slot] = w[slot].and(stays);
        }
    }
    let [a, b, c] = columns;
    let [d, e, f] = thirds(w, W::or3);
    (a.or3(b, c), a.just_one(b, c).and(d.just_one(e, f)))
}

/// Rotates the bands in each group by one and by two: the first three bits become the bits of the
/// next band, and of the band after it.
#[inline(always)]
fn bands<W: Words>(any: W) -> (W, W) {
    (any.down::<1>(), any.down::<2>())
}

/// Returns where two other lines can use the two other boxes, one each, in either assignment. A
/// line is given as its positions rotated by one box and by two boxes.
#[inline(always)]
fn crossed<W: Words>(a: (W, W), b: (W, W)) -> W {
    a.0.and_or(b.1, a.1.and(b.0))
}

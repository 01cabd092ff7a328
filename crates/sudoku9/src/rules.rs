//! What a step does to the nine words of a digit, whatever is in the lanes: a grid each, or the digits of one grid.
//!
//! Arrays are written out here. A closure that `std::array::from_fn` calls has not the instructions of the leaf into which
//! all of this is inlined; where it takes many it is not inlined there, but calls a function for each of them. With
//! AVX2 a step took 15 times as long so.

use crate::leaf::vector::Words;
use crate::model::board::ORIGINAL;

/// Joins three times three words.
#[inline(always)]
pub(crate) fn thirds<W: Words>(w: &[W; 9], join: fn(W, W, W) -> W) -> [W; 3] {
    [join(w[0], w[1], w[2]), join(w[3], w[4], w[5]), join(w[6], w[7], w[8])]
}

#[inline(always)]
pub(crate) fn or_of<W: Words>([a, b, c]: [W; 3]) -> W {
    a.or3(b, c)
}

/// Returns the bits that some word has, and those that just one has.
#[inline(always)]
pub(crate) fn any_and_just_one<W: Words>(w: &[W; 9]) -> (W, W) {
    let [a, b, c] = thirds(w, W::or3);
    (a.or3(b, c), a.just_one(b, c).and(or_of(thirds(w, W::just_one))))
}

/// Returns the ones and the twos of a sum of three bits.
#[inline(always)]
pub(crate) fn sum<W: Words>(a: W, b: W, c: W) -> (W, W) {
    (a.odd(b, c), a.most(b, c))
}

/// Returns the bits that one of three words has in both, the first of these at `a`.
#[inline(always)]
fn third_of_ands<W: Words>(w: &[W; 9], with: &[W; 9], a: usize) -> W {
    let [b, c] = [a + 1, a + 2];
    w[c].and_or(with[c], w[b].and_or(with[b], w[a].and(with[a])))
}

/// Returns the bits that some word has in both.
#[inline(always)]
pub(crate) fn or_of_ands<W: Words>(w: &[W; 9], with: &[W; 9]) -> W {
    or_of([third_of_ands(w, with, 0), third_of_ands(w, with, 3), third_of_ands(w, with, 6)])
}

/// Leaves a digit the places where its lines can cross to the other two boxes of their band and of their stack. Returns
/// the boxes in which it has a place left, and those in which it has just one: one row and one column.
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

/// Turns bands by one and by two: of each group the first three bits are those of the next band, and of the one behind.
#[inline(always)]
fn bands<W: Words>(any: W) -> (W, W) {
    (any.down::<1>(), any.down::<2>())
}

/// Returns where two lines can cross to two boxes: one to the next box and one to that behind it, in
/// either way. Of each line there are the places turned by one box and by two.
#[inline(always)]
fn crossed<W: Words>(a: (W, W), b: (W, W)) -> W {
    a.0.and_or(b.1, a.1.and(b.0))
}

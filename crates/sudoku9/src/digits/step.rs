//! One propagation step for a single grid whose digits are the lanes of a register, by the rules of
//! `lanes::round`.
//!
//! Each digit has nine words, one per slot (see [`board`](crate::model::board)). The words of a
//! digit are in the same lane of nine registers, so each operation handles all nine digits. To
//! compare the digits of a cell, the lanes of each group are transposed for three slots: slots
//! become lanes, and the digits of a group become registers. Two rotations then combine the groups.
//! All digits find their positions at the same time, so a digit that has only one position in a box
//! excludes other digits from the cell only in the next step.

use std::array::from_fn;

use crate::leaf::vector::Nine;
use crate::model::board::FULL;
use crate::rules::{leave_crossings, or_of, or_of_ands, thirds};

/// A grid: a register for each slot, and, from the last step, the boxes where each digit has only
/// one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid<V> {
    pub(super) slots: [V; 9],
    pub(super) alone: V,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Dead,
    Solved,
    Stalled,
    Changed,
}

/// Transposes the lanes of each group of three registers.
#[inline(always)]
pub(super) fn transposed<V: Nine>(a: V, b: V, c: V) -> [V; 3] {
    let (b, c) = (b.spin::<2>(), c.spin::<1>());
    [a.pick(b, c), c.pick(a, b).spin::<1>(), b.pick(c, a).spin::<2>()]
}

#[inline(always)]
pub(super) fn rings<V: Nine>(w: V, join: fn(V, V, V) -> V) -> V {
    join(w, w.ring::<1>(), w.ring::<2>())
}

/// Does one propagation step. In `digits`, all bits of the used lanes are set.
#[inline(always)]
pub(super) fn step<V: Nine>(grid: &mut Grid<V>, digits: V) -> Event {
    let old = grid.slots;
    let alone = grid.alone;
    let its_alone = [alone.nth::<0>(), alone.nth::<1>(), alone.nth::<2>()];
    let (mut whole, mut solved) = (digits, digits);
    let mut single = [digits; 9];
    let mut taken = [digits; 9];
    for row in 0..3 {
        let [a, b, c] = transposed(old[3 * row], old[3 * row + 1], old[3 * row + 2]);
        let claims = c.and_or(its_alone[2], b.and_or(its_alone[1], a.and(its_alone[0])));
        let claims = rings(claims, V::or3);
        let any = a.or3(b, c);
        let (any_1, any_2) = (any.ring::<1>(), any.ring::<2>());
        let one = rings(a.just_one(b, c), V::or3).and(any.just_one(any_1, any_2));
        whole = whole.and(any.or3(any_1, any_2));
        solved = solved.and(one);
        for (slot, spread) in [V::nth::<0>, V::nth::<1>, V::nth::<2>].into_iter().enumerate() {
            single[3 * row + slot] = spread(one);
            taken[3 * row + slot] = spread(claims);
        }
    }
    let mut w: [V; 9] = from_fn(|slot| old[slot].unless(taken[slot], alone));
    let placed = or_of_ands(&w, &single);
    let settled = digits.unless(alone, placed);
    for slot in 0..9 {
        w[slot] = w[slot].unless(placed, single[slot]);
    }
    let (any, just_one) = leave_crossings(&mut w);
    whole = whole.and(any).unless(placed, just_one);
    let changed: [V; 9] = from_fn(|slot| old[slot].xor(w[slot]));
    let changed = or_of(thirds(&changed, V::or3));
    *grid = Grid { slots: w, alone: just_one };
    let is_full = |w: V| w.not_and(digits).is_zero();
    if !is_full(whole) {
        Event::Dead
    } else if is_full(solved) {
        Event::Solved
    } else if !changed.is_zero() {
        Event::Changed
    } else if is_full(settled) {
        Event::Stalled
    } else {
        Event::Dead
    }
}

#[inline(always)]
pub(super) fn digits<V: Nine>(zero: V) -> V {
    zero.of_words(&from_fn(|lane| if lane < 12 && lane % 4 < 3 { FULL } else { 0 }))
}

//! The step of one grid whose digits are the lanes of a register: the same rules as those of `lanes::round`.
//!
//! The nine words of a digit (a word a slot, see [`board`](crate::model::board)) are in the same lane of nine registers. So
//! what a step does for each digit it does for all nine at once. What it asks of cells it asks across lanes: of three
//! slots the lanes of each group are transposed, so that slots are lanes and the digits of a group are registers; then
//! the groups are joined, twice turned.

use std::array::from_fn;

use crate::leaf::vector::Nine;
use crate::model::board::{FULL, ORIGINAL};

/// A grid: a register a slot, and the boxes in which each digit has one place left, as the last step found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid<V> {
    pub(super) slots: [V; 9],
    pub(super) alone: V,
}

/// What became of a grid in a step.
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

/// Joins the three groups.
#[inline(always)]
pub(super) fn rings<V: Nine>(w: V, join: fn(V, V, V) -> V) -> V {
    join(w, w.ring::<1>(), w.ring::<2>())
}

#[inline(always)]
fn or_of<V: Nine>(w: &[V; 9]) -> V {
    let third = |at: usize| w[at].or3(w[at + 1], w[at + 2]);
    third(0).or3(third(3), third(6))
}

/// Returns the bits that just one of nine has.
#[inline(always)]
fn just_one_of<V: Nine>(w: &[V; 9]) -> (V, V) {
    let any: [V; 3] = from_fn(|i| w[3 * i].or3(w[3 * i + 1], w[3 * i + 2]));
    let one: [V; 3] = from_fn(|i| w[3 * i].just_one(w[3 * i + 1], w[3 * i + 2]));
    let just_one = any[0].just_one(any[1], any[2]).and(one[0].or3(one[1], one[2]));
    (any[0].or3(any[1], any[2]), just_one)
}

/// Takes a step; `digits` has all bits of the lanes that have digits.
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
    let placed = {
        let third = |i: usize| {
            let [a, b, c] = [3 * i, 3 * i + 1, 3 * i + 2];
            w[c].and_or(single[c], w[b].and_or(single[b], w[a].and(single[a])))
        };
        third(0).or3(third(1), third(2))
    };
    let settled = digits.unless(alone, placed);
    for slot in 0..9 {
        w[slot] = w[slot].unless(placed, single[slot]);
    }
    let rows: [(V, V); 3] = from_fn(|row| w[3 * row].or3(w[3 * row + 1], w[3 * row + 2]).turn());
    for row in 0..3 {
        let stays = crossed(rows[(row + 1) % 3], rows[(row + 2) % 3]);
        for slot in [3 * row, 3 * row + 1, 3 * row + 2] {
            w[slot] = w[slot].and(stays);
        }
    }
    let columns: [(V, V); 3] = from_fn(|column| {
        let any = w[column].or3(w[column + 3], w[column + 6]);
        (any.down::<1>(), any.down::<2>())
    });
    for column in 0..3 {
        let stays = crossed(columns[(column + 1) % 3], columns[(column + 2) % 3]);
        let stays = digits.splat(ORIGINAL).select(stays, stays.up::<3>());
        for slot in [column, column + 3, column + 6] {
            w[slot] = w[slot].and(stays);
        }
    }
    let (any, just_one) = just_one_of(&w);
    whole = whole.and(any).unless(placed, just_one);
    let changed: [V; 9] = from_fn(|slot| old[slot].xor(w[slot]));
    let changed = or_of(&changed);
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
fn crossed<V: Nine>(a: (V, V), b: (V, V)) -> V {
    a.0.and_or(b.1, a.1.and(b.0))
}

/// All bits of the lanes that have digits.
#[inline(always)]
pub(super) fn digits<V: Nine>(zero: V) -> V {
    zero.of_words(&from_fn(|lane| if lane < 12 && lane % 4 < 3 { FULL } else { 0 }))
}

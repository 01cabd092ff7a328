//! The round: every lane takes one step of propagation, all in lockstep, without a branch.
//!
//! # Method
//! [`board`](crate::model::board) says which bit is which cell. A step is two passes.
//!
//! *Cells.* For each slot the nine words of the digits say, by sums of three times three, which cells have
//! one candidate (`single`), and whether all have at least one. A cell is `taken` if it is the only place
//! in its box for some digit, as the last step found (`alone`).
//!
//! *Digits.* For each digit, its nine words in registers:
//! 1. It leaves the cells that are taken by others.
//! 2. Where it is the single candidate of a cell it leaves the rest of that box.
//! 3. In a band it takes one of the six ways to give the three rows different boxes. What no such way
//!    uses goes: minirow (r, S) stays if the two other rows can go to the two other boxes. Rows are
//!    registers, boxes are rotated by five bits. That is all there is to hidden singles in rows and to
//!    locked candidates between rows and boxes. The same for stacks, where bands are rotated by one bit.
//! 4. Boxes in which it has one place left, for the next step; and whether it has one in every box.
//!
//! So a single or a place reaches its peers without ever being looked up: it empties the rest of its box,
//! and what is left of rows and columns follows from 3. A lane is *solved* if every cell is single and no
//! digit misses a box; then each digit is once in every box, row and column.
//!
//! # Contradictions
//! What cannot be is seen in the step, or else a search would try out all that the rest of the grid allows:
//! - Two singles of a digit in one box: where it is single only its singles are left, so if it has more than one
//!   place left it is there twice. Two in one row or column leave a box without a place by 3. So clues that
//!   clash, and pencil marks that are single, are dead in the first step, or in the second if 3 takes one of two
//!   singles from their box, whatever they were read from. So no reader looks for them: a step does it for 32
//!   grids by nine operations.
//! - Two digits that claim one cell: both stay there, so it does not become single. When a step changes nothing,
//!   each box in which the last step found one place for a digit must have it single; so a lane in which two
//!   digits claim a cell is dead before it branches. (What this step finds alone has not claimed its cell yet.)
//!
//! That other pigeonholes (say, four cells for three digits) are not seen is why `search` bounds what waits, and
//! gives up puzzles that take too many nodes.
//!
//! # What it costs
//! With AVX-512 198 operations for cells, 112 for each digit: 1206 for 32 grids, of which 135 are shifts,
//! and 171 loads, 90 stores. At two operations a cycle that is 603 cycles; measured are about 740 on an
//! AMD EPYC (Zen 4), 7.5 ns for a grid. The layout is what makes it few: three rows of a band in three
//! registers are rotated for free, which took two shifts and a merge for each in 27-bit words (one word a
//! digit and band, 16 grids), where the same step took 817 operations for 16 grids.
//!
//! Tried and dropped: to end a search's propagation when a step finds no new single, though candidates
//! went (as many steps, more guesses); a second grid to write to, kept as the other branch (the copies
//! fell out of the first-level cache, and a guess took 20 % longer); to see in the very step that two digits
//! claim a cell, by counting the claims (1 % fewer steps at most, 2 to 11 % more time); to look for digits that
//! are single twice behind the loop over digits, so that `placed` is not held (1 to 3 % more time alone).

use std::array::from_fn;

use crate::leaf::vector::Vector;
use crate::model::board::{FULL, ORIGINAL, WORDS};

/// What became of the lanes: a bit for each, the first lane lowest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Events {
    /// Some cell has no candidate left, or some digit no place in a box; a digit is single twice in a box, or
    /// nothing has changed where two digits claim one cell.
    pub(crate) dead: u32,
    /// Every cell has one candidate left; dead lanes may be among these.
    pub(crate) solved: u32,
    /// Nothing has changed.
    pub(crate) stalled: u32,
}

/// Takes a step. `alone` says of each digit in which boxes it has one place left: what the last step found,
/// and then what this one does.
#[inline(always)]
pub(crate) fn step<V: Vector>(grid: &mut [V; WORDS], alone: &mut [V; 9]) -> Events {
    let full = grid[0].splat(FULL);
    let (mut whole, mut solved) = (full, full);
    let mut single = [full; 9];
    let mut taken = [full; 9];
    for slot in 0..9 {
        let w: [V; 9] = from_fn(|digit| grid[9 * digit + slot]);
        let claims: [V; 3] = from_fn(|i| {
            let [a, b, c] = [3 * i, 3 * i + 1, 3 * i + 2];
            w[c].and_or(alone[c], w[b].and_or(alone[b], w[a].and(alone[a])))
        });
        taken[slot] = or_of(claims);
        let any = thirds(&w, V::or3);
        let one = thirds(&w, V::just_one);
        single[slot] = just_one_of(any).and(or_of(one));
        whole = whole.and(or_of(any));
        solved = solved.and(single[slot]);
    }
    let (mut changed, mut settled) = (full.splat(0), full);
    for digit in 0..9 {
        let words: &mut [V; 9] = grid[9 * digit..].first_chunk_mut().expect("nine words a digit");
        let old = *words;
        let mut w: [V; 9] = from_fn(|slot| old[slot].unless(taken[slot], alone[digit]));
        let placed = or_of(from_fn(|i| {
            let [a, b, c] = [3 * i, 3 * i + 1, 3 * i + 2];
            w[c].and_or(single[c], w[b].and_or(single[b], w[a].and(single[a])))
        }));
        // What was alone is single, once nothing changes.
        settled = settled.unless(alone[digit], placed);
        for slot in 0..9 {
            w[slot] = w[slot].unless(placed, single[slot]);
        }
        let rows: [(V, V); 3] = from_fn(|row| {
            let [a, b, c] = [3 * row, 3 * row + 1, 3 * row + 2];
            w[a].or3(w[b], w[c]).turn()
        });
        for row in 0..3 {
            let stays = crossed(rows[(row + 1) % 3], rows[(row + 2) % 3]);
            for slot in [3 * row, 3 * row + 1, 3 * row + 2] {
                w[slot] = w[slot].and(stays);
            }
        }
        let columns: [(V, V); 3] = from_fn(|column| {
            let any = w[column].or3(w[column + 3], w[column + 6]);
            // Of each group the first three bits are those of the next band, and of the one behind.
            (any.down::<1>(), any.down::<2>())
        });
        for column in 0..3 {
            let stays = crossed(columns[(column + 1) % 3], columns[(column + 2) % 3]);
            let stays = full.splat(ORIGINAL).select(stays, stays.up::<3>());
            for slot in [column, column + 3, column + 6] {
                w[slot] = w[slot].and(stays);
            }
        }
        let any = thirds(&w, V::or3);
        whole = whole.and(or_of(any));
        alone[digit] = just_one_of(any).and(or_of(thirds(&w, V::just_one)));
        // Where it is single only singles are left: one, or it is there twice.
        whole = whole.unless(placed, alone[digit]);
        for slot in 0..9 {
            changed = changed.or_differ(old[slot], w[slot]);
        }
        *words = w;
    }
    let stalled = changed.equal(full.splat(0));
    Events {
        dead: !whole.equal(full) | stalled & !settled.equal(full),
        solved: solved.equal(full),
        stalled,
    }
}

/// Returns where two lines can cross to two boxes: one to the next box and one to that behind it, in
/// either way. Of each line there are the places turned by one box and by two.
#[inline(always)]
fn crossed<V: Vector>(a: (V, V), b: (V, V)) -> V {
    a.0.and_or(b.1, a.1.and(b.0))
}

/// Joins three times three words.
#[inline(always)]
pub(crate) fn thirds<V: Vector>(w: &[V; 9], join: fn(V, V, V) -> V) -> [V; 3] {
    [join(w[0], w[1], w[2]), join(w[3], w[4], w[5]), join(w[6], w[7], w[8])]
}

#[inline(always)]
pub(crate) fn or_of<V: Vector>([a, b, c]: [V; 3]) -> V {
    a.or3(b, c)
}

#[inline(always)]
fn just_one_of<V: Vector>([a, b, c]: [V; 3]) -> V {
    a.just_one(b, c)
}

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
use crate::model::board::{FULL, WORDS};
use crate::rules::{any_and_just_one, leave_crossings, or_of_ands};

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
        taken[slot] = or_of_ands(&w, alone);
        let (any, just_one) = any_and_just_one(&w);
        single[slot] = just_one;
        whole = whole.and(any);
        solved = solved.and(just_one);
    }
    let (mut changed, mut settled) = (full.splat(0), full);
    for digit in 0..9 {
        let words: &mut [V; 9] = grid[9 * digit..].first_chunk_mut().expect("nine words a digit");
        let old = *words;
        let mut w: [V; 9] = from_fn(|slot| old[slot].unless(taken[slot], alone[digit]));
        let placed = or_of_ands(&w, &single);
        // What was alone is single, once nothing changes.
        settled = settled.unless(alone[digit], placed);
        for slot in 0..9 {
            w[slot] = w[slot].unless(placed, single[slot]);
        }
        leave_crossings(&mut w);
        let (any, just_one) = any_and_just_one(&w);
        whole = whole.and(any);
        alone[digit] = just_one;
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

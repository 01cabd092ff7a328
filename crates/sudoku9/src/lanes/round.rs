//! The round: every lane takes one step of propagation, all in lockstep, without a branch.
//!
//! # Method
//! [`board`](crate::model::board) says which bit is which cell. A step is two passes.
//!
//! *Cells.* For each slot the nine words of the digits say, by sums of three times three, which cells have
//! one candidate (`single`), and whether all have at least one.
//!
//! *Digits.* For each digit, its nine words in registers:
//! 1. Where it is the single candidate of a cell it leaves the rest of that box.
//! 2. It leaves the cells that are `taken` by others: each is the only place in its box for some digit (`alone`), as the
//!    steps before found, or this step for a digit that came before.
//! 3. In a band it takes one of the six ways to give the three rows different boxes. What no such way
//!    uses goes: minirow (r, S) stays if the two other rows can go to the two other boxes. Rows are
//!    registers, boxes are rotated by five bits. That is all there is to hidden singles in rows and to
//!    locked candidates between rows and boxes. The same for stacks, where bands are rotated by one bit.
//! 4. Where it has one place left in a box, it takes that cell from the digits behind; and it must have one in every box.
//!
//! So a single or a place reaches its peers without ever being looked up: it empties the rest of its box,
//! and what is left of rows and columns follows from 3. What is taken stays so until the lane gets another grid: if a guess or
//! a triple takes the place from its digit, that box has none for it, and the lane is dead in the next step. A lane is
//! *solved* if every cell is single and no digit misses a box; then each digit is once in every box, row and column.
//!
//! # Contradictions
//! What cannot be is seen in the step, or else a search would try out all that the rest of the grid allows:
//! - Two singles of a digit in one box: where it is single only its singles are left, so if it has more than one
//!   place left it is there twice. Two in one row or column leave a box without a place by 3. So clues that
//!   clash, and pencil marks that are single, are dead in the first step, or in the second if 3 takes one of two
//!   singles from their box, whatever they were read from. So no reader of a batch looks for them: a step does it
//!   for 32 grids by nine operations. (The line of a puzzle that is alone is looked at first, see `Leaf::read_alone`.)
//! - Two digits that claim one cell: both stay there, so it does not become single. When a step changes nothing,
//!   each box in which the last step found one place for a digit must have it single; so a lane in which two
//!   digits claim a cell is dead before it branches. (If both find their place in one step, the second loses it.)
//!
//! That other pigeonholes (say, four cells for three digits) are not seen is why `search` bounds what waits, and
//! gives up puzzles that take too many nodes.
//!
//! # What it costs
//! With AVX-512 some 1,200 operations for 32 grids, of which 135 are shifts; with AVX2 2,950 instructions for 16, in some
//! 880 cycles of an AMD EPYC (Zen 3). When cells were taken in the next step only, it took 820 of them, but on grids of 17
//! clues 35 % more steps, on the hardest 20 %: 5 to 11 % and 5 to 7 % less time now.
//!
//! The layout is what makes it few: three rows of a band in three registers are rotated for free, which took two
//! shifts and a merge for each in 27-bit words (one word a digit and band, 16 grids), where the same step took 817
//! operations for 16 grids.
//!
//! Tried and dropped: to end a search's propagation when a step finds no new single, though candidates
//! went (as many steps, more guesses); a second grid to write to, kept as the other branch (the copies
//! fell out of the first-level cache, and a guess took 20 % longer); to see in the very step that two digits
//! claim a cell, by counting the claims (1 % fewer steps at most, 2 to 11 % more time); to look for digits that
//! are single twice behind the loop over digits, so that `placed` is not held (1 to 3 % more time alone); to take cells
//! from the digit after next on, so that no digit waits for the one before (7 % more steps, 7 % more time); to see boxes
//! with one place by their rows and columns, as `digits` does (1 to 2 % more time, though fewer instructions: the next digit
//! waits for them).

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

/// The places that the steps of a node have found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<V> {
    /// Of each digit the boxes in which it has one place left.
    pub(crate) alone: [V; 9],
    /// The cells that are such a place of some digit, a word a slot.
    pub(crate) taken: [V; 9],
}

/// Takes a step; `places` are those that the last step knew, and then those that this one does. No step was taken yet in the
/// lanes of `fresh`.
#[inline(always)]
pub(crate) fn step<V: Vector>(grid: &mut [V; WORDS], places: &mut Places<V>, fresh: u32) -> Events {
    let Places { alone, taken } = places;
    let full = grid[0].splat(FULL);
    let fresh = full.of_mask(fresh);
    let (mut whole, mut solved) = (full, full);
    let mut single = [full; 9];
    for slot in 0..9 {
        let w: [V; 9] = from_fn(|digit| grid[9 * digit + slot]);
        taken[slot] = fresh.not_and(taken[slot]);
        let (any, just_one) = any_and_just_one(&w);
        single[slot] = just_one;
        whole = whole.and(any);
        solved = solved.and(just_one);
    }
    let (mut changed, mut settled) = (full.splat(0), full);
    for digit in 0..9 {
        let words: &mut [V; 9] = grid[9 * digit..].first_chunk_mut().expect("nine words a digit");
        let old = *words;
        let placed = or_of_ands(&old, &single);
        let known = fresh.not_and(alone[digit]);
        // What was alone is single, once nothing changes.
        settled = settled.unless(known, placed);
        let mut w = old;
        for slot in 0..9 {
            w[slot] = w[slot].unless(placed, single[slot]).unless(taken[slot], known);
        }
        leave_crossings(&mut w);
        let (any, just_one) = any_and_just_one(&w);
        whole = whole.and(any);
        alone[digit] = just_one;
        // Where it is single only singles are left: one, or it is there twice.
        whole = whole.unless(placed, alone[digit]);
        for slot in 0..9 {
            taken[slot] = w[slot].and_or(alone[digit], taken[slot]);
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

//! One step of propagation for all lanes in lockstep, without a branch instruction.
//!
//! # Method
//! [`board`](crate::model::board) describes the layout of bits. A step is two passes.
//!
//! *Cells.* For each slot, the nine digit words give the cells with exactly one candidate
//! (`single`), and whether all cells have one.
//!
//! *Digits.* For each digit, with its nine words in registers:
//! 1. Where it is the only candidate of a cell, remove it from the rest of the box.
//! 2. Remove it from the cells that are `taken`: the only position of another digit in its box
//!    (`alone`), as found by the previous step or by this step for a lower digit.
//! 3. In a band the digit uses one of the six ways to give the three rows different boxes. Minirow
//!    (r, S) stays if the two other rows can use the two other boxes. Rows are registers; boxes are
//!    rotated by five bits. This covers hidden singles in rows and locked candidates between rows
//!    and boxes. Stacks are handled the same way, with bands rotated by one bit.
//! 4. Where it has one position left in a box, it takes that cell from later digits. It must have a
//!    position in every box.
//!
//! So no table of peers is needed: rule 1 handles the box, and rule 3 rows and columns. A taken
//! cell stays taken until the lane gets another grid. A lane is *solved* if every cell is single
//! and no digit misses a box; then each digit is once in every box, row and column.
//!
//! # Contradictions
//! Undetected contradictions would make the search enumerate all fillings of the rest of the grid.
//! The step detects:
//! - Two singles of a digit in one box: the digit is then single twice there. Two singles in one
//!   row or column leave a box without a position by rule 3. So clashing clues are dead after at
//!   most two steps, and readers of batches do not check for them.
//! - Two digits that claim one cell: the cell does not become single, but when a step changes
//!   nothing, each box where the last step found one position for a digit must have it single. So
//!   the lane is dead before it branches.
//!
//! Other pigeonhole contradictions (such as four cells for three digits) are not detected;
//! therefore `search` bounds the number of waiting branches and the nodes per puzzle.
//!
//! Tried and dropped: ending propagation when a step finds no new single (more guesses); a second
//! grid as the other branch (overflows the first-level cache); detecting claimed cells in the same
//! step; detecting double singles after the loop; taking cells only from the digit after next (more
//! steps); finding boxes with one position by rows and columns, as `digits` does (longer dependency
//! chain).

use std::array::from_fn;

use crate::leaf::vector::Vector;
use crate::model::board::{FULL, WORDS};
use crate::rules::{any_and_just_one, leave_crossings, or_of_ands};

/// Outcome of a step: masks with one bit per lane, the first lane lowest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Events {
    /// Lanes where some cell has no candidate, some digit has no position in a box or is single
    /// twice in a box, or two digits claim one cell after a step without change.
    pub(crate) dead: u32,
    /// Lanes where every cell has exactly one candidate; dead lanes may be among them.
    pub(crate) solved: u32,
    pub(crate) stalled: u32,
}

/// Only positions of digits in boxes, as found by the steps of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<V> {
    /// For each digit, the boxes where it has one position left.
    pub(crate) alone: [V; 9],
    /// The cells that are such a position of some digit, one word per slot.
    pub(crate) taken: [V; 9],
}

/// Takes a step. `places` holds the positions found by the previous step, and is updated by this
/// one; for the lanes of `fresh` there was no previous step.
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
        // After a step without changes, a digit with one position in a box must be single there.
        settled = settled.unless(known, placed);
        let mut w = old;
        for slot in 0..9 {
            w[slot] = w[slot].unless(placed, single[slot]).unless(taken[slot], known);
        }
        leave_crossings(&mut w);
        let (any, just_one) = any_and_just_one(&w);
        whole = whole.and(any);
        alone[digit] = just_one;
        // Where a digit is single only its singles are left: one, or it is there twice.
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

//! One propagation step for all lanes in lockstep, without a branch instruction.
//!
//! # Method
//! [`board`](crate::model::board) describes the layout of bits. A step has two passes.
//!
//! *Cells.* For each slot, the words of the nine digits give the cells with exactly one candidate
//! (`single`), and whether every cell has a candidate.
//!
//! *Digits.* Each digit is processed with its nine words in registers:
//! 1. Where the digit is the only candidate of a cell, remove it from the rest of the box.
//! 2. Remove the digit from the cells that are `taken`. A cell is taken if it is the only position
//!    of another digit in its box (`alone`), as found by the previous step or, for a lower digit,
//!    by this step.
//! 3. In a band, there are six ways to assign the digit's three rows to the three boxes. The
//!    positions in a row of a box remain only if the two other rows can use the two other boxes.
//!    Rows are registers; a rotation by five bits goes to the next box. This rule covers hidden
//!    singles in rows, and locked candidates between rows and boxes. Stacks are handled in the same
//!    way, with rotations by one bit from band to band.
//! 4. Where the digit has only one position in a box, it takes this cell from later digits. The
//!    digit must have a position in every box.
//!
//! So no table of peers is needed: rule 1 handles the box, and rule 3 the rows and columns. A taken
//! cell remains taken until the lane gets another grid. A lane is *solved* if every cell is single
//! and no digit is missing in a box.
//!
//! # Contradictions
//! A contradiction that is not detected would make the search enumerate all fillings of the rest of
//! the grid. The step detects:
//! - Two singles of a digit in the same box. Two singles in the same row or column leave a box
//!   without a position, by rule 3. So a grid with clues that clash is dead after at most two
//!   steps.
//! - Two digits that take the same cell. The cell then never becomes single. But when a step
//!   changes nothing, each digit with only one position in a box must be single there. So the lane
//!   is dead before it branches.
//!
//! Other contradictions by the pigeonhole principle (such as three cells for four digits) are not
//! detected. Therefore `search` limits the number of waiting branches and of nodes per puzzle.
//!
//! # Cost
//! The number of instructions limits a step, not the chain from digit to digit: registers of half
//! the width take half the time. `taken` stays in registers if there are 32 of them.
//!
//! Tried and dropped: ending propagation when a step finds no new single (more guesses); a second
//! grid as the other branch (overflows the first-level cache); detecting a cell that two digits
//! take in the same step; taking the cells of the digit before only after rule 3, which shortens
//! the chain (more steps, no faster); detecting double singles after the loop; taking cells only
//! from the digit after next (more steps); joining the row and column tests of rule 3 (no gain);
//! finding boxes with one position by rows and columns, as `digits` does (longer dependency chain).

use std::array::from_fn;
use std::hint::black_box;

use crate::leaf::vector::Vector;
use crate::model::board::{FULL, WORDS};
use crate::rules::{any_and_just_one, leave_crossings, or_of_ands};

/// Outcome of a step, as masks with one bit per lane; the lowest bit is the first lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Events {
    /// Lanes with a contradiction. Some cell has no candidate, or some digit has no position in a
    /// box or is single twice in a box, or two digits take the same cell after a step that changed
    /// nothing.
    pub(crate) dead: u32,
    /// Lanes where every cell has exactly one candidate. Dead lanes may be among them.
    pub(crate) solved: u32,
    pub(crate) stalled: u32,
}

/// For each lane, the digits with only one position in a box, as found by the steps since its last
/// guess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<V> {
    /// For each digit, the boxes where it has only one position.
    pub(crate) alone: [V; 9],
    /// The cells that are the only position of some digit in their box; one word per slot.
    pub(crate) taken: [V; 9],
}

/// Does one propagation step. `places` has the positions found by the previous step, and is
/// updated. For the lanes of `fresh` there was no previous step.
#[inline(always)]
pub(crate) fn step<V: Vector>(grid: &mut [V; WORDS], places: &mut Places<V>, fresh: u32) -> Events {
    let Places { alone, taken: stored } = places;
    // A copy stays in registers if there are enough for it and for the words of a digit.
    let mut copy = *stored;
    let taken = if V::REGISTERS < 32 { &mut *stored } else { &mut copy };
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
        let mut w = *words;
        let placed = or_of_ands(&w, &single);
        let known = fresh.not_and(alone[digit]);
        // If the step changed nothing, a digit with only one position in a box must be single
        // there.
        settled = settled.unless(known, placed);
        for slot in 0..9 {
            w[slot] = w[slot].unless(placed, single[slot]).unless(taken[slot], known);
        }
        leave_crossings(&mut w);
        let (any, just_one) = any_and_just_one(&w);
        whole = whole.and(any);
        alone[digit] = just_one;
        // In a box where a digit is single, only its singles are left, which must be one cell.
        whole = whole.unless(placed, just_one);
        for slot in 0..9 {
            taken[slot] = w[slot].and_or(just_one, taken[slot]);
        }
        // Loads the old words again instead of keeping nine more registers busy.
        for (word, new) in black_box(words).iter_mut().zip(w) {
            changed = changed.or_differ(*word, new);
            *word = new;
        }
    }
    if V::REGISTERS >= 32 {
        *stored = copy;
    }
    let stalled = changed.equal(full.splat(0));
    Events {
        dead: !whole.equal(full) | stalled & !settled.equal(full),
        solved: solved.equal(full),
        stalled,
    }
}

//! Scores of steps, in tenths, for each class of steps.
//!
//! The scores are calibrated on a public collection of puzzles. The scores order these puzzles like
//! Sudoku Explainer, and the score of a class is near the median rating of the puzzles whose
//! hardest step belongs to it (docs/GUIDE.md has the table).

const HIGHEST: u32 = 130;
/// Least score of a case split, in tenths: equal to the score of the easiest nets.
const SPLIT_MIN: u32 = 90;
pub(super) const SUPPOSED_MIN: u32 = 43;
pub(super) const SUPPOSED_MAX: u32 = 99;
/// Minimum weight of the items that are hardest to see.
pub(super) const HEAVY: u8 = 13;

pub(super) fn forced(weight: u8) -> u32 {
    10 + u32::from(weight)
}

/// Returns the score of locked options of an item of this weight. The score is lower if they force
/// an easy item at once.
pub(super) fn locked(weight: u8, forces: bool) -> u32 {
    u32::from(weight.min(4)) + if forces { 15 } else { 24 }
}

pub(super) fn covered(truths: usize, are_heavy: bool, forces: bool) -> u32 {
    match (truths, are_heavy) {
        (..=2, _) if forces => 20,
        (..=2, true) => 30,
        (..=2, false) => 33,
        (3, true) => 36,
        (3, false) => 39,
        (more, _) => (46 + 2 * more as u32).min(64),
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    /// The number of truths, including the item that cannot be covered in the end.
    pub(super) truths: usize,
    /// Whether all truths have two options left, so that the chain has no branches.
    pub(super) is_linear: bool,
    pub(super) are_heavy: bool,
    pub(super) has_locked: bool,
}

pub(super) fn supposed(used: Used) -> u32 {
    let Used { truths, is_linear, are_heavy, has_locked } = used;
    let count = truths as u32;
    let base = match (count, is_linear) {
        (..=2, true) => 65,
        (..=2, false) => 66,
        (3, _) if are_heavy => SUPPOSED_MIN + u32::from(!is_linear),
        (3, true) => 70,
        (3, false) => 71,
        (4, true) => 72,
        (4, false) => 73,
        (5..=12, true) => 68 + count,
        (5..=12, false) => 77 + count,
        (_, true) => 81 + (count - 12) / 4,
        (_, false) => 90 + (count - 12) / 4,
    };
    (base + if has_locked { 4 } else { 0 }).min(SUPPOSED_MAX)
}

/// Returns the maximum number of rounds after the first in a supposition of at most this score. A
/// supposition uses one truth per round.
pub(super) fn rounds(score: u32) -> u32 {
    match score {
        ..=71 => 2,
        72..=80 => score - 69,
        _ => u32::MAX - 1,
    }
}

pub(super) fn split(nodes: u64) -> u32 {
    (76 + 5 * nodes.max(1).ilog2()).clamp(SPLIT_MIN, HIGHEST)
}

pub(super) fn all() -> Vec<u32> {
    const TRUTHS_MAX: usize = 200;
    let flags = [false, true];
    let mut all: Vec<u32> = (0..=HEAVY).map(forced).collect();
    all.extend((0..=HEAVY).flat_map(|weight| flags.map(|forces| locked(weight, forces))));
    for (truths, are_heavy, forces) in [2, 3].into_iter().flat_map(|truths| {
        flags.into_iter().flat_map(move |heavy| flags.map(|forces| (truths, heavy, forces)))
    }) {
        all.push(covered(truths, are_heavy, forces));
    }
    for truths in 2..=TRUTHS_MAX {
        for bits in 0..8 {
            let [is_linear, are_heavy, has_locked] = [bits & 1, bits & 2, bits & 4].map(|bit| bit > 0);
            all.push(supposed(Used { truths, is_linear, are_heavy, has_locked }));
        }
    }
    all.extend((0..=20).map(|doublings| split(1 << doublings)));
    all.sort_unstable();
    all.dedup();
    all
}

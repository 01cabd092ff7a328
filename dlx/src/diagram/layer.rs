//! The states of a step, and how one is expanded.

use std::hash::BuildHasherDefault;

use indexmap::IndexMap;

use crate::frontier::layout::{Key, Layout};
use crate::numbers::Mixer;

/// The work of a state, in steps of about a nanosecond.
pub(super) const STATE_WORK: u64 = 60;
/// The work of an option that is tried on a state, in steps of about a nanosecond.
pub(super) const TRY_WORK: u64 = 8;
/// Stands for the choice of nothing.
pub(super) const NOTHING: u32 = u32::MAX;

/// States by key, each with a number.
pub(super) type NumberedStates<const K: usize> = IndexMap<Key<K>, u32, BuildHasherDefault<Mixer>>;

/// Expands a state: calls `reach` with each choice and the state it leads to, except where that is seen to be a dead
/// end.
pub(super) fn go_on<const K: usize>(
    layout: &Layout<K>,
    step: usize,
    key: Key<K>,
    mut reach: impl FnMut(u32, usize, Key<K>),
) {
    let dead_ends = |choices, free| layout.dead_ends(choices, free, &key);
    layout.each(step, &key, dead_ends, |choice, step, key| {
        reach(choice.map_or(NOTHING, |choice| choice as u32), step, key);
    });
}

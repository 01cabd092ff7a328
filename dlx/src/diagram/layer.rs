//! The expansion of the states of a step.

use std::hash::BuildHasherDefault;

use indexmap::IndexMap;

use crate::frontier::layout::{Key, Layout};
use crate::numbers::Mixer;

/// Estimated work per state (ns).
pub(super) const STATE_WORK: u64 = 60;
/// Estimated work per option tried on a state (ns).
pub(super) const TRY_WORK: u64 = 8;
pub(super) const NOTHING: u32 = u32::MAX;

pub(super) type NumberedStates<const K: usize> = IndexMap<Key<K>, u32, BuildHasherDefault<Mixer>>;

/// Expands a state. Calls `reach` with each choice and the resulting step and key, except for known
/// dead ends.
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

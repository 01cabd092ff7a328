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
    let mut go = |choice: u32, next: Option<(usize, Key<K>)>| {
        let Some((step, key)) = next else { return };
        if !(0..layout.look_count(step)).any(|look| layout.is_hopeless(step, look, &key)) {
            reach(choice, step, key);
        }
    };
    for index in 0..layout.choices(step).len() {
        go(index as u32, layout.with(step, index, key));
    }
    if layout.step(step).is_optional {
        go(NOTHING, layout.without(step, key));
    }
}

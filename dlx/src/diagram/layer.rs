//! The states of a step, and the ways to go on from one.

use std::hash::BuildHasherDefault;

use indexmap::IndexMap;

use super::nodes::Mixer;
use crate::frontier::layout::{Key, Layout};

/// About the nanoseconds that a state takes.
pub(super) const STATE_WORK: u64 = 60;
/// About the nanoseconds that each option takes which is tried on a state.
pub(super) const TRY_WORK: u64 = 8;
/// Stands for the choice of nothing.
pub(super) const NOTHING: u32 = u32::MAX;

/// States by key, each with a number.
pub(super) type NumberedStates<const K: usize> = IndexMap<Key<K>, u32, BuildHasherDefault<Mixer>>;

/// Calls `reach` with each way to go on from a state, except to such as are seen to lead nowhere.
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

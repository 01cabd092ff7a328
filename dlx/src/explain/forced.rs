//! Forced options: an item has exactly as many options left as it needs. Forced options are the
//! first class of steps.

use std::collections::BTreeSet;

use super::score;
use super::state::{Knowledge, OptionTable};
use super::step::{Reason, Step};
use crate::model::{ItemId, OptionId};

/// Finds the forced items of least weight, in order of definition.
pub(super) fn find(table: &OptionTable, state: &Knowledge, weights: &[u8]) -> Vec<Step> {
    let mut least = u8::MAX;
    let mut items: Vec<ItemId> = Vec::new();
    for item in table.problem.items() {
        if state.need(item) == 0 || state.live(item) != state.need(item) {
            continue;
        }
        let weight = weights.get(item.index()).copied().unwrap_or(0);
        if weight < least {
            least = weight;
            items.clear();
        }
        if weight == least {
            items.push(item);
        }
    }
    let mut reported: BTreeSet<OptionId> = BTreeSet::new();
    let step = |item| {
        let on = state.options_of(table, item).filter(|&option| reported.insert(option)).collect();
        Step {
            reason: Reason::Forced { item },
            on,
            off: Vec::new(),
            score: score::forced(least),
            choices: 1,
        }
    };
    items.into_iter().map(step).filter(|step| !step.on.is_empty()).collect()
}

/// Reports whether excluding the options of `off` leaves an item of small weight with no more
/// options than it needs.
pub(super) fn forces(table: &OptionTable, state: &Knowledge, weights: &[u8], off: &[OptionId]) -> bool {
    let weight = |item: ItemId| weights.get(item.index()).copied().unwrap_or(0);
    let lost = |item: ItemId| {
        let has =
            |&&option: &&OptionId| table.problem.option(option).iter().any(|entry| entry.item == item);
        off.iter().filter(has).count() as u32
    };
    off.iter().flat_map(|&option| table.problem.option(option)).any(|entry| {
        let item = entry.item;
        let need = state.need(item);
        need > 0 && weight(item) < score::HEAVY && state.live(item) <= need + lost(item)
    })
}

//! Keys that order options and items independently of their names and numbers.
//!
//! # Method
//! The keys result from a few rounds of color refinement (Weisfeiler and Leman) on the remaining
//! entries: each key is mixed with the sum of the keys of its neighbors. Options with equal keys
//! have equal neighborhoods and are almost always equivalent by a symmetry.
//!
//! Correctness does not depend on distinct keys, because ties are broken by the order of the
//! problem.
//!
//! The keys take twelve bytes per option and item. The keys and the order of the remaining options
//! are computed once per explanation, on first use.

use super::state::{Knowledge, OptionTable};
use crate::model::{ItemId, OptionId};
use crate::numbers::split_mix;

/// Number of refinement rounds, enough to reach all of a Sudoku from any cell.
const ROUNDS: usize = 5;

#[derive(Clone, Debug, Default)]
pub(super) struct StepKeys {
    options: Vec<u64>,
    items: Vec<u64>,
    option_order: Vec<OptionId>,
    item_order: Vec<ItemId>,
    is_known: bool,
}

impl StepKeys {
    pub(super) fn forget(&mut self) {
        self.is_known = false;
    }

    pub(super) fn learn(&mut self, table: &OptionTable, state: &Knowledge, weights: &[u8]) {
        if std::mem::replace(&mut self.is_known, true) {
            return;
        }
        let weight = |item: ItemId| weights.get(item.index()).copied().map_or(0, u64::from);
        let first = |item: ItemId| {
            let counts = [state.live(item), state.need(item), state.room(item)].map(u64::from);
            split_mix(counts.into_iter().fold(weight(item), |key, count| split_mix(key) ^ count))
        };
        self.items.clear();
        self.items.extend(table.problem.items().map(first));
        self.options.clear();
        self.options.resize(table.problem.option_count(), 0);
        let mut sums = vec![0_u64; self.items.len()];
        for _ in 0..ROUNDS {
            for option in state.options() {
                let around = table.problem.option(option).iter();
                let sum = around.fold(self.options[option.index()], |sum, entry| {
                    sum.wrapping_add(self.items[entry.item.index()])
                });
                let key = split_mix(sum);
                self.options[option.index()] = key;
                for entry in table.problem.option(option) {
                    let sum = &mut sums[entry.item.index()];
                    *sum = sum.wrapping_add(key);
                }
            }
            for (key, sum) in self.items.iter_mut().zip(&mut sums) {
                *key = split_mix(key.rotate_left(1).wrapping_add(std::mem::take(sum)));
            }
        }
        let Self { options, items, option_order, item_order, .. } = self;
        option_order.clear();
        option_order.extend(state.options());
        option_order.sort_unstable_by_key(|&option| (options[option.index()], option));
        item_order.clear();
        item_order.extend(table.problem.items().filter(|&item| state.live(item) > 0));
        item_order.sort_unstable_by_key(|&item| (items[item.index()], item));
    }

    pub(super) fn options(&self) -> impl Iterator<Item = OptionId> + '_ {
        self.option_order.iter().copied()
    }

    pub(super) fn items(&self) -> impl Iterator<Item = ItemId> + '_ {
        self.item_order.iter().copied()
    }

    pub(super) fn item(&self, item: ItemId) -> (u64, ItemId) {
        (self.items[item.index()], item)
    }
}

//! Numbers by which options and items are put in an order that does not depend on how they are named or numbered.
//!
//! # The method
//! An option is known by its items, an item by its options, and both by what those are known by: a few rounds of colour
//! refinement (Weisfeiler and Leman) over what is left, where each number is mixed with the sum of those around it. Options with the
//! same number look alike as far as the rounds go; nearly always a symmetry takes one to the other. Chains that are trimmed in this order, and
//! splits that begin with the first item of it, are those of the same problem under other names.
//!
//! Nothing relies on different options having different numbers: then the order of the problem decides, as it did before.
//!
//! Bound: twelve bytes an option and an item. The numbers are worked out once for each explanation, when they are first needed, and the order
//! of what is left then.

use super::state::{Knowledge, OptionTable};
use crate::model::{ItemId, OptionId};
use crate::numbers::split_mix;

/// How far an option looks around: after so many rounds all of a Sudoku is seen from everywhere.
const ROUNDS: usize = 5;

/// The numbers of one explanation.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    options: Vec<u64>,
    items: Vec<u64>,
    option_order: Vec<OptionId>,
    item_order: Vec<ItemId>,
    is_known: bool,
}

impl Keys {
    /// Forgets the numbers.
    pub(super) fn forget(&mut self) {
        self.is_known = false;
    }

    /// Works the numbers out from what is left in a state, if they are not known.
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

    /// Iterates over the options that were left when the numbers were worked out, in order.
    pub(super) fn options(&self) -> impl Iterator<Item = OptionId> + '_ {
        self.option_order.iter().copied()
    }

    /// Iterates over the items that had options left when the numbers were worked out, in order.
    pub(super) fn items(&self) -> impl Iterator<Item = ItemId> + '_ {
        self.item_order.iter().copied()
    }

    /// Returns what an item is ordered by.
    pub(super) fn item(&self, item: ItemId) -> (u64, ItemId) {
        (self.items[item.index()], item)
    }
}

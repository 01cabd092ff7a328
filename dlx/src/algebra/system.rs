//! The linear equations of a problem: a row for each item covered a fixed number of times, and a
//! column for each option.

use crate::model::{Bounds, ItemId, OptionId, Problem};

#[derive(Debug)]
pub(super) struct System {
    pub(super) items: Vec<ItemId>,
    pub(super) needs: Vec<u32>,
    /// The entries of column `c` are `starts[c]..starts[c + 1]`.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl System {
    /// Builds the system of all items whose bounds are equal. Colors are irrelevant, because only
    /// secondary items have colors.
    pub(super) fn new(problem: &Problem) -> Self {
        let fixed =
            |item: &ItemId| problem.bounds(*item).is_some_and(|bounds| bounds.low == bounds.high);
        let items: Vec<_> = problem.items().filter(fixed).collect();
        let mut row_of = vec![NONE; problem.item_count()];
        (0..).zip(&items).for_each(|(row, item)| row_of[item.index()] = row);
        let needs = items.iter().filter_map(|&item| problem.bounds(item)).map(|bounds| bounds.low);
        let mut system = Self { needs: needs.collect(), items, starts: vec![0], entries: Vec::new() };
        for option in problem.options() {
            let rows = problem.option(option).iter().map(|entry| row_of[entry.item.index()]);
            system.entries.extend(rows.filter(|&row| row != NONE));
            if system.starts.last().is_some_and(|&start| system.entries.len() > start as usize) {
                system.starts.push(system.entries.len() as u32);
            }
        }
        system
    }

    pub(super) fn row_count(&self) -> usize {
        self.items.len()
    }

    pub(super) fn column_count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn entry_count(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn column(&self, column: usize) -> &[u32] {
        &self.entries[self.starts[column] as usize..self.starts[column + 1] as usize]
    }
}

/// Returns whether each item has a color in some option. Such an item may be covered by several
/// options.
pub(super) fn colored_items(problem: &Problem) -> Vec<bool> {
    let mut is_colored = vec![false; problem.item_count()];
    for entry in problem.options().flat_map(|option| problem.option(option)) {
        is_colored[entry.item.index()] |= entry.color.is_some();
    }
    is_colored
}

/// Returns the options that a cover may contain.
pub(super) fn live_options(problem: &Problem) -> impl Iterator<Item = OptionId> {
    problem.options().filter(|option| problem.idle_options().binary_search(option).is_err())
}

/// Returns how often a cover covers an item without colors.
pub(super) fn bounds_of(problem: &Problem, item: ItemId) -> Bounds {
    problem.bounds(item).unwrap_or(Bounds { low: 0, high: 1 })
}

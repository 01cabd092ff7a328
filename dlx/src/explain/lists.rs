//! The remaining options and items as lists in both directions, renumbered in an order independent
//! of names ([`StepKeys`]).
//!
//! Suppositions walk from options to items and back. With these lists both walks visit only
//! remaining entries.
//!
//! The lists take some words per remaining entry.

use super::keys::StepKeys;
use super::state::{Knowledge, OptionTable, color_in};
use crate::model::{Color, ItemId, OptionId};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct LeftEntry {
    pub(super) item: u32,
    pub(super) color: Option<Color>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LeftLists {
    pub(super) options: Vec<OptionId>,
    pub(super) items: Vec<ItemId>,
    /// Option `o` has the entries `option_starts[o] .. option_starts[o + 1]` of `entries`.
    option_starts: Vec<u32>,
    entries: Vec<LeftEntry>,
    /// Item `i` has the options `item_starts[i] .. item_starts[i + 1]` of `lists`.
    item_starts: Vec<u32>,
    lists: Vec<u32>,
    pub(super) live: Vec<u32>,
    pub(super) need: Vec<u32>,
    pub(super) room: Vec<u32>,
    pub(super) is_colored: Vec<bool>,
    /// Whether at most one option of every item can be chosen, so that an option excludes all other
    /// options of its items.
    pub(super) is_plain: bool,
    numbers: Vec<u32>,
}

impl LeftLists {
    pub(super) fn fill(&mut self, table: &OptionTable, state: &Knowledge, keys: &StepKeys) {
        self.options.clear();
        self.options.extend(keys.options().filter(|&option| state.is_live(option)));
        self.items.clear();
        self.items.extend(keys.items().filter(|&item| state.live(item) > 0));
        self.numbers.clear();
        self.numbers.resize(table.problem.item_count(), NONE);
        for (number, item) in self.items.iter().enumerate() {
            self.numbers[item.index()] = number as u32;
        }
        let of = |count: fn(&Knowledge, ItemId) -> u32, into: &mut Vec<u32>| {
            into.clear();
            into.extend(self.items.iter().map(|&item| count(state, item)));
        };
        of(Knowledge::live, &mut self.live);
        of(Knowledge::need, &mut self.need);
        of(Knowledge::room, &mut self.room);
        self.is_colored.clear();
        self.is_colored.extend(self.items.iter().map(|&item| table.is_colored(item)));
        self.is_plain =
            self.items.iter().all(|&item| state.need(item) <= 1 && state.is_link(table, item));
        self.link(table);
    }

    fn link(&mut self, table: &OptionTable) {
        self.item_starts.clear();
        self.item_starts.push(0);
        self.item_starts.extend(self.live.iter().scan(0, |end, live| {
            *end += live;
            Some(*end)
        }));
        let mut ends = self.item_starts.clone();
        self.lists.clear();
        self.lists.resize(self.item_starts[self.items.len()] as usize, NONE);
        self.entries.clear();
        self.option_starts.clear();
        self.option_starts.push(0);
        for (number, &option) in self.options.iter().enumerate() {
            let begin = self.entries.len();
            for entry in table.problem.option(option) {
                let item = self.numbers[entry.item.index()];
                let end = &mut ends[item as usize];
                self.lists[*end as usize] = number as u32;
                *end += 1;
                self.entries.push(LeftEntry { item, color: entry.color });
            }
            self.entries[begin..].sort_unstable_by_key(|entry| entry.item);
            self.option_starts.push(self.entries.len() as u32);
        }
        debug_assert_eq!(ends[..self.items.len()], self.item_starts[1..], "every list is full");
    }

    pub(super) fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Returns the items of an option in ascending order of their list numbers.
    #[inline]
    pub(super) fn entries(&self, option: u32) -> &[LeftEntry] {
        let option = option as usize;
        &self.entries[self.option_starts[option] as usize..self.option_starts[option + 1] as usize]
    }

    #[inline]
    pub(super) fn list(&self, item: u32) -> &[u32] {
        let item = item as usize;
        &self.lists[self.item_starts[item] as usize..self.item_starts[item + 1] as usize]
    }

    pub(super) fn has(&self, option: u32, item: u32) -> bool {
        self.entries(option).iter().any(|entry| entry.item == item)
    }

    pub(super) fn color(&self, table: &OptionTable, option: u32, item: u32) -> Option<Color> {
        color_in(&table.problem, self.options[option as usize], self.items[item as usize])
    }
}

//! The state of an explanation: the remaining options, and the number of options that each item
//! still needs and may get.
//!
//! Invariants: `live[item]` is the number of remaining options of the item that are not chosen.
//! `need` and `room` are the remaining bounds; a secondary item needs 0 and has room for 1. An item
//! with room 0 has no option left. After an option gave a color to an item, only options with that
//! color are left.
//!
//! A state takes one bit per option and 16 bytes per item.

use crate::model::{Bounds, Color, ItemId, OptionId, Problem};

#[derive(Clone, Debug)]
pub(super) struct OptionTable {
    pub(super) problem: Problem,
    /// Item `i` has the options `starts[i] .. starts[i + 1]` of `lists`, ascending.
    starts: Vec<u32>,
    lists: Vec<OptionId>,
    /// Whether some option gives the item a color, so that two of its options may be compatible.
    is_colored: Vec<bool>,
    start: Knowledge,
}

impl OptionTable {
    pub(super) fn new(problem: &Problem) -> Self {
        let count = problem.item_count();
        let mut starts = vec![0; count + 1];
        let mut is_colored = vec![false; count];
        for option in problem.options() {
            for entry in problem.option(option) {
                starts[entry.item.index() + 1] += 1;
                is_colored[entry.item.index()] |= entry.color.is_some();
            }
        }
        for item in 0..count {
            starts[item + 1] += starts[item];
        }
        let mut ends = starts.clone();
        let mut lists = vec![OptionId::new(0); problem.entry_count()];
        for option in problem.options() {
            for entry in problem.option(option) {
                let end = &mut ends[entry.item.index()];
                lists[*end as usize] = option;
                *end += 1;
            }
        }
        let bounds = |item| problem.bounds(item).unwrap_or(Bounds { low: 0, high: 1 });
        let start = Knowledge {
            alive: vec![u64::MAX; problem.option_count().div_ceil(64)],
            live: (0..count).map(|item| starts[item + 1] - starts[item]).collect(),
            need: problem.items().map(|item| bounds(item).low).collect(),
            room: problem.items().map(|item| bounds(item).high).collect(),
            color: vec![None; count],
            chosen: Vec::new(),
        };
        let mut table = Self { problem: problem.clone(), starts, lists, is_colored, start };
        let mut start = table.start.clone();
        if let Some(last) =
            start.alive.last_mut().filter(|_| !problem.option_count().is_multiple_of(64))
        {
            *last = (1 << (problem.option_count() % 64)) - 1;
        }
        for &option in problem.idle_options() {
            start.remove(&table, option);
        }
        let full = problem.items().filter(|&item| bounds(item).high == 0);
        for item in full {
            for index in table.range(item) {
                start.remove(&table, table.lists[index]);
            }
        }
        table.start = start;
        table
    }

    fn range(&self, item: ItemId) -> std::ops::Range<usize> {
        self.starts[item.index()] as usize..self.starts[item.index() + 1] as usize
    }

    pub(super) fn options(&self, item: ItemId) -> &[OptionId] {
        &self.lists[self.range(item)]
    }

    pub(super) fn is_colored(&self, item: ItemId) -> bool {
        self.is_colored[item.index()]
    }

    pub(super) fn start(&self) -> &Knowledge {
        &self.start
    }
}

#[derive(Clone, Debug)]
pub(super) struct Knowledge {
    alive: Vec<u64>,
    live: Vec<u32>,
    need: Vec<u32>,
    room: Vec<u32>,
    color: Vec<Option<Color>>,
    pub(super) chosen: Vec<OptionId>,
}

impl Knowledge {
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.alive.clone_from(&other.alive);
        self.live.clone_from(&other.live);
        self.need.clone_from(&other.need);
        self.room.clone_from(&other.room);
        self.color.clone_from(&other.color);
        self.chosen.clone_from(&other.chosen);
    }

    #[inline]
    pub(super) fn is_live(&self, option: OptionId) -> bool {
        self.alive[option.index() / 64] >> (option.index() % 64) & 1 == 1
    }

    pub(super) fn options(&self) -> impl Iterator<Item = OptionId> + '_ {
        self.alive.iter().enumerate().flat_map(|(place, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.checked_sub(1)?;
                Some(OptionId::new(64 * place + bit))
            })
        })
    }

    pub(super) fn live(&self, item: ItemId) -> u32 {
        self.live[item.index()]
    }

    /// Returns how many more options of the item must be chosen.
    pub(super) fn need(&self, item: ItemId) -> u32 {
        self.need[item.index()]
    }

    /// Returns how many more options of the item may be chosen.
    pub(super) fn room(&self, item: ItemId) -> u32 {
        self.room[item.index()]
    }

    pub(super) fn is_link(&self, table: &OptionTable, item: ItemId) -> bool {
        self.room[item.index()] == 1 && !table.is_colored(item)
    }

    pub(super) fn options_of<'s>(
        &'s self,
        table: &'s OptionTable,
        item: ItemId,
    ) -> impl Iterator<Item = OptionId> + 's {
        table.options(item).iter().copied().filter(|&option| self.is_live(option))
    }

    pub(super) fn conflict(&self) -> Option<ItemId> {
        let mut items = self.live.iter().zip(&self.need);
        items.position(|(live, need)| live < need).map(ItemId::new)
    }

    pub(super) fn is_covered(&self) -> bool {
        self.need.iter().all(|&need| need == 0)
    }

    pub(super) fn remove(&mut self, table: &OptionTable, option: OptionId) {
        let word = &mut self.alive[option.index() / 64];
        let bit = 1 << (option.index() % 64);
        if *word & bit == 0 {
            return;
        }
        *word &= !bit;
        for entry in table.problem.option(option) {
            self.live[entry.item.index()] -= 1;
        }
    }

    pub(super) fn choose(&mut self, table: &OptionTable, option: OptionId) {
        debug_assert!(self.is_live(option), "only an option that is left is chosen");
        self.remove(table, option);
        self.chosen.push(option);
        for entry in table.problem.option(option) {
            let item = entry.item.index();
            self.need[item] = self.need[item].saturating_sub(1);
            match entry.color {
                Some(color) => {
                    if self.color[item].replace(color).is_none() {
                        for index in table.range(entry.item) {
                            let other = table.lists[index];
                            if color_in(&table.problem, other, entry.item) != Some(color) {
                                self.remove(table, other);
                            }
                        }
                    }
                }
                None => {
                    self.room[item] -= 1;
                    if self.room[item] == 0 && self.live[item] > 0 {
                        for index in table.range(entry.item) {
                            self.remove(table, table.lists[index]);
                        }
                    }
                }
            }
        }
    }
}

// An option without a primary item is never among the remaining options, but may be given.
impl Knowledge {
    pub(super) fn choose_idle(&mut self, table: &OptionTable, option: OptionId) {
        self.alive[option.index() / 64] |= 1 << (option.index() % 64);
        for entry in table.problem.option(option) {
            self.live[entry.item.index()] += 1;
        }
        self.choose(table, option);
    }
}

pub(super) fn color_in(problem: &Problem, option: OptionId, item: ItemId) -> Option<Color> {
    problem.option(option).iter().find(|entry| entry.item == item).and_then(|entry| entry.color)
}

//! Splits subproblems into components. If copies (interchangeable item sets) are represented by one
//! of them, a split reveals the other copies.

use std::ops::Range;

use super::FormWalk;
use crate::methods::symmetry::Ground;

impl FormWalk {
    /// Reveals options when `option` is chosen from a copy (an item set) that represents other
    /// copies. The revealed options belong to the next represented copy, correspond to the options
    /// in `range`, and are within the last set.
    pub(super) fn come_forth(&mut self, ground: &Ground, option: u32, range: Range<usize>) {
        if ground.copies.multiple(option, &self.standing) < 2 {
            return;
        }
        self.forth.clear();
        self.forth.extend(ground.copies.come_forth(option, &self.options[range], &self.standing));
        let set = self.sets.len() - ground.tables.word_count;
        let is_left = |option: &u32| ground.tables.is_within(*option, &self.sets[set..]);
        self.options.extend(self.forth.iter().copied().filter(is_left));
        self.work += (self.forth.len() * (4 + ground.tables.word_count)) as u64;
    }

    /// If there are several components, reveals the options of all represented copies, sorts the
    /// options from `start` on by component, and records the end of each component. Returns whether
    /// there are several.
    pub(super) fn split(&mut self, ground: &Ground, start: usize, set: usize) -> bool {
        if ground.copies.is_empty() {
            return self.split_as_it_is(ground, start);
        }
        let ends = self.ends.len();
        ground.copies.stand(&self.sets[set..], &mut self.standing);
        let is_alone = |&option: &u32| {
            ground.copies.multiple(option, &self.standing) > 1
                && ground.tables.items(option).iter().all(|&item| ground.copies.has(item))
        };
        let are_alone = self.options[start..].iter().all(is_alone);
        if !are_alone && !self.split_as_it_is(ground, start) {
            return false;
        }
        self.forth.clear();
        self.forth.extend(ground.copies.hidden(&self.options[start..], &self.standing));
        if self.forth.is_empty() {
            return true;
        }
        self.ends.truncate(ends);
        self.options.append(&mut self.forth);
        self.split_as_it_is(ground, start)
    }

    fn split_as_it_is(&mut self, ground: &Ground, start: usize) -> bool {
        for (item, parent) in self.parents.iter_mut().enumerate() {
            *parent = item as u32;
        }
        for &option in &self.options[start..] {
            let items = ground.tables.items(option);
            let root = find(&mut self.parents, items[0]);
            for &item in &items[1..] {
                let other = find(&mut self.parents, item);
                self.parents[other as usize] = root;
            }
            self.work += 2 * items.len() as u64;
        }
        let (tables, parents) = (&ground.tables, &mut self.parents);
        let mut root = |option: u32| find(parents, tables.items(option)[0]);
        let options = &mut self.options[start..];
        let first = root(options[0]);
        if options.iter().all(|&option| root(option) == first) {
            return false;
        }
        options.sort_by_cached_key(|&option| root(option));
        for place in 1..options.len() {
            if root(options[place - 1]) != root(options[place]) {
                self.ends.push(start + place);
            }
        }
        self.ends.push(self.options.len());
        true
    }
}

fn find(parents: &mut [u32], item: u32) -> u32 {
    let mut item = item as usize;
    while parents[item] as usize != item {
        parents[item] = parents[parents[item] as usize];
        item = parents[item] as usize;
    }
    item as u32
}

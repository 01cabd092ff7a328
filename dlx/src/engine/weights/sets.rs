//! Sparse sets: for each item the options that can still cover it.
//!
//! The records of an option, one an item, stand one behind the other; the set of an item is a stretch of
//! `members`, whose first `len` places hold the records of its options that are still open. A record is taken out
//! by a swap with the last of them, and put back by making the stretch longer again, in exact reverse
//! order: the trail says which. A covered item keeps its set as it was when it was covered.
//!
//! Invariants: `members[places[record]] == record`; an option is open just if its records are within
//! the stretches of all its active items.

use crate::{Color, OptionId, Problem};

/// An active item has no option left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeadEnd;

/// A change, to be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// The option was taken; what that covers and removes comes next.
    Taken(u32),
    /// The item of this record was covered.
    Covered(u32),
    /// The option was removed from the sets of its active items.
    Removed(u32),
}

/// An item and its set.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Item {
    start: u32,
    len: u32,
    /// Dead ends met here, plus one.
    weight: f32,
    is_active: bool,
    is_primary: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sets {
    // By option.
    /// Option `o` has the records `starts[o] .. starts[o + 1]`.
    starts: Vec<u32>,
    is_open: Vec<bool>,

    // By record.
    items_of: Vec<u32>,
    options_of: Vec<u32>,
    places: Vec<u32>,
    /// The numbers of the colors, 0 for none; empty if there are no colors.
    colors: Vec<u32>,

    // By place.
    members: Vec<u32>,

    // By item.
    items: Vec<Item>,
    /// The option by which the item was covered last, if it is primary.
    last: Vec<u32>,
    /// The primary items; the first `active_len` are active.
    active: Vec<u32>,
    active_places: Vec<u32>,
    active_len: usize,

    /// Items that were left with one option, perhaps covered or emptied since.
    forced: Vec<u32>,
    trail: Vec<Change>,
    random: u64,
    pub(super) updates: u64,
}

/// No option.
const NONE: u32 = u32::MAX;

impl Sets {
    pub(super) fn new(problem: &Problem) -> Self {
        let record_count = problem.entry_count();
        let has_colors = problem.has_colors();
        let mut sets = Self {
            starts: Vec::with_capacity(problem.option_count() + 1),
            is_open: vec![true; problem.option_count()],
            items_of: Vec::with_capacity(record_count),
            options_of: Vec::with_capacity(record_count),
            places: vec![0; record_count],
            colors: Vec::with_capacity(if has_colors { record_count } else { 0 }),
            members: vec![0; record_count],
            items: Vec::with_capacity(problem.item_count()),
            last: vec![NONE; problem.item_count()],
            active: Vec::with_capacity(problem.primary_count()),
            active_places: vec![NONE; problem.item_count()],
            active_len: problem.primary_count(),
            forced: Vec::new(),
            trail: Vec::new(),
            random: 0,
            updates: 0,
        };
        for item in problem.items() {
            let is_primary = problem.is_primary(item);
            sets.items.push(Item { start: 0, len: 0, weight: 1.0, is_active: true, is_primary });
            if is_primary {
                sets.active_places[item.index()] = sets.active.len() as u32;
                sets.active.push(item.index() as u32);
            }
        }
        for option in problem.options() {
            sets.starts.push(sets.items_of.len() as u32);
            for entry in problem.option(option) {
                sets.items_of.push(entry.item.index() as u32);
                sets.options_of.push(option.index() as u32);
                sets.items[entry.item.index()].len += 1;
                if has_colors {
                    sets.colors.push(entry.color.map_or(0, Color::number));
                }
            }
        }
        sets.starts.push(record_count as u32);
        let mut start = 0;
        for item in &mut sets.items {
            item.start = start;
            start += item.len;
            item.len = 0;
        }
        for record in 0..record_count {
            let item = &mut sets.items[sets.items_of[record] as usize];
            let place = item.start + item.len;
            item.len += 1;
            sets.members[place as usize] = record as u32;
            sets.places[record] = place;
        }
        sets
    }

    pub(super) fn option_count(&self) -> usize {
        self.is_open.len()
    }

    pub(super) fn primary_count(&self) -> usize {
        self.active.len()
    }

    pub(super) fn trail_len(&self) -> usize {
        self.trail.len()
    }

    /// Takes the given options; `false` if there is plainly no cover with them.
    ///
    /// Idle options need no care: nothing but a given option takes one.
    pub(super) fn begin(&mut self, given: &[OptionId], seed: u64) -> bool {
        self.random = seed ^ 0x9E37_79B9_7F4A_7C15;
        for k in (1..self.active.len()).rev() {
            let other = self.random_below(k as u32 + 1) as usize;
            self.swap_active(k, other);
        }
        if (0..self.active_len).any(|k| self.items[self.active[k] as usize].len == 0) {
            return false;
        }
        for k in 0..self.active_len {
            if self.items[self.active[k] as usize].len == 1 {
                self.forced.push(self.active[k]);
            }
        }
        let mut is_given = vec![false; self.option_count()];
        for option in given {
            if std::mem::replace(&mut is_given[option.index()], true) {
                continue;
            }
            let option = option.index() as u32;
            if !self.is_open[option as usize] || self.take(option).is_err() {
                return false;
            }
        }
        true
    }

    /// Returns a number below `bound` (xorshift).
    fn random_below(&mut self, bound: u32) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (((self.random >> 32) * u64::from(bound)) >> 32) as u32
    }

    fn swap_active(&mut self, a: usize, b: usize) {
        self.active.swap(a, b);
        self.active_places[self.active[a] as usize] = a as u32;
        self.active_places[self.active[b] as usize] = b as u32;
    }

    /// Chooses the option to take next: of the active item with the fewest options for its weight.
    pub(super) fn choose(&mut self) -> Option<u32> {
        let (mut best, mut least, mut weight) = (NONE, f32::INFINITY, 1.0);
        for &item in &self.active[..self.active_len] {
            let candidate = &self.items[item as usize];
            if candidate.len as f32 * weight < least * candidate.weight {
                (best, least, weight) = (item, candidate.len as f32, candidate.weight);
            }
        }
        if best == NONE {
            return None;
        }
        let last = self.last[best as usize];
        if last != NONE && self.is_open[last as usize] {
            return Some(last);
        }
        let Item { start, len, .. } = self.items[best as usize];
        let place = start + self.random_below(len);
        Some(self.options_of[self.members[place as usize] as usize])
    }

    /// Covers the items that have a single option left, and those that come of it.
    pub(super) fn propagate(&mut self) -> Result<(), DeadEnd> {
        while let Some(item) = self.forced.pop() {
            let Item { start, is_active, .. } = self.items[item as usize];
            if is_active {
                let option = self.options_of[self.members[start as usize] as usize];
                self.take(option)?;
            }
        }
        Ok(())
    }

    /// Takes `option`, which is open: covers its items and removes the options that conflict with it.
    pub(super) fn take(&mut self, option: u32) -> Result<(), DeadEnd> {
        let (start, end) = (self.starts[option as usize], self.starts[option as usize + 1]);
        let covered = self.trail.len();
        self.trail.push(Change::Taken(option));
        for record in start..end {
            let item = self.items_of[record as usize];
            let state = &mut self.items[item as usize];
            if !state.is_active {
                continue;
            }
            state.is_active = false;
            self.trail.push(Change::Covered(record));
            if state.is_primary {
                self.last[item as usize] = option;
                self.active_len -= 1;
                self.swap_active(self.active_places[item as usize] as usize, self.active_len);
            }
        }
        for k in covered + 1..self.trail.len() {
            let Change::Covered(record) = self.trail[k] else {
                break;
            };
            let Item { start, len, .. } = self.items[self.items_of[record as usize] as usize];
            let color = self.color(record);
            for place in start..start + len {
                let rival = self.members[place as usize];
                let other = self.options_of[rival as usize];
                let is_compatible = other == option || color != 0 && self.color(rival) == color;
                if !is_compatible && self.is_open[other as usize] {
                    self.leave(other)?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn color(&self, record: u32) -> u32 {
        self.colors.get(record as usize).copied().unwrap_or(0)
    }

    /// Leaves `option`, which is open.
    ///
    /// It is removed from the sets of all its active items, even at a dead end, so that it can be undone.
    pub(super) fn leave(&mut self, option: u32) -> Result<(), DeadEnd> {
        self.is_open[option as usize] = false;
        self.trail.push(Change::Removed(option));
        let (start, end) = (self.starts[option as usize], self.starts[option as usize + 1]);
        let mut result = Ok(());
        for record in start..end {
            let item = self.items_of[record as usize];
            let state = &mut self.items[item as usize];
            if !state.is_active {
                continue;
            }
            state.len -= 1;
            self.updates += 1;
            let (place, last) = (self.places[record as usize], state.start + state.len);
            let moved = self.members[last as usize];
            self.members[place as usize] = moved;
            self.places[moved as usize] = place;
            self.members[last as usize] = record;
            self.places[record as usize] = last;
            if state.len <= 1 && state.is_primary {
                if state.len == 1 {
                    self.forced.push(item);
                } else {
                    state.weight += 1.0;
                    result = Err(DeadEnd);
                }
            }
        }
        result
    }

    /// Undoes all changes after the first `len`.
    pub(super) fn undo(&mut self, len: usize) {
        self.forced.clear();
        while self.trail.len() > len {
            match self.trail.pop() {
                Some(Change::Removed(option)) => {
                    self.is_open[option as usize] = true;
                    let (start, end) = (self.starts[option as usize], self.starts[option as usize + 1]);
                    for record in start..end {
                        let state = &mut self.items[self.items_of[record as usize] as usize];
                        state.len += u32::from(state.is_active);
                    }
                }
                Some(Change::Covered(record)) => {
                    let state = &mut self.items[self.items_of[record as usize] as usize];
                    state.is_active = true;
                    self.active_len += usize::from(state.is_primary);
                }
                Some(Change::Taken(_)) | None => {}
            }
        }
    }

    /// Lists the options taken, in order.
    pub(super) fn list_taken(&self, cover: &mut Vec<OptionId>) {
        cover.clear();
        for change in &self.trail {
            if let &Change::Taken(option) = change {
                cover.push(OptionId::new(option as usize));
            }
        }
    }
}

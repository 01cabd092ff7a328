//! Reduces a problem with given options to an equivalent smaller one, and keeps the mapping back.
//!
//! The given options are chosen, and options in conflict with them are removed. The following rules
//! run until no rule applies or the work limit is reached:
//! - An item with no more options than its lower bound forces all of them.
//! - A secondary item is dropped if it can no longer cause a conflict: it has one option, or the
//!   same color everywhere, or all its options share another item that admits only one of them.
//! - Of items with the same options, one is kept, with the bounds of all.
//! - Of options with the same items, one is kept and represents all, unless a cover may contain two
//!   of them.
//! - If no item has bounds, an option is removed if it conflicts with all options of an item that
//!   it does not cover (blocking).
//!
//! Knuth's blocking commits each option in turn. This rule exchanges the loops of Knuth's blocking:
//! for each item, it finds the options in conflict with all options of the item. An item is checked
//! again only after it lost options. In a large problem, blocking stops as soon as it removes too
//! few options for its work. The rule also applies to an item whose options are a subset of another
//! item's: all other options of the larger set conflict with those of the smaller set.
//!
//! Source: Knuth, TAOCP 7.2.2.1, Algorithm P (forcing and blocking); the other rules are folklore
//! of set covering.
//!
//! Invariants: a cover that contains the given options consists of one option of each chosen group,
//! and one option of the group of each option in a cover of the reduced problem. The covers that
//! contain the given options and these combinations correspond one to one. A remaining option keeps
//! a primary item, because a primary item is dropped only for another item with the same options.
//!
//! Tried and dropped: blocking with bounds (more nodes on the partridge puzzle); marking and
//! intersecting the conflicts of each option of an item instead of testing the remaining candidates
//! (more work); a four times higher work limit (costs as much as it saves).

use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, Color, Entry, Groups, ItemId, OptionId, Problem};
use crate::numbers::split_mix;

/// Default work limit of the rules per entry, and work of a pass without blocking per entry, in
/// steps of one or two nanoseconds.
const STEPS_PER_ENTRY: u64 = 64;
/// Work limit of thorough reductions per entry, in steps; usually enough until no rule applies.
pub(super) const THOROUGH: u64 = 1024;
const STEPS_PER_PASS: u64 = 8;
/// Blocking is judged once it took this part of the work limit, and at least this many steps (about
/// a millisecond). From then on it must remove at least one option in `WORTH` per part of the work.
const PROBE_PART: u64 = 20;
const PROBE_MIN: u64 = 1 << 19;
const WORTH: u64 = 128;

/// Approximate time per listed entry or step, and per compared entry of two options (ns).
const ENTRY_WORK: u64 = 4;
const TWIN_WORK: u64 = 40;

const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Reduction<'p> {
    problem: &'p Problem,
    items: Vec<Item>,
    /// The options, except the given ones and those in conflict with them.
    options: Vec<Live>,
    /// The entries of all options, one option after another, with color numbers (0 for no color).
    entries: Vec<(ItemId, u32)>,
    /// Item `i` has the options `lists[starts[i]..starts[i + 1]]`, each with its color number for
    /// the item.
    starts: Vec<u32>,
    lists: Vec<(u32, u32)>,
    chosen: Vec<u32>,
    forcing: Vec<ItemId>,
    is_dead: bool,
    /// Per option, the number of the last conflict search that reached it.
    met: Vec<u32>,
    /// Per item, the number of the last conflict search that marked it, and its color number there.
    marks: Vec<(u32, u32)>,
    walk: u32,
    pub(crate) tally: Tally,
}

/// The number of options or items affected by each reduction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) given: usize,
    pub(crate) forced: usize,
    /// Options in conflict with given or forced options, or with all options of an item.
    pub(crate) removed: usize,
    pub(crate) twins: usize,
    pub(crate) dropped: usize,
}

/// An item with its remaining bounds, which are 0 and 1 for a secondary item.
#[derive(Clone, Copy, Debug)]
struct Item {
    low: u32,
    high: u32,
    len: u32,
    /// Value of `len` at the last blocking check of the item; 0 if never checked.
    checked_len: u32,
    is_primary: bool,
    /// Whether the item still matters. Entries of an item that is not open are ignored.
    is_open: bool,
}

/// An option that does not conflict with the given options.
#[derive(Clone, Copy, Debug)]
struct Live {
    origin: OptionId,
    start: u32,
    end: u32,
    is_left: bool,
    twin: u32,
}

/// Reduces `problem` with the options of `given` chosen. Returns `None` if it then has no cover.
///
/// # Errors
/// The limit that was reached.
///
/// # Panics
/// If an option of `given` does not belong to the problem.
pub(crate) fn reduce<'p>(
    problem: &'p Problem,
    given: &[OptionId],
    limits: &Limits,
) -> Result<Option<Reduction<'p>>, Limit> {
    reduce_within(problem, given, STEPS_PER_ENTRY, limits)
}

/// Reduces like [`reduce`], with the work limit `steps_per_entry`.
///
/// # Errors The errors of [`reduce`].
pub(super) fn reduce_within<'p>(
    problem: &'p Problem,
    given: &[OptionId],
    steps_per_entry: u64,
    limits: &Limits,
) -> Result<Option<Reduction<'p>>, Limit> {
    let mut pace = Pace::new(limits);
    let Some(mut reduction) = Reduction::new(problem, given, &mut pace)? else {
        return Ok(None);
    };
    reduction.force(&mut pace)?;
    let size = reduction.lists.len() as u64;
    let mut steps = size * steps_per_entry;
    let probe = (steps / PROBE_PART).max(PROBE_MIN);
    while !reduction.is_dead {
        let before = reduction.tally;
        steps = steps.saturating_sub(size * STEPS_PER_PASS);
        reduction.drop_settled(&mut steps, &mut pace)?;
        reduction.merge_items(&mut pace)?;
        reduction.merge_options(&mut pace)?;
        reduction.force(&mut pace)?;
        reduction.remove_hopeless(&mut steps, probe, &mut pace)?;
        reduction.force(&mut pace)?;
        let Tally { forced, removed, .. } = reduction.tally;
        if (forced, removed) == (before.forced, before.removed) || steps == 0 {
            break;
        }
    }
    Ok((!reduction.is_dead).then_some(reduction))
}

impl<'p> Reduction<'p> {
    /// Chooses the given options, and collects the options that do not conflict with them.
    fn new(
        problem: &'p Problem,
        given: &[OptionId],
        pace: &mut Pace<'_>,
    ) -> Result<Option<Self>, Limit> {
        let item = |item| match problem.bounds(item) {
            Some(Bounds { low, high }) => {
                Item { low, high, len: 0, checked_len: 0, is_primary: true, is_open: high > 0 }
            }
            None => Item { low: 0, high: 1, len: 0, checked_len: 0, is_primary: false, is_open: true },
        };
        let mut items: Vec<Item> = problem.items().map(item).collect();
        let mut is_given = vec![false; if given.is_empty() { 0 } else { problem.option_count() }];
        let mut colors: Vec<Option<Color>> = Vec::new();
        let mut given_count = 0;
        for &option in given {
            if std::mem::replace(&mut is_given[option.index()], true) {
                continue;
            }
            given_count += 1;
            for entry in problem.option(option) {
                let item = &mut items[entry.item.index()];
                if item.is_primary {
                    item.low = item.low.saturating_sub(1);
                    let Some(high) = item.high.checked_sub(1) else {
                        return Ok(None);
                    };
                    item.high = high;
                    item.is_open = item.high > 0;
                } else {
                    colors.resize(problem.item_count(), None);
                    let color = &mut colors[entry.item.index()];
                    if !item.is_open && (color.is_none() || *color != entry.color) {
                        return Ok(None);
                    }
                    (*color, item.is_open) = (entry.color, false);
                }
            }
        }
        let mut this = Self {
            problem,
            items,
            options: Vec::with_capacity(problem.option_count()),
            entries: Vec::with_capacity(problem.entry_count()),
            starts: Vec::new(),
            lists: Vec::new(),
            chosen: Vec::new(),
            forcing: Vec::new(),
            is_dead: false,
            met: Vec::new(),
            marks: Vec::new(),
            walk: 0,
            tally: Tally { given: given_count, ..Tally::default() },
        };
        for option in problem.options() {
            pace.spend(ENTRY_WORK * problem.option(option).len() as u64)?;
            if given_count == 0 || !is_given[option.index()] {
                this.collect(option, &colors);
            }
        }
        this.list(pace)?;
        Ok(Some(this))
    }

    fn collect(&mut self, origin: OptionId, colors: &[Option<Color>]) {
        let start = self.entries.len();
        let mut is_idle = true;
        for entry in self.problem.option(origin) {
            let item = self.items[entry.item.index()];
            if item.is_open {
                is_idle &= !item.is_primary;
                self.entries.push((entry.item, entry.color.map_or(0, Color::number)));
            } else if item.is_primary
                || entry.color.is_none()
                || entry.color != colors[entry.item.index()]
            {
                self.entries.truncate(start);
                self.tally.removed += 1;
                return;
            }
        }
        if is_idle {
            self.entries.truncate(start);
            return;
        }
        for &(item, _) in &self.entries[start..] {
            self.items[item.index()].len += 1;
        }
        let [start, end] = [start, self.entries.len()].map(|place| place as u32);
        self.options.push(Live { origin, start, end, is_left: true, twin: NONE });
    }

    fn list(&mut self, pace: &mut Pace<'_>) -> Result<(), Limit> {
        let mut end = 0;
        self.starts.reserve(self.items.len() + 1);
        for (index, item) in self.items.iter().enumerate() {
            end += item.len;
            self.starts.push(end);
            self.is_dead |= item.len < item.low;
            if item.is_open && item.low > 0 && item.len == item.low {
                self.forcing.push(ItemId::new(index));
            }
        }
        self.starts.push(end);
        self.lists.resize(self.entries.len(), (0, 0));
        for (place, option) in self.options.iter().enumerate().rev() {
            pace.spend(ENTRY_WORK * u64::from(option.end - option.start))?;
            for &(item, color) in &self.entries[option.start as usize..option.end as usize] {
                let start = &mut self.starts[item.index()];
                *start -= 1;
                self.lists[*start as usize] = (place as u32, color);
            }
        }
        self.met.resize(self.options.len(), 0);
        self.marks.resize(self.items.len(), (0, 0));
        Ok(())
    }

    fn entries(&self, place: u32) -> impl Iterator<Item = (ItemId, u32)> + '_ {
        let Live { start, end, .. } = self.options[place as usize];
        let entries = self.entries[start as usize..end as usize].iter().copied();
        entries.filter(|&(item, _)| self.items[item.index()].is_open)
    }

    fn list_of(&self, item: ItemId) -> impl Iterator<Item = (u32, u32)> + '_ {
        let [start, end] = [0, 1].map(|more| self.starts[item.index() + more] as usize);
        let list = self.lists[start..end].iter().copied();
        list.filter(|&(place, _)| self.options[place as usize].is_left)
    }

    fn range(&self, place: u32) -> std::ops::Range<usize> {
        let Live { start, end, .. } = self.options[place as usize];
        start as usize..end as usize
    }

    fn force(&mut self, pace: &mut Pace<'_>) -> Result<(), Limit> {
        while let Some(item) = self.forcing.pop() {
            // Removed options are never restored, so the scan continues from here.
            let mut next = self.starts[item.index()] as usize;
            while !self.is_dead {
                let Item { low, len, is_open, .. } = self.items[item.index()];
                if !is_open || low == 0 {
                    break;
                }
                debug_assert_eq!(
                    len, low,
                    "an item that forces its options goes on until it is covered"
                );
                while !self.options[self.lists[next].0 as usize].is_left {
                    next += 1;
                }
                self.choose(self.lists[next].0, pace)?;
            }
        }
        Ok(())
    }

    fn choose(&mut self, place: u32, pace: &mut Pace<'_>) -> Result<(), Limit> {
        self.chosen.push(place);
        self.tally.forced += 1;
        self.options[place as usize].is_left = false;
        let mut closed = Vec::new();
        for index in self.range(place) {
            let (item, color) = self.entries[index];
            let state = &mut self.items[item.index()];
            if !state.is_open {
                continue;
            }
            state.len -= 1;
            state.low = state.low.saturating_sub(1);
            state.high -= u32::from(state.is_primary || color == 0);
            if state.high == 0 || color != 0 {
                state.is_open = false;
                closed.push((item, color));
            }
        }
        for (item, color) in closed {
            for index in self.starts[item.index()] as usize..self.starts[item.index() + 1] as usize {
                let (other, its_color) = self.lists[index];
                if self.options[other as usize].is_left && (color == 0 || color != its_color) {
                    pace.spend(ENTRY_WORK * self.range(other).len() as u64)?;
                    self.remove(other);
                    self.tally.removed += 1;
                }
            }
        }
        Ok(())
    }

    /// Removes an option that is in no cover, or that another option represents.
    fn remove(&mut self, place: u32) {
        self.options[place as usize].is_left = false;
        for index in self.range(place) {
            let (item, _) = self.entries[index];
            let state = &mut self.items[item.index()];
            if state.is_open {
                state.len -= 1;
                self.is_dead |= state.len < state.low;
                if state.low > 0 && state.len == state.low {
                    self.forcing.push(item);
                }
            }
        }
    }

    fn open_items(&self) -> Vec<ItemId> {
        let is_open =
            |item: &ItemId| self.items[item.index()].is_open && self.items[item.index()].len > 0;
        (0..self.items.len()).map(ItemId::new).filter(is_open).collect()
    }

    fn drop_settled(&mut self, steps: &mut u64, pace: &mut Pace<'_>) -> Result<(), Limit> {
        for item in self.open_items() {
            let before = *steps;
            if !self.items[item.index()].is_primary && self.is_settled(item, steps) {
                self.items[item.index()].is_open = false;
                self.tally.dropped += 1;
            }
            pace.spend(self.list_len(item) + ENTRY_WORK * (before - *steps))?;
        }
        Ok(())
    }

    fn list_len(&self, item: ItemId) -> u64 {
        u64::from(self.starts[item.index() + 1] - self.starts[item.index()])
    }

    fn is_settled(&self, item: ItemId, steps: &mut u64) -> bool {
        let len = self.items[item.index()].len;
        let (first, color) = self.list_of(item).next().expect("an open item is in an option");
        if len == 1 || (color != 0 && self.list_of(item).all(|(_, its_color)| its_color == color)) {
            return true;
        }
        // An item of the first option that admits only one of the options of `item`.
        let admits_one = |&(other, color): &(ItemId, u32)| {
            let Item { high, len: more, .. } = self.items[other.index()];
            other != item && high == 1 && color == 0 && more >= len
        };
        self.entries(first).filter(admits_one).any(|(other, _)| {
            self.list_of(item).all(|(place, _)| {
                *steps = steps.saturating_sub(2);
                *steps > 0 && self.entries(place).any(|entry| entry == (other, 0))
            })
        })
    }

    fn merge_items(&mut self, pace: &mut Pace<'_>) -> Result<(), Limit> {
        let mut keys = Vec::new();
        for item in self.open_items() {
            pace.spend(ENTRY_WORK * self.list_len(item))?;
            let hash = self.list_of(item).fold(0_u64, |sum, entry| sum.wrapping_add(mix(entry)));
            keys.push((hash, !self.items[item.index()].is_primary, item));
        }
        keys.sort_unstable();
        for pair in 1..keys.len() {
            // Primary items sort first, so `kept` is primary if either item is.
            let [(hash, _, kept), (its_hash, _, item)] = [keys[pair - 1], keys[pair]];
            if hash != its_hash || !self.list_of(kept).eq(self.list_of(item)) {
                continue;
            }
            pace.spend(ENTRY_WORK * self.list_len(item))?;
            let Item { low, high, .. } = self.items[item.index()];
            self.items[item.index()].is_open = false;
            self.tally.dropped += 1;
            let state = &mut self.items[kept.index()];
            (state.low, state.high) = (state.low.max(low), state.high.min(high));
            self.is_dead |= state.low > state.high || state.low > state.len;
            if state.low > 0 && state.len == state.low {
                self.forcing.push(kept);
            }
            keys[pair].2 = kept;
        }
        Ok(())
    }

    /// Merges options with the same entries and cost, if no cover contains two of them. Options are
    /// sorted by a hash of their entries, and neighbors are compared.
    fn merge_options(&mut self, pace: &mut Pace<'_>) -> Result<(), Limit> {
        let mut keys = Vec::new();
        for place in
            (0..self.options.len() as u32).filter(|&place| self.options[place as usize].is_left)
        {
            pace.spend(ENTRY_WORK * self.range(place).len() as u64)?;
            let add = |sum: u64, (item, color): (ItemId, u32)| {
                sum.wrapping_add(mix((item.index() as u32, color)))
            };
            keys.push((self.entries(place).fold(0, add), place));
        }
        keys.sort_unstable();
        let mut last = NONE;
        for pair in 1..keys.len() {
            let [(hash, kept), (its_hash, place)] = [keys[pair - 1], keys[pair]];
            if hash == its_hash && self.are_twins(kept, place) {
                pace.spend(TWIN_WORK * self.range(place).len() as u64)?;
                // Find the end of the chain of `kept`, unless the previous option was just appended
                // to it.
                if last == NONE {
                    last = kept;
                    while self.options[last as usize].twin != NONE {
                        last = self.options[last as usize].twin;
                    }
                }
                self.options[last as usize].twin = place;
                while self.options[last as usize].twin != NONE {
                    last = self.options[last as usize].twin;
                }
                self.remove(place);
                self.tally.twins += 1;
                keys[pair].1 = kept;
            } else {
                last = NONE;
            }
        }
        Ok(())
    }

    fn are_twins(&self, option: u32, other: u32) -> bool {
        let cost = |place: u32| self.problem.cost(self.options[place as usize].origin);
        let sorted = |place: u32| {
            let mut entries: Vec<_> = self.entries(place).collect();
            entries.sort_unstable();
            entries
        };
        let excludes = |(item, color): (ItemId, u32)| self.items[item.index()].high == 1 && color == 0;
        cost(option) == cost(other)
            && self.entries(option).any(excludes)
            && sorted(option) == sorted(other)
    }

    /// Removes the options that conflict with all options of an item that they do not cover. Stops
    /// and sets `steps` to 0 if `probe` steps or more removed too few options.
    fn remove_hopeless(
        &mut self,
        steps: &mut u64,
        probe: u64,
        pace: &mut Pace<'_>,
    ) -> Result<(), Limit> {
        if self.problem.has_bounds() {
            return Ok(());
        }
        // Without bounds, no primary item may be covered twice, so options with a common primary
        // item conflict.
        let mut items = self.open_items();
        items.retain(|item| self.items[item.index()].is_primary);
        // An item with fewer options is more likely to have an option in conflict with all of them.
        items.sort_by_key(|item| self.items[item.index()].len);
        let mut hopeless = Vec::new();
        let (steps_before, removed_before) = (*steps, self.tally.removed);
        for item in items {
            let parts = (steps_before - *steps) / probe;
            let removed = (self.tally.removed - removed_before) as u64;
            if removed * WORTH < parts * self.options.len() as u64 {
                *steps = 0;
            }
            if *steps == 0 || self.is_dead {
                return Ok(());
            }
            // Only an item that lost options can give new results.
            let state = &mut self.items[item.index()];
            if !state.is_open || state.checked_len == state.len {
                continue;
            }
            state.checked_len = state.len;
            let before = *steps;
            self.find_hopeless(item, &mut hopeless, steps);
            pace.spend(ENTRY_WORK * (before - *steps))?;
            for place in hopeless.drain(..) {
                if self.options[place as usize].is_left {
                    pace.spend(ENTRY_WORK * self.range(place).len() as u64)?;
                    self.remove(place);
                    self.tally.removed += 1;
                }
            }
        }
        Ok(())
    }

    /// Finds the options in conflict with all options of `item`. If the work limit is reached,
    /// finds no options.
    fn find_hopeless(&mut self, item: ItemId, found: &mut Vec<u32>, steps: &mut u64) {
        let [start, end] = [0, 1].map(|more| self.starts[item.index() + more] as usize);
        let mut is_first = true;
        for index in start..end {
            let (place, _) = self.lists[index];
            if !self.options[place as usize].is_left {
                continue;
            }
            if is_first {
                self.find_conflicts(place, item, found, steps);
            } else {
                self.keep_conflicts(place, item, found, steps);
            }
            is_first = false;
            if *steps == 0 {
                found.clear();
            }
            if found.is_empty() {
                return;
            }
        }
    }

    /// Lists the options in conflict with `option` at items other than `except`.
    fn find_conflicts(&mut self, option: u32, except: ItemId, found: &mut Vec<u32>, steps: &mut u64) {
        self.walk += 1;
        self.met[option as usize] = self.walk;
        for entry in self.range(option) {
            let (item, color) = self.entries[entry];
            if item == except || !self.items[item.index()].is_open {
                continue;
            }
            let [start, end] = [0, 1].map(|more| self.starts[item.index() + more] as usize);
            *steps = steps.saturating_sub((end - start) as u64);
            for &(other, its_color) in &self.lists[start..end] {
                let is_new = self.met[other as usize] != self.walk;
                if is_new && (color == 0 || color != its_color) && self.options[other as usize].is_left
                {
                    self.met[other as usize] = self.walk;
                    found.push(other);
                }
            }
        }
    }

    /// Keeps the options of `found` that conflict with `option`, but not `option` itself.
    fn keep_conflicts(&mut self, option: u32, except: ItemId, found: &mut Vec<u32>, steps: &mut u64) {
        self.walk += 1;
        for entry in self.range(option) {
            let (item, color) = self.entries[entry];
            if item != except && self.items[item.index()].is_open {
                self.marks[item.index()] = (self.walk, color);
            }
        }
        found.retain(|&other| {
            let in_conflict = |&(item, its_color): &(ItemId, u32)| {
                let (walk, color) = self.marks[item.index()];
                walk == self.walk && (color == 0 || color != its_color)
            };
            let entries = &self.entries[self.range(other)];
            *steps = steps.saturating_sub(entries.len() as u64);
            other != option && entries.iter().any(in_conflict)
        });
    }

    /// Returns whether the reduction is too small to justify a copy of the problem.
    pub(crate) fn is_slight(&self) -> bool {
        let Tally { given, forced, removed, twins, dropped } = self.tally;
        let is_few = |gone: usize, all: usize| gone * 64 < all || gone == 0;
        given == 0
            && is_few(forced + removed + twins, self.problem.option_count())
            && is_few(dropped, self.problem.item_count())
    }

    pub(crate) fn left(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.options.len() as u32).filter(|&place| self.options[place as usize].is_left)
    }

    pub(crate) fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    /// Returns the remaining items of an option, at least one.
    pub(crate) fn items_of(&self, place: u32) -> impl Iterator<Item = ItemId> + '_ {
        self.entries(place).map(|(item, _)| item)
    }

    /// Returns the original options that an option represents, itself first.
    fn group(&self, place: u32) -> impl Iterator<Item = OptionId> + '_ {
        let next = |&place: &u32| Some(self.options[place as usize].twin).filter(|&twin| twin != NONE);
        std::iter::successors(Some(place), next).map(|place| self.options[place as usize].origin)
    }

    pub(crate) fn groups(&self, places: &[u32]) -> Groups {
        let mut groups = Groups::default();
        places.iter().for_each(|&place| groups.push(self.group(place)));
        groups
    }

    /// Builds the problem of the remaining `items` and `options`, both ascending. `numbers` has the
    /// index of each item in `items`.
    pub(crate) fn part(&self, items: &[ItemId], options: &[u32], numbers: &[u32]) -> Problem {
        let bounded = items.iter().map(|&item| {
            let Item { low, high, is_primary, .. } = self.items[item.index()];
            (item, is_primary.then_some(Bounds { low, high }))
        });
        let is_colored = |&place: &u32| self.entries(place).any(|(_, color)| color != 0);
        let mut part = self.problem.part(bounded, options.iter().any(is_colored));
        for &place in options {
            let entries = self.entries(place).map(|(item, color)| Entry {
                item: ItemId::new(numbers[item.index()] as usize),
                color: Color::from_number(color),
            });
            part.add_to_part(entries, self.problem.cost(self.options[place as usize].origin));
        }
        part
    }
}

/// Hashes an item or option and a color number. Sums of these hashes are compared before sets of
/// items.
fn mix((index, color): (u32, u32)) -> u64 {
    split_mix(u64::from(color) << 32 | u64::from(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_options_are_merged_across_passes() {
        // The first pass merges the options with `x:1`, and the options `a`. After `x` is dropped,
        // the next pass merges the two representatives.
        let text =
            format!("a b | x\n{}{}{}", "a x:1\n".repeat(500), "a\n".repeat(500), "b\n".repeat(3));
        let problem: Problem = text.parse().expect("a problem");
        let reduction = reduce(&problem, &[], &Limits::default()).expect("no limit").expect("covers");
        let all = reduction.groups(reduction.chosen());
        let mut sizes: Vec<usize> = all.iter().map(<[OptionId]>::len).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [3, 1000]);
        let mut members: Vec<OptionId> = all.iter().flatten().copied().collect();
        members.sort_unstable();
        assert!(members.iter().copied().eq(problem.options()), "each option is in one group");
    }

    #[test]
    fn merging_and_forcing_a_million_options_takes_linear_time() {
        let count = 1_000_000;
        let mut builder = crate::model::ProblemBuilder::new();
        let [once, many] = ["once", "many"].map(|name| match name {
            "once" => builder.primary(name).expect("a name"),
            _ => builder.bounded(name, count, count).expect("a name"),
        });
        for _ in 0..count {
            builder.option([once]).expect("room");
        }
        for _ in 0..count {
            builder.option([many]).expect("room");
        }
        let problem = builder.build();
        let reduction = reduce(&problem, &[], &Limits::default()).expect("no limit").expect("covers");
        assert_eq!(reduction.tally.twins, count as usize - 1);
        assert_eq!(reduction.chosen().len(), count as usize + 1);
    }

    #[test]
    fn options_of_different_cost_are_not_merged() {
        let twins = |text: &str| {
            let problem: Problem = text.parse().unwrap();
            reduce(&problem, &[], &Limits::default()).expect("no limit").expect("covers").tally.twins
        };
        assert_eq!(twins("a b\na |1\na |2\nb\na b\n"), 0);
        assert_eq!(twins("a b\na |2\na |2\nb\na b\n"), 1);
    }

    #[test]
    fn blocking_stops_exactly_if_it_removes_too_few_options_for_its_work() {
        // All triples of 20 items: no option conflicts with all options of another item.
        let triples = (0..20).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| [a, b, c])));
        let triples = Problem::from_sets(20, triples).expect("sets");
        // In each group of three items, the option of the last two conflicts with both options of
        // the first.
        let groups = (0..100).map(|group| 3 * group).flat_map(|x| {
            [vec![x, x + 1], vec![x, x + 2], vec![x + 1, x + 2], vec![x + 1], vec![x + 2]]
        });
        let groups = Problem::from_sets(300, groups).expect("sets");
        for (problem, probe, stops, removed) in
            [(&triples, 500, true, 0), (&triples, u64::MAX, false, 0), (&groups, 500, false, 100)]
        {
            let limits = Limits::default();
            let mut pace = Pace::new(&limits);
            let reduction = Reduction::new(problem, &[], &mut pace).expect("no limit");
            let mut reduction = reduction.expect("no option is given");
            let mut steps = 1 << 40;
            reduction.remove_hopeless(&mut steps, probe, &mut pace).expect("no limit");
            assert_eq!((steps == 0, reduction.tally.removed), (stops, removed), "{probe}");
        }
    }

    #[test]
    fn a_deadline_ends_a_reduction() {
        let problem: Problem = "a b\na\nb\na b\n".parse().expect("a problem");
        let limits = Limits::default().within(std::time::Duration::ZERO);
        assert_eq!(reduce(&problem, &[], &limits).err(), Some(Limit::Time));
    }
}

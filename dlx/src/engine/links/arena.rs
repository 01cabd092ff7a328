//! The arena of dancing links: records, item headers, and the operations that remove and restore.
//!
//! Layout: record `i` of the first `n + 1` is the header of item `i` (items count from 1 here; 0 is
//! the root of the list of active items). Then come the options one behind the other, each a run of
//! records, one an item, with a *spacer* before and after. A spacer has item 0, `up` is the first
//! record of the option before it, `down` the last of the option behind it, so a walk through an
//! option that steps on a spacer is sent round.
//!
//! Invariants: `up` and `down` are inverse on the records of a list; the `len` of an item is the
//! number of records in its list; each operation is undone by its namesake in exact reverse.
//! [`Arena::is_at_rest`] checks all of it between searches.
//!
//! Source: Knuth, TAOCP 7.2.2.1, (11)-(16) for cover and hide, (50)-(57) for colors, and (69)-(72)
//! for tweaks. Unlike there, tweaked records are restored in exact reverse.
//!
//! Bounds checks cost 24-32 % of the instructions of Algorithm X, so the two accessors below leave
//! them out. Built with `--cfg checked` (or debug assertions) they are back, and the tests run so.
#![allow(unsafe_code, reason = "unchecked access to records and items: a third of the instructions")]

use bitvec::prelude::{BitVec, Lsb0};

use crate::{Bounds, Color, OptionId, Problem};

/// A record of the arena: one item of one option, a header, or a spacer.
///
/// Only this module makes ids, each within the arena that it is made for, and none leaves the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct RecordId(u32);

/// An item of the arena, counted from 1; 0 is the root of the list of active items.
///
/// Made like [`RecordId`] and valid for the same reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct ItemNo(u32);

const ROOT: ItemNo = ItemNo(0);

/// The color of a record whose item was purified to that very color: it is no longer hidden.
const PURIFIED: u32 = u32::MAX;

/// Keeps the length of a list that may be empty without harm away from 0.
const NEVER_EMPTY: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C)]
struct Record {
    /// The item; in a spacer 0.
    item: ItemNo,
    up: RecordId,
    down: RecordId,
    /// The color's number, 0 for none, or `PURIFIED`. In a header the color to which the item is
    /// purified, in a spacer the number of the option before it.
    color: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C)]
struct Item {
    /// The neighbors in the list of active items; itself where the item is never active.
    left: ItemNo,
    right: ItemNo,
    /// Records in the item's list, plus `NEVER_EMPTY` for an item that is never active.
    len: u32,
    /// How often the item may still be covered. For a secondary item it stays 1.
    bound: u32,
}

const _: () = assert!(size_of::<Record>() == 16, "four records fill a cache line");
const _: () = assert!(size_of::<Item>() == 16, "four items fill a cache line");

#[derive(Clone, Debug)]
pub(super) struct Arena {
    records: Vec<Record>,
    items: Vec<Item>,
    /// The bounds of each item, by `ItemNo`; once and only once for a secondary item.
    bounds: Vec<Bounds>,
    /// The first record of each option.
    first: Vec<RecordId>,
    /// The options whose records are in lists: those that a search may choose.
    listed: BitVec<u64, Lsb0>,
    /// How often the options in hand ask for each item, or in which color (complemented); all zero
    /// except within `fits`.
    asked: Vec<u32>,
    /// Records unlinked from lists and items covered, since the last reset.
    pub(super) updates: u64,
    /// Active items with an empty list, each of which is a dead end unless it may stay uncovered.
    empty_count: u32,
}

impl Arena {
    pub(super) fn new(problem: &Problem) -> Self {
        let item_count = problem.item_count();
        let record_count = item_count + 2 + problem.entry_count() + problem.option_count();
        let mut arena = Self {
            records: Vec::with_capacity(record_count),
            items: Vec::with_capacity(item_count + 1),
            bounds: Vec::with_capacity(item_count + 1),
            first: Vec::with_capacity(problem.option_count()),
            listed: BitVec::with_capacity(problem.option_count()),
            asked: vec![0; item_count + 1],
            updates: 0,
            empty_count: 0,
        };
        arena.push_item(None);
        for item in problem.items() {
            arena.push_item(problem.bounds(item));
        }
        arena.push(ROOT, 0);
        for option in problem.options() {
            arena.push_option(problem, option);
        }
        arena.empty_count = arena.count_empty();
        arena
    }

    /// Counts the items whose lists are empty, at rest.
    fn count_empty(&self) -> u32 {
        self.items[1..].iter().filter(|item| item.len == 0).count() as u32
    }

    /// Appends a record that is linked to nothing but itself.
    fn push(&mut self, item: ItemNo, color: u32) -> RecordId {
        let id = RecordId(u32::try_from(self.records.len()).expect("the problem checked its size"));
        self.records.push(Record { item, up: id, down: id, color });
        id
    }

    /// Appends an item and its header; one that must or may be covered also to the active items.
    fn push_item(&mut self, bounds: Option<Bounds>) {
        let header = self.push(ROOT, 0);
        let item = ItemNo(header.0);
        self.records[header.index()].item = item;
        let is_active = bounds.is_some_and(|bounds| bounds.high > 0);
        let bounds = bounds.unwrap_or(Bounds::ONE);
        self.bounds.push(bounds);
        let len = if is_active { 0 } else { NEVER_EMPTY };
        self.items.push(Item { left: item, right: item, len, bound: bounds.high });
        if is_active {
            let last = self.items[0].left;
            self.items[header.index()].left = last;
            self.items[header.index()].right = ROOT;
            self.items[last.0 as usize].right = item;
            self.items[0].left = item;
        }
    }

    /// Appends the records of `option` and the spacer behind it.
    ///
    /// An option that cannot be chosen, for it has no primary item or one that may not be covered at
    /// all, is put in no list, so nothing ever meets it.
    fn push_option(&mut self, problem: &Problem, option: OptionId) {
        let before = RecordId(self.records.len() as u32 - 1);
        let entries = problem.option(option);
        let mut bounds = entries.iter().filter_map(|entry| problem.bounds(entry.item)).peekable();
        let is_listed = bounds.peek().is_some() && bounds.all(|bounds| bounds.high > 0);
        for entry in entries {
            let item = ItemNo(entry.item.index() as u32 + 1);
            let record = self.push(item, entry.color.map_or(0, Color::number));
            if is_listed {
                let last = self.record(item.header()).up;
                self.record_mut(record).up = last;
                self.record_mut(record).down = item.header();
                self.record_mut(last).down = record;
                self.record_mut(item.header()).up = record;
                self.item_mut(item).len += 1;
            }
        }
        let first = before.after();
        self.first.push(first);
        self.listed.push(is_listed);
        self.records[before.index()].down = RecordId(self.records.len() as u32 - 1);
        let spacer = self.push(ROOT, option.index() as u32);
        self.records[spacer.index()].up = first;
    }

    // The accessors.

    #[inline(always)]
    fn record(&self, id: RecordId) -> &Record {
        debug_assert!(id.index() < self.records.len(), "record ids stay within their arena");
        #[cfg(checked)]
        return &self.records[id.index()];
        // SAFETY: only `push` and `push_option` make record ids, as places of records that are then
        // pushed; the arena never shrinks, and an engine has one arena whose ids never leave it.
        #[cfg(not(checked))]
        unsafe {
            self.records.get_unchecked(id.index())
        }
    }

    #[inline(always)]
    fn record_mut(&mut self, id: RecordId) -> &mut Record {
        debug_assert!(id.index() < self.records.len(), "record ids stay within their arena");
        #[cfg(checked)]
        return &mut self.records[id.index()];
        // SAFETY: as in `record`.
        #[cfg(not(checked))]
        unsafe {
            self.records.get_unchecked_mut(id.index())
        }
    }

    #[inline(always)]
    fn item(&self, item: ItemNo) -> &Item {
        debug_assert!((item.0 as usize) < self.items.len(), "items stay within their arena");
        #[cfg(checked)]
        return &self.items[item.0 as usize];
        // SAFETY: item numbers are made by `push_item` and from the ids of the problem's items, one
        // for each that was pushed; the list never shrinks, and the numbers never leave the engine.
        #[cfg(not(checked))]
        unsafe {
            self.items.get_unchecked(item.0 as usize)
        }
    }

    #[inline(always)]
    fn item_mut(&mut self, item: ItemNo) -> &mut Item {
        debug_assert!((item.0 as usize) < self.items.len(), "items stay within their arena");
        #[cfg(checked)]
        return &mut self.items[item.0 as usize];
        // SAFETY: as in `item`.
        #[cfg(not(checked))]
        unsafe {
            self.items.get_unchecked_mut(item.0 as usize)
        }
    }

    // What the algorithm reads.

    /// Returns the next active item after `item`, or `None` after the last.
    #[inline]
    pub(super) fn next_active(&self, item: Option<ItemNo>) -> Option<ItemNo> {
        let next = self.item(item.unwrap_or(ROOT)).right;
        (next != ROOT).then_some(next)
    }

    /// Tells whether an active item has an empty list.
    #[inline]
    pub(super) fn has_empty(&self) -> bool {
        self.empty_count > 0
    }

    #[inline]
    pub(super) fn len(&self, item: ItemNo) -> u32 {
        self.item(item).len
    }

    #[inline]
    pub(super) fn bound(&self, item: ItemNo) -> u32 {
        self.item(item).bound
    }

    /// Returns the difference of the item's bounds.
    #[inline]
    pub(super) fn slack(&self, item: ItemNo) -> u32 {
        let Bounds { low, high } = self.bounds[item.0 as usize];
        high - low
    }

    #[inline]
    pub(super) fn down(&self, record: RecordId) -> RecordId {
        self.record(record).down
    }

    /// Returns the option of `record` by walking to the spacer behind it.
    pub(super) fn option_of(&self, record: RecordId) -> OptionId {
        let mut place = record;
        while self.record(place).item != ROOT {
            place = place.after();
        }
        OptionId::new(self.record(place).color as usize)
    }

    // Cover and hide: TAOCP 7.2.2.1, (12)-(15), (50)-(51).

    /// Removes the siblings of `record` from their lists.
    #[inline]
    fn hide<const COLORS: bool>(&mut self, record: RecordId) {
        let mut place = record.after();
        let (mut updates, mut emptied) = (0, 0);
        while place != record {
            let &Record { item, up, down, color } = self.record(place);
            if item == ROOT {
                place = up;
                continue;
            }
            if !COLORS || color != PURIFIED {
                self.record_mut(up).down = down;
                self.record_mut(down).up = up;
                let len = &mut self.item_mut(item).len;
                *len -= 1;
                emptied += u32::from(*len == 0);
                updates += 1;
            }
            place = place.after();
        }
        self.updates += updates;
        self.empty_count += emptied;
    }

    #[inline]
    fn unhide<const COLORS: bool>(&mut self, record: RecordId) {
        let mut place = record.before();
        let mut filled = 0;
        while place != record {
            let &Record { item, up, down, color } = self.record(place);
            if item == ROOT {
                place = down;
                continue;
            }
            if !COLORS || color != PURIFIED {
                self.record_mut(up).down = place;
                self.record_mut(down).up = place;
                let len = &mut self.item_mut(item).len;
                filled += u32::from(*len == 0);
                *len += 1;
            }
            place = place.before();
        }
        self.empty_count -= filled;
    }

    /// Removes `item` from the active items and every option in its list from the other lists.
    #[inline]
    pub(super) fn cover<const COLORS: bool>(&mut self, item: ItemNo) {
        let header = item.header();
        let mut record = self.record(header).down;
        while record != header {
            self.hide::<COLORS>(record);
            record = self.record(record).down;
        }
        self.deactivate(item);
        self.empty_count -= u32::from(self.item(item).len == 0);
        self.updates += 1;
    }

    #[inline]
    pub(super) fn uncover<const COLORS: bool>(&mut self, item: ItemNo) {
        self.empty_count += u32::from(self.item(item).len == 0);
        self.reactivate(item);
        let header = item.header();
        let mut record = self.record(header).up;
        while record != header {
            self.unhide::<COLORS>(record);
            record = self.record(record).up;
        }
    }

    /// Removes `item` from the list of active items. A secondary item is its own neighbor, so
    /// nothing happens to the list.
    #[inline]
    pub(super) fn deactivate(&mut self, item: ItemNo) {
        let &Item { left, right, .. } = self.item(item);
        self.item_mut(left).right = right;
        self.item_mut(right).left = left;
    }

    #[inline]
    pub(super) fn reactivate(&mut self, item: ItemNo) {
        let &Item { left, right, .. } = self.item(item);
        self.item_mut(left).right = item;
        self.item_mut(right).left = item;
    }

    // Colors: TAOCP 7.2.2.1, (52)-(57).

    /// Hides the options whose color of this item differs from that of `record`, and marks those
    /// that agree.
    fn purify(&mut self, record: RecordId) {
        let &Record { item, color, .. } = self.record(record);
        let header = item.header();
        self.record_mut(header).color = color;
        let mut place = self.record(header).down;
        while place != header {
            if self.record(place).color == color {
                self.record_mut(place).color = PURIFIED;
            } else {
                self.hide::<true>(place);
            }
            place = self.record(place).down;
        }
        self.updates += 1;
    }

    fn unpurify(&mut self, record: RecordId) {
        let &Record { item, color, .. } = self.record(record);
        let header = item.header();
        let mut place = self.record(header).up;
        while place != header {
            if self.record(place).color == PURIFIED {
                self.record_mut(place).color = color;
            } else {
                self.unhide::<true>(place);
            }
            place = self.record(place).up;
        }
        self.record_mut(header).color = 0;
    }

    // Choosing an option: each of its items is covered once more.

    /// Covers the item of `record` once more, or purifies it to the color of `record`.
    #[inline]
    fn commit<const COLORS: bool, const BOUNDS: bool>(&mut self, record: RecordId) {
        let &Record { item, color, .. } = self.record(record);
        if COLORS && color == PURIFIED {
            return;
        }
        if COLORS && color != 0 {
            self.purify(record);
        } else if !BOUNDS || self.take(item) == 0 {
            self.cover::<COLORS>(item);
        }
    }

    #[inline]
    fn uncommit<const COLORS: bool, const BOUNDS: bool>(&mut self, record: RecordId) {
        let &Record { item, color, .. } = self.record(record);
        if COLORS && color == PURIFIED {
            return;
        }
        if COLORS && color != 0 {
            self.unpurify(record);
        } else if !BOUNDS || self.give_back(item) == 1 {
            self.uncover::<COLORS>(item);
        }
    }

    /// Lowers the bound of `item` and returns what is left.
    #[inline]
    pub(super) fn take(&mut self, item: ItemNo) -> u32 {
        let bound = &mut self.item_mut(item).bound;
        debug_assert!(*bound > 0, "an active item can be covered once more");
        *bound -= 1;
        *bound
    }

    /// Raises the bound of `item` and returns it.
    #[inline]
    pub(super) fn give_back(&mut self, item: ItemNo) -> u32 {
        let bound = &mut self.item_mut(item).bound;
        *bound += 1;
        *bound
    }

    /// Commits the siblings of `record`, left to right.
    #[inline]
    pub(super) fn commit_siblings<const COLORS: bool, const BOUNDS: bool>(&mut self, record: RecordId) {
        let mut place = record.after();
        while place != record {
            if self.record(place).item == ROOT {
                place = self.record(place).up;
            } else {
                self.commit::<COLORS, BOUNDS>(place);
                place = place.after();
            }
        }
    }

    #[inline]
    pub(super) fn uncommit_siblings<const COLORS: bool, const BOUNDS: bool>(
        &mut self,
        record: RecordId,
    ) {
        let mut place = record.before();
        while place != record {
            if self.record(place).item == ROOT {
                place = self.record(place).down;
            } else {
                self.uncommit::<COLORS, BOUNDS>(place);
                place = place.before();
            }
        }
    }

    // Tweaks: TAOCP 7.2.2.1, (69)-(72). An item that is covered several times takes its options in
    // list order; each is removed for good before it is tried, so that no set is met twice.

    /// Removes the first record of the list of `item`; also from the other lists if `HIDE`.
    pub(super) fn tweak<const COLORS: bool, const HIDE: bool>(&mut self, item: ItemNo) {
        let header = item.header();
        let record = self.record(header).down;
        if HIDE {
            self.hide::<COLORS>(record);
        }
        let next = self.record(record).down;
        self.record_mut(header).down = next;
        self.record_mut(next).up = header;
        self.shorten(item);
        self.updates += 1;
    }

    /// Restores the records of `item` that were tweaked, from `first` on.
    pub(super) fn untweak<const COLORS: bool, const HIDE: bool>(
        &mut self,
        item: ItemNo,
        first: RecordId,
    ) {
        let header = item.header();
        let rest = self.record(header).down;
        // Forwards the `down` links are intact: mend the `up` links.
        self.record_mut(header).down = first;
        let (mut above, mut record) = (header, first);
        let mut count = 0;
        while record != rest {
            self.record_mut(record).up = above;
            count += 1;
            (above, record) = (record, self.record(record).down);
        }
        self.record_mut(rest).up = above;
        self.empty_count -= u32::from(count > 0 && self.item(item).len == 0);
        self.item_mut(item).len += count;
        // Backwards, the last one hidden is the first to return.
        while HIDE && above != header {
            self.unhide::<COLORS>(above);
            above = self.record(above).up;
        }
    }

    // Given options: forced before the search, without a level of their own.

    /// Tells whether the options go together and cover no item too often. To be asked at rest.
    pub(super) fn fits(&mut self, options: &[OptionId]) -> bool {
        let mut fits = true;
        self.for_each_record(options, |arena, record| {
            let &Record { item, color, .. } = arena.record(record);
            let asked = &mut arena.asked[item.0 as usize];
            if color == 0 {
                *asked += 1;
                fits &= *asked <= arena.items[item.0 as usize].bound;
            } else {
                fits &= *asked == 0 || *asked == color ^ PURIFIED;
                *asked = color ^ PURIFIED;
            }
        });
        self.for_each_record(options, |arena, record| {
            let item = arena.record(record).item;
            arena.asked[item.0 as usize] = 0;
        });
        fits
    }

    fn for_each_record(&mut self, options: &[OptionId], mut f: impl FnMut(&mut Self, RecordId)) {
        for option in options {
            let mut place = self.first[option.index()];
            while self.record(place).item != ROOT {
                f(self, place);
                place = place.after();
            }
        }
    }

    /// Chooses `option`, which must fit all that was chosen before.
    pub(super) fn force<const COLORS: bool, const BOUNDS: bool>(&mut self, option: OptionId) {
        let first = self.first[option.index()];
        if self.listed[option.index()] {
            self.unlink::<COLORS>(first);
            self.hide::<COLORS>(first);
        } else {
            // In no list, so `purify` could not mark its records.
            self.for_each_record(&[option], |arena, place| {
                let &Record { item, color, .. } = arena.record(place);
                if color != 0 && color == arena.record(item.header()).color {
                    arena.record_mut(place).color = PURIFIED;
                }
            });
        }
        self.commit::<COLORS, BOUNDS>(first);
        self.commit_siblings::<COLORS, BOUNDS>(first);
    }

    pub(super) fn unforce<const COLORS: bool, const BOUNDS: bool>(&mut self, option: OptionId) {
        let first = self.first[option.index()];
        self.uncommit_siblings::<COLORS, BOUNDS>(first);
        self.uncommit::<COLORS, BOUNDS>(first);
        if self.listed[option.index()] {
            self.unhide::<COLORS>(first);
            self.relink::<COLORS>(first);
        } else {
            self.for_each_record(&[option], |arena, place| {
                let &Record { item, color, .. } = arena.record(place);
                if color == PURIFIED {
                    arena.record_mut(place).color = arena.record(item.header()).color;
                }
            });
        }
    }

    /// Removes `record` itself from its list, unless its item is purified to its color.
    fn unlink<const COLORS: bool>(&mut self, record: RecordId) {
        let &Record { item, up, down, color } = self.record(record);
        if !COLORS || color != PURIFIED {
            self.record_mut(up).down = down;
            self.record_mut(down).up = up;
            self.shorten(item);
            self.updates += 1;
        }
    }

    fn relink<const COLORS: bool>(&mut self, record: RecordId) {
        let &Record { item, up, down, color } = self.record(record);
        if !COLORS || color != PURIFIED {
            self.record_mut(up).down = record;
            self.record_mut(down).up = record;
            self.empty_count -= u32::from(self.item(item).len == 0);
            self.item_mut(item).len += 1;
        }
    }

    /// Counts one record less in the list of `item`.
    fn shorten(&mut self, item: ItemNo) {
        self.item_mut(item).len -= 1;
        self.empty_count += u32::from(self.item(item).len == 0);
    }

    /// Tells whether everything is as `new` left it: all items active in order, each list complete,
    /// in the order of its records, no item purified, every bound untouched.
    pub(super) fn is_at_rest(&self) -> bool {
        let numbers = || (1..self.items.len() as u32).map(ItemNo);
        let is_active =
            |item: &ItemNo| self.item(*item).left != *item || self.item(*item).right != *item;
        let mut active = self.next_active(None);
        let all_active = numbers().filter(is_active).all(|item| {
            let found = active == Some(item) && self.item(self.item(item).right).left == item;
            active = self.next_active(Some(item));
            found
        });
        let mut linked = 0;
        let all_lists = numbers().all(|item| {
            let header = item.header();
            let (mut above, mut record) = (header, self.record(header).down);
            let mut len = 0;
            while record != header && record.0 > above.0 && self.record(record).up == above {
                if self.record(record).item != item || self.record(record).color == PURIFIED {
                    return false;
                }
                len += 1;
                (above, record) = (record, self.record(record).down);
            }
            linked += len as usize;
            let Item { len: found, bound, .. } = *self.item(item);
            record == header
                && self.record(header).up == above
                && self.record(header).color == 0
                && found == len + if is_active(&item) { 0 } else { NEVER_EMPTY }
                && bound == self.bounds[item.0 as usize].high
        });
        let records_of = |option: usize| {
            let end = self.first.get(option + 1).map_or(self.records.len(), |next| next.index());
            end - 1 - self.first[option].index()
        };
        let listed: usize = self.listed.iter_ones().map(records_of).sum();
        active.is_none()
            && all_active
            && all_lists
            && linked == listed
            && self.empty_count == self.count_empty()
    }
}

impl RecordId {
    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the next record of the option, or the spacer behind it.
    #[inline(always)]
    const fn after(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the record before it in the option, or the spacer before it.
    #[inline(always)]
    const fn before(self) -> Self {
        Self(self.0 - 1)
    }
}

impl ItemNo {
    /// Returns the header of the item's list.
    #[inline(always)]
    pub(super) const fn header(self) -> RecordId {
        RecordId(self.0)
    }
}

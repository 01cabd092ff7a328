//! The arena of dancing links: records, item headers, and the operations that remove and restore
//! them.
//!
//! Layout: record `i` of the first `n + 1` records is the header of item `i`. Items are numbered
//! from 1, and 0 is the root of the list of active items. The options follow, each a run of
//! records, one per item, with a *spacer* before and after it. A spacer has item 0. The `up` of a
//! spacer is the first record of the option before it, its `down` the last record of the option
//! after it, so a walk through an option wraps around. Links, items and colors are separate arrays.
//!
//! Invariants: `up` and `down` are inverse on the records of a list. The `len` of an item is the
//! length of its list. Each operation is undone by its counterpart in exact reverse order.
//! [`Arena::is_at_rest`] checks between searches that the arena equals a newly built one.
//!
//! Source: Knuth, TAOCP 7.2.2.1, (11)-(16) for cover and hide, (50)-(57) for colors, and (69)-(72)
//! for tweaks. Unlike Knuth's algorithm, `untweak` restores records in exact reverse order.
//!
//! The accessors check bounds only with debug assertions or `--cfg checked`.
#![allow(unsafe_code, reason = "unchecked access to records and items: a third of the instructions")]

use super::events::{Event, NoObserver, Observer};
use crate::engine::unchecked::{get, get_mut};
use crate::model::{Bounds, Color, ItemId, OptionId, Problem};

/// The index of a record of the arena: one item of one option, a header, or a spacer. Only the
/// module `arena` makes record ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct RecordId(u32);

/// The number of an item in the arena, from 1; 0 is the root of the list of active items. Only the
/// module `arena` makes item numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct ItemNo(u32);

const ROOT: ItemNo = ItemNo(0);

/// A bit in the item of a record, set while the secondary item is purified to the color of the
/// record, which then stays in its list.
const PURIFIED: u32 = 1 << 31;

/// Added to the length of a list that may be empty, so that its length stays positive.
const NEVER_EMPTY: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
struct Links {
    up: RecordId,
    down: RecordId,
}

/// The neighbors of an item in the list of active items. An item that is never active is its own
/// neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
struct Neighbors {
    left: ItemNo,
    right: ItemNo,
}

const _: () = assert!(size_of::<Links>() == 8, "an index addresses its links without arithmetic");
const _: () = assert!(size_of::<Neighbors>() == 8, "an index addresses its neighbors likewise");

#[derive(Clone, Debug)]
pub(super) struct Arena<O> {
    links: Vec<Links>,
    /// The item of each record, with the `PURIFIED` bit if set; 0 in a spacer.
    items: Vec<ItemNo>,
    /// The color number of each record, 0 for no color. A header has the color of its purified
    /// item. The list is empty if the problem has no colors.
    colors: Vec<u32>,

    neighbors: Vec<Neighbors>,
    /// The number of records in the list of each item, plus `NEVER_EMPTY` for an item that is never
    /// active.
    lens: Vec<u32>,
    /// The number of times each item must still be covered. The number is negative if the item
    /// exceeds its lower bound.
    needs: Vec<i64>,
    slacks: Vec<u32>,
    /// Scratch space of `fits`, otherwise 0: the number of options that cover each item, or the
    /// complement of their color.
    asked: Vec<u32>,

    first: Vec<RecordId>,
    /// Whether a search may choose the option. The records of other options are in no list.
    listed: Vec<bool>,

    pub(super) updates: u64,
    /// The number of active items with an empty list. An active item with an empty list is a dead
    /// end unless it may stay uncovered.
    empty_count: u32,
    pub(super) observer: O,
}

impl<O: Observer> Arena<O> {
    pub(super) fn new(problem: &Problem, observer: O) -> Self {
        let item_count = problem.item_count() + 1;
        let record_count = item_count + 1 + problem.entry_count() + problem.option_count();
        let mut arena = Self {
            links: Vec::with_capacity(record_count),
            items: Vec::with_capacity(record_count),
            colors: Vec::with_capacity(if problem.has_colors() { record_count } else { 0 }),
            neighbors: Vec::with_capacity(item_count),
            lens: Vec::with_capacity(item_count),
            needs: Vec::with_capacity(item_count),
            slacks: Vec::with_capacity(item_count),
            asked: vec![0; item_count],
            first: Vec::with_capacity(problem.option_count()),
            listed: Vec::with_capacity(problem.option_count()),
            updates: 0,
            empty_count: 0,
            observer,
        };
        arena.push_item(None);
        for item in problem.items() {
            arena.push_item(problem.bounds(item));
        }
        arena.push(ROOT);
        for option in problem.options() {
            arena.push_option(problem, option);
        }
        if problem.has_colors() {
            arena.push_colors(problem);
        }
        arena.empty_count = arena.count_empty();
        arena
    }

    fn count_empty(&self) -> u32 {
        self.lens[1..].iter().filter(|&&len| len == 0).count() as u32
    }

    fn push(&mut self, item: ItemNo) -> RecordId {
        let id = RecordId(u32::try_from(self.links.len()).expect("the problem checked its size"));
        self.links.push(Links { up: id, down: id });
        self.items.push(item);
        id
    }

    fn push_item(&mut self, bounds: Option<Bounds>) {
        let item = ItemNo(self.neighbors.len() as u32);
        self.push(item);
        let is_active = bounds.is_some_and(|bounds| bounds.high > 0);
        let Bounds { low, high } = bounds.unwrap_or(Bounds::ONE);
        self.needs.push(low.into());
        self.slacks.push(high - low);
        self.lens.push(if is_active { 0 } else { NEVER_EMPTY });
        self.neighbors.push(Neighbors { left: item, right: item });
        if is_active {
            let last = self.neighbors(ROOT).left;
            *self.neighbors_mut(item) = Neighbors { left: last, right: ROOT };
            self.neighbors_mut(last).right = item;
            self.neighbors_mut(ROOT).left = item;
        }
    }

    /// Appends the records of `option` and the spacer after it. The records are linked only if the
    /// option can be chosen.
    fn push_option(&mut self, problem: &Problem, option: OptionId) {
        let before = RecordId(self.links.len() as u32 - 1);
        let entries = problem.option(option);
        let mut bounds = entries.iter().filter_map(|entry| problem.bounds(entry.item)).peekable();
        let is_listed = bounds.peek().is_some() && bounds.all(|bounds| bounds.high > 0);
        for entry in entries {
            assert!(entry.item.index() < problem.item_count(), "the problem checked its items");
            let item = ItemNo(entry.item.index() as u32 + 1);
            let record = self.push(item);
            if is_listed {
                let last = self.links(item.header()).up;
                *self.links_mut(record) = Links { up: last, down: item.header() };
                self.links_mut(last).down = record;
                self.links_mut(item.header()).up = record;
                *self.len_mut(item) += 1;
            }
        }
        let first = before.after();
        self.first.push(first);
        self.listed.push(is_listed);
        let last = RecordId(self.links.len() as u32 - 1);
        self.links_mut(before).down = last;
        let spacer = self.push(ROOT);
        self.links_mut(spacer).up = first;
    }

    fn push_colors(&mut self, problem: &Problem) {
        self.colors.resize(self.links.len(), 0);
        for (option, &first) in problem.options().zip(&self.first) {
            for (place, entry) in (first.index()..).zip(problem.option(option)) {
                self.colors[place] = entry.color.map_or(0, Color::number);
            }
        }
    }

    #[inline(always)]
    fn links(&self, record: RecordId) -> &Links {
        // SAFETY: only `push` and `push_option` make record ids, as indices of records that exist
        // or are pushed next. The arena never shrinks, and record ids never leave the engine, which
        // has only one arena.
        unsafe { get(&self.links, record.index()) }
    }

    #[inline(always)]
    fn links_mut(&mut self, record: RecordId) -> &mut Links {
        // SAFETY: as in `links`, record ids are indices of records pushed in this arena, which
        // never shrinks.
        unsafe { get_mut(&mut self.links, record.index()) }
    }

    #[inline(always)]
    fn item(&self, record: RecordId) -> ItemNo {
        // SAFETY: `push` adds to `items` whenever it adds to `links`, so a record id is an index of
        // both.
        unsafe { *get(&self.items, record.index()) }
    }

    #[inline(always)]
    fn toggle_purified(&mut self, record: RecordId) {
        // SAFETY: `items` is as long as `links`, and every record id is an index of `links`.
        unsafe { get_mut(&mut self.items, record.index()).0 ^= PURIFIED }
    }

    /// Returns the color of `record`. The problem must have colors.
    #[inline(always)]
    fn color(&self, record: RecordId) -> u32 {
        debug_assert!(!self.colors.is_empty(), "only problems with colors run with COLORS");
        // SAFETY: `Links` runs the operations with `COLORS` only if the problem has colors. In this
        // case `push_colors` has made `colors` as long as `links`, and record ids are indices of
        // `links`.
        unsafe { *get(&self.colors, record.index()) }
    }

    #[inline(always)]
    fn set_color(&mut self, record: RecordId, color: u32) {
        // SAFETY: only the operations with `COLORS` set colors, and then `colors` is as long as
        // `links`.
        unsafe { *get_mut(&mut self.colors, record.index()) = color }
    }

    #[inline(always)]
    fn neighbors(&self, item: ItemNo) -> &Neighbors {
        // SAFETY: `push_item` makes one item number for each item that it pushes. `push_option`
        // makes item numbers from the ids of the problem's items, which were all pushed before. The
        // arrays never shrink, and the numbers never leave the engine. A number with the `PURIFIED`
        // bit would be out of range, but callers test that bit first.
        unsafe { get(&self.neighbors, item.index()) }
    }

    #[inline(always)]
    fn neighbors_mut(&mut self, item: ItemNo) -> &mut Neighbors {
        // SAFETY: as in `neighbors`; callers test the `PURIFIED` bit first.
        unsafe { get_mut(&mut self.neighbors, item.index()) }
    }

    /// Returns the length of the item's list, plus one for an item that is never active.
    #[inline(always)]
    pub(super) fn len(&self, item: ItemNo) -> u32 {
        // SAFETY: `push_item` adds to `lens` whenever it adds to `neighbors`, so an item number is
        // an index of both.
        unsafe { *get(&self.lens, item.index()) }
    }

    #[inline(always)]
    fn len_mut(&mut self, item: ItemNo) -> &mut u32 {
        // SAFETY: `lens` is as long as `neighbors`, and every item number is an index of
        // `neighbors`.
        unsafe { get_mut(&mut self.lens, item.index()) }
    }

    #[inline(always)]
    pub(super) fn next_active(&self, item: Option<ItemNo>) -> Option<ItemNo> {
        let next = self.neighbors(item.unwrap_or(ROOT)).right;
        (next != ROOT).then_some(next)
    }

    #[inline(always)]
    pub(super) fn has_empty(&self) -> bool {
        self.empty_count > 0
    }

    #[inline(always)]
    pub(super) fn need(&self, item: ItemNo) -> i64 {
        self.needs[item.index()]
    }

    #[inline(always)]
    pub(super) fn bound(&self, item: ItemNo) -> i64 {
        self.needs[item.index()] + i64::from(self.slacks[item.index()])
    }

    #[inline(always)]
    pub(super) fn slack(&self, item: ItemNo) -> u32 {
        self.slacks[item.index()]
    }

    #[inline(always)]
    pub(super) fn down(&self, record: RecordId) -> RecordId {
        self.links(record).down
    }

    /// Returns the option of `record`: the last option that begins at or before it.
    pub(super) fn option_of(&self, record: RecordId) -> OptionId {
        OptionId::new(self.first.partition_point(|first| first.0 <= record.0) - 1)
    }

    // Cover and hide are (12)-(15) and (50)-(51) of TAOCP 7.2.2.1.

    #[inline(always)]
    fn hide<const COLORS: bool>(&mut self, record: RecordId) {
        let mut place = record.after();
        let (mut updates, mut emptied) = (0, 0);
        while place != record {
            let item = self.item(place);
            let Links { up, down } = *self.links(place);
            if item == ROOT {
                place = up;
                continue;
            }
            if !COLORS || !item.is_purified() {
                self.links_mut(up).down = down;
                self.links_mut(down).up = up;
                let len = self.len_mut(item);
                *len -= 1;
                emptied += u32::from(*len == 0);
                updates += 1;
            }
            place = place.after();
        }
        self.updates += updates;
        self.empty_count += emptied;
    }

    #[inline(always)]
    fn unhide<const COLORS: bool>(&mut self, record: RecordId) {
        let mut place = record.before();
        let mut filled = 0;
        while place != record {
            let item = self.item(place);
            let Links { up, down } = *self.links(place);
            if item == ROOT {
                place = down;
                continue;
            }
            if !COLORS || !item.is_purified() {
                self.links_mut(up).down = place;
                self.links_mut(down).up = place;
                let len = self.len_mut(item);
                filled += u32::from(*len == 0);
                *len += 1;
            }
            place = place.before();
        }
        self.empty_count -= filled;
    }

    #[inline]
    pub(super) fn cover<const COLORS: bool>(&mut self, item: ItemNo) {
        let (updates, mut hidden) = (self.updates, 0);
        let header = item.header();
        let mut record = self.links(header).down;
        while record != header {
            self.hide::<COLORS>(record);
            hidden += 1;
            record = self.links(record).down;
        }
        self.deactivate(item);
        self.empty_count -= u32::from(self.len(item) == 0);
        self.updates += 1;
        if O::IS_ON {
            let updates = self.updates - updates;
            self.observer.see(Event::Cover { item: item.id(), color: None, hidden, updates });
        }
    }

    #[inline]
    pub(super) fn uncover<const COLORS: bool>(&mut self, item: ItemNo) {
        self.empty_count += u32::from(self.len(item) == 0);
        self.reactivate(item);
        let header = item.header();
        let mut record = self.links(header).up;
        while record != header {
            self.unhide::<COLORS>(record);
            record = self.links(record).up;
        }
    }

    /// Removes `item` from the list of active items. The call has no effect on a secondary item,
    /// which is its own neighbor.
    #[inline]
    pub(super) fn deactivate(&mut self, item: ItemNo) {
        let Neighbors { left, right } = *self.neighbors(item);
        self.neighbors_mut(left).right = right;
        self.neighbors_mut(right).left = left;
    }

    #[inline]
    pub(super) fn reactivate(&mut self, item: ItemNo) {
        let Neighbors { left, right } = *self.neighbors(item);
        self.neighbors_mut(left).right = item;
        self.neighbors_mut(right).left = item;
    }

    // Purify and unpurify are (52)-(57) of TAOCP 7.2.2.1.

    fn purify(&mut self, item: ItemNo, color: u32) {
        let (updates, mut hidden) = (self.updates, 0);
        let header = item.header();
        self.set_color(header, color);
        let mut place = self.links(header).down;
        while place != header {
            if self.color(place) == color {
                self.toggle_purified(place);
            } else {
                self.hide::<true>(place);
                hidden += 1;
            }
            place = self.links(place).down;
        }
        self.updates += 1;
        if O::IS_ON {
            let (updates, color) = (self.updates - updates, Color::from_number(color));
            self.observer.see(Event::Cover { item: item.id(), color, hidden, updates });
        }
    }

    fn unpurify(&mut self, item: ItemNo) {
        let header = item.header();
        let mut place = self.links(header).up;
        while place != header {
            if self.item(place).is_purified() {
                self.toggle_purified(place);
            } else {
                self.unhide::<true>(place);
            }
            place = self.links(place).up;
        }
        self.set_color(header, 0);
    }

    #[inline(always)]
    fn commit<const COLORS: bool, const BOUNDS: bool>(&mut self, record: RecordId) {
        let item = self.item(record);
        if COLORS && item.is_purified() {
            return;
        }
        let color = if COLORS { self.color(record) } else { 0 };
        if color != 0 {
            self.purify(item, color);
        } else if !BOUNDS || self.take(item) == 0 {
            self.cover::<COLORS>(item);
        }
    }

    #[inline(always)]
    fn uncommit<const COLORS: bool, const BOUNDS: bool>(&mut self, record: RecordId) {
        let item = self.item(record);
        if COLORS && item.is_purified() {
            return;
        }
        if COLORS && self.color(record) != 0 {
            self.unpurify(item);
        } else if !BOUNDS || self.give_back(item) == 1 {
            self.uncover::<COLORS>(item);
        }
    }

    #[inline]
    pub(super) fn take(&mut self, item: ItemNo) -> i64 {
        self.needs[item.index()] -= 1;
        debug_assert!(self.bound(item) >= 0, "an active item can be covered once more");
        self.bound(item)
    }

    #[inline]
    pub(super) fn give_back(&mut self, item: ItemNo) -> i64 {
        self.needs[item.index()] += 1;
        self.bound(item)
    }

    #[inline]
    pub(super) fn commit_siblings<const COLORS: bool, const BOUNDS: bool>(&mut self, record: RecordId) {
        let mut place = record.after();
        while place != record {
            if self.item(place) == ROOT {
                place = self.links(place).up;
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
            if self.item(place) == ROOT {
                place = self.links(place).down;
            } else {
                self.uncommit::<COLORS, BOUNDS>(place);
                place = place.before();
            }
        }
    }

    // Tweaks are (69)-(72) of TAOCP 7.2.2.1. Each option of an item that is covered several times
    // is removed from the item's list before it is tried, so that no set of options is visited
    // twice.

    pub(super) fn tweak<const COLORS: bool, const HIDE: bool>(&mut self, item: ItemNo) {
        let header = item.header();
        let record = self.links(header).down;
        if HIDE {
            self.hide::<COLORS>(record);
        }
        let next = self.links(record).down;
        self.links_mut(header).down = next;
        self.links_mut(next).up = header;
        self.shorten(item);
        self.updates += 1;
    }

    pub(super) fn untweak<const COLORS: bool, const HIDE: bool>(
        &mut self,
        item: ItemNo,
        first: RecordId,
    ) {
        let header = item.header();
        let rest = self.links(header).down;
        self.links_mut(header).down = first;
        let (mut above, mut record) = (header, first);
        let mut count = 0;
        while record != rest {
            self.links_mut(record).up = above;
            count += 1;
            (above, record) = (record, self.links(record).down);
        }
        self.links_mut(rest).up = above;
        self.empty_count -= u32::from(count > 0 && self.len(item) == 0);
        *self.len_mut(item) += count;
        while HIDE && above != header {
            self.unhide::<COLORS>(above);
            above = self.links(above).up;
        }
    }

    pub(super) fn fits(&mut self, options: &[OptionId]) -> bool {
        let mut fits = true;
        self.for_each_record(options, |arena, record| {
            let item = arena.item(record);
            let (color, bound) = (arena.color_or_none(record), arena.bound(item));
            let asked = &mut arena.asked[item.index()];
            if color == 0 {
                *asked = asked.saturating_add(1);
                fits &= i64::from(*asked) <= bound;
            } else {
                fits &= *asked == 0 || *asked == !color;
                *asked = !color;
            }
        });
        self.for_each_record(options, |arena, record| {
            let item = arena.item(record);
            arena.asked[item.index()] = 0;
        });
        fits
    }

    fn color_or_none(&self, record: RecordId) -> u32 {
        self.colors.get(record.index()).copied().unwrap_or(0)
    }

    fn for_each_record(&mut self, options: &[OptionId], mut f: impl FnMut(&mut Self, RecordId)) {
        for option in options {
            let mut place = self.first[option.index()];
            while self.item(place) != ROOT {
                f(self, place);
                place = place.after();
            }
        }
    }

    /// Hides `option` if a search may choose it.
    ///
    /// Excluded options must be hidden before the given ones are forced.
    pub(super) fn leave_out<const COLORS: bool, const BOUNDS: bool>(&mut self, option: OptionId) {
        if self.listed[option.index()] {
            let first = self.first[option.index()];
            self.unlink::<COLORS>(first);
            self.hide::<COLORS>(first);
        }
    }

    pub(super) fn take_in<const COLORS: bool, const BOUNDS: bool>(&mut self, option: OptionId) {
        if self.listed[option.index()] {
            let first = self.first[option.index()];
            self.unhide::<COLORS>(first);
            self.relink::<COLORS>(first);
        }
    }

    pub(super) fn force<const COLORS: bool, const BOUNDS: bool>(&mut self, option: OptionId) {
        let first = self.first[option.index()];
        let updates = self.updates;
        self.leave_out::<COLORS, BOUNDS>(option);
        if O::IS_ON {
            self.observer.see(Event::Given { option, updates: self.updates - updates });
        }
        if COLORS && !self.listed[option.index()] {
            self.for_each_record(&[option], |arena, place| {
                let color = arena.color(place);
                if color != 0 && color == arena.color(arena.item(place).header()) {
                    arena.toggle_purified(place);
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
        if COLORS && !self.listed[option.index()] {
            self.for_each_record(&[option], |arena, place| {
                if arena.item(place).is_purified() {
                    arena.toggle_purified(place);
                }
            });
        }
        self.take_in::<COLORS, BOUNDS>(option);
    }

    fn unlink<const COLORS: bool>(&mut self, record: RecordId) {
        let item = self.item(record);
        if !COLORS || !item.is_purified() {
            let Links { up, down } = *self.links(record);
            self.links_mut(up).down = down;
            self.links_mut(down).up = up;
            self.shorten(item);
            self.updates += 1;
        }
    }

    fn relink<const COLORS: bool>(&mut self, record: RecordId) {
        let item = self.item(record);
        if !COLORS || !item.is_purified() {
            let Links { up, down } = *self.links(record);
            self.links_mut(up).down = record;
            self.links_mut(down).up = record;
            self.empty_count -= u32::from(self.len(item) == 0);
            *self.len_mut(item) += 1;
        }
    }

    fn shorten(&mut self, item: ItemNo) {
        *self.len_mut(item) -= 1;
        self.empty_count += u32::from(self.len(item) == 0);
    }

    pub(super) fn is_at_rest(&self, problem: &Problem) -> bool {
        let fresh = Arena::new(problem, NoObserver);
        self.links == fresh.links
            && self.items == fresh.items
            && self.colors == fresh.colors
            && self.neighbors == fresh.neighbors
            && self.lens == fresh.lens
            && self.needs == fresh.needs
            && self.asked == fresh.asked
            && self.empty_count == fresh.empty_count
    }
}

impl RecordId {
    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    const fn after(self) -> Self {
        Self(self.0 + 1)
    }

    #[inline(always)]
    const fn before(self) -> Self {
        Self(self.0 - 1)
    }
}

impl ItemNo {
    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    const fn is_purified(self) -> bool {
        self.0 & PURIFIED != 0
    }

    pub(super) const fn id(self) -> ItemId {
        ItemId::new(self.index() - 1)
    }

    #[inline(always)]
    pub(super) const fn header(self) -> RecordId {
        RecordId(self.0)
    }
}

//! The arena of dancing cells: options, the sets of the items, and what hides and restores options.
//!
//! Layout: items are numbered anew, first the primary ones in the order in which ties are broken, then
//! the secondary ones. An option is a run of `entries`, its primary items before its secondary ones, so
//! that hiding it, which concerns only primary items, reads one short run. The set of an item is a
//! run of `sets`, of which the first `front` places contain all that are alive; what died lies among them
//! until [`Arena::hide`] next comes by and finds it worth while to move it behind.
//!
//! An item has a *margin*: its options alive, less those that it still needs; that is how many
//! it may lose before it is a dead end, and one less than the choices that it leaves. An item that is
//! covered (or may not be) has `INACTIVE` added to it, so that neither a minimum nor a test for zero ever
//! meets it and hiding need not ask.
//!
//! Invariants: an option is alive iff its `dead` is 0, else it is on the trail, once; the margin of
//! an item counts its options alive, active or not; a set is a permutation of the item's options, in
//! order between searches.
#![allow(unsafe_code, reason = "unchecked access to entries, sets and margins, in the three hot loops")]

use crate::{Bounds, Color, OptionId, Problem};

/// An item in the arena's order. Only `Arena::new` makes them, each less than the item count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct ItemNo(u32);

/// An option, less than the option count: the problem's own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(super) struct OptionNo(u32);

/// How many options an item may lose.
type Margin = i16;

/// Added to the margin of an item that is covered.
const INACTIVE: Margin = 1 << 13;
/// From here on a margin is that of an inactive item: it may have lost all its options since.
const ACTIVE_END: Margin = INACTIVE / 2;
/// Margins are read so many at a time.
const LANES: usize = 16;

/// The tag of an entry without a color in a commit: it agrees with no color.
const NO_COLOR: u32 = u32::MAX;

/// Where the entries of an option begin, and where its secondary ones do; they end where the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    primary: u32,
    secondary: u32,
}

/// Where the set of an item begins, and how many of its places may be alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cells {
    start: u32,
    front: u32,
}

/// How often an item may still be covered; it must be as often less the slack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left {
    bound: i64,
    slack: u32,
}

/// A moment to which the arena can return.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    trail: u32,
    done: u32,
    chosen: u32,
    active_count: u32,
}

impl Mark {
    /// Returns the moment before anything was done.
    pub(super) fn root(active_count: u32) -> Self {
        Self { active_count, ..Self::default() }
    }

    /// Returns the number of options chosen before it.
    pub(super) fn chosen_count(&self) -> usize {
        self.chosen as usize
    }
}

#[derive(Clone, Debug)]
pub(super) struct Arena {
    primary_count: usize,
    /// Items active at rest.
    root_count: u32,
    // By option, one more at the end of `spans`.
    spans: Vec<Span>,
    entries: Vec<ItemNo>,
    /// The color of each entry; empty if the problem has no colors.
    colors: Vec<u32>,
    /// 0, or the stamp of the level at which the option died.
    dead: Vec<u8>,

    // By item.
    cells: Vec<Cells>,
    sets: Vec<OptionNo>,
    /// The color that the option at each place of `sets` gives to the item; empty without colors.
    tags: Vec<u32>,
    /// Of the primary items, filled up with inactive ones.
    margins: Vec<Margin>,
    left: Vec<Left>,
    /// Whether a secondary item is covered or purified, by item.
    is_done: Vec<bool>,
    asked: Vec<u32>,

    // What was done, in order.
    /// Options that died.
    trail: Vec<OptionNo>,
    trail_len: usize,
    /// Secondary items that were covered or purified.
    done: Vec<ItemNo>,
    /// Options chosen.
    chosen: Vec<OptionNo>,
    /// Sets whose front was shortened, and how long it was.
    fronts: Vec<(ItemNo, u32)>,
    /// Items whose sets are out of order.
    unsorted: Vec<ItemNo>,
    /// The margins at the marks, one row of them for each level.
    saved: Vec<Margin>,

    /// Items with no option to lose, to be covered at once.
    forced: Vec<ItemNo>,
    forced_len: usize,
    active_count: u32,
    /// Options that died, since the last reset.
    pub(super) updates: u64,
}

impl Arena {
    pub(super) fn new(problem: &Problem, order: &[usize]) -> Self {
        let item_count = problem.item_count();
        let is_primary = |&item: &crate::ItemId| problem.is_primary(item);
        let primary: Vec<_> = problem.items().filter(is_primary).collect();
        let secondary = problem.items().filter(|item| !is_primary(item));
        let mut numbers = vec![ItemNo(0); item_count];
        let primary_count = primary.len();
        let ordered = order.iter().map(|&place| primary[place]);
        let ordered: Vec<_> = ordered.chain(secondary).collect();
        for (number, item) in ordered.iter().enumerate() {
            numbers[item.index()] = ItemNo(number as u32);
        }
        let mut arena = Self {
            primary_count,
            root_count: 0,
            spans: Vec::with_capacity(problem.option_count() + 1),
            entries: Vec::with_capacity(problem.entry_count()),
            colors: Vec::new(),
            dead: vec![0; problem.option_count()],
            cells: vec![Cells { start: 0, front: 0 }; item_count],
            sets: Vec::new(),
            tags: Vec::new(),
            margins: vec![INACTIVE; primary_count.next_multiple_of(LANES)],
            left: Vec::with_capacity(primary_count),
            is_done: vec![false; item_count],
            asked: vec![0; item_count],
            trail: vec![OptionNo(0); problem.option_count() + 1],
            trail_len: 0,
            done: Vec::new(),
            chosen: Vec::new(),
            fronts: Vec::new(),
            unsorted: Vec::new(),
            saved: Vec::new(),
            forced: Vec::new(),
            forced_len: 0,
            active_count: 0,
            updates: 0,
        };
        for option in problem.options() {
            arena.push_option(problem, option, &numbers);
        }
        arena.spans.push(Span { primary: arena.entries.len() as u32, secondary: 0 });
        arena.fill_sets(problem);
        for &item in &ordered[..primary_count] {
            arena.push_margin(problem.bounds(item).unwrap_or(Bounds::ONE));
        }
        arena.root_count = arena.active_count;
        arena.saved = arena.margins.clone();
        arena.forced = vec![ItemNo(0); 2 * primary_count + 2];
        arena
    }

    /// Appends the entries of `option`, primary items first.
    fn push_option(&mut self, problem: &Problem, option: OptionId, numbers: &[ItemNo]) {
        let mut span = Span { primary: self.entries.len() as u32, secondary: 0 };
        for wants_primary in [true, false] {
            for entry in problem.option(option) {
                if problem.is_primary(entry.item) == wants_primary {
                    self.entries.push(numbers[entry.item.index()]);
                    if problem.has_colors() {
                        self.colors.push(entry.color.map_or(NO_COLOR, Color::number));
                    }
                }
            }
            if wants_primary {
                span.secondary = self.entries.len() as u32;
            }
        }
        self.spans.push(span);
    }

    /// Fills the sets with the options that can be chosen: those with a primary item and none that may
    /// not be covered at all.
    fn fill_sets(&mut self, problem: &Problem) {
        let is_listed = |option: &OptionId| {
            let entries = problem.option(*option).iter();
            let mut bounds = entries.filter_map(|entry| problem.bounds(entry.item)).peekable();
            bounds.peek().is_some() && bounds.all(|bounds| bounds.high > 0)
        };
        let listed: Vec<_> = problem.options().filter(is_listed).collect();
        for option in &listed {
            for place in self.places(OptionNo(option.index() as u32)) {
                self.cells[self.entries[place].index()].front += 1;
            }
        }
        let mut start = 0;
        for cells in &mut self.cells {
            cells.start = start;
            start += std::mem::take(&mut cells.front);
        }
        self.sets = vec![OptionNo(0); start as usize];
        self.tags = vec![0; if problem.has_colors() { start as usize } else { 0 }];
        for option in listed {
            let option = OptionNo(option.index() as u32);
            for place in self.places(option) {
                let cells = &mut self.cells[self.entries[place].index()];
                let end = (cells.start + cells.front) as usize;
                cells.front += 1;
                self.sets[end] = option;
                if !self.tags.is_empty() {
                    self.tags[end] = tag(self.colors[place]);
                }
            }
        }
    }

    /// Adds the margin of the next primary item.
    fn push_margin(&mut self, bounds: Bounds) {
        let item = self.left.len();
        self.left.push(Left { bound: bounds.high.into(), slack: bounds.high - bounds.low });
        if bounds.high > 0 {
            let margin = i64::from(self.cells[item].front) - i64::from(bounds.low);
            self.margins[item] = margin.max(-1) as Margin;
            self.active_count += 1;
        }
    }

    /// Returns the places of an option's entries.
    fn places(&self, option: OptionNo) -> std::ops::Range<usize> {
        let start = self.spans[option.index()].primary as usize;
        start..self.spans[option.index() + 1].primary as usize
    }

    /// Returns the primary items of `option`.
    #[inline(always)]
    fn primaries<'e>(spans: &[Span], entries: &'e [ItemNo], option: OptionNo) -> &'e [ItemNo] {
        // SAFETY: option numbers are below the option count; the span was made with the entries.
        unsafe {
            let span = *get(spans, option.index());
            slice(entries, span.primary as usize, span.secondary as usize)
        }
    }

    // What the algorithm reads.

    #[inline(always)]
    pub(super) fn active_count(&self) -> u32 {
        self.active_count
    }

    pub(super) fn root_count(&self) -> u32 {
        self.root_count
    }

    pub(super) fn chosen(&self) -> &[OptionNo] {
        &self.chosen
    }

    /// Returns the first active item of least margin, and that margin; `None` if there is none active.
    #[inline]
    pub(super) fn least(&self) -> (ItemNo, Margin) {
        let mut lanes = [INACTIVE; LANES];
        for chunk in self.margins.chunks_exact(LANES) {
            for (lane, &margin) in lanes.iter_mut().zip(chunk) {
                *lane = (*lane).min(margin);
            }
        }
        let least = lanes.into_iter().min().unwrap_or(INACTIVE);
        for (block, chunk) in self.margins.chunks_exact(LANES).enumerate() {
            let is_here = chunk.iter().fold(0, |found, &margin| found | Margin::from(margin == least));
            if is_here != 0 {
                let lane = chunk.iter().position(|&margin| margin == least).unwrap_or(0);
                return (ItemNo((block * LANES + lane) as u32), least);
            }
        }
        (ItemNo(0), INACTIVE)
    }

    /// Tells whether choosing an option of `item` covers it for good.
    #[inline(always)]
    pub(super) fn is_last<const BOUNDS: bool>(&self, item: ItemNo) -> bool {
        !BOUNDS || self.left[item.index()].bound == 1
    }

    /// Returns how often `item` must still be covered.
    #[inline(always)]
    pub(super) fn need<const BOUNDS: bool>(&self, item: ItemNo) -> i64 {
        if BOUNDS {
            let left = self.left[item.index()];
            left.bound - i64::from(left.slack)
        } else {
            1
        }
    }

    /// Appends the options alive of `item` to `choices`, in order of definition.
    pub(super) fn list(&self, item: ItemNo, choices: &mut Vec<OptionNo>) {
        let first = choices.len();
        let set = self.set(item);
        choices.extend(set.iter().filter(|&&option| self.is_alive(option)));
        choices[first..].sort_unstable();
    }

    /// Returns the first option alive of `item`.
    #[inline]
    fn only(&self, item: ItemNo) -> Option<OptionNo> {
        self.set(item).iter().copied().find(|&option| self.is_alive(option))
    }

    #[inline(always)]
    fn set(&self, item: ItemNo) -> &[OptionNo] {
        // SAFETY: the cells of an item are within the sets.
        unsafe {
            let Cells { start, front } = *get(&self.cells, item.index());
            slice(&self.sets, start as usize, (start + front) as usize)
        }
    }

    #[inline(always)]
    fn is_alive(&self, option: OptionNo) -> bool {
        // SAFETY: option numbers are below the option count.
        unsafe { *get(&self.dead, option.index()) == 0 }
    }

    // Hiding.

    /// Hides the options on the trail up to `end`; with `CHECK` only until an active item has too few
    /// options left: then `false`.
    #[inline(always)]
    fn hide_trail<const CHECK: bool>(&mut self, end: usize, stamp: u8) -> bool {
        let (spans, entries) = (&self.spans[..], &self.entries[..]);
        let (margins, dead) = (&mut self.margins[..], &mut self.dead[..]);
        let mut forced_len = self.forced_len;
        if self.forced.len() - forced_len <= self.primary_count {
            self.forced.resize(2 * self.forced.len(), ItemNo(0));
        }
        let forced = &mut self.forced[..];
        let start = self.trail_len;
        let mut place = start;
        let mut least = 0;
        while place < end {
            // SAFETY: the trail is as long as there are options, and one more; ids are this arena's.
            let option = unsafe { *get(&self.trail, place) };
            unsafe { *get_mut(dead, option.index()) = stamp };
            for &item in Self::primaries(spans, entries, option) {
                // SAFETY: a primary item has a margin, and margins only fall here, so each is noted at
                // most once, for which there is room.
                unsafe {
                    let margin = get_mut(margins, item.index());
                    *margin -= 1;
                    *get_mut(forced, forced_len) = item;
                    forced_len += usize::from(*margin == 0);
                    least = least.min(*margin);
                }
            }
            place += 1;
            if CHECK && least < 0 {
                break;
            }
        }
        self.updates += (place - start) as u64;
        self.trail_len = place;
        self.forced_len = forced_len;
        least >= 0
    }

    /// Hides the options of `item` that are alive and give it another color than `color`; with `CHECK` until
    /// an active item has too few options left: then `false`.
    #[inline(always)]
    fn hide<const TAGS: bool, const CHECK: bool>(&mut self, item: ItemNo, color: u32, stamp: u8) -> bool {
        let mut end = self.trail_len;
        let mut kept = 0;
        let cells = self.cells[item.index()];
        let first = cells.start as usize;
        let last = first + cells.front as usize;
        let dead = &self.dead[..];
        let trail = &mut self.trail[..];
        // SAFETY: the cells of an item are within the sets, and tags are as many; the options alive, which are all
        // different, and those on the trail fit on it, with one place to spare.
        unsafe {
            for place in first..last {
                let option = *get(&self.sets, place);
                let stamped = *get(dead, option.index());
                let is_alive = stamped == 0;
                kept += u32::from(is_alive | (stamped == stamp));
                *get_mut(trail, end) = option;
                end += usize::from(if TAGS { is_alive & (*get(&self.tags, place) != color) } else { is_alive });
            }
        }
        if cells.front > 8 && 2 * kept <= cells.front {
            self.partition::<TAGS>(item, stamp);
        }
        self.hide_trail::<CHECK>(end, stamp)
    }

    /// Moves the options of `item` that died before the current level behind the others.
    #[inline(never)]
    fn partition<const TAGS: bool>(&mut self, item: ItemNo, stamp: u8) {
        let cells = &mut self.cells[item.index()];
        let set = &mut self.sets[cells.start as usize..];
        let mut kept = 0;
        for place in 0..cells.front as usize {
            let option = set[place];
            let stamped = self.dead[option.index()];
            if stamped == 0 || stamped == stamp {
                set.swap(place, kept);
                if TAGS {
                    self.tags.swap(cells.start as usize + place, cells.start as usize + kept);
                }
                kept += 1;
            }
        }
        self.fronts.push((item, cells.front));
        self.unsorted.push(item);
        cells.front = kept as u32;
    }

    /// Covers `item` by none of its options in particular: hides them all. Items that could be forced or
    /// dead ends, depending on which is chosen, are noted as forced.
    #[inline]
    pub(super) fn cover(&mut self, item: ItemNo, stamp: u8) {
        self.margins[item.index()] += INACTIVE;
        self.active_count -= 1;
        self.hide::<false, false>(item, NO_COLOR, stamp);
    }

    /// Hides `option`; `false` if an active item has too few options then.
    #[inline(always)]
    pub(super) fn take_out(&mut self, option: OptionNo, stamp: u8) -> bool {
        self.trail[self.trail_len] = option;
        self.hide_trail::<false>(self.trail_len + 1, stamp)
    }

    /// Chooses `option`, which is alive.
    #[inline(always)]
    pub(super) fn choose<const COLORS: bool, const BOUNDS: bool, const CHECK: bool>(
        &mut self,
        option: OptionNo,
        stamp: u8,
    ) -> bool {
        self.enlist::<BOUNDS>(option, None);
        self.take_out(option, stamp);
        self.purge::<COLORS, BOUNDS, CHECK>(option, None, stamp)
    }

    /// Chooses `option`, which is hidden already, for the item `but` if that is covered already. The
    /// items of `pending` had no option to lose or less before.
    #[inline(always)]
    pub(super) fn commit<const COLORS: bool, const BOUNDS: bool>(
        &mut self,
        option: OptionNo,
        but: Option<ItemNo>,
        pending: &[ItemNo],
        stamp: u8,
    ) -> bool {
        self.enlist::<BOUNDS>(option, but);
        self.recall(pending) && self.purge::<COLORS, BOUNDS, true>(option, but, stamp)
    }

    /// Adds `option` to the chosen ones: its items are covered once more. All those that are covered for good
    /// become inactive before the first of them is purged, so that none is met as forced or a dead end.
    #[inline(always)]
    fn enlist<const BOUNDS: bool>(&mut self, option: OptionNo, but: Option<ItemNo>) {
        self.chosen.push(option);
        let items = Self::primaries(&self.spans, &self.entries, option);
        if !BOUNDS {
            self.active_count -= items.len() as u32 - u32::from(but.is_some());
        }
        for &item in items {
            if !BOUNDS {
                // Twice for `but`, which does no harm.
                self.margins[item.index()] += INACTIVE;
                continue;
            }
            let left = &mut self.left[item.index()];
            let needed = left.bound - i64::from(left.slack);
            left.bound -= 1;
            if Some(item) != but {
                self.margins[item.index()] += Margin::from(needed > 0);
                if left.bound == 0 {
                    self.margins[item.index()] += INACTIVE;
                    self.active_count -= 1;
                }
            }
        }
    }

    /// Hides the options that do not go with `option`; with `CHECK` until an active item has too few options
    /// left: then `false`.
    #[inline(always)]
    fn purge<const COLORS: bool, const BOUNDS: bool, const CHECK: bool>(
        &mut self,
        option: OptionNo,
        but: Option<ItemNo>,
        stamp: u8,
    ) -> bool {
        let span = self.spans[option.index()];
        let end = self.spans[option.index() + 1].primary;
        for place in span.primary as usize..span.secondary as usize {
            let item = self.entries[place];
            let is_covered = !BOUNDS || self.left[item.index()].bound == 0;
            if is_covered
                && Some(item) != but
                && !self.hide::<false, CHECK>(item, NO_COLOR, stamp)
                && CHECK
            {
                return false;
            }
        }
        for place in span.secondary as usize..end as usize {
            let item = self.entries[place];
            let mut color = NO_COLOR;
            if COLORS {
                if self.is_done[item.index()] {
                    continue;
                }
                self.is_done[item.index()] = true;
                self.done.push(item);
                color = self.colors[place];
            }
            if !self.hide::<COLORS, CHECK>(item, color, stamp) && CHECK {
                return false;
            }
        }
        true
    }

    /// Chooses an option of an item that has none to lose: `None` if there is no such item, `Some(false)`
    /// if that leads to a dead end.
    #[inline(always)]
    pub(super) fn force_next<const COLORS: bool, const BOUNDS: bool>(&mut self, stamp: u8) -> Option<bool> {
        while self.forced_len > 0 {
            self.forced_len -= 1;
            let item = self.forced[self.forced_len];
            if self.margins[item.index()] != 0 {
                continue;
            }
            let Some(option) = self.only(item) else {
                debug_assert!(BOUNDS, "an item without options is a dead end");
                // It is covered often enough, and nothing is left of it.
                self.close(item);
                continue;
            };
            return Some(self.choose::<COLORS, BOUNDS, true>(option, stamp));
        }
        None
    }

    /// Notes as forced those of `items` that have no option to lose; `false` if one is a dead end.
    #[inline]
    pub(super) fn recall(&mut self, items: &[ItemNo]) -> bool {
        for &item in items {
            let margin = self.margins[item.index()];
            if margin < 0 {
                return false;
            }
            if margin == 0 {
                self.note(item);
            }
        }
        true
    }

    fn note(&mut self, item: ItemNo) {
        if self.forced_len == self.forced.len() {
            self.forced.resize(2 * self.forced_len, item);
        }
        self.forced[self.forced_len] = item;
        self.forced_len += 1;
    }

    /// Notes all forced items; `false` if one is a dead end.
    pub(super) fn force_all(&mut self) -> bool {
        self.forced_len = 0;
        for item in 0..self.primary_count {
            let margin = self.margins[item];
            if margin < 0 {
                return false;
            }
            if margin == 0 {
                self.note(ItemNo(item as u32));
            }
        }
        true
    }

    /// Covers `item` no more: it was covered often enough, and its options are all hidden.
    pub(super) fn close(&mut self, item: ItemNo) {
        self.margins[item.index()] += INACTIVE;
        self.active_count -= 1;
    }

    pub(super) fn take_forced(&mut self, to: &mut Vec<ItemNo>) {
        to.extend_from_slice(&self.forced[..self.forced_len]);
        self.forced_len = 0;
    }

    // Going back.

    /// Returns the current moment, and saves the margins for `level`.
    #[inline]
    pub(super) fn mark(&mut self, level: usize) -> Mark {
        let width = self.margins.len();
        let start = level * width;
        if self.saved.len() < start + width {
            self.saved.resize(start + width, INACTIVE);
        }
        self.saved[start..start + width].copy_from_slice(&self.margins);
        Mark {
            trail: self.trail_len as u32,
            done: self.done.len() as u32,
            chosen: self.chosen.len() as u32,
            active_count: self.active_count,
        }
    }

    /// Returns to a moment.
    #[inline]
    pub(super) fn restore<const COLORS: bool, const BOUNDS: bool>(&mut self, mark: &Mark, level: usize) {
        let width = self.margins.len();
        let start = level * width;
        self.margins.copy_from_slice(&self.saved[start..start + width]);
        for &option in &self.trail[mark.trail as usize..self.trail_len] {
            self.dead[option.index()] = 0;
        }
        self.trail_len = mark.trail as usize;
        if BOUNDS {
            for &option in &self.chosen[mark.chosen as usize..] {
                for item in Self::primaries(&self.spans, &self.entries, option) {
                    self.left[item.index()].bound += 1;
                }
            }
        }
        self.chosen.truncate(mark.chosen as usize);
        if COLORS {
            for item in self.done.drain(mark.done as usize..) {
                self.is_done[item.index()] = false;
            }
        }
        self.active_count = mark.active_count;
        self.forced_len = 0;
    }

    pub(super) fn front_count(&self) -> u32 {
        self.fronts.len() as u32
    }

    /// Restores the fronts that were shortened since there were `count`.
    #[inline]
    pub(super) fn restore_fronts(&mut self, count: u32) {
        while self.fronts.len() > count as usize {
            if let Some((item, front)) = self.fronts.pop() {
                self.cells[item.index()].front = front;
            }
        }
    }

    /// Puts the sets in order again, after all else was restored.
    pub(super) fn sort(&mut self) {
        while let Some(item) = self.unsorted.pop() {
            let Cells { start, front } = self.cells[item.index()];
            let set = start as usize..(start + front) as usize;
            if self.sets[set.clone()].is_sorted() {
                continue;
            }
            self.sets[set.clone()].sort_unstable();
            if !self.tags.is_empty() {
                for place in set {
                    let option = self.sets[place];
                    let mut places = self.places(option);
                    let place_of = places.find(|&p| self.entries[p] == item);
                    self.tags[place] = place_of.map_or(0, |p| tag(self.colors[p]));
                }
            }
        }
    }

    /// Tells whether the options go together and cover no item too often. To be asked at rest.
    pub(super) fn fits(&mut self, options: &[OptionId]) -> bool {
        let mut fits = true;
        for &option in options {
            for place in self.places(option.into()) {
                let item = self.entries[place];
                let asked = &mut self.asked[item.index()];
                let color = self.colors.get(place).copied().unwrap_or(NO_COLOR);
                if let Some(left) = self.left.get(item.index()) {
                    *asked += 1;
                    fits &= i64::from(*asked) <= left.bound;
                } else {
                    // An uncolored entry excludes even its like.
                    fits &= *asked == 0 || *asked == color && color != NO_COLOR;
                    *asked = color;
                }
            }
        }
        for &option in options {
            for place in self.places(option.into()) {
                self.asked[self.entries[place].index()] = 0;
            }
        }
        fits
    }

    /// Tells whether everything is as `new` left it.
    pub(super) fn is_at_rest(&self, problem: &Problem, order: &[usize]) -> bool {
        let fresh = Self::new(problem, order);
        self.dead == fresh.dead
            && self.cells == fresh.cells
            && self.sets == fresh.sets
            && self.tags == fresh.tags
            && self.margins == fresh.margins
            && self.left == fresh.left
            && self.is_done == fresh.is_done
            && self.asked == fresh.asked
            && self.active_count == fresh.active_count
            && (self.trail_len, self.forced_len) == (0, 0)
            && self.done.is_empty()
            && self.chosen.is_empty()
            && self.fronts.is_empty()
    }
}

/// Returns the tag that stands in a set for the color of an entry.
const fn tag(color: u32) -> u32 {
    if color == NO_COLOR { 0 } else { color }
}

impl ItemNo {
    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

impl OptionNo {
    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<OptionId> for OptionNo {
    fn from(option: OptionId) -> Self {
        Self(option.index() as u32)
    }
}

impl From<OptionNo> for OptionId {
    fn from(option: OptionNo) -> Self {
        Self::new(option.index())
    }
}

/// Returns `slice[index]`, which is checked only with `--cfg checked` or debug assertions.
///
/// # Safety
/// `index` must be less than the length.
#[inline(always)]
unsafe fn get<T>(slice: &[T], index: usize) -> &T {
    debug_assert!(index < slice.len(), "ids stay within their arena");
    #[cfg(checked)]
    return &slice[index];
    // SAFETY: the caller keeps the index within the slice.
    #[cfg(not(checked))]
    unsafe {
        slice.get_unchecked(index)
    }
}

/// Returns `slice[index]` to write to; likewise.
///
/// # Safety
/// `index` must be less than the length.
#[inline(always)]
unsafe fn get_mut<T>(slice: &mut [T], index: usize) -> &mut T {
    debug_assert!(index < slice.len(), "ids stay within their arena");
    #[cfg(checked)]
    return &mut slice[index];
    // SAFETY: the caller keeps the index within the slice.
    #[cfg(not(checked))]
    unsafe {
        slice.get_unchecked_mut(index)
    }
}

/// Returns `slice[start..end]`; likewise.
///
/// # Safety
/// `start` must not exceed `end`, nor that the length.
#[inline(always)]
unsafe fn slice<T>(slice: &[T], start: usize, end: usize) -> &[T] {
    debug_assert!(start <= end, "runs are not upside down");
    debug_assert!(end <= slice.len(), "runs stay within their arena");
    #[cfg(checked)]
    return &slice[start..end];
    // SAFETY: the caller keeps the range within the slice.
    #[cfg(not(checked))]
    unsafe {
        slice.get_unchecked(start..end)
    }
}

//! The arena of dancing cells: options, the sets of the items, and what hides and restores options.
//!
//! Layout: items are numbered anew, first the primary ones in the order in which ties are broken, then
//! the secondary ones. The set of an item is a run of *cells*, one an option, those of a color together;
//! which of them are alive is kept in whole words of bits. An option is a run of records, one an item, its
//! primary items before its secondary ones; a record names the item and its own cell. So to hide an option
//! is to clear a bit and lower a number for each of its records, and to restore it is the reverse: no
//! set has to be mended, and a covered set yields its options alive from left to right.
//!
//! A primary item has a *margin*: its options alive, less those that it still needs; that is how many
//! it may lose before it is a dead end, and one less than the choices that it leaves. An item that is
//! covered (or may not be) has `INACTIVE` added, so that neither a minimum nor a test for zero meets it
//! and hiding need not ask.
//!
//! Invariants: an option is on the trail, once, iff the bits of its cells are clear; the margin of an
//! item counts its options alive, active or not. [`Arena::is_at_rest`] checks both between searches.
#![allow(unsafe_code, reason = "unchecked access to records, cells and margins in the hot loops")]

use crate::{Bounds, Color, OptionId, Problem};

/// An item in the arena's order. Only `Arena::new` makes them, each less than the item count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct ItemNo(u32);

/// An option, less than the option count: the problem's own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct OptionNo(u32);

/// How many options an item may lose.
type Margin = i32;

/// Added to the margin of an item that is covered.
const INACTIVE: Margin = 1 << 29;
/// Margins are read so many at a time.
const LANES: usize = 16;
/// Up to this size margins and words are copied rather than restored one by one.
const COPY_BYTES_MAX: usize = 4096;
/// The cells whose life is kept in one word.
const WORD: usize = u64::BITS as usize;

/// One item of one option, and the place of the option's bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
struct Record {
    item: ItemNo,
    bit: u32,
}

/// Where the records of an option begin, and where its secondary ones do; they end where the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    primary: u32,
    secondary: u32,
}

/// Where the cells of an item begin, and the words of their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Set {
    cells: u32,
    word: u32,
    word_end: u32,
}

/// The cells of an item that stay when it gets a color, counted from its first.
type Kept = std::ops::Range<u32>;

/// How often an item may still be covered; it must be as often less the slack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left {
    bound: i64,
    slack: u32,
}

impl Left {
    /// Returns how often the item must still be covered, negative if more often than it must.
    const fn need(self) -> i64 {
        self.bound - self.slack as i64
    }
}

/// A moment to which the arena can return.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    trail: u32,
    closed: u32,
    done: u32,
    chosen: u32,
    active_count: u32,
}

impl Mark {
    /// Returns the number of options chosen before it.
    pub(super) fn chosen_count(&self) -> usize {
        self.chosen as usize
    }
}

#[derive(Clone, Debug)]
pub(super) struct Arena {
    primary_count: usize,
    root: Mark,
    // By option, one more at the end of `spans`.
    spans: Vec<Span>,
    records: Vec<Record>,
    /// What stays of the item of each record when the option is chosen; empty without colors.
    kept: Vec<Kept>,

    // By item.
    sets: Vec<Set>,
    cells: Vec<OptionNo>,
    words: Vec<u64>,
    /// Of the primary items, filled up with inactive ones.
    margins: Vec<Margin>,
    left: Vec<Left>,
    /// Whether a secondary item is covered or purified.
    is_done: Vec<bool>,

    // What was done, in order.
    /// Options hidden.
    trail: Vec<OptionNo>,
    trail_len: usize,
    /// Primary items that became inactive.
    closed: Vec<ItemNo>,
    /// Secondary items that were covered or purified.
    done: Vec<ItemNo>,
    /// Options chosen.
    chosen: Vec<OptionNo>,

    /// Items with no option to lose, to be covered at once.
    forced: Vec<ItemNo>,
    forced_len: usize,
    active_count: u32,
    /// Whether margins and words are saved as a whole, and then no trail is kept.
    copies: bool,
    saved_margins: Vec<Margin>,
    saved_words: Vec<u64>,
    /// Options hidden since the last reset.
    pub(super) updates: u64,
}

impl Arena {
    pub(super) fn new(problem: &Problem, order: &[usize]) -> Self {
        let is_primary = |&item: &crate::ItemId| problem.is_primary(item);
        let primary: Vec<_> = problem.items().filter(is_primary).collect();
        let secondary = problem.items().filter(|item| !is_primary(item));
        let ordered: Vec<_> = order.iter().map(|&place| primary[place]).chain(secondary).collect();
        let mut numbers = vec![ItemNo(0); ordered.len()];
        for (number, item) in ordered.iter().enumerate() {
            numbers[item.index()] = ItemNo(number as u32);
        }
        let primary_count = primary.len();
        let mut arena = Self {
            primary_count,
            root: Mark::default(),
            spans: Vec::with_capacity(problem.option_count() + 1),
            records: Vec::with_capacity(problem.entry_count()),
            kept: Vec::new(),
            sets: Vec::with_capacity(ordered.len()),
            cells: Vec::new(),
            words: Vec::new(),
            margins: vec![INACTIVE; primary_count.next_multiple_of(LANES)],
            left: Vec::with_capacity(primary_count),
            is_done: vec![false; ordered.len()],
            trail: vec![OptionNo(0); problem.option_count()],
            trail_len: 0,
            closed: Vec::new(),
            done: Vec::new(),
            chosen: Vec::new(),
            forced: vec![ItemNo(0); 2 * primary_count + 2],
            forced_len: 0,
            active_count: 0,
            copies: false,
            saved_margins: Vec::new(),
            saved_words: Vec::new(),
            updates: 0,
        };
        for option in problem.options() {
            arena.push_option(problem, option, &numbers);
        }
        let end = arena.records.len() as u32;
        arena.spans.push(Span { primary: end, secondary: end });
        arena.fill_sets(problem, ordered.len());
        for &item in &ordered[..primary_count] {
            arena.push_margin(problem.bounds(item).unwrap_or(Bounds::ONE));
        }
        arena.root.active_count = arena.active_count;
        arena.copies = size_of_val(&arena.words[..]) + size_of_val(&arena.margins[..]) <= COPY_BYTES_MAX;
        arena.mark(0);
        arena
    }

    /// Appends the records of `option`, primary items first. Until `fill_sets` a bit is the color's number.
    fn push_option(&mut self, problem: &Problem, option: OptionId, numbers: &[ItemNo]) {
        let mut span = Span { primary: self.records.len() as u32, secondary: 0 };
        for wants_primary in [true, false] {
            for entry in problem.option(option) {
                if problem.is_primary(entry.item) == wants_primary {
                    let bit = entry.color.map_or(0, Color::number);
                    self.records.push(Record { item: numbers[entry.item.index()], bit });
                }
            }
            if wants_primary {
                span.secondary = self.records.len() as u32;
            }
        }
        self.spans.push(span);
    }

    /// Fills the sets with the options that can be chosen: those with a primary item and none that may
    /// not be covered at all. The others get bits as well, which are never set.
    fn fill_sets(&mut self, problem: &Problem, item_count: usize) {
        // The records item by item, those of an item color by color.
        let mut places: Vec<u32> = (0..self.records.len() as u32).collect();
        places.sort_by_key(|&place| {
            let Record { item, bit } = self.records[place as usize];
            (item.0, bit)
        });
        let options: Vec<_> = (0..problem.option_count() as u32).map(OptionNo).collect();
        let is_listed: Vec<_> = problem.options().map(|option| is_listed(problem, option)).collect();
        let mut option_of = vec![OptionNo(0); self.records.len()];
        for &option in &options {
            option_of[self.places(option)].fill(option);
        }
        if problem.has_colors() {
            self.kept = vec![0..0; self.records.len()];
        }
        let mut rest = &places[..];
        for item in 0..item_count as u32 {
            let len = rest.partition_point(|&place| self.records[place as usize].item.0 == item);
            let (run, others) = rest.split_at(len);
            rest = others;
            let word = self.words.len();
            let word_end = word + len.div_ceil(WORD);
            self.words.resize(word_end, 0);
            self.sets.push(Set {
                cells: self.cells.len() as u32,
                word: word as u32,
                word_end: word_end as u32,
            });
            let mut same_color = 0..0;
            for (place, &record) in run.iter().enumerate() {
                let option = option_of[record as usize];
                let bit = word * WORD + place;
                self.cells.push(option);
                self.words[bit / WORD] |= u64::from(is_listed[option.index()]) << (bit % WORD);
                let color = self.records[record as usize].bit;
                if problem.has_colors() && color != 0 {
                    if place as u32 >= same_color.end {
                        let same = |&&r: &&u32| self.records[r as usize].bit == color;
                        let count = run[place..].iter().take_while(same).count();
                        same_color = place as u32..(place + count) as u32;
                    }
                    self.kept[record as usize] = same_color.clone();
                }
                self.records[record as usize].bit = bit as u32;
            }
        }
    }

    /// Adds the margin of the next primary item.
    fn push_margin(&mut self, bounds: Bounds) {
        let item = self.left.len();
        self.left.push(Left { bound: bounds.high.into(), slack: bounds.high - bounds.low });
        let len: i64 = self.words_of(ItemNo(item as u32)).iter().map(|word| i64::from(word.count_ones())).sum();
        if bounds.high > 0 {
            // What begins as a dead end stays one.
            self.margins[item] = (len - i64::from(bounds.low)).max(-1) as Margin;
            self.active_count += 1;
        } else {
            self.margins[item] = INACTIVE;
        }
    }

    /// Returns the places of an option's records.
    fn places(&self, option: OptionNo) -> std::ops::Range<usize> {
        let start = self.spans[option.index()].primary as usize;
        start..self.spans[option.index() + 1].primary as usize
    }

    fn words_of(&self, item: ItemNo) -> &[u64] {
        let set = self.sets[item.index()];
        &self.words[set.word as usize..set.word_end as usize]
    }

    // What the algorithm reads.

    #[inline(always)]
    pub(super) fn active_count(&self) -> u32 {
        self.active_count
    }

    /// Tells whether the operations must run with `COPY`.
    pub(super) fn copies(&self) -> bool {
        self.copies
    }

    pub(super) fn chosen(&self) -> &[OptionNo] {
        &self.chosen
    }

    /// Returns the first active item of least margin, and that margin.
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
        if BOUNDS { self.left[item.index()].need() } else { 1 }
    }

    /// Appends the options alive of `item` to `choices`, in order of definition.
    #[inline]
    pub(super) fn list(&self, item: ItemNo, choices: &mut Vec<OptionNo>) {
        let mut cell = self.sets[item.index()].cells as usize;
        for &word in self.words_of(item) {
            let mut bits = word;
            while bits != 0 {
                choices.push(self.cells[cell + bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
            cell += WORD;
        }
    }

    /// Returns the first option alive of `item`.
    #[inline(always)]
    fn first(&self, item: ItemNo) -> Option<OptionNo> {
        let mut cell = self.sets[item.index()].cells as usize;
        for &word in self.words_of(item) {
            if word != 0 {
                return Some(self.cells[cell + word.trailing_zeros() as usize]);
            }
            cell += WORD;
        }
        None
    }

    // Hiding.

    /// Hides `option`, which is alive; returns the least margin of its items, or 0 if that is more.
    #[inline(always)]
    fn hide<const COPY: bool>(&mut self, option: OptionNo) -> Margin {
        let mut least = 0;
        let mut forced_len = self.forced_len;
        // SAFETY: records of the arena name items and bits of it; primary items have margins. Margins only
        // fall in here, so within a call of `purge` each item is noted at most once, for which it made room.
        // No option is hidden twice, so the trail is long enough.
        unsafe {
            if !COPY {
                *get_mut(&mut self.trail, self.trail_len) = option;
                self.trail_len += 1;
            }
            let span = *get(&self.spans, option.index());
            let end = get(&self.spans, option.index() + 1).primary;
            for place in span.primary as usize..span.secondary as usize {
                let Record { item, bit } = *get(&self.records, place);
                *get_mut(&mut self.words, bit as usize / WORD) &= !(1 << (bit as usize % WORD));
                let margin = get_mut(&mut self.margins, item.index());
                *margin -= 1;
                least = least.min(*margin);
                let is_forced = *margin == 0;
                *get_mut(&mut self.forced, forced_len) = item;
                forced_len += usize::from(is_forced);
            }
            for place in span.secondary as usize..end as usize {
                let bit = get(&self.records, place).bit as usize;
                *get_mut(&mut self.words, bit / WORD) &= !(1 << (bit % WORD));
            }
        }
        self.forced_len = forced_len;
        self.updates += 1;
        least
    }

    /// Hides the options of `item` that are alive, except those kept; with `CHECK` until an active item has too few
    /// options left: then `false`.
    #[inline(always)]
    fn clear<const COPY: bool, const KEEP: bool, const CHECK: bool>(
        &mut self, item: ItemNo, kept: &Kept) -> bool {
        if self.forced.len() - self.forced_len <= self.primary_count {
            self.forced.resize(2 * self.forced.len(), ItemNo(0));
        }
        // SAFETY: an item's words and cells are within the arena's; a bit that is set has a cell.
        unsafe {
            let set = *get(&self.sets, item.index());
            let mut first = 0;
            for word in set.word..set.word_end {
                let mut bits = *get(&self.words, word as usize);
                if KEEP {
                    bits &= !(below(kept.end.saturating_sub(first)) & !below(kept.start.saturating_sub(first)));
                }
                while bits != 0 {
                    let cell = set.cells + first + bits.trailing_zeros();
                    let least = self.hide::<COPY>(*get(&self.cells, cell as usize));
                    if CHECK && least < 0 {
                        return false;
                    }
                    bits &= bits - 1;
                }
                first += WORD as u32;
            }
        }
        true
    }

    /// Covers `item` by none of its options in particular: hides them all. Items that could be forced or
    /// dead ends, depending on which is chosen, are noted as forced.
    #[inline]
    pub(super) fn cover<const COPY: bool>(&mut self, item: ItemNo) {
        self.close::<COPY>(item);
        self.clear::<COPY, false, false>(item, &(0..0));
    }

    /// Covers `item` no more.
    #[inline(always)]
    pub(super) fn close<const COPY: bool>(&mut self, item: ItemNo) {
        self.margins[item.index()] += INACTIVE;
        self.active_count -= 1;
        if !COPY {
            self.closed.push(item);
        }
    }

    /// Hides `option`.
    #[inline]
    pub(super) fn take_out<const COPY: bool>(&mut self, option: OptionNo) {
        if self.forced.len() - self.forced_len <= self.primary_count {
            self.forced.resize(2 * self.forced.len(), ItemNo(0));
        }
        self.hide::<COPY>(option);
    }

    /// Chooses `option`, which is alive.
    #[inline(always)]
    fn choose<const COPY: bool, const COLORS: bool, const BOUNDS: bool, const CHECK: bool>(&mut self, option: OptionNo) -> bool {
        self.enlist::<COPY, BOUNDS>(option, None);
        if CHECK && self.active_count == 0 {
            return true;
        }
        self.take_out::<COPY>(option);
        self.purge::<COPY, COLORS, BOUNDS, CHECK>(option, None)
    }

    /// Chooses `option`, which goes with those chosen before, whether it is in the sets or not.
    pub(super) fn force<const COPY: bool, const COLORS: bool, const BOUNDS: bool>(&mut self, option: OptionNo) {
        let bit = self.records[self.places(option).start].bit as usize;
        if self.words[bit / WORD] >> (bit % WORD) & 1 == 1 {
            self.choose::<COPY, COLORS, BOUNDS, false>(option);
        } else {
            self.enlist::<COPY, BOUNDS>(option, None);
            self.purge::<COPY, COLORS, BOUNDS, false>(option, None);
        }
    }

    /// Chooses `option`, which is hidden already, for the item `but` if that is covered already. The
    /// items of `pending` had no option to lose or less before.
    #[inline(always)]
    pub(super) fn commit<const COPY: bool, const COLORS: bool, const BOUNDS: bool>(
        &mut self,
        option: OptionNo,
        but: Option<ItemNo>,
        pending: &[ItemNo],
    ) -> bool {
        self.enlist::<COPY, BOUNDS>(option, but);
        if self.active_count == 0 {
            return true;
        }
        self.recall(pending) && self.purge::<COPY, COLORS, BOUNDS, true>(option, but)
    }

    /// Adds `option` to the chosen ones: its items are covered once more. All those that are covered for good
    /// become inactive before the first of them is cleared, so that none is met as forced or a dead end.
    #[inline(always)]
    fn enlist<const COPY: bool, const BOUNDS: bool>(&mut self, option: OptionNo, but: Option<ItemNo>) {
        self.chosen.push(option);
        let span = self.spans[option.index()];
        for place in span.primary as usize..span.secondary as usize {
            let item = self.records[place].item;
            if BOUNDS {
                let left = &mut self.left[item.index()];
                let is_needed = left.need() > 0;
                left.bound -= 1;
                let is_open = left.bound > 0;
                self.margins[item.index()] += Margin::from(is_needed);
                if is_open {
                    continue;
                }
            }
            if Some(item) != but {
                self.close::<COPY>(item);
            }
        }
    }

    /// Hides the options that do not go with `option`; with `CHECK` until an active item has too few options
    /// left: then `false`.
    #[inline(always)]
    fn purge<const COPY: bool, const COLORS: bool, const BOUNDS: bool, const CHECK: bool>(
        &mut self,
        option: OptionNo,
        but: Option<ItemNo>,
    ) -> bool {
        let span = self.spans[option.index()];
        let end = self.spans[option.index() + 1].primary;
        for place in span.primary as usize..span.secondary as usize {
            let item = self.records[place].item;
            let is_covered = !BOUNDS || self.left[item.index()].bound == 0;
            if is_covered && Some(item) != but && !self.clear::<COPY, false, CHECK>(item, &(0..0)) {
                return false;
            }
        }
        for place in span.secondary as usize..end as usize {
            let item = self.records[place].item;
            if !COLORS {
                if !self.clear::<COPY, false, CHECK>(item, &(0..0)) {
                    return false;
                }
            } else if !self.is_done[item.index()] {
                self.is_done[item.index()] = true;
                self.done.push(item);
                let kept = self.kept[place].clone();
                if !self.clear::<COPY, true, CHECK>(item, &kept) {
                    return false;
                }
            }
        }
        true
    }

    /// Chooses an option of an item that has none to lose: `None` if there is no such item, `Some(false)`
    /// if that leads to a dead end.
    #[inline(always)]
    pub(super) fn force_next<const COPY: bool, const COLORS: bool, const BOUNDS: bool>(&mut self) -> Option<bool> {
        while self.forced_len > 0 {
            self.forced_len -= 1;
            let item = self.forced[self.forced_len];
            if self.margins[item.index()] != 0 {
                continue;
            }
            let Some(option) = self.first(item) else {
                debug_assert!(BOUNDS, "an item without options is a dead end");
                // It is covered often enough, and nothing is left of it.
                self.close::<COPY>(item);
                continue;
            };
            return Some(self.choose::<COPY, COLORS, BOUNDS, true>(option));
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

    /// Moves the noted items to `pending`.
    #[inline]
    pub(super) fn take_forced(&mut self, pending: &mut Vec<ItemNo>) {
        pending.extend_from_slice(&self.forced[..self.forced_len]);
        self.forced_len = 0;
    }

    // Going back.

    /// Returns the current moment, which is that of the choices at `level`; level 0 is the moment before the search.
    #[inline(always)]
    pub(super) fn mark(&mut self, level: usize) -> Mark {
        if self.copies {
            save(&self.margins, &mut self.saved_margins, level);
            save(&self.words, &mut self.saved_words, level);
        }
        Mark {
            trail: self.trail_len as u32,
            closed: self.closed.len() as u32,
            done: self.done.len() as u32,
            chosen: self.chosen.len() as u32,
            active_count: self.active_count,
        }
    }

    /// Returns the moment before the search.
    pub(super) fn root(&self) -> Mark {
        self.root
    }

    /// Returns to a moment.
    #[inline(always)]
    pub(super) fn restore<const COPY: bool, const COLORS: bool, const BOUNDS: bool>(
        &mut self,
        mark: &Mark,
        level: usize,
    ) {
        if BOUNDS {
            for &option in &self.chosen[mark.chosen as usize..] {
                let span = self.spans[option.index()];
                for record in &self.records[span.primary as usize..span.secondary as usize] {
                    let left = &mut self.left[record.item.index()];
                    left.bound += 1;
                    if !COPY {
                        self.margins[record.item.index()] -= Margin::from(left.need() > 0);
                    }
                }
            }
        }
        self.chosen.truncate(mark.chosen as usize);
        if COLORS {
            for &item in &self.done[mark.done as usize..] {
                self.is_done[item.index()] = false;
            }
            self.done.truncate(mark.done as usize);
        }
        self.active_count = mark.active_count;
        self.forced_len = 0;
        if COPY {
            let width = self.margins.len();
            self.margins.copy_from_slice(&self.saved_margins[level * width..][..width]);
            let width = self.words.len();
            self.words.copy_from_slice(&self.saved_words[level * width..][..width]);
        } else {
            self.show(mark);
        }
    }

    /// Shows the options that were hidden since, and opens the items that were closed.
    #[inline(always)]
    fn show(&mut self, mark: &Mark) {
        for place in mark.trail as usize..self.trail_len {
            // SAFETY: as in `hide`.
            unsafe {
                let option = *get(&self.trail, place);
                let span = *get(&self.spans, option.index());
                let end = get(&self.spans, option.index() + 1).primary;
                for place in span.primary as usize..span.secondary as usize {
                    let Record { item, bit } = *get(&self.records, place);
                    *get_mut(&mut self.words, bit as usize / WORD) |= 1 << (bit as usize % WORD);
                    *get_mut(&mut self.margins, item.index()) += 1;
                }
                for place in span.secondary as usize..end as usize {
                    let bit = get(&self.records, place).bit as usize;
                    *get_mut(&mut self.words, bit / WORD) |= 1 << (bit % WORD);
                }
            }
        }
        self.trail_len = mark.trail as usize;
        for &item in &self.closed[mark.closed as usize..] {
            self.margins[item.index()] -= INACTIVE;
        }
        self.closed.truncate(mark.closed as usize);
    }

    /// Tells whether the options go together and cover no item too often. To be asked at rest.
    pub(super) fn fits(&self, options: &[OptionId]) -> bool {
        let mut fits = true;
        // How often each item is asked for, and what it keeps.
        let mut asked = std::collections::BTreeMap::new();
        for &option in options {
            for place in self.places(option.into()) {
                let item = self.records[place].item;
                let kept = self.kept.get(place).cloned().unwrap_or(0..0);
                let (count, first) = asked.entry(item.0).or_insert((0, kept.clone()));
                *count += 1;
                fits &= match self.left.get(item.index()) {
                    Some(left) => *count <= left.bound,
                    // An uncolored entry excludes even its like.
                    None => *count == 1 || *first == kept && !kept.is_empty(),
                };
            }
        }
        fits
    }

    /// Tells whether everything is as `new` left it.
    pub(super) fn is_at_rest(&self, problem: &Problem, order: &[usize]) -> bool {
        let fresh = Self::new(problem, order);
        self.words == fresh.words
            && self.margins == fresh.margins
            && self.left == fresh.left
            && self.is_done == fresh.is_done
            && self.active_count == fresh.active_count
            && self.trail_len == 0
            && self.closed.is_empty()
            && self.done.is_empty()
            && self.chosen.is_empty()
    }
}

/// Copies `row` into its place for `level`.
#[inline(always)]
fn save<T: Copy + Default>(row: &[T], saved: &mut Vec<T>, level: usize) {
    let start = level * row.len();
    if saved.len() < start + row.len() {
        saved.resize(2 * (start + row.len()), T::default());
    }
    saved[start..start + row.len()].copy_from_slice(row);
}

/// Tells whether `option` can be chosen: it has a primary item, and none that may not be covered at all.
fn is_listed(problem: &Problem, option: OptionId) -> bool {
    let mut bounds = problem.option(option).iter().filter_map(|entry| problem.bounds(entry.item)).peekable();
    bounds.peek().is_some() && bounds.all(|bounds| bounds.high > 0)
}

/// Returns a word whose lowest `count` bits are set; all of them if there are fewer.
#[inline(always)]
const fn below(count: u32) -> u64 {
    if count >= u64::BITS { u64::MAX } else { (1 << count) - 1 }
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

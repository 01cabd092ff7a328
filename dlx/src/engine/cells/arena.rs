//! The arena of dancing cells: options, the sets of the items, and what hides and restores options.
//!
//! Layout: items are numbered anew, first the primary ones in the order in which ties are broken, then
//! the secondary ones. The set of an item is a run of *cells*, one an option, those of a color together;
//! which of them are alive is kept in bits, and each set begins a new word. An option is a run of
//! records, one an item, its primary items before its secondary ones; a record names the item and the
//! bit of the option in the set of that item. So hiding an option clears a bit for each of its records
//! and lowers a number for the primary ones; no set has to be mended, and a set yields its options
//! alive in order.
//!
//! A primary item has a *margin*: its options alive, less those that it still needs. That is how many
//! it may lose, and one less than the choices that it leaves; at 0 it is forced, below it is a dead end.
//! An item that is covered, or may not be, has `INACTIVE` added, so that neither a minimum nor a test of
//! sign or zero meets it, and hiding need not ask which items are active.
//!
//! Going back is a copy of all words and margins, where they are few, or else walks the trail of what
//! was hidden. Copying is 1.2-1.7 times as fast on most problems and still 1.2 times at 11 KiB
//! (qwh-33-460).
//!
//! Invariants: an option is hidden iff the bits of all its records are clear; the margin of an
//! item counts its options alive, whether it is active or not. Between searches all is as `new` made it,
//! which [`Arena::is_at_rest`] checks.
//!
//! The accessors leave bounds checks out; they come back with `--cfg checked`.
#![allow(unsafe_code, reason = "unchecked access to records, cells and margins in the hot loops")]

use std::ops::{AddAssign, BitOrAssign, SubAssign};

use super::Unsupported;
use crate::engine::unchecked::{get, get_mut, slice};
use crate::model::{Bounds, Color, OptionId, Problem};

/// An item in the arena's order. Only `Arena::new` makes them, each less than the item count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct ItemNo(u32);

/// An option, less than the option count: the problem's own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct OptionNo(u32);

/// How many options an item may lose, as a number that is wide enough.
pub(super) trait Margin:
    Copy + Ord + Default + From<bool> + AddAssign + SubAssign + BitOrAssign
{
    /// Whether words and margins are saved as a whole, and no trail is kept.
    const COPIES: bool;
    /// Added to the margin of an item that is covered, perhaps twice.
    const INACTIVE: Self;

    /// Makes the margin of an item that has `count` options more than it needs.
    fn new(count: i64) -> Self;
    /// Returns the number of choices that it leaves.
    fn degree(self) -> u32;
}

/// Defines a margin whose `INACTIVE` is a quarter of its range. A set must be shorter than half of that.
macro_rules! define_margin {
    ($number:ty, $copies:literal) => {
        impl Margin for $number {
            const COPIES: bool = $copies;
            const INACTIVE: Self = Self::MAX / 4 + 1;

            fn new(count: i64) -> Self {
                // What begins as a dead end stays one.
                count.max(-1) as Self
            }

            #[inline(always)]
            fn degree(self) -> u32 {
                self as u32 + 1
            }
        }
    };
}

define_margin!(i16, true);
define_margin!(i32, false);

/// The number of margins that are read at a time.
const LANES: usize = 16;
/// Up to this size words are copied rather than restored one by one.
const COPY_BYTES_MAX: usize = 1 << 14;
/// The cells whose life is kept in one word.
const WORD: usize = u64::BITS as usize;

/// One item of one option, and the place of the option's bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
struct Record {
    item: ItemNo,
    bit: u32,
}

/// Where the records of an option begin, and where its secondary ones do; they end where the next
/// begins.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kept {
    start: u32,
    end: u32,
}

/// What stays of an item without a color.
const NOTHING: Kept = Kept { start: 0, end: 0 };

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
pub(super) struct Arena<M> {
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
    margins: Vec<M>,
    left: Vec<Left>,
    /// Whether a secondary item is purified. Purifying it again would do nothing, but look at its
    /// words; not to do so saves 4-8 % of the time with colors.
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
    saved_margins: Vec<M>,
    saved_words: Vec<u64>,
    /// Options hidden since the last reset.
    pub(super) updates: u64,
}

impl<M: Margin> Arena<M> {
    pub(super) fn new(problem: &Problem, order: &[usize]) -> Self {
        let is_primary = |&item: &crate::model::ItemId| problem.is_primary(item);
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
            margins: vec![M::INACTIVE; primary_count.next_multiple_of(LANES)],
            left: Vec::with_capacity(primary_count),
            is_done: vec![false; ordered.len()],
            trail: vec![OptionNo(0); if M::COPIES { 0 } else { problem.option_count() }],
            trail_len: 0,
            closed: Vec::new(),
            done: Vec::new(),
            chosen: Vec::new(),
            forced: vec![ItemNo(0); 2 * primary_count + 2],
            forced_len: 0,
            active_count: 0,
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
        arena.mark(0);
        arena
    }

    /// Appends the records of `option`, primary items first. Until `fill_sets` a bit is the color's
    /// number.
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
    ///
    /// The records are gone through in their order, which is that of their memory; going through them item by item
    /// takes three times as long for millions.
    fn fill_sets(&mut self, problem: &Problem, item_count: usize) {
        let mut lens = vec![0_u32; item_count];
        for record in &self.records {
            lens[record.item.index()] += 1;
        }
        let (mut cells, mut words) = (0, 0);
        for &len in &lens {
            let word_end = words + len.div_ceil(u64::BITS);
            self.sets.push(Set { cells, word: words, word_end });
            (cells, words) = (cells + len, word_end);
        }
        self.cells = vec![OptionNo(0); cells as usize];
        self.words = vec![0; words as usize];
        let by_color = problem.has_colors().then(|| self.rank_by_color(&lens));
        let mut filled = vec![0_u32; item_count];
        for option in problem.options() {
            let is_listed = u64::from(is_listed(problem, option));
            for record in self.places(option.into()) {
                let item = self.records[record].item.index();
                let rank = by_color.as_ref().map_or(filled[item], |ranks| ranks[record]);
                filled[item] += 1;
                let set = self.sets[item];
                self.cells[(set.cells + rank) as usize] = option.into();
                let bit = set.word * u64::BITS + rank;
                self.words[bit as usize / WORD] |= is_listed << (bit % u64::BITS);
                self.records[record].bit = bit;
            }
        }
    }

    /// Returns for each record which of its item it is when those of one color stand together, and notes which
    /// these are. So long the bit of a record is its color's number.
    fn rank_by_color(&mut self, lens: &[u32]) -> Vec<u32> {
        // The records item by item.
        let mut ends: Vec<usize> = lens
            .iter()
            .scan(0, |end, &len| Some(std::mem::replace(end, *end + len as usize)))
            .collect();
        let mut records = vec![0_u32; self.records.len()];
        for (number, record) in self.records.iter().enumerate() {
            let end = &mut ends[record.item.index()];
            records[*end] = number as u32;
            *end += 1;
        }
        self.kept = vec![NOTHING; self.records.len()];
        let mut ranks = vec![0; self.records.len()];
        let mut start = 0;
        for &end in &ends {
            let run = &mut records[std::mem::replace(&mut start, end)..end];
            let color = |record: u32| self.records[record as usize].bit;
            run.sort_by_key(|&record| color(record));
            let mut first = 0;
            for same in run.chunk_by(|&a, &b| color(a) == color(b)) {
                let kept = Kept { start: first, end: first + same.len() as u32 };
                for (rank, &record) in (first..).zip(same) {
                    ranks[record as usize] = rank;
                    if color(record) != 0 {
                        self.kept[record as usize] = kept;
                    }
                }
                first = kept.end;
            }
        }
        ranks
    }

    /// Adds the margin of the next primary item.
    fn push_margin(&mut self, bounds: Bounds) {
        let item = self.left.len();
        self.left.push(Left { bound: bounds.high.into(), slack: bounds.high - bounds.low });
        let len: i64 =
            self.words_of(ItemNo(item as u32)).0.iter().map(|word| i64::from(word.count_ones())).sum();
        if bounds.high > 0 {
            self.margins[item] = M::new(len - i64::from(bounds.low));
            self.active_count += 1;
        } else {
            self.margins[item] = M::INACTIVE;
        }
    }

    /// Returns the places of an option's records.
    fn places(&self, option: OptionNo) -> std::ops::Range<usize> {
        let start = self.spans[option.index()].primary as usize;
        start..self.spans[option.index() + 1].primary as usize
    }

    /// Returns about how much work it is to hide an option, as a multiple of that of a few entries.
    pub(super) fn update_work(&self) -> usize {
        self.records.len() / self.spans.len() / 4
    }

    // The accessors.

    #[inline(always)]
    fn span(&self, option: OptionNo) -> (usize, usize, usize) {
        // SAFETY: `new` numbers the options of the problem and makes a span for each, and one more; an `OptionNo` is
        // private to the engine, and comes from its cells or, checked, from the caller's options.
        unsafe {
            let span = *get(&self.spans, option.index());
            let end = get(&self.spans, option.index() + 1).primary;
            (span.primary as usize, span.secondary as usize, end as usize)
        }
    }

    /// Returns the record at `place`, which must be within the span of an option.
    #[inline(always)]
    fn record(&self, place: usize) -> Record {
        debug_assert!(place < self.records.len(), "spans lie within the records");
        // SAFETY: `new` makes the spans of the options as ranges of the records it pushes, and neither changes
        // afterwards; the callers only ask for places within a span.
        unsafe { *get(&self.records, place) }
    }

    /// Returns what stays of the item of a record; to be asked only if the problem has colors.
    #[inline(always)]
    fn kept_at(&self, place: usize) -> Kept {
        debug_assert!(!self.kept.is_empty(), "only problems with colors run with COLORS");
        // SAFETY: the place lies within a span, and so among the records; `new` makes an entry of `kept` for each record
        // if the problem has colors, and only then is the search run with COLORS.
        unsafe { *get(&self.kept, place) }
    }

    /// Tells whether `item` is purified, to be read or set.
    #[inline(always)]
    fn is_done(&mut self, item: ItemNo) -> &mut bool {
        // SAFETY: `new` makes an entry for each item, and only it numbers items.
        unsafe { get_mut(&mut self.is_done, item.index()) }
    }

    #[inline(always)]
    fn margin(&mut self, item: ItemNo) -> &mut M {
        // SAFETY: primary items are numbered first, `new` makes a margin for each of them, and callers have the item from
        // the primary part of an option's span or from the choice among margins.
        unsafe { get_mut(&mut self.margins, item.index()) }
    }

    #[inline(always)]
    fn left(&mut self, item: ItemNo) -> &mut Left {
        // SAFETY: `new` makes as many entries as margins, one for each primary item, and callers have one of those.
        unsafe { get_mut(&mut self.left, item.index()) }
    }

    /// Returns the words of an item, and its first cell.
    #[inline(always)]
    fn words_of(&self, item: ItemNo) -> (&[u64], usize) {
        // SAFETY: `new` makes a set for each item that it numbers, and after them the words, as many as the last set's
        // end says; the sets do not change.
        unsafe {
            let set = *get(&self.sets, item.index());
            (slice(&self.words, set.word as usize, set.word_end as usize), set.cells as usize)
        }
    }

    /// Returns the option of a cell: one whose bit is set.
    #[inline(always)]
    fn option_at(&self, cell: usize) -> OptionNo {
        // SAFETY: a bit is set only where `new` put an option into the cell of that number, and callers come here by a
        // bit that is set.
        unsafe { *get(&self.cells, cell) }
    }

    #[inline(always)]
    fn word(&mut self, bit: u32) -> &mut u64 {
        // SAFETY: bits come from records or from the words of a set, and `new` makes words for all of both.
        unsafe { get_mut(&mut self.words, bit as usize / WORD) }
    }

    // What the algorithm reads.

    #[inline(always)]
    pub(super) fn active_count(&self) -> u32 {
        self.active_count
    }

    pub(super) fn chosen(&self) -> &[OptionNo] {
        &self.chosen
    }

    /// Returns the first active item of least margin, and that margin.
    #[inline]
    pub(super) fn least(&self) -> (ItemNo, M) {
        let mut lanes = [M::INACTIVE; LANES];
        for chunk in self.margins.chunks_exact(LANES) {
            for (lane, &margin) in lanes.iter_mut().zip(chunk) {
                *lane = (*lane).min(margin);
            }
        }
        let least = lanes.into_iter().min().unwrap_or(M::INACTIVE);
        for (block, chunk) in self.margins.chunks_exact(LANES).enumerate() {
            let is_here = chunk.iter().fold(0, |found, &margin| found | u16::from(margin == least));
            if is_here != 0 {
                let lane = chunk.iter().position(|&margin| margin == least).unwrap_or(0);
                return (ItemNo((block * LANES + lane) as u32), least);
            }
        }
        (ItemNo(0), M::INACTIVE)
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

    /// Appends the options alive of `item` to `choices`, those of a color in order of definition.
    #[inline]
    pub(super) fn list(&self, item: ItemNo, choices: &mut Vec<OptionNo>) {
        let (words, mut cell) = self.words_of(item);
        for &word in words {
            let mut bits = word;
            while bits != 0 {
                choices.push(self.option_at(cell + bits.trailing_zeros() as usize));
                bits &= bits - 1;
            }
            cell += WORD;
        }
    }

    /// Returns the first option alive of `item`.
    #[inline(always)]
    fn first(&self, item: ItemNo) -> Option<OptionNo> {
        let (words, cell) = self.words_of(item);
        let block = words.iter().position(|&word| word != 0)?;
        Some(self.option_at(cell + block * WORD + words[block].trailing_zeros() as usize))
    }

    // Hiding.

    /// Hides `option`, which is alive; returns a number that is negative iff a margin of its items is.
    #[inline(always)]
    fn hide(&mut self, option: OptionNo) -> M {
        let (zero, one) = (M::default(), M::from(true));
        let mut signs = zero;
        let mut forced_len = self.forced_len;
        if !M::COPIES {
            // SAFETY: the trail has a place for each option, and holds those that are hidden, none of them twice: `option`
            // was alive until now.
            unsafe { *get_mut(&mut self.trail, self.trail_len) = option };
            self.trail_len += 1;
        }
        let (primary, secondary, end) = self.span(option);
        for place in primary..secondary {
            let Record { item, bit } = self.record(place);
            *self.word(bit) &= !(1 << (bit as usize % WORD));
            let margin = self.margin(item);
            *margin -= one;
            signs |= *margin;
            let is_forced = *margin == zero;
            // SAFETY: `make_room` made room for every primary item and one more; margins only fall until it is called
            // again, so each item reaches 0 at most once.
            unsafe { *get_mut(&mut self.forced, forced_len) = item };
            forced_len += usize::from(is_forced);
        }
        for place in secondary..end {
            let bit = self.record(place).bit;
            *self.word(bit) &= !(1 << (bit as usize % WORD));
        }
        self.forced_len = forced_len;
        self.updates += 1;
        signs
    }

    /// Hides the options of `item` that are alive, except those kept; with `CHECK` until an active
    /// item has too few options left: then `false`.
    #[inline(always)]
    fn clear<const KEEP: bool, const CHECK: bool>(&mut self, item: ItemNo, kept: Kept) -> bool {
        self.make_room();
        // SAFETY: `new` makes a set for each item that it numbers.
        let set = unsafe { *get(&self.sets, item.index()) };
        let mut first = 0;
        for word in set.word..set.word_end {
            let mut bits = *self.word(word * WORD as u32);
            if KEEP {
                bits &=
                    !below(kept.end.saturating_sub(first)) | below(kept.start.saturating_sub(first));
            }
            while bits != 0 {
                let option = self.option_at((set.cells + first + bits.trailing_zeros()) as usize);
                let signs = self.hide(option);
                if CHECK && signs < M::default() {
                    return false;
                }
                bits &= bits - 1;
            }
            first += WORD as u32;
        }
        true
    }

    /// Makes room for a note of every primary item, and one more that does not count.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.forced.len() - self.forced_len <= self.primary_count {
            self.forced.resize(2 * self.forced.len(), ItemNo(0));
        }
    }

    /// Covers `item` by none of its options in particular: hides them all. Items that could be forced or
    /// dead ends, depending on which is chosen, are noted as forced.
    #[inline]
    pub(super) fn cover(&mut self, item: ItemNo) {
        self.close(item);
        self.clear::<false, false>(item, NOTHING);
    }

    /// Makes `item` inactive: it is covered, or will be covered no more.
    #[inline(always)]
    fn close(&mut self, item: ItemNo) {
        *self.margin(item) += M::INACTIVE;
        self.active_count -= 1;
        if !M::COPIES {
            self.closed.push(item);
        }
    }

    /// Hides `option`.
    #[inline]
    pub(super) fn take_out(&mut self, option: OptionNo) {
        self.make_room();
        self.hide(option);
    }

    /// Chooses `option`, which is alive.
    #[inline(always)]
    fn choose<const COLORS: bool, const BOUNDS: bool, const CHECK: bool>(
        &mut self,
        option: OptionNo,
    ) -> bool {
        self.enlist::<BOUNDS>(option, None);
        if CHECK && self.active_count == 0 {
            return true;
        }
        self.take_out(option);
        self.purge::<COLORS, BOUNDS, CHECK>(option, None)
    }

    /// Hides `option` unless it is hidden.
    pub(super) fn leave_out(&mut self, option: OptionNo) {
        if self.is_alive(option) {
            self.take_out(option);
        }
    }

    fn is_alive(&self, option: OptionNo) -> bool {
        let bit = self.records[self.places(option).start].bit as usize;
        self.words[bit / WORD] >> (bit % WORD) & 1 == 1
    }

    /// Chooses `option`, which goes with those chosen before, whether it is in the sets or not.
    pub(super) fn force<const COLORS: bool, const BOUNDS: bool>(&mut self, option: OptionNo) {
        if self.is_alive(option) {
            self.choose::<COLORS, BOUNDS, false>(option);
        } else {
            self.enlist::<BOUNDS>(option, None);
            self.purge::<COLORS, BOUNDS, false>(option, None);
        }
    }

    /// Chooses `option`, which is hidden already, for the item `but` if that is covered already. The
    /// items of `pending` had no option to lose or less before.
    #[inline(always)]
    pub(super) fn commit<const COLORS: bool, const BOUNDS: bool>(
        &mut self,
        option: OptionNo,
        but: Option<ItemNo>,
        pending: &[ItemNo],
    ) -> bool {
        self.enlist::<BOUNDS>(option, but);
        if self.active_count == 0 {
            return true;
        }
        self.recall(pending) && self.purge::<COLORS, BOUNDS, true>(option, but)
    }

    /// Adds `option` to the chosen ones: its items are covered once more. All those that are covered
    /// for good become inactive before the first of them is cleared, so that none is met as forced or
    /// a dead end.
    #[inline(always)]
    fn enlist<const BOUNDS: bool>(&mut self, option: OptionNo, but: Option<ItemNo>) {
        self.chosen.push(option);
        let (primary, secondary, _) = self.span(option);
        for place in primary..secondary {
            let item = self.record(place).item;
            if BOUNDS {
                let left = self.left(item);
                let is_needed = left.need() > 0;
                left.bound -= 1;
                let is_open = left.bound > 0;
                *self.margin(item) += M::from(is_needed);
                if is_open {
                    continue;
                }
            }
            if Some(item) != but {
                self.close(item);
            }
        }
    }

    /// Hides the options that do not go with `option`; with `CHECK` until an active item has too few
    /// options left: then `false`.
    #[inline(always)]
    fn purge<const COLORS: bool, const BOUNDS: bool, const CHECK: bool>(
        &mut self,
        option: OptionNo,
        but: Option<ItemNo>,
    ) -> bool {
        let (primary, secondary, end) = self.span(option);
        for place in primary..secondary {
            let item = self.record(place).item;
            let is_covered = !BOUNDS || self.left(item).bound == 0;
            if is_covered && Some(item) != but && !self.clear::<false, CHECK>(item, NOTHING) {
                return false;
            }
        }
        for place in secondary..end {
            let item = self.record(place).item;
            if !COLORS {
                if !self.clear::<false, CHECK>(item, NOTHING) {
                    return false;
                }
            } else if !std::mem::replace(self.is_done(item), true) {
                self.done.push(item);
                if !self.clear::<true, CHECK>(item, self.kept_at(place)) {
                    return false;
                }
            }
        }
        true
    }

    /// Chooses an option of an item that has none to lose: `None` if there is no such item,
    /// `Some(false)` if that leads to a dead end.
    #[inline(always)]
    pub(super) fn force_next<const COLORS: bool, const BOUNDS: bool>(&mut self) -> Option<bool> {
        while self.forced_len > 0 {
            self.forced_len -= 1;
            let item = self.forced[self.forced_len];
            if *self.margin(item) != M::default() {
                continue;
            }
            let Some(option) = self.first(item) else {
                debug_assert!(BOUNDS, "an item without options is a dead end");
                // It is covered often enough, and nothing is left of it.
                self.close(item);
                continue;
            };
            return Some(self.choose::<COLORS, BOUNDS, true>(option));
        }
        None
    }

    /// Notes as forced those of `items` that have no option to lose; `false` if one is a dead end.
    #[inline]
    pub(super) fn recall(&mut self, items: &[ItemNo]) -> bool {
        for &item in items {
            let margin = *self.margin(item);
            if margin < M::default() {
                return false;
            }
            if margin == M::default() {
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
            if margin < M::default() {
                return false;
            }
            if margin == M::default() {
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

    /// Returns the current moment, which is that of the choices at `level`; level 0 is the moment
    /// before the search.
    #[inline(always)]
    pub(super) fn mark(&mut self, level: usize) -> Mark {
        if M::COPIES {
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
    pub(super) fn restore<const COLORS: bool, const BOUNDS: bool>(
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
                    if !M::COPIES {
                        self.margins[record.item.index()] -= M::from(left.need() > 0);
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
        if M::COPIES {
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
            // SAFETY: `trail_len` counts what `hide` has put into the trail, and the place is below it.
            let option = unsafe { *get(&self.trail, place) };
            let (primary, secondary, end) = self.span(option);
            for place in primary..secondary {
                let Record { item, bit } = self.record(place);
                *self.word(bit) |= 1 << (bit as usize % WORD);
                *self.margin(item) += M::from(true);
            }
            for place in secondary..end {
                let bit = self.record(place).bit;
                *self.word(bit) |= 1 << (bit as usize % WORD);
            }
        }
        self.trail_len = mark.trail as usize;
        for place in mark.closed as usize..self.closed.len() {
            *self.margin(self.closed[place]) -= M::INACTIVE;
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
                let kept = self.kept.get(place).copied().unwrap_or(NOTHING);
                let (count, first) = asked.entry(item.0).or_insert((0, kept));
                *count += 1;
                fits &= match self.left.get(item.index()) {
                    Some(left) => *count <= left.bound,
                    // An uncolored entry excludes even its like.
                    None => *count == 1 || *first == kept && kept != NOTHING,
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

/// Tells whether the state for `problem` is so small that it is better copied than undone.
///
/// # Errors
/// If it is so large that its bits cannot be numbered.
pub(super) fn is_small(problem: &Problem) -> Result<bool, Unsupported> {
    let mut lens = vec![0_usize; problem.item_count()];
    for entry in problem.options().flat_map(|option| problem.option(option)) {
        lens[entry.item.index()] += 1;
    }
    let word_count = lens.iter().map(|len| len.div_ceil(WORD)).sum::<usize>();
    let longest = lens.iter().max().copied().unwrap_or(0);
    if word_count > u32::MAX as usize / WORD || longest >= <i32 as Margin>::INACTIVE as usize / 2 {
        return Err(Unsupported::new("problems of more than 2^32 cells"));
    }
    let fits = longest < <i16 as Margin>::INACTIVE as usize / 2;
    Ok(fits && word_count * size_of::<u64>() <= COPY_BYTES_MAX)
}

/// Tells whether `option` can be chosen: it has a primary item, and none that may not be covered at all.
fn is_listed(problem: &Problem, option: OptionId) -> bool {
    let mut bounds =
        problem.option(option).iter().filter_map(|entry| problem.bounds(entry.item)).peekable();
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

//! The arena of dancing cells: options, the sets of the items, and the operations that hide and
//! restore options.
//!
//! Layout: items are renumbered, first the primary ones in tie-breaking order, then the secondary
//! ones. The set of an item is a run of *cells*, one per option, grouped by color. One bit per cell
//! marks whether its option is alive, and each set starts at a new word. An option is a run of
//! records, primary items first. A record names an item and the bit of the option in the set of
//! that item. So hiding an option clears one bit per record and decrements one number per primary
//! item.
//!
//! A primary item has a *margin*: its live options minus the number that it still needs. An item
//! with margin 0 is forced, and an item with a negative margin is a dead end. The margin of an
//! inactive item (covered, or not to be covered) has `INACTIVE` added, so that minima and tests for
//! sign or zero skip it.
//!
//! Backtracking copies all words and margins if they are few. If there are many, backtracking walks
//! the trail of hidden options instead.
//!
//! Invariants: an option is hidden exactly when the bits of all its records are clear. The margin
//! of an item counts its live options, even if the item is inactive. [`Arena::is_at_rest`] checks
//! that the arena between searches equals a newly built one.
//!
//! The accessors check bounds only with debug assertions or `--cfg checked`.
#![allow(unsafe_code, reason = "unchecked access to records, cells and margins in the hot loops")]

mod hide;
mod layout;
mod restore;

use std::ops::{AddAssign, BitOrAssign, SubAssign};

pub(super) use self::layout::is_small;
use crate::engine::unchecked::{get, get_mut, slice};
use crate::model::{OptionId, Problem};

/// The number of an item in the arena's order. Only `Arena::new` makes item numbers, each less than
/// the item count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct ItemNo(u32);

/// The number of an option in the problem, less than the option count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct OptionNo(u32);

/// The number of options that an item may lose, in a sufficiently wide integer type.
pub(super) trait Margin:
    Copy + Ord + Default + From<bool> + AddAssign + SubAssign + BitOrAssign
{
    /// Whether backtracking copies all words and margins, without a trail.
    const COPIES: bool;
    /// Added to the margin of an inactive item, possibly twice.
    const INACTIVE: Self;

    /// Returns the margin of an item that has `count` more options than it needs.
    fn new(count: i64) -> Self;
    fn degree(self) -> u32;
}

/// Implements `Margin` for an integer type, with a quarter of its range as `INACTIVE`. A set must
/// be shorter than half of `INACTIVE`.
macro_rules! define_margin {
    ($number:ty, $copies:literal) => {
        impl Margin for $number {
            const COPIES: bool = $copies;
            const INACTIVE: Self = Self::MAX / 4 + 1;

            fn new(count: i64) -> Self {
                // An item that starts as a dead end remains one, so -1 represents all negative
                // margins.
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

const LANES: usize = 16;
const WORD: usize = u64::BITS as usize;

/// One item of one option, and the index of the option's bit in the set of this item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
struct Record {
    item: ItemNo,
    bit: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    primary: u32,
    secondary: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Set {
    cells: u32,
    word: u32,
    word_end: u32,
}

/// The range of cells of an item that remain alive when the item gets a color, counted from its
/// first cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kept {
    start: u32,
    end: u32,
}

/// The range for entries without a color: no cells of the item remain alive.
const NOTHING: Kept = Kept { start: 0, end: 0 };

/// The number of times an item may still be covered (`bound`), and the difference of its upper and
/// lower bound (`slack`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ItemRoom {
    bound: i64,
    slack: u32,
}

impl ItemRoom {
    /// Returns the number of times the item must still be covered. The number is negative if the
    /// item already exceeds its lower bound.
    const fn need(self) -> i64 {
        self.bound - self.slack as i64
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Snapshot {
    trail: u32,
    closed: u32,
    done: u32,
    chosen: u32,
    active_count: u32,
}

impl Snapshot {
    pub(super) fn chosen_count(&self) -> usize {
        self.chosen as usize
    }
}

#[derive(Clone, Debug)]
pub(super) struct Arena<M> {
    primary_count: usize,
    root: Snapshot,
    spans: Vec<Span>,
    records: Vec<Record>,
    /// For each record, the cells of its item that remain alive when the option is chosen. The list
    /// is empty if the problem has no colors.
    kept: Vec<Kept>,

    sets: Vec<Set>,
    cells: Vec<OptionNo>,
    words: Vec<u64>,
    /// The margins of the primary items, padded with inactive ones.
    margins: Vec<M>,
    left: Vec<ItemRoom>,
    /// Whether each secondary item is covered or purified, so that its words need no further scan.
    is_done: Vec<bool>,

    trail: Vec<OptionNo>,
    trail_len: usize,
    /// Primary items that became inactive.
    closed: Vec<ItemNo>,
    done: Vec<ItemNo>,
    chosen: Vec<OptionNo>,

    forced: Vec<ItemNo>,
    forced_len: usize,
    active_count: u32,
    saved_margins: Vec<M>,
    saved_words: Vec<u64>,
    /// Options hidden since the last reset.
    pub(super) updates: u64,
}

impl<M: Margin> Arena<M> {
    fn places(&self, option: OptionNo) -> std::ops::Range<usize> {
        let start = self.spans[option.index()].primary as usize;
        start..self.spans[option.index() + 1].primary as usize
    }

    /// Returns the approximate work of hiding an option, in units of a few entries.
    pub(super) fn update_work(&self) -> usize {
        self.records.len() / self.spans.len() / 4
    }

    #[inline(always)]
    fn span(&self, option: OptionNo) -> (usize, usize, usize) {
        // SAFETY: `new` makes a span for each option of the problem, and one extra span. An
        // `OptionNo` is private to the engine; it comes from a cell of the arena or from the
        // caller's options, which were checked.
        unsafe {
            let span = *get(&self.spans, option.index());
            let end = get(&self.spans, option.index() + 1).primary;
            (span.primary as usize, span.secondary as usize, end as usize)
        }
    }

    #[inline(always)]
    fn record(&self, place: usize) -> Record {
        debug_assert!(place < self.records.len(), "spans lie within the records");
        // SAFETY: `new` makes the spans as ranges of the records that it pushes, and spans and
        // records do not change afterwards. Callers only pass indices within a span.
        unsafe { *get(&self.records, place) }
    }

    /// Returns the cells of the record's item that remain alive when the option of the record is
    /// chosen. The problem must have colors.
    #[inline(always)]
    fn kept_at(&self, place: usize) -> Kept {
        debug_assert!(!self.kept.is_empty(), "only problems with colors run with COLORS");
        // SAFETY: `place` lies within a span, and so within the records. `new` makes an entry of
        // `kept` for each record if the problem has colors, and only then does the search run with
        // `COLORS`.
        unsafe { *get(&self.kept, place) }
    }

    #[inline(always)]
    fn is_done(&mut self, item: ItemNo) -> &mut bool {
        // SAFETY: `new` makes an entry for each item, and only `new` makes item numbers.
        unsafe { get_mut(&mut self.is_done, item.index()) }
    }

    #[inline(always)]
    fn margin(&mut self, item: ItemNo) -> &mut M {
        // SAFETY: primary items are numbered first and `new` makes a margin for each of them.
        // Callers take the item from the primary part of an option's span or from a scan of the
        // margins.
        unsafe { get_mut(&mut self.margins, item.index()) }
    }

    #[inline(always)]
    fn left(&mut self, item: ItemNo) -> &mut ItemRoom {
        // SAFETY: `new` allocates one entry per primary item, and callers pass a primary item.
        unsafe { get_mut(&mut self.left, item.index()) }
    }

    #[inline(always)]
    fn words_of(&self, item: ItemNo) -> (&[u64], usize) {
        // SAFETY: `new` makes a set for each item number, and words up to the end of the last set.
        // The sets do not change.
        unsafe {
            let set = *get(&self.sets, item.index());
            (slice(&self.words, set.word as usize, set.word_end as usize), set.cells as usize)
        }
    }

    /// Returns the option of a cell whose bit is set.
    #[inline(always)]
    fn option_at(&self, cell: usize) -> OptionNo {
        // SAFETY: callers pass the index of a set bit, and a bit is set only if `new` put an option
        // into the cell with the same index.
        unsafe { *get(&self.cells, cell) }
    }

    #[inline(always)]
    fn word(&mut self, bit: u32) -> &mut u64 {
        // SAFETY: `bit` comes from a record or from the words of a set, and `new` makes words for
        // all of these bits.
        unsafe { get_mut(&mut self.words, bit as usize / WORD) }
    }

    #[inline(always)]
    fn hidden(&self, place: usize) -> OptionNo {
        debug_assert!(place < self.trail_len);
        // SAFETY: `trail_len` is the number of options that `hide` has put into the trail, and
        // `place` is less.
        unsafe { *get(&self.trail, place) }
    }

    #[inline(always)]
    pub(super) fn active_count(&self) -> u32 {
        self.active_count
    }

    pub(super) fn chosen(&self) -> &[OptionNo] {
        &self.chosen
    }

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

    #[inline(always)]
    pub(super) fn is_last<const BOUNDS: bool>(&self, item: ItemNo) -> bool {
        !BOUNDS || self.left[item.index()].bound == 1
    }

    #[inline(always)]
    pub(super) fn need<const BOUNDS: bool>(&self, item: ItemNo) -> i64 {
        if BOUNDS { self.left[item.index()].need() } else { 1 }
    }

    /// Appends the live options of `item` to `choices`, grouped by color, each group in order of
    /// definition.
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

    #[inline(always)]
    fn first(&self, item: ItemNo) -> Option<OptionNo> {
        let (words, cell) = self.words_of(item);
        let block = words.iter().position(|&word| word != 0)?;
        Some(self.option_at(cell + block * WORD + words[block].trailing_zeros() as usize))
    }

    /// Returns whether the options are compatible and cover no item too often. The arena must be at
    /// rest (between searches).
    pub(super) fn fits(&self, options: &[OptionId]) -> bool {
        let mut fits = true;
        // Per item, the number of options that cover it, and the cells that remain for the first of
        // these options.
        let mut asked = std::collections::BTreeMap::new();
        for &option in options {
            for place in self.places(option.into()) {
                let item = self.records[place].item;
                let kept = self.kept.get(place).copied().unwrap_or(NOTHING);
                let (count, first) = asked.entry(item.0).or_insert((0, kept));
                *count += 1;
                fits &= match self.left.get(item.index()) {
                    Some(left) => *count <= left.bound,
                    // An uncolored entry conflicts with every other entry of its item, colored or
                    // not.
                    None => *count == 1 || *first == kept && kept != NOTHING,
                };
            }
        }
        fits
    }

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

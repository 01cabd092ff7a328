//! Choosing and hiding options, and finding forced items.
#![allow(unsafe_code, reason = "the trail, and what is forced, in the hot loops")]

use super::{Arena, ItemNo, Kept, Margin, NOTHING, OptionNo, Record, WORD};
use crate::engine::unchecked::{get, get_mut};

impl<M: Margin> Arena<M> {
    /// Hides `option`, which must be alive. Returns a number that is negative exactly when an item
    /// of `option` has a negative margin.
    #[inline(always)]
    fn hide(&mut self, option: OptionNo) -> M {
        let (zero, one) = (M::default(), M::from(true));
        let mut signs = zero;
        let mut forced_len = self.forced_len;
        if !M::COPIES {
            // SAFETY: the trail has one slot per option of the problem. The trail contains each
            // hidden option once, and `option` was not hidden until now.
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
            // SAFETY: `make_room` reserved a slot for every primary item and one extra slot.
            // Margins only decrease until the next call of `make_room`, so each item reaches 0 at
            // most once.
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

    /// Hides the live options of `item`, except those in `kept`. With `CHECK`, stops and returns
    /// `false` as soon as an active item has too few options left.
    #[inline(always)]
    fn clear<const KEEP: bool, const CHECK: bool>(&mut self, item: ItemNo, kept: Kept) -> bool {
        self.make_room();
        // SAFETY: `new` makes a set for each item number.
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

    /// Reserves a slot of `forced` for every primary item, and one for a write that is not counted.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.forced.len() - self.forced_len <= self.primary_count {
            self.forced.resize(2 * self.forced.len(), ItemNo(0));
        }
    }

    /// Covers `item` by hiding all its options. Other items left without spare options are recorded
    /// as forced, although a later choice may cover them.
    #[inline]
    pub(in crate::engine::cells) fn cover(&mut self, item: ItemNo) {
        self.close(item);
        self.clear::<false, false>(item, NOTHING);
    }

    #[inline(always)]
    fn close(&mut self, item: ItemNo) {
        *self.margin(item) += M::INACTIVE;
        self.active_count -= 1;
        if !M::COPIES {
            self.closed.push(item);
        }
    }

    #[inline]
    pub(in crate::engine::cells) fn take_out(&mut self, option: OptionNo) {
        self.make_room();
        self.hide(option);
    }

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

    pub(in crate::engine::cells) fn leave_out(&mut self, option: OptionNo) {
        if self.is_alive(option) {
            self.take_out(option);
        }
    }

    fn is_alive(&self, option: OptionNo) -> bool {
        let bit = self.records[self.places(option).start].bit as usize;
        self.words[bit / WORD] >> (bit % WORD) & 1 == 1
    }

    /// Chooses `option`, which must be compatible with the chosen options but may be hidden.
    pub(in crate::engine::cells) fn force<const COLORS: bool, const BOUNDS: bool>(
        &mut self,
        option: OptionNo,
    ) {
        if self.is_alive(option) {
            self.choose::<COLORS, BOUNDS, false>(option);
        } else {
            self.enlist::<BOUNDS>(option, None);
            self.purge::<COLORS, BOUNDS, false>(option, None);
        }
    }

    /// Chooses `option`, which is already hidden, and tests the `pending` items. `but` is the item
    /// of `option` that is already covered, if any.
    #[inline(always)]
    pub(in crate::engine::cells) fn commit<const COLORS: bool, const BOUNDS: bool>(
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

    /// Adds `option` to the chosen options, and deactivates all items that it covers for the last
    /// time. Items are deactivated before options are hidden, so that none of them counts as a dead
    /// end.
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

    /// Hides the options that conflict with `option`. With `CHECK`, stops and returns `false` as
    /// soon as an active item has too few options left.
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

    /// Chooses an option of a forced item. Returns `None` if no item is forced, and `Some(false)`
    /// if the choice leads to a dead end.
    #[inline(always)]
    pub(in crate::engine::cells) fn force_next<const COLORS: bool, const BOUNDS: bool>(
        &mut self,
    ) -> Option<bool> {
        while self.forced_len > 0 {
            self.forced_len -= 1;
            let item = self.forced[self.forced_len];
            if *self.margin(item) != M::default() {
                continue;
            }
            let Some(option) = self.first(item) else {
                debug_assert!(BOUNDS, "an item without options is a dead end");
                self.close(item);
                continue;
            };
            return Some(self.choose::<COLORS, BOUNDS, true>(option));
        }
        None
    }

    /// Records those of `items` with margin 0 as forced. Returns `false` if one of `items` is a
    /// dead end.
    #[inline]
    pub(in crate::engine::cells) fn recall(&mut self, items: &[ItemNo]) -> bool {
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

    /// Records all items with margin 0 as forced. Returns `false` if an item is a dead end.
    pub(in crate::engine::cells) fn force_all(&mut self) -> bool {
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

    #[inline]
    pub(in crate::engine::cells) fn take_forced(&mut self, pending: &mut Vec<ItemNo>) {
        pending.extend_from_slice(&self.forced[..self.forced_len]);
        self.forced_len = 0;
    }
}

#[inline(always)]
const fn below(count: u32) -> u64 {
    if count >= u64::BITS { u64::MAX } else { (1 << count) - 1 }
}

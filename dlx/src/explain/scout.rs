//! Finds the options with the shortest contradictions. Propagates all options in parallel, round by
//! round, without recording reasons.
//!
//! # Method
//! Most options lead to no contradiction, or to a longer one than the shortest. So the scout
//! propagates all options at once, and `suppose` finds the reasons only for the few that fail. Each
//! remaining option has *lanes* with one bit per propagated option: one lane marks the propagated
//! options that exclude it, and other lanes mark the propagated options that force it. A round
//! takes two passes over the items. In the first pass, for each item, the OR of the lanes of its
//! newly forced options excludes its other options. In the second pass, the remaining options of
//! each item are counted up to two, in all bits of a lane at once. If one option of an item
//! remains, it is forced. If no option of an item remains, the supposition fails.
//!
//! An option fails in the same round as in `suppose`, because the set of excluded options at the
//! end of a round does not depend on the order. With locked options, the scout draws all
//! conclusions until nothing changes, so an option without a contradiction here has none in
//! `suppose`.
//!
//! The method requires that each item takes at most one option.
//!
//! # Bounds
//! [`BYTES_MAX`] limits the number of options propagated together. Three lanes are kept for each
//! remaining option: 1.5 MB, or 96 bytes per option if that is more. The lists of locked options
//! have at most about [`LOCKS_MAX`] entries in total.

use super::lists::LeftLists;
use crate::bits::{Leaf, Vectors, Work};

/// Memory (bytes) that determines the number of options propagated together.
const BYTES_MAX: usize = 1 << 20;
/// Maximum number of entries in the lists of locked options (64 MB).
const LOCKS_MAX: usize = 1 << 24;

const WORDS: usize = 4;
/// Number of propagated options per lane.
const BITS: usize = 64 * WORDS;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
struct OptionBits([u64; WORDS]);

impl OptionBits {
    const ZERO: Self = Self([0; WORDS]);

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    fn first(count: usize) -> Self {
        Self(std::array::from_fn(|word| match count.saturating_sub(64 * word) {
            0 => 0,
            bits @ 1..64 => (1 << bits) - 1,
            _ => u64::MAX,
        }))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Scout {
    leaf: Leaf,
    /// The propagated options. The option at index `f` is bit `f % BITS` of the lanes of group `f /
    /// BITS`.
    followed: Vec<u32>,
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    /// The options still being propagated, as bits.
    open: OptionBits,
    /// The options whose propagation ended without a contradiction, as bits.
    over: OptionBits,
    off: Vec<OptionBits>,
    on: Vec<OptionBits>,
    edge: Vec<OptionBits>,
}

#[derive(Debug)]
pub(super) struct ScoutedRound {
    /// The options whose propagation ended in a contradiction, ascending.
    pub(super) failed: Vec<u32>,
    pub(super) is_over: bool,
    pub(super) work: u64,
}

/// The pairs of items that may become locked: all remaining options of the first item may become
/// options of the second.
#[derive(Clone, Debug, Default)]
pub(super) struct Locks {
    /// For each pair, the ends of its two lists: the options that only the first item has, and
    /// those that only the second has.
    ends: Vec<[u32; 2]>,
    options: Vec<u32>,
}

impl Locks {
    /// Fills the pairs from a state. Returns whether all of them fit.
    pub(super) fn fill(&mut self, lists: &LeftLists) -> bool {
        self.ends.clear();
        self.options.clear();
        let mut shared = vec![0_u32; lists.items.len()];
        let mut links: Vec<u32> = Vec::new();
        for truth in (0..lists.items.len() as u32).filter(|&item| lists.need[item as usize] > 0) {
            for &option in lists.list(truth) {
                for entry in lists.entries(option) {
                    let count = &mut shared[entry.item as usize];
                    *count += 1;
                    if *count == 2 && entry.item != truth {
                        links.push(entry.item);
                    }
                }
            }
            for &option in lists.list(truth) {
                lists.entries(option).iter().for_each(|entry| shared[entry.item as usize] = 0);
            }
            for link in links.drain(..) {
                let alone = |item: u32, other: u32| {
                    lists.list(item).iter().copied().filter(move |&option| !lists.has(option, other))
                };
                self.options.extend(alone(truth, link));
                let middle = self.options.len() as u32;
                self.options.extend(alone(link, truth));
                let end = self.options.len() as u32;
                if end == middle {
                    self.options.truncate(self.ends.last().map_or(0, |ends| ends[1] as usize));
                    continue;
                }
                self.ends.push([middle, end]);
            }
            if self.options.len() > LOCKS_MAX {
                return false;
            }
        }
        true
    }
}

impl Default for Scout {
    fn default() -> Self {
        Self { leaf: Leaf::best(), followed: Vec::new(), groups: Vec::new() }
    }
}

impl Scout {
    /// Starts with options, from number `first` on, that may end in a contradiction. Returns the
    /// first option that must wait for the next start.
    pub(super) fn begin(&mut self, lists: &LeftLists, is_harmless: &[bool], first: usize) -> usize {
        debug_assert!(lists.is_plain, "each item takes one option at most");
        let (count, width) = (lists.options.len(), lists.options.len().div_ceil(64));
        let size = BYTES_MAX / (4 * lists.items.len() + 16 * width).max(1);
        let size = size.max(1).next_multiple_of(BITS);
        let all = first..count;
        let mut options = all.filter(|&option| !is_harmless[option]);
        self.followed.clear();
        self.followed.extend(options.by_ref().take(size).map(|option| option as u32));
        let next = options.next().unwrap_or(count);
        let groups = self.followed.len().div_ceil(BITS);
        self.groups.truncate(groups);
        self.groups.resize_with(groups, Group::new);
        for (group, followed) in self.groups.iter_mut().zip(self.followed.chunks(BITS)) {
            group.begin(count, followed);
        }
        next
    }

    pub(super) fn has_followed(&self, count: usize) -> bool {
        self.followed.len() == count && self.groups.iter().all(|group| group.open.is_zero())
    }

    pub(super) fn followed(&self) -> &[u32] {
        &self.followed
    }

    pub(super) fn go_on(&mut self, lists: &LeftLists) -> ScoutedRound {
        let mut round = ScoutedRound { failed: Vec::new(), is_over: true, work: 0 };
        for (group, followed) in self.groups.iter_mut().zip(self.followed.chunks(BITS)) {
            if group.open.is_zero() {
                continue;
            }
            let failed = self.leaf.run(PropagationRound { lists, group });
            round.failed.extend(super::view::ones(&failed.0).map(|bit| followed[bit]));
            round.is_over &= group.open.is_zero();
            round.work += 3 * lists.entry_count() as u64 + 50;
        }
        round
    }

    /// Continues the options that ended without a contradiction, now with locked options, until
    /// nothing changes. Returns all options that failed so far, and the work (ns).
    pub(super) fn go_on_with(&mut self, lists: &LeftLists, locks: &Locks) -> (Vec<u32>, u64) {
        let (mut failed, mut work) = (Vec::new(), 0);
        for (group, followed) in self.groups.iter_mut().zip(self.followed.chunks(BITS)) {
            debug_assert!(group.open.is_zero(), "all have gone as far as they can");
            (group.open, group.over) = (group.over, OptionBits::ZERO);
            while self.leaf.run(LockRound { lists, locks, group }) {
                work += 3 * lists.entry_count() as u64 + locks.options.len() as u64 + 50;
                while !group.open.is_zero() {
                    self.leaf.run(PropagationRound { lists, group });
                    work += 3 * lists.entry_count() as u64 + 50;
                }
                (group.open, group.over) = (group.over, OptionBits::ZERO);
            }
            (group.over, group.open) = (group.open, OptionBits::ZERO);
            let rest = OptionBits::first(followed.len()).without(group.over);
            failed.extend(super::view::ones(&rest.0).map(|bit| followed[bit]));
        }
        (failed, work)
    }

    /// Marks the options forced by an option without a contradiction as harmless, because their
    /// consequences are a subset of its consequences.
    pub(super) fn mark_harmless(&self, is_harmless: &mut [bool]) {
        for group in &self.groups {
            for (on, is_harmless) in group.on.iter().zip(&mut *is_harmless) {
                *is_harmless |= !on.and(group.over).is_zero();
            }
        }
    }
}

impl Group {
    fn new() -> Self {
        let (off, on, edge) = (Vec::new(), Vec::new(), Vec::new());
        Self { open: OptionBits::ZERO, over: OptionBits::ZERO, off, on, edge }
    }

    fn begin(&mut self, count: usize, followed: &[u32]) {
        (self.open, self.over) = (OptionBits::first(followed.len()), OptionBits::ZERO);
        for lanes in [&mut self.off, &mut self.on, &mut self.edge] {
            lanes.clear();
            lanes.resize(count, OptionBits::ZERO);
        }
        for (bit, &option) in followed.iter().enumerate() {
            for lanes in [&mut self.on, &mut self.edge] {
                lanes[option as usize].0[bit / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// Forces options that are the last remaining option of an item. Returns the lane of failures:
    /// an item has no option left, or the bit is set in `clashed`.
    #[inline(always)]
    fn force(&mut self, lists: &LeftLists, clashed: OptionBits) -> OptionBits {
        let Self { off, on, edge, open, over } = self;
        let (mut failed, mut forced) = (clashed, OptionBits::ZERO);
        for item in (0..lists.items.len()).filter(|&item| lists.need[item] > 0) {
            let list = lists.list(item as u32);
            let (mut once, mut twice) = (OptionBits::ZERO, OptionBits::ZERO);
            for &option in list {
                let left = off[option as usize].not();
                twice = twice.or(once.and(left));
                once = once.or(left);
            }
            failed = failed.or(once.not());
            let one = once.without(twice);
            for &option in list {
                let place = option as usize;
                let new = one.without(off[place]).without(on[place]);
                on[place] = on[place].or(new);
                edge[place] = edge[place].or(new);
                forced = forced.or(new);
            }
        }
        let failed = failed.and(*open);
        *over = over.or(open.without(failed).without(forced));
        *open = open.and(forced).without(failed);
        failed
    }
}

struct PropagationRound<'r> {
    lists: &'r LeftLists,
    group: &'r mut Group,
}

impl Work for PropagationRound<'_> {
    type Output = OptionBits;

    #[inline(always)]
    fn run<V: Vectors>(self, _: V) -> OptionBits {
        let Self { lists, group } = self;
        let mut clashed = OptionBits::ZERO;
        for item in 0..lists.items.len() {
            let list = lists.list(item as u32);
            let mut once = OptionBits::ZERO;
            for &option in list {
                let edge = group.edge[option as usize];
                clashed = clashed.or(once.and(edge));
                once = once.or(edge);
            }
            if once.is_zero() {
                continue;
            }
            for &option in list {
                let place = option as usize;
                group.off[place] = group.off[place].or(once.without(group.edge[place]));
            }
        }
        group.edge.fill(OptionBits::ZERO);
        group.force(lists, clashed)
    }
}

/// Excludes options by locked items, and forces the resulting options. Returns whether an option
/// was excluded.
struct LockRound<'r> {
    lists: &'r LeftLists,
    locks: &'r Locks,
    group: &'r mut Group,
}

impl Work for LockRound<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors>(self, _: V) -> bool {
        let Self { lists, locks, group } = self;
        let mut excluded = OptionBits::ZERO;
        let mut start = 0;
        for &[middle, end] in &locks.ends {
            let truth = &locks.options[start..middle as usize];
            let link = &locks.options[middle as usize..end as usize];
            start = end as usize;
            let open = group.open;
            let is_locked =
                truth.iter().fold(open, |locked, &option| locked.and(group.off[option as usize]));
            if is_locked.is_zero() {
                continue;
            }
            for &option in link {
                let off = &mut group.off[option as usize];
                excluded = excluded.or(is_locked.without(*off));
                *off = off.or(is_locked);
            }
        }
        if excluded.is_zero() {
            return false;
        }
        group.force(lists, OptionBits::ZERO);
        true
    }
}

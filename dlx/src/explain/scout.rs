//! Which options end in a contradiction soonest: all are followed side by side, a round at a time, without reasons.
//!
//! # The method
//! Most options end in no contradiction, or in one that is longer than the shortest. So what follows from them is worked out
//! for all of them at once, and `suppose` finds the reasons of those few that fail. Each option that is left has a *lane* of bits, one
//! for each option that is followed, of those that exclude it, and lanes of those that force it. A round draws the conclusions of what the round before
//! forced, in two walks through the items: the OR of the lanes of those that were forced, over the options of an item,
//! excludes the others; then the options that are left of an item are counted up to two, in all bits of a lane at once. What is
//! left of the last one is forced, and where there is none the supposition fails. So a round takes a few operations for each entry, however
//! many options are followed.
//!
//! An option fails in the same round here as in `suppose`, where a round ends likewise when all that the round before forced is
//! followed: what is excluded by then does not depend on the order. As all go through the
//! rounds together, none is followed further than the shortest contradiction allows.
//!
//! With locked options `suppose` draws weaker conclusions than there are, since it looks at them one after the other and goes on with
//! the first that forces something. Here all are drawn, until nothing more follows: an option that ends in no contradiction then ends in none there.
//!
//! Only for states in which each item takes one option at most: an option that is on excludes all others of its items, and if it
//! is excluded itself, the item that forced it has none left, so that nothing but the number of options of an item is looked at.
//!
//! Tried and dropped: counts of the options that each item has left, for each option that is followed by itself; ten times the work.
//!
//! # Bounds
//! As many options are followed together as [`BYTES_MAX`] allows at four bytes an item and two bits an option for each, in whole lanes. Three lanes
//! are kept for each option that is left: 1.5 MB, or 96 bytes an option if that is more. Locked options: a number for each option that one of two items
//! has alone, if they share two or more, at most [`LOCKS_MAX`] in all.

use super::lists::LeftLists;
use crate::bits::{Leaf, Vectors, Work};

/// What decides how many options are followed together, in bytes.
const BYTES_MAX: usize = 1 << 20;
/// The most numbers that say which options are locked: 64 MB.
const LOCKS_MAX: usize = 1 << 24;

/// The words of a lane.
const WORDS: usize = 4;
/// The options that are followed in a lane.
const BITS: usize = 64 * WORDS;

/// A bit for each of some options that are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
struct Lane([u64; WORDS]);

impl Lane {
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

    /// Returns the lane whose first bits are set.
    fn first(count: usize) -> Self {
        Self(std::array::from_fn(|word| match count.saturating_sub(64 * word) {
            0 => 0,
            bits @ 1..64 => (1 << bits) - 1,
            _ => u64::MAX,
        }))
    }
}

/// The options that are followed.
#[derive(Clone, Debug)]
pub(super) struct Scout {
    leaf: Leaf,
    /// Option `f` of these is bit `f % BITS` of the lanes of group `f / BITS`.
    followed: Vec<u32>,
    groups: Vec<Group>,
}

/// Options that are followed in the same lanes.
#[derive(Clone, Debug)]
struct Group {
    /// Those that go on.
    open: Lane,
    /// Those that came to an end without a contradiction.
    over: Lane,
    /// For each option that is left: which of those followed exclude it, force it, and have forced it in the last round.
    off: Vec<Lane>,
    on: Vec<Lane>,
    edge: Vec<Lane>,
}

/// What came of a round.
#[derive(Debug)]
pub(super) struct ScoutedRound {
    /// The options that ended in a contradiction, ascending.
    pub(super) failed: Vec<u32>,
    /// Whether there is nothing more to follow.
    pub(super) is_over: bool,
    /// The steps done, of about a nanosecond.
    pub(super) work: u64,
}

/// The pairs of items that share options, if it may be that all that is left of the first lies in the second one.
#[derive(Clone, Debug, Default)]
pub(super) struct Locks {
    /// For each pair where its lists end: the options that the first item has alone, and those that the second one has.
    ends: Vec<[u32; 2]>,
    options: Vec<u32>,
}

impl Locks {
    /// Becomes the pairs of a state; tells whether all of them are there.
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
                    // With one option in common it would be forced.
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
    /// Begins with the options from a number on that may end in a contradiction, and returns the number of the first that has to wait.
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

    /// Tells whether so many options were followed, which are all, and as far as they can go.
    pub(super) fn has_followed(&self, count: usize) -> bool {
        self.followed.len() == count && self.groups.iter().all(|group| group.open.is_zero())
    }

    /// Returns the options that are followed, ascending.
    pub(super) fn followed(&self) -> &[u32] {
        &self.followed
    }

    /// Follows all options by a round.
    pub(super) fn go_on(&mut self, lists: &LeftLists) -> ScoutedRound {
        let mut round = ScoutedRound { failed: Vec::new(), is_over: true, work: 0 };
        for (group, followed) in self.groups.iter_mut().zip(self.followed.chunks(BITS)) {
            if group.open.is_zero() {
                continue;
            }
            let failed = self.leaf.run(Round { lists, group });
            round.failed.extend(super::view::ones(&failed.0).map(|bit| followed[bit]));
            round.is_over &= group.open.is_zero();
            round.work += 3 * lists.entry_count() as u64 + 50;
        }
        round
    }

    /// Lets options that went as far as they can go on with what is locked, until nothing more follows from any of them, and
    /// returns all that have failed by then, with the steps done, of about a nanosecond.
    pub(super) fn go_on_with(&mut self, lists: &LeftLists, locks: &Locks) -> (Vec<u32>, u64) {
        let (mut failed, mut work) = (Vec::new(), 0);
        for (group, followed) in self.groups.iter_mut().zip(self.followed.chunks(BITS)) {
            debug_assert!(group.open.is_zero(), "all have gone as far as they can");
            (group.open, group.over) = (group.over, Lane::ZERO);
            while self.leaf.run(LockRound { lists, locks, group }) {
                work += 3 * lists.entry_count() as u64 + locks.options.len() as u64 + 50;
                while !group.open.is_zero() {
                    self.leaf.run(Round { lists, group });
                    work += 3 * lists.entry_count() as u64 + 50;
                }
                (group.open, group.over) = (group.over, Lane::ZERO);
            }
            (group.over, group.open) = (group.open, Lane::ZERO);
            let rest = Lane::first(followed.len()).without(group.over);
            failed.extend(super::view::ones(&rest.0).map(|bit| followed[bit]));
        }
        (failed, work)
    }

    /// Says of all options that follow from one without a contradiction that they are harmless: whatever follows from them
    /// follows from it.
    pub(super) fn tell_harmless(&self, is_harmless: &mut [bool]) {
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
        Self { open: Lane::ZERO, over: Lane::ZERO, off, on, edge }
    }

    /// Begins with some options of a state that has `count`.
    fn begin(&mut self, count: usize, followed: &[u32]) {
        (self.open, self.over) = (Lane::first(followed.len()), Lane::ZERO);
        for lanes in [&mut self.off, &mut self.on, &mut self.edge] {
            lanes.clear();
            lanes.resize(count, Lane::ZERO);
        }
        for (bit, &option) in followed.iter().enumerate() {
            for lanes in [&mut self.on, &mut self.edge] {
                lanes[option as usize].0[bit / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// Forces what is the last option left of an item, and returns where an item has none left, and where something clashed.
    #[inline(always)]
    fn force(&mut self, lists: &LeftLists, clashed: Lane) -> Lane {
        let Self { off, on, edge, open, over } = self;
        let (mut failed, mut forced) = (clashed, Lane::ZERO);
        for item in (0..lists.items.len()).filter(|&item| lists.need[item] > 0) {
            let list = lists.list(item as u32);
            let (mut once, mut twice) = (Lane::ZERO, Lane::ZERO);
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

/// Draws the conclusions of what the round before has forced, and returns who fails.
struct Round<'r> {
    lists: &'r LeftLists,
    group: &'r mut Group,
}

impl Work for Round<'_> {
    type Output = Lane;

    #[inline(always)]
    fn run<V: Vectors>(self, _: V) -> Lane {
        let Self { lists, group } = self;
        let mut clashed = Lane::ZERO;
        for item in 0..lists.items.len() {
            let list = lists.list(item as u32);
            let mut once = Lane::ZERO;
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
        group.edge.fill(Lane::ZERO);
        // Two options of an item that were forced exclude each other, so that the items that forced them have none left.
        group.force(lists, clashed)
    }
}

/// Excludes what is locked, forces what then is left, and tells whether there is anything new.
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
        let mut excluded = Lane::ZERO;
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
        group.force(lists, Lane::ZERO);
        true
    }
}

//! Counting by memo search: depth first, with a cache of counts by what is left to be covered.
//!
//! A node is a *live set*: the options that can still be chosen, of which the items left follow. It takes
//! an item and adds up the counts of its children, one for each option of the item. An item without
//! options ends a child, one with a single option is covered at once; only what is left after that is
//! looked up and, at the end, kept.
//!
//! The key of a live set is the set of what its options cover: a bit for each item, and for each secondary
//! item, or pair of a secondary item and a color, that an option of the set uses. That is exact, for an
//! option is live if and only if everything that it covers is in that set: each such thing is then allowed
//! by a live option, so nothing chosen excludes it. It is also the shortest possible: two live sets
//! with the same key are the same. Where items have bounds, options are chosen or left out one by one, so the
//! lanes of these items and what is left of their bounds join the key. Keys are compared in full.
//!
//! Which item to take decides nearly everything, and no rule is best everywhere: the first in a static order
//! meets the same states again, the one with the fewest options makes small trees. So two ways
//! take turns, each for twice the work of its last turn, and soon the one goes on alone that did more of
//! its tree for its work, where it counts for more if the cache begins to save more.
//!
//! Where lookups save less than they cost, for so many items left, they are left out for a while.
//!
//! Sources: the idea is in Nishino, Yasuda, Minato and Nagata (DXZ, AAAI 2017), who keep diagrams; keys, order,
//! look-ahead and rows of bits are ours. The children of a node are made as in the engine of bit masks.
//!
//! Invariant: what is on the stack of nodes, with the sums so far, and the cache is all there is to the state
//! of a search; between two steps it can be cut and goes on later. A count that the cache
//! forgets is found again.
//!
//! Tried and dropped: the item with the fewest options among the first 4 or 12 uncovered ones in the static
//! order, which lies between the two ways (Langford 12: 1.07 times the nodes of the better one, tetrominoes
//! 8x8: 1.43 and 4.4 times, and at best 9 % fewer, 12 pentominoes 5x12); one child after the other
//! instead of all children of a node in one loop; a vector loop over the chunks of a group, of which the
//! compiler makes gathers.

mod cache;
mod encoding;
mod kernel;
mod line;
mod method;
mod number;
mod search;

#[cfg(test)]
mod tests;

use std::fmt;

use num_bigint::BigUint;

use self::encoding::{Encoding, Lanes};
use self::line::Lane;
pub(super) use self::method::METHOD;
use self::search::Search;
use crate::model::ItemId;
use crate::portfolio::{Cut, Watch};
use crate::prepare::Weighted;

/// How the item to branch on is chosen, if no item has a single option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Branch {
    /// The first uncovered item in the static order.
    Static,
    /// The one with the fewest options, the first of several.
    MinRemaining,
}

/// The ways that take turns.
const BRANCHES: [Branch; 2] = [Branch::Static, Branch::MinRemaining];
/// The work of a first turn.
const FIRST_TURN: u64 = 1_000_000;
/// A way drops out if another is so many times as good, once each has had so much work.
const LEAD: f64 = 3.0;
const TRIAL: u64 = 8_000_000;
/// The best goes on alone when each has had so much work.
const TRIAL_END: u64 = 32_000_000;

/// The work of an entry to begin.
const SETUP_WORK: u64 = 100;

/// How a search goes.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    /// How items are chosen.
    pub(crate) branch: Branch,
    /// Nodes that were entered, dead ends included, but not those of ways that dropped out.
    pub(crate) nodes: u64,
    /// About how many more a search without a cache would have entered by now. If that is not a multiple of
    /// `nodes`, plain search is faster: its nodes cost several times less.
    pub(crate) saved: f64,
    /// States that were looked up, and found.
    pub(crate) lookups: u64,
    /// See `lookups`.
    pub(crate) hits: u64,
    /// Counts in the cache, and the bytes it takes.
    pub(crate) entries: usize,
    /// See `entries`.
    pub(crate) bytes: usize,
    /// The estimated part of the tree that is done, from 0 to 1. As the cache fills, the rest goes faster.
    pub(crate) fraction: f64,
    /// The work so far, without that of ways that dropped out.
    pub(crate) work: u64,
}

/// A count by memo search. It can be cut and goes on where it was.
pub(crate) struct Memo(Box<dyn Run>);

impl Memo {
    /// Prepares the count of a part, with a static order of its primary items; those that are missing come
    /// last. `Unsuited` if its rows need too much memory.
    pub(crate) fn new(
        weighted: &Weighted,
        order: &[ItemId],
        watch: &mut Watch<'_>,
    ) -> Result<Self, Cut> {
        Self::with_branches(weighted, order, &BRANCHES, watch)
    }

    /// Likewise with fewer ways to branch, or others.
    pub(crate) fn with_branches(
        weighted: &Weighted,
        order: &[ItemId],
        branches: &[Branch],
        watch: &mut Watch<'_>,
    ) -> Result<Self, Cut> {
        watch.spend(SETUP_WORK * weighted.problem.entry_count() as u64)?;
        let lanes = Lanes::new(&weighted.problem, order);
        let race: Box<dyn Run> = match lanes.width(&weighted.problem)? {
            8 => Box::new(Race::<u8, 64>::new(weighted, &lanes, branches, watch)?),
            16 => Box::new(Race::<u16, 32>::new(weighted, &lanes, branches, watch)?),
            32 => Box::new(Race::<u32, 16>::new(weighted, &lanes, branches, watch)?),
            _ => Box::new(Race::<u64, 8>::new(weighted, &lanes, branches, watch)?),
        };
        Ok(Self(race))
    }

    /// Counts, or goes on with it after `Cut::Work` or a limit.
    pub(crate) fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        self.0.run(watch)
    }

    /// Tells how the best of the searches goes.
    pub(crate) fn outlook(&self) -> Outlook {
        self.0.outlook()
    }

    /// Returns how many covers are certain by now: those below the options that were gone through.
    pub(crate) fn known(&self) -> BigUint {
        self.0.known()
    }

    /// Returns the bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Memo").field(&self.outlook()).finish()
    }
}

/// A race for lanes of any width.
trait Run {
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut>;
    fn outlook(&self) -> Outlook;
    fn known(&self) -> BigUint;
    fn bytes(&self) -> usize;
}

/// Searches of the same part that take turns.
struct Race<T, const N: usize> {
    encoding: Encoding<T, N>,
    /// There is one at least.
    searches: Vec<Search<T, N>>,
    /// Whose turn it is, and the work after which it ends.
    turn: usize,
    turn_end: u64,
}

impl<T: Lane, const N: usize> Race<T, N> {
    fn new(
        weighted: &Weighted,
        lanes: &Lanes,
        branches: &[Branch],
        watch: &mut Watch<'_>,
    ) -> Result<Self, Cut> {
        let encoding = Encoding::new(weighted, lanes, watch)?;
        let searches = branches.iter().map(|&branch| Search::new(&encoding, branch)).collect();
        Ok(Self { encoding, searches, turn: 0, turn_end: FIRST_TURN })
    }

    fn best(&self) -> &Search<T, N> {
        let best = self.searches.iter().max_by(|a, b| a.score().total_cmp(&b.score()));
        best.expect("there is one at least")
    }

    /// Drops the searches that are behind, and all but the best in the end.
    fn drop_slow(&mut self) {
        self.searches.iter_mut().for_each(Search::update_growth);
        let best = self.best().score();
        if self.turn_end >= TRIAL_END {
            let is_best = |search: &Search<T, N>| search.score() >= best;
            let place = self.searches.iter().position(is_best).unwrap_or(0);
            self.searches = vec![self.searches.swap_remove(place)];
        } else if self.turn_end >= TRIAL {
            self.searches.retain(|search| search.score() * LEAD >= best);
        }
    }
}

impl<T: Lane, const N: usize> Run for Race<T, N> {
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        let bytes = watch.bytes.checked_sub(self.encoding.bytes()).ok_or(Cut::Memory)?;
        loop {
            let alone = self.searches.len() == 1;
            let bytes = bytes / self.searches.len();
            let search = &mut self.searches[self.turn];
            let left = if alone { u64::MAX } else { self.turn_end.saturating_sub(search.work()) };
            let given = watch.work().min(left);
            let mut turn = Watch::new(watch.limits(), given, bytes);
            let result = search.run(&self.encoding, &mut turn);
            let spent = watch.spend(given - turn.work());
            match result {
                Err(Cut::Work) if !alone && search.work() >= self.turn_end => {
                    self.turn += 1;
                    if self.turn == self.searches.len() {
                        self.drop_slow();
                        self.turn = 0;
                        self.turn_end *= 2;
                    }
                    spent?;
                }
                result => return result,
            }
        }
    }

    fn outlook(&self) -> Outlook {
        self.best().outlook()
    }

    fn known(&self) -> BigUint {
        self.searches.iter().map(Search::known).max().unwrap_or_default()
    }

    fn bytes(&self) -> usize {
        self.encoding.bytes() + self.searches.iter().map(|search| search.outlook().bytes).sum::<usize>()
    }
}

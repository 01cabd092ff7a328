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
//! meets the same states again, the one with the fewest options makes small trees. So two rules
//! race (`portfolio/race.rs`), on a clock of their work: side by side at first, and soon the one goes on
//! that is expected to take less in all, as its progress so far tells (`methods/forecast.rs`).
//!
//! With idle cores several searches (`together.rs`) go through the tree of a rule with one cache. Each takes the
//! options of an item in an order of its own (`parallel::turn`), so they meet in the middle of each tree that both go
//! into: one finds there what the other has found. One that is in a large tree looks now and then whether that was done
//! meanwhile.
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
//! order, which lies between the two rules (Langford 12: 1.07 times the nodes of the better one, tetrominoes
//! 8x8: 1.43 and 4.4 times, and at best 9 % fewer, 12 pentominoes 5x12); one child after the other
//! instead of all children of a node in one loop; a vector loop over the chunks of a group, of which the
//! compiler makes gathers.

mod cache;
mod encoding;
mod kernel;
mod method;
mod number;
mod search;
mod store;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use self::encoding::{Encoding, Owners};
pub(super) use self::method::METHOD;
use self::search::Search;
use crate::bits::Leaf;
use crate::methods::together::{HELPERS_MAX, TOGETHER, Worker as _, until_one_is_done};
use crate::model::ItemId;
use crate::parallel::Cores;
use crate::portfolio::{
    self, Budget, Clock as _, Contender, Cut, Estimate, Race, Slices, WorkClock, costs,
};
use crate::prepare::Weighted;

/// How the item to branch on is chosen, if no item has a single option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Branch {
    /// The first uncovered item in the static order.
    Static,
    /// The one with the fewest options, the first of several.
    MinRemaining,
}

/// The rules that race.
const BRANCHES: [Branch; 2] = [Branch::Static, Branch::MinRemaining];
/// A rule that saves at most this share of its nodes is compared with the other as soon as anything is foreseen.
const FEW_SAVED_OF_RULE: f64 = 0.5;
/// The slices of the rules: the count itself is cut by its caller.
const SLICES: Slices = Slices { first: costs::MEMO_SLICE, longest: u64::MAX };

/// The pace is measured by slices of at least so much work, and taken to be at most so many nanoseconds of each core for a
/// unit.
const PACE_WORK: u64 = 100_000;
const PACE_MAX: f64 = 4.0;

/// How a search goes.
#[derive(Clone, Debug)]
pub(crate) struct MemoProgress {
    /// How items are chosen.
    pub(crate) branch: Branch,
    /// Nodes that were entered, dead ends included, but not those of the other rules.
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
    /// The work so far, without that of the other rules.
    pub(crate) work: u64,
    /// The work that is left, once its progress tells. As the cache fills, the rest goes faster.
    pub(crate) left: Option<f64>,
}

/// So many nodes tell what the cache saves.
const TOLD_NODES: u64 = 300;

impl MemoProgress {
    /// Tells whether the cache has saved at most that share of the nodes by now. Then it hardly makes the rest shorter, and what
    /// is left can be told from early on.
    fn saves_at_most(&self, share: f64) -> bool {
        self.nodes >= TOLD_NODES && self.saved <= share * self.nodes as f64
    }
}

/// A count by memo search. It can be cut and goes on where it was.
pub(crate) struct Memo(Rules);

impl Memo {
    /// Prepares the count of a part, with a static order of its primary items; those that are missing come
    /// last. `Unsuited` if its rows need too much memory.
    pub(crate) fn new(
        weighted: &Weighted,
        order: &[ItemId],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        Self::with_branches(weighted, order, &BRANCHES, budget)
    }

    /// Likewise with fewer branching rules, or others.
    pub(crate) fn with_branches(
        weighted: &Weighted,
        order: &[ItemId],
        branches: &[Branch],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        budget.spend(costs::METHOD_ENTRY as u64 * weighted.problem.entry_count() as u64)?;
        let owners = Owners::new(&weighted.problem, order);
        Ok(Self(Rules::new(weighted, &owners, branches, budget)?))
    }

    /// Returns this count such that those of `cores` that are idle will help.
    pub(crate) fn on(mut self, cores: &Arc<Cores>) -> Self {
        self.0.ground.cores = Arc::clone(cores);
        self
    }

    /// Counts, or goes on with it after `Cut::Work` or a limit.
    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        self.0.run(budget)
    }

    /// Tells how the best of the searches goes.
    pub(crate) fn progress(&self) -> MemoProgress {
        self.0.progress()
    }

    /// Returns the work of all rules.
    pub(crate) fn work(&self) -> u64 {
        u64::try_from(self.0.clock.now().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Returns the nodes and lookups of all rules.
    pub(crate) fn effort(&self) -> (u64, u64) {
        self.0.effort()
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
        f.debug_tuple("Memo").field(&self.progress()).finish()
    }
}

/// Searches of the same part with different rules, which race on a clock of their work.
struct Rules {
    ground: Ground,
    clock: WorkClock,
    /// Nanoseconds that a unit of work took last, on all cores together, where there is a clock that tells.
    pace: f64,
    race: Race<Rule, Ground>,
}

/// What all searches have in common.
struct Ground {
    encoding: Encoding,
    leaf: Leaf,
    cores: Arc<Cores>,
    /// The work of a rule before others are called.
    alone: u64,
}

/// A search with one of the rules, and others beside it that share its cache.
struct Rule {
    branch: Branch,
    search: Search,
    others: Vec<Search>,
}

impl Contender<Ground> for Rule {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        match self.branch {
            Branch::Static => "static",
            Branch::MinRemaining => "fewest options",
        }
    }

    fn run(&mut self, ground: &mut Ground, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let result = self.search(ground, budget);
        self.search.note_progress();
        result
    }

    /// It is never sure: what the first part of a tree says of the whole may be far off. But it is off for all rules alike.
    fn estimate(&self, spent: Duration) -> Estimate {
        let progress = self.search.progress();
        let is_told = progress.saves_at_most(FEW_SAVED_OF_RULE) || progress.work >= costs::MEMO_TRIAL;
        Estimate::guess(progress.left.filter(|_| is_told).unwrap_or(spent.as_nanos() as f64))
    }

    fn effort(&self) -> (u64, u64) {
        let efforts = self.others.iter().chain([&self.search]).map(Search::effort);
        efforts.fold((0, 0), |sum, effort| (sum.0 + effort.0, sum.1 + effort.1))
    }

    fn known(&self) -> Option<BigUint> {
        self.others.iter().chain([&self.search]).map(Search::known).max()
    }

    fn bytes(&self) -> usize {
        self.search.progress().bytes
    }
}

impl Rule {
    /// Goes on with the search, in longer slices together with others, until one of them has come to the end.
    fn search(&mut self, ground: &Ground, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let Ground { encoding, leaf, cores, alone } = ground;
        let Self { search, others, .. } = self;
        search.limit(budget.bytes);
        let is_short = search.work() < *alone || budget.work() < *alone;
        let most = if is_short { 0 } else { cores.idle().min(HELPERS_MAX) };
        while others.len() < most {
            others.push(search.beside(encoding, others.len() as u32 + 1, *leaf));
        }
        if most == 0 {
            return search.run(encoding, |work| budget.spend(work));
        }
        // What was kept is divided anew.
        search.limit(budget.bytes);
        let hire = |_| unreachable!("as many as there are cores stand ready");
        let total =
            until_one_is_done(cores, most, others, hire, search, encoding, |work| budget.spend(work))?;
        search.end(total.clone());
        Ok(total)
    }
}

impl Rules {
    fn new(
        weighted: &Weighted,
        owners: &Owners,
        branches: &[Branch],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let leaf = Leaf::best();
        let encoding = Encoding::new(weighted, owners, leaf, budget)?;
        let rule = |&branch: &Branch| {
            let search = Search::new(&encoding, branch, leaf);
            Rule { branch, search, others: Vec::new() }
        };
        let race = Race::new(branches.iter().map(rule), SLICES);
        let ground = Ground { encoding, leaf, cores: Cores::new(0), alone: TOGETHER };
        Ok(Self { ground, clock: WorkClock::default(), pace: 1.0, race })
    }

    fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let Self { ground, clock, pace, race } = self;
        let bytes = budget.bytes.checked_sub(ground.encoding.bytes()).ok_or(Cut::Memory)?;
        let before = (clock.now(), budget.clock().now());
        let time = Duration::from_nanos((budget.work() as f64 / *pace) as u64);
        let rules = portfolio::Rules { limits: budget.limits(), clock, bytes, time };
        let result = race.run(ground, &rules, &mut |_| ());
        let work = (clock.now() - before.0).as_nanos() as u64;
        let time = (budget.clock().now() - before.1).as_nanos() as f64;
        if work >= PACE_WORK && time > 0.0 {
            let cores = 1 + ground.cores.idle().min(HELPERS_MAX);
            *pace = (time / work as f64).clamp(1.0 / PACE_MAX, PACE_MAX * cores as f64);
        }
        let spent = budget.spend(work);
        if result == Err(Cut::Work) { spent.and(result) } else { result }
    }

    fn progress(&self) -> MemoProgress {
        let searches = self.race.contenders().map(|rule| &rule.search);
        let total = |search: &Search| search.foreseen().unwrap_or(f64::INFINITY);
        let best = searches.min_by(|a, b| total(a).total_cmp(&total(b)));
        best.expect("one that runs keeps its memory").progress()
    }

    fn effort(&self) -> (u64, u64) {
        self.race.effort()
    }

    fn known(&self) -> BigUint {
        self.race.known().unwrap_or_default()
    }

    fn bytes(&self) -> usize {
        self.ground.encoding.bytes() + self.race.contenders().map(Contender::bytes).sum::<usize>()
    }
}

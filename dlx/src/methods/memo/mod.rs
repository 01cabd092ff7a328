//! Counts covers by a depth-first search that caches the counts of subproblems.
//!
//! A node is a *live set*: the options that can still be chosen, which also determine the uncovered
//! items. The node branches on an item, and adds up the counts of its children, one per option of
//! the item. Items with a single option are covered at once. The remaining live set is then looked
//! up in the cache, and its count is cached.
//!
//! The cache key of a live set has a bit for each uncovered primary item, and for each *element* (a
//! secondary item, or such an item with a color) in one of its options. The key is exact: an option
//! is live exactly when the key contains all its items and elements. A search chooses or drops the
//! options of an item with bounds other than one separately, so the key also contains the lanes and
//! the remaining bounds of such items. Keys are compared in full.
//!
//! No branching rule is always best. Branching on the first item in a static order reaches equal
//! live sets more often; branching on the item with the fewest options makes smaller trees. So two
//! rules race (`portfolio/race.rs`) on a work clock. The rules alternate at first, and soon the
//! race prefers the rule with the smaller forecast (`methods/forecast.rs`).
//!
//! Idle cores run more searches (`together.rs`) of the same tree with a shared cache. Each search
//! takes the options of an item in a different order (`parallel::turn`), so that two searches in
//! the same subtree soon get cache hits from each other.
//!
//! Invariant: the stack of nodes and the cache are the whole state of a search, so it can be
//! interrupted between any two steps and resumed.
//!
//! Source: Nishino, Yasuda, Minato and Nagata (DXZ, AAAI 2017), who store diagrams instead of
//! counts; the keys, orders and bit rows are new here.
//!
//! Tried and dropped: the item with the fewest options among the first 4 or 12 items of the static
//! order; expanding children one by one; a vector loop over the chunks of a group.

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
use crate::methods::together::{HELPERS_MAX, TOGETHER, Worker as _, race_workers};
use crate::model::ItemId;
use crate::parallel::Cores;
use crate::portfolio::{
    self, Budget, Clock as _, Contender, Cut, Estimate, Race, Slices, WorkClock, costs,
};
use crate::prepare::Weighted;

/// The branching rule for nodes where each item has at least two options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Branch {
    /// Branches on the first uncovered item in the static order.
    Static,
    /// Branches on the item with the fewest options, the first one in case of ties.
    MinRemaining,
}

const BRANCHES: [Branch; 2] = [Branch::Static, Branch::MinRemaining];
/// Largest share of nodes saved by the cache that lets the race use the first forecast of a rule.
const FEW_SAVED_OF_RULE: f64 = 0.5;
const SLICES: Slices = Slices { first: costs::MEMO_SLICE, longest: u64::MAX };

/// Minimum work of a slice that measures the time per unit of work, and maximum of that time (ns
/// per unit and core).
const PACE_WORK: u64 = 100_000;
const PACE_MAX: f64 = 64.0;

#[derive(Clone, Debug)]
pub(crate) struct MemoProgress {
    pub(crate) branch: Branch,
    pub(crate) nodes: u64,
    /// Estimated number of additional nodes that a search without a cache would have entered. Plain
    /// search is faster unless this number is several times `nodes`.
    pub(crate) saved: f64,
    pub(crate) lookups: u64,
    pub(crate) hits: u64,
    pub(crate) entries: usize,
    pub(crate) bytes: usize,
    pub(crate) work: u64,
    /// Forecast of the remaining work, usually too high because the cache fills up.
    pub(crate) left: Option<f64>,
}

const TOLD_NODES: u64 = 300;

impl MemoProgress {
    /// Returns whether the cache has saved at most `share` of the nodes, which makes early
    /// forecasts reliable.
    fn saves_at_most(&self, share: f64) -> bool {
        self.nodes >= TOLD_NODES && self.saved <= share * self.nodes as f64
    }
}

pub(crate) struct Memo(Rules);

impl Memo {
    /// Prepares the count of a part. `order` is the static order of its primary items, where
    /// missing items come last. Fails with `Unsuited` if the rows need too much memory.
    pub(crate) fn new(
        weighted: &Weighted,
        order: &[ItemId],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        Self::with_branches(weighted, order, &BRANCHES, budget)
    }

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

    pub(crate) fn on(mut self, cores: &Arc<Cores>) -> Self {
        self.0.ground.cores = Arc::clone(cores);
        self
    }

    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        self.0.run(budget)
    }

    pub(crate) fn progress(&self) -> MemoProgress {
        self.0.progress()
    }

    pub(crate) fn work(&self) -> u64 {
        u64::try_from(self.0.clock.now().as_nanos()).unwrap_or(u64::MAX)
    }

    pub(crate) fn effort(&self) -> (u64, u64) {
        self.0.effort()
    }

    pub(crate) fn known(&self) -> BigUint {
        self.0.known()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Memo").field(&self.progress()).finish()
    }
}

struct Rules {
    ground: Ground,
    clock: WorkClock,
    pace: f64,
    race: Race<Rule, Ground>,
}

struct Ground {
    encoding: Encoding,
    leaf: Leaf,
    cores: Arc<Cores>,
    alone: u64,
}

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

    /// The error of the estimate is similar for both rules, so the rules can be compared although
    /// their estimates are never reliable.
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
        search.limit(budget.bytes);
        let hire = |_| unreachable!("as many as there are cores stand ready");
        let total =
            race_workers(cores, most, others, hire, search, encoding, |work| budget.spend(work))?;
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

//! Searches the cheapest covers of each independent part of a problem, and combines them.
//!
//! Options linked by a chain of shared open items belong to the same part. The cost of a cover is
//! the sum of the costs of its parts. Searching the parts separately avoids repeating the covers of
//! one part at each dead end of another.
//!
//! First, each part gets the plain search for its two cheapest covers, which usually suffices.
//! Next, the unfinished parts are searched for an equal share of the requested covers. Finally, the
//! covers of the parts are joined (`join.rs`). If the join needs more covers of a part than are
//! known, the part is searched again for eight times as many.
//!
//! Invariant: every cover of a part that is not in its list costs at least the bound of the part.
//! An unlisted cover also costs at least as much as the last cover of the list, unless a limit
//! ended the search of the part.

use std::collections::{BTreeSet, HashMap};

use super::amount::Amount;
use super::join::{PartSum, Ranked, SumHeap};
use super::state::State;
use super::{Cheapest, CostedCover, Tuning, search_connected};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, Entry, ItemId, OptionId, Problem};
use crate::prepare::components::root;
use crate::search::{End, Report};

const FIRST: usize = 2;
const MORE: usize = 8;
/// Estimated time per entry when the parts are built (ns).
const ENTRY: u64 = 20;
const COVER: u64 = 20;
/// Maximum total number of options in the covers that are joined after a limit was reached.
const LATE: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct CostParts {
    list: Vec<CostPart>,
    numbers: Vec<u32>,
    open: Vec<Option<Option<Bounds>>>,
}

#[derive(Debug, Default)]
struct CostPart {
    items: Vec<u32>,
    options: Vec<u32>,
    entry_count: usize,
}

impl CostParts {
    /// Splits the rest of `problem` at a state into parts. Returns `None` if there is only one
    /// part, or no cover.
    ///
    /// # Errors
    /// If the time limit or a stop flag is reached.
    pub(super) fn new<N: Amount>(
        problem: &Problem,
        state: &State<N>,
        limits: &Limits,
    ) -> Result<Option<Self>, Limit> {
        if state.is_dead() {
            return Ok(None);
        }
        let mut pace = Pace::new(limits);
        let open: Vec<_> = (0..problem.item_count() as u32).map(|item| state.room(item)).collect();
        let is_open = |item: &u32| open[*item as usize].is_some();
        let mut above: Vec<u32> = (0..problem.item_count() as u32).collect();
        let mut live: Vec<u32> = state.live().to_vec();
        live.sort_unstable();
        let mut joined = 0;
        for &option in &live {
            let mut top = None;
            for item in state.items_of(option).filter(is_open) {
                pace.spend(ENTRY)?;
                let root = root(&mut above, item);
                let other = top.unwrap_or(root);
                joined += usize::from(root != other);
                above[root.max(other) as usize] = root.min(other);
                top = Some(root.min(other));
            }
        }
        let has_options = |item: &u32| state.options_of(*item).next().is_some();
        let used: Vec<u32> = (0..open.len() as u32).filter(is_open).filter(has_options).collect();
        if used.len() - joined < 2 {
            return Ok(None);
        }
        let mut list: Vec<CostPart> = Vec::with_capacity(used.len() - joined);
        let mut part_of = vec![0; open.len()];
        let mut numbers = vec![0; open.len()];
        for item in used {
            pace.spend(ENTRY)?;
            let root = root(&mut above, item);
            if root == item {
                part_of[item as usize] = list.len();
                list.push(CostPart::default());
            }
            part_of[item as usize] = part_of[root as usize];
            let items = &mut list[part_of[item as usize]].items;
            numbers[item as usize] = items.len() as u32;
            items.push(item);
        }
        for option in live {
            let mut items = state.items_of(option).filter(is_open);
            let item = items.next().expect("an option that may be chosen has an open item");
            let part = &mut list[part_of[item as usize]];
            part.options.push(option);
            part.entry_count += 1 + items.count();
            pace.spend(ENTRY)?;
        }
        list.sort_by_key(|part| part.entry_count);
        Ok(Some(Self { list, numbers, open }))
    }

    fn problem(&self, whole: &Problem, part: &CostPart) -> Problem {
        let bounds = |item: u32| self.open[item as usize].expect("an item of a part is open");
        let items = part.items.iter().map(|&item| (ItemId::new(item as usize), bounds(item)));
        let mut problem = whole.part(items, whole.has_colors());
        for &option in &part.options {
            let option = OptionId::new(option as usize);
            let entries = whole.option(option).iter().filter_map(|entry| {
                let item = entry.item.index();
                let new = ItemId::new(self.numbers[item] as usize);
                self.open[item].is_some().then_some(Entry { item: new, ..*entry })
            });
            problem.add_to_part(entries, whole.cost(option));
        }
        problem
    }
}

#[derive(Debug)]
struct KnownCovers {
    covers: Vec<CostedCover>,
    /// A lower bound for the cost of every cover that is not in `covers`, or `None` if there is no
    /// other.
    bound: Option<u128>,
    /// Whether all other covers of the part cost at least as much as the last of `covers`.
    is_proven: bool,
}

impl KnownCovers {
    fn is_none(&self) -> bool {
        self.is_proven && self.covers.is_empty()
    }

    fn lowest(&self) -> Option<u128> {
        self.covers.first().map(|cover| cover.cost).into_iter().chain(self.bound).min()
    }

    fn size(&self) -> usize {
        self.covers.first().map_or(0, |cover| cover.options.len())
    }

    fn add(&mut self, other: Self, count: usize) {
        if !other.is_proven && self.is_proven {
            return;
        }
        let old = if other.is_proven && !self.is_proven {
            Vec::new()
        } else {
            std::mem::take(&mut self.covers)
        };
        let known: BTreeSet<Vec<OptionId>> = old.iter().map(|cover| cover.options.clone()).collect();
        let mut covers = old;
        covers.extend(other.covers.into_iter().filter(|cover| !known.contains(&cover.options)));
        // The stable sort keeps known covers before new ones of the same cost.
        covers.sort_by_key(|cover| cover.cost);
        let is_cut = covers.len() > count;
        covers.truncate(count);
        let cut = covers.last().map(|cover| cover.cost).filter(|_| is_cut);
        self.bound = match (self.is_proven || other.is_proven, other.bound) {
            (false, Some(bound)) => self.bound.max(Some(bound)).into_iter().chain(cut).min(),
            (_, bound) => bound,
        };
        (self.covers, self.is_proven) = (covers, other.is_proven);
    }
}

#[derive(Debug)]
struct PartSearch<'s> {
    whole: &'s Problem,
    parts: &'s CostParts,
    tuning: Tuning,
    count: usize,
    limits: &'s Limits,
    known: Vec<KnownCovers>,
    nodes: u64,
    updates: u64,
}

impl Ranked for PartSearch<'_> {
    fn cost(&self, part: usize, place: usize) -> Option<u128> {
        self.known[part].covers.get(place).map(|cover| cover.cost)
    }

    fn extend(&mut self, part: usize) -> Result<(), Limit> {
        let KnownCovers { covers, bound, .. } = &self.known[part];
        let wanted = covers.len().saturating_mul(MORE).min(self.count);
        if bound.is_none() || wanted <= covers.len() {
            Ok(())
        } else {
            self.search(part, wanted, false)
        }
    }
}

impl PartSearch<'_> {
    /// Searches a part for `count` covers. A trial runs only the initial plain search.
    fn search(&mut self, part: usize, count: usize, is_trial: bool) -> Result<(), Limit> {
        let Self { parts, whole, limits, .. } = *self;
        let problem = parts.problem(whole, &parts.list[part]);
        let left = limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes));
        let is_last = !is_trial && part + 1 == parts.list.len();
        let progress = limits.progress.clone().filter(|_| is_last);
        let limits = limits.clone().nodes(left).progress(progress).profile(false);
        let Cheapest { covers, bound, report } =
            search_connected(self.tuning, &problem, count, is_trial, &limits);
        self.nodes += report.nodes;
        self.updates += report.updates;
        let numbers = &parts.list[part].options;
        let original = |option: OptionId| OptionId::new(numbers[option.index()] as usize);
        let covers = covers.into_iter().map(|CostedCover { cost, options }| {
            let options = options.into_iter().map(original).collect();
            CostedCover { cost, options }
        });
        let is_proven = report.end == End::Exhausted;
        self.known[part].add(KnownCovers { covers: covers.collect(), bound, is_proven }, count);
        if let End::Limit(limit) = report.end { Err(limit) } else { Ok(()) }
    }

    fn search_all(&mut self) -> Result<(), Limit> {
        let mut left = Vec::new();
        for part in 0..self.known.len() {
            self.search(part, self.count.min(FIRST), true)?;
            if self.known[part].is_none() {
                return Ok(());
            }
            if !self.known[part].is_proven {
                left.push(part);
            }
        }
        let open = self.known.iter().filter(|known| known.bound.is_some()).count();
        let share = (self.count / open.max(1)).max(FIRST).min(self.count);
        for part in left {
            self.search(part, share, false)?;
            if self.known[part].is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns a lower bound for the cost of every cover that is not yet joined. A cover that is
    /// not joined contains an unlisted cover of some part, or is still in the heap.
    fn bound(&self, given: &[OptionId], join: &SumHeap) -> Option<u128> {
        let lowest = self.known.iter().map(KnownCovers::lowest).collect::<Option<Vec<_>>>()?;
        let all: u128 = lowest.iter().sum();
        let others =
            self.known.iter().zip(&lowest).filter_map(|(known, low)| Some(all - low + known.bound?));
        let bound = others.chain(join.peek()).min()?;
        Some(bound + given.iter().map(|&option| u128::from(self.whole.cost(option))).sum::<u128>())
    }

    fn cover(&self, given: &[OptionId], sum: &PartSum) -> CostedCover {
        let mut place_of = HashMap::new();
        place_of.extend(sum.later.iter().copied());
        let mut options = given.to_vec();
        for (part, known) in self.known.iter().enumerate() {
            let place = place_of.get(&part).copied().unwrap_or_default();
            options.extend_from_slice(&known.covers[place].options);
        }
        options[given.len()..].sort_unstable();
        let cost = given.iter().map(|&option| u128::from(self.whole.cost(option))).sum::<u128>();
        CostedCover { cost: cost + sum.cost, options }
    }
}

pub(super) fn search(
    parts: &CostParts,
    tuning: Tuning,
    whole: &Problem,
    given: &[OptionId],
    count: usize,
    limits: &Limits,
) -> Cheapest {
    let limits = limits.clone().nodes_expected(None);
    let unknown = || KnownCovers { covers: Vec::new(), bound: Some(0), is_proven: false };
    let known = parts.list.iter().map(|_| unknown()).collect();
    let mut search =
        PartSearch { whole, parts, tuning, count, limits: &limits, known, nodes: 0, updates: 0 };
    let mut ended = search.search_all();
    // After a limit only a bounded number of covers is joined, but at least one if possible.
    let size = given.len() + search.known.iter().map(KnownCovers::size).sum::<usize>();
    let wanted = if ended.is_ok() { count } else { count.min((LATE / size.max(1)).max(1)) };
    let mut pace = Pace::new(&limits);
    let mut join = SumHeap::new(&search, search.known.len());
    let mut covers = Vec::new();
    while covers.len() < wanted
        && let Some(sum) = join.next(&mut search, &mut ended)
    {
        covers.push(search.cover(given, &sum));
        if ended.is_ok() {
            ended = pace.spend(COVER * size as u64);
        }
        if ended.is_err() && covers.len() >= LATE / size.max(1) {
            break;
        }
    }
    covers.sort_by(|one, other| (one.cost, &one.options).cmp(&(other.cost, &other.options)));
    let bound = match &ended {
        Ok(()) => covers.last().map(|cover| cover.cost).filter(|_| covers.len() == count),
        Err(_) => search.bound(given, &join),
    };
    let end = ended.map_or_else(End::Limit, |()| End::Exhausted);
    let PartSearch { nodes, updates, .. } = search;
    let report = Report { solutions: covers.len() as u64, nodes, updates, ..Report::empty(end) };
    Cheapest { covers, bound, report }
}

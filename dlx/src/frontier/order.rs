//! Static orders of the primary items that keep the frontier window small.
//!
//! An order is judged by its *profile*: the number of bits of a state after each item is decided.
//! An item is *touched* when an option of a decided item contains it. The greedy order next decides
//! the item that adds the fewest bits for newly touched items. Its candidates are touched items and
//! the neighbors of touched secondary items; the latter matter where no two primary items share an
//! option (trains on one line, shifts of one person). The *exact* order also subtracts the bits of
//! items whose options are all decided. Building an exact order examines all options of each
//! candidate, so it is done only while that is cheap.
//!
//! A greedy order takes time proportional to the number of pairs of items that share an option. If
//! there are too many pairs, no greedy order is built.
//!
//! Source: Cuthill and McKee 1969 and Sloan 1986 for small fronts; the greedy rule is from frontier
//! methods.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::model::{Bounds, ItemId, OptionId, Problem};
use crate::portfolio::{Budget, Cut};

/// Assumed ratio of log2(number of states) to the bits of the profile, a low estimate for comparing
/// orders before a count.
pub(crate) const FREEDOM: f64 = 0.4;

pub(crate) fn given(problem: &Problem) -> Vec<ItemId> {
    problem.items().filter(|&item| problem.is_primary(item)).collect()
}

struct Incidence<'p> {
    problem: &'p Problem,
    /// The options that contain item `i` are `options[starts[i]..starts[i + 1]]`.
    starts: Vec<usize>,
    options: Vec<OptionId>,
    bits: Vec<usize>,
    /// Per item, the total bits of all other items that share an option with it; empty if too many
    /// pairs of items share an option.
    around: Vec<isize>,
}

/// Number of pairs of items sharing an option above which greedy orders are skipped.
const PAIRS_MAX: usize = 1 << 24;
const PAIRS_PER_ENTRY: usize = 16;
/// Maximum number of entries examined for all exact orders together, in total and per entry of the
/// problem.
const EXACT_ENTRIES: usize = 1 << 18;
const EXACT_SHARE: usize = 128;
const PAIR_WORK: u64 = 2;
const ENTRY_WORK: u64 = 4;

impl<'p> Incidence<'p> {
    fn new(problem: &'p Problem, budget: &mut Budget<'_>) -> Result<Self, Cut> {
        let entries = || problem.options().map(|option| (option, problem.option(option)));
        budget.spend(ENTRY_WORK * (problem.entry_count() + problem.item_count()) as u64)?;
        let mut starts = vec![0; problem.item_count() + 1];
        let mut has_color = vec![false; problem.item_count()];
        let mut pairs = 0_usize;
        for (_, entries) in entries() {
            pairs = pairs.saturating_add(entries.len().saturating_mul(entries.len()));
            for entry in entries {
                starts[entry.item.index() + 1] += 1;
                has_color[entry.item.index()] |= entry.color.is_some();
            }
        }
        for item in 0..problem.item_count() {
            starts[item + 1] += starts[item];
        }
        let mut ends = starts.clone();
        let mut options = vec![OptionId::new(0); problem.entry_count()];
        for (option, entries) in entries() {
            for entry in entries {
                let end = &mut ends[entry.item.index()];
                options[*end] = option;
                *end += 1;
            }
        }
        let bits = problem.items().map(|item| match problem.bounds(item) {
            None if has_color[item.index()] => 3,
            Some(Bounds::ONE) | None => 1,
            Some(Bounds { high, .. }) => {
                let degree = starts[item.index() + 1] - starts[item.index()];
                let most = high.min(degree as u32);
                (u32::BITS - most.leading_zeros()) as usize + 1
            }
        });
        let bits = bits.collect();
        let mut graph = Self { problem, starts, options, bits, around: Vec::new() };
        if pairs <= PAIRS_MAX.max(PAIRS_PER_ENTRY * problem.entry_count()) {
            let mut marks = vec![usize::MAX; problem.item_count()];
            let mut around = Vec::with_capacity(problem.item_count());
            for item in problem.items() {
                let mut sum = 0;
                let mark = item.index();
                graph.each_neighbor(item, &mut marks, mark, budget, |other| {
                    sum += graph.bits[other.index()] as isize;
                })?;
                around.push(sum);
            }
            graph.around = around;
        }
        Ok(graph)
    }

    fn options(&self, item: ItemId) -> &[OptionId] {
        &self.options[self.starts[item.index()]..self.starts[item.index() + 1]]
    }

    fn has_pairs(&self) -> bool {
        !self.around.is_empty()
    }

    /// Calls `visit` once for each item that shares an option with `item`. Every call needs a new
    /// value of `mark`.
    fn each_neighbor(
        &self,
        item: ItemId,
        marks: &mut [usize],
        mark: usize,
        budget: &mut Budget<'_>,
        mut visit: impl FnMut(ItemId),
    ) -> Result<(), Cut> {
        marks[item.index()] = mark;
        let mut pairs = 1;
        for &option in self.options(item) {
            let entries = self.problem.option(option);
            pairs += entries.len() as u64;
            for entry in entries {
                if std::mem::replace(&mut marks[entry.item.index()], mark) != mark {
                    visit(entry.item);
                }
            }
        }
        budget.spend(PAIR_WORK * pairs)
    }

    /// Returns the item found last by a breadth-first search from `start` over shared options.
    fn farthest(&self, start: ItemId, budget: &mut Budget<'_>) -> Result<ItemId, Cut> {
        let mut is_seen = vec![false; self.problem.item_count()];
        let mut is_open = vec![true; self.problem.option_count()];
        is_seen[start.index()] = true;
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(&item) = queue.get(next) {
            next += 1;
            for &option in self.options(item) {
                if !std::mem::take(&mut is_open[option.index()]) {
                    continue;
                }
                let entries = self.problem.option(option);
                budget.spend(ENTRY_WORK * entries.len() as u64)?;
                for entry in entries {
                    let is_new = !std::mem::replace(&mut is_seen[entry.item.index()], true);
                    if is_new && self.problem.is_primary(entry.item) {
                        queue.push(entry.item);
                    }
                }
            }
        }
        Ok(queue.pop().unwrap_or(start))
    }
}

/// Sort key of a candidate: added bits, time of its first touch, number of its undecided options,
/// id. The candidate with the smallest rank is decided next.
type Rank = (isize, Option<usize>, usize, ItemId);

/// The start of an order of the items, extended item by item.
///
/// Invariant: no option of an untouched item is decided, because deciding an option touches all its
/// items. So deciding an item adds the bits of its untouched neighbors, and an item leaves these
/// sums once, when it is touched.
struct GrowingOrder<'g> {
    graph: &'g Incidence<'g>,
    is_live: Vec<bool>,
    left: Vec<usize>,
    is_decided: Vec<bool>,
    /// Per item, the number of decided items when it was touched.
    touched: Vec<Option<usize>>,
    /// Per item, the number of decided items when a secondary item of one of its options was
    /// touched.
    near: Vec<Option<usize>>,
    /// Per item, the total bits of its untouched neighbors. Empty unless a greedy order is built.
    growth: Vec<isize>,
    width: usize,
    order: Vec<ItemId>,
    profile: Vec<usize>,
    /// The candidates whose rank has changed; and per item, the time of its last insertion into
    /// `changed`.
    changed: Vec<ItemId>,
    noted: Vec<usize>,
    marks: Vec<usize>,
}

impl<'g> GrowingOrder<'g> {
    fn new(graph: &'g Incidence<'g>) -> Self {
        let problem = graph.problem;
        Self {
            graph,
            is_live: vec![true; problem.option_count()],
            left: graph.starts.windows(2).map(|ends| ends[1] - ends[0]).collect(),
            is_decided: vec![false; problem.item_count()],
            touched: vec![None; problem.item_count()],
            near: vec![None; problem.item_count()],
            growth: Vec::new(),
            width: 0,
            order: Vec::new(),
            profile: Vec::new(),
            changed: Vec::new(),
            noted: vec![0; problem.item_count()],
            marks: vec![usize::MAX; problem.item_count()],
        }
    }

    /// Touches an item. While a greedy order is built, this subtracts the item's bits from `growth`
    /// of each of its neighbors.
    fn touch(&mut self, item: ItemId, budget: &mut Budget<'_>) -> Result<(), Cut> {
        let Self { graph, growth, changed, noted, marks, order, near, .. } = self;
        if growth.is_empty() {
            return Ok(());
        }
        let bits = graph.bits[item.index()] as isize;
        let is_secondary = !graph.problem.is_primary(item);
        graph.each_neighbor(item, marks, item.index(), budget, |other| {
            growth[other.index()] -= bits;
            if is_secondary {
                near[other.index()].get_or_insert(order.len());
            }
            note(other, order.len(), noted, changed);
        })
    }

    fn decide(&mut self, item: ItemId, budget: &mut Budget<'_>) -> Result<(), Cut> {
        let graph = self.graph;
        if self.touched[item.index()].is_some() {
            self.width -= graph.bits[item.index()];
        } else {
            self.touch(item, budget)?;
        }
        self.is_decided[item.index()] = true;
        self.order.push(item);
        let time = self.order.len();
        let mut over = Vec::new();
        for &option in graph.options(item) {
            if !std::mem::take(&mut self.is_live[option.index()]) {
                continue;
            }
            let entries = graph.problem.option(option);
            budget.spend(ENTRY_WORK * entries.len() as u64)?;
            for entry in entries {
                let other = entry.item;
                self.left[other.index()] -= 1;
                if self.is_decided[other.index()] {
                    continue;
                }
                if self.touched[other.index()].is_none() {
                    self.touched[other.index()] = Some(time);
                    self.width += graph.bits[other.index()];
                    self.touch(other, budget)?;
                }
                note(other, time, &mut self.noted, &mut self.changed);
                if self.left[other.index()] == 0 {
                    over.push(other);
                }
            }
        }
        self.profile.push(self.width);
        for other in over {
            if std::mem::replace(&mut self.is_decided[other.index()], true) {
                continue;
            }
            self.width -= graph.bits[other.index()];
            if graph.problem.is_primary(other) {
                self.order.push(other);
                self.profile.push(self.width);
            }
        }
        Ok(())
    }

    /// Returns the rank of a candidate: an undecided primary item that is touched or next to a
    /// touched secondary item. Returns `None` for other items.
    fn rank(&self, item: ItemId) -> Option<Rank> {
        let index = item.index();
        let is_touched = self.touched[index].is_some();
        let time = self.touched[index].or(self.near[index]);
        let is_open = time.is_some() && !self.is_decided[index] && self.graph.problem.is_primary(item);
        let own = if is_touched { self.graph.bits[index] as isize } else { 0 };
        is_open.then(|| (self.growth[index] - own, time, self.left[index], item))
    }

    /// Decides all items, starting with `start`: always the candidate that leaves the fewest bits
    /// in the window. Returns `None` if that examines more than `entries` entries.
    fn exact(
        mut self,
        start: ItemId,
        entries: &mut usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Order>, Cut> {
        let problem = self.graph.problem;
        // Per item, the number of undecided options that contain both the item and the candidate.
        let mut shared = vec![0; problem.item_count()];
        let mut items = Vec::new();
        let mut open: Vec<ItemId> = Vec::new();
        let mut is_open = vec![false; problem.item_count()];
        let mut rest = given(problem).into_iter();
        let mut next = start;
        loop {
            is_open[next.index()] = true;
            for &option in self.graph.options(next) {
                *entries = entries.saturating_sub(problem.option(option).len());
            }
            self.open_around(next, &mut is_open, &mut open, entries, budget)?;
            self.decide(next, budget)?;
            self.changed.clear();
            if self.order.len() == problem.primary_count() {
                return Ok(Some(self.into_order()));
            }
            open.retain(|item| !self.is_decided[item.index()]);
            let mut best = None;
            for &item in &open {
                let mut size = 0;
                let live = self.graph.options(item).iter();
                for &option in live.filter(|option| self.is_live[option.index()]) {
                    let option = problem.option(option);
                    size += option.len();
                    for entry in option {
                        let shared = &mut shared[entry.item.index()];
                        if *shared == 0 {
                            items.push(entry.item);
                        }
                        *shared += 1;
                    }
                }
                budget.spend(ENTRY_WORK * (1 + size) as u64)?;
                *entries = entries.saturating_sub(1 + size);
                let mut width = self.width as isize;
                for other in items.drain(..) {
                    let index = other.index();
                    let is_over = other == item || self.left[index] == shared[index];
                    let bits = self.graph.bits[index] as isize;
                    shared[index] = 0;
                    if self.is_decided[index] {
                        continue;
                    }
                    let is_touched = self.touched[index].is_some();
                    width += bits * (isize::from(!is_over) - isize::from(is_touched));
                }
                let rank =
                    (width, self.touched[item.index()].is_none(), self.touched[item.index()], item);
                if best.is_none_or(|best| rank < best) {
                    best = Some(rank);
                }
            }
            if *entries == 0 {
                return Ok(None);
            }
            let fresh = || rest.find(|item| !self.is_decided[item.index()]);
            let Some(item) = best.map(|best| best.3).or_else(fresh) else {
                return Ok(Some(self.into_order()));
            };
            next = item;
        }
    }

    /// Adds to `open` the primary items that share an option with `item`, or share with it only an
    /// untouched secondary item. `is_open` also marks the secondary items that were examined.
    fn open_around(
        &self,
        item: ItemId,
        is_open: &mut [bool],
        open: &mut Vec<ItemId>,
        entries: &mut usize,
        budget: &mut Budget<'_>,
    ) -> Result<(), Cut> {
        let problem = self.graph.problem;
        let mut add = |other: ItemId, is_open: &mut [bool]| {
            let is_new = problem.is_primary(other)
                && !self.is_decided[other.index()]
                && !std::mem::replace(&mut is_open[other.index()], true);
            if is_new {
                open.push(other);
            }
        };
        for &option in self.graph.options(item) {
            for entry in problem.option(option) {
                add(entry.item, is_open);
                let is_untouched = !problem.is_primary(entry.item)
                    && self.touched[entry.item.index()].is_none()
                    && !std::mem::replace(&mut is_open[entry.item.index()], true);
                if !is_untouched {
                    continue;
                }
                for &option in self.graph.options(entry.item) {
                    let size = problem.option(option).len();
                    budget.spend(ENTRY_WORK * size as u64)?;
                    *entries = entries.saturating_sub(size);
                    problem.option(option).iter().for_each(|entry| add(entry.item, is_open));
                }
            }
        }
        Ok(())
    }

    /// Decides all items, starting with `start`: always the candidate that adds the fewest bits.
    /// Ties go to the candidate touched first.
    fn greedy(mut self, start: ItemId, budget: &mut Budget<'_>) -> Result<Order, Cut> {
        let problem = self.graph.problem;
        self.growth = self.graph.around.clone();
        let mut rest = given(problem).into_iter();
        // Candidates by rank. The heap may also contain outdated ranks, which are skipped.
        let mut open = BinaryHeap::new();
        self.decide(start, budget)?;
        while self.order.len() < problem.primary_count() {
            let changed = std::mem::take(&mut self.changed);
            budget.spend(PUSH_WORK * changed.len() as u64)?;
            open.extend(changed.iter().filter_map(|&item| self.rank(item)).map(Reverse));
            if open.len() > 4 * problem.primary_count() {
                open.retain(|&Reverse(rank)| self.rank(rank.3) == Some(rank));
            }
            let ranks = std::iter::from_fn(|| open.pop().map(|Reverse(rank)| rank));
            let next = { ranks }.find(|&rank| self.rank(rank.3) == Some(rank)).map(|rank| rank.3);
            let fresh = || rest.find(|item| !self.is_decided[item.index()]);
            let Some(next) = next.or_else(fresh) else { break };
            self.decide(next, budget)?;
        }
        Ok(self.into_order())
    }

    fn follow(mut self, order: &[ItemId], budget: &mut Budget<'_>) -> Result<Order, Cut> {
        for &item in order {
            if !self.is_decided[item.index()] {
                self.decide(item, budget)?;
            }
            self.changed.clear();
        }
        Ok(self.into_order())
    }

    fn into_order(self) -> Order {
        debug_assert_eq!(self.order.len(), self.graph.problem.primary_count(), "all items are decided");
        Order { items: self.order, profile: self.profile }
    }
}

const PUSH_WORK: u64 = 60;

fn note(item: ItemId, time: usize, noted: &mut [usize], changed: &mut Vec<ItemId>) {
    if std::mem::replace(&mut noted[item.index()], time + 1) != time + 1 {
        changed.push(item);
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) items: Vec<ItemId>,
    pub(crate) profile: Vec<usize>,
}

impl Order {
    /// Estimates the number of states: each step with b profile bits has about 2^(`freedom` * b)
    /// states.
    pub(crate) fn states(&self, freedom: f64) -> f64 {
        self.profile.iter().map(|&bits| (bits as f64 * freedom).exp2()).sum()
    }
}

/// Returns candidate orders by ascending estimated number of states, one per profile: the given
/// order, its reverse, greedy orders from several items, and exact orders.
pub(crate) fn candidates(problem: &Problem, budget: &mut Budget<'_>) -> Result<Vec<Order>, Cut> {
    let given = given(problem);
    let (Some(&first), Some(&last)) = (given.first(), given.last()) else { return Ok(Vec::new()) };
    let graph = Incidence::new(problem, budget)?;
    let mut orders = vec![GrowingOrder::new(&graph).follow(&given, budget)?];
    let reverse: Vec<_> = given.iter().rev().copied().collect();
    orders.push(GrowingOrder::new(&graph).follow(&reverse, budget)?);
    if graph.has_pairs() {
        let degree = |item: &ItemId| graph.options(*item).len();
        let fewest = given.iter().copied().min_by_key(degree).unwrap_or(first);
        let far = graph.farthest(first, budget)?;
        let other = graph.farthest(far, budget)?;
        let mut starts = vec![first, last, fewest, far, other];
        starts.sort_unstable();
        starts.dedup();
        for &start in &starts {
            orders.push(GrowingOrder::new(&graph).greedy(start, budget)?);
        }
        // Exact orders improve on greedy ones only where there are secondary items.
        let is_worth_it = problem.primary_count() < problem.item_count();
        let mut entries = EXACT_ENTRIES.min(EXACT_SHARE * problem.entry_count());
        let others = given.iter().filter(|item| !starts.contains(item));
        for &start in starts.iter().chain(others).filter(|_| is_worth_it) {
            match GrowingOrder::new(&graph).exact(start, &mut entries, budget)? {
                Some(order) => orders.push(order),
                None => break,
            }
        }
    }
    orders.sort_by(|a, b| a.states(FREEDOM).total_cmp(&b.states(FREEDOM)));
    // Equal profiles mean equal estimates, for example of an order and its mirror image on a
    // symmetric problem.
    orders.dedup_by(|a, b| a.profile == b.profile);
    Ok(orders)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::model::ProblemBuilder;
    use crate::model::samples::neighbors;
    use crate::numbers::Random;

    /// Returns the candidate that adds the fewest bits, by examining all options of all candidates.
    fn plain_next(front: &GrowingOrder<'_>) -> Option<ItemId> {
        let graph = front.graph;
        let growth = |item: ItemId| {
            let live = graph.options(item).iter().filter(|option| front.is_live[option.index()]);
            let items = live.flat_map(|&option| graph.problem.option(option)).map(|entry| entry.item);
            let mut new: Vec<_> = items
                .filter(|&other| other != item && front.touched[other.index()].is_none())
                .collect();
            new.sort_unstable();
            new.dedup();
            let bits = |item: &ItemId| graph.bits[item.index()] as isize;
            let own = if front.touched[item.index()].is_some() { bits(&item) } else { 0 };
            new.iter().map(bits).sum::<isize>() - own
        };
        let time = |item: ItemId| {
            let options = graph.options(item).iter().flat_map(|&option| graph.problem.option(option));
            let secondary = options.filter(|entry| !graph.problem.is_primary(entry.item));
            let near = secondary.filter_map(|entry| front.touched[entry.item.index()]).min();
            front.touched[item.index()].or(near)
        };
        let open = given(graph.problem)
            .into_iter()
            .filter(|&item| time(item).is_some() && !front.is_decided[item.index()]);
        open.min_by_key(|&item| (growth(item), time(item), front.left[item.index()], item))
    }

    #[test]
    fn a_greedy_order_next_decides_the_item_that_adds_the_fewest_bits_to_a_state() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let problem = neighbors(&mut random, 30, 80);
            let limits = Limits::default();
            let mut budget = Budget::new(&limits, u64::MAX, usize::MAX);
            let graph = Incidence::new(&problem, &mut budget).unwrap();
            for start in given(&problem) {
                let greedy = GrowingOrder::new(&graph).greedy(start, &mut budget).unwrap();
                let mut plain = GrowingOrder::new(&graph);
                plain.decide(start, &mut budget).unwrap();
                while plain.order.len() < problem.primary_count() {
                    let fresh =
                        || given(&problem).into_iter().find(|item| !plain.is_decided[item.index()]);
                    let next = plain_next(&plain).or_else(fresh).unwrap();
                    plain.decide(next, &mut budget).unwrap();
                }
                assert_eq!((greedy.items, greedy.profile), (plain.order, plain.profile));
            }
        }
    }

    #[test]
    fn an_exact_order_next_decides_the_item_after_which_a_state_has_the_fewest_bits() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let problem = neighbors(&mut random, 20, 60);
            let limits = Limits::default();
            let mut budget = Budget::new(&limits, u64::MAX, usize::MAX);
            let graph = Incidence::new(&problem, &mut budget).unwrap();
            let after = |items: &[ItemId]| {
                let mut front = GrowingOrder::new(&graph);
                for &item in items {
                    front.decide(item, &mut Budget::new(&limits, u64::MAX, usize::MAX)).unwrap();
                }
                front
            };
            for start in given(&problem) {
                let mut entries = usize::MAX;
                let exact = GrowingOrder::new(&graph).exact(start, &mut entries, &mut budget);
                let order = exact.unwrap().expect("nothing limits it");
                let mut decided = vec![start];
                loop {
                    let front = after(&decided);
                    assert_eq!(front.order, order.items[..front.order.len()]);
                    let Some(&next) = order.items.get(front.order.len()) else { break };
                    let shares = |item: &ItemId| {
                        let near = graph.options(*item).iter();
                        front.touched[item.index()].is_some()
                            || near.flat_map(|&option| problem.option(option)).any(|entry| {
                                !problem.is_primary(entry.item)
                                    && front.touched[entry.item.index()].is_some()
                            })
                    };
                    let width = |item: ItemId| {
                        let more = after(&[&decided[..], &[item]].concat());
                        more.width
                    };
                    let left =
                        given(&problem).into_iter().filter(|item| !front.is_decided[item.index()]);
                    let open: Vec<_> = left.filter(shares).collect();
                    if !open.is_empty() {
                        assert!(open.contains(&next), "an open item comes next");
                        assert_eq!(Some(width(next)), open.into_iter().map(width).min());
                    }
                    decided.push(next);
                }
            }
        }
    }

    #[test]
    fn large_options_leave_only_the_given_order_as_a_candidate() {
        let mut builder = ProblemBuilder::new();
        let items: Vec<_> =
            (0..5000).map(|index| builder.primary(&format!("i{index}")).unwrap()).collect();
        builder.option(items.iter().copied()).unwrap();
        items.iter().for_each(|&item| _ = builder.option([item]).unwrap());
        let problem = builder.build();
        let limits = Limits::default();
        // A budget of less than a few nanoseconds per entry and order leaves time for the given
        // order only.
        let mut budget = Budget::new(&limits, 1_000_000, usize::MAX);
        assert_eq!(candidates(&problem, &mut budget).unwrap().len(), 1);
    }
}

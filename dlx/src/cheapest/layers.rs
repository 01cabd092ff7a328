//! The search by layers: dynamic programming over sets of covered items, where the prices of the
//! items are fixed.
//!
//! The items are decided in an order with a small frontier (`frontier::order`). A *state* is the
//! set of covered items of a partial cover whose options all contain an item before the first
//! uncovered item of the order, its *position*. Secondary items that no later option contains leave
//! the state. Partial covers with the same state have the same completions, so a state keeps only
//! the cheapest one. States are expanded by ascending position, and every option of a state's first
//! uncovered item leads to a state of a later position. A state is dropped if the reduced costs of
//! its partial cover exceed the gap between the bound and the limit. Without this rule, the number
//! of states grows exponentially with the frontier. With it, few states remain if the gap is small,
//! even for tilings and graphs whose frontier is wide.
//!
//! If more than one cover is requested, a state keeps all its last options as *arcs*. The arcs form
//! a graph of all covers within the limit, which is walked backward from the complete state. The
//! least cost from the empty state to each state is known, so every walk ends in a cover within the
//! limit.
//!
//! Invariant: at any time, the completions of the kept states, with their arcs, contain the
//! cheapest cover within the limit, or all covers within the limit if several are requested.
//! Cliques have prices, but are not part of a state. So partial covers of a state may have paid for
//! different cliques: the cheapest by cost is kept, with its own sum of reduced costs.
//!
//! Memory: the states, arcs and tables take at most a fourth of the memory that the limit leaves
//! beside the other searches. A search that needs more leaves the race for good.
//!
//! Sources: Held and Karp 1962 for states as sets; Morin and Marsten, "Branch-and-bound strategies
//! for dynamic programming" (Operations Research, 1976), for dropping states by bounds.

use super::amount::Amount;
use super::state::State;
use crate::frontier::order;
use crate::limits::{Limit, Limits};
use crate::model::{Bounds, Entry, ItemId, OptionId, Problem};
use crate::numbers::hash;
use crate::portfolio::{BYTES, Budget, Cut};
use crate::search::Meter;

/// Maximum number of 64-bit words of a state.
const WORDS_MAX: usize = 16;
/// Time per pair of items of an option while the order is computed (ns), a low estimate.
const PAIR_WORK: u64 = 30;
/// Time to begin the expansion of a state, to test an option, and to reach a state (ns).
const STATE_WORK: u64 = 40;
const TEST_WORK: u64 = 4;
const REACH_WORK: u64 = 60;
/// Divisor of the memory that the other searches leave.
const MEMORY_SHARE: usize = 4;

/// Maximum memory of this search (bytes). Indices of arcs have 32 bits.
const BYTES_MAX: usize = if usize::BITS > 32 { 1 << 35 } else { usize::MAX };

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayersEnd {
    Over,
    Paused,
    /// The order or the states need too much memory.
    TooLarge,
}

/// The last option of a partial cover, and the state without it.
#[derive(Clone, Copy, Debug)]
struct Arc {
    from: u32,
    /// Index into `Layers::options`.
    option: u32,
    next: u32,
}

/// A state of any position that was reached.
#[derive(Clone, Copy, Debug)]
struct Reached<N> {
    /// The cost of its cheapest partial cover.
    cost: N,
    first_arc: u32,
}

/// The states of one position: a hash table from keys to states.
#[derive(Clone, Debug, Default)]
struct Bucket<N> {
    /// The sets of covered items, `words` words each.
    keys: Vec<u64>,
    /// The sums of reduced costs that each state is dropped by.
    sums: Vec<N>,
    states: Vec<u32>,
    slots: Vec<u32>,
}

impl<N: Amount> Bucket<N> {
    /// Returns the place of the state `key`, or the free slot for it.
    fn find(&mut self, key: &[u64]) -> Result<usize, usize> {
        if 2 * self.states.len() >= self.slots.len() {
            let len = (2 * self.slots.len()).max(16);
            self.slots.clear();
            self.slots.resize(len, NONE);
            for place in 0..self.states.len() {
                let key = &self.keys[place * key.len()..(place + 1) * key.len()];
                let mut slot = hash(key) as usize & (len - 1);
                while self.slots[slot] != NONE {
                    slot = (slot + 1) & (len - 1);
                }
                self.slots[slot] = place as u32;
            }
        }
        let mut slot = hash(key) as usize & (self.slots.len() - 1);
        loop {
            let place = self.slots[slot] as usize;
            if place == NONE as usize {
                return Err(slot);
            }
            if &self.keys[place * key.len()..(place + 1) * key.len()] == key {
                return Ok(place);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }
}

/// A state during the walk backward from the complete state, with the arcs that are left to try:
/// the cost of the cheapest cover with this arc, and the arc. The best arc is last.
#[derive(Clone, Debug)]
struct WalkLevel<N> {
    /// The option that follows this state, or `NONE` for the complete state.
    option: u32,
    /// The cost of the options that follow this state.
    later: N,
    arcs: Vec<(N, u32)>,
}

#[derive(Clone, Debug)]
pub(super) struct Layers<N> {
    keeps_all: bool,
    /// The memory of the other searches (bytes).
    other_bytes: usize,
    pub(super) is_hopeless: bool,
    has_begun: bool,
    pub(super) was_cut: bool,
    work: u64,
    encoding_work: u64,
    part: Problem,
    bound: N,
    chosen: Vec<u32>,
    /// The numbers of the options in the whole problem, and their costs and reduced costs.
    options: Vec<u32>,
    costs: Vec<N>,
    reduced: Vec<N>,
    words: usize,
    position_count: usize,
    /// The options whose first item in the order is at position `p` are
    /// `groups[starts[p]..starts[p + 1]]`, by ascending reduced cost.
    starts: Vec<u32>,
    groups: Vec<u32>,
    /// The items of each option of `groups`.
    masks: Vec<u64>,
    /// For each position, the items that options of this or a later position contain.
    kept: Vec<u64>,
    /// All primary items.
    primary: Vec<u64>,
    buckets: Vec<Bucket<N>>,
    position: usize,
    next: usize,
    reached: Vec<Reached<N>>,
    arcs: Vec<Arc>,
    waiting: usize,
    walk: Option<Vec<WalkLevel<N>>>,
}

impl<N: Amount> Layers<N> {
    pub(super) fn new(problem: &Problem, count: usize) -> Self {
        Self {
            keeps_all: count > 1,
            other_bytes: usize::try_from(super::memory(problem, count)).unwrap_or(usize::MAX),
            is_hopeless: false,
            has_begun: false,
            was_cut: false,
            work: 0,
            encoding_work: 0,
            part: problem.part(std::iter::empty(), false),
            bound: N::default(),
            chosen: Vec::new(),
            options: Vec::new(),
            costs: Vec::new(),
            reduced: Vec::new(),
            words: 0,
            position_count: 0,
            starts: Vec::new(),
            groups: Vec::new(),
            masks: Vec::new(),
            kept: Vec::new(),
            primary: Vec::new(),
            buckets: Vec::new(),
            position: 0,
            next: 0,
            reached: Vec::new(),
            arcs: Vec::new(),
            waiting: 0,
            walk: None,
        }
    }

    /// Loads a settled state of `problem`, whose limit must be finite. Gives up for good if an open
    /// item has colors or may be covered several times.
    pub(super) fn load(&mut self, problem: &Problem, state: &State<N>, cost: impl Fn(OptionId) -> N) {
        self.has_begun = false;
        self.was_cut = false;
        self.work = 0;
        self.bound = state.bound;
        self.chosen.clear();
        self.chosen.extend_from_slice(state.chosen());
        let mut numbers = vec![NONE; problem.item_count()];
        let mut items = Vec::new();
        for item in 0..problem.item_count() as u32 {
            let Some(bounds) = state.room(item) else { continue };
            if bounds.is_some_and(|bounds| bounds != Bounds::ONE) || state.is_colored(item) {
                self.is_hopeless = true;
                return;
            }
            numbers[item as usize] = items.len() as u32;
            items.push((ItemId::new(item as usize), bounds));
        }
        if items.len().div_ceil(64) > WORDS_MAX {
            self.is_hopeless = true;
            return;
        }
        self.words = items.len().div_ceil(64);
        self.part = problem.part(items.into_iter(), false);
        self.options.clear();
        self.options.extend_from_slice(state.live());
        self.options.sort_unstable();
        self.encoding_work = 0;
        for &option in &self.options {
            let entries = problem.option(OptionId::new(option as usize)).iter();
            let number = |entry: &Entry| numbers[entry.item.index()];
            let open = entries.filter(|entry| number(entry) != NONE);
            let entries: Vec<_> = open
                .map(|entry| Entry { item: ItemId::new(number(entry) as usize), color: None })
                .collect();
            self.encoding_work += PAIR_WORK * (entries.len() as u64).pow(2);
            self.part.add_to_part(entries.into_iter(), 0);
        }
        let ids = || self.options.iter().map(|&option| OptionId::new(option as usize));
        self.costs = ids().map(&cost).collect();
        self.reduced = self.options.iter().map(|&option| state.reduced(option)).collect();
        let chosen = self.chosen.iter().map(|&option| cost(OptionId::new(option as usize)));
        let paid = chosen.fold(N::default(), |sum, cost| sum + cost);
        self.reached = vec![Reached { cost: paid, first_arc: NONE }];
        self.arcs = Vec::new();
        self.walk = None;
        self.buckets = Vec::new();
    }

    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Finds the order of the items, and groups the options by their first item.
    fn begin(&mut self, limits: &Limits) -> Result<bool, Limit> {
        self.has_begun = true;
        let mut budget = Budget::new(limits, u64::MAX, BYTES);
        let orders = match order::candidates(&self.part, &mut budget) {
            Ok(orders) => orders,
            Err(Cut::Limit(limit)) => return Err(limit),
            Err(_) => return Ok(false),
        };
        self.work += budget.spent();
        let Some(order) = orders.into_iter().next() else { return Ok(false) };
        let (count, words) = (order.items.len(), self.words);
        let mut bit_of = vec![0; self.part.item_count()];
        order.items.iter().enumerate().for_each(|(bit, item)| bit_of[item.index()] = bit);
        let secondary = self.part.items().filter(|&item| !self.part.is_primary(item));
        secondary.enumerate().for_each(|(number, item)| bit_of[item.index()] = count + number);
        let mut listed: Vec<(usize, N, u32)> = Vec::with_capacity(self.options.len());
        for (option, &reduced) in self.part.options().zip(&self.reduced) {
            let bits = self.part.option(option).iter().map(|entry| bit_of[entry.item.index()]);
            let first = bits.min().expect("an option of a part has an item");
            listed.push((first, reduced, option.index() as u32));
        }
        listed.sort_unstable();
        self.position_count = count;
        self.starts = vec![0; count + 1];
        listed.iter().for_each(|&(first, ..)| self.starts[first + 1] += 1);
        for position in 0..count {
            self.starts[position + 1] += self.starts[position];
        }
        self.groups = listed.iter().map(|&(.., option)| option).collect();
        self.primary = vec![0; words];
        (0..count).for_each(|bit| self.primary[bit / 64] |= 1 << (bit % 64));
        self.masks = vec![0; words * listed.len()];
        self.kept = vec![0; words * (count + 1)];
        for (place, &option) in self.groups.iter().enumerate() {
            for entry in self.part.option(OptionId::new(option as usize)) {
                let bit = bit_of[entry.item.index()];
                self.masks[place * words + bit / 64] |= 1 << (bit % 64);
            }
        }
        for position in (0..count).rev() {
            for word in 0..words {
                let group = self.starts[position] as usize..self.starts[position + 1] as usize;
                let later = self.kept[(position + 1) * words + word];
                let own = group.fold(0, |own, place| own | self.masks[place * words + word]);
                self.kept[position * words + word] = later | own;
            }
        }
        self.work += TEST_WORK * (words * listed.len()) as u64;
        self.buckets = vec![Bucket::default(); count + 1];
        let first = &mut self.buckets[0];
        let key = vec![0; words];
        if let Err(slot) = first.find(&key) {
            first.slots[slot] = 0;
        }
        first.keys = key;
        first.sums.push(N::default());
        first.states.push(0);
        self.waiting = 1;
        (self.position, self.next) = (0, 0);
        Ok(true)
    }

    /// Continues until about `work` nanoseconds have been spent since [`Self::load`]. `record`
    /// receives the options of each cover and returns the new limit.
    pub(super) fn run(
        &mut self,
        work: u64,
        limit: N,
        meter: &mut Meter<'_>,
        updates: &mut u64,
        record: &mut dyn FnMut(&[u32]) -> N,
    ) -> Result<LayersEnd, Limit> {
        if !self.has_begun {
            if self.encoding_work > work {
                return Ok(LayersEnd::Paused);
            }
            if !self.begin(meter.limits())? {
                return Ok(LayersEnd::TooLarge);
            }
        }
        let bytes = meter.limits().memory.unwrap_or(BYTES).saturating_sub(self.other_bytes);
        let bytes_max = (bytes / MEMORY_SHARE).min(BYTES_MAX);
        while self.position < self.position_count {
            while self.next < self.buckets[self.position].states.len() {
                if self.work >= work {
                    return Ok(LayersEnd::Paused);
                }
                if self.bytes() > bytes_max {
                    return Ok(LayersEnd::TooLarge);
                }
                self.expand(limit - self.bound, meter, updates)?;
                self.next += 1;
            }
            self.waiting -= self.next;
            self.buckets[self.position] = Bucket::default();
            (self.position, self.next) = (self.position + 1, 0);
        }
        self.walk(work, limit, meter, updates, record)
    }

    fn bytes(&self) -> usize {
        let waiting = 2 * (8 * self.words + size_of::<N>() + 20);
        self.reached.capacity() * size_of::<Reached<N>>()
            + self.arcs.capacity() * size_of::<Arc>()
            + self.waiting * waiting
    }

    /// Reaches a state by each option of the first uncovered item of the next state of a bucket.
    fn expand(&mut self, gap: N, meter: &mut Meter<'_>, updates: &mut u64) -> Result<(), Limit> {
        let bucket = std::mem::take(&mut self.buckets[self.position]);
        let words = self.words;
        let key = &bucket.keys[self.next * words..(self.next + 1) * words];
        let mut new = [0; WORDS_MAX];
        let group = self.starts[self.position] as usize..self.starts[self.position + 1] as usize;
        self.work += STATE_WORK;
        for place in group {
            let option = self.groups[place];
            let sum = bucket.sums[self.next] + self.reduced[option as usize];
            if sum > gap {
                self.was_cut = true;
                break;
            }
            self.work += TEST_WORK;
            let mask = &self.masks[place * words..(place + 1) * words];
            let from = self.position / 64;
            if key[from..].iter().zip(&mask[from..]).any(|(key, mask)| key & mask != 0) {
                continue;
            }
            for (new, (key, mask)) in new.iter_mut().zip(key.iter().zip(mask)) {
                *new = key | mask;
            }
            let position = self.first_uncovered(&new);
            let kept = &self.kept[position * words..(position + 1) * words];
            let mut is_dead = false;
            for (new, (primary, kept)) in new.iter_mut().zip(self.primary.iter().zip(kept)) {
                is_dead |= !*new & primary & !kept != 0;
                *new &= primary | kept;
            }
            if is_dead {
                continue;
            }
            *updates += 1;
            meter.enter(1, *updates, || 0.0)?;
            self.reach(position, &new[..words], bucket.states[self.next], option, sum);
        }
        self.buckets[self.position] = bucket;
        Ok(())
    }

    fn first_uncovered(&self, key: &[u64]) -> usize {
        let words = self.position / 64..self.words;
        let left =
            words.map(|word| (word, !key[word] & self.primary[word])).find(|&(_, left)| left != 0);
        left.map_or(self.position_count, |(word, left)| 64 * word + left.trailing_zeros() as usize)
    }

    /// Adds the partial cover that `option` makes from state `from` to the states of a position.
    fn reach(&mut self, position: usize, key: &[u64], from: u32, option: u32, sum: N) {
        self.work += REACH_WORK;
        let cost = self.reached[from as usize].cost + self.costs[option as usize];
        let bucket = &mut self.buckets[position];
        let arc = Arc { from, option, next: NONE };
        match bucket.find(key) {
            Ok(place) => {
                let known = &mut self.reached[bucket.states[place] as usize];
                if self.keeps_all {
                    bucket.sums[place] = bucket.sums[place].min(sum);
                    known.cost = known.cost.min(cost);
                    self.arcs.push(Arc { next: known.first_arc, ..arc });
                    known.first_arc = self.arcs.len() as u32 - 1;
                } else if cost < known.cost {
                    bucket.sums[place] = sum;
                    known.cost = cost;
                    self.arcs[known.first_arc as usize] = arc;
                }
            }
            Err(slot) => {
                bucket.slots[slot] = bucket.states.len() as u32;
                bucket.keys.extend_from_slice(key);
                bucket.sums.push(sum);
                bucket.states.push(self.reached.len() as u32);
                self.reached.push(Reached { cost, first_arc: self.arcs.len() as u32 });
                self.arcs.push(arc);
                self.waiting += 1;
            }
        }
    }

    /// Walks backward from the complete state, and records the covers within the limit.
    fn walk(
        &mut self,
        work: u64,
        mut limit: N,
        meter: &mut Meter<'_>,
        updates: &mut u64,
        record: &mut dyn FnMut(&[u32]) -> N,
    ) -> Result<LayersEnd, Limit> {
        let mut walk = match self.walk.take() {
            Some(walk) => walk,
            None => match self.buckets[self.position_count].states.first() {
                Some(&complete) => vec![self.walk_level(complete, NONE, N::default(), limit)],
                None => return Ok(LayersEnd::Over),
            },
        };
        while let Some(level) = walk.last_mut() {
            if self.work >= work {
                self.walk = Some(walk);
                return Ok(LayersEnd::Paused);
            }
            let Some((cost, arc)) = level.arcs.pop() else {
                walk.pop();
                continue;
            };
            if cost > limit {
                self.was_cut = true;
                continue;
            }
            let Arc { from, option, .. } = self.arcs[arc as usize];
            let later = level.later + self.costs[option as usize];
            self.work += REACH_WORK;
            *updates += 1;
            meter.tick(*updates, || 0.0)?;
            if from > 0 {
                let level = self.walk_level(from, option, later, limit);
                walk.push(level);
                continue;
            }
            let options = walk.iter().map(|level| level.option).filter(|&option| option != NONE);
            let cover = options.chain([option]).map(|option| self.options[option as usize]);
            let all: Vec<u32> = self.chosen.iter().copied().chain(cover).collect();
            limit = record(&all);
        }
        Ok(LayersEnd::Over)
    }

    fn walk_level(&mut self, state: u32, option: u32, later: N, limit: N) -> WalkLevel<N> {
        let mut arcs = Vec::new();
        let mut next = self.reached[state as usize].first_arc;
        while next != NONE {
            let arc = self.arcs[next as usize];
            let cost = self.reached[arc.from as usize].cost + self.costs[arc.option as usize] + later;
            if cost <= limit {
                arcs.push((cost, next));
            } else {
                self.was_cut = true;
            }
            self.work += TEST_WORK;
            next = arc.next;
        }
        arcs.sort_unstable_by(|a, b| b.cmp(a));
        WalkLevel { option, later, arcs }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    use fastrand::Rng;

    use super::*;
    use crate::cheapest::SCALE_BITS;
    use crate::cheapest::state::Settled;
    use crate::engine::Naive;
    use crate::search::Engine;

    /// Builds a random problem without colors or bounds, whose options often have equal costs.
    fn problem(rng: &mut Rng) -> Problem {
        let primary = rng.usize(3..10);
        let name = |item: usize| char::from(b'a' + item as u8);
        let mut text: String = (0..primary).flat_map(|item| [name(item), ' ']).collect();
        text += "| x y\n";
        let most = rng.u32(1..20);
        for _ in 0..rng.usize(4..60) {
            let set: BTreeSet<usize> = (0..rng.usize(1..5)).map(|_| rng.usize(0..primary)).collect();
            set.into_iter().for_each(|item| text.extend([name(item), ' ']));
            text += ["x ", "y ", "x y ", "", ""][rng.usize(0..5)];
            text += &format!("|{}\n", rng.u32(0..most));
        }
        text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    fn scale(cost: u64) -> i64 {
        i64::new(i128::from(cost)).shift(SCALE_BITS)
    }

    /// Returns the options that contain at least two of three random items, which are in conflict
    /// with each other.
    fn clique(rng: &mut Rng, problem: &Problem) -> Vec<u32> {
        let items: BTreeSet<usize> = (0..3).map(|_| rng.usize(0..problem.primary_count())).collect();
        let contains = |option: &OptionId| {
            let entries = problem.option(*option).iter();
            entries.filter(|entry| items.contains(&entry.item.index())).count() >= 2
        };
        problem.options().filter(contains).map(|option| option.index() as u32).collect()
    }

    /// Returns the costs of the `count` cheapest covers within a random limit, and the number of
    /// states that were reached. `all` lists the costs of all covers.
    fn check(rng: &mut Rng, problem: &Problem, count: usize, all: &[u64]) -> usize {
        let cost = |option| scale(problem.cost(option));
        let clique = clique(rng, problem);
        let mut state = State::<i64>::new(problem, &[clique], cost);
        state.exclude_idle(problem);
        let limit = rng.u64(0..60);
        state.limit = scale(limit);
        let prices = (0..state.item_count() as u32).map(|item| (item, rng.i64(-3..12) << 15));
        state.reprice(prices.collect::<Vec<_>>().into_iter());
        let least = all.first().map_or(i64::INFINITY, |&cost| scale(cost));
        assert!(state.bound <= least, "{} exceeds the least cost {least}", state.bound);
        let expected: Vec<u64> =
            all.iter().copied().filter(|&cost| cost <= limit).take(count).collect();
        if state.settle() != Settled::Open || state.is_covered() {
            let is_cover = state.is_covered() && state.bound <= state.limit;
            assert!(is_cover || expected.is_empty());
            return 0;
        }
        let limits = Limits::default();
        let (mut meter, mut updates) = (Meter::new(&limits, 0), 0);
        let mut best = BTreeSet::new();
        let mut layers = Layers::new(problem, count);
        layers.load(problem, &state, cost);
        assert!(!layers.is_hopeless);
        let mut work = 0;
        loop {
            work += rng.u64(1..5000);
            let last = |best: &BTreeSet<(u64, Vec<u32>)>| {
                let last = best.last().filter(|_| best.len() == count);
                last.map_or(scale(limit), |&(cost, _)| scale(cost) - (1 << SCALE_BITS))
            };
            let now = last(&best);
            let end = layers.run(work, now, &mut meter, &mut updates, &mut |options| {
                let sum = options.iter().map(|&o| problem.cost(OptionId::new(o as usize))).sum();
                let mut options = options.to_vec();
                options.sort_unstable();
                assert!(best.insert((sum, options)), "each cover comes once");
                if best.len() > count {
                    best.pop_last();
                }
                last(&best)
            });
            if end.unwrap() == LayersEnd::Over {
                break;
            }
        }
        let costs: Vec<u64> = best.into_iter().map(|(cost, _)| cost).collect();
        assert_eq!(costs, expected, "{count} of {}", crate::text::write(problem));
        let is_all = expected.len() == count.min(all.len());
        assert!(is_all || layers.was_cut || state.was_cut, "covers beyond the limit are announced");
        costs.len()
    }

    #[test]
    fn layers_alone_find_the_cheapest_covers_within_the_limit() {
        let mut rng = Rng::with_seed(7);
        let mut found = 0;
        for _ in 0..1500 {
            let problem = problem(&mut rng);
            let mut all = Vec::new();
            Naive::new(&problem).search(&[], &Limits::default(), &mut |cover| {
                all.push(cover.iter().map(|&option| problem.cost(option)).sum::<u64>());
                ControlFlow::Continue(())
            });
            all.sort_unstable();
            for count in [1, 2, 50] {
                found += check(&mut rng, &problem, count, &all);
            }
        }
        assert!(found > 3000, "{found} covers");
    }

    #[test]
    fn layers_leave_the_race_if_the_states_need_more_than_their_share_of_the_memory() {
        let problem: Problem = "a b\na |1\nb |2\na b |4\n".parse().unwrap();
        let cost = |option| scale(problem.cost(option));
        let mut state = State::<i64>::new(&problem, &[], cost);
        state.exclude_idle(&problem);
        state.limit = scale(10);
        let limits = Limits::default().memory(100);
        let mut layers = Layers::new(&problem, 1);
        layers.load(&problem, &state, cost);
        let mut meter = Meter::new(&limits, 0);
        let end = layers.run(u64::MAX, state.limit, &mut meter, &mut 0, &mut |_| i64::INFINITY);
        assert_eq!(end, Ok(LayersEnd::TooLarge));
    }

    #[test]
    fn layers_leave_the_race_if_an_item_has_colors_or_may_be_covered_twice() {
        for text in ["a | x\na x:red |1\na x:blue |2\n", "1:2|a b\na |1\nb |1\na b |1\n"] {
            let problem: Problem = text.parse().unwrap();
            let cost = |option| scale(problem.cost(option));
            let mut state = State::<i64>::new(&problem, &[], cost);
            state.limit = scale(10);
            let mut layers = Layers::new(&problem, 1);
            layers.load(&problem, &state, cost);
            assert!(layers.is_hopeless, "{text}");
        }
    }
}

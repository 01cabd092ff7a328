//! Partial covers with reduced costs, on sparse sets. Every change can be undone.
//!
//! Every open item has its live options in the first `len` slots of its region of `sets`. Removing
//! an option swaps it to the end. The *reduced cost* of a live option is its cost minus the prices
//! of its open items. The *bound* is the cost of the chosen options plus the prices of the open
//! items. Invariant: no reduced cost is negative, and every cover that can still be reached costs
//! at least the bound plus the reduced costs of the options that it adds.
//!
//! Raising the price of an item by the least reduced cost of its options keeps the invariant and
//! raises the bound. A secondary item may have a negative price, a usage fee that the bound
//! includes in advance.
//!
//! Changes are undone in exact reverse order. Removed options follow the live ones in order of
//! removal, and `trail` records raised prices and chosen options.

use super::amount::Amount;
use crate::model::{Bounds, OptionId, Problem};

#[derive(Clone, Copy, Debug)]
struct Member {
    entry: u32,
    option: u32,
}

#[derive(Clone, Copy, Debug)]
struct CostItem<N> {
    price: N,
    base: u32,
    /// Number of live options of the item, exact while the item is open.
    len: u32,
    /// Number of options that must still cover the item. This number is not positive if the item
    /// needs no more options.
    missing: i64,
    /// Number of options that may still cover the item. A secondary item starts with 1.
    room: u32,
    /// Whether options may still cover the item. A secondary item with a color is not open.
    is_open: bool,
    is_primary: bool,
    is_colored: bool,
    is_queued: bool,
}

#[derive(Clone, Copy, Debug)]
struct Step<N> {
    live_len: u32,
    change: Change<N>,
}

#[derive(Clone, Copy, Debug)]
enum Change<N> {
    Raise {
        item: u32,
        by: N,
    },
    /// An option was chosen. Before the change, `closed_len` items were closed.
    Choose {
        option: u32,
        closed_len: u32,
    },
}

/// A state that [`State::undo`] can restore.
#[derive(Clone, Copy, Debug)]
pub(super) struct UndoMark<N> {
    live_len: u32,
    trail_len: u32,
    pub(super) bound: N,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    Open,
    DeadEnd,
    TooDear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CostBranch {
    /// All items are covered, and no further option is available or requested.
    Cover,
    On(u32),
}

#[derive(Clone, Debug)]
pub(super) struct State<N> {
    starts: Vec<u32>,
    item_of: Vec<u32>,
    color_of: Vec<u32>,
    place_of: Vec<u32>,
    items: Vec<CostItem<N>>,
    sets: Vec<Member>,
    /// The reduced cost of each option, exact while the option is live.
    reduced: Vec<N>,
    /// The live options, then the removed ones in order of removal.
    live: Vec<u32>,
    live_place: Vec<u32>,
    live_len: usize,
    /// The open primary items, then the closed ones.
    open: Vec<u32>,
    open_place: Vec<u32>,
    open_len: usize,
    chosen: Vec<u32>,
    closed: Vec<u32>,
    trail: Vec<Step<N>>,
    queue: Vec<u32>,
    is_dead: bool,
    pub(super) bound: N,
    pub(super) limit: N,
    /// The gap between limit and bound when all options were last checked against it.
    swept: N,
    /// Whether anything was pruned because of the limit since this flag was last cleared.
    pub(super) was_cut: bool,
    pub(super) updates: u64,
}

impl<N: Amount> State<N> {
    /// Builds the empty cover of a problem whose option `o` costs `cost(o)`. Each of `cliques`
    /// becomes an additional secondary item of the options that it lists.
    pub(super) fn new(problem: &Problem, cliques: &[Vec<u32>], cost: impl Fn(OptionId) -> N) -> Self {
        let mut items: Vec<CostItem<N>> = problem
            .items()
            .map(|item| problem.bounds(item))
            .chain(cliques.iter().map(|_| None))
            .map(|bounds| CostItem {
                price: N::default(),
                base: 0,
                len: 0,
                missing: bounds.map_or(0, |bounds| i64::from(bounds.low)),
                room: bounds.map_or(1, |bounds| bounds.high),
                is_open: bounds.is_none_or(|bounds| bounds.high > 0),
                is_primary: bounds.is_some(),
                is_colored: false,
                is_queued: false,
            })
            .collect();
        let mut cliques_of =
            vec![Vec::new(); if cliques.is_empty() { 0 } else { problem.option_count() }];
        for (clique, options) in (problem.item_count()..).zip(cliques) {
            options.iter().for_each(|&option| cliques_of[option as usize].push(clique as u32));
        }
        let mut starts = Vec::with_capacity(problem.option_count() + 1);
        let (mut item_of, mut color_of) = (Vec::new(), Vec::new());
        for option in problem.options() {
            starts.push(item_of.len() as u32);
            for entry in problem.option(option) {
                let color = entry.color.map_or(0, crate::model::Color::number);
                let item = &mut items[entry.item.index()];
                item.len += 1;
                item.is_colored |= color > 0;
                item_of.push(entry.item.index() as u32);
                color_of.push(color);
            }
            for &clique in cliques_of.get(option.index()).into_iter().flatten() {
                items[clique as usize].len += 1;
                item_of.push(clique);
                color_of.push(0);
            }
        }
        starts.push(item_of.len() as u32);
        let mut base = 0;
        for item in &mut items {
            item.base = base;
            base += std::mem::take(&mut item.len);
        }
        let mut place_of = vec![0; item_of.len()];
        let mut sets = vec![Member { entry: 0, option: 0 }; item_of.len()];
        for option in 0..problem.option_count() as u32 {
            for entry in starts[option as usize]..starts[option as usize + 1] {
                let item = &mut items[item_of[entry as usize] as usize];
                place_of[entry as usize] = item.base + item.len;
                sets[(item.base + item.len) as usize] = Member { entry, option };
                item.len += 1;
            }
        }
        let is_open = |item: &u32| items[*item as usize].is_primary && items[*item as usize].is_open;
        let open: Vec<u32> = (0..items.len() as u32).filter(is_open).collect();
        let mut open_place = vec![0; items.len()];
        for (place, &item) in open.iter().enumerate() {
            open_place[item as usize] = place as u32;
        }
        let live: Vec<u32> = (0..problem.option_count() as u32).collect();
        let mut state = Self {
            starts,
            item_of,
            color_of,
            place_of,
            reduced: problem.options().map(cost).collect(),
            live_place: live.clone(),
            live_len: live.len(),
            live,
            open_len: open.len(),
            open,
            open_place,
            items,
            sets,
            chosen: Vec::new(),
            closed: Vec::new(),
            trail: Vec::new(),
            queue: Vec::new(),
            is_dead: false,
            bound: N::default(),
            limit: N::INFINITY,
            swept: N::INFINITY,
            was_cut: false,
            updates: 0,
        };
        for option in problem.options() {
            let is_closed = |entry: usize| !state.items[state.item_of[entry] as usize].is_open;
            if state.entries(option.index() as u32).any(is_closed) {
                state.remove(option.index() as u32);
            }
        }
        state
    }

    /// Rebuilds the state with `cliques` as additional secondary items. The state may already have
    /// a prefix of `cliques`. The marks of the old state become invalid.
    pub(super) fn with_cliques(
        &self,
        problem: &Problem,
        cliques: &[Vec<u32>],
        cost: impl Fn(OptionId) -> N,
    ) -> Self {
        let mut state = Self::new(problem, cliques, cost);
        self.chosen.iter().for_each(|&option| state.choose(option));
        state.exclude_idle(problem);
        for option in 0..self.option_count() as u32 {
            if state.is_live(option) && !self.is_live(option) {
                state.exclude(option);
            }
        }
        let items = 0..self.item_count() as u32;
        state.reprice(items.map(|item| (item, self.price(item))));
        state.limit = self.limit;
        state.updates = self.updates;
        state
    }

    /// Excludes the idle options, which are never chosen. The method must be called once, after
    /// choosing the given options.
    pub(super) fn exclude_idle(&mut self, problem: &Problem) {
        for option in problem.idle_options() {
            self.exclude(option.index() as u32);
        }
        for item in 0..self.items.len() {
            if self.items[item].is_open {
                self.is_dead |= i64::from(self.items[item].len) < self.items[item].missing;
                self.enqueue(item as u32);
            } else {
                self.is_dead |= self.items[item].is_primary && self.items[item].missing > 0;
            }
        }
    }

    fn entries(&self, option: u32) -> std::ops::Range<usize> {
        self.starts[option as usize] as usize..self.starts[option as usize + 1] as usize
    }

    pub(super) fn is_live(&self, option: u32) -> bool {
        (self.live_place[option as usize] as usize) < self.live_len
    }

    pub(super) fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    pub(super) fn live(&self) -> &[u32] {
        &self.live[..self.live_len]
    }

    pub(super) fn reduced(&self, option: u32) -> N {
        self.reduced[option as usize]
    }

    pub(super) fn is_dead(&self) -> bool {
        self.is_dead
    }

    /// Returns the remaining bounds of an item: `None` if the item is not open, and `Some(None)`
    /// for a secondary item.
    pub(super) fn room(&self, item: u32) -> Option<Option<Bounds>> {
        let CostItem { missing, room, is_open, is_primary, .. } = self.items[item as usize];
        let low = u32::try_from(missing).unwrap_or(0);
        is_open.then(|| is_primary.then_some(Bounds { low, high: room }))
    }

    pub(super) fn is_colored(&self, item: u32) -> bool {
        self.items[item as usize].is_colored
    }

    pub(super) fn is_missing(&self, item: u32) -> bool {
        let item = &self.items[item as usize];
        item.is_open && item.missing > 0
    }

    pub(super) fn is_covered(&self) -> bool {
        let open = self.open[..self.open_len].iter();
        !self.is_dead && open.map(|&item| &self.items[item as usize]).all(|item| item.missing <= 0)
    }

    pub(super) fn price(&self, item: u32) -> N {
        self.items[item as usize].price
    }

    pub(super) fn options_of(&self, item: u32) -> impl Iterator<Item = u32> {
        let CostItem { base, len, .. } = self.items[item as usize];
        self.sets[base as usize..(base + len) as usize].iter().map(|member| member.option)
    }

    pub(super) fn option_count(&self) -> usize {
        self.live.len()
    }

    pub(super) fn item_count(&self) -> usize {
        self.items.len()
    }

    pub(super) fn items_of(&self, option: u32) -> impl Iterator<Item = u32> {
        self.item_of[self.entries(option)].iter().copied()
    }

    /// Returns how much the price of an item may rise, ignoring the reduced costs of its options.
    /// Returns `None` if the price is fixed.
    pub(super) fn ceiling(&self, item: u32) -> Option<N> {
        let item = &self.items[item as usize];
        let may_change = item.is_open && item.room == 1 && item.len > 0;
        match (may_change, item.is_primary) {
            (true, true) if item.missing == 1 => Some(N::INFINITY),
            (true, false) if !item.is_colored => Some(-item.price),
            _ => None,
        }
    }

    /// Changes the prices that are not fixed (see [`State::ceiling`]). Afterwards lowers some
    /// prices until no reduced cost is negative.
    pub(super) fn reprice(&mut self, changes: impl Iterator<Item = (u32, N)>) {
        for (item, by) in changes {
            let by = self.ceiling(item).map_or(N::default(), |ceiling| by.min(ceiling));
            if by != N::default() {
                self.raise(item, by);
                self.bound += by;
            }
        }
        for place in 0..self.live_len {
            let option = self.live[place];
            let reduced = self.reduced[option as usize];
            if reduced < N::default() {
                let mut items = self.items_of(option);
                let item = items.find(|&item| self.ceiling(item).is_some());
                drop(items);
                let item = item.expect("a price was raised");
                self.raise(item, reduced);
                self.bound += reduced;
            }
        }
        for item in 0..self.items.len() {
            if self.items[item].is_open {
                self.enqueue(item as u32);
            }
        }
    }

    pub(super) fn mark(&self) -> UndoMark<N> {
        UndoMark {
            live_len: self.live_len as u32,
            trail_len: self.trail.len() as u32,
            bound: self.bound,
        }
    }

    pub(super) fn undo(&mut self, mark: UndoMark<N>) {
        while self.trail.len() > mark.trail_len as usize {
            let Step { live_len, change } = self.trail.pop().expect("it is longer than the mark says");
            self.revive(live_len);
            match change {
                Change::Raise { item, by } => self.add_price(item, -by),
                Change::Choose { option, closed_len } => self.unchoose(option, closed_len),
            }
        }
        self.revive(mark.live_len);
        self.bound = mark.bound;
        self.swept = N::INFINITY;
        self.clear_queue();
    }

    fn clear_queue(&mut self) {
        for item in self.queue.drain(..) {
            self.items[item as usize].is_queued = false;
        }
        self.is_dead = false;
    }

    fn enqueue(&mut self, item: u32) {
        if !std::mem::replace(&mut self.items[item as usize].is_queued, true) {
            self.queue.push(item);
        }
    }

    fn revive(&mut self, live_len: u32) {
        while self.live_len < live_len as usize {
            let option = self.live[self.live_len];
            self.live_len += 1;
            for entry in self.entries(option) {
                let item = &mut self.items[self.item_of[entry] as usize];
                item.len += u32::from(item.is_open);
            }
        }
    }

    fn remove(&mut self, option: u32) {
        debug_assert!(self.is_live(option), "an option is removed once");
        self.updates += 1;
        let is_free = self.reduced[option as usize] == N::default();
        for entry in self.entries(option) {
            let owner = self.item_of[entry];
            let item = &mut self.items[owner as usize];
            if !item.is_open {
                continue;
            }
            item.len -= 1;
            let last_place = item.base + item.len;
            let (len, missing, is_queued) = (i64::from(item.len), item.missing, item.is_queued);
            let is_priced = item.price < N::default();
            let place = self.place_of[entry];
            let last = self.sets[last_place as usize];
            self.sets[place as usize] = last;
            self.sets[last_place as usize] = Member { entry: entry as u32, option };
            self.place_of[last.entry as usize] = place;
            self.place_of[entry] = last_place;
            self.is_dead |= len < missing;
            let matters = if missing > 0 { is_free || len == missing } else { is_priced };
            if matters && !is_queued {
                self.items[owner as usize].is_queued = true;
                self.queue.push(owner);
            }
        }
        self.live_len -= 1;
        let place = self.live_place[option as usize];
        let last = self.live[self.live_len];
        self.live[place as usize] = last;
        self.live[self.live_len] = option;
        self.live_place[last as usize] = place;
        self.live_place[option as usize] = self.live_len as u32;
    }

    pub(super) fn exclude(&mut self, option: u32) {
        if self.is_live(option) {
            self.remove(option);
        }
    }

    pub(super) fn choose(&mut self, option: u32) {
        let closed_len = self.closed.len();
        let live_len = self.live_len as u32;
        self.trail
            .push(Step { live_len, change: Change::Choose { option, closed_len: closed_len as u32 } });
        self.bound += self.reduced[option as usize];
        self.chosen.push(option);
        for entry in self.entries(option) {
            let owner = self.item_of[entry];
            let item = &mut self.items[owner as usize];
            if !item.is_open {
                continue;
            }
            item.missing -= i64::from(item.is_primary);
            item.room -= 1;
            if item.room == 0 {
                item.is_open = false;
                self.closed.push(owner);
                if item.is_primary {
                    self.open_len -= 1;
                    let place = self.open_place[owner as usize];
                    let last = self.open[self.open_len];
                    self.open[place as usize] = last;
                    self.open[self.open_len] = owner;
                    self.open_place[last as usize] = place;
                    self.open_place[owner as usize] = self.open_len as u32;
                }
            }
        }
        self.remove(option);
        for index in closed_len..self.closed.len() {
            let CostItem { base, len, is_primary, .. } = self.items[self.closed[index] as usize];
            let color = if is_primary { 0 } else { self.color_in(option, self.closed[index]) };
            for place in base..base + len {
                let Member { entry, option } = self.sets[place as usize];
                if self.is_live(option) && (color == 0 || self.color_of[entry as usize] != color) {
                    self.remove(option);
                    if self.is_dead {
                        return;
                    }
                }
            }
        }
        // An item that needs no more options gets the price 0.
        for entry in self.entries(option) {
            let owner = self.item_of[entry];
            let CostItem { is_open, is_primary, missing, price, .. } = self.items[owner as usize];
            if is_open && is_primary && missing == 0 && price > N::default() {
                self.raise(owner, -price);
            }
        }
    }

    fn color_in(&self, option: u32, item: u32) -> u32 {
        let mut entries = self.entries(option);
        entries.find(|&entry| self.item_of[entry] == item).map_or(0, |entry| self.color_of[entry])
    }

    fn unchoose(&mut self, option: u32, closed_len: u32) {
        self.chosen.pop();
        for entry in self.entries(option) {
            let item = &mut self.items[self.item_of[entry] as usize];
            if item.is_open {
                item.missing += i64::from(item.is_primary);
                item.room += 1;
            }
        }
        while self.closed.len() > closed_len as usize {
            let owner = self.closed.pop().expect("it is longer than the mark says");
            let item = &mut self.items[owner as usize];
            item.is_open = true;
            item.missing += i64::from(item.is_primary);
            item.room += 1;
            self.open_len += usize::from(item.is_primary);
        }
    }

    /// Raises the price of an open item by `by`, which may be negative. The caller adjusts the
    /// bound.
    fn raise(&mut self, item: u32, by: N) {
        self.trail.push(Step { live_len: self.live_len as u32, change: Change::Raise { item, by } });
        self.add_price(item, by);
    }

    fn add_price(&mut self, item: u32, by: N) {
        let CostItem { base, len, price, .. } = &mut self.items[item as usize];
        *price += by;
        self.updates += u64::from(*len);
        for member in &self.sets[*base as usize..(*base + *len) as usize] {
            self.reduced[member.option as usize] -= by;
        }
    }

    /// Raises the bound by single prices, removes options whose reduced cost exceeds the gap, and
    /// chooses options that some item needs, until a fixpoint.
    pub(super) fn settle(&mut self) -> Settled {
        loop {
            if self.is_dead {
                return Settled::DeadEnd;
            }
            if self.bound > self.limit {
                self.was_cut = true;
                return Settled::TooDear;
            }
            if let Some(item) = self.queue.pop() {
                self.items[item as usize].is_queued = false;
                if self.items[item as usize].is_open {
                    self.settle_item(item);
                }
            } else if self.limit - self.bound < self.swept {
                self.sweep();
            } else {
                return Settled::Open;
            }
        }
    }

    /// Removes options of `item` whose reduced cost exceeds the gap, then raises the price of
    /// `item` by the least reduced cost of the other options.
    fn settle_item(&mut self, item: u32) {
        let gap = self.limit - self.bound;
        let CostItem { base, mut len, missing, is_primary, price, .. } = self.items[item as usize];
        if missing <= 0 && (is_primary || price >= N::default()) {
            return;
        }
        let mut least = if is_primary { N::INFINITY } else { -price };
        for place in (base..base + len).rev() {
            let option = self.sets[place as usize].option;
            let reduced = self.reduced[option as usize];
            if reduced > gap {
                self.was_cut = true;
                self.remove(option);
                if self.is_dead {
                    return;
                }
                len -= 1;
            } else if reduced < least {
                least = reduced;
            }
        }
        self.updates += u64::from(len) / 4;
        if self.is_dead {
            return;
        }
        if is_primary && i64::from(len) == missing {
            let option = self.sets[base as usize].option;
            if missing > 1 {
                self.enqueue(item);
            }
            self.choose(option);
        } else if least > N::default() {
            self.raise(item, least);
            self.bound += if is_primary { least.times(missing) } else { least };
        }
    }

    fn sweep(&mut self) {
        let gap = self.limit - self.bound;
        self.swept = gap;
        for place in (0..self.live_len).rev() {
            let option = self.live[place];
            if self.reduced[option as usize] > gap {
                self.was_cut = true;
                self.remove(option);
                if self.is_dead {
                    return;
                }
            }
        }
    }

    /// Chooses the item with the smallest expected subtree, and the cheapest option of this item.
    ///
    /// Candidates are the items that have the fewest options, or one option more. An option counts
    /// 8, halved for each quarter of the gap that its reduced cost exceeds. Ties are broken by the
    /// regret, the difference between the two lowest reduced costs of the item's options.
    pub(super) fn branch(&self, wants_all: bool) -> CostBranch {
        let open = &self.open[..self.open_len];
        let choices = |item: &CostItem<N>| i64::from(item.len) + 1 - item.missing;
        let items = open.iter().map(|&item| &self.items[item as usize]).filter(|item| item.missing > 0);
        let Some(fewest) = items.clone().map(choices).min() else {
            let has_more = wants_all && self.live_len > 0;
            return if has_more { CostBranch::On(self.live[0]) } else { CostBranch::Cover };
        };
        let quarter = (self.limit - self.bound).half().half();
        let half = quarter + quarter;
        let mut best = (u64::MAX, N::default(), 0);
        for item in items.filter(|item| choices(item) <= fewest + 1) {
            let (mut sum, mut option) = (0, 0);
            let (mut least, mut second) = (N::INFINITY, N::INFINITY);
            for member in &self.sets[item.base as usize..(item.base + item.len) as usize] {
                let reduced = self.reduced[member.option as usize];
                if reduced < least {
                    (second, least, option) = (least, reduced, member.option);
                } else if reduced < second {
                    second = reduced;
                }
                let parts = u8::from(reduced > quarter)
                    + u8::from(reduced > half)
                    + u8::from(reduced > half + quarter);
                sum += 8 >> parts;
            }
            let regret = second - least;
            if sum < best.0 || (sum == best.0 && regret > best.1) {
                best = (sum, regret, option);
            }
        }
        CostBranch::On(best.2)
    }
}

//! Static orders of the items, in which few items of the window are open at a time.
//!
//! What an order costs is judged by its *profile*: after each item the number of bits that a state needs.
//! The greedy order takes next what opens the fewest items, of those in the window.
//!
//! Source: Cuthill and McKee 1969 and Sloan 1986 for the idea of a small front; the rule is that of
//! frontier methods.

use crate::{Bounds, ItemId, OptionId, Problem};

/// How much of a bit is free at least, mostly: in 8 of 10 families it is more than half.
pub(crate) const FREEDOM: f64 = 0.4;

/// Returns the primary items in the order of their definition.
pub(crate) fn given(problem: &Problem) -> Vec<ItemId> {
    problem.items().filter(|&item| problem.is_primary(item)).collect()
}

/// An order as it grows: which items the options of those decided have touched.
pub(crate) struct Front<'p> {
    problem: &'p Problem,
    lists: Vec<Vec<OptionId>>,
    is_live: Vec<bool>,
    /// Of each item the options that are left.
    left: Vec<usize>,
    is_decided: Vec<bool>,
    /// When an item was first touched, counted in items decided.
    touched: Vec<Option<usize>>,
    /// Primary items that are touched and not decided.
    open: Vec<ItemId>,
    /// Bits of the fields of all items that are touched and not over.
    width: usize,
    bits: Vec<usize>,
    order: Vec<ItemId>,
    /// The width after each item of the order.
    profile: Vec<usize>,
    /// For a count of distinct items.
    marks: Vec<usize>,
    mark: usize,
}

impl<'p> Front<'p> {
    pub(crate) fn new(problem: &'p Problem) -> Self {
        let mut lists = vec![Vec::new(); problem.item_count()];
        for option in problem.options() {
            problem.option(option).iter().for_each(|entry| lists[entry.item.index()].push(option));
        }
        let bits = problem.items().map(|item| match problem.bounds(item) {
            Some(Bounds::ONE) => 1,
            Some(Bounds { high, .. }) => {
                let most = high.min(lists[item.index()].len() as u32);
                (u32::BITS - most.leading_zeros()) as usize + 1
            }
            None => {
                let colored = |&option: &OptionId| {
                    problem
                        .option(option)
                        .iter()
                        .any(|entry| entry.item == item && entry.color.is_some())
                };
                if lists[item.index()].iter().any(colored) { 3 } else { 1 }
            }
        });
        Self {
            problem,
            is_live: vec![true; problem.option_count()],
            left: lists.iter().map(Vec::len).collect(),
            is_decided: vec![false; problem.item_count()],
            touched: vec![None; problem.item_count()],
            open: Vec::new(),
            width: 0,
            bits: bits.collect(),
            order: Vec::new(),
            profile: Vec::new(),
            marks: vec![0; problem.item_count()],
            mark: 0,
            lists,
        }
    }

    /// Decides `item` next.
    fn decide(&mut self, item: ItemId) {
        self.open.retain(|&other| other != item);
        if self.touched[item.index()].is_some() && !self.is_decided[item.index()] {
            self.width -= self.bits[item.index()];
        }
        self.is_decided[item.index()] = true;
        self.order.push(item);
        let time = self.order.len();
        let mut over = Vec::new();
        for index in 0..self.lists[item.index()].len() {
            let option = self.lists[item.index()][index];
            if !std::mem::take(&mut self.is_live[option.index()]) {
                continue;
            }
            for entry in self.problem.option(option) {
                let other = entry.item;
                self.left[other.index()] -= 1;
                if self.is_decided[other.index()] {
                    continue;
                }
                if self.touched[other.index()].is_none() {
                    self.touched[other.index()] = Some(time);
                    self.width += self.bits[other.index()];
                    if self.problem.is_primary(other) {
                        self.open.push(other);
                    }
                }
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
            self.width -= self.bits[other.index()];
            if self.problem.is_primary(other) {
                self.open.retain(|&open| open != other);
                self.order.push(other);
                self.profile.push(self.width);
            }
        }
    }

    /// Returns by how many bits the window grows if `item` is decided next.
    fn growth(&mut self, item: ItemId) -> isize {
        self.mark += 1;
        let is_open = self.touched[item.index()].is_some();
        let mut growth = if is_open { -(self.bits[item.index()] as isize) } else { 0 };
        for &option in self.lists[item.index()].iter().filter(|option| self.is_live[option.index()]) {
            for entry in self.problem.option(option) {
                let other = entry.item.index();
                let is_new = self.touched[other].is_none() && self.marks[other] != self.mark;
                if is_new && entry.item != item {
                    self.marks[other] = self.mark;
                    growth += self.bits[other] as isize;
                }
            }
        }
        growth
    }

    /// Decides all items, from `start` on: always one that opens the fewest, of these the first opened.
    pub(crate) fn greedy(mut self, start: ItemId) -> Order {
        let mut rest = given(self.problem).into_iter();
        self.decide(start);
        while self.order.len() < self.problem.primary_count() {
            let open = std::mem::take(&mut self.open);
            let next = open.iter().copied().min_by_key(|&item| {
                (self.growth(item), self.touched[item.index()], self.left[item.index()], item)
            });
            self.open = open;
            let fresh = || rest.find(|item| !self.is_decided[item.index()]);
            let Some(next) = next.or_else(fresh) else { break };
            self.decide(next);
        }
        self.into_order()
    }

    /// Decides all items in that order.
    pub(crate) fn follow(mut self, order: &[ItemId]) -> Order {
        for &item in order {
            if !self.is_decided[item.index()] {
                self.decide(item);
            }
        }
        self.into_order()
    }

    fn into_order(self) -> Order {
        debug_assert_eq!(self.order.len(), self.problem.primary_count(), "all items are decided");
        Order { items: self.order, profile: self.profile }
    }
}

/// An order of the primary items, with its profile.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) items: Vec<ItemId>,
    pub(crate) profile: Vec<usize>,
}

impl Order {
    /// Returns how many states there would be if of each bit so much were free, for instance all if 1.
    pub(crate) fn states(&self, freedom: f64) -> f64 {
        self.profile.iter().map(|&bits| (bits as f64 * freedom).exp2()).sum()
    }
}

/// Returns the item that is found last from `start`, in breadth.
fn farthest(problem: &Problem, lists: &[Vec<OptionId>], start: ItemId) -> ItemId {
    let mut is_seen = vec![false; problem.item_count()];
    is_seen[start.index()] = true;
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(&item) = queue.get(next) {
        next += 1;
        for entry in lists[item.index()].iter().flat_map(|&option| problem.option(option)) {
            if problem.is_primary(entry.item)
                && !std::mem::replace(&mut is_seen[entry.item.index()], true)
            {
                queue.push(entry.item);
            }
        }
    }
    queue.pop().unwrap_or(start)
}

/// Returns orders to choose from, the one of least cost first, without repeats.
pub(crate) fn candidates(problem: &Problem) -> Vec<Order> {
    let given = given(problem);
    let (Some(&first), Some(&last)) = (given.first(), given.last()) else { return Vec::new() };
    let lists = Front::new(problem).lists;
    let fewest = given.iter().copied().min_by_key(|item| lists[item.index()].len()).unwrap_or(first);
    let far = farthest(problem, &lists, first);
    let other = farthest(problem, &lists, far);
    let mut orders = vec![Front::new(problem).follow(&given)];
    let reverse: Vec<_> = given.iter().rev().copied().collect();
    orders.push(Front::new(problem).follow(&reverse));
    let mut starts = vec![first, last, fewest, far, other];
    starts.sort_unstable();
    starts.dedup();
    orders.extend(starts.into_iter().map(|start| Front::new(problem).greedy(start)));
    orders.sort_by(|a, b| a.states(FREEDOM).total_cmp(&b.states(FREEDOM)));
    orders.dedup_by(|a, b| a.items == b.items);
    orders
}

//! Dancing cells: exact covers with colors and multiplicities on sets that are cleaned up late.

mod arena;

use self::arena::{Arena, ItemNo, Margin, Mark, OptionNo, is_small};
use super::{Engine, EngineSpec, Unsupported};
use crate::search::Meter;
use crate::{End, Limit, Limits, OptionId, Problem, Report, Visit};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "cells",
    summary: "dancing cells: sets in contiguous arrays, dead ends seen early",
    build: |problem| Ok::<_, Unsupported>(Box::new(Cells::new(problem))),
};

/// Calls the instance of a method for the problem's features: `self.f::<COLORS, BOUNDS>(...)`.
macro_rules! dispatch {
    ($cells:ident, $($name:ident).+ ($($argument:expr),*)) => {
        match ($cells.has_colors, $cells.has_bounds) {
            (false, false) => $($name).+::<false, false>($($argument),*),
            (true, false) => $($name).+::<true, false>($($argument),*),
            (false, true) => $($name).+::<false, true>($($argument),*),
            (true, true) => $($name).+::<true, true>($($argument),*),
        }
    };
}

/// Which item is chosen among several with as few choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ties {
    /// The first in the order of definition.
    #[default]
    First,
    /// The last.
    Last,
    /// The first in a random order that the seed determines.
    Random(u64),
}

/// The engine of dancing cells.
#[derive(Clone, Debug)]
pub struct Cells {
    search: Width,
}

/// The search with margins as wide as they must be.
#[derive(Clone, Debug)]
enum Width {
    Small(Search<i16>),
    Large(Search<i32>),
}

#[derive(Clone, Debug)]
struct Search<M> {
    arena: Arena<M>,
    order: Vec<usize>,
    has_colors: bool,
    has_bounds: bool,
    option_count: usize,
    primary_count: usize,
    levels: Vec<Level>,
    /// The choices of all levels, one level after the other.
    choices: Vec<OptionNo>,
    /// For each level the items that have no option to lose after it hid its own.
    pending: Vec<ItemNo>,
    given_count: usize,
    is_forward: bool,
    /// The cover that is shown.
    cover: Vec<OptionId>,
}

/// An item with several choices.
#[derive(Clone, Debug)]
struct Level {
    item: ItemNo,
    /// The item if its options are all hidden, for each covers it for good.
    covered: Option<ItemNo>,
    first: u32,
    next: u32,
    pending: u32,
    /// Whether "no more" is a choice that is left.
    may_close: bool,
    degree: u32,
    ordinal: u32,
    mark: Mark,
}

/// Where [`Search::advance`] has come to.
enum Step {
    Solution,
    Exhausted,
    Limit(Limit),
}

impl Cells {
    /// Builds the arena for `problem`.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        Self::with_ties(problem, Ties::First)
    }

    /// Builds the arena for `problem` so that ties are broken as `ties` says.
    #[must_use]
    pub fn with_ties(problem: &Problem, ties: Ties) -> Self {
        let order = ties.order(problem);
        let search = if is_small(problem) {
            Width::Small(Search::new(problem, order))
        } else {
            Width::Large(Search::new(problem, order))
        };
        Self { search }
    }
}

impl<M: Margin> Search<M> {
    fn new(problem: &Problem, order: Vec<usize>) -> Self {
        Self {
            arena: Arena::new(problem, &order),
            order,
            has_colors: problem.has_colors(),
            has_bounds: problem.has_bounds(),
            option_count: problem.option_count(),
            primary_count: problem.primary_count(),
            levels: Vec::new(),
            choices: Vec::new(),
            pending: Vec::new(),
            given_count: 0,
            is_forward: true,
            cover: Vec::new(),
        }
    }

    fn begin(&mut self, given: &[OptionId]) -> bool {
        let is_known = |option: &OptionId| option.index() < self.option_count;
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        self.rewind();
        self.arena.updates = 0;
        let mut seen = std::collections::BTreeSet::new();
        self.cover.clear();
        self.cover.extend(given.iter().filter(|&&option| seen.insert(option)));
        self.given_count = self.cover.len();
        let fits = self.arena.fits(&self.cover);
        if fits {
            for place in 0..self.given_count {
                let option = self.cover[place].into();
                dispatch!(self, self.arena.force(option));
            }
        }
        self.is_forward = true;
        fits
    }

    fn rewind(&mut self) {
        let root = self.arena.root();
        dispatch!(self, self.arena.restore(&root, 0));
        self.levels.clear();
        self.choices.clear();
        self.pending.clear();
        self.cover.clear();
        self.given_count = 0;
    }

    fn advance<const COLORS: bool, const BOUNDS: bool>(&mut self, meter: &mut Meter<'_>) -> Step {
        loop {
            if self.is_forward {
                let (level, updates) = (self.arena.chosen().len() - self.given_count, self.arena.updates);
                if let Err(limit) = meter.enter(level, updates, || self.fraction()) {
                    return Step::Limit(limit);
                }
                if level == 0 && !self.arena.force_all() {
                    self.is_forward = false;
                    continue;
                }
                if self.arena.active_count() == 0 {
                    self.is_forward = false;
                    return Step::Solution;
                }
                if let Some(is_possible) = self.arena.force_next::<COLORS, BOUNDS>() {
                    self.is_forward = is_possible;
                    continue;
                }
                if self.arena.active_count() == 0 {
                    self.is_forward = false;
                    return Step::Solution;
                }
                self.branch::<COLORS, BOUNDS>();
            } else if self.levels.is_empty() {
                return Step::Exhausted;
            } else {
                self.is_forward = self.next_choice::<COLORS, BOUNDS>();
            }
        }
    }

    #[inline(always)]
    fn branch<const COLORS: bool, const BOUNDS: bool>(&mut self) {
        let (item, margin) = self.arena.least();
        let needed = self.arena.need::<BOUNDS>(item);
        let first = self.choices.len();
        self.arena.list(item, &mut self.choices);
        let degree = margin.degree();
        if BOUNDS && needed > 1 {
            self.choices.truncate(first + degree as usize);
        }
        let covered = self.arena.is_last::<BOUNDS>(item).then_some(item);
        let index = self.levels.len();
        self.levels.push(Level {
            item,
            covered,
            first: first as u32,
            next: first as u32,
            pending: self.pending.len() as u32,
            may_close: BOUNDS && needed <= 0,
            degree,
            ordinal: 0,
            mark: Mark::default(),
        });
        if covered.is_some() {
            self.arena.cover(item);
            self.arena.take_forced(&mut self.pending);
        }
        self.levels[index].mark = self.arena.mark(index + 1);
        self.is_forward = self.next_choice::<COLORS, BOUNDS>();
    }

    #[inline(always)]
    fn next_choice<const COLORS: bool, const BOUNDS: bool>(&mut self) -> bool {
        let index = self.levels.len() - 1;
        let level = &mut self.levels[index];
        let is_option = (level.next as usize) < self.choices.len();
        if !is_option && !(BOUNDS && level.may_close) {
            self.choices.truncate(level.first as usize);
            self.pending.truncate(level.pending as usize);
            self.levels.pop();
            return false;
        }
        if level.ordinal > 0 {
            self.arena.restore::<COLORS, BOUNDS>(&level.mark, index + 1);
        }
        level.ordinal += 1;
        if BOUNDS && !is_option {
            level.may_close = false;
            if level.covered.is_none() {
                self.arena.close(level.item);
            }
            return self.arena.recall(&self.pending[level.pending as usize..]);
        }
        let option = self.choices[level.next as usize];
        level.next += 1;
        if BOUNDS && level.covered.is_none() {
            self.arena.take_out(option);
            self.arena.take_forced(&mut self.pending);
            level.mark = self.arena.mark(index + 1);
        }
        let pending = &self.pending[level.pending as usize..];
        self.arena.commit::<COLORS, BOUNDS>(option, level.covered, pending)
    }

    /// Returns the fraction of the tree before the current node, plus half of the node's own share.
    fn fraction(&self) -> f64 {
        let (mut fraction, mut share) = (0.0, 1.0);
        for level in &self.levels {
            share /= f64::from(level.degree);
            fraction += share * f64::from(level.ordinal - 1);
        }
        fraction + share / 2.0
    }

    /// Lists the given options and those chosen.
    fn collect(&mut self) -> &[OptionId] {
        self.cover.clear();
        self.cover.extend(self.arena.chosen().iter().map(|&option| OptionId::from(option)));
        &self.cover
    }

    /// Lists what is left of the tree, in the order of the search: the current node, unless it is done,
    /// then the choices not yet made, from the last level to the first.
    fn rest(&mut self) -> Vec<Vec<OptionId>> {
        self.collect();
        let mut rest = Vec::new();
        if self.is_forward {
            rest.push(self.cover.clone());
        }
        let mut end = self.choices.len();
        for level in self.levels.iter().rev() {
            for &option in &self.choices[level.next as usize..end] {
                rest.push([&self.cover[..level.mark.chosen_count()], &[option.into()]].concat());
            }
            end = level.first as usize;
        }
        rest
    }

    fn run(
        &mut self,
        given: &[OptionId],
        limits: &Limits,
        mut visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let mut meter = Meter::new(limits, self.primary_count / 16);
        if !self.begin(given) {
            self.rewind();
            return meter.report(End::Exhausted, 0);
        }
        let end = loop {
            match dispatch!(self, self.advance(&mut meter)) {
                Step::Exhausted => break End::Exhausted,
                Step::Limit(limit) => break End::Limit(limit),
                Step::Solution => {
                    let visited = match &mut visit {
                        Some(visit) => meter.visit(self.collect(), visit),
                        None => meter.visit(&[], &mut |_| std::ops::ControlFlow::Continue(())),
                    };
                    if let Err(end) = visited {
                        break end;
                    }
                }
            }
        };
        let updates = self.arena.updates;
        // "No more" of an item cannot be said with given options.
        let wants_rest = limits.rest && end != End::Exhausted && !self.has_bounds;
        let rest = wants_rest.then(|| self.rest());
        self.rewind();
        Report { rest, ..meter.report(end, updates) }
    }
}

impl<M: Margin> Search<M> {
    fn is_at_rest(&self, problem: &Problem) -> bool {
        self.levels.is_empty()
            && self.choices.is_empty()
            && self.pending.is_empty()
            && self.cover.is_empty()
            && self.arena.is_at_rest(problem, &self.order)
    }
}

impl Ties {
    /// Returns the places of the primary items, in order of definition, in the order of preference.
    fn order(self, problem: &Problem) -> Vec<usize> {
        let mut order: Vec<_> = (0..problem.primary_count()).collect();
        match self {
            Self::First => {}
            Self::Last => order.reverse(),
            Self::Random(seed) => {
                let mut state = seed;
                for place in (1..order.len()).rev() {
                    // SplitMix64.
                    state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                    let mut bits = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                    order.swap(place, ((bits ^ (bits >> 31)) % (place as u64 + 1)) as usize);
                }
            }
        }
        order
    }
}

impl Engine for Cells {
    fn search(&mut self, given: &[OptionId], limits: &Limits, visit: &mut Visit<'_>) -> Report {
        match &mut self.search {
            Width::Small(search) => search.run(given, limits, Some(visit)),
            Width::Large(search) => search.run(given, limits, Some(visit)),
        }
    }

    fn count(&mut self, given: &[OptionId], limits: &Limits) -> Report {
        match &mut self.search {
            Width::Small(search) => search.run(given, limits, None),
            Width::Large(search) => search.run(given, limits, None),
        }
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        match &self.search {
            Width::Small(search) => search.is_at_rest(problem),
            Width::Large(search) => search.is_at_rest(problem),
        }
    }
}

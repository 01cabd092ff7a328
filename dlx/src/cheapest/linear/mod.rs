//! The search by linear programs: the prices at each node come from an optimum of the relaxation of
//! this node.
//!
//! The relaxation allows fractions of live options that add up to 1 at every item. The dual of the
//! relaxation yields the best possible prices, which matters where many options overlap at similar
//! prices, as in crew scheduling. The dual simplex method (`simplex`) solves each node starting
//! with the basis of the previous node. Items with colors or bounds are not in the relaxation and
//! keep their prices. [`State::reprice`] rounds the prices to integers and makes the bound exact.
//!
//! The search branches on a pair of items (Ryan and Foster): the same option covers both
//! ("together"), or different options do ("apart"). In the optimum, the pair is neither fully
//! together nor fully apart. A few simplex steps on each side of a pair estimate the rise of the
//! cost. The pairs with the largest past rises (`rises`) are tried first, then new pairs near one
//! half, until several pairs in a row bring no improvement. If no pair is left, the search branches
//! on an option. The search is depth first, and "together" comes first.
//!
//! Memory: the program, one basis of 12 bytes per item for each search level, and the statistics of
//! at most 65,536 pairs.
//!
//! Sources: Ryan and Foster, "An integer programming approach to scheduling" (1981); Achterberg,
//! Koch and Martin, "Branching rules revisited" (Operations Research Letters, 2005), for
//! reliability branching; Hoffman and Padberg, "Solving airline crew scheduling problems by
//! branch-and-cut" (Management Science, 1993), for fixing by reduced costs.
//!
//! Tried and dropped, by simplex steps on `sppaa04`: always trying the 8 or 16 pairs nearest to one
//! half; a patience of 10 instead of 6; trials of 100 steps; no trial of pairs that were tried 4
//! times.

mod cliques;
mod rises;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use self::rises::{Pair, Rises};
use super::SCALE_BITS;
use super::amount::Amount;
use super::state::{CostBranch, Settled, State, UndoMark};
use crate::limits::{Limit, Limits};
use crate::portfolio::costs;
use crate::search::Meter;
use crate::simplex::{BasicColumns, Simplex, Stop, WORK};

const ITEMS_MAX: usize = 4096;
/// Maximum memory of the bases of all levels (bytes). Deeper levels restart from the root basis.
const BASES_MAX: usize = 64 << 20;
/// Distance from 0 or 1 below which a fraction counts as integral.
const INTEGRAL: f64 = 1e-6;
const TRIALS: usize = 24;
const PATIENCE: usize = 6;
/// The search branches on a pair only if its fraction together in the optimum is between this and 1
/// minus this.
const SUM_MIN: f64 = 1e-4;
const TRIAL_STEPS: u64 = 30;
/// Simplex work between two checks of the limits (units of `Simplex::work`).
const LOOK_WORK: u64 = 2_000_000;

/// Maximum work for the first cliques, as a multiple of the work of the root relaxation.
const CLIQUE_SHARE: u64 = 4;

#[derive(Clone, Debug)]
enum Second {
    Exclude(u32),
    Apart(u32, u32),
}

#[derive(Clone, Debug)]
struct Level<N> {
    mark: UndoMark<N>,
    second: Second,
    basis: Option<BasicColumns>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    Root,
    Over,
    Paused,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Root,
    Enter,
    Solve,
    Leave,
}

#[derive(Clone, Debug)]
pub(super) struct Linear<N> {
    pub(super) state: State<N>,
    simplex: Simplex,
    whole: Simplex,
    whole_options: Vec<u32>,
    column_of: Vec<u32>,
    options: Vec<u32>,
    items: Vec<u32>,
    row_of: Vec<u32>,
    prices: Vec<N>,
    bound: N,
    most: N,
    root: BasicColumns,
    /// The basis `root`, numbered by the columns of the current search.
    first: BasicColumns,
    levels: Vec<Level<N>>,
    rises: Rises,
    /// Pairs with one side above the limit, found at level `dear_level`. The search branches on
    /// these pairs below `dear_level`.
    dear: Vec<Pair>,
    dear_level: usize,
    phase: Phase,
    is_chosen: Vec<bool>,
    /// The number of updates of the state that other searches made.
    updates: u64,
    begun: u64,
    /// The work of the first root relaxation (units of `Simplex::work`).
    root_work: u64,
    /// Whether the root relaxation alone hardly raised the bound. Then cliques are tried later.
    pub(super) waits_for_cliques: bool,
}

const NONE: u32 = u32::MAX;

impl<N: Amount> Linear<N> {
    pub(super) fn new(state: &State<N>, most: N) -> Option<Self> {
        let state = state.clone();
        let mut row_of = vec![NONE; state.item_count()];
        let (mut items, mut prices, mut ceilings) = (Vec::new(), Vec::new(), Vec::new());
        for item in 0..state.item_count() as u32 {
            if let Some(ceiling) = state.ceiling(item) {
                row_of[item as usize] = items.len() as u32;
                items.push(item);
                prices.push(state.price(item));
                ceilings.push(ceiling);
            }
        }
        if items.is_empty() || items.len() > ITEMS_MAX {
            return None;
        }
        let (mut starts, mut rows, mut costs) = (vec![0], Vec::new(), Vec::new());
        for &option in state.live() {
            rows.extend(
                state.items_of(option).map(|item| row_of[item as usize]).filter(|&row| row != NONE),
            );
            starts.push(rows.len() as u32);
            costs.push(to_units(state.reduced(option)));
        }
        let mut options = state.live().to_vec();
        // Leaving an item uncovered costs the largest possible rise of its price.
        for (row, &ceiling) in
            ceilings.iter().enumerate().filter(|(_, ceiling)| **ceiling < N::INFINITY)
        {
            rows.push(row as u32);
            starts.push(rows.len() as u32);
            costs.push(to_units(ceiling));
            options.push(NONE);
        }
        Some(Self {
            simplex: Simplex::new(items.len(), starts, rows, costs),
            whole: Simplex::default(),
            whole_options: Vec::new(),
            column_of: vec![NONE; state.option_count()],
            options,
            bound: state.bound,
            most,
            items,
            row_of,
            prices,
            root: BasicColumns::default(),
            first: BasicColumns::default(),
            levels: Vec::new(),
            rises: Rises::default(),
            dear: Vec::new(),
            dear_level: 0,
            phase: Phase::Root,
            is_chosen: vec![false; state.option_count()],
            updates: state.updates,
            begun: 0,
            root_work: 0,
            waits_for_cliques: false,
            state,
        })
    }

    /// Starts a search of another state of the same problem, whose live options are a subset of the
    /// first state's.
    pub(super) fn begin(&mut self, state: &State<N>) {
        self.follow(state);
        self.levels.clear();
        self.dear.clear();
        self.phase = Phase::Enter;
        let mut is_kept = vec![false; self.whole_options.len()];
        self.mark_chosen(true);
        for (is_kept, &option) in is_kept.iter_mut().zip(&self.whole_options) {
            *is_kept = self.may_be_taken(option);
        }
        self.mark_chosen(false);
        for column in self.whole.columns_of(&self.root) {
            is_kept[column as usize] = true;
        }
        let columns: Vec<u32> =
            (0..is_kept.len() as u32).filter(|&column| is_kept[column as usize]).collect();
        let mut number_of = vec![NONE; is_kept.len()];
        for (number, &column) in columns.iter().enumerate() {
            number_of[column as usize] = number as u32;
        }
        let (work, steps) = (self.simplex.work, self.simplex.steps);
        self.simplex = self.whole.restrict(&columns);
        self.simplex.work += work;
        self.simplex.steps = steps;
        self.options = columns.iter().map(|&column| self.whole_options[column as usize]).collect();
        self.number_columns();
        self.close_columns();
        let basis = self.simplex.renumber(&self.root, &self.whole, |column| number_of[column as usize]);
        self.simplex.set_basis(&basis);
        self.first = basis;
        self.reset_work();
    }

    /// Copies another state. The updates that `state` has made so far do not count for this search.
    fn follow(&mut self, state: &State<N>) {
        let updates = self.state.updates - self.updates;
        self.state.clone_from(state);
        self.updates = state.updates - updates;
    }

    fn number_columns(&mut self) {
        self.column_of.fill(NONE);
        for (column, &option) in self.options.iter().enumerate() {
            if option != NONE {
                self.column_of[option as usize] = column as u32;
            }
        }
    }

    /// Returns whether the option of a column may be taken or is a slack column. Chosen options
    /// must be marked.
    fn may_be_taken(&self, option: u32) -> bool {
        option == NONE || self.state.is_live(option) || self.is_chosen[option as usize]
    }

    fn mark_chosen(&mut self, is_chosen: bool) {
        for &option in self.state.chosen() {
            self.is_chosen[option as usize] = is_chosen;
        }
    }

    pub(super) fn updates(&self) -> u64 {
        self.state.updates - self.updates + self.simplex.steps
    }

    fn all_work(&self) -> u64 {
        WORK * self.simplex.work + costs::PRICES_UPDATE * (self.state.updates - self.updates)
    }

    /// Returns the maximum work for the first cliques.
    pub(super) fn clique_work(&self) -> u64 {
        CLIQUE_SHARE * WORK * self.root_work
    }

    pub(super) fn reset_work(&mut self) {
        self.begun = self.all_work();
    }

    pub(super) fn work(&self) -> u64 {
        self.all_work() - self.begun
    }

    /// Continues until the work since the last reset reaches `work`. Calls `record` with the
    /// options of each cover. `record` returns the new limit.
    pub(super) fn run(
        &mut self,
        work: u64,
        wants_all: bool,
        meter: &mut Meter<'_>,
        updates: u64,
        record: &mut dyn FnMut(&[u32]) -> N,
    ) -> Result<RunEnd, Limit> {
        let before = self.updates();
        loop {
            if self.work() >= work {
                return Ok(RunEnd::Paused);
            }
            match self.phase {
                Phase::Root => return self.solve_root(work, meter.limits()),
                Phase::Enter => {
                    let updates = updates + self.updates() - before;
                    meter.enter(self.levels.len() + 1, updates, || 0.0)?;
                    let is_open = self.state.settle() == Settled::Open;
                    if is_open {
                        self.close_columns();
                    }
                    self.phase = if is_open { Phase::Solve } else { Phase::Leave };
                }
                Phase::Solve => {
                    let stop = self.solve(work, meter.limits())?;
                    if stop == Stop::Paused {
                        return Ok(RunEnd::Paused);
                    }
                    let changes = self.changes(&self.state);
                    self.state.reprice(changes.into_iter());
                    self.phase = Phase::Leave;
                    if self.state.settle() == Settled::Open {
                        self.close_columns();
                        self.branch(stop == Stop::Optimal, wants_all, record);
                    }
                }
                Phase::Leave => {
                    let Some(Level { mark, second, basis }) = self.levels.pop() else {
                        return Ok(RunEnd::Over);
                    };
                    if self.levels.len() < self.dear_level {
                        self.dear.clear();
                    }
                    self.state.undo(mark);
                    match second {
                        Second::Exclude(option) => self.state.exclude(option),
                        Second::Apart(first, second) => self.part(first, second),
                    }
                    self.close_columns();
                    self.simplex.set_basis(basis.as_ref().unwrap_or(&self.first));
                    self.phase = Phase::Enter;
                }
            }
        }
    }

    pub(super) fn solve_root(&mut self, work: u64, limits: &Limits) -> Result<RunEnd, Limit> {
        if self.solve(work, limits)? == Stop::Paused {
            return Ok(RunEnd::Paused);
        }
        self.root = self.simplex.basis();
        self.whole = self.simplex.clone();
        if self.root_work == 0 {
            self.root_work = self.whole.work;
        }
        self.whole_options.clone_from(&self.options);
        self.phase = Phase::Leave;
        Ok(RunEnd::Root)
    }

    /// Returns to the optimum of the root relaxation after a search.
    pub(super) fn return_to_root(&mut self) {
        self.levels.clear();
        self.whole.work = self.simplex.work;
        self.whole.steps = self.simplex.steps;
        self.simplex = self.whole.clone();
        self.simplex.set_basis(&self.root);
        self.options.clone_from(&self.whole_options);
        self.number_columns();
        self.reset_work();
    }

    pub(super) fn cliques(&self, state: &State<N>, entries: usize) -> Vec<Vec<u32>> {
        let is_live = |&option: &u32| option != NONE && state.is_live(option);
        let mut taken: Vec<(u32, f64)> = (self.simplex.values())
            .map(|(column, value)| (self.options[column], value))
            .filter(|(option, value)| is_live(option) && *value > INTEGRAL && *value < 1.0 - INTEGRAL)
            .collect();
        taken.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let (mut options, values): (Vec<u32>, Vec<f64>) = taken.into_iter().unzip();
        let seen: BTreeSet<u32> = options.iter().copied().collect();
        let mut others: Vec<u32> = state.live().to_vec();
        others.retain(|option| !seen.contains(option));
        others.sort_by_key(|&option| (state.reduced(option), option));
        options.extend(others);
        let has_row = |&item: &u32| self.row_of[item as usize] != NONE;
        cliques::cliques(&options, &values, self.row_of.len(), entries, |option| {
            state.items_of(option).filter(has_row)
        })
    }

    /// Adds cliques, which are the last items of `state`, to the root relaxation, which must then
    /// be solved again. From now on `most` bounds the absolute values of all prices.
    pub(super) fn add_cliques(&mut self, state: &State<N>, cliques: &[Vec<u32>], most: N) {
        self.options.clone_from(&self.whole_options);
        self.number_columns();
        let columns = |clique: &Vec<u32>| {
            let columns = clique.iter().map(|&option| self.column_of[option as usize]);
            columns.filter(|&column| column != NONE).collect::<Vec<_>>()
        };
        let rows: Vec<_> = cliques.iter().map(columns).collect();
        self.simplex = self.whole.with_rows(&rows, &self.root);
        self.options.resize(self.options.len() + rows.len(), NONE);
        for item in state.item_count() - cliques.len()..state.item_count() {
            self.row_of.push(self.items.len() as u32);
            self.items.push(item as u32);
            self.prices.push(N::default());
        }
        self.most = most;
        self.follow(state);
        self.phase = Phase::Root;
    }

    fn solve(&mut self, work: u64, limits: &Limits) -> Result<Stop, Limit> {
        let limit = self.objective_limit();
        loop {
            limits.check()?;
            let rest = work.saturating_sub(self.work()) / WORK;
            let stop = self.simplex.run(limit, self.simplex.work.saturating_add(rest.min(LOOK_WORK)));
            if stop != Stop::Paused || rest <= LOOK_WORK {
                return Ok(stop);
            }
        }
    }

    /// Returns the objective above which a node is pruned. A small margin absorbs rounding errors.
    fn objective_limit(&self) -> f64 {
        if self.state.limit < N::INFINITY {
            to_units(self.state.limit - self.bound) + 0.01
        } else {
            f64::INFINITY
        }
    }

    pub(super) fn changes(&self, state: &State<N>) -> Vec<(u32, N)> {
        let prices = self.simplex.prices().iter().zip(&self.prices);
        let change = |(&item, (&price, &before)): (&u32, (&f64, &N))| {
            // The inner clamp avoids an overflow, because prices of irrelevant items may be very
            // large.
            let price = before + from_units::<N>(price).clamp(-self.most, self.most);
            (item, price.clamp(-self.most, self.most) - state.price(item))
        };
        self.items.iter().zip(prices).map(change).collect()
    }

    fn close_columns(&mut self) {
        self.mark_chosen(true);
        for (column, &option) in self.options.iter().enumerate() {
            self.simplex.close(column, !self.may_be_taken(option));
        }
        self.mark_chosen(false);
        self.simplex.list_open();
    }

    fn part(&mut self, first: u32, second: u32) {
        for option in self.options_with(first, second).0 {
            self.state.exclude(option);
        }
    }

    fn options_with(&self, first: u32, second: u32) -> (Vec<u32>, Vec<u32>) {
        let (mut both, mut one) = (Vec::new(), Vec::new());
        for option in self.state.options_of(first) {
            let has_second = self.state.items_of(option).any(|item| item == second);
            if has_second { both.push(option) } else { one.push(option) }
        }
        for option in self.state.options_of(second) {
            if !self.state.items_of(option).any(|item| item == first) {
                one.push(option);
            }
        }
        (both, one)
    }

    fn branch(&mut self, is_optimal: bool, wants_all: bool, record: &mut dyn FnMut(&[u32]) -> N) {
        let mut fractions = Vec::new();
        let mut whole = Vec::new();
        if is_optimal {
            for (column, value) in self.simplex.values() {
                let option = self.options[column];
                if option == NONE || !self.state.is_live(option) {
                    continue;
                }
                if value > 1.0 - INTEGRAL {
                    whole.push(option);
                } else if value > INTEGRAL {
                    fractions.push((option, value));
                }
            }
        }
        if is_optimal && fractions.is_empty() {
            let mark = self.state.mark();
            for &option in &whole {
                if self.state.is_live(option) {
                    self.state.choose(option);
                }
            }
            if self.state.is_covered() {
                let chosen = self.state.chosen().to_vec();
                let limit = record(&chosen);
                self.state.undo(mark);
                self.state.limit = limit;
                if self.state.bound > limit {
                    self.state.was_cut = true;
                    return;
                }
            } else {
                self.state.undo(mark);
            }
        }
        let pair = if fractions.is_empty() { None } else { self.choose_pair(&fractions) };
        if let Some((first, second)) = pair {
            self.push_level(Second::Apart(first, second));
            for option in self.options_with(first, second).1 {
                self.state.exclude(option);
            }
            self.phase = Phase::Enter;
            return;
        }
        let largest = fractions.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|&(option, _)| option);
        let option = match largest.or(whole.first().copied()) {
            Some(option) => option,
            None => match self.state.branch(wants_all) {
                CostBranch::On(option) => option,
                CostBranch::Cover => {
                    let chosen = self.state.chosen().to_vec();
                    self.state.limit = record(&chosen);
                    return;
                }
            },
        };
        self.push_level(Second::Exclude(option));
        self.state.choose(option);
        self.phase = Phase::Enter;
    }

    /// Enters the first side of a branch at the current node. Keeps the basis of the node if the
    /// memory limit allows.
    fn push_level(&mut self, second: Second) {
        let has_room = (self.levels.len() + 1) * 12 * self.items.len() <= BASES_MAX;
        let basis = has_room.then(|| self.simplex.basis());
        self.levels.push(Level { mark: self.state.mark(), second, basis });
    }

    fn choose_pair(&mut self, fractions: &[(u32, f64)]) -> Option<Pair> {
        let sums = self.pair_sums(fractions);
        while let Some(pair) = self.dear.pop() {
            if sums.binary_search_by_key(&pair, |&(pair, _)| pair).is_ok() {
                return Some(pair);
            }
        }
        let mut ranked: Vec<(f64, Pair)> =
            (sums.into_iter()).map(|(pair, sum)| (self.rises.expected(pair, sum), pair)).collect();
        ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut seen: Vec<Vec<u32>> = Vec::new();
        let mut dear = Vec::new();
        let mut best: Option<(f64, Pair)> = None;
        let mut since_best = 0;
        for &(_, pair) in &ranked {
            if seen.len() >= TRIALS || since_best >= PATIENCE {
                break;
            }
            let sides = self.options_with(pair.0, pair.1);
            // Pairs with the same two sides are tried once.
            if sides.0.is_empty() || sides.1.is_empty() || seen.contains(&sides.0) {
                continue;
            }
            if seen.is_empty() {
                self.simplex.save();
            }
            let (rises, are_dear) = self.try_sides(&sides);
            self.rises.note(pair, rises);
            match are_dear {
                [true, true] => return Some(pair),
                [false, false] => {}
                _ => dear.push(pair),
            }
            let score = rises::score(rises);
            seen.push(sides.0);
            since_best += 1;
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, pair));
                since_best = 0;
            }
        }
        dear.reverse();
        (self.dear, self.dear_level) = (dear, self.levels.len());
        self.dear.pop().or(best.map(|(_, pair)| pair))
    }

    /// Returns the pairs of items that the optimum covers together by a fraction, with this
    /// fraction.
    fn pair_sums(&self, fractions: &[(u32, f64)]) -> Vec<(Pair, f64)> {
        let mut pairs: Vec<(Pair, f64)> = Vec::new();
        for &(option, value) in fractions {
            let items: Vec<u32> =
                self.state.items_of(option).filter(|&item| self.is_single(item)).collect();
            for (at, &first) in items.iter().enumerate() {
                for &second in &items[at + 1..] {
                    pairs.push(((first.min(second), first.max(second)), value));
                }
            }
        }
        pairs.sort_unstable_by_key(|&(pair, _)| pair);
        pairs.dedup_by(|next, sum| {
            let is_same = next.0 == sum.0;
            if is_same {
                sum.1 += next.1;
            }
            is_same
        });
        pairs.retain(|&(_, sum)| sum > SUM_MIN && sum < 1.0 - SUM_MIN);
        pairs
    }

    /// Returns the estimated rise of the cost if the options of either side are excluded, and
    /// whether the cost then exceeds the limit.
    fn try_sides(&mut self, sides: &(Vec<u32>, Vec<u32>)) -> ([f64; 2], [bool; 2]) {
        let before = self.simplex.objective();
        let limit = self.objective_limit();
        let (mut rises, mut are_dear) = ([0.0; 2], [false; 2]);
        for (side, excluded) in [&sides.0, &sides.1].into_iter().enumerate() {
            for option in excluded {
                self.simplex.close(self.column_of[*option as usize] as usize, true);
            }
            are_dear[side] = self.simplex.run_steps(limit, TRIAL_STEPS) == Stop::TooDear;
            let reached = if are_dear[side] { limit } else { self.simplex.objective() };
            rises[side] = reached - before;
            for option in excluded {
                self.simplex.close(self.column_of[*option as usize] as usize, false);
            }
            self.simplex.restore();
        }
        (rises, are_dear)
    }

    fn is_single(&self, item: u32) -> bool {
        self.row_of[item as usize] != NONE && self.state.is_missing(item)
    }
}

pub(super) fn memory(items: u64, options: u64, entries: u64) -> u64 {
    let bases = if items > ITEMS_MAX as u64 { 0 } else { (12 * items * items).min(BASES_MAX as u64) };
    let pairs = (items * items / 2).min(rises::PAIRS_MAX as u64);
    bases + 60 * pairs + 300 * items + 200 * options + 70 * entries
}

/// Returns the largest absolute value of a price such that all sums fit, for covers of at most
/// `parts` options with at most `longest` entries each. [`State::reprice`] lowers a price by at
/// most this value times the entries of an option.
pub(super) fn most<N: Amount>(parts: u64, longest: u64) -> N {
    let times = u128::from(parts + 1) * (u128::from(longest) + 2).pow(2);
    N::new(((1_u128 << (N::BITS - 1)) / times) as i128)
}

fn to_units<N: Amount>(amount: N) -> f64 {
    amount.to_f64() / f64::from(1_u32 << SCALE_BITS)
}

fn from_units<N: Amount>(units: f64) -> N {
    N::from_f64((units * f64::from(1_u32 << SCALE_BITS)).floor())
}

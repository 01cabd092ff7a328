//! The search by linear programs: the prices of each node are those of an optimum of its relaxation.
//!
//! The relaxation of a node lets each live option be taken a fraction, as long as every item is covered
//! 1 in all. Its dual is the best set of prices there is, and where covers are bundles of work at
//! prices that hardly add up, as crews' schedules, it is better by far than what single prices and subgradients find.
//! A node is solved by the dual simplex method (`simplex`), from the basis of the node before.
//!
//! The method is in floating point and proves nothing. Its prices are rounded to integers, and
//! [`State::reprice`] makes their reduced costs nonnegative and the bound exact, so that options and nodes are left out
//! by comparing integers only, as in the search by prices.
//!
//! Branching: two items are covered by the same option or by two. Where the optimum covers them together by a fraction
//! of options, either is a loss (Ryan and Foster). Some pairs are tried: for both sides a few steps of the simplex method
//! say how much the costs rise. First come those that rose most when they were tried before (`rises`), and new ones
//! whose fraction is near one half; it ends when several in a row are no better than the best so far. A pair of which a side
//! is too dear is as good as decided: all that are found at a node are branched on one after the other, without more
//! trials. Where no pair is left, an option is chosen or excluded. Depth first, together first.
//!
//! Items with colors or bounds take no part in the relaxation; their prices stay as they are.
//!
//! Memory: the program, for each level of the search a basis, 12 bytes for each item, and what was learnt of 65,536 pairs.
//!
//! Sources: Ryan and Foster, "An integer programming approach to scheduling" (1981); Achterberg, Koch and Martin,
//! "Branching rules revisited" (Operations Research Letters, 2005), for trials by expectation; Hoffman and Padberg, "Solving airline
//! crew scheduling problems by branch-and-cut" (Management Science, 1993), for fixing by reduced costs.
//!
//! Tried and dropped, all on `sppaa04`, in steps of the simplex method. With its least cost as the horizon, where it takes 81,000
//! steps and 263 nodes as it is: always the 16 pairs nearest to one half 269,000; a patience of 10 instead of 6 103,000 (227
//! nodes); new pairs expected to be 1.5 times as good 90,000; no trial of a pair that was tried 4 times, not over after many
//! times as long. With the horizon that the search finds, 24 higher, it takes 134,000 steps, and always the 8 pairs nearest to one half
//! 464,000; of these, 24 pairs of 100 steps each took 1.5 times as many steps as 24 of 30.

mod cliques;
mod factor;
mod rises;
mod simplex;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use self::rises::{Pair, Rises};
use self::simplex::{BasicColumns, Simplex, Stop};
use super::SCALE_BITS;
use super::amount::Amount;
use super::state::{Branch, Mark, Settled, State};
use crate::limits::{Limit, Limits};
use crate::portfolio::costs;
use crate::search::Meter;

/// Problems with more items are too large.
const ITEMS_MAX: usize = 4096;
/// The bases of the levels take so many bytes at most; where there is no more room, the basis of the root has to do.
const BASES_MAX: usize = 64 << 20;
/// Fractions nearer to 0 or 1 than this are 0 or 1.
const INTEGRAL: f64 = 1e-6;
/// So many pairs are tried at a node at most, and so many after the best one.
const TRIALS: usize = 24;
const PATIENCE: usize = 6;
/// A pair that the optimum covers together by less, or apart by less, is not divided.
const SUM_MIN: f64 = 1e-4;
/// A trial has so many steps at most.
const TRIAL_STEPS: u64 = 30;
/// After so much work the limits are looked at.
const LOOK_WORK: u64 = 2_000_000;
/// The nanoseconds that a unit of work of the simplex method takes.
const SIMPLEX_WORK: u64 = 2;

/// What is left to be tried at a level after its first side.
#[derive(Clone, Debug)]
enum Second {
    /// Leave out an option.
    Exclude(u32),
    /// Leave out the options with both items.
    Apart(u32, u32),
}

/// A node whose first side is searched.
#[derive(Clone, Debug)]
struct Level<N> {
    mark: Mark<N>,
    second: Second,
    basis: Option<BasicColumns>,
}

/// How far the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// The relaxation of the root is solved, and its prices are known.
    Root,
    /// All covers within the limit were found.
    Over,
    /// It has done the work that it may.
    Paused,
}

/// Where the search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// At the root, whose relaxation is not solved.
    Root,
    /// At a node to be settled.
    Enter,
    /// At a settled node whose relaxation is not solved.
    Solve,
    /// At a node that is done.
    Leave,
}

/// The search with its own state.
#[derive(Clone, Debug)]
pub(super) struct Linear<N> {
    pub(super) state: State<N>,
    simplex: Simplex,
    /// The relaxation of the root, with all its columns.
    whole: Simplex,
    whole_options: Vec<u32>,
    /// The column of each option, the option of each column (`NONE` for not covering an item), the item of each row, and the row of each item.
    column_of: Vec<u32>,
    options: Vec<u32>,
    items: Vec<u32>,
    row_of: Vec<u32>,
    /// The prices and the bound when the program was made.
    prices: Vec<N>,
    bound: N,
    /// No price is farther from 0.
    most: N,
    /// The basis of the optimum at the root.
    root: BasicColumns,
    /// The same among the columns of the present search.
    first: BasicColumns,
    levels: Vec<Level<N>>,
    /// What was learnt of pairs.
    rises: Rises,
    /// Pairs of which a side was too dear at a node of this level, to be branched on below it.
    dear: Vec<Pair>,
    dear_level: usize,
    phase: Phase,
    is_chosen: Vec<bool>,
    /// The updates of the state that were another's.
    updates: u64,
    /// The work when the present search began.
    begun: u64,
    /// Whether it is to take part no more.
    pub(super) is_hopeless: bool,
}

const NONE: u32 = u32::MAX;

impl<N: Amount> Linear<N> {
    /// Makes the relaxation of a settled state.
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
        // Not to cover an item costs what its price may rise.
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
            is_hopeless: false,
            state,
        })
    }

    /// Begins a search of another state of the same problem, that has no more live options than the first one.
    pub(super) fn begin(&mut self, state: &State<N>) {
        self.follow(state);
        self.levels.clear();
        self.dear.clear();
        self.phase = Phase::Enter;
        // Only columns that may be taken, and those of the basis.
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

    /// Takes over another state; the updates that it has had are none of this search.
    fn follow(&mut self, state: &State<N>) {
        let updates = self.state.updates - self.updates;
        self.state.clone_from(state);
        self.updates = state.updates - updates;
    }

    /// Says of each option which column it has.
    fn number_columns(&mut self) {
        self.column_of.fill(NONE);
        for (column, &option) in self.options.iter().enumerate() {
            if option != NONE {
                self.column_of[option as usize] = column as u32;
            }
        }
    }

    /// Tells whether the option of a column may be taken, where the chosen ones are marked.
    fn may_be_taken(&self, option: u32) -> bool {
        option == NONE || self.state.is_live(option) || self.is_chosen[option as usize]
    }

    fn mark_chosen(&mut self, is_chosen: bool) {
        for &option in self.state.chosen() {
            self.is_chosen[option as usize] = is_chosen;
        }
    }

    /// Returns the options that it removed and the reduced costs that it changed, and its steps.
    pub(super) fn updates(&self) -> u64 {
        self.state.updates - self.updates + self.simplex.steps
    }

    fn all_work(&self) -> u64 {
        SIMPLEX_WORK * self.simplex.work + costs::PRICES_UPDATE * (self.state.updates - self.updates)
    }

    /// Returns the work until the relaxation of the root was solved.
    pub(super) fn root_work(&self) -> u64 {
        SIMPLEX_WORK * self.whole.work
    }

    /// Counts the work from now on.
    pub(super) fn reset_work(&mut self) {
        self.begun = self.all_work();
    }

    /// Returns the work since the search began, about in nanoseconds.
    pub(super) fn work(&self) -> u64 {
        self.all_work() - self.begun
    }

    /// Goes on until all its work is `work`. `record` is told the options of each cover, and returns the limit from then
    /// on.
    pub(super) fn run(
        &mut self,
        work: u64,
        wants_all: bool,
        meter: &mut Meter<'_>,
        updates: u64,
        record: &mut dyn FnMut(&[u32]) -> N,
    ) -> Result<Progress, Limit> {
        let before = self.updates();
        loop {
            if self.work() >= work {
                return Ok(Progress::Paused);
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
                        return Ok(Progress::Paused);
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
                        return Ok(Progress::Over);
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

    /// Solves the relaxation of the root, as far as the work allows.
    pub(super) fn solve_root(&mut self, work: u64, limits: &Limits) -> Result<Progress, Limit> {
        if self.solve(work, limits)? == Stop::Paused {
            return Ok(Progress::Paused);
        }
        self.root = self.simplex.basis();
        self.whole = self.simplex.clone();
        self.whole_options.clone_from(&self.options);
        self.phase = Phase::Leave;
        Ok(Progress::Root)
    }

    /// Returns cliques of live options that the optimum of the root does not meet, of about `entries` options at most.
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

    /// Adds cliques, which are the last items of `state`, to the relaxation of the root, which is to be solved anew.
    /// No price may be farther from 0 than `most` from now on.
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

    /// Solves the relaxation of the present node, as far as the work allows.
    fn solve(&mut self, work: u64, limits: &Limits) -> Result<Stop, Limit> {
        let limit = self.objective_limit();
        loop {
            limits.check()?;
            let rest = work.saturating_sub(self.work()) / SIMPLEX_WORK;
            let stop = self.simplex.run(limit, self.simplex.work.saturating_add(rest.min(LOOK_WORK)));
            if stop != Stop::Paused || rest <= LOOK_WORK {
                return Ok(stop);
            }
        }
    }

    /// Returns the objective from which a node is cut; what rounding may have added to it cuts none.
    fn objective_limit(&self) -> f64 {
        if self.state.limit < N::INFINITY {
            to_units(self.state.limit - self.bound) + 0.01
        } else {
            f64::INFINITY
        }
    }

    /// Returns by how much the prices of a state must be raised to be those of the relaxation.
    pub(super) fn changes(&self, state: &State<N>) -> Vec<(u32, N)> {
        let prices = self.simplex.prices().iter().zip(&self.prices);
        let change = |(&item, (&price, &before)): (&u32, (&f64, &N))| {
            // Prices that do not count may be too large to be added.
            let price = before + from_units::<N>(price).clamp(-self.most, self.most);
            (item, price.clamp(-self.most, self.most) - state.price(item))
        };
        self.items.iter().zip(prices).map(change).collect()
    }

    /// Closes the columns of options that cannot be taken.
    fn close_columns(&mut self) {
        self.mark_chosen(true);
        for (column, &option) in self.options.iter().enumerate() {
            self.simplex.close(column, !self.may_be_taken(option));
        }
        self.mark_chosen(false);
        self.simplex.list_open();
    }

    /// Leaves out the options with both items.
    fn part(&mut self, first: u32, second: u32) {
        for option in self.options_with(first, second).0 {
            self.state.exclude(option);
        }
    }

    /// Returns the live options with both items, and those with one of them.
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

    /// Records the cover that the relaxation is, if it is one, or chooses how to branch.
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
            // Take the cover, if it is one.
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
        // The option of the largest fraction, or what the search by prices would choose.
        let largest = fractions.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|&(option, _)| option);
        let option = match largest.or(whole.first().copied()) {
            Some(option) => option,
            None => match self.state.branch(wants_all) {
                Branch::On(option) => option,
                Branch::Cover => {
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

    /// Begins the first side of the present node, with its basis if there is room for another one.
    fn push_level(&mut self, second: Second) {
        let has_room = (self.levels.len() + 1) * 12 * self.items.len() <= BASES_MAX;
        let basis = has_room.then(|| self.simplex.basis());
        self.levels.push(Level { mark: self.state.mark(), second, basis });
    }

    /// Chooses the pair of items for which both sides cost most.
    fn choose_pair(&mut self, fractions: &[(u32, f64)]) -> Option<Pair> {
        let sums = self.pair_sums(fractions);
        // What was found too dear above comes first.
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
            // Pairs that divide the options alike are one.
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
        // The one that was found first is the last, to be taken first.
        dear.reverse();
        (self.dear, self.dear_level) = (dear, self.levels.len());
        self.dear.pop().or(best.map(|(_, pair)| pair))
    }

    /// Returns the pairs of items that options cover together by a fraction, and how much of them.
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

    /// Returns by how much the costs rise if the options of either side are left out, as far as a few steps tell, and
    /// whether that is too dear.
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

    /// Tells whether an item is covered by just one option.
    fn is_single(&self, item: u32) -> bool {
        self.row_of[item as usize] != NONE && self.state.is_missing(item)
    }
}

/// Returns about how many bytes the search takes at most.
pub(super) fn memory(items: u64, options: u64, entries: u64) -> u64 {
    let bases = if items > ITEMS_MAX as u64 { 0 } else { (12 * items * items).min(BASES_MAX as u64) };
    let pairs = (items * items / 2).min(rises::PAIRS_MAX as u64);
    bases + 60 * pairs + 300 * items + 200 * options + 70 * entries
}

/// Returns from how far prices may be from 0, so that all sums fit where a cover has at most `parts` options, of at most
/// `longest` entries: [`State::reprice`] lowers no price by more than that times the entries of an option, and later
/// ones rise no further than all those allow.
pub(super) fn most<N: Amount>(parts: u64, longest: u64) -> N {
    let times = u128::from(parts + 1) * (u128::from(longest) + 2).pow(2);
    N::new(((1_u128 << (N::BITS - 1)) / times) as i128)
}

/// Converts an amount to units of costs, as floating point.
fn to_units<N: Amount>(amount: N) -> f64 {
    amount.to_f64() / f64::from(1_u32 << SCALE_BITS)
}

/// Rounds units of costs down to an amount.
fn from_units<N: Amount>(units: f64) -> N {
    N::from_f64((units * f64::from(1_u32 << SCALE_BITS)).floor())
}

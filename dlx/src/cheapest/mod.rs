//! The cheapest covers of a problem whose options have costs, with a proof that they are cheapest.
//!
//! The method is branch and bound with prices of the items. The *reduced cost* of an option is its
//! cost minus the prices of its items. If no reduced cost is negative, the prices of the uncovered
//! items add up to a lower bound for the cost of covering them. The *gap* is the difference between
//! the limit (the largest cost of interest) and this bound, and an option whose reduced cost
//! exceeds the gap can be removed. The search has three phases:
//! 1. A plain search (`state`) branches on the item with the fewest options and raises single
//!    prices at each node. The plain search solves easy problems and yields a first limit.
//! 2. Subgradient steps on the Lagrangian relaxation improve all prices at once (`dual`).
//! 3. Rounds search all covers whose cost is within a growing horizon. Once the horizon passes the
//!    cost of the last requested cover, the covers are proven cheapest.
//!
//! Each round is a race (`race.rs`) of four searches. The search by prices (`state`) raises prices
//! at each node. The search by masks (`masked`) keeps the prices of the root, but has far cheaper
//! nodes. The search by linear programs (`linear`) solves the relaxation at each node. The search
//! by layers (`layers`) also keeps the prices of the root, and merges partial covers of the same
//! items. Time slices are counted in work, so the search is deterministic.
//!
//! Parts that share no item are searched separately (`parts`), and their covers joined (`join`).
//!
//! Invariant: prices are integers, in 65536ths of the greatest common divisor of all costs.
//! Floating-point numbers only propose prices and horizons. Every pruning step compares integers.
//!
//! Sources: Garfinkel and Nemhauser 1969 for the cutoff by reduced costs; Held and Karp 1971 for
//! subgradients; Korf 1985 for the growing horizon; Knuth's DLX5 for taxes at the root.
//!
//! Tried and dropped:
//! - subgradient steps at every node: fewer nodes, but no less time;
//! - keeping options beyond the gap in their sets: more nodes;
//! - branching among more, fewer or all items: slower on colored problems or tilings;
//! - masks below the first decisions, or below nodes with few live options: slower on most
//!   problems;
//! - a contender without a horizon: up to twice as slow, except on problems without covers;
//! - a race before good prices are known: slower on assignment problems;
//! - factors of 4, 6, 40 and 80 between the cost limits of rounds: slower.
//!
//! Known weaknesses: a problem without covers is searched about four times. If all costs are equal,
//! the search continues after the first cover, although DLX5 stops there.

mod amount;
mod dual;
mod join;
mod layers;
mod linear;
mod masked;
mod parts;
mod race;
mod root;
mod state;
mod unit;

use std::collections::BTreeSet;

use self::amount::Amount;
use self::dual::Dual;
use self::layers::{Layers, LayersEnd};
use self::linear::{Linear, RunEnd};
use self::masked::Masked;
use self::parts::CostParts;
use self::race::Outcome;
use self::state::{CostBranch, Settled, State, UndoMark};
use self::unit::Unit;
use crate::engine::Cutoff;
use crate::limits::{Limit, Limits};
use crate::methods::{Basis, Tally};
use crate::model::{OptionId, Problem};
use crate::parallel::Cores;
use crate::portfolio::costs;
use crate::search::{End, Meter, Report};
use crate::trust::conflict;

/// A cover with its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CostedCover {
    /// The sum of the costs of the options, which always fits in 128 bits.
    pub cost: u128,
    /// The options given to the search, then the others in order of definition.
    pub options: Vec<OptionId>,
}

/// The result of a search for the cheapest covers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cheapest {
    /// The covers in ascending order of cost: the requested number, or all covers if fewer exist.
    pub covers: Vec<CostedCover>,
    /// A lower bound for the cost of every cover not in `covers`, or `None` if there is no other
    /// cover.
    pub bound: Option<u128>,
    /// How the search ended. With [`End::Exhausted`] the covers are proven cheapest. `solutions` is
    /// the number of `covers`. A node is a chosen option. An update is a removed option, a changed
    /// reduced cost, or a combined mask block.
    pub report: Report,
}

/// Finds the `count` cheapest exact covers that contain the options of `given`.
///
/// Among covers of equal cost, the choice depends only on the problem, `given` and `count`. Options
/// without a cost cost 0. `given` is a set; if two of its options conflict, there is no cover. The
/// search ignores `limits.solutions` (use `count`), `limits.rest`, and `limits.nodes_expected`.
///
/// ```
/// use dlx::{End, Limits, cheapest};
///
/// let problem: dlx::Problem = "a b c\na |4\nb |3\nc |2\na b |5\nb c |6\na b c |9\n".parse()?;
/// let found = cheapest::search(&problem, &[], 2, &Limits::new());
/// let costs: Vec<u128> = found.covers.iter().map(|cover| cover.cost).collect();
/// assert_eq!(costs, [7, 9]);
/// assert_eq!(found.report.end, End::Exhausted);
/// let best: Vec<_> = found.covers[0].options.iter().map(|&o| problem.show(o).to_string()).collect();
/// assert_eq!(best, ["c", "a b"]);
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Panics
/// If an option of `given` is not one of this problem's.
#[must_use]
pub fn search(problem: &Problem, given: &[OptionId], count: usize, limits: &Limits) -> Cheapest {
    search_with(Tuning::default(), problem, given, count, limits)
}

/// Returns an estimate of the peak memory in bytes of a search for the `count` cheapest covers,
/// assuming that this many covers exist. A long search may also use a fourth of the memory that the
/// limit leaves.
///
/// ```
/// let problem: dlx::Problem = "a b\na |1\nb |2\na b |4\n".parse()?;
/// let (one, many) = (dlx::cheapest::memory(&problem, 1), dlx::cheapest::memory(&problem, 1_000_000));
/// assert!(one < 10_000 && many > 50_000_000);
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[must_use]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub fn memory(problem: &Problem, count: usize) -> u64 {
    let [items, options, entries] =
        [problem.item_count(), problem.option_count(), problem.entry_count()].map(|count| count as u64);
    // The state and the dual with 128-bit numbers, and a trail with all options of all items.
    let prices = 200 * items + 200 * options + 60 * entries;
    let masks = Cutoff::memory(problem);
    let prices = prices + linear::memory(items, options, entries);
    let cover = 200 + 4 * (problem.primary_count() as u64).min(options);
    (count as u64).saturating_mul(cover).saturating_add(prices + masks)
}

/// Budgets of the phases of [`search_with`], and the contenders that take part.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct Tuning {
    /// Maximum number of updates of the initial plain search. The default number of updates takes
    /// about 0.3 ms.
    pub plain_updates: u64,
    /// First time slice of the searches by prices and by masks (ns).
    pub turn: u64,
    /// Whether the search by masks takes part.
    pub has_masks: bool,
    /// Whether the search by linear programs takes part.
    pub has_linear: bool,
    /// Whether the search by layers takes part.
    pub has_layers: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            plain_updates: 12_000,
            turn: costs::ROUND_SLICE,
            has_masks: true,
            has_linear: true,
            has_layers: true,
        }
    }
}

/// Works like [`search`], with the given budgets for its phases.
///
/// With the default budgets, the plain search solves small problems. Tests and benchmarks use this
/// function to reach the other phases.
///
/// ```
/// use dlx::Limits;
/// use dlx::cheapest::{Tuning, search_with};
///
/// let problem: dlx::Problem = "a b\na b |5\na |1\nb |3\n".parse()?;
/// let tuning = Tuning { plain_updates: 0, has_masks: false, ..Tuning::default() };
/// let found = search_with(tuning, &problem, &[], 1, &Limits::default());
/// assert_eq!(found.covers[0].cost, 4);
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[must_use]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub fn search_with(
    tuning: Tuning,
    problem: &Problem,
    given: &[OptionId],
    count: usize,
    limits: &Limits,
) -> Cheapest {
    let mut seen = BTreeSet::new();
    let given: Vec<_> = given.iter().copied().filter(|&option| seen.insert(option)).collect();
    if count == 0 {
        let report = Report::empty(End::Limit(Limit::Solutions));
        return Cheapest { covers: Vec::new(), bound: Some(0), report };
    }
    if conflict(problem, &given).is_some() {
        return Cheapest { covers: Vec::new(), bound: None, report: Report::empty(End::Exhausted) };
    }
    let unit = Unit::new(problem, &[]);
    if unit.fits::<i64>() {
        search_in_parts::<i64>(problem, unit, &given, count, tuning, limits)
    } else {
        search_in_parts::<i128>(problem, unit, &given, count, tuning, limits)
    }
}

fn search_in_parts<N: Amount>(
    problem: &Problem,
    unit: Unit,
    given: &[OptionId],
    count: usize,
    tuning: Tuning,
    limits: &Limits,
) -> Cheapest {
    let search = Search::<N>::new(problem, unit, given, count, tuning);
    match CostParts::new(problem, &search.state, limits) {
        Ok(Some(parts)) => parts::search(&parts, tuning, problem, given, count, limits),
        Ok(None) => search.run(given, limits),
        Err(limit) => {
            let report = Report::empty(End::Limit(limit));
            Cheapest { covers: Vec::new(), bound: Some(0), report }
        }
    }
}

/// Searches a problem that consists of one part. A trial runs only the initial plain search, and
/// may return [`End::Stopped`].
fn search_connected(
    tuning: Tuning,
    problem: &Problem,
    count: usize,
    is_trial: bool,
    limits: &Limits,
) -> Cheapest {
    let unit = Unit::new(problem, &[]);
    if unit.fits::<i64>() {
        Search { is_trial, ..Search::<i64>::new(problem, unit, &[], count, tuning) }.run(&[], limits)
    } else {
        Search { is_trial, ..Search::<i128>::new(problem, unit, &[], count, tuning) }.run(&[], limits)
    }
}

/// Number of fractional bits of a price. Prices are multiples of 2^-16 units.
const SCALE_BITS: u32 = 16;
/// The plain search gets its budget of updates once more per this many entries of the problem.
const LARGE: u64 = 3000;
const ROOT_STEPS: u32 = 300;
const CHOICE_STEPS: u32 = 40;
/// Target ratio of the work of a round to the work of the previous round.
const GROWTH: f64 = 20.0;

/// Ratio of the work of a round to the work for more cliques after it.
const CLIQUE_DIVISOR: u64 = 8;

/// Returns the distance to the next horizon, which should multiply the work of a round by
/// [`GROWTH`]. `step` is the last distance, and `work` and `last_work` the work of the last two
/// rounds.
fn next_step<N: Amount>(step: N, work: u64, last_work: u64) -> N {
    let growth = (work.max(1) as f64 / last_work.max(1) as f64).ln();
    let factor = if last_work == 0 { 2.0 } else { GROWTH.ln() / growth.max(0.01) };
    let next = N::from_f64(step.to_f64() * factor.clamp(0.5, 8.0));
    next.clamp(N::new(1).shift(SCALE_BITS), N::INFINITY)
}

#[derive(Clone, Copy, Debug)]
struct Level<N> {
    mark: UndoMark<N>,
    option: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    Over,
    Paused,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Favorite {
    Prices,
    Masks,
    Linear,
    Layers,
}

struct Search<'p, N> {
    problem: &'p Problem,
    unit: Unit,
    count: usize,
    given_count: usize,
    tuning: Tuning,
    is_trial: bool,
    state: State<N>,
    /// The options of each clique. The state has each clique as a secondary item, in addition to
    /// the problem's items.
    cliques: Vec<Vec<u32>>,
    dual: Dual,
    levels: Vec<Level<N>>,
    masked: Option<Box<Masked<N>>>,
    linear: Option<Box<Linear<N>>>,
    layers: Option<Box<Layers<N>>>,
    has_root: bool,
    favorite: Favorite,
    /// The fraction of the last round that the bit-mask search has completed. In earlier rounds it
    /// is 0.
    fraction: f64,
    /// The best covers so far, at most `count`, without the given options.
    best: BTreeSet<(u128, Vec<OptionId>)>,
    horizon: N,
    /// Every cover not in `best` costs at least this much, or at least as much as the last cover of
    /// `best`.
    floor: u128,
}

impl<'p, N: Amount> Search<'p, N> {
    fn new(problem: &'p Problem, unit: Unit, given: &[OptionId], count: usize, tuning: Tuning) -> Self {
        let mut state = State::new(problem, &[], |option| unit.scale(u128::from(problem.cost(option))));
        for option in given {
            state.choose(option.index() as u32);
        }
        state.exclude_idle(problem);
        Self {
            problem,
            unit,
            count,
            given_count: given.len(),
            tuning,
            is_trial: false,
            state,
            cliques: Vec::new(),
            dual: Dual::default(),
            levels: Vec::new(),
            masked: None,
            linear: None,
            layers: None,
            has_root: false,
            favorite: match tuning {
                Tuning { has_masks: false, has_linear: true, .. } => Favorite::Linear,
                Tuning { has_masks: false, has_layers: true, .. } => Favorite::Layers,
                _ => Favorite::Masks,
            },
            fraction: 0.0,
            best: BTreeSet::new(),
            horizon: N::INFINITY,
            floor: 0,
        }
    }

    fn run(mut self, given: &[OptionId], limits: &Limits) -> Cheapest {
        let limits = limits.clone().nodes_expected(None);
        let mut meter = Meter::new(&limits, self.problem.primary_count());
        let entered = meter.enter(0, self.state.updates, || 0.0);
        let end = match entered.and_then(|()| self.optimize(&mut meter)) {
            Ok(Round::Over) => End::Exhausted,
            Ok(Round::Paused) => End::Stopped,
            Err(limit) => End::Limit(limit),
        };
        let is_full = self.best.len() == self.count;
        let bound = match (end, self.best.last()) {
            (End::Exhausted, last) => last.filter(|_| is_full).map(|&(cost, _)| cost),
            (_, Some(&(cost, _))) if is_full => Some(self.floor.min(cost)),
            _ => Some(self.floor),
        };
        let mut report = meter.report(end, self.state.updates);
        report.solutions = self.best.len() as u64;
        let covers = self.best.into_iter().map(|(cost, rest)| {
            let options = given.iter().copied().chain(rest).collect();
            CostedCover { cost, options }
        });
        Cheapest { covers: covers.collect(), bound, report }
    }

    fn optimize(&mut self, meter: &mut Meter<'_>) -> Result<Round, Limit> {
        let root = self.state.mark();
        if self.state.settle() != Settled::Open {
            return Ok(Round::Over);
        }
        self.floor = self.unit.round_up(self.state.bound);
        let factor = 1 + self.problem.entry_count() as u64 / LARGE;
        let updates = self.tuning.plain_updates.saturating_mul(factor);
        if self.round(meter, self.state.updates.saturating_add(updates))? == Round::Over {
            return Ok(Round::Over);
        }
        if self.is_trial {
            return Ok(Round::Paused);
        }
        self.state.undo(root);
        self.state.limit = self.best_limit();
        if self.improve_prices(ROOT_STEPS, meter.limits())? != Settled::Open {
            return Ok(Round::Over);
        }
        if self.tuning.has_masks {
            self.masked = Masked::new(self.problem).map(Box::new);
        }
        let (limits, basis, cores) = (meter.limits().clone(), Basis::default(), Cores::new(0));
        let new_tally = || Tally::new(self.problem, &basis, &limits, &cores);
        let mut tally = (self.given_count == 0).then(new_tally);
        self.layers = self.tuning.has_layers.then(|| Box::new(Layers::new(self.problem, self.count)));
        self.begin_linear();
        let mut step = self.first_step();
        self.move_horizon(self.state.bound + step);
        let mut last_work = 0;
        loop {
            // Options removed because of the best covers stay removed. Options removed because of
            // the horizon are restored after the round.
            self.state.limit = self.best_limit();
            if self.state.settle() != Settled::Open {
                return Ok(Round::Over);
            }
            self.floor = self.floor.max(self.unit.round_up(self.state.bound));
            let root = self.state.mark();
            self.state.limit = self.limit();
            self.state.was_cut = false;
            let is_open = self.state.settle() == Settled::Open;
            let outcome = if is_open { self.race(meter, &mut tally)? } else { Outcome::Over(0) };
            self.state.undo(root);
            let work = match outcome {
                Outcome::Over(work) if self.state.was_cut && !self.is_last_round() => work,
                Outcome::Over(_) | Outcome::None => return Ok(Round::Over),
                Outcome::Root => {
                    self.take_root();
                    let work = self.linear.as_ref().map_or(0, |linear| linear.clique_work());
                    self.add_cliques(work, meter.limits())?;
                    step = self.near_step(step);
                    // All covers below the floor are known.
                    let least = self.unit.scale::<N>(self.floor);
                    self.move_horizon((self.state.bound + step).max(least));
                    last_work = 0;
                    continue;
                }
            };
            self.floor = self.floor.max(self.unit.round_up(self.horizon + N::new(1)));
            if self.has_root {
                self.add_cliques(work / CLIQUE_DIVISOR, meter.limits())?;
            }
            step = next_step(step, work, last_work);
            self.move_horizon(self.horizon + step);
            last_work = work;
        }
    }

    fn move_horizon(&mut self, to: N) {
        let is_finite = to < N::INFINITY;
        self.horizon = if is_finite { self.unit.scale(self.unit.round_up(to)) } else { N::INFINITY };
    }

    fn is_last_round(&self) -> bool {
        self.horizon >= self.best_limit()
    }

    fn run_masked(
        &mut self,
        masked: &mut Masked<N>,
        work: u64,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Limit> {
        let (limit, mut updates) = (self.limit(), self.state.updates);
        let is_last = self.is_last_round();
        let is_over = masked.run(work, limit, is_last, meter, &mut updates, &mut |options| {
            self.record(options);
            self.limit()
        });
        self.state.updates = updates;
        self.fraction = if is_last { masked.fraction() } else { 0.0 };
        is_over
    }

    fn run_layers(
        &mut self,
        layers: &mut Layers<N>,
        work: u64,
        meter: &mut Meter<'_>,
    ) -> Result<LayersEnd, Limit> {
        let (limit, mut updates) = (self.limit(), self.state.updates);
        let end = layers.run(work, limit, meter, &mut updates, &mut |options| {
            self.record(options);
            self.limit()
        });
        self.state.updates = updates;
        end
    }

    fn run_linear(
        &mut self,
        linear: &mut Linear<N>,
        work: u64,
        meter: &mut Meter<'_>,
    ) -> Result<RunEnd, Limit> {
        // The root relaxation serves all rounds, so it ignores the horizon of this round.
        linear.state.limit =
            if self.has_root { linear.state.limit.min(self.limit()) } else { self.best_limit() };
        let (wants_all, updates) = (self.count > 1, linear.updates());
        let progress = linear.run(work, wants_all, meter, self.state.updates, &mut |options| {
            self.record(options);
            self.limit()
        });
        self.state.updates += linear.updates() - updates;
        progress
    }

    fn improve_prices(&mut self, steps: u32, limits: &Limits) -> Result<Settled, Limit> {
        // Improving prices is skipped if sums might overflow. Without it, 128 bits always suffice.
        if self.unit.fits::<N>() {
            let unit = N::new(1).shift(SCALE_BITS);
            let largest = N::new(i128::from(self.unit.largest)).shift(SCALE_BITS);
            self.dual.improve(&mut self.state, unit, largest, steps, limits)?;
        }
        Ok(self.state.settle())
    }

    fn first_step(&self) -> N {
        let limit = self.best_limit();
        let gap = if limit < N::INFINITY { limit - self.state.bound } else { self.state.bound };
        gap.half().half().half().half()
    }

    fn best_limit(&self) -> N {
        match self.best.last() {
            Some(&(cost, _)) if self.best.len() == self.count => {
                self.unit.scale::<N>(cost) - N::new(1).shift(SCALE_BITS)
            }
            _ => N::INFINITY,
        }
    }

    fn limit(&self) -> N {
        self.best_limit().min(self.horizon)
    }

    /// Continues the depth-first search by prices for all covers within the limit, until the state
    /// has made `updates` updates.
    fn round(&mut self, meter: &mut Meter<'_>, updates: u64) -> Result<Round, Limit> {
        let improves_prices = self.horizon < N::INFINITY;
        let mut is_first_choice = false;
        loop {
            let mut is_promising = self.state.settle() == Settled::Open;
            if is_promising && is_first_choice {
                is_promising = self.improve_prices(CHOICE_STEPS, meter.limits())? == Settled::Open;
            }
            is_first_choice = false;
            if is_promising {
                match self.state.branch(self.count > 1) {
                    CostBranch::Cover => {
                        let chosen = self.state.chosen().to_vec();
                        self.record(&chosen);
                    }
                    CostBranch::On(_) if self.state.updates >= updates => {
                        return Ok(Round::Paused);
                    }
                    CostBranch::On(option) => {
                        let level = self.levels.len() + 1;
                        meter.enter(level, self.state.updates, || self.fraction)?;
                        self.levels.push(Level { mark: self.state.mark(), option });
                        self.state.choose(option);
                        is_first_choice = level == 1 && improves_prices;
                        continue;
                    }
                }
            }
            let Some(Level { mark, option }) = self.levels.pop() else {
                return Ok(Round::Over);
            };
            self.state.undo(mark);
            self.state.exclude(option);
        }
    }

    /// Records the cover `chosen` if it is one of the cheapest covers. A round may find covers of
    /// earlier rounds again.
    fn record(&mut self, chosen: &[u32]) {
        let option = |&number: &u32| OptionId::new(number as usize);
        let cost = chosen.iter().map(|o| u128::from(self.problem.cost(option(o)))).sum();
        let mut rest: Vec<_> = chosen[self.given_count..].iter().map(option).collect();
        rest.sort_unstable();
        self.best.insert((cost, rest));
        if self.best.len() > self.count {
            self.best.pop_last();
        }
        self.state.limit = self.limit();
    }
}

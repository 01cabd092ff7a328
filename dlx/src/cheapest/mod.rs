//! The cheapest covers of a problem whose options have costs, proven to be the cheapest.
//!
//! Branch and bound with prices. Every item has a price, and the cost of an option less the prices of
//! its items is its reduced cost. As long as no reduced cost is negative, the prices of the items still
//! to be covered are a lower bound for what covering them costs, and an option whose reduced cost
//! exceeds the gap between that bound and the limit can be left out. The search has three parts:
//! 1. a plain search, the cheapest option of the item with the fewest ones first, with prices raised one at
//!    a time after every choice (`state`). It is all that an easy problem needs, and gives a first limit;
//! 2. good prices for all items at once, from the Lagrangian relaxation by subgradients (`dual`);
//! 3. rounds with a growing horizon: only covers whose cost is within it are searched. A round is exact, so
//!    it needs no luck with first covers: where the horizon has passed the cost of the last cover wanted,
//!    the covers are proven to be the cheapest. It grows by steps for which the work should grow some twenty
//!    times, so the rounds before the last count for little.
//!
//! A round is a race of searches (`race.rs`). That by prices (`state`) chooses an option or excludes it; after
//! an exclusion the prices rise again, and the next item may be another one. That by masks (`masked`)
//! leaves the prices as they are at the root, and its nodes take 0.1 us instead of 10: on tilings, where
//! new prices save three to ten times the nodes, it is 2 to 10 times as fast; with colors or where the
//! gap is wide it may be slower. They go on in slices that get longer, and the one that won the last
//! round has four times the share; so the slower one costs a quarter more time, or a wrong favorite
//! a few times as much. Slices are measured by work that is counted, not by the wall's clock, so that a search is
//! the same every time.
//!
//! A third one solves a linear program at each node (`linear`), which gives the best prices there are. Crews' schedules
//! need them: of 46 problems of the OR-Library the other two leave 15 open after some 3 s of processor time; all but two
//! of these take 0.01 to 4 s with it (`sppaa04` 19, `sppaa01` 22). It begins with the root. If that raises the bound by
//! an eighth of the gap, the prices are everybody's, cliques of options in conflict that its optimum does not meet become
//! secondary items of all (`root.rs`), the first horizon is one that leaves few options, and the search by
//! linear programs is the favorite; if not, it is out of the race.
//!
//! A problem that falls into parts which share no item is searched part by part (`parts`), and the covers are joined
//! (`join`), since a search of the whole looks at all its items at each of its nodes: 150,000 parts of three options took 117 s, and
//! take less than a second.
//!
//! Exactness: prices are integers, in 65536ths of the greatest common divisor of all costs, of 64 bits
//! where all sums fit and else of 128. Floating point only proposes prices and horizons, which are right
//! whatever they are; nothing is left out but by comparing integers.
//!
//! Sources: reduced costs and a growing horizon are old (Garfinkel and Nemhauser 1969 for the cutoff,
//! Held and Karp 1971 for subgradients, Korf 1985 for the horizon); Knuth's DLX5 has the taxes of the
//! root.
//!
//! On 69 problems with 1, 10 and 100 covers wanted, where both end within 15 s, DLX5 takes 7.5 times as
//! long on tilings (9.0 where it takes a millisecond) and 3.5 times on others (6.8), in the geometric
//! mean. With random costs and one cover: 6x10 pentominoes 387 ms, here 34; 3x20 45, here 9; one-sided
//! ones on 3x30 4735, here 319; 16 queens 56, here 1.8; 7x7 Latin squares 6630, here 1.7.
//!
//! Tried and dropped: new prices by 5 to 40 subgradients at every node, not only at the root and after
//! the first choices (up to 3.4 times fewer nodes on tilings, in as much time or more); leaving options
//! beyond the gap in their sets until they are met (up to 1.7 times the nodes); branching only among the
//! items with the fewest options (1.9 times the nodes on a problem with colors), among those with up to
//! twice as many (2.5 times on a tiling), or among all (4 times the time on tilings); sets with the
//! items and places of entries in one record instead of three arrays (as fast). For the race: masks
//! below the first choices by prices, with new prices for each (half the time on the hardest tilings, 3
//! times on the others, since the tables are made anew); masks below nodes with few live options (slower
//! on all tilings); a third search without horizon, to come upon first covers and to end where there are
//! none (20 % faster on Langford pairs without covers, up to twice slower elsewhere); a race before
//! there are good prices (up to 5 times slower on assignments); horizons that let the work grow 4 or 6
//! times (24 and 11 % more time in all), or 40 to 80 times (2 %).
//!
//! Not as good as it should be: where there are no covers, all is searched some four times (8x8 dominoes
//! without two corners: 108 ms, DLX5 49 ms); where all costs are equal, the first cover ends the search
//! of DLX5 (3x20 pentominoes: 0.4 ms, here 4.8 ms, most of it for prices and tables); and what takes
//! less than a millisecond may take DLX5 half the time (a few random problems with costs of 0 and 1).

mod amount;
mod dual;
mod join;
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
use self::linear::{Linear, Progress};
use self::masked::Masked;
use self::parts::CostParts;
use self::race::Outcome;
use self::state::{Branch, Mark, Settled, State};
use self::unit::Unit;
use crate::engine::Cutoff;
use crate::limits::{Limit, Limits};
use crate::methods::{Basis, Tally};
use crate::model::{OptionId, Problem};
use crate::parallel::Cores;
use crate::portfolio::costs;
use crate::search::{End, Meter, Report};
use crate::trust::conflict;

/// A cover with what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Priced {
    /// The sum of the costs of its options; 128 bits hold every such sum.
    pub cost: u128,
    /// The options given to the search, then the others in order of definition.
    pub options: Vec<OptionId>,
}

/// What a search for the cheapest covers found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cheapest {
    /// The covers from the cheapest up: as many as were asked for, if there are so many.
    pub covers: Vec<Priced>,
    /// What every cover that is not among `covers` costs at least; `None` if there is no other.
    pub bound: Option<u128>,
    /// How the search ended: with [`End::Exhausted`] the covers are proven to be the cheapest, otherwise
    /// they are the best so far. `solutions` is the number of `covers`; a node is an option chosen; an update
    /// is an option removed, a reduced cost changed, or a block of a mask combined.
    pub report: Report,
}

/// Finds the `count` cheapest exact covers that contain the options of `given`.
///
/// Which of several covers of the same cost are found depends on nothing but the problem, `given` and
/// `count`. Options without a cost cost 0. Ignores `limits.solutions`
/// (use `count`), `limits.rest`, and `limits.nodes_expected`, since how far a search is shows only at its end. As for an
/// engine, `given` is a set, and if two of its options conflict there is no cover.
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

/// Returns about how many bytes a search for the `count` cheapest covers takes at most, if there are so
/// many.
///
/// ```
/// let problem: dlx::Problem = "a b\na |1\nb |2\na b |4\n".parse()?;
/// let (one, many) = (dlx::cheapest::memory(&problem, 1), dlx::cheapest::memory(&problem, 1_000_000));
/// assert!(one < 10_000 && many > 50_000_000);
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[must_use]
pub fn memory(problem: &Problem, count: usize) -> u64 {
    let [items, options, entries] =
        [problem.item_count(), problem.option_count(), problem.entry_count()].map(|count| count as u64);
    // The state and the dual, with numbers of 128 bits at worst, and all options of all items on the trail.
    let prices = 200 * items + 200 * options + 60 * entries;
    let masks = Cutoff::memory(problem);
    let prices = prices + linear::memory(items, options, entries);
    let cover = 200 + 4 * (problem.primary_count() as u64).min(options);
    (count as u64).saturating_mul(cover).saturating_add(prices + masks)
}

/// How long the phases of [`search_with`] take, and what takes part.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Updates of the plain search at the beginning; by default some 0.3 ms.
    pub plain_updates: u64,
    /// The first slice of the search by prices and of that by masks, in nanoseconds.
    pub turn: u64,
    /// Whether masks take part.
    pub has_masks: bool,
    /// Whether linear programs take part.
    pub has_linear: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { plain_updates: 12_000, turn: costs::ROUND_SLICE, has_masks: true, has_linear: true }
    }
}

/// Does what [`search`] does, with other budgets for its phases.
///
/// Small problems never get beyond the plain search of the default: this is for whoever tests or measures the others.
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

/// Searches the parts of the problem one by one, if it falls into several.
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

/// Searches a problem of one part. If it is a trial, only the plain search of the beginning takes place, and if that is
/// not over, the search has been stopped.
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

/// Prices are counted in this fraction of a unit: 2^-16.
const SCALE_BITS: u32 = 16;
/// The plain search gets one more budget for every this many entries.
const LARGE: u64 = 3000;
/// How often the prices of all items are changed before the first round.
const ROOT_STEPS: u32 = 300;
/// How often they are changed after each first choice.
const CHOICE_STEPS: u32 = 40;
/// The work of a round should be that of the one before times this.
const GROWTH: f64 = 20.0;

/// Returns how far the next horizon should be from one that took `work`, which was `step` from one before,
/// that took `last_work`: so far that the work grows as it should if it grows as it did.
fn next_step<N: Amount>(step: N, work: u64, last_work: u64) -> N {
    let growth = (work.max(1) as f64 / last_work.max(1) as f64).ln();
    let factor = if last_work == 0 { 2.0 } else { GROWTH.ln() / growth.max(0.01) };
    let next = N::from_f64(step.to_f64() * factor.clamp(0.5, 8.0));
    next.clamp(N::new(1).shift(SCALE_BITS), N::INFINITY)
}

/// A choice, with the state before it.
#[derive(Clone, Copy, Debug)]
struct Level<N> {
    mark: Mark<N>,
    option: u32,
}

/// How far a round of the search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// Every cover within the limit was found.
    Over,
    /// It had as many nodes or updates as it was allowed.
    Paused,
}

/// What searches a round by its own means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Favorite {
    Prices,
    Masks,
    Linear,
}

/// The search of one problem.
struct Search<'p, N> {
    problem: &'p Problem,
    unit: Unit,
    count: usize,
    given_count: usize,
    tuning: Tuning,
    /// Whether it ends with the plain search.
    is_trial: bool,
    state: State<N>,
    /// Secondary items that the state has beside those of the problem, each the options that have it.
    cliques: Vec<Vec<u32>>,
    dual: Dual,
    levels: Vec<Level<N>>,
    /// The search with masks, once it was needed, if they take the problem.
    masked: Option<Box<Masked<N>>>,
    /// The search with linear programs, once it was needed, as long as it promises anything.
    linear: Option<Box<Linear<N>>>,
    /// Whether the prices at the root are those of its relaxation.
    has_root: bool,
    /// What was fastest in the last round.
    favorite: Favorite,
    /// How much of the last round the masks have done, 0 before it.
    fraction: f64,
    /// The best covers so far, without the given options: at most `count`.
    best: BTreeSet<(u128, Vec<OptionId>)>,
    /// What covers may cost at most in this round.
    horizon: N,
    /// Every cover that is not among the best costs at least this, or as much as the last of them.
    floor: u128,
}

impl<'p, N: Amount> Search<'p, N> {
    /// Chooses the given options, which do not conflict.
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
            has_root: false,
            favorite: if tuning.has_linear && !tuning.has_masks {
                Favorite::Linear
            } else {
                Favorite::Masks
            },
            fraction: 0.0,
            best: BTreeSet::new(),
            horizon: N::INFINITY,
            floor: 0,
        }
    }

    /// Searches, and sums up.
    fn run(mut self, given: &[OptionId], limits: &Limits) -> Cheapest {
        let limits = Limits { nodes_expected: None, ..limits.clone() };
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
            Priced { cost, options }
        });
        Cheapest { covers: covers.collect(), bound, report }
    }

    /// Searches until the best covers are proven to be the cheapest; a trial may pause before.
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
        // What counts covers knows no given options.
        let new_tally = || Tally::new(self.problem, &basis, &limits, &cores);
        let mut tally = (self.given_count == 0).then(new_tally);
        self.begin_linear();
        let mut step = self.first_step();
        self.move_horizon(self.state.bound + step);
        let mut last_work = 0;
        loop {
            // What is too dear for the best covers is so for good, what lies beyond the horizon is not.
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
                    self.add_cliques(meter.limits())?;
                    step = self.near_step(step);
                    self.move_horizon(self.state.bound + step);
                    last_work = 0;
                    continue;
                }
            };
            self.floor = self.floor.max(self.unit.round_up(self.horizon + N::new(1)));
            step = next_step(step, work, last_work);
            self.move_horizon(self.horizon + step);
            last_work = work;
        }
    }

    /// Moves the horizon to the least possible cost from `to` on.
    fn move_horizon(&mut self, to: N) {
        let is_finite = to < N::INFINITY;
        self.horizon = if is_finite { self.unit.scale(self.unit.round_up(to)) } else { N::INFINITY };
    }

    /// Tells whether the horizon is beyond all covers wanted, so that no other round can follow.
    fn is_last_round(&self) -> bool {
        self.horizon >= self.best_limit()
    }

    /// Goes on with masks, and tells whether they have done it.
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

    /// Goes on with linear programs until all their work is `work`.
    fn run_linear(
        &mut self,
        linear: &mut Linear<N>,
        work: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Progress, Limit> {
        // The relaxation of the root is for all rounds, whatever the horizon of this one.
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

    /// Seeks better prices for all items, and settles them.
    fn improve_prices(&mut self, steps: u32, limits: &Limits) -> Result<Settled, Limit> {
        // Without it the numbers fit: 64 bits of cost, 31 of entries and 16 of fractions.
        if self.unit.fits::<N>() {
            let unit = N::new(1).shift(SCALE_BITS);
            let largest = N::new(i128::from(self.unit.largest)).shift(SCALE_BITS);
            self.dual.improve(&mut self.state, unit, largest, steps, limits)?;
        }
        Ok(self.state.settle())
    }

    /// Returns how far from the bound of the root the first horizon should be: a sixteenth of the gap.
    fn first_step(&self) -> N {
        let limit = self.best_limit();
        let gap = if limit < N::INFINITY { limit - self.state.bound } else { self.state.bound };
        gap.half().half().half().half()
    }

    /// Returns what covers may cost at most to be wanted, as far as the best so far say.
    fn best_limit(&self) -> N {
        match self.best.last() {
            Some(&(cost, _)) if self.best.len() == self.count => {
                self.unit.scale::<N>(cost) - N::new(1).shift(SCALE_BITS)
            }
            _ => N::INFINITY,
        }
    }

    /// Returns what covers may cost at most to be wanted in this round.
    fn limit(&self) -> N {
        self.best_limit().min(self.horizon)
    }

    /// Goes on with the search of all covers within the limit by prices, depth first, until there were so
    /// many updates.
    fn round(&mut self, meter: &mut Meter<'_>, updates: u64) -> Result<Round, Limit> {
        // Not in the plain search.
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
                    Branch::Cover => {
                        let chosen = self.state.chosen().to_vec();
                        self.record(&chosen);
                    }
                    Branch::On(_) if self.state.updates >= updates => {
                        return Ok(Round::Paused);
                    }
                    Branch::On(option) => {
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

    /// Keeps the cover that was found if it is one of the cheapest. A round may find those of an earlier
    /// one again.
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

//! The cheapest covers of a problem whose options have costs, with proof that there are no cheaper ones.

mod amount;
mod dual;
mod state;

use std::collections::BTreeSet;

use self::amount::Amount;
use self::state::{Branch, Mark, Settled, State};
use crate::search::Meter;
use crate::{End, Limit, Limits, OptionId, Problem, Report, conflict};

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
    /// The covers from the cheapest up, as many as were asked for if there are so many.
    pub covers: Vec<Priced>,
    /// No cover other than these costs less than this, nor less than the last of them if the search was
    /// not cut short; `None` if there is no other cover.
    pub bound: Option<u128>,
    /// How the search ended. At [`End::Exhausted`] the covers are proven to be the cheapest; otherwise they are
    /// the best so far. `solutions` is the number of `covers`.
    pub report: Report,
}

/// Finds the `count` cheapest exact covers that contain the options of `given`.
pub fn search(problem: &Problem, given: &[OptionId], count: usize, limits: &Limits) -> Cheapest {
    let costs = Costs::new(problem);
    if costs.fit::<i64>() {
        Search::<i64>::new(problem, costs, count).run(given, limits)
    } else {
        Search::<i128>::new(problem, costs, count).run(given, limits)
    }
}

/// In what unit costs are counted.
#[derive(Clone, Copy, Debug)]
struct Costs {
    /// The greatest common divisor of all costs, 1 if all are 0.
    unit: u64,
    /// No bound and no reduced cost gets larger than this many units.
    magnitude: u128,
}

impl Costs {
    fn new(problem: &Problem) -> Self {
        let costs = || problem.options().map(|option| problem.cost(option));
        let unit = costs().fold(0, gcd).max(1);
        let largest = u128::from(costs().max().unwrap_or(0) / unit);
        let magnitude = (largest + 1) * (problem.entry_count() as u128 + 1);
        Self { unit, magnitude }
    }

    fn fit<N: Amount>(&self) -> bool {
        self.magnitude >> (N::BITS - SCALE_BITS) == 0
    }
}

/// Prices are counted in this fraction of a unit of cost: 2^-16.
const SCALE_BITS: u32 = 16;

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A choice to come back to.
#[derive(Clone, Copy, Debug)]
struct Level<N> {
    mark: Mark<N>,
    option: u32,
}

/// The best covers so far, by cost.
type Best = BTreeSet<(u128, Vec<OptionId>)>;

/// How a round of the search ended.
enum Round {
    /// Every cover within the limit was found.
    Over,
    /// It had as many nodes as it was allowed.
    Budget,
    /// A limit of the caller.
    Limit(Limit),
}

/// The search.
struct Search<'p, N> {
    problem: &'p Problem,
    costs: Costs,
    count: usize,
    state: State<N>,
    levels: Vec<Level<N>>,
    best: Best,
    /// The limit that this round works with, on top of what the best covers say.
    horizon: N,
    given_len: usize,
    dual: dual::Dual,
}

impl<'p, N: Amount> Search<'p, N> {
    fn new(problem: &'p Problem, costs: Costs, count: usize) -> Self {
        let cost = |option| N::new(i128::from(problem.cost(option) / costs.unit) << SCALE_BITS);
        Self {
            problem,
            costs,
            count,
            state: State::new(problem, cost),
            levels: Vec::new(),
            best: Best::new(),
            horizon: N::INFINITY,
            given_len: 0,
            dual: dual::Dual::default(),
        }
    }

    /// Searches, and sums up.
    fn run(mut self, given: &[OptionId], limits: &Limits) -> Cheapest {
        let mut meter = Meter::new(limits, self.problem.primary_count());
        let mut seen = BTreeSet::new();
        let given: Vec<_> = given.iter().copied().filter(|&option| seen.insert(option)).collect();
        let (end, proven) = if conflict(self.problem, &given).is_some() || self.count == 0 {
            (End::Exhausted, None)
        } else {
            self.begin(&given);
            self.optimize(&mut meter)
        };
        let updates = self.state.updates;
        let mut report = meter.report(end, updates);
        report.solutions = self.best.len() as u64;
        let covers = self.best.into_iter().map(|(cost, rest)| {
            let options = given.iter().copied().chain(rest).collect();
            Priced { cost, options }
        });
        Cheapest { covers: covers.collect(), bound: proven, report }
    }

    fn begin(&mut self, given: &[OptionId]) {
        for &option in given {
            self.state.choose(option.index() as u32);
        }
        self.given_len = given.len();
        self.state.exclude_idle(self.problem);
    }

    fn optimize(&mut self, meter: &mut Meter<'_>) -> (End, Option<u128>) {
        if let Err(limit) = meter.enter(0, self.state.updates, || 0.0) {
            return (End::Limit(limit), Some(0));
        }
        // First a plain search, cheapest option first: it is all that an easy problem needs.
        let mut budget = PLAIN_NODES;
        let mut is_plain = true;
        loop {
            // What is too dear for the best covers so far is so for good, what lies beyond the horizon is not.
            self.state.limit = self.best_limit();
            if self.state.settle() != Settled::Open {
                return (End::Exhausted, None);
            }
            let root = self.state.mark();
            self.state.was_cut = false;
            self.heed_best();
            let round = self.round(meter, budget);
            let was_cut = self.state.was_cut;
            self.state.undo(root);
            match round {
                Round::Limit(limit) => return (End::Limit(limit), Some(self.in_costs(root_bound(root)))),
                Round::Over => {
                    if !was_cut || self.horizon >= self.best_limit() {
                        return (End::Exhausted, None);
                    }
                    let step = self.horizon - self.state.bound;
                    self.horizon = self.state.bound + step.times(4);
                }
                Round::Budget => {}
            }
            if is_plain {
                is_plain = false;
                budget = u64::MAX;
                self.heed_best();
                let before = self.state.bound.to_f64() / 65536.0;
                let target = self.best_limit() ;
                let target = (target < N::INFINITY).then(|| (target - self.state.bound).to_f64());
                self.dual.improve(&mut self.state, target, 300);
                let mid = self.state.bound.to_f64() / 65536.0;
                let live = self.state.live().len();
                self.state.limit = self.best_limit();
                self.state.settle();
                eprintln!("bound {before:.2} -> {mid:.2} -> {:.2} upper {:?} live {live} -> {}", self.state.bound.to_f64() / 65536.0, self.best.first().map(|b| b.0), self.state.live().len());
                self.horizon = self.first_horizon();
            }
        }
    }

    /// Returns the horizon of the first round after the plain search.
    fn first_horizon(&self) -> N {
        let bound = self.state.bound.to_f64();
        let unit = f64::from(1 << SCALE_BITS);
        let gap = if self.best.len() < self.count {
            bound.abs() / 16.0 + unit
        } else {
            self.best_limit().to_f64() - bound
        };
        N::from_f64(bound + (gap / 16.0).max(unit / 4.0))
    }

    /// Returns what covers may cost at most to be wanted, as far as the best so far say.
    fn best_limit(&self) -> N {
        match self.best.last() {
            Some(&(cost, _)) if self.best.len() >= self.count => {
                let units = cost / u128::from(self.costs.unit);
                N::new((units as i128 - 1) << SCALE_BITS)
            }
            _ => N::INFINITY,
        }
    }

    fn heed_best(&mut self) {
        self.state.limit = self.best_limit().min(self.horizon);
    }

    /// Returns the least cost that a cover of this bound can have.
    fn in_costs(&self, bound: N) -> u128 {
        let units = bound.to_f64() / f64::from(1 << SCALE_BITS);
        (units.max(0.0) as u128) * u128::from(self.costs.unit)
    }

    /// Searches all covers within the limit, depth first.
    fn round(&mut self, meter: &mut Meter<'_>, budget: u64) -> Round {
        let mut nodes = 0;
        loop {
            if self.state.settle() == Settled::Open {
                match self.state.branch(self.count > 1) {
                    Branch::On(option) => {
                        if nodes >= budget {
                            self.levels.clear();
                            return Round::Budget;
                        }
                        nodes += 1;
                        let level = self.levels.len() + 1;
                        if let Err(limit) = meter.enter(level, self.state.updates, || 0.0) {
                            self.levels.clear();
                            return Round::Limit(limit);
                        }
                        self.levels.push(Level { mark: self.state.mark(), option });
                        self.state.choose(option);
                        continue;
                    }
                    Branch::Cover => self.record(),
                }
            }
            let Some(Level { mark, option }) = self.levels.pop() else {
                return Round::Over;
            };
            self.state.undo(mark);
            self.state.exclude(option);
        }
    }

    /// Keeps the cover that was found if it is one of the cheapest.
    fn record(&mut self) {
        let option = |&number: &u32| OptionId::new(number as usize);
        let cost = self.state.chosen().iter().map(|o| u128::from(self.problem.cost(option(o)))).sum();
        let mut rest: Vec<_> = self.state.chosen()[self.given_len..].iter().map(option).collect();
        rest.sort_unstable();
        self.best.insert((cost, rest));
        if self.best.len() > self.count {
            self.best.pop_last();
        }
        self.heed_best();
    }
}

fn root_bound<N: Amount>(mark: Mark<N>) -> N {
    mark.bound
}

/// Nodes of the plain search at the beginning.
const PLAIN_NODES: u64 = 300;

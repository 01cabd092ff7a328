//! Counting covers without going through them, exact at any size.
//!
//! A [`Counter`] reduces the problem, merges options that are alike, splits what is left into independent
//! parts, and counts each in the way that turns out to be the fastest (`race.rs`):
//! - a *frontier* (`frontier/`): all states of a step at once, in an order of the items in which few are
//!   open at a time; numbers of any size cost no more than the states;
//! - plain *search* by the engine that fits, where covers are few.
//!
//! Numbers are exact: they have as many bits as they need. Keys are compared in full.

mod frontier;
mod layout;
mod order;
mod race;
mod watch;
mod ways;
mod weighted;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use self::race::{Finish, Way, race};
pub(crate) use self::watch::{Cut, Watch};
use self::ways::{InOrder, Search};
pub(crate) use self::weighted::{Parts, Weighted};
use crate::parallel::Cores;
use crate::{End, Engine, Limit, Limits, OptionId, Problem, Report, Solver};

/// A search that is over after so many nodes needs no other way: a millisecond or so.
const SHORT_NODES: u64 = 20_000;
/// What a count may hold, in bytes, if no limit says so.
const BYTES: usize = 2 << 30;
/// Orders that take part in the race.
const ORDERS: usize = 3;

/// Counts the covers of a problem without going through them one by one, where that is faster.
///
/// ```
/// use dlx::count::Counter;
/// use dlx::Limits;
///
/// // Dominoes on a board of 16x16: a number of 31 digits.
/// let square = |row: usize, column: usize| format!("{row}.{column}");
/// let squares: Vec<_> = (0..256).map(|place| square(place / 16, place % 16)).collect();
/// let mut text = squares.join(" ") + "\n";
/// for (row, column) in (0..256).map(|place| (place / 16, place % 16)) {
///     if column < 15 {
///         text += &format!("{} {}\n", square(row, column), square(row, column + 1));
///     }
///     if row < 15 {
///         text += &format!("{} {}\n", square(row, column), square(row + 1, column));
///     }
/// }
/// let problem: dlx::Problem = text.parse()?;
/// let report = Counter::new(problem).count(&[], &Limits::default());
/// assert_eq!(report.total().to_string(), "2444888770250892795802079170816");
/// # Ok::<(), dlx::ParseError>(())
/// ```
pub struct Counter {
    problem: Arc<Problem>,
    cores: Arc<Cores>,
    solver: Solver,
    plan: CountPlan,
}

/// What a [`Counter`] made of its problem in the last count.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CountPlan {
    /// Whether a search of the whole problem was over soon, so that nothing else was tried.
    pub is_short: bool,
    /// What the search says then.
    pub search: String,
    /// The independent parts, the smallest first.
    pub parts: Vec<PartCount>,
}

/// How a part was counted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartCount {
    /// Items of the part.
    pub items: usize,
    /// Options of the part.
    pub options: usize,
    /// The way that came first.
    pub way: &'static str,
    /// What it did.
    pub explanation: String,
    /// The ways that took part, with the time that each took.
    pub field: Vec<(&'static str, Duration)>,
}

impl Counter {
    /// Makes a counter of `problem`. Nothing is done yet.
    #[must_use]
    pub fn new(problem: impl Into<Arc<Problem>>) -> Self {
        let problem = problem.into();
        let (solver, cores) = (Solver::new(Arc::clone(&problem)), Cores::new(0));
        Self { problem, cores, solver, plan: CountPlan::default() }
    }

    /// Returns this counter such that it calls in those of `cores` that are idle.
    #[must_use]
    pub fn on(mut self, cores: &Arc<Cores>) -> Self {
        self.cores = Arc::clone(cores);
        self.solver = self.solver.on(cores);
        self
    }

    /// Returns how the last count was made.
    #[must_use]
    pub fn explain(&self) -> &CountPlan {
        &self.plan
    }

    /// Counts the covers that contain the options of `given`.
    ///
    /// With a limit of solutions or nodes, or a profile, it is a plain search ([`Solver`]), for only
    /// that has these.
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's.
    pub fn count(&mut self, given: &[OptionId], limits: &Limits) -> Report {
        self.plan = CountPlan::default();
        let is_search =
            limits.solutions.is_some() || limits.nodes.is_some() || limits.profile || limits.rest;
        let short = Limits { nodes_expected: Some(SHORT_NODES), ..limits.clone() };
        let report = self.solver.count(given, if is_search { limits } else { &short });
        if is_search || report.end != End::Limit(Limit::Nodes) {
            self.plan.is_short = true;
            self.plan.search = self.solver.explain().to_string();
            return report;
        }
        let (nodes, updates, least) = (report.nodes, report.updates, report.solutions);
        let report = |end, total: BigUint| Report { nodes, updates, ..Report::counted(end, total) };
        let Some(parts) = Parts::new(&self.problem, given) else {
            return report(End::Exhausted, BigUint::ZERO);
        };
        let mut total = parts.factor();
        let mut end = End::Exhausted;
        for part in &parts.parts {
            let finish = self.count_part(part, limits);
            let Finish { result, name, explanation, field } = finish;
            let (items, options) = (part.problem.item_count(), part.problem.option_count());
            self.plan.parts.push(PartCount { items, options, way: name, explanation, field });
            match result {
                Ok(count) => total *= count,
                Err(cut) => {
                    end = End::Limit(match cut {
                        Cut::Limit(limit) => limit,
                        _ => Limit::Memory,
                    });
                }
            }
            if total == BigUint::ZERO {
                return report(End::Exhausted, total);
            }
            if end != End::Exhausted {
                return report(end, least.into());
            }
        }
        report(end, total)
    }

    fn count_part(&self, part: &Weighted, limits: &Limits) -> Finish {
        let orders = order::candidates(&part.problem);
        let in_order = |order| Box::new(InOrder::new(part, order)) as Box<dyn Way>;
        let mut ways: Vec<_> = orders.into_iter().take(ORDERS).map(in_order).collect();
        ways.insert(1.min(ways.len()), Box::new(Search::new(part, &self.cores)));
        race(ways, limits, limits.memory.unwrap_or(BYTES))
    }
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counter")
            .field("problem", &self.problem)
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}

impl CountPlan {
    /// Returns the name of the way by which the largest part was counted.
    #[must_use]
    pub fn way(&self) -> &'static str {
        self.parts.last().map_or("search", |part| part.way)
    }
}

impl fmt::Display for CountPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_short {
            return write!(f, "{}", self.search);
        }
        for (number, part) in self.parts.iter().enumerate() {
            let PartCount { items, options, way, explanation, field } = part;
            let separator = if number > 0 { "; " } else { "" };
            write!(f, "{separator}{way} ({items} items, {options} options: {explanation}; ")?;
            for (place, (name, time)) in field.iter().enumerate() {
                let separator = if place > 0 { ", " } else { "" };
                write!(f, "{separator}{name} {:.1} ms", time.as_secs_f64() * 1e3)?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

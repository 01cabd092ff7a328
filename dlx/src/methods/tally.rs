//! All counting methods except plain search, as one contender for callers that run their own
//! search.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use num_bigint::BigUint;

use super::{Counting, Hints, METHODS, Orders, SLICES, algebra, search};
use crate::limits::Limits;
use crate::model::Problem;
use crate::parallel::{Cores, Parallel};
use crate::portfolio::{Budget, Clock as _, Contender, Cut, Estimate, Race, Rules, WorkClock, costs};
use crate::prepare::Weighted;

/// Largest factor by which an unreliable estimate is assumed to be too high.
const ERROR: f64 = 30.0;

#[derive(Default)]
pub(crate) struct Basis {
    whole: OnceCell<Weighted>,
    orders: Orders,
    has_cover: AtomicBool,
    engine: Cell<Option<Parallel<'static>>>,
}

pub(crate) struct Tally<'p> {
    problem: &'p Problem,
    basis: &'p Basis,
    limits: &'p Limits,
    cores: &'p Arc<Cores>,
    has_algebra: bool,
    clock: WorkClock,
    race: Option<Race<Box<Counting<'p>>>>,
}

impl<'p> Tally<'p> {
    pub(crate) fn new(
        problem: &'p Problem,
        basis: &'p Basis,
        limits: &'p Limits,
        cores: &'p Arc<Cores>,
    ) -> Self {
        let clock = WorkClock::default();
        Self { problem, basis, limits, cores, has_algebra: true, clock, race: None }
    }

    pub(crate) fn without_algebra(self) -> Self {
        Self { has_algebra: false, ..self }
    }

    fn begin(&self) -> Race<Box<Counting<'p>>> {
        let Basis { whole, orders, has_cover, engine } = self.basis;
        let part = whole.get_or_init(|| Weighted::whole(self.problem));
        let hints = Hints { cores: self.cores, modulus: None, orders, search: None, has_cover, engine };
        let is_left_out =
            |name| name == search::METHOD.name || name == algebra::METHOD.name && !self.has_algebra;
        let methods = METHODS.iter().filter(|method| !is_left_out(method.name));
        let field = methods.flat_map(|method| (method.contenders)(part, &hints));
        let race = Race::new(field, SLICES);
        self.clock.pass(self.setup() as u64);
        race
    }

    /// Starts or resumes the race with the work of `budget`.
    ///
    /// # Errors
    /// [`Cut::Work`] if the budget was too small, a limit, or the reason why the last method
    /// dropped out.
    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let begun = self.clock.now();
        let mut race = self.race.take().unwrap_or_else(|| self.begin());
        let time = Duration::from_nanos(budget.work());
        let rules = Rules { limits: self.limits, clock: &self.clock, bytes: budget.bytes, time };
        let result = race.run(&mut (), &rules, &mut |_| ());
        self.race = Some(race);
        budget.charge((self.clock.now() - begun).as_nanos() as u64);
        result
    }

    pub(crate) fn method(&self) -> Option<&'static str> {
        let race = self.race.as_ref()?;
        race.contender(race.last()?).map(Contender::<()>::name)
    }

    pub(crate) fn setup(&self) -> f64 {
        match self.race {
            None => costs::METHOD_ENTRY * self.problem.entry_count() as f64,
            Some(_) => 0.0,
        }
    }

    pub(crate) fn estimate(&self, spent: Duration) -> Estimate {
        let Some(race) = &self.race else {
            return Estimate::guess(self.setup() + costs::COUNT_UNKNOWN);
        };
        let estimate = race.estimate();
        if estimate.error.is_some() {
            return estimate;
        }
        let spent = spent.as_nanos() as f64;
        Estimate::guess((estimate.left / ERROR).max(estimate.left.min(spent)))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.race.as_ref().map_or(0, Race::bytes)
    }
}

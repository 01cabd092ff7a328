//! The method `frontier`: one frontier count (`frontier/`) per item order, for the best orders.

use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use super::method::{Count, Counting, Hints, Method, ORDERS, Orders, begun};
use crate::frontier::Frontier;
use crate::frontier::order::{FREEDOM, Order};
use crate::parallel::Cores;
use crate::portfolio::{Budget, Contender, Cut, Estimate, costs};
use crate::prepare::Weighted;

pub(crate) const METHOD: Method = Method {
    name: "frontier",
    summary: "counts all states of a step at once, in an order with few open items",
    contenders: |part, hints| {
        let new = |place| Box::new(InOrder::new(part, place, hints)) as Box<Counting<'_>>;
        (0..ORDERS).map(new).collect()
    },
};

/// Largest assumed ratio of the actual to the estimated time left once the frontier shrinks.
const ERROR: f64 = 2.0;

/// Limits of the time for sampling: the share `LOOK_SHARE` of the time spent; at first also the
/// share `LOOK_SHARE_LEFT` of the estimated time left, up to `LOOK_FIRST` nanoseconds. Sampling is
/// repeated when the time spent has grown by the factor `AGAIN`.
const LOOK_SHARE: f64 = 0.2;
const LOOK_SHARE_LEFT: f64 = 0.05;
const LOOK_FIRST: f64 = 3e6;
const AGAIN: u32 = 4;
const BEAM_MIN: f64 = 32.0;
const BEAM_MAX: f64 = 4096.0;

struct InOrder<'p> {
    part: &'p Weighted,
    cores: &'p Arc<Cores>,
    place: usize,
    orders: &'p Orders,
    frontier: Option<Frontier<'p>>,
    slices: u64,
    spent: Duration,
    counting: Duration,
    looked: Duration,
    modulus: Option<u64>,
}

impl<'p> InOrder<'p> {
    fn new(part: &'p Weighted, place: usize, hints: &Hints<'p>) -> Self {
        let Hints { cores, modulus, orders, .. } = *hints;
        let nothing = Duration::ZERO;
        Self {
            part,
            cores,
            place,
            orders,
            frontier: None,
            slices: 0,
            counting: nothing,
            looked: nothing,
            spent: nothing,
            modulus,
        }
    }
}

impl InOrder<'_> {
    fn look_ahead(&mut self, budget: &mut Budget<'_>) -> Result<(), Cut> {
        let Some(frontier) = &mut self.frontier else { return Ok(()) };
        if self.slices == 1 || frontier.is_past_growth() || frontier.is_seen() {
            return Ok(());
        }
        let mut time = 0.0_f64;
        if self.looked.is_zero() {
            time = (LOOK_SHARE_LEFT * frontier.time_left(self.counting)).min(LOOK_FIRST);
        }
        if self.spent >= AGAIN * self.looked {
            time = time.max(LOOK_SHARE * self.spent.as_nanos() as f64);
        }
        let beam = (time / frontier.beam_time()).min(BEAM_MAX).min(frontier.beam_most(budget.bytes));
        if beam >= BEAM_MIN {
            frontier.sample(beam as usize, budget)?;
            self.looked = self.spent;
        }
        Ok(())
    }
}

impl Contender for InOrder<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let new = |budget: &mut Budget<'_>| {
            let order = self.orders.of(self.part, budget).get(self.place).ok_or(Cut::Unsuited)?;
            Frontier::new(self.part, &order.items, self.cores, self.modulus, budget)
        };
        let start = budget.clock().now();
        self.slices += 1;
        begun(&mut self.frontier, budget, new)?;
        self.look_ahead(budget)?;
        let Some(frontier) = &mut self.frontier else { return Err(Cut::Unsuited) };
        let before = budget.clock().now();
        let result = frontier.run(budget);
        let now = budget.clock().now();
        self.counting += now - before;
        self.spent += now - start;
        let spent = self.spent.as_nanos() as f64;
        let left = Estimate::doubted(frontier.time_left(self.counting), spent).left;
        self.orders.foresee(self.place, spent + left);
        result
    }

    fn effort(&self) -> (u64, u64) {
        let effort = self.frontier.as_ref().map(Frontier::effort).unwrap_or_default();
        (effort.states, effort.tries)
    }

    fn known(&self) -> Option<BigUint> {
        self.frontier.as_ref().map(Frontier::known)
    }

    fn bytes(&self) -> usize {
        self.frontier.as_ref().map_or(0, Frontier::bytes)
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        match &self.frontier {
            Some(frontier) if frontier.is_past_growth() => {
                Estimate::sure(frontier.time_left(self.counting), ERROR)
            }
            Some(frontier) if frontier.is_seen() => {
                Estimate::sure(frontier.time_left(self.counting), ERROR)
            }
            Some(frontier) if self.slices == 1 => {
                Estimate::doubted(frontier.time_left(self.counting), spent.as_nanos() as f64)
            }
            Some(frontier) => Estimate::guess(frontier.time_left(self.counting)),
            None => {
                let time = |order: &Order| order.states(FREEDOM) * costs::FRONTIER_STATE;
                let time = match self.orders.known() {
                    Some(orders) => orders.get(self.place).map_or(f64::INFINITY, time),
                    None => costs::COUNT_SLICE as f64,
                };
                let wait = self.place as f64 * costs::COUNT_NEXT_ORDER;
                // The frontiers of a part usually take similar times.
                Estimate::guess((wait + self.setup() + time).max(self.orders.least()))
            }
        }
    }

    fn setup(&self) -> f64 {
        let beginnings = if self.orders.known().is_none() { 2.0 } else { 1.0 };
        beginnings * costs::METHOD_ENTRY * self.part.problem.entry_count() as f64
    }
}

impl Count for InOrder<'_> {
    fn explain(&self) -> String {
        self.frontier.as_ref().map_or_else(String::new, Frontier::explain)
    }

    fn modulus(&self) -> Option<u64> {
        self.modulus
    }
}

//! The method `frontier`: a frontier in each of the best orders of the items (`frontier/`).

use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use super::method::{Count, Counting, Hints, Method, begun};
use crate::frontier::Frontier;
use crate::frontier::order::{FREEDOM, Order};
use crate::parallel::Cores;
use crate::portfolio::{Budget, Contender, Cut, Estimate, costs};
use crate::prepare::Weighted;

pub(crate) const METHOD: Method = Method {
    name: "frontier",
    summary: "counts all states of a step at once, in an order with few open items",
    contenders: |part, hints| {
        let orders = hints.orders(part).iter().take(ORDERS);
        let new =
            |(place, order)| Box::new(InOrder::new(part, place, order, hints)) as Box<Counting<'_>>;
        orders.enumerate().map(new).collect()
    },
};

/// The most orders that take part.
const ORDERS: usize = 3;

/// The factor by which the estimate may be too low once the frontier has begun to shrink.
const ERROR: f64 = 2.0;

/// A frontier in an order, built when it is first needed.
struct InOrder<'p> {
    part: &'p Weighted,
    cores: &'p Arc<Cores>,
    place: usize,
    order: &'p Order,
    frontier: Option<Frontier>,
    modulus: Option<u64>,
}

impl<'p> InOrder<'p> {
    fn new(part: &'p Weighted, place: usize, order: &'p Order, hints: &Hints<'p>) -> Self {
        Self { part, cores: hints.cores, place, order, frontier: None, modulus: hints.modulus }
    }
}

impl Contender for InOrder<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let items = &self.order.items;
        let new =
            |budget: &mut Budget<'_>| Frontier::new(self.part, items, self.cores, self.modulus, budget);
        begun(&mut self.frontier, budget, new)?.run(budget)
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
                Estimate::sure(frontier.time_left(spent), ERROR)
            }
            Some(frontier) => Estimate::guess(frontier.time_left(spent)),
            None => Estimate::guess(
                self.order.states(FREEDOM) * costs::FRONTIER_STATE
                    + self.place as f64 * costs::COUNT_NEXT_ORDER,
            ),
        }
    }

    fn setup(&self) -> f64 {
        costs::METHOD_ENTRY * self.part.problem.entry_count() as f64
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

//! The counting method `signs` as a contender.

use std::time::Duration;

use num_bigint::BigUint;

use super::Signs;
use crate::methods::method::{Count, Method};
use crate::portfolio::{Budget, Contender, Cut, Estimate};

pub(in crate::methods) const METHOD: Method = Method {
    name: "signs",
    summary: "a sum over signs: Langford pairs, permanents, matchings in three dimensions",
    contenders: |part, hints| match Signs::new(part, hints.cores) {
        Some(signs) => vec![Box::new(SignsContender { signs, pace: None })],
        None => Vec::new(),
    },
};

struct SignsContender {
    signs: Signs,
    pace: Option<f64>,
}

impl Contender for SignsContender {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let (begun, before) = (budget.clock().now(), self.signs.done());
        let result = self.signs.count(budget);
        let time = budget.clock().now() - begun;
        let chunks = self.signs.done() - before;
        if time > Duration::ZERO && chunks > 0 {
            self.pace = Some(time.as_nanos() as f64 / chunks as f64);
        }
        result
    }

    fn estimate(&self, _: Duration) -> Estimate {
        if self.signs.is_zero() {
            // The same set of signs gives a linear combination of items, which `algebra` returns as
            // a proof.
            return Estimate::guess(f64::INFINITY);
        }
        let left = self.pace.map_or(self.signs.work(), |pace| pace * self.signs.left() as f64);
        Estimate::sure(left, 1.0)
    }
}

impl Count for SignsContender {
    fn explain(&self) -> String {
        self.signs.explain()
    }
}

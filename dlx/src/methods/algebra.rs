//! The method `algebra`: a combination of items that shows that there is no cover.

use std::time::Duration;

use num_bigint::BigUint;

use super::method::{Count, Method};
use crate::algebra::{Certificate, Refuter};
use crate::model::Problem;
use crate::portfolio::{Budget, Contender, Cut, Estimate, costs};

pub(crate) const METHOD: Method = Method {
    name: "algebra",
    summary: "shows by linear algebra that there is none; counts nothing else",
    contenders: |part, _| {
        let problem = &part.problem;
        vec![Box::new(Algebra { problem, refuter: Refuter::new(problem), certificate: None })]
    },
};

/// The time that it says is what it takes times this: hardly one problem in so many is refuted, and no more than such a
/// part of the time may be spent in vain.
const ODDS: f64 = 1.0;
/// An attempt to refute a part, and what came of it.
struct Algebra<'p> {
    problem: &'p Problem,
    refuter: Refuter<'p>,
    certificate: Option<Certificate>,
}

impl Contender for Algebra<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        self.certificate = self.refuter.run(budget)?;
        self.certificate.as_ref().map(|_| BigUint::ZERO).ok_or(Cut::Unsuited)
    }

    fn bytes(&self) -> usize {
        self.refuter.bytes()
    }

    fn estimate(&self, _: Duration) -> Estimate {
        // Without hope it goes on only with what is due to everybody.
        let is_hopeful = self.refuter.done() < costs::ALGEBRA_HOPE;
        Estimate::guess(if is_hopeful { ODDS * self.refuter.work() as f64 } else { f64::INFINITY })
    }
}

impl Count for Algebra<'_> {
    fn explain(&self) -> String {
        self.certificate.as_ref().map_or_else(String::new, |found| found.show(self.problem).to_string())
    }
}

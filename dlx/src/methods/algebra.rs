//! The method `algebra` proves by a linear combination of items that there is no cover.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use num_bigint::BigUint;

use super::method::{Count, Method};
use crate::algebra::{Certificate, Refuter};
use crate::model::Problem;
use crate::portfolio::{Budget, Contender, Cut, Estimate};

pub(crate) const METHOD: Method = Method {
    name: "algebra",
    summary: "shows by linear algebra that there is none; counts nothing else",
    contenders: |part, hints| {
        let (problem, has_cover) = (&part.problem, hints.has_cover);
        vec![Box::new(Algebra {
            problem,
            has_cover,
            refuter: Refuter::new(problem),
            certificate: None,
        })]
    },
};

/// The share of the time, because most stages refute no problem.
const ODDS: f64 = 0.15;

struct Algebra<'p> {
    problem: &'p Problem,
    has_cover: &'p AtomicBool,
    refuter: Refuter<'p>,
    certificate: Option<Certificate>,
}

impl Contender for Algebra<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        if self.has_cover.load(Ordering::Relaxed) {
            return Err(Cut::Unsuited);
        }
        self.certificate = self.refuter.run(budget)?;
        self.certificate.as_ref().map(|_| BigUint::ZERO).ok_or(Cut::Unsuited)
    }

    fn bytes(&self) -> usize {
        self.refuter.bytes()
    }

    fn estimate(&self, _: Duration) -> Estimate {
        self.refuter.estimate()
    }

    fn share(&self) -> f64 {
        ODDS
    }
}

impl Count for Algebra<'_> {
    fn explain(&self) -> String {
        self.certificate.as_ref().map_or_else(String::new, |found| found.show(self.problem).to_string())
    }
}

//! The method `matching`, as a contender.

use std::time::Duration;

use num_bigint::BigUint;

use super::Matching;
use crate::methods::method::{Count, Method, begun};
use crate::portfolio::{Budget, Contender, Cut, Estimate, costs};
use crate::prepare::Weighted;

pub(in crate::methods) const METHOD: Method = Method {
    name: "matching",
    summary: "perfect matchings of planar graphs (dominoes) by Pfaffians, in polynomial time",
    contenders: |part, _| vec![Box::new(Planar { part, matching: None })],
};

/// Perfect matchings of a planar graph; the graph is prepared when it is first needed.
struct Planar<'p> {
    part: &'p Weighted,
    matching: Option<Matching>,
}

impl Contender for Planar<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        begun(&mut self.matching, budget, |budget| Matching::new(self.part, budget))?.count(budget)
    }

    fn known(&self) -> Option<BigUint> {
        self.matching.as_ref().map(Matching::known)
    }

    fn estimate(&self, _: Duration) -> Estimate {
        match &self.matching {
            Some(matching) => Estimate::sure(matching.work() as f64, 1.0),
            None => Estimate::guess(costs::MATCHING_OPTION * self.part.problem.option_count() as f64),
        }
    }
}

impl Count for Planar<'_> {
    fn explain(&self) -> String {
        self.matching.as_ref().map_or_else(String::new, Matching::explain)
    }
}

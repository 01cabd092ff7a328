//! The method `matching`, as the race sees it.

use std::time::Duration;

use num_bigint::BigUint;

use super::Matching;
use crate::count::method::{Method, begun};
use crate::portfolio::race::Way;
use crate::portfolio::{Cut, Watch};
use crate::prepare::Weighted;

pub(in crate::count) const METHOD: Method = Method {
    name: "matching",
    summary: "perfect matchings of planar graphs (dominoes) by Pfaffians, in polynomial time",
    ways: |part, _| vec![Box::new(Planar { part, matching: None })],
};

/// Perfect matchings of a planar graph; the graph is prepared when it is first needed.
struct Planar<'p> {
    part: &'p Weighted,
    matching: Option<Matching>,
}

impl Way for Planar<'_> {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        begun(&mut self.matching, watch, |watch| Matching::new(self.part, watch))?.count(watch)
    }

    fn known(&self) -> BigUint {
        self.matching.as_ref().map_or(BigUint::ZERO, Matching::known)
    }

    fn outlook(&self, _: Duration) -> f64 {
        let begin = || 500.0 * self.part.problem.option_count() as f64;
        self.matching.as_ref().map_or_else(begin, |matching| matching.work() as f64)
    }

    fn doubt(&self) -> Option<f64> {
        self.matching.as_ref().map(|_| 1.0)
    }

    fn explain(&self) -> String {
        self.matching.as_ref().map_or_else(String::new, Matching::explain)
    }
}

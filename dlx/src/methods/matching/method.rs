//! The counting method `matching` as a contender.

use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use super::Matching;
use crate::methods::method::{Count, Method, begun};
use crate::parallel::Cores;
use crate::portfolio::{Budget, Contender, Cut, Estimate, costs};
use crate::prepare::Weighted;

pub(in crate::methods) const METHOD: Method = Method {
    name: "matching",
    summary: "perfect matchings of planar graphs (dominoes) by Pfaffians, in polynomial time",
    contenders: |part, hints| {
        vec![Box::new(PlanarContender { part, cores: hints.cores, matching: None })]
    },
};

struct PlanarContender<'p> {
    part: &'p Weighted,
    cores: &'p Arc<Cores>,
    matching: Option<Matching>,
}

impl Contender for PlanarContender<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let new = |budget: &mut Budget<'_>| Matching::new(self.part, self.cores, budget);
        begun(&mut self.matching, budget, new)?.count(budget)
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

impl Count for PlanarContender<'_> {
    fn explain(&self) -> String {
        self.matching.as_ref().map_or_else(String::new, Matching::explain)
    }
}

//! Algebra as a contender: a linear combination of the items proves that there is no cover, where a
//! search would have to visit all partial covers.
//!
//! Algebra takes part from the start, because it usually takes less time than the first slice of a
//! search. If its estimate is a small fraction of such a slice, it runs first.

use std::time::Duration;

use super::sum::Turns;
use crate::algebra::Refuter;
use crate::model::Problem;
use crate::portfolio::{Budget, Contender, Cut, Estimate};
use crate::search::End;

/// Factor on the estimate of algebra. The factor limits unsuccessful work to about 1/`ODDS` of the
/// time of a search.
const ODDS: f64 = 3.0;
/// Algebra runs before all other contenders if its estimate is at most this time (ns; tuned on the
/// bench `find`).
const AT_ONCE: f64 = 1e5;
pub(super) const NAME: &str = "algebra";

pub(super) struct Refuting<'p>(Refuter<'p>);

impl<'p> Refuting<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        Self(Refuter::new(problem))
    }
}

impl<'l, 'o, 'v> Contender<Turns<'l, 'o, 'v>> for Refuting<'_> {
    type Output = End;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&mut self, turns: &mut Turns<'l, 'o, 'v>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        if turns.solutions() > 0 {
            return Err(Cut::Unsuited);
        }
        self.0.run(budget)?.map(|_| End::Exhausted).ok_or(Cut::Unsuited)
    }

    fn estimate(&self, _: Duration) -> Estimate {
        let left = self.0.estimate().left;
        Estimate::guess(if left <= AT_ONCE { 0.0 } else { ODDS * left })
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

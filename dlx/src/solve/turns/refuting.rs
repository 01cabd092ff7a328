//! Algebra as a contender: a combination of items shows that there is no cover, where a search would go through all
//! partial ones.
//!
//! It takes part from the start, since what it takes is mostly less than the first slice of a search.

use std::time::Duration;

use super::sum::Turns;
use crate::algebra::Refuter;
use crate::model::Problem;
use crate::portfolio::{Budget, Contender, Cut, Estimate};
use crate::search::End;

/// The time that it says is what it takes times this: no more than about such a part of the time of a search may be spent
/// in vain.
const ODDS: f64 = 3.0;
/// Its name.
pub(super) const NAME: &str = "algebra";

/// An attempt to refute a problem.
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
        Estimate::guess(ODDS * self.0.estimate().left)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

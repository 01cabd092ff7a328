//! Algebra as a contender: a combination of items shows that there is no cover, where a search would go through all
//! partial ones.
//!
//! It takes part from the start, since what it takes is mostly less than the first slice of a search. What is over in a small part of
//! such a slice comes before it. On 165 searches for one cover (the bench `find`) the geometric mean of the processor time is 0.91 of that
//! where all of it came after the first slices: 0.16 to 0.3 where algebra refutes in so little time (Skolem pairs of 18, pigeons, toroidal
//! queens, one shape on 10x10), about as long elsewhere, at most 1.3. With 30 microseconds 0.93, with a millisecond 0.91, but half as
//! long again on problems that a search solves in two milliseconds.

use std::time::Duration;

use super::sum::Turns;
use crate::algebra::Refuter;
use crate::model::Problem;
use crate::portfolio::{Budget, Contender, Cut, Estimate};
use crate::search::End;

/// The time that it says is what it takes times this: no more than about such a part of the time of a search may be spent
/// in vain.
const ODDS: f64 = 3.0;
/// What is over in so many nanoseconds is done at once.
const AT_ONCE: f64 = 1e5;
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
        let left = self.0.estimate().left;
        Estimate::guess(if left <= AT_ONCE { 0.0 } else { ODDS * left })
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

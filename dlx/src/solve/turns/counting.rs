//! The counting methods as a contender of a search: their counts decide whether there is a first
//! cover, or a second one.
//!
//! The methods race among themselves ([`methods`](crate::methods)), without plain search, which is
//! a separate contender. If there are covers and the visitor must still get one, a decision diagram
//! of all covers yields it. If the diagram would be too large, this contender drops out.

use std::cell::Cell;
use std::time::Duration;

use num_bigint::BigUint;

use super::sum::{Question, Turns};
use crate::diagram::DiagramPlan;
use crate::methods::Tally;
use crate::model::Problem;
use crate::portfolio::{Budget, Contender, Cut, Estimate, costs};
use crate::search::End;

pub(super) const NAME: &str = "count";

pub(super) struct ByNumber<'p> {
    problem: &'p Problem,
    stage: Stage<'p>,
    left: Option<u64>,
    winner: &'p Cell<Option<&'static str>>,
}

enum Stage<'p> {
    Counting(Tally<'p>),
    /// The count exceeds the number of covers passed to the visitor.
    Counted,
    /// A planned decision diagram of all covers, and its estimated build time (ns).
    Planned(DiagramPlan<'p>, f64),
}

impl<'p> ByNumber<'p> {
    pub(super) fn new(
        problem: &'p Problem,
        tally: Tally<'p>,
        work: Option<u64>,
        winner: &'p Cell<Option<&'static str>>,
    ) -> Self {
        Self { problem, stage: Stage::Counting(tally), left: work, winner }
    }

    fn go_on(&mut self, turns: &mut Turns<'_, '_, '_>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        let work = budget.work().min(self.left.unwrap_or(u64::MAX));
        if let Stage::Counting(tally) = &mut self.stage {
            if tally.setup() > work as f64 {
                return Err(Cut::Work);
            }
            let mut slice = Budget::new(budget.limits(), work, budget.bytes);
            let number = tally.run(&mut slice);
            budget.charge(slice.spent());
            let number = number?;
            self.winner.set(tally.method());
            if number == BigUint::ZERO || number == turns.solutions().into() {
                return Ok(End::Exhausted);
            }
            if turns.question == Question::AtMost {
                return Ok(turns.set_number(u64::try_from(number).unwrap_or(u64::MAX)));
            }
            self.stage = Stage::Counted;
            return Err(Cut::Work);
        }
        if let Stage::Counted = self.stage {
            let plan = budget.begin(|budget| DiagramPlan::within(self.problem, &[], budget))?;
            let time = plan.size().nodes * costs::DIAGRAM_NODE;
            if plan.size().bytes > budget.bytes as f64 {
                return Err(Cut::Memory);
            }
            self.stage = Stage::Planned(plan, time);
        }
        let Stage::Planned(plan, time) = &self.stage else { unreachable!("all stages were passed") };
        if (work as f64) < *time {
            return Err(Cut::Work);
        }
        budget.begin(|budget| Self::show(plan, turns, budget))
    }

    fn show(
        plan: &DiagramPlan<'p>,
        turns: &mut Turns<'_, '_, '_>,
        budget: &mut Budget<'_>,
    ) -> Result<End, Cut> {
        let diagram = plan.build_within(budget)?;
        let is_over = diagram.covers().any(|cover| turns.show(&cover).is_break());
        let end = turns.end().filter(|_| is_over);
        Ok(end.unwrap_or(End::Exhausted))
    }
}

impl<'l, 'o, 'v> Contender<Turns<'l, 'o, 'v>> for ByNumber<'_> {
    type Output = End;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&mut self, turns: &mut Turns<'l, 'o, 'v>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        if turns.question == Question::All && turns.solutions() > 0 {
            return Err(Cut::Unsuited);
        }
        let slice = budget.work();
        let result = self.go_on(turns, budget);
        self.left = self.left.map(|left| left.saturating_sub(slice));
        let is_spent = self.left == Some(0);
        result.map_err(|cut| if is_spent && cut == Cut::Work { Cut::Unsuited } else { cut })
    }

    fn setup(&self) -> f64 {
        if let Stage::Counting(tally) = &self.stage { tally.setup() } else { 0.0 }
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        match &self.stage {
            Stage::Counting(tally) => tally.estimate(spent),
            Stage::Counted => Estimate::guess(spent.as_nanos() as f64),
            Stage::Planned(_, time) => Estimate::guess(*time),
        }
    }

    fn bytes(&self) -> usize {
        if let Stage::Counting(tally) = &self.stage { tally.bytes() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    use super::*;
    use crate::limits::{Limit, Limits};
    use crate::methods::Basis;
    use crate::model::OptionId;
    use crate::model::samples::{latin, rows};
    use crate::parallel::Cores;
    use crate::portfolio::budget::free;

    /// Returns the number of covers, the covers passed to the visitor, and the end, found by this
    /// contender alone.
    fn answer(
        problem: &Problem,
        limits: &Limits,
        is_shown: bool,
    ) -> (u64, BTreeSet<Vec<OptionId>>, End) {
        let (basis, winner) = (Basis::default(), Cell::new(None));
        let cores = Cores::new(0);
        let tally = Tally::new(problem, &basis, limits, &cores);
        let mut by_number = ByNumber::new(problem, tally, None, &winner);
        let mut shown = BTreeSet::new();
        let mut visit = |cover: &[OptionId]| {
            assert_eq!(crate::trust::verify(problem, &[], cover), Ok(()));
            let is_new =
                shown.insert(cover.iter().copied().collect::<BTreeSet<_>>().into_iter().collect());
            assert!(is_new, "a cover is shown once");
            ControlFlow::Continue(())
        };
        let mut turns = Turns::new(Question::new(limits, is_shown), limits, &mut visit);
        let end = loop {
            match by_number.run(&mut turns, &mut free()) {
                Ok(end) => break end,
                Err(cut) => assert_eq!(cut, Cut::Work),
            }
        };
        let report = turns.report(end);
        (report.solutions, shown, report.end)
    }

    #[test]
    fn the_counting_methods_alone_answer_every_question() {
        for (problem, all) in [(latin(4), 576), (rows(&[6]), 13), ("a b\na\n".parse().unwrap(), 0)] {
            for wanted in [Some(1), Some(2), Some(10), Some(600), None] {
                let limits = Limits::new().solutions(wanted);
                let few = wanted.map_or(all, |wanted| wanted.min(all));
                let end =
                    if wanted == Some(few) { End::Limit(Limit::Solutions) } else { End::Exhausted };
                let (number, shown, ended) = answer(&problem, &limits, true);
                assert_eq!((number, shown.len() as u64, ended), (few, few, end), "{wanted:?} of {all}");
                if wanted.is_some_and(|wanted| wanted > 2) {
                    assert_eq!(answer(&problem, &limits, false), (few, BTreeSet::new(), end));
                }
            }
        }
    }
}

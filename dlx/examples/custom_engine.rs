//! A custom engine: Algorithm X as Knuth describes it in words, on sets, with the only required
//! method.

use std::ops::ControlFlow;

use dlx::search::{Meter, search_without};
use dlx::{BuildError, End, Engine, Limits, OptionId, Problem, Report, Visit};

/// An engine for plain exact covers, where all items are primary and covered exactly once.
struct Words {
    problem: Problem,
}

impl Words {
    /// Searches for the covers that contain the options chosen so far.
    fn go_on(
        &self,
        chosen: &mut Vec<OptionId>,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> Result<(), End> {
        meter.enter(chosen.len(), 0, || 0.5).map_err(End::Limit)?;
        let items = |option: OptionId| self.problem.option(option).iter().map(|entry| entry.item);
        let is_covered = |item| chosen.iter().any(|&option| items(option).any(|other| other == item));
        let Some(item) = self.problem.items().find(|&item| !is_covered(item)) else {
            return meter.visit(chosen, visit);
        };
        let fits = |&option: &OptionId| {
            items(option).any(|other| other == item) && !items(option).any(is_covered)
        };
        for option in self.problem.options().filter(fits).collect::<Vec<_>>() {
            chosen.push(option);
            self.go_on(chosen, meter, visit)?;
            chosen.pop();
        }
        Ok(())
    }
}

impl Engine for Words {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        search_without(self.problem.option_count(), without, limits, visit, |limits, visit| {
            let mut meter = Meter::new(limits, 1);
            let count: &mut Visit<'_> = &mut |_| ControlFlow::Continue(());
            let end = self.go_on(&mut given.to_vec(), &mut meter, visit.unwrap_or(count));
            meter.report(end.err().unwrap_or(End::Exhausted), 0)
        })
    }
}

fn main() -> Result<(), BuildError> {
    let problem =
        Problem::from_sets(4, [vec![0, 1], vec![2, 3], vec![1, 2], vec![0, 3], vec![0], vec![1]])?;
    let mut words = Words { problem: problem.clone() };
    let report = words.count(&[], &Limits::new());
    println!("{:?} covers in {} nodes", report.count(), report.nodes);
    let report = words.count(&[OptionId::new(4)], &Limits::new());
    println!("{:?} with the option {{{}}}", report.count(), problem.show(OptionId::new(4)));
    Ok(())
}

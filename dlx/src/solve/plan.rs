//! The plan of a solver, for display.

use std::fmt;

use super::Trial;
use crate::methods::ChoiceClasses;
use crate::portfolio::PartPlan;

/// The plan of the last search of a [`Solver`](super::Solver): the effect of its reductions, the
/// independent parts, and the engine of each part.
///
/// ```
/// use dlx::{Engine, Limits, Solver};
///
/// let problem: dlx::Problem = "a b c d\na b\na\nb\nc d\nc\nd\na b\n".parse()?;
/// let mut solver = Solver::new(problem).at_once();
/// assert_eq!(solver.count(&[], &Limits::new()).count(), Some(6));
/// let plan = solver.explain();
/// assert_eq!((plan.options, plan.twins, plan.parts.len()), (7, 1, 2));
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct Plan {
    /// Number of options of the problem.
    pub options: usize,
    /// Number of given options.
    pub given: usize,
    /// Number of options forced by given options and reductions.
    pub forced: usize,
    /// Number of removed options, which conflict with given or forced options or with all options
    /// of an item.
    pub removed: usize,
    /// Number of options represented by another option with the same items.
    pub twins: usize,
    /// Number of items dropped because other items imply them or they cannot cause a conflict.
    pub dropped: usize,
    /// The independent parts of the reduced problem, the smallest first. Empty if no choice is
    /// left; one part if the unreduced problem is searched.
    pub parts: Vec<PartPlan>,
    pub(super) trial: Option<Trial>,
}

impl Plan {
    /// Returns the name of the engine of the largest part, or `reduce` if the reductions left no
    /// choice.
    ///
    /// ```
    /// use dlx::{Engine, Limits, Solver};
    ///
    /// let problem: dlx::Problem = "a b\na b\nb\n".parse()?;
    /// let mut solver = Solver::new(problem).at_once();
    /// assert_eq!(solver.count(&[], &Limits::new()).count(), Some(1));
    /// assert_eq!(solver.explain().engine(), "reduce");
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn engine(&self) -> &'static str {
        self.parts.last().map_or("reduce", |part| part.engine)
    }

    /// Returns whether the unreduced problem is searched.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.parts.len() == 1 && self.parts[0].options == self.options
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut engines = Vec::new();
        for part in self.parts.iter().rev() {
            let engine = (part.engine, part.reason, part.first_choices);
            if !engines.contains(&engine) {
                engines.push(engine);
            }
        }
        if engines.is_empty() {
            write!(f, "no engine (the reductions decide all)")?;
        }
        for (place, (engine, reason, first_choices)) in engines.into_iter().enumerate() {
            write!(f, "{}{engine} ({reason}", if place == 0 { "engine " } else { ", " })?;
            if let Some(counts) = first_choices {
                write!(f, "; {}", ChoiceClasses::explain(counts))?;
            }
            write!(f, ")")?;
        }
        if self.is_plain() {
            return Ok(());
        }
        let Self { options, given, forced, removed, twins, dropped, parts, .. } = self;
        write!(f, "; of {options} options ")?;
        let counts = [(given, "given"), (forced, "forced"), (removed, "removed"), (twins, "alike")];
        for (count, what) in counts.into_iter().filter(|(count, _)| **count > 0) {
            write!(f, "{count} {what}, ")?;
        }
        let left: usize = parts.iter().map(|part| part.options).sum();
        let items: usize = parts.iter().map(|part| part.items).sum();
        write!(f, "{left} left in {items} items")?;
        if *dropped > 0 {
            write!(f, " ({dropped} dropped)")?;
        }
        if let [_, .., largest] = &parts[..] {
            let count = parts.len();
            write!(f, "; {count} independent parts, the largest with {} options", largest.options)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{PartPlan, Plan};
    use crate::limits::Limits;
    use crate::model::{OptionId, Problem};
    use crate::search::Engine;
    use crate::solve::Solver;

    fn check(problem: &str, given: &[usize], expected: &str) {
        let problem: Problem = problem.parse().unwrap();
        let given: Vec<_> = given.iter().copied().map(OptionId::new).collect();
        let mut solver = Solver::new(problem.clone()).at_once();
        solver.count(&given, &Limits::default());
        let plan = solver.explain().to_string();
        let (engine, reason) = crate::portfolio::choose(&problem);
        let said = format!("engine {} ({reason})", engine.name);
        assert_eq!(plan.replace(&said, "engine E (why)"), expected);
        assert!(solver.is_at_rest(&problem));
    }

    #[test]
    fn a_plan_shows_the_number_of_first_choices_searched() {
        let problem: Problem = "a b\na\nb\n".parse().unwrap();
        let mut part = PartPlan::new(&problem, "links", "why");
        let other = PartPlan::new(&problem, "cells", "why not");
        part.first_choices = Some([1, 2]);
        let plan = Plan { options: 2, parts: vec![other.clone(), other, part], ..Plan::default() };
        let expected =
            "engine links (why; 1 of 2 first choices, the others are like them), cells (why not); ";
        assert!(plan.to_string().starts_with(expected), "{plan}");
    }

    #[test]
    fn a_plan_shows_reductions_engine_and_reason() {
        check("a b c\na b\nb c\na c\na\nb\nc\n", &[], "engine E (why)");
        check(
            "a b c d\na b\na\nb\nc d\nc\nd\na b\n",
            &[],
            "engine E (why); of 7 options 1 alike, 6 left in 4 items; 2 independent parts, the largest \
             with 3 options",
        );
        check(
            "a b c d\na b\na\nb\nc d\nc\nd\na b\n",
            &[0],
            "engine E (why); of 7 options 1 given, 3 removed, 3 left in 2 items",
        );
        check(
            "a b c\na b\nb c\n",
            &[],
            "no engine (the reductions decide all); of 2 options 0 left in 0 items",
        );
    }
}

//! Steps of an explanation in words: one line per step, with the names of items and options.

use std::fmt;

use super::step::{Reason, Step};
use crate::model::{ItemId, OptionId, Problem};

impl Step {
    /// Returns the step in words, with the names of `problem`.
    ///
    /// ```
    /// use dlx::Limits;
    /// use dlx::explain::{Explainer, Settings};
    ///
    /// let problem: dlx::Problem = "a b c d\na c\na c d\nb c\nb\nd\n".parse()?;
    /// let explained = Explainer::new(&problem, Settings::new()).explain(&[], &Limits::new());
    /// let steps: Vec<_> = explained.steps.iter().map(|step| step.show(&problem).to_string()).collect();
    /// assert_eq!(steps[0], "not `b c` (1.5: truths a; links c)");
    /// assert_eq!(steps[1], "`b` (1.0: b needs all its options)");
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ///
    /// # Panics
    /// Formatting panics if the step does not belong to the problem.
    #[must_use]
    pub fn show<'s>(&'s self, problem: &'s Problem) -> impl fmt::Display + 's {
        ShownStep { step: self, problem }
    }
}

struct ShownStep<'s> {
    step: &'s Step,
    problem: &'s Problem,
}

impl ShownStep<'_> {
    fn options(&self, before: &str, options: &[OptionId]) -> Vec<String> {
        options.iter().map(|&option| format!("{before}`{}`", self.problem.show(option))).collect()
    }

    fn items(&self, items: &[ItemId]) -> String {
        items.iter().map(|&item| self.problem.item_name(item)).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for ShownStep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step { reason, on, off, score, .. } = self.step;
        let conclusion = [self.options("", on), self.options("not ", off)].concat().join(", ");
        write!(f, "{conclusion} ({}.{}: ", score / 10, score % 10)?;
        match reason {
            Reason::Forced { item } => {
                write!(f, "{} needs all its options", self.problem.item_name(*item))?;
            }
            Reason::Sets { truths, links } => {
                write!(f, "truths {}; links {}", self.items(truths), self.items(links))?;
            }
            Reason::Supposition(supposition) => {
                let [item, option] = [
                    self.problem.item_name(supposition.conflict).to_owned(),
                    self.problem.show(supposition.option).to_string(),
                ];
                write!(f, "`{option}` contradicts {item}")?;
            }
            Reason::Split { item, branches } => {
                let tried: Vec<_> = branches.iter().map(|branch| branch.option).collect();
                let failed = self.options("", &tried).join(", ");
                write!(f, "of the options of {}, {failed} fail", self.problem.item_name(*item))?;
            }
        }
        f.write_str(")")
    }
}

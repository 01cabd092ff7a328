//! The engine of each part and the reason, for display.

use crate::model::Problem;

/// A part of the problem and its engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartPlan {
    /// Items of the part.
    pub items: usize,
    /// Options of the part.
    pub options: usize,
    /// The name of the part's engine.
    pub engine: &'static str,
    /// Why the engine was chosen.
    pub reason: &'static str,
    /// Number of first choices searched, and of all first choices, if those equivalent to others
    /// were skipped.
    pub first_choices: Option<[usize; 2]>,
}

impl PartPlan {
    pub(crate) fn new(problem: &Problem, engine: &'static str, reason: &'static str) -> Self {
        let (items, options) = (problem.item_count(), problem.option_count());
        Self { items, options, engine, reason, first_choices: None }
    }
}

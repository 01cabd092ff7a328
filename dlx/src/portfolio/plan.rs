//! Which engine a part got and why, for people.

use crate::model::Problem;

/// A part of the problem and its engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartPlan {
    /// Items of the part.
    pub items: usize,
    /// Options of the part.
    pub options: usize,
    /// The name of its engine.
    pub engine: &'static str,
    /// Why that engine.
    pub reason: &'static str,
}

impl PartPlan {
    pub(crate) fn new(problem: &Problem, engine: &'static str, reason: &'static str) -> Self {
        Self { items: problem.item_count(), options: problem.option_count(), engine, reason }
    }
}

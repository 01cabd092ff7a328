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
    /// How many first choices it searched, and of how many, where it left out those that are like others.
    pub first_choices: Option<[usize; 2]>,
}

impl PartPlan {
    pub(crate) fn new(problem: &Problem, engine: &'static str, reason: &'static str) -> Self {
        let (items, options) = (problem.item_count(), problem.option_count());
        Self { items, options, engine, reason, first_choices: None }
    }
}

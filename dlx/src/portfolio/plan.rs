//! The engine of each part of a problem and the reason for its choice, for display.

use crate::model::Problem;

/// A part of a problem, and the engine chosen for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct PartPlan {
    /// The number of items of the part.
    pub items: usize,
    /// The number of options of the part.
    pub options: usize,
    /// The name of the engine.
    pub engine: &'static str,
    /// The reason why the engine was chosen.
    pub reason: &'static str,
    /// The number of first choices that are searched, and the number of all first choices, or
    /// `None` unless symmetry allowed to skip equivalent first choices.
    pub first_choices: Option<[usize; 2]>,
}

impl PartPlan {
    pub(crate) fn new(problem: &Problem, engine: &'static str, reason: &'static str) -> Self {
        let (items, options) = (problem.item_count(), problem.option_count());
        Self { items, options, engine, reason, first_choices: None }
    }
}

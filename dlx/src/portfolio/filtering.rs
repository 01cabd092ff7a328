//! What both contenders that search with the engine `filter` foresee: the time of its tables, and the work of its tree.

use super::costs::{FILTER_BLOCK, FILTER_ENTRY};
use crate::engine::filter;
use crate::model::Problem;

/// The last estimate is no bound where it is larger than the one before by more than this factor. That it gets smaller is no
/// reason for doubt: the weights make dead ends come sooner.
pub(crate) const AGREEMENT: f64 = 2.0;

/// Returns the time to make the engine's tables in nanoseconds, unless it does not take the problem.
pub(crate) fn tables(problem: &Problem) -> Option<f64> {
    let blocks = filter::blocks(problem)? as f64;
    Some((FILTER_ENTRY + FILTER_BLOCK * blocks) * problem.entry_count() as f64)
}

/// The work of a whole tree, by the last two estimates.
pub(crate) struct Foreseen([f64; 2]);

impl Default for Foreseen {
    fn default() -> Self {
        Self([f64::INFINITY; 2])
    }
}

impl Foreseen {
    /// Estimates once more, by the work so far and the part of the tree that it was for.
    pub(crate) fn look(&mut self, work: u64, fraction: f64) {
        self.0 = [self.0[1], work as f64 / fraction.max(1e-300)];
    }

    /// Returns what is left after that work by the last estimate, and whether the one before agrees.
    pub(crate) fn left(&self, work: u64) -> (f64, bool) {
        let [before, now] = self.0;
        (now - work as f64, before.is_finite() && now <= AGREEMENT * before)
    }
}

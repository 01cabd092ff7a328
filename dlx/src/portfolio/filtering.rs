//! Estimates shared by both contenders that search with the engine `filter`: time of its tables and
//! work of its tree.

use super::costs::{FILTER_BLOCK, FILTER_ENTRY};
use crate::engine::filter;
use crate::model::Problem;

/// Largest ratio of the last estimate to the one before that still gives a bound.
pub(crate) const AGREEMENT: f64 = 2.0;

/// Returns the time to build the engine's tables in nanoseconds, if it supports the problem.
pub(crate) fn tables(problem: &Problem) -> Option<f64> {
    let blocks = filter::blocks(problem)? as f64;
    Some((FILTER_ENTRY + FILTER_BLOCK * blocks) * problem.entry_count() as f64)
}

/// The last two estimates of the work of the whole tree.
pub(crate) struct TreeEstimate([f64; 2]);

impl Default for TreeEstimate {
    fn default() -> Self {
        Self([f64::INFINITY; 2])
    }
}

impl TreeEstimate {
    /// Adds an estimate from the work so far and the fraction of the tree that it covered.
    pub(crate) fn look(&mut self, work: u64, fraction: f64) {
        self.0 = [self.0[1], work as f64 / fraction.max(1e-300)];
    }

    /// Returns the work left after `work` by the last estimate, and whether the previous one
    /// agrees.
    pub(crate) fn left(&self, work: u64) -> (f64, bool) {
        let [before, now] = self.0;
        (now - work as f64, before.is_finite() && now <= AGREEMENT * before)
    }
}

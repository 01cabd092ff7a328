//! Cost estimates for the two contenders that search with the engine `filter`: the time to build
//! its tables, and the work of its search tree.

use super::costs::{FILTER_BLOCK, FILTER_ENTRY};
use crate::engine::filter;
use crate::model::Problem;

/// Largest ratio of a reliable tree estimate to the previous one.
pub(crate) const AGREEMENT: f64 = 2.0;

/// Returns the time to build the tables of the engine (ns), or `None` if it does not support the
/// problem.
pub(crate) fn tables(problem: &Problem) -> Option<f64> {
    let blocks = filter::blocks(problem)? as f64;
    Some((FILTER_ENTRY + FILTER_BLOCK * blocks) * problem.entry_count() as f64)
}

pub(crate) struct TreeEstimate([f64; 2]);

impl Default for TreeEstimate {
    fn default() -> Self {
        Self([f64::INFINITY; 2])
    }
}

impl TreeEstimate {
    pub(crate) fn look(&mut self, work: u64, fraction: f64) {
        self.0 = [self.0[1], work as f64 / fraction.max(1e-300)];
    }

    /// Returns the remaining work after `work` by the last estimate, and whether the previous
    /// estimate agrees with it.
    pub(crate) fn left(&self, work: u64) -> (f64, bool) {
        let [before, now] = self.0;
        (now - work as f64, before.is_finite() && now <= AGREEMENT * before)
    }
}

//! Limits of a search, and how a search ended. Only this module reads the cancel flags and the
//! clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clock::Instant;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The search is complete: no further solutions exist.
    Exhausted,
    /// The caller asked to stop.
    Stopped,
    /// A limit was reached; further solutions may exist.
    Limit(Limit),
}

/// The limit that ended a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The requested number of solutions was found.
    Solutions,
    /// The allowed number of nodes was entered.
    Nodes,
    /// The deadline passed.
    Time,
    /// A cancel flag was set.
    Cancelled,
}

/// Limits of a search; unlimited by default.
///
/// ```
/// use std::time::Duration;
///
/// use sudoku9::{Limit, Limits};
///
/// let limits = Limits::new().solutions(2).within(Duration::ZERO);
/// assert_eq!(limits.check(), Err(Limit::Time));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    solutions: Option<u64>,
    nodes: Option<u64>,
    deadline: Option<Instant>,
    flags: Vec<Arc<AtomicBool>>,
}

impl Limits {
    /// Returns limits that allow everything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the search of each puzzle after `solutions` solutions.
    #[must_use]
    pub fn solutions(mut self, solutions: u64) -> Self {
        self.solutions = Some(solutions);
        self
    }

    /// Stops a run before it enters more than `nodes` nodes in all puzzles together. A puzzle
    /// counts one node, and two more for each guess.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// Stops soon after `deadline`.
    #[must_use]
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Stops soon after the time `time` from now; never, if that is beyond the range of the clock.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Stops soon after another thread sets this flag. If there are several flags, any of them
    /// stops the search.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.flags.push(flag);
        self
    }

    /// Checks the cancel flags and the deadline.
    ///
    /// # Errors
    /// [`Limit::Cancelled`] or [`Limit::Time`].
    pub fn check(&self) -> Result<(), Limit> {
        if self.flags.iter().any(|flag| flag.load(Relaxed)) {
            return Err(Limit::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Limit::Time);
        }
        Ok(())
    }

    pub(crate) fn solutions_max(&self) -> u64 {
        self.solutions.unwrap_or(u64::MAX)
    }

    pub(crate) fn nodes_max(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }

    /// Returns these limits without the limits on solutions and nodes, which do not apply to a
    /// count of all solutions.
    pub(crate) fn without_numbers(&self) -> Self {
        Self { solutions: None, nodes: None, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_of_several_cancel_flags_stops_a_search() {
        let flags = [false, false].map(|flag| Arc::new(AtomicBool::new(flag)));
        let limits = flags.iter().fold(Limits::new(), |limits, flag| limits.cancel(Arc::clone(flag)));
        assert_eq!(limits.check(), Ok(()));
        for flag in &flags {
            flag.store(true, Relaxed);
            assert_eq!(limits.check(), Err(Limit::Cancelled));
            flag.store(false, Relaxed);
        }
        assert_eq!(limits.check(), Ok(()));
    }
}

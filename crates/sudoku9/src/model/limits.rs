//! How long a search may take, and how it ended: the only place that looks at flags and at the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clock::Instant;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// Everything was searched: what was found is all there is.
    Exhausted,
    /// The caller wanted no more.
    Stopped,
    /// A limit was reached; there may be more than what was found.
    Limit(Limit),
}

/// What ended a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// As many solutions were found as are wanted.
    Solutions,
    /// As many nodes were entered as are allowed.
    Nodes,
    /// The deadline is past.
    Time,
    /// A flag was set.
    Cancelled,
}

/// What a search may take; nothing is limited at first.
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
    /// Makes limits that allow everything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the search of each puzzle after so many solutions.
    #[must_use]
    pub fn solutions(mut self, solutions: u64) -> Self {
        self.solutions = Some(solutions);
        self
    }

    /// Stops a search before it would enter more nodes than this, those of all its puzzles taken together. A puzzle
    /// takes one, and two more for each guess.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// Stops soon after this moment.
    #[must_use]
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Stops soon after `time` from now; never, if that is past the clock's range.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Stops soon after another thread sets this flag. There may be several; each of them stops the search.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.flags.push(flag);
        self
    }

    /// Tells whether a flag is set or the deadline is past.
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

    /// Returns how many solutions of a puzzle are wanted.
    pub(crate) fn solutions_max(&self) -> u64 {
        self.solutions.unwrap_or(u64::MAX)
    }

    /// Returns how many nodes may be entered.
    pub(crate) fn nodes_max(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }

    /// Returns the deadline and the flags alone, which are all that a count over all solutions heeds.
    pub(crate) fn without_numbers(&self) -> Self {
        Self { solutions: None, nodes: None, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_several_flags_stops_a_search() {
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

//! The progress of a search or count, which another thread reads.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The progress of a running search. The engine updates it from time to time, and another thread
/// reads it.
#[derive(Debug, Default)]
pub struct Progress {
    /// The completed fraction of the tree, as the bits of an `f64`.
    fraction: AtomicU64,
    nodes: AtomicU64,
    solutions: AtomicU64,
    of_count: Mutex<Option<CountProgress>>,
}

/// The progress of a count by several alternating methods (`Counter` of `dlx`).
///
/// The progress is updated after each turn of a method: some thousand times a second at first,
/// later about once a second. [`Progress::nodes`] is the sum over all methods.
/// [`Progress::solutions`] is the largest number of solutions that a single method has proved,
/// which may stay 0 for a long time.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CountProgress {
    /// The leading method: the one with the shortest reliable estimate, otherwise the one that has
    /// run longest.
    pub method: &'static str,
    /// The completed fraction of the leading method's work, from 0 to 1, or `None` while no
    /// estimate is reliable.
    pub fraction: Option<f64>,
    /// The estimated remaining time, or `None` while no estimate is reliable.
    pub left: Option<Duration>,
    /// The largest expected ratio of the actual to the estimated remaining time, at least 1.
    pub error: f64,
    /// The processor time spent on all methods so far.
    pub spent: Duration,
    /// The index of the independent part that is being counted, from 1. The largest part comes
    /// last.
    pub part: usize,
    /// The number of independent parts of the problem.
    pub parts: usize,
    /// Whether the part is counted, and a second method is checking its count.
    pub is_check: bool,
}

impl Progress {
    /// Returns the estimated completed fraction of the search tree, from 0 to 1.
    ///
    /// The estimate is Knuth's (TAOCP 7.2.2.1): a node reached by choices c_1 of d_1, ..., c_l of
    /// d_l counts as (c_1 - 1)/d_1 + (c_2 - 1)/(d_1 d_2) + ..., plus half of 1/(d_1 ... d_l).
    #[must_use]
    pub fn fraction(&self) -> f64 {
        f64::from_bits(self.fraction.load(Relaxed))
    }

    /// Returns the progress of a count by several methods, or `None` if no such count has begun.
    #[must_use]
    pub fn of_count(&self) -> Option<CountProgress> {
        self.of_count.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    #[doc(hidden)]
    pub fn set_of_count(&self, count: CountProgress, nodes: u64, solutions: u64) {
        self.set(count.fraction.unwrap_or(0.0), nodes, solutions);
        *self.of_count.lock().unwrap_or_else(PoisonError::into_inner) = Some(count);
    }

    #[doc(hidden)]
    pub fn clear_of_count(&self) {
        *self.of_count.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Sets the progress of the search. A fraction above 1, from rounding errors, counts as 1.
    #[doc(hidden)]
    pub fn set(&self, fraction: f64, nodes: u64, solutions: u64) {
        self.fraction.store(fraction.min(1.0).to_bits(), Relaxed);
        self.nodes.store(nodes, Relaxed);
        self.solutions.store(solutions, Relaxed);
    }

    /// Returns the number of nodes visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Returns the number of solutions found so far.
    #[must_use]
    pub fn solutions(&self) -> u64 {
        self.solutions.load(Relaxed)
    }
}

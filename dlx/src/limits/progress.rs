//! The progress of a search or count, readable by another thread.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The progress of a running search, written by the engine from time to time and read by another
/// thread.
#[derive(Debug, Default)]
pub struct Progress {
    /// The bits of the fraction, an `f64`.
    fraction: AtomicU64,
    nodes: AtomicU64,
    solutions: AtomicU64,
    of_count: Mutex<Option<CountProgress>>,
}

/// The progress of a count by several alternating methods
/// ([`count::Counter`](crate::count::Counter)).
///
/// It is updated after each turn: some thousand times a second in the beginning, about once a
/// second later.
///
/// [`Progress::nodes`] is the total of all methods. [`Progress::solutions`] is the largest number
/// of covers that a single method has proved; it may stay 0 for a long time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CountProgress {
    /// The leading method: the fastest one with a reliable estimate, otherwise the one with the
    /// most time so far.
    pub method: &'static str,
    /// The fraction of its work that is done, from 0 to 1; `None` while no estimate is reliable.
    pub fraction: Option<f64>,
    /// The estimated remaining time; `None` while no estimate is reliable.
    pub left: Option<Duration>,
    /// The factor by which the estimated time may be too low, at least 1.
    pub error: f64,
    /// The processor time spent on all methods so far.
    pub spent: Duration,
    /// The number of the independent part being counted, from 1; the largest part comes last.
    pub part: usize,
    /// The number of independent parts.
    pub parts: usize,
    /// Whether the part is already counted, and a second method is checking it.
    pub is_check: bool,
}

impl Progress {
    /// Returns the estimated fraction of the search tree that is done, from 0 to 1.
    ///
    /// This is Knuth's estimate (TAOCP 7.2.2.1): a node at level l after the choices c_1 of d_1,
    /// ..., c_l of d_l counts as (c_1 - 1)/d_1 + (c_2 - 1)/(d_1 d_2) + ..., plus half of the last
    /// share.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        f64::from_bits(self.fraction.load(Relaxed))
    }

    /// Returns the progress of a count by several methods; `None` if there is no such count, or it
    /// has not begun.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use dlx::count::{Counter, METHODS};
    /// use dlx::{Limits, Progress};
    ///
    /// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
    /// let progress = Arc::new(Progress::default());
    /// let limits = Limits::new().progress(Arc::clone(&progress));
    /// let frontier = METHODS.iter().find(|method| method.name == "frontier").expect("it is there");
    /// Counter::new(problem).by(frontier).count(&[], &limits);
    /// let count = progress.of_count().expect("it was told");
    /// assert_eq!((count.method, count.part, count.parts), ("frontier", 1, 1));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn of_count(&self) -> Option<CountProgress> {
        self.of_count.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_of_count(&self, count: CountProgress, nodes: u64, solutions: u64) {
        self.set(count.fraction.unwrap_or(0.0), nodes, solutions);
        *self.of_count.lock().unwrap_or_else(PoisonError::into_inner) = Some(count);
    }

    pub(crate) fn clear_of_count(&self) {
        *self.of_count.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Sets the progress of the search. A sum of the shares of many parts may slightly exceed 1
    /// because of rounding.
    pub(crate) fn set(&self, fraction: f64, nodes: u64, solutions: u64) {
        self.fraction.store(fraction.min(1.0).to_bits(), Relaxed);
        self.nodes.store(nodes, Relaxed);
        self.solutions.store(solutions, Relaxed);
    }

    /// Returns the number of nodes so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Returns the number of covers so far.
    #[must_use]
    pub fn solutions(&self) -> u64 {
        self.solutions.load(Relaxed)
    }
}

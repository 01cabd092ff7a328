//! How far a search or a count is, as another thread may read it.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How far a running search is, written by the engine now and then and read by another thread.
#[derive(Debug, Default)]
pub struct Progress {
    /// The bits of the fraction, an `f64`.
    fraction: AtomicU64,
    nodes: AtomicU64,
    solutions: AtomicU64,
    of_count: Mutex<Option<CountProgress>>,
}

/// How far a count is in which several methods take turns ([`count::Counter`](crate::count::Counter)).
///
/// It is written after each turn: some thousand times a second in the beginning, about once a second later.
///
/// [`Progress::nodes`] has the nodes of all methods together, [`Progress::solutions`] the most covers that one of
/// them is certain of: perhaps none for a long time, and then all at once.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CountProgress {
    /// The method that leads: the fastest of those whose estimate can be trusted, else the one that had the most time
    /// so far.
    pub method: &'static str,
    /// The fraction of its work that is done, from 0 to 1; `None` while no estimate can be trusted.
    pub fraction: Option<f64>,
    /// The estimated time left; `None` while no estimate can be trusted.
    pub left: Option<Duration>,
    /// The factor by which that estimate may be too low, at least 1.
    pub error: f64,
    /// The processor time spent on all methods so far.
    pub spent: Duration,
    /// The number of the independent part that is being counted, from 1; the largest part comes last.
    pub part: usize,
    /// The number of independent parts.
    pub parts: usize,
    /// Whether the part is counted already, and this is its check by a second method.
    pub is_check: bool,
}

impl Progress {
    /// Returns the estimated fraction of the search tree that is done, from 0 to 1.
    ///
    /// It is Knuth's estimate (TAOCP 7.2.2.1): a node at level l with the choices c_1 of d_1, ...,
    /// c_l of d_l counts as (c_1 - 1)/d_1 + (c_2 - 1)/(d_1 d_2) + ..., plus half of the last share.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        f64::from_bits(self.fraction.load(Relaxed))
    }

    /// Returns how far a count is in which several methods take turns; `None` if there is no such count, or it has
    /// not begun.
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

    /// Tells how far a count is.
    pub(crate) fn set_of_count(&self, count: CountProgress, nodes: u64, solutions: u64) {
        self.set(count.fraction.unwrap_or(0.0), nodes, solutions);
        *self.of_count.lock().unwrap_or_else(PoisonError::into_inner) = Some(count);
    }

    /// Forgets the last count: another one begins.
    pub(crate) fn clear_of_count(&self) {
        *self.of_count.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Tells how far the search is. A sum of the shares of many parts may exceed 1 by their rounding.
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

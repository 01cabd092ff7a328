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
    outlook: Mutex<Option<Outlook>>,
}

/// How far a count is at which several ways take turns ([`count::Counter`](crate::count::Counter)), told after each turn:
/// some thousand times a second in the beginning, about once a second later.
///
/// Nodes and covers so far are in [`Progress::nodes`] and [`Progress::solutions`]: the nodes are those of all ways together,
/// the covers the most that one of them is certain of (which may be none for long, and then all at once).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outlook {
    /// The way that leads: of those that are sure how long they will take the fastest, else the one that had the most
    /// time so far.
    pub way: &'static str,
    /// The fraction of its work that is done, from 0 to 1; `None` while no way is sure how long it will take.
    pub fraction: Option<f64>,
    /// The time that it will still take, as it expects; `None` as above.
    pub left: Option<Duration>,
    /// By how many times that may well be too low, at least 1.
    pub doubt: f64,
    /// The time spent on all ways so far.
    pub spent: Duration,
    /// The number of the independent part at hand, from 1, and how many there are, the largest last.
    pub part: usize,
    /// See `part`.
    pub parts: usize,
    /// Whether the part is counted already, and this is a check by a second way.
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

    /// Returns how far a count is at which several ways take turns; `None` if there is no such count, or it has
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
    /// let outlook = progress.outlook().expect("it was told");
    /// assert_eq!((outlook.way, outlook.part, outlook.parts), ("frontier", 1, 1));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn outlook(&self) -> Option<Outlook> {
        self.outlook.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells how far a count is.
    pub(crate) fn set_outlook(&self, outlook: Outlook, nodes: u64, solutions: u64) {
        self.set(outlook.fraction.unwrap_or(0.0), nodes, solutions);
        *self.outlook.lock().unwrap_or_else(PoisonError::into_inner) = Some(outlook);
    }

    /// Forgets what was told of a count: another one begins.
    pub(crate) fn clear_outlook(&self) {
        *self.outlook.lock().unwrap_or_else(PoisonError::into_inner) = None;
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

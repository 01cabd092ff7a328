//! The interface of a counting method.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, OnceLock};

use num_bigint::BigUint;

use crate::frontier::order::{self, Order};
use crate::parallel::{Cores, Parallel};
use crate::portfolio::{Budget, Contender, Cut};
use crate::prepare::Weighted;

/// A counting method.
///
/// ```
/// use dlx::count::{Counter, METHODS};
///
/// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
/// let frontier = METHODS.iter().find(|method| method.name == "frontier").expect("it is there");
/// let mut counter = Counter::new(problem).by(frontier);
/// let report = counter.try_count(&[], &dlx::Limits::new())?;
/// assert_eq!(report.count(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Method {
    /// The name that selects the method.
    pub name: &'static str,
    /// A one-line description of the method.
    pub summary: &'static str,
    /// Creates the contenders that may count a part, the most promising first.
    pub(crate) contenders: for<'p> fn(&'p Weighted, &Hints<'p>) -> Vec<Box<Counting<'p>>>,
}

pub(crate) type Counting<'p> = dyn Count + 'p;

/// A contender that counts the covers of a part, where each cover counts as the product of its
/// options' weights.
pub(crate) trait Count: Contender<(), Output = BigUint> + Send {
    fn explain(&self) -> String;

    /// Returns the modulus of the count, or `None` for the exact count.
    fn modulus(&self) -> Option<u64> {
        None
    }
}

/// The item orders of a part, computed on first use, and the expected times of their frontiers.
#[derive(Default)]
pub(crate) struct Orders {
    /// Empty if a limit prevented their computation.
    orders: OnceLock<Vec<Order>>,
    /// The expected total time of each frontier that has started (ns), by place; 0 for others.
    foreseen: [AtomicU64; ORDERS],
}

/// The number of orders whose frontiers take part in a race.
pub(super) const ORDERS: usize = 3;

impl Orders {
    /// Returns the item orders of `part`, the best first.
    pub(crate) fn of(&self, part: &Weighted, budget: &mut Budget<'_>) -> &[Order] {
        self.orders.get_or_init(|| order::candidates(&part.problem, budget).unwrap_or_default())
    }

    pub(crate) fn known(&self) -> Option<&[Order]> {
        self.orders.get().map(Vec::as_slice)
    }

    pub(super) fn foresee(&self, place: usize, time: f64) {
        self.foreseen[place].store((time as u64).max(1), Relaxed);
    }

    /// Returns the least expected total time of a frontier that has started, or 0 (ns).
    pub(super) fn least(&self) -> f64 {
        let times = self.foreseen.iter().map(|time| time.load(Relaxed)).filter(|&time| time > 0);
        times.min().unwrap_or(0) as f64
    }
}

pub(crate) struct Hints<'p> {
    pub(crate) cores: &'p Arc<Cores>,
    pub(crate) modulus: Option<u64>,
    pub(crate) orders: &'p Orders,
    /// The fraction of the tree that a plain search visited, and its number of nodes.
    pub(crate) search: Option<(f64, u64)>,
    /// Set once a cover is known, which ends attempts to refute the part.
    pub(crate) has_cover: &'p AtomicBool,
    pub(crate) engine: &'p Cell<Option<Parallel<'static>>>,
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Method").field("name", &self.name).finish_non_exhaustive()
    }
}

pub(crate) fn begun<'s, T>(
    slot: &'s mut Option<T>,
    budget: &mut Budget<'_>,
    new: impl FnOnce(&mut Budget<'_>) -> Result<T, Cut>,
) -> Result<&'s mut T, Cut> {
    match slot {
        Some(begun) => Ok(begun),
        none => Ok(none.insert(budget.begin(new)?)),
    }
}

//! What a method is: each has a folder or a file, with its `METHOD`, and its line in [`METHODS`](super::METHODS).

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use num_bigint::BigUint;

use crate::frontier::order::{self, Order};
use crate::parallel::{Cores, Parallel};
use crate::portfolio::{Budget, Contender, Cut};
use crate::prepare::Weighted;

/// A method to count.
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
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Makes the contenders by which it may count a part, the most promising first.
    pub(crate) contenders: for<'p> fn(&'p Weighted, &Hints<'p>) -> Vec<Box<Counting<'p>>>,
}

/// A contender that counts the covers of a part.
pub(crate) type Counting<'p> = dyn Count + 'p;

/// Counts the covers of a part, each as often as the weights of its options say.
pub(crate) trait Count: Contender<(), Output = BigUint> + Send {
    /// Says what it did.
    fn explain(&self) -> String;

    /// Returns the number modulo which it counts, if it does.
    fn modulus(&self) -> Option<u64> {
        None
    }
}

/// Orders of the items of a part, made once they are needed; none if a limit was reached before.
#[derive(Default)]
pub(crate) struct Orders(OnceLock<Vec<Order>>);

impl Orders {
    /// Returns orders of the items of `part`, the best first.
    pub(crate) fn of(&self, part: &Weighted, budget: &mut Budget<'_>) -> &[Order] {
        self.0.get_or_init(|| order::candidates(&part.problem, budget).unwrap_or_default())
    }

    /// Returns them if they were made.
    pub(crate) fn known(&self) -> Option<&[Order]> {
        self.0.get().map(Vec::as_slice)
    }
}

/// What is known before a part is counted.
pub(crate) struct Hints<'p> {
    /// Cores that may be idle.
    pub(crate) cores: &'p Arc<Cores>,
    /// The prime modulo which a frontier is to count.
    pub(crate) modulus: Option<u64>,
    pub(crate) orders: &'p Orders,
    /// What fraction of a plain search was done after so many nodes.
    pub(crate) search: Option<(f64, u64)>,
    /// Whether a cover is known by now, so that there is nothing to refute.
    pub(crate) has_cover: &'p AtomicBool,
    /// The engine for the part, if that is the whole problem and it was built.
    pub(crate) engine: &'p Cell<Option<Parallel<'static>>>,
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Method").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Returns what was begun, made now if it was not.
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

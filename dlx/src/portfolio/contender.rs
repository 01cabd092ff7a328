//! Contenders: resumable methods that compute the same result in a race.

use std::time::Duration;

use super::{Budget, Cut};

/// A participant of a [`Race`](super::Race), which works in slices and estimates its remaining
/// time. All contenders of a race share data of type `S`.
pub(crate) trait Contender<S: ?Sized = ()> {
    type Output;

    fn name(&self) -> &'static str;

    /// Works until the result is known or the budget is spent.
    ///
    /// # Errors
    /// [`Cut::Work`] if the contender can be resumed; [`Cut::Memory`] or [`Cut::Unsuited`] if it
    /// cannot compute the result; a limit if it ends the whole race.
    fn run(&mut self, shared: &mut S, budget: &mut Budget<'_>) -> Result<Self::Output, Cut>;

    /// Estimates the remaining time after `spent`. The default estimate is `spent`.
    fn estimate(&self, spent: Duration) -> Estimate {
        Estimate::guess(spent.as_nanos() as f64)
    }

    /// Returns the approximate time at the start of the first slice when the contender cannot be
    /// interrupted (ns).
    fn setup(&self) -> f64 {
        0.0
    }

    /// Returns the weight of the contender: its share of the time relative to a contender of share
    /// 1 with the same estimate.
    fn share(&self) -> f64 {
        1.0
    }

    fn effort(&self) -> (u64, u64) {
        (0, 0)
    }

    /// Returns a lower bound of the output that is proved so far, if there is one.
    fn known(&self) -> Option<Self::Output> {
        None
    }

    /// Returns the memory that the contender holds, without fixed parts (bytes).
    fn bytes(&self) -> usize {
        0
    }
}

impl<S: ?Sized, C: Contender<S> + ?Sized> Contender<S> for Box<C> {
    type Output = C::Output;

    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn run(&mut self, shared: &mut S, budget: &mut Budget<'_>) -> Result<Self::Output, Cut> {
        (**self).run(shared, budget)
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        (**self).estimate(spent)
    }

    fn setup(&self) -> f64 {
        (**self).setup()
    }

    fn share(&self) -> f64 {
        (**self).share()
    }

    fn effort(&self) -> (u64, u64) {
        (**self).effort()
    }

    fn known(&self) -> Option<Self::Output> {
        (**self).known()
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }
}

/// Exponent that reduces the ratio of an unreliable estimate to the time spent.
const DOUBT: f64 = 0.6;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// The estimated remaining time (ns); infinite if the contender will probably never be done.
    pub(crate) left: f64,
    /// The largest expected ratio, at least 1, of the actual time to `left`, or `None` if the
    /// estimate is unreliable.
    pub(crate) error: Option<f64>,
    /// Whether the contender may also be done at any time before `left`.
    pub(crate) is_bound: bool,
}

impl Estimate {
    pub(crate) fn guess(left: f64) -> Self {
        Self::new(left, None)
    }

    /// Builds an unreliable estimate after `spent` nanoseconds. If `left` exceeds `spent`, their
    /// ratio is reduced.
    pub(crate) fn doubted(left: f64, spent: f64) -> Self {
        Self::guess(if left > spent { spent * (left / spent).powf(DOUBT) } else { left })
    }

    pub(crate) fn sure(left: f64, error: f64) -> Self {
        Self::new(left, Some(error))
    }

    pub(crate) fn new(left: f64, error: Option<f64>) -> Self {
        let left = if left.is_nan() { f64::INFINITY } else { left.max(0.0) };
        Self { left, error: error.map(|error| error.max(1.0)), is_bound: false }
    }

    /// Builds an upper bound that may be too low by the factor `error`. The contender may be done
    /// at any time before the bound.
    pub(crate) fn at_most(left: f64, error: f64) -> Self {
        Self { is_bound: true, ..Self::sure(left, error) }
    }

    /// Returns the largest remaining time that is consistent with the estimate (ns).
    pub(crate) fn most(self) -> f64 {
        self.left * self.error.unwrap_or(1.0)
    }

    /// Returns the expected remaining time of a contender that has run for `spent` nanoseconds. A
    /// contender whose estimate is a bound is expected to run at most as long again.
    pub(crate) fn expected(self, spent: f64) -> f64 {
        if self.is_bound { self.most().min(spent) } else { self.most() }
    }
}

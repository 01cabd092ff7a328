//! Contenders: resumable methods that compute the same result.

use std::time::Duration;

use super::{Budget, Cut};

/// Takes part in a [`Race`](super::Race): works in slices and estimates its remaining time. `S` is
/// the data shared by all contenders of a race.
pub(crate) trait Contender<S: ?Sized = ()> {
    type Output;

    fn name(&self) -> &'static str;

    /// Works until it is done or the budget is spent.
    ///
    /// # Errors
    /// [`Cut::Work`] if it can be resumed; [`Cut::Memory`] or [`Cut::Unsuited`] if it cannot solve
    /// the task; a limit if that ends the whole race.
    fn run(&mut self, shared: &mut S, budget: &mut Budget<'_>) -> Result<Self::Output, Cut>;

    /// Returns the estimated remaining time after `spent`; by default the same time again.
    fn estimate(&self, spent: Duration) -> Estimate {
        Estimate::guess(spent.as_nanos() as f64)
    }

    /// Returns the approximate nanoseconds at the start of the first slice where the contender
    /// cannot be interrupted.
    fn setup(&self) -> f64 {
        0.0
    }

    /// Returns the weight of the contender: its time relative to a contender of share 1 with the
    /// same estimate.
    fn share(&self) -> f64 {
        1.0
    }

    fn effort(&self) -> (u64, u64) {
        (0, 0)
    }

    /// Returns a lower bound of the output that is certain so far, if useful.
    fn known(&self) -> Option<Self::Output> {
        None
    }

    /// Returns the bytes that the contender holds, without fixed parts.
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

/// Exponent applied to the ratio of an unreliable estimate to the time spent.
const DOUBT: f64 = 0.6;

/// The remaining time of a contender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// Nanoseconds; infinite if the contender will hardly ever be done.
    pub(crate) left: f64,
    /// The factor, at least 1, that `left` may be too low by; `None` while the estimate is
    /// unreliable.
    pub(crate) error: Option<f64>,
    /// Whether the contender may be done at any earlier time.
    pub(crate) is_bound: bool,
}

impl Estimate {
    pub(crate) fn guess(left: f64) -> Self {
        Self::new(left, None)
    }

    /// Makes an unreliable estimate after `spent` nanoseconds; reduces `left` the more it exceeds
    /// `spent`.
    pub(crate) fn doubted(left: f64, spent: f64) -> Self {
        Self::guess(if left > spent { spent * (left / spent).powf(DOUBT) } else { left })
    }

    pub(crate) fn sure(left: f64, error: f64) -> Self {
        Self::new(left, Some(error))
    }

    /// Makes an estimate; NaN counts as infinite.
    pub(crate) fn new(left: f64, error: Option<f64>) -> Self {
        let left = if left.is_nan() { f64::INFINITY } else { left.max(0.0) };
        Self { left, error: error.map(|error| error.max(1.0)), is_bound: false }
    }

    /// Makes an upper bound that may be too low by a factor of `error`: the contender may be done
    /// at any time before.
    pub(crate) fn at_most(left: f64, error: f64) -> Self {
        Self { is_bound: true, ..Self::sure(left, error) }
    }

    /// Returns the largest time in nanoseconds that is consistent with the estimate.
    pub(crate) fn most(self) -> f64 {
        self.left * self.error.unwrap_or(1.0)
    }
}

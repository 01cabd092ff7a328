//! One of several means to the same end, which can be cut short and goes on where it was.

use std::time::Duration;

use super::{Budget, Cut};

/// Takes part in a [`Race`](super::Race): it works on in slices, and tells how long it will still take. `S` is what all
/// contenders of a race work on, apart from what each has of its own.
pub(crate) trait Contender<S: ?Sized = ()> {
    /// What the race is for.
    type Output;

    /// Returns its name.
    fn name(&self) -> &'static str;

    /// Works on for as long as the budget allows.
    ///
    /// # Errors
    /// [`Cut::Work`] if it is to go on later; [`Cut::Memory`] or [`Cut::Unsuited`] if it is of no use; a limit if that
    /// ends the whole race.
    fn run(&mut self, shared: &mut S, budget: &mut Budget<'_>) -> Result<Self::Output, Cut>;

    /// Returns how long it will still take, as far as it can tell after `spent`. One that cannot tell is taken to
    /// take as long again.
    fn estimate(&self, spent: Duration) -> Estimate {
        Estimate::guess(spent.as_nanos() as f64)
    }

    /// Returns about the nanoseconds of its first slice in which it cannot be cut.
    fn setup(&self) -> f64 {
        0.0
    }

    /// Returns how many times as much time it is due as one of share 1 that promises the same.
    fn share(&self) -> f64 {
        1.0
    }

    /// Returns how many nodes it entered so far, and how many updates it made.
    fn effort(&self) -> (u64, u64) {
        (0, 0)
    }

    /// Returns what it is certain of by now, if that is worth anything: at most the output.
    fn known(&self) -> Option<Self::Output> {
        None
    }

    /// Returns the bytes that it holds, as far as they grow.
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

/// Of how many times more than the time spent an estimate says, this power is believed.
const DOUBT: f64 = 0.6;

/// How long a contender will still take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// Nanoseconds; infinite if it will hardly ever be done.
    pub(crate) left: f64,
    /// The factor by which `left` may be too low, at least 1; `None` while the estimate cannot be trusted.
    pub(crate) error: Option<f64>,
    /// Whether it may be done at any time before.
    pub(crate) is_bound: bool,
}

impl Estimate {
    /// Makes an estimate that cannot be trusted.
    pub(crate) fn guess(left: f64) -> Self {
        Self::new(left, None)
    }

    /// Makes an estimate that so many nanoseconds led to: the larger it is beside them, the less of it is believed.
    pub(crate) fn doubted(left: f64, spent: f64) -> Self {
        Self::guess(if left > spent { spent * (left / spent).powf(DOUBT) } else { left })
    }

    /// Makes an estimate that may be too low by a factor of `error`.
    pub(crate) fn sure(left: f64, error: f64) -> Self {
        Self::new(left, Some(error))
    }

    /// Makes an estimate. What is no number may be anything.
    pub(crate) fn new(left: f64, error: Option<f64>) -> Self {
        let left = if left.is_nan() { f64::INFINITY } else { left.max(0.0) };
        Self { left, error: error.map(|error| error.max(1.0)), is_bound: false }
    }

    /// Makes an estimate of one that may be done at any time, but will not take longer; that may be too low by a factor
    /// of `error`.
    pub(crate) fn at_most(left: f64, error: f64) -> Self {
        Self { is_bound: true, ..Self::sure(left, error) }
    }

    /// Returns the nanoseconds that it takes at most if it is right.
    pub(crate) fn most(self) -> f64 {
        self.left * self.error.unwrap_or(1.0)
    }
}

//! A contender as seen by the scheduler of a race (`race.rs`), with its rank and its time slices.
//!
//! The rank depends on the estimate and its reliability (`outlook.rs`).

use std::time::Duration;

use super::clock::Clock;
use super::outlook::Outlook;
use super::{Budget, Contender, Cut, Estimate};
use crate::limits::Limits;

/// Largest actual length of a slice, as a multiple of the planned length. Contenders count their
/// work only approximately.
const OVERTIME: u32 = 2;
/// Deadline of a contender as a multiple of its estimate, after which it is late.
pub(super) const MARGIN: f64 = 2.0;
/// Ratio of two bounds from which the lower one counts as much lower.
const BEHIND: f64 = 2.0;
/// Longest slice as a multiple of the time so far, so that a wrong estimate is noticed early, and
/// of the first slice.
const AHEAD: u64 = 4;
const AHEAD_MIN: u64 = 10;
/// Longest slice as a multiple of a reliable estimate.
const ENOUGH: f64 = 1.5;
/// Ratio of the time so far to the shortest slice that is compared.
const STEPS: f64 = 8.0;
/// Smallest debt that triggers a guaranteed slice (in first slices); keeps short races from
/// starting every contender.
const DEBT_MIN: u64 = 8;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Slices {
    /// First slice of a contender of share 1. The first slice is longer if the setup takes longer.
    pub(crate) first: u64,
    /// Longest slice, except guaranteed slices; keeps progress reports frequent.
    pub(crate) longest: u64,
}

pub(super) struct Runner<C: Contender<S>, S: ?Sized> {
    pub(super) name: &'static str,
    /// The contender, or `None` while it runs, and after it dropped out.
    pub(super) contender: Option<C>,
    pub(super) spent: Duration,
    /// The time charged to the contender: the time spent and the unused rest of its slices (ns).
    pub(super) charged: u64,
    pub(super) estimate: Estimate,
    /// The highest probability to be done per expected time (1/ns).
    pub(super) rate: f64,
    /// Whether the contender missed its last estimate, and that estimate was reliable.
    pub(super) is_broken: bool,
    pub(super) foreseen: Option<Duration>,
    pub(super) is_out: bool,
    pub(super) is_done: bool,
    pub(super) away: Option<Away>,
    /// The effort and the proved lower bound, at the start of the current slice or when the
    /// contender dropped out.
    pub(super) effort: (u64, u64),
    pub(super) known: Option<C::Output>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Away {
    pub(super) given: u64,
    pub(super) share: f64,
    pub(super) bytes: usize,
}

impl<C: Contender<S>, S: ?Sized> Runner<C, S> {
    pub(super) fn new(contender: C, slices: Slices) -> Self {
        let mut runner = Self {
            name: contender.name(),
            spent: Duration::ZERO,
            charged: 0,
            estimate: contender.estimate(Duration::ZERO),
            rate: 0.0,
            is_broken: false,
            foreseen: None,
            is_out: false,
            is_done: false,
            away: None,
            effort: (0, 0),
            known: None,
            contender: Some(contender),
        };
        runner.judge(slices);
        runner
    }

    /// Computes the rate from the estimate.
    pub(super) fn judge(&mut self, slices: Slices) {
        let charged = self.charged as f64;
        let outlook = Outlook::new(self.estimate, self.error().is_some(), charged);
        let step = (self.first_slice(slices) as f64).max(charged / STEPS);
        self.rate = self.share() * outlook.rate(step);
    }

    /// Returns the error factor of a reliable estimate, or `None` if the estimate is unreliable.
    pub(super) fn error(&self) -> Option<f64> {
        self.estimate.error.filter(|_| !self.is_broken)
    }

    /// Returns the rank: the expected time for an equal chance to be done (ns). Lower is better.
    pub(super) fn rank(&self) -> f64 {
        self.rate.recip()
    }

    /// Returns the divisor of the contender's share. The divisor exceeds 1 if the estimate is a
    /// bound and the lowest bound `least` is much lower.
    pub(super) fn behind(&self, least: Option<f64>) -> f64 {
        let least = least.filter(|_| self.estimate.is_bound && self.error().is_some());
        least.map_or(1.0, |least| (self.estimate.left / (BEHIND * least.max(1.0))).max(1.0))
    }

    pub(super) fn share(&self) -> f64 {
        let away = || self.away.map_or(1.0, |away| away.share);
        self.contender.as_ref().map_or_else(away, C::share)
    }

    pub(super) fn bytes(&self) -> usize {
        let away = || self.away.map_or(0, |away| away.bytes);
        self.contender.as_ref().map_or_else(away, C::bytes)
    }

    /// Returns the time charged so far, including the current slice (ns).
    pub(super) fn charged_soon(&self) -> u64 {
        self.charged.saturating_add(self.away.map_or(0, |away| away.given))
    }

    pub(super) fn effort(&self) -> (u64, u64) {
        self.contender.as_ref().map_or(self.effort, C::effort)
    }

    /// Returns the smallest debt that leads to a guaranteed slice (ns).
    pub(super) fn debt_min(&self, slices: Slices) -> u64 {
        let first = (slices.first as f64 * self.share()) as u64;
        self.next_slice(slices).max(DEBT_MIN.saturating_mul(first))
    }

    /// Returns the time at the start of the next slice when the contender cannot be interrupted
    /// (ns).
    pub(super) fn beginning(&self) -> u64 {
        if self.charged == 0 { self.contender.as_ref().map_or(0.0, C::setup) as u64 } else { 0 }
    }

    fn first_slice(&self, slices: Slices) -> u64 {
        let first = (slices.first as f64 * self.share()).max(1.0);
        self.beginning().max(first as u64)
    }

    /// Returns the next slice if the estimate is unreliable, which is as long as all previous
    /// slices together (ns).
    pub(super) fn next_slice(&self, slices: Slices) -> u64 {
        self.charged.max(self.first_slice(slices)).min(slices.longest)
    }

    /// Returns the next slice (ns), which is as long as a reliable estimate asks for.
    pub(super) fn slice(&self, slices: Slices) -> u64 {
        let next = self.next_slice(slices);
        if self.error().is_none() || self.estimate.is_bound {
            return next;
        }
        let ahead = AHEAD.saturating_mul(self.charged.max(AHEAD_MIN.saturating_mul(slices.first)));
        next.max(((ENOUGH * self.estimate.most()) as u64).min(ahead).min(slices.longest))
    }

    /// Drops out of the race and frees the memory; effort and proved lower bound are kept.
    pub(super) fn give_up(&mut self) {
        self.effort = self.effort();
        self.known = self.contender.take().and_then(|contender| contender.known());
        self.is_out = true;
    }
}

pub(super) struct Turn<C> {
    pub(super) index: usize,
    pub(super) contender: C,
    /// The time that may be used now, and the length of the whole slice (ns).
    pub(super) given: u64,
    pub(super) slice: u64,
    pub(super) beginning: u64,
    pub(super) bytes: usize,
    pub(super) open: Option<OpenSlice>,
    pub(super) time: Duration,
}

impl<C> Turn<C> {
    pub(super) fn run<S: ?Sized>(
        &mut self,
        shared: &mut S,
        limits: &Limits,
        clock: &dyn Clock,
    ) -> Result<C::Output, Cut>
    where
        C: Contender<S>,
    {
        let begun = clock.now();
        let longest = Duration::from_nanos(self.given).saturating_mul(OVERTIME);
        let budget = Budget::new(limits, self.given, self.bytes).within(clock, longest);
        let mut budget = budget.with_beginning(self.beginning);
        let result = self.contender.run(shared, &mut budget);
        clock.pass(budget.spent());
        self.time = clock.now() - begun;
        result
    }
}

/// A slice that was interrupted because the race paused, and that is resumed first.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenSlice {
    pub(super) index: usize,
    /// The remaining time of the slice, and the time already charged for it (ns).
    pub(super) left: u64,
    pub(super) had: u64,
    /// The largest remaining time of the contender, as estimated when the slice started.
    pub(super) most: f64,
}

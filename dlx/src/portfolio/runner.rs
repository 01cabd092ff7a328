//! One of those that race: a contender with what the scheduler knows of it, and the slices of time that it has.
//!
//! How it ranks among others follows from its estimate, from how much of that is believed, and from the promises that it
//! broke; who is next is said in `race.rs`.

use std::time::Duration;

use super::clock::Clock;
use super::{Budget, Contender, Cut, Estimate};
use crate::limits::Limits;

/// A slice is over after its length times this at the latest, since work is not told exactly.
const OVERTIME: u32 = 2;
/// A contender that is sure has a slice of its estimate times this: then it is nearly always done. One that is not done
/// in its estimate times this has broken its promise.
pub(super) const MARGIN: f64 = 2.0;
/// But no more than the time of all so far times this, or so many first slices: what turns out to take far longer is
/// seen on the way, and the share of the others grows with it.
const AHEAD: f64 = 2.0;
const AHEAD_MIN: u64 = 200;
/// A bound is far less than another if this many times it is still less.
const BEHIND: f64 = 2.0;
/// No contender is owed less than its first slice times this, so that short races need not begin with all.
const DEBT_MIN: u64 = 8;

/// One that was late up to so many times in turn, and now says that it needs little, may have this many times as much, if that
/// is at most this share of what another is sure to need.
const CHANCES: u32 = 4;
const CHANCE: f64 = 4.0;
const CHANCE_SHARE: f64 = 0.1;

/// The lengths of slices, in nanoseconds on the clock of the race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slices {
    /// The first slice of a contender of share 1, unless it takes longer to set up.
    pub(crate) first: u64,
    /// No slice that is not owed is longer, so that it is told now and then how far the race is.
    pub(crate) longest: u64,
}

/// A contender with what the scheduler knows of it.
pub(super) struct Runner<C: Contender<S>, S: ?Sized> {
    pub(super) name: &'static str,
    /// `None` once it gave up its memory.
    pub(super) contender: Option<C>,
    /// The time that it took.
    pub(super) spent: Duration,
    /// The nanoseconds that it is charged: the time that it took, and what it left of its slices.
    pub(super) charged: u64,
    pub(super) estimate: Estimate,
    /// How many times in turn it was not done in the time that it said, and whether it was sure of that the last time.
    pub(super) lates: u32,
    pub(super) is_broken: bool,
    /// The time in all that was expected after its last slice but one.
    pub(super) foreseen: Option<Duration>,
    /// Whether it takes part no more.
    pub(super) is_out: bool,
    /// Whether it is done.
    pub(super) is_done: bool,
    /// What is known of it while it has a slice, for then the contender is not here.
    pub(super) away: Option<Away>,
    /// What it did and was certain of when it gave up its memory, or when its slice began.
    pub(super) effort: (u64, u64),
    pub(super) known: Option<C::Output>,
}

/// What is known of a contender that has a slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Away {
    /// The nanoseconds of the slice.
    pub(super) given: u64,
    /// Its share, and the bytes that it may hold.
    pub(super) share: f64,
    pub(super) bytes: usize,
}

impl<C: Contender<S>, S: ?Sized> Runner<C, S> {
    pub(super) fn new(contender: C) -> Self {
        Self {
            name: contender.name(),
            spent: Duration::ZERO,
            charged: 0,
            estimate: contender.estimate(Duration::ZERO),
            lates: 0,
            is_broken: false,
            foreseen: None,
            is_out: false,
            is_done: false,
            away: None,
            effort: (0, 0),
            known: None,
            contender: Some(contender),
        }
    }

    /// Returns the factor by which its estimate may be too low, if that is to be trusted.
    pub(super) fn error(&self) -> Option<f64> {
        self.estimate.error.filter(|_| !self.is_broken)
    }

    /// Returns the nanoseconds by which it is compared with the others.
    pub(super) fn rank(&self) -> f64 {
        let is_doubted = self.error().is_none() && self.charged > 0;
        let doubted = |left| Estimate::doubted(left, self.charged as f64).left;
        self.promise(|left| if is_doubted { doubted(left) } else { left })
    }

    /// Returns by what factor its share is less, if it is sure of a bound and another one of a bound that is far less.
    pub(super) fn behind(&self, least: Option<f64>) -> f64 {
        let least = least.filter(|_| self.estimate.is_bound && self.error().is_some());
        least.map_or(1.0, |least| (self.estimate.left / (BEHIND * least.max(1.0))).max(1.0))
    }

    /// Returns the nanoseconds that it promises, of which so much is believed, unless it broke its promises.
    pub(super) fn promise(&self, believed: impl Fn(f64) -> f64) -> f64 {
        let charged = self.charged as f64;
        let most = self.estimate.most();
        let left = if self.estimate.is_bound { most.min(charged) } else { most };
        believed(left).max(f64::from(self.lates) * charged) / self.share()
    }

    pub(super) fn share(&self) -> f64 {
        let away = || self.away.map_or(1.0, |away| away.share);
        self.contender.as_ref().map_or_else(away, C::share)
    }

    pub(super) fn bytes(&self) -> usize {
        let away = || self.away.map_or(0, |away| away.bytes);
        self.contender.as_ref().map_or_else(away, C::bytes)
    }

    /// Returns the nanoseconds that it was charged, and those that it has at the moment.
    pub(super) fn charged_soon(&self) -> u64 {
        self.charged.saturating_add(self.away.map_or(0, |away| away.given))
    }

    pub(super) fn effort(&self) -> (u64, u64) {
        self.contender.as_ref().map_or(self.effort, C::effort)
    }

    /// Returns the least nanoseconds that it can be owed.
    pub(super) fn debt_min(&self, slices: Slices) -> u64 {
        let first = (slices.first as f64 * self.share()) as u64;
        self.next_slice(slices).max(DEBT_MIN.saturating_mul(first))
    }

    /// Returns the nanoseconds of its next slice in which it cannot be cut.
    pub(super) fn beginning(&self) -> u64 {
        if self.charged == 0 { self.contender.as_ref().map_or(0.0, C::setup) as u64 } else { 0 }
    }

    /// Returns the nanoseconds of its next slice, if it is not sure of its estimate: as long as all before.
    pub(super) fn next_slice(&self, slices: Slices) -> u64 {
        let first = (slices.first as f64 * self.share()).max(1.0);
        let least = self.beginning().max(first as u64);
        self.charged.max(least).min(slices.longest)
    }

    /// Returns the nanoseconds that it may go on at a time, after so many of all.
    pub(super) fn slice(&self, slices: Slices, all: f64) -> u64 {
        let most = ((AHEAD * all) as u64).max(slices.first.saturating_mul(AHEAD_MIN));
        let whole = self.error().map_or(0, |_| ((MARGIN * self.estimate.left) as u64).min(most));
        let is_long = self.estimate.is_bound && whole > self.charged;
        let whole = if is_long { 0 } else { whole };
        self.next_slice(slices).max(whole.min(slices.longest))
    }

    /// Returns the nanoseconds of a last chance: one that is late, but says that it needs next to nothing beside what another
    /// is sure to need, has some times that, though its rank is that of who was late before.
    pub(super) fn chance(&self, sure: f64) -> Option<u64> {
        let is_late = (1..=CHANCES).contains(&self.lates) && self.error().is_none();
        let time = CHANCE * self.estimate.left;
        let is_behind = is_late && !self.is_out && self.rank() > sure;
        (is_behind && time <= CHANCE_SHARE * sure).then_some((time as u64).max(1))
    }

    /// Gives back all memory; what it did and was certain of stays known.
    pub(super) fn give_up(&mut self) {
        self.effort = self.effort();
        self.known = self.contender.take().and_then(|contender| contender.known());
        self.is_out = true;
    }
}

/// A slice of time of a contender, with the contender.
pub(super) struct Turn<C> {
    pub(super) index: usize,
    pub(super) contender: C,
    /// The nanoseconds of it that may be used now, and all there are.
    pub(super) given: u64,
    pub(super) slice: u64,
    /// The nanoseconds in which it cannot be cut.
    pub(super) beginning: u64,
    pub(super) bytes: usize,
    /// Whether the slice had begun before, and how.
    pub(super) open: Option<OpenSlice>,
    /// The time that it took.
    pub(super) time: Duration,
}

impl<C> Turn<C> {
    /// Lets the contender run.
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

/// A slice that was cut short since the race paused, and is gone on with first.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenSlice {
    pub(super) index: usize,
    /// The nanoseconds that are left of it, and those that were charged.
    pub(super) left: u64,
    pub(super) had: u64,
    /// What was to be left at most when it began.
    pub(super) most: f64,
}

//! How long a contender or a phase may go on: work, memory, the clock, and the caller's limits.

use std::time::Duration;

use super::clock::{Clock, ThreadClock};
use super::costs::{COUNT_SLICE, LOOK};
use crate::limits::{Limit, Limits};

/// Why a contender or a phase came back before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The work that it was given is spent.
    Work,
    /// It would need more memory than it was given.
    Memory,
    /// It does not take such problems.
    Unsuited,
    /// A limit of the caller ends everything.
    Limit(Limit),
}

impl Cut {
    /// Returns the limit that the caller is told: what does not fit is a matter of memory.
    pub(crate) fn limit(self) -> Limit {
        match self {
            Self::Limit(limit) => limit,
            Self::Work | Self::Memory | Self::Unsuited => Limit::Memory,
        }
    }
}

/// Returns a budget without limits.
#[cfg(test)]
pub(crate) fn free() -> Budget<'static> {
    static LIMITS: std::sync::LazyLock<Limits> = std::sync::LazyLock::new(Limits::default);
    Budget::new(&LIMITS, u64::MAX, usize::MAX)
}

/// Work, memory, time and limits that a contender or a phase must keep to.
#[derive(Debug)]
pub(crate) struct Budget<'l> {
    limits: &'l Limits,
    /// The work that is left, in steps of about a nanosecond.
    work: u64,
    /// The work that was done, also what is not taken from that.
    spent: u64,
    /// The work that is left when the clock is looked at again.
    next_look: u64,
    clock: &'l dyn Clock,
    /// The time on the clock at which the work counts as spent, however much is left.
    end: Option<Duration>,
    /// The work that a beginning is expected to take.
    beginning: u64,
    /// The bytes that may be in use at a time.
    pub(crate) bytes: usize,
}

impl<'l> Budget<'l> {
    /// Allows `work` steps of about a nanosecond each and `bytes` of memory.
    pub(crate) fn new(limits: &'l Limits, work: u64, bytes: usize) -> Self {
        let next_look = work.saturating_sub(LOOK);
        Self { limits, work, spent: 0, next_look, clock: &ThreadClock, end: None, beginning: 0, bytes }
    }

    /// Returns this budget on another clock, such that its work is spent after so much time, if not before.
    pub(crate) fn within(self, clock: &'l dyn Clock, time: Duration) -> Self {
        Self { clock, end: clock.now().checked_add(time), ..self }
    }

    /// Returns this budget such that a beginning in it is expected to take so much work.
    pub(crate) fn with_beginning(self, beginning: u64) -> Self {
        Self { beginning, ..self }
    }

    /// Returns the clock.
    pub(crate) fn clock(&self) -> &'l dyn Clock {
        self.clock
    }

    /// Makes a beginning. It is cut by the caller's limits but not by work, for it would have to be made anew. What it
    /// took, or was expected to take, is gone from what is left, but for a first slice, in which it is seen what it is
    /// good for.
    pub(crate) fn begin<T>(&mut self, new: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.clock.now();
        let mut budget = Self { clock: self.clock, ..Self::new(self.limits, u64::MAX, self.bytes) };
        let begun = new(&mut budget);
        let spent = budget.spent;
        self.charge(spent);
        let time = u64::try_from((self.clock.now() - before).as_nanos()).unwrap_or(u64::MAX);
        let least = self.work.min(COUNT_SLICE);
        self.work = self.work.saturating_sub(time.max(spent).max(self.beginning)).max(least);
        self.next_look = self.work.saturating_sub(LOOK);
        begun
    }

    /// Notes work that was done without a look at what is left.
    pub(crate) fn charge(&mut self, work: u64) {
        self.spent += work;
    }

    /// Returns the work that was done, that of beginnings included.
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns the caller's limits.
    pub(crate) fn limits(&self) -> &'l Limits {
        self.limits
    }

    /// Returns the work that is left.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Spends work, before or soon after it is done.
    #[inline]
    pub(crate) fn spend(&mut self, work: u64) -> Result<(), Cut> {
        self.charge(work);
        self.work = self.work.checked_sub(work).ok_or(Cut::Work)?;
        if self.work <= self.next_look { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Cut> {
        self.next_look = self.work.saturating_sub(LOOK);
        self.limits.check().map_err(Cut::Limit)?;
        if self.end.is_some_and(|end| self.clock.now() >= end) {
            return Err(Cut::Work);
        }
        Ok(())
    }
}

//! Budgets of contenders and of phases of a computation: work, memory, time, and the caller's
//! limits.

use std::time::Duration;

use super::clock::{Clock, ThreadClock};
use super::costs::{COUNT_SLICE, LOOK};
use crate::limits::{Limit, Limits};

/// The reason why a contender or a phase returned before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    Work,
    Memory,
    Unsuited,
    Limit(Limit),
}

impl Cut {
    /// Returns the limit to report to the caller: the limit that ended the work, otherwise
    /// `Memory`.
    pub(crate) fn limit(self) -> Limit {
        match self {
            Self::Limit(limit) => limit,
            Self::Work | Self::Memory | Self::Unsuited => Limit::Memory,
        }
    }
}

#[cfg(test)]
pub(crate) fn free() -> Budget<'static> {
    static LIMITS: std::sync::LazyLock<Limits> = std::sync::LazyLock::new(Limits::default);
    Budget::new(&LIMITS, u64::MAX, usize::MAX)
}

/// The budget of a contender or a phase: work, memory, time, and the caller's limits.
#[derive(Debug)]
pub(crate) struct Budget<'l> {
    limits: &'l Limits,
    /// Work left (ns).
    work: u64,
    /// Work done (ns), including work not deducted from `work`.
    spent: u64,
    next_look: u64,
    clock: &'l dyn Clock,
    /// Deadline on the clock, which applies in addition to `work`.
    end: Option<Duration>,
    beginning: u64,
    pub(crate) bytes: usize,
}

impl<'l> Budget<'l> {
    /// Creates a budget of `work` nanoseconds and `bytes` bytes of memory.
    pub(crate) fn new(limits: &'l Limits, work: u64, bytes: usize) -> Self {
        let next_look = work.saturating_sub(LOOK);
        Self { limits, work, spent: 0, next_look, clock: &ThreadClock, end: None, beginning: 0, bytes }
    }

    pub(crate) fn within(self, clock: &'l dyn Clock, time: Duration) -> Self {
        Self { clock, end: clock.now().checked_add(time), ..self }
    }

    pub(crate) fn with_beginning(self, beginning: u64) -> Self {
        Self { beginning, ..self }
    }

    pub(crate) fn clock(&self) -> &'l dyn Clock {
        self.clock
    }

    /// Runs the setup `new`, which only the caller's limits interrupt. Deducts the larger of its
    /// actual and its expected cost from the work left, but leaves at least one first slice.
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

    pub(crate) fn charge(&mut self, work: u64) {
        self.spent += work;
    }

    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    pub(crate) fn limits(&self) -> &'l Limits {
        self.limits
    }

    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Checks that `count` elements of type `T` fit in the memory.
    ///
    /// # Errors
    /// [`Cut::Memory`] if they do not.
    pub(crate) fn fits<T>(&self, count: usize) -> Result<(), Cut> {
        let bytes = count.saturating_mul(size_of::<T>());
        if bytes <= self.bytes { Ok(()) } else { Err(Cut::Memory) }
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

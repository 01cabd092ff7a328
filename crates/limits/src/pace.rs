//! Checks of the clock and the flags in all phases other than a search.

use crate::{Limit, Limits};

/// Checks the clock and the flags after each portion of work, in phases other than a search
/// (reading, building, reducing, ordering, drawing).
///
/// ```
/// use limits::{Limit, Limits, Pace};
///
/// let limits = Limits::new().within(std::time::Duration::ZERO);
/// let mut pace = Pace::new(&limits);
/// let ended = (0..u64::MAX).find_map(|_| pace.spend(100).err());
/// assert_eq!(ended, Some(Limit::Time));
/// ```
#[derive(Debug)]
pub struct Pace<'l> {
    limits: &'l Limits,
    until_look: u64,
}

impl<'l> Pace<'l> {
    const INTERVAL: u64 = 200_000;

    /// Starts a phase. The first call of `spend` with work checks at once.
    #[must_use]
    pub fn new(limits: &'l Limits) -> Self {
        Self { limits, until_look: 0 }
    }

    /// Spends `work` nanoseconds of work, before or soon after the work is done.
    ///
    /// # Errors
    /// The limit that was reached ([`Limits::check`]).
    #[inline]
    pub fn spend(&mut self, work: u64) -> Result<(), Limit> {
        match self.until_look.checked_sub(work) {
            Some(left) => {
                self.until_look = left;
                Ok(())
            }
            None => self.look(),
        }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Limit> {
        self.until_look = Self::INTERVAL;
        self.limits.check()
    }
}

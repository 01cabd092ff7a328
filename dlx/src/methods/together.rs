//! One count by several workers on the same memo: the first that comes to the end has counted for all.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use num_bigint::BigUint;

use crate::parallel::{Cores, beside, lock};
use crate::portfolio::Cut;

/// The work of a count before others are called to help, and of a slice that they are called for: a thread starts in
/// less than a hundredth of that.
pub(super) const TOGETHER: u64 = 4_000_000;
/// The most others.
pub(super) const HELPERS_MAX: usize = 63;

/// Counts what others count as well, and can be cut at any time.
pub(super) trait Worker: Send {
    /// What all workers of a count have in common.
    type Ground: Sync;

    /// Counts, or goes on where it was cut; `spend` is told of the work, and stops it.
    fn run(
        &mut self,
        ground: &Self::Ground,
        spend: impl FnMut(u64) -> Result<(), Cut>,
    ) -> Result<BigUint, Cut>;
}

/// Lets `first` go on while `spend` lets it, and beside it at most `most` others on `cores` that are idle, until one has
/// come to the end; `hire` makes one of its number from 0.
pub(super) fn until_one_is_done<W: Worker>(
    cores: &Arc<Cores>,
    most: usize,
    others: &mut Vec<W>,
    hire: impl Fn(usize) -> W,
    first: &mut W,
    ground: &W::Ground,
    mut spend: impl FnMut(u64) -> Result<(), Cut>,
) -> Result<BigUint, Cut> {
    let total = Mutex::new(None);
    let result = beside(
        cores,
        most,
        others,
        hire,
        |other, flag| {
            let go_on = |_| if flag.load(Relaxed) { Err(Cut::Work) } else { Ok(()) };
            if let Ok(number) = other.run(ground, go_on) {
                *lock(&total) = Some(number);
                flag.store(true, Relaxed);
            }
        },
        |flag| {
            first.run(ground, |work| {
                spend(work)?;
                if flag.load(Relaxed) { Err(Cut::Work) } else { Ok(()) }
            })
        },
    );
    match (result, total.into_inner().unwrap_or_else(PoisonError::into_inner)) {
        (Err(Cut::Work), Some(total)) => Ok(total),
        (result, _) => result,
    }
}

//! Counts one problem with several workers that share a memo; the first worker to finish has the
//! result.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use num_bigint::BigUint;

use crate::parallel::{Cores, beside, lock};
use crate::portfolio::Cut;

/// Work of a count before helpers are called in, and of a slice that calls them in; starting a
/// thread takes less than a hundredth of it.
pub(super) const TOGETHER: u64 = 4_000_000;
/// Largest number of helpers.
pub(super) const HELPERS_MAX: usize = 63;

pub(super) trait Worker: Send {
    type Ground: Sync;

    /// Starts or resumes the count; reports its work to `spend`, whose error interrupts it.
    fn run(
        &mut self,
        ground: &Self::Ground,
        spend: impl FnMut(u64) -> Result<(), Cut>,
    ) -> Result<BigUint, Cut>;
}

/// Runs `first` with at most `most` helpers on idle `cores` until one of them finishes or `spend`
/// returns an error. `hire` creates a helper from its index, counted from 0.
pub(super) fn race_workers<W: Worker>(
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

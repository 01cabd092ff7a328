//! Counts a problem with several workers that share a memo. The first worker that finishes has the
//! count.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use num_bigint::BigUint;

use crate::parallel::{Cores, beside, lock};
use crate::portfolio::Cut;

/// Work of a count before it uses helpers, and minimum work of a slice with helpers (ns). Starting
/// a thread takes less than a hundredth of it.
pub(super) const TOGETHER: u64 = 4_000_000;
pub(super) const HELPERS_MAX: usize = 63;

pub(super) trait Worker: Send {
    type Ground: Sync;

    /// Starts or resumes the count. Reports work to `spend`, whose error interrupts the count.
    fn run(
        &mut self,
        ground: &Self::Ground,
        spend: impl FnMut(u64) -> Result<(), Cut>,
    ) -> Result<BigUint, Cut>;
}

/// Runs `first` with at most `most` helpers on idle `cores`, until a worker finishes or `spend`
/// returns an error. `hire` creates a helper from its index.
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

//! Limits the work of translating the clues of a text, and of composing a picture.
//!
//! A short line can define an automaton of any size, so each phase of reading and translating
//! reports its work ([`spend`]). The readers of many formats call rules and translations. Instead
//! of passing limits through all of them, [`within`] sets the limits of the calling thread for one
//! call. The pictures of all kinds are limited in the same way.

use std::cell::{Cell, RefCell};

use dlx::{Limit, Limits};

/// Work between two checks of the limits, in steps of about a nanosecond.
const INTERVAL: u64 = 1_000_000;

struct Budget {
    limits: Limits,
    until_look: u64,
}

thread_local! {
    static BUDGET: RefCell<Option<Budget>> = const { RefCell::new(None) };
    static REACHED: Cell<Option<Limit>> = const { Cell::new(None) };
}

/// Calls `make` and counts its work against `limits`. If a limit is reached, the result of `make`
/// is dropped, so it may be incomplete.
///
/// # Errors
/// The limit that was reached.
pub fn within<T>(limits: &Limits, make: impl FnOnce() -> T) -> Result<T, Limit> {
    /// Restores the budget of the enclosing call on drop, also after a panic.
    struct Restore(Option<Budget>);
    impl Drop for Restore {
        fn drop(&mut self) {
            BUDGET.set(self.0.take());
        }
    }
    let own = Budget { limits: limits.clone(), until_look: 0 };
    let _restore = Restore(BUDGET.replace(Some(own)));
    REACHED.set(None);
    let made = make();
    REACHED.take().map_or(Ok(made), Err)
}

/// Spends `work` steps of about a nanosecond each.
///
/// # Errors
/// If a limit of the enclosing call of [`within`] is reached.
pub fn spend(work: u64) -> Result<(), String> {
    BUDGET.with_borrow_mut(|budget| {
        let Some(budget) = budget else { return Ok(()) };
        match budget.until_look.checked_sub(work) {
            Some(left) => budget.until_look = left,
            None => {
                budget.until_look = INTERVAL;
                budget.limits.check().map_err(|limit| {
                    // Leave no budget, so that all further work fails.
                    budget.until_look = 0;
                    REACHED.set(Some(limit));
                    "a limit was reached".to_owned()
                })?;
            }
        }
        Ok(())
    })
}

/// Spends `work` steps for each of `count` things.
///
/// # Errors
/// As [`spend`] does.
pub fn spend_each(count: usize, work: u64) -> Result<(), String> {
    spend(work.saturating_mul(count as u64))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn work_stops_at_the_limit_of_the_innermost_call() {
        assert_eq!(spend(u64::MAX), Ok(()));
        let over = Limits::new().within(Duration::ZERO);
        assert_eq!(within(&over, || 1), Ok(1));
        assert_eq!(within(&over, || spend(1)), Err(Limit::Time));
        let outer = within(&Limits::new(), || {
            assert_eq!(within(&over, || spend(1)), Err(Limit::Time));
            spend(u64::MAX)
        });
        assert_eq!(outer, Ok(Ok(())));
    }
}

//! Ctrl-C and termination: the first sets a flag that searches look at, the second ends at once.
//!
//! The handlers only set flags, so no thread waits for signals.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::signal;
use signal_hook::flag;

/// What an interrupt sets, and whether the next one ends the program at once.
#[derive(Default)]
struct Flags {
    happened: Arc<AtomicBool>,
    is_last: Arc<AtomicBool>,
}

static FLAGS: LazyLock<Flags> = LazyLock::new(|| {
    let flags = Flags::default();
    #[cfg(unix)]
    let signals = [signal::SIGINT, signal::SIGTERM, signal::SIGHUP];
    #[cfg(not(unix))]
    let signals = [signal::SIGINT, signal::SIGTERM];
    for signal in signals {
        // Without a handler an interrupt just ends the program, so a failure here is no harm. The first
        // handler must see what the others have not yet set.
        let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(&flags.is_last));
        let _ = flag::register(signal, Arc::clone(&flags.is_last));
        let _ = flag::register(signal, Arc::clone(&flags.happened));
    }
    flags
});

/// Returns the flag that an interrupt sets; from now on an interrupt no longer ends the program.
pub(super) fn flag() -> Arc<AtomicBool> {
    Arc::clone(&FLAGS.happened)
}

/// Tells whether there was an interrupt.
pub(super) fn happened() -> bool {
    FLAGS.happened.load(Relaxed)
}

/// Runs `wait`, which may wait for input while there is nothing to print; an interrupt ends it and the
/// program.
pub(super) fn end_while<T>(wait: impl FnOnce() -> T) -> T {
    FLAGS.is_last.store(true, Relaxed);
    let result = wait();
    FLAGS.is_last.store(happened(), Relaxed);
    result
}

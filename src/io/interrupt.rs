//! Ctrl-C and termination: the first sets a flag that searches look at, a second Ctrl-C ends at once.
//!
//! The handlers only set flags, so no thread waits for signals. A request to terminate may come twice
//! in a moment (`timeout` sends it to the process and to its group), so the second does no more than
//! the first.

use std::iter;
#[cfg(unix)]
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::signal;
use signal_hook::flag;

/// What an interrupt sets, whether the next Ctrl-C ends the program at once, and whether any does.
#[derive(Default)]
struct InterruptFlags {
    happened: Arc<AtomicBool>,
    is_last: Arc<AtomicBool>,
    is_waiting: Arc<AtomicBool>,
}

static FLAGS: LazyLock<InterruptFlags> = LazyLock::new(|| {
    let flags = InterruptFlags::default();
    #[cfg(unix)]
    let requests = [signal::SIGTERM, signal::SIGHUP];
    #[cfg(not(unix))]
    let requests = [signal::SIGTERM];
    // Without a handler an interrupt just ends the program, so a failure here is no harm. The first
    // handler must see what the others have not yet set.
    let _ = flag::register_conditional_shutdown(signal::SIGINT, 130, Arc::clone(&flags.is_last));
    let _ = flag::register(signal::SIGINT, Arc::clone(&flags.is_last));
    for signal in iter::once(signal::SIGINT).chain(requests) {
        let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(&flags.is_waiting));
        let _ = flag::register(signal, Arc::clone(&flags.happened));
    }
    flags
});

/// Lets an interrupt end the program at once, with its exit code, until somebody asks for the flag.
pub(crate) fn end_at_once() {
    FLAGS.is_waiting.store(true, Relaxed);
}

/// Returns the flag that an interrupt sets; from now on an interrupt no longer ends the program.
pub(crate) fn flag() -> Arc<AtomicBool> {
    FLAGS.is_waiting.store(false, Relaxed);
    watch()
}

/// Returns the flag that an interrupt sets, whether it ends the program or not.
pub(crate) fn watch() -> Arc<AtomicBool> {
    Arc::clone(&FLAGS.happened)
}

/// Lets a write fail that makes a file larger than the system allows (`ulimit -f`), instead of ending
/// the process.
pub(crate) fn outlive_size_limit() {
    #[cfg(unix)]
    {
        static ONCE: Once = Once::new();
        // Without a handler the process ends, as it did before.
        ONCE.call_once(|| {
            let _ = flag::register(rustix::process::Signal::XFSZ.as_raw(), Arc::default());
        });
    }
}

/// Tells whether there was an interrupt.
pub(crate) fn happened() -> bool {
    FLAGS.happened.load(Relaxed)
}

/// Runs `wait`, which may wait for input while there is nothing to print; an interrupt ends it and the
/// program.
pub(crate) fn end_while<T>(wait: impl FnOnce() -> T) -> T {
    FLAGS.is_waiting.store(true, Relaxed);
    let result = wait();
    FLAGS.is_waiting.store(false, Relaxed);
    result
}

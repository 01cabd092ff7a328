//! Ctrl-C and termination: the first sets a flag that searches look at, the second ends at once.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

static FLAG: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
    let flag = Arc::new(AtomicBool::new(false));
    let handled = Arc::clone(&flag);
    // Without a handler an interrupt just ends the program, so a failure here is no harm.
    let _ = ctrlc::set_handler(move || {
        if handled.swap(true, Relaxed) {
            std::process::exit(130);
        }
    });
    flag
});

/// Returns the flag that an interrupt sets; from now on an interrupt no longer ends the program.
pub(super) fn flag() -> Arc<AtomicBool> {
    Arc::clone(&FLAG)
}

/// Tells whether there was an interrupt.
pub(super) fn happened() -> bool {
    FLAG.load(Relaxed)
}

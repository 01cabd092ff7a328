//! Handles Ctrl-C and termination signals. The first signal sets a flag that searches check. A
//! second Ctrl-C ends the program at once.
//!
//! The handlers only set flags, so no thread waits for signals. A second termination signal has no
//! effect, because one request may send two (`timeout` sends the signal to the process and to its
//! group).

#[cfg(unix)]
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

/// Two flags: a signal arrived, and any signal ends the program.
#[derive(Default)]
struct InterruptFlags {
    happened: Arc<AtomicBool>,
    is_waiting: Arc<AtomicBool>,
}

static FLAGS: LazyLock<InterruptFlags> = LazyLock::new(|| {
    let flags = InterruptFlags::default();
    register(&flags);
    flags
});

/// A host of WebAssembly sends no signals; it drops the whole instance.
#[cfg(target_family = "wasm")]
fn register(_: &InterruptFlags) {}

#[cfg(not(target_family = "wasm"))]
fn register(flags: &InterruptFlags) {
    use signal_hook::consts::signal;
    use signal_hook::flag;
    use std::iter;
    #[cfg(unix)]
    let requests = [signal::SIGTERM, signal::SIGHUP];
    #[cfg(not(unix))]
    let requests = [signal::SIGTERM];
    // Set by the first Ctrl-C; the next one then ends the program.
    let is_last = Arc::new(AtomicBool::new(false));
    // Ignore errors: without a handler the signal ends the program. The first two calls must stay
    // in this order, so that the conditional shutdown runs before the handler that sets its flag.
    let _ = flag::register_conditional_shutdown(signal::SIGINT, 130, Arc::clone(&is_last));
    let _ = flag::register(signal::SIGINT, Arc::clone(&is_last));
    for signal in iter::once(signal::SIGINT).chain(requests) {
        let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(&flags.is_waiting));
        let _ = flag::register(signal, Arc::clone(&flags.happened));
    }
}

/// Makes any interrupt end the program at once, with exit code 130, until [`flag`] is called.
pub(crate) fn end_at_once() {
    FLAGS.is_waiting.store(true, Relaxed);
}

/// Returns the flag that an interrupt sets. From here on, the first interrupt does not end the
/// program.
pub(crate) fn flag() -> Arc<AtomicBool> {
    FLAGS.is_waiting.store(false, Relaxed);
    watch()
}

/// Returns the flag that an interrupt sets, without changing what an interrupt does.
pub(crate) fn watch() -> Arc<AtomicBool> {
    Arc::clone(&FLAGS.happened)
}

/// Makes a write beyond the file size limit (`ulimit -f`) fail instead of ending the process.
pub(crate) fn outlive_size_limit() {
    #[cfg(unix)]
    {
        static ONCE: Once = Once::new();
        // If the registration fails, the signal still ends the process.
        ONCE.call_once(|| {
            let _ = signal_hook::flag::register(rustix::process::Signal::XFSZ.as_raw(), Arc::default());
        });
    }
}

pub(crate) fn happened() -> bool {
    FLAGS.happened.load(Relaxed)
}

/// Runs `wait`, which may block on input. All output has been written, so an interrupt during the
/// wait ends the program.
pub(crate) fn ending_on_interrupt<T>(wait: impl FnOnce() -> T) -> T {
    FLAGS.is_waiting.store(true, Relaxed);
    let result = wait();
    FLAGS.is_waiting.store(false, Relaxed);
    result
}

/// Ends the process with this exit code, without destructors and without allocating memory.
pub(crate) fn exit_at_once(code: i32) -> ! {
    #[cfg(not(target_family = "wasm"))]
    signal_hook::low_level::exit(code);
    #[cfg(target_family = "wasm")]
    std::process::exit(code)
}

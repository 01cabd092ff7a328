//! Handles Ctrl-C and termination signals. The first signal sets a flag that searches check. A
//! second Ctrl-C ends the program at once.
//!
//! The handlers only set flags, so no thread waits for signals. A second termination signal has no
//! effect, because one request may send two (`timeout` sends the signal to the process and to its
//! group). In a run with a host, the flag of the host replaces the signals.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Once};

use super::host::{self, Host};

/// Two flags: a signal arrived, and any signal ends the program.
#[derive(Default)]
struct InterruptFlags {
    happened: Arc<AtomicBool>,
    is_waiting: Arc<AtomicBool>,
}

static FLAGS: LazyLock<InterruptFlags> = LazyLock::new(InterruptFlags::default);

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

/// Handles the signals of the process: any interrupt ends the program at once, with exit code 130,
/// until [`flag`] is called. A run with a host handles no signals.
pub(crate) fn end_at_once() {
    static ONCE: Once = Once::new();
    FLAGS.is_waiting.store(true, Relaxed);
    ONCE.call_once(|| register(&FLAGS));
}

/// Returns the flag that an interrupt sets. From here on, the first interrupt does not end the
/// program.
pub(crate) fn flag() -> Arc<AtomicBool> {
    if let Some(flag) = host::ask(Host::cancel) {
        return flag;
    }
    FLAGS.is_waiting.store(false, Relaxed);
    watch()
}

/// Returns the flag that an interrupt sets, without changing what an interrupt does.
pub(crate) fn watch() -> Arc<AtomicBool> {
    host::ask(Host::cancel).unwrap_or_else(|| Arc::clone(&FLAGS.happened))
}

/// Makes a write beyond the file size limit (`ulimit -f`) fail instead of ending the process.
pub(crate) fn outlive_size_limit() {
    #[cfg(unix)]
    if !host::is_present() {
        static ONCE: Once = Once::new();
        // If the registration fails, the signal still ends the process.
        ONCE.call_once(|| {
            let _ = signal_hook::flag::register(rustix::process::Signal::XFSZ.as_raw(), Arc::default());
        });
    }
}

pub(crate) fn happened() -> bool {
    let is_cancelled = host::ask(|host| host.cancel().load(Relaxed));
    is_cancelled.unwrap_or_else(|| FLAGS.happened.load(Relaxed))
}

/// Runs `wait`, which may block on input. All output has been written, so an interrupt during the
/// wait ends the program.
pub(crate) fn ending_on_interrupt<T>(wait: impl FnOnce() -> T) -> T {
    if host::is_present() {
        return wait();
    }
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

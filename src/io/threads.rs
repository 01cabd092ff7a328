//! Starts the threads of the program. If none can be started, as in WebAssembly, the caller does
//! the work in its own thread.

use std::io;
use std::thread::{Builder, JoinHandle, Scope};

use super::host;

/// Starts a thread that may outlive the caller.
pub(crate) fn start(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    allowed()?;
    Builder::new().spawn(host::inherited(work))
}

/// Starts a thread that ends with `scope`.
pub(crate) fn start_scoped<'s>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() + Send + 's,
) -> io::Result<()> {
    allowed()?;
    Builder::new().spawn_scoped(scope, host::inherited(work)).map(drop)
}

#[cfg(not(test))]
fn allowed() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
use self::tests::allowed;
#[cfg(test)]
pub(crate) use self::tests::without;

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        static IS_ALONE: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) fn allowed() -> io::Result<()> {
        if IS_ALONE.get() { Err(io::ErrorKind::Unsupported.into()) } else { Ok(()) }
    }

    /// Calls `work` in this thread, where no thread can be started.
    pub(crate) fn without<T>(work: impl FnOnce() -> T) -> T {
        IS_ALONE.set(true);
        let result = work();
        IS_ALONE.set(false);
        result
    }
}

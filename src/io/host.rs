//! Runs a command inside another program, such as an interpreter of Python.
//!
//! The [`Host`] of a run has texts in place of the standard streams and a flag in place of the
//! signals. It belongs to the thread of the run, and to the threads that this thread starts.
//!
//! Invariant: every thread that prints or asks for interrupts is started through `io::threads`, or
//! calls [`inherited`].

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use dlx::Progress;

/// Largest size of the output of a run (bytes). A caller that holds the output and what it parses
/// from it needs a few times as much memory.
const OUTPUT_MAX: usize = 1 << 30;
/// Largest size of the messages of a run (bytes): those of a file whose every line is invalid.
const NOTES_MAX: usize = 1 << 20;

thread_local! {
    static HOST: RefCell<Option<Arc<Host>>> = const { RefCell::new(None) };
}

/// The path of the program, if it is not the executable file of this process.
static LAUNCHER: OnceLock<PathBuf> = OnceLock::new();

/// Replaces the standard streams and the signals of a run.
#[derive(Debug)]
pub struct Host {
    input: Mutex<Vec<u8>>,
    output: Mutex<Vec<u8>>,
    notes: Mutex<Vec<u8>>,
    cancel: Arc<AtomicBool>,
    progress: Arc<Progress>,
    only: Option<u64>,
}

impl Host {
    /// Makes a host with a text for standard input. The run ends soon after `cancel` is set, and
    /// reports to `progress`.
    #[must_use]
    pub fn new(input: Vec<u8>, cancel: Arc<AtomicBool>, progress: Arc<Progress>) -> Self {
        Self {
            input: Mutex::new(input),
            output: Mutex::default(),
            notes: Mutex::default(),
            cancel,
            progress,
            only: None,
        }
    }

    /// Restricts the run to the puzzle of this number (from 1) in the input.
    #[must_use]
    pub fn only(mut self, number: Option<u64>) -> Self {
        self.only = number;
        self
    }

    /// Takes the standard output of the run.
    #[must_use]
    pub fn take_output(&self) -> Vec<u8> {
        std::mem::take(&mut *lock(&self.output))
    }

    /// Takes the standard error of the run.
    #[must_use]
    pub fn take_notes(&self) -> Vec<u8> {
        std::mem::take(&mut *lock(&self.notes))
    }

    pub(super) fn cancel(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    pub(super) fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// Adds bytes to the output.
    ///
    /// # Errors
    /// If the output is longer than [`OUTPUT_MAX`].
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut output = lock(&self.output);
        if output.len() + bytes.len() > OUTPUT_MAX {
            let message = format!("the output is longer than {} MB", OUTPUT_MAX >> 20);
            return Err(io::Error::other(message));
        }
        output.extend_from_slice(bytes);
        Ok(bytes.len())
    }
}

fn lock(bytes: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the host of this thread.
pub(super) fn current() -> Option<Arc<Host>> {
    HOST.with_borrow(Clone::clone)
}

pub(crate) fn is_present() -> bool {
    HOST.with_borrow(Option::is_some)
}

/// Returns what `read` finds in the host, if there is one.
pub(super) fn ask<T>(read: impl FnOnce(&Host) -> T) -> Option<T> {
    HOST.with_borrow(|host| host.as_deref().map(read))
}

/// Runs `work` with a host.
pub(crate) fn within<T>(host: &Arc<Host>, work: impl FnOnce() -> T) -> T {
    struct Restored(Option<Arc<Host>>);
    impl Drop for Restored {
        fn drop(&mut self) {
            HOST.set(self.0.take());
        }
    }
    let _restored = Restored(HOST.replace(Some(Arc::clone(host))));
    work()
}

/// Returns the work of a new thread, with the host of this thread.
pub(crate) fn inherited<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let host = current();
    move || match host {
        Some(host) => within(&host, work),
        None => work(),
    }
}

/// Writes a line to standard error, ignoring write errors.
pub(crate) fn say(line: fmt::Arguments<'_>) {
    let kept = ask(|host| {
        let mut notes = lock(&host.notes);
        if notes.len() < NOTES_MAX {
            let _ = writeln!(notes, "{line}");
        }
    });
    if kept.is_none() {
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// Takes the text that replaces standard input, if there is a host. Later calls return no bytes, as
/// at the end of a stream.
pub(crate) fn take_input() -> Option<Vec<u8>> {
    ask(|host| std::mem::take(&mut *lock(&host.input)))
}

/// Returns the number of the only puzzle that the command reads.
pub(crate) fn only() -> Option<u64> {
    ask(|host| host.only).flatten()
}

/// Returns whether an argument is the path of a file. In a run with a host, only absolute paths are
/// files, so that no parameter names a file of the current folder.
pub(crate) fn is_file(path: &Path) -> bool {
    (path.is_absolute() || !is_present()) && path.exists()
}

/// Sets the path that starts this program again.
pub(crate) fn set_launcher(path: PathBuf) {
    // A process has one launcher; a second call has the same path.
    let _ = LAUNCHER.set(path);
}

/// Returns the path that starts this program again.
///
/// # Errors
/// If the system does not tell it.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn launcher() -> io::Result<PathBuf> {
    LAUNCHER.get().map_or_else(std::env::current_exe, |path| Ok(path.clone()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;
    use std::thread;

    use super::*;
    use crate::io::interrupt;

    fn run(words: &str, input: &str) -> (u8, String, String) {
        let host = Host::new(input.into(), Arc::default(), Arc::default());
        run_with(words, host)
    }

    fn run_with(words: &str, host: Host) -> (u8, String, String) {
        let host = Arc::new(host);
        let code = crate::run(words.split_whitespace().map(Into::into), &host);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (code, text(host.take_output()), text(host.take_notes()))
    }

    #[test]
    fn a_host_replaces_the_standard_streams() {
        let done = run("count --puzzle cover", "a b\na b\na\nb\n");
        assert_eq!(done, (0, "2\n".into(), String::new()));
        let done = run("count --puzzle queens 6 -- 8", "");
        assert_eq!((done.0, &*done.1), (0, "4\n92\n"));
        let (code, output, notes) = run("count --puzzle cover", "a b\nc\n");
        assert_eq!((code, &*output), (2, ""));
        assert!(notes.starts_with("standard input:2:1: expected an item"), "{notes}");
        let (code, _, notes) = run("cuont", "");
        assert!(code == 2 && notes.contains("cuont"), "{notes}");
        assert!(!is_present());
    }

    #[test]
    fn a_run_can_be_restricted_to_one_puzzle() {
        let text = "1...............\n..............12\n................\n";
        for (only, expected) in [(None, "72\n24\n288\n"), (Some(2), "24\n"), (Some(4), "")] {
            let host = Host::new(text.into(), Arc::default(), Arc::default()).only(only);
            assert_eq!(run_with("count", host).1, expected);
        }
    }

    #[test]
    fn a_new_thread_inherits_the_host_and_its_flag() {
        let host = Arc::new(Host::new(Vec::new(), Arc::default(), Arc::default()));
        within(&host, || {
            let work = inherited(|| {
                say!("from the thread");
                interrupt::flag().store(true, Relaxed);
            });
            thread::spawn(work).join().unwrap();
            assert!(interrupt::happened());
        });
        assert!(!interrupt::happened());
        assert_eq!(host.take_notes(), b"from the thread\n");
    }

    #[test]
    fn a_parameter_names_no_file_of_the_current_folder() {
        assert!(is_file(Path::new("Cargo.toml")));
        let host = Arc::new(Host::new(Vec::new(), Arc::default(), Arc::default()));
        assert!(!within(&host, || is_file(Path::new("Cargo.toml"))));
    }
}

//! Writes to standard output and handles its errors.

use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::io::exit::Exit;
use crate::io::interrupt;

/// Bytes that a pipe takes without blocking once it is writable (POSIX guarantees 512).
const PIPE_CHUNK: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };
/// Longest wait for a reader between two checks of the signals.
const PATIENCE: Duration = Duration::from_millis(50);
/// Time that a reader has after a signal to continue reading. This is enough for a slow program
/// that is not stopped.
const LAST_WAIT: Duration = Duration::from_millis(100);

/// Standard output without a buffer. If its reader does not read, a signal ends a write, which then
/// fails with [`io::ErrorKind::TimedOut`].
pub(crate) struct Stdout {
    /// Standard output, or `None` where it cannot be waited for.
    file: Option<File>,
    /// Whether a write may block for a long time, as it may to a pipe and to a terminal.
    may_block: bool,
    is_given_up: bool,
}

/// Opens standard output.
pub(crate) fn stdout() -> Stdout {
    #[cfg(unix)]
    let file = {
        use std::os::fd::AsFd;
        io::stdout().as_fd().try_clone_to_owned().map(File::from).ok()
    };
    #[cfg(not(unix))]
    let file: Option<File> = None;
    let is_file = |file: &File| file.metadata().is_ok_and(|data| data.is_file());
    let may_block = file.as_ref().is_some_and(|file| !is_file(file));
    Stdout { file, may_block, is_given_up: false }
}

/// Waits until a write does not block.
///
/// # Errors
/// If a signal arrived and the reader does not read.
fn wait(file: &File, is_given_up: &mut bool) -> io::Result<()> {
    let mut stopped: Option<Instant> = None;
    while !*is_given_up {
        if is_writable(file) {
            return Ok(());
        }
        if interrupt::happened() {
            *is_given_up = stopped.get_or_insert_with(Instant::now).elapsed() > LAST_WAIT;
        }
    }
    Err(io::ErrorKind::TimedOut.into())
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Self { file, may_block, is_given_up } = self;
        match file {
            Some(file) if *may_block => {
                wait(file, is_given_up)?;
                file.write(&bytes[..bytes.len().min(PIPE_CHUNK)])
            }
            Some(file) => file.write(bytes),
            None => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.file.is_some() { Ok(()) } else { io::stdout().flush() }
    }
}

/// Waits at most [`PATIENCE`], and returns whether a write does not block.
#[cfg(unix)]
fn is_writable(file: &File) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let wait = Timespec { tv_sec: 0, tv_nsec: PATIENCE.subsec_nanos().into() };
    match poll(&mut [PollFd::new(file, PollFlags::OUT)], Some(&wait)) {
        Ok(count) => count > 0,
        // After any other error the write reports it.
        Err(error) => error != rustix::io::Errno::INTR,
    }
}

#[cfg(not(unix))]
fn is_writable(_: &File) -> bool {
    true
}

/// Returns the exit code after a write error on standard output. A pipe that the reader closed is
/// no failure, so no message is printed.
pub(crate) fn lost(error: &io::Error) -> Exit {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Exit::Done,
        io::ErrorKind::TimedOut if interrupt::happened() => Exit::Interrupted,
        _ => {
            say!("standard output: cannot write: {error}");
            Exit::BadInput
        }
    }
}

/// Writes `text` as the whole output of a command. Returns `exit` on success.
pub(crate) fn write_all(text: &[u8], exit: Exit) -> Exit {
    let mut stdout = stdout();
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        Ok(()) => exit,
        Err(error) => lost(&error),
    }
}

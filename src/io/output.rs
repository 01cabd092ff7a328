//! Writes to standard output and handles its errors.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::io::exit::Exit;
use crate::io::host::{self, Host};
use crate::io::interrupt;

/// Bytes that a pipe takes without blocking once it is writable (POSIX guarantees 512).
const PIPE_CHUNK: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };
/// Longest wait for a reader between two checks of the signals.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_millis(50);
/// Time that a reader has after a signal to continue reading. This is enough for a slow program
/// that is not stopped.
const LAST_WAIT: Duration = Duration::from_millis(100);

/// Time to format a byte of a solution and to write it (ns). An optimized build takes 5 to 13, so
/// that a [`limits::Pace`] checks the clock after about 20 KiB; an unoptimized build writes these
/// in a few milliseconds.
const BYTE_TIME: u64 = 10;

/// Returns the approximate time to format and write a text of this size (ns).
pub(crate) fn writing_time(bytes: usize) -> u64 {
    BYTE_TIME.saturating_mul(bytes as u64)
}

/// Standard output without a buffer. If its reader does not read, a signal ends a write, which then
/// fails with [`io::ErrorKind::TimedOut`].
pub(crate) struct Stdout {
    /// The host that replaces standard output.
    host: Option<Arc<Host>>,
    /// Standard output, or `None` where it cannot be waited for.
    file: Option<File>,
    blocking: Blocking,
    is_given_up: bool,
}

/// What a write does if the reader does not read.
#[derive(Clone, Copy)]
#[cfg_attr(not(unix), allow(dead_code, reason = "only Unix can wait for the reader"))]
enum Blocking {
    /// It never blocks for a long time, because the output is a file.
    Never,
    /// It fails with [`io::ErrorKind::WouldBlock`].
    Fails,
    /// It blocks, unless it is short and follows a successful wait.
    Long,
}

/// Opens standard output.
pub(crate) fn stdout() -> Stdout {
    let host = host::current();
    let opened = if host.is_none() { open() } else { None };
    let (file, blocking) = opened.map_or((None, Blocking::Never), |(file, how)| (Some(file), how));
    Stdout { host, file, blocking, is_given_up: false }
}

#[cfg(unix)]
fn open() -> Option<(File, Blocking)> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let file = io::stdout().as_fd().try_clone_to_owned().map(File::from).ok()?;
    let kind = file.metadata().ok()?.file_type();
    if kind.is_file() {
        return Some((file, Blocking::Never));
    }
    match kind.is_fifo().then(reopened).flatten() {
        Some(pipe) => Some((pipe, Blocking::Fails)),
        None => Some((file, Blocking::Long)),
    }
}

#[cfg(not(unix))]
fn open() -> Option<(File, Blocking)> {
    None
}

/// Opens the pipe of standard output once more, without blocking. Other programs that write to the
/// pipe still block.
#[cfg(target_os = "linux")]
fn reopened() -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    File::options().write(true).custom_flags(flags.bits() as i32).open("/proc/self/fd/1").ok()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn reopened() -> Option<File> {
    None
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
        let Self { host: None, file: Some(file), blocking, is_given_up } = self else {
            return self
                .host
                .as_ref()
                .map_or_else(|| io::stdout().write(bytes), |host| host.write(bytes));
        };
        match blocking {
            Blocking::Never => file.write(bytes),
            Blocking::Long => {
                wait(file, is_given_up)?;
                file.write(&bytes[..bytes.len().min(PIPE_CHUNK)])
            }
            Blocking::Fails => loop {
                match file.write(bytes) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        wait(file, is_given_up)?;
                    }
                    result => return result,
                }
            },
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.host.is_some() || self.file.is_some() { Ok(()) } else { io::stdout().flush() }
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

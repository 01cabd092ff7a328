//! Reads inputs that may block, such as pipes and terminals, within the limits of a command.
//!
//! A read that waits ends at the time limit of its puzzle and soon after a signal. Input that has
//! arrived is read even after the time limit, and the reader of the text checks it. The time of a
//! puzzle begins with its first byte, so that a program may wait between two puzzles. A terminal
//! has no time limit, because a user types slowly.
//!
//! A program that another one asked ends soon after the reader of its standard error has gone.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
#[cfg(unix)]
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(unix)]
use std::thread;
use std::time::{Duration, Instant};

use dlx::Limits;

use super::args::PuzzleLimits;
use super::{host, interrupt, memory};
use text::{InputError, TextLimit};

/// Longest wait for input between two checks of the signals.
const PATIENCE: Duration = Duration::from_millis(50);
/// Size of a read of [`read_all`] (bytes).
const CHUNK_SIZE: u64 = 1 << 16;

/// The time limit for reading a puzzle, and when its first byte was read.
#[derive(Clone, Default)]
pub(super) struct ReadingClock {
    time: Option<Duration>,
    begun: Arc<Mutex<Option<Instant>>>,
}

impl ReadingClock {
    pub(super) fn new(time: Option<Duration>) -> Self {
        Self { time, ..Self::default() }
    }

    /// Begins with another puzzle.
    pub(super) fn reset(&self) {
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn begin(&self) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.get_or_insert_with(Instant::now);
    }

    fn deadline(&self) -> Option<Instant> {
        let begun = *self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun?.checked_add(self.time?)
    }
}

/// An input that may block. Reads fail at the limits of a [`ReadingClock`].
pub(super) struct LiveInput<I> {
    input: I,
    clock: ReadingClock,
}

/// Returns the error of a read that was stopped by a limit.
fn limited(limit: TextLimit) -> io::Error {
    io::Error::other(InputError::limited(limit, "while the text was read"))
}

impl<I: Read + IsTerminal + PollSource> LiveInput<I> {
    pub(super) fn new(input: I, clock: &ReadingClock) -> Self {
        let time = clock.time.filter(|_| !input.is_terminal());
        Self { input, clock: ReadingClock { time, ..clock.clone() } }
    }
}

impl<I: Read + PollSource> Read for LiveInput<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if interrupt::happened() {
                return Err(limited(TextLimit::Interrupt));
            }
            let left = self.clock.deadline().map(|deadline| deadline.duration_since(Instant::now()));
            // If it is unknown whether the read blocks, it reports any error.
            if is_readable(&self.input, left.unwrap_or(PATIENCE).min(PATIENCE)) != Some(false) {
                break;
            }
            if left.is_some_and(|left| left.is_zero()) {
                return Err(limited(TextLimit::Time));
            }
        }
        let count = self.input.read(buffer)?;
        if !buffer[..count].trim_ascii().is_empty() {
            self.clock.begin();
        }
        Ok(count)
    }
}

#[cfg(unix)]
pub(crate) use std::os::fd::AsFd as PollSource;

#[cfg(not(unix))]
pub(crate) trait PollSource {}
#[cfg(not(unix))]
impl<I> PollSource for I {}

/// Waits until a read does not block, but at most `wait`. Returns whether that holds, or `None` if
/// it is unknown.
#[cfg(unix)]
pub(crate) fn is_readable(input: &impl PollSource, wait: Duration) -> Option<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let wait = Timespec { tv_sec: 0, tv_nsec: wait.min(PATIENCE).subsec_nanos().into() };
    match poll(&mut [PollFd::new(input, PollFlags::IN)], Some(&wait)) {
        Ok(count) => Some(count > 0),
        Err(rustix::io::Errno::INTR) => Some(false),
        Err(_) => None,
    }
}

/// Time between the interrupt and the end of a program whose reader has gone. A count with a
/// journal saves its state meanwhile.
#[cfg(unix)]
const READERLESS: Duration = Duration::from_secs(2);

/// Starts a thread that interrupts this program when the reader of standard error has gone, and
/// then ends it: the program that asked has ended, even if it was killed.
#[cfg(unix)]
pub(crate) fn end_with_reader() {
    use rustix::event::{PollFd, PollFlags, poll};
    let wait = || {
        let stderr = io::stderr();
        let mut ends = [PollFd::new(&stderr, PollFlags::empty())];
        loop {
            match poll(&mut ends, None) {
                Ok(_) if ends[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => break,
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
            }
        }
        interrupt::watch().store(true, Relaxed);
        thread::sleep(READERLESS);
        interrupt::exit_at_once(130);
    };
    // Without the thread the program ends at its time limit.
    let _ = thread::Builder::new().spawn(wait);
}

/// Leaves the program running, because this platform cannot report that a pipe has no reader.
#[cfg(not(unix))]
pub(crate) fn end_with_reader() {}

/// Returns `None`, because this platform cannot report whether a read would block.
#[cfg(not(unix))]
pub(crate) fn is_readable(_: &impl PollSource, _: Duration) -> Option<bool> {
    None
}

/// Opens standard input without a buffer of its own.
#[cfg(unix)]
pub(super) fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(not(unix))]
pub(super) fn stdin() -> io::Result<io::Stdin> {
    Ok(io::stdin())
}

/// Reads a whole file, or standard input if the name is `-`, within limits of time and memory, and
/// until a signal.
///
/// # Errors
/// If the file cannot be read, or a limit was reached.
pub(crate) fn read_all(name: &OsStr, limits: PuzzleLimits) -> Result<Vec<u8>, InputError> {
    let clock = ReadingClock::new(limits.time);
    let limits = memory::guard(Limits::new().cancel(interrupt::watch()), limits.memory);
    let read = || -> io::Result<Vec<u8>> {
        let mut input: Box<dyn Read> = match name == "-" {
            true => match host::take_input() {
                Some(text) => Box::new(io::Cursor::new(text)),
                None => Box::new(LiveInput::new(stdin()?, &clock)),
            },
            false => Box::new(LiveInput::new(File::open(name)?, &clock)),
        };
        let mut bytes = Vec::new();
        loop {
            limits.check().map_err(|limit| limited(puzzle::text_limit(limit)))?;
            if clock.deadline().is_some_and(|deadline| Instant::now() > deadline) {
                return Err(limited(TextLimit::Time));
            }
            if (&mut input).take(CHUNK_SIZE).read_to_end(&mut bytes)? == 0 {
                return Ok(bytes);
            }
        }
    };
    read().map_err(|error| InputError::of_io(&error))
}

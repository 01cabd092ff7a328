//! Inputs as streams read them: decoded, and checked against the limits.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use dlx::Limits;

use text::{InputError, decode};

/// Size of the buffer used to recognize the encoding (bytes); larger reads bypass the buffer.
const HEAD_SIZE: usize = 1 << 9;

/// An input that continues to report its end, because more could be typed at a terminal.
struct EndOnce<R> {
    input: R,
    is_over: bool,
}

impl<R: Read> Read for EndOnce<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        let count = self.input.read(buffer)?;
        self.is_over = count == 0 && !buffer.is_empty();
        Ok(count)
    }
}

/// Decodes an input, which may be compressed or in an encoding other than UTF-8.
pub(super) fn decoded(
    input: impl Read + Send + 'static,
) -> Result<Box<dyn BufRead + Send>, InputError> {
    let input = BufReader::with_capacity(HEAD_SIZE, EndOnce { input, is_over: false });
    decode::open(Box::new(input)).map_err(|error| InputError::of_io(&error))
}

/// An input that fails when a limit of memory or time is reached, or an interrupt occurs, while the
/// text is read as a whole. A compressed text may be a thousand times as long as its file.
///
/// Later, when grids are read one at a time and solved, these limits no longer apply.
pub(super) struct Watched {
    pub(super) input: Box<dyn BufRead + Send>,
    pub(super) limits: Limits,
    pub(super) is_over: Arc<AtomicBool>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.is_over.load(Relaxed)
            && let Err(limit) = self.limits.check()
        {
            return Err(io::Error::other(InputError::limited(
                puzzle::text_limit(limit),
                "while the text was read",
            )));
        }
        self.input.read(buffer)
    }
}

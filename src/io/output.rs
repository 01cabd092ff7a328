//! Writes to standard output and handles its errors.

use std::io;

use crate::io::exit::Exit;

/// Returns the exit code after a write error on standard output. A pipe that the reader closed is
/// no failure, so no message is printed.
pub(crate) fn lost(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::Done;
    }
    say!("standard output: cannot write: {error}");
    Exit::BadInput
}

/// Writes `text` as the whole output of a command. Returns `exit` on success.
pub(crate) fn write_all(text: &[u8], exit: Exit) -> Exit {
    let mut stdout = io::stdout().lock();
    match io::Write::write_all(&mut stdout, text).and_then(|()| io::Write::flush(&mut stdout)) {
        Ok(()) => exit,
        Err(error) => lost(&error),
    }
}

//! Standard output and its errors.

use std::io;

use crate::io::exit::Exit;

/// Returns the exit code after an error of standard output: silent success if the reader closed the
/// pipe, otherwise an error (such as a full disk).
pub(crate) fn lost(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::Done;
    }
    say!("standard output: cannot write: {error}");
    Exit::BadInput
}

/// Writes `text` as the whole output of a command; returns `exit` on success.
pub(crate) fn write_all(text: &[u8], exit: Exit) -> Exit {
    let mut stdout = io::stdout().lock();
    match io::Write::write_all(&mut stdout, text).and_then(|()| io::Write::flush(&mut stdout)) {
        Ok(()) => exit,
        Err(error) => lost(&error),
    }
}

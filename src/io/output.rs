//! Standard output, and what it means that it cannot be written.

use std::io;

use crate::io::exit::Exit;

/// Returns how a command ends whose output cannot be written: quietly where nobody wants to read any
/// more (a closed pipe), with an error otherwise (a full disk).
pub(crate) fn lost(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::Done;
    }
    say!("standard output: cannot write: {error}");
    Exit::BadInput
}

/// Writes `text` to standard output as the whole output of a command, which then ends as `exit` says.
pub(crate) fn write_all(text: &[u8], exit: Exit) -> Exit {
    let mut stdout = io::stdout().lock();
    match io::Write::write_all(&mut stdout, text).and_then(|()| io::Write::flush(&mut stdout)) {
        Ok(()) => exit,
        Err(error) => lost(&error),
    }
}

//! The program `farandole` as functions, for its executable file and for packages that hold it.
//!
//! `command` has one file for each command, and `io` connects commands with files and the terminal,
//! or with a [`Host`]. `search` is shared by `solve`, `list` and `count`. `diagram` answers
//! questions about the set of all solutions. `jobs` counts in parts, `scratch` counts with its
//! states on disk, and `proof` writes and checks the proofs of counts. Data goes to standard
//! output, everything else to standard error.

#[macro_use]
extern crate text;

/// Writes a line to standard error, ignoring write errors.
macro_rules! say {
    ($($argument:tt)*) => {
        $crate::io::host::say(format_args!($($argument)*))
    };
}

mod command;
mod diagram;
mod io;
mod jobs;
mod proof;
mod scratch;
mod search;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

pub use self::io::host::Host;
pub use self::io::memory::Allocator;
use self::io::{args, bar, host, interrupt, live};

/// Runs the program with the arguments after its name, on the standard streams of the process, and
/// returns its exit code. `launcher` is the path that starts the program again, if that is not the
/// executable file of the process.
///
/// Replaces the handlers of signals of the process.
pub fn main(arguments: impl IntoIterator<Item = OsString>, launcher: Option<PathBuf>) -> u8 {
    if let Some(path) = launcher {
        host::set_launcher(path);
    }
    let command = match args::parse(arguments) {
        Ok(command) => command,
        Err(exit) => return exit.code(),
    };
    interrupt::end_at_once();
    if bar::is_asked_by_program() {
        live::end_with_reader();
    }
    command::run(command).code()
}

/// Runs a command on the texts of a host, and returns its exit code: 0 done, 1 no solution or a
/// failed check, 2 bad input, 3 stopped by a limit, 130 cancelled.
///
/// Changes nothing of the process, and may run on several threads at once.
pub fn run(arguments: impl IntoIterator<Item = OsString>, host: &Arc<Host>) -> u8 {
    host::within(host, || {
        let run = args::parse(arguments).map(command::run);
        run.unwrap_or_else(|exit| exit).code()
    })
}

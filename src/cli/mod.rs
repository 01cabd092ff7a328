//! The command line: `command` has one file per command, `io` handles arguments, input and output.
//!
//! `search` is shared by `solve`, `list` and `count`; `diagram` answers questions about the set of
//! all solutions; `shards` counts in parts, `scratch` counts on disk, and `proof` writes and checks
//! proofs of counts. Data goes to standard output, everything else to standard error.

/// Writes a line to standard error, ignoring write errors.
macro_rules! say {
    ($($argument:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($argument)*);
    }};
}

mod command;
mod diagram;
mod io;
mod proof;
mod scratch;
mod search;
mod shards;

use std::process::ExitCode;

pub use self::io::memory::Allocator;

use self::io::{args, interrupt};

/// Runs the program with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    let command = match args::parse() {
        Ok(command) => command,
        Err(exit) => return exit.into(),
    };
    interrupt::end_at_once();
    command::run(command).into()
}

//! The program `farandole`. `command` has one file for each command, and `io` connects commands
//! with files and the terminal.
//!
//! `search` is shared by `solve`, `list` and `count`. `diagram` answers questions about the set of
//! all solutions. `jobs` counts in parts, `scratch` counts with its states on disk, and `proof`
//! writes and checks the proofs of counts. Data goes to standard output, everything else to
//! standard error.

#[macro_use]
extern crate text;

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
mod jobs;
mod proof;
mod scratch;
mod search;

use std::process::ExitCode;

use self::io::{args, bar, interrupt, live};

#[global_allocator]
static ALLOCATOR: io::memory::Allocator = io::memory::Allocator;

fn main() -> ExitCode {
    let command = match args::parse() {
        Ok(command) => command,
        Err(exit) => return exit.into(),
    };
    interrupt::end_at_once();
    if bar::is_asked_by_program() {
        live::end_with_reader();
    }
    command::run(command).into()
}

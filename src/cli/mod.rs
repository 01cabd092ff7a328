//! The command line: one file a command.
//!
//! Data goes to standard output, everything else to standard error. How a command ends is `exit`.

/// Writes a line to standard error; that nobody may read it is no error.
macro_rules! say {
    ($($argument:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($argument)*);
    }};
}

mod answer;
mod args;
mod bar;
mod batch;
mod check;
mod compare;
mod convert;
mod exit;
mod interrupt;
mod list;
mod shell;
mod solve;
mod source;

use std::process::ExitCode;

use clap::Parser;

use self::args::{Cli, Command, When};
use crate::render::terminal::Color;

/// What is asked of each puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// The solutions themselves, at most so many.
    Show(Option<u64>),
    /// Their number.
    Count(Option<u64>),
}

impl Goal {
    fn limit(self) -> Option<u64> {
        match self {
            Self::Show(limit) | Self::Count(limit) => limit,
        }
    }
}

/// Runs the program with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    let exit = match Cli::parse().command {
        Command::Solve { run, all: true } => solve::run(&run, Goal::Show(None)),
        Command::Solve { run, all: false } => {
            solve::run(&run, Goal::Show(Some(run.limits.limit.unwrap_or(1))))
        }
        Command::List { run } => solve::run(&run, Goal::Show(run.limits.limit)),
        Command::Count { run } => solve::run(&run, Goal::Count(run.limits.limit)),
        Command::Compare { input, engine, limits, output } => {
            compare::run(&input, &engine, &limits, &output)
        }
        Command::Check { input, output } => check::run(&input, &output),
        Command::Convert { input, to, quiet } => convert::run(&input, &to, quiet),
        Command::Puzzles { name } => list::run(name.as_deref()),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { out } => shell::man(out.as_deref()),
    };
    exit.into()
}

impl From<When> for Color {
    fn from(when: When) -> Self {
        match when {
            When::Auto => Self::Auto,
            When::Always => Self::Always,
            When::Never => Self::Never,
        }
    }
}

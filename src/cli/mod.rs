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
mod argument;
mod bar;
mod batch;
mod check;
mod compare;
mod convert;
mod diagram;
mod estimate;
mod events;
mod exit;
mod interrupt;
mod lines;
mod memory;
mod names;
mod notices;
mod output;
mod puzzles;
mod shell;
mod solve;
mod source;
mod trace;
mod watch;
mod whole;

use std::process::ExitCode;

use clap::Parser;
use dlx::count::estimate::Settings;

pub use self::memory::Allocator;

use self::args::{Ask, Cli, Command, When};
use self::diagram::Question;
use crate::puzzle::cover::zdd;
use crate::render::terminal::Color;

/// What is asked of each puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// The solutions themselves, at most so many: one for `solve`, any number for `list`.
    Show(Option<u64>),
    /// So many of the cheapest ones, proven to be the cheapest.
    Cheapest(usize),
    /// Their number, or at most so many.
    Count(Option<u64>),
    /// Their number, counted in two ways.
    CountTwice,
}

impl Goal {
    /// Tells whether a number is wanted, and no solutions.
    fn is_count(self) -> bool {
        matches!(self, Self::Count(_) | Self::CountTwice)
    }

    fn limit(self) -> Option<u64> {
        match self {
            Self::Show(limit) | Self::Count(limit) => limit,
            Self::Cheapest(_) | Self::CountTwice => None,
        }
    }
}

/// Runs the program with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    let arguments = args::join_cheapest(std::env::args_os());
    let command = Cli::parse_from(arguments).command;
    interrupt::end_at_once();
    let exit = match command {
        Command::Solve { run, show, all, cheapest } => {
            let limit = if all { run.limits.limit } else { Some(run.limits.limit.unwrap_or(1)) };
            let goal = cheapest.map_or(Goal::Show(limit), |count| Goal::Cheapest(count.get()));
            solve::run(&run, Some(&show), goal, false)
        }
        Command::List { run, show } => {
            solve::run(&run, Some(&show), Goal::Show(run.limits.limit), false)
        }
        Command::Count { run, trace: Some(path), .. } => trace::write(&run, &path),
        Command::Count { run, check, trace: None, per_option, histogram, names } => {
            let question = match (per_option, histogram) {
                (true, _) => Some(Question::PerOption),
                (_, true) => Some(Question::Histogram),
                _ if run.input.from.as_deref() == Some(zdd::NAME) => Some(Question::Count),
                _ => None,
            };
            match question {
                Some(question) => diagram::run(&Ask::from(run), &question),
                None if check => solve::run(&run, None, Goal::CountTwice, names),
                None => solve::run(&run, None, Goal::Count(run.limits.limit), names),
            }
        }
        Command::Estimate { input, time, precision, beam, runs, seed, output } => {
            let beam = beam.map(std::num::NonZeroUsize::get);
            estimate::run(&input, time, &Settings { beam, seed, runs, precision }, &output)
        }
        Command::Sample { count, seed, ask } => diagram::run(&ask, &Question::Sample { count, seed }),
        Command::Rank { ask, solution } => diagram::run(&ask, &Question::Rank(solution)),
        Command::Unrank { numbers, ask } => diagram::run(&ask, &Question::Unrank(numbers.0)),
        Command::Compare(versus) => compare::run(versus),
        Command::Trace { input, trace } => events::run(&input, &trace),
        Command::Watch { input, speed } => watch::run(&input, speed),
        Command::Check { input, count_trace: Some(path), output, .. } => {
            trace::check(&input, &path, output.json)
        }
        Command::Check { input, check, count_trace: None, output } => {
            check::run(&input, &check, &output)
        }
        Command::Convert { input, conversion } => convert::run(&input, &conversion),
        Command::Puzzles { name } => puzzles::run(name.as_deref()),
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

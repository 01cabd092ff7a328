//! The command `list`: every solution of each puzzle.

use crate::cli::io::args::{RunArgs, ShowArgs};
use crate::cli::io::exit::Exit;
use crate::cli::search::{self, Goal};

/// Runs the command and returns how it ended.
pub(super) fn run(run: &RunArgs, show: &ShowArgs) -> Exit {
    search::run(run, Some(show), Goal::Show(run.limits.limit), false)
}

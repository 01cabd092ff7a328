//! The command `unrank`: the solutions of given numbers.

use crate::cli::diagram::{self, Question};
use crate::cli::io::args::{Ask, Numbers};
use crate::cli::io::exit::Exit;

/// Runs the command and returns how it ended.
pub(super) fn run(ask: &Ask, numbers: Numbers) -> Exit {
    diagram::run(ask, &Question::Unrank(numbers.0))
}

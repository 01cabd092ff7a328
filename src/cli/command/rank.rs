//! The command `rank`: the numbers of the solutions in a file.

use std::ffi::OsString;

use crate::cli::diagram::{self, Question};
use crate::cli::io::args::Ask;
use crate::cli::io::args::pictures::PictureArgs;
use crate::cli::io::exit::Exit;

pub(super) fn run(ask: &Ask, solution: OsString) -> Exit {
    diagram::run(ask, &Question::Rank(solution), &PictureArgs::default())
}

//! The command `sample`: solutions drawn at random.

use crate::cli::diagram::{self, Question};
use crate::cli::io::args::Ask;
use crate::cli::io::args::pictures::PictureArgs;
use crate::cli::io::exit::Exit;

pub(super) fn run(ask: &Ask, count: u64, seed: Option<u64>, pictures: &PictureArgs) -> Exit {
    diagram::run(ask, &Question::Sample { count, seed }, pictures)
}

//! The command `rank` prints the index of each solution in a file.

use std::ffi::OsString;

use crate::diagram::{self, DiagramQuestion};
use crate::io::args::Ask;
use crate::io::args::pictures::PictureArgs;
use crate::io::exit::Exit;

pub(super) fn run(ask: &Ask, solution: OsString) -> Exit {
    diagram::run(ask, &DiagramQuestion::Rank(solution), &PictureArgs::default())
}

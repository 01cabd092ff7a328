//! The command `sample` draws solutions at random.

use crate::diagram::{self, DiagramQuestion};
use crate::io::args::Ask;
use crate::io::args::pictures::PictureArgs;
use crate::io::exit::Exit;

pub(super) fn run(ask: &Ask, count: u64, seed: Option<u64>, pictures: &PictureArgs) -> Exit {
    diagram::run(ask, &DiagramQuestion::Sample { count, seed }, pictures)
}

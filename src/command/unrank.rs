//! The command `unrank` prints the solutions with the given indices.

use crate::diagram::{self, DiagramQuestion};
use crate::io::args::pictures::PictureArgs;
use crate::io::args::{Ask, NumberList};
use crate::io::exit::Exit;

pub(super) fn run(ask: &Ask, numbers: NumberList, pictures: &PictureArgs) -> Exit {
    diagram::run(ask, &DiagramQuestion::Unrank(numbers.0), pictures)
}

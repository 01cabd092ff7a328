//! The command `unrank`: the solutions with given numbers.

use crate::cli::diagram::{self, Question};
use crate::cli::io::args::pictures::PictureArgs;
use crate::cli::io::args::{Ask, NumberList};
use crate::cli::io::exit::Exit;

pub(super) fn run(ask: &Ask, numbers: NumberList, pictures: &PictureArgs) -> Exit {
    diagram::run(ask, &Question::Unrank(numbers.0), pictures)
}

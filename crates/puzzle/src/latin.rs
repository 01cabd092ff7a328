//! Latin squares: every row and column contains each symbol once, and so does every region if the
//! text draws regions. [`fill`](super::fill) translates them.

mod classes;
mod listing;

pub use self::classes::LatinSort;
pub(super) use self::classes::classes;
pub use self::listing::LatinListing;
use super::{Kind, Parameter, PuzzleSource, empty_grid, parse_size};
use grid::MAX_ORDER;

/// The kind.
pub const KIND: Kind = Kind {
    name: "latin",
    summary: "a square with each symbol once in every row and column",
    parameter: Some(Parameter {
        meaning: "the order of an empty square",
        example: "4",
        make: |text, setting, _| {
            setting.is_latin = true;
            Ok(empty_grid(setting.shape(parse_size(text, "an order", MAX_ORDER)?)?))
        },
    }),
    source: PuzzleSource::Grids { is_latin: true, example: "1....\n.2...\n..3..\n...4.\n2...5\n" },
};

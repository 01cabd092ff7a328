//! What an argument means that is the name of no file: a puzzle itself, or a slip.

use std::io::Cursor;
use std::path::Path;

use crate::grid::format;
use crate::puzzle::{self, PuzzleSource};
use crate::stream::{Stream, StreamHints};

/// The fewest cells of a puzzle on the command line: those of a grid of order 4. Names of files are
/// shorter, or have more letters than a grid has symbols.
const CELLS_MIN: usize = 16;

/// Tells whether an argument names neither a file nor standard input.
pub(in crate::cli) fn is_no_file(argument: &Path) -> bool {
    argument != Path::new("-") && !argument.exists()
}

/// Returns the grid that an argument is, or `None` if it is no puzzle in order.
pub(in crate::cli) fn puzzle(argument: &str, hints: &StreamHints) -> Option<Stream> {
    let is_grid = hints.kind.is_none_or(|kind| matches!(kind.source, PuzzleSource::Grids { .. }));
    if !is_grid || argument.trim().chars().count() < CELLS_MIN {
        return None;
    }
    if hints.format.is_none() {
        format::recognize(argument)?;
    }
    let open = || Stream::open(Cursor::new(argument.to_owned()), hints).ok();
    let mut tried = open()?;
    let is_one = matches!(tried.next(), Some(Ok(_))) && tried.next().is_none();
    if is_one { open() } else { None }
}

/// Says what was meant by the name of a kind where a file should stand, as in `solve queens 8`, if it
/// is one. `next` is the argument behind it.
pub(in crate::cli) fn hint(argument: &str, hints: &StreamHints, next: Option<&str>) -> Option<String> {
    if hints.kind.is_some() {
        return None;
    }
    let kind = puzzle::by_name(argument)?;
    let parameter = match (next, kind.parameter) {
        (Some(next), _) => next,
        (None, Some(parameter)) => parameter.example,
        (None, None) => "FILE",
    };
    Some(format!("no such file; for the kind of puzzle write `--puzzle {argument} {parameter}`"))
}

//! Arguments that do not name a file: the text of a puzzle, or a mistake.

use std::io::Cursor;
use std::path::Path;

use super::host;
use farandole::stream::{Stream, StreamHints};
use grid::format;
use puzzle::PuzzleSource;
use puzzle::board_text::GameId;
use text::InputError;

/// Minimum number of cells of a puzzle given on the command line: a grid of order 4. File names are
/// shorter, or contain more distinct letters than a grid has symbols.
const CELLS_MIN: usize = 16;

/// Returns whether an argument names neither a file nor standard input.
pub(crate) fn is_no_file(argument: &Path) -> bool {
    argument != Path::new("-") && !host::is_file(argument)
}

/// Returns whether an argument must be the text of a puzzle: it has several lines, or is a link,
/// JSON or a constraint string.
pub(crate) fn is_text(argument: &str) -> bool {
    let text = argument.trim();
    let is_string = || {
        let mut letters = text.chars();
        letters.next() == Some('.')
            && letters.next().is_some_and(|c| c.is_ascii_uppercase() || c == '~')
    };
    let is_json = || text.starts_with(['{', '[']) && text.ends_with(['}', ']']);
    text.contains(['\n', '\r'])
        || ["http://", "https://", "www."].iter().any(|begin| text.starts_with(begin))
        || is_json()
        || text.contains('~') && is_string()
}

/// Returns the puzzles in an argument that is the text of a puzzle or a grid, or `None` if the
/// argument is no valid puzzle.
pub(crate) fn puzzle(argument: &str, hints: &StreamHints) -> Option<Result<Stream, InputError>> {
    let open = || Stream::open(Cursor::new(argument.to_owned()), hints);
    let is_game_id = || hints.kind.is_some() && GameId::of(argument, &[]).is_some();
    if is_text(argument) || is_game_id() {
        return Some(open());
    }
    let is_grid = hints.kind.is_none_or(|kind| matches!(kind.source, PuzzleSource::Grids { .. }));
    if !is_grid || argument.trim().chars().count() < CELLS_MIN {
        return None;
    }
    if hints.format.is_none() {
        format::recognize(argument)?;
    }
    let mut tried = open().ok()?;
    let is_one = matches!(tried.next(), Some(Ok(_))) && tried.next().is_none();
    is_one.then(open)
}

/// Returns a hint for an argument that is the name of a kind where a file is expected, as in `solve
/// queens 8`. `next` is the following argument.
pub(crate) fn hint(argument: &str, hints: &StreamHints, next: Option<&str>) -> Option<String> {
    if hints.kind.is_some() {
        return None;
    }
    let kind = farandole::kinds::by_name(argument)?;
    let parameter = match (next, kind.parameter) {
        (Some(next), _) => next,
        (None, Some(parameter)) => parameter.example,
        (None, None) => "FILE",
    };
    Some(format!("no such file; for the kind of puzzle write `--puzzle {argument} {parameter}`"))
}

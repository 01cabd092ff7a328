//! Texts of puzzles, read with detection and with the name of each kind and format.

use std::io::Cursor;
use std::sync::LazyLock;

use dlx::Problem;
use farandole::kinds::KINDS;
use farandole::stream::{Stream, StreamHints};
use grid::FORMATS;
use puzzle::cover;
use text::InputError;

use super::Target;
use crate::texts::texts;

pub(super) const TARGET: Target = Target {
    name: "texts",
    summary: "texts through every parser, recognized and by name",
    run,
    seeds,
    short_runs: 4_000,
};

/// Maximum number of puzzles read from a text; several are read, because reading continues after an
/// error.
const PUZZLES_MAX: usize = 20;

/// Maximum number of items and of options of a problem whose picture is drawn, because drawing is
/// slow.
const DRAWN_MAX: usize = 5_000;

/// Returns the texts of all tables; the first byte of a seed chooses the reader.
fn seeds() -> Vec<Vec<u8>> {
    let ways = WAYS.len() as u8;
    let with_way = |way: u8| texts().iter().map(move |text| [&[way], text.text.as_bytes()].concat());
    with_way(0).chain((1..ways).flat_map(|way| with_way(way).skip(way.into()).step_by(31))).collect()
}

/// The readers: with detection, with each kind, and with each format.
static WAYS: LazyLock<Vec<StreamHints>> = LazyLock::new(|| {
    let kinds = KINDS.iter().map(|kind| StreamHints { kind: Some(kind), ..StreamHints::default() });
    let names =
        FORMATS.iter().map(|format| format.name).chain(cover::FORMS.iter().map(|form| form.name));
    let formats =
        names.map(|name| StreamHints { format: Some(name.to_owned()), ..StreamHints::default() });
    [StreamHints::default()].into_iter().chain(kinds).chain(formats).collect()
});

/// Reads a text with the hints that its first byte chooses. Puzzles that are read must be valid.
pub fn run(bytes: &[u8]) {
    let Some((&way, bytes)) = bytes.split_first() else { return };
    let hints = &WAYS[usize::from(way) % WAYS.len()];
    let shown = bytes.escape_ascii();
    let is_drawn = bytes.len() % 8 == 0;
    if let Ok(text) = std::str::from_utf8(bytes) {
        dlx_text(text);
    }
    match Stream::open(Cursor::new(bytes.to_vec()), hints) {
        Err(error) => place(&error, bytes),
        Ok(stream) => {
            let mut errors = 0;
            for puzzle in stream.take(PUZZLES_MAX) {
                match puzzle {
                    Err(error) => {
                        place(&error, bytes);
                        errors += 1;
                    }
                    Ok(puzzle) => {
                        let problem = puzzle.problem();
                        let count = problem.option_count();
                        assert!(puzzle.given().iter().all(|o| o.index() < count), "{shown}");
                        puzzle.layout().show_unsolvable(&mut String::new());
                        if is_drawn && count.max(problem.item_count()) < DRAWN_MAX {
                            let picture = puzzle.picture(puzzle.given()).map(|picture| picture.svg());
                            assert!(picture.is_none_or(|svg| !svg.contains("NaN")), "{shown}");
                        }
                    }
                }
            }
            assert!(errors <= PUZZLES_MAX);
        }
    }
}

/// Checks that a problem read in Knuth's format does not change when it is written and read again.
fn dlx_text(text: &str) {
    let Ok(problem) = text.parse::<Problem>() else { return };
    let written = dlx::text::write(&problem);
    let again: Result<Problem, _> = written.parse();
    let again = again.unwrap_or_else(|error| panic!("{error} in what was written of {text:?}"));
    assert_eq!(dlx::text::write(&again), written, "of {text:?}");
    assert_eq!(again.option_count(), problem.option_count(), "of {text:?}");
    assert_eq!(again.item_count(), problem.item_count(), "of {text:?}");
}

/// Checks that the position of an error is in the text or directly after it, and that the error can
/// be printed.
fn place(error: &InputError, bytes: &[u8]) {
    let ends = bytes.iter().zip(bytes.iter().skip(1).chain([&0]));
    let ends = ends.filter(|&(&byte, &next)| byte == b'\n' || (byte == b'\r' && next != b'\n'));
    let lines = ends.count() + 1;
    assert!(error.line <= lines + 1, "{error}: `{}`", bytes.escape_ascii());
    let _ = error.excerpt();
    let shown = error.to_string();
    assert!(!shown.contains('\u{1b}'), "control characters are shown escaped: {shown:?}");
}

//! Texts of puzzles: read by recognition and by the name of each kind, form and format.

use std::io::Cursor;

use dlx::Problem;
use farandole::grid::FORMATS;
use farandole::input::InputError;
use farandole::puzzle::{KINDS, PuzzleSource, cover};
use farandole::stream::{Stream, StreamHints};

use super::Target;

pub(super) const TARGET: Target = Target {
    name: "texts",
    summary: "texts through every parser, recognized and by name",
    run,
    seeds,
    short_runs: 15_000,
};

/// Puzzles read of one text: enough to see what comes behind an error.
const PUZZLES_MAX: usize = 20;

/// Problems of fewer items and options than this are drawn, which takes time.
const DRAWN_MAX: usize = 5_000;

/// The examples of all tables; the first byte chooses how they are read.
fn seeds() -> Vec<Vec<u8>> {
    let grids = FORMATS.iter().map(|format| format.example());
    let forms = cover::FORMS.iter().map(|form| form.example);
    let kinds = KINDS.iter().map(|kind| match kind.source {
        PuzzleSource::Grids { example, .. } => example,
        PuzzleSource::Text(text) => text.example,
    });
    let texts: Vec<&str> = grids.chain(forms).chain(kinds).collect();
    let ways = ways().len() as u8;
    let with_way = |way: u8| texts.iter().map(move |text| [&[way], text.as_bytes()].concat());
    // Recognized, and by any name, right or wrong.
    with_way(0).chain((1..ways).flat_map(|way| with_way(way).skip(way.into()).step_by(5))).collect()
}

/// By recognition, by each kind, by each format and form.
fn ways() -> Vec<StreamHints> {
    let kinds = KINDS.iter().map(|kind| StreamHints { kind: Some(kind), ..StreamHints::default() });
    let names =
        FORMATS.iter().map(|format| format.name()).chain(cover::FORMS.iter().map(|form| form.name));
    let formats =
        names.map(|name| StreamHints { format: Some(name.to_owned()), ..StreamHints::default() });
    [StreamHints::default()].into_iter().chain(kinds).chain(formats).collect()
}

/// Reads a text in one way; what was read must be in order.
pub fn run(bytes: &[u8]) {
    let Some((&way, bytes)) = bytes.split_first() else { return };
    let ways = ways();
    let hints = &ways[usize::from(way) % ways.len()];
    let shown = bytes.escape_ascii();
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
                        puzzle.show_unsolvable(&mut String::new());
                        if count.max(problem.item_count()) < DRAWN_MAX {
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

/// Knuth's text: what is read is written and read again as the same.
fn dlx_text(text: &str) {
    let Ok(problem) = text.parse::<Problem>() else { return };
    let written = dlx::text::write(&problem);
    let again: Result<Problem, _> = written.parse();
    let again = again.unwrap_or_else(|error| panic!("{error} in what was written of {text:?}"));
    assert_eq!(dlx::text::write(&again), written, "of {text:?}");
    assert_eq!(again.option_count(), problem.option_count(), "of {text:?}");
    assert_eq!(again.item_count(), problem.item_count(), "of {text:?}");
}

/// An error stands in the text or right behind it, and can be shown.
fn place(error: &InputError, bytes: &[u8]) {
    // A line ends in LF, CRLF or CR.
    let ends = bytes.iter().zip(bytes.iter().skip(1).chain([&0]));
    let ends = ends.filter(|&(&byte, &next)| byte == b'\n' || (byte == b'\r' && next != b'\n'));
    let lines = ends.count() + 1;
    assert!(error.line <= lines + 1, "{error}: `{}`", bytes.escape_ascii());
    let _ = error.excerpt();
    let shown = error.to_string();
    assert!(!shown.contains('\u{1b}'), "control characters are shown escaped: {shown:?}");
}

//! Conversions to a format and back. A problem or a tiling puzzle that is written and read again
//! must not change.

use dlx::{Limits, Problem};
use farandole::kinds::by_name;
use polyomino::XMPUZZLE;
use puzzle::PuzzleSource;
use puzzle::cover::{self, FORMS};

use super::{Target, noise};
use crate::bytes::Bytes;
use crate::draw;

pub(super) const TARGET: Target = Target {
    name: "convert",
    summary: "problems and tilings written in every form and read again, by name and recognized",
    run,
    seeds: noise,
    short_runs: 8_000,
};

/// Draws a problem or a tiling puzzle, writes it in every format, and reads it again.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    if bytes.once_in(4) {
        tiling(&mut bytes);
    } else {
        problem(&mut bytes);
    }
}

/// Draws pieces and a board of at most twelve cells. Written as a file of BurrTools and read again,
/// the puzzle must have the same tilings.
fn tiling(bytes: &mut Bytes<'_>) {
    let mut text = String::new();
    let drawing = |rows: usize, columns: usize, signs: &[char], bytes: &mut Bytes<'_>| -> String {
        let row = |bytes: &mut Bytes<'_>| {
            (0..columns).map(|_| signs[bytes.below(signs.len())]).chain(['\n']).collect::<String>()
        };
        (0..rows).map(|_| row(bytes)).collect()
    };
    for name in ["A", "B", "C"].into_iter().take(1 + bytes.below(3)) {
        let copies = ["", " x2", " x0-1", " x1-3", " unlimited"][bytes.below(5)];
        let motions = ["", " fixed", " rotate", " reflect"][bytes.below(4)];
        let cells = drawing(1 + bytes.below(2), 1 + bytes.below(3), &['#', '#', '.'], bytes);
        text += &format!("piece {name}{copies}{motions}\n{cells}\n");
    }
    let signs: &[char] = if bytes.once_in(2) { &['.', '.', '.', '?', '#'] } else { &['.'] };
    text += &format!("board\n{}", drawing(1 + bytes.below(3), 1 + bytes.below(4), signs, bytes));
    let Some(PuzzleSource::Text(source)) = by_name("polyomino").map(|kind| kind.source) else {
        panic!("tilings are texts")
    };
    let limits = Limits::default();
    let Ok(puzzle) = (source.read)(&text, &limits) else { return };
    let Some(Ok(file)) = puzzle.write_as(XMPUZZLE) else { return };
    let again = (source.read)(&file, &limits).unwrap_or_else(|error| panic!("{error}\n{file}\n{text}"));
    let (expected, found) = (dlx::count(puzzle.problem()), dlx::count(again.problem()));
    assert_eq!(found, expected, "{file}\n{text}");
    assert_eq!(again.write_as(XMPUZZLE), Some(Ok(file)), "{text}");
}

/// Checks that writing a problem in any format and reading it again does not change it.
fn problem(bytes: &mut Bytes<'_>) {
    let problem = draw::small(bytes);
    let canon = dlx::text::write(&problem);
    let again: Problem = canon.parse().expect("what was written can be read");
    assert_eq!(dlx::text::write(&again), canon);
    let limits = Limits::default();
    for form in FORMS {
        let Ok(text) = (form.write)(&problem, &limits) else { continue };
        let Some(read) = form.read else { continue };
        let again = read(&text, &limits)
            .unwrap_or_else(|error| panic!("{}: {error}\n{text}", form.name))
            .problem;
        assert_eq!(again.option_count(), problem.option_count(), "{}:\n{text}", form.name);
        let written = (form.write)(&again, &limits);
        assert_eq!(written.as_ref(), Ok(&text), "{}: it comes back as it was", form.name);
        if matches!(form.name, "dlx" | "json") {
            assert_eq!(dlx::text::write(&again), canon, "{}:\n{text}", form.name);
        }
        if (form.recognizes)(&text)
            && let Ok(found) = cover::read(&text)
        {
            assert_eq!(found.option_count(), problem.option_count(), "{}:\n{text}", form.name);
        }
    }
}

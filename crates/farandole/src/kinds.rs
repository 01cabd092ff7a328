//! The table of the kinds of puzzles.

use dlx::Limits;
use puzzle::cover::Reading;
use puzzle::{
    HeadKeys, Kind, Made, PuzzleSource, TextSource, cover, dominosa, langford, latin, overlapping,
    queens, shikaku, sudoku,
};
use text::InputError;
use variant::head;
use variant::kinds::{binairo, futoshiki, kakuro, kenken, nonogram, star_battle, str8ts, suguru};

/// All kinds of puzzles. Texts are tested for them in this order.
pub const KINDS: &[Kind] = &[
    overlapping::KIND,
    polyomino::KIND,
    queens::KIND,
    langford::KIND,
    kakuro::KIND,
    nonogram::KIND,
    kenken::KIND,
    star_battle::KIND,
    binairo::KIND,
    binairo::TANGO,
    futoshiki::KIND,
    suguru::KIND,
    str8ts::KIND,
    dominosa::KIND,
    shikaku::KIND,
    cover::KIND,
    variant::KIND,
    sudoku::KIND,
    latin::KIND,
];

/// Returns the kind named `name`.
///
/// ```
/// assert!(farandole::kinds::by_name("sudoku").is_some());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// Iterates over the kinds whose puzzles are whole texts.
pub(crate) fn texts() -> impl Iterator<Item = (&'static Kind, TextSource)> {
    KINDS.iter().filter_map(|kind| match kind.source {
        PuzzleSource::Text(source) => Some((kind, source)),
        PuzzleSource::Grids { .. } => None,
    })
}

/// Reads a puzzle of a kind from a text, after checking the statements in the head of the text.
///
/// # Errors
/// A head line that the kind does not allow, an error of the reader, or the limit that stopped the
/// reader.
pub fn read_text(kind: &Kind, source: &TextSource, text: &str, limits: &Limits) -> Made {
    match source.head {
        HeadKeys::Only(keys) => head::check(text, kind.name, keys)?,
        HeadKeys::Prose => return read_cover(cover::reading, text, limits),
        HeadKeys::Own => {}
    }
    (source.read)(text, limits)
}

/// Reads an exact cover with `read`, and adds a note if its comments contain statements that it
/// does not use.
///
/// # Errors
/// A statement about a grid, an error of the reader, or the limit that stopped the reader.
pub fn read_cover(
    read: impl Fn(&str, &Limits) -> Result<Reading, InputError>,
    text: &str,
    limits: &Limits,
) -> Made {
    let unused = head::check_cover(text)?;
    let mut reading = read(text, limits)?;
    let notes = [reading.note, unused].into_iter().filter(|note| !note.is_empty());
    reading.note = notes.collect::<Vec<_>>().join("; ");
    Ok(cover::puzzle(reading))
}

#[cfg(test)]
mod tests {
    use dlx::Engine;

    use super::*;
    use crate::stream::{Stream, StreamHints};
    use grid::format;
    use puzzle::KIND_NAMES;

    fn check(sample: &str, expected: Option<&str>) {
        let found: Vec<_> =
            texts().filter(|(_, s)| (s.recognizes)(sample)).map(|(kind, _)| kind.name).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{sample}");
    }

    #[test]
    fn header_statements_of_other_kinds_are_refused() {
        let kind = by_name("overlapping").unwrap();
        let PuzzleSource::Text(source) = kind.source else { panic!("a text") };
        let read = read_text(kind, &source, "# rules: diagonals\n", &Limits::new());
        assert_eq!(
            read.map(|_| ()).unwrap_err().to_string(),
            "1:3: expected `puzzle: overlapping`, `boxes`, `grids` or a remark in the head, found `rules`"
        );
    }

    #[test]
    fn header_lines_may_name_every_kind() {
        assert!(KINDS.iter().map(|kind| kind.name).eq(KIND_NAMES));
    }

    #[test]
    fn each_example_text_is_recognized_as_its_kind() {
        for (kind, source) in texts() {
            // A text that could also be a line of a grid must name its kind in the head. In Knuth's
            // format of exact covers, a bar begins a comment.
            let mark = if kind.name == cover::NAME { '|' } else { '#' };
            let headed = format!("{mark} puzzle: {}\n{}", kind.name, source.example);
            let stream = Stream::open(std::io::Cursor::new(headed), &StreamHints::default()).unwrap();
            assert_eq!(stream.kind(), kind.name);
            let puzzle = (source.read)(source.example, &Limits::default()).unwrap();
            dlx::engine::Links::new(puzzle.problem()).count(puzzle.given(), &Limits::default());
        }
        check(". Q\n. .\n", Some("queens"));
        check("..Q.\nQ...\n...Q\n.Q..\n", Some("queens"));
        check("....\n....\n....\n....\n", None);
        check("8\n", None);
        check("3 1 2 1 3 2\n", Some("langford"));
        check("3...3.\n", Some("langford"));
        check("4 1 3 1 2 4 3 2\n", Some("langford"));
        check("4...........4...\n", None);
        check("4 6 1 7 1 4 3 5 6 2 3 7 2 5\n", Some("langford"));
        check("1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n", None);
        check("1 . . 4 . . . . . . . . 4 . . 1\n", None);
        check("a b\na\nb\n", Some("cover"));
        check("0 1\n1 1\n", Some("cover"));
    }

    #[test]
    fn no_text_makes_a_reader_panic() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut below = |limit: usize| random.usize(..limit);
        let readable = cover::FORMS.iter().filter(|form| form.read.is_some());
        let examples: Vec<&str> = texts()
            .map(|(_, source)| source.example)
            .chain(readable.map(|form| form.example))
            .collect();
        let pool: Vec<char> = "019 \t\n\r|:,.[]{}\"\\Qax#-é\u{feff}\u{2003}\0".chars().collect();
        for round in 0..20_000 {
            let mut text: Vec<char> = examples[round % examples.len()].chars().collect();
            for _ in 0..1 + below(6) {
                let place = below(text.len() + 1);
                let is_inside = place < text.len();
                match below(4) {
                    0 if is_inside => drop(text.remove(place)),
                    1 if is_inside => text[place] = pool[below(pool.len())],
                    2 if is_inside => {
                        let end = place + 1 + below(text.len() - place);
                        let part = text[place..end].to_vec();
                        text.splice(place..place, part);
                    }
                    _ => text.insert(place, pool[below(pool.len())]),
                }
            }
            let text: String = text.into_iter().collect();
            let check = |error: InputError| {
                let line = text.lines().nth(error.line - 1).unwrap_or_default();
                assert!(error.line <= text.lines().count() + 1, "{error}\n{text}");
                assert!(error.column <= line.chars().count() + 1, "{error}\n{text}");
                let line = if error.line == 1 { line.trim_start_matches('\u{feff}') } else { line };
                assert!(line == error.text, "{error}\n{text}");
                let _ = error.excerpt();
            };
            for (_, source) in texts() {
                let _ = (source.recognizes)(&text);
                let _ = (source.read)(&text, &Limits::default()).map_err(check);
            }
            for form in cover::FORMS {
                let _ = (form.recognizes)(&text);
                if let Some(Ok(reading)) =
                    form.read.map(|read| read(&text, &Limits::default()).map_err(check))
                {
                    for form in cover::FORMS {
                        let _ = (form.write)(&reading.problem, &Limits::default());
                    }
                }
            }
        }
    }

    #[test]
    fn plain_grids_are_no_other_kind_and_have_no_other_format() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..2_000 {
            let width = if round % 2 == 0 { 81 } else { 4 + round % 6 };
            let count = if width == 81 { 1 + round % 12 } else { width };
            let mut text = String::new();
            for _ in 0..count {
                let symbols = 5 + random.usize(..13);
                let cell = |_| char::from(b"....00..123456789"[random.usize(..symbols)]);
                text.extend((0..width).map(cell));
                text.push('\n');
            }
            if let Some(plain) = format::plain(&text) {
                check(&text, None);
                let found = grid::FORMATS.iter().find(|format| (format.recognizes)(&text));
                assert_eq!(found.map(|format| format.name), Some(plain.name), "{text}");
            }
        }
    }

    #[test]
    fn every_puzzle_of_the_collection_is_recognized() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles");
        for (kind, _) in texts() {
            for path in
                std::fs::read_dir(root.join(kind.name)).unwrap().map(|file| file.unwrap().path())
            {
                let text = std::fs::File::open(&path).unwrap();
                let mut stream = Stream::open(text, &StreamHints::default()).unwrap();
                assert_eq!(stream.kind(), kind.name, "{}", path.display());
                assert!(stream.all(|puzzle| puzzle.is_ok()), "{}", path.display());
            }
        }
    }

    #[test]
    fn the_regions_sample_has_the_solutions_stated_in_its_article() {
        let solve = |text: &str| {
            let format = format::by_name("regions").expect("a format");
            let hints = StreamHints { format: Some(format.name.to_owned()), ..StreamHints::default() };
            let puzzle = Stream::first(text, &hints).unwrap().expect("the sample is valid");
            let mut out = String::new();
            let covers = dlx::engine::Links::new(puzzle.problem()).into_solutions(puzzle.given());
            for (number, cover) in (1..).zip(covers) {
                puzzle.show(&cover, number, &mut out);
            }
            out
        };
        assert_eq!(
            solve(format::by_name("regions").expect("a format").example),
            "1\nE F C B D A\nA C E D F B\nD A B E C F\nF B D C A E\nB D F A E C\nC E A F B D\n"
        );
        let second =
            "001111\n002113\n022243\n022443\n544433\n555553\n7\n04B\n05A\n13D\n14C\n24E\n50C\n51A\n";
        assert_eq!(solve(second).lines().count(), 9 * 7);
    }
}

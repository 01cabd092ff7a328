//! Links to SudokuWiki's solver, one per line. The 81 cells of a grid follow `bd=`.

use super::cells::{self, CellWord};
use super::{Format, LINES, MARKS, NOT_NINE, REGIONS};
use crate::{Alphabet, Grid, Setting};
use text::{InputError, Lines};

const KEY: &str = "bd=";

pub(super) const FORMAT: Format = Format {
    name: "link",
    summary: "links to SudokuWiki's solver, a line each: 81 digits behind `bd=`, `0` for blank",
    example: "https://www.sudokuwiki.org/sudoku.htm?bd=8000000000036000000700902000500070000000457000001000300\
     01000068008500010090000400\n",
    recognizes,
    reader: || Box::new(read),
    lacks: &[MARKS, NOT_NINE, REGIONS],
    write,
    ..LINES
};

fn recognizes(sample: &str) -> bool {
    let first = cells::first(sample);
    first.contains(KEY) && (first.contains("://") || first.contains("sudokuwiki"))
}

fn write(grid: &Grid, out: &mut String) {
    out.push_str("https://www.sudokuwiki.org/sudoku.htm?bd=");
    cells::write_square(grid, Alphabet::Digits, ["0", "", ""], out);
    out.push('\n');
}

/// Returns the end of the first `bd=` in the text that is not the end of a longer key.
fn key_end(text: &str) -> Option<usize> {
    let is_whole = |at: &usize| !text[..*at].ends_with(|c: char| c.is_alphanumeric());
    text.match_indices(KEY).map(|(at, _)| at).find(is_whole).map(|at| at + KEY.len())
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    let Some(line) = lines.next_content()? else { return Ok(None) };
    let Some(start) = key_end(&line.text) else {
        return Err(line.error(0, "expected a link with the cells behind `bd=`"));
    };
    let before = &line.text[..start];
    let words = before.trim_end_matches(|c: char| !c.is_whitespace()).trim();
    if !words.is_empty() {
        CellWord::new(&line, words).note("not used: text before the link", &mut lines.notes);
    }
    let behind = &line.text[start..];
    let end = behind.find(|c: char| c.is_whitespace() || "&#\"'>)".contains(c));
    let word = CellWord::new(&line, &behind[..end.unwrap_or(behind.len())]);
    let words: Vec<CellWord<'_>> = word.characters().collect();
    if words.len() != 81 {
        let found = words.len();
        let message = format!("expected 81 digits behind `bd=`, found {found} characters");
        return Err(word.error(if word.text.bytes().all(|b| b.is_ascii_digit()) {
            message
        } else {
            message + " (boards that SudokuWiki packed are not read)"
        }));
    }
    let rest =
        behind[word.text.len()..].trim_matches(|c: char| c.is_whitespace() || "\"'>)".contains(c));
    if !rest.is_empty() {
        CellWord::new(&line, rest).note("not used: text after the cells", &mut lines.notes);
    }
    cells::grid(&line, 9, &words, setting, &FORMAT).map(Some)
}

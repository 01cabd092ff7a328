//! Links to SudokuWiki's solver, one per line. The 81 cells of a grid follow `bd=`.

use super::cells::{self, CellWord};
use super::{Format, Reader};
use crate::{Alphabet, Grid, Setting};
use text::{InputError, Lines};

pub(super) struct Link;

const KEY: &str = "bd=";

impl Format for Link {
    fn name(&self) -> &'static str {
        "link"
    }

    fn summary(&self) -> &'static str {
        "links to SudokuWiki's solver, a line each: 81 digits behind `bd=`, `0` for blank"
    }

    fn example(&self) -> &'static str {
        "https://www.sudokuwiki.org/sudoku.htm?bd=8000000000036000000700902000500070000000457000001000300\
         01000068008500010090000400\n"
    }

    fn recognizes(&self, sample: &str) -> bool {
        let first = sample.lines().find(|text| !cells::is_skipped(text)).unwrap_or_default();
        first.contains(KEY) && (first.contains("://") || first.contains("sudokuwiki"))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(LinkReader)
    }

    fn lacks(&self, grid: &Grid) -> Option<&'static str> {
        cells::lacks_nine(grid)
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str("https://www.sudokuwiki.org/sudoku.htm?bd=");
        for cell in 0..grid.shape().cell_count() {
            match grid.symbol(cell) {
                Some(symbol) => cells::write_symbol(Alphabet::Digits, symbol, out),
                None => out.push('0'),
            }
        }
        out.push('\n');
    }

    fn is_line(&self) -> bool {
        true
    }
}

struct LinkReader;

/// Returns the end of the first `bd=` in the text that is not the end of a longer key.
fn key_end(text: &str) -> Option<usize> {
    let is_whole = |at: &usize| !text[..*at].ends_with(|c: char| c.is_alphanumeric());
    text.match_indices(KEY).map(|(at, _)| at).find(is_whole).map(|at| at + KEY.len())
}

impl Reader for LinkReader {
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
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
        let shape = setting.shape(9).map_err(|message| line.error(0, message))?;
        cells::fill(shape, &words, &Link).map(Some)
    }
}

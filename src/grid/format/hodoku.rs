//! HoDoKu's library: a line a position, fields between colons.
//!
//! `:technique:candidates:cells:deleted:eliminated:placed:remark`. The cells are 81 digits and dots,
//! with `+` before a digit that was placed on the way; it counts as a clue here. What was deleted on
//! the way follows from the clues and is not looked at, and neither are the other fields.

use super::cells::{self, CellWord};
use super::{Format, Reader};
use crate::grid::{Alphabet, Grid, Setting};
use crate::input::{InputError, Lines};

/// The format `hodoku`.
pub(super) struct Hodoku;

const CELL_COUNT: usize = 81;

impl Format for Hodoku {
    fn name(&self) -> &'static str {
        "hodoku"
    }

    fn summary(&self) -> &'static str {
        "lines of HoDoKu's library, `:0000:x:CELLS:...`, with `+` before placed digits"
    }

    fn example(&self) -> &'static str {
        ":0000:x:8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..:::\n"
    }

    fn recognizes(&self, sample: &str) -> bool {
        let first = sample.lines().find(|text| !cells::is_skipped(text)).unwrap_or_default();
        let mut fields = first.trim().split(':');
        let is_head = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        fields.next() == Some("")
            && fields.next().is_some_and(is_head)
            && fields.next().is_some_and(is_head)
            && fields.next().is_some_and(|cells| cells.len() >= CELL_COUNT - 1)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(HodokuReader)
    }

    fn lacks(&self, grid: &Grid) -> Option<&'static str> {
        cells::lacks_nine(grid)
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str(":0000:x:");
        for cell in 0..grid.shape().cell_count() {
            match grid.symbol(cell) {
                Some(symbol) => cells::write_symbol(Alphabet::Digits, symbol, out),
                None => out.push('.'),
            }
        }
        out.push_str(":::\n");
    }

    fn is_line(&self) -> bool {
        true
    }
}

struct HodokuReader;

impl Reader for HodokuReader {
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
        let Some(line) = lines.next_content()? else { return Ok(None) };
        let Some(cells) = line.text.split(':').nth(3) else {
            return Err(line.error(0, "expected `:technique:candidates:cells:...`"));
        };
        let cells = CellWord::new(&line, cells);
        let words: Vec<CellWord<'_>> = cells.characters().filter(|cell| cell.text != "+").collect();
        if words.len() != CELL_COUNT {
            let at = words.get(CELL_COUNT).copied().unwrap_or(cells.end());
            return Err(at.error(format!("expected {CELL_COUNT} cells, found {}", words.len())));
        }
        let shape = setting.shape(9).map_err(|message| line.error(0, message))?;
        cells::fill(shape, &words, &Hodoku).map(Some)
    }
}

//! The contest format (POJ 2676): a line with a number T, then T grids of 9 lines of 9 digits, with
//! `0` for an empty cell.
//!
//! A solution is 9 lines of 9 digits. Solutions follow one another without a separator. A grid
//! without a solution is written unchanged. A text may consist of several parts, each with its own
//! T. A single grid is written with T = 1.

use super::cells::{self, CellWord, write_nine};
use super::{BLOCKS, Format, MARKS, NOT_NINE, REGIONS};
use crate::{Grid, Setting};
use text::{InputError, Lines};

const ORDER: usize = 9;

pub(super) const FORMAT: Format = Format {
    name: "contest",
    summary: "a line with T, then T grids of 9 lines of 9 digits, `0` for blank (POJ 2676)",
    example: "1\n103000509\n002109400\n000704000\n300502006\n060000050\n700803004\n000401000\n009205800\n\
     804000107\n",
    recognizes,
    reader: || {
        let mut reader = ContestReader { total: None, left: 0 };
        Box::new(move |lines, setting| reader.next(lines, setting))
    },
    lacks: &[MARKS, NOT_NINE, REGIONS],
    write: |grid, out| {
        out.push_str("1\n");
        write_nine(grid, "", out);
    },
    separator: "",
    write_solution: Some(|_, solution, _, out| write_nine(solution, "", out)),
    write_unsolvable: |puzzle, out| write_nine(puzzle, "", out),
    ..BLOCKS
};

fn recognizes(sample: &str) -> bool {
    let mut contents = cells::contents(sample);
    let is_count = contents.next().is_some_and(|text| count(text).is_some());
    let is_row =
        |text: &str| text.trim().len() == ORDER && text.trim().bytes().all(|b| b.is_ascii_digit());
    is_count && contents.next().is_some_and(is_row)
}

/// Parses a number of grids, which has at most 8 digits, so that it differs from a row.
fn count(text: &str) -> Option<u64> {
    let text = text.trim();
    let is_count = text.len() < ORDER && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| is_count)
}

struct ContestReader {
    total: Option<u64>,
    left: u64,
}

impl ContestReader {
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
        while self.left == 0 {
            let Some(line) = lines.next_content()? else { return Ok(None) };
            let Some(count) = count(&line.text) else {
                let error = CellWord::new(&line, line.text.trim()).expected("the number of grids");
                (self.total, self.left) = (None, u64::MAX);
                if line.text.trim().len() == ORDER {
                    lines.push_back(line);
                }
                return Err(error);
            };
            (self.total, self.left) = (Some(count), count);
        }
        let Some(line) = lines.next_content()? else {
            let left = std::mem::take(&mut self.left);
            return match self.total {
                Some(total) => {
                    let message = format!("expected {total} grids, found {}", total - left);
                    Err(cells::end(lines).error(0, message))
                }
                None => Ok(None),
            };
        };
        lines.push_back(line);
        self.left -= 1;
        cells::read_nine(lines, setting, false, &FORMAT).map(Some)
    }
}

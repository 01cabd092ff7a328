//! The contest format (POJ 2676): a line with a number T, then T grids of 9 lines of 9 digits, with
//! `0` for an empty cell.
//!
//! A solution is 9 lines of 9 digits. Solutions follow one another without a separator. A grid
//! without a solution is written unchanged. A text may consist of several parts, each with its own
//! T. A single grid is written with T = 1.

use super::cells::{self, CellWord, write_nine};
use super::{Format, Reader};
use crate::{Grid, Setting};
use text::{InputError, Line, Lines};

pub(super) struct Contest;

const ORDER: usize = 9;

impl Format for Contest {
    fn name(&self) -> &'static str {
        "contest"
    }

    fn summary(&self) -> &'static str {
        "a line with T, then T grids of 9 lines of 9 digits, `0` for blank (POJ 2676)"
    }

    fn example(&self) -> &'static str {
        "1\n103000509\n002109400\n000704000\n300502006\n060000050\n700803004\n000401000\n009205800\n\
         804000107\n"
    }

    fn recognizes(&self, sample: &str) -> bool {
        let mut contents = sample.lines().filter(|text| !cells::is_skipped(text));
        let is_count = contents.next().is_some_and(|text| count(text).is_some());
        let is_row =
            |text: &str| text.trim().len() == ORDER && text.trim().bytes().all(|b| b.is_ascii_digit());
        is_count && contents.next().is_some_and(is_row)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(ContestReader { total: None, left: 0 })
    }

    fn lacks(&self, grid: &Grid) -> Option<&'static str> {
        cells::lacks_nine(grid)
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str("1\n");
        write_nine(grid, false, out);
    }

    fn write_solution(&self, _puzzle: &Grid, solution: &Grid, _number: u64, out: &mut String) {
        write_nine(solution, false, out);
    }

    fn write_unsolvable(&self, puzzle: &Grid, out: &mut String) {
        write_nine(puzzle, false, out);
    }

    fn separator(&self) -> &'static str {
        ""
    }
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

impl Reader for ContestReader {
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
        let rows = cells::take(lines, ORDER)?;
        cells::check_count(&rows, ORDER, "rows of 9 digits", lines)?;
        let mut words = Vec::with_capacity(ORDER * ORDER);
        for row in &rows {
            words.extend(digits(row)?);
        }
        let shape = setting.shape(ORDER).map_err(|message| rows[0].error(0, message))?;
        let mut grid = cells::fill(shape, &words, &Contest)?;
        grid.style.blank = '0';
        Ok(Some(grid))
    }
}

fn digits(line: &Line) -> Result<impl Iterator<Item = CellWord<'_>>, InputError> {
    let row = CellWord::new(line, line.text.trim());
    let is_digit = |cell: &CellWord<'_>| cell.text.bytes().all(|b| b.is_ascii_digit());
    if let Some(other) = row.characters().find(|cell| !is_digit(cell)) {
        return Err(other.expected("a digit 0-9"));
    }
    let found = row.text.len();
    if found == ORDER {
        return Ok(row.characters());
    }
    let message = format!("expected {ORDER} digits in this row, found {found}");
    Err(row
        .characters()
        .nth(ORDER)
        .map_or_else(|| row.end().error(&*message), |extra| extra.error(&*message)))
}

//! 81 numbers in 9 rows of 9, separated by spaces, with `0` for an empty cell.
//!
//! Each solution is 9 lines of 9 digits separated by spaces, then an empty line. A puzzle without a
//! solution gives no output.

use super::cells::{self, CellWord, words, write_nine};
use super::{Format, Reader};
use crate::{Grid, Setting};
use text::{InputError, Line, Lines};

pub(super) struct Spaced;

const ORDER: usize = 9;

impl Format for Spaced {
    fn name(&self) -> &'static str {
        "spaced"
    }

    fn summary(&self) -> &'static str {
        "9 lines of 9 digits set apart by blanks, `0` for blank; all of its solutions so too"
    }

    fn example(&self) -> &'static str {
        "0 6 1 0 3 0 0 2 0\n0 5 0 0 0 8 1 0 7\n0 0 0 0 0 7 0 3 4\n0 0 9 0 0 6 0 7 8\n0 0 3 2 0 9 5 0 0\n\
         5 7 0 3 0 0 9 0 0\n1 9 0 7 0 0 0 0 0\n8 0 2 4 0 0 0 6 0\n0 4 0 0 1 0 2 5 0\n"
    }

    fn recognizes(&self, sample: &str) -> bool {
        let rows: Vec<&str> =
            sample.lines().filter(|text| !cells::is_skipped(text)).take(ORDER).collect();
        let is_digit = |word: &str| word.len() == 1 && word.as_bytes()[0].is_ascii_digit();
        let is_row = |row: &&str| {
            row.split_whitespace().count() == ORDER && row.split_whitespace().all(is_digit)
        };
        rows.len() == ORDER && rows.iter().all(is_row)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(SpacedReader)
    }

    fn lacks(&self, grid: &Grid) -> Option<&'static str> {
        cells::lacks_nine(grid)
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        write_nine(grid, true, out);
    }

    fn write_solution(&self, _puzzle: &Grid, solution: &Grid, _number: u64, out: &mut String) {
        write_nine(solution, true, out);
        out.push('\n');
    }

    fn write_unsolvable(&self, _puzzle: &Grid, _out: &mut String) {}

    fn separator(&self) -> &'static str {
        ""
    }
}

struct SpacedReader;

impl Reader for SpacedReader {
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
        let Some(line) = lines.next_content()? else { return Ok(None) };
        lines.push_back(line);
        let rows = cells::take(lines, ORDER)?;
        cells::check_count(&rows, ORDER, "rows of 9 numbers", lines)?;
        let mut cells = Vec::with_capacity(ORDER * ORDER);
        for row in &rows {
            cells.extend(numbers(row)?);
        }
        let shape = setting.shape(ORDER).map_err(|message| rows[0].error(0, message))?;
        let mut grid = cells::fill(shape, &cells, &Spaced)?;
        (grid.style.blank, grid.style.is_spaced) = ('0', true);
        Ok(Some(grid))
    }
}

fn numbers(line: &Line) -> Result<Vec<CellWord<'_>>, InputError> {
    let words: Vec<CellWord<'_>> = words(line).collect();
    let is_number =
        |word: &&CellWord<'_>| word.text.len() == 1 && word.text.as_bytes()[0].is_ascii_digit();
    if let Some(other) = words.iter().find(|word| !is_number(word)) {
        return Err(other.expected("a number 0-9"));
    }
    let message = format!("expected {ORDER} numbers in this row, found {}", words.len());
    match words.get(ORDER) {
        _ if words.len() == ORDER => Ok(words),
        Some(extra) => Err(extra.error(message)),
        None => Err(CellWord::new(line, line.text.trim_end()).end().error(message)),
    }
}

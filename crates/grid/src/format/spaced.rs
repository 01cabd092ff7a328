//! 81 numbers in 9 rows of 9, separated by spaces, with `0` for an empty cell.
//!
//! Each solution is 9 lines of 9 digits separated by spaces, then an empty line. A puzzle without a
//! solution gives no output.

use super::cells;
use super::{BLOCKS, Format, MARKS, NOT_NINE, REGIONS};
use crate::{Grid, Setting};
use text::{InputError, Lines};

const ORDER: usize = 9;

pub(super) const FORMAT: Format = Format {
    name: "spaced",
    summary: "9 lines of 9 digits set apart by blanks, `0` for blank; all of its solutions so too",
    example: "0 6 1 0 3 0 0 2 0\n0 5 0 0 0 8 1 0 7\n0 0 0 0 0 7 0 3 4\n0 0 9 0 0 6 0 7 8\n0 0 3 2 0 9 5 0 0\n\
     5 7 0 3 0 0 9 0 0\n1 9 0 7 0 0 0 0 0\n8 0 2 4 0 0 0 6 0\n0 4 0 0 1 0 2 5 0\n",
    recognizes,
    reader: || Box::new(read),
    lacks: &[MARKS, NOT_NINE, REGIONS],
    write: |grid, out| cells::write_nine(grid, " ", out),
    separator: "",
    write_solution: Some(|_, solution, _, out| {
        cells::write_nine(solution, " ", out);
        out.push('\n');
    }),
    write_unsolvable: |_, _| {},
    ..BLOCKS
};

fn recognizes(sample: &str) -> bool {
    let rows: Vec<&str> = cells::contents(sample).take(ORDER).collect();
    let is_digit = |word: &str| word.len() == 1 && word.as_bytes()[0].is_ascii_digit();
    let is_row =
        |row: &&str| row.split_whitespace().count() == ORDER && row.split_whitespace().all(is_digit);
    rows.len() == ORDER && rows.iter().all(is_row)
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    let Some(line) = lines.next_content()? else { return Ok(None) };
    lines.push_back(line);
    cells::read_nine(lines, setting, true, &FORMAT).map(Some)
}

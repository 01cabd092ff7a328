//! A jigsaw in two blocks: a line `n n`, n rows of cells with `-` for an empty cell, then n rows of
//! region labels.
//!
//! Puzzlekit uses this format. The first line may be missing, and empty lines may separate the
//! blocks. A label is a word, or a character if the row is a single word.

use super::cells::{self, CellWord, row, words};
use super::{BELOW_FOUR, BLOCKS, Format, MARKS, NO_REGIONS};
use crate::{Grid, MAX_ORDER, Setting};
use text::{InputError, Line, Lines};

pub(super) const FORMAT: Format = Format {
    name: "jigsaw",
    summary: "a line `n n`, n rows of cells, `-` for blank, then n rows of region labels (puzzlekit)",
    example: "4 4\n- 1 - -\n- 3 - -\n- - - -\n- - - 4\n1 1 1 2\n1 2 2 2\n3 3 3 4\n3 4 4 4\n",
    recognizes,
    reader: || Box::new(read),
    lacks: &[MARKS, BELOW_FOUR, NO_REGIONS],
    write,
    ..BLOCKS
};

fn recognizes(sample: &str) -> bool {
    let mut contents = cells::contents(sample).map(cells::line_of);
    let Some(first) = contents.next() else { return false };
    let head = head(&first);
    let order = head.unwrap_or_else(|| row(&first).len());
    if !(4..=MAX_ORDER).contains(&order) {
        return false;
    }
    let rows: Vec<Line> =
        head.is_none().then_some(first).into_iter().chain(contents).take(2 * order).collect();
    let is_row = |line: &Line| row(line).len() == order;
    rows.len() == 2 * order && rows.iter().all(is_row) && are_regions(&rows[order..])
}

fn write(grid: &Grid, out: &mut String) {
    let order = grid.shape().order();
    pushln!(out, "{order} {order}");
    cells::write_square(grid, grid.style.alphabet, ["-", " ", "\n"], out);
    for (cell, region) in grid.shape().region_of_cells().into_iter().enumerate() {
        push!(out, "{}{}", region + 1, if cell % order == order - 1 { '\n' } else { ' ' });
    }
}

fn head(line: &Line) -> Option<usize> {
    let numbers: Vec<Option<usize>> = words(line).map(|word| word.text.parse().ok()).collect();
    match numbers[..] {
        [Some(rows), Some(columns)] if rows == columns => Some(rows),
        _ => None,
    }
}

/// Returns whether `rows` contain region labels. Each label then occurs n times, and some row
/// contains a label twice, which is impossible in a filled grid.
fn are_regions(rows: &[Line]) -> bool {
    let labels: Vec<Vec<&str>> =
        rows.iter().map(|line| row(line).iter().map(|word| word.text).collect()).collect();
    let all: Vec<&str> = labels.iter().flatten().copied().collect();
    let count = |label: &str, among: &[&str]| among.iter().filter(|other| **other == label).count();
    all.iter().all(|label| count(label, &all) == rows.len())
        && labels.iter().any(|row| row.iter().any(|label| count(label, row) > 1))
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    let Some(first) = lines.next_content()? else { return Ok(None) };
    let order = match head(&first) {
        Some(order) => order,
        None => {
            let order = row(&first).len();
            lines.push_back(first);
            order
        }
    };
    if !(1..=MAX_ORDER).contains(&order) {
        cells::skip_block(lines)?;
        let message = format!("expected 1 to {MAX_ORDER} cells in a row, found {order}");
        return Err(cells::end(lines).error(0, message));
    }
    let mut block = |what: &str| {
        if let Some(line) = lines.next_content()? {
            lines.push_back(line);
        }
        let rows = cells::take(lines, order)?;
        cells::check_count(&rows, order, what, lines)?;
        for line in &rows {
            let found = row(line).len();
            if found != order {
                let message = format!("expected {order} cells in this row, found {found}");
                return Err(line.error(line.text.trim_end().len(), message));
            }
        }
        Ok(rows)
    };
    let (rows, regions) = (block("rows of cells")?, block("rows of region labels")?);
    let labels: Vec<&str> = regions.iter().flat_map(row).map(|label| label.text).collect();
    let shape = setting.jigsaw(order, &labels);
    let shape = shape.map_err(|message| regions[0].error(0, message))?;
    let words: Vec<CellWord<'_>> = rows.iter().flat_map(row).collect();
    let mut grid = cells::fill(shape, &words, &FORMAT)?;
    grid.style.alphabet = grid.style.alphabet.separated(order);
    Ok(Some(grid))
}

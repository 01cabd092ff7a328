//! A jigsaw in two blocks: a line `n n`, n rows of cells with `-` for an empty cell, then n rows of
//! region labels.
//!
//! Puzzlekit uses this format. The first line may be missing, and empty lines may separate the
//! blocks. A label is a word, or a character if the row is a single word.

use super::cells::{self, CellWord, words};
use super::{Format, Reader};
use crate::{Alphabet, Grid, MAX_ORDER, Setting};
use text::{InputError, Line, Lines};

pub(super) struct Jigsaw;

impl Format for Jigsaw {
    fn name(&self) -> &'static str {
        "jigsaw"
    }

    fn summary(&self) -> &'static str {
        "a line `n n`, n rows of cells, `-` for blank, then n rows of region labels (puzzlekit)"
    }

    fn example(&self) -> &'static str {
        "4 4\n- 1 - -\n- 3 - -\n- - - -\n- - - 4\n1 1 1 2\n1 2 2 2\n3 3 3 4\n3 4 4 4\n"
    }

    fn recognizes(&self, sample: &str) -> bool {
        let mut contents = sample.lines().filter(|text| !cells::is_skipped(text));
        let line = |text: &str| Line { text: text.to_owned(), number: 1 };
        let Some(first) = contents.next().map(line) else { return false };
        let head = head(&first);
        let order = head.unwrap_or_else(|| row(&first).len());
        if !(4..=MAX_ORDER).contains(&order) {
            return false;
        }
        let rows: Vec<Line> = head
            .is_none()
            .then_some(first)
            .into_iter()
            .chain(contents.map(line))
            .take(2 * order)
            .collect();
        let is_row = |line: &Line| row(line).len() == order;
        rows.len() == 2 * order && rows.iter().all(is_row) && are_regions(&rows[order..])
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(JigsawReader)
    }

    fn lacks(&self, grid: &Grid) -> Option<&'static str> {
        if !grid.is_plain() {
            Some("pencil marks")
        } else if grid.shape().order() < 4 {
            Some("orders below 4")
        } else {
            grid.shape().regions().next().is_none().then_some("squares without regions")
        }
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        let order = grid.shape().order();
        pushln!(out, "{order} {order}");
        let end = |cell: usize| if cell % order == order - 1 { '\n' } else { ' ' };
        for cell in 0..grid.shape().cell_count() {
            match grid.symbol(cell) {
                Some(symbol) => cells::write_symbol(grid.style.alphabet, symbol, out),
                None => out.push('-'),
            }
            out.push(end(cell));
        }
        for (cell, region) in grid.shape().region_of_cells().into_iter().enumerate() {
            push!(out, "{}{}", region + 1, end(cell));
        }
    }
}

fn head(line: &Line) -> Option<usize> {
    let numbers: Vec<Option<usize>> = words(line).map(|word| word.text.parse().ok()).collect();
    match numbers[..] {
        [Some(rows), Some(columns)] if rows == columns => Some(rows),
        _ => None,
    }
}

/// Returns the cells of a row: its words, or the characters of its only word.
fn row(line: &Line) -> Vec<CellWord<'_>> {
    let words: Vec<CellWord<'_>> = words(line).collect();
    match words[..] {
        [word] => word.characters().collect(),
        _ => words,
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

struct JigsawReader;

impl Reader for JigsawReader {
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
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
        let mut grid = cells::fill(shape, &words, &Jigsaw)?;
        if order > 9 && grid.style.alphabet == Alphabet::Digits {
            grid.style.alphabet = Alphabet::Numbers;
        }
        Ok(Some(grid))
    }
}

//! A square with regions and letters: n lines of n region digits, the number k of clues, then k
//! clues. A clue such as `02C` consists of row and column from 0, and the letter.
//!
//! Each solution is a line with its number, then n lines of n letters separated by spaces. If there
//! is no solution, the line is `无解`.
//!
//! Above order 10, regions, rows and columns are numbers from 0, separated by spaces, and a clue is
//! `row column symbol`. Above order 26 the symbols are numbers from 1 instead of letters. The form
//! with numbers is also accepted for smaller orders.

use super::cells::{self, CellWord, row};
use super::{BLOCKS, Format, MARKS, NO_REGIONS};
use crate::{Alphabet, Grid, MAX_ORDER, Setting, Style};
use text::{InputError, Line, Lines};

pub(super) const FORMAT: Format = Format {
    name: "regions",
    summary: "n lines of n region digits, the number of clues, clues `02C` (row, column, letter)",
    example: "000011\n022013\n221113\n243333\n244455\n445555\n6\n02C\n03B\n05A\n20D\n35E\n53F\n",
    recognizes,
    reader: || Box::new(read),
    lacks: &[MARKS, NO_REGIONS],
    write,
    separator: "",
    write_solution: Some(|_, solution, number, out| {
        pushln!(out, "{number}");
        let alphabet = alphabet(solution.shape().order());
        cells::write_square(solution, alphabet, [".", " ", "\n"], out);
    }),
    write_unsolvable: |_, out| out.push_str("无解\n"),
    ..BLOCKS
};

fn recognizes(sample: &str) -> bool {
    let mut contents = cells::contents(sample).peekable();
    let labels = |text: &str| {
        let line = cells::line_of(text);
        let numbers = row(&line).into_iter().map(|label| label.text.parse::<usize>().ok());
        numbers.collect::<Option<Vec<_>>>()
    };
    let order = contents.peek().and_then(|text| labels(text)).map_or(0, |labels| labels.len());
    let map: Vec<usize> = contents.by_ref().take(order).filter_map(labels).flatten().collect();
    let clue_count = contents.next().and_then(|text| text.trim().parse::<usize>().ok());
    let is_clue = |text: &str| {
        let last = text.trim().chars().last();
        text.trim().len() >= 3 && last.is_some_and(|c| c.is_ascii_alphanumeric())
    };
    (2..=MAX_ORDER).contains(&order)
        && map.len() == order * order
        && map.iter().all(|&label| map.iter().filter(|&&other| other == label).count() == order)
        && clue_count.is_some_and(|count| count <= order * order)
        && (clue_count == Some(0) || contents.next().is_some_and(is_clue))
}

fn write(grid: &Grid, out: &mut String) {
    let order = grid.shape().order();
    let gap = if order > 10 { " " } else { "" };
    let mut regions = grid.shape().region_of_cells();
    regions.resize(grid.shape().cell_count(), 0);
    for row in regions.chunks(order) {
        for (column, region) in row.iter().enumerate() {
            push!(out, "{}{region}", if column > 0 { gap } else { "" });
        }
        out.push('\n');
    }
    let clues = (0..grid.shape().cell_count()).filter_map(|cell| Some((cell, grid.symbol(cell)?)));
    pushln!(out, "{}", clues.clone().count());
    for (cell, symbol) in clues {
        push!(out, "{}{gap}{}{gap}", cell / order, cell % order);
        cells::write_symbol(alphabet(order), symbol, out);
        out.push('\n');
    }
}

fn alphabet(order: usize) -> Alphabet {
    if order <= 26 { Alphabet::Letters } else { Alphabet::Numbers }
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    let Some(first) = lines.next_content()? else { return Ok(None) };
    let order = row(&first).len();
    if !(1..=MAX_ORDER).contains(&order) {
        cells::skip_block(lines)?;
        let message = format!("expected 1 to {MAX_ORDER} regions in a line, found {order}");
        return Err(first.error(0, message));
    }
    lines.push_back(first);
    let rows = cells::take(lines, order)?;
    cells::check_count(&rows, order, "rows of regions", lines)?;
    let Some(count_line) = lines.next_content()? else {
        return Err(cells::end(lines).error(0, "expected the number of clues, found the end"));
    };
    let word = CellWord::new(&count_line, count_line.text.trim());
    let Some(count) = word.text.parse().ok().filter(|&count: &usize| count <= order * order) else {
        cells::skip_block(lines)?;
        return Err(word.expected(&format!("the number of clues, 0 to {}", order * order)));
    };
    let clues = cells::take(lines, count)?;
    cells::check_count(&clues, count, "clues", lines)?;
    let mut regions = Vec::with_capacity(order * order);
    for line in &rows {
        let labels = row(line);
        if labels.len() != order {
            let found = labels.len();
            return Err(line.error(0, format!("expected {order} regions in this row, found {found}")));
        }
        for label in labels {
            regions.push(number(label, "a region", order)?);
        }
    }
    let shape = setting.jigsaw(order, &regions).map_err(|message| rows[0].error(0, message))?;
    let style = Style { alphabet: alphabet(order), is_spaced: true, ..Style::new(&FORMAT) };
    let mut grid = Grid::empty(shape, style);
    for line in &clues {
        let (cell, symbol, word) = clue(line, order)?;
        if let Some(other) = grid.symbol(cell).filter(|&other| order > 1 && other != symbol) {
            let mut message = "this cell already holds `".to_owned();
            cells::write_symbol(alphabet(order), other, &mut message);
            return Err(word.error(message + "`"));
        }
        grid.place(cell, symbol);
    }
    Ok(Some(grid))
}

fn number(word: CellWord<'_>, what: &str, order: usize) -> Result<usize, InputError> {
    let number = text::plain_number(word.text).filter(|&number: &usize| number < order);
    number.ok_or_else(|| word.expected(&format!("{what} 0-{}", order - 1)))
}

/// Parses the cell and the symbol of a clue; also returns the word of the symbol.
fn clue(line: &Line, order: usize) -> Result<(usize, usize, CellWord<'_>), InputError> {
    let parts = row(line);
    let [row, column, last] = parts[..] else {
        let form = if order > 10 { "`row column symbol`" } else { "a clue such as `02C`" };
        return Err(CellWord::new(line, line.text.trim()).expected(form));
    };
    let (row, column) = (number(row, "a row", order)?, number(column, "a column", order)?);
    let symbol = cells::symbol(last.text, alphabet(order), order);
    let symbol = symbol.ok_or_else(|| last.expected(&alphabet(order).describe(order)))?;
    Ok((row * order + column, symbol, last))
}

//! One row per line: n lines of n cells, with or without lines between the boxes.
//!
//! Spaces may separate the cells, which may then be numbers. Horizontal lines may be `---+---+---`,
//! `-------`, `+===+===+` or box-drawing characters. If every cell is enclosed in bars (`|5| |3|`),
//! a space is an empty cell. Empty lines may separate grids, or the bands of a grid if all bands
//! have the same number of rows. A single number before a grid is the index of the grid.
//!
//! A line `regions` after the rows, followed by n lines of n labels, defines the regions of a
//! jigsaw.

use super::cells::{self, CellWord, is_bar, square_root, words};
use super::{BLOCKS, Format, MARKS, drawing};
use crate::{Alphabet, Grid, MAX_ORDER, Setting};
use text::{InputError, Line, Lines};

pub(super) const FORMAT: Format = Format {
    name: "rows",
    summary: "n lines of n cells, with or without blanks, rules and bars; a block `regions` for a jigsaw",
    example: "53.|.7.|...\n6..|195|...\n.98|...|.6.\n---+---+---\n8..|.6.|..3\n4..|8.3|..1\n7..|.2.|..6\n\
     ---+---+---\n.6.|...|28.\n...|419|..5\n...|.8.|.79\n",
    extensions: &["ss"],
    recognizes,
    reader: || Box::new(read),
    lacks: &[MARKS],
    write,
    ..BLOCKS
};

pub(super) fn recognizes(sample: &str) -> bool {
    let mut lines = Lines::of_text(sample);
    skip_number(&mut lines).is_ok() && begins(&mut lines) == Some(true)
}

pub(super) fn write(grid: &Grid, out: &mut String) {
    let (order, style) = (grid.shape().order(), grid.style);
    let is_numbers = style.alphabet == Alphabet::Numbers;
    let texts: Vec<String> = (0..grid.shape().cell_count())
        .map(|cell| {
            let mut text = String::new();
            cells::write_cell(grid, cell, &mut text);
            // Pad each cell, so that columns keep their width when empty cells are filled.
            if is_numbers { format!("{text:>0$}", if order > 9 { 2 } else { 1 }) } else { text }
        })
        .collect();
    if style.blank == ' ' && !is_numbers {
        for row in texts.chunks(order) {
            for text in row {
                let is_blank = cells::is_blank(text, style.alphabet);
                out.push('|');
                out.push_str(if is_blank { " " } else { text });
            }
            out.push_str("|\n");
        }
    } else {
        drawing::draw(grid, &texts, style.is_spaced || is_numbers, true, out);
    }
    if grid.shape().is_jigsaw() {
        out.push_str("regions\n");
        for row in grid.shape().region_of_cells().chunks(order) {
            for &region in row {
                cells::write_symbol(Alphabet::Letters, region, out);
            }
            out.push('\n');
        }
    }
}

pub(super) fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    skip_number(lines)?;
    match drawing::read(lines, width) {
        Ok(Some(drawing)) => {
            let regions = regions(lines, drawing.rows.len());
            parse(&drawing, regions?.as_deref(), setting, &FORMAT).map(Some)
        }
        Ok(None) => Ok(None),
        Err(error) => {
            regions(lines, 0)?;
            Err(error)
        }
    }
}

struct Row<'l> {
    cells: Vec<CellWord<'l>>,
    is_spaced: bool,
    has_bars: bool,
}

pub(super) fn width(line: &Line) -> usize {
    row(line, None).cells.len()
}

fn row(line: &Line, order: Option<usize>) -> Row<'_> {
    let text = line.text.trim();
    let has_bars = text.contains(is_bar);
    let inner = text.strip_prefix(is_bar).unwrap_or(text);
    let inner = inner.strip_suffix(is_bar).unwrap_or(inner);
    let pieces: Vec<&str> = inner.split(is_bar).collect();
    let is_cell = |piece: &&str| {
        let cell = piece.trim();
        cell.chars().count() <= 1 || cell.len() == 2 && piece.len() > 2 && cell.parse::<u8>().is_ok()
    };
    if pieces.len() > 2 && order.is_none_or(|order| order == pieces.len()) && pieces.iter().all(is_cell)
    {
        let cells = pieces.iter().map(|piece| CellWord::new(line, trimmed(piece)));
        return Row { cells: cells.collect(), is_spaced: false, has_bars };
    }
    let words: Vec<CellWord<'_>> = words(line).collect();
    let characters = || words.iter().flat_map(|word| word.characters()).collect();
    let is_number = |word: &&CellWord<'_>| {
        word.character().is_some()
            || word.text.parse().is_ok_and(|number| (0..=words.len()).contains(&number))
    };
    let is_by_words = match order {
        Some(order) => words.len() == order,
        None => words.len() > 1 && words.iter().all(|word| is_number(&word)),
    };
    if is_by_words {
        let is_spaced = words.len() > 1;
        Row { cells: words, is_spaced, has_bars }
    } else {
        Row { cells: characters(), is_spaced: false, has_bars }
    }
}

/// Returns `piece` without surrounding spaces, or a single space if it contains only spaces.
fn trimmed(piece: &str) -> &str {
    let text = piece.trim();
    if text.is_empty() { piece.get(..1).unwrap_or(piece) } else { text }
}

/// Skips a line with a single number, the number of a solution, if a row of several words follows.
fn skip_number(lines: &mut Lines) -> Result<(), InputError> {
    let Some(line) = lines.next_content()? else { return Ok(()) };
    let text = line.text.trim();
    if text.len() <= 20
        && text.bytes().all(|b| b.is_ascii_digit())
        && let Some(next) = lines.next_line()?
    {
        let (words, cells) = (words(&next).count(), width(&next));
        lines.push_back(next);
        if words > 1 && cells != text.len() {
            lines.notes.add("not used: a number above a grid", &line, 0, text);
            return Ok(());
        }
    }
    lines.push_back(line);
    Ok(())
}

/// Reads the lines after `regions`, if such a line follows. If the grid before it was invalid
/// (`order` 0), skips these lines up to an empty line.
fn regions(lines: &mut Lines, order: usize) -> Result<Option<Vec<Line>>, InputError> {
    let mut passed = Vec::new();
    while let Some(line) = lines.next_line()? {
        let is_skipped = cells::is_skipped(&line.text);
        passed.push(line);
        if !is_skipped {
            break;
        }
    }
    if !passed.last().is_some_and(|line| line.text.trim().eq_ignore_ascii_case("regions")) {
        // Return the comments, which may belong to the next grid.
        passed.into_iter().rev().for_each(|line| lines.push_back(line));
        return Ok(None);
    }
    if order == 0 {
        cells::skip_block(lines)?;
        return Ok(None);
    }
    let labels = cells::take(lines, order)?;
    cells::check_count(&labels, order, "lines of region labels", lines)?;
    Ok(Some(labels))
}

pub(super) fn parse(
    drawing: &drawing::Drawing,
    regions: Option<&[Line]>,
    setting: &mut Setting,
    format: &'static Format,
) -> Result<Grid, InputError> {
    let rows = &drawing.rows;
    let order = rows.len();
    let mut cells = Vec::new();
    let (mut is_spaced, mut is_ruled) = (true, drawing.is_ruled);
    for line in rows {
        let row = row(line, Some(order));
        cells::check_width(line, &row.cells, order, "cells")?;
        is_spaced &= row.is_spaced;
        is_ruled |= row.has_bars;
        cells.extend(row.cells);
    }
    let shape = match regions {
        None => cells::shape(&rows[0], order, setting)?,
        Some(lines) => {
            let mut labels = Vec::new();
            for line in lines {
                let row = row(line, Some(order));
                cells::check_width(line, &row.cells, order, "region labels")?;
                labels.extend(row.cells.into_iter().map(|label| label.text));
            }
            setting.jigsaw(order, &labels).map_err(|message| lines[0].error(0, message))?
        }
    };
    let mut grid = cells::fill(shape, &cells, format)?;
    (grid.style.is_spaced, grid.style.is_ruled) = (is_spaced, is_ruled);
    Ok(grid)
}

pub(super) fn begin(block: &[Line]) -> bool {
    let mut lines = Lines::of_text("");
    block.iter().rev().for_each(|line| lines.push_back(line.clone()));
    begins(&mut lines) == Some(true)
}

/// Returns whether a text begins with a grid in rows, even if the grid contains errors.
fn begins(lines: &mut Lines) -> Option<bool> {
    let mut block = vec![lines.next_content().ok()??];
    while block.len() < 2 * MAX_ORDER
        && let Some(line) = lines.next_line().ok()?
    {
        block.push(line);
    }
    let text: String = block.iter().map(|line| format!("{}\n", line.text)).collect();
    // If reading a drawn grid fails, use the lines up to the first empty line.
    let end = block.iter().position(|line| line.text.trim().is_empty());
    block.truncate(end.unwrap_or(block.len()));
    let (rows, is_ruled) = match drawing::read(&mut Lines::of_text(&text), width) {
        Ok(Some(drawing)) => (drawing.rows, drawing.is_ruled),
        _ => {
            block.retain(|line| !cells::is_skipped(&line.text) && !drawing::may_be_rule(&line.text));
            (block, false)
        }
    };
    let order = width(rows.first()?);
    if !(2..=MAX_ORDER).contains(&order) {
        return Some(false);
    }
    let rows: Vec<Row<'_>> = rows.iter().map(|line| row(line, Some(order))).collect();
    let is_drawn = is_ruled || rows.iter().any(|row| row.has_bars || row.is_spaced);
    let (good, bad): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.cells.len() == order);
    let cells: Vec<CellWord<'_>> = good.iter().flat_map(|row| row.cells.iter().copied()).collect();
    let cells = &*cells::blank_marks(&cells, order);
    let wrong_count = |order: usize| {
        let alphabet = cells::alphabet(cells, order);
        let is_wrong = |cell: &&CellWord<'_>| {
            !cells::is_blank(cell.text, alphabet) && cells::symbol(cell.text, alphabet, order).is_none()
        };
        cells.iter().filter(is_wrong).count()
    };
    let is_empty = cells.iter().all(|cell| cells::is_blank(cell.text, Alphabet::Digits));
    // The lines may also be a batch of smaller grids, one per line.
    let may_be_batch = !is_drawn && square_root(order).is_some_and(|order| wrong_count(order) == 0);
    let is_batch = may_be_batch && !is_empty;
    if bad.is_empty() && good.len() == order {
        return Some(wrong_count(order) <= 2 && (order < 16 || !is_batch));
    }
    let has_digits =
        cells.iter().any(|cell| cell.text.starts_with(|c: char| c == '.' || c.is_ascii_digit()));
    let is_nearly_good = good.len() >= 2 && bad.len() <= 2 && wrong_count(order) <= 2;
    Some(order >= 4 && is_nearly_good && has_digits && !may_be_batch)
}

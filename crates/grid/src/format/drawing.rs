//! Reads and writes grids drawn row by row, with or without lines between the boxes. A horizontal
//! line is called a rule, a vertical line a bar.

use super::cells::{BLANKS, CellWord, end, is_bar, is_separator, is_skipped};
use crate::Grid;
use text::{InputError, Line, Lines};

pub(super) struct Drawing {
    pub(super) rows: Vec<Line>,
    pub(super) is_ruled: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RuleLine {
    No,
    /// The line has only dashes, so it is either a rule or a row of empty cells.
    Maybe,
    Yes,
}

fn rule_line(text: &str) -> RuleLine {
    let text = text.trim();
    let is_drawn = |c: char| is_dash(c) || is_bar(c) || "+*.:'`\u{b4} ".contains(c) || is_corner(c);
    let dashes = text.chars().filter(|&c| is_dash(c)).count();
    if dashes < 2 || !text.chars().all(is_drawn) {
        RuleLine::No
    } else if text.chars().all(|c| c == '-' || c == ' ' || is_bar(c)) {
        RuleLine::Maybe
    } else {
        let is_certain = text.chars().any(|c| "+:'=".contains(c) || is_corner(c));
        let is_framed = text.starts_with(['*', '.', '|']) && text[1..].starts_with(is_dash);
        let is_heavy = text.chars().all(is_dash);
        if is_certain || is_heavy || is_framed && text.ends_with(['*', '.', '|']) && dashes > 4 {
            RuleLine::Yes
        } else {
            RuleLine::No
        }
    }
}

/// Returns whether `c` is part of a rule. En and em dashes are accepted, since word processors
/// replace hyphens with them.
fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '='
            | '─'
            | '━'
            | '═'
            | '┄'
            | '┅'
            | '┈'
            | '┉'
            | '╌'
            | '╍'
            | '¯'
            | '‾'
            | '⎯'
            | '−'
            | '－'
    ) || ('\u{2010}'..='\u{2015}').contains(&c)
}

/// Returns whether a line is the second line of a Markdown table, such as `|---|:-:|`.
fn is_table_rule(text: &str) -> bool {
    let inner = text.trim().strip_prefix('|').and_then(|text| text.strip_suffix('|'));
    let is_cell = |cell: &str| {
        let cell = cell.trim();
        let dashes = cell.strip_prefix(':').unwrap_or(cell);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-')
    };
    inner.is_some_and(|inner| inner.contains('|') && inner.split('|').all(is_cell))
}

pub(super) fn may_be_rule(text: &str) -> bool {
    rule_line(text) != RuleLine::No
}

fn is_corner(c: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&c) && !is_bar(c)
}

/// Reads the lines of the next grid; returns `None` at the end. The number of rows equals the
/// number of cells in the first row, as given by `width`. Rules may come before, between and after
/// the rows. An empty line ends a grid, unless it separates two bands with equally many rows.
///
/// A line of only dashes is a row if the rows before it use dashes for empty cells.
pub(super) fn read(
    lines: &mut Lines,
    width: impl Fn(&Line) -> usize,
) -> Result<Option<Drawing>, InputError> {
    let mut drawing = Drawing { rows: Vec::new(), is_ruled: false };
    // The lines of dashes before the first row.
    let mut held: Vec<Line> = Vec::new();
    let mut order = 0;
    // Whether the first row may be the header of a Markdown table.
    let mut has_header = false;
    let Some(first) = lines.next_content()? else { return Ok(None) };
    lines.push_back(first);
    let mut band = 0;
    while order == 0 || drawing.rows.len() < order {
        let Some(line) = lines.next_line()? else { break };
        if line.text.trim().is_empty() {
            band = if band == 0 { drawing.rows.len() } else { band };
            if drawing.rows.len().is_multiple_of(band.max(1))
                && is_band_next(lines, band, order, &width)?
            {
                continue;
            }
            break;
        }
        match rule_line(&line.text) {
            _ if is_skipped(&line.text) => {}
            RuleLine::Maybe if order == 0 => held.push(line),
            RuleLine::Maybe if is_row_of_dashes(&line, &drawing.rows, order) => drawing.rows.push(line),
            RuleLine::Yes | RuleLine::Maybe => {
                has_header |= drawing.rows.len() == 1 && is_table_rule(&line.text);
                drawing.is_ruled = true;
            }
            RuleLine::No => {
                if order == 0 {
                    order = width(&line);
                    let rows = [line];
                    held.retain(|held| is_row_of_dashes(held, &rows, order));
                    drawing.rows.append(&mut held);
                    let [line] = rows;
                    drawing.rows.push(line);
                } else {
                    drawing.rows.push(line);
                }
            }
        }
    }
    if order == 0 {
        order = held.first().map_or(1, &width);
        drawing.rows = held;
    }
    if drawing.rows.len() == order && has_header {
        // The header of a Markdown table counts as a row only if no further row follows.
        let next = lines.next_line()?;
        match next {
            Some(next) if next.text.contains(is_bar) && width(&next) == order => {
                let header = drawing.rows.remove(0);
                let text = header.text.trim();
                if text.contains(|c: char| !is_separator(c)) {
                    CellWord::new(&header, text)
                        .note("not used: the header of a table", &mut lines.notes);
                }
                drawing.rows.push(next);
                drawing.is_ruled = false;
            }
            Some(next) => lines.push_back(next),
            None => {}
        }
    }
    if drawing.rows.len() == order {
        if let Some(line) = lines.next_line()? {
            if rule_line(&line.text) == RuleLine::Yes {
                drawing.is_ruled = true;
            } else {
                lines.push_back(line);
            }
        }
        return Ok(Some(drawing));
    }
    let next = Line { number: drawing.rows.last().map_or(1, |row| row.number + 1), ..end(lines) };
    Err(next.error(0, format!("expected {order} rows of {order} cells, found {}", drawing.rows.len())))
}

/// Returns whether the next lines are `band` rows of `order` cells, followed by an empty line or
/// the end. The lines stay unread. `band` must divide the order.
fn is_band_next(
    lines: &mut Lines,
    band: usize,
    order: usize,
    width: impl Fn(&Line) -> usize,
) -> Result<bool, InputError> {
    if band < 2 || band >= order || !order.is_multiple_of(band) {
        return Ok(false);
    }
    let (mut passed, mut count, mut is_band) = (Vec::new(), 0, true);
    while let Some(line) = lines.next_line()? {
        let is_blank = line.text.trim().is_empty();
        let is_row = !is_skipped(&line.text) && rule_line(&line.text) == RuleLine::No;
        is_band &= !is_row || width(&line) == order;
        count += usize::from(is_row);
        passed.push(line);
        if is_blank && count > 0 || count > band {
            break;
        }
    }
    passed.into_iter().rev().for_each(|line| lines.push_back(line));
    Ok(is_band && count == band)
}

/// Returns whether a line of dashes is a row of empty cells in the grid with the rows `rows`.
fn is_row_of_dashes(line: &Line, rows: &[Line], order: usize) -> bool {
    let has = |c: char| rows.iter().any(|row| row.text.contains(c));
    let dashes = line.text.chars().filter(|&c| c == '-').count();
    let has_other_blank = BLANKS.iter().any(|&c| c != '-' && has(c));
    dashes == order
        && (has('-') || !has_other_blank && !rows.iter().any(|row| row.text.contains(is_bar)))
}

/// Draws the rows of a grid with the given text in each cell, and with rules and bars between the
/// boxes if the style has them. If spaces separate the cells, all cells of a column have the same
/// width.
pub(super) fn draw(grid: &Grid, texts: &[String], is_spaced: bool, is_right: bool, out: &mut String) {
    let order = grid.shape().order();
    let boxes = grid.shape().boxes().filter(|_| grid.style.is_ruled);
    let (width, height) = boxes.unwrap_or((order, order));
    let widths: Vec<usize> = (0..order)
        .map(|column| (0..order).map(|row| texts[row * order + column].len()).max().unwrap_or(1))
        .collect();
    let (gap, bar, cross) = if is_spaced { (" ", " | ", "-+-") } else { ("", "|", "+") };
    for row in 0..order {
        if row > 0 && row % height == 0 {
            for (column, &dashes) in widths.iter().enumerate() {
                if column > 0 {
                    out.push_str(if column % width == 0 { cross } else { &"-"[..gap.len()] });
                }
                out.extend(std::iter::repeat_n('-', dashes));
            }
            out.push('\n');
        }
        for (column, text) in texts[row * order..][..order].iter().enumerate() {
            if column > 0 {
                out.push_str(if column % width == 0 { bar } else { gap });
            }
            let pad = if is_spaced { widths[column] - text.len() } else { 0 };
            let (before, after) = if is_right { (pad, 0) } else { (0, pad) };
            out.extend(std::iter::repeat_n(' ', before));
            out.push_str(text);
            if column + 1 < order {
                out.extend(std::iter::repeat_n(' ', after));
            }
        }
        out.push('\n');
    }
}

//! What the formats share: words and cells with their places, the lines of a grid, grids made of
//! cells, and drawing.

use std::sync::Arc;

use super::Format;
use crate::grid::{Alphabet, Grid, MAX_ORDER, Shape, Style};
use crate::input::{InputError, Line, Lines};

/// The characters that stand for an empty cell. `0` does so unless it is a symbol.
pub(super) const BLANKS: [char; 5] = ['.', '0', '*', '_', '-'];

/// A part of a line, with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'l> {
    line: &'l Line,
    start: usize,
    pub(super) text: &'l str,
}

impl<'l> Word<'l> {
    /// Makes the word of `text`, a part of the text of `line`.
    pub(super) fn new(line: &'l Line, text: &'l str) -> Self {
        Self { line, start: text.as_ptr().addr() - line.text.as_ptr().addr(), text }
    }

    /// Makes an error at this word: `expected`, and what was found.
    pub(super) fn expected(self, expected: &str) -> InputError {
        self.line.error(self.start, format!("expected {expected}, found `{}`", self.text))
    }

    /// Makes an error at this word.
    pub(super) fn error(self, message: impl Into<String>) -> InputError {
        self.line.error(self.start, message)
    }

    /// Returns the characters of the word, each as a word.
    pub(super) fn characters(self) -> impl Iterator<Item = Self> {
        self.text.char_indices().map(move |(i, c)| Self {
            line: self.line,
            start: self.start + i,
            text: &self.text[i..i + c.len_utf8()],
        })
    }

    /// Returns the empty word behind this one.
    pub(super) fn end(self) -> Self {
        Self { start: self.start + self.text.len(), text: "", ..self }
    }

    /// Returns the character if the word has one only.
    pub(super) fn character(self) -> Option<char> {
        let mut chars = self.text.chars();
        chars.next().filter(|_| chars.next().is_none())
    }
}

/// Tells whether `c` is a bar between cells.
pub(super) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║')
}

/// Tells whether `c` stands between cells.
pub(super) fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';') || is_bar(c)
}

/// Returns what stands between the separators of a line.
pub(super) fn words(line: &Line) -> impl Iterator<Item = Word<'_>> + Clone {
    let texts = line.text.split(is_separator).filter(|text| !text.is_empty());
    texts.map(|text| Word::new(line, text))
}

/// Returns the number of the line behind the last one, without text, for errors at the end.
pub(super) fn end(lines: &Lines) -> Line {
    Line { text: String::new(), number: lines.number() + 1 }
}

/// Tells whether the text of a line is to be skipped before a grid.
pub(super) fn is_skipped(text: &str) -> bool {
    let text = text.trim_start();
    text.is_empty() || text.starts_with('#')
}

/// Reads up to `count` lines, without comments; a blank line or the end comes first if there are less.
pub(super) fn take(lines: &mut Lines, count: usize) -> Result<Vec<Line>, InputError> {
    let mut taken = Vec::new();
    while taken.len() < count {
        let Some(line) = lines.next_line()? else { break };
        if !is_skipped(&line.text) {
            taken.push(line);
        } else if line.text.trim().is_empty() {
            lines.push_back(line);
            break;
        }
    }
    Ok(taken)
}

/// Checks that there are `count` lines of a grid; `lines` stands behind them.
pub(super) fn check_count(
    taken: &[Line],
    count: usize,
    what: &str,
    lines: &mut Lines,
) -> Result<(), InputError> {
    if taken.len() == count {
        return Ok(());
    }
    let next = lines.next_line()?.unwrap_or_else(|| end(lines));
    Err(next.error(0, format!("expected {count} {what}, found {}", taken.len())))
}

/// Reads the rest of a grid that is not in order: up to a blank line.
pub(super) fn skip_block(lines: &mut Lines) -> Result<(), InputError> {
    while let Some(line) = lines.next_line()? {
        if line.text.trim().is_empty() {
            break;
        }
    }
    Ok(())
}

/// The lines of a grid that is drawn row by row.
pub(super) struct Drawing {
    pub(super) rows: Vec<Line>,
    /// Whether there were rules between them.
    pub(super) is_ruled: bool,
}

/// Whether a line is a rule between boxes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RuleLine {
    No,
    /// Dashes only: a rule, or a row of empty cells.
    Maybe,
    Yes,
}

fn rule_line(text: &str) -> RuleLine {
    let text = text.trim();
    let is_dash = |c| matches!(c, '-' | '=' | '─' | '━' | '═');
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

/// Tells whether a line is a rule, or may be one.
pub(super) fn may_be_rule(text: &str) -> bool {
    rule_line(text) != RuleLine::No
}

/// Tells whether `c` joins lines of a drawn box.
fn is_corner(c: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&c) && !is_bar(c)
}

/// Reads the lines of the next grid; `None` at the end. Its first row has `width` cells, and there are
/// as many rows, with or without rules before, between and behind them. A blank line ends a grid.
///
/// A line of dashes only is a row if dashes are the blanks of the rows before it.
///
/// # Errors
/// If there are too few rows.
pub(super) fn drawing(
    lines: &mut Lines,
    width: impl Fn(&Line) -> usize,
) -> Result<Option<Drawing>, InputError> {
    let mut drawing = Drawing { rows: Vec::new(), is_ruled: false };
    // Lines of dashes before the first row.
    let mut held: Vec<Line> = Vec::new();
    let mut order = 0;
    let Some(first) = lines.next_content()? else { return Ok(None) };
    lines.push_back(first);
    while order == 0 || drawing.rows.len() < order {
        let Some(line) = lines.next_line()?.filter(|line| !line.text.trim().is_empty()) else {
            break;
        };
        match rule_line(&line.text) {
            _ if is_skipped(&line.text) => {}
            RuleLine::Maybe if order == 0 => held.push(line),
            RuleLine::Maybe if is_row_of_dashes(&line, &drawing.rows, order) => drawing.rows.push(line),
            RuleLine::Yes | RuleLine::Maybe => drawing.is_ruled = true,
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
        // Nothing but dashes and rules.
        order = held.first().map_or(1, &width);
        drawing.rows = held;
    }
    if drawing.rows.len() == order {
        // The rule below the last row.
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

/// Tells whether a line of dashes is one of the rows of a grid with these rows.
fn is_row_of_dashes(line: &Line, rows: &[Line], order: usize) -> bool {
    let has = |c: char| rows.iter().any(|row| row.text.contains(c));
    let dashes = line.text.chars().filter(|&c| c == '-').count();
    let has_other_blank = BLANKS.iter().any(|&c| c != '-' && has(c));
    dashes == order
        && (has('-') || !has_other_blank && !rows.iter().any(|row| row.text.contains(is_bar)))
}

/// Returns the alphabet of the cells of a grid of that order.
pub(super) fn alphabet(cells: &[Word<'_>], order: usize) -> Alphabet {
    if cells.iter().any(|cell| cell.text.chars().nth(1).is_some()) {
        return Alphabet::Numbers;
    }
    guess_alphabet(&cells.iter().filter_map(|cell| cell.text.chars().next()), order)
}

/// Finds the alphabet of a grid of that order that is written one character a cell.
///
/// `0` is a symbol if the order is above 9 and another blank is used too, or if it occurs as often as
/// a symbol of a full grid and the last symbol does not occur. Letters without any digit are an
/// alphabet of their own.
fn guess_alphabet(cells: &(impl Iterator<Item = char> + Clone), order: usize) -> Alphabet {
    let mut others = cells.clone().filter(|c| !BLANKS.contains(c) && *c != ' ').peekable();
    let zeros = cells.clone().filter(|&c| c == '0').count();
    let has_blank = cells.clone().any(|c| c != '0' && (c == ' ' || BLANKS.contains(&c)));
    let last = Alphabet::Digits.character(order - 1);
    let is_full = zeros == order && !cells.clone().any(|c| Some(c) == last);
    if others.peek().is_some() && others.all(|c| c.is_ascii_alphabetic()) && !(zeros > 0 && has_blank) {
        Alphabet::Letters
    } else if order > 9 && zeros > 0 && (has_blank || is_full) {
        Alphabet::ZeroDigits
    } else {
        Alphabet::Digits
    }
}

/// Tells whether `text` stands for an empty cell.
pub(super) fn is_blank(text: &str, alphabet: Alphabet) -> bool {
    let mut chars = text.trim().chars();
    match chars.next() {
        None => true,
        Some('0') if alphabet == Alphabet::ZeroDigits => false,
        Some(c) => BLANKS.contains(&c) && chars.next().is_none(),
    }
}

/// Returns the symbol that `text` stands for in a grid of that order.
pub(super) fn symbol(text: &str, alphabet: Alphabet, order: usize) -> Option<usize> {
    if alphabet == Alphabet::Numbers {
        let number: usize = text.parse().ok()?;
        return (1..=order).contains(&number).then(|| number - 1);
    }
    let mut chars = text.chars();
    let c = chars.next().filter(|_| chars.next().is_none())?;
    alphabet.symbol(c, order)
}

/// Makes a grid of its cells. Its style has the alphabet and the blank that were found.
///
/// # Errors
/// If a cell is neither blank nor a symbol.
pub(super) fn fill(
    shape: Arc<Shape>,
    cells: &[Word<'_>],
    format: &'static dyn Format,
) -> Result<Grid, InputError> {
    let order = shape.order();
    let alphabet = alphabet(cells, order);
    let mut style = Style { alphabet, ..Style::new(format) };
    if let Some(cell) = cells.iter().find(|cell| is_blank(cell.text, alphabet)) {
        style.blank = cell.text.trim().chars().next().unwrap_or(' ');
    }
    let mut grid = Grid::empty(shape, style);
    for (index, cell) in cells.iter().enumerate() {
        if is_blank(cell.text, alphabet) {
            continue;
        }
        let Some(symbol) = symbol(cell.text, alphabet, order) else {
            let zero = if alphabet == Alphabet::ZeroDigits { "or `.`" } else { "`.` or `0`" };
            let comma = if alphabet == Alphabet::ZeroDigits { "" } else { "," };
            return Err(cell.expected(&format!("{}{comma} {zero}", alphabet.describe(order))));
        };
        grid.place(index, symbol);
    }
    Ok(grid)
}

/// Returns the order of a grid with that many cells.
pub(super) fn square_root(count: usize) -> Option<usize> {
    let order = count.isqrt();
    (order * order == count && (1..=MAX_ORDER).contains(&order)).then_some(order)
}

/// Appends the symbol of `cell`, or the blank, as `grid.style` has it; numbers are not padded.
pub(super) fn write_cell(grid: &Grid, cell: usize, out: &mut String) {
    let Style { alphabet, blank, .. } = grid.style;
    match grid.symbol(cell) {
        Some(symbol) => write_symbol(alphabet, symbol, out),
        None => out.push(if blank == ' ' { '.' } else { blank }),
    }
}

/// Appends a symbol.
pub(super) fn write_symbol(alphabet: Alphabet, symbol: usize, out: &mut String) {
    match alphabet.character(symbol) {
        Some(c) => out.push(c),
        None => push!(out, "{}", symbol + 1),
    }
}

/// Names what a plain grid of order 9 with boxes cannot hold of `grid`.
pub(super) fn lacks_nine(grid: &Grid) -> Option<&'static str> {
    if !grid.is_plain() {
        Some("pencil marks")
    } else if grid.shape().order() != 9 {
        Some("orders other than 9")
    } else {
        grid.shape().is_jigsaw().then_some("regions")
    }
}

/// Appends the rows of a grid of order 9 as digits with `0` for blank.
pub(super) fn write_nine(grid: &Grid, is_spaced: bool, out: &mut String) {
    let order = grid.shape().order();
    for cell in 0..grid.shape().cell_count() {
        if is_spaced && cell % order > 0 {
            out.push(' ');
        }
        match grid.symbol(cell) {
            Some(symbol) => write_symbol(Alphabet::Digits, symbol, out),
            None => out.push('0'),
        }
        if cell % order == order - 1 {
            out.push('\n');
        }
    }
}

/// Draws the rows of a grid with these texts in its cells, and rules and bars between the boxes if the
/// style says so. With blanks between them, the cells of a column have one width.
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

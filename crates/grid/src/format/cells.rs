//! Functions shared by the formats, which split lines into words and cells with their positions,
//! read the lines of a grid, build grids from cells, and write cells.

use std::borrow::Cow;
use std::sync::Arc;

use super::Format;
use crate::{Alphabet, Grid, MAX_ORDER, Setting, Shape, Style};
use text::{InputError, InputNotes, Line, Lines};

/// The characters for an empty cell. `0` means an empty cell unless it is a symbol.
pub(super) const BLANKS: [char; 5] = ['.', '0', '*', '_', '-'];

#[derive(Clone, Copy, Debug)]
pub(super) struct CellWord<'l> {
    line: &'l Line,
    start: usize,
    pub(super) text: &'l str,
}

impl<'l> CellWord<'l> {
    /// Returns the word `text`, which must be a slice of the text of `line`.
    pub(super) fn new(line: &'l Line, text: &'l str) -> Self {
        Self { line, start: text.as_ptr().addr() - line.text.as_ptr().addr(), text }
    }

    pub(super) fn start(self) -> usize {
        self.start
    }

    pub(super) fn expected(self, expected: &str) -> InputError {
        self.line.error(self.start, format!("expected {expected}, found `{}`", self.text))
    }

    pub(super) fn error(self, message: impl Into<String>) -> InputError {
        self.line.error(self.start, message)
    }

    pub(super) fn characters(self) -> impl Iterator<Item = Self> {
        self.text.char_indices().map(move |(i, c)| Self {
            line: self.line,
            start: self.start + i,
            text: &self.text[i..i + c.len_utf8()],
        })
    }

    pub(super) fn split(self, separator: char) -> impl Iterator<Item = Self> {
        self.text.split(separator).map(move |text| Self::new(self.line, text))
    }

    pub(super) fn end(self) -> Self {
        Self { start: self.start + self.text.len(), text: "", ..self }
    }

    /// Returns the text from this word to the end of another word of the same line.
    pub(super) fn to(self, last: Self) -> Self {
        Self { text: &self.line.text[self.start..last.start + last.text.len()], ..self }
    }

    /// Adds a note that the word is not used, or how the word was understood.
    pub(super) fn note(self, what: &'static str, notes: &mut InputNotes) {
        notes.add(what, self.line, self.start, self.text);
    }

    /// Adds a note that `text`, at the position of this word, is not used.
    pub(super) fn note_as(self, what: &'static str, text: &str, notes: &mut InputNotes) {
        notes.add(what, self.line, self.start, text);
    }

    pub(super) fn blank(self) -> Self {
        Self { text: ".", ..self }
    }

    pub(super) fn character(self) -> Option<char> {
        let mut chars = self.text.chars();
        chars.next().filter(|_| chars.next().is_none())
    }
}

/// Returns whether `c` is a vertical bar between cells, as on keyboards, in box drawings or in word
/// processors.
pub(super) fn is_bar(c: char) -> bool {
    matches!(
        c,
        '|' | '¦'
            | '│'
            | '┃'
            | '║'
            | '┆'
            | '┇'
            | '┊'
            | '┋'
            | '╎'
            | '╏'
            | '▏'
            | '▕'
            | '∣'
            | '❘'
            | '｜'
            | '￨'
    )
}

pub(super) fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '"' | '\'') || is_bar(c)
}

pub(super) fn words(line: &Line) -> impl Iterator<Item = CellWord<'_>> + Clone {
    let texts = line.text.split(is_separator).filter(|text| !text.is_empty());
    texts.map(|text| CellWord::new(line, text))
}

/// Returns an empty line with the number after the last line, for errors at the end of a text.
pub(super) fn end(lines: &Lines) -> Line {
    Line { text: String::new(), number: lines.number() + 1 }
}

pub(super) fn is_skipped(text: &str) -> bool {
    !text::is_content(text)
}

/// Iterates over the lines of a sample that are neither blank nor a comment.
pub(super) fn contents(sample: &str) -> impl Iterator<Item = &str> + Clone {
    text::content_lines(sample).map(|(_, line)| line)
}

/// Returns the first line of content of a sample; empty if it has none.
pub(super) fn first(sample: &str) -> &str {
    contents(sample).next().unwrap_or_default()
}

/// Returns a line of a sample, for functions that need a line but no position.
pub(super) fn line_of(text: &str) -> Line {
    Line { text: text.to_owned(), number: 1 }
}

/// Returns the cells of a row: its words, or the characters of its only word.
pub(super) fn row(line: &Line) -> Vec<CellWord<'_>> {
    let words: Vec<CellWord<'_>> = words(line).collect();
    match words[..] {
        [word] => word.characters().collect(),
        _ => words,
    }
}

/// Reads up to `count` lines, skipping comments. Stops earlier at an empty line or at the end.
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

/// Checks that `count` lines of a grid were read. `lines` starts after them.
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

/// Checks that a row has `order` cells, which `what` names.
pub(super) fn check_width(
    line: &Line,
    cells: &[CellWord<'_>],
    order: usize,
    what: &str,
) -> Result<(), InputError> {
    let found = cells.len();
    if found == order {
        return Ok(());
    }
    let at = cells.get(order).map_or(line.text.trim_end().len(), |extra| extra.start);
    Err(line.error(at, format!("expected {order} {what} in this row, found {found}")))
}

/// Returns the shape of a grid of order `order`; an error is at `line`.
pub(super) fn shape(
    line: &Line,
    order: usize,
    setting: &mut Setting,
) -> Result<Arc<Shape>, InputError> {
    setting.shape(order).map_err(|message| line.error(0, message))
}

/// Builds a grid of order `order` from its cells; an error of its shape is at `line`.
pub(super) fn grid(
    line: &Line,
    order: usize,
    cells: &[CellWord<'_>],
    setting: &mut Setting,
    format: &'static Format,
) -> Result<Grid, InputError> {
    fill(shape(line, order, setting)?, cells, format)
}

/// Skips the rest of an invalid grid, up to the next empty line.
pub(super) fn skip_block(lines: &mut Lines) -> Result<(), InputError> {
    while let Some(line) = lines.next_line()? {
        if line.text.trim().is_empty() {
            break;
        }
    }
    Ok(())
}

/// Reads `x` and `?` as empty cells, if the grid has no other empty cells and otherwise contains
/// only symbols.
pub(super) fn blank_marks<'w, 'l>(cells: &'w [CellWord<'l>], order: usize) -> Cow<'w, [CellWord<'l>]> {
    let is_mark = |cell: &CellWord<'_>| matches!(cell.text, "x" | "X" | "?");
    let is_clue = |cell: &CellWord<'_>| {
        let alphabet = if cell.character().is_some() { Alphabet::Digits } else { Alphabet::Numbers };
        symbol(cell.text, alphabet, order).is_some()
    };
    let has_clue = || cells.iter().any(|cell| !is_mark(cell) && !is_blank(cell.text, Alphabet::Digits));
    let is_marked = cells.iter().filter(|cell| is_mark(cell)).nth(1).is_some()
        && !cells.iter().any(|cell| is_mark(cell) && is_clue(cell))
        && cells.iter().all(|cell| is_mark(cell) || is_clue(cell))
        && has_clue();
    if !is_marked {
        return Cow::Borrowed(cells);
    }
    cells.iter().map(|&cell| if is_mark(&cell) { cell.blank() } else { cell }).collect()
}

pub(super) fn alphabet(cells: &[CellWord<'_>], order: usize) -> Alphabet {
    if cells.iter().any(|cell| cell.text.chars().nth(1).is_some()) {
        return Alphabet::Numbers;
    }
    guess_alphabet(&cells.iter().map(|cell| cell.text.chars().next().unwrap_or(' ')), order)
}

/// Guesses the alphabet of a grid of order `order` that is written with one character per cell.
///
/// `0` is a symbol in two cases: the order is above 9 and another character marks empty cells, or
/// `0` occurs as often as a symbol of a full grid and the last symbol does not occur. Letters
/// without any digit are an alphabet of their own.
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

pub(super) fn is_blank(text: &str, alphabet: Alphabet) -> bool {
    let mut chars = text.trim().chars();
    match chars.next() {
        None => true,
        Some('0') if alphabet == Alphabet::ZeroDigits => false,
        Some(c) => BLANKS.contains(&c) && chars.next().is_none(),
    }
}

pub(super) fn symbol(text: &str, alphabet: Alphabet, order: usize) -> Option<usize> {
    if alphabet == Alphabet::Numbers {
        let number: usize = text.parse().ok()?;
        return (1..=order).contains(&number).then(|| number - 1);
    }
    let mut chars = text.chars();
    let c = chars.next().filter(|_| chars.next().is_none())?;
    alphabet.symbol(c, order)
}

/// Builds a grid from its cells, with a style that records the alphabet and the character for empty
/// cells.
pub(super) fn fill(
    shape: Arc<Shape>,
    cells: &[CellWord<'_>],
    format: &'static Format,
) -> Result<Grid, InputError> {
    let order = shape.order();
    let cells = &*blank_marks(cells, order);
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

/// Describes the first cell where `other`, such as a solution, differs from the clues of `grid`.
pub(super) fn contradiction(grid: &Grid, other: &Grid) -> Option<String> {
    let order = grid.shape().order();
    if other.shape().order() != order {
        let other = other.shape().order();
        return Some(format!("expected a solution of order {order}, found one of order {other}"));
    }
    let differs = |&cell: &usize| match (grid.symbol(cell), other.symbol(cell)) {
        (Some(one), Some(two)) => one != two,
        _ => false,
    };
    let cell = (0..grid.shape().cell_count()).find(differs)?;
    let (mut clue, mut found) = (String::new(), String::new());
    write_cell(grid, cell, &mut clue);
    write_cell(other, cell, &mut found);
    let (row, column) = (cell / order + 1, cell % order + 1);
    Some(format!(
        "expected a solution with the clue `{clue}` in r{row}c{column}, found `{found}` there"
    ))
}

/// Returns for each cell the symbols that the clues of its peers do not exclude.
pub(super) fn open(grid: &Grid, clues: &[Option<usize>]) -> Vec<u64> {
    let open = |peers: Vec<usize>| {
        let seen = peers.into_iter().filter_map(|peer| clues[peer]);
        seen.fold(grid.shape().all_symbols(), |open, symbol| open & !(1 << symbol))
    };
    grid.shape().peers().into_iter().map(open).collect()
}

pub(super) fn square_root(count: usize) -> Option<usize> {
    let order = count.isqrt();
    (order * order == count && (1..=MAX_ORDER).contains(&order)).then_some(order)
}

/// Appends the symbol of `cell`, or the character for an empty cell, in the style of the grid.
/// Numbers are not padded.
pub(super) fn write_cell(grid: &Grid, cell: usize, out: &mut String) {
    let Style { alphabet, blank, .. } = grid.style;
    match grid.symbol(cell) {
        Some(symbol) => write_symbol(alphabet, symbol, out),
        None => out.push(if blank == ' ' { '.' } else { blank }),
    }
}

pub(super) fn write_symbol(alphabet: Alphabet, symbol: usize, out: &mut String) {
    match alphabet.character(symbol) {
        Some(c) => out.push(c),
        None => push!(out, "{}", symbol + 1),
    }
}

/// Appends the rows of a grid. `texts` are the texts for an empty cell, between two cells, and
/// after a row.
pub(super) fn write_square(grid: &Grid, alphabet: Alphabet, texts: [&str; 3], out: &mut String) {
    let [blank, gap, end] = texts;
    let order = grid.shape().order();
    for cell in 0..grid.shape().cell_count() {
        match grid.symbol(cell) {
            Some(symbol) => write_symbol(alphabet, symbol, out),
            None => out.push_str(blank),
        }
        out.push_str(if cell % order == order - 1 { end } else { gap });
    }
}

/// Appends the rows of a grid of order 9 as digits, with `0` for an empty cell.
pub(super) fn write_nine(grid: &Grid, gap: &str, out: &mut String) {
    write_square(grid, Alphabet::Digits, ["0", gap, "\n"], out);
}

/// Reads 9 rows of 9 digits, with `0` for an empty cell, and spaces between cells if `is_spaced`.
pub(super) fn read_nine(
    lines: &mut Lines,
    setting: &mut Setting,
    is_spaced: bool,
    format: &'static Format,
) -> Result<Grid, InputError> {
    const ORDER: usize = 9;
    let (one, many) = if is_spaced { ("number", "numbers") } else { ("digit", "digits") };
    let rows = take(lines, ORDER)?;
    check_count(&rows, ORDER, &format!("rows of {ORDER} {many}"), lines)?;
    let mut cells = Vec::with_capacity(ORDER * ORDER);
    for row in &rows {
        let row_cells: Vec<CellWord<'_>> = match is_spaced {
            true => words(row).collect(),
            false => CellWord::new(row, row.text.trim()).characters().collect(),
        };
        let is_other = |cell: &&CellWord<'_>| !cell.character().is_some_and(|c| c.is_ascii_digit());
        if let Some(other) = row_cells.iter().find(is_other) {
            return Err(other.expected(&format!("a {one} 0-9")));
        }
        check_width(row, &row_cells, ORDER, many)?;
        cells.extend(row_cells);
    }
    let mut grid = grid(&rows[0], ORDER, &cells, setting, format)?;
    (grid.style.blank, grid.style.is_spaced) = ('0', is_spaced);
    Ok(grid)
}

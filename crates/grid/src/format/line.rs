//! One puzzle per line: n * n characters, one for each cell, row by row.
//!
//! Spaces, commas or bars may separate the rows, or the cells, which may then be numbers. Text
//! after the cells and a space, such as a rating or a name, is ignored with a note. A number `1:`,
//! `1.` or `1)` before the cells is skipped, and quotes and commas around the cells are ignored. If
//! the first word is not a grid, as in collections with a digest before each puzzle, the next words
//! are tried. A line may contain a puzzle and its solution, which must agree with the clues.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::cells::{self, BLANKS, CellWord, is_separator, square_root, words};
use super::value::begins_as_value;
use super::{Format, LINES, NineLine};
use crate::{Alphabet, Grid, MAX_ORDER, Setting, Shape, Style};
use text::{InputError, InputNotes, Lines};

pub(super) const FORMAT: Format = Format {
    name: "line",
    summary: "n*n characters a line, one a cell; or numbers set apart by blanks, commas or bars",
    example: "800000000003600000070090200050007000000045700000100030001000068008500010090000400\n",
    extensions: &["sdm"],
    recognizes,
    next_lines,
    reader: || Box::new(read),
    write,
    ..LINES
};

pub(super) fn recognizes(sample: &str) -> bool {
    // A text in brackets may be a list of grids, and this format would read only the first of
    // them. A text that begins with `(1)` is a title.
    if begins_as_value(sample) && !sample.trim_start().starts_with('(') {
        return false;
    }
    // Try two lines, so that an invalid first line does not hide the format. Grids below order
    // 4 are too small to recognize the format.
    let mut contents = cells::contents(sample).take(2);
    contents.any(|text| order_of(text).is_some_and(|order| order >= 4))
}

/// Returns whether the format `line` is the only one with this line as its first line of content.
#[must_use]
pub fn is_certain(line: &str) -> bool {
    // The line is too long to be a row of a grid, and it is not a row of a matrix with only 0
    // and 1.
    let text = line.trim();
    let line = cells::line_of(text);
    let is_cell = |cell: &CellWord<'_>, alphabet, order| {
        cells::is_blank(cell.text, alphabet) || cells::symbol(cell.text, alphabet, order).is_some()
    };
    !text.contains(is_separator)
        && text.bytes().any(|byte| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'1'))
        && split(&line).is_some_and(|SplitLine { order, cells, .. }| {
            let alphabet = cells::alphabet(&cells, order);
            order * order > MAX_ORDER && cells.iter().all(|cell| is_cell(cell, alphabet, order))
        })
}

pub(super) fn write(grid: &Grid, out: &mut String) {
    let is_spaced = grid.style.alphabet == Alphabet::Numbers;
    for cell in 0..grid.shape().cell_count() {
        if is_spaced && cell > 0 {
            out.push(' ');
        }
        cells::write_cell(grid, cell, out);
    }
    out.push('\n');
}

pub(super) fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    lines.next_content()?.map(|line| parse(&line, setting, &mut lines.notes)).transpose()
}

fn next_lines(lines: &mut Lines, setting: &mut Setting, range: RangeInclusive<usize>) -> Vec<NineLine> {
    let is_nine = |shape: Arc<Shape>| shape.boxes() == Some((3, 3)) && shape.rules().is_empty();
    if setting.shape(9).is_ok_and(is_nine) { lines.take_same(range, is_nine_line) } else { Vec::new() }
}

/// Returns whether the cells of a line are digits and the usual characters for empty cells. The
/// test checks all cells without an early exit, so that the compiler vectorizes it.
fn is_nine_line(line: &NineLine) -> bool {
    // The valid characters are `.` and `0` to `9`. In ASCII only `/` lies between them.
    let is_other = |c: u8| c.wrapping_sub(b'.') > b'9' - b'.' || c == b'/';
    line[..81].iter().fold(0, |others, &c| others | u8::from(is_other(c))) == 0
}

/// Returns the order of the grid in a line. In a single word of at least 16 characters, symbols may
/// be wrong.
pub(super) fn order_of(text: &str) -> Option<usize> {
    let line = cells::line_of(text);
    let SplitLine { order, cells, .. } = split(&line)?;
    let is_one_word = cells[0].character().is_some() && words(&line).next()?.text.len() >= 16;
    are_cells(&cells, order, is_one_word).then_some(order)
}

/// Returns whether `cells` may be the cells of a grid. If `is_lenient`, only the kind of their
/// characters is checked.
fn are_cells(cells: &[CellWord<'_>], order: usize, is_lenient: bool) -> bool {
    let cells = &*cells::blank_marks(cells, order);
    let alphabet = cells::alphabet(cells, order);
    let is_cell = |cell: &CellWord<'_>| {
        cells::is_blank(cell.text, alphabet)
            || cells::symbol(cell.text, alphabet, order).is_some()
            || is_lenient && cell.text.chars().all(|c| c.is_ascii_alphanumeric() || "@$&".contains(c))
    };
    cells.iter().all(is_cell)
}

fn is_label(word: &str) -> bool {
    let number = word.strip_suffix([':', '.', ')']).unwrap_or_default();
    (1..=7).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Number of words at the start of a line that are tried as cells.
const WORDS_SEEN: usize = 5;

struct SplitLine<'l> {
    order: usize,
    cells: Vec<CellWord<'l>>,
    /// The words that are neither cells nor the number of the line.
    others: Vec<CellWord<'l>>,
}

fn grid_word<'l>(word: &CellWord<'l>) -> Option<(usize, Vec<CellWord<'l>>)> {
    let order = square_root(word.text.len()).filter(|&order| order >= 4)?;
    let cells: Vec<_> = word.characters().collect();
    (cells.len() == order * order && are_cells(&cells, order, false)).then_some((order, cells))
}

fn split(line: &text::Line) -> Option<SplitLine<'_>> {
    let mut words: Vec<CellWord<'_>> = words(line).collect();
    if words.len() > 1 && is_label(words[0].text) {
        words.remove(0);
    }
    let whole = |order, cells| SplitLine { order, cells, others: Vec::new() };
    let width = words.first()?.text.chars().count();
    if width > 1 && words.len() == width && words.iter().all(|w| w.text.chars().count() == width) {
        let cells: Vec<_> = words.iter().flat_map(|word| word.characters()).collect();
        return square_root(cells.len()).map(|order| whole(order, cells));
    }
    if width <= 2 {
        return square_root(words.len()).map(|order| whole(order, words));
    }
    // Take the first word that is a grid, and a puzzle rather than a solution. If no word is a
    // grid, take the first word, whose cells may be wrong.
    let grids = words.iter().enumerate().take(WORDS_SEEN);
    let mut grids = grids.filter_map(|(index, word)| Some((index, grid_word(word)?)));
    let first = grids
        .next()
        .filter(|(index, _)| *index == 0 || square_root(width).is_none_or(|order| order < 9));
    let is_full = |cells: &[CellWord<'_>]| {
        cells.iter().all(|cell| !BLANKS.contains(&cell.character().unwrap_or('.')))
    };
    let (index, (order, cells)) = match first {
        Some((index, (order, cells))) if is_full(&cells) => {
            let puzzle = grids.find(|(_, (other, cells))| *other == order && !is_full(cells));
            puzzle.unwrap_or((index, (order, cells)))
        }
        Some(first) => first,
        None => (0, (square_root(width)?, words[0].characters().collect())),
    };
    words.remove(index);
    Some(SplitLine { order, cells, others: words })
}

/// The candidates for each byte in a grid of order 9 or below: one bit for a digit, all bits for an
/// empty cell, and 0 for any other byte.
const MEANINGS: [u64; 256] = {
    let mut meanings = [0; 256];
    let mut digit = 1;
    while digit <= 9 {
        meanings[b'0' as usize + digit] = 1 << (digit - 1);
        digit += 1;
    }
    let mut blank = 0;
    while blank < BLANKS.len() {
        meanings[BLANKS[blank] as usize] = u64::MAX;
        blank += 1;
    }
    meanings
};

/// Fast path for the most common text. Parses a plain line of digits and empty cells, of an order
/// from 4 to 9, and allocates only the grid. Returns `None` for any other line.
fn parse_plain(line: &text::Line, setting: &mut Setting, notes: &mut InputNotes) -> Option<Grid> {
    let text = &*line.text;
    let bytes = text.as_bytes();
    let length = bytes.iter().position(|&b| b.is_ascii() && is_separator(b.into()));
    let length = length.unwrap_or(bytes.len());
    let others = text[length..].trim_matches(is_separator);
    if others.len() >= length {
        return None;
    }
    // A word below order 9 may be a row of a larger grid, unless it is the whole line.
    let order =
        square_root(length).filter(|&o| o == 9 || length == bytes.len() && (4..9).contains(&o))?;
    let shape = setting.shape(order).ok()?;
    let all = shape.all_symbols();
    let bytes = &bytes[..length];
    let candidates: Vec<u64> = bytes.iter().map(|&byte| MEANINGS[usize::from(byte)] & all).collect();
    if candidates.contains(&0) {
        return None;
    }
    let blank = candidates.iter().position(|&word| word == all).map_or('.', |at| bytes[at].into());
    if !others.is_empty() {
        note_others(CellWord::new(line, others), true, notes);
    }
    Some(Grid::with_candidates(shape, candidates, Style { blank, ..Style::new(&FORMAT) }))
}

/// Adds a note that the words before or after the cells of a line are not used.
fn note_others(others: CellWord<'_>, is_behind: bool, notes: &mut InputNotes) {
    others.note(
        if is_behind { "not used: text after the cells" } else { "not used: text before the cells" },
        notes,
    );
}

/// Parses the grid of a line. Other grids in the line must agree with it. The remaining text is
/// noted as not used.
pub(super) fn parse(
    line: &text::Line,
    setting: &mut Setting,
    notes: &mut InputNotes,
) -> Result<Grid, InputError> {
    if let Some(grid) = parse_plain(line, setting, notes) {
        return Ok(grid);
    }
    let Some(SplitLine { order, cells, others }) = split(line) else {
        let mut all_words = words(line);
        let first = all_words.next();
        let width = first.map_or(0, |word| word.text.chars().count());
        let found = if width > 2 { width } else { all_words.count() + usize::from(first.is_some()) };
        let order = (1..=MAX_ORDER).min_by_key(|order| (order * order).abs_diff(found)).unwrap_or(9);
        let count = order * order;
        // If the number of cells is nearly right, the position of the error is the missing or extra
        // cell.
        if order > 3 && count.abs_diff(found) <= order {
            let start = match first.filter(|_| width > 2) {
                Some(word) => word.characters().nth(count).unwrap_or(word.end()),
                None => {
                    words(line).nth(count).unwrap_or(CellWord::new(line, line.text.trim_end()).end())
                }
            };
            return Err(start.error(format!("expected {count} cells in this line, found {found}")));
        }
        let message = format!("expected n*n cells in a line (16, 36, 81, 256, ...), found {found}");
        return Err(line.error(0, message));
    };
    let shape = cells::shape(line, order, setting)?;
    let grid = cells::fill(shape, &cells, &FORMAT).map_err(|mut error| {
        if order < 4 {
            error
                .message
                .push_str(&format!(" (a line of {} cells is a grid of order {order})", cells.len()));
        }
        error
    })?;
    let is_other = |word: &CellWord<'_>| grid_word(word).is_none_or(|(other, _)| other != order);
    for other in others.iter().filter(|word| !is_other(word)) {
        let cells: Vec<CellWord<'_>> = other.characters().collect();
        let other_grid = cells::fill(Arc::clone(grid.shape()), &cells, &FORMAT)?;
        if let Some(fault) = cells::contradiction(&grid, &other_grid) {
            return Err(other.error(fault));
        }
        other.note("not used: a solution in the line", notes);
    }
    let mut texts = others.into_iter().filter(is_other);
    if let Some(first) = texts.next() {
        let is_behind = first.start() > cells[0].start();
        let last = if is_behind { texts.next_back().unwrap_or(first) } else { first };
        note_others(first.to(last), is_behind, notes);
    }
    Ok(grid)
}

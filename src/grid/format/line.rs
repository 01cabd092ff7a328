//! One puzzle a line: n * n characters, one a cell, row by row.
//!
//! Blanks, commas or bars may separate the cells; then they may be numbers too. What follows the
//! cells of a line of 81 characters after a blank (a rating, a name) is left out.

use super::{BLANKS, Format, Reader, guess_alphabet, write_cell};
use crate::grid::{Alphabet, Grid, MAX_ORDER, Setting, Style};
use crate::input::{self, InputError, Lines};

/// The format `line`.
pub(super) struct Line;

impl Format for Line {
    fn name(&self) -> &'static str {
        "line"
    }

    fn summary(&self) -> &'static str {
        "n*n characters a line, one a cell; or numbers set apart by blanks, commas or bars"
    }

    fn example(&self) -> &'static str {
        "800000000003600000070090200050007000000045700000100030001000068008500010090000400\n"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sdm"]
    }

    fn recognizes(&self, sample: &str) -> bool {
        let mut lines = sample.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#'));
        lines.next().is_some_and(|line| split(line).is_some())
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(LineReader)
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        let is_spaced = grid.style.alphabet == Alphabet::Numbers;
        for cell in 0..grid.shape().cell_count() {
            if is_spaced && cell > 0 {
                out.push(' ');
            }
            write_cell(grid, cell, out);
        }
        out.push('\n');
    }

    fn is_line(&self) -> bool {
        true
    }
}

struct LineReader;

impl Reader for LineReader {
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
        match lines.next_content()? {
            Some(line) => parse(&line, setting).map(Some),
            None => Ok(None),
        }
    }
}

/// Returns the order and the cells with their places, if their number is a square.
fn split(line: &str) -> Option<(usize, Vec<(usize, &str)>)> {
    let separators: &[char] = &[' ', '\t', ',', '|', ';'];
    let words: Vec<(usize, &str)> = line
        .split(separators)
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr().addr() - line.as_ptr().addr(), word))
        .collect();
    // The first word as one character a cell, unless it is a cell itself.
    if let Some(&(start, word)) = words.first().filter(|(_, word)| word.len() > 2) {
        let order = square_root(word.chars().count())?;
        let cells = word.char_indices().map(|(i, c)| (start + i, &word[i..i + c.len_utf8()]));
        return Some((order, cells.collect()));
    }
    square_root(words.len()).map(|order| (order, words))
}

/// Returns the order of a grid with that many cells.
fn square_root(count: usize) -> Option<usize> {
    let order = count.isqrt();
    (order * order == count && (1..=MAX_ORDER).contains(&order)).then_some(order)
}

fn parse(line: &input::Line, setting: &mut Setting) -> Result<Grid, InputError> {
    let Some((order, cells)) = split(&line.text) else {
        let found = line.text.split_whitespace().next().unwrap_or_default().chars().count();
        let message = format!("expected n*n cells in a line (16, 36, 81, 256, ...), found {found}");
        return Err(line.error(0, message));
    };
    let first_chars = cells.iter().filter_map(|(_, cell)| cell.chars().next());
    let is_numbers = cells.iter().any(|(_, cell)| cell.len() > 1 && cell.is_ascii());
    let alphabet = if is_numbers { Alphabet::Numbers } else { guess_alphabet(&first_chars, order) };
    let is_blank = |cell: &str| {
        let mut chars = cell.chars();
        let c = chars.next().filter(|_| chars.next().is_none());
        c.is_some_and(|c| BLANKS.contains(&c) && !(c == '0' && alphabet == Alphabet::ZeroDigits))
    };
    let shape = setting.shape(order).map_err(|message| line.error(0, message))?;
    let blank = cells.iter().find(|(_, cell)| is_blank(cell)).and_then(|(_, cell)| cell.chars().next());
    let style = Style { alphabet, blank: blank.unwrap_or('.'), ..Style::new(&Line) };
    let mut grid = Grid::empty(shape, style);
    for (index, &(start, cell)) in cells.iter().enumerate() {
        if is_blank(cell) {
            continue;
        }
        let symbol = match alphabet {
            Alphabet::Numbers => {
                cell.parse().ok().filter(|n| (1..=order).contains(n)).map(|n: usize| n - 1)
            }
            _ => cell.chars().next().and_then(|c| alphabet.symbol(c, order)),
        };
        let symbol = symbol.ok_or_else(|| {
            let expected = alphabet.describe(order);
            line.error(start, format!("expected {expected}, `.` or `0`, found `{cell}`"))
        })?;
        grid.place(index, symbol);
    }
    Ok(grid)
}

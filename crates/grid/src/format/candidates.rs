//! One puzzle per line: 729 characters, nine for each cell, each a candidate digit or a dot.
//!
//! The solver Tdoku writes puzzles with pencil marks in this format. Digit d is at position d of
//! its cell.

use super::cells::{self, CellWord};
use super::{Format, LINES, NOT_NINE, REGIONS};
use crate::{Grid, Setting, Style};
use text::{InputError, Lines};

const ORDER: usize = 9;

pub(super) const FORMAT: Format = Format {
    name: "candidates",
    summary: "729 characters a line: for each cell its nine candidates, digits or dots",
    example: include_str!("candidates.txt"),
    recognizes,
    reader: || Box::new(read),
    lacks: &[NOT_NINE, REGIONS],
    write,
    ..LINES
};

fn recognizes(sample: &str) -> bool {
    let line = cells::first(sample).split_whitespace().next().unwrap_or_default();
    let is_candidate =
        |(i, b): (usize, u8)| b == b'.' || usize::from(b) == usize::from(b'1') + i % ORDER;
    let is_digit = |b: u8| b.is_ascii_digit();
    line.len() == ORDER * ORDER * ORDER
        && line.bytes().any(is_digit)
        && line.bytes().enumerate().filter(|&at| !is_candidate(at)).count() <= 2
}

fn write(grid: &Grid, out: &mut String) {
    for cell in 0..grid.shape().cell_count() {
        let candidates = grid.candidates(cell);
        let digits = (b'1'..=b'9').zip(0..ORDER);
        out.extend(
            digits.map(|(digit, s)| if candidates >> s & 1 == 1 { char::from(digit) } else { '.' }),
        );
    }
    out.push('\n');
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    let Some(line) = lines.next_content()? else { return Ok(None) };
    let text = line.text.trim();
    let (cells, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let word = CellWord::new(&line, cells);
    let found = word.text.chars().count();
    if found != ORDER * ORDER * ORDER {
        return Err(word.error(format!("expected 729 characters in a line, found {found}")));
    }
    if !rest.is_empty() {
        CellWord::new(&line, rest.trim_start())
            .note("not used: text after the cells", &mut lines.notes);
    }
    let mut candidates = vec![0_u64; ORDER * ORDER];
    for (index, character) in word.characters().enumerate() {
        let (cell, symbol) = (index / ORDER, index % ORDER);
        match character.text.bytes().next() {
            Some(b'.') => {}
            Some(digit) if usize::from(digit) == usize::from(b'1') + symbol => {
                candidates[cell] |= 1 << symbol;
            }
            _ => return Err(character.expected(&format!("`{}` or `.`", symbol + 1))),
        }
    }
    let shape = cells::shape(&line, ORDER, setting)?;
    Ok(Some(Grid::with_candidates(shape, candidates, Style::new(&FORMAT))))
}

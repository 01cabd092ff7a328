//! A grid whose cells list their candidates: n lines of n words, with or without rules and bars
//! between the boxes.
//!
//! A word of one character for an empty cell means all candidates. Above order 9 the symbols
//! continue with letters, or are only letters. Numbers within a cell are separated by slashes
//! (`1/10/12`). Grids are written with aligned columns. For a cell without pencil marks, the format
//! writes only the symbols that no clue in its row, column or region excludes.

use super::cells::{self, CellWord, is_bar, words};
use super::{BLOCKS, Format, Lack, REGIONS, drawing};
use crate::{Alphabet, Grid, Setting, Style};
use text::{InputError, Lines, directive};

pub(super) const FORMAT: Format = Format {
    name: "pencilmarks",
    summary: "n lines of n words: the candidates of each cell, with or without rules and bars",
    example: "1  234 | 3   24\n34 234 | 124 12\n-------+-------\n23 1   | 24  3\n4  23  | 12  12\n",
    recognizes,
    reader: || Box::new(read),
    lacks: &[NO_CANDIDATES, ("symbols that would be read as others", is_ambiguous), REGIONS],
    write: |grid, out| drawing::draw(grid, &texts(grid), true, false, out),
    ..BLOCKS
};

fn recognizes(sample: &str) -> bool {
    let mut lines = Lines::of_text(sample);
    let Ok(Some(drawing)) = drawing::read(&mut lines, |line| words(line).count()) else {
        return false;
    };
    let order = drawing.rows.len();
    let cells: Vec<CellWord<'_>> = drawing.rows.iter().flat_map(words).collect();
    let is_number = |word: &CellWord<'_>| {
        word.text.parse::<usize>().map_or(word.character().is_some(), |number| number <= order)
    };
    let alphabet = alphabet(&cells.iter().map(|cell| cell.text), order);
    let is_good = |cell: &&CellWord<'_>| parse(**cell, order, alphabet).is_ok();
    // A grid below order 4 is recognized only if the header states the kind of puzzle.
    (order >= 4 || order >= 2 && directive(sample, "puzzle").is_some())
        && cells.len().abs_diff(order * order) <= 1
        && cells.iter().filter(is_good).count() + 1 >= cells.len()
        && cells.iter().filter(is_good).any(|cell| !is_number(cell))
}

const NO_CANDIDATES: Lack = ("cells without candidates", |grid| {
    (0..grid.shape().cell_count()).any(|cell| grid.candidates(cell) == 0)
});

/// Returns the candidates of each cell. The candidates of an empty cell exclude the symbols of its
/// peers.
fn open_candidates(grid: &Grid) -> Vec<u64> {
    let symbols: Vec<_> = (0..grid.shape().cell_count()).map(|cell| grid.symbol(cell)).collect();
    let candidates = |(cell, open)| match grid.candidates(cell) & open {
        0 => grid.candidates(cell),
        open if grid.is_blank(cell) => open,
        _ => grid.candidates(cell),
    };
    cells::open(grid, &symbols).into_iter().enumerate().map(candidates).collect()
}

fn texts(grid: &Grid) -> Vec<String> {
    let alphabet = grid.style.alphabet;
    let text = |candidates: u64| {
        let mut text = String::new();
        for symbol in (0..64).filter(|symbol| candidates >> symbol & 1 == 1) {
            if alphabet == Alphabet::Numbers && !text.is_empty() {
                text.push(STROKE);
            }
            cells::write_symbol(alphabet, symbol, &mut text);
        }
        text
    };
    open_candidates(grid).into_iter().map(text).collect()
}

const STROKE: char = '/';

fn alphabet<'t>(words: &(impl Iterator<Item = &'t str> + Clone), order: usize) -> Alphabet {
    let is_letters = |word: &str| word.chars().all(|c| c.is_ascii_alphabetic());
    let is_blank = |word: &str| cells::is_blank(word, Alphabet::Digits);
    let is_number = |word: &str| word.parse().is_ok_and(|number: usize| number <= order);
    let mut long = words.clone().filter(|word| word.len() > 1).peekable();
    if words.clone().any(|word| word.contains(STROKE))
        || order > 9 && long.peek().is_some() && long.clone().all(is_number)
    {
        Alphabet::Numbers
    } else if words.clone().all(|word| is_letters(word) || is_blank(word))
        && words.clone().any(|word| !is_blank(word))
    {
        Alphabet::Letters
    } else if order > 9 && long.any(|word| word.contains('0')) {
        Alphabet::ZeroDigits
    } else {
        Alphabet::Digits
    }
}

/// Returns whether the written symbols of a grid would be read as other symbols.
fn is_ambiguous(grid: &Grid) -> bool {
    let texts = texts(grid);
    alphabet(&texts.iter().map(String::as_str), grid.shape().order()) != grid.style.alphabet
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    let Some(drawing) = drawing::read(lines, |line| words(line).count())? else { return Ok(None) };
    let order = drawing.rows.len();
    let shape = cells::shape(&drawing.rows[0], order, setting)?;
    let all_words = drawing.rows.iter().flat_map(words).map(|word| word.text);
    let alphabet = alphabet(&all_words, order);
    let mut candidates = Vec::with_capacity(order * order);
    for line in &drawing.rows {
        let words: Vec<CellWord<'_>> = words(line).collect();
        cells::check_width(line, &words, order, "cells")?;
        for word in words {
            candidates.push(parse(word, order, alphabet)?);
        }
    }
    let is_ruled = drawing.is_ruled || drawing.rows.iter().any(|row| row.text.contains(is_bar));
    let style = Style { alphabet, is_spaced: true, is_ruled, ..Style::new(&FORMAT) };
    Ok(Some(Grid::with_candidates(shape, candidates, style)))
}

fn parse(word: CellWord<'_>, order: usize, alphabet: Alphabet) -> Result<u64, InputError> {
    if word.character().is_some_and(|c| cells::BLANKS.contains(&c))
        && (word.text != "0" || alphabet != Alphabet::ZeroDigits)
    {
        return Ok(u64::MAX >> (64 - order.clamp(1, 64)));
    }
    let parts: Vec<CellWord<'_>> = match alphabet {
        Alphabet::Numbers => word.split(STROKE).collect(),
        _ => word.characters().collect(),
    };
    let mut candidates = 0;
    for part in parts {
        let symbol = cells::symbol(part.text, alphabet, order);
        let symbol = symbol.ok_or_else(|| part.expected(&alphabet.describe(order)))?;
        if candidates >> symbol & 1 == 1 {
            return Err(part.error(format!("candidate `{}` occurs twice in this cell", part.text)));
        }
        candidates |= 1 << symbol;
    }
    Ok(candidates)
}

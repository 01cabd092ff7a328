//! A grid whose cells list their candidates: n lines of n words, with or without rules and bars.
//!
//! A word of one blank character means all candidates; past order 9 the symbols go on with letters.
//! Grids are written with aligned columns.

use super::cells::{self, Word, is_bar, words};
use super::{Format, Reader, drawing};
use crate::grid::{Alphabet, Grid, Setting, Style};
use crate::input::{InputError, Lines};

/// The format `pencilmarks`.
pub(super) struct Pencilmarks;

impl Format for Pencilmarks {
    fn name(&self) -> &'static str {
        "pencilmarks"
    }

    fn summary(&self) -> &'static str {
        "n lines of n words: the candidates of each cell, with or without rules and bars"
    }

    fn example(&self) -> &'static str {
        "1  234 | 3   24\n34 234 | 124 12\n-------+-------\n23 1   | 24  3\n4  23  | 12  12\n"
    }

    fn recognizes(&self, sample: &str) -> bool {
        let mut lines = Lines::of_text(sample);
        let Ok(Some(drawing)) = drawing::read(&mut lines, |line| words(line).count()) else {
            return false;
        };
        let order = drawing.rows.len();
        let cells: Vec<Word<'_>> = drawing.rows.iter().flat_map(words).collect();
        let is_number = |word: &Word<'_>| {
            word.text.parse::<usize>().map_or(word.character().is_some(), |number| number <= order)
        };
        order >= 4
            && cells.len().abs_diff(order * order) <= 1
            && cells.iter().filter(|cell| parse(**cell, order).is_err()).count() <= 1
            && cells.iter().filter(|cell| parse(**cell, order).is_ok()).any(|cell| !is_number(cell))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(PencilmarksReader)
    }

    fn lacks(&self, grid: &Grid) -> Option<&'static str> {
        if (0..grid.shape().cell_count()).any(|cell| grid.candidates(cell) == 0) {
            Some("cells without candidates")
        } else if is_ambiguous(grid) {
            Some("cells that do not look like numbers")
        } else {
            grid.shape().is_jigsaw().then_some("regions")
        }
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        let texts: Vec<String> =
            (0..grid.shape().cell_count()).map(|cell| text(grid.candidates(cell))).collect();
        drawing::draw(grid, &texts, true, false, out);
    }
}

/// Returns the symbols of a set.
fn text(candidates: u64) -> String {
    let symbols = (0..64).filter(|symbol| candidates >> symbol & 1 == 1);
    symbols.filter_map(|symbol| Alphabet::Digits.character(symbol)).collect()
}

/// Tells whether the words of a grid past order 9 would all be numbers too.
fn is_ambiguous(grid: &Grid) -> bool {
    let order = grid.shape().order();
    let words = (0..grid.shape().cell_count()).map(|cell| text(grid.candidates(cell)));
    let mut long = words.filter(|word| word.len() > 1).peekable();
    order > 9 && long.peek().is_some() && long.all(|word| word.parse().is_ok_and(|n: usize| n <= order))
}

struct PencilmarksReader;

impl Reader for PencilmarksReader {
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
        let Some(drawing) = drawing::read(lines, |line| words(line).count())? else { return Ok(None) };
        let order = drawing.rows.len();
        let first = &drawing.rows[0];
        let shape = setting.shape(order).map_err(|message| first.error(0, message))?;
        let mut candidates = Vec::with_capacity(order * order);
        for line in &drawing.rows {
            let words: Vec<Word<'_>> = words(line).collect();
            if words.len() != order {
                let end = Word::new(line, line.text.trim_end()).end();
                let at = words.get(order).copied().unwrap_or(end);
                return Err(
                    at.error(format!("expected {order} cells in this row, found {}", words.len()))
                );
            }
            for word in words {
                candidates.push(parse(word, order)?);
            }
        }
        let is_ruled = drawing.is_ruled || drawing.rows.iter().any(|row| row.text.contains(is_bar));
        let style = Style { is_spaced: true, is_ruled, ..Style::new(&Pencilmarks) };
        Ok(Some(Grid::with_candidates(shape, candidates, style)))
    }
}

/// Reads the candidates of a cell.
fn parse(word: Word<'_>, order: usize) -> Result<u64, InputError> {
    if word.character().is_some_and(|c| cells::BLANKS.contains(&c)) {
        return Ok(u64::MAX >> (64 - order.clamp(1, 64)));
    }
    let mut candidates = 0;
    for character in word.characters() {
        let symbol = cells::symbol(character.text, Alphabet::Digits, order);
        let symbol = symbol.ok_or_else(|| character.expected(&Alphabet::Digits.describe(order)))?;
        if candidates >> symbol & 1 == 1 {
            return Err(
                character.error(format!("candidate `{}` occurs twice in this cell", character.text))
            );
        }
        candidates |= 1 << symbol;
    }
    Ok(candidates)
}

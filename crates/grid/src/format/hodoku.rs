//! HoDoKu's library format: one position per line, with fields separated by colons.
//!
//! The fields are `:technique:candidates:cells:deleted:eliminated:placed:remark`. `cells` is 81
//! digits and dots. A `+` precedes a digit placed by the player, which is read as a clue. `deleted`
//! lists candidates that the player excluded in addition to the candidates excluded by clues. Each
//! is given by digit, row and column, as in `314 819`, and the empty cells then have pencil marks.
//! All other fields describe the next solving step and are not used.

use super::cells::{self, CellWord};
use super::{Format, LINES, NOT_NINE, REGIONS};
use crate::{Alphabet, Grid, Setting};
use text::{InputError, Lines};

const CELL_COUNT: usize = 81;

pub(super) const FORMAT: Format = Format {
    name: "hodoku",
    summary: "lines of HoDoKu's library, `:0000:x:CELLS:DELETED:...`, with `+` before placed digits",
    example: ":0000:x:8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..:::\n",
    recognizes,
    reader: || Box::new(read),
    lacks: &[NOT_NINE, REGIONS],
    write,
    ..LINES
};

fn recognizes(sample: &str) -> bool {
    let first = cells::first(sample);
    let mut fields = first.trim().split(':');
    let is_head = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    fields.next() == Some("")
        && fields.next().is_some_and(is_head)
        && fields.next().is_some_and(is_head)
        && fields.next().is_some_and(|cells| cells.len() >= CELL_COUNT - 1)
}

fn write(grid: &Grid, out: &mut String) {
    let (clues, mut deleted) = (grid.clues(), Vec::new());
    let seen = if grid.is_plain() { Vec::new() } else { open_candidates(grid, &clues) };
    out.push_str(":0000:x:");
    for (cell, clue) in clues.into_iter().enumerate() {
        match clue {
            Some(symbol) => cells::write_symbol(Alphabet::Digits, symbol, out),
            None => out.push('.'),
        }
        let excluded = seen.get(cell).map_or(0, |open| open & !grid.candidates(cell));
        let excluded = (0..9).filter(|symbol| clue.is_none() && excluded >> symbol & 1 == 1);
        deleted.extend(excluded.map(|s| format!("{}{}{}", s + 1, cell / 9 + 1, cell % 9 + 1)));
    }
    pushln!(out, ":{}::", deleted.join(" "));
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    let Some(line) = lines.next_content()? else { return Ok(None) };
    let Some(cells) = line.text.split(':').nth(3) else {
        return Err(line.error(0, "expected `:technique:candidates:cells:...`"));
    };
    let cells = CellWord::new(&line, cells);
    let words: Vec<CellWord<'_>> = cells.characters().filter(|cell| cell.text != "+").collect();
    if words.len() != CELL_COUNT {
        let at = words.get(CELL_COUNT).copied().unwrap_or(cells.end());
        return Err(at.error(format!("expected {CELL_COUNT} cells, found {}", words.len())));
    }
    let mut grid = cells::grid(&line, 9, &words, setting, &FORMAT)?;
    if let Some(deleted) = line.text.split(':').nth(4) {
        delete(CellWord::new(&line, deleted), &mut grid)?;
    }
    let is_empty = |field: &&str| matches!(field.trim(), "" | "0000" | "x");
    let mut unused = line.text.split(':').enumerate().filter(|(index, _)| !matches!(index, 3 | 4));
    if let Some((_, field)) = unused.find(|(_, field)| !is_empty(field)) {
        CellWord::new(&line, field).note("not used: the technique and the next step", &mut lines.notes);
    }
    Ok(Some(grid))
}

/// Removes the candidates listed in `field`, and the candidates excluded by clues.
fn delete(field: CellWord<'_>, grid: &mut Grid) -> Result<(), InputError> {
    let mut deleted = field.split(' ').filter(|word| !word.text.is_empty()).peekable();
    if deleted.peek().is_none() {
        return Ok(());
    }
    let clues = grid.clues();
    for (cell, open) in open_candidates(grid, &clues).into_iter().enumerate() {
        grid.set_candidates(cell, open);
    }
    for word in deleted {
        let digits = word.text.chars().map(|c| Some(c.to_digit(10)?.checked_sub(1)? as usize));
        let digits = digits.collect::<Option<Vec<usize>>>();
        let Some(&[symbol, row, column]) = digits.as_deref() else {
            return Err(word.expected("a candidate such as `314`: digit 3 in row 1, column 4"));
        };
        let cell = row * 9 + column;
        if clues[cell] == Some(symbol) {
            return Err(word.expected("a candidate that is not the digit of its cell"));
        }
        grid.set_candidates(cell, grid.candidates(cell) & !(1 << symbol));
    }
    Ok(())
}

/// Returns for each cell the candidates that the clues do not exclude.
fn open_candidates(grid: &Grid, clues: &[Option<usize>]) -> Vec<u64> {
    let open = cells::open(grid, clues).into_iter().zip(clues);
    open.map(|(open, clue)| clue.map_or(open, |symbol| 1 << symbol)).collect()
}

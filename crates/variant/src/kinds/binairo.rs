//! Binairo and Tango: as many of two symbols in each row and column, and no three equal neighbors
//! in a line.
//!
//! In Binairo (Takuzu) no two rows and no two columns are equal. In Tango, LinkedIn's game, they
//! may be, and the signs `=` and `x` say that two neighbors are equal or different.

use super::{BoardDraft, BoardLook, DraftClue, Presentation, read_within};
use crate::Variant;
use grid::Grid;
use puzzle::board_text::{GameId, Lattice, write_lattice};
use puzzle::{Cell, HeadKeys, Ink, Kind, Mark, Picture, PuzzleSource, TextSource, undivided};
use text::InputError;

/// The kind of puzzles whose rows and columns all differ.
pub const KIND: Kind = Kind {
    name: "binairo",
    summary: "as many 0 as 1 in each row and column, no three in a row, no two lines equal (Takuzu)",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: ". . . 0\n. . 1 .\n1 . 1 .\n. . . .\n",
        rules: include_str!("binairo.txt"),
        extensions: &["binairo", "takuzu"],
        divider: Some(undivided),
        several: None,
        // Rows of 0 and 1 may as well be a matrix.
        recognizes: |sample| GameId::is_link_to(sample, &["unruly"]),
        head: HeadKeys::Only(&[]),
        read: |text, limits| read_within(|text| read(text, false), text, limits),
    }),
};

/// The kind of puzzles with signs.
pub const TANGO: Kind = Kind {
    name: "tango",
    summary: "LinkedIn's Tango: as many 0 as 1 in each row and column, no three in a row, = and x",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: ". . . .\n. .=. .\n= =\n1 . . .\n    =\n. 1 . .\n",
        rules: include_str!("tango.txt"),
        extensions: &["tango"],
        divider: Some(undivided),
        several: None,
        recognizes: |_| false,
        head: HeadKeys::Only(&[]),
        read: |text, limits| read_within(|text| read(text, true), text, limits),
    }),
};

/// Largest order. Each pair of lines is a clue, so that a board of this order has 1,740 of them.
const ORDER_MAX: usize = 30;

fn is_cell(c: char) -> bool {
    "._01SMOsmo\u{2600}\u{263e}\u{1f311}".contains(c)
}

#[derive(Debug)]
struct Binairo {
    rows: usize,
    columns: usize,
    is_tango: bool,
    /// The pairs of neighbors with a sign, and whether they are equal.
    signs: Vec<(usize, usize, bool)>,
}

impl Presentation for Binairo {
    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str(if self.is_tango { "# puzzle: tango\n" } else { "# puzzle: binairo\n" });
        let cell = |cell: usize| {
            grid.symbol(cell).and_then(|symbol| char::from_digit(symbol as u32, 10)).unwrap_or('.')
        };
        let sign = |one: usize, other: usize| {
            let known = self.signs.iter().find(|sign| (sign.0, sign.1) == (one, other));
            known.map(|&(_, _, is_equal)| if is_equal { '=' } else { 'x' })
        };
        write_lattice(self.rows, self.columns, cell, sign, out);
    }

    fn draw(&self, board: &BoardLook<'_>) -> Picture {
        let mut picture = Picture::new();
        let place = |cell: usize| super::center((cell / self.columns, cell % self.columns));
        board.draw_with(&mut picture, |cell| {
            let block = Cell::in_region(0).shaded(board.is_given(cell));
            match board.symbol(cell) {
                Some(symbol) if !self.is_tango => {
                    block.text(self.symbol(symbol)).given(board.is_given(cell))
                }
                _ => block,
            }
        });
        board.draw_marks(&mut picture, |symbol| self.symbol(symbol), |_| false);
        for cell in (0..self.rows * self.columns).filter(|_| self.is_tango) {
            match board.symbol(cell) {
                Some(0) => sun(place(cell)).into_iter().for_each(|mark| picture.over(mark)),
                Some(_) => picture.over(moon(place(cell))),
                None => {}
            }
        }
        for &(one, other, is_equal) in &self.signs {
            let [[x, y], [right, down]] = [place(one), place(other)];
            let at = [(x + right) / 2.0, (y + down) / 2.0];
            picture.over(Mark::circle(at, 0.15).fill(Ink::Paper));
            let text = if is_equal { "=" } else { "\u{d7}" };
            picture.over(Mark::text(at, text, 0.36).fill(Ink::Wall));
        }
        picture
    }

    fn symbol(&self, symbol: usize) -> String {
        symbol.to_string()
    }
}

/// Draws a sun: a disk with eight rays.
fn sun([x, y]: [f64; 2]) -> Vec<Mark> {
    let ray = |number: u32| {
        let (sine, cosine) = (std::f64::consts::PI * f64::from(number) / 4.0).sin_cos();
        let at = |reach: f64| [x + reach * cosine, y + reach * sine];
        Mark::line(vec![at(0.25), at(0.35)]).stroke(Ink::Orange, 0.06)
    };
    let disk = Mark::circle([x, y], 0.2).fill(Ink::Orange).stroke(Ink::Muted, 0.02);
    (0..8).map(ray).chain([disk]).collect()
}

/// Draws a crescent as a polygon between two arcs.
fn moon([x, y]: [f64; 2]) -> Mark {
    const STEPS: u32 = 24;
    let arc = |shift: f64, radius: f64, from: f64, to: f64| {
        (0..=STEPS).map(move |step| {
            let angle = from + (to - from) * f64::from(step) / f64::from(STEPS);
            [x + shift + radius * angle.cos(), y + radius * angle.sin()]
        })
    };
    // The tips are where both circles meet.
    let outer = arc(-0.02, 0.31, 0.8, 2.0 * std::f64::consts::PI - 0.8);
    let inner = arc(0.196, 0.222_4, 2.0 * std::f64::consts::PI - 1.572, 1.572);
    Mark::polygon(outer.chain(inner).collect()).fill(Ink::Blue).stroke(Ink::Muted, 0.02)
}

fn read(text: &str, is_tango: bool) -> Result<Variant, InputError> {
    if let Some(id) = GameId::of(text, &["unruly"]).filter(|_| !is_tango) {
        return read_unruly(&id);
    }
    let drawn = Lattice::read(text, is_cell)?;
    let (_, first, _) =
        *drawn.cells.first().ok_or_else(|| text::end_error(text, "rows of 0, 1 and dots"))?;
    let (columns, rows) = (drawn.columns, drawn.cells.len() / drawn.columns);
    let mut digits = Vec::new();
    for &(c, line, word) in &drawn.cells {
        digits.push(match c {
            '.' | '_' => None,
            '0' | 'S' | 's' | '\u{2600}' => Some(0),
            '1' | 'M' | 'm' | '\u{263e}' | '\u{1f311}' => Some(1),
            _ => return Err(line.error(word, format!("expected `0`, `1` or `.`, found `{word}`"))),
        });
    }
    let mut signs = Vec::new();
    for sign in &drawn.signs {
        let is_equal = match sign.sign {
            '=' if is_tango => true,
            'x' | 'X' | '\u{d7}' if is_tango => false,
            _ => {
                let known = if is_tango { "the sign `=` or `x`" } else { "cells only" };
                let message = format!("expected {known}, found `{}`", sign.word);
                return Err(sign.line.error(sign.word, message));
            }
        };
        signs.push((sign.cells.0, sign.cells.1, is_equal));
    }
    let board = Binairo { rows, columns, is_tango, signs };
    build(board, &digits, !is_tango).map_err(|message| first.error(first.text.trim_start(), message))
}

/// Builds a puzzle. `has_unlike_lines` states that no two rows and no two columns are equal.
fn build(board: Binairo, digits: &[Option<i32>], has_unlike_lines: bool) -> Result<Variant, String> {
    let (rows, columns) = (board.rows, board.columns);
    if rows.max(columns) > ORDER_MAX {
        return Err(format!(
            "expected at most {ORDER_MAX} rows and columns, found {}",
            rows.max(columns)
        ));
    }
    if !rows.is_multiple_of(2) || !columns.is_multiple_of(2) {
        return Err(format!("expected even numbers of rows and columns, found {rows} and {columns}"));
    }
    let mut draft = BoardDraft::new(rows, columns, 0..=1)?;
    for (cell, digit) in digits.iter().enumerate().filter_map(|(cell, digit)| Some((cell, (*digit)?))) {
        draft.place(cell, digit)?;
    }
    let lines = |is_row: bool, draft: &BoardDraft| -> Vec<Vec<usize>> {
        let numbers = 0..if is_row { rows } else { columns };
        let line = |number| match is_row {
            true => draft.board().row(number),
            false => draft.board().column(number),
        };
        numbers.map(line).collect()
    };
    for (name, is_row) in [("row", true), ("column", false)] {
        let all = lines(is_row, &draft);
        for (number, cells) in (1..).zip(&all) {
            let half = cells.len() as i64 / 2;
            let words = format!("{half} of each in {name} {number}");
            draft.condition(DraftClue::new("counts", cells.clone(), vec![half, 0, half, 1]), words)?;
            if cells.len() > 2 {
                let words = format!("no three alike in {name} {number}");
                draft.condition(DraftClue::new("no-three", cells.clone(), Vec::new()), words)?;
            }
        }
        for (number, one) in (1..).zip(&all).filter(|_| has_unlike_lines) {
            for (other_number, other) in (1..).zip(&all).skip(number) {
                let words = format!("{name}s {number} and {other_number} differ");
                let groups = vec![one.clone(), other.clone()];
                draft.condition(DraftClue::of_groups("unlike", groups), words)?;
            }
        }
    }
    for &(one, other, is_equal) in &board.signs {
        let (near, far) = (draft.board().name(one), draft.board().name(other));
        let sign = if is_equal { '=' } else { '\u{d7}' };
        let words = format!("{near} {sign} {far}");
        let clue = match is_equal {
            true => DraftClue::of_groups("clone", vec![vec![one], vec![other]]),
            false => DraftClue::new("extra", vec![one, other], Vec::new()),
        };
        draft.clue(clue, words)?;
    }
    draft.finish(board)
}

/// Reads a game ID of Unruly: each letter is the number of open cells before a 1 (capital) or a 0.
fn read_unruly(id: &GameId<'_>) -> Result<Variant, InputError> {
    let (columns, rows) = id.size()?;
    let at = |word: &str, message: String| id.line.error(word, message);
    let has_unlike_lines = id.parameters.contains('u');
    let count = rows * columns;
    let (mut digits, mut place) = (vec![None; count], 0);
    for (start, letter) in id.body.char_indices() {
        if !letter.is_ascii_alphabetic() {
            return Err(at(&id.body[start..], format!("expected a letter, found `{letter}`")));
        }
        let gap = usize::from(letter.to_ascii_lowercase() as u8 - b'a');
        if gap == 25 {
            place += 25;
            continue;
        }
        place += gap;
        if place < count {
            digits[place] = Some(i32::from(letter.is_ascii_uppercase()));
        } else if place > count || start + 1 < id.body.len() {
            return Err(at(&id.body[start..], format!("expected {count} cells, found more")));
        }
        place += 1;
    }
    // The last letter counts to the place after the last cell.
    if place != count + 1 {
        return Err(at(id.body, format!("expected {count} cells, found {}", place.max(1) - 1)));
    }
    let board = Binairo { rows, columns, is_tango: !has_unlike_lines, signs: Vec::new() };
    build(board, &digits, has_unlike_lines).map_err(|message| at(id.body, message))
}

//! Futoshiki: a Latin square with signs `<` and `>` between neighbors.

use super::{BoardDraft, BoardLook, DraftClue, Presentation, read_within};
use crate::Variant;
use grid::Grid;
use puzzle::board_text::{GameId, Lattice, write_lattice};
use puzzle::{Cell, HeadKeys, Ink, Kind, Mark, Picture, PuzzleSource, TextSource, undivided};
use text::InputError;

/// The kind.
pub const KIND: Kind = Kind {
    name: "futoshiki",
    summary: "a Latin square with less-than and greater-than signs between cells",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: ". . . .\n    ^ ^\n. . . .\n    ^\n. 1 . .\n      v\n.<. .<.\n",
        rules: include_str!("futoshiki.txt"),
        extensions: &["futoshiki"],
        divider: Some(undivided),
        several: None,
        recognizes: |sample| {
            let is_drawn = |c: char| is_cell(c) || "<>^v".contains(c) || c.is_whitespace();
            let lines = || text::content_lines(text::whole_lines(sample)).map(|(_, line)| line);
            GameId::is_link_to(sample, &["unequal"])
                || lines().flat_map(str::chars).all(is_drawn)
                    && lines().any(|line| line.contains(['<', '>']) && line.contains(is_cell))
                    && read(sample).is_ok()
        },
        head: HeadKeys::Only(&[]),
        read: |text, limits| read_within(read, text, limits),
    }),
};

/// Largest order, since each cell is one digit.
const ORDER_MAX: usize = 9;

fn is_cell(c: char) -> bool {
    c == '.' || c == '_' || c.is_ascii_digit()
}

#[derive(Debug)]
struct Futoshiki {
    order: usize,
    /// The pairs of cells whose first digit is less.
    less: Vec<(usize, usize)>,
}

impl Futoshiki {
    /// Returns the sign between two neighbors.
    fn sign(&self, one: usize, other: usize) -> Option<char> {
        let is_row = other == one + 1;
        if self.less.contains(&(one, other)) {
            return Some(if is_row { '<' } else { '^' });
        }
        self.less.contains(&(other, one)).then_some(if is_row { '>' } else { 'v' })
    }
}

impl Presentation for Futoshiki {
    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str("# puzzle: futoshiki\n");
        let cell = |cell: usize| {
            let digit = grid.symbol(cell).and_then(|symbol| char::from_digit(symbol as u32 + 1, 10));
            digit.unwrap_or('.')
        };
        write_lattice(self.order, self.order, cell, |one, other| self.sign(one, other), out);
    }

    fn draw(&self, board: &BoardLook<'_>) -> Picture {
        let mut picture = Picture::new();
        board.draw_with(&mut picture, |cell| {
            let text = board.symbol(cell).map_or_else(String::new, |symbol| self.symbol(symbol));
            Cell::in_region(0).text(text).given(board.is_given(cell))
        });
        board.draw_marks(&mut picture, |symbol| self.symbol(symbol), |_| false);
        for &(one, other) in &self.less {
            let [from, to] =
                [one, other].map(|cell| super::center((cell / self.order, cell % self.order)));
            let at = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0];
            // From the less to the greater cell.
            let [right, down] = [to[0] - from[0], to[1] - from[1]];
            let end = |side: f64| {
                [at[0] + 0.1 * right - 0.15 * side * down, at[1] + 0.1 * down + 0.15 * side * right]
            };
            let points = vec![end(1.0), [at[0] - 0.11 * right, at[1] - 0.11 * down], end(-1.0)];
            picture.over(Mark::line(points.clone()).stroke(Ink::Paper, 0.16));
            picture.over(Mark::line(points).stroke(Ink::Wall, 0.06));
        }
        picture
    }

    fn symbol(&self, symbol: usize) -> String {
        (symbol + 1).to_string()
    }
}

fn read(text: &str) -> Result<Variant, InputError> {
    if let Some(id) = GameId::of(text, &["unequal"]) {
        return read_unequal(&id);
    }
    let drawn = Lattice::read(text, is_cell)?;
    drawn.check_square(text)?;
    let order = drawn.columns;
    let (_, first, _) = drawn.cells[0];
    if order > ORDER_MAX {
        let message = format!("expected at most {ORDER_MAX} cells in a row, found {order}");
        return Err(first.error(first.text.trim_start(), message));
    }
    let mut draft = BoardDraft::latin(order).map_err(|message| first.error(first.text, message))?;
    for (cell, &(c, line, word)) in drawn.cells.iter().enumerate() {
        if let Some(digit) = c.to_digit(10).filter(|digit| *digit > 0) {
            draft.place(cell, digit as i32).map_err(|message| line.error(word, message))?;
        }
    }
    let mut less = Vec::new();
    for sign in &drawn.signs {
        let (one, other) = sign.cells;
        let is_row = other == one + 1;
        less.push(match sign.sign {
            '<' if is_row => (one, other),
            '>' if is_row => (other, one),
            '^' | '\u{2227}' | 'n' if !is_row => (one, other),
            'v' | 'V' | '\u{2228}' | 'u' if !is_row => (other, one),
            _ => {
                let known = if is_row { "`<` or `>`" } else { "`^` or `v`" };
                let message = format!("expected the sign {known}, found `{}`", sign.word);
                return Err(sign.line.error(sign.word, message));
            }
        });
    }
    finish(draft, order, less).map_err(|message| first.error(first.text, message))
}

fn finish(mut draft: BoardDraft, order: usize, less: Vec<(usize, usize)>) -> Result<Variant, String> {
    for &(one, other) in &less {
        let (small, great) = (draft.board().name(one), draft.board().name(other));
        let clue = DraftClue::new("greater", vec![other, one], Vec::new());
        draft.clue(clue, format!("{small} < {great}"))?;
    }
    draft.finish(Futoshiki { order, less })
}

/// Reads a game ID of Unequal: for each cell a digit or 0, and the sides at which it is greater.
fn read_unequal(id: &GameId<'_>) -> Result<Variant, InputError> {
    let (order, _) = id.size()?;
    let at = |word: &str, message: String| id.line.error(word, message);
    if id.parameters.contains('a') {
        let message = "expected the mode with signs `<`, found the mode `a` (neighbors differ by 1)";
        return Err(at(id.parameters, message.to_owned()));
    }
    if order > ORDER_MAX {
        let message = format!("expected an order of at most {ORDER_MAX}, found {order}");
        return Err(at(id.parameters, message));
    }
    let words: Vec<&str> = id.body.strip_suffix(',').unwrap_or(id.body).split(',').collect();
    if words.len() != order * order {
        let message = format!("expected {} cells in the game ID, found {}", order * order, words.len());
        return Err(at(id.body, message));
    }
    let mut draft = BoardDraft::latin(order).map_err(|message| at(id.body, message))?;
    let mut less = Vec::new();
    for (cell, word) in words.into_iter().enumerate() {
        let sides = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let digit: Option<i32> = text::plain_number(&word[..word.len() - sides.len()]);
        let digit = digit.ok_or_else(|| at(word, format!("expected a digit or 0, found `{word}`")))?;
        if digit > 0 {
            draft.place(cell, digit).map_err(|message| at(word, message))?;
        }
        let (row, column) = (cell / order, cell % order);
        for side in sides.chars() {
            let other = match side {
                'U' if row > 0 => Some(cell - order),
                'D' if row + 1 < order => Some(cell + order),
                'L' if column > 0 => Some(cell - 1),
                'R' if column + 1 < order => Some(cell + 1),
                _ => None,
            };
            let other = other.ok_or_else(|| {
                at(word, format!("expected a neighbor (U, D, L or R) after the digit, found `{side}`"))
            })?;
            if !less.contains(&(other, cell)) {
                less.push((other, cell));
            }
        }
    }
    finish(draft, order, less).map_err(|message| at(id.body, message))
}

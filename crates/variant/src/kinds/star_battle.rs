//! Star battle: the same number of stars in each row, column and region, none touching another.
//! With one star this is the game Queens of LinkedIn.
//!
//! A star is the digit 1. The clues are the rule `counts` for regions, `counts` or `regex` for
//! lines, and `no-pair-sum` for each two cells that touch. Regions need not be connected.

use super::{BoardDraft, BoardLook, DraftClue, Presentation, read_within, star};
use crate::Variant;
use grid::{Grid, MAX_ORDER};
use puzzle::board_text::{Regions, TextLine, blocks, error_at, head_error, row_of, write_rows};
use puzzle::{Cell, HeadKeys, Kind, Picture, PuzzleSource, TextSource, undivided};
use text::InputError;

/// The kind.
pub const KIND: Kind = Kind {
    name: "star-battle",
    summary: "as many stars in each row, column and region, none touching another; also LinkedIn's Queens",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: "ABBBC\nBBBBC\nDDBBC\nDDEEE\nDDEEE\n",
        rules: include_str!("star_battle.txt"),
        extensions: &["stars"],
        divider: Some(undivided),
        several: None,
        // Rows of letters may as well be a Latin square.
        recognizes: |_| false,
        head: HeadKeys::Only(&["stars"]),
        read: |text, limits| read_within(read, text, limits),
    }),
};

/// Largest number of stars per line. More than half as many as cells do not fit, and no line has
/// more than 64 cells.
const STARS_MAX: usize = MAX_ORDER / 2;

#[derive(Debug)]
struct StarBattle {
    order: usize,
    stars: usize,
    regions: Regions,
}

impl Presentation for StarBattle {
    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str("# puzzle: star-battle\n");
        if self.stars != 1 {
            out.push_str(&format!("# stars: {}\n", self.stars));
        }
        self.regions.write(self.order, out);
        if !grid.is_empty() {
            out.push('\n');
            let cell =
                |cell| grid.symbol(cell).map_or_else(|| ".".to_owned(), |symbol| self.symbol(symbol));
            write_rows(self.order, self.order, cell, out);
        }
    }

    fn draw(&self, board: &BoardLook<'_>) -> Picture {
        let mut picture = Picture::new();
        board.draw_with(&mut picture, |cell| {
            let region = self.regions.of_cells[cell];
            Cell::in_region(region).color(region)
        });
        board.draw_marks(&mut picture, |symbol| self.symbol(symbol), |_| false);
        for cell in (0..self.order * self.order).filter(|&cell| board.symbol(cell) == Some(1)) {
            let at = super::center((cell / self.order, cell % self.order));
            picture.over(star(at, 0.36, board.ink(cell)));
        }
        picture
    }

    fn symbol(&self, symbol: usize) -> String {
        if symbol == 1 { "*" } else { "-" }.to_owned()
    }
}

/// Writes the regular expression of a line with this many stars, no two of them side by side.
fn apart(stars: usize) -> String {
    format!("0*(10+){{{}}}10*", stars - 1)
}

fn read(text: &str) -> Result<Variant, InputError> {
    let stars = match text::directive(text, "stars") {
        Some(value) => text::plain_number(value)
            .filter(|stars| (1..=STARS_MAX).contains(stars))
            .ok_or_else(|| {
                let message =
                    format!("expected a number of stars from 1 to {STARS_MAX}, found `{value}`");
                head_error(text, "stars", message)
            })?,
        None => 1,
    };
    let lines: Vec<TextLine<'_>> = blocks(text).concat();
    let order = lines.first().map_or(0, |line| line.cells().len());
    let (drawing, board) = lines.split_at(order.min(lines.len()));
    let (regions, _) = Regions::read(drawing)?;
    if order == 0 || drawing.len() < order {
        let message =
            "expected rows with the letter of a region for each cell, found the end of the text";
        return Err(error_at(text, None, message.to_owned()));
    }
    let first = lines[0];
    let whole = |message: String| first.error(first.text.trim_start(), message);
    if regions.cells.len() != order {
        let found = regions.cells.len();
        return Err(whole(format!("expected {order} regions, one per row, found {found}")));
    }
    if !board.is_empty() && board.len() != order {
        let at = board[board.len().min(order + 1) - 1];
        let message = format!("expected {order} rows of stars, found {}", board.len());
        return Err(at.error(at.text.trim_start(), message));
    }
    let mut draft = BoardDraft::new(order, order, 0..=1).map_err(whole)?;
    for (row, line) in board.iter().enumerate() {
        for (column, word) in row_of(line, order)?.into_iter().enumerate() {
            let digit = match word {
                "." | "?" => continue,
                "*" | "Q" | "1" | "\u{2605}" => 1,
                "-" | "x" | "0" => 0,
                _ => {
                    let message = format!("expected `*`, `-` or `.`, found `{word}`");
                    return Err(line.error(word, message));
                }
            };
            draft.place(row * order + column, digit).map_err(whole)?;
        }
    }
    let count = if stars == 1 { "1 star".to_owned() } else { format!("{stars} stars") };
    let values = vec![stars as i64, 1];
    for (name, is_row) in [("row", true), ("column", false)] {
        for number in 0..order {
            let cells = if is_row { draft.board().row(number) } else { draft.board().column(number) };
            let words = format!("{count} in {name} {}", number + 1);
            let condition = match stars {
                1 => DraftClue::new("counts", cells, values.clone()),
                // That no two stars touch makes this far stronger than the number of stars.
                _ => DraftClue::of_text("regex", Some(cells), apart(stars)),
            };
            draft.condition(condition, words).map_err(whole)?;
        }
    }
    for (letter, cells) in regions.letters.iter().zip(&regions.cells) {
        let words = format!("{count} in region {letter}");
        let condition = DraftClue::new("counts", cells.clone(), values.clone());
        draft.condition(condition, words).map_err(whole)?;
    }
    for (one, other) in draft.board().pairs(&[(0, 1), (1, 0), (1, 1), (1, -1)]) {
        let (near, far) = (draft.board().name(one), draft.board().name(other));
        let words = format!("no stars side by side in {near} and {far}");
        let condition = DraftClue::new("no-pair-sum", vec![one, other], vec![2]);
        draft.condition(condition, words).map_err(whole)?;
    }
    draft.finish(StarBattle { order, stars, regions }).map_err(whole)
}

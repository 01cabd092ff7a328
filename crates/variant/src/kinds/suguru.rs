//! Suguru (Tectonic): each region of n cells has the digits 1 to n, and equal digits do not touch,
//! not even at a corner.
//!
//! A region is a cage of the rule `killer` with the sum of the digits from 1, which no other digits
//! have. Two neighbors of different regions are a clue of the rule `extra`.

use super::{BoardDraft, BoardLook, DraftClue, Presentation, read_within};
use crate::Variant;
use grid::Grid;
use puzzle::board_text::{Regions, TextLine, blocks, check_rows, error_at, row_of, write_rows};
use puzzle::{HeadKeys, Kind, Picture, PuzzleSource, TextSource, undivided};
use text::InputError;

/// The kind.
pub const KIND: Kind = Kind {
    name: "suguru",
    summary: "regions of n cells with the digits 1 to n; equal digits do not touch (Tectonic)",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: "AAAB\nCADB\nCADD\nCCDD\n\n....\n.2..\n...4\n....\n",
        rules: include_str!("suguru.txt"),
        extensions: &["suguru"],
        divider: Some(undivided),
        several: None,
        recognizes: |sample| {
            let blocks = blocks(text::whole_lines(sample));
            let is_of = |block: &Vec<TextLine<'_>>, is_right: fn(char) -> bool| {
                block.iter().all(|line| line.text.chars().all(|c| is_right(c) || c.is_whitespace()))
            };
            matches!(&blocks[..], [regions, digits] if regions.len() == digits.len()
                && is_of(regions, char::is_alphabetic)
                && is_of(digits, |c| c == '.' || c.is_ascii_digit()))
                && read(sample).is_ok()
        },
        head: HeadKeys::Only(&[]),
        read: |text, limits| read_within(read, text, limits),
    }),
};

/// Largest number of cells of a region, since each cell is one digit.
const REGION_MAX: usize = 9;

#[derive(Debug)]
struct Suguru {
    rows: usize,
    columns: usize,
    regions: Regions,
}

impl Presentation for Suguru {
    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str("# puzzle: suguru\n");
        self.regions.write(self.columns, out);
        out.push('\n');
        let cell =
            |cell| grid.symbol(cell).map_or_else(|| ".".to_owned(), |symbol| self.symbol(symbol));
        write_rows(self.rows, self.columns, cell, out);
    }

    fn draw(&self, board: &BoardLook<'_>) -> Picture {
        let mut picture = Picture::new();
        let region = |cell: usize| self.regions.of_cells[cell];
        board.draw_cells(&mut picture, |symbol| self.symbol(symbol), region);
        picture
    }

    fn symbol(&self, symbol: usize) -> String {
        (symbol + 1).to_string()
    }
}

fn read(text: &str) -> Result<Variant, InputError> {
    let blocks = blocks(text);
    let Some(drawing) = blocks.first() else {
        let message =
            "expected rows with the letter of a region for each cell, found the end of the text";
        return Err(error_at(text, None, message.to_owned()));
    };
    check_rows(drawing)?;
    let (regions, columns) = Regions::read(drawing)?;
    regions.check_connected(drawing, columns)?;
    let rows = drawing.len();
    if let Some(cells) = regions.cells.iter().find(|cells| cells.len() > REGION_MAX) {
        let line = drawing[cells[0] / columns];
        let word = line.cells()[cells[0] % columns];
        let message = format!("expected regions of at most {REGION_MAX} cells, found {}", cells.len());
        return Err(line.error(word, message));
    }
    let first = drawing[0];
    let whole = |message: String| first.error(first.text.trim_start(), message);
    let most = regions.cells.iter().map(Vec::len).max().unwrap_or(1);
    let mut draft = BoardDraft::new(rows, columns, 1..=most as i32).map_err(whole)?;
    let digits: Vec<TextLine<'_>> = blocks[1..].concat();
    if !digits.is_empty() && digits.len() != rows {
        let at = digits[digits.len().min(rows + 1) - 1];
        let message = format!("expected {rows} rows of digits, found {}", digits.len());
        return Err(at.error(at.text.trim_start(), message));
    }
    for (row, line) in digits.iter().enumerate() {
        for (column, word) in row_of(line, columns)?.into_iter().enumerate() {
            if matches!(word, "." | "0" | "_") {
                continue;
            }
            let cell = row * columns + column;
            let size = regions.cells[regions.of_cells[cell]].len();
            let digit = text::plain_number(word).filter(|digit| (1..=size).contains(digit));
            let message = || format!("expected a digit from 1 to {size} or `.`, found `{word}`");
            let digit = digit.ok_or_else(|| line.error(word, message()))?;
            draft.place(cell, digit as i32).map_err(|message| line.error(word, message))?;
        }
    }
    for (letter, cells) in regions.letters.iter().zip(&regions.cells) {
        let size = cells.len();
        let sum = (size * (size + 1) / 2) as i64;
        let words = match size {
            1 => format!("the digit 1 in region {letter}"),
            _ => format!("the digits 1 to {size} in region {letter}"),
        };
        let condition = DraftClue::new("killer", cells.clone(), vec![sum]);
        draft.condition(condition, words).map_err(whole)?;
    }
    for (one, other) in draft.board().pairs(&[(0, 1), (1, 0), (1, 1), (1, -1)]) {
        // The digits of a region differ anyway.
        if regions.of_cells[one] == regions.of_cells[other] {
            continue;
        }
        let words = format!("{} and {} touch", draft.board().name(one), draft.board().name(other));
        let condition = DraftClue::new("extra", vec![one, other], Vec::new());
        draft.condition(condition, words).map_err(whole)?;
    }
    draft.finish(Suguru { rows, columns, regions }).map_err(whole)
}

//! Kakuro: a crossword of digits. The digits of each run differ and add up to the number before it.
//!
//! The digits of a run differ by the rule `extra`. A run with a sum is a cage of the rule `killer`.
//! A black cell has a fixed digit, which no clue contains.

use super::{BoardDraft, BoardLook, DraftClue, Presentation, center, read_within, span};
use crate::Variant;
use grid::{Grid, MAX_ORDER};
use puzzle::board_text::{TextLine, blocks, check_rows, error_at};
use puzzle::{Cell, HeadKeys, Ink, Kind, Mark, Picture, PuzzleSource, TextSource, undivided};
use text::{InputError, content_lines};

/// The kind.
pub const KIND: Kind = Kind {
    name: "kakuro",
    summary: "a crossword of digits: each run has different digits with the sum before it",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: "\\ 6\\ 4\\\n\\3 . .\n\\7 . .\n",
        rules: include_str!("kakuro.txt"),
        extensions: &["kakuro"],
        divider: Some(undivided),
        several: None,
        recognizes,
        head: HeadKeys::Only(&[]),
        read: |text, limits| read_within(read, text, limits),
    }),
};

/// Largest sum in a text. Nine different digits have the sum 45, and a larger number is refused
/// before it is compared with its run.
const SUM_MAX: u32 = 999;

/// A cell of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KakuroCell {
    /// A cell for a digit, with the digit if it is given.
    White(Option<u32>),
    /// A black cell, with the sums of the runs below it and to the right of it.
    Black { down: Option<u32>, across: Option<u32> },
}

impl KakuroCell {
    /// Parses a word such as `.`, `5`, `\`, `17\`, `\24` or `17\24`. Commas may replace the
    /// backslashes.
    fn parse(word: &str) -> Option<Self> {
        let black = |down, across| Some(Self::Black { down, across });
        let sum = |text: &str| match text {
            "" => Some(None),
            _ => text::plain_number(text).filter(|sum| (1..=SUM_MAX).contains(sum)).map(Some),
        };
        match word {
            "." | "_" | "0" => Some(Self::White(None)),
            "-" | "#" | "x" | "X" => black(None, None),
            _ => match word.split_once(['\\', ',']) {
                Some((down, across)) => black(sum(down)?, sum(across)?),
                None => {
                    let digit = text::plain_number(word).filter(|digit| (1..=9).contains(digit));
                    digit.map(|digit| Self::White(Some(digit)))
                }
            },
        }
    }

    fn is_white(self) -> bool {
        matches!(self, Self::White(_))
    }
}

#[derive(Debug)]
struct Kakuro {
    columns: usize,
    cells: Vec<KakuroCell>,
}

impl Presentation for Kakuro {
    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str("# puzzle: kakuro\n");
        let number = |sum: Option<u32>| sum.map_or_else(String::new, |sum| sum.to_string());
        let word = |cell: usize| match self.cells[cell] {
            KakuroCell::Black { down, across } => format!("{}\\{}", number(down), number(across)),
            KakuroCell::White(_) => {
                grid.symbol(cell).map_or_else(|| ".".to_owned(), |symbol| self.symbol(symbol))
            }
        };
        let words: Vec<String> = (0..self.cells.len()).map(word).collect();
        let width = words.iter().map(String::len).max().unwrap_or(1);
        for row in words.chunks(self.columns) {
            let padded: Vec<String> = row.iter().map(|word| format!("{word:>width$}")).collect();
            out.push_str(&padded.join(" "));
            out.push('\n');
        }
    }

    fn draw(&self, board: &BoardLook<'_>) -> Picture {
        let mut picture = Picture::new();
        let symbol = |cell: usize| board.symbol(cell).map(|symbol| self.symbol(symbol));
        board.draw_with(&mut picture, |cell| match self.cells[cell] {
            KakuroCell::Black { .. } => Cell::in_region(0).fill(Ink::Muted),
            KakuroCell::White(_) => {
                let text = symbol(cell).unwrap_or_default();
                Cell::in_region(0).text(text).given(board.is_given(cell))
            }
        });
        board.draw_marks(&mut picture, |symbol| self.symbol(symbol), |cell| self.is_blocked(cell));
        for (index, cell) in self.cells.iter().enumerate() {
            let KakuroCell::Black { down, across } = *cell else { continue };
            let [x, y] = center((index / self.columns, index % self.columns));
            if down.is_none() && across.is_none() {
                continue;
            }
            let stroke = vec![[x - 0.5, y - 0.5], [x + 0.5, y + 0.5]];
            picture.over(Mark::line(stroke).stroke(Ink::Paper, 0.025));
            for (sum, at) in [(down, [x - 0.2, y + 0.22]), (across, [x + 0.2, y - 0.22])] {
                if let Some(sum) = sum {
                    picture.over(Mark::text(at, &sum.to_string(), 0.33).fill(Ink::Paper).bold(true));
                }
            }
        }
        picture
    }

    fn symbol(&self, symbol: usize) -> String {
        (symbol + 1).to_string()
    }

    fn is_blocked(&self, cell: usize) -> bool {
        !self.cells[cell].is_white()
    }
}

/// Returns whether every word is a cell of a Kakuro, and one has a backslash and a sum.
fn recognizes(sample: &str) -> bool {
    let lines = || content_lines(text::whole_lines(sample)).map(|(_, line)| line);
    let words = || lines().flat_map(str::split_whitespace);
    let is_sum = |word: &str| word.contains('\\') && word.contains(|c: char| c.is_ascii_digit());
    words().any(is_sum) && words().all(|word| KakuroCell::parse(word).is_some())
}

fn read(text: &str) -> Result<Variant, InputError> {
    let rows: Vec<TextLine<'_>> = blocks(text).concat();
    check_rows(&rows)?;
    let words: Vec<Vec<&str>> = rows.iter().map(|row| row.text.split_whitespace().collect()).collect();
    let columns = words.first().map_or(0, Vec::len);
    if columns == 0 {
        return Err(error_at(
            text,
            None,
            "expected rows of cells, found the end of the text".to_owned(),
        ));
    }
    let mut cells = Vec::new();
    for (row, words) in rows.iter().zip(&words) {
        if columns > MAX_ORDER {
            let message = format!("expected at most {MAX_ORDER} cells in a row, found {columns}");
            return Err(row.error(words[MAX_ORDER], message));
        }
        if words.len() != columns {
            let message = format!("expected {columns} cells in this row, found {}", words.len());
            return Err(row.error(words.get(columns).copied().unwrap_or(words[0]), message));
        }
        for word in words {
            cells.push(KakuroCell::parse(word).ok_or_else(|| {
                row.error(
                    word,
                    format!("expected `.`, a digit or sums such as `17\\24`, found `{word}`"),
                )
            })?);
        }
    }
    let board = Kakuro { columns, cells };
    let at = |cell: usize, message: String| {
        rows[cell / columns].error(words[cell / columns][cell % columns], message)
    };
    let mut draft = BoardDraft::new(rows.len(), columns, 1..=9).map_err(|message| at(0, message))?;
    for (cell, content) in board.cells.iter().enumerate() {
        let digit = match content {
            KakuroCell::White(digit) => *digit,
            KakuroCell::Black { .. } => Some(1),
        };
        if let Some(digit) = digit {
            draft.place(cell, digit as i32).map_err(|message| at(cell, message))?;
        }
    }
    for is_across in [true, false] {
        for line in 0..if is_across { rows.len() } else { columns } {
            let cells: Vec<usize> = match is_across {
                true => (line * columns..(line + 1) * columns).collect(),
                false => (line..board.cells.len()).step_by(columns).collect(),
            };
            add_runs(&board, &cells, is_across, &mut draft, &at)?;
        }
    }
    draft.finish(board).map_err(|message| at(0, message))
}

/// Adds a cage for each run in a row or column.
fn add_runs(
    board: &Kakuro,
    line: &[usize],
    is_across: bool,
    draft: &mut BoardDraft,
    at: &dyn Fn(usize, String) -> InputError,
) -> Result<(), InputError> {
    let is_white = |&cell: &usize| board.cells[cell].is_white();
    for (place, &cell) in line.iter().enumerate() {
        let begins = place == 0 && is_white(&cell);
        let first = if begins { 0 } else { place + 1 };
        let sum = match board.cells[cell] {
            KakuroCell::Black { down, across } => {
                if is_across {
                    across
                } else {
                    down
                }
            }
            KakuroCell::White(_) if begins => None,
            KakuroCell::White(_) => continue,
        };
        let run: Vec<usize> = line[first..].iter().copied().take_while(is_white).collect();
        if run.len() > 1 {
            let words = format!("different digits in {}", span(draft.board(), &run));
            let differ = DraftClue::new("extra", run.clone(), Vec::new());
            draft.condition(differ, words).map_err(|message| at(cell, message))?;
        }
        let Some(sum) = sum else { continue };
        if run.is_empty() {
            let (place, side) =
                if is_across { ("to the right of", "across") } else { ("below", "down") };
            return Err(at(cell, format!("expected an open cell {place} the sum {sum} {side}")));
        }
        let words = format!("the sum {sum} of {}", span(draft.board(), &run));
        let clue = DraftClue::new("killer", run, vec![i64::from(sum)]);
        draft.clue(clue, words).map_err(|message| at(cell, message))?;
    }
    Ok(())
}

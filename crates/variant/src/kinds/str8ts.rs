//! Str8ts: the white runs of each row and column are straights, that is consecutive digits in any
//! order, and no digit occurs twice in a row or column.
//!
//! A black cell may have a digit, which then counts for its row and column. The runs are clues of
//! the rule `renban`, and the cells with digits of a line are a clue of the rule `extra`.

use super::{BoardDraft, BoardLook, DraftClue, Presentation, read_within, span};
use crate::Variant;
use grid::Grid;
use puzzle::board_text::{TextLine, blocks, error_at};
use puzzle::{Cell, HeadKeys, Ink, Kind, Mark, Picture, PuzzleSource, TextSource, undivided};
use text::{InputError, content_lines};

/// The kind.
pub const KIND: Kind = Kind {
    name: "str8ts",
    summary: "white runs are consecutive digits in any order, and no digit repeats in a line",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: ".  x  1  .\n.  x3 .  .\n.  .  .  .\nx  .  .  x\n",
        rules: include_str!("str8ts.txt"),
        extensions: &["str8ts"],
        divider: Some(undivided),
        several: None,
        recognizes: |sample| {
            let lines = || content_lines(text::whole_lines(sample)).map(|(_, line)| line);
            let words = || lines().flat_map(str::split_whitespace);
            let is_black_digit =
                |word: &str| matches!(CellText::parse(word), Some(CellText::Black(Some(_))));
            words().any(is_black_digit)
                && words().all(|word| CellText::parse(word).is_some())
                && read(sample).is_ok()
        },
        head: HeadKeys::Only(&[]),
        read: |text, limits| read_within(read, text, limits),
    }),
};

/// Largest order, since each cell is one digit.
const ORDER_MAX: usize = 9;

/// A cell of the text, with its digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellText {
    White(Option<i32>),
    Black(Option<i32>),
}

impl CellText {
    /// Parses a word: `.`, `5`, `x` or `x5`.
    fn parse(word: &str) -> Option<Self> {
        let digit = |text: &str| text::plain_number(text).filter(|digit| (1..=9).contains(digit));
        match (word, word.strip_prefix(['x', 'X'])) {
            ("." | "_" | "0", _) => Some(Self::White(None)),
            (_, Some("")) => Some(Self::Black(None)),
            (_, Some(rest)) => digit(rest).map(|digit| Self::Black(Some(digit))),
            _ => digit(word).map(|digit| Self::White(Some(digit))),
        }
    }

    fn is_white(self) -> bool {
        matches!(self, Self::White(_))
    }
}

#[derive(Debug)]
struct Straights {
    order: usize,
    cells: Vec<CellText>,
}

impl Presentation for Straights {
    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str("# puzzle: str8ts\n");
        let word = |cell: usize| match self.cells[cell] {
            CellText::Black(Some(digit)) => format!("x{digit}"),
            CellText::Black(None) => "x".to_owned(),
            CellText::White(_) => {
                grid.symbol(cell).map_or_else(|| ".".to_owned(), |symbol| self.symbol(symbol))
            }
        };
        for row in 0..self.order {
            let words: Vec<String> = (row * self.order..(row + 1) * self.order)
                .map(|cell| format!("{:<2}", word(cell)))
                .collect();
            out.push_str(words.join(" ").trim_end());
            out.push('\n');
        }
    }

    fn draw(&self, board: &BoardLook<'_>) -> Picture {
        let mut picture = Picture::new();
        board.draw_with(&mut picture, |cell| match self.cells[cell] {
            CellText::Black(_) => Cell::in_region(0).fill(Ink::Muted),
            CellText::White(_) => {
                let text = board.symbol(cell).map_or_else(String::new, |symbol| self.symbol(symbol));
                Cell::in_region(0).text(text).given(board.is_given(cell))
            }
        });
        board.draw_marks(
            &mut picture,
            |symbol| self.symbol(symbol),
            |cell| !self.cells[cell].is_white(),
        );
        for (cell, content) in self.cells.iter().enumerate() {
            if let CellText::Black(Some(digit)) = content {
                let at = super::center((cell / self.order, cell % self.order));
                picture.over(Mark::text(at, &digit.to_string(), 0.6).fill(Ink::Paper).bold(true));
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

fn read(text: &str) -> Result<Variant, InputError> {
    let lines: Vec<TextLine<'_>> = blocks(text).concat();
    let order = lines.len();
    let Some(first) = lines.first() else {
        return Err(error_at(
            text,
            None,
            "expected rows of cells, found the end of the text".to_owned(),
        ));
    };
    let whole = |message: String| first.error(first.text.trim_start(), message);
    if order > ORDER_MAX {
        return Err(whole(format!("expected at most {ORDER_MAX} rows, found {order}")));
    }
    let mut cells = Vec::new();
    for line in &lines {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        if words.len() != order {
            let message = format!("expected {order} cells, one per row, found {}", words.len());
            return Err(line.error(words.get(order).copied().unwrap_or(words[0]), message));
        }
        for word in words {
            let cell = CellText::parse(word);
            let digit = match cell {
                Some(CellText::White(digit) | CellText::Black(digit)) => digit.unwrap_or(1),
                None => 0,
            };
            let cell = cell.filter(|_| (1..=order as i32).contains(&digit)).ok_or_else(|| {
                let message = format!(
                    "expected `.`, `x`, a digit up to {order} or `x` and a digit, found `{word}`"
                );
                line.error(word, message)
            })?;
            cells.push(cell);
        }
    }
    let mut draft = BoardDraft::new(order, order, 1..=order as i32).map_err(whole)?;
    for (cell, content) in cells.iter().enumerate() {
        let digit = match *content {
            CellText::White(digit) => digit,
            CellText::Black(digit) => Some(digit.unwrap_or(1)),
        };
        if let Some(digit) = digit {
            draft.place(cell, digit).map_err(whole)?;
        }
    }
    for (name, is_row) in [("row", true), ("column", false)] {
        for number in 0..order {
            let line = if is_row { draft.board().row(number) } else { draft.board().column(number) };
            let has_digit = |cell: &usize| cells[*cell] != CellText::Black(None);
            let counted: Vec<usize> = line.iter().copied().filter(has_digit).collect();
            if counted.len() > 1 {
                let words = format!("different digits in {name} {}", number + 1);
                draft.condition(DraftClue::new("extra", counted, Vec::new()), words).map_err(whole)?;
            }
            for run in line.split(|&cell| !cells[cell].is_white()).filter(|run| run.len() > 1) {
                let words = format!("the straight {}", span(draft.board(), run));
                let straight = DraftClue::new("renban", run.to_vec(), Vec::new());
                draft.condition(straight, words).map_err(whole)?;
            }
        }
    }
    draft.finish(Straights { order, cells }).map_err(whole)
}

//! Nonograms: the filled cells of each row and column form runs of known lengths, in one color or
//! in several.
//!
//! A blank cell is the digit 0, and the colors are the digits from 1. Each line is a clue of the
//! rule `blocks`. The text is the format `.non` of nonogram programs, with an optional section for
//! known cells, and a letter after a number for its color.

use super::{BoardDraft, BoardLook, DraftClue, Presentation, read_within};
use crate::Variant;
use grid::{Grid, MAX_ORDER};
use puzzle::board_text::{GameId, TextLine, error_at, row_of, write_rows};
use puzzle::{Cell, HeadKeys, Ink, Kind, Mark, Picture, PuzzleSource, TextSource, undivided};
use text::{InputError, content_lines};

/// The kind.
pub const KIND: Kind = Kind {
    name: "nonogram",
    summary: "a picture whose rows and columns tell the lengths of their filled runs, also in colors",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: "rows\n2 1\n1\n2\n\ncolumns\n1\n3\n1\n1\n",
        rules: include_str!("nonogram.txt"),
        extensions: &["non"],
        divider: Some(undivided),
        several: None,
        recognizes,
        head: HeadKeys::Only(&[]),
        read: |text, limits| read_within(read, text, limits),
    }),
};

/// The letter of a filled cell in a nonogram of one color.
const FILLED: char = 'X';

/// A run of filled cells: its length, and its color as the letter of the text.
type Run = (usize, char);

#[derive(Debug)]
struct Nonogram {
    rows: Vec<Vec<Run>>,
    columns: Vec<Vec<Run>>,
    /// The letters of the colors, in ascending order.
    colors: Vec<char>,
}

impl Nonogram {
    fn is_plain(&self) -> bool {
        self.colors == [FILLED]
    }

    fn run_words(&self, runs: &[Run]) -> String {
        let word = |&(length, color): &Run| match self.is_plain() {
            true => length.to_string(),
            false => format!("{length}{color}"),
        };
        let words: Vec<String> = runs.iter().map(word).collect();
        if words.is_empty() { "0".to_owned() } else { words.join(" ") }
    }

    /// Returns the ink of a filled cell.
    fn ink(&self, symbol: usize, is_given: bool) -> Ink {
        match self.is_plain() {
            true if is_given => Ink::Wall,
            true => Ink::Answer,
            false => Ink::piece(symbol - 1),
        }
    }
}

impl Presentation for Nonogram {
    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str("# puzzle: nonogram\n");
        for (name, lines) in [("rows", &self.rows), ("columns", &self.columns)] {
            out.push_str(name);
            out.push('\n');
            for runs in lines {
                out.push_str(&self.run_words(runs));
                out.push('\n');
            }
        }
        if !grid.is_empty() {
            out.push_str("board\n");
            let cell =
                |cell| grid.symbol(cell).map_or_else(|| "?".to_owned(), |symbol| self.symbol(symbol));
            write_rows(self.rows.len(), self.columns.len(), cell, out);
        }
    }

    fn draw(&self, board: &BoardLook<'_>) -> Picture {
        /// Number of cells between thick lines.
        const STEP: usize = 5;
        let mut picture = Picture::new();
        let (height, width) = (self.rows.len(), self.columns.len());
        board.draw_with(&mut picture, |cell| {
            let (row, column) = (cell / width, cell % width);
            let block = Cell::in_region(row / STEP * width.div_ceil(STEP) + column / STEP);
            match board.symbol(cell) {
                Some(0) | None => block,
                Some(symbol) => block.fill(self.ink(symbol, board.is_given(cell))),
            }
        });
        board.draw_marks(&mut picture, |symbol| self.symbol(symbol), |_| false);
        for cell in (0..height * width).filter(|&cell| board.symbol(cell) == Some(0)) {
            let [x, y] = super::center((cell / width, cell % width));
            picture.over(Mark::circle([x, y], 0.06).fill(Ink::Muted));
        }
        let mut number = |at: [f64; 2], (length, color): Run| {
            let symbol = self.colors.iter().position(|&known| known == color).unwrap_or(0) + 1;
            if !self.is_plain() {
                picture.over(Mark::circle(at, 0.36).fill(self.ink(symbol, true)));
            }
            let size = if length > 99 { 0.32 } else { 0.44 };
            picture.over(Mark::text(at, &length.to_string(), size).fill(Ink::Wall));
        };
        let none = [(0, FILLED)];
        let shown = |runs: &'_ [Run]| if runs.is_empty() { none.to_vec() } else { runs.to_vec() };
        let pitch = 0.74;
        for (row, runs) in self.rows.iter().enumerate() {
            for (place, run) in shown(runs).into_iter().rev().enumerate() {
                number([-0.45 - pitch * place as f64, row as f64 + 0.5], run);
            }
        }
        for (column, runs) in self.columns.iter().enumerate() {
            for (place, run) in shown(runs).into_iter().rev().enumerate() {
                number([column as f64 + 0.5, -0.45 - pitch * place as f64], run);
            }
        }
        picture
    }

    fn symbol(&self, symbol: usize) -> String {
        match symbol.checked_sub(1).and_then(|color| self.colors.get(color)) {
            Some(color) => color.to_string(),
            None => ".".to_owned(),
        }
    }
}

/// The lines of the text, sorted by what they state.
#[derive(Default)]
struct Sections<'t> {
    rows: Clues<'t>,
    columns: Clues<'t>,
    board: Vec<TextLine<'t>>,
    /// The sizes that the text states, each with its line.
    width: Option<(TextLine<'t>, usize)>,
    height: Option<(TextLine<'t>, usize)>,
}

/// First words of lines of `.non` files that do not concern the clues.
const REMARKS: [&str; 9] =
    ["catalogue", "title", "by", "copyright", "license", "goal", "color", "note", "author"];

impl<'t> Sections<'t> {
    fn read(text: &'t str) -> Result<Self, InputError> {
        let mut sections = Self::default();
        let mut section = "";
        let mut seen: Vec<&str> = Vec::new();
        for (number, content) in content_lines(text) {
            let line = TextLine { number, text: content };
            let word = content.split_whitespace().next().unwrap_or_default();
            let key = word.to_ascii_lowercase();
            let key = key.trim_end_matches(':');
            if let Some(known) = ["rows", "columns", "board"].into_iter().find(|known| *known == key) {
                if seen.contains(&known) {
                    return Err(line.error(word, format!("expected `{known}` once, found it again")));
                }
                if content.trim() != word {
                    let message =
                        format!("expected nothing after `{known}`, found `{}`", content.trim());
                    return Err(line.error(word, message));
                }
                seen.push(known);
                section = known;
            } else if matches!(key, "width" | "height") {
                let value = content[content.find(word).unwrap_or(0) + word.len()..].trim();
                let size = text::plain_number(value).filter(|size| (1..=MAX_ORDER).contains(size));
                let size = size.ok_or_else(|| {
                    let message = format!("expected a number from 1 to {MAX_ORDER}, found `{value}`");
                    line.error(value, message)
                })?;
                let stated = if key == "width" { &mut sections.width } else { &mut sections.height };
                *stated = Some((line, size));
            } else if REMARKS.contains(&key) {
                section = "";
            } else {
                match section {
                    "rows" => sections.rows.push((line, runs(&line)?)),
                    "columns" => sections.columns.push((line, runs(&line)?)),
                    "board" => sections.board.push(line),
                    _ => {
                        let message = format!("expected `rows`, `columns` or `board`, found `{word}`");
                        return Err(line.error(word, message));
                    }
                }
                let count = sections.rows.len().max(sections.columns.len()).max(sections.board.len());
                if count > MAX_ORDER {
                    let message = format!("expected at most {MAX_ORDER} {section}, found more");
                    return Err(line.error(word, message));
                }
            }
        }
        Ok(sections)
    }
}

/// Reads the runs of a line, such as `3 1`, `3,1` or `3a 1b`. `0` is a line without runs.
fn runs(line: &TextLine<'_>) -> Result<Vec<Run>, InputError> {
    let words = line.text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    let mut runs = Vec::new();
    for word in words {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let letters = &word[digits.len()..];
        let length = text::plain_number(digits).filter(|length| *length <= MAX_ORDER);
        let color = if letters.is_empty() { Some(FILLED) } else { letters.parse::<char>().ok() };
        let (Some(length), Some(color)) = (length, color) else {
            let message = format!("expected the length of a run such as 3 or 3a, found `{word}`");
            return Err(line.error(word, message));
        };
        runs.push((length, color));
    }
    if runs.len() > 1 && runs.iter().any(|&(length, _)| length == 0) {
        return Err(line.error(line.text.trim(), "expected runs of at least one cell, found `0`"));
    }
    runs.retain(|&(length, _)| length > 0);
    Ok(runs)
}

/// Returns whether the text has the two sections of clues, or is a game ID of Pattern.
fn recognizes(sample: &str) -> bool {
    let has = |wanted: &str| {
        content_lines(sample)
            .any(|(_, line)| line.trim().trim_end_matches(':').eq_ignore_ascii_case(wanted))
    };
    has("rows") && has("columns")
        || GameId::of(sample, &["pattern"]).is_some_and(|id| id.is_link || is_pattern(id.body))
}

/// Returns whether the body of a game ID can only be one of Pattern.
fn is_pattern(body: &str) -> bool {
    body.contains('/') && body.chars().all(|c| c.is_ascii_digit() || "./".contains(c))
}

fn read(text: &str) -> Result<Variant, InputError> {
    if let Some(id) = GameId::of(text, &["pattern"]) {
        let (rows, columns) = of_pattern(&id)?;
        return build(&id.line, &rows, &columns, &[]);
    }
    let sections = Sections::read(text)?;
    for (lines, stated, what) in
        [(&sections.rows, &sections.height, "rows"), (&sections.columns, &sections.width, "columns")]
    {
        if lines.is_empty() {
            let message =
                format!("expected `{what}` and a line of runs for each, found the end of the text");
            return Err(error_at(text, None, message));
        }
        if let Some((line, size)) = stated
            && *size != lines.len()
        {
            let message =
                format!("expected as many {what} as clues below, {}, found {size}", lines.len());
            return Err(line.error(line.text.trim(), message));
        }
    }
    if !sections.board.is_empty() && sections.board.len() != sections.rows.len() {
        let (expected, found) = (sections.rows.len(), sections.board.len());
        let message = format!("expected {expected} rows in the board, found {found}");
        return Err(sections.board[found.min(expected + 1) - 1].error("", message));
    }
    let first = sections.rows[0].0;
    build(&first, &sections.rows, &sections.columns, &sections.board)
}

/// The runs of a row or column, with the line that states them.
type LineClue<'t> = (TextLine<'t>, Vec<Run>);
type Clues<'t> = Vec<LineClue<'t>>;

/// Reads the runs of a game ID: those of the columns, then those of the rows.
fn of_pattern<'t>(id: &GameId<'t>) -> Result<(Clues<'t>, Clues<'t>), InputError> {
    let (width, height) = id.size()?;
    if id.body.contains(',') {
        return Err(id
            .line
            .error(id.body, "expected no known cells after `,` in a game ID, found some"));
    }
    let parts: Vec<&str> = id.body.split('/').collect();
    if parts.len() != width + height {
        let message = format!("expected runs of {} lines, found {}", width + height, parts.len());
        return Err(id.line.error(id.body, message));
    }
    let line = |part: &&str| {
        let words = part.split('.').filter(|word| !word.is_empty());
        let run = |word| {
            let length = text::plain_number(word).filter(|length| (1..=MAX_ORDER).contains(length));
            let message = || format!("expected the length of a run, found `{word}`");
            Ok((length.ok_or_else(|| id.line.error(word, message()))?, FILLED))
        };
        Ok((id.line, words.map(run).collect::<Result<Vec<Run>, InputError>>()?))
    };
    let mut columns = parts.iter().map(line).collect::<Result<Clues<'t>, InputError>>()?;
    let rows = columns.split_off(width);
    Ok((rows, columns))
}

fn build(
    first: &TextLine<'_>,
    rows: &[LineClue<'_>],
    columns: &[LineClue<'_>],
    board: &[TextLine<'_>],
) -> Result<Variant, InputError> {
    let whole = |message: String| first.error(first.text, message);
    let all = || rows.iter().chain(columns).flat_map(|(_, runs)| runs.iter().map(|&(_, color)| color));
    let mut colors: Vec<char> = all().collect();
    colors.sort_unstable();
    colors.dedup();
    if colors.is_empty() {
        colors.push(FILLED);
    }
    if colors.len() > 1 && colors.contains(&FILLED) {
        let has_plain = |(_, runs): &&(TextLine<'_>, Vec<Run>)| runs.iter().any(|run| run.1 == FILLED);
        let line = rows.iter().chain(columns).find(has_plain).map_or(*first, |(line, _)| *line);
        let message = "expected a color after each number, such as 3a, found a number without one";
        return Err(line.error(line.text.trim(), message));
    }
    let (height, width) = (rows.len(), columns.len());
    let last = i32::try_from(colors.len()).unwrap_or(i32::MAX);
    let mut draft = BoardDraft::new(height, width, 0..=last).map_err(whole)?;
    for (row, line) in board.iter().enumerate() {
        for (column, word) in row_of(line, width)?.into_iter().enumerate() {
            let digit = match word {
                "?" => continue,
                "." => Some(0),
                _ => colors.iter().position(|color| color.to_string() == *word).map(|at| at as i32 + 1),
            };
            let digit = digit.ok_or_else(|| {
                let message = format!("expected `{}`, `.` or `?`, found `{word}`", colors[0]);
                line.error(word, message)
            })?;
            draft.place(row * width + column, digit).map_err(whole)?;
        }
    }
    let puzzle = Nonogram {
        rows: rows.iter().map(|(_, runs)| runs.clone()).collect(),
        columns: columns.iter().map(|(_, runs)| runs.clone()).collect(),
        colors,
    };
    for (is_row, lines) in [(true, rows), (false, columns)] {
        for (number, (line, runs)) in lines.iter().enumerate() {
            let cells = if is_row { draft.board().row(number) } else { draft.board().column(number) };
            let digit = |color: char| puzzle.colors.iter().position(|&known| known == color);
            let values = runs.iter().flat_map(|&(length, color)| {
                [length as i64, digit(color).map_or(0, |digit| digit as i64 + 1)]
            });
            let name = if is_row { "row" } else { "column" };
            let words = format!("{name} {} ({})", number + 1, puzzle.run_words(runs));
            draft
                .clue(DraftClue::new("blocks", cells, values.collect()), words)
                .map_err(|message| line.error(line.text.trim(), message))?;
        }
    }
    draft.finish(puzzle).map_err(whole)
}

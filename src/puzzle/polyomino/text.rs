//! Reading the text of a tiling puzzle; the head of [`polyomino`](super) shows its form.

use super::shape::{Motions, Position, parts};
use super::{
    Clue, Description, MAX_BOARD_SIZE, MAX_PIECE_CELLS, Piece, PieceBoard, PlaceKind, Supply, sets,
};
use crate::input::InputError;

const KEYWORDS: [&str; 4] = ["pieces", "piece", "board", "tiling"];

/// Tells whether a text that begins like this is a tiling puzzle.
///
/// Its first line outside the head must begin with a keyword, and there must be a line `board`,
/// `board` with a size, or `tiling`. A text in Knuth's form whose items have such names is told apart
/// by its options, whose words all stand in the first line.
pub(super) fn recognizes(sample: &str) -> bool {
    let mut lines = sample.lines().map(str::trim_end).skip_while(|line| is_head(line));
    let first = lines.next().unwrap_or_default();
    let is_board = |line: &str| {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("board" | "tiling"), None, None) => true,
            (Some("board"), Some(size), None) => parse_size(size).is_some(),
            _ => false,
        }
    };
    let mut words = first.split_whitespace();
    match words.next() {
        Some("board" | "tiling") if is_board(first) => {
            let next = lines.next().unwrap_or_default();
            let is_item = |word: &str| first.split_whitespace().any(|item| item == word);
            next.is_empty() || !next.split_whitespace().all(is_item)
        }
        Some("pieces" | "piece") => {
            words.clone().next().is_some()
                && !words.any(|word| KEYWORDS.contains(&word))
                && lines.any(is_board)
        }
        _ => false,
    }
}

/// Tells whether a line may stand before the puzzle.
fn is_head(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

/// Reads the sizes of `6x10` or `3x3x3`: layers, rows, columns.
fn parse_size(text: &str) -> Option<[usize; 3]> {
    let mut sizes = Vec::new();
    for part in text.split('x') {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        sizes.push(part.parse().ok().filter(|&size: &usize| is_number && size > 0)?);
    }
    match sizes[..] {
        [rows, columns] => Some([1, rows, columns]),
        [layers, rows, columns] => Some([layers, rows, columns]),
        _ => None,
    }
}

/// A character of a drawing and where it stands.
#[derive(Clone, Copy, Debug)]
struct DrawnMark {
    cell: Position,
    character: char,
    /// The line, from 0, and the byte.
    line: usize,
    start: usize,
}

/// The characters of a drawing other than blanks, ascending by cell.
#[derive(Debug)]
struct MarkedDrawing {
    marks: Vec<DrawnMark>,
    size: [usize; 3],
}

/// A word of a line and the byte at which it starts.
#[derive(Clone, Copy, Debug)]
struct TextWord<'t> {
    text: &'t str,
    start: usize,
}

fn words(line: &str) -> impl Iterator<Item = TextWord<'_>> {
    line.split_whitespace()
        .map(|text| TextWord { text, start: text.as_ptr().addr() - line.as_ptr().addr() })
}

/// The text, and what of it has been read.
struct TextReader<'t> {
    lines: Vec<&'t str>,
    /// The next line, from 0.
    next: usize,
}

/// Reads the whole text.
pub(super) fn read(text: &str) -> Result<Description, InputError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = TextReader { lines: text.lines().collect(), next: 0 };
    while reader.line().is_some_and(is_head) {
        reader.next += 1;
    }
    reader.description()
}

impl<'t> TextReader<'t> {
    fn line(&self) -> Option<&'t str> {
        self.lines.get(self.next).copied()
    }

    fn error(&self, line: usize, start: usize, message: impl Into<String>) -> InputError {
        let text = self.lines.get(line).copied().unwrap_or_default();
        InputError::at(line + 1, text, start, message)
    }

    fn description(mut self) -> Result<Description, InputError> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut board: Option<(usize, MarkedDrawing)> = None;
        let mut is_tiling = false;
        while let Some(line) = self.line() {
            let number = self.next;
            self.next += 1;
            let mut words = words(line);
            let Some(keyword) = words.next() else { continue };
            let rest: Vec<TextWord<'_>> = words.collect();
            if is_tiling {
                let message = format!("expected the end of the text, found `{}`", keyword.text);
                return Err(self.error(number, keyword.start, message));
            }
            match keyword.text {
                "pieces" => self.set(number, &rest, &mut pieces)?,
                "piece" => self.piece(number, &rest, &mut pieces)?,
                "board" => {
                    if let Some((first, _)) = board {
                        let first = first + 1;
                        let message =
                            format!("expected one board, found a second (first on line {first})");
                        return Err(self.error(number, keyword.start, message));
                    }
                    board = Some((number, self.board(number, &rest)?));
                }
                "tiling" => {
                    if let Some(word) = rest.first() {
                        let message =
                            format!("expected a drawing below `tiling`, found `{}`", word.text);
                        return Err(self.error(number, word.start, message));
                    }
                    if board.is_some() || !pieces.is_empty() {
                        let message = "expected a tiling without pieces and board of its own";
                        return Err(self.error(number, keyword.start, message));
                    }
                    board = Some((number, self.drawing(number, "of a tiling", false)?));
                    is_tiling = true;
                }
                found => {
                    let message = format!("expected {}, found `{found}`", quoted(&KEYWORDS));
                    return Err(self.error(number, keyword.start, message));
                }
            }
        }
        let Some((board_line, drawing)) = board else {
            let last = self.lines.len().saturating_sub(1);
            let end = self.lines.last().map_or(0, |line| line.len());
            return Err(self.error(last, end, "expected a line `board`, found the end of the text"));
        };
        if pieces.is_empty() && !is_tiling {
            let message = "expected pieces for the board (`pieces` or `piece`; a drawing of placed pieces \
                           starts with `tiling`), found none";
            return Err(self.error(board_line, 0, message));
        }
        self.describe(board_line, drawing, pieces, is_tiling)
    }

    /// Makes the board and the clues out of the drawing.
    fn describe(
        &self,
        board_line: usize,
        MarkedDrawing { marks, size }: MarkedDrawing,
        pieces: Vec<Piece>,
        is_tiling: bool,
    ) -> Result<Description, InputError> {
        let mut board = PieceBoard::new(size);
        let mut clues: Vec<DrawnMark> = Vec::new();
        for &mark in &marks {
            let field = match mark.character {
                '#' => PlaceKind::Outside,
                '?' => PlaceKind::Free,
                '.' if !is_tiling => PlaceKind::Covered,
                name if is_tiling && is_name(name) || pieces.iter().any(|piece| piece.name == name) => {
                    clues.push(mark);
                    PlaceKind::Covered
                }
                found => {
                    let expected = if is_tiling {
                        "a letter or digit, `?` or `#`".to_owned()
                    } else {
                        let names: String = pieces.iter().map(|piece| piece.name).collect();
                        format!("`.`, `?`, `#` or the name of a piece ({names})")
                    };
                    let message = format!("expected {expected}, found `{found}`");
                    return Err(self.error(mark.line, mark.start, message));
                }
            };
            board.set(mark.cell, field);
        }
        if board.is_empty() {
            let expected = if is_tiling { "letters" } else { "cells `.` or `?`" };
            let message = format!("expected {expected} in the drawing, found none");
            return Err(self.error(board_line, 0, message));
        }
        let cells: Vec<Position> = clues.iter().map(|mark| mark.cell).collect();
        let regions = parts(&cells, |a, b| clues[a].character == clues[b].character);
        let clues = regions.iter().map(|region| {
            let DrawnMark { character, line, start, .. } = clues[region[0]];
            let cells = region.iter().map(|&place| cells[place]).collect();
            let misfit = format!(
                "expected the cells `{character}` here to be the piece `{character}`, found {} {}",
                region.len(),
                if region.len() == 1 { "cell that is not" } else { "cells that are not" }
            );
            Clue { name: character, cells, misfit: self.error(line, start, misfit) }
        });
        let too_large = self.error(board_line, 0, "");
        Ok(Description { board, pieces, clues: clues.collect(), is_tiling, too_large })
    }

    /// Reads the rest of a line `pieces SET OPTIONS`.
    fn set(
        &self,
        number: usize,
        rest: &[TextWord<'_>],
        pieces: &mut Vec<Piece>,
    ) -> Result<(), InputError> {
        let found = rest.first().copied().unwrap_or(self.end(number));
        let Some(set) = sets::by_name(found.text) else {
            let message = format!("expected {}, {}", sets::expected(found.text), show(found));
            return Err(self.error(number, found.start, message));
        };
        let (supply, motions) = self.options(number, &rest[1..])?;
        let motions = motions.or(set.motions);
        for (name, cells) in set.pieces() {
            self.add_piece(found.start, Piece { name, cells, supply, motions, line: number }, pieces)?;
        }
        Ok(())
    }

    /// Reads the rest of a line `piece NAME OPTIONS` and the drawing below it.
    fn piece(
        &mut self,
        number: usize,
        rest: &[TextWord<'_>],
        pieces: &mut Vec<Piece>,
    ) -> Result<(), InputError> {
        let found = rest.first().copied().unwrap_or(self.end(number));
        let mut characters = found.text.chars();
        let name = match (characters.next(), characters.next()) {
            (Some(name), None) if is_name(name) => name,
            _ => {
                let message =
                    format!("expected the name of the piece, one letter or digit, {}", show(found));
                return Err(self.error(number, found.start, message));
            }
        };
        let (supply, motions) = self.options(number, &rest[1..])?;
        let of = format!("of the piece `{name}`");
        let MarkedDrawing { mut marks, .. } = self.drawing(number, &of, true)?;
        let is_gap = |mark: &DrawnMark| mark.character == '.';
        if let Some(mark) =
            marks.iter().find(|mark| !(is_gap(mark) || [name, '#'].contains(&mark.character)))
        {
            let message = format!(
                "expected `#` or `{name}` for a cell or `.` for none, found `{}`",
                mark.character
            );
            return Err(self.error(mark.line, mark.start, message));
        }
        marks.retain(|mark| !is_gap(mark));
        let cells: Vec<Position> = marks.iter().map(|mark| mark.cell).collect();
        match parts(&cells, |_, _| true)[..] {
            [] => {
                let message =
                    format!("expected cells `#` in the drawing of the piece `{name}`, found none");
                return Err(self.error(number, 0, message));
            }
            [_] => {}
            [_, ref second, ..] => {
                let message = format!("expected the piece `{name}` in one part, found a second part");
                let mark = marks[second[0]];
                return Err(self.error(mark.line, mark.start, message));
            }
        }
        if cells.len() > MAX_PIECE_CELLS {
            let count = cells.len();
            let message = format!(
                "piece `{name}` has {count} cells, which exceeds the limit of {MAX_PIECE_CELLS}"
            );
            return Err(self.error(number, 0, message));
        }
        self.add_piece(found.start, Piece { name, cells, supply, motions, line: number }, pieces)
    }

    fn add_piece(&self, start: usize, piece: Piece, pieces: &mut Vec<Piece>) -> Result<(), InputError> {
        if let Some(first) = pieces.iter().find(|other| other.name == piece.name) {
            let (name, first) = (piece.name, first.line + 1);
            let message = format!("piece `{name}` is defined twice (first on line {first})");
            return Err(self.error(piece.line, start, message));
        }
        pieces.push(piece);
        Ok(())
    }

    /// Reads the words behind the name of a piece or a set.
    fn options(
        &self,
        number: usize,
        rest: &[TextWord<'_>],
    ) -> Result<(Supply, Option<Motions>), InputError> {
        let mut supply = None;
        let mut motions = None;
        for word in rest {
            let is_second = match word.text {
                "fixed" => motions.replace(Motions::Fixed).is_some(),
                "rotate" => motions.replace(Motions::Rotate).is_some(),
                "reflect" => motions.replace(Motions::Reflect).is_some(),
                text => {
                    let new = parse_supply(text).ok_or_else(|| {
                        let message = format!(
                            "expected copies (`x2`, `x0-1`, `unlimited`) or motions (`fixed`, \
                             `rotate`, \
                             `reflect`), found `{text}`"
                        );
                        self.error(number, word.start, message)
                    })?;
                    supply.replace(new).is_some()
                }
            };
            if is_second {
                let message = format!(
                    "expected one word for copies and one for motions, found `{}` too",
                    word.text
                );
                return Err(self.error(number, word.start, message));
            }
        }
        Ok((supply.unwrap_or(Supply::ONCE), motions))
    }

    /// Reads the rest of a line `board` or `board SIZE`, and the drawing below the former.
    fn board(&mut self, number: usize, rest: &[TextWord<'_>]) -> Result<MarkedDrawing, InputError> {
        let Some(word) = rest.first() else { return self.drawing(number, "of the board", false) };
        let size = parse_size(word.text).ok_or_else(|| {
            let message = format!("expected a size such as `6x10` or `3x3x3`, found `{}`", word.text);
            self.error(number, word.start, message)
        })?;
        if let Some(word) = rest.get(1) {
            let message = format!("expected the end of the line, found `{}`", word.text);
            return Err(self.error(number, word.start, message));
        }
        self.check_size(number, size)?;
        let mark = |cell| DrawnMark { cell, character: '.', line: number, start: word.start };
        let [layers, rows, columns] = size.map(|size| size as i32);
        let cells = (0..layers)
            .flat_map(|layer| (0..rows).map(move |row| (layer, row)))
            .flat_map(|(layer, row)| (0..columns).map(move |column| [layer, row, column]));
        Ok(MarkedDrawing { marks: cells.map(mark).collect(), size })
    }

    /// Reads the drawing below line `number`, up to a blank line, or a keyword if `ends_at_keyword`.
    fn drawing(
        &mut self,
        number: usize,
        of: &str,
        ends_at_keyword: bool,
    ) -> Result<MarkedDrawing, InputError> {
        let mut marks = Vec::new();
        let mut size = [1, 0, 0];
        let mut row = 0;
        while let Some(line) = self.line().filter(|line| !line.trim().is_empty()) {
            let first = words(line).next().map_or("", |word| word.text);
            if ends_at_keyword && KEYWORDS.contains(&first) {
                break;
            }
            if line.trim() == "/" {
                if row == 0 {
                    return Err(self.error(self.next, 0, "expected the rows of a layer, found `/`"));
                }
                (size[0], row) = (size[0] + 1, 0);
            } else {
                let line = line.trim_end();
                let layer = size[0] - 1;
                for (column, (start, character)) in line.char_indices().enumerate() {
                    if character != ' ' {
                        let cell = [layer as i32, row as i32, column as i32];
                        marks.push(DrawnMark { cell, character, line: self.next, start });
                    }
                }
                row += 1;
                size[1] = size[1].max(row);
                size[2] = size[2].max(line.chars().count());
            }
            self.next += 1;
        }
        if marks.is_empty() {
            return Err(self.error(number, 0, format!("expected a drawing {of} below, found none")));
        }
        if row == 0 {
            return Err(self.error(self.next - 1, 0, "expected another layer below `/`, found none"));
        }
        self.check_size(number, size)?;
        Ok(MarkedDrawing { marks, size })
    }

    fn check_size(&self, number: usize, size: [usize; 3]) -> Result<(), InputError> {
        let count = size.iter().fold(1, |count: usize, &size| count.saturating_mul(size));
        if count > MAX_BOARD_SIZE {
            let [layers, rows, columns] = size;
            let message = format!(
                "drawing of {layers}x{rows}x{columns} has {count} places, which exceeds the limit of \
                 {MAX_BOARD_SIZE}"
            );
            return Err(self.error(number, 0, message));
        }
        Ok(())
    }

    /// Returns the end of a line as an empty word.
    fn end(&self, number: usize) -> TextWord<'t> {
        TextWord { text: "", start: self.lines[number].len() }
    }
}

/// Tells whether a character can name a piece.
fn is_name(character: char) -> bool {
    character.is_alphanumeric()
}

/// Reads `unlimited`, `x2` or `x0-1`.
fn parse_supply(text: &str) -> Option<Supply> {
    if text == "unlimited" {
        return Some(Supply::UNLIMITED);
    }
    let number = |digits: &str| {
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|_| is_number)
    };
    let text = text.strip_prefix('x')?;
    let (low, high) = match text.split_once('-') {
        Some((low, high)) => (number(low)?, number(high)?),
        None => (number(text)?, number(text)?),
    };
    (low <= high).then_some(Supply { low, high: Some(high) })
}

fn show(word: TextWord<'_>) -> String {
    if word.text.is_empty() {
        "found the end of the line".into()
    } else {
        format!("found `{}`", word.text)
    }
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

//! Reads the text of a tiling puzzle. The head of [`polyomino`](super) describes the format.

mod drawing;
mod pieces;
mod write;

pub(super) use self::write::{write_lattice, write_pieces};

use std::collections::BTreeMap;

use self::drawing::{DrawnMark, MarkedDrawing};
use super::board::{PieceBoard, PlaceKind};
use super::lattice::{self, LATTICES, PieceLattice};
use super::shape::{PLAIN, Position, parts};
use super::{Description, DrawnClue, MAX_PIECE_CELLS, Piece, presents, sets, xmpuzzle};
use dlx::Limits;
use puzzle::Divider;
use text::{InputError, whole_lines};

/// Keywords that begin a section, or the colors below a drawing.
const KEYWORDS: [&str; 7] = ["lattice", "pieces", "piece", "board", TILING, COLORS, CLUES];
const TILING: &str = "tiling";
const COLORS: &str = "colors";
/// Keyword of a drawing of placed pieces, which is separate from the board. In this drawing, copies
/// of a piece that touch each other have different letters.
const CLUES: &str = "clues";

/// Returns whether a text that begins with `sample` is a tiling puzzle.
///
/// Its first line after the head must begin with a keyword. The text must have a line `board`,
/// `board` with a size, or `tiling`. A text in Knuth's format may have items with such names. The
/// second line distinguishes a text in Knuth's format, because all its words occur in the first
/// line.
pub(super) fn recognizes(sample: &str) -> bool {
    if xmpuzzle::recognizes(sample) {
        return true;
    }
    let mut lines = sample.lines().map(str::trim_end).skip_while(|line| is_head(line));
    let first = lines.next().unwrap_or_default();
    let is_board = |line: &str| {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("board" | TILING), None, None) => true,
            (Some("board"), Some(size), None) => {
                LATTICES.iter().any(|lattice| lattice.parse_board(size).is_some())
            }
            (Some(TILING), ..) => line.split_whitespace().skip(1).all(|word| word.contains('=')),
            _ => false,
        }
    };
    let mut words = first.split_whitespace();
    match words.next() {
        Some("board" | TILING) if is_board(first) => {
            let next = lines.next().unwrap_or_default();
            let is_item = |word: &str| first.split_whitespace().any(|item| item == word);
            next.is_empty() || !next.split_whitespace().all(is_item)
        }
        Some("pieces" | "piece" | "lattice") => {
            (words.clone().next().is_some() || first == "pieces")
                && !words.any(|word| KEYWORDS.contains(&word))
                && lines.any(is_board)
        }
        _ => presents::recognizes(sample) || draws_pieces(sample),
    }
}

/// Maximum number of lines of a drawing of pieces without a keyword.
const MAX_BOARD_SIDE: usize = 1 << 10;
/// Minimum number of pieces in a drawing of pieces without a keyword.
const PIECES_MIN: usize = 3;

/// Returns whether a text without a keyword draws pieces, where each letter is a piece. Each letter
/// must form one connected part of at least two cells. At least half of the pieces must have two
/// adjacent cells in a row, and the drawing must not be a full rectangle.
fn draws_pieces(sample: &str) -> bool {
    let lines = whole_lines(sample).trim_start_matches('\u{feff}').lines().map(str::trim_end);
    let is_end = |line: &&str| KEYWORDS.contains(&line.split_whitespace().next().unwrap_or_default());
    let lines: Vec<&str> =
        lines.skip_while(|line| is_head(line)).take_while(|line| !is_end(line)).collect();
    let is_drawn = |line: &&str| line.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.'));
    if !lines.iter().all(is_drawn) || lines.len() > MAX_BOARD_SIDE {
        return false;
    }
    let mut cells: BTreeMap<char, Vec<Position>> = BTreeMap::new();
    for (row, line) in (0..).zip(&lines) {
        let letters = (0..).zip(line.chars()).filter(|(_, c)| c.is_alphabetic());
        letters.for_each(|(column, c)| cells.entry(c).or_default().push([0, row, column]));
    }
    let is_piece = |cells: &Vec<Position>| {
        (2..=MAX_PIECE_CELLS).contains(&cells.len())
            && parts(LATTICES[0], cells, |_, _| true).len() == 1
    };
    let is_broad = |cells: &&Vec<Position>| {
        cells.windows(2).any(|pair| pair[1] == [0, pair[0][1], pair[0][2] + 1])
    };
    let width = lines.first().map_or(0, |line| line.chars().count());
    let is_full = |line: &&str| line.chars().count() == width && !line.contains([' ', '.']);
    cells.len() >= PIECES_MIN
        && cells.values().all(is_piece)
        && 2 * cells.values().filter(is_broad).count() >= cells.len()
        && !lines.iter().all(is_full)
}

/// Returns a function that divides a text into puzzles: a new puzzle may begin when a blank line
/// ends the drawing of a solution.
pub(super) fn divider() -> Divider {
    let (mut has_tiling, mut is_parted) = (false, false);
    Box::new(move |line| {
        let first = line.split_whitespace().next().unwrap_or_default();
        let begins = has_tiling && is_parted && !is_head(line);
        if begins || first == TILING && !has_tiling {
            has_tiling = first == TILING;
        }
        is_parted = first.is_empty();
        begins
    })
}

/// Returns whether a line may be in the head of the text.
fn is_head(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

#[derive(Clone, Copy, Debug)]
struct TextWord<'t> {
    text: &'t str,
    start: usize,
}

fn words(line: &str) -> impl Iterator<Item = TextWord<'_>> {
    line.split_whitespace()
        .map(|text| TextWord { text, start: text.as_ptr().addr() - line.as_ptr().addr() })
}

/// Returns the lattice that a text names, else the lattice of its first set.
fn lattice_of(lines: &[&str]) -> &'static PieceLattice {
    let pair = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.to_owned()))
    };
    let pairs = || lines.iter().filter_map(|line| pair(line));
    let named = pairs().find(|(keyword, _)| keyword == "lattice");
    named
        .and_then(|(_, name)| lattice::by_name(&name))
        .or_else(|| {
            pairs().find(|(word, _)| word == "pieces").and_then(|(_, set)| sets::lattice_of(&set))
        })
        .unwrap_or(LATTICES[0])
}

#[derive(Clone, Copy, Debug)]
enum ColoredPart {
    Piece,
    Board,
}

struct TextReader<'t> {
    lattice: &'static PieceLattice,
    lines: Vec<&'t str>,
    next: usize,
    limits: &'t Limits,
}

pub(super) fn read(text: &str, limits: &Limits) -> Result<Description, InputError> {
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> = text.lines().collect();
    let mut reader = TextReader { lattice: lattice_of(&lines), lines, next: 0, limits };
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
        let mut last = None;
        let mut board_colors = None;
        let mut clues = None;
        let mut aliases = Vec::new();
        let mut has_drawn = false;
        while let Some(line) = self.line() {
            let number = self.next;
            self.next += 1;
            let mut words = words(line);
            let Some(keyword) = words.next() else { continue };
            let rest: Vec<TextWord<'_>> = words.collect();
            if is_tiling && (keyword.text != COLORS || board_colors.is_some()) {
                let message = format!("expected the end of the text, found `{}`", keyword.text);
                return Err(self.error(number, keyword.start, message));
            }
            let before = last.take();
            match keyword.text {
                "lattice" => self.check_lattice(number, &rest)?,
                "pieces" if self.options(number, &rest).is_ok() => {
                    self.drawn_pieces(number, &rest, &mut pieces)?;
                }
                "pieces" => self.set(number, &rest, &mut pieces)?,
                "piece" => {
                    self.piece(number, &rest, &mut pieces)?;
                    last = Some(ColoredPart::Piece);
                }
                COLORS => {
                    if let Some(word) = rest.first() {
                        let message =
                            format!("expected a drawing below `{COLORS}`, found `{}`", word.text);
                        return Err(self.error(number, word.start, message));
                    }
                    let marks = self.drawing(number, "of colors", true)?.marks;
                    match (before, pieces.last_mut()) {
                        (Some(ColoredPart::Piece), Some(piece)) => self.color(piece, &marks)?,
                        (Some(ColoredPart::Board), _) => board_colors = Some(marks),
                        _ => {
                            let message =
                                "expected `colors` right behind the drawing of a piece or the board";
                            return Err(self.error(number, keyword.start, message));
                        }
                    }
                }
                "board" => {
                    last = Some(ColoredPart::Board);
                    if let Some((first, _)) = board {
                        let first = first + 1;
                        let message =
                            format!("expected one board, found a second (first on line {first})");
                        return Err(self.error(number, keyword.start, message));
                    }
                    board = Some((number, self.board(number, &rest)?));
                }
                CLUES => {
                    if board.is_none() || clues.is_some() {
                        let message = "expected clues once, and behind the board";
                        return Err(self.error(number, keyword.start, message));
                    }
                    let marks = self.drawing(number, "of clues", true)?.marks;
                    aliases = self.aliases(number, &rest, &marks)?;
                    clues = Some(marks);
                }
                TILING => {
                    if board.is_some() || !pieces.is_empty() {
                        let message = "expected a tiling without pieces and board of its own";
                        return Err(self.error(number, keyword.start, message));
                    }
                    let drawing = self.drawing(number, "of a tiling", false)?;
                    aliases = self.aliases(number, &rest, &drawing.marks)?;
                    board = Some((number, drawing));
                    last = Some(ColoredPart::Board);
                    is_tiling = true;
                }
                _ if pieces.is_empty() && board.is_none() && draws_pieces(&self.lines.join("\n")) => {
                    self.next = number;
                    self.drawn_pieces(number, &[], &mut pieces)?;
                    has_drawn = true;
                }
                found => {
                    let message = format!("expected {}, found `{found}`", quoted(&KEYWORDS));
                    return Err(self.error(number, keyword.start, message));
                }
            }
        }
        let mut note = None;
        if board.is_none() && has_drawn {
            let cells: usize = pieces.iter().map(|piece| piece.cells.len()).sum();
            let rows = (2..=cells.isqrt()).rfind(|rows| cells.is_multiple_of(*rows));
            if let Some(size) = rows.map(|rows| format!("{rows}x{}", cells / rows)) {
                note = Some(format!(
                    "no board is given, so the pieces are to cover {size}, the rectangle of {cells} cells \
                     nearest to a square; a line `board {size}` names one"
                ));
                let last = self.lines.len() - 1;
                board = Some((last, self.board(last, &[TextWord { text: &size, start: 0 }])?));
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
        let mut description = self.describe(board_line, drawing, pieces, is_tiling)?;
        (description.aliases, description.note) = (aliases, note);
        self.add_clues(clues.unwrap_or_default(), &mut description)?;
        for mark in board_colors.into_iter().flatten().filter(|mark| mark.character != PLAIN) {
            let cell = description.board.place(mark.cell);
            let is_cell =
                cell.is_some_and(|place| description.board.fields[place] != PlaceKind::Outside);
            self.check_color(&mark, is_cell)?;
            description.board.set_mark(mark.cell, mark.character);
        }
        Ok(description)
    }

    fn check_lattice(&self, number: usize, rest: &[TextWord<'_>]) -> Result<(), InputError> {
        let found = rest.first().copied().unwrap_or(self.end(number));
        if found.text != self.lattice.name {
            let message = match lattice::by_name(found.text) {
                Some(_) => format!("expected one lattice, found `{}` too", found.text),
                None => {
                    let names: Vec<&str> = LATTICES.iter().map(|lattice| lattice.name).collect();
                    format!("expected a lattice ({}), {}", names.join(", "), show(found))
                }
            };
            return Err(self.error(number, found.start, message));
        }
        match rest.get(1) {
            None => Ok(()),
            Some(word) => {
                let message = format!("expected the end of the line, found `{}`", word.text);
                Err(self.error(number, word.start, message))
            }
        }
    }

    /// Builds the board and the clues from the drawing of the board.
    fn describe(
        &self,
        board_line: usize,
        MarkedDrawing { marks, size }: MarkedDrawing,
        pieces: Vec<Piece>,
        is_tiling: bool,
    ) -> Result<Description, InputError> {
        let cells: Vec<DrawnMark> =
            marks.iter().copied().filter(|mark| mark.character != '#').collect();
        self.check_cells(&cells)?;
        let shown = self.lattice.extent(cells.iter().map(|mark| mark.cell));
        let mut board =
            PieceBoard::new(self.lattice, [0, 1, 2].map(|axis| size[axis].max(shown[axis])));
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
        let regions = parts(self.lattice, &cells, |a, b| clues[a].character == clues[b].character);
        let clues = regions.iter().map(|region| {
            let DrawnMark { character, line, start, .. } = clues[region[0]];
            let cells = region.iter().map(|&place| cells[place]).collect();
            let misfit = format!(
                "expected the cells `{character}` here to be the piece `{character}`, found {} {}",
                region.len(),
                if region.len() == 1 { "cell that is not" } else { "cells that are not" }
            );
            let misfit = self.error(line, start, misfit);
            DrawnClue { name: character, is_any: false, cells, misfit }
        });
        let too_large = self.error(board_line, 0, "");
        let clues = clues.collect();
        Ok(Description {
            board,
            pieces,
            clues,
            hole_max: None,
            is_tiling,
            aliases: Vec::new(),
            too_large,
            note: None,
        })
    }

    /// Adds the clues of a separate drawing. Each connected region of one letter is a piece of that
    /// shape.
    fn add_clues(
        &self,
        marks: Vec<DrawnMark>,
        description: &mut Description,
    ) -> Result<(), InputError> {
        let is_none = |mark: &DrawnMark| matches!(mark.character, PLAIN | '#' | '?');
        let marks: Vec<DrawnMark> = marks.into_iter().filter(|mark| !is_none(mark)).collect();
        if let Some(mark) = marks.iter().find(|mark| !is_name(mark.character)) {
            let message = format!("expected a letter, a digit or `.`, found `{}`", mark.character);
            return Err(self.error(mark.line, mark.start, message));
        }
        let board = &description.board;
        let taken = |cell: &Position| description.clues.iter().any(|clue| clue.cells.contains(cell));
        for mark in &marks {
            let place =
                board.place(mark.cell).filter(|&place| board.fields[place] != PlaceKind::Outside);
            let message = match place {
                None => format!("expected clues on cells of the board, found `{}`", mark.character),
                Some(_) if taken(&mark.cell) => {
                    format!("expected one clue on a cell, found `{}` on another", mark.character)
                }
                Some(_) => continue,
            };
            return Err(self.error(mark.line, mark.start, message));
        }
        let cells: Vec<Position> = marks.iter().map(|mark| mark.cell).collect();
        let is_same = |a: usize, b: usize| marks[a].character == marks[b].character;
        for region in parts(self.lattice, &cells, is_same) {
            let DrawnMark { character, line, start, .. } = marks[region[0]];
            let cells = region.iter().map(|&place| cells[place]).collect();
            let misfit =
                format!("expected the cells `{character}` here to be one piece, found another shape");
            let misfit = self.error(line, start, misfit);
            let alias = description.aliases.iter().find(|(letter, _)| *letter == character);
            let (name, is_any) = alias.map_or((character, true), |&(_, name)| (name, false));
            description.clues.push(DrawnClue { name, is_any, cells, misfit });
        }
        Ok(())
    }

    /// Reads words such as `a=A` after a keyword. The words mean that the letter `a` of the drawing
    /// is a copy of piece `A`.
    fn aliases(
        &self,
        number: usize,
        rest: &[TextWord<'_>],
        marks: &[DrawnMark],
    ) -> Result<Vec<(char, char)>, InputError> {
        let mut aliases: Vec<(char, char)> = Vec::new();
        for word in rest {
            let mut characters = word.text.chars();
            let found = (characters.next(), characters.next(), characters.next(), characters.next());
            let error = |message: String| self.error(number, word.start, message);
            let (letter, name) = match found {
                (Some(letter), Some('='), Some(name), None) if is_name(letter) && is_name(name) => {
                    (letter, name)
                }
                _ => {
                    let message = format!(
                        "expected a drawing below, or letters of copies as in `a=A`, found `{}`",
                        word.text
                    );
                    return Err(error(message));
                }
            };
            if aliases.iter().any(|(other, _)| *other == letter) {
                return Err(error(format!("expected the letter `{letter}` once, found it again")));
            }
            if !marks.iter().any(|mark| mark.character == letter) {
                return Err(error(format!("expected cells `{letter}` in the drawing, found none")));
            }
            aliases.push((letter, name));
        }
        Ok(aliases)
    }

    fn end(&self, number: usize) -> TextWord<'t> {
        TextWord { text: "", start: self.lines[number].len() }
    }
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric()
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

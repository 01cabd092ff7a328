//! The queens puzzle: n queens on an n x n board that do not attack each other. Some queens may
//! be given.
//!
//! An option places a queen at row r and column c. It covers
//! - the primary items `r3` and `c5`: every row and every column has one queen;
//! - the secondary items `a8` (r + c, ascending diagonal) and `d-2` (r - c, descending diagonal),
//!   if that diagonal has more than one cell: every diagonal has at most one queen.
//!
//! The primary items are in organ-pipe order, from the middle outwards, alternating rows and
//! columns. If several items have equally few options, the search then picks one near the middle,
//! where a queen attacks most cells, which needs fewer nodes than ascending order.
//!
//! Tried and dropped: alternating rows and columns from the border (more nodes).
//!
//! Source: Knuth, TAOCP 7.2.2.1, "the n queens problem" and its organ-pipe order.

use std::sync::Arc;

use dlx::classes::Symmetry;
use dlx::{Entry, ItemId, OptionId, Problem, ProblemBuilder};

use super::{
    Cell, Divider, HeadKeys, Ink, Kind, Parameter, Picture, Puzzle, PuzzleSource, PuzzleTerms,
    StepFigure, SymmetrySort, TextSource, parse_size, queen, symmetry,
};
use text::{InputError, content_lines, end_error, is_content, whole_lines, words};

/// Largest number of rows of a board, which then has 65,536 options.
const MAX_SIZE: usize = 256;
/// Maximum length of the first line (bytes); a list of queens and a row of a board are far shorter.
const LINE_MAX: usize = 1 << 16;

const QUEEN: char = 'Q';
const FREE: char = '.';

/// The kind.
pub const KIND: Kind = Kind {
    name: "queens",
    summary: "n queens on a board of n x n cells, none attacking another",
    parameter: Some(Parameter {
        meaning: "the size of an empty board",
        example: "8",
        make: |text, _, _| Ok(Box::new(Queens::new(parse_size(text, "a size", MAX_SIZE)?, &[], true))),
    }),
    source: PuzzleSource::Text(TextSource {
        example: ". . . .\n. . . Q\n. . . .\n. . . .\n",
        rules: "",
        extensions: &[],
        divider: Some(divider),
        several: None,
        recognizes,
        head: HeadKeys::Only(&[]),
        read: |text, _| Ok(Box::new(read(text)?)),
    }),
};

#[derive(Debug)]
struct Queens {
    size: usize,
    /// Whether spaces separate the cells in the text of the board.
    is_spaced: bool,
    problem: Arc<Problem>,
    given: Vec<OptionId>,
    /// A note about how an ambiguous text was read; empty for other texts.
    note: String,
}

impl Queens {
    /// Builds the puzzle of a board with queens on `cells`, numbered row by row from 0.
    fn new(size: usize, cells: &[usize], is_spaced: bool) -> Self {
        let given = cells.iter().copied().map(OptionId::new).collect();
        Self { size, is_spaced, problem: Arc::new(translate(size)), given, note: String::new() }
    }
}

impl Puzzle for Queens {
    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn note(&self) -> Option<&str> {
        Some(&*self.note).filter(|note| !note.is_empty())
    }

    fn show(&self, cover: &[OptionId], _number: u64, out: &mut String) {
        let mut is_queen = vec![false; self.size * self.size];
        for option in cover {
            is_queen[option.index()] = true;
        }
        for row in is_queen.chunks(self.size) {
            for (column, &is_queen) in row.iter().enumerate() {
                if column > 0 && self.is_spaced {
                    out.push(' ');
                }
                out.push(if is_queen { QUEEN } else { FREE });
            }
            out.push('\n');
        }
    }

    fn show_clues(&self, clues: &[OptionId], out: &mut String) -> bool {
        self.show(clues, 1, out);
        true
    }

    fn symmetries(&self, wanted: SymmetrySort) -> Option<Vec<Symmetry>> {
        let moved = |option: OptionId, moved: &dyn Fn(usize) -> usize| {
            Some(OptionId::new(moved(option.index())))
        };
        Some(symmetry::of_square(self.size, wanted, self.size * self.size, moved))
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        let mut picture = Picture::new();
        for place in 0..self.size * self.size {
            let (row, column) = (place / self.size, place % self.size);
            let option = OptionId::new(place);
            picture.set(row, column, Cell::in_region(0).shaded((row + column) % 2 == 1));
            if cover.contains(&option) {
                let ink = if self.given.contains(&option) { Ink::Wall } else { Ink::Answer };
                let center = [column as f64 + 0.5, row as f64 + 0.5];
                queen(center, ink).into_iter().for_each(|mark| picture.over(mark));
            }
        }
        Some(picture)
    }

    fn terms(&self) -> &dyn PuzzleTerms {
        self
    }
}

impl PuzzleTerms for Queens {
    fn option_words(&self, option: OptionId) -> String {
        format!("r{}c{}", option.index() / self.size + 1, option.index() % self.size + 1)
    }

    fn item_words(&self, item: ItemId) -> Option<String> {
        let name = self.problem.item_name(item);
        let line = |letter, words: &str| Some(format!("{words} {}", name.strip_prefix(letter)?));
        line('r', "row").or_else(|| line('c', "column"))
    }

    fn value_words(&self, option: OptionId, item: ItemId) -> String {
        let words = self.option_words(option);
        let (row, column) = words.split_at(words.find('c').unwrap_or(0));
        if self.problem.item_name(item).starts_with('r') { column } else { row }.to_owned()
    }

    fn picture_of_step(&self, look: &StepFigure) -> Option<Picture> {
        let mut picture = self.picture(&look.chosen)?;
        for &(option, ink) in look.options.iter().take(FIELDS_TINTED) {
            picture.tint(option.index() / self.size, option.index() % self.size, ink);
        }
        let used: Vec<Ink> = look.options.iter().map(|(_, ink)| *ink).collect();
        look.add_legend(&used, &mut picture);
        Some(picture)
    }
}

const FIELDS_TINTED: usize = 1000;

/// Builds the problem of the empty board. Option `size * row + column` puts a queen into that cell.
fn translate(size: usize) -> Problem {
    const SOUND: &str = "a board has few enough items, each with a name of its own";
    let mut builder = ProblemBuilder::new();
    let mut rows = vec![ItemId::new(0); size];
    let mut columns = rows.clone();
    for line in from_the_middle(size) {
        rows[line] = builder.primary(&format!("r{}", line + 1)).expect(SOUND);
        columns[line] = builder.primary(&format!("c{}", line + 1)).expect(SOUND);
    }
    // The items of the diagonals of one direction, by number. The first and the last diagonal have
    // a single cell and no item.
    let mut diagonals = |letter: char, first: isize| -> Vec<Option<ItemId>> {
        let mut diagonal = |number: usize| {
            let name = format!("{letter}{}", first + number as isize);
            let is_long = number > 0 && number < 2 * size - 2;
            is_long.then(|| builder.secondary(&name).expect(SOUND))
        };
        (0..2 * size - 1).map(&mut diagonal).collect()
    };
    let ascending = diagonals('a', 2);
    let descending = diagonals('d', 1 - size as isize);
    for row in 0..size {
        for column in 0..size {
            let lines = [Some(rows[row]), Some(columns[column])];
            let both = [ascending[row + column], descending[size - 1 + row - column]];
            let entries = lines.into_iter().chain(both).flatten().map(Entry::from);
            builder.option(entries).expect(SOUND);
        }
    }
    builder.build()
}

/// Iterates over `0..size`, from the middle to the borders.
fn from_the_middle(size: usize) -> impl Iterator<Item = usize> {
    (0..size)
        .map(move |k| if k % 2 == 0 { size / 2 + k / 2 } else { size / 2 - k.div_ceil(2) })
        .map(move |line| if size.is_multiple_of(2) { size - 1 - line } else { line })
}

/// Returns a divider that ends a single-line puzzle after its line, and a board at the empty line
/// below it.
fn divider() -> Divider {
    let (mut size, mut height, mut is_parted) = (0, 0, false);
    Box::new(move |line| {
        if !is_content(line) {
            is_parted |= line.trim().is_empty();
            return false;
        }
        let is_lone = is_list(line) || is_fen(line);
        let begins = height > 0 && (is_lone || height == size && is_parted);
        if begins || height == 0 {
            let is_size = line.trim().bytes().all(|byte| byte.is_ascii_digit());
            (size, height) = (if is_lone || is_size { 1 } else { cells(line).count() }, 0);
        }
        height += 1;
        is_parted = false;
        begins
    })
}

/// Returns whether the text draws a board with at least one queen, or a single line lists queens.
fn recognizes(sample: &str) -> bool {
    let lines = || content_lines(whole_lines(sample)).map(|(_, line)| line);
    let Some(first) = lines().next() else { return false };
    if is_fen(first) {
        return read_fen(1, first).is_ok();
    }
    if is_list(first) {
        return lines().all(is_list_of_queens);
    }
    let is_board_line = |line: &str| line.chars().all(|c| c == QUEEN || c == FREE || c.is_whitespace());
    if !lines().all(is_board_line) {
        return false;
    }
    // The sample may contain several boards, so read only the first one.
    let mut begins = divider();
    let board: Vec<&str> = sample.lines().take_while(|line| !begins(line)).collect();
    read(&board.join("\n")).is_ok_and(|board| !board.given.is_empty())
}

fn is_list(line: &str) -> bool {
    let line = line.trim();
    let is_between = |open: char, close: char| line.starts_with(open) && line.ends_with(close);
    is_between('[', ']') || is_between('(', ')') || is_between('{', '}')
}

/// Returns whether a line has the form of the first field of a FEN (the notation of chess
/// positions): ranks of `Q` and numbers, separated by slashes.
fn is_fen(line: &str) -> bool {
    let ranks = line.split_whitespace().next().unwrap_or_default();
    let is_rank = |c: char| c.is_ascii_digit() || c.eq_ignore_ascii_case(&QUEEN);
    ranks.contains('/') && ranks.split('/').all(|rank| !rank.is_empty() && rank.chars().all(is_rank))
}

/// Returns whether a line in brackets probably lists queens: one valid column per row. The columns
/// must all differ if the line could also be a grid.
fn is_list_of_queens(line: &str) -> bool {
    let Ok((size, queens, _)) = read_list(1, line) else { return false };
    let columns: std::collections::BTreeSet<usize> = queens.iter().map(|cell| cell % size).collect();
    size >= 4 && (columns.len() == size || size.isqrt().pow(2) != size)
}

/// Reads a list with the column of the queen in each row. Columns count from 0 or from 1. Returns
/// the size, the cells of the queens, and a note about the assumed base.
fn read_list(number: usize, line: &str) -> Result<(usize, Vec<usize>, String), InputError> {
    let error = |start: usize, message: String| InputError::at(number, line, start, message);
    let open = indent(line);
    let inside = &line[open + 1..line.trim_end().len() - 1];
    let mut columns: Vec<(usize, usize)> = Vec::new();
    let inside = inside.trim_end().strip_suffix(',').unwrap_or(inside);
    for part in inside.split(',') {
        let word = part.trim();
        let start = word.as_ptr().addr() - line.as_ptr().addr();
        let column = word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()));
        let message = || format!("expected the column of a queen, found `{word}`");
        columns.push((start, column.ok_or_else(|| error(start, message()))?));
        if columns.len() > MAX_SIZE {
            return Err(error(open, format!("expected at most {MAX_SIZE} queens, found more")));
        }
    }
    let size = columns.len();
    let has = |wanted: usize| columns.iter().any(|&(_, column)| column == wanted);
    let (base, last) = if has(0) { (0, size - 1) } else { (1, size) };
    // If no queen is in the first or last column, the base is ambiguous, and 0 is assumed.
    let is_open = !has(0) && !has(size);
    let (base, last) = if is_open { (0, size - 1) } else { (base, last) };
    if let Some(&(start, column)) = columns.iter().find(|(_, column)| *column > last) {
        let message = format!(
            "expected a column from {base} to {last}, one for each of {size} rows, found `{column}`"
        );
        return Err(error(start, message));
    }
    let queens = columns.iter().enumerate();
    let queens = queens.map(|(row, &(_, column))| row * size + column - base).collect();
    let which = if is_open { ", as no number says otherwise" } else { "" };
    let note = format!("read as the column of the queen in each row, counted from {base}{which}");
    Ok((size, queens, note))
}

/// Reads a FEN with only queens. In each rank `Q` is a queen, and a number counts empty cells. All
/// other fields are ignored.
fn read_fen(number: usize, line: &str) -> Result<(usize, Vec<usize>, String), InputError> {
    let error = |start: usize, message: String| InputError::at(number, line, start, message);
    let mut fields = words(line);
    let (start, ranks) = fields.next().unwrap_or_default();
    let size = ranks.split('/').count();
    if size > MAX_SIZE {
        return Err(error(start, format!("expected at most {MAX_SIZE} ranks, found {size}")));
    }
    let mut queens = Vec::new();
    for (row, rank) in ranks.split('/').enumerate() {
        let at = rank.as_ptr().addr() - line.as_ptr().addr();
        let mut width: usize = 0;
        for part in rank.split_inclusive(|c: char| !c.is_ascii_digit()) {
            let free = part.trim_end_matches(|c: char| !c.is_ascii_digit());
            width =
                width.saturating_add(free.parse().unwrap_or(if free.is_empty() { 0 } else { size }));
            if free.len() < part.len() {
                if width < size {
                    queens.push(row * size + width);
                }
                width += 1;
            }
        }
        if width != size {
            return Err(error(at, format!("expected {size} cells in a rank, found {width}")));
        }
    }
    let rest: Vec<(usize, &str)> = fields.collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_castling = |word: &str| word == "-" || word.bytes().all(|byte| b"KQkq".contains(&byte));
    match rest[..] {
        [] => Ok((size, queens, String::new())),
        [(_, "w" | "b"), (_, castling), (_, passant), ref clocks @ ..]
            if is_castling(castling)
                && passant.len() <= 2
                && clocks.len() <= 2
                && clocks.iter().all(|(_, word)| is_number(word)) =>
        {
            let note = "of the FEN only the queens are read, not the move, castling and clocks";
            Ok((size, queens, note.to_owned()))
        }
        [(start, word), ..] => Err(error(
            start,
            format!("expected the end of the ranks or the fields of a FEN, found `{word}`"),
        )),
    }
}

/// Reads a board: n lines of n cells, the number n alone, a list of columns, or a FEN.
fn read(text: &str) -> Result<Queens, InputError> {
    let mut lines = content_lines(text).peekable();
    let Some(&(number, first)) = lines.peek() else {
        return Err(end_error(text, "a board of `.` and `Q`"));
    };
    if first.len() > LINE_MAX {
        let message = format!("expected a line of at most {LINE_MAX} bytes, found a longer one");
        return Err(InputError::at(number, first, 0, message));
    }
    let is_lone = is_list(first) || is_fen(first);
    if is_lone && let Some((number, line)) = lines.clone().nth(1) {
        let message = format!("expected one line of queens, found another, `{}`", line.trim());
        return Err(InputError::at(number, line, indent(line), message));
    }
    if is_lone {
        let read = if is_fen(first) { read_fen(number, first)? } else { read_list(number, first)? };
        let (size, queens, note) = read;
        return Ok(Queens { note, ..Queens::new(size, &queens, true) });
    }
    if first.trim().bytes().all(|byte| byte.is_ascii_digit()) {
        let (start, word) = words(first).next().unwrap_or((0, first));
        let size = parse_size(word, "a size", MAX_SIZE);
        let size = size.map_err(|message| InputError::at(number, first, start, message))?;
        lines.next();
        if let Some((number, line)) = lines.next() {
            let message = format!("expected nothing behind the size, found `{}`", line.trim());
            return Err(InputError::at(number, line, indent(line), message));
        }
        return Ok(Queens::new(size, &[], true));
    }
    let size = cells(first).count();
    if size > MAX_SIZE {
        let message = format!("expected a board of at most {MAX_SIZE} columns, found {size}");
        return Err(InputError::at(number, first, indent(first), message));
    }
    let mut queens = Vec::new();
    let mut height = 0;
    for (number, line) in lines {
        if height == size {
            let message = format!("expected {size} lines (one per column), found more");
            return Err(InputError::at(number, line, indent(line), message));
        }
        let mut width = 0;
        for (start, cell) in cells(line) {
            let message = match cell {
                _ if width == size => format!("expected {size} cells in a line, found more"),
                QUEEN => {
                    queens.push(height * size + width);
                    String::new()
                }
                FREE => String::new(),
                _ => format!("expected `{FREE}` or `{QUEEN}`, found `{cell}`"),
            };
            if !message.is_empty() {
                return Err(InputError::at(number, line, start, message));
            }
            width += 1;
        }
        if width < size {
            let message = format!("expected {size} cells in a line, found {width}");
            return Err(InputError::at(number, line, line.trim_end().len(), message));
        }
        height += 1;
    }
    if height < size {
        return Err(end_error(text, &format!("{size} lines (one per column)")));
    }
    let is_spaced = first.trim().contains(char::is_whitespace);
    Ok(Queens::new(size, &queens, is_spaced))
}

fn cells(line: &str) -> impl Iterator<Item = (usize, char)> {
    line.char_indices().filter(|(_, c)| !c.is_whitespace())
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_round_trip;

    fn check(text: &str, expected: usize) {
        check_round_trip(text, expected, |text| read(text).unwrap());
    }

    fn check_error(text: &str, expected: &str) {
        assert_eq!(read(text).unwrap_err().to_string(), expected, "{text}");
    }

    #[test]
    fn queens_problems_have_the_known_solution_counts() {
        for (size, count) in
            [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (8, 92), (10, 724), (12, 14200)]
        {
            check(&size.to_string(), count);
        }
    }

    #[test]
    fn queens_on_the_board_are_clues() {
        check("..Q.\n....\n....\n....\n", 1);
        check("Q...\n....\n....\n....\n", 0);
        check("QQ..\n....\n....\n....\n", 0);
        check("# a head\n\n  . . . . . .\r\n. . . Q . .\n......\n......\n......\n......\n", 1);
    }

    #[test]
    fn every_error_in_a_board_of_queens_has_a_position() {
        check_error("", "1:1: expected a board of `.` and `Q`, found the end of the text");
        check_error(" 257", "1:2: expected a size from 1 to 256, found `257`");
        check_error("4\n\n 5\n", "3:2: expected nothing behind the size, found `5`");
        check_error(". Q\n. x\n", "2:3: expected `.` or `Q`, found `x`");
        check_error(". Q\n. . .\n", "2:5: expected 2 cells in a line, found more");
        check_error(". Q\n.\n", "2:2: expected 2 cells in a line, found 1");
        check_error(".Q\n..\n ..\n", "3:2: expected 2 lines (one per column), found more");
        check_error("..Q\n...\n", "3:1: expected 3 lines (one per column), found the end of the text");
        let wide = ".".repeat(257);
        check_error(&wide, "1:1: expected a board of at most 256 columns, found 257");
    }

    #[test]
    fn the_items_of_rows_and_columns_are_ordered_from_the_middle() {
        let order = |size| from_the_middle(size).collect::<Vec<_>>();
        assert_eq!((order(5), order(6)), (vec![2, 1, 3, 0, 4], vec![2, 3, 1, 4, 0, 5]));
    }
}

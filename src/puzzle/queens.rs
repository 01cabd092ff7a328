//! Queens: n queens on a board of n x n cells, none attacking another; some may stand there already.
//!
//! An option puts a queen on row r and column c. It covers
//! - the primary items `r3` and `c5`: every row and every column has one queen;
//! - the secondary items `a8` (r + c, ascending diagonal) and `d-2` (r - c, descending diagonal), if
//!   that diagonal has more than one cell: every diagonal has at most one queen.
//!
//! The primary items come in organ-pipe order, from the middle outwards, rows and columns in turn:
//! among items with equally few options the engine then takes one in the middle, where a queen
//! attacks most. Nodes of `links` over the whole tree, rows and then columns in order -> organ-pipe:
//! n = 8: 1,199 -> 1,049; 10: 16,448 -> 11,578; 12: 327,813 -> 211,716; 13: 1,651,935 -> 1,046,319.
//!
//! Tried and dropped: rows and columns in turn but from the border (332,940 nodes for n = 12).
//!
//! Source: Knuth, TAOCP 7.2.2.1, "the n queens problem" and its organ-pipe order.

use std::sync::Arc;

use dlx::classes::Symmetry;
use dlx::{Entry, ItemId, OptionId, Problem, ProblemBuilder};

use super::{
    Cell, Ink, Kind, Parameter, Picture, Puzzle, PuzzleSource, StepLook, SymmetrySort, TextSource,
    head, parse_size, queen, symmetry,
};
use crate::input::{InputError, content_lines, directive, end_error, words};

/// The greatest size of a board: 65,536 options.
const MAX_SIZE: usize = 256;

const QUEEN: char = 'Q';
const FREE: char = '.';

pub(super) const KIND: Kind = Kind {
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
        is_divided: true,
        recognizes,
        read: |text, _| {
            head::check(text, KIND.name, &[])?;
            Ok(Box::new(read(text)?))
        },
    }),
};

/// A board with its translation.
#[derive(Debug)]
struct Queens {
    size: usize,
    /// Whether blanks stand between the cells of its text.
    is_spaced: bool,
    problem: Arc<Problem>,
    /// The queens that stand there already.
    given: Vec<OptionId>,
}

impl Queens {
    /// Makes the puzzle of a board with queens on `cells`, numbered row by row from 0.
    fn new(size: usize, cells: &[usize], is_spaced: bool) -> Self {
        let given = cells.iter().copied().map(OptionId::new).collect();
        Self { size, is_spaced, problem: Arc::new(translate(size)), given }
    }
}

impl Puzzle for Queens {
    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn option_words(&self, option: OptionId) -> String {
        format!("r{}c{}", option.index() / self.size + 1, option.index() % self.size + 1)
    }

    fn item_words(&self, item: ItemId) -> Option<String> {
        let name = self.problem.item_name(item);
        let line = |letter, words: &str| Some(format!("{words} {}", name.strip_prefix(letter)?));
        line('r', "row").or_else(|| line('c', "column"))
    }

    fn value_words(&self, option: OptionId, item: ItemId) -> String {
        let (row, column) = (option.index() / self.size + 1, option.index() % self.size + 1);
        match self.problem.item_name(item).starts_with('r') {
            true => format!("c{column}"),
            false => format!("r{row}"),
        }
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

    fn picture_beside(&self, cover: &[OptionId], common: &[OptionId]) -> Option<Picture> {
        let mut picture = self.picture(cover)?;
        for option in cover.iter().filter(|option| !common.contains(option)).take(FIELDS_TINTED) {
            picture.tint(option.index() / self.size, option.index() % self.size, Ink::Yellow);
        }
        Some(picture)
    }

    fn picture_of_step(&self, look: &StepLook) -> Option<Picture> {
        let mut picture = self.picture(&look.chosen)?;
        for &(option, ink) in look.options.iter().take(FIELDS_TINTED) {
            picture.tint(option.index() / self.size, option.index() % self.size, ink);
        }
        let used: Vec<Ink> = look.options.iter().map(|(_, ink)| *ink).collect();
        look.tell(&used, &mut picture);
        Some(picture)
    }
}

/// The most fields of a step that get a color.
const FIELDS_TINTED: usize = 1000;

/// Builds the problem of the empty board; option `size * row + column` puts a queen there.
fn translate(size: usize) -> Problem {
    const SOUND: &str = "a board has few enough items, each with a name of its own";
    let mut builder = ProblemBuilder::new();
    let mut rows = vec![ItemId::new(0); size];
    let mut columns = rows.clone();
    for line in from_the_middle(size) {
        rows[line] = builder.primary(&format!("r{}", line + 1)).expect(SOUND);
        columns[line] = builder.primary(&format!("c{}", line + 1)).expect(SOUND);
    }
    // Both kinds of diagonals by number; the first and the last have a single cell.
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

/// Iterates over `0..size`, the middle first and the borders last.
fn from_the_middle(size: usize) -> impl Iterator<Item = usize> {
    (0..size)
        .map(move |k| if k % 2 == 0 { size / 2 + k / 2 } else { size / 2 - k.div_ceil(2) })
        .map(move |line| if size.is_multiple_of(2) { size - 1 - line } else { line })
}

/// Tells whether the text is headed as queens, or draws a board with at least one queen.
fn recognizes(sample: &str) -> bool {
    if let Some(kind) = directive(sample, "puzzle") {
        return kind == KIND.name;
    }
    let is_board_line =
        |(_, line): (usize, &str)| line.chars().all(|c| c == QUEEN || c == FREE || c.is_whitespace());
    content_lines(sample).all(is_board_line) && read(sample).is_ok_and(|board| !board.given.is_empty())
}

/// Reads a board of n lines of n cells, or the number n alone.
fn read(text: &str) -> Result<Queens, InputError> {
    let mut lines = content_lines(text).peekable();
    let Some(&(number, first)) = lines.peek() else {
        return Err(end_error(text, "a board of `.` and `Q`"));
    };
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

/// Iterates over the characters of a line other than blanks, each with the byte where it stands.
fn cells(line: &str) -> impl Iterator<Item = (usize, char)> {
    line.char_indices().filter(|(_, c)| !c.is_whitespace())
}

/// Returns the number of bytes before the first character that is no blank.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::check_round_trip;

    fn check(text: &str, expected: usize) {
        check_round_trip(text, expected, |text| read(text).unwrap());
    }

    fn check_error(text: &str, expected: &str) {
        assert_eq!(read(text).unwrap_err().to_string(), expected, "{text}");
    }

    #[test]
    fn the_known_numbers_of_solutions_are_found() {
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
    fn every_error_names_its_place() {
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
    fn lines_come_from_the_middle() {
        let order = |size| from_the_middle(size).collect::<Vec<_>>();
        assert_eq!((order(5), order(6)), (vec![2, 1, 3, 0, 4], vec![2, 3, 1, 4, 0, 5]));
    }
}

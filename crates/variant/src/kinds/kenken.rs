//! KenKen: a Latin square with cages whose digits have a sum, difference, product or quotient.
//!
//! Digits may repeat in a cage. The clues are the rules `sum`, `difference`, `product` and `ratio`,
//! `any-of` for the digit of a single cell, and `either` for a cage whose operation is to be found.

use super::{BoardDraft, BoardLook, DraftClue, Presentation, read_within};
use crate::Variant;
use grid::Grid;
use puzzle::board_text::{
    GameId, Regions, TextLine, blocks, error_at, region_letter, row_of, write_rows,
};
use puzzle::{HeadKeys, Ink, Kind, Mark, Picture, PuzzleSource, TextSource, undivided};
use text::InputError;

/// The kind.
pub const KIND: Kind = Kind {
    name: "kenken",
    summary: "a Latin square with cages of a sum, difference, product or quotient",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: "AABB\nCADE\nFFEE\nFGGG\n\nA 8+\nB 2-\nC 3\nD 1\nE 32*\nF 12*\nG 6*\n",
        rules: include_str!("kenken.txt"),
        extensions: &["kenken"],
        divider: Some(undivided),
        several: None,
        recognizes: |sample| {
            let has_sign = || sample.contains(|c| "+-*/x\u{d7}\u{f7}".contains(c));
            match GameId::of(sample, &["keen"]) {
                Some(id) => id.is_link,
                None => has_sign() && read(sample).is_ok(),
            }
        },
        head: HeadKeys::Only(&[]),
        read: |text, limits| read_within(read, text, limits),
    }),
};

/// Largest order, since each cell is one digit.
const ORDER_MAX: usize = 9;
/// Largest number of a cage: the product of a cage of ten nines is less.
const NUMBER_MAX: i64 = 10_000_000_000;

/// The operation of a cage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Sum,
    Difference,
    Product,
    Quotient,
    /// The digit of a cage of a single cell, or any operation.
    Any,
    /// No clue.
    None,
}

/// The operations: their letters in a text, the first of which is written, the sign in a picture,
/// and the rule.
const OPERATIONS: [(Operation, &str, &str, &str); 6] = [
    (Operation::Sum, "+", "+", "sum"),
    (Operation::Difference, "-\u{2212}\u{2013}", "\u{2212}", "difference"),
    (Operation::Product, "*xX\u{d7}\u{b7}", "\u{d7}", "product"),
    (Operation::Quotient, "/\u{f7}", "\u{f7}", "ratio"),
    (Operation::Any, "", "", "any-of"),
    (Operation::None, "?", "", ""),
];

impl Operation {
    fn row(self) -> (&'static str, &'static str, &'static str) {
        let row = OPERATIONS.iter().find(|row| row.0 == self);
        row.map_or(("", "", "any-of"), |row| (row.1, row.2, row.3))
    }

    fn of(letter: char) -> Option<Self> {
        OPERATIONS.iter().find(|row| row.1.contains(letter)).map(|row| row.0)
    }
}

#[derive(Debug)]
struct KenKen {
    order: usize,
    cages: Regions,
    /// The number and the operation of each cage.
    clues: Vec<(i64, Operation)>,
}

impl Presentation for KenKen {
    fn write(&self, grid: &Grid, out: &mut String) {
        out.push_str("# puzzle: kenken\n");
        self.cages.write(self.order, out);
        out.push('\n');
        for (letter, (number, operation)) in self.cages.letters.iter().zip(&self.clues) {
            let sign: String = operation.row().0.chars().take(1).collect();
            match operation {
                Operation::None => out.push_str(&format!("{letter} {sign}\n")),
                _ => out.push_str(&format!("{letter} {number}{sign}\n")),
            }
        }
        if !grid.is_empty() {
            out.push('\n');
            let cell =
                |cell| grid.symbol(cell).map_or_else(|| ".".to_owned(), |symbol| self.symbol(symbol));
            write_rows(self.order, self.order, cell, out);
        }
    }

    fn draw(&self, board: &BoardLook<'_>) -> Picture {
        let mut picture = Picture::new();
        board.draw_cells(&mut picture, |symbol| self.symbol(symbol), |cell| self.cages.of_cells[cell]);
        let stated = self.cages.cells.iter().zip(&self.clues);
        for (cells, (number, operation)) in stated.filter(|(_, clue)| clue.1 != Operation::None) {
            let [x, y] = super::center((cells[0] / self.order, cells[0] % self.order));
            let text = format!("{number}{}", operation.row().1);
            picture.over(Mark::text([x - 0.45, y - 0.35], &text, 0.23).fill(Ink::Wall).from_left());
        }
        picture
    }

    fn symbol(&self, symbol: usize) -> String {
        (symbol + 1).to_string()
    }
}

fn read(text: &str) -> Result<Variant, InputError> {
    if let Some(id) = GameId::of(text, &["keen"]) {
        return read_keen(&id);
    }
    let lines: Vec<TextLine<'_>> = blocks(text).concat();
    let order = lines.first().map_or(0, |line| line.cells().len());
    let (drawing, rest) = lines.split_at(order.min(lines.len()));
    let (cages, _) = Regions::read(drawing)?;
    if order == 0 || drawing.len() < order {
        let message =
            "expected rows with the letter of a cage for each cell, found the end of the text";
        return Err(error_at(text, None, message.to_owned()));
    }
    check_order(&lines[0], lines[0].text.trim_start(), order)?;
    if let Some((line, digit)) = drawing
        .iter()
        .flat_map(|line| line.cells().into_iter().map(move |word| (line, word)))
        .find(|(_, word)| !word.starts_with(char::is_alphabetic))
    {
        return Err(line.error(digit, format!("expected the letter of a cage, found `{digit}`")));
    }
    cages.check_connected(drawing, order)?;
    let is_clue = |line: &&TextLine<'_>| line.text.trim_start().starts_with(char::is_alphabetic);
    let count = rest.iter().take_while(is_clue).count();
    let (stated, board) = rest.split_at(count);
    let mut clues = vec![None; cages.letters.len()];
    for line in stated {
        let (cage, number, operation) = read_clue(line, &cages)?;
        if clues[cage].replace((number, operation, *line)).is_some() {
            let message = format!("expected each cage once, found `{}` again", cages.letters[cage]);
            return Err(line.error(line.text.trim_start(), message));
        }
    }
    if let Some(cage) = clues.iter().position(Option::is_none) {
        let message = format!("expected a line such as `{} 6+` for this cage", cages.letters[cage]);
        let line = drawing[cages.cells[cage][0] / order];
        let word = line.cells()[cages.cells[cage][0] % order];
        return Err(line.error(word, message));
    }
    let clues: Vec<(i64, Operation, TextLine<'_>)> = clues.into_iter().flatten().collect();
    let first = lines[0];
    let mut draft = BoardDraft::latin(order).map_err(|message| first.error(first.text, message))?;
    if !board.is_empty() && board.len() != order {
        let at = board[board.len().min(order + 1) - 1];
        let message = format!("expected {order} rows of digits, found {}", board.len());
        return Err(at.error(at.text.trim_start(), message));
    }
    for (row, line) in board.iter().enumerate() {
        for (column, word) in row_of(line, order)?.into_iter().enumerate() {
            if matches!(word, "." | "0" | "_") {
                continue;
            }
            let digit: Option<i32> = text::plain_number(word);
            let message = || format!("expected a digit or `.`, found `{word}`");
            let digit = digit.ok_or_else(|| line.error(word, message()))?;
            let placed = draft.place(row * order + column, digit);
            placed.map_err(|message| line.error(word, message))?;
        }
    }
    for (cells, &(number, operation, line)) in cages.cells.iter().zip(&clues) {
        add(&mut draft, cells, number, operation)
            .map_err(|message| line.error(line.text.trim_start(), message))?;
    }
    let clues = clues.into_iter().map(|(number, operation, _)| (number, operation)).collect();
    let presented = draft.finish(KenKen { order, cages, clues });
    presented.map_err(|message| first.error(first.text, message))
}

fn check_order(line: &TextLine<'_>, word: &str, order: usize) -> Result<(), InputError> {
    match order {
        1..=ORDER_MAX => Ok(()),
        _ => Err(line.error(word, format!("expected an order from 1 to {ORDER_MAX}, found {order}"))),
    }
}

/// Reads a line such as `A 12*`, `A=12x` or `A: *12`.
fn read_clue(line: &TextLine<'_>, cages: &Regions) -> Result<(usize, i64, Operation), InputError> {
    let text = line.text.trim();
    let letter = text.chars().next().unwrap_or_default();
    let cage = cages.letters.iter().position(|&known| known == letter);
    let cage = cage
        .ok_or_else(|| line.error(text, format!("expected the letter of a cage, found `{letter}`")))?;
    let clue = text[letter.len_utf8()..].trim_matches(|c: char| c.is_whitespace() || "=:".contains(c));
    let digits = clue.trim_matches(|c: char| !c.is_ascii_digit());
    let signs: Vec<char> =
        clue.replacen(digits, "", 1).chars().filter(|c| !c.is_whitespace()).collect();
    let number = text::plain_number(digits).filter(|number| (0..=NUMBER_MAX).contains(number));
    let operation = match signs[..] {
        [] => Some(Operation::Any),
        [sign] => Operation::of(sign),
        _ => None,
    };
    if operation == Some(Operation::None) && digits.is_empty() {
        return Ok((cage, 0, Operation::None));
    }
    let operation = operation.filter(|operation| *operation != Operation::None);
    let clue = if clue.is_empty() { text } else { clue };
    number.zip(operation).map(|(number, operation)| (cage, number, operation)).ok_or_else(|| {
        let message = "expected a number with `+`, `-`, `*` or `/`, such as 12*";
        line.error(clue, format!("{message}, found `{clue}`"))
    })
}

/// Adds the clue of a cage.
fn add(
    draft: &mut BoardDraft,
    cells: &[usize],
    number: i64,
    operation: Operation,
) -> Result<(), String> {
    let (_, sign, rule) = operation.row();
    let count = cells.len();
    if operation == Operation::None {
        return Ok(());
    }
    if matches!(operation, Operation::Difference | Operation::Quotient) && count != 2 {
        return Err(format!("expected two cells for the sign `{sign}`, found {count}"));
    }
    let names: Vec<String> = cells.iter().map(|&cell| draft.board().name(cell)).collect();
    let words = format!("the cage {number}{sign} of {}", names.join(" "));
    if operation == Operation::Any && count > 1 {
        let rules = if count == 2 {
            &["sum", "product", "difference", "ratio"][..]
        } else {
            &["sum", "product"]
        };
        let clues: Vec<String> =
            rules.iter().map(|rule| format!("{rule}: {} = {number}", names.join(" "))).collect();
        return draft.clue(DraftClue::of_text("either", None, clues.join(" or ")), words);
    }
    draft.clue(DraftClue::new(rule, cells.to_vec(), vec![number]), words)
}

/// Reads a game ID of Keen. The borders between neighbors come first: those to the right of cells
/// row by row, then those below cells column by column. A letter states how many pairs of
/// neighbors are in the same cage before the next border, `_` none and `z` 25 without a border
/// after them; a number after a letter repeats it. The clues of the cages follow in the order of
/// their first cells.
fn read_keen(id: &GameId<'_>) -> Result<Variant, InputError> {
    let at = |word: &str, message: String| id.line.error(word, message);
    let (order, _) = id.size()?;
    check_order(&id.line, id.parameters, order)?;
    let (borders, mut rest) = id
        .body
        .split_once(',')
        .ok_or_else(|| at(id.body, "expected `,` and the clues after the cages".to_owned()))?;
    let count = 2 * order * (order - 1);
    let mut is_border = Vec::new();
    let mut letters = borders.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        let digits = borders[start + letter.len_utf8()..].find(|c: char| !c.is_ascii_digit());
        let digits = digits.unwrap_or(borders.len() - start - letter.len_utf8());
        let repeats = &borders[start + letter.len_utf8()..][..digits];
        letters.by_ref().take(digits).for_each(drop);
        let repeats = if repeats.is_empty() { Some(1) } else { text::plain_number(repeats) };
        let run = match letter {
            '_' => Some(0),
            'a'..='z' => Some(letter as usize - 'a' as usize + 1),
            _ => None,
        };
        let run = run.zip(repeats).filter(|&(run, repeats): &(usize, usize)| {
            let places = run.min(25) + usize::from(run < 26);
            places.saturating_mul(repeats) <= count + 1 - is_border.len()
        });
        let (run, repeats) = run.ok_or_else(|| {
            let message = format!("expected the borders of cages, {count} places, found `{letter}`");
            at(&borders[start..], message)
        })?;
        for _ in 0..repeats {
            // A `z` is 25 places without a border after them.
            is_border.extend(std::iter::repeat_n(false, run.min(25)));
            is_border.extend((run < 26).then_some(true));
        }
    }
    if is_border.len() != count + 1 {
        let message =
            format!("expected the borders of {count} places, found {}", is_border.len().max(1) - 1);
        return Err(at(borders, message));
    }
    let mut of_cells: Vec<usize> = (0..order * order).collect();
    for (place, _) in is_border[..count].iter().enumerate().filter(|(_, border)| !**border) {
        let (line, step) = ((place % (count / 2)) / (order - 1), place % (order - 1));
        let (one, other) = match place < count / 2 {
            true => (line * order + step, line * order + step + 1),
            false => (step * order + line, (step + 1) * order + line),
        };
        let (from, to) = (of_cells[one].max(of_cells[other]), of_cells[one].min(of_cells[other]));
        of_cells.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
    }
    let mut firsts = of_cells.clone();
    firsts.sort_unstable();
    firsts.dedup();
    let mut cages = Regions {
        letters: (0..firsts.len()).map(region_letter).collect(),
        of_cells: of_cells
            .iter()
            .map(|label| firsts.iter().position(|it| it == label).unwrap_or(0))
            .collect(),
        cells: vec![Vec::new(); firsts.len()],
    };
    for (cell, &cage) in cages.of_cells.iter().enumerate() {
        cages.cells[cage].push(cell);
    }
    let mut draft = BoardDraft::latin(order).map_err(|message| at(id.body, message))?;
    let mut clues = Vec::new();
    for cells in &cages.cells {
        let digits = rest.get(1..).unwrap_or_default();
        let digits = &digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())];
        let operation = match rest.chars().next() {
            Some('a') => Some(Operation::Sum),
            Some('s') => Some(Operation::Difference),
            Some('m') => Some(Operation::Product),
            Some('d') => Some(Operation::Quotient),
            _ => None,
        };
        let operation = if cells.len() == 1 { operation.map(|_| Operation::Any) } else { operation };
        let number = text::plain_number(digits).filter(|number| (0..=NUMBER_MAX).contains(number));
        let (operation, number) = operation.zip(number).ok_or_else(|| {
            at(rest, format!("expected a clue such as a12 for each of {} cages", cages.cells.len()))
        })?;
        add(&mut draft, cells, number, operation).map_err(|message| at(rest, message))?;
        clues.push((number, operation));
        rest = &rest[1 + digits.len()..];
    }
    if !rest.is_empty() {
        return Err(at(rest, format!("expected the end after the clues, found `{rest}`")));
    }
    let presented = draft.finish(KenKen { order, cages, clues });
    presented.map_err(|message| at(id.body, message))
}

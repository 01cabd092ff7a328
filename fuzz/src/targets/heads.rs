//! Heads of grids, with boxes, regions, rules and clues in any order and number. The solutions are
//! compared with the Latin squares of order 4.
//!
//! All statements of a head must hold, so the solutions of a text are exactly the Latin squares
//! that satisfy each statement. A text with contradictory statements may be refused instead.
//! Variants are also written in every foreign format and read again.

use std::sync::LazyLock;

use dlx::engine::Links;
use dlx::{Engine, Limits};
use farandole::stream::{Stream, StreamHints};
use puzzle::Puzzle;
use variant::written_forms;

use super::{Target, noise};
use crate::bytes::Bytes;

pub(super) const TARGET: Target = Target {
    name: "heads",
    summary: "heads of grids and variants against all Latin squares of order 4, and through every form",
    run,
    seeds: noise,
    short_runs: 400,
};

type Square = [i32; 16];

type Holds = Box<dyn Fn(&Square) -> bool>;

static SQUARES: LazyLock<Vec<Square>> = LazyLock::new(|| {
    let mut squares = Vec::new();
    fill(&mut [0; 16], 0, &mut squares);
    squares
});

fn fill(square: &mut Square, cell: usize, squares: &mut Vec<Square>) {
    if cell == 16 {
        squares.push(*square);
        return;
    }
    for digit in 1..=4 {
        let is_new = |other: usize| square[other] != digit;
        if (cell / 4 * 4..cell).all(is_new) && (cell % 4..cell).step_by(4).all(is_new) {
            square[cell] = digit;
            fill(square, cell + 1, squares);
        }
    }
}

/// A statement (a line of a head), with its condition on squares.
struct Statement {
    line: String,
    holds: Holds,
    layout: Option<Layout>,
}

/// A division of the grid into boxes or regions. A division into rows adds no constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    Boxes(&'static str),
    Regions(&'static str),
}

/// Box sizes, each with the box label of every cell.
const BOXES: &[(&str, &str)] = &[
    ("2x2", "1122112233443344"),
    ("none", "1111222233334444"),
    ("4x1", "1111222233334444"),
    ("1x4", "1234123412341234"),
];

/// Divisions into regions of four cells, each with the region label of every cell.
const REGIONS: &[&str] =
    &["1122112233443344", "1112132233243444", "1112122233343444", "1122122314334443"];

/// Returns the condition that cells with the same label have different digits.
fn differ(labels: &'static str) -> Holds {
    let labels = labels.as_bytes();
    Box::new(move |square| {
        pairs().all(|(one, other)| labels[one] != labels[other] || square[one] != square[other])
    })
}

fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..16).flat_map(|one| (0..one).map(move |other| (one, other)))
}

/// A rule that names no cells. The rule has a name, and a function that returns whether two digits
/// may be at the given distance in rows and columns.
type PairRule = (&'static str, fn((usize, usize), (i32, i32)) -> bool);

const RULES: &[PairRule] = &[
    ("anti-knight", |apart, (one, other)| !matches!(apart, (1, 2) | (2, 1)) || one != other),
    ("anti-king", |apart, (one, other)| apart != (1, 1) || one != other),
    ("nonconsecutive", |(rows, columns), (one, other)| rows + columns != 1 || one.abs_diff(other) != 1),
    ("anti-taxicab", |(rows, columns), (one, other)| one != other || rows + columns != one as usize),
];

/// Returns the condition of a rule that names no cells.
fn rule((_, may_stand): PairRule) -> Holds {
    Box::new(move |square| {
        pairs().all(|(one, other)| {
            let apart = ((one / 4).abs_diff(other / 4), (one % 4).abs_diff(other % 4));
            may_stand(apart, (square[one], square[other]))
        })
    })
}

/// A clue rule: its name, its number of cells, whether a number follows the cells, and the
/// condition on the digits.
type ClueRule = (&'static str, usize, bool, fn(&[i32], i32) -> bool);

const CLUES: &[ClueRule] = &[
    ("killer", 3, true, |digits, sum| all_differ(digits) && digits.iter().sum::<i32>() == sum),
    ("sum", 3, true, |digits, sum| digits.iter().sum::<i32>() == sum),
    ("extra", 3, false, |digits, _| all_differ(digits)),
    ("thermo", 3, false, |digits, _| digits.is_sorted_by(|one, next| one < next)),
    ("slow-thermo", 3, false, |digits, _| digits.is_sorted()),
    ("even", 2, false, |digits, _| digits.iter().all(|digit| digit % 2 == 0)),
    ("odd", 2, false, |digits, _| digits.iter().all(|digit| digit % 2 == 1)),
    ("difference", 2, false, |digits, _| digits[0].abs_diff(digits[1]) == 1),
    ("ratio", 2, false, |digits, _| digits[0] == 2 * digits[1] || digits[1] == 2 * digits[0]),
    ("greater", 3, false, |digits, _| digits.is_sorted_by(|one, next| one > next)),
    ("palindrome", 3, false, |digits, _| digits.iter().eq(digits.iter().rev())),
    ("pair-sum", 2, true, |digits, sum| digits[0] + digits[1] == sum),
    ("between", 3, false, |digits, _| {
        let (low, high) = (digits[0].min(digits[2]), digits[0].max(digits[2]));
        (low + 1..high).contains(&digits[1])
    }),
];

fn all_differ(digits: &[i32]) -> bool {
    (0..digits.len()).all(|place| !digits[..place].contains(&digits[place]))
}

fn statement(bytes: &mut Bytes<'_>) -> Statement {
    match bytes.below(8) {
        0 => {
            let (size, labels) = BOXES[bytes.below(BOXES.len())];
            Statement {
                line: format!("# boxes: {size}"),
                holds: differ(labels),
                layout: Some(Layout::Boxes(size)),
            }
        }
        1 => {
            let labels = REGIONS[bytes.below(REGIONS.len())];
            Statement {
                line: format!("# regions: {labels}"),
                holds: differ(labels),
                layout: Some(Layout::Regions(labels)),
            }
        }
        2 => {
            let holds: Holds = Box::new(|square| {
                let diagonal =
                    |cell: fn(usize) -> usize| all_differ(&[0, 1, 2, 3].map(|row| square[cell(row)]));
                diagonal(|row| 5 * row) && diagonal(|row| 3 * row + 3)
            });
            Statement { line: "# rules: diagonals".to_owned(), holds, layout: None }
        }
        3 | 4 => {
            let (one, other) = (RULES[bytes.below(RULES.len())], RULES[bytes.below(RULES.len())]);
            let line = match bytes.below(3) {
                0 => format!("# rules: {}", one.0),
                1 => format!("# rules: {} {}", one.0, other.0),
                _ => format!("# rules: {}, {}", one.0, other.0),
            };
            let (has_other, one, other) = (line.contains(other.0), rule(one), rule(other));
            let holds: Holds = Box::new(move |square| one(square) && (!has_other || other(square)));
            Statement { line, holds, layout: None }
        }
        _ => clue(bytes),
    }
}

fn clue(bytes: &mut Bytes<'_>) -> Statement {
    let (name, count, has_number, holds) = CLUES[bytes.below(CLUES.len())];
    let is_upright = bytes.once_in(2);
    let (along, across) = (bytes.below(5 - count), bytes.below(4));
    let cells: Vec<(usize, usize)> = (along..along + count)
        .map(|along| if is_upright { (along, across) } else { (across, along) })
        .collect();
    let words: Vec<String> =
        cells.iter().map(|(row, column)| format!("r{}c{}", row + 1, column + 1)).collect();
    let number = 3 + bytes.below(5) as i32;
    let value = if has_number { format!(" = {number}") } else { String::new() };
    let line = format!("# {name}: {}{value}", words.join(" "));
    let holds: Holds = Box::new(move |square| {
        let digits: Vec<i32> = cells.iter().map(|(row, column)| square[4 * row + column]).collect();
        holds(&digits, number)
    });
    Statement { line, holds, layout: None }
}

/// Draws a text, counts its solutions, and compares the number with the Latin squares that satisfy
/// all statements.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let mut statements: Vec<Statement> = Vec::new();
    let mut text = if bytes.once_in(2) { "# puzzle: variant\n" } else { "" }.to_owned();
    for _ in 0..1 + bytes.below(4) {
        statements.push(statement(&mut bytes));
    }
    for statement in &statements {
        text += &format!("{}\n", statement.line);
    }
    if bytes.once_in(4) {
        let again = &statements[bytes.below(statements.len())];
        text += &format!("{}\n", again.line);
    }
    let mut digits = [0; 16];
    for _ in 0..bytes.below(3) {
        digits[bytes.below(16)] = 1 + bytes.below(4) as i32;
    }
    for row in digits.chunks(4) {
        text.extend(
            row.iter().map(|digit| if *digit == 0 { '.' } else { char::from(b'0' + *digit as u8) }),
        );
        text.push('\n');
    }
    let mut layouts: Vec<Layout> = statements.iter().filter_map(|statement| statement.layout).collect();
    layouts.dedup();
    if layouts.is_empty() {
        statements.push(Statement { line: String::new(), holds: differ(BOXES[0].1), layout: None });
    }
    let is_right = |square: &&Square| {
        let has_digits = digits.iter().zip(*square).all(|(digit, found)| *digit == 0 || digit == found);
        has_digits && statements.iter().all(|statement| (statement.holds)(square))
    };
    let expected = SQUARES.iter().filter(is_right).count() as u64;
    match read(&text) {
        Err(error) => assert!(layouts.len() > 1, "{error}\n{text}"),
        Ok(puzzle) => {
            assert_eq!(count(puzzle.as_ref()), expected, "\n{text}");
            through_forms(puzzle.as_ref(), expected, &text);
        }
    }
}

fn read(text: &str) -> Result<Box<dyn Puzzle>, String> {
    let stream = Stream::open(std::io::Cursor::new(text.as_bytes().to_vec()), &StreamHints::default());
    let mut stream = stream.map_err(|error| error.to_string())?;
    let puzzle = stream.next().ok_or("no puzzle")?.map_err(|error| error.to_string())?;
    match stream.next() {
        None => Ok(puzzle),
        Some(_) => Err("two puzzles".to_owned()),
    }
}

fn count(puzzle: &dyn Puzzle) -> u64 {
    let report = Links::new(puzzle.problem()).count(puzzle.given(), &Limits::default());
    report.count().expect("nothing is limited")
}

/// Writes a variant in its own format and in every foreign format that can express it, and reads it
/// again.
fn through_forms(puzzle: &dyn Puzzle, expected: u64, text: &str) {
    for form in written_forms().map(|(name, _)| name).chain(["rows"]) {
        let Some(Ok(written)) = puzzle.write_as(form) else { continue };
        let again = read(&written).unwrap_or_else(|error| panic!("{form}: {error}\n{written}\n{text}"));
        assert_eq!(count(again.as_ref()), expected, "{form}:\n{written}\n{text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_576_latin_squares_and_288_sudoku_grids_of_order_4() {
        assert_eq!(SQUARES.len(), 576);
        assert_eq!(SQUARES.iter().filter(|square| differ(BOXES[0].1)(square)).count(), 288);
    }
}

//! Reads and writes the parts of a token: cells, lines, numbers, and tables of pairs.

use super::super::base64::ADDRESS;
use super::super::{NamedClues, clue};
use super::IssToken;
use crate::rules::pairs::pair_base;
use crate::{VariantBoard, args};
use grid::GroupKind;
use text::InputError;

/// Reads the name of a cell, such as `R1C2`. Rows and columns from 10 on are letters.
pub(super) fn cell(board: &VariantBoard, name: &str) -> Result<usize, String> {
    let letters: Vec<char> = name.chars().collect();
    if let ['R', row, 'C', column] = letters[..] {
        let (row, column) = (row.to_digit(36), column.to_digit(36));
        let place = |number: Option<u32>| Some(isize::try_from(number?).ok()? - 1);
        let cell = place(row).zip(place(column)).and_then(|(row, column)| board.cell(row, column));
        if let Some(cell) = cell {
            return Ok(cell);
        }
    }
    // The names of cells outside the grid begin with a V.
    let outside = name.strip_prefix('V').and_then(|name| board.outside_cell(name));
    outside.map_or_else(|| args::cell(board, name), Ok)
}

/// Returns the digit or letter of a row, column or region (from 0).
pub(super) fn number(index: usize) -> char {
    char::from_digit(index as u32 + 1, 36).unwrap_or('*')
}

fn name(board: &VariantBoard, cell: usize) -> String {
    if cell >= board.inside() {
        return format!("V{}", board.name(cell));
    }
    let (row, column) = board.place(cell);
    format!("R{}C{}", number(row), number(column))
}

/// Writes the names of cells, with a tilde before each.
pub(super) fn names(board: &VariantBoard, cells: &[usize]) -> String {
    cells.iter().map(|&cell| format!("~{}", name(board, cell))).collect()
}

pub(super) fn numbers(token: &IssToken<'_>) -> Result<Vec<i64>, InputError> {
    let text = token.args.first().copied().unwrap_or("");
    let numbers: Option<Vec<i64>> = text.split('_').map(|word| word.parse().ok()).collect();
    numbers.ok_or_else(|| token.error(format!("expected numbers, found `{text}`")))
}

/// Reads bits, six per base64 letter, the least significant bit first.
pub(super) fn sextet_bits(text: &str) -> Result<Vec<bool>, String> {
    let mut bits = Vec::new();
    for letter in text.bytes() {
        let value = ADDRESS.sextet(letter);
        let value = value.ok_or_else(|| format!("expected letters of base64, found `{text}`"))?;
        bits.extend((0..6).map(|place| value >> place & 1 == 1));
    }
    Ok(bits)
}

/// Reads a table of pairs of digits, with six bits per letter, the least significant bit first.
pub(super) fn pair_table(board: &VariantBoard, token: &IssToken<'_>) -> Result<Vec<i64>, InputError> {
    let key = token.args.first().copied().unwrap_or("");
    let bits = sextet_bits(key).map_err(|message| token.error(message))?;
    let base = pair_base(board);
    let pairs = board.digits().flat_map(|one| board.digits().map(move |other| (one, other)));
    let listed = pairs.zip(bits).filter(|(_, is_listed)| *is_listed);
    let listed: Vec<i64> =
        listed.map(|((one, other), _)| base * i64::from(one) + i64::from(other)).collect();
    if listed.is_empty() {
        return Err(token.error("expected a table with pairs, found an empty one"));
    }
    Ok(listed)
}

/// Writes a table of pairs of digits, with six bits per letter, the least significant bit first.
pub(super) fn pair_key(board: &VariantBoard, listed: &[i64]) -> String {
    let base = pair_base(board);
    let digits = || board.digits().map(i64::from);
    let bits = digits().flat_map(|one| digits().map(move |other| base * one + other));
    let bits: Vec<bool> = bits.map(|pair| listed.contains(&pair)).collect();
    let sextet = |six: &[bool]| (0..).zip(six).map(|(place, &is_on)| u8::from(is_on) << place).sum();
    let letters: String = bits.chunks(6).map(|six| ADDRESS.letter(sextet(six))).collect();
    letters.trim_end_matches('A').to_owned()
}

/// Returns the groups of cells that follow a table. Empty arguments, or names that begin with an
/// underscore, separate the groups.
pub(super) fn named_groups(
    board: &VariantBoard,
    token: &IssToken<'_>,
) -> Result<Vec<Vec<usize>>, InputError> {
    let words = token.args.iter().skip(1).map(|word| if word.starts_with('_') { "" } else { *word });
    let plain =
        IssToken { line: token.line.clone(), at: token.at, kind: token.kind, args: words.collect() };
    plain.groups(board, 0)
}

/// Returns the cells of a row or column, such as `R3` or `C2`.
pub(super) fn line(
    board: &VariantBoard,
    token: &IssToken<'_>,
    place: usize,
) -> Result<Vec<usize>, InputError> {
    let name = token.args.get(place).copied().unwrap_or("");
    let (rows, columns) = (board.shape.rows(), board.columns());
    let number = |text: &str, most: usize| {
        let letter =
            text.chars().next().filter(|_| text.len() == 1).and_then(|letter| letter.to_digit(36));
        let number = letter.map(|number| number as usize).or_else(|| text.parse().ok());
        number.filter(|number| (1..=most).contains(number))
    };
    let cells: Option<Vec<usize>> = match name.split_at_checked(1) {
        Some(("R", rest)) => number(rest, rows).map(|row: usize| board.row(row - 1)),
        Some(("C", rest)) => number(rest, columns).map(|column: usize| board.column(column - 1)),
        _ => None,
    };
    cells.ok_or_else(|| {
        token.error(format!(
            "expected a row or column from R1 to R{rows} or C1 to C{columns}, found `{name}`"
        ))
    })
}

/// Names a whole row or column; also returns whether the cells start at its far end.
pub(super) fn whole_line(board: &VariantBoard, cells: &[usize]) -> Option<(String, bool)> {
    let reversed: Vec<usize> = cells.iter().rev().copied().collect();
    for (is_back, cells) in [(false, cells), (true, &reversed[..])] {
        let rows = (0..board.shape.rows()).find(|&row| board.row(row) == cells);
        let columns = (0..board.columns()).find(|&column| board.column(column) == cells);
        let line = rows.map(|row| ("R", row)).or(columns.map(|column| ("C", column)));
        if let Some((letter, index)) = line {
            return Some((format!("{letter}{}", number(index)), is_back));
        }
    }
    None
}

/// Returns the pairs of cells that share a side, in the grid and in the groups of cells outside it
/// that the type `Doppelganger` adds. A row of such a group has as many cells as a row of the grid,
/// but in the group for the boxes as many as a row of a box.
pub(super) fn sides(board: &VariantBoard) -> Vec<(usize, usize)> {
    let mut pairs = board.sides();
    let has = |name: &&str| board.outside.iter().any(|(known, _)| known == name);
    if !["DGB", "DGC", "DGR", "DGZ"].iter().all(has) {
        return pairs;
    }
    let mut start = board.inside();
    for (name, count) in &*board.outside {
        let columns = match name.as_str() {
            "DGB" => box_columns(board),
            "DGC" | "DGR" => Some(board.columns()),
            _ => None,
        };
        let cells = columns.into_iter().flat_map(|columns| (0..*count).map(move |at| (at, columns)));
        for (at, columns) in cells {
            let right = ((at + 1) % columns > 0).then_some(at + 1);
            let next = right.into_iter().chain([at + columns]).filter(|next| next < count);
            pairs.extend(next.map(|next| (start + at, start + next)));
        }
        start += count;
    }
    pairs
}

/// Returns the number of columns of a box, if the first region is a rectangle.
fn box_columns(board: &VariantBoard) -> Option<usize> {
    let region = board.shape.groups().iter().find(|group| group.kind == GroupKind::Region)?;
    let [first, .., last] = region.cells[..] else { return None };
    let ((top, left), (bottom, right)) = (board.place(first), board.place(last));
    let columns = (right + 1).checked_sub(left)?;
    (columns * (bottom + 1 - top) == region.cells.len()).then_some(columns)
}

/// Builds a clue for each pair of cells in the token that share a side.
pub(super) fn touching(
    board: &VariantBoard,
    token: &IssToken<'_>,
    name: &'static str,
    value: i64,
) -> Result<NamedClues, InputError> {
    let cells = token.groups(board, 0)?.concat();
    let mut pairs = sides(board);
    pairs.retain(|(one, other)| cells.contains(one) && cells.contains(other));
    let is_lone = |cell: &&usize| pairs.iter().all(|(one, other)| *one != **cell && *other != **cell);
    if cells.is_empty() || cells.iter().any(|cell| is_lone(&cell)) {
        return Err(token.error(format!("expected cells that touch in {}", token.kind)));
    }
    Ok(pairs.into_iter().map(|(one, other)| clue(name, vec![one, other], vec![value])).collect())
}

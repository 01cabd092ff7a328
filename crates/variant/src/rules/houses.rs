//! Rules that apply to the whole grid.

use super::lines::third;
use super::{Args, ClueList};
use crate::board::VariantBoard;
use crate::clue::{Clue, CluePart, Digit, WalkMeaning, are_different};

/// The clue becomes a relation for each pair of adjacent cells.
pub(super) fn nonconsecutive(board: &VariantBoard, _: &Args) -> ClueList {
    let pair = |(one, other)| Clue::of_pairs(&[one, other], [(0, 1)], |a, b| (a - b).abs() != 1);
    board.sides().into_iter().map(pair).collect()
}

/// The clue becomes a relation for the pairs of cells whose distance equals a digit.
pub(super) fn anti_taxicab(board: &VariantBoard, _: &Args) -> ClueList {
    let mut clues = Vec::new();
    for digit in board.digits().filter(|&digit| digit > 0) {
        let far = digit as isize;
        let steps: Vec<_> = (-far..=far)
            .map(|right| (far - right.abs(), right))
            .filter(|&step| step > (0, 0))
            .collect();
        let pair = |(one, other)| {
            Clue::of_pairs(&[one, other], [(0, 1)], move |a, b| a != digit || b != digit)
        };
        for cells in board.pairs(&steps) {
            clues.push(pair(cells)?);
        }
    }
    Ok(clues)
}

/// The cells at the same position within all regions must differ.
pub(super) fn disjoint(board: &VariantBoard, _: &Args) -> ClueList {
    if board.shape.boxes().is_none() {
        return Err("the rule needs boxes, found other regions or none".to_owned());
    }
    let regions: Vec<_> = board.shape.regions().map(|region| region.cells.clone()).collect();
    let group = |place: usize| {
        let cells: Vec<usize> = regions.iter().map(|cells| cells[place]).collect();
        Clue::new(&cells, are_different, vec![CluePart::Differ(cells.clone())])
    };
    let size = regions.first().map_or(0, Vec::len);
    Ok((0..size).map(group).collect())
}

/// For each 2x2 square, the clue becomes an automaton whose state is the set of thirds (low,
/// middle, high) read so far, as bits.
pub(super) fn entropy(board: &VariantBoard, _: &Args) -> ClueList {
    let third = third(board)?;
    squares(board, third)
}

/// For each 2x2 square, the clue becomes an automaton whose state is the set of remainders modulo 3
/// read so far, as bits.
pub(super) fn remainders(board: &VariantBoard, _: &Args) -> ClueList {
    squares(board, |digit| digit.rem_euclid(3))
}

/// For each cell, the clue becomes an automaton. If the cell has the middle digit, the cell above
/// must have the smallest digit or the cell below the largest digit.
pub(super) fn flatmates(board: &VariantBoard, _: &Args) -> ClueList {
    let (least, most) = (*board.digits().start(), *board.digits().end());
    if (least + most) % 2 != 0 {
        return Err(format!(
            "the rule needs a digit in the middle, found digits from {least} to {most}"
        ));
    }
    let middle = (least + most) / 2;
    let clue = |cell: usize| {
        let others = [(board.near(cell, (-1, 0)), least), (board.near(cell, (1, 0)), most)];
        let others: Vec<(usize, Digit)> =
            others.into_iter().filter_map(|(other, digit)| Some((other?, digit))).collect();
        let cells: Vec<usize> =
            std::iter::once(cell).chain(others.iter().map(|(other, _)| *other)).collect();
        let wanted: Vec<Digit> = others.iter().map(|(_, digit)| *digit).collect();
        // Either the cell does not have the middle digit, or one of its neighbors has the required
        // digit.
        let free = board.digits().filter(|&digit| digit != middle).collect();
        let kind = std::iter::once(free).chain(wanted.iter().map(|&digit| vec![digit])).collect();
        let of_test = wanted.clone();
        // State 1 means that the required neighbor was not found yet.
        Clue::of_walk(
            &cells,
            move |digits| {
                digits[0] != middle || digits[1..].iter().zip(&of_test).any(|(one, other)| one == other)
            },
            move |step, state, digit| {
                Some(match step {
                    0 => i64::from(digit == middle),
                    _ if digit == wanted[step - 1] => 0,
                    _ => state,
                })
            },
            |state| state == 0,
        )
        .meaning(&WalkMeaning::EachOf(vec![kind]))
    };
    Ok((0..board.inside()).map(clue).collect())
}

/// Builds an automaton for each 2x2 square, whose state is the set of classes read so far, out of
/// three, as bits.
fn squares(
    board: &VariantBoard,
    third: impl Fn(Digit) -> Digit + Clone + Send + Sync + 'static,
) -> ClueList {
    let mut clues = Vec::new();
    let of_class = |class: Digit| board.digits().filter(|&digit| third(digit) == class).collect();
    let kinds = (0..3).map(|class| vec![of_class(class); 4]).collect();
    let meaning = WalkMeaning::EachOf(kinds);
    for (one, below) in board.pairs(&[(1, 1)]) {
        let cells = [one, one + 1, below - 1, below];
        let (of_step, of_test) = (third.clone(), third.clone());
        let clue = Clue::of_walk(
            &cells,
            move |digits| (0..3).all(|class| digits.iter().any(|&digit| of_test(digit) == class)),
            move |_, state, digit| Some(state | 1 << of_step(digit)),
            |state| state == 7,
        );
        clues.push(clue.meaning(&meaning));
    }
    Ok(clues)
}

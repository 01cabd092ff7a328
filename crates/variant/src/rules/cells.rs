//! Rules of single cells, and of cells whose digit repeats or refers to another cell.

use super::{Args, ClueList};
use crate::board::VariantBoard;
use crate::clue::{Clue, CluePart, Digit};
use crate::sketch::Sketch;
use puzzle::Ink;

fn only(args: &Args, is_right: impl Fn(Digit) -> bool + Clone + Send + Sync + 'static) -> ClueList {
    let cells = &args.groups[0];
    let parts = cells.iter().map(|&cell| CluePart::Only(cell, Box::new(is_right.clone()))).collect();
    Ok(vec![Clue::new(cells, move |digits| digits.iter().all(|&digit| is_right(digit)), parts)])
}

pub(super) fn even(_: &VariantBoard, args: &Args) -> ClueList {
    only(args, |digit| digit % 2 == 0)
}

pub(super) fn odd(_: &VariantBoard, args: &Args) -> ClueList {
    only(args, |digit| digit % 2 != 0)
}

pub(super) fn low(board: &VariantBoard, args: &Args) -> ClueList {
    let (least, most) = (*board.digits().start(), *board.digits().end());
    only(args, move |digit| 2 * digit < least + most)
}

pub(super) fn high(board: &VariantBoard, args: &Args) -> ClueList {
    let (least, most) = (*board.digits().start(), *board.digits().end());
    only(args, move |digit| 2 * digit > least + most)
}

pub(super) fn any_of(_: &VariantBoard, args: &Args) -> ClueList {
    let named = args.values.clone();
    only(args, move |digit| named.contains(&i64::from(digit)))
}

/// The clue becomes equal digits for each pair of cells at the same index of two groups.
pub(super) fn clone(_: &VariantBoard, args: &Args) -> ClueList {
    let (first, others) = args.groups.split_first().expect("at least two groups");
    let clue = |other: &Vec<usize>| {
        if other.len() != first.len() {
            return Err(format!("expected {} cells in each group, found {}", first.len(), other.len()));
        }
        let cells = [&first[..], other].concat();
        let pairs: Vec<_> = (0..first.len()).map(|place| (place, first.len() + place)).collect();
        Clue::of_pairs(&cells, pairs, |one, other| one == other)
    };
    others.iter().map(clue).collect()
}

/// For each digit d, the clue requires: the cell has d exactly when the cell in column d of its row
/// has the number of the cell's column.
pub(super) fn index_column(board: &VariantBoard, args: &Args) -> ClueList {
    index(board, args, |board, cell, place| {
        let (row, column) = board.place(cell);
        (board.cell(row as isize, place), column)
    })
}

/// For each digit d, the clue requires: the cell has d exactly when the cell in row d of its column
/// has the number of the cell's row.
pub(super) fn index_row(board: &VariantBoard, args: &Args) -> ClueList {
    index(board, args, |board, cell, place| {
        let (row, column) = board.place(cell);
        (board.cell(place, column as isize), row)
    })
}

fn index(
    board: &VariantBoard,
    args: &Args,
    named: fn(&VariantBoard, usize, isize) -> (Option<usize>, usize),
) -> ClueList {
    board.check_inside(&args.groups[0])?;
    let mut clues = Vec::new();
    for &cell in &args.groups[0] {
        for digit in board.digits() {
            let (other, number) = named(board, cell, digit as isize - 1);
            let number = number as Digit + 1;
            let Some(other) = other else {
                // The digit refers to a cell outside the grid, so exclude the digit.
                let is_right = move |own: Digit| own != digit;
                let part = CluePart::Only(cell, Box::new(is_right));
                clues.push(Clue::new(&[cell], move |digits| is_right(digits[0]), vec![part]));
                continue;
            };
            clues.push(if other == cell {
                // A cell that refers to itself has the required number by definition.
                let is_right = move |own: Digit| own != digit || own == number;
                Clue::new(
                    &[cell],
                    move |digits| is_right(digits[0]),
                    vec![CluePart::Only(cell, Box::new(is_right))],
                )
            } else {
                Clue::of_pairs(&[cell, other], [(0, 1)], move |own, there| {
                    (own == digit) == (there == number)
                })?
            });
        }
    }
    Ok(clues)
}

/// Draws the groups as cages with the same letter. If the cells are not in grid order, each cell
/// also has a number.
pub(super) fn draw_clone(sketch: &mut Sketch<'_>, args: &Args) {
    let letter = sketch.letter();
    let is_ordered = args.groups.iter().all(|cells| cells.is_sorted());
    for cells in &args.groups {
        sketch.shade(cells, Ink::Shade);
        let label = if is_ordered { letter.to_string() } else { String::new() };
        sketch.cage(cells, Ink::Muted, false, &label);
        for (number, &cell) in (1..).zip(cells).filter(|_| !is_ordered) {
            sketch.label(cell, &format!("{letter}{number}"));
        }
    }
    sketch.cage_key(Ink::Muted, "A");
}

pub(super) fn draw_even(sketch: &mut Sketch<'_>, args: &Args) {
    args.groups[0].iter().for_each(|&cell| sketch.symbol(cell, true));
}

pub(super) fn draw_odd(sketch: &mut Sketch<'_>, args: &Args) {
    args.groups[0].iter().for_each(|&cell| sketch.symbol(cell, false));
}

pub(super) fn draw_low(sketch: &mut Sketch<'_>, args: &Args) {
    args.groups[0].iter().for_each(|&cell| sketch.square(cell, 0.4, (0.5, 1.0), Ink::Blue));
    sketch.shade_key(Ink::Blue, (0.5, 1.0));
}

pub(super) fn draw_high(sketch: &mut Sketch<'_>, args: &Args) {
    args.groups[0].iter().for_each(|&cell| sketch.square(cell, 0.4, (0.0, 0.5), Ink::Orange));
    sketch.shade_key(Ink::Orange, (0.0, 0.5));
}

pub(super) fn draw_any_of(sketch: &mut Sketch<'_>, args: &Args) {
    args.groups[0].iter().for_each(|&cell| sketch.candidates(cell, &args.values));
}

pub(super) fn draw_index_column(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.shade(&args.groups[0], Ink::Pink);
    sketch.shade_key(Ink::Pink, (0.0, 1.0));
}

pub(super) fn draw_index_row(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.shade(&args.groups[0], Ink::Teal);
    sketch.shade_key(Ink::Teal, (0.0, 1.0));
}

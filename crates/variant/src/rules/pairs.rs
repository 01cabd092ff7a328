//! Rules about pairs of cells: dots, X and V, and inequalities.

use super::{Args, ClueList};
use crate::board::VariantBoard;
use crate::clue::{Clue, Digit, neighbors};
use crate::sketch::Sketch;
use puzzle::Ink;

fn each(
    args: &Args,
    relation: impl Fn(Digit, Digit) -> bool + Clone + Send + Sync + 'static,
) -> ClueList {
    let cells = &args.groups[0];
    Ok(vec![Clue::of_pairs(cells, neighbors(cells.len(), 1), relation)?])
}

pub(super) fn difference(_: &VariantBoard, args: &Args) -> ClueList {
    let by = args.values[0];
    each(args, move |one, next| i64::from((one - next).abs()) == by)
}

pub(super) fn ratio(_: &VariantBoard, args: &Args) -> ClueList {
    let times = args.values[0];
    each(args, move |one, next| {
        let (one, next) = (i64::from(one), i64::from(next));
        one == times * next || next == times * one
    })
}

pub(super) fn sum(_: &VariantBoard, args: &Args) -> ClueList {
    let sum = args.values[0];
    each(args, move |one, next| i64::from(one + next) == sum)
}

pub(super) fn no_difference(_: &VariantBoard, args: &Args) -> ClueList {
    let by = args.values[0];
    each(args, move |one, next| i64::from((one - next).abs()) != by)
}

pub(super) fn no_ratio(_: &VariantBoard, args: &Args) -> ClueList {
    let times = args.values[0];
    each(args, move |one, next| {
        let (one, next) = (i64::from(one), i64::from(next));
        one != times * next && next != times * one
    })
}

pub(super) fn no_sum(_: &VariantBoard, args: &Args) -> ClueList {
    let sum = args.values[0];
    each(args, move |one, next| i64::from(one + next) != sum)
}

pub(super) fn greater(_: &VariantBoard, args: &Args) -> ClueList {
    each(args, |one, next| one > next)
}

pub(super) fn minimum(board: &VariantBoard, args: &Args) -> ClueList {
    extremes(board, args, |cell, other| cell < other)
}

pub(super) fn maximum(board: &VariantBoard, args: &Args) -> ClueList {
    extremes(board, args, |cell, other| cell > other)
}

fn extremes(board: &VariantBoard, args: &Args, relation: fn(Digit, Digit) -> bool) -> ClueList {
    let all = &args.groups[0];
    board.check_inside(all)?;
    let clue = |&cell: &usize| {
        let steps = [(-1, 0), (1, 0), (0, -1), (0, 1)];
        let sides = steps.into_iter().filter_map(|step| board.near(cell, step));
        // Adjacent marked cells do not constrain each other.
        let others = sides.filter(|other| !all.contains(other));
        let cells: Vec<usize> = std::iter::once(cell).chain(others).collect();
        Clue::of_pairs(&cells, (1..cells.len()).map(|place| (0, place)), relation)
    };
    all.iter().map(clue).collect()
}

fn unusual(args: &Args, usual: i64) -> String {
    args.values.first().filter(|value| **value != usual).map_or(String::new(), ToString::to_string)
}

pub(super) fn draw_difference(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.dots(&args.groups[0], false, &unusual(args, 1));
}

pub(super) fn draw_ratio(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.dots(&args.groups[0], true, &unusual(args, 2));
}

fn sum_sign(args: &Args) -> String {
    match args.values[0] {
        5 => "V".to_owned(),
        10 => "X".to_owned(),
        sum => sum.to_string(),
    }
}

pub(super) fn draw_sum(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.signs(&args.groups[0], &sum_sign(args));
}

pub(super) fn draw_no_difference(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.refused_dots(&args.groups[0], false, &unusual(args, 1));
}

pub(super) fn draw_no_ratio(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.refused_dots(&args.groups[0], true, &unusual(args, 2));
}

pub(super) fn draw_no_sum(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.refused_signs(&args.groups[0], &sum_sign(args));
}

pub(super) fn draw_listed(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.lettered_line(&args.groups, Ink::Gray, false, &super::numbers(&args.values));
}

/// Draws a frame around the line, because the clue is about all cells and not only neighbors.
pub(super) fn draw_all_listed(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.frame(&args.groups[0], Ink::Gray, "");
    draw_listed(sketch, args);
}

pub(super) fn draw_greater(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.greater(&args.groups[0]);
}

pub(super) fn draw_minimum(sketch: &mut Sketch<'_>, args: &Args) {
    args.groups[0].iter().for_each(|&cell| sketch.extreme(cell, true));
}

pub(super) fn draw_maximum(sketch: &mut Sketch<'_>, args: &Args) {
    args.groups[0].iter().for_each(|&cell| sketch.extreme(cell, false));
}

pub(super) fn listed(board: &VariantBoard, args: &Args) -> ClueList {
    list(board, args, 1)
}

pub(super) fn all_listed(board: &VariantBoard, args: &Args) -> ClueList {
    list(board, args, args.groups[0].len())
}

/// Returns the factor of the first digit when two digits are written as one number.
pub(crate) fn pair_base(board: &VariantBoard) -> i64 {
    if *board.digits().end() > 9 { 100 } else { 10 }
}

fn list(board: &VariantBoard, args: &Args, reach: usize) -> ClueList {
    let (cells, base, listed) = (&args.groups[0], pair_base(board), args.values.clone());
    let is_digit = |value: i64| board.digits().any(|digit| i64::from(digit) == value);
    if let Some(wrong) = listed.iter().find(|&&pair| !is_digit(pair / base) || !is_digit(pair % base)) {
        return Err(format!("expected pairs of digits such as {}, found {wrong}", base + 2));
    }
    let is_listed =
        move |one: Digit, next: Digit| listed.contains(&(i64::from(one) * base + i64::from(next)));
    Ok(vec![Clue::of_pairs(cells, neighbors(cells.len(), reach), is_listed)?])
}

//! Rules about sums and sets of digits: killer cages, arrows, quadruples, extra regions.

use super::{Args, ClueList};
use crate::board::VariantBoard;
use crate::clue::{Automaton, Clue, CluePart, Digit, WalkMeaning, are_different};
use crate::sketch::{NumberFrame, Sketch};
use puzzle::{Ink, Mark};

/// Largest number of digits to translate a cage as a set. With more digits, a cage becomes a sum
/// and pairwise differences.
const SET_MAX: usize = 16;

fn total(digits: &[Digit]) -> i64 {
    digits.iter().copied().map(i64::from).sum()
}

/// The clue becomes a set of digits with the given sum. With nine digits, a cage has at most 12
/// such sets.
pub(super) fn killer(board: &VariantBoard, args: &Args) -> ClueList {
    let cells = args.groups[0].clone();
    if cells.len() > board.order() {
        return Err(format!(
            "expected at most {} cells that differ, found {}",
            board.order(),
            cells.len()
        ));
    }
    let sum = args.values.first().copied();
    let is_right =
        move |digits: &[Digit]| are_different(digits) && sum.is_none_or(|sum| total(digits) == sum);
    let parts = if board.order() <= SET_MAX {
        vec![CluePart::Set(
            cells.clone(),
            Box::new(move |digits| sum.is_none_or(|sum| total(digits) == sum)),
        )]
    } else {
        let sum = sum.map(|sum| CluePart::Sum(vec![(cells.clone(), 1)], sum));
        [Some(CluePart::Differ(cells.clone())), sum].into_iter().flatten().collect()
    };
    Ok(vec![Clue::new(&cells, is_right, parts)])
}

pub(super) fn sum(_: &VariantBoard, args: &Args) -> ClueList {
    let (cells, sum) = (&args.groups[0], args.values[0]);
    let parts = vec![CluePart::Sum(vec![(cells.clone(), 1)], sum)];
    Ok(vec![Clue::new(cells, move |digits| total(digits) == sum, parts)])
}

/// The clue becomes an automaton whose state is the product so far, which divides the number.
pub(super) fn product(_: &VariantBoard, args: &Args) -> ClueList {
    let (cells, product) = (&args.groups[0], args.values[0]);
    let step = move |_, state: i64, digit: Digit| match (product, state * i64::from(digit)) {
        // Every digit may follow a zero.
        (0, after) => Some(i64::from(after != 0)),
        (_, 0) => None,
        (_, after) => (product % after == 0).then_some(after),
    };
    let walk = Automaton {
        starts: vec![1],
        step: Box::new(step),
        is_end: Box::new(move |state| state == product),
        meaning: None,
    };
    let is_right = move |digits: &[Digit]| {
        let factors = digits.iter().map(|&digit| i64::from(digit));
        factors.map(Some).reduce(|one, other| one?.checked_mul(other?)).flatten() == Some(product)
    };
    Ok(vec![Clue::new(cells, is_right, vec![CluePart::Automaton(cells.clone(), walk)])])
}

/// The clue becomes a sum with a factor for each cell.
pub(super) fn weighted_sum(_: &VariantBoard, args: &Args) -> ClueList {
    // Sums of 4096 terms with such factors stay far below 2^63. The place values of a word with
    // seven letters are as large as this.
    const FACTOR_MAX: i64 = 1_000_000;
    let (cells, sum) = (&args.groups[0], args.values[0]);
    let factors = args.values[1..].to_vec();
    if factors.len() != cells.len() {
        let found = factors.len();
        return Err(format!("expected the sum and {} factors, one a cell, found {found}", cells.len()));
    }
    if let Some(factor) = factors.iter().find(|factor| factor.abs() > FACTOR_MAX) {
        return Err(format!("expected factors up to {FACTOR_MAX}, found {factor}"));
    }
    let terms = cells.iter().zip(&factors).map(|(&cell, &factor)| (vec![cell], factor)).collect();
    let is_right = move |digits: &[Digit]| {
        digits.iter().zip(&factors).map(|(&digit, factor)| i64::from(digit) * factor).sum::<i64>()
            == sum
    };
    Ok(vec![Clue::new(cells, is_right, vec![CluePart::Sum(terms, sum)])])
}

/// For each group except the first, the clue requires that its sum minus the sum of the first group
/// is 0.
pub(super) fn equal_sums(_: &VariantBoard, args: &Args) -> ClueList {
    let (first, others) = args.groups.split_first().expect("at least two groups");
    let clue = |other: &Vec<usize>| {
        let (cells, split) = ([&first[..], other].concat(), first.len());
        let parts = vec![CluePart::Sum(vec![(first.clone(), 1), (other.clone(), -1)], 0)];
        Clue::new(&cells, move |digits| total(&digits[..split]) == total(&digits[split..]), parts)
    };
    Ok(others.iter().map(clue).collect())
}

/// The clue becomes the sum of the shaft minus the number in the circle, which must be 0.
pub(super) fn arrow(board: &VariantBoard, args: &Args) -> ClueList {
    let (circle, shaft) = (&args.groups[0], &args.groups[1]);
    if circle.len() > 3 {
        return Err(format!("expected a circle of one to three cells, found {}", circle.len()));
    }
    if board.digits().end() > &9 && circle.len() > 1 {
        return Err("expected a circle of one cell where digits are greater than 9".to_owned());
    }
    let mut circle = circle.clone();
    circle.sort_unstable();
    let (cells, split) = ([&shaft[..], &circle].concat(), shaft.len());
    let places = (0..circle.len() as u32).rev().map(|place| -(10_i64.pow(place)));
    let number = circle.iter().zip(places).map(|(&cell, factor)| (vec![cell], factor));
    let parts = vec![CluePart::Sum(std::iter::once((shaft.clone(), 1)).chain(number).collect(), 0)];
    let is_right = move |digits: &[Digit]| {
        let number = digits[split..].iter().fold(0, |number, &digit| 10 * number + i64::from(digit));
        total(&digits[..split]) == number
    };
    Ok(vec![Clue::new(&cells, is_right, parts)])
}

/// The clue becomes the sum of the inner cells minus the sum of the two ends, which must be 0.
pub(super) fn double_arrow(_: &VariantBoard, args: &Args) -> ClueList {
    let cells = &args.groups[0];
    let last = cells.len() - 1;
    let terms = vec![(cells[1..last].to_vec(), 1), (vec![cells[0]], -1), (vec![cells[last]], -1)];
    let is_right = move |digits: &[Digit]| total(&digits[1..last]) == total(&[digits[0], digits[last]]);
    Ok(vec![Clue::new(cells, is_right, vec![CluePart::Sum(terms, 0)])])
}

/// The clue becomes an automaton whose state is the set of the named digits found so far, as bits.
pub(super) fn quadruple(board: &VariantBoard, args: &Args) -> ClueList {
    let (cells, named) = (&args.groups[0], args.values.clone());
    if named.len() > cells.len() {
        return Err(format!("expected at most {} digits, found {}", cells.len(), named.len()));
    }
    let is_digit = |value: &i64| board.digits().any(|digit| i64::from(digit) == *value);
    if let Some(value) = named.iter().find(|value| !is_digit(value)) {
        return Err(format!(
            "expected digits from {} to {}, found {value}",
            board.first,
            board.digits().end()
        ));
    }
    let all = named.clone();
    let count = named.len();
    let is_once = (1..count).all(|place| !named[..place].contains(&named[place]));
    let kinds = named.iter().map(|&digit| vec![vec![digit as Digit]; cells.len()]).collect();
    let clue = Clue::of_walk(
        cells,
        move |digits| {
            let often = |value: i64, list: &mut dyn Iterator<Item = i64>| {
                list.filter(|&other| other == value).count()
            };
            all.iter().all(|&value| {
                often(value, &mut digits.iter().copied().map(i64::from))
                    >= often(value, &mut all.iter().copied())
            })
        },
        move |_, state, digit| {
            let open =
                (0..count).find(|&place| state >> place & 1 == 0 && named[place] == i64::from(digit));
            Some(open.map_or(state, |place| state | 1 << place))
        },
        move |state| state == (1 << count) - 1,
    );
    Ok(vec![if is_once { clue.meaning(&WalkMeaning::EachOf(kinds)) } else { clue }])
}

/// The clue requires different digits. If there are as many cells as digits, the cells contain
/// every digit.
pub(super) fn extra(board: &VariantBoard, args: &Args) -> ClueList {
    let cells = &args.groups[0];
    if cells.len() > board.order() {
        return Err(format!(
            "expected at most {} cells that differ, found {}",
            board.order(),
            cells.len()
        ));
    }
    Ok(vec![Clue::new(cells, are_different, vec![CluePart::Differ(cells.clone())])])
}

pub(super) fn draw_killer(sketch: &mut Sketch<'_>, args: &Args) {
    let sum = args.values.first().map_or(String::new(), ToString::to_string);
    sketch.cage(&args.groups[0], Ink::Wall, true, &sum);
}

/// For a diagonal, draws a number with an arrow outside the grid. For other cells, draws a cage.
pub(super) fn draw_sum(sketch: &mut Sketch<'_>, args: &Args) {
    let sum = args.values[0].to_string();
    let is_outside = sketch.is_diagonal(&args.groups[0]);
    if !is_outside || !sketch.outside(&args.groups[0], &sum, NumberFrame::None) {
        sketch.cage(&args.groups[0], Ink::Answer, false, &sum);
        sketch.cage_key(Ink::Answer, "n");
    }
}

pub(super) fn draw_product(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.cage(&args.groups[0], Ink::Answer, false, &format!("{}\u{d7}", args.values[0]));
    sketch.cage_key(Ink::Answer, "n\u{d7}");
}

pub(super) fn draw_equal_sums(sketch: &mut Sketch<'_>, args: &Args) {
    let letter = format!("={}", sketch.letter());
    args.groups.iter().for_each(|cells| sketch.cage(cells, Ink::Answer, false, &letter));
    sketch.cage_key(Ink::Answer, "=A");
}

pub(super) fn draw_arrow(sketch: &mut Sketch<'_>, args: &Args) {
    let (circle, shaft) = (&args.groups[0], &args.groups[1]);
    let near = |cell: &&usize| sketch.distance(**cell, shaft[0]);
    let from = circle.iter().min_by_key(near).copied().into_iter();
    sketch.pill(circle);
    sketch.arrow_through(&from.chain(shaft.iter().copied()).collect::<Vec<_>>());
}

pub(super) fn draw_double_arrow(sketch: &mut Sketch<'_>, args: &Args) {
    let cells = &args.groups[0];
    sketch.between_pills(cells);
    let end = |x: f64| Mark::circle([x, 0.0], 0.25).stroke(Ink::Muted, 0.06);
    let line = Mark::line(vec![[-0.1, 0.0], [0.3, 0.0]]).stroke(Ink::Muted, 0.06);
    sketch.key(vec![end(-0.35), line, end(0.55)]);
}

pub(super) fn draw_quadruple(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.at_corner(&args.groups[0], &args.values);
}

/// Labels the clue with its sum, and each cell with its factor.
pub(super) fn draw_weighted_sum(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.cage(&args.groups[0], Ink::Muted, false, &format!("={}", args.values[0]));
    for (&cell, &factor) in args.groups[0].iter().zip(&args.values[1..]) {
        sketch.label(cell, &format!("\u{d7}{factor}"));
    }
    sketch.cage_key(Ink::Muted, "=n");
}

pub(super) fn draw_extra(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.shade(&args.groups[0], Ink::Shade);
    sketch.cage(&args.groups[0], Ink::Gray, false, "");
    sketch.shade_key(Ink::Shade, (0.0, 1.0));
}

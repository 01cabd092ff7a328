//! Rules of lines: thermometers, whispers, renban, palindromes and similar rules.

use super::{Args, ClueList};
use crate::automaton::{STATES_MAX, any_of};
use crate::board::VariantBoard;
use crate::clue::{
    Automaton, Clue, CluePart, DeferredPart, Digit, WalkMeaning, are_different, neighbors,
};
use crate::sketch::Sketch;
use puzzle::{Ink, Mark};

fn chain(
    args: &Args,
    reach: usize,
    relation: impl Fn(Digit, Digit) -> bool + Clone + Send + Sync + 'static,
) -> ClueList {
    let cells = &args.groups[0];
    Ok(vec![Clue::of_pairs(cells, neighbors(cells.len(), reach), relation)?])
}

pub(super) fn thermo(_: &VariantBoard, args: &Args) -> ClueList {
    chain(args, 1, |one, next| one < next)
}

pub(super) fn slow_thermo(_: &VariantBoard, args: &Args) -> ClueList {
    chain(args, 1, |one, next| one <= next)
}

pub(super) fn whisper(_: &VariantBoard, args: &Args) -> ClueList {
    let least = args.values[0];
    chain(args, 1, move |one, next| i64::from((one - next).abs()) >= least)
}

/// The clue becomes a set of consecutive digits, with one option per lowest digit.
pub(super) fn renban(board: &VariantBoard, args: &Args) -> ClueList {
    let cells = &args.groups[0];
    if cells.len() > board.order() {
        return Err(format!("expected at most {} cells, found {}", board.order(), cells.len()));
    }
    let is_run = |digits: &[Digit]| {
        let span = digits.iter().max().zip(digits.iter().min()).map_or(0, |(most, least)| most - least);
        span as usize + 1 == digits.len()
    };
    let parts = vec![CluePart::Set(cells.clone(), Box::new(is_run))];
    Ok(vec![Clue::new(cells, move |digits| are_different(digits) && is_run(digits), parts)])
}

pub(super) fn nabner(_: &VariantBoard, args: &Args) -> ClueList {
    chain(args, args.groups[0].len(), |one, next| (one - next).abs() > 1)
}

/// The clue becomes equal digits for each pair of cells at equal distance from the two ends.
pub(super) fn palindrome(_: &VariantBoard, args: &Args) -> ClueList {
    let cells = &args.groups[0];
    let pairs = (0..cells.len() / 2).map(|place| (place, cells.len() - 1 - place));
    Ok(vec![Clue::of_pairs(cells, pairs, |one, other| one == other)?])
}

/// For each inner cell, the clue becomes an automaton that reads both ends and then the cell.
pub(super) fn between(_: &VariantBoard, args: &Args) -> ClueList {
    ends(args, |low, high, digit| low < digit && digit < high, 0)
}

/// For each inner cell, the clue becomes an automaton that reads both ends and then the cell.
pub(super) fn lockout(_: &VariantBoard, args: &Args) -> ClueList {
    let apart = args.values[0];
    ends(args, |low, high, digit| digit < low || high < digit, apart)
}

/// Builds a clue for a line whose ends differ by at least `apart`. `is_right(lesser end, greater
/// end, digit)` must hold for each inner digit.
fn ends(
    args: &Args,
    is_right: impl Fn(Digit, Digit, Digit) -> bool + Copy + Send + Sync + 'static,
    apart: i64,
) -> ClueList {
    const SHIFT: i64 = 1 << 16;
    let (first, rest) = args.groups[0].split_first().expect("three cells at least");
    let (last, inner) = rest.split_last().expect("three cells at least");
    let cells = [&[*first, *last], inner].concat();
    Ok(vec![Clue::of_walk(
        &cells,
        move |digits| {
            let (low, high) = (digits[0].min(digits[1]), digits[0].max(digits[1]));
            i64::from(high - low) >= apart
                && digits[2..].iter().all(|&digit| is_right(low, high, digit))
        },
        move |step, state, digit| match step {
            0 => Some(i64::from(digit)),
            1 => {
                let (low, high) = (state.min(i64::from(digit)), state.max(i64::from(digit)));
                (high - low >= apart).then_some(low + SHIFT * high)
            }
            _ => {
                let (low, high) = (state.rem_euclid(SHIFT) as Digit, state.div_euclid(SHIFT) as Digit);
                is_right(low, high, digit).then_some(state)
            }
        },
        |_| true,
    )])
}

pub(super) fn modular(_: &VariantBoard, args: &Args) -> ClueList {
    let count = args.values[0];
    if !(2..=64).contains(&count) {
        return Err(format!("expected a number from 2 to 64, found {count}"));
    }
    chain(args, count as usize - 1, move |one, next| {
        i64::from(one).rem_euclid(count) != i64::from(next).rem_euclid(count)
    })
}

pub(super) fn entropic(board: &VariantBoard, args: &Args) -> ClueList {
    let third = third(board)?;
    chain(args, 2, move |one, next| third(one) != third(next))
}

pub(super) fn third(board: &VariantBoard) -> Result<impl Fn(Digit) -> Digit + Clone + use<>, String> {
    let (first, order) = (board.first, board.order() as Digit);
    if order % 3 != 0 {
        return Err(format!("the rule needs an order that 3 divides, found order {order}"));
    }
    Ok(move |digit: Digit| (digit - first) / (order / 3))
}

/// For each segment except the first, the clue requires that its sum minus the sum of the first
/// segment is 0.
pub(super) fn region_sum(board: &VariantBoard, args: &Args) -> ClueList {
    let regions = board.shape.region_of_cells();
    if regions.is_empty() {
        return Err("the rule needs regions, found rows and columns only".to_owned());
    }
    let groups: Vec<Vec<usize>> = args.groups[0]
        .chunk_by(|&one, &next| regions[one] == regions[next])
        .map(<[usize]>::to_vec)
        .collect();
    if groups.len() < 2 {
        return Ok(Vec::new());
    }
    super::cages::equal_sums(board, &Args { groups, values: Vec::new(), ..Args::default() })
}

/// The clue becomes an automaton whose state is the sum of the current run.
pub(super) fn sum_line(_: &VariantBoard, args: &Args) -> ClueList {
    let sum = args.values[0];
    let add = move |state: i64, digit: Digit| {
        let after = state + i64::from(digit);
        (after <= sum).then_some(if after == sum { 0 } else { after })
    };
    Ok(vec![
        Clue::of_walk(
            &args.groups[0],
            move |digits| {
                let mut run = 0;
                for &digit in digits {
                    run += i64::from(digit);
                    match run.cmp(&sum) {
                        std::cmp::Ordering::Less => {}
                        std::cmp::Ordering::Equal => run = 0,
                        std::cmp::Ordering::Greater => return false,
                    }
                }
                run == 0
            },
            move |_, state, digit| add(state, digit),
            |state| state == 0,
        )
        .meaning(&WalkMeaning::Runs(sum, false)),
    ])
}

/// The clue becomes alternatives, one for each possible sum of the cells at the end of the loop
/// that belong to the same run as the first cell. Each alternative is an automaton that starts with
/// this sum. Its state is the sum of the current run, and whether a run has ended.
pub(super) fn sum_loop(board: &VariantBoard, args: &Args) -> ClueList {
    const SUM_MAX: i64 = 100;
    let (cells, sum) = (&args.groups[0], args.values[0]);
    if !(1..=SUM_MAX).contains(&sum) {
        return Err(format!("expected a sum from 1 to {SUM_MAX}, found {sum}"));
    }
    let part = DeferredPart::new(cells.clone(), WalkMeaning::Runs(sum, true), {
        let (board, cells) = (board.clone(), cells.clone());
        move || any_of(&board, (0..sum).map(|far| vec![loop_part(&cells, sum, far)]).collect())
    });
    // If the automaton can have too many states, it is built now, so that the clue is refused.
    let states = 2 * sum * sum * cells.len() as i64;
    let part = if states <= STATES_MAX as i64 { CluePart::Deferred(part) } else { part.to_part()? };
    let is_right = move |digits: &[Digit]| {
        let len = digits.len();
        (0..len).any(|start| {
            let mut run = 0;
            let fits = (0..len).all(|step| {
                run = if run == sum { 0 } else { run } + i64::from(digits[(start + step) % len]);
                run <= sum
            });
            fits && run == sum
        })
    };
    Ok(vec![Clue::new(cells, is_right, vec![part])])
}

/// Builds the automaton of a loop whose last `far` units of digits belong to the run of the first
/// cell.
fn loop_part(cells: &[usize], sum: i64, far: i64) -> CluePart {
    let step = move |_, state: i64, digit: Digit| {
        let after = state / 2 + i64::from(digit);
        let (rest, has_ended) = if after == sum { (0, 1) } else { (after, state % 2) };
        (after <= sum).then_some(2 * rest + has_ended)
    };
    let is_end = Box::new(move |state| state == 2 * far + 1);
    CluePart::Automaton(
        cells.to_vec(),
        Automaton { starts: vec![2 * far], step: Box::new(step), is_end, meaning: None },
    )
}

/// For each pair of cells, the clue requires that its sum minus the sum of the middle pair or cell
/// is 0.
pub(super) fn zipper(board: &VariantBoard, args: &Args) -> ClueList {
    let cells = &args.groups[0];
    let len = cells.len();
    let mut groups: Vec<Vec<usize>> =
        (0..len / 2).rev().map(|place| vec![cells[place], cells[len - 1 - place]]).collect();
    if len % 2 == 1 {
        groups.insert(0, vec![cells[len / 2]]);
    }
    if groups.len() < 2 {
        return Ok(Vec::new());
    }
    super::cages::equal_sums(board, &Args { groups, values: Vec::new(), ..Args::default() })
}

pub(super) fn draw_thermo(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.thermometer(&args.groups[0], false);
}

pub(super) fn draw_slow_thermo(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.thermometer(&args.groups[0], true);
    let bulb = |radius: f64, ink| Mark::circle([-0.3, 0.0], radius).fill(ink);
    let line = |width: f64, ink| Mark::line(vec![[-0.3, 0.0], [0.5, 0.0]]).stroke(ink, width);
    let outside = vec![line(0.4, Ink::Gray), bulb(0.36, Ink::Gray)];
    sketch.key([outside, vec![line(0.2, Ink::Paper), bulb(0.26, Ink::Paper)]].concat());
}

/// Draws a line in an ink, with its number and the name of the rule.
fn draw(sketch: &mut Sketch<'_>, args: &Args, ink: Ink) -> f64 {
    let width = sketch.line(&args.groups[0], ink, 0.2);
    sketch.number(args);
    sketch.name(Some(ink));
    width
}

pub(super) fn draw_whisper(sketch: &mut Sketch<'_>, args: &Args) {
    draw(sketch, args, Ink::Green);
}

pub(super) fn draw_renban(sketch: &mut Sketch<'_>, args: &Args) {
    draw(sketch, args, Ink::Purple);
}

pub(super) fn draw_nabner(sketch: &mut Sketch<'_>, args: &Args) {
    draw(sketch, args, Ink::Yellow);
}

pub(super) fn draw_palindrome(sketch: &mut Sketch<'_>, args: &Args) {
    draw(sketch, args, Ink::Gray);
}

pub(super) fn draw_between(sketch: &mut Sketch<'_>, args: &Args) {
    let width = sketch.line(&args.groups[0], Ink::Gray, 0.12);
    for end in [args.groups[0].first(), args.groups[0].last()].into_iter().flatten() {
        sketch.circle(*end, 0.39, Ink::Gray, Ink::Muted, width);
    }
    let end = |x: f64| Mark::circle([x, 0.0], 0.25).fill(Ink::Gray).stroke(Ink::Muted, 0.06);
    let line = Mark::line(vec![[-0.3, 0.0], [0.5, 0.0]]).stroke(Ink::Gray, 0.14);
    sketch.key(vec![line, end(-0.35), end(0.55)]);
}

pub(super) fn draw_lockout(sketch: &mut Sketch<'_>, args: &Args) {
    let width = sketch.line(&args.groups[0], Ink::Pink, 0.12);
    for end in [args.groups[0].first(), args.groups[0].last()].into_iter().flatten() {
        sketch.diamond(*end, 0.44, Ink::Pink, width);
    }
    sketch.number(args);
    let corners = [[0.0, -0.35], [0.35, 0.0], [0.0, 0.35], [-0.35, 0.0]].to_vec();
    sketch.key(vec![Mark::polygon(corners).fill(Ink::Paper).stroke(Ink::Pink, 0.12)]);
}

pub(super) fn draw_modular(sketch: &mut Sketch<'_>, args: &Args) {
    draw(sketch, args, Ink::Teal);
}

pub(super) fn draw_entropic(sketch: &mut Sketch<'_>, args: &Args) {
    draw(sketch, args, Ink::Orange);
}

pub(super) fn draw_region_sum(sketch: &mut Sketch<'_>, args: &Args) {
    draw(sketch, args, Ink::Blue);
}

pub(super) fn draw_sum_loop(sketch: &mut Sketch<'_>, args: &Args) {
    let closed: Vec<usize> = args.groups[0].iter().chain(args.groups[0].first()).copied().collect();
    sketch.line(&closed, Ink::Red, 0.2);
    sketch.number(args);
    sketch.name(Some(Ink::Red));
}

pub(super) fn draw_sum_line(sketch: &mut Sketch<'_>, args: &Args) {
    let cells = &args.groups[0];
    let width = sketch.line(cells, Ink::Red, 0.2);
    for end in [cells[0], cells[cells.len() - 1]] {
        sketch.circle(end, 0.17, Ink::Red, Ink::Red, width);
    }
    sketch.number(args);
    let dot = |x: f64| Mark::circle([x, 0.0], 0.25).fill(Ink::Red);
    let line = Mark::line(vec![[-0.35, 0.0], [0.55, 0.0]]).stroke(Ink::Red, 0.25);
    sketch.key(vec![line, dot(-0.35), dot(0.55)]);
}

pub(super) fn draw_zipper(sketch: &mut Sketch<'_>, args: &Args) {
    let width = draw(sketch, args, Ink::Pink);
    let cells = &args.groups[0];
    if cells.len() % 2 == 1 {
        sketch.diamond(cells[cells.len() / 2], 0.4, Ink::Pink, width);
    }
}

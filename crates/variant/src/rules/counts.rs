//! Rules about how often digits occur, and about sets of digits.

use super::{Args, ClueList};
use crate::board::VariantBoard;
use crate::clue::{Automaton, Clue, CluePart, Digit, WalkMeaning, are_different};
use crate::sketch::Sketch;
use puzzle::{Ink, Mark};

/// Maximum number of digits that are stored as a bit set in a state, or as a set in a part.
const DIGITS_MAX: usize = 16;

fn check_digits(board: &VariantBoard) -> Result<(), String> {
    if board.order() > DIGITS_MAX {
        return Err(format!("the rule is for at most {DIGITS_MAX} digits, found {}", board.order()));
    }
    Ok(())
}

fn often(digits: &[Digit], digit: Digit) -> i64 {
    digits.iter().filter(|&&other| other == digit).count() as i64
}

/// Returns the bit for a count. Counts outside 0 to 127 have no bit.
fn often_bit(count: i64) -> u128 {
    if (0..128).contains(&count) { 1 << count } else { 0 }
}

/// The clue becomes the count of each named digit.
pub(super) fn counts(board: &VariantBoard, args: &Args) -> ClueList {
    let (cells, values) = (&args.groups[0], &args.values);
    if !values.len().is_multiple_of(2) {
        return Err(format!("expected a number and a digit in turns, found {} numbers", values.len()));
    }
    let pairs: Vec<(i64, Digit)> = values
        .chunks_exact(2)
        .map(|pair| {
            let digit = board.digits().find(|&digit| i64::from(digit) == pair[1]);
            let digit = digit.ok_or_else(|| {
                format!(
                    "expected digits from {} to {}, found {}",
                    board.first,
                    board.digits().end(),
                    pair[1]
                )
            });
            digit.map(|digit| (pair[0], digit))
        })
        .collect::<Result<_, _>>()?;
    let part = |&(count, digit): &(i64, Digit)| CluePart::Often(cells.clone(), digit, often_bit(count));
    let parts = pairs.iter().map(part).collect();
    let is_right =
        move |digits: &[Digit]| pairs.iter().all(|&(count, digit)| often(digits, digit) == count);
    Ok(vec![Clue::new(cells, is_right, parts)])
}

/// The clue requires for each digit that it occurs either as often as its own value says, or not at
/// all.
pub(super) fn counting_circles(board: &VariantBoard, args: &Args) -> ClueList {
    let cells = &args.groups[0];
    let part = |digit: Digit| CluePart::Often(cells.clone(), digit, 1 | often_bit(i64::from(digit)));
    let is_right =
        |digits: &[Digit]| digits.iter().all(|&digit| often(digits, digit) == i64::from(digit));
    Ok(vec![Clue::new(cells, is_right, board.digits().map(part).collect())])
}

/// For each group except the first and for each digit, the clue becomes an automaton whose state is
/// the difference between the counts of the digit in both groups.
pub(super) fn same_digits(board: &VariantBoard, args: &Args) -> ClueList {
    let (first, others) = args.groups.split_first().expect("at least two groups");
    let split = first.len();
    let clue = |other: &Vec<usize>| {
        if other.len() != split {
            return Err(format!("expected {split} cells in each group, found {}", other.len()));
        }
        let cells = [&first[..], other].concat();
        let part = |wanted: Digit| {
            let step = move |step: usize, more: i64, digit: Digit| {
                let by = if step < split { 1 } else { -1 };
                let after = more + if digit == wanted { by } else { 0 };
                (after >= 0).then_some(after)
            };
            let walk = Automaton {
                starts: vec![0],
                step: Box::new(step),
                is_end: Box::new(|more| more == 0),
                meaning: None,
            };
            CluePart::Automaton(cells.clone(), walk)
        };
        let parts = board.digits().map(part).collect();
        let is_right = move |digits: &[Digit]| {
            let (mut one, mut other) = (digits[..split].to_vec(), digits[split..].to_vec());
            one.sort_unstable();
            other.sort_unstable();
            one == other
        };
        Ok(Clue::new(&cells, is_right, parts))
    };
    others.iter().map(clue).collect()
}

/// The clue becomes an automaton whose state is the set of digits found so far, as bits, and which
/// reads the cell with the count last.
pub(super) fn count_distinct(board: &VariantBoard, args: &Args) -> ClueList {
    /// The state of the automaton after a correct count.
    const RIGHT: i64 = -1;
    check_digits(board)?;
    let [control] = args.groups[0][..] else {
        return Err(format!("expected one cell before `/`, found {}", args.groups[0].len()));
    };
    let cells = [&args.groups[1][..], &[control]].concat();
    let (last, first) = (cells.len() - 1, board.first);
    Ok(vec![Clue::of_walk(
        &cells,
        move |digits| {
            let mut seen = digits[..last].to_vec();
            seen.sort_unstable();
            seen.dedup();
            seen.len() as i64 == i64::from(digits[last])
        },
        move |step, seen, digit| {
            if step < last {
                return Some(seen | 1 << (digit - first));
            }
            (i64::from(seen.count_ones()) == i64::from(digit)).then_some(RIGHT)
        },
        |state| state == RIGHT,
    )])
}

/// The clue becomes a set of digits without a subset that has the given sum.
pub(super) fn rellik(board: &VariantBoard, args: &Args) -> ClueList {
    let sum = args.values[0];
    let has_part = move |digits: &[Digit]| {
        (1_u32..1 << digits.len()).any(|chosen| {
            let part = digits.iter().enumerate().filter(|(place, _)| chosen >> place & 1 == 1);
            part.map(|(_, &digit)| i64::from(digit)).sum::<i64>() == sum
        })
    };
    // A second, independent implementation that collects all partial sums.
    let reaches = move |digits: &[Digit]| {
        let mut sums = std::collections::BTreeSet::new();
        for &digit in digits {
            let digit = i64::from(digit);
            let more: Vec<i64> = sums.iter().map(|sum| sum + digit).chain([digit]).collect();
            sums.extend(more);
        }
        sums.contains(&sum)
    };
    cage(board, args, move |digits| !has_part(digits), move |digits| !reaches(digits))
}

/// The clue becomes a set of digits with as many even as odd digits, and as many low as high
/// digits.
pub(super) fn equality(board: &VariantBoard, args: &Args) -> ClueList {
    let (least, most) = (*board.digits().start(), *board.digits().end());
    let is_right = move |digits: &[Digit]| {
        let count = |is: &dyn Fn(Digit) -> bool| digits.iter().filter(|&&digit| is(digit)).count();
        2 * count(&|digit| digit % 2 == 0) == digits.len()
            && 2 * count(&|digit| 2 * digit < least + most) == digits.len()
            && 2 * count(&|digit| 2 * digit > least + most) == digits.len()
    };
    cage(board, args, is_right, is_right)
}

/// Builds a clue whose cells differ, with separate predicates for its test and its translation.
fn cage(
    board: &VariantBoard,
    args: &Args,
    holds: impl Fn(&[Digit]) -> bool + Send + Sync + 'static,
    is_set: impl Fn(&[Digit]) -> bool + Send + Sync + 'static,
) -> ClueList {
    check_digits(board)?;
    let cells = &args.groups[0];
    if cells.len() > board.order() {
        return Err(format!("expected at most {} cells, found {}", board.order(), cells.len()));
    }
    let parts = vec![CluePart::Set(cells.clone(), Box::new(is_set))];
    Ok(vec![Clue::new(cells, move |digits| are_different(digits) && holds(digits), parts)])
}

/// The clue becomes several automata. Each automaton fixes the smallest and the largest digit of
/// the cells, and then works like the rule `sandwich`. In addition, the cells differ.
pub(super) fn lunchbox(board: &VariantBoard, args: &Args) -> ClueList {
    /// Which of the two ends were read so far: neither, the smallest digit, the largest digit, or
    /// both.
    const PHASES: i64 = 4;
    const SUMS: i64 = 1 << 20;
    let (cells, sum) = (&args.groups[0], args.values[0]);
    if !(0..SUMS).contains(&sum) {
        return Err(format!("expected a sum from 0 to {}, found {sum}", SUMS - 1));
    }
    if cells.len() > board.order() {
        return Err(format!("expected at most {} cells, found {}", board.order(), cells.len()));
    }
    let digits: Vec<Digit> = board.digits().collect();
    let ends: Vec<(Digit, Digit)> = digits
        .iter()
        .flat_map(|&low| digits.iter().filter(move |&&high| high > low).map(move |&high| (low, high)))
        .collect();
    let starts = (0..ends.len() as i64).map(|pair| pair * PHASES * SUMS).collect();
    let step = move |_, state: i64, digit: Digit| {
        let (pair, phase, inside) = (state / SUMS / PHASES, state / SUMS % PHASES, state % SUMS);
        let (low, high) = ends[pair as usize];
        let to = |phase: i64, inside: i64| Some((pair * PHASES + phase) * SUMS + inside);
        match phase {
            0 if digit == low => to(1, 0),
            0 if digit == high => to(2, 0),
            1 if digit == high => (inside == sum).then(|| to(3, 0))?,
            2 if digit == low => (inside == sum).then(|| to(3, 0))?,
            _ if digit <= low || digit >= high => None,
            1 | 2 => {
                (inside + i64::from(digit) <= sum).then(|| to(phase, inside + i64::from(digit)))?
            }
            _ => to(phase, 0),
        }
    };
    let is_end = |state: i64| state / SUMS % PHASES == 3;
    let meaning = Some(WalkMeaning::SumBetween(None, sum));
    let walk = Automaton { starts, step: Box::new(step), is_end: Box::new(is_end), meaning };
    let is_right = move |digits: &[Digit]| {
        let place = |digit: Option<&Digit>| digits.iter().position(|other| Some(other) == digit);
        let ends = place(digits.iter().min()).zip(place(digits.iter().max()));
        let Some((one, other)) = ends.map(|(one, other)| (one.min(other), one.max(other))) else {
            return false;
        };
        let inside = digits.get(one + 1..other).unwrap_or(&[]);
        are_different(digits)
            && one < other
            && inside.iter().copied().map(i64::from).sum::<i64>() == sum
    };
    let parts = vec![CluePart::Differ(cells.clone()), CluePart::Automaton(cells.clone(), walk)];
    Ok(vec![Clue::new(cells, is_right, parts)])
}

/// Crosses out the sum, since no digits may have it.
pub(super) fn draw_rellik(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.cage(&args.groups[0], Ink::Crimson, true, "");
    if let Some(&first) = args.groups[0].iter().min() {
        sketch.refused_label(first, &args.values[0].to_string());
    }
    let cage = Mark::polygon(vec![[-0.45, -0.45], [0.45, -0.45], [0.45, 0.45], [-0.45, 0.45]]);
    let number = Mark::text([0.0, 0.0], "n", 0.5).fill(Ink::Wall);
    let stroke = Mark::line(vec![[-0.25, 0.12], [0.25, -0.12]]).stroke(Ink::Crimson, 0.07);
    sketch.key(vec![cage.stroke(Ink::Crimson, 0.06).dashed(0.18, 0.12), number, stroke]);
}

/// The label stands for even and odd, of which there are equally many.
pub(super) fn draw_equality(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.frame(&args.groups[0], Ink::Green, "E=O");
    sketch.frame_key(Ink::Green, "=");
}

/// The bars are those of a sandwich, since the clue is a sandwich inside the grid.
pub(super) fn draw_lunchbox(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.barred_line(&args.groups[0], Ink::Yellow);
    sketch.number(args);
    let line = Mark::line(vec![[-0.45, 0.0], [0.65, 0.0]]).stroke(Ink::Yellow, 0.3);
    let bar = |x: f64| Mark::line(vec![[x, -0.36], [x, 0.36]]).stroke(Ink::Muted, 0.1);
    sketch.key(vec![line, bar(-0.45), bar(0.65)]);
}

/// The label `#3=2` means that there are two digits 3.
pub(super) fn draw_counts(sketch: &mut Sketch<'_>, args: &Args) {
    /// Number of digits that a label has room for.
    const SHOWN_MAX: usize = 2;
    let shown = args.values.chunks_exact(2).map(|pair| format!("#{}={}", pair[1], pair[0]));
    let label = match args.values.len() / 2 {
        ..=SHOWN_MAX => shown.collect::<Vec<_>>().join(" "),
        _ => sketch.explain(&super::numbers(&args.values), true),
    };
    sketch.frame(&args.groups[0], Ink::Orange, &label);
    sketch.frame_key(Ink::Orange, "#");
}

/// A number sign precedes the letter in the picture of the counting cell.
pub(super) fn draw_count_distinct(sketch: &mut Sketch<'_>, args: &Args) {
    let letter = sketch.letter();
    args.groups[0].iter().for_each(|&cell| sketch.pill(&[cell]));
    sketch.frame(&args.groups[1], Ink::Blue, &letter);
    if let Some(&first) = args.groups[0].iter().min() {
        sketch.label(first, &format!("#{letter}"));
    }
    sketch.frame_key(Ink::Blue, "A");
}

pub(super) fn draw_same_digits(sketch: &mut Sketch<'_>, args: &Args) {
    let letter = sketch.letter();
    args.groups.iter().for_each(|cells| sketch.frame(cells, Ink::Purple, &letter));
    sketch.frame_key(Ink::Purple, "A");
}

/// The braces stand for a set.
pub(super) fn draw_same_set(sketch: &mut Sketch<'_>, args: &Args) {
    let label = format!("{{{}}}", sketch.letter());
    args.groups.iter().for_each(|cells| sketch.frame(cells, Ink::Pink, &label));
    sketch.frame_key(Ink::Pink, "{A}");
}

pub(super) fn draw_circles(sketch: &mut Sketch<'_>, args: &Args) {
    args.groups[0].iter().for_each(|&cell| sketch.pill(&[cell]));
    sketch.key(vec![Mark::circle([0.0, 0.0], 0.4).stroke(Ink::Muted, 0.06)]);
}

/// The clue requires that all groups have the same set of digits.
pub(super) fn same_set(board: &VariantBoard, args: &Args) -> ClueList {
    let size = args.groups[0].len();
    if let Some(other) = args.groups.iter().find(|cells| cells.len() != size) {
        return Err(format!("expected {size} cells in each group, found {}", other.len()));
    }
    if size > board.order() {
        return Err(format!("expected at most {} cells, found {size}", board.order()));
    }
    let is_right = move |digits: &[Digit]| {
        let set = |digits: &[Digit]| digits.iter().copied().collect::<std::collections::BTreeSet<_>>();
        let first = set(&digits[..size]);
        digits.chunks(size).all(|group| are_different(group) && set(group) == first)
    };
    let parts = vec![CluePart::SameSets(args.groups.clone())];
    Ok(vec![Clue::new(&args.groups.concat(), is_right, parts)])
}

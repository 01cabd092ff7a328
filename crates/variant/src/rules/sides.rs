//! Rules about a row or column with a number outside the grid: sandwiches, X-sums, skyscrapers,
//! numbered rooms.

use super::{Args, ClueList};
use crate::board::VariantBoard;
use crate::clue::{Clue, Digit, WalkMeaning};
use crate::sketch::{NumberFrame, Sketch};
use puzzle::{Ink, Mark};

/// The clue becomes an automaton whose state is whether the first end was read, then the sum since
/// that end. If the digits differ, the state also has the number of cells since, and values that
/// different digits cannot reach or complete are excluded.
pub(super) fn sandwich(board: &VariantBoard, args: &Args) -> ClueList {
    /// The states before the first end and after the second end.
    const BEFORE: i64 = 0;
    const BEHIND: i64 = -1;
    /// Exceeds the number of different digits, and so the number of counted cells plus one.
    const SHIFT: i64 = 1 << 8;
    let (least, most, sum) = (*board.digits().start(), *board.digits().end(), args.values[0]);
    // The least and the greatest sum of `count` different digits between the ends.
    let between = i64::from(most - least) - 1;
    let smallest = move |count: i64| count * (2 * i64::from(least) + count + 1) / 2;
    let greatest = move |count: i64| count * (2 * i64::from(most) - count - 1) / 2;
    let reaches = move |count: i64, sum: i64| (smallest(count)..=greatest(count)).contains(&sum);
    let can_be = move |count: i64, so_far: i64| {
        let is_whole = |all: i64| reaches(all, sum) && reaches(all - count, sum - so_far);
        reaches(count, so_far) && (count..=between).any(is_whole)
    };
    let differ = board.are_together(&args.groups[0]);
    let is_crust = move |digit: Digit| digit == least || digit == most;
    let clue = Clue::of_walk(
        &args.groups[0],
        move |digits| {
            let mut crusts = digits.iter().enumerate().filter(|&(_, &digit)| is_crust(digit));
            let (Some((one, _)), Some((other, _)), None) =
                (crusts.next(), crusts.next(), crusts.next())
            else {
                return false;
            };
            digits[one + 1..other].iter().copied().map(i64::from).sum::<i64>() == sum
        },
        // Between the ends, the low bits of the state are the number of counted cells plus one, and
        // the high bits the sum. Equal digits are not counted: there may be any number of them.
        move |_, state, digit| match (state, is_crust(digit)) {
            (BEFORE, true) => Some(1),
            (BEFORE | BEHIND, false) => Some(state),
            (BEHIND, true) => None,
            (inside, true) => (inside / SHIFT == sum).then_some(BEHIND),
            (inside, false) => {
                let (count, so_far) = (inside % SHIFT, inside / SHIFT + i64::from(digit));
                match differ {
                    true => can_be(count, so_far).then_some(so_far * SHIFT + count + 1),
                    false => (so_far <= sum).then_some(so_far * SHIFT + 1),
                }
            }
        },
        |state| state == BEHIND,
    );
    let meaning = WalkMeaning::SumBetween(Some([least, most]), sum);
    Ok(vec![if differ && least < most { clue.meaning(&meaning) } else { clue }])
}

/// The clue becomes an automaton whose state is the part of the sum that is missing, and the number
/// of cells to be added.
pub(super) fn x_sum(board: &VariantBoard, args: &Args) -> ClueList {
    const SHIFT: i64 = 1 << 8;
    let (sum, len) = (args.values[0], args.groups[0].len() as i64);
    let clue = Clue::of_walk(
        &args.groups[0],
        move |digits| {
            let count = usize::try_from(digits[0]).unwrap_or(0);
            (1..=digits.len()).contains(&count)
                && digits[..count].iter().copied().map(i64::from).sum::<i64>() == sum
        },
        move |step, state, digit| {
            let digit = i64::from(digit);
            let (count, left) = match step {
                0 if (1..=len).contains(&digit) => (digit, sum),
                0 => return None,
                // State -1 means that all cells of the sum were added.
                _ if state == -1 => return Some(state),
                _ => (state % SHIFT, state / SHIFT),
            };
            let left = left - digit;
            match count {
                1 => (left == 0).then_some(-1),
                _ => (left >= 0).then_some(left * SHIFT + count - 1),
            }
        },
        |state| state == -1,
    );
    let differ = board.are_together(&args.groups[0]);
    Ok(vec![if differ { clue.meaning(&WalkMeaning::SumOfFirst(sum)) } else { clue }])
}

/// The clue becomes an automaton whose state is the greatest digit so far and the number of visible
/// digits. Digits below 1 are not visible. If all digits differ, the greatest of k digits is at
/// least k.
pub(super) fn skyscraper(board: &VariantBoard, args: &Args) -> ClueList {
    const SHIFT: i64 = 1 << 8;
    let (seen, below) = (args.values[0], i64::from(board.first.max(1)) - 1);
    let differ = board.are_together(&args.groups[0]);
    // Number of digits that are not visible.
    let flat = (1 - i64::from(board.first)).max(0);
    Ok(vec![Clue::of_walk(
        &args.groups[0],
        move |digits| {
            let is_seen = |place: &usize| {
                digits[*place] > 0 && digits[..*place].iter().all(|&before| before < digits[*place])
            };
            (0..digits.len()).filter(is_seen).count() as i64 == seen
        },
        move |place, state, digit| {
            let (most, count) = (state / SHIFT, state % SHIFT);
            let height = i64::from(digit) - below;
            let after = if height > most { (height, count + 1) } else { (most, count) };
            let is_possible =
                !differ || (height != most || height <= 0) && after.0 + flat > place as i64;
            (is_possible && after.1 <= seen).then_some(after.0 * SHIFT + after.1)
        },
        move |state| state % SHIFT == seen,
    )])
}

/// The clue becomes an automaton whose state is the distance to the cell that the first digit
/// refers to.
pub(super) fn numbered_room(_: &VariantBoard, args: &Args) -> ClueList {
    let (value, len) = (args.values[0], args.groups[0].len() as i64);
    Ok(vec![Clue::of_walk(
        &args.groups[0],
        move |digits| {
            let place = usize::try_from(digits[0] - 1).ok().and_then(|place| digits.get(place));
            place.is_some_and(|&digit| i64::from(digit) == value)
        },
        move |step, state, digit| {
            let digit = i64::from(digit);
            let left = if step == 0 {
                if !(1..=len).contains(&digit) {
                    return None;
                }
                digit
            } else {
                state
            };
            match left {
                // State 0 means that the required digit was found.
                0 => Some(0),
                1 => (digit == value).then_some(0),
                _ => Some(left - 1),
            }
        },
        |state| state == 0,
    )])
}

/// Draws a number outside the grid, in the frame of its rule. For cells that are not a whole line,
/// draws the number in the first cell, with a line through the cells.
pub(super) fn draw_side(
    sketch: &mut Sketch<'_>,
    args: &Args,
    frame: NumberFrame,
    shown: impl Fn(&str) -> String,
) {
    let number = args.values[0].to_string();
    if !sketch.outside(&args.groups[0], &shown(&number), frame) {
        sketch.number_inside(&args.groups[0], &shown(&number), frame);
    }
    sketch.number_key(&shown("n"), frame);
}

pub(super) fn draw_sandwich(sketch: &mut Sketch<'_>, args: &Args) {
    draw_side(sketch, args, NumberFrame::Bars, str::to_owned);
}

pub(super) fn draw_x_sum(sketch: &mut Sketch<'_>, args: &Args) {
    draw_side(sketch, args, NumberFrame::Circle, str::to_owned);
}

pub(super) fn draw_skyscraper(sketch: &mut Sketch<'_>, args: &Args) {
    draw_side(sketch, args, NumberFrame::House, str::to_owned);
}

pub(super) fn draw_hidden_skyscraper(sketch: &mut Sketch<'_>, args: &Args) {
    draw_side(sketch, args, NumberFrame::DashedHouse, str::to_owned);
}

pub(super) fn draw_numbered_room(sketch: &mut Sketch<'_>, args: &Args) {
    draw_side(sketch, args, NumberFrame::Square, str::to_owned);
}

pub(super) fn draw_pointer(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.pointer(&args.groups[0], Ink::Blue);
    let line = Mark::line(vec![[-0.35, 0.0], [0.6, 0.0]]).stroke(Ink::Blue, 0.16);
    let tip = Mark::line(vec![[0.35, -0.25], [0.6, 0.0], [0.35, 0.25]]).stroke(Ink::Blue, 0.16);
    sketch.key(vec![line, tip, Mark::circle([-0.35, 0.0], 0.24).fill(Ink::Blue)]);
}

/// The clue becomes an automaton whose state is the greatest digit so far, until a digit is hidden.
pub(super) fn hidden_skyscraper(board: &VariantBoard, args: &Args) -> ClueList {
    const FOUND: i64 = -1;
    let (hidden, below) = (args.values[0], i64::from(board.first) - 1);
    let differ = board.are_together(&args.groups[0]);
    Ok(vec![Clue::of_walk(
        &args.groups[0],
        move |digits| {
            let is_hidden =
                |place: &usize| digits[..*place].iter().any(|&before| before > digits[*place]);
            let first = (0..digits.len()).find(is_hidden);
            first.is_some_and(|place| i64::from(digits[place]) == hidden)
        },
        // Heights count from 1, so that the state 0 can precede the first digit.
        move |_, most, digit| match i64::from(digit) - below {
            _ if most == FOUND => Some(FOUND),
            height if height == most && differ => None,
            height if height >= most => Some(height),
            height => (height + below == hidden).then_some(FOUND),
        },
        |state| state == FOUND,
    )])
}

/// The clue becomes an automaton whose state is the wanted digit, and the distance to the cell that
/// must have it.
pub(super) fn pointer(_: &VariantBoard, args: &Args) -> ClueList {
    const SHIFT: i64 = 1 << 8;
    const FOUND: i64 = -1;
    Ok(vec![Clue::of_walk(
        &args.groups[0],
        |digits| {
            let place = usize::try_from(digits[1]).ok().filter(|&place| place > 0);
            place.and_then(|place| digits.get(place + 1)).is_some_and(|&digit| digit == digits[0])
        },
        |step, state, digit| {
            let digit = i64::from(digit);
            let (wanted, left) = (state / SHIFT, state % SHIFT);
            match step {
                0 => Some(digit * SHIFT),
                1 => (0 < digit && digit < SHIFT).then(|| wanted * SHIFT + digit),
                _ if state == FOUND => Some(FOUND),
                _ if left == 1 => (wanted == digit).then_some(FOUND),
                _ => Some(wanted * SHIFT + left - 1),
            }
        },
        |state| state == FOUND,
    )])
}

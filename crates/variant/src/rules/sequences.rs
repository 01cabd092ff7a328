//! Rules about the order of digits: runs of equal digits, and lines that must differ.

use super::{Args, ClueList};
use crate::board::VariantBoard;
use crate::clue::{Automaton, Clue, CluePart, Digit};
use crate::sketch::Sketch;
use puzzle::Ink;

/// The clue becomes an automaton. Its state is twice the number of cells of runs so far, plus one
/// unless the last cell belongs to a run.
pub(super) fn blocks(board: &VariantBoard, args: &Args) -> ClueList {
    let (cells, values, least) = (&args.groups[0], &args.values, board.first);
    if !values.len().is_multiple_of(2) {
        return Err(format!("expected a length and a digit in turns, found {} numbers", values.len()));
    }
    let mut runs: Vec<(usize, Digit)> = Vec::new();
    for pair in values.chunks_exact(2) {
        let length = usize::try_from(pair[0]).ok().filter(|length| (1..=cells.len()).contains(length));
        let length = length
            .ok_or_else(|| format!("expected a length from 1 to {}, found {}", cells.len(), pair[0]))?;
        let digit = board.digits().skip(1).find(|&digit| i64::from(digit) == pair[1]);
        let digit = digit.ok_or_else(|| {
            format!("expected digits from {} to {}, found {}", least + 1, board.digits().end(), pair[1])
        })?;
        runs.push((length, digit));
    }
    // Runs of one digit need a cell between them.
    let gaps = runs.windows(2).filter(|pair| pair[0].1 == pair[1].1).count();
    let needed = runs.iter().map(|(length, _)| length).sum::<usize>() + gaps;
    if needed > cells.len() {
        return Err(format!("expected runs in {} cells, found runs that need {needed}", cells.len()));
    }
    // For each cell of a run: its digit, and whether the run begins there.
    let of_run = |&(length, digit): &(usize, Digit)| (0..length).map(move |at| (digit, at == 0));
    let filled: Vec<(Digit, bool)> = runs.iter().flat_map(of_run).collect();
    let total = filled.len();
    let step = move |_, state: i64, digit: Digit| {
        let (done, is_after_gap) = (usize::try_from(state / 2).ok()?, state % 2 == 1);
        let next = filled.get(done);
        if digit == least {
            return next.is_none_or(|next| next.1).then_some(2 * done as i64 + 1);
        }
        let &(wanted, begins) = next?;
        let is_apart = is_after_gap || done.checked_sub(1).is_none_or(|last| filled[last].0 != wanted);
        (digit == wanted && (!begins || is_apart)).then_some(2 * done as i64 + 2)
    };
    let is_right = move |digits: &[Digit]| {
        let equal = digits.chunk_by(|one, other| one == other);
        equal.filter(|run| run[0] != least).map(|run| (run.len(), run[0])).eq(runs.iter().copied())
    };
    let walk = Automaton {
        starts: vec![1],
        step: Box::new(step),
        is_end: Box::new(move |state| state / 2 == total as i64),
        meaning: None,
    };
    Ok(vec![Clue::new(cells, is_right, vec![CluePart::Automaton(cells.clone(), walk)])])
}

/// The clue becomes an automaton whose state is the last digit and how often it stands at the end.
pub(super) fn no_three(board: &VariantBoard, args: &Args) -> ClueList {
    let first = board.first;
    Ok(vec![Clue::of_walk(
        &args.groups[0],
        |digits| digits.windows(3).all(|three| three[0] != three[1] || three[1] != three[2]),
        move |_, state, digit| {
            // The states are 0 before the first cell, then 1 + twice the symbol, plus 1 if it
            // stands there twice.
            let symbol = i64::from(digit - first);
            match state - 1 - 2 * symbol {
                0 => Some(state + 1),
                1 => None,
                _ => Some(1 + 2 * symbol),
            }
        },
        |_| true,
    )])
}

/// The clue becomes an automaton that reads both groups in turns. Its state is the last digit of
/// the first group as long as all digits are equal.
pub(super) fn unlike(board: &VariantBoard, args: &Args) -> ClueList {
    /// The state after a difference.
    const UNLIKE: i64 = -1;
    /// The state before a cell of the first group, without a difference so far.
    const ALIKE: i64 = -2;
    let _ = board;
    let mut clues = Vec::new();
    for (place, one) in args.groups.iter().enumerate() {
        for other in &args.groups[place + 1..] {
            if one.len() != other.len() {
                return Err(format!(
                    "expected {} cells in each group, found {}",
                    one.len(),
                    other.len()
                ));
            }
            let cells: Vec<usize> = one.iter().zip(other).flat_map(|(&a, &b)| [a, b]).collect();
            clues.push(Clue::of_walk(
                &cells,
                |digits| digits.chunks_exact(2).any(|pair| pair[0] != pair[1]),
                |step, state, digit| {
                    Some(match state {
                        UNLIKE => UNLIKE,
                        _ if step.is_multiple_of(2) => i64::from(digit),
                        last if last == i64::from(digit) => ALIKE,
                        _ => UNLIKE,
                    })
                },
                |state| state == UNLIKE,
            ));
        }
    }
    Ok(clues)
}

pub(super) fn draw_blocks(sketch: &mut Sketch<'_>, args: &Args) {
    let values: Vec<String> = args.values.iter().map(ToString::to_string).collect();
    sketch.lettered_line(&args.groups, Ink::Blue, false, &format!("= {}", values.join(" ")));
}

pub(super) fn draw_no_three(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.lettered_line(&args.groups, Ink::Purple, true, "");
}

pub(super) fn draw_unlike(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.lettered(&args.groups, "");
}

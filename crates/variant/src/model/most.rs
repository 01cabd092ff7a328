//! Bounds the number of options of a translation without building it.
//!
//! Each part is considered alone, as if its cells allowed every digit, since other parts can only
//! reduce its options. Formulas bound the options of sets and sums. For automata, the reachable
//! states are enumerated layer by layer.

use super::super::board::VariantBoard;
use super::super::budget;
use super::super::clue::{Automaton, Clue, CluePart};
use super::sums::{FOLLOWING_MAX, SET_OPTIONS_MAX, ways};
use super::{OPTIONS_MAX, WAY_WORK};

/// Returns an upper bound on the number of options in the translation of `clues` and of `following`
/// derived sums. Returns any number above [`OPTIONS_MAX`] if the bound exceeds that maximum.
///
/// # Errors
/// If a limit is reached.
pub(crate) fn most_options<'c>(
    board: &VariantBoard,
    clues: impl Iterator<Item = &'c Clue>,
    following: usize,
) -> Result<usize, String> {
    let mut most = following.saturating_mul(FOLLOWING_MAX);
    for part in clues.flat_map(|clue| &clue.parts) {
        if most > OPTIONS_MAX {
            break;
        }
        most = most.saturating_add(most_of_part(board, part)?);
    }
    Ok(most)
}

fn most_of_part(board: &VariantBoard, part: &CluePart) -> Result<usize, String> {
    let order = board.order();
    Ok(match part {
        CluePart::Only(..) | CluePart::Relate(..) | CluePart::Differ(_) => 0,
        CluePart::Set(cells, _) => ways(order, cells.len()),
        CluePart::SameSets(_) => order,
        CluePart::Sum(terms, _) => {
            let count: usize = terms.iter().map(|(cells, _)| cells.len()).sum();
            let weight = |(cells, factor): &(Vec<usize>, i64)| {
                factor.unsigned_abs().saturating_mul(cells.len() as u64)
            };
            let weight = terms.iter().map(weight).fold(0, u64::saturating_add);
            // A set of several cells has at least two cells. Each total has one transition per
            // value of the next set.
            let sets = (count / 2).saturating_mul(SET_OPTIONS_MAX);
            let totals = (weight as usize).saturating_mul(order).saturating_add(1);
            let steps = if count > 2 { totals.saturating_mul(count).saturating_mul(order) } else { 0 };
            sets.saturating_add(steps)
        }
        CluePart::Often(cells, digit, often) => {
            most_of_walk(board, cells.len(), &Automaton::counting(*digit, *often))?
        }
        CluePart::Automaton(cells, walk) => most_of_walk(board, cells.len(), walk)?,
        // Its size is unknown until it is built.
        CluePart::Deferred(_) => OPTIONS_MAX + 1,
    })
}

/// Counts the transitions of an automaton layer by layer. Stops when the count exceeds the maximum.
fn most_of_walk(board: &VariantBoard, len: usize, walk: &Automaton) -> Result<usize, String> {
    let (mut layer, mut next, mut count) = (walk.starts.clone(), Vec::new(), 0);
    for place in 0..len {
        layer.sort_unstable();
        layer.dedup();
        next.clear();
        for &state in &layer {
            budget::spend_each(board.order(), WAY_WORK)?;
            next.extend(board.digits().filter_map(|digit| (walk.step)(place, state, digit)));
            if count + next.len() > OPTIONS_MAX {
                return Ok(count + next.len());
            }
        }
        count += next.len();
        std::mem::swap(&mut layer, &mut next);
    }
    Ok(count)
}

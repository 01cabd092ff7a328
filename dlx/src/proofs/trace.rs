//! Writes the proof of a count as a text, which can be checked independently: all states with their
//! choices and sums.
//!
//! ```text
//! farandole count trace 1
//! problem 7 items 6 options
//! step item 1
//! step item 2
//! step option 4
//! state 1 at 3 | 2 5*2 6:red | 0>0 4>x7 | 1
//! state 2 at 1 | | 2>1 5>0 | 2
//! root 2
//! ```
//!
//! Items and options are numbered from 1, in the order of the problem's text. *Steps* decide
//! options, as chosen or not chosen. Given options are chosen before the first step. Options
//! without primary items and options in conflict with a given option are not chosen. The line `step
//! item i`, where `i` must be covered exactly once, decides all undecided options with `i`: one of
//! them is chosen, unless an earlier option covers `i`. The line `step option o` decides whether
//! option `o` is chosen. After the last step, all options are decided.
//!
//! A *state* belongs to a step and has a number. A state lists the items *used* by earlier choices
//! that also occur in options of this step or later ones: `2` once, `5*2` twice, `6:red` in a
//! color. The options of the step that fit follow in order, each with its successor; option 0
//! stands for choosing no option. A successor is a state from an earlier line, or state 0 if all
//! options are decided. The successor `x7` is a dead end, because item 7 stays below its lower
//! bound even with all remaining options that fit. Steps where no option fits are skipped. The last
//! number of the line is the sum over all choices, which is the number of ways to complete the
//! state to a cover. The root is the successor of the given options, and the number stored for the
//! root is the count of all covers.
//!
//! If linear algebra proves that there is no cover, one line replaces all steps and states:
//!
//! ```text
//! combination modulo 2 | 1 4*3 7
//! combination | 1 2 3 4*-1 5*-1
//! ```
//!
//! The line gives coefficients to items, 1 by default. An option contributes the sum of the
//! coefficients of its items. The remaining options are neither given nor in conflict with a given
//! option. With a modulus, each remaining option contributes 0 modulo it, but the items that these
//! options must cover, with their multiplicities, have another sum. Without a modulus, the positive
//! contributions of all remaining options together are less than the smallest sum that a cover
//! needs; there an item with a negative coefficient counts with its upper bound. Only without a
//! modulus may items be secondary or have different bounds, and they must have no color.
//!
//! So each line can be checked against the problem and the lines above it
//! ([`check`](mod@crate::trust::check)).

use std::fmt::Write as _;

use num_bigint::BigUint;

use super::states::{Expansion, Successor, Use};
use crate::algebra::{self, Certificate};
use crate::limits::{Limit, Limits};
use crate::model::{Color, ItemId, OptionId, Problem, restrict};
use crate::portfolio::{Budget, Cut, costs};

/// Estimated work per byte of the text (ns).
const BYTE_WORK: u64 = 10;

/// Writes the proof of a count of the covers of `problem` that contain the options of `given`, and
/// returns the count. Calls `sink` with one line at a time, including the line break.
///
/// Keeps all states in memory, at most about `bytes` bytes, before it writes the first line.
///
/// ```
/// use dlx::{Limits, {proofs::trace, trust::check}};
///
/// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
/// let mut text = String::new();
/// let count = trace::write(&problem, &[], &Limits::new(), 1 << 20, &mut |line| text += line);
/// assert_eq!(count, Ok(2_u32.into()));
/// assert_eq!(check::check(&problem, &[], &text)?, 2_u32.into());
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The limit that was reached: memory, time, or a flag. Limits on solutions and nodes are ignored.
/// Some lines may have been written before the error.
///
/// # Panics
/// If an option of `given` does not belong to the problem.
pub fn write(
    problem: &Problem,
    given: &[OptionId],
    limits: &Limits,
    bytes: usize,
    sink: &mut dyn FnMut(&str),
) -> Result<BigUint, Limit> {
    let mut budget = Budget::new(limits, u64::MAX, bytes);
    let mut trace = || {
        if let Some(certificate) = refute(problem, given, limits, bytes)? {
            write_head(problem, sink);
            sink(&show_certificate(problem, &certificate));
            return Ok(BigUint::ZERO);
        }
        let mut walk = Expansion::new(problem, given, &mut budget)?;
        walk.go(&mut budget)?;
        write_states(&walk, sink, &mut budget)
    };
    trace().map_err(Cut::limit)
}

fn refute(
    problem: &Problem,
    given: &[OptionId],
    limits: &Limits,
    bytes: usize,
) -> Result<Option<Certificate>, Cut> {
    let Ok(restricted) = restrict(problem, given) else { return Ok(None) };
    let mut budget = Budget::new(limits, costs::ALGEBRA_HOPE, bytes);
    match algebra::refute(&restricted.problem, &mut budget) {
        Err(Cut::Limit(limit)) => Err(Cut::Limit(limit)),
        found => Ok(found.unwrap_or_default()),
    }
}

fn write_head(problem: &Problem, sink: &mut dyn FnMut(&str)) {
    sink("farandole count trace 1\n");
    sink(&format!("problem {} items {} options\n", problem.item_count(), problem.option_count()));
}

/// Returns the line of a certificate. The items added to force given options are omitted, because
/// the given options imply them.
fn show_certificate(problem: &Problem, certificate: &Certificate) -> String {
    let mut line = String::from("combination");
    if let Some(modulus) = certificate.modulus {
        let _ = write!(line, " modulo {modulus}");
    }
    line.push_str(" |");
    for &(item, coefficient) in &certificate.terms {
        let number = item.index() + 1;
        let _ = match coefficient {
            _ if number > problem.item_count() => Ok(()),
            1 => write!(line, " {number}"),
            _ => write!(line, " {number}*{coefficient}"),
        };
    }
    line + "\n"
}

fn write_states(
    walk: &Expansion<'_>,
    sink: &mut dyn FnMut(&str),
    budget: &mut Budget<'_>,
) -> Result<BigUint, Cut> {
    let problem = walk.problem;
    write_head(problem, sink);
    for step in &walk.steps {
        sink(&match step.item {
            Some(item) => format!("step item {}\n", item.index() + 1),
            None => format!("step option {}\n", step.options[0].index() + 1),
        });
    }
    // The number of the first state of each step, and the counts of all states.
    let mut first = vec![0; walk.steps.len()];
    let mut counts = vec![BigUint::from(1_u32)];
    let show = |next: Successor, first: &[usize]| match next {
        Successor::Done => (0, String::from("0")),
        Successor::State(step, place) => {
            let number = first[step as usize] + place as usize;
            (number, number.to_string())
        }
        Successor::Dead(item) => (usize::MAX, format!("x{}", item.index() + 1)),
    };
    for (index, step) in walk.steps.iter().enumerate().rev() {
        first[index] = counts.len();
        let mut start = 0;
        for (state, &end) in step.states.iter().zip(&step.ends) {
            let mut line = format!("state {} at {} |", counts.len(), index + 1);
            state.iter().for_each(|&(item, used)| show_use(problem, item, used, &mut line));
            line.push_str(" |");
            let mut count = BigUint::ZERO;
            for &(choice, next) in &step.ways[start..end] {
                let (number, next) = show(next, &first);
                count += counts.get(number).unwrap_or(&BigUint::ZERO);
                let option = choice.map_or(0, |option| option.index() + 1);
                let _ = write!(line, " {option}>{next}");
            }
            let _ = writeln!(line, " | {count}");
            budget.spend(BYTE_WORK * line.len() as u64)?;
            sink(&line);
            counts.push(count);
            start = end;
        }
    }
    let (number, root) = show(walk.root, &first);
    sink(&format!("root {root}\n"));
    Ok(counts.get(number).cloned().unwrap_or_default())
}

fn show_use(problem: &Problem, item: ItemId, used: Use, line: &mut String) {
    let number = item.index() + 1;
    let _ = match used {
        1 => write!(line, " {number}"),
        _ if problem.is_primary(item) => write!(line, " {number}*{used}"),
        _ => {
            let color = Color::new(used as usize - 2);
            write!(line, " {number}:{}", problem.color_name(color))
        }
    };
}

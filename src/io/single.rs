//! Helpers for commands that accept exactly one puzzle: its input, its limits, and the output of
//! its count.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dlx::{BigUint, Conflict, Limits, Problem};
use serde_json::{Value, json};

use super::args::LimitArgs;
use super::exit::Exit;
use super::output;
use super::source::{NumberedPuzzle, Puzzles};
use puzzle::Puzzle;

/// Returns the puzzle of inputs that must contain exactly one; prints errors.
///
/// # Errors
/// The exit code of the command.
pub(crate) fn only(puzzles: Puzzles) -> Result<(&'static str, Box<dyn Puzzle>), Exit> {
    let NumberedPuzzle { kind, puzzle, .. } = only_job(puzzles)?;
    Ok((kind, puzzle.map_err(|fault| fault.exit())?))
}

/// Returns the puzzle of inputs that must contain exactly one, with its origin; prints errors.
///
/// # Errors
/// The exit code of the command.
pub(crate) fn only_job(puzzles: Puzzles) -> Result<NumberedPuzzle, Exit> {
    let mut puzzles = puzzles.with_covers();
    let Some(job) = puzzles.next() else {
        say!("expected a puzzle, found none");
        return Err(Exit::BadInput);
    };
    match &job.puzzle {
        Ok(_) if puzzles.next().is_some() => {
            say!("expected one puzzle, found more");
            Err(Exit::BadInput)
        }
        Ok(_) => Ok(job),
        Err(fault) => {
            if fault.exit() != Exit::Interrupted {
                say!("{}", fault.to_string().trim_end());
            }
            Err(fault.exit())
        }
    }
}

/// Returns the time and memory limits of the puzzle, with the interrupt flag. The time limit starts
/// now.
pub(crate) fn limits(cancel: Arc<AtomicBool>, asked: &LimitArgs) -> Limits {
    asked.puzzle().apply(Limits::new().cancel(cancel))
}

/// Returns the problem of the covers that contain the given options.
///
/// # Errors
/// Which given options exclude each other.
pub(crate) fn with_given(puzzle: &dyn Puzzle) -> Result<Cow<'_, Problem>, String> {
    let problem = puzzle.problem();
    if puzzle.given().is_empty() {
        return Ok(Cow::Borrowed(problem));
    }
    match dlx::restrict(problem, puzzle.given()) {
        Ok(restricted) => Ok(Cow::Owned(restricted.problem)),
        Err(conflict) => Err(clash(problem, &conflict)),
    }
}

/// Describes two given options that exclude each other.
pub(crate) fn clash(problem: &Problem, conflict: &Conflict) -> String {
    let &Conflict { item, first, second } = conflict;
    let (first, second) = (problem.show(first), problem.show(second));
    format!("clues `{first}` and `{second}` conflict in item `{}`", problem.item_name(item))
}

/// Warns that an incomplete last line of a file was dropped.
pub(crate) fn warn_dropped_line(name: &str, bytes: usize, is_quiet: bool) {
    if bytes > 0 && !is_quiet {
        say!("{name}: dropped the last line, of which only {bytes} bytes were written");
    }
}

/// Prints a count, with a plus sign if it is incomplete, or a JSON object with the proof.
pub(crate) fn print(
    kind: &str,
    count: &BigUint,
    is_complete: bool,
    proof: Option<Value>,
    is_json: bool,
    exit: Exit,
) -> Exit {
    let count = count.to_string();
    let line = match is_json {
        true => {
            let mut object =
                json!({ "puzzle": 1, "kind": kind, "count": count, "complete": is_complete });
            if let Some(proof) = proof {
                object["proof"] = proof;
            }
            object.to_string()
        }
        false => count + if is_complete { "" } else { "+" },
    };
    output::write_all((line + "\n").as_bytes(), exit)
}

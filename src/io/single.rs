//! Helpers for commands that accept exactly one puzzle: its input, its limits, and the output of
//! its count.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dlx::{BigUint, Limits};
use serde_json::json;

use super::args::{InputArgs, LimitArgs};
use super::exit::Exit;
use super::source::{NumberedPuzzle, Puzzles};
use super::{memory, output};
use puzzle::Puzzle;

/// Returns the puzzle of an input that must contain exactly one.
pub(crate) fn only(input: &InputArgs) -> Option<(&'static str, Box<dyn Puzzle>)> {
    let NumberedPuzzle { kind, puzzle, .. } = only_job(input)?;
    Some((kind, puzzle.ok()?))
}

/// Returns the puzzle of an input that must contain exactly one, with its origin. Prints an error
/// if there is no puzzle or more than one.
pub(crate) fn only_job(input: &InputArgs) -> Option<NumberedPuzzle> {
    let mut jobs = Puzzles::new(input);
    let Some(job) = jobs.next() else {
        say!("expected a puzzle, found none");
        return None;
    };
    match &job.puzzle {
        Ok(_) if jobs.next().is_some() => say!("expected one puzzle, found more"),
        Ok(_) => return Some(job),
        Err(fault) => say!("{}", fault.to_string().trim_end()),
    }
    None
}

/// Returns the time and memory limits of the puzzle, with the interrupt flag. The time limit starts
/// now.
pub(crate) fn limits(cancel: Arc<AtomicBool>, asked: &LimitArgs) -> Limits {
    let limits = Limits::new().cancel(cancel);
    let limits = match asked.time {
        Some(time) => limits.within(time),
        None => limits,
    };
    memory::guard(limits, asked.memory)
}

/// Warns that an incomplete last line of a file was dropped.
pub(crate) fn warn_dropped_line(name: &str, bytes: usize, is_quiet: bool) {
    if bytes > 0 && !is_quiet {
        say!("{name}: dropped the last line, of which only {bytes} bytes were written");
    }
}

/// Prints a count, with a plus sign if it is incomplete.
pub(crate) fn print(kind: &str, count: &BigUint, is_complete: bool, is_json: bool, exit: Exit) -> Exit {
    let count = count.to_string();
    let line = match is_json {
        true => {
            json!({ "puzzle": 1, "kind": kind, "count": count, "complete": is_complete }).to_string()
        }
        false => count + if is_complete { "" } else { "+" },
    };
    output::write_all((line + "\n").as_bytes(), exit)
}

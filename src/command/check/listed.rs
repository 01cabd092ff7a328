//! `check --solution FILE` reports whether each solution in the file solves the puzzle.

use std::ffi::OsStr;

use dlx::OptionId;
use serde_json::json;

use crate::diagram::{Refusal, solutions};
use crate::io::args::{InputArgs, OutputArgs, PuzzleLimits};
use crate::io::exit::Exit;
use crate::io::source::{NumberedPuzzle, Puzzles};
use crate::io::{output, single};

pub(super) fn run(input: &InputArgs, name: &OsStr, form: &OutputArgs) -> Exit {
    let job = match single::only_job(Puzzles::new(input, PuzzleLimits::default())) {
        Ok(job) => job,
        Err(exit) => return exit,
    };
    let NumberedPuzzle { number, origin, kind, puzzle: Ok(puzzle), .. } = job else {
        return Exit::BadInput;
    };
    let solutions = match solutions(puzzle.as_ref(), kind, name, input, PuzzleLimits::default()) {
        Ok(solutions) => solutions,
        Err(Refusal { exit, message, .. }) => {
            say!("{}", message.trim_end());
            return exit;
        }
    };
    let is_solution = |cover: &Option<Vec<OptionId>>| {
        cover.as_ref().is_some_and(|cover| dlx::verify(puzzle.problem(), puzzle.given(), cover).is_ok())
    };
    let valid: Vec<bool> = solutions.iter().map(is_solution).collect();
    let exit = if valid.iter().all(|is_valid| *is_valid) { Exit::Done } else { Exit::Failed };
    let mut text = String::new();
    if form.json {
        pushln!(text, "{}", origin.object(number, json!({ "kind": kind, "valid": valid })));
    } else {
        let words = |is_valid: bool| if is_valid { "a solution" } else { "not a solution" };
        valid.into_iter().for_each(|is_valid| pushln!(text, "{}", words(is_valid)));
    }
    output::write_all(text.as_bytes(), exit)
}

//! `check --same` reports whether two 9x9 Sudoku are equivalent, and prints the map from one to the
//! other.

use serde_json::json;
use sudoku9::canonical;

use crate::command::canonical as form;
use crate::io::args::{InputArgs, PuzzleLimits};
use crate::io::exit::Exit;
use crate::io::output;
use crate::io::source::Puzzles;

pub(super) fn run(input: &InputArgs, is_json: bool) -> Exit {
    match compare(input, is_json) {
        Ok((line, is_same)) => {
            let exit = if is_same { Exit::Done } else { Exit::Failed };
            output::write_all((line + "\n").as_bytes(), exit)
        }
        Err(message) => {
            say!("{}", message.trim_end());
            Exit::BadInput
        }
    }
}

fn compare(input: &InputArgs, is_json: bool) -> Result<(String, bool), String> {
    let mut lines = Vec::new();
    for job in Puzzles::new(input, PuzzleLimits::default()) {
        let number = job.number;
        let puzzle = job.puzzle.map_err(|fault| fault.to_string())?;
        let line = form::line(puzzle.as_ref());
        lines.push(line.ok_or_else(|| format!("puzzle {number}: {}", form::UNFIT))?);
    }
    let [first, second] = &lines[..] else {
        return Err(format!("expected two puzzles to compare, found {}", lines.len()));
    };
    let of = |number: u64, line| {
        let form = canonical::of_puzzle(line, form::SOLUTIONS_MAX);
        form.ok().flatten().ok_or_else(|| format!("puzzle {number}: {}", form::nothing()))
    };
    let (one, two) = (of(1, first)?, of(2, second)?);
    let is_same = one.puzzle == two.puzzle;
    let map = is_same.then(|| one.map.then(&two.map.inverse()));
    let text = |line: &[u8; 81]| String::from_utf8_lossy(line).into_owned();
    let line = match (is_json, map) {
        (true, map) => json!({
            "same": is_same,
            "map": map.map(|map| map.to_string()),
            "canonical": [text(&one.puzzle), text(&two.puzzle)],
            "automorphisms": [one.automorphisms, two.automorphisms],
        })
        .to_string(),
        (false, Some(map)) => format!("the same puzzle: {map}"),
        (false, None) => "two different puzzles".to_owned(),
    };
    Ok((line, is_same))
}

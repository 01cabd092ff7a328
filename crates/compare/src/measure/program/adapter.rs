//! Adapters between puzzles and external programs. An adapter writes the input of a program and
//! reads its answers.
//!
//! A new adapter is one entry in [`ADAPTERS`].

use dlx::{Limits, OptionId, Restricted, restrict, verify};
use serde::Deserialize;

use super::process::Ended;
use crate::measure::digest::Digest;
use crate::measure::setup::NamedPuzzle;
use crate::{PuzzleOutcome, PuzzleRun};
use farandole::stream::{Stream, StreamHints};
use grid::format;
use puzzle::{Fill, Puzzle, cover};

/// Input and output format of a program.
#[derive(Debug)]
pub struct Adapter {
    /// Name of the adapter.
    pub name: &'static str,
    /// Description of the program's input and output in one line.
    pub summary: &'static str,
    /// Whether the program finds exactly one solution of each puzzle.
    pub(super) finds_one: bool,
    /// Whether the program takes all puzzles in one input, if each fits on a line.
    pub(super) is_batch: bool,
    pub(super) write: fn(&dyn Puzzle) -> Result<String, String>,
    pub(super) read: fn(&Ended, &[NamedPuzzle]) -> Vec<PuzzleRun>,
}

/// All adapters; the first is the default.
pub const ADAPTERS: &[Adapter] = &[
    Adapter {
        name: "line",
        summary: "grids, one a line; prints a solution of each, one a line",
        finds_one: true,
        is_batch: true,
        write: write_line,
        read: read_lines,
    },
    Adapter {
        name: "count",
        summary: "grids, one a line, or one problem in Knuth's text; prints the number of solutions \
                  of each, one a line",
        finds_one: false,
        is_batch: true,
        write: |puzzle| write_line(puzzle).or_else(|_| write_cover(puzzle, "dlx")),
        read: read_counts,
    },
    Adapter {
        name: "knuth",
        summary: "a problem in Knuth's text; prints `Altogether N solutions`, as his programs do",
        finds_one: false,
        is_batch: false,
        write: |puzzle| write_cover(puzzle, "dlx"),
        read: |ended, puzzles| each(ended, puzzles, read_knuth),
    },
    Adapter {
        name: "dimacs",
        summary: "a problem in DIMACS CNF; prints `s SATISFIABLE` and a model in lines `v`, or `s \
                  UNSATISFIABLE`",
        finds_one: true,
        is_batch: false,
        write: |puzzle| write_cover(puzzle, "cnf"),
        read: |ended, puzzles| each(ended, puzzles, read_dimacs),
    },
    Adapter {
        name: "json",
        summary: "a problem in JSON; prints {\"count\": N} or {\"solutions\": [[option, ...], ...]}, \
                  options from 0",
        finds_one: false,
        is_batch: false,
        write: |puzzle| write_cover(puzzle, "json"),
        read: |ended, puzzles| each(ended, puzzles, read_json),
    },
];

fn write_line(puzzle: &dyn Puzzle) -> Result<String, String> {
    let fill = puzzle.as_fill().ok_or("it takes grids only")?;
    let line = format::by_name("line").ok_or("there is no such format")?;
    if let Some(lack) = line.lacks(fill.grid()) {
        return Err(format!("a line cannot hold {lack}"));
    }
    let mut text = String::new();
    (line.write)(fill.grid(), &mut text);
    Ok(text)
}

fn write_cover(puzzle: &dyn Puzzle, form: &str) -> Result<String, String> {
    let form = cover::by_name(form).ok_or("there is no such format")?;
    let written = (form.write)(&restricted(puzzle)?.problem, &Limits::default());
    written.map_err(|unwritten| unwritten.message)
}

/// Returns the problem that remains once the clues are applied.
fn restricted(puzzle: &dyn Puzzle) -> Result<Restricted, String> {
    restrict(puzzle.problem(), puzzle.given()).map_err(|_| "it takes no clues that conflict".to_owned())
}

fn found(solutions: &impl ToString, digest: Option<Digest>) -> PuzzleRun {
    let digest = digest.map(|digest| digest.to_string());
    PuzzleRun { solutions: solutions.to_string(), digest, ..PuzzleRun::default() }
}

fn wrong(why: impl Into<String>) -> PuzzleRun {
    PuzzleRun {
        outcome: PuzzleOutcome::Wrong(why.into()),
        solutions: "0".to_owned(),
        ..PuzzleRun::default()
    }
}

fn failed(ended: &Ended, what: &str) -> PuzzleRun {
    let last = ended.errors.lines().rev().find(|line| !line.trim().is_empty());
    let why = match (ended.status.success(), last) {
        (false, Some(last)) => format!("{} ({})", ended.status, last.trim()),
        (false, None) => ended.status.to_string(),
        (true, _) => what.to_owned(),
    };
    PuzzleRun { outcome: PuzzleOutcome::Failed(why), solutions: "0".to_owned(), ..PuzzleRun::default() }
}

fn each(
    ended: &Ended,
    puzzles: &[NamedPuzzle],
    read: fn(&Ended, &dyn Puzzle) -> PuzzleRun,
) -> Vec<PuzzleRun> {
    puzzles.iter().map(|(_, puzzle)| read(ended, puzzle.as_ref())).collect()
}

/// Returns the answer lines of a program, one per puzzle; a missing line is a failure.
fn lines(ended: &Ended, count: usize) -> Result<Vec<&str>, Box<PuzzleRun>> {
    let lines: Vec<&str> = ended.answer.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.len() == count {
        return Ok(lines);
    }
    Err(Box::new(failed(ended, &format!("printed {} lines for {count} puzzles", lines.len()))))
}

fn read_lines(ended: &Ended, puzzles: &[NamedPuzzle]) -> Vec<PuzzleRun> {
    match lines(ended, puzzles.len()) {
        Ok(lines) => puzzles
            .iter()
            .zip(lines)
            .map(|((_, puzzle), line)| read_line(line, puzzle.as_ref()))
            .collect(),
        Err(run) => vec![*run],
    }
}

/// Reads a line with a solution, which may come after other fields separated by commas or blanks. A
/// line without a solution states that the puzzle has none.
fn read_line(line: &str, puzzle: &dyn Puzzle) -> PuzzleRun {
    let Some(fill) = puzzle.as_fill() else { return wrong("takes grids only") };
    let shape = fill.grid().shape();
    let cells = shape.cell_count();
    let words = line.split([',', ':', ';', ' ', '\t']).rev();
    let text = words.into_iter().find(|word| word.chars().count() == cells).unwrap_or(line);
    let hints = StreamHints {
        format: Some("line".to_owned()),
        boxes: shape.boxes(),
        rules: Some(shape.rules().to_vec()),
        ..StreamHints::default()
    };
    let read = Stream::first(text, &hints).ok().flatten();
    let Some(grid) = read.as_ref().and_then(|read| read.as_fill()).map(Fill::grid) else {
        return found(&0, None);
    };
    if !grid.is_full() || grid.shape().cell_count() != cells {
        return found(&0, None);
    }
    let cover: Option<Vec<OptionId>> =
        (0..cells).map(|cell| fill.option(cell, grid.symbol(cell)?)).collect();
    let Some(cover) = cover else { return wrong("a symbol stands where it may not") };
    match verify(fill.problem(), fill.given(), &cover) {
        Ok(()) => found(&1, None),
        Err(violation) => wrong(format!("wrong: {}", violation.show(fill.problem()))),
    }
}

fn read_counts(ended: &Ended, puzzles: &[NamedPuzzle]) -> Vec<PuzzleRun> {
    let lines = match lines(ended, puzzles.len()) {
        Ok(lines) => lines,
        Err(run) => return vec![*run],
    };
    let read = |line: &str| match line.trim().parse::<num_bigint::BigUint>() {
        Ok(count) => found(&count, None),
        Err(_) => failed(ended, &format!("printed `{}` for a number", shorten(line.trim()))),
    };
    lines.into_iter().map(read).collect()
}

fn shorten(text: &str) -> String {
    if text.chars().count() > 20 {
        text.chars().take(20).collect::<String>() + "..."
    } else {
        text.to_owned()
    }
}

fn read_knuth(ended: &Ended, _: &dyn Puzzle) -> PuzzleRun {
    let mut words = ended.errors.split_whitespace().chain(ended.answer.split_whitespace());
    let count = words.by_ref().find(|&word| word == "Altogether").and_then(|_| words.next());
    let Some(count) = count.filter(|count| count.chars().all(|digit| digit.is_ascii_digit())) else {
        return failed(ended, "printed no `Altogether N solutions`");
    };
    let words: Vec<&str> = words.collect();
    let is_nodes = |pair: &&[&str]| pair[1].trim_end_matches(['.', ',']) == "nodes";
    let nodes = words.windows(2).find(is_nodes).and_then(|pair| pair[0].parse().ok());
    PuzzleRun { nodes, ..found(&count, None) }
}

fn read_dimacs(ended: &Ended, puzzle: &dyn Puzzle) -> PuzzleRun {
    let words: Vec<&str> = ended.answer.split_whitespace().collect();
    let Some(place) = words
        .iter()
        .position(|word| word.ends_with("SATISFIABLE") || *word == "SAT" || *word == "UNSAT")
    else {
        return failed(ended, "printed neither SATISFIABLE nor UNSATISFIABLE");
    };
    if words[place].starts_with("UNSAT") {
        return found(&0, None);
    }
    let Ok(restricted) = restricted(puzzle) else { return wrong("clues conflict") };
    let variables =
        words.iter().filter_map(|word| word.parse::<i64>().ok()).filter(|&number| number > 0);
    let count = restricted.problem.option_count();
    let cover: Vec<OptionId> = variables
        .filter_map(|variable| usize::try_from(variable - 1).ok().filter(|&option| option < count))
        .map(OptionId::new)
        .collect();
    match verify(&restricted.problem, &[], &cover) {
        Ok(()) => found(&1, None),
        Err(violation) => wrong(format!("wrong: {}", violation.show(&restricted.problem))),
    }
}

#[derive(Deserialize)]
struct JsonAnswer {
    count: Option<JsonNumber>,
    solutions: Option<Vec<Vec<usize>>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum JsonNumber {
    Small(u64),
    Text(String),
}

fn read_json(ended: &Ended, puzzle: &dyn Puzzle) -> PuzzleRun {
    let answer: JsonAnswer = match serde_json::from_str(ended.answer.trim()) {
        Ok(answer) => answer,
        Err(error) => return failed(ended, &format!("printed no answer in JSON: {error}")),
    };
    let Some(solutions) = answer.solutions else {
        return match answer.count {
            Some(JsonNumber::Small(count)) => found(&count, None),
            Some(JsonNumber::Text(count)) => found(&count, None),
            None => failed(ended, "printed neither count nor solutions"),
        };
    };
    let Ok(restricted) = restricted(puzzle) else { return wrong("clues conflict") };
    let mut digest = Digest::default();
    for solution in &solutions {
        if let Some(option) = solution.iter().find(|&&option| option >= restricted.originals.len()) {
            return wrong(format!("wrong: there is no option {option}"));
        }
        let cover: Vec<OptionId> = solution.iter().map(|&option| OptionId::new(option)).collect();
        if let Err(violation) = verify(&restricted.problem, &[], &cover) {
            return wrong(format!("wrong: {}", violation.show(&restricted.problem)));
        }
        let mut cover: Vec<OptionId> =
            solution.iter().map(|&option| restricted.originals[option]).collect();
        cover.extend(puzzle.given().iter().filter(|given| !restricted.originals.contains(given)));
        digest.add(&cover);
    }
    found(&solutions.len(), Some(digest))
}

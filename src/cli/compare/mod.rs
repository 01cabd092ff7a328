//! The command `compare`: algorithms and programs on the same puzzles, side by side.

mod table;

use std::io;
use std::sync::Arc;

use dlx::Limits;

use super::args::Versus;
use super::bar::Bar;
use super::exit::Exit;
use super::source::Puzzles;
use super::{interrupt, output};
use crate::algorithm::ALGORITHMS;
use crate::compare::{
    Comparison, Contender, Entrant, Entry, Field, Mismatch, Own, PuzzleInfo, measure,
};

/// The width of the table where standard output is no terminal.
const WIDTH: usize = 100;

/// Runs the command and returns how it ended.
pub(super) fn run(versus: &Versus) -> Exit {
    let (puzzles, faults) = read(versus);
    if puzzles.is_empty() {
        if faults == 0 {
            say!("expected puzzles to compare on, found none");
        }
        return Exit::BadInput;
    }
    let mut entrants: Vec<Box<dyn Entrant>> = Vec::new();
    let is_wanted = |name: &str| versus.engine.is_empty() || versus.engine.iter().any(|n| n == name);
    for spec in ALGORITHMS.iter().filter(|spec| is_wanted(spec.name)) {
        entrants.push(Box::new(Own::new(spec)));
    }
    let bar = Bar::start(!versus.output.quiet);
    // Only now: while puzzles are read, an interrupt just ends the program.
    let cancel = Some(interrupt::flag());
    let progress = Some(Arc::clone(bar.progress()));
    let limits =
        Limits { solutions: versus.limit, nodes: versus.nodes, cancel, progress, ..Limits::default() };
    let field =
        Field { puzzles, limits, time: versus.time, each: versus.each, precision: versus.precision };
    let mut comparison = measure(&mut entrants, &field, &mut |_| {});
    bar.finish();
    comparison.command = command();
    comparison.date = jiff::Timestamp::now()
        .round(jiff::Unit::Second)
        .map_or_else(|_| String::new(), |now| now.to_string());
    let exit = show(&comparison, versus, faults);
    let text = if versus.output.json { lines(&comparison) } else { table::show(&comparison, width()) };
    output::write_all(text.as_bytes(), exit)
}

/// Reads the puzzles; returns how many could not be.
fn read(versus: &Versus) -> (Vec<Entry>, usize) {
    let (mut puzzles, mut faults) = (Vec::new(), 0);
    for job in Puzzles::new(&versus.input) {
        match job.puzzle {
            Ok(puzzle) => {
                let problem = puzzle.problem();
                let info = PuzzleInfo {
                    name: job.number.to_string(),
                    kind: job.kind.to_owned(),
                    size: None,
                    items: problem.item_count() as u64,
                    options: problem.option_count() as u64,
                };
                puzzles.push((info, puzzle));
            }
            Err(fault) => {
                faults += 1;
                say!("{}", fault.to_string().trim_end());
            }
        }
    }
    (puzzles, faults)
}

/// Says what is to be said beside the table, and returns how the command ends.
fn show(comparison: &Comparison, versus: &Versus, faults: usize) -> Exit {
    if !versus.output.quiet {
        comparison.remarks.iter().for_each(|remark| say!("{remark}"));
    }
    if let Some(mismatch) = &comparison.mismatch {
        let Mismatch { puzzle, contenders: [first, second], answers: [one, other], .. } = mismatch;
        let name = &comparison.puzzles[*puzzle].name;
        say!("puzzle {name}: {first} and {second} disagree: {one} against {other}");
        return Exit::Failed;
    }
    if interrupt::happened() {
        Exit::Interrupted
    } else if faults > 0 {
        Exit::BadInput
    } else if comparison.contenders.iter().any(Contender::is_finished) {
        Exit::Done
    } else {
        Exit::Limited
    }
}

/// Returns the command as it was given, without the folder of the program.
fn command() -> Vec<String> {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    std::iter::once("farandole".to_owned()).chain(words).collect()
}

fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(WIDTH, |(width, _)| usize::from(width.0))
}

/// Returns one JSON object a line, one line a contender.
fn lines(comparison: &Comparison) -> String {
    let mut text = String::new();
    let best = comparison.contenders.first().filter(|contender| contender.is_finished());
    for contender in &comparison.contenders {
        pushln!(text, "{}", table::as_json(contender, best));
    }
    text
}

//! The command `compare`: algorithms and programs on the same puzzles, side by side.

mod lesson;
mod table;

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use dlx::Limits;
use tempfile::NamedTempFile;

use super::args::{Input, Rules, Versus};
use super::bar::Bar;
use super::exit::Exit;
use super::source::Puzzles;
use super::{interrupt, output};
use crate::algorithm::ALGORITHMS;
use crate::compare::{
    AsProgram, Comparison, Contender, Entrant, Entry, Field, Mismatch, Own, Program, PuzzleInfo,
    measure,
};

/// All that take part.
type Entrants = Vec<Box<dyn Entrant>>;

/// Runs the command and returns how it ended.
pub(super) fn run(mut versus: Versus) -> Exit {
    if versus.lesson {
        let page = lesson::page(versus.time, versus.precision);
        let exit = if interrupt::happened() { Exit::Interrupted } else { Exit::Done };
        return output::write_all(page.as_bytes(), exit);
    }
    let kept = if versus.programs.is_empty() { Ok(None) } else { keep_input(&mut versus.input) };
    let _kept = match kept {
        Ok(kept) => kept,
        Err(error) => {
            say!("standard input: cannot read: {error}");
            return Exit::BadInput;
        }
    };
    let versus = &versus.with_range();
    let record = match versus.against.as_deref().map(read_record).transpose() {
        Ok(record) => record,
        Err(message) => {
            say!("{message}");
            return Exit::BadInput;
        }
    };
    let (puzzles, faults) = read(versus);
    if puzzles.is_empty() {
        if faults == 0 {
            say!("expected puzzles to compare on, found none");
        }
        return Exit::BadInput;
    }
    let (mut entrants, limit) = match entrants(versus) {
        Ok(entrants) => entrants,
        Err(message) => {
            say!("{message}");
            return Exit::BadInput;
        }
    };
    let bar = Bar::start(!versus.output.quiet);
    // Only now: while puzzles are read, an interrupt just ends the program.
    let cancel = Some(interrupt::flag());
    let progress = Some(Arc::clone(bar.progress()));
    let limits =
        Limits { solutions: limit, nodes: versus.nodes, cancel, progress, ..Limits::default() };
    let field =
        Field { puzzles, limits, time: versus.time, each: versus.each, precision: versus.precision };
    let mut comparison = measure(&mut entrants, &field, &mut |_| {});
    bar.finish();
    comparison.command = command();
    comparison.date = jiff::Timestamp::now()
        .round(jiff::Unit::Second)
        .map_or_else(|_| String::new(), |now| now.to_string());
    let exit = show(&comparison, versus, faults);
    let mut text =
        if versus.output.json { lines(&comparison) } else { table::show(&comparison, width()) };
    if let Some(record) = record {
        match comparison.changes_since(&record) {
            Ok(changes) => {
                push!(text, "\nSince the record of {}:\n{}", record.date, table::changes(&changes));
            }
            Err(message) => {
                say!("{message}");
                return output::write_all(text.as_bytes(), Exit::BadInput);
            }
        }
    }
    let saved = versus.save.as_deref().map_or(Ok(()), |path| write(path, &comparison.to_record()));
    let exit = if let Err(message) = saved {
        say!("{message}");
        Exit::BadInput
    } else {
        exit
    };
    output::write_all(text.as_bytes(), exit)
}

fn read_record(path: &Path) -> Result<Comparison, String> {
    let named = |message: String| format!("{}: {message}", path.display());
    let text = fs::read_to_string(path).map_err(|error| named(format!("cannot read: {error}")))?;
    Comparison::from_record(&text).map_err(named)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: cannot write: {error}", path.display()))
}

impl Versus {
    /// Puts the sizes of the range in place of what stands for them.
    fn with_range(mut self) -> Self {
        let Some(range) = &self.range else { return self };
        let template = self.input.files.pop().unwrap_or_else(|| "{}".to_owned());
        let files = range.clone().map(|size| template.replace("{}", &size.to_string()));
        self.input.files = files.collect();
        self
    }
}

/// Makes all that take part, and returns how many solutions are asked for.
fn entrants(versus: &Versus) -> Result<(Entrants, Option<u64>), String> {
    let programs = versus.programs.iter().map(|text| Program::parse(text));
    let programs = programs.collect::<Result<Vec<Program>, String>>()?;
    let limit = versus.limit.or_else(|| programs.iter().any(Program::finds_one).then_some(1));
    let is_wanted = |name: &str| versus.engine.is_empty() || versus.engine.iter().any(|n| n == name);
    let mut entrants: Entrants = Vec::new();
    for spec in ALGORITHMS.iter().filter(|spec| is_wanted(spec.name)) {
        let own = Own::new(spec);
        entrants.push(match programs[..] {
            [] => Box::new(own),
            _ => Box::new(AsProgram::new(own, arguments(&versus.input, spec.name, limit))?),
        });
    }
    entrants.extend(programs.into_iter().map(|program| Box::new(program) as Box<dyn Entrant>));
    Ok((entrants, limit))
}

/// Returns the arguments with which this program counts the solutions of the same puzzles.
fn arguments(input: &Input, engine: &str, limit: Option<u64>) -> Vec<String> {
    let mut words: Vec<String> =
        ["count", "--quiet", "--threads", "1", "--engine", engine].map(str::to_owned).into();
    let mut option = |name: &str, value: Option<String>| {
        words.extend(value.map(|value| format!("--{name}={value}")));
    };
    option("limit", limit.map(|limit| limit.to_string()));
    option("puzzle", input.puzzle.clone());
    option("from", input.from.clone());
    option("boxes", input.boxes.map(|(width, height)| format!("{width}x{height}")));
    let names = |rules: &Rules| rules.0.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(",");
    option("rules", input.rules.as_ref().map(names));
    words.push("--".to_owned());
    words.extend(input.files.iter().cloned());
    words
}

/// Keeps standard input in a file, from which it can be read again and again.
fn keep_input(input: &mut Input) -> io::Result<Option<NamedTempFile>> {
    if input.files.is_empty() {
        input.files.push("-".to_owned());
    }
    let Some(place) = input.files.iter_mut().find(|name| *name == "-") else { return Ok(None) };
    let mut file = NamedTempFile::new()?;
    io::copy(&mut io::stdin(), &mut file)?;
    *place = file.path().display().to_string();
    Ok(Some(file))
}

/// Reads the puzzles; returns how many could not be.
fn read(versus: &Versus) -> (Vec<Entry>, usize) {
    let (mut puzzles, mut faults) = (Vec::new(), 0);
    for job in Puzzles::new(&versus.input) {
        match job.puzzle {
            Ok(puzzle) => {
                let problem = puzzle.problem();
                let size = versus.range.as_ref().and_then(|range| range.clone().nth(puzzles.len()));
                let name = match size {
                    Some(size) => size.to_string(),
                    None if job.is_line => format!("{}:{}", job.path, job.number),
                    None => job.path.to_string(),
                };
                let info = PuzzleInfo {
                    name,
                    kind: job.kind.to_owned(),
                    size,
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
        let Mismatch { puzzle, contenders: [first, second], answers: [one, other], smallest } =
            mismatch;
        let name = &comparison.puzzles[*puzzle].name;
        say!("puzzle {name}: {first} and {second} disagree: {one} against {other}");
        if let Some(smallest) = smallest {
            say!("the smallest puzzle found on which they do:\n{}", smallest.trim_end());
        }
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
    terminal_size::terminal_size_of(io::stdout())
        .map_or(table::WIDTH, |(width, _)| usize::from(width.0))
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

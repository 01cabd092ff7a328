//! External programs in a comparison.
//!
//! A program gets the puzzles through an [`Adapter`], and its output is checked: each solution by
//! `dlx::verify`, and each solution count against the counts of the other contenders. The time of a
//! program is the time of the whole process, including startup and reading. Therefore, in a
//! comparison with external programs, our algorithms are also timed as separate processes. A
//! program that crashes, hangs or prints an invalid answer has failed; the other contenders
//! continue.

mod adapter;
mod process;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub use self::adapter::{ADAPTERS, Adapter};
use self::process::{Ended, Failure};
use super::entrant::{Entrant, RoundCost};
use super::setup::{NamedPuzzle, Setup};
use crate::{Cost, PuzzleOutcome, PuzzleRun};

/// A program and its command.
#[derive(Debug)]
pub struct Program {
    name: String,
    command: String,
    adapter: &'static Adapter,
    folder: TempDir,
}

impl Program {
    /// Parses `NAME=COMMAND` or `NAME:ADAPTER=COMMAND`.
    ///
    /// # Errors
    /// If the text is invalid, or no directory for its files can be created.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expected = || format!("expected NAME=COMMAND or NAME:ADAPTER=COMMAND, found `{text}`");
        let (name, command) = text.split_once('=').ok_or_else(expected)?;
        let (name, adapter) = name.split_once(':').unwrap_or((name, ADAPTERS[0].name));
        if name.trim().is_empty() || command.trim().is_empty() {
            return Err(expected());
        }
        let known = ADAPTERS.iter().find(|known| known.name == adapter.trim());
        let adapter = known.ok_or_else(|| {
            let names: Vec<&str> = ADAPTERS.iter().map(|adapter| adapter.name).collect();
            format!("expected one of the adapters {}, found `{adapter}`", names.join(", "))
        })?;
        let folder = TempDir::new().map_err(|error| format!("no place for files: {error}"))?;
        let (name, command) = (name.trim().to_owned(), command.trim().to_owned());
        Ok(Self { name, command, adapter, folder })
    }

    /// Returns whether the program finds exactly one solution of a puzzle.
    #[must_use]
    pub fn finds_one(&self) -> bool {
        self.adapter.finds_one
    }

    fn run(&self, text: &str, limit: Duration, setup: &Setup) -> Result<Ended, Failure> {
        let path = |name: &str| -> PathBuf { self.folder.path().join(name) };
        let (input, output) = (path("puzzles"), path("answers"));
        let has_input = self.command.contains("{in}");
        if has_input {
            std::fs::write(&input, text)
                .map_err(|error| Failure::Failed(format!("no file for it: {error}")))?;
        }
        let _ = std::fs::remove_file(&output);
        let fill = |word: &str| word.replace("{in}", &show(&input)).replace("{out}", &show(&output));
        let stdin = if has_input { "" } else { text };
        let process = process::command(&self.command, fill)?;
        let mut ended = process::run(process, stdin, limit, setup.limits.cancel.as_ref())?;
        if self.command.contains("{out}") {
            ended.answer = std::fs::read_to_string(&output)
                .map_err(|error| Failure::Failed(format!("it wrote no answers: {error}")))?;
        }
        Ok(ended)
    }

    /// Writes one input text for all puzzles, or one per puzzle.
    fn texts(&self, setup: &Setup) -> Result<Vec<(String, usize)>, String> {
        let puzzles = &setup.puzzles;
        if self.adapter.is_batch
            && let Some(text) = together(self.adapter, puzzles)
        {
            return Ok(vec![(text, puzzles.len())]);
        }
        puzzles
            .iter()
            .map(|(_, puzzle)| (self.adapter.write)(puzzle.as_ref()).map(|text| (text, 1)))
            .collect()
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

fn together(adapter: &Adapter, puzzles: &[NamedPuzzle]) -> Option<String> {
    let lines = puzzles.iter().map(|(_, puzzle)| (adapter.write)(puzzle.as_ref()).ok());
    lines.map(|text| text.filter(|text| text.lines().count() == 1)).collect()
}

impl Entrant for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn summary(&self) -> &str {
        &self.command
    }

    fn is_program(&self) -> bool {
        true
    }

    fn answer(&mut self, setup: &Setup) -> Result<Vec<PuzzleRun>, String> {
        let is_one = setup.limits.solutions == Some(1);
        if self.adapter.finds_one != is_one
            && (self.adapter.finds_one || setup.limits.solutions.is_some())
        {
            return Err(if is_one {
                "it counts all solutions, and one is asked for".to_owned()
            } else {
                "it finds one solution, and more are asked for (see --limit)".to_owned()
            });
        }
        let mut runs = Vec::new();
        let end = Instant::now() + setup.time;
        let mut first = 0;
        for (text, count) in self.texts(setup)? {
            let puzzles = &setup.puzzles[first..first + count];
            first += count;
            let left = end.saturating_duration_since(Instant::now());
            let limit = setup.each.map_or(left, |each| left.min(each.saturating_mul(count as u32)));
            let begun = Instant::now();
            match self.run(&text, limit, setup) {
                Ok(ended) => {
                    for mut run in (self.adapter.read)(&ended, puzzles) {
                        if count == 1 || run.outcome != PuzzleOutcome::Finished {
                            run.costs = vec![ended.cost];
                        }
                        runs.push(run);
                    }
                }
                Err(failure) => {
                    let outcome = match failure {
                        Failure::Limit(limit) => PuzzleOutcome::Limit(limit.to_owned()),
                        Failure::Failed(why) => PuzzleOutcome::Failed(why),
                    };
                    let cost = Cost { wall: begun.elapsed().as_secs_f64(), ..Cost::default() };
                    let solutions = "0".to_owned();
                    runs.push(PuzzleRun {
                        outcome,
                        costs: vec![cost],
                        solutions,
                        ..PuzzleRun::default()
                    });
                    if count > 1 || Instant::now() >= end || setup.is_cancelled() {
                        break;
                    }
                }
            }
        }
        Ok(runs)
    }

    fn round(&mut self, setup: &Setup) -> Option<RoundCost> {
        let mut round = RoundCost::default();
        for (text, count) in self.texts(setup).ok()? {
            let cost = self.run(&text, setup.time.saturating_mul(2), setup).ok()?.cost;
            let total = &mut round.total;
            total.wall += cost.wall;
            total.cpu = Some(total.cpu.unwrap_or(0.0) + cost.cpu.unwrap_or(0.0));
            total.memory = total.memory.max(cost.memory);
            if count == 1 {
                round.each.push(cost);
            }
        }
        (!setup.is_cancelled()).then_some(round)
    }
}

/// One of our algorithms in a comparison with external programs. The algorithm answers in this
/// process, but is timed as a separate process that reads the same files.
#[derive(Debug)]
pub struct AsProgram<E> {
    own: E,
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl<E: Entrant> AsProgram<E> {
    /// Builds a contender that times `own` as a run of this program with the given arguments.
    ///
    /// # Errors
    /// If the path of this program is unknown.
    pub fn new(own: E, arguments: Vec<OsString>) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| format!("no program: {error}"))?;
        Ok(Self { own, program, arguments })
    }
}

impl<E: Entrant> Entrant for AsProgram<E> {
    fn name(&self) -> &str {
        self.own.name()
    }

    fn summary(&self) -> &str {
        self.own.summary()
    }

    fn answer(&mut self, setup: &Setup) -> Result<Vec<PuzzleRun>, String> {
        self.own.answer(setup)
    }

    fn round(&mut self, setup: &Setup) -> Option<RoundCost> {
        let mut process = Command::new(&self.program);
        process.args(&self.arguments);
        let limit = setup.time.saturating_mul(2);
        let ended = process::run(process, "", limit, setup.limits.cancel.as_ref()).ok()?;
        (!setup.is_cancelled()).then(|| RoundCost { total: ended.cost, each: Vec::new() })
    }

    fn levels(&mut self, setup: &Setup) -> Vec<Vec<u64>> {
        self.own.levels(setup)
    }
}

type Flag = Arc<std::sync::atomic::AtomicBool>;

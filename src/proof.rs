//! Proofs of counts. `count --trace` writes a proof, and `check --count-trace` checks it. `covers`
//! writes proofs for the checkers of other programs.

pub(super) mod covers;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::Path;

use dlx::Limit;
use dlx::proofs::trace;
use dlx::trust::check::Checker;

use crate::io::args::{InputArgs, LimitArgs, PuzzleLimits, RunArgs};
use crate::io::exit::{Exit, name_of};
use crate::io::interrupt;
use crate::io::names::shown;
use crate::io::single::{self, only, print};
use crate::io::source::Puzzles;
use crate::io::whole::WholeFile;

/// Default limit of the total size of the states (bytes).
const BYTES: u64 = 2 << 30;

/// Counts the solutions of the puzzle, writes the proof to the file at `path`, and prints the
/// count. If the count fails, the file is unchanged.
pub(super) fn write(run: &RunArgs, path: &Path) -> Exit {
    let memory = run.limits.memory.or(Some(BYTES));
    let asked = LimitArgs { memory, ..run.limits.clone() };
    let puzzles = Puzzles::new(&run.input, asked.puzzle());
    let (kind, puzzle) = match only(puzzles) {
        Ok(only) => only,
        Err(exit) => return exit,
    };
    let limits = single::limits(interrupt::flag(), &asked);
    let bytes = limits.memory.unwrap_or(usize::MAX);
    let cannot_write = |message: String| {
        say!("{message}");
        Exit::BadInput
    };
    let mut file = match WholeFile::create(path) {
        Ok(file) => file,
        Err(message) => return cannot_write(message),
    };
    let mut written = Ok(());
    let sink = &mut |line: &str| {
        if written.is_ok() {
            written = file.write_all(line.as_bytes());
        }
    };
    let counted = trace::write(puzzle.problem(), puzzle.given(), &limits, bytes, sink);
    if let Err(error) = written {
        return cannot_write(file.fault(&error));
    }
    match counted {
        Ok(count) => {
            if let Err(message) = file.finish() {
                return cannot_write(message);
            }
            let exit = if count == 0_u32.into() { Exit::Failed } else { Exit::Done };
            print(kind, &count, true, run.output.json, exit)
        }
        Err(Limit::Cancelled) => Exit::Interrupted,
        Err(limit) => {
            say!("puzzle 1: {} limit reached; there is no trace", name_of(limit));
            Exit::Limited
        }
    }
}

/// Checks the proof in the file at `path` for the puzzle, and prints the proven count.
pub(super) fn check(input: &InputArgs, path: &Path, is_json: bool) -> Exit {
    let (kind, puzzle) = match only(Puzzles::new(input, PuzzleLimits::default())) {
        Ok(only) => only,
        Err(exit) => return exit,
    };
    let mut checker = Checker::new(puzzle.problem(), puzzle.given());
    let name = shown(path);
    let cannot_read = |error: io::Error| {
        say!("{name}: cannot read: {error}");
        Exit::BadInput
    };
    let file = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) => return cannot_read(error),
    };
    for line in file.lines() {
        let line = match line {
            Ok(line) => line,
            Err(error) => return cannot_read(error),
        };
        if let Err(error) = checker.read(&line) {
            say!("{name}:{error}");
            return Exit::Failed;
        }
    }
    match checker.finish() {
        Ok(count) => print(kind, &count, true, is_json, Exit::Done),
        Err(error) => {
            say!("{name}:{error}");
            Exit::Failed
        }
    }
}

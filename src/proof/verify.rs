//! The command `verify-proof`: checks a proof with code that no search uses.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use dlx::trust::{CheckFault, CheckedFile, check, cpog, lrat, veripb};
use dlx::{Limit, Limits, Problem};
use puzzle::Puzzle;
use serde_json::json;

use super::{Claim, refuse, unprovable};
use crate::io::args::{InputArgs, OutputArgs, PuzzleLimits};
use crate::io::exit::Exit;
use crate::io::names::shown;
use crate::io::single::{self, only};
use crate::io::source::Puzzles;
use crate::io::{interrupt, output};

fn ending(path: &Path) -> &str {
    path.extension().and_then(OsStr::to_str).unwrap_or_default()
}

/// The reason why a proof was not accepted.
enum Refused {
    /// The formula or the proof is wrong, or a limit was reached.
    Wrong(CheckFault),
    /// A file cannot be read.
    Unread(PathBuf, io::Error),
}

impl From<CheckFault> for Refused {
    fn from(fault: CheckFault) -> Self {
        Self::Wrong(fault)
    }
}

/// Checks the proof in the file at `path` for the puzzle, and prints what it proves.
pub(crate) fn verify(input: &InputArgs, path: &Path, asked: PuzzleLimits, output: &OutputArgs) -> Exit {
    let (kind, puzzle) = match only(Puzzles::new(input, asked)) {
        Ok(only) => only,
        Err(exit) => return exit,
    };
    let limits = asked.apply(Limits::new().cancel(interrupt::flag()));
    let formula = formula_of(path);
    let claim = match &formula {
        None => check_trace(puzzle.as_ref(), path, &limits),
        Some(formula) => match single::with_given(puzzle.as_ref()) {
            Ok(problem) => check_formula(&problem, formula, path, &limits),
            Err(message) => return unprovable(&message),
        },
    };
    match claim {
        Ok(claim) => print_claim(kind, &claim, output.json),
        Err(Refused::Unread(path, error)) => refuse(&format!("{}: cannot read: {error}", shown(path))),
        Err(Refused::Wrong(CheckFault { limit: Some(Limit::Cancelled), .. })) => Exit::Interrupted,
        Err(Refused::Wrong(fault)) => {
            let file = match (fault.file, &formula) {
                (CheckedFile::Formula, Some(formula)) => formula,
                _ => path,
            };
            say!("{}:{fault}", shown(file));
            if fault.limit.is_some() { Exit::Limited } else { Exit::Failed }
        }
    }
}

/// Returns the file of the formula of a proof, or `None` for a trace.
fn formula_of(path: &Path) -> Option<PathBuf> {
    match ending(path) {
        "cpog" | "lrat" => Some(path.with_extension("cnf")),
        "pbp" => Some(path.with_extension("opb")),
        _ => None,
    }
}

fn check_trace(puzzle: &dyn Puzzle, path: &Path, limits: &Limits) -> Result<Claim, Refused> {
    let count = check::check_within(puzzle.problem(), puzzle.given(), open(path)?, limits)?;
    Ok(Claim::Count(count))
}

fn check_formula(
    problem: &Problem,
    formula: &Path,
    path: &Path,
    limits: &Limits,
) -> Result<Claim, Refused> {
    let text = fs::read_to_string(formula).map_err(|error| Refused::Unread(formula.into(), error))?;
    let proof = open(path)?;
    Ok(match ending(path) {
        "cpog" => Claim::Count(cpog::check(problem, &text, proof, limits)?),
        "lrat" => Claim::Count(lrat::check(problem, &text, proof, limits)?.into()),
        _ => match veripb::check(problem, &text, proof, limits)? {
            veripb::Claim::Count(count) => Claim::Count(count.into()),
            veripb::Claim::Cheapest(cost) => Claim::Cost(cost),
        },
    })
}

fn open(path: &Path) -> Result<BufReader<File>, Refused> {
    File::open(path).map(BufReader::new).map_err(|error| Refused::Unread(path.into(), error))
}

fn print_claim(kind: &str, claim: &Claim, is_json: bool) -> Exit {
    let line = match is_json {
        true => {
            let mut object = json!({ "puzzle": 1, "kind": kind, "claim": claim.words() });
            claim.insert(&mut object);
            object.to_string()
        }
        false => claim.words(),
    };
    output::write_all((line + "\n").as_bytes(), Exit::Done)
}

//! Proofs of counts and of covers. `count --proof` and `count --trace` write them, and
//! `verify-proof` checks them.
//!
//! A proof for other checkers belongs to a formula, which is a file of the same name with another
//! ending. `covers` writes the proofs that list covers.

pub(super) mod covers;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use dlx::proofs::{self, ProofFault, trace};
use dlx::trust::formula::{self, FormulaFault};
use dlx::trust::veripb::Claim;
use dlx::trust::{CheckFault, CheckedFile, check, cpog, lrat, veripb};
use dlx::{BigUint, Limit, Limits, Problem};
use puzzle::Puzzle;
use serde_json::json;

use crate::io::args::{InputArgs, LimitArgs, OutputArgs, PuzzleLimits, RunArgs};
use crate::io::exit::{Exit, name_of};
use crate::io::interrupt;
use crate::io::names::shown;
use crate::io::output;
use crate::io::single::{self, only, print};
use crate::io::source::Puzzles;
use crate::io::whole::{self, WholeFile};

/// Default limit of the total size of the states (bytes).
const BYTES: u64 = 2 << 30;

/// A puzzle whose count is proven, within limits.
struct ProvenPuzzle {
    kind: &'static str,
    puzzle: Box<dyn Puzzle>,
    limits: Limits,
}

impl ProvenPuzzle {
    fn read(run: &RunArgs) -> Result<Self, Exit> {
        let memory = run.limits.memory.or(Some(BYTES));
        let asked = LimitArgs { memory, ..run.limits.clone() };
        let (kind, puzzle) = only(Puzzles::new(&run.input, asked.puzzle()))?;
        Ok(Self { kind, puzzle, limits: single::limits(interrupt::flag(), &asked) })
    }

    fn bytes(&self) -> usize {
        self.limits.memory.unwrap_or(usize::MAX)
    }

    fn exit(&self, count: &BigUint) -> Exit {
        if *count == BigUint::ZERO { Exit::Failed } else { Exit::Done }
    }

    fn print(&self, count: &BigUint, is_json: bool) -> Exit {
        print(self.kind, count, true, is_json, self.exit(count))
    }
}

fn refuse(message: &str) -> Exit {
    say!("{message}");
    Exit::BadInput
}

fn limited(limit: Limit, what: &str) -> Exit {
    if limit == Limit::Cancelled {
        return Exit::Interrupted;
    }
    say!("puzzle 1: {} limit reached; there is no {what}", name_of(limit));
    Exit::Limited
}

/// Counts the solutions of the puzzle, writes a trace to the file at `path`, and prints the count.
/// If the count fails, the file is unchanged.
pub(super) fn write_trace(run: &RunArgs, path: &Path) -> Exit {
    let proven = match ProvenPuzzle::read(run) {
        Ok(proven) => proven,
        Err(exit) => return exit,
    };
    let mut file = match WholeFile::create(path) {
        Ok(file) => file,
        Err(message) => return refuse(&message),
    };
    let mut written = Ok(());
    let sink = &mut |line: &str| {
        if written.is_ok() {
            written = file.write_all(line.as_bytes());
        }
    };
    let ProvenPuzzle { puzzle, limits, .. } = &proven;
    let counted = trace::write(puzzle.problem(), puzzle.given(), limits, proven.bytes(), sink);
    if let Err(error) = written {
        return refuse(&file.fault(&error));
    }
    match counted.map(|count| (count, file.finish())) {
        Ok((_, Err(message))) => refuse(&message),
        Ok((count, Ok(()))) => proven.print(&count, run.output.json),
        Err(limit) => limited(limit, "trace"),
    }
}

/// Counts the solutions of the puzzle, writes a proof as CPOG and its formula, and prints the
/// count. If the proof fails, the files are unchanged.
pub(super) fn write_count(run: &RunArgs, path: &Path) -> Exit {
    if run.limits.limit.is_some() {
        return refuse("a proof as CPOG counts all solutions, so expected no --limit");
    }
    let proven = match ProvenPuzzle::read(run) {
        Ok(proven) => proven,
        Err(exit) => return exit,
    };
    let problem = match single::with_given(proven.puzzle.as_ref()) {
        Ok(problem) => problem,
        Err(message) => return refuse(&format!("puzzle 1: {message}")),
    };
    let mut file = match WholeFile::create(path) {
        Ok(file) => file,
        Err(message) => return refuse(&message),
    };
    let mut written = Ok(());
    let proved =
        formula::cnf(&problem, &[], &proven.limits).map_err(ProofFault::from).and_then(|text| {
            let sink = &mut |part: &str| {
                written = file.write_all(part.as_bytes());
                if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let count = proofs::prove_count(&problem, &proven.limits, proven.bytes(), sink)?;
            Ok((text, count))
        });
    if let Err(error) = written {
        return refuse(&file.fault(&error));
    }
    let (text, count) = match proved {
        Ok(proved) => proved,
        Err(ProofFault::Formula(FormulaFault::Limit(limit))) => return limited(limit, "proof"),
        Err(ProofFault::Formula(fault)) => {
            let other = "`count --trace` proves the count of every exact cover";
            return refuse(&format!("puzzle 1: {fault}, so there is no proof; {other}"));
        }
        Err(_) => return refuse("puzzle 1: there is no proof"),
    };
    let formula = path.with_extension("cnf");
    if let Err(message) = whole::write(&formula, text.as_bytes()).and_then(|()| file.finish()) {
        return refuse(&message);
    }
    let (formula, proof) = (shown(&formula), shown(path));
    let checker = format!("cake_scpog {formula} {proof}");
    if !run.output.quiet {
        let claim = covers(&count);
        say!("proven: {claim} (formula {formula}, proof {proof}); to check it: {checker}");
    }
    if !run.output.json {
        return proven.print(&count, false);
    }
    let count_text = count.to_string();
    let proof = json!({
        "formula": formula, "proof": proof, "checker": checker, "count": count_text,
    });
    let line = json!({
        "puzzle": 1, "kind": proven.kind, "count": count_text, "complete": true, "proof": proof,
    });
    output::write_all(format!("{line}\n").as_bytes(), proven.exit(&count))
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(OsStr::to_str).unwrap_or_default()
}

fn covers(count: &BigUint) -> String {
    match u64::try_from(count) {
        Ok(0) => "no cover".into(),
        Ok(1) => "exactly 1 cover".into(),
        _ => format!("exactly {count} covers"),
    }
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
pub(super) fn verify(input: &InputArgs, path: &Path, asked: PuzzleLimits, output: &OutputArgs) -> Exit {
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
            Err(message) => return refuse(&format!("puzzle 1: {message}")),
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

/// What a proof proves.
enum Proven {
    Count(BigUint),
    Cheapest(u128),
}

fn check_trace(puzzle: &dyn Puzzle, path: &Path, limits: &Limits) -> Result<Proven, Refused> {
    let count = check::check_within(puzzle.problem(), puzzle.given(), open(path)?, limits)?;
    Ok(Proven::Count(count))
}

fn check_formula(
    problem: &Problem,
    formula: &Path,
    path: &Path,
    limits: &Limits,
) -> Result<Proven, Refused> {
    let text = fs::read_to_string(formula).map_err(|error| Refused::Unread(formula.into(), error))?;
    let proof = open(path)?;
    Ok(match ending(path) {
        "cpog" => Proven::Count(cpog::check(problem, &text, proof, limits)?),
        "lrat" => Proven::Count(lrat::check(problem, &text, proof, limits)?.into()),
        _ => match veripb::check(problem, &text, proof, limits)? {
            Claim::Count(count) => Proven::Count(count.into()),
            Claim::Cheapest(cost) => Proven::Cheapest(cost),
        },
    })
}

fn open(path: &Path) -> Result<BufReader<File>, Refused> {
    File::open(path).map(BufReader::new).map_err(|error| Refused::Unread(path.into(), error))
}

fn print_claim(kind: &str, proven: &Proven, is_json: bool) -> Exit {
    let claim = match proven {
        Proven::Count(count) => covers(count),
        Proven::Cheapest(cost) => format!("no cover costs less than {cost}"),
    };
    let line = match is_json {
        true => {
            let mut object = json!({ "puzzle": 1, "kind": kind, "claim": claim });
            match proven {
                Proven::Count(count) => object["count"] = count.to_string().into(),
                Proven::Cheapest(cost) => object["cost"] = cost.to_string().into(),
            }
            object.to_string()
        }
        false => claim,
    };
    match writeln!(output::stdout(), "{line}") {
        Ok(()) => Exit::Done,
        Err(error) => output::lost(&error),
    }
}

//! Proofs of counts: `count --proof FILE.cpog` for the checkers of other programs, and `count
//! --trace`.

use std::io::Write as _;
use std::path::Path;

use dlx::proofs::{ProofFault, Sink, prove_count, trace};
use dlx::trust::formula::{self, FormulaFault};
use dlx::{BigUint, Limit, Limits};
use puzzle::Puzzle;

use super::{Claim, Proven, WriteFault, refuse, unprovable, write_files};
use crate::io::args::{LimitArgs, RunArgs};
use crate::io::exit::{Exit, name_of};
use crate::io::interrupt;
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

    fn print(&self, count: &BigUint, proven: Option<&Proven>, is_json: bool) -> Exit {
        let exit = if *count == BigUint::ZERO { Exit::Failed } else { Exit::Done };
        print(self.kind, count, true, proven.map(Proven::json), is_json, exit)
    }
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
pub(crate) fn write_trace(run: &RunArgs, path: &Path) -> Exit {
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
        Ok((count, Ok(()))) => proven.print(&count, None, run.output.json),
        Err(limit) => limited(limit, "trace"),
    }
}

/// Counts the solutions of the puzzle, writes a proof as CPOG and its formula, and prints the
/// count. If the proof fails, the files are unchanged.
pub(crate) fn write_count(run: &RunArgs, path: &Path) -> Exit {
    if run.limits.limit.is_some() {
        return refuse("a proof as CPOG counts all solutions, so expected no --limit");
    }
    let proven = match ProvenPuzzle::read(run) {
        Ok(proven) => proven,
        Err(exit) => return exit,
    };
    let problem = match single::with_given(proven.puzzle.as_ref()) {
        Ok(problem) => problem,
        Err(message) => return unprovable(&message),
    };
    let formula = path.with_extension("cnf");
    if let Err(message) = whole::probe(path).and_then(|()| whole::probe(&formula)) {
        return refuse(&message);
    }
    let written = formula::cnf(&problem, &[], &proven.limits)
        .map_err(|fault| WriteFault::Proof(fault.into()))
        .and_then(|text| {
            let limits = &proven.limits;
            let prove = |sink: &mut Sink<'_>| prove_count(&problem, limits, proven.bytes(), sink);
            write_files(path, &formula, &text, prove)
        });
    let count = match written {
        Ok(count) => count,
        Err(WriteFault::File(message)) => return refuse(&message),
        Err(WriteFault::Proof(ProofFault::Formula(FormulaFault::Limit(limit)))) => {
            return limited(limit, "proof");
        }
        Err(WriteFault::Proof(ProofFault::Formula(fault))) => {
            let other = "`count --trace` proves the count of every exact cover";
            return refuse(&format!("puzzle 1: {fault}, so there is no proof; {other}"));
        }
        Err(WriteFault::Proof(_)) => return refuse("puzzle 1: there is no proof"),
    };
    let (claim, proof) = (Claim::Count(count.clone()), path.to_owned());
    let written = Proven { claim, formula, proof, checker: "cake_scpog" };
    if !run.output.quiet {
        written.say(&written.claim.words());
    }
    proven.print(&count, Some(&written), run.output.json)
}

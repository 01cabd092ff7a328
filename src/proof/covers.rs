//! Proofs for the checkers of other programs (`--proof FILE`): that a puzzle has no solutions
//! except the ones that were found, or no cheaper solution.
//!
//! A proof belongs to a formula, which is written next to it. The puzzle becomes an exact cover
//! without clues, as `convert --to cnf` and `--to opb` write it. The solver finds the solutions,
//! and the proof search of [`dlx::proofs`] shows that there are no others. This search shares no
//! code with the engines: if an engine missed a solution, the proof search finds it.

use std::ops::ControlFlow;
use std::sync::Arc;

use dlx::parallel::Cores;
use dlx::proofs::{self, ProofFault, ProofFormat};
use dlx::trust::formula::{BLOCKED_MAX, FormulaFault, check_cnf, free_options, variable};
use dlx::{End, Engine as _, Limit, Limits, OptionId, Problem, Report, Solver, cheapest, restrict};

use super::{Claim, Proven, WriteFault, refuse, write_files};
use crate::io::args::{ProofFile, RunArgs, ShowArgs, thread_count};
use crate::io::bar::Bar;
use crate::io::exit::Exit;
use crate::io::single::{self, only, only_job, print};
use crate::io::source::Puzzles;
use crate::io::{interrupt, memory};
use crate::search::{Goal, Listed, list_alone};
use puzzle::Puzzle;

/// `solve --proof` and `list --proof`: prints solutions, and proves that there are no others, or
/// none that costs less.
pub(crate) fn list(run: &RunArgs, show: &ShowArgs, goal: Goal, file: &ProofFile) -> Exit {
    let is_cheapest = matches!(goal, Goal::Cheapest(_));
    let refusal = if show.pictures.is_wanted() {
        Some("expected pictures or a proof, found both (--proof)")
    } else if is_cheapest && goal != Goal::Cheapest(1) {
        Some("a proof shows that one solution is the cheapest, so expected --cheapest=1")
    } else if is_cheapest && file.format == ProofFormat::Lrat {
        Some("LRAT cannot hold costs, so expected a file that ends in .pbp")
    } else {
        None
    };
    if let Some(refusal) = refusal {
        return refuse(refusal);
    }
    if let Err(message) = file.probe() {
        return refuse(&message);
    }
    let puzzles = Puzzles::new(&run.input, run.limits.puzzle());
    let job = match only_job(puzzles.quiet(run.output.quiet).without_puzzle_notes()) {
        Ok(only) => only,
        Err(exit) => return exit,
    };
    let limits = memory::guard(single::limits(interrupt::flag(), &run.limits), run.limits.memory);
    let bar = Bar::start(!run.output.quiet);
    let (mut proven, cores) = (Ok(None), Cores::new(thread_count(run.threads).saturating_sub(1)));
    let exit = list_alone(run, show, job, goal, &bar, &limits, &mut |puzzle, visit| {
        let subject = match Subject::new(puzzle, file.format, &limits) {
            Ok(subject) => subject,
            Err(unproven) => {
                proven = Err(unproven);
                return Ok(Report::empty(End::Stopped).into());
            }
        };
        let mut found = match goal {
            Goal::Cheapest(_) => subject.find_cheapest(&limits, visit),
            _ => subject.find(goal.limit(), &cores, &limits, visit),
        };
        proven = subject.prove(&found, file, &limits).map(Some);
        if let Ok(Some(proof)) = &proven {
            found.report.end = End::Exhausted;
            return Ok(Listed { proof: Some(proof.json()), ..Listed::from(found.report) });
        }
        Ok(Listed { bound: found.bound, ..Listed::from(found.report) })
    });
    bar.finish();
    exit.max(report(proven, run.output.quiet))
}

/// `count --proof`: prints the number of solutions, and proves it.
pub(crate) fn count(run: &RunArgs, file: &ProofFile) -> Exit {
    if let Err(message) = file.probe() {
        return refuse(&message);
    }
    let puzzles = Puzzles::new(&run.input, run.limits.puzzle());
    let (kind, puzzle) = match only(puzzles.quiet(run.output.quiet)) {
        Ok(only) => only,
        Err(exit) => return exit,
    };
    let limits = memory::guard(single::limits(interrupt::flag(), &run.limits), run.limits.memory);
    let cores = Cores::new(thread_count(run.threads).saturating_sub(1));
    let subject = match Subject::new(puzzle.as_ref(), file.format, &limits) {
        Ok(subject) => subject,
        Err(unproven) => return report(Err(unproven), run.output.quiet),
    };
    let found = subject.find(run.limits.limit, &cores, &limits, &mut |_| ControlFlow::Continue(()));
    let proven = subject.prove(&found, file, &limits);
    let is_complete = proven.is_ok();
    let exit = if found.covers.is_empty() && is_complete { Exit::Failed } else { Exit::Done };
    let json = proven.as_ref().ok().map(Proven::json);
    let exit = print(kind, &found.covers.len().into(), is_complete, json, run.output.json, exit);
    exit.max(report(proven.map(Some), run.output.quiet))
}

/// `check --proof`: proves that a puzzle has at most one solution.
pub(crate) fn check(
    puzzle: &dyn Puzzle,
    file: &ProofFile,
    limits: &Limits,
) -> Result<Proven, Unproven> {
    file.probe().map_err(Unproven::refused)?;
    let subject = Subject::new(puzzle, file.format, limits)?;
    let found = subject.find(Some(1), &Cores::new(0), limits, &mut |_| ControlFlow::Continue(()));
    subject.prove(&found, file, limits)
}

/// Says what was proven, or why there is no proof, and returns the exit code of that.
pub(crate) fn report(proven: Result<Option<Proven>, Unproven>, is_quiet: bool) -> Exit {
    match proven {
        Ok(Some(proven)) if !is_quiet => proven.say(&words(&proven.claim)),
        Ok(_) => {}
        Err(Unproven { message, exit }) => {
            if exit != Exit::Interrupted {
                say!("no proof: {message}");
            }
            return exit;
        }
    }
    Exit::Done
}

fn words(claim: &Claim) -> String {
    match claim {
        Claim::Count(count) => match u64::try_from(count) {
            Ok(0) => "there is no solution".to_owned(),
            Ok(1) => "there is no other solution".to_owned(),
            _ => format!("there are exactly {count} solutions"),
        },
        Claim::Cost(cost) => format!("no solution costs less than {cost}"),
    }
}

/// The reason why there is no proof, and the exit code of the command.
pub(crate) struct Unproven {
    message: String,
    exit: Exit,
}

impl Unproven {
    pub(super) fn failed(message: &str) -> Self {
        Self { message: message.to_owned(), exit: Exit::Failed }
    }

    pub(crate) fn refused(message: String) -> Self {
        Self { message, exit: Exit::BadInput }
    }

    /// Returns whether a limit ended the proof.
    pub(crate) fn is_limited(&self) -> bool {
        self.exit == Exit::Limited
    }

    pub(super) fn limited(limit: Limit) -> Self {
        let (name, exit) = match limit {
            Limit::Cancelled => ("", Exit::Interrupted),
            Limit::Time => ("time", Exit::Limited),
            _ => ("memory", Exit::Limited),
        };
        Self { message: format!("{name} limit reached"), exit }
    }
}

impl From<ProofFault> for Unproven {
    fn from(fault: ProofFault) -> Self {
        match fault {
            ProofFault::Formula(FormulaFault::Limit(limit)) => Self::limited(limit),
            ProofFault::Formula(FormulaFault::Feature(feature)) => Self::refused(format!(
                "LRAT cannot hold {feature}, so expected a file that ends in .pbp"
            )),
            ProofFault::Formula(fault) => Self { message: fault.to_string(), exit: Exit::Limited },
            ProofFault::Missing(_) => {
                Self::failed("there is another solution; `list --proof` proves that a list is complete")
            }
            _ => Self::failed("the proof was not completed"),
        }
    }
}

impl From<WriteFault> for Unproven {
    fn from(fault: WriteFault) -> Self {
        match fault {
            WriteFault::File(message) => Self::refused(message),
            WriteFault::Proof(fault) => fault.into(),
        }
    }
}

/// A puzzle as a problem without clues.
struct Subject {
    problem: Arc<Problem>,
    /// The options of the puzzle, if the problem leaves some out.
    originals: Option<Vec<OptionId>>,
}

/// The solutions that a search found, as options of the subject.
struct Found {
    covers: Vec<Vec<OptionId>>,
    report: Report,
    is_cheapest: bool,
    /// A lower bound of the cost of every other solution.
    bound: Option<u128>,
}

impl Subject {
    fn new(puzzle: &dyn Puzzle, format: ProofFormat, limits: &Limits) -> Result<Self, Unproven> {
        puzzle.build_problem(limits).map_err(Unproven::limited)?;
        let problem = puzzle.problem();
        if format == ProofFormat::Lrat {
            check_cnf(problem).map_err(ProofFault::from)?;
        }
        if puzzle.given().is_empty() {
            return Ok(Self { problem: Arc::clone(problem), originals: None });
        }
        let restricted = restrict(problem, puzzle.given())
            .map_err(|conflict| Unproven::failed(&single::clash(problem, &conflict)))?;
        Ok(Self { problem: Arc::new(restricted.problem), originals: Some(restricted.originals) })
    }

    fn original(&self, cover: &[OptionId]) -> Vec<OptionId> {
        let original = |option: &OptionId| match &self.originals {
            Some(originals) => originals[option.index()],
            None => *option,
        };
        cover.iter().map(original).collect()
    }

    /// Finds at most `count` solutions, and passes them to `visit` as options of the puzzle.
    fn find(
        &self,
        count: Option<u64>,
        cores: &Arc<Cores>,
        limits: &Limits,
        visit: &mut dyn FnMut(&[OptionId]) -> ControlFlow<()>,
    ) -> Found {
        let free = free_options(&self.problem).iter().filter(|&&is_free| is_free).count();
        let (mut covers, mut literals) = (Vec::new(), 0);
        let mut solver = Solver::new(Arc::clone(&self.problem)).on(cores);
        let report = solver.search(&[], &limits.clone().solutions(count), &mut |cover| {
            literals += cover.len() + free;
            if literals <= BLOCKED_MAX {
                covers.push(cover.to_vec());
            }
            visit(&self.original(cover))
        });
        covers.iter_mut().for_each(|cover| cover.sort_unstable());
        Found { covers, report, is_cheapest: false, bound: None }
    }

    fn find_cheapest(
        &self,
        limits: &Limits,
        visit: &mut dyn FnMut(&[OptionId]) -> ControlFlow<()>,
    ) -> Found {
        let found = cheapest::search(&self.problem, &[], 1, limits);
        let covers: Vec<_> = found.covers.into_iter().map(|cover| cover.options).collect();
        covers.iter().for_each(|cover| _ = visit(&self.original(cover)));
        Found { covers, report: found.report, is_cheapest: true, bound: found.bound }
    }

    /// Writes the formula and the proof that there are no other solutions, or no cheaper ones.
    fn prove(&self, found: &Found, file: &ProofFile, limits: &Limits) -> Result<Proven, Unproven> {
        match found.report.end {
            End::Limit(limit) if limit != Limit::Solutions => return Err(Unproven::limited(limit)),
            End::Stopped => return Err(Unproven::failed("the list was not completed")),
            _ if found.covers.len() as u64 != found.report.solutions => {
                return Err(ProofFault::from(FormulaFault::Blocked).into());
            }
            _ => {}
        }
        let (problem, format) = (&*self.problem, file.format);
        let best = found.covers.first().filter(|_| found.is_cheapest && problem.has_costs());
        let formula = match best {
            Some(_) => proofs::formula_of_cheapest(problem, limits),
            None => proofs::formula_of_covers(problem, &found.covers, format, limits),
        };
        let formula = formula.map_err(ProofFault::from)?;
        let written = write_files(&file.path, &file.formula(), &formula, |sink| match best {
            Some(cover) => proofs::prove_cheapest(problem, cover, limits, sink),
            None => proofs::prove_covers(problem, &found.covers, format, limits, sink),
        });
        written.map_err(|fault| match (fault, found.report.end) {
            (WriteFault::Proof(ProofFault::Missing(cover)), End::Exhausted) => {
                let numbers: Vec<_> =
                    cover.iter().map(|option| format!("x{}", variable(*option))).collect();
                let message = format!("the search missed the solution {}", numbers.join(" "));
                Unproven::failed(&message)
            }
            (fault, _) => fault.into(),
        })?;
        let cost = |cover: &Vec<OptionId>| cover.iter().map(|&o| u128::from(problem.cost(o))).sum();
        let count = Claim::Count(found.covers.len().into());
        let claim = best.map_or(count, |cover| Claim::Cost(cost(cover)));
        let checker = if format == ProofFormat::Lrat { "cake_lpr" } else { "veripb" };
        Ok(Proven { claim, formula: file.formula(), proof: file.path.clone(), checker })
    }
}

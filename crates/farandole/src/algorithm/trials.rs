//! Searches of grids with clues of many rules: trials of the search on digits and of the filtering
//! search first. Then a search for solutions alternates between the search on digits and the solver
//! of the exact cover; a count continues the search on digits for a while and hands over, unless
//! the search has found many solutions and would only enumerate more.
//!
//! The slices of the search on digits double, and it resumes. The solver starts again with twice as
//! many nodes as before, whenever its total work is expected to stay at most half of that of the
//! search on digits. So alternation takes at most about 1.5 times as long as the search on digits
//! alone, and a small constant times as long as the solver alone, plus the trials. Slices are
//! measured in nodes and updates, never by the clock, so a search is reproducible.
//!
//! Invariant: only one search shows solutions. A trial holds its solutions back until it has
//! finished, or has too many ([`HELD_MAX`]) and continues to the end.

use std::ops::ControlFlow;

use dlx::engine::Filter;
use dlx::{End, Engine as _, Limit, Limits, OptionId, Report, Unsupported, Visit};

use super::digits::{DigitsTrial, HELD_MAX};
use super::kept::KeptEngine;
use super::sums::with_effort;
use super::unbuilt;
use puzzle::{Puzzle, Solution, SolutionVisit};

/// Maximum nodes of the search on digits before the filtering search runs (usually at most half a
/// second). Enough for nearly all of 198 published variants.
const DIGITS_NODES: u64 = 1 << 16;
/// Maximum nodes of the search on digits for grids without other clues (some milliseconds). Such a
/// grid has a trial only if at most [`FEW_SOLUTIONS`] solutions are wanted.
const DIGITS_NODES_MIN: u64 = 1 << 10;
const FEW_SOLUTIONS: u64 = 2;
/// Maximum nodes of a counting search on digits before the counting methods run.
const DIGITS_NODES_MAX: u64 = 1 << 22;
/// Maximum nodes of the filtering search (usually at most a second).
const FILTER_NODES: u64 = 1 << 12;
/// Nodes of the first slice of the solver.
const SOLVER_NODES: u64 = 1 << 10;
/// Work of a node besides its updates, in updates: a node of `digits` or `masks` takes about a
/// microsecond, an update some 10 ns.
const NODE_WORK: u64 = 64;
/// Work of preparing the solver for a search, in updates per entry of the problem: a reduction
/// takes 100 ns per entry (`dlx/src/portfolio/costs.rs`).
const ENTRY_WORK: u64 = 10;
/// Work of the search on digits per unit of work of the solver, while they alternate. The search on
/// digits wins nearly all variants, so the solver gets the smaller share.
const DIGITS_SHARE: u64 = 2;
/// Number of nodes per solution above which a search does more than enumerate.
pub(super) const NODES_FRUITLESS: u64 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Winner {
    Digits,
    Filter,
    Solver,
}

impl Winner {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Digits => "digits",
            Self::Filter => "filter",
            Self::Solver => "solver",
        }
    }
}

/// Returns whether trials are worthwhile. Trials are for grids with clues of many rules, and for
/// other digit grids if few solutions are wanted.
///
/// # Errors
/// The limit that was reached while the puzzle was translated.
pub(super) fn is_for_trials(puzzle: &dyn Puzzle, limits: &Limits) -> Result<bool, Limit> {
    let is_few = limits.solutions.is_some_and(|wanted| wanted <= FEW_SOLUTIONS);
    Ok(puzzle.as_ruled().is_some() || is_few && puzzle.as_digits(limits)?.is_some())
}

/// A search of the exact cover within limits; fails if the solver does not support the problem.
pub(super) type RunSolver<'r> =
    dyn FnMut(&Limits, Option<&mut Visit<'_>>) -> Result<Report, Unsupported> + 'r;

pub(super) struct Trials {
    filter: KeptEngine<Filter>,
    /// Nodes of the two trials of a puzzle with clues.
    digits_nodes: u64,
    filter_nodes: u64,
}

impl Trials {
    pub(super) fn new() -> Self {
        Self { filter: KeptEngine::new(), digits_nodes: DIGITS_NODES, filter_nodes: FILTER_NODES }
    }

    /// Returns the report of the trial that finished and showed its solutions, with the effort of
    /// all trials.
    ///
    /// # Errors
    /// If no trial finished, a report with the effort of all trials.
    pub(super) fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        mut visit: Option<&mut SolutionVisit<'_>>,
        solver: &mut RunSolver<'_>,
    ) -> Result<(Report, Winner), Report> {
        let mut digits = match puzzle.as_digits(limits) {
            Ok(grid) => grid.map(DigitsTrial::new),
            Err(limit) => return Ok((unbuilt(limit), Winner::Digits)),
        };
        let nodes = if puzzle.as_ruled().is_some() { self.digits_nodes } else { DIGITS_NODES_MIN };
        if let Some(digits) = &mut digits
            && let Some(report) = digits.run(nodes, limits, visit.as_deref_mut())
        {
            return Ok((report, Winner::Digits));
        }
        if puzzle.as_ruled().is_none() {
            let before = digits.iter().map(DigitsTrial::report);
            return Err(before.fold(Report::empty(End::Stopped), with_effort));
        }
        if let Err(limit) = puzzle.build_problem(limits) {
            // Without an exact cover, the search on digits continues alone.
            if limit == Limit::Memory
                && let Some(digits) = &mut digits
            {
                let report = digits.run(u64::MAX, limits, visit).expect("its nodes are unlimited");
                return Ok((report, Winner::Digits));
            }
            let before = digits.iter().map(DigitsTrial::report);
            return Ok((before.fold(unbuilt(limit), with_effort), Winner::Filter));
        }
        let filtered = match self.filter(puzzle, limits, visit.as_deref_mut()) {
            Some(Ok(report)) => {
                let before = digits.iter().map(DigitsTrial::report);
                return Ok((before.fold(report, with_effort), Winner::Filter));
            }
            Some(Err(report)) => report,
            None => Report::empty(End::Stopped),
        };
        let Some(mut digits) = digits else { return Err(filtered) };
        let is_counting = visit.is_none() && limits.solutions.is_none();
        if !is_counting {
            let slice = 2 * self.digits_nodes;
            let (report, winner) = alternate(puzzle, &mut digits, slice, limits, visit, solver);
            return Ok((with_effort(report, &filtered), winner));
        }
        match digits.run(nodes_to_count(digits.report()), limits, visit) {
            Some(report) => Ok((with_effort(report, &filtered), Winner::Digits)),
            None => Err(with_effort(filtered, digits.report())),
        }
    }

    /// Runs the engine `filter` with a node limit, if it supports the puzzle. Returns `Ok` if it
    /// finished and the visitor received its covers.
    fn filter(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Option<Result<Report, Report>> {
        let problem = puzzle.problem();
        let filter = self.filter.for_problem(problem, || Filter::new(problem)).ok()?;
        let mut held = HeldCovers::default();
        let mut hold = |cover: &[OptionId]| held.push(cover);
        let hold: Option<&mut Visit<'_>> = if visit.is_some() { Some(&mut hold) } else { None };
        let trial = limits.clone().nodes(self.filter_nodes);
        let mut report = filter.run(puzzle.given(), &[], &trial, hold);
        // If the tables of the engine exceed the memory limit, the other methods continue.
        if matches!(report.end, End::Limit(Limit::Nodes | Limit::Memory)) {
            return Some(Err(report));
        }
        if let Some(visit) = visit {
            held.show(&mut report, visit);
        }
        Some(Ok(report))
    }
}

/// Covers that a search holds back until it has finished.
#[derive(Default)]
struct HeldCovers(Vec<Vec<OptionId>>);

impl HeldCovers {
    fn push(&mut self, cover: &[OptionId]) -> ControlFlow<()> {
        self.0.push(cover.to_vec());
        ControlFlow::Continue(())
    }

    fn show(&self, report: &mut Report, visit: &mut SolutionVisit<'_>) {
        if let Some(stop) = self.0.iter().position(|cover| visit(Solution::Cover(cover)).is_break()) {
            (report.end, report.solutions) = (End::Stopped, stop as u64 + 1);
        }
    }
}

/// Returns the work of a search, in updates.
fn work(report: &Report) -> u64 {
    report.updates.saturating_add(report.nodes.saturating_mul(NODE_WORK))
}

/// Alternates between the search on digits, from a slice of `slice` nodes on, and the solver, until
/// one of them has finished. Returns its report with the effort of both.
fn alternate(
    puzzle: &dyn Puzzle,
    digits: &mut DigitsTrial<'_>,
    mut slice: u64,
    limits: &Limits,
    mut visit: Option<&mut SolutionVisit<'_>>,
    solver: &mut RunSolver<'_>,
) -> (Report, Winner) {
    let before = work(digits.report());
    let preparation = ENTRY_WORK.saturating_mul(puzzle.problem().entry_count() as u64);
    let (mut nodes, mut expected) = (SOLVER_NODES, preparation + SOLVER_NODES * NODE_WORK);
    let (mut effort, mut spent) = (Report::empty(End::Stopped), 0_u64);
    let mut is_out = false;
    loop {
        if let Some(report) = digits.run(slice, limits, visit.as_deref_mut()) {
            return (with_effort(report, &effort), Winner::Digits);
        }
        slice = slice.saturating_mul(2);
        while !is_out
            && spent.saturating_add(expected) <= (work(digits.report()) - before) / DIGITS_SHARE
        {
            let mut held = HeldCovers::default();
            let mut hold = |cover: &[OptionId]| match held.0.len() < HELD_MAX {
                true => held.push(cover),
                false => ControlFlow::Break(()),
            };
            let hold: Option<&mut Visit<'_>> = if visit.is_some() { Some(&mut hold) } else { None };
            let Ok(mut report) = solver(&limits.clone().nodes(nodes), hold) else {
                is_out = true;
                break;
            };
            let own = preparation.saturating_add(work(&report));
            spent = spent.saturating_add(own);
            match (report.end, visit.as_deref_mut()) {
                (End::Limit(Limit::Nodes), _) => {}
                (End::Exhausted | End::Limit(Limit::Solutions), visit) => {
                    if let Some(visit) = visit {
                        held.show(&mut report, visit);
                    }
                    let report = with_effort(with_effort(report, &effort), digits.report());
                    return (report, Winner::Solver);
                }
                (End::Stopped, Some(visit)) => {
                    // There are more covers than are held back, so the solver shows them all.
                    effort = with_effort(effort, &report);
                    let mut show = |cover: &[OptionId]| visit(Solution::Cover(cover));
                    let report = solver(limits, Some(&mut show)).expect("it has searched before");
                    let report = with_effort(with_effort(report, &effort), digits.report());
                    return (report, Winner::Solver);
                }
                // The search on digits continues alone, and notices limits that concern it too.
                _ => is_out = true,
            }
            effort = with_effort(effort, &report);
            // The next slice has twice as many nodes of the same work.
            nodes = nodes.saturating_mul(2);
            expected = preparation.saturating_add(own.saturating_sub(preparation).saturating_mul(2));
        }
        if is_out {
            slice = u64::MAX;
        }
    }
}

/// Returns the additional nodes of a counting search on digits after its trial.
fn nodes_to_count(trial: &Report) -> u64 {
    let is_fruitful = trial.solutions > trial.nodes / NODES_FRUITLESS;
    if is_fruitful { 0 } else { DIGITS_NODES_MAX }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dlx::Solver;

    use super::*;

    /// Runs trials that are too short for a decision.
    fn run(
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> (Report, Winner) {
        let mut trials = Trials { digits_nodes: 1, filter_nodes: 1, ..Trials::new() };
        let mut solver = Solver::new(Arc::clone(puzzle.problem()));
        let mut run_solver = |limits: &Limits, visit: Option<&mut Visit<'_>>| {
            Ok(solver.run(puzzle.given(), &[], limits, visit))
        };
        trials.run(puzzle, limits, visit, &mut run_solver).expect("one of the searches finishes")
    }

    /// Forbids digit 1 in the first `side` rows and columns. Three columns have no room for five
    /// copies, which the search on digits does not see.
    fn crowded(order: usize, side: usize) -> variant::Variant {
        let cells: Vec<String> = (1..=side).map(|row| format!("r{row}c1-r{row}c{side}")).collect();
        let digits: Vec<String> = (2..=order).map(|digit| digit.to_string()).collect();
        let (cells, digits) = (cells.join(" "), digits.join(" "));
        variant::read(&format!("# boxes: none\n# order: {order}\n# any-of: {cells} = {digits}\n"))
            .unwrap()
    }

    #[test]
    fn a_search_for_solutions_reaches_the_solver() {
        let puzzle = crowded(8, 5);
        let mut none = |_: Solution<'_>| panic!("there is no solution");
        for limits in [Limits::new(), Limits::new().solutions(1), Limits::new().solutions(2)] {
            let (report, winner) = run(&puzzle, &limits, Some(&mut none));
            assert_eq!((report.end, report.solutions, winner), (End::Exhausted, 0, Winner::Solver));
            let again = run(&puzzle, &limits, Some(&mut none)).0;
            assert_eq!((report.nodes, report.updates), (again.nodes, again.updates));
        }
        let (report, winner) = run(&puzzle, &Limits::new().solutions(2), None);
        assert_eq!((report.end, report.solutions, winner), (End::Exhausted, 0, Winner::Solver));
    }

    #[test]
    fn a_time_limit_ends_the_time_slices_of_both_searches() {
        let over = Limits::new().within(std::time::Duration::ZERO);
        let mut none = |_: Solution<'_>| ControlFlow::Continue(());
        let (report, _) = run(&crowded(8, 5), &over, Some(&mut none));
        assert_eq!((report.end, report.solutions), (End::Limit(Limit::Time), 0));
    }

    #[test]
    fn the_search_on_digits_finishes_alone_if_the_cover_is_too_large() {
        let ranks = "# full-rank: row 1 left = 17\n# full-rank: row 1 right = 5\n\
                     # full-rank: column 1 top = 19\n# full-rank: column 1 bottom = 10\n\
                     # full-rank: row 2 left = 23\n# full-rank: row 2 right = 30\n\
                     # full-rank: column 2 top = 12\n# full-rank: column 2 bottom = 16\n\
                     # full-rank: row 3 left = 4\n# full-rank: row 3 right = 27\n\
                     # full-rank: column 3 top = 14\n# full-rank: column 3 bottom = 20\n";
        let puzzle = variant::read(&format!("{ranks}{}", ".........\n".repeat(9))).unwrap();
        assert_eq!(puzzle.build_problem(&Limits::new()), Err(Limit::Memory));
        let mut trials = Trials { digits_nodes: 1, filter_nodes: 1, ..Trials::new() };
        let mut solver = |_: &Limits, _: Option<&mut Visit<'_>>| unreachable!("it needs a cover");
        let mut count = 0;
        let mut visit = |_: Solution<'_>| {
            count += 1;
            ControlFlow::Continue(())
        };
        let limits = Limits::new().solutions(2);
        let ran = trials.run(&puzzle, &limits, Some(&mut visit), &mut solver);
        let (report, winner) = ran.map_err(|_| "it found nothing").unwrap();
        assert_eq!(
            (report.end, report.solutions, winner),
            (End::Limit(Limit::Solutions), 2, Winner::Digits)
        );
        assert_eq!(count, 2);
    }

    #[test]
    fn alternating_searches_show_each_solution_once() {
        // 576 squares; more than a trial holds back.
        let puzzle = variant::read("# boxes: none\n# order: 4\n# any-of: r1c1 = 1 2 3 4\n").unwrap();
        for (wanted, expected) in [(None, 576), (Some(3), 3), (Some(300), 300)] {
            let mut shown = Vec::new();
            let mut show = |solution: Solution<'_>| {
                let mut text = String::new();
                solution.show(&puzzle, 1, &mut text);
                shown.push(text);
                ControlFlow::Continue(())
            };
            let (report, _) = run(&puzzle, &Limits::new().solutions(wanted), Some(&mut show));
            assert_eq!(report.solutions, expected);
            shown.sort();
            shown.dedup();
            assert_eq!(shown.len() as u64, expected);
        }
    }
}

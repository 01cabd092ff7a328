//! Trials before the solver, for grids with clues of many rules. First a search on digits runs for
//! a limited number of nodes, then a search with filtering. Then the search on digits continues,
//! unless it has found many solutions and would only enumerate more.
//!
//! Invariant: only one search shows solutions. A trial holds its solutions back until it has
//! finished, or until it has too many and continues to the end.

use std::ops::ControlFlow;

use dlx::engine::Filter;
use dlx::{End, Engine as _, Limit, Limits, OptionId, Report, Visit};

use super::digits::DigitsTrial;
use super::kept::KeptEngine;
use super::sums::with_effort;
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
/// Number of nodes per solution above which a search does more than enumerate.
pub(super) const NODES_FRUITLESS: u64 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Winner {
    Digits,
    Filter,
}

impl Winner {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Digits => "digits",
            Self::Filter => "filter",
        }
    }
}

/// Returns whether trials are worthwhile. Trials are for grids with clues of many rules, and for
/// other digit grids if few solutions are wanted.
pub(super) fn is_for_trials(puzzle: &dyn Puzzle, limits: &Limits) -> bool {
    let is_few = limits.solutions.is_some_and(|wanted| wanted <= FEW_SOLUTIONS);
    puzzle.is_for_filter() || is_few && puzzle.as_digits().is_some()
}

pub(super) struct Trials {
    filter: KeptEngine<Filter>,
}

impl Trials {
    pub(super) fn new() -> Self {
        Self { filter: KeptEngine::new() }
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
    ) -> Result<(Report, Winner), Report> {
        let mut digits = puzzle.as_digits().map(DigitsTrial::new);
        let nodes = if puzzle.is_for_filter() { DIGITS_NODES } else { DIGITS_NODES_MIN };
        if let Some(digits) = &mut digits
            && let Some(report) = digits.run(nodes, limits, visit.as_deref_mut())
        {
            return Ok((report, Winner::Digits));
        }
        if !puzzle.is_for_filter() {
            let before = digits.iter().map(DigitsTrial::report);
            return Err(before.fold(Report::empty(End::Stopped), with_effort));
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
        let nodes = if is_counting { nodes_to_count(digits.report()) } else { u64::MAX };
        match digits.run(nodes, limits, visit) {
            Some(report) => Ok((with_effort(report, &filtered), Winner::Digits)),
            None => Err(with_effort(filtered, digits.report())),
        }
    }

    /// Runs the engine `filter` with a node limit, if it supports the puzzle. Returns `Ok` if it
    /// finished and its covers were shown.
    fn filter(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Option<Result<Report, Report>> {
        let problem = puzzle.problem();
        let filter = self.filter.for_problem(problem, || Filter::new(problem)).ok()?;
        let mut held = Vec::new();
        let mut hold = |cover: &[OptionId]| {
            held.push(cover.to_vec());
            ControlFlow::Continue(())
        };
        let hold: Option<&mut Visit<'_>> = if visit.is_some() { Some(&mut hold) } else { None };
        let trial = limits.clone().nodes(FILTER_NODES);
        let mut report = filter.run(puzzle.given(), &[], &trial, hold);
        // If the tables of the engine exceed the memory limit, the other methods continue.
        if matches!(report.end, End::Limit(Limit::Nodes | Limit::Memory)) {
            return Some(Err(report));
        }
        if let Some(visit) = visit
            && let Some(stop) = held.iter().position(|cover| visit(Solution::Cover(cover)).is_break())
        {
            (report.end, report.solutions) = (End::Stopped, stop as u64 + 1);
        }
        Some(Ok(report))
    }
}

/// Returns how many more nodes a counting search on digits may use after its trial.
fn nodes_to_count(trial: &Report) -> u64 {
    let is_fruitful = trial.solutions > trial.nodes / NODES_FRUITLESS;
    if is_fruitful { 0 } else { DIGITS_NODES_MAX }
}

//! Trials of grids with clues of many rules, before the solver has them: a search on digits, one that filters, and then the
//! first goes on where it has not found so much that it would only list.
//!
//! Invariant: solutions are shown by one search alone. A trial keeps its own back until it has come to an end, or has found so
//! many that it is left at work.

use std::ops::ControlFlow;

use dlx::engine::Filter;
use dlx::{End, Engine as _, Limit, Limits, OptionId, Report, Visit};

use super::digits::DigitsTrial;
use super::kept::KeptEngine;
use super::sums::with_effort;
use puzzle::{Puzzle, Solution, SolutionVisit};

/// Nodes of a search on digits before one that filters has a trial: half a second at most, mostly. Of 198 variants of
/// setters it is enough for all but a few.
const DIGITS_NODES: u64 = 1 << 16;
/// The same where no clue is of another rule: some milliseconds, which is enough for most grids that are to have one
/// solution; and how many solutions are wanted then at most.
const DIGITS_NODES_MIN: u64 = 1 << 10;
const FEW_SOLUTIONS: u64 = 2;
/// Nodes of one that only counts before the methods that count have a go.
const DIGITS_NODES_MAX: u64 = 1 << 22;
/// Nodes of the search that filters: a second at most, mostly.
const FILTER_NODES: u64 = 1 << 12;
/// A search that takes more nodes than this for a solution is not one that lists what is easily found.
pub(super) const NODES_FRUITLESS: u64 = 16;

/// Who came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Winner {
    /// The search on digits.
    Digits,
    /// The search that filters.
    Filter,
}

impl Winner {
    /// Returns the name of the engine.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Digits => "digits",
            Self::Filter => "filter",
        }
    }
}

/// Tells whether trials are worth while: grids with clues of many rules, and others as digits if few solutions are wanted.
pub(super) fn is_for_trials(puzzle: &dyn Puzzle, limits: &Limits) -> bool {
    let is_few = limits.solutions.is_some_and(|wanted| wanted <= FEW_SOLUTIONS);
    puzzle.is_for_filter() || is_few && puzzle.as_digits().is_some()
}

/// The trials, with the filter of the last problem.
pub(super) struct Trials {
    filter: KeptEngine<Filter>,
}

impl Trials {
    pub(super) fn new() -> Self {
        Self { filter: KeptEngine::new() }
    }

    /// Returns the report of who came to an end and has shown its solutions, with the effort of all.
    ///
    /// # Errors
    /// If nobody did: the effort of all, nothing else of that report is meant.
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

    /// Searches by the engine `filter` for some time, if the puzzle is one for it. `Ok` if it is done by then and its covers
    /// were shown.
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
        // Where its tables are too large for the memory, the others have it.
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

/// Returns how many nodes more a search on digits may have that only counts, after its trial.
fn nodes_to_count(trial: &Report) -> u64 {
    let is_fruitful = trial.solutions > trial.nodes / NODES_FRUITLESS;
    if is_fruitful { 0 } else { DIGITS_NODES_MAX }
}

//! The algorithm for grids with clues that uses [`digits`](::digits), a search on the candidates of
//! cells.

use std::ops::ControlFlow;

use ::digits::{DigitSet, Search};
use dlx::{End, Limit, Limits, Report, Unsupported};

use super::sums::joined;
use super::{Algorithm, AlgorithmSpec, RunError, SEARCH};
use puzzle::{DigitGrid, Puzzle, Solution, SolutionVisit};

pub(super) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: "digits",
    summary: "grids with clues of many rules, on the digits that each cell may have",
    purpose: SEARCH,
    make: |_, _| Box::new(DigitsAlgorithm),
};

/// Solutions that a trial holds back. One with more shows them and continues to the end.
pub(super) const HELD_MAX: usize = 256;

struct DigitsAlgorithm;

impl Algorithm for DigitsAlgorithm {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        let grid = puzzle.as_digits(limits)?;
        let grid = grid.ok_or(Unsupported::new("puzzles other than grids with clues"))?;
        Ok(go_on(grid, &mut Search::new(grid.network()), limits, visit))
    }

    fn prepare(&self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<(), Limit> {
        puzzle.as_digits(limits).map(drop)
    }
}

fn go_on(
    grid: &dyn DigitGrid,
    search: &mut Search<'_>,
    limits: &Limits,
    mut visit: Option<&mut SolutionVisit<'_>>,
) -> Report {
    let (nodes, updates, mut solutions) = (search.nodes(), search.updates(), 0);
    let end = search.run(limits, &mut |digits| {
        solutions += 1;
        match &mut visit {
            Some(visit) => visit(Solution::Digits(grid, digits)),
            None => ControlFlow::Continue(()),
        }
    });
    let mut report = Report::empty(end);
    report.solutions = solutions;
    // The last step counts as a node.
    report.nodes = search.nodes() - nodes + u64::from(end == End::Exhausted);
    report.updates = search.updates() - updates;
    report
}

/// A search that can still be replaced by another method, because it holds its solutions back.
pub(super) struct DigitsTrial<'p> {
    grid: &'p dyn DigitGrid,
    search: Search<'p>,
    held: Vec<Vec<DigitSet>>,
    report: Report,
}

impl<'p> DigitsTrial<'p> {
    pub(super) fn new(grid: &'p dyn DigitGrid) -> Self {
        let search = Search::new(grid.network());
        Self { grid, search, held: Vec::new(), report: Report::empty(End::Stopped) }
    }

    pub(super) fn report(&self) -> &Report {
        &self.report
    }

    /// Searches up to `nodes` more nodes. Returns the report of the whole search if it finished and
    /// the visitor received its solutions. Returns `None` if it reached the node limit, so that
    /// another method may continue. After [`HELD_MAX`] held solutions, the search shows them and
    /// continues to the end.
    pub(super) fn run(
        &mut self,
        nodes: u64,
        limits: &Limits,
        mut visit: Option<&mut SolutionVisit<'_>>,
    ) -> Option<Report> {
        let left = limits.solutions.map(|wanted| wanted - self.report.solutions);
        let slice = limits.clone().solutions(left);
        let held = &mut self.held;
        let mut hold = |solution: Solution<'_>| {
            let Solution::Digits(_, digits) = solution else { unreachable!("the search is on digits") };
            held.push(digits.to_vec());
            if held.len() < HELD_MAX { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let hold: Option<&mut SolutionVisit<'_>> = if visit.is_some() { Some(&mut hold) } else { None };
        let report = go_on(self.grid, &mut self.search, &slice.nodes(nodes), hold);
        self.report = joined(&self.report, report);
        if self.report.end == End::Limit(Limit::Nodes) {
            return None;
        }
        if let Some(visit) = visit.as_mut()
            && let Some(stop) = self
                .held
                .iter()
                .position(|digits| visit(Solution::Digits(self.grid, digits)).is_break())
        {
            (self.report.end, self.report.solutions) = (End::Stopped, stop as u64 + 1);
        } else if self.report.end == End::Stopped {
            let left = limits.solutions.map(|wanted| wanted - self.report.solutions);
            let report = go_on(self.grid, &mut self.search, &limits.clone().solutions(left), visit);
            self.report = joined(&self.report, report);
        }
        Some(self.report.clone())
    }
}

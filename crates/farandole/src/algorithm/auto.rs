//! The default algorithm `auto`.
//!
//! For plain 9x9 Sudoku it uses the lane solver, or the band counter if there are too many
//! solutions to enumerate. For any other puzzle it uses the solver of [`dlx`] on the translated
//! puzzle (with reductions, independent parts and a suitable engine), or the counter of `dlx`.
//! Grids with clues of many rules first go through the trials of the module `trials`, and alternate
//! with the solver.
//!
//! On plain 9x9 Sudoku, unlike in a race (`dlx/src/portfolio/race.rs`), the lane solver has one
//! trial of fixed length. The nodes and solutions of the trial determine the method that continues.

use std::sync::Arc;

use dlx::count::Counter;
use dlx::parallel::Cores;
use dlx::{End, Engine as _, Limit, Limits, Report, Solver, Visit};

use super::kept::KeptEngine;
use super::nine::{LanesAlgorithm, as_sudoku};
use super::sums::{joined, with_effort};
use super::trials::{self, NODES_FRUITLESS, Trials, Winner};
use super::{Algorithm, AlgorithmSpec, RunError, SEARCH, as_covers};
use puzzle::{Fill, Puzzle, SolutionVisit};

pub(super) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: "auto",
    summary: "lanes for 9x9 Sudoku; else reduces, splits, and chooses an engine for each part",
    purpose: SEARCH,
    make: |_, cores| Box::new(Auto::new(cores)),
};

pub(super) struct Auto {
    cores: Arc<Cores>,
    lanes: Option<LanesAlgorithm>,
    solver: KeptEngine<Solver>,
    counter: KeptEngine<Counter>,
    trials: Trials,
    /// Whether a second method checks every count.
    is_checked: bool,
    last: UsedMethod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UsedMethod {
    Lanes,
    Bands,
    Solver,
    Counter,
    Stage(Winner),
}

impl Auto {
    pub(super) fn new(cores: &Arc<Cores>) -> Self {
        let (solver, counter) = (KeptEngine::new(), KeptEngine::new());
        Self {
            cores: Arc::clone(cores),
            lanes: None,
            solver,
            counter,
            trials: Trials::new(),
            is_checked: false,
            last: UsedMethod::Solver,
        }
    }

    fn lanes(&mut self) -> &mut LanesAlgorithm {
        self.lanes.get_or_insert_with(|| LanesAlgorithm::new(&self.cores))
    }

    /// Runs on plain 9x9 Sudoku, whose grid is `fill`. The lanes run first. The bands follow if
    /// there are too many solutions. If the lane solver finds no solution in its trial, the solver
    /// of [`dlx`] follows, because it also detects digits with few positions.
    fn run_sudoku(
        &mut self,
        puzzle: &dyn Puzzle,
        fill: &Fill,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        self.last = UsedMethod::Lanes;
        if limits.nodes.is_some() {
            return self.lanes().run(puzzle, limits, visit);
        }
        if visit.is_some() || limits.solutions.is_some() {
            return self.run_limited(puzzle, fill, limits, visit);
        }
        let (report, is_by_bands) = self.lanes().count_exactly(fill, limits);
        if is_by_bands {
            self.last = UsedMethod::Bands;
        }
        if self.is_checked && report.end == End::Exhausted {
            self.lanes().check(fill, &report.total(), limits);
        }
        Ok(report)
    }
}

impl Auto {
    fn run_limited(
        &mut self,
        puzzle: &dyn Puzzle,
        fill: &Fill,
        limits: &Limits,
        mut visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        if limits.solutions == Some(0) {
            return self.lanes().run(puzzle, limits, visit);
        }
        let mut rest = Vec::new();
        let trial = limits.clone().nodes(OPEN_NODES);
        let start = self.lanes().run_part(fill, &trial, visit.as_deref_mut(), Some(&mut rest));
        if start.end != End::Limit(Limit::Nodes) {
            return Ok(start);
        }
        match visit {
            // Solutions that the visitor received cannot be withdrawn, so the same search
            // continues.
            Some(visit) if start.solutions > 0 => {
                let solutions = limits.solutions.map(|wanted| wanted - start.solutions);
                let limits = limits.clone().solutions(solutions);
                Ok(joined(&start, self.lanes().run_rest(fill, rest, &limits, visit)))
            }
            None if start.solutions > start.nodes / NODES_FRUITLESS => {
                self.lanes().run(puzzle, limits, None)
            }
            visit => self.run_any(puzzle, limits, visit),
        }
    }

    /// Runs on any puzzle, and passes each solution to `visit` when it is found.
    fn run_any(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        mut visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        let is_plain = !self.is_checked && limits.nodes.is_none() && !limits.profile && !limits.rest;
        let mut effort = None;
        if is_plain && trials::is_for_trials(puzzle, limits)? {
            let Self { trials, solver, cores, .. } = self;
            let mut run_solver = |limits: &Limits, visit: Option<&mut Visit<'_>>| {
                let problem = puzzle.problem();
                let build = || Ok(Solver::new(Arc::clone(problem)).on(cores));
                Ok(solver.for_problem(problem, build)?.run(puzzle.given(), &[], limits, visit))
            };
            match trials.run(puzzle, limits, visit.as_deref_mut(), &mut run_solver) {
                Ok((report, winner)) => {
                    self.last = match winner {
                        Winner::Solver => UsedMethod::Solver,
                        winner => UsedMethod::Stage(winner),
                    };
                    return Ok(report);
                }
                Err(fruitless) => effort = Some(fruitless),
            }
        }
        let report = self.run_all(puzzle, limits, visit)?;
        Ok(effort.iter().fold(report, with_effort))
    }

    fn run_all(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        puzzle.build_problem(limits)?;
        let problem = puzzle.problem();
        let Some(visit) = visit else {
            self.last = UsedMethod::Counter;
            let build = || {
                let counter = Counter::new(Arc::clone(problem)).on(&self.cores);
                Ok(if self.is_checked { counter.checked() } else { counter })
            };
            return Ok(self.counter.for_problem(problem, build)?.count(puzzle.given(), limits));
        };
        self.last = UsedMethod::Solver;
        let build = || Ok(Solver::new(Arc::clone(problem)).on(&self.cores));
        let solver = self.solver.for_problem(problem, build)?;
        Ok(solver.search(puzzle.given(), limits, &mut as_covers(visit)))
    }
}

/// Number of nodes of the lane solver before other methods are considered (some milliseconds).
const OPEN_NODES: u64 = 1 << 15;
impl Algorithm for Auto {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        // The lanes do not record a profile of the search tree.
        if let Some(fill) = as_sudoku(puzzle).filter(|_| !limits.profile) {
            return self.run_sudoku(puzzle, fill, limits, visit);
        }
        self.run_any(puzzle, limits, visit)
    }

    fn prepare(&self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<(), Limit> {
        puzzle.as_digits(limits).map(drop)
    }

    fn count_together(&mut self, puzzles: &[&dyn Puzzle], limits: &Limits) -> bool {
        puzzles.iter().all(|&puzzle| as_sudoku(puzzle).is_some())
            && self.lanes().count_together(puzzles, limits)
    }

    fn count_twice(&mut self) {
        self.is_checked = true;
    }

    fn engine(&self) -> Option<&'static str> {
        match self.last {
            UsedMethod::Lanes => Some("lanes"),
            UsedMethod::Bands => Some("bands"),
            UsedMethod::Solver => self.solver.last().map(|solver| solver.explain().engine()),
            UsedMethod::Counter => self.counter.last().map(|counter| counter.explain().method()),
            UsedMethod::Stage(winner) => Some(winner.name()),
        }
    }

    fn explain(&self) -> Option<String> {
        match self.last {
            UsedMethod::Lanes => Some("engine lanes (plain 9x9 Sudoku)".to_owned()),
            UsedMethod::Bands => Some("engine bands (9x9 Sudoku with very many solutions)".to_owned()),
            UsedMethod::Solver => self.solver.last().map(|solver| solver.explain().to_string()),
            UsedMethod::Counter => self.counter.last().map(|counter| counter.explain().to_string()),
            UsedMethod::Stage(winner) => {
                Some(format!("engine {} (clues of many rules)", winner.name()))
            }
        }
    }
}

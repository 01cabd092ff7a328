//! The solver of [`dlx`] on the translated puzzle: reductions, independent parts, the engine that fits.
//!
//! Like an engine it is kept as long as the puzzles share one problem.

use std::sync::Arc;

use dlx::engine::Unsupported;
use dlx::parallel::Cores;
use dlx::solver::Plan;
use dlx::{Engine as _, Limits, Problem, Report, Solver, Visit};

use super::{Algorithm, AlgorithmSpec, Maker};
use crate::puzzle::Puzzle;

pub(super) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: "auto",
    summary: "reduces the puzzle, splits it, and chooses an engine for each part",
    maker: Maker::Solver,
};

/// The solver of the last problem.
pub(super) struct Auto {
    cores: Arc<Cores>,
    last: Option<(Arc<Problem>, Solver)>,
}

impl Auto {
    pub(super) fn new(cores: &Arc<Cores>) -> Self {
        Self { cores: Arc::clone(cores), last: None }
    }

    fn solver(&mut self, problem: &Arc<Problem>) -> &mut Solver {
        let last = self.last.take().filter(|(last, _)| Arc::ptr_eq(last, problem));
        let new = || (Arc::clone(problem), Solver::new(Arc::clone(problem)).on(&self.cores));
        &mut self.last.insert(last.unwrap_or_else(new)).1
    }
}

impl Algorithm for Auto {
    fn search(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: &mut Visit<'_>,
    ) -> Result<Report, Unsupported> {
        Ok(self.solver(puzzle.problem()).search(puzzle.given(), limits, visit))
    }

    fn count(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<Report, Unsupported> {
        Ok(self.solver(puzzle.problem()).count(puzzle.given(), limits))
    }

    fn plan(&self) -> Option<&Plan> {
        self.last.as_ref().map(|(_, solver)| solver.explain())
    }
}

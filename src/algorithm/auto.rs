//! The solver of [`dlx`] on the translated puzzle: reductions, independent parts, the engine that fits.

use std::sync::Arc;

use dlx::engine::Unsupported;
use dlx::parallel::Cores;
use dlx::solver::Plan;
use dlx::{Engine as _, Limits, Report, Solver, Visit};

use super::kept::Kept;
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
    solver: Kept<Solver>,
}

impl Auto {
    pub(super) fn new(cores: &Arc<Cores>) -> Self {
        Self { cores: Arc::clone(cores), solver: Kept::new() }
    }
}

impl Algorithm for Auto {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        let problem = puzzle.problem();
        let build = || Ok(Solver::new(Arc::clone(problem)).on(&self.cores));
        Ok(self.solver.for_problem(problem, build)?.run(puzzle.given(), &[], limits, visit))
    }

    fn plan(&self) -> Option<&Plan> {
        self.solver.last().map(Solver::explain)
    }
}

//! Any engine of [`dlx`] as an algorithm. The engine works on the translated puzzle, with the clues
//! as given options. Long searches use idle cores.

use std::sync::Arc;

use dlx::parallel::{Cores, Parallel};
use dlx::{Engine as _, EngineSpec, Limit, Limits, Report, Unsupported, Visit};

use super::kept::KeptEngine;
use super::{Algorithm, unbuilt};
use puzzle::Puzzle;

pub(super) struct EngineAlgorithm {
    spec: &'static EngineSpec,
    cores: Arc<Cores>,
    engine: KeptEngine<Parallel<'static>>,
}

impl EngineAlgorithm {
    pub(super) fn new(spec: &'static EngineSpec, cores: &Arc<Cores>) -> Self {
        Self { spec, cores: Arc::clone(cores), engine: KeptEngine::new() }
    }
}

impl Algorithm for EngineAlgorithm {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        if let Err(limit) = puzzle.build_problem(limits) {
            return Ok(unbuilt(limit));
        }
        let (spec, problem) = (self.spec, puzzle.problem());
        let build = || {
            let (first, shared) = ((spec.build)(problem)?, Arc::clone(problem));
            let build = move || (spec.build)(&shared).expect("the engine took the problem before");
            Ok(Parallel::with(problem, first, build, Arc::clone(&self.cores)))
        };
        Ok(self.engine.for_problem(problem, build)?.run(puzzle.given(), &[], limits, visit))
    }

    fn prepare(&self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<(), Limit> {
        puzzle.build_problem(limits)
    }
}

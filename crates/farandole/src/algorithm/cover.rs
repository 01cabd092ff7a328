//! Any engine of [`dlx`] as an algorithm. The engine works on the translated puzzle, with the clues
//! as given options. Long searches use idle cores.

use std::sync::Arc;

use dlx::engine::VARIANTS;
use dlx::parallel::{Cores, Parallel};
use dlx::{ENGINES, Engine as _, EngineSpec, Limit, Limits, Report};

use super::kept::KeptEngine;
use super::{Algorithm, AlgorithmSpec, COMPARE, RunError, SEARCH, as_covers};
use puzzle::{Puzzle, SolutionVisit};

pub(super) fn specs() -> impl Iterator<Item = AlgorithmSpec> {
    ENGINES.iter().map(|engine| spec(engine, if engine.name == "naive" { COMPARE } else { SEARCH }))
}

pub(super) fn variants() -> impl Iterator<Item = AlgorithmSpec> {
    VARIANTS.iter().map(|engine| spec(engine, COMPARE))
}

fn spec(engine: &EngineSpec, purpose: &'static str) -> AlgorithmSpec {
    let make = |name: &str, cores: &Arc<Cores>| -> Box<dyn Algorithm> {
        Box::new(EngineAlgorithm::new(name, cores))
    };
    AlgorithmSpec { name: engine.name, summary: engine.summary, purpose, make }
}

struct EngineAlgorithm {
    spec: &'static EngineSpec,
    cores: Arc<Cores>,
    engine: KeptEngine<Parallel<'static>>,
}

impl EngineAlgorithm {
    fn new(name: &str, cores: &Arc<Cores>) -> Self {
        let mut specs = ENGINES.iter().chain(VARIANTS);
        let spec = specs.find(|spec| spec.name == name).expect("a row of the table");
        Self { spec, cores: Arc::clone(cores), engine: KeptEngine::new() }
    }
}

impl Algorithm for EngineAlgorithm {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        puzzle.build_problem(limits)?;
        let (spec, problem) = (self.spec, puzzle.problem());
        let build = || {
            let (first, shared) = ((spec.build)(problem)?, Arc::clone(problem));
            let build = move || (spec.build)(&shared).expect("the engine took the problem before");
            Ok(Parallel::with(problem, first, build, Arc::clone(&self.cores)))
        };
        let engine = self.engine.for_problem(problem, build)?;
        let mut visit = visit.map(as_covers);
        Ok(engine.run(puzzle.given(), &[], limits, visit.as_mut().map(|visit| visit as _)))
    }

    fn prepare(&self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<(), Limit> {
        puzzle.build_problem(limits)
    }
}

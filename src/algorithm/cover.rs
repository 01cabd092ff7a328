//! Any engine of [`dlx`] on the translated puzzle, with the clues given.
//!
//! The engine is kept as long as the puzzles share one problem, so a batch of grids of one shape
//! builds it once. Long searches call in the cores that are idle.

use std::sync::Arc;

use dlx::engine::Unsupported;
use dlx::parallel::{Cores, Parallel};
use dlx::{Engine, EngineSpec, Limits, Problem, Report, Visit};

use super::Algorithm;
use crate::puzzle::Puzzle;

/// An engine with the problem it was last built for.
pub(super) struct Cover {
    spec: &'static EngineSpec,
    cores: Arc<Cores>,
    last: Option<(Arc<Problem>, Parallel<'static>)>,
}

impl Cover {
    pub(super) fn new(spec: &'static EngineSpec, cores: &Arc<Cores>) -> Self {
        Self { spec, cores: Arc::clone(cores), last: None }
    }

    fn engine(&mut self, problem: &Arc<Problem>) -> Result<&mut dyn Engine, Unsupported> {
        let last = self.last.take().filter(|(last, _)| Arc::ptr_eq(last, problem));
        let last = match last {
            Some(last) => last,
            None => (Arc::clone(problem), self.build(problem)?),
        };
        Ok(&mut self.last.insert(last).1)
    }

    fn build(&self, problem: &Arc<Problem>) -> Result<Parallel<'static>, Unsupported> {
        let (spec, shared) = (self.spec, Arc::clone(problem));
        let first = (spec.build)(problem)?;
        let build = move || (spec.build)(&shared).expect("the engine took the problem before");
        Ok(Parallel::with(problem, first, build, Arc::clone(&self.cores)))
    }
}

impl Algorithm for Cover {
    fn search(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: &mut Visit<'_>,
    ) -> Result<Report, Unsupported> {
        Ok(self.engine(puzzle.problem())?.search(puzzle.given(), limits, visit))
    }

    fn count(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<Report, Unsupported> {
        Ok(self.engine(puzzle.problem())?.count(puzzle.given(), limits))
    }
}

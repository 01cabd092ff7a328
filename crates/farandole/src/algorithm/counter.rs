//! A method of [`dlx::count`](mod@dlx::count) as an algorithm, which counts without listing.

use std::sync::Arc;

use dlx::count::{Counter, Method};
use dlx::parallel::Cores;
use dlx::{Limit, Limits, Report, Unsupported, Visit};

use super::kept::KeptEngine;
use super::{Algorithm, unbuilt};
use puzzle::Puzzle;

pub(super) struct CountingMethod {
    method: &'static Method,
    cores: Arc<Cores>,
    counter: KeptEngine<Counter>,
    is_checked: bool,
}

impl CountingMethod {
    pub(super) fn new(method: &'static Method, cores: &Arc<Cores>) -> Self {
        Self { method, cores: Arc::clone(cores), counter: KeptEngine::new(), is_checked: false }
    }
}

impl Algorithm for CountingMethod {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        if visit.is_some() {
            return Err(Unsupported::new("listing covers"));
        }
        if let Err(limit) = puzzle.build_problem(limits) {
            return Ok(unbuilt(limit));
        }
        let problem = puzzle.problem();
        let build = || {
            let counter = Counter::new(Arc::clone(problem)).on(&self.cores).by(self.method);
            Ok(if self.is_checked { counter.checked() } else { counter })
        };
        self.counter.for_problem(problem, build)?.try_count(puzzle.given(), limits)
    }

    fn prepare(&self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<(), Limit> {
        puzzle.build_problem(limits)
    }

    fn count_twice(&mut self) {
        self.is_checked = true;
    }

    fn explain(&self) -> Option<String> {
        self.counter.last().map(|counter| format!("engine {}", counter.explain()))
    }
}

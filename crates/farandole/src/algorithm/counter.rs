//! A method of [`dlx::count`](mod@dlx::count) as an algorithm, which counts without listing.

use std::sync::Arc;

use dlx::count::{Counter, METHODS, Method};
use dlx::parallel::Cores;
use dlx::{Limit, Limits, Report, Unsupported};

use super::kept::KeptEngine;
use super::{Algorithm, AlgorithmSpec, ONLY_COUNT, RunError};
use puzzle::{Puzzle, SolutionVisit};

/// Returns the rows of the methods. The method "search" is left out, because the engines already
/// search.
pub(super) fn specs() -> impl Iterator<Item = AlgorithmSpec> {
    methods().map(|method| AlgorithmSpec {
        name: method.name,
        summary: method.summary,
        purpose: ONLY_COUNT,
        make: |name, cores| Box::new(CountingMethod::new(name, cores)),
    })
}

fn methods() -> impl Iterator<Item = &'static Method> {
    METHODS.iter().filter(|method| method.name != "search")
}

struct CountingMethod {
    method: &'static Method,
    cores: Arc<Cores>,
    counter: KeptEngine<Counter>,
    is_checked: bool,
}

impl CountingMethod {
    fn new(name: &str, cores: &Arc<Cores>) -> Self {
        let method = methods().find(|method| method.name == name).expect("a row of the table");
        Self { method, cores: Arc::clone(cores), counter: KeptEngine::new(), is_checked: false }
    }
}

impl Algorithm for CountingMethod {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        if visit.is_some() {
            return Err(Unsupported::new("listing covers").into());
        }
        puzzle.build_problem(limits)?;
        let problem = puzzle.problem();
        let build = || {
            let counter = Counter::new(Arc::clone(problem)).on(&self.cores).by(self.method);
            Ok(if self.is_checked { counter.checked() } else { counter })
        };
        Ok(self.counter.for_problem(problem, build)?.try_count(puzzle.given(), limits)?)
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

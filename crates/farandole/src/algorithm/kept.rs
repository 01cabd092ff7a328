//! An engine kept for the last problem.

use std::sync::Arc;

use dlx::{Problem, Unsupported};

/// An engine, kept while the puzzles share one problem: a batch of grids of one shape builds it
/// once.
pub(super) struct KeptEngine<E> {
    last: Option<(Arc<Problem>, E)>,
}

impl<E> KeptEngine<E> {
    pub(super) fn new() -> Self {
        Self { last: None }
    }

    /// Returns the engine of `problem`, calling `build` if the kept one belongs to another problem.
    pub(super) fn for_problem(
        &mut self,
        problem: &Arc<Problem>,
        build: impl FnOnce() -> Result<E, Unsupported>,
    ) -> Result<&mut E, Unsupported> {
        let last = match self.last.take().filter(|(last, _)| Arc::ptr_eq(last, problem)) {
            Some(last) => last,
            None => (Arc::clone(problem), build()?),
        };
        Ok(&mut self.last.insert(last).1)
    }

    pub(super) fn last(&self) -> Option<&E> {
        self.last.as_ref().map(|(_, engine)| engine)
    }
}

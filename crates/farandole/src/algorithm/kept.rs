//! An engine that is kept for the next puzzle with the same problem.

use std::sync::Arc;

use dlx::{Problem, Unsupported};

/// An engine, kept as long as the puzzles have the same problem. So a batch of grids of one shape
/// builds the engine once.
pub(super) struct KeptEngine<E> {
    last: Option<(Arc<Problem>, E)>,
}

impl<E> KeptEngine<E> {
    pub(super) fn new() -> Self {
        Self { last: None }
    }

    /// Returns an engine for `problem`; calls `build` if the kept engine is for another problem.
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

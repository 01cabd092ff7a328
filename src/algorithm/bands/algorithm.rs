//! The count by bands as one of the algorithms: for puzzles that are plain 9x9 Sudoku.

use std::sync::Arc;

use dlx::Unsupported;
use dlx::parallel::Cores;
use dlx::{Limits, Report, Visit};

use crate::algorithm::lanes::as_sudoku;
use crate::algorithm::{Algorithm, AlgorithmSpec, Maker};
use crate::puzzle::Puzzle;

pub(in crate::algorithm) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: "bands",
    summary: "counts 9x9 Sudoku with few clues, without listing the solutions",
    maker: Maker::Bands,
};

/// The count by bands.
pub(in crate::algorithm) struct ByBands {
    cores: Arc<Cores>,
}

impl ByBands {
    pub(in crate::algorithm) fn new(cores: &Arc<Cores>) -> Self {
        Self { cores: Arc::clone(cores) }
    }
}

impl Algorithm for ByBands {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        let fill = as_sudoku(puzzle).ok_or(Unsupported::new("puzzles other than plain 9x9 Sudoku"))?;
        if visit.is_some() {
            return Err(Unsupported::new("listing solutions"));
        }
        if limits.solutions.is_some() || limits.nodes.is_some() {
            return Err(Unsupported::new("limits on solutions and nodes"));
        }
        Ok(super::report(super::count(&super::candidates(fill), limits, &self.cores)))
    }
}

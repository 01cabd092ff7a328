//! Iterator over all solutions of a grid.
//!
//! # Method
//! The lanes return only at the end of a run, so each run is short. A run searches one board, keeps
//! the solutions that it finds, and pushes boards on a stack whose solutions are exactly the others
//! ([`Lanes::run_alone`]). The next run takes the last board of the stack. Each run is longer than
//! the one before, so that the first solutions come soon.
//!
//! # Bound
//! A run holds at most [`NODES_MAX`] solutions. The stack holds at most 72 times the number of
//! boards that a run leaves (15 MB). Each of these boards has more guesses on its path than the
//! board that the run took, and a path has at most 72 guesses (`lanes::search`).

use std::fmt;
use std::ops::ControlFlow;

use limits::Limits;

use crate::lanes::Lanes;
use crate::model::batch::Batch;
use crate::model::board::Board;

/// Maximum number of nodes of the first run; it doubles with each run.
const NODES_FIRST: u64 = 64;
/// Maximum number of nodes of any run (some tenths of a millisecond).
const NODES_MAX: u64 = 1 << 12;

/// Iterator over all solutions of a grid, each once; see [`solutions`](crate::solutions).
pub struct Solutions {
    lanes: Lanes,
    open: Vec<Board>,
    found: Vec<[u8; 81]>,
    nodes: u64,
}

impl Solutions {
    /// Starts at a board, which may have pencil marks.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self { lanes: Lanes::new(), open: vec![*board], found: Vec::new(), nodes: NODES_FIRST }
    }
}

impl fmt::Debug for Solutions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").field("open", &self.open.len()).finish_non_exhaustive()
    }
}

impl Iterator for Solutions {
    type Item = [u8; 81];

    fn next(&mut self) -> Option<[u8; 81]> {
        while self.found.is_empty() {
            let mut run = SolutionsRun { board: Some(self.open.pop()?), found: &mut self.found };
            let limits = Limits::new().nodes(self.nodes);
            self.lanes.run_alone(&mut run, &limits, Some(&mut self.open));
            self.nodes = (2 * self.nodes).min(NODES_MAX);
        }
        self.found.pop()
    }
}

impl std::iter::FusedIterator for Solutions {}

struct SolutionsRun<'s> {
    board: Option<Board>,
    found: &'s mut Vec<[u8; 81]>,
}

impl Batch for SolutionsRun<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.board.take().map(|mine| *board = mine).is_some()
    }

    fn solution(&mut self, _: usize, board: &Board) -> ControlFlow<()> {
        let mut line = [0; 81];
        board.write_line(&mut line);
        self.found.push(line);
        ControlFlow::Continue(())
    }
}

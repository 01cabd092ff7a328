//! All solutions of a grid, one after the other.
//!
//! # Method
//! The lanes answer a run at a time. So each run is short; it searches one board, keeps the solutions it finds, and
//! leaves boards that have just the others ([`Lanes::run_alone`]). They go on a stack; the next run takes the last.
//! Runs get longer, so that the first solutions come soon and many come fast.
//!
//! # Bound
//! A run holds no more solutions than nodes, [`NODES_MAX`]. The stack holds no more than 72 times what a run leaves,
//! a board in each of 16 lanes and 81 that wait with each (15 MB): a run takes a single board off the stack, and if
//! it does not end it has guessed there, so each board that it leaves has more guesses behind it; and of these
//! there are 72 at most on any path (`lanes::search`). In practice some dozens of boards wait.

use std::fmt;
use std::ops::ControlFlow;

use crate::lanes::Lanes;
use crate::model::batch::Batch;
use crate::model::board::Board;
use crate::model::limits::Limits;

/// Nodes of the first run; each run has twice as many as the one before.
const NODES_FIRST: u64 = 64;
/// The most nodes of a run: some tenths of a millisecond.
const NODES_MAX: u64 = 1 << 12;

/// Iterates over all solutions of a grid, each once; see [`solutions`](crate::solutions).
pub struct Solutions {
    lanes: Lanes,
    open: Vec<Board>,
    found: Vec<[u8; 81]>,
    nodes: u64,
}

impl Solutions {
    /// Starts with a board, which may have pencil marks.
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
            let mut run = Run { board: Some(self.open.pop()?), found: &mut self.found };
            let limits = Limits::new().nodes(self.nodes);
            self.lanes.run_alone(&mut run, &limits, Some(&mut self.open));
            self.nodes = (2 * self.nodes).min(NODES_MAX);
        }
        self.found.pop()
    }
}

impl std::iter::FusedIterator for Solutions {}

/// A batch of one board, whose solutions are kept.
struct Run<'s> {
    board: Option<Board>,
    found: &'s mut Vec<[u8; 81]>,
}

impl Batch for Run<'_> {
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

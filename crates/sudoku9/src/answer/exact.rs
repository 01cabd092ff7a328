//! Exact counts of any size: the lanes go first, and the bands count what the lanes cannot go through in time.
//!
//! The lanes go through the solutions, some six million a second, whatever the clues are. The bands take a time that
//! hardly depends on the number of solutions, and that they estimate beforehand ([`Plan::steps`]). So the lanes try
//! a few milliseconds; then they have a share of the estimate, so that a grid for which the bands would take
//! long, but which has not so many solutions, is done by the lanes; and then the bands count.

use crate::bands::Plan;
use crate::lanes::Lanes;
use crate::model::batch::{Batch, Count, Method, Tally};
use crate::model::board::Board;
use crate::model::cores::Cores;
use crate::model::limits::{End, Limit, Limits};

/// Nodes of the lanes before the bands are thought of: some milliseconds.
const NODES_FIRST: u64 = 1 << 15;
/// Nanoseconds that the lanes take for a node; a step of the bands takes about one.
const NODE_TIME: u64 = 160;
/// The lanes get one part in so many of the time that the bands are expected to take.
const SHARE: u64 = 8;

/// Counts all solutions of a board, of which there may be 6.67 10^21, on the caller's core and those of `cores` that
/// are idle. Of the limits the deadline and the flags are heeded.
///
/// ```
/// use sudoku9::{Board, End, Lanes, Limits, Method, exact};
///
/// let mut line = [b'.'; 81];
/// line[..9].copy_from_slice(b"123456789");
/// let count = exact::count(&mut Lanes::new(), &Board::from_digits(&line), &Limits::new(), &());
/// assert_eq!((count.end, count.method), (End::Exhausted, Method::Bands));
/// assert_eq!(count.solutions, 18_383_222_420_692_992);
/// ```
pub fn count(lanes: &mut Lanes, board: &Board, limits: &Limits, cores: &dyn Cores) -> Count {
    let limits = limits.without_numbers();
    let mut trial = |nodes: u64| {
        let mut one = One { board: Some(*board), found: 0 };
        let effort = lanes.run_alone(&mut one, &limits.clone().nodes(nodes), None);
        let (end, nodes, steps) = (effort.end, effort.nodes, effort.steps);
        Count { end, solutions: one.found.into(), nodes, steps, method: Method::Lanes }
    };
    let is_cut = |count: &Count| count.end == End::Limit(Limit::Nodes);
    let mut count = trial(NODES_FIRST);
    if !is_cut(&count) {
        return count;
    }
    let plan = Plan::new(board);
    let share = plan.steps() / NODE_TIME / SHARE;
    if share > NODES_FIRST {
        count = trial(share);
    }
    if !is_cut(&count) {
        return count;
    }
    let (end, solutions) = match plan.count(&limits, cores) {
        Ok(solutions) => (End::Exhausted, solutions),
        // What the lanes have found is known all the same.
        Err(limit) => (End::Limit(limit), count.solutions),
    };
    Count { end, solutions, nodes: 0, steps: 0, method: Method::Bands }
}

/// A batch of one puzzle, whose solutions are counted.
struct One {
    board: Option<Board>,
    found: u64,
}

impl Batch for One {
    fn next(&mut self, board: &mut Board) -> bool {
        self.board.take().map(|mine| *board = mine).is_some()
    }

    fn wants_solutions(&self) -> bool {
        false
    }

    fn done(&mut self, _: usize, tally: Tally) {
        self.found = tally.solutions;
    }
}

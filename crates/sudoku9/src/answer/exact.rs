//! Exact counts of any size. The lane solver begins, and the band counter takes over if there are
//! too many solutions to enumerate.
//!
//! The lanes enumerate some six million solutions per second, for any clues. The time of the band
//! counter hardly depends on the number of solutions, and is estimated before it begins
//! ([`Plan::steps`]). So the lane solver first runs for a few milliseconds. Then the lane solver
//! runs for a fraction of the estimated time of the band counter, to finish grids that have few
//! solutions but would take the band counter long. Then the band counter counts.

use std::sync::Arc;

use limits::{Cores, End, Limit, Limits};

use crate::bands::Plan;
use crate::lanes::Lanes;
use crate::model::batch::{Batch, Count, Method, Tally};
use crate::model::board::Board;

/// Number of nodes of the lane solver before the band counter is considered (some milliseconds).
const NODES_FIRST: u64 = 1 << 15;
/// Time of the lane solver per node (ns). A step of the band counter takes about 1 ns.
const NODE_TIME: u64 = 160;
/// The second run of the lane solver gets the estimated time of the band counter divided by this
/// constant.
const SHARE: u64 = 8;

/// Counts all solutions of a board (at most 6.67 10^21), on the caller's core and the idle cores of
/// `cores`. Of `limits`, only the deadline and the cancel flags apply.
///
/// ```
/// use sudoku9::{Board, Cores, End, Lanes, Limits, Method, exact};
///
/// let mut line = [b'.'; 81];
/// line[..9].copy_from_slice(b"123456789");
/// let count = exact::count(&mut Lanes::new(), &Board::from_digits(&line), &Limits::new(), &Cores::new(0));
/// assert_eq!((count.end, count.method), (End::Exhausted, Method::Bands));
/// assert_eq!(count.solutions, 18_383_222_420_692_992);
/// ```
pub fn count(lanes: &mut Lanes, board: &Board, limits: &Limits, cores: &Arc<Cores>) -> Count {
    let limits = limits.clone().solutions(None).nodes(None);
    let mut trial = |nodes: u64| {
        let mut one = OneCount { board: Some(*board), found: 0 };
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
        Err(limit) => (End::Limit(limit), count.solutions),
    };
    Count { end, solutions, nodes: 0, steps: 0, method: Method::Bands }
}

struct OneCount {
    board: Option<Board>,
    found: u64,
}

impl Batch for OneCount {
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

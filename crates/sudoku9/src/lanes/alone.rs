//! Searches of single puzzles, one after the other. Each puzzle starts in
//! [`digits`](crate::digits), and long searches are handed over to the lane solver.
//!
//! If no cell has two candidates before the first guess (typical of grids with at most 17 clues),
//! the puzzle is handed over to [`scalar`](crate::scalar). Most guesses in such puzzles change only
//! two digits, so updating only these digits costs less than full propagation steps.

use limits::{End, Limit, Limits};

use super::compiled::{Compiled, CompiledNine};
use super::search::{BegunPuzzle, Run, Search};
use crate::digits::Dive;
use crate::model::batch::{Batch, Effort, Tally};
use crate::model::board::Board;
use crate::scalar::Scalar;

/// Number of nodes after which a puzzle is handed over to the lane solver, which takes less time
/// per node if there are many nodes.
const DIVE_NODES: u64 = 512;

/// Number of dead branches in `scalar` after which a puzzle is handed over to the lane solver. Such
/// a puzzle is hard (rating above 11) although no cell has two candidates at first.
const DEAD_MAX: u32 = 6;

pub(super) struct Alone<D, V: Compiled> {
    dive: Dive<D>,
    scalar: Scalar,
    lanes: Search<V>,
}

impl<D: CompiledNine, V: Compiled> Alone<D, V> {
    pub(super) fn new(zero: D, lanes_zero: V) -> Self {
        Self { dive: Dive::new(zero), scalar: Scalar::new(), lanes: Search::new(lanes_zero) }
    }
}

impl<D: CompiledNine, V: Compiled> Run for Alone<D, V> {
    fn run(
        &mut self,
        batch: &mut dyn Batch,
        limits: &Limits,
        mut rest: Option<&mut Vec<Board>>,
    ) -> Effort {
        let (wanted, nodes_max, task_nodes_max) =
            (limits.solutions.unwrap_or(u64::MAX), limits.nodes.unwrap_or(u64::MAX), batch.nodes_max());
        let wants_solutions = batch.wants_solutions();
        let mut effort = Effort::NONE;
        let mut board = Board::EMPTY;
        let mut id = 0;
        let end = loop {
            if let Err(limit) = limits.check() {
                break End::Limit(limit);
            }
            if effort.nodes >= nodes_max {
                break End::Limit(Limit::Nodes);
            }
            if wanted == 0 || !batch.next(&mut board) {
                break End::Exhausted;
            }
            let its_nodes_max = DIVE_NODES.min(nodes_max - effort.nodes).min(task_nodes_max);
            D::begin(&mut self.dive, &board, its_nodes_max);
            let (mut solutions, mut is_open) = (0, false);
            let mut end = End::Limit(Limit::Solutions);
            while solutions < wanted {
                let to = wants_solutions.then_some(&mut board);
                let is_found = match is_open {
                    false => D::find(&mut self.dive, to),
                    true => self.scalar.find(to, limits, its_nodes_max) == Ok(true),
                };
                if !is_found && !is_open && self.dive.is_open() {
                    is_open = true;
                    self.scalar.begin(&board, DEAD_MAX);
                    continue;
                }
                if !is_found {
                    end = End::Exhausted;
                    break;
                }
                solutions += 1;
                if wants_solutions && batch.solution(id, &board).is_break() {
                    end = End::Stopped;
                    break;
                }
            }
            let (nodes, steps, waiting_max) =
                if is_open { self.scalar.effort() } else { self.dive.effort() };
            effort.nodes += nodes;
            effort.steps += steps;
            effort.waiting_max = effort.waiting_max.max(waiting_max);
            let is_done = if is_open { self.scalar.is_done() } else { self.dive.is_done() };
            if end == End::Exhausted && !is_done {
                let boards = if is_open { self.scalar.rest() } else { self.dive.rest() };
                let begun = BegunPuzzle { boards, id, solutions, nodes, effort };
                return self.lanes.run_begun(batch, limits, rest, begun);
            }
            batch.done(id, Tally { solutions, nodes, end });
            if end == End::Stopped {
                if let Some(rest) = &mut rest {
                    rest.append(&mut if is_open { self.scalar.rest() } else { self.dive.rest() });
                }
                break End::Stopped;
            }
            id += 1;
        };
        Effort { end, ..effort }
    }
}

//! Puzzles one after the other: [`digits`](crate::digits) dive into each, and what takes long goes to the lanes.

use super::compiled::{Compiled, CompiledNine};
use super::search::{Begun, Run, Search};
use crate::digits::Dive;
use crate::model::batch::{Batch, Effort, Tally};
use crate::model::board::Board;
use crate::model::limits::{End, Limit, Limits};

/// A puzzle that takes more nodes goes on in the lanes, whose nodes take less time where there are many.
const DIVE_NODES: u64 = 512;

/// A search of puzzles that come alone.
pub(super) struct Alone<D, V: Compiled> {
    dive: Dive<D>,
    lanes: Search<V>,
}

impl<D: CompiledNine, V: Compiled> Alone<D, V> {
    /// Makes a search, from a register of zeros of each kind.
    pub(super) fn new(zero: D, lanes_zero: V) -> Self {
        Self { dive: Dive::new(zero), lanes: Search::new(lanes_zero) }
    }
}

impl<D: CompiledNine, V: Compiled> Run for Alone<D, V> {
    fn run(
        &mut self,
        batch: &mut dyn Batch,
        limits: &Limits,
        mut rest: Option<&mut Vec<Board>>,
        begun: Begun,
    ) -> Effort {
        let (wanted, nodes_max, task_nodes_max) =
            (limits.solutions_max(), limits.nodes_max(), batch.nodes_max());
        let wants_solutions = batch.wants_solutions();
        let mut effort = begun.effort;
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
            D::begin(
                &mut self.dive,
                &board,
                DIVE_NODES.min(nodes_max - effort.nodes).min(task_nodes_max),
            );
            let mut solutions = 0;
            let mut end = End::Limit(Limit::Solutions);
            while solutions < wanted {
                if !D::find(&mut self.dive, wants_solutions.then_some(&mut board)) {
                    end = End::Exhausted;
                    break;
                }
                solutions += 1;
                if wants_solutions && batch.solution(id, &board).is_break() {
                    end = End::Stopped;
                    break;
                }
            }
            let (nodes, steps, waiting_max) = self.dive.effort();
            effort.nodes += nodes;
            effort.steps += steps;
            effort.waiting_max = effort.waiting_max.max(waiting_max);
            if end == End::Exhausted && !self.dive.is_done() {
                let begun = Begun { boards: self.dive.rest(), id, solutions, nodes, effort };
                return self.lanes.run(batch, limits, rest, begun);
            }
            batch.done(id, Tally { solutions, nodes, end });
            if end == End::Stopped {
                if let Some(rest) = &mut rest {
                    rest.append(&mut self.dive.rest());
                }
                break End::Stopped;
            }
            id += 1;
        };
        Effort { end, ..effort }
    }
}

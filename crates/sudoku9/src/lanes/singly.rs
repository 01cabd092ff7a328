//! Searches puzzles one after the other in ordinary words: runs [`scalar`](crate::scalar) on a
//! batch or on a single puzzle.

use limits::{End, Limit, Limits};

use super::search::Run;
use crate::model::batch::{Batch, Effort, Tally};
use crate::model::board::Board;
use crate::scalar::Scalar;

/// Number of nodes between two checks of the deadline and the cancel flags, for puzzles of few
/// nodes.
const NODES_BETWEEN_LOOKS: u64 = 64;

pub(super) struct Singly(Scalar);

impl Singly {
    pub(super) fn boxed() -> Box<dyn Run> {
        Box::new(Self(Scalar::new()))
    }
}

impl Run for Singly {
    fn run(&mut self, batch: &mut dyn Batch, limits: &Limits, rest: Option<&mut Vec<Board>>) -> Effort {
        let (wanted, nodes_max, task_nodes_max) =
            (limits.solutions.unwrap_or(u64::MAX), limits.nodes.unwrap_or(u64::MAX), batch.nodes_max());
        let wants_solutions = batch.wants_solutions();
        let (mut effort, mut look) = (Effort::NONE, 0);
        let mut board = Board::EMPTY;
        let mut id = 0;
        effort.end = loop {
            if effort.nodes >= look {
                look = effort.nodes + NODES_BETWEEN_LOOKS;
                if let Err(limit) = limits.check() {
                    break End::Limit(limit);
                }
            }
            if effort.nodes >= nodes_max {
                break End::Limit(Limit::Nodes);
            }
            if wanted == 0 || !batch.next(&mut board) {
                break End::Exhausted;
            }
            if board.is_void() {
                effort.nodes += 1;
                batch.done(id, Tally { solutions: 0, nodes: 1, end: End::Exhausted });
                id += 1;
                continue;
            }
            self.0.begin(&board, u32::MAX);
            let its_nodes_max = task_nodes_max.min(nodes_max - effort.nodes);
            let mut solutions = 0;
            let end = loop {
                if solutions == wanted {
                    break End::Limit(Limit::Solutions);
                }
                match self.0.find(wants_solutions.then_some(&mut board), limits, its_nodes_max) {
                    Err(limit) => break End::Limit(limit),
                    Ok(false) => break End::Exhausted,
                    Ok(true) => solutions += 1,
                }
                if wants_solutions && batch.solution(id, &board).is_break() {
                    break End::Stopped;
                }
            };
            let (nodes, passes, waiting_max) = self.0.effort();
            effort.nodes += nodes;
            effort.steps += passes;
            effort.waiting_max = effort.waiting_max.max(waiting_max);
            batch.done(id, Tally { solutions, nodes, end });
            id += 1;
            match end {
                End::Stopped | End::Limit(Limit::Time | Limit::Cancelled | Limit::Memory) => break end,
                End::Limit(Limit::Nodes) if its_nodes_max < task_nodes_max => break end,
                _ => self.0.clear(),
            }
        };
        if let Some(rest) = rest {
            rest.append(&mut self.0.rest());
        }
        effort
    }
}

//! Totals over the puzzles of a batch, and the exit code that follows from these totals.

use std::time::Duration;

use crate::io::exit::Exit;

#[derive(Clone, Debug, Default)]
pub(super) struct BatchTotals {
    pub(super) puzzles: u64,
    pub(super) faults: u64,
    pub(super) unsolvable: u64,
    /// Number of puzzles without a solution whose clues conflict, if the clues were checked.
    pub(super) clashing: u64,
    pub(super) limited: u64,
    pub(super) solutions: u64,
    pub(super) nodes: u64,
    pub(super) updates: u64,
    /// The `--stats` line of a single puzzle.
    pub(super) note: String,
}

impl BatchTotals {
    pub(super) fn add(&mut self, other: Self) {
        self.puzzles += other.puzzles;
        self.faults += other.faults;
        self.unsolvable += other.unsolvable;
        self.clashing += other.clashing;
        self.limited += other.limited;
        self.solutions = self.solutions.saturating_add(other.solutions);
        self.nodes += other.nodes;
        self.updates += other.updates;
        if self.puzzles == 1 && self.note.is_empty() {
            self.note = other.note;
        }
    }

    /// Returns the exit code of a command that was not interrupted.
    pub(super) fn exit(&self) -> Exit {
        if self.faults > 0 {
            Exit::BadInput
        } else if self.limited > 0 {
            Exit::Limited
        } else if self.unsolvable > 0 {
            Exit::Failed
        } else {
            Exit::Done
        }
    }

    pub(super) fn print(&self, elapsed: Duration) {
        if self.puzzles == 1 {
            say!("{}", self.note.trim_end());
            return;
        }
        let Self { puzzles, solutions, nodes, updates, .. } = self;
        let plural = if *solutions == 1 { "" } else { "s" };
        let seconds = elapsed.as_secs_f64();
        let rate = *puzzles as f64 / seconds.max(1e-9);
        say!(
            "{puzzles} puzzles, {solutions} solution{plural}, {nodes} nodes, {updates} updates, \
             {seconds:.3} s, {rate:.0} puzzles/s"
        );
    }
}

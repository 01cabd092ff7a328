//! Notices about single puzzles on standard error: oddities of a puzzle, and how its search ended.

use dlx::{End, Limit, Report};

use super::Goal;
use super::answer::Answer;
use super::block::OutputBlock;
use crate::io::memory;
use crate::io::notices::{About, NoticeCounts};
use puzzle::Puzzle;

/// Adds notices to the output, up to a fixed number of each kind.
pub(super) struct Notes {
    is_quiet: bool,
    told: NoticeCounts,
}

impl Notes {
    pub(super) fn new(is_quiet: bool) -> Self {
        Self { is_quiet, told: NoticeCounts::default() }
    }

    pub(super) fn note(
        &mut self,
        block: &mut OutputBlock,
        about: About,
        text: impl FnOnce() -> String,
    ) {
        let text = if self.told.add(about) { text() } else { String::new() };
        block.notices.push((about, text));
    }

    /// Adds notices about oddities of a puzzle that can be solved.
    pub(super) fn warn(
        &mut self,
        number: u64,
        puzzle: &dyn Puzzle,
        goal: Goal,
        block: &mut OutputBlock,
    ) {
        if self.is_quiet {
            return;
        }
        if let Some(note) = puzzle.note() {
            self.note(block, About::Odd, || format!("puzzle {number}: {note}"));
        }
        // Skip this test for grids: each option of a grid covers a cell or a part of a clue. A
        // grid's problem need not be built.
        let idle = puzzle.as_symbols().map_or_else(|| puzzle.problem().idle_options(), |_| &[]);
        if let Some(&first) = idle.first() {
            let shown = puzzle.problem().show(first);
            let rest = match idle.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let option = puzzle.option_number(first);
            self.note(block, About::Odd, || {
                format!(
                    "puzzle {number}: option {option} `{shown}`{rest} has no primary item and is \
                     never chosen"
                )
            });
        }
        let has_costs = || puzzle.as_symbols().is_none() && puzzle.problem().has_costs();
        let is_free = matches!(goal, Goal::Cheapest(_)) && !has_costs();
        if is_free {
            self.note(block, About::Odd, || {
                format!("puzzle {number}: no option has a cost, so every solution costs 0")
            });
        }
    }

    /// Adds a notice about the columns of a puzzle that the format `to` does not hold, the first
    /// time.
    pub(super) fn lost_columns(&mut self, puzzle: &dyn Puzzle, to: &str, block: &mut OutputBlock) {
        if !self.is_quiet
            && let Some(notice) = self.told.lost_columns(puzzle, to)
        {
            block.notices.push((About::Columns, notice));
        }
    }

    /// Adds notices about the limits that ended a search. `excess` is the estimated memory (bytes)
    /// of a search that was refused for it.
    pub(super) fn end(
        &mut self,
        answer: &Answer<'_>,
        report: &Report,
        excess: Option<u64>,
        block: &mut OutputBlock,
    ) {
        if self.is_quiet {
            return;
        }
        let (number, solutions) = (answer.number, report.solutions);
        if let Some(what) = failed_limit(report.end) {
            let need = excess.filter(|_| report.end == End::Limit(Limit::Memory));
            let need = need.map_or(String::new(), |need| {
                format!(" (about {} are needed)", memory::shown(need as f64))
            });
            let plural = if solutions == 1 { "" } else { "s" };
            let found = format!("{} solution{plural}", report.total());
            self.note(block, About::Cut, || {
                format!("puzzle {number}: {what} limit reached, {found} found{need}")
            });
        }
        if let Some(bound) = answer.bound.filter(|_| report.end != End::Exhausted) {
            let (best, other) = match solutions {
                0 => ("", "no"),
                _ => ("the best so far, not proven to be the cheapest; ", "no other"),
            };
            self.note(block, About::Asked, || {
                format!("puzzle {number}: {best}{other} solution costs less than {bound}")
            });
        }
    }

    /// Adds a table with the nodes and updates of each level of the search tree.
    pub(super) fn profile(&mut self, number: u64, report: &Report, block: &mut OutputBlock) {
        let mut table = format!("puzzle {number}: level, nodes, updates");
        for (level, counts) in report.levels.iter().enumerate() {
            push!(table, "\n{level:5} {:14} {:16}", counts.nodes, counts.updates);
        }
        self.note(block, About::Asked, || table);
    }
}

/// Returns the name of the limit that ended a search; `None` for a limit on solutions, which is no
/// failure.
pub(super) fn failed_limit(end: End) -> Option<&'static str> {
    match end {
        End::Limit(Limit::Nodes) => Some("node"),
        End::Limit(Limit::Time) => Some("time"),
        End::Limit(Limit::Memory) => Some("memory"),
        End::Limit(Limit::Numbers) => Some("2^64 - 1 solution"),
        _ => None,
    }
}

//! How the answer to one puzzle is written: as text in the puzzle's own shape, or as a JSON object.

use std::time::Duration;

use dlx::{End, OptionId, Report};
use serde_json::Value;

use super::Goal;
use crate::grid::format;
use crate::puzzle::Puzzle;
use crate::render::terminal::Painter;

/// Writes the solutions of a puzzle as they come, and then how it ended.
pub(super) struct Answer<'p> {
    pub(super) puzzle: &'p dyn Puzzle,
    pub(super) number: u64,
    pub(super) kind: &'static str,
    pub(super) goal: Goal,
    pub(super) is_json: bool,
    /// Whether grids are written as lines, for programs to read.
    pub(super) is_plain: bool,
    pub(super) painter: Option<Painter>,
    /// Solutions so far.
    pub(super) solutions: u64,
    /// The last solution as text, to be used again.
    pub(super) shown: String,
}

impl Answer<'_> {
    /// Writes a solution.
    pub(super) fn solution(&mut self, cover: &[OptionId], out: &mut String) {
        self.solutions += 1;
        self.shown.clear();
        match self.puzzle.as_fill().filter(|_| self.is_plain) {
            Some(fill) => format::DEFAULT.write(&fill.filled(cover), &mut self.shown),
            None => self.puzzle.show(cover, self.solutions, &mut self.shown),
        }
        if self.is_json {
            if self.solutions == 1 {
                self.begin_object(out);
                out.push_str(",\"solutions\":[");
            } else {
                out.push(',');
            }
            push!(out, "{}", Value::from(self.shown.trim_end_matches('\n')));
            return;
        }
        out.push_str(self.puzzle.separator());
        match &self.painter {
            Some(painter) => painter.paint(&self.shown, out),
            None => out.push_str(&self.shown),
        }
    }

    /// Writes what follows the solutions.
    pub(super) fn end(
        &self,
        report: &Report,
        engine: &'static str,
        elapsed: Duration,
        out: &mut String,
    ) {
        let Report { end, solutions, nodes, updates, .. } = *report;
        let is_complete = end == End::Exhausted;
        if self.is_json {
            match (self.goal, solutions) {
                (Goal::Show(_), 0) => {
                    self.begin_object(out);
                    out.push_str(",\"solutions\":[]");
                }
                (Goal::Show(_), _) => out.push(']'),
                (Goal::Count(_), _) => self.begin_object(out),
            }
            let seconds = elapsed.as_secs_f64();
            push!(out, ",\"engine\":\"{engine}\"");
            push!(out, ",\"count\":\"{solutions}\",\"complete\":{is_complete}");
            pushln!(out, ",\"nodes\":{nodes},\"updates\":{updates},\"seconds\":{seconds:.6}}}");
            return;
        }
        match self.goal {
            Goal::Count(_) => {
                pushln!(out, "{solutions}{}", if is_complete { "" } else { "+" });
            }
            Goal::Show(_) if solutions > 0 => {}
            Goal::Show(_) => {
                out.push_str(self.puzzle.separator());
                if is_complete { self.puzzle.show_unsolvable(out) } else { out.push_str("unknown\n") }
            }
        }
    }

    fn begin_object(&self, out: &mut String) {
        let Self { number, kind, .. } = self;
        push!(out, "{{\"puzzle\":{number},\"kind\":\"{kind}\"");
    }
}

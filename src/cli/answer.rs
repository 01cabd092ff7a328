//! How the answer to one puzzle is written: as text in the puzzle's own shape, or as a JSON object.

use std::time::Duration;

use dlx::cheapest::Priced;
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
    /// The costs of the solutions, if the cheapest are asked for.
    pub(super) costs: Vec<u128>,
    /// What every other solution costs at least, if the cheapest were asked for and there are others.
    pub(super) bound: Option<u128>,
    /// The last solution as text, to be used again.
    pub(super) shown: String,
}

impl Answer<'_> {
    /// Writes a solution with its cost.
    pub(super) fn priced(&mut self, cover: &Priced, out: &mut String) {
        self.costs.push(cover.cost);
        self.solution(&cover.options, out);
    }

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
        if let Some(cost) = self.costs.last().filter(|_| self.puzzle.problem().has_costs()) {
            // Only covers have costs; a line that begins with a bar is a comment there.
            pushln!(out, "| cost {cost}");
        }
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
                (Goal::Count(_) | Goal::CountTwice, _) => self.begin_object(out),
                (_, 0) => {
                    self.begin_object(out);
                    out.push_str(",\"solutions\":[]");
                }
                _ => out.push(']'),
            }
            if let Goal::Cheapest(_) = self.goal {
                let costs: Vec<_> = self.costs.iter().map(|cost| format!("\"{cost}\"")).collect();
                push!(out, ",\"costs\":[{}]", costs.join(","));
                if let Some(bound) = self.bound {
                    push!(out, ",\"bound\":\"{bound}\"");
                }
            }
            let seconds = elapsed.as_secs_f64();
            push!(out, ",\"engine\":\"{engine}\"");
            let count = report.total();
            push!(out, ",\"count\":\"{count}\",\"complete\":{is_complete}");
            pushln!(out, ",\"nodes\":{nodes},\"updates\":{updates},\"seconds\":{seconds:.6}}}");
            return;
        }
        match self.goal {
            Goal::Count(_) | Goal::CountTwice => match &report.large {
                Some(large) => pushln!(out, "{large}{}", if is_complete { "" } else { "+" }),
                None => write_count(solutions, is_complete, out),
            },
            Goal::Show(_) | Goal::Cheapest(_) if solutions > 0 => {}
            Goal::Show(_) | Goal::Cheapest(_) => {
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

/// Writes a count, which has a plus sign if it was cut short.
pub(super) fn write_count(solutions: u64, is_complete: bool, out: &mut String) {
    match u8::try_from(solutions) {
        // Nearly always, and so in a fifth of the time.
        Ok(few @ ..=9) => out.push(char::from(b'0' + few)),
        _ => push!(out, "{solutions}"),
    }
    out.push_str(if is_complete { "\n" } else { "+\n" });
}

//! Writes the answer to one puzzle, as text in the format of the puzzle or as a JSON object.

use std::time::Duration;

use dlx::cheapest::CostedCover;
use dlx::limits::Pace;
use dlx::{End, Limit, Limits, OptionId, Report};
use serde_json::Value;
use sudoku9::Tally;

use crate::io::gallery::{DrawnPicture, PictureMaker};
use crate::io::output::writing_time;
use crate::io::paint::Painter;
use crate::io::source::Origin;
use crate::search::Goal;
use crate::search::lines::BlockCost;
use grid::format::{self, NineLine};
use puzzle::{Puzzle, Solution};

/// Writes the solutions of a puzzle as they arrive, and then how the search ended.
pub(super) struct Answer<'p> {
    pub(super) puzzle: &'p dyn Puzzle,
    pub(super) number: u64,
    pub(super) origin: &'p Origin,
    /// Whether to print the file and line of the puzzle after its count.
    pub(super) has_name: bool,
    pub(super) kind: &'static str,
    pub(super) goal: Goal,
    pub(super) is_json: bool,
    /// Whether grids are written as single lines (for JSON without `--to`).
    pub(super) is_plain: bool,
    pub(super) painter: Option<Painter>,
    pub(super) maker: Option<PictureMaker>,
    pub(super) pictures: Vec<DrawnPicture>,
    /// Whether some solution has no picture.
    pub(super) is_undrawn: bool,
    /// The limit reached while solutions were drawn or written.
    pub(super) cut: Option<Limit>,
    pub(super) solutions: u64,
    /// For [`Goal::Cheapest`], the cost of each solution.
    pub(super) costs: Vec<u128>,
    /// For [`Goal::Cheapest`], a lower bound on the cost of every other solution, or `None` if
    /// there is no other.
    pub(super) bound: Option<u128>,
    /// The proof that there are no other solutions, for JSON.
    pub(super) proof: Option<Value>,
    /// Buffer for the text of the last solution.
    pub(super) shown: String,
    /// The option numbers of each solution, if the puzzle is given by options.
    pub(super) numbers: OptionLists,
}

impl Answer<'_> {
    pub(super) fn priced(
        &mut self,
        cover: &CostedCover,
        within: (&Limits, &mut Pace<'_>),
        out: &mut String,
    ) {
        self.costs.push(cover.cost);
        self.solution(Solution::Cover(&cover.options), within, out);
    }

    /// Writes a solution, and draws it. Formatting and drawing can take longer than the search,
    /// which checks the limits only now and then; [`Self::cut`] is a limit reached meanwhile. The
    /// pace is that of all solutions within these limits.
    pub(super) fn solution(
        &mut self,
        solution: Solution<'_>,
        (limits, pace): (&Limits, &mut Pace<'_>),
        out: &mut String,
    ) {
        let written = self.numbers.size() + out.len();
        self.solutions += 1;
        self.draw(solution, limits);
        self.write(solution, out);
        let written = (self.numbers.size() + out.len()).saturating_sub(written);
        let checked = match self.maker {
            Some(_) => limits.check(),
            // The last solution that was asked for is not cut.
            None if self.goal.limit() == Some(self.solutions) => Ok(()),
            None => pace.spend(writing_time(written)),
        };
        self.cut = self.cut.or(checked.err());
    }

    fn write(&mut self, solution: Solution<'_>, out: &mut String) {
        self.shown.clear();
        match self.puzzle.as_fill().filter(|_| self.is_plain) {
            Some(fill) => (format::DEFAULT.write)(&fill.filled(&solution.cover()), &mut self.shown),
            None => solution.show(self.puzzle, self.solutions, &mut self.shown),
        }
        if self.is_json {
            if self.solutions == 1 {
                self.begin_object(out);
                out.push_str(",\"solutions\":[");
            } else {
                out.push(',');
            }
            push!(out, "{}", Value::from(self.shown.trim_end_matches('\n')));
            if let Solution::Cover(cover) = solution {
                self.numbers.add(self.puzzle, cover);
            }
            return;
        }
        out.push_str(self.puzzle.layout().separator);
        if let Some(cost) = self.costs.last().filter(|_| self.puzzle.problem().has_costs()) {
            // Only solutions of exact covers have costs. A line that starts with a bar is a comment
            // in their format.
            pushln!(out, "| cost {cost}");
        }
        match &self.painter {
            Some(painter) => painter.paint(&self.shown, out),
            None => out.push_str(&self.shown),
        }
    }

    fn draw(&mut self, solution: Solution<'_>, limits: &Limits) {
        let Some(maker) = self.maker else { return };
        let caption = self.origin.caption(self.kind);
        let caption = match self.goal.limit() {
            Some(1) => caption,
            _ => format!("{caption}, solution {}", self.solutions),
        };
        match maker.make(|| solution.picture(self.puzzle), caption, limits) {
            Ok(Some(drawn)) => self.pictures.push(drawn),
            Ok(None) => self.is_undrawn = true,
            Err(limit) => self.cut = Some(limit),
        }
    }

    /// Writes the part of the answer that follows the solutions.
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
            if !self.goal.is_count() {
                self.numbers.write(self.puzzle, out);
            }
            if let Goal::Cheapest(_) = self.goal {
                let costs: Vec<_> = self.costs.iter().map(|cost| format!("\"{cost}\"")).collect();
                push!(out, ",\"costs\":[{}]", costs.join(","));
                if let Some(bound) = self.bound {
                    push!(out, ",\"bound\":\"{bound}\"");
                }
            }
            if let Some(proof) = &self.proof {
                push!(out, ",\"proof\":{proof}");
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
                Some(large) => {
                    push!(out, "{large}{}", if is_complete { "" } else { "+" });
                    end_line(self.origin, self.has_name, out);
                }
                None => {
                    let name = self.has_name.then_some(self.origin);
                    write_count(solutions, is_complete, name, out);
                }
            },
            Goal::Show(_) | Goal::Cheapest(_) if solutions > 0 => {}
            Goal::Show(_) | Goal::Cheapest(_) => {
                let layout = self.puzzle.layout();
                out.push_str(layout.separator);
                if is_complete { layout.show_unsolvable(out) } else { out.push_str("unknown\n") }
            }
        }
    }

    fn begin_object(&self, out: &mut String) {
        self.origin.begin_object(self.number, out);
        push!(out, ",\"kind\":\"{}\"", self.kind);
    }
}

/// The option numbers of each solution, as JSON text.
#[derive(Default)]
pub(crate) struct OptionLists {
    text: String,
    /// Whether the text exceeded [`Self::BYTES_MAX`] and was dropped.
    is_cut: bool,
}

impl OptionLists {
    /// Largest size of the text (bytes). The text is printed after all solutions and held in memory
    /// until then.
    const BYTES_MAX: usize = 1 << 28;

    pub(crate) fn add(&mut self, puzzle: &dyn Puzzle, cover: &[OptionId]) {
        if self.is_cut {
            return;
        }
        let Some(numbers) = puzzle.option_numbers(cover) else { return };
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        push!(self.text, "{}[{}]", if self.text.is_empty() { "" } else { "," }, numbers.join(","));
        if self.text.len() > Self::BYTES_MAX {
            (self.text, self.is_cut) = (String::new(), true);
        }
    }

    /// Returns the size of the text (bytes).
    pub(crate) fn size(&self) -> usize {
        self.text.len()
    }

    /// Writes the JSON key `options`, if the puzzle is given by options and the text was not
    /// dropped.
    pub(crate) fn write(&self, puzzle: &dyn Puzzle, out: &mut String) {
        if !self.is_cut && puzzle.option_numbers(&[]).is_some() {
            push!(out, ",\"options\":[{}]", self.text);
        }
    }
}

/// Writes JSON objects for a block of plain 9x9 Sudoku that were searched together. Each object
/// gets a share of the block's updates and time in proportion to its nodes. The shares are rounded
/// so that their sums are exact.
pub(super) struct Objects {
    /// The JSON key `file` with its value, and the line number of the first puzzle.
    file: String,
    line: usize,
    cost: BlockCost,
    nodes: u64,
    is_counted: bool,
    /// Sums of the nodes, updates and microseconds of the objects written so far.
    passed: [u64; 3],
}

impl Objects {
    pub(super) fn new(origin: &Origin, cost: BlockCost, nodes: u64, is_counted: bool) -> Self {
        let (file, line) = (origin.file_key(), origin.line.unwrap_or(1));
        Self { file, line, cost, nodes, is_counted, passed: [0; 3] }
    }

    /// Writes the object of the puzzle `index` lines after the first one. `line` contains its
    /// solution, if it has one.
    pub(super) fn write(
        &mut self,
        number: u64,
        index: usize,
        line: &NineLine,
        tally: &Tally,
        out: &mut String,
    ) {
        let nodes = self.passed[0] + tally.nodes;
        let share =
            |all: u64| (u128::from(all) * u128::from(nodes) / u128::from(self.nodes.max(1))) as u64;
        let passed = [nodes, share(self.cost.steps), share(self.cost.time.as_micros() as u64)];
        let [nodes, updates, micros] = std::array::from_fn(|index| passed[index] - self.passed[index]);
        self.passed = passed;
        out.push_str("{\"puzzle\":");
        push_number(number, out);
        out.push_str(&self.file);
        out.push_str(",\"line\":");
        push_number((self.line + index) as u64, out);
        out.push_str(",\"kind\":\"sudoku\"");
        if !self.is_counted {
            out.push_str(",\"solutions\":[");
            if tally.solutions > 0 {
                out.push('"');
                out.push_str(str::from_utf8(&line[..81]).unwrap_or_default());
                out.push('"');
            }
            out.push(']');
        }
        out.push_str(",\"engine\":\"lanes\",\"count\":\"");
        push_number(tally.solutions, out);
        let is_complete = tally.end == End::Exhausted;
        out.push_str(if is_complete { "\",\"complete\":true" } else { "\",\"complete\":false" });
        out.push_str(",\"nodes\":");
        push_number(nodes, out);
        out.push_str(",\"updates\":");
        push_number(updates, out);
        out.push_str(",\"seconds\":");
        push_number(micros / 1_000_000, out);
        out.push('.');
        // To write six digits with leading zeros, write a 1 before them and remove it again.
        let length = out.len();
        push_number(1_000_000 + micros % 1_000_000, out);
        out.remove(length);
        out.push_str("}\n");
    }
}

/// Appends a number. Faster than `write!`.
fn push_number(mut number: u64, out: &mut String) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    while start == digits.len() || number > 0 {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    out.push_str(str::from_utf8(&digits[start..]).unwrap_or_default());
}

/// Writes a count, with a plus sign if it is incomplete. If `has_name`, the file and line of the
/// puzzle follow.
pub(super) fn write_count(
    solutions: u64,
    is_complete: bool,
    origin: Option<&Origin>,
    out: &mut String,
) {
    match u8::try_from(solutions) {
        Ok(few @ ..=9) => out.push(char::from(b'0' + few)),
        _ => push!(out, "{solutions}"),
    }
    if !is_complete {
        out.push('+');
    }
    match origin {
        Some(origin) => end_line(origin, true, out),
        None => out.push('\n'),
    }
}

/// Ends a line. If `has_name`, appends a tab and the file and line of the puzzle.
pub(super) fn end_line(origin: &Origin, has_name: bool, out: &mut String) {
    if has_name {
        push!(out, "\t{origin}");
    }
    out.push('\n');
}

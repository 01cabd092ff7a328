//! The command `trace` prints the events of a dancing-links search, one JSON object per line.
//!
//! The lines are the events of [`dlx::engine::events`] in order: `given`, `choose`, `cover`, `try`,
//! `dead_end`, `solution`, `back` and `leave`, between `begin` and `end`. If the event limit or
//! `--sample` omits a part of the tree, a line `skip` with totals replaces that part. Events that
//! were open are still closed, so every `choose` has its `leave` and every `try` its `back`. The
//! printed events therefore replay the search, except for the omitted parts.

use std::io::{self, Write};
use std::ops::ControlFlow;

use dlx::engine::events::{self, Event};
use dlx::{End, Limit, Limits, OptionId, Report};
use serde_json::Value;

use crate::io::args::{InputArgs, PuzzleLimits, TraceArgs};
use crate::io::exit::Exit;
use crate::io::source::Puzzles;
use crate::io::{interrupt, memory, output};
use puzzle::Puzzle;

pub(super) fn run(input: &InputArgs, args: &TraceArgs) -> Exit {
    let mut stdout = io::BufWriter::new(output::stdout());
    let mut exit = Exit::Done;
    for job in Puzzles::new(input, PuzzleLimits::within(Some(args.time))).with_covers() {
        let number = job.number;
        let puzzle = match job.puzzle {
            Ok(puzzle) => puzzle,
            Err(fault) if fault.exit() == Exit::Interrupted => return Exit::Interrupted,
            Err(fault) => {
                exit = exit.max(fault.exit());
                let message = fault.to_string();
                say!("{}", message.trim_end());
                let error = Value::from(message.trim_end());
                match writeln!(stdout, "{{\"puzzle\":{number},\"error\":{error}}}") {
                    Ok(()) => continue,
                    Err(error) => return output::lost(&error),
                }
            }
        };
        memory::recover();
        let mut printer = Printer::new(puzzle.as_ref(), number, args, &mut stdout);
        printer.begin(job.kind);
        let mut limits =
            Limits::new().solutions(args.limit).nodes(args.nodes).cancel(interrupt::flag());
        limits = memory::guard(limits, None).within(args.time);
        let see = &mut |event| printer.see(&event);
        let report = events::search(puzzle.problem(), puzzle.given(), &limits, see);
        printer.end(&report);
        if let Err(error) = printer.written.and_then(|()| stdout.flush()) {
            return output::lost(&error);
        }
        let (reason, code) = match report.end {
            End::Limit(Limit::Cancelled) => return Exit::Interrupted,
            End::Limit(Limit::Time) => (Some("time"), Exit::Limited),
            End::Limit(Limit::Nodes) => (Some("node"), Exit::Limited),
            End::Limit(Limit::Memory) => (Some("memory"), Exit::Limited),
            End::Exhausted if report.solutions == 0 => (None, Exit::Failed),
            _ => (None, Exit::Done),
        };
        if let Some(what) = reason.filter(|_| !args.quiet) {
            say!("puzzle {number}: {what} limit reached after {} nodes", report.nodes);
        }
        exit = match exit {
            Exit::BadInput => exit,
            Exit::Limited if code != Exit::BadInput => exit,
            Exit::Failed if code == Exit::Done => exit,
            _ => code,
        };
    }
    exit
}

/// Totals of an omitted part of the search.
#[derive(Clone, Copy, Debug, Default)]
struct Omitted {
    events: u64,
    tries: u64,
    nodes: u64,
    dead_ends: u64,
    solutions: u64,
    updates: u64,
}

impl Omitted {
    fn add(&mut self, event: &Event) {
        self.events += 1;
        match *event {
            Event::Given { updates, .. } | Event::Cover { updates, .. } => self.updates += updates,
            Event::Try { updates, .. } => {
                self.tries += 1;
                self.updates += updates;
            }
            Event::Choose { .. } => self.nodes += 1,
            Event::DeadEnd { .. } => {
                self.nodes += 1;
                self.dead_ends += 1;
            }
            Event::Solution { .. } => {
                self.nodes += 1;
                self.solutions += 1;
            }
            // The events `back` and `leave`, and events that later versions may add.
            _ => {}
        }
    }

    fn show(&self, out: &mut String) {
        let Self { tries, nodes, dead_ends, solutions, updates, .. } = self;
        push!(out, "\"tries\":{tries},\"nodes\":{nodes},\"dead_ends\":{dead_ends}");
        push!(out, ",\"solutions\":{solutions},\"updates\":{updates}");
    }
}

struct Printer<'p, W> {
    puzzle: &'p dyn Puzzle,
    number: u64,
    args: &'p TraceArgs,
    out: W,
    written: io::Result<()>,
    line: String,
    /// Number of printed events, without the events that close an omitted part.
    printed: u64,
    /// The number of open `choose` and `try` events.
    depth: usize,
    /// The depth of the omitted part and its totals so far, or `None` outside omitted parts.
    skipped: Option<(usize, Omitted)>,
    left_out: u64,
    /// Number of tries at items with at least two options, by level.
    forks: Vec<u64>,
    /// Totals of the search by level, without the given options.
    levels: Vec<Omitted>,
    /// The level of the next `cover` event, or `None` before the first node.
    level: Option<usize>,
}

impl<'p, W: Write> Printer<'p, W> {
    fn new(puzzle: &'p dyn Puzzle, number: u64, args: &'p TraceArgs, out: W) -> Self {
        Self {
            puzzle,
            number,
            args,
            out,
            written: Ok(()),
            line: String::new(),
            printed: 0,
            depth: 0,
            skipped: None,
            left_out: 0,
            forks: Vec::new(),
            levels: Vec::new(),
            level: None,
        }
    }

    fn open(&mut self, event: &str) {
        self.line.clear();
        push!(self.line, "{{\"puzzle\":{},\"event\":\"{event}\"", self.number);
    }

    fn close(&mut self) {
        self.line.push_str("}\n");
        if self.written.is_ok() {
            self.written = self.out.write_all(self.line.as_bytes());
        }
    }

    fn begin(&mut self, kind: &str) {
        let problem = self.puzzle.problem();
        let (items, options) = (problem.item_count(), problem.option_count());
        self.open("begin");
        push!(self.line, ",\"kind\":\"{kind}\",\"items\":{items},\"options\":{options}");
        push!(self.line, ",\"given\":{}", self.puzzle.given().len());
        self.close();
    }

    fn see(&mut self, event: &Event) -> ControlFlow<()> {
        self.attribute(event);
        let is_closing = matches!(event, Event::Back { .. } | Event::Leave { .. });
        if is_closing && self.skipped.is_some_and(|(depth, _)| depth == self.depth) {
            self.tell_skipped(event);
        }
        match &mut self.skipped {
            Some((_, tally)) => tally.add(event),
            None if is_closing => self.print(event),
            None if self.printed >= self.args.events => {
                let mut tally = Omitted::default();
                tally.add(event);
                self.skipped = Some((self.depth, tally));
            }
            None => self.print(event),
        }
        match event {
            Event::Choose { .. } | Event::Try { .. } => self.depth += 1,
            Event::Back { .. } | Event::Leave { .. } => self.depth -= 1,
            _ => {}
        }
        if self.skipped.is_none() && !self.is_sampled(event) {
            self.skipped = Some((self.depth, Omitted::default()));
        }
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Returns whether to print the events below `event`. At an item with at least two options,
    /// only every `--sample`-th try of the level is printed.
    fn is_sampled(&mut self, event: &Event) -> bool {
        let Event::Try { level, degree: 2.., .. } = *event else { return true };
        if self.forks.len() <= level {
            self.forks.resize(level + 1, 0);
        }
        let count = self.forks[level];
        self.forks[level] += 1;
        count.is_multiple_of(self.args.sample)
    }

    fn attribute(&mut self, event: &Event) {
        match *event {
            Event::Choose { level, .. }
            | Event::Try { level, .. }
            | Event::DeadEnd { level, .. }
            | Event::Solution { level, .. } => self.level = Some(level),
            _ => {}
        }
        let Some(level) = self.level else { return };
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Omitted::default());
        }
        self.levels[level].add(event);
    }

    /// Prints a `skip` line for the omitted events, just before the event that closes them.
    fn tell_skipped(&mut self, event: &Event) {
        let Some((_, tally)) = self.skipped.take() else { return };
        self.left_out += tally.events;
        if tally.events == 0 {
            return;
        }
        self.open("skip");
        if let Event::Back { level } | Event::Leave { level } = *event {
            // The part omitted inside a try is one level deeper than the try.
            let level = level + usize::from(matches!(event, Event::Back { .. }));
            push!(self.line, ",\"level\":{level}");
        }
        self.line.push(',');
        tally.show(&mut self.line);
        self.close();
    }

    fn print(&mut self, event: &Event) {
        let problem = self.puzzle.problem();
        let name = |item| Value::from(problem.item_name(item));
        self.printed += 1;
        match *event {
            Event::Given { option, updates } => {
                self.open("given");
                self.name(option);
                push!(self.line, ",\"updates\":{updates}");
            }
            Event::Choose { level, item, degree, updates } => {
                self.open("choose");
                push!(self.line, ",\"level\":{level},\"item\":{},\"options\":{degree}", name(item));
                push!(self.line, ",\"updates\":{updates}");
            }
            Event::Cover { item, color, hidden, updates } => {
                self.open("cover");
                push!(self.line, ",\"item\":{}", name(item));
                if let Some(color) = color {
                    push!(self.line, ",\"color\":{}", Value::from(problem.color_name(color)));
                }
                push!(self.line, ",\"hidden\":{hidden},\"updates\":{updates}");
            }
            Event::Try { level, option, ordinal, degree, updates } => {
                self.open("try");
                push!(self.line, ",\"level\":{level},\"ordinal\":{ordinal},\"of\":{degree}");
                match option {
                    Some(option) => self.name(option),
                    None => self.line.push_str(",\"option\":null"),
                }
                if updates > 0 {
                    push!(self.line, ",\"updates\":{updates}");
                }
            }
            Event::DeadEnd { level, item, updates } => {
                self.open("dead_end");
                push!(self.line, ",\"level\":{level},\"item\":{},\"updates\":{updates}", name(item));
            }
            Event::Solution { level, updates } => {
                self.open("solution");
                push!(self.line, ",\"level\":{level},\"updates\":{updates}");
            }
            Event::Back { level } => {
                self.open("back");
                push!(self.line, ",\"level\":{level}");
            }
            Event::Leave { level } => {
                self.open("leave");
                push!(self.line, ",\"level\":{level}");
            }
            _ => self.open("other"),
        }
        self.close();
    }

    /// Appends an option: its number from 1, its items and, in a grid, its cell and symbol.
    fn name(&mut self, option: OptionId) {
        let items = Value::from(self.puzzle.problem().show(option).to_string());
        push!(self.line, ",\"number\":{},\"option\":{items}", self.puzzle.option_number(option));
        if let Some(fill) = self.puzzle.as_fill() {
            let (cell, symbol) = fill.placement(option);
            let order = fill.grid().shape().order();
            push!(self.line, ",\"row\":{},\"column\":{}", cell / order + 1, cell % order + 1);
            let symbol = match fill.grid().style.alphabet.character(symbol) {
                Some(character) => character.to_string(),
                None => (symbol + 1).to_string(),
            };
            push!(self.line, ",\"symbol\":{}", Value::from(symbol));
        }
    }

    /// Prints the last line: the end of the search, and totals by level if events were omitted.
    fn end(&mut self, report: &Report) {
        if let Some((_, tally)) = self.skipped.take() {
            // All events were closed, so no closing event has printed the `skip` line yet.
            self.left_out += tally.events;
            self.open("skip");
            self.line.push_str(",\"level\":0,");
            tally.show(&mut self.line);
            self.close();
        }
        let Report { end, solutions, nodes, updates, .. } = *report;
        let end = match end {
            End::Exhausted => "exhausted",
            End::Limit(Limit::Solutions) => "solutions",
            End::Limit(Limit::Nodes) => "nodes",
            End::Limit(Limit::Time) => "time",
            End::Limit(Limit::Cancelled) => "interrupted",
            _ => "stopped",
        };
        self.open("end");
        push!(self.line, ",\"end\":\"{end}\",\"solutions\":{solutions},\"nodes\":{nodes}");
        let (events, left_out) = (self.printed + self.left_out, self.left_out);
        push!(self.line, ",\"updates\":{updates},\"events\":{events},\"left_out\":{left_out}");
        if left_out > 0 {
            for (level, tally) in self.levels.iter().enumerate() {
                self.line.push_str(if level == 0 { ",\"levels\":[{" } else { ",{" });
                tally.show(&mut self.line);
                self.line.push('}');
            }
            self.line.push_str(if self.levels.is_empty() { "" } else { "]" });
        }
        self.close();
    }
}

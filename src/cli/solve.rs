//! The commands `solve`, `list` and `count`.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dlx::engine::Unsupported;
use dlx::{End, Limit, Limits, OptionId, Problem, Report};

use super::args::Run;
use super::bar::Bar;
use super::batch::{self, Gone, Sink};
use super::exit::Exit;
use super::interrupt;
use super::source::{Job, Puzzles};
use crate::algorithm::{self, Algorithm, AlgorithmSpec};
use crate::grid::format;
use crate::puzzle::Puzzle;
use crate::render::terminal;

const SOUND: &str = "writing to a string does not fail";

/// Output is sent to the writer in blocks of about this many bytes.
const BLOCK_SIZE: usize = 1 << 15;

/// What is asked of each puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The solutions themselves, at most so many.
    Show(Option<u64>),
    /// Their number.
    Count(Option<u64>),
}

impl Goal {
    fn limit(self) -> Option<u64> {
        match self {
            Self::Show(limit) | Self::Count(limit) => limit,
        }
    }
}

/// A piece of output with the tally of the puzzles that it ends.
#[derive(Debug, Default)]
struct Block {
    /// What stands before all output, if this is the first.
    head: String,
    out: String,
    err: String,
    tally: Tally,
}

/// Sums over puzzles.
#[derive(Clone, Debug, Default)]
struct Tally {
    puzzles: u64,
    faults: u64,
    unsolvable: u64,
    limited: u64,
    solutions: u64,
    nodes: u64,
    updates: u64,
    /// What there is to say of one puzzle alone.
    note: String,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.puzzles += other.puzzles;
        self.faults += other.faults;
        self.unsolvable += other.unsolvable;
        self.limited += other.limited;
        self.solutions = self.solutions.saturating_add(other.solutions);
        self.nodes += other.nodes;
        self.updates += other.updates;
        if self.puzzles == 1 && self.note.is_empty() {
            self.note = other.note;
        }
    }
}

/// Runs the command and returns how it ended.
pub(super) fn run(run: &Run, goal: Goal) -> Exit {
    let cancel = interrupt::flag();
    let is_quiet = run.output.quiet;
    let bar = Bar::start(!is_quiet);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = run.threads.map_or(cores, usize::from);
    let started = Instant::now();
    let mut total = Tally::default();
    let mut stdout = io::stdout().lock();
    let mut has_output = false;
    let mut is_closed = false;
    let make_worker = || {
        let mut worker = Worker::new(run.clone(), goal, &bar);
        move |chunk: Vec<Job>, sink: &Sink<Block>| worker.work(chunk, sink)
    };
    batch::run(Puzzles::new(&run.input), threads, &cancel, make_worker, |block: Block| {
        let out = match (has_output, block.out.strip_prefix('\n')) {
            // Nothing to be set apart from.
            (false, Some(rest)) => rest,
            _ => &block.out,
        };
        if !block.err.is_empty() {
            bar.hide_while(|| say!("{}", block.err.trim_end()));
        }
        if !out.is_empty() {
            let head = if has_output { "" } else { &block.head };
            has_output = true;
            let written = bar.hide_while(|| {
                stdout.write_all(head.as_bytes())?;
                stdout.write_all(out.as_bytes())
            });
            is_closed = written.is_err();
        }
        bar.add(block.tally.puzzles);
        total.add(block.tally);
        !is_closed
    });
    is_closed |= stdout.flush().is_err();
    bar.finish();
    if run.stats && !is_closed {
        print_stats(&total, started.elapsed());
    }
    if is_closed {
        Exit::Done
    } else if interrupt::happened() {
        Exit::Interrupted
    } else if total.faults > 0 {
        Exit::BadInput
    } else if total.limited > 0 {
        Exit::Limited
    } else if total.unsolvable > 0 {
        Exit::Failed
    } else {
        Exit::Done
    }
}

fn print_stats(total: &Tally, elapsed: Duration) {
    if total.puzzles == 1 {
        say!("{}", total.note.trim_end());
        return;
    }
    let Tally { puzzles, solutions, nodes, updates, .. } = total;
    let rate = *puzzles as f64 / elapsed.as_secs_f64().max(1e-9);
    say!(
        "{puzzles} puzzles, {solutions} solutions, {nodes} nodes, {updates} updates, {:.3} s, {rate:.0} puzzles/s",
        elapsed.as_secs_f64()
    );
}

/// One of the threads that solve.
struct Worker {
    run: Run,
    goal: Goal,
    limits: Limits,
    colored: bool,
    algorithm: Option<(&'static str, Box<dyn Algorithm>)>,
    block: Block,
}

impl Worker {
    fn new(run: Run, goal: Goal, bar: &Bar) -> Self {
        let limits = Limits {
            solutions: goal.limit(),
            nodes: run.limits.nodes,
            cancel: Some(interrupt::flag()),
            progress: Some(Arc::clone(bar.progress())),
            profile: run.profile,
            ..Limits::default()
        };
        let colored = terminal::use_color(run.output.color.into(), &io::stdout()) && !run.output.json;
        Self { run, goal, limits, colored, algorithm: None, block: Block::default() }
    }

    fn work(&mut self, chunk: Vec<Job>, sink: &Sink<Block>) -> Result<(), Gone> {
        for job in chunk {
            let number = job.number;
            match job.puzzle {
                Ok(mut puzzle) => {
                    if let Some(format) = self.run.to.as_deref().and_then(format::by_name) {
                        puzzle.set_format(format);
                    }
                    self.solve(number, job.kind, puzzle.as_ref(), sink)?;
                }
                Err(fault) => {
                    write!(self.block.err, "{fault}").expect(SOUND);
                    if self.run.output.json {
                        let error = serde_json::Value::from(fault.to_string().trim_end());
                        writeln!(self.block.out, "{{\"puzzle\":{number},\"error\":{error}}}")
                            .expect(SOUND);
                    } else if job.is_record && (job.is_line || matches!(self.goal, Goal::Count(_))) {
                        self.block.out.push_str("error\n");
                    }
                    self.block.tally.add(Tally { puzzles: 1, faults: 1, ..Tally::default() });
                }
            }
            if self.block.out.len() >= BLOCK_SIZE {
                sink.send(std::mem::take(&mut self.block))?;
            }
        }
        sink.send(std::mem::take(&mut self.block))
    }

    fn solve(
        &mut self,
        number: u64,
        kind: &'static str,
        puzzle: &dyn Puzzle,
        sink: &Sink<Block>,
    ) -> Result<(), Gone> {
        if self.block.head.is_empty() && !self.run.output.json && matches!(self.goal, Goal::Show(_)) {
            puzzle.show_head(&mut self.block.head);
        }
        self.warn(number, puzzle);
        let (spec, reason) = match algorithm::by_name(&self.run.engine) {
            Some(spec) => (spec, "asked for"),
            None => algorithm::choose(puzzle),
        };
        if self.run.output.json {
            let engine = spec.name;
            let head = format!("{{\"puzzle\":{number},\"kind\":\"{kind}\",\"engine\":\"{engine}\"");
            self.block.out.push_str(&head);
        }
        let started = Instant::now();
        let outcome = self.search(spec, puzzle, sink)?;
        let elapsed = started.elapsed();
        match outcome {
            Ok(report) => self.conclude(number, kind, (spec.name, reason), puzzle, &report, elapsed),
            Err(unsupported) => {
                writeln!(self.block.err, "puzzle {number}: engine {}: {unsupported}", spec.name)
                    .expect(SOUND);
                let error = serde_json::Value::from(unsupported.to_string());
                if self.run.output.json {
                    writeln!(self.block.out, ",\"error\":{error}}}").expect(SOUND);
                } else if puzzle.is_line() || matches!(self.goal, Goal::Count(_)) {
                    self.block.out.push_str("error\n");
                }
                self.block.tally.add(Tally { puzzles: 1, faults: 1, ..Tally::default() });
            }
        }
        Ok(())
    }

    /// Searches one puzzle; solutions are written as they come.
    fn search(
        &mut self,
        spec: &'static AlgorithmSpec,
        puzzle: &dyn Puzzle,
        sink: &Sink<Block>,
    ) -> Result<Result<Report, Unsupported>, Gone> {
        let mut limits = self.limits.clone();
        if let Some(time) = self.run.limits.time {
            limits = limits.within(time);
        }
        if self.run.limits.memory.is_some_and(|limit| memory_estimate(puzzle.problem()) > limit) {
            return Ok(Ok(Report::empty(End::Limit(Limit::Memory))));
        }
        let algorithm = match self.algorithm.take().filter(|(name, _)| *name == spec.name) {
            Some((_, algorithm)) => algorithm,
            None => spec.build(),
        };
        let (_, algorithm) = self.algorithm.insert((spec.name, algorithm));
        if let Goal::Count(_) = self.goal {
            return Ok(algorithm.count(puzzle, &limits));
        }
        let (block, is_json) = (&mut self.block, self.run.output.json);
        let painter = self.colored.then(|| terminal::Painter::new(puzzle));
        let (mut shown, mut number) = (String::new(), 0);
        let mut gone = Ok(());
        let mut visit = |cover: &[OptionId]| {
            number += 1;
            shown.clear();
            puzzle.show(cover, number, &mut shown);
            if is_json {
                block.out.push_str(if number == 1 { ",\"solutions\":[" } else { "," });
                write!(block.out, "{}", serde_json::Value::from(shown.trim_end_matches('\n')))
                    .expect(SOUND);
            } else {
                block.out.push_str(puzzle.separator());
                match &painter {
                    Some(painter) => painter.paint(&shown, &mut block.out),
                    None => block.out.push_str(&shown),
                }
            }
            if block.out.len() >= BLOCK_SIZE {
                gone = sink.send(std::mem::take(block));
            }
            if gone.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let report = algorithm.search(puzzle, &limits, &mut visit);
        gone.map(|()| report)
    }

    /// Writes what follows the solutions of a puzzle, and adds it to the tally.
    fn conclude(
        &mut self,
        number: u64,
        kind: &str,
        (engine, reason): (&str, &str),
        puzzle: &dyn Puzzle,
        report: &Report,
        elapsed: Duration,
    ) {
        let Report { end, solutions, nodes, updates, .. } = *report;
        let is_complete = end == End::Exhausted;
        // A limit on solutions was asked for; the other limits are failures.
        let cut_short = match end {
            End::Limit(Limit::Solutions | Limit::Cancelled) | End::Exhausted | End::Stopped => None,
            End::Limit(Limit::Nodes) => Some("nodes"),
            End::Limit(Limit::Time) => Some("time"),
            End::Limit(Limit::Memory) => Some("memory"),
            End::Limit(_) => Some("search"),
            _ => None,
        };
        let out = &mut self.block.out;
        if self.run.output.json {
            match self.goal {
                Goal::Show(_) if solutions == 0 => out.push_str(",\"solutions\":[]"),
                Goal::Show(_) => out.push(']'),
                Goal::Count(_) => {}
            }
            writeln!(
                out,
                ",\"count\":\"{solutions}\",\"complete\":{is_complete},\"nodes\":{nodes},\"updates\":{updates},\"seconds\":{:.6}}}",
                elapsed.as_secs_f64()
            )
            .expect(SOUND);
        } else if let Goal::Count(_) = self.goal {
            writeln!(out, "{solutions}{}", if is_complete { "" } else { "+" }).expect(SOUND);
        } else if solutions == 0 {
            out.push_str(puzzle.separator());
            if is_complete { puzzle.show_unsolvable(out) } else { out.push_str("unknown\n") }
        }
        if let Some(what) = cut_short.filter(|_| !self.run.output.quiet) {
            let plural = if solutions == 1 { "" } else { "s" };
            writeln!(
                self.block.err,
                "puzzle {number}: stopped by the limit of {what} after {solutions} solution{plural}"
            )
            .expect(SOUND);
        }
        if self.run.profile {
            writeln!(self.block.err, "puzzle {number}: level, nodes, updates").expect(SOUND);
            for (level, counts) in report.levels.iter().enumerate() {
                writeln!(self.block.err, "{level:5} {:14} {:16}", counts.nodes, counts.updates)
                    .expect(SOUND);
            }
        }
        let note = format!(
            "{kind}: engine {engine} ({reason}), {} items, {} options, {solutions} solutions, {nodes} nodes, {updates} updates, {:.6} s\n",
            puzzle.problem().item_count(),
            puzzle.problem().option_count(),
            elapsed.as_secs_f64(),
        );
        self.block.tally.add(Tally {
            puzzles: 1,
            faults: 0,
            unsolvable: u64::from(is_complete && solutions == 0),
            limited: u64::from(cut_short.is_some()),
            solutions,
            nodes,
            updates,
            note,
        });
    }

    /// Says what is odd about a puzzle though it can be solved.
    fn warn(&mut self, number: u64, puzzle: &dyn Puzzle) {
        let idle = puzzle.problem().idle_options();
        if let Some(&first) = idle.first().filter(|_| !self.run.output.quiet) {
            let shown = puzzle.problem().show(first);
            let rest = match idle.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            writeln!(
                self.block.err,
                "puzzle {number}: option {} `{shown}`{rest} has no primary item and is never chosen",
                first.index() + 1
            )
            .expect(SOUND);
        }
    }
}

/// Returns about how many bytes the arena of a search takes.
fn memory_estimate(problem: &Problem) -> u64 {
    let records = problem.entry_count() + problem.option_count() + problem.item_count();
    16 * records as u64 + 40 * problem.item_count() as u64
}

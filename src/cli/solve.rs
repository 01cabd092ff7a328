//! The commands `solve`, `list` and `count`.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use dlx::engine::Unsupported;
use dlx::parallel::Cores;
use dlx::{End, Limit, Limits, Problem, Report, cheapest};

use super::Goal;
use super::answer::{self, Answer};
use super::args::{Run, Show};
use super::bar::Bar;
use super::batch::{self, Gone, Sink};
use super::exit::Exit;
use super::interrupt;
use super::lines::{self, Task, Tasks};
use super::memory;
use super::notices::{About, Counts};
use super::output;
use super::source::{Job, Origin, Puzzles};
use crate::algorithm::{self, Algorithm, AlgorithmSpec, lanes};
use crate::grid::Format;
use crate::grid::format::{self, NineLine};
use crate::input::Cut;
use crate::puzzle::Puzzle;
use crate::render::terminal::{self, Painter};

/// Output is sent to the writer in blocks of about this many bytes.
const BLOCK_SIZE: usize = 1 << 15;

/// Why lines are text.
const ASCII: &str = "digits, blanks and line feeds";

/// A piece of output with the tally of the puzzles that it ends.
#[derive(Debug, Default)]
struct Block {
    /// What stands before all output, if this is the first.
    head: String,
    out: String,
    /// What is said on standard error; empty if enough of the kind was said.
    notices: Vec<(About, String)>,
    tally: Tally,
}

/// Sums over puzzles.
#[derive(Clone, Debug, Default)]
struct Tally {
    puzzles: u64,
    faults: u64,
    unsolvable: u64,
    /// Of these with clues that clash, as far as that was looked at.
    clashing: u64,
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
        self.clashing += other.clashing;
        self.limited += other.limited;
        self.solutions = self.solutions.saturating_add(other.solutions);
        self.nodes += other.nodes;
        self.updates += other.updates;
        if self.puzzles == 1 && self.note.is_empty() {
            self.note = other.note;
        }
    }
}

/// Runs the command and returns how it ended; with `has_names` each number has behind it where its puzzle
/// stands.
pub(super) fn run(run: &Run, show: Option<&Show>, goal: Goal, has_names: bool) -> Exit {
    let cancel = interrupt::flag();
    let is_quiet = run.output.quiet;
    let bar = Bar::start(!is_quiet);
    let all_cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = run.threads.map_or_else(all_cores, usize::from);
    let started = Instant::now();
    let mut total = Tally::default();
    let mut stdout = io::stdout().lock();
    let mut has_output = false;
    let mut told = Counts::default();
    let mut lost = None;
    // What a search with limited nodes finds must not depend on the clock.
    let is_alone = threads == 1 || run.limits.nodes.is_some();
    let cores = Cores::new(if is_alone { 0 } else { threads });
    let is_painted = show.is_some_and(|show| terminal::use_color(show.color.into(), &io::stdout()));
    let is_painted = is_painted && !run.output.json;
    let make_worker = || {
        let mut worker = Worker::new(run.clone(), show, is_painted, goal, has_names, &bar, &cores);
        move |chunk: Vec<Task>, sink: &mut Sink<'_, Block>| worker.work(chunk, sink)
    };
    let write = |block: Block| {
        let out = match (has_output, block.out.strip_prefix('\n')) {
            // Nothing to be set apart from.
            (false, Some(rest)) => rest,
            _ => &block.out,
        };
        if !block.notices.is_empty() {
            bar.hide_while(|| block.notices.iter().for_each(|(about, text)| told.tell(*about, text)));
        }
        if !out.is_empty() {
            let head = if has_output { "" } else { &block.head };
            has_output = true;
            let written = bar.hide_while(|| {
                stdout.write_all(head.as_bytes())?;
                stdout.write_all(out.as_bytes())
            });
            lost = written.err();
        }
        bar.add(block.tally.puzzles);
        total.add(block.tally);
        lost.is_none()
    };
    let has_blocks = !is_painted && lines::suit(run, show, goal);
    let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() };
    let puzzles = Puzzles::new(&run.input).quiet(is_quiet);
    // Only now: the puzzles have the default.
    let limits = memory::guard(limits, run.limits.memory);
    let puzzles = puzzles.within(&limits, run.limits.time);
    let tasks = Tasks::new(puzzles, has_blocks, bar.waiting());
    let ran = batch::run(tasks, threads, &cancel, make_worker, write);
    lost = lost.or(stdout.flush().err());
    bar.finish();
    told.end();
    if let Some(error) = lost {
        return output::lost(&error);
    }
    if let Err(error) = ran {
        say!("cannot start a thread: {error}");
        return Exit::BadInput;
    }
    // Of many puzzles each would take a line.
    if (total.clashing, total.puzzles) == (1, 1) && !is_quiet {
        say!("puzzle 1: two clues clash; `farandole check` says which");
    }
    if run.stats {
        print_stats(&total, started.elapsed());
    }
    if interrupt::happened() {
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
    let plural = if *solutions == 1 { "" } else { "s" };
    let rate = *puzzles as f64 / elapsed.as_secs_f64().max(1e-9);
    say!(
        "{puzzles} puzzles, {solutions} solution{plural}, {nodes} nodes, {updates} updates, {:.3} s, {rate:.0} puzzles/s",
        elapsed.as_secs_f64()
    );
}

/// One of the threads that solve.
struct Worker {
    run: Run,
    goal: Goal,
    /// The format in which grids are to be written, if not the one they came in.
    to: Option<&'static dyn Format>,
    limits: Limits,
    is_painted: bool,
    /// The cores of which one is busy while this works; long searches use those that are idle.
    cores: Arc<Cores>,
    algorithm: Option<(&'static str, Box<dyn Algorithm>)>,
    /// What solves blocks of lines, once there was one.
    lines: Option<lines::Solver>,
    /// Solutions that a block has found of the puzzle at work.
    known: u64,
    /// What tells that a search has begun.
    searching: Arc<AtomicBool>,
    /// Whether a number has behind it where its puzzle stands.
    has_names: bool,
    /// What was said so far.
    told: Counts,
    block: Block,
}

impl Worker {
    fn new(
        run: Run,
        show: Option<&Show>,
        is_painted: bool,
        goal: Goal,
        has_names: bool,
        bar: &Bar,
        cores: &Arc<Cores>,
    ) -> Self {
        let limits = Limits {
            solutions: goal.limit(),
            nodes: run.limits.nodes,
            cancel: Some(interrupt::flag()),
            progress: Some(Arc::clone(bar.progress())),
            profile: run.profile,
            ..Limits::default()
        };
        let limits = memory::guard(limits, run.limits.memory);
        let to = show.and_then(|show| format::by_name(show.to.as_deref()?));
        let (cores, block) = (Arc::clone(cores), Block::default());
        let (algorithm, lines, told) = (None, None, Counts::default());
        let searching = Arc::clone(bar.searching());
        Self {
            run,
            goal,
            to,
            limits,
            is_painted,
            cores,
            algorithm,
            lines,
            searching,
            has_names,
            told,
            known: 0,
            block,
        }
    }

    fn work(&mut self, chunk: Vec<Task>, sink: &mut Sink<'_, Block>) -> Result<(), Gone> {
        let _busy = self.cores.occupy();
        for task in chunk {
            match task {
                Task::Puzzle(job) => self.work_on(job, sink)?,
                Task::Lines { number, origin, lines } => {
                    self.work_on_lines(number, &origin, lines, sink)?;
                }
            }
            if self.block.out.len() >= BLOCK_SIZE {
                sink(std::mem::take(&mut self.block))?;
            }
        }
        sink(std::mem::take(&mut self.block))
    }

    fn work_on(&mut self, job: Job, sink: &mut Sink<'_, Block>) -> Result<(), Gone> {
        let Job { number, origin, kind, is_record, is_line, puzzle } = job;
        match puzzle {
            Ok(mut puzzle) => match self.set_format(puzzle.as_mut()) {
                Ok(()) => self.solve(number, &origin, kind, puzzle.as_ref(), sink)?,
                Err(message) => {
                    let message = format!("puzzle {number}: {message}");
                    self.fail(number, &origin, About::Unfit, &message, puzzle.is_line());
                }
            },
            Err(fault) if fault.limit() == Some(Cut::Interrupt) => {}
            Err(fault) => {
                let has_line = is_record && (is_line || self.goal.is_count());
                self.fail(number, &origin, About::Unread, fault.to_string().trim_end(), has_line);
                if fault.limit().is_some() {
                    (self.block.tally.faults, self.block.tally.limited) =
                        (self.block.tally.faults - 1, self.block.tally.limited + 1);
                }
            }
        }
        Ok(())
    }

    /// Does what [`Worker::work_on`] does with the puzzles from number `first` on, a line each.
    fn work_on_lines(
        &mut self,
        first: u64,
        origin: &Origin,
        mut lines: Vec<NineLine>,
        sink: &mut Sink<'_, Block>,
    ) -> Result<(), Gone> {
        if lines.len() == 1 && self.run.stats {
            // There is more to say of one puzzle alone.
            let puzzle = lines::rest(&lines, &[None]).next().expect("the one");
            return self.solve(first, origin, "sudoku", puzzle.as_ref(), sink);
        }
        let new = || lines::Solver::new(self.goal, &self.limits, self.run.limits.time);
        let mut solver = self.lines.take().unwrap_or_else(new);
        let (tallies, found, cost) = solver.solve(&mut lines);
        if lines.len() == 1 && tallies[0].is_some_and(|tally| tally.solutions == 0) {
            // Why there is none may be said of one puzzle alone.
            let puzzle = lines::rest(&lines, &[None]).next().expect("the one");
            self.lines = Some(solver);
            return self.solve(first, origin, "sudoku", puzzle.as_ref(), sink);
        }
        let mut sum = Tally { updates: cost.steps, ..Tally::default() };
        for tally in tallies.iter().flatten() {
            sum.puzzles += 1;
            sum.unsolvable += u64::from(tally.solutions == 0);
            sum.solutions = sum.solutions.saturating_add(tally.solutions);
            sum.nodes += tally.nodes;
        }
        let is_counted = self.goal.is_count();
        let mut objects =
            self.run.output.json.then(|| answer::Objects::new(origin, cost, sum.nodes, is_counted));
        if objects.is_none()
            && !is_counted
            && sum.solutions == lines.len() as u64
            && self.block.out.is_empty()
        {
            // All puzzles are solved: the block comes out as it is.
            self.block.out = String::from_utf8(lines.into_flattened()).expect(ASCII);
        } else {
            let mut rest = lines::rest(&lines, tallies);
            for (index, (line, tally)) in lines.iter().zip(tallies).enumerate() {
                let number = first + index as u64;
                let out = &mut self.block.out;
                match (*tally, &mut objects) {
                    (None, _) => {
                        let puzzle = rest.next().expect("a puzzle for each line that is left");
                        // It takes its time: what is known goes out before.
                        if !out.is_empty() {
                            sink(std::mem::take(&mut self.block))?;
                        }
                        self.known = found[index];
                        let origin = origin.behind(index);
                        let solved = self.solve(number, &origin, "sudoku", puzzle.as_ref(), sink);
                        self.known = 0;
                        solved?;
                    }
                    (Some(tally), Some(objects)) => objects.write(number, index, line, &tally, out),
                    (Some(lanes::Tally { solutions, end, .. }), None) if is_counted => {
                        let name = self.has_names.then(|| origin.behind(index));
                        answer::write_count(solutions, end == End::Exhausted, name.as_ref(), out);
                    }
                    (Some(lanes::Tally { solutions: 0, .. }), None) => out.push_str(format::UNSOLVABLE),
                    (Some(_), None) => out.push_str(str::from_utf8(line).expect(ASCII)),
                }
            }
        }
        self.block.tally.add(sum);
        self.lines = Some(solver);
        Ok(())
    }

    /// Lets solutions be written in the format that was asked for, if one was.
    fn set_format(&self, puzzle: &mut dyn Puzzle) -> Result<(), String> {
        self.to.map_or(Ok(()), |format| puzzle.set_format(format))
    }

    /// Reports a puzzle that cannot be solved for a reason of its own; in a batch of lines (`has_line`)
    /// something must stand in its place.
    fn fail(&mut self, number: u64, origin: &Origin, about: About, message: &str, has_line: bool) {
        self.note(about, || message.to_owned());
        if self.run.output.json {
            let error = serde_json::Value::from(message);
            origin.begin_object(number, &mut self.block.out);
            pushln!(self.block.out, ",\"error\":{error}}}");
        } else if has_line {
            self.block.out.push_str("error");
            answer::end_line(origin, self.has_names, &mut self.block.out);
        }
        self.block.tally.add(Tally { puzzles: 1, faults: 1, ..Tally::default() });
    }

    /// Says something of a puzzle on standard error, if not enough of the kind was said.
    fn note(&mut self, about: About, text: impl FnOnce() -> String) {
        let text = if self.told.add(about) { text() } else { String::new() };
        self.block.notices.push((about, text));
    }

    fn solve(
        &mut self,
        number: u64,
        origin: &Origin,
        kind: &'static str,
        puzzle: &dyn Puzzle,
        sink: &mut Sink<'_, Block>,
    ) -> Result<(), Gone> {
        if self.block.head.is_empty() && !self.run.output.json && matches!(self.goal, Goal::Show(_)) {
            puzzle.show_head(&mut self.block.head);
        }
        self.warn(number, puzzle);
        let spec = algorithm::by_name(&self.run.engine).expect("the names come from the table");
        let mut answer = Answer {
            puzzle,
            number,
            origin,
            has_name: self.has_names,
            kind,
            goal: self.goal,
            is_json: self.run.output.json,
            is_plain: self.run.output.json && self.to.is_none(),
            painter: self.is_painted.then(|| Painter::new(puzzle)),
            solutions: 0,
            costs: Vec::new(),
            bound: None,
            shown: String::new(),
        };
        let started = Instant::now();
        self.searching.store(true, Relaxed);
        match self.search(spec, &mut answer, sink)? {
            Ok(report) => {
                let elapsed = started.elapsed();
                let is_cheapest = matches!(self.goal, Goal::Cheapest(_));
                let algorithm = self.algorithm.as_ref().map(|(_, algorithm)| algorithm);
                let engine = match algorithm.and_then(|algorithm| algorithm.engine()) {
                    _ if is_cheapest => "cheapest",
                    engine => engine.unwrap_or(spec.name),
                };
                let method = self.run.stats.then(|| match algorithm.and_then(|a| a.explain()) {
                    _ if is_cheapest => "engine cheapest (costs are asked for)".to_owned(),
                    Some(explanation) => explanation,
                    None => format!("engine {engine} (asked for)"),
                });
                answer.end(&report, engine, elapsed, &mut self.block.out);
                self.conclude(&answer, method, &report, elapsed);
            }
            Err(unsupported) => {
                let message = format!("puzzle {number}: engine {}: {unsupported}", spec.name);
                let has_line = puzzle.is_line() || self.goal.is_count();
                self.fail(number, origin, About::Unfit, &message, has_line);
            }
        }
        Ok(())
    }

    /// Searches one puzzle; solutions are written as they come.
    fn search(
        &mut self,
        spec: &'static AlgorithmSpec,
        answer: &mut Answer<'_>,
        sink: &mut Sink<'_, Block>,
    ) -> Result<Result<Report, Unsupported>, Gone> {
        let puzzle = answer.puzzle;
        if memory::is_short() {
            // What the last puzzle left behind is given back before the next one.
            self.algorithm = None;
            memory::recover();
        }
        let mut limits = self.limits.clone();
        if let Some(time) = self.run.limits.time {
            limits = limits.within(time);
        }
        if self
            .run
            .limits
            .memory
            .is_some_and(|limit| memory_estimate(puzzle.problem(), self.goal) > limit)
        {
            self.algorithm = None;
            return Ok(Ok(Report::empty(End::Limit(Limit::Memory))));
        }
        if let Goal::Cheapest(count) = self.goal {
            return self.search_cheapest(count, &limits, answer, sink).map(Ok);
        }
        let algorithm = match self.algorithm.take().filter(|(name, _)| *name == spec.name) {
            Some((_, algorithm)) => algorithm,
            None => {
                let mut algorithm = spec.build_on(&self.cores);
                if self.goal == Goal::CountTwice {
                    algorithm.count_twice();
                }
                algorithm
            }
        };
        let (_, algorithm) = self.algorithm.insert((spec.name, algorithm));
        if self.goal.is_count() {
            let counted = algorithm.count(puzzle, &limits);
            return Ok(counted.map(|mut report| {
                if report.end != End::Exhausted {
                    report.solutions = report.solutions.max(self.known);
                }
                report
            }));
        }
        let block = &mut self.block;
        let mut gone = Ok(());
        let report = algorithm.search(puzzle, &limits, &mut |cover| {
            answer.solution(cover, &mut block.out);
            if block.out.len() >= BLOCK_SIZE {
                gone = sink(std::mem::take(block));
            }
            if gone.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        gone.map(|()| report)
    }

    /// Searches the cheapest solutions of one puzzle; they are written when they are known.
    fn search_cheapest(
        &mut self,
        count: usize,
        limits: &Limits,
        answer: &mut Answer<'_>,
        sink: &mut Sink<'_, Block>,
    ) -> Result<Report, Gone> {
        let puzzle = answer.puzzle;
        let found = cheapest::search(puzzle.problem(), puzzle.given(), count, limits);
        answer.bound = found.bound;
        for cover in &found.covers {
            answer.priced(cover, &mut self.block.out);
            if self.block.out.len() >= BLOCK_SIZE {
                sink(std::mem::take(&mut self.block))?;
            }
        }
        Ok(found.report)
    }

    /// Says how a search ended, where that is to be said, and adds the puzzle to the tally, with a note
    /// by what `method` it was solved if that is wanted.
    fn conclude(
        &mut self,
        answer: &Answer<'_>,
        method: Option<String>,
        report: &Report,
        elapsed: Duration,
    ) {
        let Report { end, solutions, nodes, updates, .. } = *report;
        let Answer { number, kind, puzzle, .. } = *answer;
        let is_unsolvable = end == End::Exhausted && solutions == 0;
        let is_clash = is_unsolvable && dlx::conflict(puzzle.problem(), puzzle.given()).is_some();
        // A limit on solutions was asked for; the other limits are failures.
        let cut_short = match end {
            End::Limit(Limit::Nodes) => Some("nodes"),
            End::Limit(Limit::Time) => Some("time"),
            End::Limit(Limit::Memory) => Some("memory"),
            End::Limit(Limit::Numbers) => Some("2^64 - 1 solutions"),
            _ => None,
        };
        let need = match end {
            End::Limit(Limit::Memory) => memory_estimate(puzzle.problem(), self.goal),
            _ => 0,
        };
        // What the search itself ran into is not known beforehand.
        let is_known = self.run.limits.memory.is_some_and(|limit| need > limit);
        let need = if is_known { format!(" (about {need} bytes are needed)") } else { String::new() };
        if let Some(what) = cut_short.filter(|_| !self.run.output.quiet) {
            let plural = if solutions == 1 { "" } else { "s" };
            let found = format!("{} solution{plural}", report.total());
            self.note(About::Cut, || {
                format!("puzzle {number}: stopped by the limit of {what} after {found}{need}")
            });
        }
        if let Some(bound) = answer.bound.filter(|_| end != End::Exhausted && !self.run.output.quiet) {
            let best =
                if solutions == 0 { "" } else { "the best so far, not proven to be the cheapest; " };
            let other = if solutions == 0 { "no" } else { "no other" };
            self.note(About::Asked, || {
                format!("puzzle {number}: {best}{other} solution costs less than {bound}")
            });
        }
        if self.run.profile {
            let mut table = format!("puzzle {number}: level, nodes, updates");
            for (level, counts) in report.levels.iter().enumerate() {
                push!(table, "\n{level:5} {:14} {:16}", counts.nodes, counts.updates);
            }
            self.note(About::Asked, || table);
        }
        let (items, options) = (puzzle.problem().item_count(), puzzle.problem().option_count());
        let note = method.map(|method| {
            let solutions = report.total().to_string();
            let plural = if solutions == "1" { "" } else { "s" };
            format!(
                "{kind}: {method}; {items} items, {options} options, {solutions} solution{plural}, \
                 {nodes} nodes, {updates} updates, {:.6} s",
                elapsed.as_secs_f64(),
            )
        });
        self.block.tally.add(Tally {
            puzzles: 1,
            faults: 0,
            unsolvable: u64::from(is_unsolvable),
            clashing: u64::from(is_clash),
            limited: u64::from(cut_short.is_some()),
            solutions,
            nodes,
            updates,
            note: note.unwrap_or_default(),
        });
    }

    /// Says what is odd about a puzzle though it can be solved.
    fn warn(&mut self, number: u64, puzzle: &dyn Puzzle) {
        if let Some(note) = puzzle.note().filter(|_| !self.run.output.quiet) {
            self.note(About::Odd, || format!("puzzle {number}: {note}"));
        }
        let idle = puzzle.problem().idle_options();
        if let Some(&first) = idle.first().filter(|_| !self.run.output.quiet) {
            let shown = puzzle.problem().show(first);
            let rest = match idle.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let option = first.index() + 1;
            self.note(About::Odd, || {
                format!(
                    "puzzle {number}: option {option} `{shown}`{rest} has no primary item and is never chosen"
                )
            });
        }
        let is_free = matches!(self.goal, Goal::Cheapest(_)) && !puzzle.problem().has_costs();
        if is_free && !self.run.output.quiet {
            self.note(About::Odd, || {
                format!("puzzle {number}: no option has a cost, so every solution costs 0")
            });
        }
    }
}

/// Returns about how many bytes a search takes: the arena or, for the cheapest, all that is kept.
fn memory_estimate(problem: &Problem, goal: Goal) -> u64 {
    if let Goal::Cheapest(count) = goal {
        return cheapest::memory(problem, count);
    }
    let records = problem.entry_count() + problem.option_count() + problem.item_count();
    16 * records as u64 + 40 * problem.item_count() as u64
}

//! A worker thread of a batch, which takes puzzles and produces blocks of output.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use dlx::parallel::Cores;
use dlx::{End, Limits, Report};

use super::Goal;
use super::answer::{self, Answer, OptionLists};
use super::block::OutputBlock;
use super::classes::SymmetrySource;
use super::lines::{self, BatchItem};
use super::notes::{Notes, failed_limit};
use super::searcher::Searcher;
use super::tally::BatchTotals;
use crate::io::args::{RunArgs, ShowArgs};
use crate::io::bar::Bar;
use crate::io::batch::{Gone, Sink};
use crate::io::gallery::PictureMaker;
use crate::io::notices::About;
use crate::io::paint::Painter;
use crate::io::source::{NumberedPuzzle, Origin};
use crate::io::{interrupt, memory};
use grid::Format;
use grid::format::{self, NineLine};
use puzzle::{ClassSort, Puzzle, SymmetrySort};
use text::TextLimit;

/// The reason why the lines are valid UTF-8, for `expect`.
const ASCII: &str = "digits, blanks and line feeds";

pub(super) struct SearchWorker {
    run: RunArgs,
    goal: Goal,
    /// The output format of grids, or `None` for the format of the input.
    to: Option<&'static Format>,
    /// Whether solutions of exact covers are printed with their option numbers.
    shows_numbers: bool,
    limits: Limits,
    is_painted: bool,
    maker: Option<PictureMaker>,
    /// The cores shared by all workers. This worker occupies one core.
    cores: Arc<Cores>,
    searcher: Searcher,
    /// The solver for blocks of lines, created for the first block.
    lines: Option<lines::LineSolver>,
    /// Number of solutions that the search of a block has already found for the current puzzle.
    known: u64,
    /// The flag that shows the progress bar that a search has begun.
    searching: Arc<AtomicBool>,
    /// Whether to print the file and line of the puzzle after each number.
    has_names: bool,
    notes: Notes,
    block: OutputBlock,
}

impl SearchWorker {
    pub(super) fn new(
        run: RunArgs,
        show: Option<&ShowArgs>,
        is_painted: bool,
        goal: Goal,
        has_names: bool,
        bar: &Bar,
        cores: &Arc<Cores>,
    ) -> Self {
        let limits = bar
            .attached_to(Limits::new())
            .solutions(goal.limit())
            .nodes(run.limits.nodes)
            .cancel(interrupt::flag())
            .profile(run.profile);
        let limits = memory::guard(limits, run.limits.memory);
        let maker = show.and_then(|show| PictureMaker::new(&show.pictures));
        let to = show.and_then(|show| format::by_name(show.to.as_deref()?));
        let shows_numbers = show.is_some_and(|show| show.option_numbers);
        let searcher = Searcher::new(&run, goal, limits.clone(), cores);
        let notes = Notes::new(run.output.quiet);
        let (cores, block) = (Arc::clone(cores), OutputBlock::default());
        let searching = Arc::clone(bar.searching());
        Self {
            run,
            goal,
            to,
            shows_numbers,
            limits,
            is_painted,
            maker,
            cores,
            searcher,
            lines: None,
            searching,
            has_names,
            notes,
            known: 0,
            block,
        }
    }

    pub(super) fn work(
        &mut self,
        chunk: Vec<BatchItem>,
        sink: &mut Sink<'_, OutputBlock>,
    ) -> Result<(), Gone> {
        let _busy = self.cores.occupy();
        for task in chunk {
            match task {
                BatchItem::Puzzle(job) => self.work_on(job, sink)?,
                BatchItem::Lines { number, origin, lines } => {
                    self.work_on_lines(number, &origin, lines, sink)?;
                }
            }
            if self.block.is_full() {
                sink(std::mem::take(&mut self.block))?;
            }
        }
        sink(std::mem::take(&mut self.block))
    }

    fn work_on(&mut self, job: NumberedPuzzle, sink: &mut Sink<'_, OutputBlock>) -> Result<(), Gone> {
        let NumberedPuzzle { number, origin, kind, is_record, is_line, puzzle } = job;
        match puzzle {
            Ok(mut puzzle) => match self.set_format(puzzle.as_mut()) {
                Ok(()) => self.solve(number, &origin, kind, puzzle.as_ref(), sink)?,
                Err(message) => {
                    let message = format!("puzzle {number}: {message}");
                    self.fail(number, &origin, About::Unfit, &message, puzzle.layout().is_line);
                }
            },
            Err(fault) if fault.limit() == Some(TextLimit::Interrupt) => {}
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

    /// Answers the puzzles in a block of lines as [`SearchWorker::work_on`] would. The first puzzle
    /// has the number `first`.
    fn work_on_lines(
        &mut self,
        first: u64,
        origin: &Origin,
        mut lines: Vec<NineLine>,
        sink: &mut Sink<'_, OutputBlock>,
    ) -> Result<(), Gone> {
        if lines.len() == 1 && self.run.stats {
            // For a single puzzle, the general solver reports more statistics.
            let puzzle = lines::rest(&lines, &[None]).next().expect("the one");
            return self.solve(first, origin, "sudoku", puzzle.as_ref(), sink);
        }
        let new = || lines::LineSolver::new(self.goal, &self.limits, self.run.limits.time);
        let mut solver = self.lines.take().unwrap_or_else(new);
        let (tallies, found, cost) = solver.solve(&mut lines);
        if lines.len() == 1 && tallies[0].is_some_and(|tally| tally.solutions == 0) {
            // For a single puzzle without a solution, the general solver adds a hint about
            // conflicting clues.
            let puzzle = lines::rest(&lines, &[None]).next().expect("the one");
            self.lines = Some(solver);
            return self.solve(first, origin, "sudoku", puzzle.as_ref(), sink);
        }
        let mut sum = BatchTotals { updates: cost.steps, ..BatchTotals::default() };
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
            // All puzzles are solved, so the buffer is the output.
            self.block.out = String::from_utf8(lines.into_flattened()).expect(ASCII);
        } else {
            let mut rest = lines::rest(&lines, tallies);
            for (index, (line, tally)) in lines.iter().zip(tallies).enumerate() {
                let number = first + index as u64;
                let out = &mut self.block.out;
                match (*tally, &mut objects) {
                    (None, _) => {
                        let puzzle = rest.next().expect("a puzzle for each line that is left");
                        // This search may take long, so send the earlier answers first.
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
                    (Some(sudoku9::Tally { solutions, end, .. }), None) if is_counted => {
                        let name = self.has_names.then(|| origin.behind(index));
                        answer::write_count(solutions, end == End::Exhausted, name.as_ref(), out);
                    }
                    (Some(sudoku9::Tally { solutions: 0, .. }), None) => {
                        out.push_str(format::UNSOLVABLE);
                    }
                    (Some(_), None) => out.push_str(str::from_utf8(line).expect(ASCII)),
                }
            }
        }
        self.block.tally.add(sum);
        self.lines = Some(solver);
        Ok(())
    }

    /// Sets the output format for solutions, if the user chose one.
    fn set_format(&mut self, puzzle: &mut dyn Puzzle) -> Result<(), String> {
        if self.shows_numbers {
            puzzle.show_numbers();
        }
        if let Some(to) = self.to {
            self.notes.lost_columns(puzzle, to.name, &mut self.block);
        }
        self.to.map_or(Ok(()), |format| puzzle.set_format(format))
    }

    /// Reports a puzzle that cannot be solved. If `has_line`, also writes an output line for it, so
    /// that the number of output lines equals the number of puzzles.
    fn fail(&mut self, number: u64, origin: &Origin, about: About, message: &str, has_line: bool) {
        self.notes.note(&mut self.block, about, || message.to_owned());
        if self.run.output.json {
            let error = serde_json::Value::from(message);
            origin.begin_object(number, &mut self.block.out);
            pushln!(self.block.out, ",\"error\":{error}}}");
        } else if has_line {
            self.block.out.push_str("error");
            answer::end_line(origin, self.has_names, &mut self.block.out);
        }
        self.block.tally.add(BatchTotals { puzzles: 1, faults: 1, ..BatchTotals::default() });
    }

    /// Searches one puzzle, writes the answer, and adds notices about the end of the search.
    fn solve(
        &mut self,
        number: u64,
        origin: &Origin,
        kind: &'static str,
        puzzle: &dyn Puzzle,
        sink: &mut Sink<'_, OutputBlock>,
    ) -> Result<(), Gone> {
        if self.block.head.is_empty() && !self.run.output.json && matches!(self.goal, Goal::Show(_)) {
            puzzle.layout().show_head(&mut self.block.head);
        }
        self.notes.warn(number, puzzle, self.goal, &mut self.block);
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
            maker: self.maker,
            pictures: Vec::new(),
            is_undrawn: false,
            cut: None,
            solutions: 0,
            costs: Vec::new(),
            bound: None,
            proof: None,
            shown: String::new(),
            numbers: OptionLists::default(),
        };
        if let Some(sort) = self.run.up_to_symmetry {
            match self.symmetries(puzzle, sort) {
                Ok(symmetries) => self.searcher.symmetries = Some(symmetries),
                Err(lack) => {
                    let message = format!("puzzle {number}: puzzles of the kind {kind} {lack}");
                    let has_line = puzzle.layout().is_line || self.goal.is_count();
                    self.fail(number, origin, About::Unfit, &message, has_line);
                    return Ok(());
                }
            }
        }
        self.searcher.prepare(puzzle);
        let started = Instant::now();
        self.searching.store(true, Relaxed);
        match self.searcher.search(&mut answer, self.known, &mut self.block, sink)? {
            Ok(report) => {
                let elapsed = started.elapsed();
                answer.end(&report, self.searcher.engine(), elapsed, &mut self.block.out);
                if answer.is_undrawn {
                    let message = format!("puzzle {number}: {kind} has no picture, or is too large");
                    self.notes.note(&mut self.block, About::Unfit, || message);
                    self.block.tally.faults += 1;
                }
                self.conclude(&answer, &report, elapsed);
            }
            Err(unsupported) => {
                let message =
                    format!("puzzle {number}: engine {}: {unsupported}", self.searcher.name());
                let has_line = puzzle.layout().is_line || self.goal.is_count();
                self.fail(number, origin, About::Unfit, &message, has_line);
            }
        }
        Ok(())
    }

    /// Returns the symmetries of a puzzle for `sort`, or the reason why they are not available.
    fn symmetries(&self, puzzle: &dyn Puzzle, sort: ClassSort) -> Result<SymmetrySource, &'static str> {
        match sort {
            ClassSort::Board(sort) => match puzzle.symmetries(sort) {
                Some(symmetries) => Ok(SymmetrySource::Known(symmetries)),
                None if sort == SymmetrySort::All => Ok(SymmetrySource::ExactCover),
                None => Err("have no rotations"),
            },
            ClassSort::Latin(sort) => {
                let limits = &self.run.limits;
                if limits.nodes.is_some() || self.run.profile {
                    return Err(
                        "have no nodes up to these symmetries, so leave out --nodes and --profile",
                    );
                }
                let wants_list = !self.goal.is_count() || limits.limit.is_some();
                let source = puzzle.as_fill().and_then(|fill| match wants_list {
                    true => fill.latin_squares(sort).map(Box::new).map(SymmetrySource::Squares),
                    false => fill.latin_classes(sort).map(SymmetrySource::Conjugates),
                });
                source.ok_or(
                    "have these symmetries only if they are empty Latin squares of orders 1 to 9",
                )
            }
        }
    }

    /// Adds the notices, statistics and totals of a finished search.
    fn conclude(&mut self, answer: &Answer<'_>, report: &Report, elapsed: Duration) {
        let Answer { number, kind, puzzle, .. } = *answer;
        let Report { end, solutions, nodes, updates, .. } = *report;
        self.notes.end(answer, report, self.searcher.excess(), &mut self.block);
        if self.run.profile {
            self.notes.profile(number, report, &mut self.block);
        }
        let is_unsolvable = end == End::Exhausted && solutions == 0;
        let is_clash = is_unsolvable
            && puzzle.given().len() > 1
            && dlx::conflict(puzzle.problem(), puzzle.given()).is_some();
        let note = self.run.stats.then(|| {
            let (method, solutions) = (self.searcher.explain(), report.total().to_string());
            let plural = if solutions == "1" { "" } else { "s" };
            let limits = self.limits.clone().within(self.run.limits.time);
            let size = puzzle.build_problem(&limits).map_or(String::new(), |()| {
                let problem = puzzle.problem();
                format!("{} items, {} options, ", problem.item_count(), problem.option_count())
            });
            format!(
                "{kind}: {method}; {size}{solutions} solution{plural}, {nodes} nodes, {updates} updates, {:.6} s",
                elapsed.as_secs_f64(),
            )
        });
        self.block.tally.add(BatchTotals {
            puzzles: 1,
            faults: 0,
            unsolvable: u64::from(is_unsolvable),
            clashing: u64::from(is_clash),
            limited: u64::from(failed_limit(end).is_some()),
            solutions,
            nodes,
            updates,
            note: note.unwrap_or_default(),
        });
    }
}

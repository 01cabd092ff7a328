//! Selects the algorithm and the limits, and searches one puzzle after another.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dlx::limits::Pace;
use dlx::parallel::Cores;
use dlx::{End, Limit, Limits, OptionId, Problem, Report, Unsupported, Visit, cheapest};

use super::Goal;
use super::answer::Answer;
use super::block::OutputBlock;
use super::classes::{self, SymmetrySource};
use crate::io::args::RunArgs;
use crate::io::batch::{Gone, Sink};
use crate::io::memory;
use farandole::algorithm::{self, Algorithm, AlgorithmSpec};
use puzzle::{Puzzle, Solution};

/// Time to print the best solutions so far after a time limit; half of the overshoot that the
/// test `limits` calls promised.
const PRINTING_GRACE: Duration = Duration::from_millis(50);

pub(super) struct Searcher {
    goal: Goal,
    spec: &'static AlgorithmSpec,
    /// The limits of each puzzle, without the deadline.
    limits: Limits,
    /// Time limit per puzzle.
    time: Option<Duration>,
    /// Memory limit (bytes), for searches whose memory can be estimated in advance.
    memory: Option<u64>,
    /// The cores shared by all workers. This searcher occupies one core, and long searches also use
    /// idle cores.
    cores: Arc<Cores>,
    /// The algorithm, built for the first puzzle.
    algorithm: Option<Box<dyn Algorithm>>,
    /// The symmetries of the next puzzle, if its solutions are searched up to symmetry.
    pub(super) symmetries: Option<SymmetrySource>,
    /// The limit that ended the translation of the puzzle, if any.
    unbuilt: Option<Limit>,
    /// The estimated memory of the search (bytes), if it exceeds the limit.
    excess: Option<u64>,
    /// For the last search up to symmetry: its description, and the name of the counting method if
    /// there was one.
    classes: Option<(String, Option<&'static str>)>,
}

impl Searcher {
    /// Prepares searches with the engine named in `run`. `limits` apply to each puzzle.
    pub(super) fn new(run: &RunArgs, goal: Goal, limits: Limits, cores: &Arc<Cores>) -> Self {
        Self {
            goal,
            spec: algorithm::by_name(&run.engine).expect("the names come from the table"),
            limits,
            time: run.limits.time,
            memory: run.limits.memory,
            cores: Arc::clone(cores),
            algorithm: None,
            symmetries: None,
            unbuilt: None,
            excess: None,
            classes: None,
        }
    }

    /// Returns the algorithm's name on the command line.
    pub(super) fn name(&self) -> &'static str {
        self.spec.name
    }

    /// Returns the name of the engine that searched the last puzzle.
    pub(super) fn engine(&self) -> &'static str {
        let of_algorithm = || self.algorithm.as_ref().and_then(|it| it.engine());
        match self.goal {
            Goal::Cheapest(_) => "cheapest",
            _ => {
                let way = self.classes.as_ref().and_then(|(_, way)| *way);
                way.or_else(of_algorithm).unwrap_or(self.spec.name)
            }
        }
    }

    /// Describes the engine and the reason for its choice.
    pub(super) fn explain(&self) -> String {
        match (&self.goal, &self.classes) {
            (Goal::Cheapest(_), _) => "engine cheapest (costs are asked for)".to_owned(),
            (_, Some((explanation, _))) => explanation.clone(),
            _ => {
                let explanation = self.algorithm.as_ref().and_then(|algorithm| algorithm.explain());
                explanation.unwrap_or_else(|| format!("engine {} (asked for)", self.engine()))
            }
        }
    }

    /// Builds the tables that a search needs; this is not part of its time, but has the same
    /// limits. [`Self::search`] reports a limit that was reached.
    pub(super) fn prepare(&mut self, puzzle: &dyn Puzzle) {
        if memory::is_short() {
            // Release the memory of the last puzzle before the next one.
            self.algorithm = None;
            memory::recover();
        }
        self.unbuilt = self.build_tables(puzzle).err();
    }

    fn build_tables(&mut self, puzzle: &dyn Puzzle) -> Result<(), Limit> {
        let limits = self.limits();
        let is_for_cheapest = matches!(self.goal, Goal::Cheapest(_));
        self.excess = None;
        if is_for_cheapest || self.memory.is_some() || self.symmetries.is_some() {
            puzzle.build_problem(&limits)?;
        }
        if let Some(limit) = self.memory {
            let need = memory_estimate(puzzle.problem(), self.goal);
            self.excess = Some(need).filter(|&need| need > limit);
        }
        if is_for_cheapest {
            return Ok(());
        }
        let (goal, spec, cores) = (self.goal, self.spec, &self.cores);
        self.algorithm.get_or_insert_with(|| build(goal, spec, cores)).prepare(puzzle, &limits)
    }

    /// Returns the limits of a puzzle; its time begins now.
    fn limits(&self) -> Limits {
        self.limits.clone().within(self.time)
    }

    /// Searches one puzzle and writes the solutions as they arrive. `known` is the number of
    /// solutions that the search of a block has already found.
    pub(super) fn search(
        &mut self,
        answer: &mut Answer<'_>,
        known: u64,
        block: &mut OutputBlock,
        sink: &mut Sink<'_, OutputBlock>,
    ) -> Result<Result<Report, Unsupported>, Gone> {
        let puzzle = answer.puzzle;
        let limits = self.limits();
        let limit = self.unbuilt.or(self.excess.map(|_| Limit::Memory));
        if let Some(limit) = limit {
            self.algorithm = None;
            return Ok(Ok(Report::empty(End::Limit(limit))));
        }
        if let Goal::Cheapest(count) = self.goal {
            return search_cheapest(count, &limits, answer, block, sink).map(Ok);
        }
        self.classes = None;
        let mut pace = Pace::new(&limits);
        let symmetries = self.symmetries.take();
        let (goal, spec, cores) = (self.goal, self.spec, &self.cores);
        let algorithm = self.algorithm.get_or_insert_with(|| build(goal, spec, cores));
        if let Some(symmetries) = symmetries {
            let mut gone = Ok(());
            let mut visit = |cover: &[OptionId]| {
                gone = pass_on(answer, Solution::Cover(cover), (&limits, &mut pace), block, sink);
                carry_on(gone, answer.cut)
            };
            let visit: Option<&mut Visit<'_>> =
                if self.goal.is_count() { None } else { Some(&mut visit) };
            let within = (&self.cores, &limits);
            let found = classes::search(puzzle, symmetries, algorithm.as_mut(), within, visit);
            return gone.map(|()| {
                found.map(|found| {
                    self.classes = Some((found.explanation, found.way));
                    with_cut(found.report, answer)
                })
            });
        }
        if self.goal.is_count() {
            let counted = algorithm.count(puzzle, &limits);
            return Ok(counted.map(|mut report| {
                if report.end != End::Exhausted {
                    report.solutions = report.solutions.max(known);
                }
                report
            }));
        }
        let mut gone = Ok(());
        let report = algorithm.show(puzzle, &limits, &mut |solution| {
            gone = pass_on(answer, solution, (&limits, &mut pace), block, sink);
            carry_on(gone, answer.cut)
        });
        let report = report.map(|report| with_cut(report, answer));
        gone.map(|()| report)
    }

    /// Returns the estimated memory of the last search (bytes), if it exceeds the limit.
    pub(super) fn excess(&self) -> Option<u64> {
        self.excess
    }
}

fn build(goal: Goal, spec: &AlgorithmSpec, cores: &Arc<Cores>) -> Box<dyn Algorithm> {
    let mut algorithm = spec.build_on(cores);
    if goal == Goal::CountTwice {
        algorithm.count_twice();
    }
    algorithm
}

/// Searches for the cheapest solutions of one puzzle. Writes them when the search ends.
fn search_cheapest(
    count: usize,
    limits: &Limits,
    answer: &mut Answer<'_>,
    block: &mut OutputBlock,
    sink: &mut Sink<'_, OutputBlock>,
) -> Result<Report, Gone> {
    let puzzle = answer.puzzle;
    let found = cheapest::search(puzzle.problem(), puzzle.given(), count, limits);
    answer.bound = found.bound;
    // After a limit, print the best solutions so far unless that takes long.
    let grace = Instant::now() + PRINTING_GRACE;
    let last = limits.deadline.map(|deadline| deadline.max(grace));
    let limits = Limits::new().full(limits.full.clone()).deadline(last);
    let mut pace = Pace::new(&limits);
    for cover in &found.covers {
        if answer.cut.is_some() {
            // The first unprinted solution is the cheapest one left.
            answer.bound = Some(found.bound.map_or(cover.cost, |bound| bound.min(cover.cost)));
            break;
        }
        answer.priced(cover, (&limits, &mut pace), &mut block.out);
        block.pictures.append(&mut answer.pictures);
        if block.is_full() {
            sink(std::mem::take(block))?;
        }
    }
    Ok(with_cut(found.report, answer))
}

/// Writes a solution to `block`, and passes the block on if it is full.
fn pass_on(
    answer: &mut Answer<'_>,
    solution: Solution<'_>,
    within: (&Limits, &mut Pace<'_>),
    block: &mut OutputBlock,
    sink: &mut Sink<'_, OutputBlock>,
) -> Result<(), Gone> {
    answer.solution(solution, within, &mut block.out);
    block.pictures.append(&mut answer.pictures);
    if block.is_full() { sink(std::mem::take(block)) } else { Ok(()) }
}

/// Continues a search unless its output is no longer wanted, or a limit ended the output.
fn carry_on(gone: Result<(), Gone>, cut: Option<Limit>) -> ControlFlow<()> {
    if gone.is_err() || cut.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Returns the report of a search whose output may have reached a limit.
fn with_cut(mut report: Report, answer: &Answer<'_>) -> Report {
    if let Some(limit) = answer.cut {
        (report.end, report.solutions, report.large) = (End::Limit(limit), answer.solutions, None);
    }
    report
}

/// Returns the estimated memory of a search (bytes): the arena or, for the cheapest solutions, all
/// stored states.
fn memory_estimate(problem: &Problem, goal: Goal) -> u64 {
    if let Goal::Cheapest(count) = goal {
        return cheapest::memory(problem, count);
    }
    let records = problem.entry_count() + problem.option_count() + problem.item_count();
    16 * records as u64 + 40 * problem.item_count() as u64
}

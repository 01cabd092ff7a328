//! The choice: lanes for plain 9x9 Sudoku, and bands where there are too many solutions to go through; else
//! the solver of [`dlx`] on the translated puzzle, with its reductions, independent parts and the engine that
//! fits, or its counter. Grids with clues of many rules first have a trial on their digits, and then one by the engine
//! `filter`.
//!
//! This is no race (`dlx/src/portfolio/race.rs`): the lanes have one trial of fixed length, after which their nodes and
//! solutions say who goes on, and nobody comes back.

use std::ops::ControlFlow;
use std::sync::Arc;

use dlx::count::Counter;
use dlx::engine::Filter;
use dlx::parallel::Cores;
use dlx::{End, Engine as _, Limit, Limits, Report, Solver, Unsupported, Visit};

use super::digits::Trial;
use super::kept::KeptEngine;
use super::nine::{InLanes, as_sudoku};
use super::{Algorithm, AlgorithmSpec, Maker};
use crate::puzzle::{Fill, Puzzle};

pub(super) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: "auto",
    summary: "lanes for 9x9 Sudoku; else reduces, splits, and chooses an engine for each part",
    maker: Maker::Solver,
};

/// The lanes, and the solver of the last problem.
pub(super) struct Auto {
    cores: Arc<Cores>,
    lanes: Option<InLanes>,
    solver: KeptEngine<Solver>,
    counter: KeptEngine<Counter>,
    filter: KeptEngine<Filter>,
    /// Whether everything is counted twice.
    is_checked: bool,
    /// Who had the last puzzle.
    last: Last,
}

/// Who had a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Lanes,
    Bands,
    Solver,
    Counter,
    Filter,
    Digits,
}

impl Auto {
    pub(super) fn new(cores: &Arc<Cores>) -> Self {
        let (solver, counter) = (KeptEngine::new(), KeptEngine::new());
        Self {
            cores: Arc::clone(cores),
            lanes: None,
            solver,
            counter,
            filter: KeptEngine::new(),
            is_checked: false,
            last: Last::Solver,
        }
    }

    /// Returns the lanes, made when they are first needed.
    fn lanes(&mut self) -> &mut InLanes {
        self.lanes.get_or_insert_with(|| InLanes::new(&self.cores))
    }

    /// Does what `run` does with plain 9x9 Sudoku, the grid of `fill`: the lanes go first. Where there are so
    /// many solutions that they are not done soon, the bands count; where they find none, the solver of
    /// [`dlx`] has a go, which also looks for digits that have few places.
    fn run_sudoku(
        &mut self,
        puzzle: &dyn Puzzle,
        fill: &Fill,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        self.last = Last::Lanes;
        if limits.nodes.is_some() {
            return self.lanes().run(puzzle, limits, visit);
        }
        if visit.is_some() || limits.solutions.is_some() {
            return self.run_limited(puzzle, fill, limits, visit);
        }
        let (report, is_by_bands) = self.lanes().count_exactly(fill, limits);
        if is_by_bands {
            self.last = Last::Bands;
        }
        if self.is_checked && report.end == End::Exhausted {
            self.lanes().check(fill, &report.total(), limits);
        }
        Ok(report)
    }
}

impl Auto {
    /// Does what `run_sudoku` does where solutions are wanted, or not all.
    fn run_limited(
        &mut self,
        puzzle: &dyn Puzzle,
        fill: &Fill,
        limits: &Limits,
        mut visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        if limits.solutions == Some(0) {
            return self.lanes().run(puzzle, limits, visit);
        }
        let mut rest = Vec::new();
        let trial = limits.clone().nodes(OPEN_NODES);
        let start = self.lanes().run_part(fill, &trial, visit.as_deref_mut(), Some(&mut rest));
        if start.end != End::Limit(Limit::Nodes) {
            return Ok(start);
        }
        match visit {
            // What was shown cannot be shown again.
            Some(visit) if start.solutions > 0 => {
                let solutions = limits.solutions.map(|wanted| wanted - start.solutions);
                let limits = limits.clone().solutions(solutions);
                let mut report = self.lanes().run_rest(fill, rest, &limits, visit);
                report.solutions += start.solutions;
                report.nodes += start.nodes;
                report.updates += start.updates;
                Ok(report)
            }
            None if start.solutions > start.nodes / NODES_FRUITLESS => {
                self.lanes().run(puzzle, limits, None)
            }
            visit => self.run_any(puzzle, limits, visit),
        }
    }

    /// Does what `run` does with any puzzle.
    fn run_any(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        mut visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        if !puzzle.is_for_filter()
            || self.is_checked
            || limits.nodes.is_some()
            || limits.profile
            || limits.rest
        {
            return self.run_all(puzzle, limits, visit);
        }
        let mut digits = puzzle.as_digits().map(Trial::new);
        self.last = Last::Digits;
        if let Some(digits) = &mut digits
            && let Some(report) = digits.run(DIGITS_NODES, limits, visit.as_deref_mut())
        {
            return Ok(report);
        }
        let filtered = match self.try_filter(puzzle, limits, visit.as_deref_mut()) {
            Some(Ok(report)) => {
                self.last = Last::Filter;
                let spent = digits.as_ref().map(Trial::report);
                return Ok(spent.into_iter().fold(report, add_effort));
            }
            unfinished => unfinished.and_then(Result::err),
        };
        if let Some(digits) = &mut digits {
            // A search that finds much goes on only where its solutions are wanted.
            let is_counting = visit.is_none() && limits.solutions.is_none();
            let is_fruitful = digits.report().solutions > digits.report().nodes / NODES_FRUITLESS;
            let nodes = match (is_counting, is_fruitful) {
                (true, true) => 0,
                (true, false) => DIGITS_NODES_MAX,
                (false, _) => u64::MAX,
            };
            if nodes > 0
                && let Some(report) = digits.run(nodes, limits, visit.as_deref_mut())
            {
                return Ok(filtered.iter().fold(report, add_effort));
            }
        }
        let report = self.run_all(puzzle, limits, visit)?;
        Ok(digits.iter().map(Trial::report).chain(&filtered).fold(report, add_effort))
    }

    /// Searches by the engine `filter` for some time, if the puzzle is one for it; its covers are shown if it is done by
    /// then, else `Err`.
    fn try_filter(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Option<Result<Report, Report>> {
        let problem = puzzle.problem();
        let filter = self.filter.for_problem(problem, || Filter::new(problem)).ok()?;
        let mut held = Vec::new();
        let trial = limits.clone().nodes(FILTER_NODES);
        let mut report = filter.run(
            puzzle.given(),
            &[],
            &trial,
            visit.is_some().then_some(&mut |cover| {
                held.push(cover.to_vec());
                ControlFlow::Continue(())
            }),
        );
        // Where its tables are too large for the memory, the others have it.
        if matches!(report.end, End::Limit(Limit::Nodes | Limit::Memory)) {
            return Some(Err(report));
        }
        if let Some(visit) = visit
            && let Some(stop) = held.iter().position(|cover| visit(cover).is_break())
        {
            (report.end, report.solutions) = (End::Stopped, stop as u64 + 1);
        }
        Some(Ok(report))
    }

    /// Does what `run_any` does where no trial is made.
    fn run_all(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        let problem = puzzle.problem();
        if visit.is_none() {
            self.last = Last::Counter;
            let build = || {
                let counter = Counter::new(Arc::clone(problem)).on(&self.cores);
                Ok(if self.is_checked { counter.checked() } else { counter })
            };
            return Ok(self.counter.for_problem(problem, build)?.count(puzzle.given(), limits));
        }
        self.last = Last::Solver;
        let build = || Ok(Solver::new(Arc::clone(problem)).on(&self.cores));
        Ok(self.solver.for_problem(problem, build)?.run(puzzle.given(), &[], limits, visit))
    }
}

/// Adds what a trial took to the report of what came after it.
fn add_effort(mut report: Report, trial: &Report) -> Report {
    report.nodes += trial.nodes;
    report.updates += trial.updates;
    report
}

/// Nodes of a search on digits before one that filters has a trial: half a second at most, mostly. Of 198 variants of
/// setters it is enough for all but a few.
const DIGITS_NODES: u64 = 1 << 16;
/// Nodes of one that only counts before the methods that count have a go.
const DIGITS_NODES_MAX: u64 = 1 << 22;
/// Nodes of the search that filters: a second at most, mostly.
const FILTER_NODES: u64 = 1 << 12;
/// Nodes of the lanes before anything else is thought of: some milliseconds.
const OPEN_NODES: u64 = 1 << 15;
/// A search that takes more nodes than this for a solution is not one that lists what is easily found.
const NODES_FRUITLESS: u64 = 16;

impl Algorithm for Auto {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        // The lanes keep no profile of levels.
        if let Some(fill) = as_sudoku(puzzle).filter(|_| !limits.profile) {
            return self.run_sudoku(puzzle, fill, limits, visit);
        }
        self.run_any(puzzle, limits, visit)
    }

    fn is_together(&self, puzzles: &[&dyn Puzzle]) -> bool {
        puzzles.len() > 1 && puzzles.iter().all(|&puzzle| as_sudoku(puzzle).is_some())
    }

    fn count_all(&mut self, puzzles: &[&dyn Puzzle], limits: &Limits) -> Result<(), Unsupported> {
        if self.is_together(puzzles) {
            return self.lanes().count_all(puzzles, limits);
        }
        puzzles.iter().try_for_each(|&puzzle| self.count(puzzle, limits).map(drop))
    }

    fn count_twice(&mut self) {
        self.is_checked = true;
    }

    fn engine(&self) -> Option<&'static str> {
        match self.last {
            Last::Lanes => Some("lanes"),
            Last::Bands => Some("bands"),
            Last::Solver => self.solver.last().map(|solver| solver.explain().engine()),
            Last::Counter => self.counter.last().map(|counter| counter.explain().method()),
            Last::Filter => Some("filter"),
            Last::Digits => Some("digits"),
        }
    }

    fn explain(&self) -> Option<String> {
        match self.last {
            Last::Lanes => Some("engine lanes (plain 9x9 Sudoku)".to_owned()),
            Last::Bands => Some("engine bands (9x9 Sudoku with very many solutions)".to_owned()),
            Last::Solver => self.solver.last().map(|solver| solver.explain().to_string()),
            Last::Counter => self.counter.last().map(|counter| counter.explain().to_string()),
            Last::Filter => Some("engine filter (clues of many rules)".to_owned()),
            Last::Digits => Some("engine digits (clues of many rules)".to_owned()),
        }
    }
}

//! The contenders as code that can be run: algorithms of this project, and external programs.

use std::ops::ControlFlow;
use std::time::Instant;

use dlx::{End, Limit, OptionId, Report, Unsupported};

use super::cost::Stopwatch;
use super::digest::Digest;
use super::setup::Setup;
use crate::{Cost, PuzzleOutcome, PuzzleRun};
use farandole::algorithm::AlgorithmSpec;
use puzzle::Puzzle;

/// An algorithm or a program that answers puzzles.
pub trait Entrant {
    /// Returns the name of the contender.
    fn name(&self) -> &str;

    /// Returns a description of the contender in one line.
    fn summary(&self) -> &str;

    /// Returns whether the contender is an external program.
    fn is_program(&self) -> bool {
        false
    }

    /// Answers the puzzles in order; stops after the puzzle that uses up the total time.
    ///
    /// # Errors
    /// The reason, if the contender does not accept one of the puzzles.
    fn answer(&mut self, setup: &Setup) -> Result<Vec<PuzzleRun>, String>;

    /// Answers all puzzles once more, one by one or together, and returns the cost; `None` if
    /// interrupted. Requires that all puzzles were answered before.
    fn round(&mut self, setup: &Setup) -> Option<RoundCost>;

    /// Returns, for each puzzle, the number of nodes at each level of the search tree, if known.
    /// Requires that all puzzles were answered before.
    fn levels(&mut self, setup: &Setup) -> Vec<Vec<u64>> {
        let _ = setup;
        Vec::new()
    }
}

/// Cost of a round, in total and per puzzle.
#[derive(Clone, Debug, Default)]
pub struct RoundCost {
    /// Cost of all puzzles together.
    pub total: Cost,
    /// Cost of each puzzle; empty if the puzzles were answered together.
    pub each: Vec<Cost>,
}

/// An algorithm of this project. Each round builds the algorithm anew, so that the time includes
/// the preparation.
#[derive(Debug)]
pub struct OwnAlgorithm {
    spec: &'static AlgorithmSpec,
    is_counter: bool,
}

impl OwnAlgorithm {
    /// Returns a contender for an algorithm.
    #[must_use]
    pub fn new(spec: &'static AlgorithmSpec) -> Self {
        Self { spec, is_counter: false }
    }
}

impl Entrant for OwnAlgorithm {
    fn name(&self) -> &str {
        self.spec.name
    }

    fn summary(&self) -> &str {
        self.spec.summary
    }

    fn answer(&mut self, setup: &Setup) -> Result<Vec<PuzzleRun>, String> {
        let mut algorithm = self.spec.build();
        let mut runs = Vec::new();
        let end = Instant::now() + setup.time;
        for (_, puzzle) in &setup.puzzles {
            let limits = setup.limits_until(end);
            // A limit that is reached here ends the search at once.
            let _ = algorithm.prepare(puzzle.as_ref(), &limits);
            if puzzle.as_fill().is_none() {
                // Build the problem before timing, because answers are compared as covers of it.
                let _ = puzzle.build_problem(&limits);
            }
            let stopwatch = Stopwatch::start();
            let mut digest = Digest::default();
            let mut visit = |cover: &[OptionId]| {
                digest.add(cover);
                ControlFlow::Continue(())
            };
            let mut report = Err(Unsupported::new("listing"));
            if !self.is_counter {
                report = algorithm.search(puzzle.as_ref(), &limits, &mut visit);
            }
            if report.is_err() {
                report = algorithm.count(puzzle.as_ref(), &limits);
                self.is_counter |= report.is_ok();
            }
            let report = report.map_err(|unsupported| unsupported.to_string())?;
            let mut run = run(&report, (!self.is_counter).then_some(digest), stopwatch.cost());
            if self.is_counter {
                (run.nodes, run.updates) = (None, None);
            }
            let is_over = matches!(&run.outcome, PuzzleOutcome::Limit(limit) if limit == "interrupted")
                || Instant::now() >= end;
            runs.push(run);
            if is_over {
                break;
            }
        }
        Ok(runs)
    }

    fn round(&mut self, setup: &Setup) -> Option<RoundCost> {
        let mut algorithm = self.spec.build();
        let limits = setup.limits.clone().progress(None);
        let mut round = RoundCost::default();
        let stopwatch = Stopwatch::start();
        let puzzles: Vec<&dyn Puzzle> =
            setup.puzzles.iter().map(|(_, puzzle)| puzzle.as_ref()).collect();
        if !algorithm.count_together(&puzzles, &limits) {
            for puzzle in puzzles {
                let begun = Instant::now();
                algorithm.count(puzzle, &limits).ok()?;
                round.each.push(Cost { wall: begun.elapsed().as_secs_f64(), ..Cost::default() });
            }
        }
        round.total = stopwatch.cost();
        (!setup.is_cancelled()).then_some(round)
    }

    fn levels(&mut self, setup: &Setup) -> Vec<Vec<u64>> {
        if self.is_counter { Vec::new() } else { self.profile(setup) }
    }
}

impl OwnAlgorithm {
    fn profile(&self, setup: &Setup) -> Vec<Vec<u64>> {
        let mut algorithm = self.spec.build();
        let limits = setup.limits.clone().progress(None).profile(true).within(setup.time);
        let mut levels = Vec::new();
        for (_, puzzle) in &setup.puzzles {
            let Ok(report) = algorithm.count(puzzle.as_ref(), &limits) else { return Vec::new() };
            if matches!(report.end, End::Limit(Limit::Time | Limit::Cancelled)) {
                return Vec::new();
            }
            levels.push(report.levels.iter().map(|level| level.nodes).collect());
        }
        levels
    }
}

fn run(report: &Report, digest: Option<Digest>, cost: Cost) -> PuzzleRun {
    let outcome = match report.end {
        End::Limit(Limit::Time) => PuzzleOutcome::Limit("time".to_owned()),
        End::Limit(Limit::Nodes) => PuzzleOutcome::Limit("nodes".to_owned()),
        End::Limit(Limit::Cancelled) => PuzzleOutcome::Limit("interrupted".to_owned()),
        End::Limit(limit) if limit != Limit::Solutions => PuzzleOutcome::Limit("memory".to_owned()),
        _ => PuzzleOutcome::Finished,
    };
    let digest = digest.filter(|_| report.end == End::Exhausted).map(|digest| digest.to_string());
    PuzzleRun {
        costs: vec![cost],
        outcome,
        solutions: report.total().to_string(),
        digest,
        nodes: Some(report.nodes),
        updates: Some(report.updates),
        levels: Vec::new(),
    }
}

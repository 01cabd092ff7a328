//! The contenders as code that can be run: algorithms of this project, and external programs.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

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

/// Least duration of a timed round; shorter rounds are repeated, and the round has the mean cost.
/// Twenty steps of the clock of a browser (0.1 ms), so one step is 5 % of the time. The native
/// clock has steps of nanoseconds.
const MEASURABLE: Duration =
    if cfg!(target_family = "wasm") { Duration::from_millis(2) } else { Duration::ZERO };
/// Bounds the repetitions of a round: a million of the shortest rounds (100 ns) take 0.1 s.
const REPEATS_MAX: u32 = 1 << 20;
/// Factor between two attempts to find the number of repetitions. The attempts that are too short
/// cost at most a third of the last one.
const REPEATS_GROWTH: u32 = 4;

/// An algorithm of this project. Each round builds the algorithm anew, so that the time includes
/// the preparation.
#[derive(Debug)]
pub struct OwnAlgorithm {
    spec: &'static AlgorithmSpec,
    is_counter: bool,
    measurable: Duration,
    /// Number of repetitions that make a round at least as long as `measurable`.
    repeats: u32,
}

impl OwnAlgorithm {
    /// Returns a contender for an algorithm.
    #[must_use]
    pub fn new(spec: &'static AlgorithmSpec) -> Self {
        Self { spec, is_counter: false, measurable: MEASURABLE, repeats: 1 }
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
        loop {
            let round = self.repeated(setup)?;
            let wall = round.total.wall * f64::from(self.repeats);
            if wall >= self.measurable.as_secs_f64() || self.repeats >= REPEATS_MAX {
                return Some(round);
            }
            self.repeats *= REPEATS_GROWTH;
        }
    }

    fn levels(&mut self, setup: &Setup) -> Vec<Vec<u64>> {
        if self.is_counter { Vec::new() } else { self.profile(setup) }
    }
}

impl OwnAlgorithm {
    /// Answers all puzzles `repeats` times and returns the mean cost; `None` if interrupted.
    fn repeated(&self, setup: &Setup) -> Option<RoundCost> {
        let limits = setup.limits.clone().progress(None);
        let puzzles: Vec<&dyn Puzzle> =
            setup.puzzles.iter().map(|(_, puzzle)| puzzle.as_ref()).collect();
        let mut walls = Vec::new();
        let mut algorithm = self.spec.build();
        let stopwatch = Stopwatch::start();
        for number in 0..self.repeats {
            if number > 0 {
                algorithm = self.spec.build();
            }
            if algorithm.count_together(&puzzles, &limits) {
                continue;
            }
            walls.resize(puzzles.len(), 0.0);
            for (&puzzle, wall) in puzzles.iter().zip(&mut walls) {
                let begun = Instant::now();
                algorithm.count(puzzle, &limits).ok()?;
                *wall += begun.elapsed().as_secs_f64();
            }
        }
        let cost = |wall| Cost { wall, ..Cost::default() }.divided(self.repeats);
        let each = walls.into_iter().map(cost).collect();
        let round = RoundCost { total: stopwatch.cost().divided(self.repeats), each };
        (!setup.is_cancelled()).then_some(round)
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_shorter_than_the_clock_can_measure_are_repeated_and_their_cost_divided() {
        let kind = farandole::kinds::by_name("queens").unwrap().parameter.unwrap();
        let puzzle = (kind.make)("4", &mut Default::default(), &Default::default()).unwrap();
        let setup = Setup {
            puzzles: vec![(Default::default(), puzzle)],
            limits: Default::default(),
            time: Duration::from_secs(60),
            each: None,
            precision: 0.02,
            has_profile: false,
        };
        let spec = farandole::algorithm::ALGORITHMS.iter().find(|spec| spec.name == "links").unwrap();
        let mut once = OwnAlgorithm::new(spec);
        once.answer(&setup).unwrap();
        assert!(once.round(&setup).is_some());
        assert_eq!(once.repeats, 1, "the native clock measures a single round");
        let least = Duration::from_millis(200);
        let mut often = OwnAlgorithm { measurable: least, ..OwnAlgorithm::new(spec) };
        often.answer(&setup).unwrap();
        let round = often.round(&setup).unwrap();
        assert!(often.repeats > 1);
        let whole = round.total.wall * f64::from(often.repeats);
        assert!(whole >= least.as_secs_f64(), "{whole} s");
        assert!(round.each[0].wall <= round.total.wall, "{round:?}");
        assert!(round.each[0].wall > 0.0);
    }
}

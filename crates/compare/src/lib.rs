//! Comparison of algorithms and programs that solve puzzles.
//!
//! A [`Comparison`] holds all results as plain data. The module `measure` creates it, a JSON file
//! stores it as a record, and `draw` shows it as a table, an HTML page or plots. Times are in
//! seconds, memory is in bytes.
//!
//! Contenders take turns. In each *round* every contender answers all puzzles, so that disturbances
//! of the machine affect all of them. The time of a contender is the median over its rounds, with a
//! confidence interval ([`MedianInterval`]). The ratio of two contenders is the quotient of their
//! medians. The interval of the ratio comes from the quotients of single rounds
//! ([`Contender::ratio_to`]).

#[macro_use]
extern crate text;

mod draw;
mod interval;
mod measure;
mod record;
#[cfg(test)]
mod samples;
mod verdict;

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

pub use self::draw::show;
pub use self::draw::{export, html, plot};
pub use self::interval::MedianInterval;
pub use self::measure::{
    ADAPTERS, Adapter, AsProgram, Entrant, NamedPuzzle, OwnAlgorithm, Program, RoundCost, Setup,
    measure,
};
pub use self::record::{Difference, TimeChange};
pub use self::verdict::Verdict;

/// A comparison of algorithms and programs on the same puzzles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Version of Farandole.
    pub version: String,
    /// The command that ran the comparison, word by word.
    pub command: Vec<String>,
    /// Start time, such as `2026-11-21T19:30:00Z`.
    pub date: String,
    /// The machine that ran the comparison.
    pub machine: Machine,
    /// Limits and precision of the measurement.
    pub settings: MeasureSettings,
    /// The puzzles.
    pub puzzles: Vec<PuzzleInfo>,
    /// The contenders, sorted from best to worst.
    pub contenders: Vec<Contender>,
    /// Two contenders whose answers differ; if there are any, there is no verdict.
    pub mismatch: Option<Mismatch>,
    /// Remarks for the reader, in whole sentences, for example about outliers or a busy machine.
    pub remarks: Vec<String>,
}

/// Description of a machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the processor, as the system reports it.
    pub processor: String,
    /// Number of available cores.
    pub cores: usize,
    /// The operating system and the architecture.
    pub system: String,
    /// The vector instruction sets in use.
    pub features: Vec<String>,
}

/// Limits and precision of a measurement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasureSettings {
    /// Maximum time of a contender for all its rounds (s).
    pub time: f64,
    /// Maximum time for one puzzle (s).
    pub each: Option<f64>,
    /// Maximum number of solutions requested per puzzle.
    pub solutions: Option<u64>,
    /// Maximum number of nodes of a puzzle's search tree.
    pub nodes: Option<u64>,
    /// Target precision: half the width of the interval, as a fraction of the median.
    pub precision: f64,
}

/// Description of a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PuzzleInfo {
    /// Name of the puzzle, or its file and number.
    pub name: String,
    /// Kind of the puzzle.
    pub kind: String,
    /// Parameter of the kind, if puzzles for a range of parameters were compared.
    pub size: Option<u64>,
    /// Number of items of the puzzle's exact-cover problem.
    pub items: u64,
    /// Number of options of the puzzle's exact-cover problem.
    pub options: u64,
}

/// An algorithm or program, with all its measurements.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contender {
    /// Name of the contender.
    pub name: String,
    /// Description of the algorithm in one line; for a program, its command.
    pub summary: String,
    /// Whether the contender is an external program.
    pub is_program: bool,
    /// The reason why the contender refuses these puzzles; `None` if it accepts them.
    pub refusal: Option<String>,
    /// Answers to the puzzles, in order; fewer than puzzles if the contender was stopped.
    pub runs: Vec<PuzzleRun>,
    /// Whether the contender reached the last puzzle.
    pub is_complete: bool,
    /// Cost of each round over all puzzles; empty if the contender did not finish.
    pub rounds: Vec<Cost>,
}

/// A contender's answer to a puzzle, and its cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PuzzleRun {
    /// How the search for the answer ended.
    pub outcome: PuzzleOutcome,
    /// Number of solutions found or counted, a decimal number of any size.
    pub solutions: String,
    /// Digest of the set of solutions, independent of their order; `None` if the contender did not
    /// list all solutions.
    pub digest: Option<String>,
    /// Number of nodes of the search tree, if known.
    pub nodes: Option<u64>,
    /// Number of updates, if known.
    pub updates: Option<u64>,
    /// Number of nodes at each level of the search tree from the root; empty if not requested.
    pub levels: Vec<u64>,
    /// Cost of each separate search of this puzzle.
    pub costs: Vec<Cost>,
}

/// How the search of a puzzle ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleOutcome {
    /// All requested solutions were found.
    #[default]
    Finished,
    /// The search was stopped by the named limit: time, nodes or memory.
    Limit(String),
    /// The contender failed, for example by a crash or an unreadable answer; has the reason.
    Failed(String),
    /// The contender returned an invalid solution; has the reason.
    Wrong(String),
}

/// Cost of a search or a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Wall time (s).
    pub wall: f64,
    /// CPU time over all threads (s).
    pub cpu: Option<f64>,
    /// Number of instructions, if the system counts them.
    pub instructions: Option<u64>,
    /// Number of processor cycles, if the system counts them.
    pub cycles: Option<u64>,
    /// Peak memory of a program (bytes).
    pub memory: Option<u64>,
}

impl Cost {
    /// Returns the cost of one of `repeats` equal runs that cost this together.
    fn divided(self, repeats: u32) -> Self {
        let count = |count: Option<u64>| count.map(|count| count / u64::from(repeats));
        Self {
            wall: self.wall / f64::from(repeats),
            cpu: self.cpu.map(|cpu| cpu / f64::from(repeats)),
            instructions: count(self.instructions),
            cycles: count(self.cycles),
            memory: self.memory,
        }
    }
}

/// Two contenders with different answers to a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mismatch {
    /// The index of the puzzle.
    pub puzzle: usize,
    /// The names of the two contenders.
    pub contenders: [String; 2],
    /// The answers of the two contenders.
    pub answers: [String; 2],
    /// The smallest puzzle found where the answers differ, in a readable format.
    pub smallest: Option<String>,
}

impl Comparison {
    /// Returns each reason for refusing the puzzles, with the names of the contenders that refuse.
    #[must_use]
    pub fn refusals(&self) -> Vec<(&str, Vec<&str>)> {
        let mut refusals: Vec<(&str, Vec<&str>)> = Vec::new();
        for Contender { name, refusal, .. } in &self.contenders {
            let Some(refusal) = refusal else { continue };
            match refusals.iter_mut().find(|(known, _)| known == refusal) {
                Some((_, names)) => names.push(name),
                None => refusals.push((refusal, vec![name])),
            }
        }
        refusals
    }
}

impl Contender {
    /// Returns whether the contender answered every puzzle.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.refusal.is_none()
            && self.is_complete
            && self.runs.iter().all(|run| run.outcome == PuzzleOutcome::Finished)
    }

    /// Returns the time of a round (s); `None` without a complete round.
    #[must_use]
    pub fn time(&self) -> Option<MedianInterval> {
        MedianInterval::of(self.rounds.iter().map(|cost| cost.wall))
    }

    /// Returns the median over the rounds of a cost; `None` if it is unknown.
    #[must_use]
    pub fn median(&self, cost: impl Fn(&Cost) -> Option<f64>) -> Option<f64> {
        MedianInterval::of(self.rounds.iter().filter_map(cost)).map(|estimate| estimate.median)
    }

    /// Returns the number of solutions of all puzzles together.
    #[must_use]
    pub fn solutions(&self) -> BigUint {
        self.runs.iter().filter_map(|run| run.solutions.parse::<BigUint>().ok()).sum()
    }

    /// Returns the number of nodes for all puzzles together, if known.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.sum(|run| run.nodes)
    }

    /// Returns the number of updates for all puzzles together, if known.
    #[must_use]
    pub fn updates(&self) -> Option<u64> {
        self.sum(|run| run.updates)
    }

    fn sum(&self, count: impl Fn(&PuzzleRun) -> Option<u64>) -> Option<u64> {
        let counts: Option<Vec<u64>> = self.runs.iter().map(count).collect();
        counts.filter(|counts| !counts.is_empty()).map(|counts| counts.iter().sum())
    }

    /// Returns the quotient of the median time of this contender and of `other` (see
    /// [`Self::time`]), with an interval.
    ///
    /// The interval comes from the quotients of the rounds with equal numbers. The interval is
    /// widened to include the quotient of the medians, because one contender may have more rounds.
    #[must_use]
    pub fn ratio_to(&self, other: &Self) -> Option<MedianInterval> {
        let quotient = |own: f64, other: f64| own / other.max(f64::MIN_POSITIVE);
        let pairs = self.rounds.iter().zip(&other.rounds);
        let each = MedianInterval::of(pairs.map(|(own, other)| quotient(own.wall, other.wall)))?;
        let median = quotient(self.time()?.median, other.time()?.median);
        Some(MedianInterval { median, low: each.low.min(median), high: each.high.max(median) })
    }
}

impl PuzzleRun {
    fn has_failed(&self) -> bool {
        matches!(self.outcome, PuzzleOutcome::Failed(_) | PuzzleOutcome::Wrong(_))
    }

    /// Returns the time of this puzzle alone (s); for a stopped search, the time until it was
    /// stopped.
    #[must_use]
    pub fn time(&self) -> Option<MedianInterval> {
        MedianInterval::of(self.costs.iter().map(|cost| cost.wall))
    }
}

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

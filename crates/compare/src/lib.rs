//! Comparison of algorithms.
//!
//! A [`Comparison`] holds everything as plain data: `measure` makes it, a file keeps it as a record
//! (JSON), and `draw` shows it as a table, a page or plots. Times are in seconds, memory is in
//! bytes.
//!
//! Contenders take turns: a *round* is one pass of each over all puzzles, so that disturbances of
//! the machine affect all of them. The time of a contender is the median over the rounds with an
//! interval ([`MedianInterval`]). The ratio of two contenders is the quotient of their medians; its
//! uncertainty comes from the quotients round by round ([`Contender::ratio_to`]).

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
    /// The version of this program.
    pub version: String,
    /// The command, word by word.
    pub command: Vec<String>,
    /// Start time, such as `2026-11-21T19:30:00Z`.
    pub date: String,
    /// The machine it ran on.
    pub machine: Machine,
    /// Limits of the measurement.
    pub settings: MeasureSettings,
    /// The puzzles.
    pub puzzles: Vec<PuzzleInfo>,
    /// The contenders, the best first.
    pub contenders: Vec<Contender>,
    /// Two contenders whose answers differ, if any; there is then no verdict.
    pub mismatch: Option<Mismatch>,
    /// Remarks for the reader, in whole sentences: outliers, a noisy machine.
    pub remarks: Vec<String>,
}

/// A machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name for itself.
    pub processor: String,
    /// Number of available cores.
    pub cores: usize,
    /// The operating system and the architecture.
    pub system: String,
    /// The vector instructions in use.
    pub features: Vec<String>,
}

/// Limits of the measurement.
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

/// A puzzle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PuzzleInfo {
    /// Its name, or its file and number.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// The parameter of its kind, if puzzles of a range were compared.
    pub size: Option<u64>,
    /// Number of items of its problem.
    pub items: u64,
    /// Number of options.
    pub options: u64,
}

/// An algorithm or program, with all its measurements.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// Its description in a line; for a program, its command.
    pub summary: String,
    /// Whether it is an external program.
    pub is_program: bool,
    /// The reason for refusing these puzzles, if it does.
    pub refusal: Option<String>,
    /// Its answer to each puzzle, in order; fewer if it was stopped.
    pub runs: Vec<PuzzleRun>,
    /// Whether it reached all puzzles.
    pub is_complete: bool,
    /// The cost of each round over all puzzles; empty if it did not finish.
    pub rounds: Vec<Cost>,
}

/// A contender's answer to a puzzle, and its cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PuzzleRun {
    /// How it ended.
    pub outcome: PuzzleOutcome,
    /// The number of solutions found or counted, a decimal number of any size.
    pub solutions: String,
    /// A digest of the solutions, independent of their order; `None` if they were not listed
    /// completely.
    pub digest: Option<String>,
    /// The nodes of the search tree, if known.
    pub nodes: Option<u64>,
    /// The updates.
    pub updates: Option<u64>,
    /// The nodes of each level of the tree, from the root, if requested.
    pub levels: Vec<u64>,
    /// The cost of each search of this puzzle alone.
    pub costs: Vec<Cost>,
}

/// How a search of a puzzle ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleOutcome {
    /// All requested solutions were found.
    #[default]
    Finished,
    /// It was stopped by the named limit: time, nodes, memory.
    Limit(String),
    /// It failed, with the reason: a crash, an invalid answer.
    Failed(String),
    /// It returned an invalid solution, with the reason.
    Wrong(String),
}

/// The cost of some work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Wall time (s).
    pub wall: f64,
    /// CPU time of all threads (s).
    pub cpu: Option<f64>,
    /// Instructions, if the system counts them.
    pub instructions: Option<u64>,
    /// Cycles, if the system counts them.
    pub cycles: Option<u64>,
    /// Peak memory of a program (bytes).
    pub memory: Option<u64>,
}

/// Two contenders with different answers to a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mismatch {
    /// The index of the puzzle.
    pub puzzle: usize,
    /// The names of the two.
    pub contenders: [String; 2],
    /// The answer of each.
    pub answers: [String; 2],
    /// The smallest puzzle found where they differ, in a readable format.
    pub smallest: Option<String>,
}

impl Comparison {
    /// Returns each reason for refusing the puzzles, with the names of the contenders.
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
    /// Returns whether it answered every puzzle.
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

    /// Returns the median over the rounds of a cost that may be unknown.
    #[must_use]
    pub fn median(&self, cost: impl Fn(&Cost) -> Option<f64>) -> Option<f64> {
        MedianInterval::of(self.rounds.iter().filter_map(cost)).map(|estimate| estimate.median)
    }

    /// Returns the solutions of all puzzles together.
    #[must_use]
    pub fn solutions(&self) -> BigUint {
        self.runs.iter().filter_map(|run| run.solutions.parse::<BigUint>().ok()).sum()
    }

    /// Returns the nodes of all puzzles together, if known.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.sum(|run| run.nodes)
    }

    /// Returns the updates of all puzzles together, if known.
    #[must_use]
    pub fn updates(&self) -> Option<u64> {
        self.sum(|run| run.updates)
    }

    fn sum(&self, count: impl Fn(&PuzzleRun) -> Option<u64>) -> Option<u64> {
        let counts: Option<Vec<u64>> = self.runs.iter().map(count).collect();
        counts.filter(|counts| !counts.is_empty()).map(|counts| counts.iter().sum())
    }

    /// Returns the ratio of its time to the time of `other`: the quotient of the medians of
    /// [`Self::time`].
    ///
    /// The interval comes from the quotients round by round, over the rounds that both have; it is
    /// widened to include the quotient of the medians, since one of the two may have more rounds.
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

    /// Returns the time of this puzzle alone (s); for a stopped search, the time until then.
    #[must_use]
    pub fn time(&self) -> Option<MedianInterval> {
        MedianInterval::of(self.costs.iter().map(|cost| cost.wall))
    }
}

//! Comparing algorithms: what was compared, how, and with which result.
//!
//! A [`Comparison`] is the whole of it, as plain data: `measure` makes it, a file keeps it as a record
//! (JSON), and `draw` shows it as a table, a page or plots. Times are seconds, memory is bytes.
//!
//! Contenders take turns: a *round* is one pass of each over all puzzles, so that what disturbs the
//! machine for a while disturbs all. What a contender took is the median over the rounds with an
//! interval ([`MedianInterval`]); how many times as long one takes is the quotient of the medians, and
//! how certain that is shows round by round ([`Contender::ratio_to`]).

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
    ADAPTERS, Adapter, AsProgram, Entrant, NamedPuzzle, Own, Program, RoundCost, Setup, measure,
};
pub use self::record::{Difference, TimeChange};
pub use self::verdict::Verdict;

/// A comparison of algorithms and programs on the same puzzles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The version of this program.
    pub version: String,
    /// The command that was given, word by word.
    pub command: Vec<String>,
    /// When it began, as `2026-11-21T19:30:00Z`.
    pub date: String,
    /// On what it ran.
    pub machine: Machine,
    /// How long was measured.
    pub settings: MeasureSettings,
    /// The puzzles.
    pub puzzles: Vec<PuzzleInfo>,
    /// The contenders, the best first.
    pub contenders: Vec<Contender>,
    /// Two contenders whose answers differ, if there are any: then there is no verdict.
    pub mismatch: Option<Mismatch>,
    /// What is to be kept in mind, in whole sentences: outliers, a noisy machine.
    pub remarks: Vec<String>,
}

/// A machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor, as it calls itself.
    pub processor: String,
    /// Cores that may be used.
    pub cores: usize,
    /// The operating system and the architecture.
    pub system: String,
    /// The vector instructions that are used.
    pub features: Vec<String>,
}

/// How long was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasureSettings {
    /// The most seconds that a contender was given for all its rounds.
    pub time: f64,
    /// The most seconds that it was given for one puzzle.
    pub each: Option<f64>,
    /// The most solutions that were asked of a puzzle.
    pub solutions: Option<u64>,
    /// The most nodes of a puzzle's search tree.
    pub nodes: Option<u64>,
    /// Half the width of the interval, as a fraction of the median, at which enough is known.
    pub precision: f64,
}

/// A puzzle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PuzzleInfo {
    /// Its name, or the file with its number there.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// The parameter of its kind, where puzzles of a range were compared.
    pub size: Option<u64>,
    /// The items and options of its problem.
    pub items: u64,
    /// The options.
    pub options: u64,
}

/// An algorithm, or a program, with all that was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// What it is, in a line; of a program its command.
    pub summary: String,
    /// Whether it is somebody's program.
    pub is_program: bool,
    /// Why it does not take these puzzles, if it does not.
    pub refusal: Option<String>,
    /// What it said of each puzzle, in their order; less if it was stopped before.
    pub runs: Vec<PuzzleRun>,
    /// Whether it came to all puzzles.
    pub is_complete: bool,
    /// What each round over all puzzles took; none if it was not finished.
    pub rounds: Vec<Cost>,
}

/// What a contender said of a puzzle, and what that took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PuzzleRun {
    /// How it ended.
    pub outcome: PuzzleOutcome,
    /// The solutions that it found or counted, a decimal number of any size.
    pub solutions: String,
    /// A digest of the solutions, whatever their order; none if they were not seen or not all found.
    pub digest: Option<String>,
    /// The nodes of the search tree, if that is known.
    pub nodes: Option<u64>,
    /// The updates.
    pub updates: Option<u64>,
    /// The nodes of each level of the tree, from the root, if that was asked for.
    pub levels: Vec<u64>,
    /// What each time took that it searched this puzzle alone.
    pub costs: Vec<Cost>,
}

/// How a search of a puzzle ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleOutcome {
    /// All that was asked was found.
    #[default]
    Finished,
    /// It was stopped by the limit of that name: time, nodes, memory.
    Limit(String),
    /// It failed, and why: a crash, an answer that is none.
    Failed(String),
    /// It showed a solution that is none, and why.
    Wrong(String),
}

/// What something took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Seconds on the clock.
    pub wall: f64,
    /// Seconds of processors, of all threads.
    pub cpu: Option<f64>,
    /// Instructions, where the system tells.
    pub instructions: Option<u64>,
    /// Cycles, where the system tells.
    pub cycles: Option<u64>,
    /// The most memory, in bytes, of a program.
    pub memory: Option<u64>,
}

/// Two contenders that say different things of a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mismatch {
    /// The puzzle, by its place among all.
    pub puzzle: usize,
    /// The two.
    pub contenders: [String; 2],
    /// What each said.
    pub answers: [String; 2],
    /// The smallest puzzle found on which they differ, in a form that can be read again.
    pub smallest: Option<String>,
}

impl Comparison {
    /// Returns why some contenders do not take the puzzles, and who, a reason each.
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
    /// Tells whether it answered every puzzle.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.refusal.is_none()
            && self.is_complete
            && self.runs.iter().all(|run| run.outcome == PuzzleOutcome::Finished)
    }

    /// Returns the seconds that a round took; `None` if there is no whole one.
    #[must_use]
    pub fn time(&self) -> Option<MedianInterval> {
        MedianInterval::of(self.rounds.iter().map(|cost| cost.wall))
    }

    /// Returns the median over the rounds of something that may not be known.
    #[must_use]
    pub fn median(&self, cost: impl Fn(&Cost) -> Option<f64>) -> Option<f64> {
        MedianInterval::of(self.rounds.iter().filter_map(cost)).map(|estimate| estimate.median)
    }

    /// Returns the solutions of all puzzles together.
    #[must_use]
    pub fn solutions(&self) -> BigUint {
        self.runs.iter().filter_map(|run| run.solutions.parse::<BigUint>().ok()).sum()
    }

    /// Returns the nodes of all puzzles together, if they are known.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.sum(|run| run.nodes)
    }

    /// Returns the updates of all puzzles together, if they are known.
    #[must_use]
    pub fn updates(&self) -> Option<u64> {
        self.sum(|run| run.updates)
    }

    fn sum(&self, count: impl Fn(&PuzzleRun) -> Option<u64>) -> Option<u64> {
        let counts: Option<Vec<u64>> = self.runs.iter().map(count).collect();
        counts.filter(|counts| !counts.is_empty()).map(|counts| counts.iter().sum())
    }

    /// Returns how many times as long as `other` it took: the quotient of the medians that
    /// [`Self::time`] returns.
    ///
    /// The interval is that of the quotients round by round, of the rounds that both have; it is
    /// widened to the quotient of the medians where that is outside, since one of the two may have more
    /// rounds.
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
    /// Tells whether it ended without an answer that could be one: with a failure, or a wrong solution.
    fn has_failed(&self) -> bool {
        matches!(self.outcome, PuzzleOutcome::Failed(_) | PuzzleOutcome::Wrong(_))
    }

    /// Returns the seconds that the puzzle alone took; of a search that was stopped those until then.
    #[must_use]
    pub fn time(&self) -> Option<MedianInterval> {
        MedianInterval::of(self.costs.iter().map(|cost| cost.wall))
    }
}

//! The puzzles of a comparison, and its limits.

use std::time::{Duration, Instant};

use dlx::Limits;

use crate::{MeasureSettings, PuzzleInfo};
use puzzle::Puzzle;

/// A puzzle with its name and size.
pub type NamedPuzzle = (PuzzleInfo, Box<dyn Puzzle>);

/// The puzzles of a comparison, and the limits of each contender.
pub struct Setup {
    /// The puzzles, with their names and sizes.
    pub puzzles: Vec<NamedPuzzle>,
    /// Limits of a search: solutions, nodes, the flag that interrupts it, and the progress that it
    /// updates.
    pub limits: Limits,
    /// Time limit per contender: once for the first pass over all puzzles, once for all timed
    /// rounds.
    pub time: Duration,
    /// Time limit of a contender for one puzzle.
    pub each: Option<Duration>,
    /// Target precision: half the width of a confidence interval, as a fraction of the median.
    pub precision: f64,
    /// Whether to record the nodes of each level of the search trees.
    pub has_profile: bool,
}

impl Setup {
    /// Returns the limits of a search that begins now and must finish by `end`.
    pub(super) fn limits_until(&self, end: Instant) -> Limits {
        let left = end.saturating_duration_since(Instant::now());
        self.limits.clone().within(self.each.map_or(left, |each| left.min(each)))
    }

    pub(super) fn is_cancelled(&self) -> bool {
        let flag = self.limits.cancel.as_ref();
        flag.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed))
    }

    pub(super) fn settings(&self) -> MeasureSettings {
        MeasureSettings {
            time: self.time.as_secs_f64(),
            each: self.each.map(|each| each.as_secs_f64()),
            solutions: self.limits.solutions,
            nodes: self.limits.nodes,
            precision: self.precision,
        }
    }
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let puzzles = self.puzzles.iter().map(|(info, _)| info);
        f.debug_struct("Setup").field("puzzles", &puzzles.collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

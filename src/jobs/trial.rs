//! A short trial before a count is split into shards. The trial may finish the count, or show that
//! another method is faster.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dlx::count::Counter;
use dlx::parallel::Cores;
use dlx::{CountProgress, End, Limits, OptionId, Problem, Progress, Report};
use indicatif::HumanDuration;

/// Duration of the trial. Shorter counts need no shards.
const TRIAL: Duration = Duration::from_secs(2);
/// Approximate number of nodes per second of a plain search.
pub(super) const NODES_PER_SECOND: f64 = 5e6;
/// The frontier method. Shards cannot share its states, so each shard starts from scratch.
const FRONTIER: &str = "frontier";

/// Estimated time of all shards (s) below which the user gets no advice.
const SHORT: f64 = 10.0;

pub(super) struct CountTrial {
    pub(super) report: Report,
    /// The duration of the trial, and its progress if it did not finish the count.
    time: Duration,
    progress: Option<CountProgress>,
    threads: usize,
}

impl CountTrial {
    /// Counts for at most `TRIAL`, within the limits.
    pub(super) fn run(
        problem: &Arc<Problem>,
        given: &[OptionId],
        threads: usize,
        limits: &Limits,
    ) -> Self {
        let begun = Instant::now();
        let end = begun + TRIAL;
        let end = limits.deadline.map_or(end, |deadline| deadline.min(end));
        let progress = Arc::new(Progress::default());
        let limits = limits.clone().deadline(end).progress(Arc::clone(&progress));
        let cores = Cores::new(if threads == 1 { 0 } else { threads });
        let busy = cores.occupy();
        let report = Counter::new(Arc::clone(problem)).on(&cores).count(given, &limits);
        drop(busy);
        Self { report, time: begun.elapsed(), progress: progress.of_count(), threads }
    }

    /// Returns advice to the user if a count in one piece is expected to be much faster than shards
    /// with `nodes` nodes in total.
    pub(super) fn advice(&self, nodes: f64) -> Option<String> {
        let shards = nodes / NODES_PER_SECOND / self.threads.max(1) as f64;
        let words = |seconds: f64| {
            let time = Duration::try_from_secs_f64(seconds.ceil().clamp(1.0, 1e12));
            HumanDuration(time.unwrap_or_default()).to_string()
        };
        let say = |whole: f64, more: &str| {
            let (whole, shards) = (words(whole), words(shards));
            format!(
                "in one piece this is counted in about {whole}, to search all shards takes about {shards}: see `farandole count`{more}"
            )
        };
        if self.report.end == End::Exhausted {
            let seconds = self.time.as_secs_f64();
            return (shards > SHORT.max(4.0 * seconds)).then(|| say(seconds, ""));
        }
        let CountProgress { method, left, error, .. } = self.progress.as_ref()?;
        let left = (*left)?.as_secs_f64() * error;
        let is_better = *method == FRONTIER && shards > SHORT.max(left);
        is_better.then(|| say(left, ", and `--scratch` to go on with it later"))
    }
}

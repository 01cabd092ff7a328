//! Counting by a frontier: processes all states of a step at once, each with the number of ways to
//! reach it.
//!
//! The steps follow a static order (`layout.rs`). A state is stored at the next step where it has a
//! choice. States with equal keys have the same completions, so their numbers are added. The states
//! of a step are expanded after all earlier ones, when their numbers are final; then their layer is
//! freed.
//!
//! States are dropped when a check shows that an item of the window has no option left
//! (`layout/looks.rs`, `paying.rs`), and merged if a symmetry of the remaining problem maps them to
//! each other (`layout/alike.rs`).
//!
//! Invariant: no sum overflows. Numbers have enough limbs for an upper bound of their total; the
//! bound grows by the weight of each step, and is recomputed exactly before a limb is added.
//!
//! Memory: if the states exceed the limit, most are set aside and processed later, part by part.
//! The count stays exact; it only takes longer because states of different parts are not merged.
//!
//! With idle cores and many states, the hash of a state assigns it to a worker (`worker.rs`).
//!
//! Tried and dropped: rounds where all workers first expand and then look up, with a barrier in
//! between; meeting in the middle, because the backward half also reaches states that no forward
//! state can be joined with.
//!
//! Source: transfer matrices (Zeilberger, Conway); Sekine, Imai and Tani 1995 for frontiers.

mod aside;
pub(crate) mod beam;
pub(crate) mod blocks;
mod exchange;
mod layer;
pub(crate) mod layout;
pub(crate) mod order;
mod paying;
mod states;
#[cfg(test)]
mod tests;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use self::beam::SampledSizes;
use self::layout::{CloserChecks, Sketch};
use self::order::FREEDOM;
use self::states::States;
use crate::model::ItemId;
use crate::parallel::Cores;
use crate::portfolio::{Budget, Cut, costs};
use crate::prepare::Weighted;

/// Maximum number of words of a key.
pub(crate) const WORDS_MAX: usize = 16;
/// Ratio of the current layer to the largest one below which a count is past its peak.
const SHRUNK: f64 = 0.9;
/// Upper bound of the estimated freedom (log2 of the layer size per bit of a state); higher values
/// were rare.
const FREEDOM_MAX: f64 = 0.85;
/// Number of recent steps used to measure the freedom.
const WINDOW: usize = 12;
/// Estimated time per state of a beam and step, for both walks of a sample (ns).
const BEAM_STATE: f64 = 500.0;
/// Divisor of the memory limit for a sample.
const BEAM_SHARE: usize = 8;
/// Weight of the prior speed estimate, in states.
const PACE_DOUBT: f64 = 1000.0;
/// Largest correction factor applied to a sample because of earlier steps.
const SAMPLE_ERROR: f64 = 16.0;

#[derive(Debug)]
pub(crate) struct Frontier<'p> {
    run: Option<Box<dyn CountingRun + 'p>>,
    /// The layer sizes estimated by beam walks.
    sample: Option<SampledSizes>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Effort {
    pub(crate) states: u64,
    pub(crate) tries: u64,
    /// The states held now, and the largest number held so far.
    pub(crate) states_now: usize,
    pub(crate) states_max: usize,
    /// Number of times that states were set aside for lack of memory.
    pub(crate) splits: u64,
    /// The time that workers waited for others, in total.
    pub(crate) waited: Duration,
    pub(crate) step: usize,
    pub(crate) step_count: usize,
    pub(crate) width: usize,
}

trait CountingRun: std::fmt::Debug + Send {
    fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut>;
    fn effort(&self) -> Effort;
    fn sample(&mut self, beam: usize, budget: &mut Budget<'_>) -> Result<SampledSizes, Cut>;
    fn states_left(&self, sample: Option<&SampledSizes>) -> f64;
    fn known(&self) -> BigUint;
    fn bytes(&self) -> usize;
}

impl<'p> Frontier<'p> {
    /// Prepares a count of `part` with its primary items in the given order, modulo a prime if
    /// `modulus` is given. Fails with `Unsuited` if a state would take too many bits.
    pub(crate) fn new(
        part: &'p Weighted,
        order: &[ItemId],
        cores: &Arc<Cores>,
        modulus: Option<u64>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let sketch = Sketch::new(part, order, WORDS_MAX, budget)?;
        let modulus = modulus.unwrap_or(0);
        let run = match sketch.width().div_ceil(64) {
            0..=1 => run::<1>(sketch, cores, modulus, budget),
            2 => run::<2>(sketch, cores, modulus, budget),
            3..=4 => run::<4>(sketch, cores, modulus, budget),
            _ => run::<WORDS_MAX>(sketch, cores, modulus, budget),
        };
        Ok(Self { run: run?, sample: None })
    }

    /// Continues the count. After [`Cut::Work`] or a limit, another call resumes it.
    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        self.run.as_mut().map_or(Ok(BigUint::ZERO), |run| run.run(budget))
    }

    /// Returns the number of complete covers so far, a lower bound for the count. It remains 0
    /// until the last step if all covers end there, and always 0 modulo a prime.
    pub(crate) fn known(&self) -> BigUint {
        self.run.as_ref().map_or(BigUint::ZERO, |run| run.known())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.run.as_ref().map_or(0, |run| run.bytes())
    }

    /// Returns the estimated time of a sample per state of its beam (ns).
    pub(crate) fn beam_time(&self) -> f64 {
        BEAM_STATE * self.effort().step_count.max(1) as f64
    }

    /// Returns the largest beam of a sample that needs only a small part of `bytes`.
    pub(crate) fn beam_most(&self, bytes: usize) -> f64 {
        let Effort { step_count, width, .. } = self.effort();
        bytes as f64 / (BEAM_SHARE * step_count.max(1) * (width / 4 + 32)) as f64
    }

    /// Estimates the remaining layer sizes by beam walks of at most `beam` states.
    pub(crate) fn sample(&mut self, beam: usize, budget: &mut Budget<'_>) -> Result<(), Cut> {
        if let Some(run) = &mut self.run {
            self.sample = Some(budget.begin(|budget| run.sample(beam, budget))?);
        }
        Ok(())
    }

    pub(crate) fn time_left(&self, spent: Duration) -> f64 {
        let Effort { states, step, step_count, .. } = self.effort();
        let spent = spent.as_nanos() as f64;
        let left = self.states_left();
        // While the layers still grow, most of the work lies ahead.
        let is_early = self.sample.is_none() && 5 * step < 2 * step_count;
        let least = if is_early { 2.0 * spent } else { 0.0 };
        let pace = (spent + PACE_DOUBT * costs::FRONTIER_STATE) / (states as f64 + PACE_DOUBT);
        (pace * left).max(least)
    }

    pub(crate) fn states_left(&self) -> f64 {
        self.run.as_ref().map_or(0.0, |run| run.states_left(self.sample.as_ref()))
    }

    /// Returns whether the beam walks were complete, so that the estimate of the remaining time is
    /// reliable.
    pub(crate) fn is_seen(&self) -> bool {
        self.sample.as_ref().is_some_and(|sample| sample.is_seen)
    }

    /// Returns whether the layers have begun to shrink, so that the estimate of the remaining time
    /// is reliable.
    pub(crate) fn is_past_growth(&self) -> bool {
        let Effort { states_now, states_max, step, step_count, splits, .. } = self.effort();
        let is_past = 5 * step >= 2 * step_count && (states_now as f64) < SHRUNK * states_max as f64;
        is_past && splits == 0
    }

    pub(crate) fn explain(&self) -> String {
        let Effort { states, states_max, splits, width, waited, .. } = self.effort();
        let parts = if splits > 0 { format!(", {splits} times in parts") } else { String::new() };
        let waited = match waited.as_millis() {
            0 => String::new(),
            waited => format!(", workers waited {waited} ms"),
        };
        format!("{states} states of at most {width} bits, {states_max} at a time{parts}{waited}")
    }

    pub(crate) fn effort(&self) -> Effort {
        self.run.as_ref().map_or_else(Effort::default, |run| run.effort())
    }
}

/// Estimates the number of states from `step` on, given the bits of a state at each step and the
/// sizes of the earlier layers.
pub(crate) fn states_left(widths: &[u32], sizes: &[u64], step: usize) -> f64 {
    // Freedom is the ratio of log2(layer size) to the bits of a state, measured at the largest of
    // the recent steps. It grows until two fifths of the steps, by a quarter in total.
    let from = step.saturating_sub(WINDOW);
    let seen = (from..step).filter(|&step| sizes[step] > 1 && widths[step] > 0);
    let free = seen.map(|step| (sizes[step] as f64).log2() / f64::from(widths[step]));
    let freedom = free.fold(0.0, f64::max);
    let done = step as f64 / widths.len().max(1) as f64;
    let grown = freedom + 0.25 * (1.0 - done / 0.4).max(0.0);
    let freedom = if freedom > 0.0 { grown.min(freedom.max(FREEDOM_MAX)) } else { FREEDOM };
    let rest = widths[step.min(widths.len())..].iter();
    rest.map(|&width| (f64::from(width) * freedom).exp2()).sum()
}

/// Estimates the number of states from `step` on by a sample. If the sample underestimated the
/// recent layers, later ones are scaled up by the same factor.
fn states_left_by_sample(sample: &SampledSizes, sizes: &[u64], step: usize) -> f64 {
    let recent = step.saturating_sub(WINDOW)..step;
    let there: f64 = recent.clone().map(|step| sizes[step] as f64).sum();
    let seen: f64 = sample.states[recent].iter().sum();
    let factor = if seen > 0.0 { (there / seen).clamp(1.0, SAMPLE_ERROR) } else { 1.0 };
    factor * sample.states[step.min(sample.states.len())..].iter().sum::<f64>()
}

fn run<'p, const K: usize>(
    sketch: Sketch<'p>,
    cores: &Arc<Cores>,
    modulus: u64,
    budget: &mut Budget<'_>,
) -> Result<Option<Box<dyn CountingRun + 'p>>, Cut> {
    Ok(sketch.layout::<K>(budget)?.map(|layout| {
        let closer = CloserChecks::new(sketch);
        Box::new(States::new(layout, closer, cores, modulus)) as Box<dyn CountingRun + 'p>
    }))
}

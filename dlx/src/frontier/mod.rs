//! Counts covers by a frontier: dynamic programming over a static order of the primary items.
//!
//! Each step of the order decides one item (`layout/`). A state records which items of the *window*
//! are covered: the items that both decided and later options touch. A state is stored with the
//! number of ways to reach it, in the layer of the next step where it has a choice. States with
//! equal keys have the same completions, so their counts are added. When all earlier steps are
//! done, the counts of a step are final; its states are expanded and its layer is freed.
//!
//! States without completions are dropped when a check finds an item of the window without options
//! (`layout/looks.rs`, `paying.rs`). States that a symmetry of the remaining problem maps to each
//! other are merged (`layout/alike.rs`).
//!
//! Invariant: no sum overflows. Counts have enough limbs for an upper bound of their sum, which is
//! multiplied by the weight of each step and recomputed exactly before a limb is added.
//!
//! Memory: if the states exceed the limit, most of them are set aside and processed later, part by
//! part. The count stays exact, but takes longer because states of different parts are not merged.
//!
//! With idle cores and many states, the hash of a state assigns it to a worker (`worker.rs`).
//!
//! Tried and dropped: rounds where all workers first expand and then look up, with a barrier in
//! between; meeting in the middle, because the backward half reaches many states that match no
//! forward state.
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
use self::layout::{CloserChecks, LayoutSketch};
use self::order::FREEDOM;
use self::states::States;
use crate::model::ItemId;
use crate::parallel::Cores;
use crate::portfolio::{Budget, Cut, costs};
use crate::prepare::Weighted;

pub(crate) const WORDS_MAX: usize = 16;
/// Largest ratio of the current to the maximum layer size of a count that is past its peak.
const SHRUNK: f64 = 0.9;
/// Upper bound of the estimated freedom of a count: log2 of the layer size per bit of a state.
const FREEDOM_MAX: f64 = 0.85;
const WINDOW: usize = 12;
const BEAM_STATE: f64 = 500.0;
/// Divisor of the memory limit that yields the memory of a sample.
const BEAM_SHARE: usize = 8;
/// Weight of the default time per state against the measured time, in states.
const PACE_DOUBT: f64 = 1000.0;
/// Largest scale factor of a sample that underestimated earlier steps.
const SAMPLE_ERROR: f64 = 16.0;

#[derive(Debug)]
pub(crate) struct Frontier<'p> {
    run: Option<Box<dyn CountingRun + 'p>>,
    sample: Option<SampledSizes>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Effort {
    pub(crate) states: u64,
    pub(crate) tries: u64,
    /// The number of states in memory now, and its maximum so far.
    pub(crate) states_now: usize,
    pub(crate) states_max: usize,
    pub(crate) splits: u64,
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
    /// Prepares a count of `part` that decides its primary items in the given order, modulo the
    /// prime `modulus` if given. Fails with `Unsuited` if a key would exceed [`WORDS_MAX`] words.
    pub(crate) fn new(
        part: &'p Weighted,
        order: &[ItemId],
        cores: &Arc<Cores>,
        modulus: Option<u64>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let sketch = LayoutSketch::new(part, order, WORDS_MAX, budget)?;
        let modulus = modulus.unwrap_or(0);
        let run = match sketch.width().div_ceil(64) {
            0..=1 => run::<1>(sketch, cores, modulus, budget),
            2 => run::<2>(sketch, cores, modulus, budget),
            3..=4 => run::<4>(sketch, cores, modulus, budget),
            _ => run::<WORDS_MAX>(sketch, cores, modulus, budget),
        };
        Ok(Self { run: run?, sample: None })
    }

    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        self.run.as_mut().map_or(Ok(BigUint::ZERO), |run| run.run(budget))
    }

    /// Returns the number of covers completed so far, a lower bound of the count. In a count modulo
    /// a prime, returns 0.
    pub(crate) fn known(&self) -> BigUint {
        self.run.as_ref().map_or(BigUint::ZERO, |run| run.known())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.run.as_ref().map_or(0, |run| run.bytes())
    }

    pub(crate) fn beam_time(&self) -> f64 {
        BEAM_STATE * self.effort().step_count.max(1) as f64
    }

    /// Returns the largest beam whose sample stays within a small fraction of `bytes`.
    pub(crate) fn beam_most(&self, bytes: usize) -> f64 {
        let Effort { step_count, width, .. } = self.effort();
        bytes as f64 / (BEAM_SHARE * step_count.max(1) * (width / 4 + 32)) as f64
    }

    pub(crate) fn sample(&mut self, beam: usize, budget: &mut Budget<'_>) -> Result<(), Cut> {
        if let Some(run) = &mut self.run {
            let bytes = budget.bytes;
            budget.bytes /= BEAM_SHARE;
            let sample = budget.begin(|budget| run.sample(beam, budget));
            budget.bytes = bytes;
            match sample {
                Err(Cut::Memory) => {}
                sample => self.sample = Some(sample?),
            }
        }
        Ok(())
    }

    pub(crate) fn time_left(&self, spent: Duration) -> f64 {
        let Effort { states, step, step_count, .. } = self.effort();
        let spent = spent.as_nanos() as f64;
        let left = self.states_left();
        // Until two fifths of the steps are done, most of the work usually lies ahead.
        let is_early = self.sample.is_none() && 5 * step < 2 * step_count;
        let least = if is_early { 2.0 * spent } else { 0.0 };
        let pace = (spent + PACE_DOUBT * costs::FRONTIER_STATE) / (states as f64 + PACE_DOUBT);
        (pace * left).max(least)
    }

    pub(crate) fn states_left(&self) -> f64 {
        self.run.as_ref().map_or(0.0, |run| run.states_left(self.sample.as_ref()))
    }

    /// Returns whether the beam walks met enough common states for a reliable estimate of the
    /// remaining time.
    pub(crate) fn is_seen(&self) -> bool {
        self.sample.as_ref().is_some_and(|sample| sample.is_seen)
    }

    /// Returns whether the layers shrink already, which makes the estimate of the remaining time
    /// reliable.
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

/// Estimates the number of states from `step` to the end. `widths` has the bits of a state at each
/// step, and `sizes` the sizes of the layers so far.
pub(crate) fn states_left(widths: &[u32], sizes: &[u64], step: usize) -> f64 {
    // Freedom is log2 of the layer size per bit of a state, measured as the maximum over the recent
    // steps. Freedom is assumed to grow by a quarter until two fifths of the steps are done.
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

/// Estimates the number of states from `step` to the end by a sample. If the sample underestimated
/// the recent layers, later ones are scaled up by the same factor.
fn states_left_by_sample(sample: &SampledSizes, sizes: &[u64], step: usize) -> f64 {
    let recent = step.saturating_sub(WINDOW)..step;
    let there: f64 = recent.clone().map(|step| sizes[step] as f64).sum();
    let seen: f64 = sample.states[recent].iter().sum();
    let factor = if seen > 0.0 { (there / seen).clamp(1.0, SAMPLE_ERROR) } else { 1.0 };
    factor * sample.states[step.min(sample.states.len())..].iter().sum::<f64>()
}

fn run<'p, const K: usize>(
    sketch: LayoutSketch<'p>,
    cores: &Arc<Cores>,
    modulus: u64,
    budget: &mut Budget<'_>,
) -> Result<Option<Box<dyn CountingRun + 'p>>, Cut> {
    Ok(sketch.layout::<K>(budget)?.map(|layout| {
        let closer = CloserChecks::new(sketch);
        Box::new(States::new(layout, closer, cores, modulus)) as Box<dyn CountingRun + 'p>
    }))
}

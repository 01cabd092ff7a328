//! Counting by a frontier: all states of a step at once, each with the number of ways to reach it.
//!
//! The steps are those of a static order (`layout.rs`). A state waits at the next step where it has
//! something to decide, so it is looked up once for each choice, not once for each item. States whose keys are equal
//! have the same completions: their numbers are added. When all states before a step are gone through,
//! those at the step have their final numbers and are expanded in turn; then their layer is
//! forgotten.
//!
//! States that cannot be completed are left out as soon as an item of the window is seen to have no option
//! left (`layout/looks.rs`). Where there are many states, all items of the window are looked at; each step counts which
//! looks pay, and leaves out the others (`paying.rs`). States that a symmetry of what is left maps to each other become
//! one (`layout/alike.rs`).
//!
//! Numbers have as many limbs as a bound on the sum of all of them asks for, which grows by the weight
//! of each step and is made exact before a limb is added; so no sum wraps, and none is checked.
//!
//! Memory: when the states take more than allowed, most of them are put aside, and come in turn, a part
//! at a time, after the rest is counted to the end; a number is a sum over the states of a moment, so
//! that is exact, only slower, since states of different parts do not meet.
//!
//! With idle cores and many states, each state belongs to a worker by its hash (`worker.rs`).
//!
//! Tried and dropped: rounds in which all workers first expand and then look up, with a barrier between.
//!
//! Left out: meeting in the middle. It saves the steps after the widest one, at most half of the states, and
//! from the other end there are also all those that no state of this end can be joined with. A symmetry that exchanges
//! both ends does not tell the numbers of the one by those of the other (`layout/alike.rs`).
//!
//! Source: Zeilberger's and Conway's transfer matrices; Sekine, Imai and Tani 1995 for frontiers.

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
use self::layout::{CloserLooks, Sketch};
use self::order::FREEDOM;
use self::states::States;
use crate::model::ItemId;
use crate::parallel::Cores;
use crate::portfolio::{Budget, Cut, costs};
use crate::prepare::Weighted;

/// The most words of a key.
pub(crate) const WORDS_MAX: usize = 16;
/// A count is past its peak where the current layer is below this fraction of the largest one.
const SHRUNK: f64 = 0.9;
/// Upper bound of the measured freedom: higher values were rare.
const FREEDOM_MAX: f64 = 0.85;
/// Number of recent steps from which the freedom is measured.
const WINDOW: usize = 12;
/// About the nanoseconds for each state of a beam and step, in the two walks of a sample.
const BEAM_STATE: f64 = 500.0;
/// A sample has this part of the memory at most.
const BEAM_SHARE: usize = 8;
/// So many states are taken to have had the pace that is said beforehand.
const PACE_DOUBT: f64 = 1000.0;
/// A sample is off by this factor at most, as far as the steps before tell.
const SAMPLE_ERROR: f64 = 16.0;

/// A count by a frontier in a given order, begun or done.
#[derive(Debug)]
pub(crate) struct Frontier<'p> {
    run: Option<Box<dyn CountingRun + 'p>>,
    /// What walks with a beam told.
    sample: Option<SampledSizes>,
}

/// What a count by a frontier has done, and what is left to do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Effort {
    /// States expanded.
    pub(crate) states: u64,
    /// Options tried on them.
    pub(crate) tries: u64,
    /// The states held at the last step, and the most held at any time.
    pub(crate) states_now: usize,
    pub(crate) states_max: usize,
    /// Times that states were put aside for lack of memory.
    pub(crate) splits: u64,
    /// The time for which workers waited for others, all together.
    pub(crate) waited: Duration,
    /// The current step, and the number of steps.
    pub(crate) step: usize,
    pub(crate) step_count: usize,
    /// The most bits of a state.
    pub(crate) width: usize,
}

/// A count by a frontier whose keys have some fixed size.
trait CountingRun: std::fmt::Debug + Send {
    fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut>;
    fn effort(&self) -> Effort;
    fn sample(&mut self, beam: usize, budget: &mut Budget<'_>) -> Result<SampledSizes, Cut>;
    fn states_left(&self, sample: Option<&SampledSizes>) -> f64;
    fn known(&self) -> BigUint;
    fn bytes(&self) -> usize;
}

impl<'p> Frontier<'p> {
    /// Begins a count of `part` with its primary items in that order, modulo a prime if one is given;
    /// `Unsuited` if a state would take too many bits.
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

    /// Counts on. After [`Cut::Work`] or a limit a further call goes on where this one ended.
    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        self.run.as_mut().map_or(Ok(BigUint::ZERO), |run| run.run(budget))
    }

    /// Returns how many covers are certain by now: those that are complete. Where all covers end at the last step this
    /// is 0 until then; and always if numbers are kept modulo a prime.
    pub(crate) fn known(&self) -> BigUint {
        self.run.as_ref().map_or(BigUint::ZERO, |run| run.known())
    }

    /// Returns the bytes that the states take.
    pub(crate) fn bytes(&self) -> usize {
        self.run.as_ref().map_or(0, |run| run.bytes())
    }

    /// Returns about the nanoseconds that a sample takes for each state of its beam.
    pub(crate) fn beam_time(&self) -> f64 {
        BEAM_STATE * self.effort().step_count.max(1) as f64
    }

    /// Returns the largest beam of a sample for which so many bytes are enough by far.
    pub(crate) fn beam_most(&self, bytes: usize) -> f64 {
        let Effort { step_count, width, .. } = self.effort();
        bytes as f64 / (BEAM_SHARE * step_count.max(1) * (width / 4 + 32)) as f64
    }

    /// Goes ahead with beams of so many states, to see how much there is to do.
    pub(crate) fn sample(&mut self, beam: usize, budget: &mut Budget<'_>) -> Result<(), Cut> {
        if let Some(run) = &mut self.run {
            self.sample = Some(budget.begin(|budget| run.sample(beam, budget))?);
        }
        Ok(())
    }

    /// Estimates the nanoseconds that the rest will take, given those spent on states so far.
    pub(crate) fn time_left(&self, spent: Duration) -> f64 {
        let Effort { states, step, step_count, .. } = self.effort();
        let spent = spent.as_nanos() as f64;
        let left = self.states_left();
        // While the layers still grow, most of the work is still to come.
        let is_early = self.sample.is_none() && 5 * step < 2 * step_count;
        let least = if is_early { 2.0 * spent } else { 0.0 };
        let pace = (spent + PACE_DOUBT * costs::FRONTIER_STATE) / (states as f64 + PACE_DOUBT);
        (pace * left).max(least)
    }

    /// Estimates how many states are left.
    pub(crate) fn states_left(&self) -> f64 {
        self.run.as_ref().map_or(0.0, |run| run.states_left(self.sample.as_ref()))
    }

    /// Tells whether walks with a beam have seen all that there is to do, so that the estimate of the time left can be trusted.
    pub(crate) fn is_seen(&self) -> bool {
        self.sample.as_ref().is_some_and(|sample| sample.is_seen)
    }

    /// Tells whether the layers have begun to shrink, so that the estimate of the time left can be trusted.
    pub(crate) fn is_past_growth(&self) -> bool {
        let Effort { states_now, states_max, step, step_count, splits, .. } = self.effort();
        let is_past = 5 * step >= 2 * step_count && (states_now as f64) < SHRUNK * states_max as f64;
        is_past && splits == 0
    }

    /// Says what was done so far.
    pub(crate) fn explain(&self) -> String {
        let Effort { states, states_max, splits, width, waited, .. } = self.effort();
        let parts = if splits > 0 { format!(", {splits} times in parts") } else { String::new() };
        let waited = match waited.as_millis() {
            0 => String::new(),
            waited => format!(", workers waited {waited} ms"),
        };
        format!("{states} states of at most {width} bits, {states_max} at a time{parts}{waited}")
    }

    /// Returns what was done so far.
    pub(crate) fn effort(&self) -> Effort {
        self.run.as_ref().map_or_else(Effort::default, |run| run.effort())
    }
}

/// Estimates how many states are left from `step` on, given the bits of a state at each step and how many states there
/// were at those before.
pub(crate) fn states_left(widths: &[u32], sizes: &[u64], step: usize) -> f64 {
    // The freedom is measured at the largest of the recent steps. It grows until two fifths of the way, by a
    // quarter in all: so measured in twelve families, with an error of about 0.1.
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

/// Returns how many states are left from `step` on by a sample, given how many there were at the steps before: what it saw
/// too few of lately, it sees too few of later on.
fn states_left_by_sample(sample: &SampledSizes, sizes: &[u64], step: usize) -> f64 {
    let recent = step.saturating_sub(WINDOW)..step;
    let there: f64 = recent.clone().map(|step| sizes[step] as f64).sum();
    let seen: f64 = sample.states[recent].iter().sum();
    let factor = if seen > 0.0 { (there / seen).clamp(1.0, SAMPLE_ERROR) } else { 1.0 };
    factor * sample.states[step.min(sample.states.len())..].iter().sum::<f64>()
}

/// Begins with keys of `K` words; `None` if there is no cover.
fn run<'p, const K: usize>(
    sketch: Sketch<'p>,
    cores: &Arc<Cores>,
    modulus: u64,
    budget: &mut Budget<'_>,
) -> Result<Option<Box<dyn CountingRun + 'p>>, Cut> {
    Ok(sketch.layout::<K>(budget)?.map(|layout| {
        let closer = CloserLooks::new(sketch);
        Box::new(States::new(layout, closer, cores, modulus)) as Box<dyn CountingRun + 'p>
    }))
}

//! Counting by a frontier: all states of a step at once, each with the number of ways to reach it.
//!
//! The steps are those of a static order (`layout.rs`). A state waits at the next step where it has
//! something to decide, so it is looked up once for each choice, not once for each item. States whose keys are equal
//! have the same completions: their numbers are added. When all states before a step are gone through,
//! those at the step have their final numbers and are expanded in turn; then their layer is
//! forgotten.
//!
//! States that cannot be completed are left out as soon as an item of the window is seen to have no option
//! left; at each step only the few items that are near to that are looked at. Each step counts whether such a
//! look pays, and leaves it out if not.
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
//! Tried and dropped: rounds in which all workers first expand and then look up, with a barrier between. Looking at all
//! options left of each item of the window, not only at those of few, where nothing is secondary: 2.6 times fewer states
//! of free pentominoes, each at several times the cost.
//!
//! Left out: meeting in the middle. It saves the steps after the widest one, at most half of the states, and
//! from the other end there are also all those that no state of this end can be joined with.
//!
//! Source: Zeilberger's and Conway's transfer matrices; Sekine, Imai and Tani 1995 for frontiers.

mod aside;
pub(crate) mod blocks;
mod exchange;
mod layer;
pub(crate) mod layout;
pub(crate) mod order;
mod states;
#[cfg(test)]
mod tests;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use self::layout::Sketch;
use self::order::FREEDOM;
use self::states::States;
use crate::model::ItemId;
use crate::parallel::Cores;
use crate::portfolio::{Budget, Cut};
use crate::prepare::Weighted;

/// The most words of a key.
pub(crate) const WORDS_MAX: usize = 16;
/// A count is past its peak where the current layer is below this fraction of the largest one.
const SHRUNK: f64 = 0.9;
/// Upper bound of the measured freedom: higher values were rare.
const FREEDOM_MAX: f64 = 0.85;
/// Number of recent steps from which the freedom is measured.
const WINDOW: usize = 12;

/// A count by a frontier in a given order, begun or done.
#[derive(Debug)]
pub(crate) struct Frontier {
    run: Option<Box<dyn CountingRun>>,
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
    fn states_left(&self) -> f64;
    fn known(&self) -> BigUint;
    fn bytes(&self) -> usize;
}

impl Frontier {
    /// Begins a count of `part` with its primary items in that order, modulo a prime if one is given;
    /// `Unsuited` if a state would take too many bits.
    pub(crate) fn new(
        part: &Weighted,
        order: &[ItemId],
        cores: &Arc<Cores>,
        modulus: Option<u64>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let sketch = Sketch::new(part, order, WORDS_MAX, budget)?;
        let modulus = modulus.unwrap_or(0);
        let run = match sketch.width().div_ceil(64) {
            0..=1 => run::<1>(&sketch, cores, modulus, budget),
            2 => run::<2>(&sketch, cores, modulus, budget),
            3..=4 => run::<4>(&sketch, cores, modulus, budget),
            _ => run::<WORDS_MAX>(&sketch, cores, modulus, budget),
        };
        Ok(Self { run: run? })
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

    /// Estimates the nanoseconds that the rest will take, given those spent so far.
    pub(crate) fn time_left(&self, spent: Duration) -> f64 {
        let Effort { states, step, step_count, .. } = self.effort();
        let spent = spent.as_nanos() as f64;
        let left = self.run.as_ref().map_or(0.0, |run| run.states_left());
        // While the layers still grow, most of the work is still to come.
        let least = if 5 * step < 2 * step_count { 2.0 * spent } else { 0.0 };
        (spent / states.max(1) as f64 * left).max(least)
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

/// Begins with keys of `K` words; `None` if there is no cover.
fn run<const K: usize>(
    sketch: &Sketch<'_>,
    cores: &Arc<Cores>,
    modulus: u64,
    budget: &mut Budget<'_>,
) -> Result<Option<Box<dyn CountingRun>>, Cut> {
    let layout = sketch.layout::<K>(budget)?;
    Ok(layout.map(|layout| Box::new(States::new(layout, cores, modulus)) as Box<dyn CountingRun>))
}

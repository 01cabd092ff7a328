//! Estimates the number of covers where an exact count takes too long, and the cost of an exact
//! count.
//!
//! A *run* visits the steps of a frontier (`layout.rs`) like an exact count, but keeps a limited
//! number of states per step, the beam. The weight of a state is the number of ways to reach it. If
//! there are too many states, all heavy ones are kept, and some of the others are drawn. A state is
//! drawn with a probability proportional to its weight, which is then divided by this probability.
//! So the weight of each state keeps its expectation at every step, and the estimate is unbiased
//! for any beam. The spread of independent runs gives its precision.
//!
//! The sampling is systematic: one random number, then equal strides through the states in key
//! order. With a beam of one state and no merging, a run is one of Knuth's probes (1975).
//!
//! The number of states of an exact count is estimated by capture and recapture
//! (`frontier/beam.rs`).
//!
//! Sources: Chen 1992 (heterogeneous sampling); Fearnhead and Clifford 2003 (the threshold).

use limits::clock::Instant;
use num_bigint::BigUint;

use crate::frontier::beam::{WeightedState, sampled_sizes, walk};
use crate::frontier::layout::{Key, Layout, LayoutSketch};
use crate::frontier::order;
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem};
use crate::numbers::Random;
use crate::portfolio::{Budget, Cut};
use crate::prepare::{Parts, Weighted};

/// A nonnegative number of any size, with the precision of an `f64`.
///
/// ```
/// use dlx::estimate::Magnitude;
///
/// let amount = Magnitude::from(1e300) * Magnitude::from(1e300);
/// assert_eq!(amount.to_string(), "1.000e600");
/// assert_eq!(Magnitude::from(17.0).to_string(), "17");
/// assert_eq!(amount.log10().round(), 600.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Magnitude {
    mantissa: f64,
    exponent: i64,
}

impl From<f64> for Magnitude {
    fn from(number: f64) -> Self {
        Self::new(number, 0)
    }
}

impl std::ops::Mul for Magnitude {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }
}

impl Magnitude {
    const ZERO: Self = Self { mantissa: 0.0, exponent: 0 };

    fn new(mut number: f64, mut exponent: i64) -> Self {
        if number <= 0.0 {
            return Self::ZERO;
        }
        if number < f64::MIN_POSITIVE {
            (number, exponent) = (number * 64.0_f64.exp2(), exponent - 64);
        }
        let shift = (number.to_bits() >> 52) as i64 - 1023;
        Self { mantissa: number * (-shift as f64).exp2(), exponent: exponent + shift }
    }

    fn of(number: &BigUint) -> Self {
        let shift = number.bits().saturating_sub(64);
        let top = u64::try_from(number >> shift).unwrap_or(u64::MAX);
        Self::new(top as f64, shift as i64)
    }

    fn ratio(self, other: Self) -> f64 {
        let exponent = (self.exponent - other.exponent).clamp(-2000, 2000) as f64;
        self.mantissa / other.mantissa * (exponent / 2.0).exp2() * (exponent / 2.0).exp2()
    }

    /// Returns the logarithm to base 10, which is minus infinity for 0.
    #[must_use]
    pub fn log10(self) -> f64 {
        self.mantissa.log10() + self.exponent as f64 * 2.0_f64.log10()
    }

    /// Returns the number, or infinity above about 10^308.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.ratio(Self::from(1.0))
    }
}

impl std::fmt::Display for Magnitude {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.to_f64() < 999_999.5 {
            return write!(f, "{:.0}", self.to_f64());
        }
        let log = self.log10();
        let mut power = log.floor();
        let mut digits = 10.0_f64.powf(log - power);
        if digits >= 9.9995 {
            (digits, power) = (digits / 10.0, power + 1.0);
        }
        write!(f, "{digits:.3}e{power}")
    }
}

/// The settings of an estimate.
///
/// ```
/// let settings = dlx::estimate::Settings::new().seed(7).runs(20);
/// assert_eq!(settings.beam, None);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Settings {
    /// Maximum number of states kept per step. By default, the beam is chosen so that some dozens
    /// of runs fit before the deadline.
    pub beam: Option<usize>,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Number of runs after which the estimate ends.
    pub runs: Option<u64>,
    /// Relative standard error at which the estimate ends, after at least [`RUNS_MIN`] runs.
    pub precision: Option<f64>,
}

impl Settings {
    /// Creates settings where only the limits end an estimate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the largest number of states kept per step.
    #[must_use]
    pub fn beam(mut self, states: impl Into<Option<usize>>) -> Self {
        self.beam = states.into();
        self
    }

    /// Sets the seed of the random numbers. Equal seeds give equal numbers.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Ends the estimate after this number of runs.
    #[must_use]
    pub fn runs(mut self, runs: impl Into<Option<u64>>) -> Self {
        self.runs = runs.into();
        self
    }

    /// Ends the estimate at this relative standard error, after at least [`RUNS_MIN`] runs.
    #[must_use]
    pub fn precision(mut self, error: impl Into<Option<f64>>) -> Self {
        self.precision = error.into();
        self
    }
}

/// Minimum number of runs for judging their spread.
pub const RUNS_MIN: u64 = 16;

const BEAM_MIN: usize = 1 << 10;
/// Largest default beam (states).
const BEAM_MAX: usize = 1 << 19;
/// Number of runs that must fit in the time left when the beam is chosen.
const RUNS_AIM: u32 = 30;
/// Maximum number of states per step of a run without sampling.
const ALL_MAX: usize = 1 << 22;
/// Ratio of the work of a run without sampling to the work of an exact count.
const SLOWNESS: f64 = 15.0;

/// An estimate of a count, with its 95 % confidence interval and the cost of an exact count.
///
/// The interval assumes that the mean of the runs is approximately log-normal. If `largest` exceeds
/// a tenth, a few runs dominate the sum, and even larger ones may be missing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Estimate {
    /// The mean of all runs, whose expectation is the count.
    pub count: Magnitude,
    /// Lower end of the confidence interval.
    pub low: Magnitude,
    /// Upper end of the confidence interval.
    pub high: Magnitude,
    /// Relative standard error of the mean.
    pub error: f64,
    /// Whether no state was dropped, so that the count is exact up to rounding.
    pub is_exact: bool,
    /// Number of runs.
    pub runs: u64,
    /// Maximum number of states kept per step.
    pub beam: usize,
    /// Share of the largest run in the sum of all runs.
    pub largest: f64,
    /// Approximate number of states of an exact frontier count.
    pub states: f64,
    /// Approximate time of an exact count on one core, in seconds.
    pub seconds: f64,
    /// Approximate memory of an exact count, in bytes.
    pub bytes: f64,
}

/// Estimates the number of covers of `problem` that contain the options of `given`.
///
/// The deadline and the flags of `limits` apply. The memory of `limits` bounds only the tables of
/// the layout. Without a deadline the estimate ends by the runs or the precision of the settings,
/// or after [`RUNS_MIN`] runs.
///
/// ```
/// use dlx::{Limits, estimate};
///
/// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
/// let settings = estimate::Settings::default();
/// let estimate = estimate::estimate(&problem, &[], &Limits::new(), &settings).expect("no limit");
/// assert!(estimate.is_exact);
/// assert_eq!(estimate.count.to_string(), "2");
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The limit that ended the estimate before its first run: time, a flag, or memory if a state needs
/// too many bits in every item order tried.
///
/// # Panics
/// If an option of `given` is not one of this problem's.
pub fn estimate(
    problem: &Problem,
    given: &[OptionId],
    limits: &Limits,
    settings: &Settings,
) -> Result<Estimate, Limit> {
    let bytes = limits.memory.unwrap_or(usize::MAX);
    estimate_within(problem, given, settings, &mut Budget::new(limits, u64::MAX, bytes))
        .map_err(Cut::limit)
}

fn estimate_within(
    problem: &Problem,
    given: &[OptionId],
    settings: &Settings,
    budget: &mut Budget<'_>,
) -> Result<Estimate, Cut> {
    let limits = budget.limits();
    let mut whole = Estimate {
        count: Magnitude::ZERO,
        low: Magnitude::ZERO,
        high: Magnitude::ZERO,
        error: 0.0,
        is_exact: true,
        runs: 0,
        beam: settings.beam.unwrap_or(BEAM_MIN).max(1),
        largest: 0.0,
        states: 0.0,
        seconds: 0.0,
        bytes: 0.0,
    };
    let parts = Parts::new(problem, given, limits).map_err(Cut::Limit)?;
    let Some(parts) = parts else { return Ok(whole) };
    let prepared = parts.parts.iter().map(|part| prepare(part, budget));
    let mut beams: Vec<_> = prepared.collect::<Result<_, _>>()?;
    let mut random = Random::new(settings.seed);
    let mut factor = Magnitude::of(&parts.factor());

    // Parts whose states all fit in the beam are exact and finished. The other parts determine the
    // beam, so the runs of this loop do not enter the mean.
    loop {
        let begun = Instant::now();
        let mut is_done = Vec::new();
        for beam in &beams {
            let run = beam.run(whole.beam, &mut random, budget)?;
            is_done.push(run.is_exact);
            if run.is_exact {
                factor = factor * run.sum;
                whole.states += run.states;
                whole.seconds += run.work * 1e-9;
                whole.bytes = whole.bytes.max(run.bytes);
            }
        }
        let mut is_done = is_done.into_iter();
        beams.retain(|_| is_done.next() == Some(false));
        let Some(left) = limits.deadline.map(|deadline| deadline.saturating_duration_since(begun))
        else {
            break;
        };
        if settings.beam.is_some()
            || beams.is_empty()
            || whole.beam >= BEAM_MAX
            || begun.elapsed() * 2 * RUNS_AIM > left
        {
            break;
        }
        whole.beam *= 2;
    }
    let (mut peak, mut work) = (0.0_f64, 0.0);
    for beam in &beams {
        let sizes = beam.sizes(whole.beam.max(BEAM_MIN), &mut random, budget)?;
        whole.states += sizes.states;
        whole.seconds += sizes.work * 1e-9;
        whole.bytes = whole.bytes.max(sizes.bytes);
        peak = peak.max(sizes.peak);
        work += sizes.work;
    }
    let is_near = |deadline: Instant| {
        let left = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        work * 1e-9 * SLOWNESS < left / 4.0 && peak < ALL_MAX as f64
    };
    if settings.beam.is_none() && !beams.is_empty() && limits.deadline.is_some_and(is_near) {
        let all = 4 * peak as usize;
        let runs: Option<Vec<BeamRun>> =
            beams.iter().map(|beam| beam.run(all, &mut random, budget).ok()).collect();
        if let Some(runs) = runs.filter(|runs| runs.iter().all(|run| run.is_exact)) {
            beams.clear();
            factor = runs.iter().fold(factor, |product, run| product * run.sum);
        }
    }
    if beams.is_empty() {
        (whole.count, whole.low, whole.high) = (factor, factor, factor);
        return Ok(whole);
    }
    whole.is_exact = false;

    let mut sums = Vec::new();
    loop {
        let mut product = factor;
        for beam in &beams {
            match beam.run(whole.beam, &mut random, budget) {
                Ok(run) => product = product * run.sum,
                Err(cut) if sums.is_empty() => return Err(cut),
                Err(_) => return Ok(whole),
            }
        }
        sums.push(product);
        whole.sum_up(&sums);
        let is_enough = |error| whole.runs >= RUNS_MIN && whole.error <= error;
        let has_end = limits.deadline.is_some() || settings.runs.is_some();
        if settings.runs.is_some_and(|runs| whole.runs >= runs)
            || settings.precision.is_some_and(is_enough)
            || (!has_end && settings.precision.is_none() && whole.runs >= RUNS_MIN)
        {
            return Ok(whole);
        }
    }
}

impl Estimate {
    fn sum_up(&mut self, runs: &[Magnitude]) {
        let largest = runs.iter().copied().max_by(|a, b| a.log10().total_cmp(&b.log10()));
        let Some(largest) = largest.filter(|largest| largest.mantissa > 0.0) else {
            self.runs = runs.len() as u64;
            return;
        };
        let count = runs.len() as f64;
        let parts: Vec<f64> = runs.iter().map(|run| run.ratio(largest)).collect();
        let mean = parts.iter().sum::<f64>() / count;
        let squares: f64 = parts.iter().map(|part| (part - mean).powi(2)).sum();
        self.runs = runs.len() as u64;
        self.count = Magnitude::from(mean) * largest;
        self.largest = 1.0 / (mean * count);
        self.error = f64::INFINITY;
        (self.low, self.high) = (Magnitude::ZERO, self.count);
        if runs.len() > 1 {
            self.error = (squares / (count - 1.0) / count).sqrt() / mean;
            let width = quantile(runs.len() - 1) * self.error;
            self.low = Magnitude::from((-width).exp()) * self.count;
            self.high = Magnitude::from(width.min(700.0).exp()) * self.count;
        }
    }
}

/// Returns the approximate 97.5 % quantile of Student's distribution (an expansion in 1 /
/// `freedom`).
fn quantile(freedom: usize) -> f64 {
    match freedom {
        0 | 1 => 12.71,
        2 => 4.303,
        3 => 3.182,
        freedom => {
            let n = freedom as f64;
            1.96 + 2.372 / n + 2.823 / n.powi(2) + 2.556 / n.powi(3)
        }
    }
}

trait Beam {
    fn run(&self, beam: usize, random: &mut Random, budget: &mut Budget<'_>) -> Result<BeamRun, Cut>;
    fn sizes(&self, beam: usize, random: &mut Random, budget: &mut Budget<'_>) -> Result<Sizes, Cut>;
}

#[derive(Debug)]
struct BeamRun {
    sum: Magnitude,
    is_exact: bool,
    states: f64,
    work: f64,
    bytes: f64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) states: f64,
    pub(crate) peak: f64,
    pub(crate) work: f64,
    pub(crate) bytes: f64,
}

/// Estimated work per state (ns).
const STATE_WORK: f64 = 20.0;
/// Estimated work per option tried on a state (ns).
const TRY_WORK: f64 = 4.0;

/// Maximum size of a state (64-bit words).
const WORDS_MAX: usize = 64;

fn prepare(part: &Weighted, budget: &mut Budget<'_>) -> Result<Box<dyn Beam>, Cut> {
    fn beam<const K: usize>(
        sketch: &LayoutSketch<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Box<dyn Beam>, Cut> {
        Ok(match sketch.layout::<K>(budget)? {
            Some(layout) => Box::new(layout),
            None => Box::new(NoCover),
        })
    }
    let order = order::candidates(&part.problem, budget)?.into_iter().next().map(|order| order.items);
    let sketch = LayoutSketch::new(part, &order.unwrap_or_default(), WORDS_MAX, budget)?;
    match sketch.width().div_ceil(64) {
        0..=1 => beam::<1>(&sketch, budget),
        2 => beam::<2>(&sketch, budget),
        3..=4 => beam::<4>(&sketch, budget),
        5..=8 => beam::<8>(&sketch, budget),
        9..=16 => beam::<16>(&sketch, budget),
        _ => beam::<WORDS_MAX>(&sketch, budget),
    }
}

struct NoCover;

impl Beam for NoCover {
    fn run(&self, _: usize, _: &mut Random, _: &mut Budget<'_>) -> Result<BeamRun, Cut> {
        Ok(BeamRun { sum: Magnitude::ZERO, is_exact: true, states: 0.0, work: 0.0, bytes: 0.0 })
    }

    fn sizes(&self, _: usize, _: &mut Random, _: &mut Budget<'_>) -> Result<Sizes, Cut> {
        Ok(Sizes::default())
    }
}

impl<const K: usize> Beam for Layout<K> {
    fn run(&self, beam: usize, random: &mut Random, budget: &mut Budget<'_>) -> Result<BeamRun, Cut> {
        let mut run =
            BeamRun { sum: Magnitude::ZERO, is_exact: true, states: 0.0, work: 0.0, bytes: 0.0 };
        let (sum, exponent) = walk(self, budget, &mut |step, layer| {
            let size = sizes_of(self, step, layer.len() as f64);
            run.states += size.states;
            run.work += size.work;
            run.bytes = run.bytes.max(size.bytes);
            if layer.len() > beam {
                run.is_exact = false;
                thin(layer, beam, random);
            }
        })?;
        run.sum = Magnitude::new(sum, exponent);
        Ok(run)
    }

    fn sizes(&self, beam: usize, random: &mut Random, budget: &mut Budget<'_>) -> Result<Sizes, Cut> {
        let mut sum = Sizes::default();
        for (step, states) in sampled_sizes(self, beam, random, budget)?.states.into_iter().enumerate()
        {
            let size = sizes_of(self, step, states);
            sum.states += size.states;
            sum.peak = sum.peak.max(states);
            sum.work += size.work;
            sum.bytes = sum.bytes.max(size.bytes);
        }
        Ok(sum)
    }
}

fn sizes_of<const K: usize>(layout: &Layout<K>, step: usize, states: f64) -> Sizes {
    let tries = layout.choices(step).len() as f64;
    let bytes = 2.0 * states * (size_of::<Key<K>>() + 16) as f64;
    Sizes { states, peak: states, work: states * (STATE_WORK + TRY_WORK * tries), bytes }
}

/// Draws about `size` of the states such that the expected weight of each state is unchanged.
fn thin<const K: usize>(layer: &mut Vec<WeightedState<K>>, size: usize, random: &mut Random) {
    // States heavier than `stride` are kept. The rest of the beam is filled with states drawn from
    // the others.
    let mut weights: Vec<f64> = layer.iter().map(|state| state.1).collect();
    weights.sort_unstable_by(f64::total_cmp);
    let mut light: f64 = weights.iter().sum();
    let mut room = size as f64;
    while let Some(&heaviest) = weights.last()
        && room > 1.0
        && heaviest * room >= light
    {
        weights.pop();
        light -= heaviest;
        room -= 1.0;
    }
    light = weights.iter().sum();
    let stride = light / room;
    let mut next = random.unit() * stride;
    let heavy = weights.last().copied().unwrap_or(0.0);
    layer.retain_mut(|state| {
        if state.1 > heavy {
            return true;
        }
        next -= state.1;
        let is_drawn = next < 0.0;
        if is_drawn {
            next += stride;
            state.1 = stride;
        }
        is_drawn
    });
}

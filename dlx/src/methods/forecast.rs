//! Estimates the total work of a search with memoization from its own progress.
//!
//! The searched fraction of the tree gives equal weights to all branches of a node. Later branches
//! reuse results of earlier ones, so the fraction grows faster than the work, about as a power of
//! it. The exponent is measured between now and an earlier moment with at most two thirds of the
//! current work, and is assumed to stay constant.
//!
//! The forecast is rough: at half of the work it is usually within a factor of 4, and too high.
//! Before the memo has had many hits, the forecast is far too high.
//!
//! The exponent is extrapolated for at most [`DOUBLINGS_MAX`] doublings of the work. Beyond that,
//! the fraction is assumed to be proportional to the work, so that a search far from its end is not
//! forecast to finish soon.

/// Maximum extrapolation of the measured exponent (doublings of the work).
const DOUBLINGS_MAX: f64 = 8.0;
/// Minimum ratio of the work at two compared moments.
const STRIDE: f64 = 1.5;
/// Minimum work of a recorded moment (ns).
const FIRST: f64 = 100_000.0;

/// The last two recorded moments, each as the work and a measured value. The work at least doubles
/// between them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments([(f64, f64); 2]);

impl Moments {
    /// Records the value `told` if the work has doubled since the last recorded moment.
    pub(super) fn note(&mut self, work: f64, told: f64) {
        let last = self.0[1];
        if work >= 2.0 * last.0 {
            self.0 = [last, (work, told)];
        }
    }

    /// Returns the last recorded moment whose work times [`STRIDE`] is at most `work`.
    pub(super) fn before(&self, work: f64) -> Option<(f64, f64)> {
        self.0.iter().rev().copied().find(|then| then.0 > 0.0 && then.0 * STRIDE <= work)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Forecast {
    power_max: f64,
    moments: Moments,
}

impl Forecast {
    pub(super) fn new(power_max: f64) -> Self {
        Self { power_max, moments: Moments::default() }
    }

    pub(super) fn note(&mut self, work: f64, fraction: f64) {
        if work >= FIRST && fraction > 0.0 {
            self.moments.note(work, fraction);
        }
    }

    /// Returns the estimated work of the whole search, or `None` while the growth of the fraction
    /// is unknown.
    pub(super) fn total(&self, work: f64, fraction: f64) -> Option<f64> {
        let then = self.moments.before(work)?;
        let power = (fraction / then.1).log2() / (work / then.0).log2();
        let doublings = doublings(-fraction.log2(), power.clamp(1.0, self.power_max));
        (power > 0.0).then(|| work * doublings.exp2())
    }
}

/// Returns the number of doublings of the work while the searched fraction doubles `left` times.
fn doublings(left: f64, power: f64) -> f64 {
    let all = left / power;
    if all <= DOUBLINGS_MAX { all } else { left - (power - 1.0) * DOUBLINGS_MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreseen(power: f64, work: f64, total: f64) -> f64 {
        let mut forecast = Forecast::new(4.0);
        let fraction = |work: f64| (work / total).powf(power);
        let moments = (0..).map(|step| FIRST * 1.3_f64.powi(step));
        moments.take_while(|&now| now < work).for_each(|now| forecast.note(now, fraction(now)));
        forecast.total(work, fraction(work)).expect("it has grown") / total
    }

    #[test]
    fn the_forecast_is_exact_if_the_fraction_is_a_power_of_the_work() {
        for power in [1.0, 1.5, 2.4, 4.0] {
            for work in [5e6, 1e7, 3e8] {
                let share = foreseen(power, work, 1e9);
                assert!((share - 1.0).abs() < 1e-6, "{power} at {work}: {share}");
            }
        }
    }

    #[test]
    fn the_exponent_is_extrapolated_to_a_bounded_number_of_doublings() {
        let share = foreseen(3.0, 1e12 / 8192.0, 1e12);
        assert!((share - 1024.0).abs() < 1e-3, "{share}");
    }

    #[test]
    fn there_is_no_forecast_before_the_work_has_grown() {
        let mut forecast = Forecast::new(4.0);
        assert_eq!(forecast.total(1e6, 0.25), None);
        forecast.note(1e6, 0.25);
        assert_eq!(forecast.total(1.4e6, 0.5), None);
        assert_eq!(forecast.total(2e6, 0.5), Some(4e6));
        assert_eq!(forecast.total(2e6, 0.1), None);
    }
}

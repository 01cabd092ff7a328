//! What the estimate of a contender tells about the rest of its time, and how promising a slice is.
//!
//! The total time of a contender is modeled as log-logistic, around its estimate, and given that it
//! exceeds the time spent. A reliable estimate has a small spread. An unreliable one has a larger
//! spread and is usually too high; both grow with the ratio of the estimated time to the time
//! spent, so that a contender that seems far from its end still gets a little time.
//!
//! The *rate* of a contender is the largest ratio, over all slices t, of the probability that the
//! contender is done within t to the expected time that it uses of t. Always running the job with
//! the highest rate minimizes the mean completion time of independent jobs (Gittins, "Bandit
//! processes and dynamic allocation indices", 1979; Aalto, Ayesta and Righter, "On the Gittins
//! index in the M/G/1 queue", 2009). For the completion of the first of several jobs it is a
//! heuristic.
//!
//! The constants were fitted to the errors of the estimates on the seen families of the regret
//! suite, by races of recorded estimates on a work clock. If one of them changes by a third, the
//! geometric mean of the regret grows by at most 4 %.
//!
//! Tried and dropped, in such races of 90 problems (geometric mean of the regret 1.22): a higher
//! median for a contender whose estimate has grown, or whose time exceeds its lowest estimate (1.24
//! to 1.40, because the first estimates of frontiers and memos are deliberately low); first
//! estimates of memo and `filter` of a third or a sixth (1.30 and 1.32). Measured on the 184 quick
//! problems of the suite: a contender that has not started takes about as long as the best reliable
//! estimate, with a spread of 1.5 (regret 1.34 instead of 1.33).

use super::Estimate;

/// Spread of the logarithm of the total time, and its growth with the logarithm of the ratio of
/// the estimated time to the time spent.
struct Error {
    spread: f64,
    growth: f64,
    /// The exponent of that ratio by which an estimate is usually too high.
    bias: f64,
}

const RELIABLE: Error = Error { spread: 0.3, growth: 0.12, bias: 0.4 };
const UNRELIABLE: Error = Error { spread: 0.8, growth: 0.25, bias: 0.33 };
/// The spread of an unreliable estimate of a contender that has not started, which is usually too
/// low by the factor `HOPE`.
const SPREAD_BEFORE: f64 = 1.0;
const HOPE: f64 = 8.0;
/// Shape of a log-logistic distribution times the standard deviation of the logarithm.
const SHAPE: f64 = 1.8;
/// Ratio of consecutive slices that are compared, and the longest slice as a multiple of the
/// median.
const STEP: f64 = 1.5;
const MOST: f64 = 8.0;

/// The total time of a contender: log-logistic with a `median` (ns) and a `shape`, given that it
/// exceeds the time `spent` (ns).
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    spent: f64,
    median: f64,
    shape: f64,
}

impl Outlook {
    /// Reads an estimate after the time `spent` (ns). `is_reliable` is whether it is reliable, and
    /// the contender kept its earlier estimates.
    pub(super) fn new(estimate: Estimate, is_reliable: bool, spent: f64) -> Self {
        let all = spent + estimate.expected(spent);
        let with = |median: f64, spread: f64| Self { spent, median, shape: SHAPE / spread };
        if spent == 0.0 {
            return if is_reliable {
                with(all, RELIABLE.spread)
            } else {
                with(HOPE * all, SPREAD_BEFORE)
            };
        }
        let error = if is_reliable { RELIABLE } else { UNRELIABLE };
        let doublings = (all / spent).ln();
        with(all * (-error.bias * doublings).exp(), error.spread + error.growth * doublings)
    }

    /// Returns the highest rate (1/ns). `step` is the shortest slice (ns).
    pub(super) fn rate(self, step: f64) -> f64 {
        if self.median == 0.0 {
            return f64::INFINITY;
        }
        if !self.median.is_finite() {
            return 0.0;
        }
        let exceeds = |time: f64| 1.0 / (1.0 + (time / self.median).powf(self.shape));
        let now = exceeds(self.spent);
        let mut best = 0.0_f64;
        let (mut slice, mut before, mut goes_on, mut used) = (step.max(1.0), 0.0, 1.0, 0.0);
        loop {
            let still = exceeds(self.spent + slice) / now;
            used += (slice - before) * f64::midpoint(goes_on, still);
            best = best.max((1.0 - still) / used);
            (before, goes_on) = (slice, still);
            if slice > MOST * self.median.max(self.spent) {
                return best;
            }
            slice *= STEP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(estimate: Estimate, spent: f64) -> f64 {
        Outlook::new(estimate, estimate.error.is_some(), spent).rate(spent / 8.0)
    }

    #[test]
    fn a_contender_that_always_seems_nearly_done_loses_rate_with_time() {
        for estimate in [Estimate::guess(1e3), Estimate::sure(1e3, 1.0)] {
            let rates: Vec<_> = (6..15).map(|digits| rate(estimate, 10_f64.powi(digits))).collect();
            assert!(rates.windows(2).all(|pair| pair[1] < 0.2 * pair[0]), "{rates:?}");
        }
    }

    #[test]
    fn rates_are_inversely_proportional_to_the_unit_of_time() {
        let [short, long] =
            [1e6, 1e12].map(|unit| unit * rate(Estimate::guess(7.0 * unit), 2.0 * unit));
        assert!((short / long - 1.0).abs() < 1e-9, "{short} {long}");
    }

    #[test]
    fn a_lower_estimate_has_a_higher_rate_but_a_high_one_still_has_some() {
        for sure in [None, Some(1.0)] {
            let rates: Vec<_> =
                (5..20).map(|digits| rate(Estimate::new(10_f64.powi(digits), sure), 1e6)).collect();
            assert!(rates.windows(2).all(|pair| pair[1] < pair[0]), "{rates:?}");
            assert!(rates[14] > 0.0);
        }
        assert_eq!(rate(Estimate::guess(f64::INFINITY), 1e6), 0.0);
    }
}

//! Medians with confidence intervals that assume no distribution of the measured times.

use serde::{Deserialize, Serialize};

/// A median with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MedianInterval {
    /// The median of the measured values.
    pub median: f64,
    /// The lower end of the interval; with fewer than six values, the smallest value.
    pub low: f64,
    /// The upper end of the interval; with fewer than six values, the largest value.
    pub high: f64,
}

impl MedianInterval {
    /// Returns the median of some values with its confidence interval; `None` without values.
    ///
    /// The ends of the interval are two of the sorted values. The interval is valid for any
    /// distribution, because the number of n values below the true median is binomial with p = 1/2
    /// (an inverted sign test).
    ///
    /// ```
    /// use compare::MedianInterval;
    ///
    /// let times = [5.0, 1.0, 2.0, 3.0, 4.0, 9.0, 7.0, 6.0, 8.0];
    /// let estimate = MedianInterval::of(times).expect("there are values");
    /// assert_eq!((estimate.low, estimate.median, estimate.high), (2.0, 5.0, 8.0));
    /// ```
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        if values.is_empty() {
            return None;
        }
        values.sort_unstable_by(f64::total_cmp);
        let count = values.len();
        let median = f64::midpoint(values[(count - 1) / 2], values[count / 2]);
        let rank = rank(count);
        Some(Self { median, low: values[rank], high: values[count - 1 - rank] })
    }

    /// Returns half the width of the interval, divided by the median.
    #[must_use]
    pub fn spread(&self) -> f64 {
        (self.high - self.low) / 2.0 / self.median.abs().max(f64::MIN_POSITIVE)
    }
}

/// Returns how many of `count` sorted values lie below the interval; as many lie above it.
fn rank(count: usize) -> usize {
    // Probability that at most `rank` of the values are below the median.
    let mut below = 0.5_f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
    let (mut chance, mut rank) = (below, 0);
    for next in 1..count / 2 {
        below *= (count - next + 1) as f64 / next as f64;
        chance += below;
        if chance > 0.025 {
            break;
        }
        rank = next;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_ranks_match_the_sign_test_table() {
        // Expected numbers from Conover's table of the two-sided sign test at the level of 5 %.
        for (count, expected) in
            [(1, 0), (5, 0), (6, 0), (8, 0), (9, 1), (11, 1), (12, 2), (20, 5), (50, 17)]
        {
            assert_eq!(rank(count), expected, "{count} values");
        }
    }

    #[test]
    fn the_median_of_an_even_number_of_values_is_the_mean_of_the_middle_two() {
        let estimate = MedianInterval::of([4.0, 1.0]).unwrap();
        assert_eq!((estimate.low, estimate.median, estimate.high), (1.0, 2.5, 4.0));
        assert_eq!(estimate.spread(), 0.6);
        assert_eq!(MedianInterval::of([]), None);
    }
}

//! What trials have told of pairs of items: by how much the costs rise where both are covered together, or apart.
//!
//! A pair that was good at one node is mostly good at others, so trials begin with those of which most is expected. A pair
//! that was never tried is expected to be as good as the mean of all trials, the less the further its fraction is
//! from one half. What is expected decides only what is tried and when, never what is left out.
//!
//! Memory: at most `PAIRS_MAX` pairs; when there are as many, all are forgotten.

use std::collections::HashMap;

/// Two items, the lesser number first.
pub(super) type Pair = (u32, u32);

/// No more pairs are known: some 3 MB.
pub(super) const PAIRS_MAX: usize = 1 << 16;
/// The rise of the lesser side counts this much more than that of the other.
const LESSER: f64 = 5.0;
/// What is expected of a pair that was tried counts at least by this, however uneven its fraction is.
const EVEN_SHARE: f64 = 0.5;

/// The sums of the rises of both sides of a pair, and of how many trials.
#[derive(Clone, Copy, Debug, Default)]
struct RiseSum {
    sums: [f64; 2],
    count: u32,
}

/// The rises of all pairs that were tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Rises {
    sums_of: HashMap<Pair, RiseSum>,
    /// Of all trials.
    score_sum: f64,
    count: u32,
}

/// Returns what a pair is worth whose sides rise so much.
pub(super) fn score(rises: [f64; 2]) -> f64 {
    rises[0].min(rises[1]) * LESSER + rises[0].max(rises[1])
}

impl Rises {
    /// Notes what a trial of a pair has told.
    pub(super) fn note(&mut self, pair: Pair, rises: [f64; 2]) {
        if self.sums_of.len() >= PAIRS_MAX {
            self.sums_of.clear();
        }
        let known = self.sums_of.entry(pair).or_default();
        known.sums[0] += rises[0];
        known.sums[1] += rises[1];
        known.count += 1;
        self.score_sum += score(rises);
        self.count = self.count.saturating_add(1);
    }

    /// Returns what is expected of a pair that the optimum covers together by the fraction `sum`.
    pub(super) fn expected(&self, pair: Pair, sum: f64) -> f64 {
        let evenness = 4.0 * sum * (1.0 - sum);
        match self.sums_of.get(&pair) {
            Some(known) => {
                let means = known.sums.map(|sum| sum / f64::from(known.count));
                score(means) * (EVEN_SHARE + (1.0 - EVEN_SHARE) * evenness)
            }
            None if self.count == 0 => evenness,
            None => self.score_sum / f64::from(self.count) * evenness,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_expected_to_rise_as_it_did_and_a_new_one_as_all_did() {
        let mut rises = Rises::default();
        assert!(rises.expected((0, 1), 0.5) > rises.expected((0, 1), 0.9));
        rises.note((0, 1), [2.0, 4.0]);
        rises.note((0, 1), [4.0, 4.0]);
        rises.note((2, 3), [0.0, 1.0]);
        let known = score([3.0, 4.0]);
        let mean = (score([2.0, 4.0]) + score([4.0, 4.0]) + score([0.0, 1.0])) / 3.0;
        assert!((rises.expected((0, 1), 0.5) - known).abs() < 1e-9);
        assert!((rises.expected((4, 5), 0.5) - mean).abs() < 1e-9);
        assert!(rises.expected((0, 1), 0.01) > rises.expected((4, 5), 0.01));
    }

    #[test]
    fn no_more_pairs_are_known_than_the_bound_says() {
        let mut rises = Rises::default();
        for first in 0..PAIRS_MAX as u32 + 10 {
            rises.note((first, first + 1), [1.0, 1.0]);
        }
        assert!(rises.sums_of.len() <= PAIRS_MAX);
        assert!(rises.sums_of.contains_key(&(PAIRS_MAX as u32 + 9, PAIRS_MAX as u32 + 10)));
    }
}

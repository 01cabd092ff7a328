//! Statistics of tried item pairs: the rise of the cost if one option covers both items
//! ("together"), and if different options do ("apart").
//!
//! Good pairs usually stay good at other nodes, so the pairs with the highest expected score are
//! tried first. The expected score of a new pair is the mean of all trials, scaled down the further
//! its fraction is from one half. Expectations affect only the order and number of trials.
//!
//! Memory: at most `PAIRS_MAX` pairs. When the table is full, all pairs are dropped.

use std::collections::HashMap;

/// Two items, the smaller number first.
pub(super) type Pair = (u32, u32);

/// Maximum number of pairs stored (about 3 MB).
pub(super) const PAIRS_MAX: usize = 1 << 16;
/// Weight of the smaller rise of a pair relative to the larger rise.
const LESSER: f64 = 5.0;
/// Smallest factor applied to the expected score of a known pair, however far its fraction is from
/// one half.
const EVEN_SHARE: f64 = 0.5;

#[derive(Clone, Copy, Debug, Default)]
struct RiseSum {
    sums: [f64; 2],
    count: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Rises {
    sums_of: HashMap<Pair, RiseSum>,
    score_sum: f64,
    count: u32,
}

pub(super) fn score(rises: [f64; 2]) -> f64 {
    rises[0].min(rises[1]) * LESSER + rises[0].max(rises[1])
}

impl Rises {
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

    /// Returns the expected score of a pair that the optimum covers together by the fraction `sum`.
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
    fn the_expected_score_is_the_mean_of_the_pair_or_of_all_pairs_for_new_pairs() {
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
    fn the_statistics_store_at_most_pairs_max_pairs() {
        let mut rises = Rises::default();
        for first in 0..PAIRS_MAX as u32 + 10 {
            rises.note((first, first + 1), [1.0, 1.0]);
        }
        assert!(rises.sums_of.len() <= PAIRS_MAX);
        assert!(rises.sums_of.contains_key(&(PAIRS_MAX as u32 + 9, PAIRS_MAX as u32 + 10)));
    }
}

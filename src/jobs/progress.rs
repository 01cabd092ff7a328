//! Shows the progress of the shards, and estimates the remaining time.
//!
//! The model assumes that the time of a shard is a constant rate times its estimate, with random
//! deviation. A ratio estimator (Cochran, "Sampling techniques", 1977, chapter 6) determines the
//! rate and the deviation from the finished shards, including those of earlier runs. The interval
//! is the estimated remaining time plus or minus two standard errors.

use std::time::Duration;

/// Minimum number of finished shards before the remaining time is estimated.
const SHARDS_MIN: usize = 5;

#[derive(Clone, Debug, Default)]
pub(super) struct ShardProgress {
    /// The number of all shards, and the sum of their estimates.
    all: usize,
    total: f64,
    /// For the finished shards: their number, the sums of their estimates and seconds, and the sums
    /// of squares and products of both.
    done: usize,
    estimates: f64,
    seconds: f64,
    squares: [f64; 3],
}

impl ShardProgress {
    pub(super) fn new(estimates: impl ExactSizeIterator<Item = f64>) -> Self {
        Self { all: estimates.len(), total: estimates.sum(), ..Self::default() }
    }

    /// Records that a shard with this estimate took `seconds`.
    pub(super) fn add(&mut self, estimate: f64, seconds: f64) {
        self.done += 1;
        self.estimates += estimate;
        self.seconds += seconds;
        let squares = [estimate * estimate, estimate * seconds, seconds * seconds];
        self.squares.iter_mut().zip(squares).for_each(|(sum, square)| *sum += square);
    }

    /// Replaces a shard with parts that have the given estimates.
    pub(super) fn split(&mut self, estimate: f64, parts: impl ExactSizeIterator<Item = f64>) {
        self.all = self.all + parts.len() - 1;
        self.total += parts.sum::<f64>() - estimate;
    }

    /// Returns the seconds per unit of the estimate, once enough shards are finished.
    pub(super) fn rate(&self) -> Option<f64> {
        (self.done >= SHARDS_MIN && self.estimates > 0.0).then(|| self.seconds / self.estimates)
    }

    /// Returns a lower and an upper bound on the remaining seconds of work, if enough shards are
    /// finished.
    fn left(&self) -> Option<(f64, f64)> {
        if self.done < SHARDS_MIN || self.estimates <= 0.0 {
            return None;
        }
        let (done, rate) = (self.done as f64, self.seconds / self.estimates);
        let [estimates, products, seconds] = self.squares;
        let deviations = seconds - 2.0 * rate * products + rate * rate * estimates;
        let variance = (deviations / (done - 1.0)).max(0.0);
        let left = (self.total - self.estimates).max(0.0);
        // The error has two sources: the random deviation of the remaining shards, and the error of
        // the rate.
        let of_shards = variance * (self.all - self.done.min(self.all)) as f64;
        let of_rate = variance * done * (left / self.estimates).powi(2);
        let error = 2.0 * (of_shards + of_rate).sqrt();
        Some(((rate * left - error).max(0.0), rate * left + error))
    }

    /// Describes the progress, and the remaining time on `threads` threads.
    pub(super) fn words(&self, threads: usize) -> String {
        let Self { all, done, .. } = self;
        let share = 100.0 * self.estimates / self.total.max(f64::MIN_POSITIVE);
        let begin = format!("{done} of {all} shards, {share:.0} % of the estimated work");
        let Some((least, most)) = self.left() else { return begin };
        let threads = threads.max(1) as f64;
        let words = |seconds: f64| {
            let seconds = Duration::from_secs((seconds / threads).clamp(0.0, 1e12).ceil() as u64);
            indicatif::HumanDuration(seconds).to_string()
        };
        let (least, most) = (words(least), words(most));
        if least == most {
            return format!("{begin}, about {most} left");
        }
        format!("{begin}, {least} to {most} left")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remaining_time_has_an_interval_from_the_spread_of_finished_shards() {
        let even = (0..10).map(|_| (1.0, 60.0));
        let uneven = (0..10).map(|shard| (1.0, if shard % 2 == 0 { 20.0 } else { 100.0 }));
        let words = |shards: &mut dyn Iterator<Item = (f64, f64)>, threads| {
            let mut progress = ShardProgress::new([1.0; 40].into_iter());
            shards.for_each(|(estimate, seconds)| progress.add(estimate, seconds));
            progress.words(threads)
        };
        assert_eq!(
            words(&mut even.clone(), 1),
            "10 of 40 shards, 25 % of the estimated work, about 30 minutes left"
        );
        assert_eq!(
            words(&mut even.clone(), 3),
            "10 of 40 shards, 25 % of the estimated work, about 10 minutes left"
        );
        assert_eq!(
            words(&mut uneven.clone(), 1),
            "10 of 40 shards, 25 % of the estimated work, 15 minutes to 45 minutes left"
        );
        assert_eq!(words(&mut even.take(4), 1), "4 of 40 shards, 10 % of the estimated work");
    }
}

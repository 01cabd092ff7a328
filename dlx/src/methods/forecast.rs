//! How much work a search takes that finds again what it has counted, foreseen from its own progress.
//!
//! The part of the tree that is done, as the choices on the way tell it, counts each branch of a node alike. But what one
//! branch had to count the next ones find, so the first branch of a node takes most of its work, and that part grows ever
//! faster: about as a power of the work. The power is measured between now and a moment when the work was at most
//! two thirds of this, and taken to go on. It does so roughly. Of searches with a memo, what was foreseen at a quarter and at
//! half of the work was, in times of what it took: sparse graphs 1.1 to 8.8 and 0.8 to 3.7 (work in proportion: 7 to 11 and
//! 1.4 to 11), crews 0.6 and 4 to 6 (6 to 10), allotments 20 to 30 and 2 to 4 (1000 to 2300 and 90 to 400). Trains, of which nearly
//! all of the tree is done in the last moment, are foreseen no better: 40 to 80 times too much. Early forecasts say too much
//! rather than too little, and those of forms by orders of magnitude before much was found again.
//!
//! Beyond [`DOUBLINGS_MAX`] doublings of the work nobody knows: from there on the part grows in proportion, so that a search
//! which is far from its end promises little.

/// The most doublings of the work for which the power is expected to go on.
const DOUBLINGS_MAX: f64 = 8.0;
/// Two moments say something of each other if the work between grew by this factor.
const STRIDE: f64 = 1.5;
/// The work at which the first moment is noted.
const FIRST: f64 = 100_000.0;

/// What was told at the last two moments, each with the work so far, which doubles in between.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments([(f64, f64); 2]);

impl Moments {
    /// Notes what is told, if the work has doubled since the last moment.
    pub(super) fn note(&mut self, work: f64, told: f64) {
        let last = self.0[1];
        if work >= 2.0 * last.0 {
            self.0 = [last, (work, told)];
        }
    }

    /// Returns the last moment with much less work, and what was told then.
    pub(super) fn before(&self, work: f64) -> Option<(f64, f64)> {
        self.0.iter().rev().copied().find(|then| then.0 > 0.0 && then.0 * STRIDE <= work)
    }
}

/// The part of a tree that was done at some moments.
#[derive(Clone, Debug)]
pub(super) struct Forecast {
    /// The largest power that is believed.
    power_max: f64,
    moments: Moments,
}

impl Forecast {
    /// Makes a forecast that believes in powers up to this.
    pub(super) fn new(power_max: f64) -> Self {
        Self { power_max, moments: Moments::default() }
    }

    /// Notes how far the search is, if the work has doubled since it was noted last.
    pub(super) fn note(&mut self, work: f64, fraction: f64) {
        if work >= FIRST && fraction > 0.0 {
            self.moments.note(work, fraction);
        }
    }

    /// Returns the work of the whole search, of which so much is done; `None` before it is seen how that grows: a search that
    /// is on its way down has done less than it seemed before.
    pub(super) fn total(&self, work: f64, fraction: f64) -> Option<f64> {
        let then = self.moments.before(work)?;
        let power = (fraction / then.1).log2() / (work / then.0).log2();
        let doublings = doublings(-fraction.log2(), power.clamp(1.0, self.power_max));
        (power > 0.0).then(|| work * doublings.exp2())
    }
}

/// Returns how often the work doubles while the part that is done does so `left` times.
fn doublings(left: f64, power: f64) -> f64 {
    let all = left / power;
    if all <= DOUBLINGS_MAX { all } else { left - (power - 1.0) * DOUBLINGS_MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what is foreseen at `work`, of a search whose part done is that power of it and 1 at `total`, in shares of
    /// that.
    fn foreseen(power: f64, work: f64, total: f64) -> f64 {
        let mut forecast = Forecast::new(4.0);
        let fraction = |work: f64| (work / total).powf(power);
        let moments = (0..).map(|step| FIRST * 1.3_f64.powi(step));
        moments.take_while(|&now| now < work).for_each(|now| forecast.note(now, fraction(now)));
        forecast.total(work, fraction(work)).expect("it has grown") / total
    }

    #[test]
    fn a_power_of_the_work_is_foreseen_exactly() {
        for power in [1.0, 1.5, 2.4, 4.0] {
            for work in [5e6, 1e7, 3e8] {
                let share = foreseen(power, work, 1e9);
                assert!((share - 1.0).abs() < 1e-6, "{power} at {work}: {share}");
            }
        }
    }

    #[test]
    fn what_is_far_from_its_end_promises_little() {
        // 13 doublings of the work are left, of which 8 are believed to go on.
        let share = foreseen(3.0, 1e12 / 8192.0, 1e12);
        assert!((share - 1024.0).abs() < 1e-3, "{share}");
    }

    #[test]
    fn nothing_is_foreseen_before_the_work_has_grown() {
        let mut forecast = Forecast::new(4.0);
        assert_eq!(forecast.total(1e6, 0.25), None);
        forecast.note(1e6, 0.25);
        assert_eq!(forecast.total(1.4e6, 0.5), None);
        assert_eq!(forecast.total(2e6, 0.5), Some(4e6));
        assert_eq!(forecast.total(2e6, 0.1), None);
    }
}

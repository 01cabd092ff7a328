//! Linear and logarithmic scales, which map values to positions, with their ticks.

/// Minimum ratio of the largest to the smallest value on a logarithmic scale.
const FACTOR_MIN: f64 = 5.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    is_log: bool,
    /// The values at the two ends; on a logarithmic scale, their logarithms.
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    pub(super) fn linear((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self { is_log: false, low, high, from, to }
    }

    /// Returns a logarithmic scale for the positive values, with a margin; `None` if there are
    /// none.
    pub(super) fn log(values: impl Iterator<Item = f64>, (from, to): (f64, f64)) -> Option<Self> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            return None;
        }
        let (low, high) = (low.ln(), high.ln());
        let room = (0.04 * (high - low)).max((FACTOR_MIN.ln() - (high - low)) / 2.0);
        Some(Self { is_log: true, low: low - room, high: high + room, from, to })
    }

    pub(super) fn between(self, (from, to): (f64, f64)) -> Self {
        Self { from, to, ..self }
    }

    /// Returns the position of a value; a value outside the scale is at its nearer end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if self.is_log { value.max(f64::MIN_POSITIVE).ln() } else { value };
        let part = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + part * (self.to - self.from)
    }

    pub(super) fn ends(&self) -> (f64, f64) {
        if self.is_log { (self.low.exp(), self.high.exp()) } else { (self.low, self.high) }
    }

    pub(super) fn ticks(&self, count: usize) -> Vec<f64> {
        if !self.is_log {
            return linear_ticks(self.low, self.high, count);
        }
        let (low, high) = self.ends();
        let (first, last) = (low.log10().ceil() as i32, high.log10().floor() as i32);
        let decades = (last - first + 1).max(0) as usize;
        if decades >= 3 {
            let step = decades.div_ceil(count.max(1));
            return (first..=last).step_by(step).map(|exponent| 10_f64.powi(exponent)).collect();
        }
        for digits in [&[1.0, 2.0, 5.0][..], &[1.0, 3.0], &[1.0]] {
            let decades = first - 1..=last;
            let ticks = decades.flat_map(|e| digits.iter().map(move |digit| digit * 10_f64.powi(e)));
            let ticks: Vec<f64> = ticks.filter(|tick| (low..=high).contains(tick)).collect();
            if ticks.len() <= count {
                return ticks;
            }
        }
        Vec::new()
    }
}

fn linear_ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let rough = (high - low) / count.max(1) as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let digit = [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= rough * 0.999);
    let step = (digit.unwrap_or(10.0) * power).max(1.0);
    let first = (low / step).ceil() as i64;
    (first..).map(|index| index as f64 * step).take_while(|tick| *tick <= high * (1.0 + 1e-9)).collect()
}

/// Moves positions by small amounts until they are at least `gap` apart. All positions are clamped
/// to the range from `low` to `high`.
///
/// If there is not enough space, the distance is smaller than `gap`.
pub(super) fn spread(places: &[f64], gap: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    let gap = gap.min((high - low) / places.len().saturating_sub(1).max(1) as f64);
    // Positions that would be too close form a block, placed at the mean of its wanted positions.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &index in &order {
        let mut block = (places[index].min(high).max(low), 1);
        while let Some(&(start, count)) = blocks.last() {
            if start + count as f64 * gap <= block.0 {
                break;
            }
            blocks.pop();
            let (len, next) = (count as f64, block.1 as f64);
            block = ((start * len + (block.0 - len * gap) * next) / (len + next), count + block.1);
            block.0 = block.0.min(high - (block.1 - 1) as f64 * gap).max(low);
        }
        blocks.push(block);
    }
    let moved =
        blocks.iter().flat_map(|&(start, count)| (0..count).map(move |k| start + k as f64 * gap));
    let mut result = vec![0.0; places.len()];
    for (index, place) in order.into_iter().zip(moved) {
        result[index] = place;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_closer_than_the_gap_are_moved_apart() {
        assert_eq!(spread(&[10.0, 50.0], 20.0, (0.0, 100.0)), [10.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], 20.0, (0.0, 100.0)), [40.0, 60.0]);
        assert_eq!(spread(&[3.0, 1.0], 20.0, (0.0, 100.0)), [20.0, 0.0]);
        assert_eq!(spread(&[99.0, 98.0, 97.0], 20.0, (0.0, 100.0)), [100.0, 80.0, 60.0]);
        assert_eq!(spread(&[5.0; 3], 90.0, (0.0, 100.0)), [0.0, 50.0, 100.0]);
        assert_eq!(spread(&[95.0, 130.0, -7.0], 20.0, (0.0, 100.0)), [80.0, 100.0, 0.0]);
        assert!(spread(&[], 1.0, (0.0, 1.0)).is_empty());
    }

    #[test]
    fn ticks_are_few_and_at_round_numbers() {
        let log = |low, high| Scale::log([low, high].into_iter(), (0.0, 1.0)).unwrap().ticks(6);
        assert_eq!(log(1e-5, 1.0), [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0]);
        assert_eq!(log(1e-9, 1e3).len(), 5);
        assert_eq!(log(1.1, 1.1), [0.5, 1.0, 2.0]);
        assert_eq!(
            Scale::linear((0.0, 14.0), (0.0, 1.0)).ticks(8),
            [0., 2., 4., 6., 8., 10., 12., 14.]
        );
        assert_eq!(Scale::linear((0.0, 0.0), (0.0, 1.0)).ticks(8), [0.0, 1.0]);
    }

    #[test]
    fn values_outside_a_scale_are_drawn_at_its_nearer_end() {
        let scale = Scale::log([1.0, 100.0].into_iter(), (0.0, 10.0)).unwrap();
        assert!((scale.at(10.0) - 5.0).abs() < 1e-9);
        assert_eq!(scale.at(1e9), 10.0);
        assert_eq!(scale.at(0.0), 0.0);
        assert!(Scale::log([0.0, f64::NAN].into_iter(), (0.0, 1.0)).is_none());
    }
}

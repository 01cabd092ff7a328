//! Random numbers that are the same on every machine. Each seed and number has its own stream.
//!
//! The generator is SplitMix64 (G. Steele, D. Lea, C. Flood, 2014), which mixes the values of a
//! counter. The counter of a stream starts at a mixed value. Every stream runs through all 2^64
//! values, so two streams may overlap. For a million streams of a million numbers each, the
//! probability of an overlap is about one in a million.

#[derive(Clone, Debug)]
pub(crate) struct RandomStream(u64);

/// The golden ratio in 64 bits, rounded to an odd number.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl RandomStream {
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        Self(mix(mix(seed.wrapping_add(STEP)) ^ number.wrapping_mul(STEP)))
    }

    #[inline]
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Returns a uniformly random number below `limit`, which must not be 0.
    #[inline]
    pub(crate) fn below(&mut self, limit: u32) -> usize {
        // D. Lemire, Fast random integer generation in an interval (2019), with 64 random bits for
        // a number of 32 bits.
        loop {
            let product = u128::from(self.bits()) * u128::from(limit);
            let low = product as u64;
            if low >= u64::from(limit) || low >= u64::from(limit).wrapping_neg() % u64::from(limit) {
                return (product >> 64) as usize;
            }
        }
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            items.swap(end - 1, self.below(end as u32));
        }
    }
}

#[inline]
fn mix(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_below_a_limit_are_equally_likely() {
        let mut random = RandomStream::new(1, 2);
        let mut counts = [0; 7];
        (0..70_000).for_each(|_| counts[random.below(7)] += 1);
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}

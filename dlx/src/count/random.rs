//! A generator of pseudorandom numbers, for samples and estimates: fast, small, and the same everywhere.
//!
//! Source: Steele, Lea and Flood 2014 (SplitMix64).

/// Pseudorandom numbers of 64 bits.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Begins a sequence; those of different seeds have nothing in common.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(seed);
        Self(random.next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number of at least 0 and below 1, all multiples of 2^-53 alike.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 2.0_f64.powi(-53)
    }
}

//! Pseudorandom numbers for samples and estimates, identical on all machines.
//!
//! The state has 256 bits, because with 64 bits most of 10^50 covers could never be drawn.
//!
//! Source: xoshiro256++ (Blackman and Vigna 2018), seeded by SplitMix64 (Steele, Lea and Flood
//! 2014).

const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the SplitMix64 output for the state `number`. Changing one bit of the input changes
/// about half of the output bits.
pub(crate) const fn split_mix(number: u64) -> u64 {
    let number = number.wrapping_add(STRIDE);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// A pseudorandom number generator that gives the same sequence for the same seed on every machine.
///
/// ```
/// use dlx::Random;
///
/// let [mut one, mut same, mut other] = [7, 7, 8].map(Random::new);
/// let number = one.next_u64();
/// assert_eq!(number, same.next_u64());
/// assert_ne!(number, other.next_u64());
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// Creates a generator with this seed.
    #[must_use]
    pub fn new(mut seed: u64) -> Self {
        let state = std::array::from_fn(|_| {
            let mixed = split_mix(seed);
            seed = seed.wrapping_add(STRIDE);
            mixed
        });
        Self { state }
    }

    /// Returns the next number, uniformly distributed over all 2^64 values.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let number = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        number
    }

    /// Returns a number below `bound`, uniformly distributed up to a bias of less than `bound` /
    /// 2^64.
    ///
    /// # Panics
    /// If `bound` is 0.
    ///
    /// ```
    /// let mut random = dlx::Random::new(7);
    /// assert!((0..100).all(|_| random.below(6) < 6));
    /// ```
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is a number below the bound");
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Shuffles `things` uniformly.
    ///
    /// ```
    /// let mut numbers: Vec<u32> = (0..100).collect();
    /// dlx::Random::new(7).shuffle(&mut numbers);
    /// assert!(!numbers.is_sorted());
    /// numbers.sort_unstable();
    /// assert!(numbers.into_iter().eq(0..100));
    /// ```
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        (1..things.len()).rev().for_each(|last| things.swap(last, self.below(last + 1)));
    }

    /// Returns a uniformly distributed multiple of 2^-53, at least 0 and below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * 2.0_f64.powi(-53)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_agree_with_the_published_generator() {
        // The first numbers of the authors' program from the state 1, 2, 3, 4.
        let mut random = Random { state: [1, 2, 3, 4] };
        let numbers: Vec<u64> = (0..5).map(|_| random.next_u64()).collect();
        let expected = [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
            9_228_616_714_210_784_205,
        ];
        assert_eq!(numbers, expected);
    }
}

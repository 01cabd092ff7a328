//! Pseudorandom numbers, for samples and estimates: the same everywhere.
//!
//! Source: xoshiro256++ (Blackman and Vigna 2018), begun by SplitMix64 (Steele, Lea and Flood 2014). Its
//! 256 bits of state are enough for samples among 10^50 covers; 64 bits would leave most of them out.

/// By how much the state of SplitMix64 grows.
const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Scrambles a number: the next one of SplitMix64 after that state. Numbers that differ in any bit differ in about half of them then.
pub(crate) const fn split_mix(number: u64) -> u64 {
    let number = number.wrapping_add(STRIDE);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// A generator of pseudorandom numbers: the same ones for the same seed, on every machine.
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
    /// Makes the generator of that seed.
    #[must_use]
    pub fn new(mut seed: u64) -> Self {
        let state = std::array::from_fn(|_| {
            let mixed = split_mix(seed);
            seed = seed.wrapping_add(STRIDE);
            mixed
        });
        Self { state }
    }

    /// Returns the next number; each of the 2^64 is as likely.
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

    /// Returns a number below `bound`; each is as likely, but for a bias of less than `bound` in 2^64.
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

    /// Puts things into any order, each as likely.
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

    /// Returns a number of at least 0 and below 1, all multiples of 2^-53 alike.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * 2.0_f64.powi(-53)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        // From the states 1, 2, 3, 4, as the authors' own program gives them.
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

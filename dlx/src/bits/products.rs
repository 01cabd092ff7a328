//! Exact products of signed numbers of 16, 32 and 64 bits, 32 numbers at a time.
//!
//! A block contains 32 numbers of 16 bits. The products of 16-bit numbers need vectors of wider
//! lanes. Wider vectors may permute the lanes, but in the same way for all vectors of an
//! instruction set, so sums over lanes do not depend on the permutation.

use super::Block;

pub(crate) const NUMBERS: usize = 32;

pub(crate) trait Products: Copy {
    type Shorts: Copy;
    type Words: Copy;
    type Longs: Copy;

    fn shorts(self, block: &Block) -> Self::Shorts;
    fn put(self, numbers: Self::Shorts, block: &mut Block);
    fn splat(self, number: i16) -> Self::Shorts;
    fn sum(self, a: Self::Shorts, b: Self::Shorts) -> Self::Shorts;
    fn times(self, a: Self::Shorts, b: Self::Shorts) -> Self::Shorts;
    fn words(self, a: Self::Shorts, b: Self::Shorts) -> Self::Words;
    /// Widens the elements to 64 bits. The upper 32 bits of the results are unspecified.
    fn spread(self, numbers: Self::Words) -> Self::Longs;
    /// Returns the exact products of the lower 32 bits, as signed numbers.
    fn low_products(self, a: Self::Longs, b: Self::Longs) -> Self::Longs;
    /// Divides by 2^32, rounding to nearest. Only the lower 32 bits of the results are specified.
    /// The remainder of a number is its lower 32 bits, as a signed number.
    fn high(self, numbers: Self::Longs) -> Self::Longs;
    /// Same as [`Self::high`], dividing by 2^25.
    fn high25(self, numbers: Self::Longs) -> Self::Longs;
    /// Returns the remainders of [`Self::high25`]. Only the lower 32 bits of the results are
    /// specified.
    fn low25(self, numbers: Self::Longs) -> Self::Longs;
    fn raise(self, numbers: Self::Longs) -> Self::Longs;
    fn add(self, a: Self::Longs, b: Self::Longs) -> Self::Longs;
    fn negate(self, numbers: Self::Longs) -> Self::Longs;
    fn zeros(self) -> Self::Longs;
    fn get(self, numbers: Self::Longs) -> [i64; NUMBERS];

    /// Returns the products with [spread](Self::spread) numbers, modulo 2^64.
    #[inline(always)]
    fn scale(self, numbers: Self::Longs, by: Self::Longs) -> Self::Longs {
        let upper = self.low_products(self.high(numbers), by);
        self.add(self.low_products(numbers, by), self.raise(upper))
    }
}

//! Exact products of signed numbers, 32 at a time, of 16, 32 and 64 bits.
//!
//! A block holds 32 numbers of 16 bits. Their products use vectors of wider lanes. Wider vectors
//! may permute the lanes, but in the same way for all vectors of a leaf, so sums over lanes do not
//! depend on it.

use super::Block;

pub(crate) const NUMBERS: usize = 32;

/// The operations on 32 signed numbers for one instruction set.
pub(crate) trait Products: Copy {
    /// Numbers of 16 bits.
    type Shorts: Copy;
    /// Numbers of 32 bits.
    type Words: Copy;
    /// Numbers of 64 bits.
    type Longs: Copy;

    fn shorts(self, block: &Block) -> Self::Shorts;
    fn put(self, numbers: Self::Shorts, block: &mut Block);
    fn splat(self, number: i16) -> Self::Shorts;
    fn sum(self, a: Self::Shorts, b: Self::Shorts) -> Self::Shorts;
    /// Returns products modulo 2^16.
    fn times(self, a: Self::Shorts, b: Self::Shorts) -> Self::Shorts;
    /// Returns exact products.
    fn words(self, a: Self::Shorts, b: Self::Shorts) -> Self::Words;
    /// Widens numbers to 64 bits; the upper 32 bits of the result are unspecified.
    fn spread(self, numbers: Self::Words) -> Self::Longs;
    /// Returns the exact products of the lower 32 bits, as signed numbers.
    fn low_products(self, a: Self::Longs, b: Self::Longs) -> Self::Longs;
    /// Divides by 2^32, rounding to nearest; only the lower 32 bits of the result are specified.
    /// The remainder is the lower 32 bits of the number, as a signed number.
    fn high(self, numbers: Self::Longs) -> Self::Longs;
    /// Same as [`Self::high`], dividing by 2^25.
    fn high25(self, numbers: Self::Longs) -> Self::Longs;
    /// Returns the remainder of [`Self::high25`]; only the lower 32 bits are specified.
    fn low25(self, numbers: Self::Longs) -> Self::Longs;
    /// Returns numbers times 2^32, modulo 2^64.
    fn raise(self, numbers: Self::Longs) -> Self::Longs;
    fn add(self, a: Self::Longs, b: Self::Longs) -> Self::Longs;
    fn negate(self, numbers: Self::Longs) -> Self::Longs;
    fn zeros(self) -> Self::Longs;
    fn get(self, numbers: Self::Longs) -> [i64; NUMBERS];

    /// Returns products with [spread](Self::spread) numbers, modulo 2^64.
    #[inline(always)]
    fn scale(self, numbers: Self::Longs, by: Self::Longs) -> Self::Longs {
        let upper = self.low_products(self.high(numbers), by);
        self.add(self.low_products(numbers, by), self.raise(upper))
    }
}

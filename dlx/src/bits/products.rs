//! Exact products of small signed numbers, 32 side by side: of 16 bits, then 32, then 64.
//!
//! A block holds 32 numbers of 16 bits. Products of them go by way of vectors of wider lanes; the lanes of a wider vector
//! may come in another order, which is the same for all vectors of a leaf, so that sums of lanes do not depend on it.

use super::Block;

/// The numbers in a block.
pub(crate) const NUMBERS: usize = 32;

/// The operations on 32 signed numbers by one instruction set.
pub(crate) trait Products: Copy {
    /// Numbers of 16 bits.
    type Shorts: Copy;
    /// Numbers of 32 bits.
    type Words: Copy;
    /// Numbers of 64 bits.
    type Longs: Copy;

    fn shorts(self, block: &Block) -> Self::Shorts;
    fn put(self, numbers: Self::Shorts, block: &mut Block);
    /// Returns the same number in each lane.
    fn splat(self, number: i16) -> Self::Shorts;
    fn sum(self, a: Self::Shorts, b: Self::Shorts) -> Self::Shorts;
    /// Returns products, modulo 2^16.
    fn times(self, a: Self::Shorts, b: Self::Shorts) -> Self::Shorts;
    /// Returns whole products.
    fn words(self, a: Self::Shorts, b: Self::Shorts) -> Self::Words;
    /// Returns numbers whose lower 32 bits are those; the upper ones may be anything.
    fn spread(self, numbers: Self::Words) -> Self::Longs;
    /// Returns the whole products of the lower 32 bits, taken as signed.
    fn low_products(self, a: Self::Longs, b: Self::Longs) -> Self::Longs;
    /// Returns numbers whose lower 32 bits are those divided by 2^32, rounded to the nearest: what is missing are the
    /// lower 32 bits, taken as signed.
    fn high(self, numbers: Self::Longs) -> Self::Longs;
    /// Does the same with 2^25.
    fn high25(self, numbers: Self::Longs) -> Self::Longs;
    /// Returns numbers whose lower 32 bits are what is missing then.
    fn low25(self, numbers: Self::Longs) -> Self::Longs;
    /// Returns numbers times 2^32, modulo 2^64.
    fn raise(self, numbers: Self::Longs) -> Self::Longs;
    fn add(self, a: Self::Longs, b: Self::Longs) -> Self::Longs;
    fn negate(self, numbers: Self::Longs) -> Self::Longs;
    fn zeros(self) -> Self::Longs;
    fn get(self, numbers: Self::Longs) -> [i64; NUMBERS];

    /// Returns products with numbers that were [spread](Self::spread), modulo 2^64.
    #[inline(always)]
    fn scale(self, numbers: Self::Longs, by: Self::Longs) -> Self::Longs {
        let upper = self.low_products(self.high(numbers), by);
        self.add(self.low_products(numbers, by), self.raise(upper))
    }
}

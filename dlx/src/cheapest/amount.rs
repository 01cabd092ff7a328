//! The numbers in which bounds are kept: 64 bits where all sums fit, else 128.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A signed number of 64 or 128 bits.
pub(super) trait Amount:
    Copy
    + Debug
    + Default
    + Into<i128>
    + Ord
    + Add<Output = Self>
    + AddAssign
    + Neg<Output = Self>
    + Sub<Output = Self>
    + SubAssign
{
    /// What sums must stay below, as a power of two; a quarter of the range, so that differences fit.
    const BITS: u32;
    /// More than any sum.
    const INFINITY: Self;

    /// Converts a number that is known to fit.
    fn new(value: i128) -> Self;

    /// Multiplies by a power of two, the product being known to fit.
    fn shift(self, bits: u32) -> Self;

    /// Divides by two.
    fn half(self) -> Self;

    /// Multiplies by a number of times, the product being known to fit.
    fn times(self, count: i64) -> Self;

    /// Rounds to a floating-point number, for guesses only.
    fn to_f64(self) -> f64;

    /// Rounds from a floating-point number; too large ones become the largest number.
    fn from_f64(value: f64) -> Self;
}

/// Implements [`Amount`] for an integer type.
macro_rules! amount {
    ($type:ty) => {
        impl Amount for $type {
            const BITS: u32 = <$type>::BITS - 3;
            const INFINITY: Self = <$type>::MAX / 4;

            fn new(value: i128) -> Self {
                value as Self
            }

            fn shift(self, bits: u32) -> Self {
                self << bits
            }

            fn half(self) -> Self {
                self >> 1
            }

            fn times(self, count: i64) -> Self {
                self * Self::from(count)
            }

            fn to_f64(self) -> f64 {
                self as f64
            }

            fn from_f64(value: f64) -> Self {
                value as Self
            }
        }
    };
}

amount!(i64);
amount!(i128);

//! The number types for costs and bounds: 64 bits where all sums fit, otherwise 128.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

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
    /// All sums of costs must stay below 2 to this power, a quarter of the range, so that
    /// differences fit.
    const BITS: u32;
    const INFINITY: Self;

    /// Converts `value`, which must fit.
    fn new(value: i128) -> Self;

    fn shift(self, bits: u32) -> Self;

    fn half(self) -> Self;

    fn times(self, count: i64) -> Self;

    fn to_f64(self) -> f64;

    fn from_f64(value: f64) -> Self;
}

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

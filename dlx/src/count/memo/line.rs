//! Cache lines of counters and bits, in lanes of 8 to 64 bits.

use std::fmt::Debug;

/// What a lane holds: bits of options, or their number.
pub(super) trait Lane: Copy + Ord + Debug + Send + Sync + 'static {
    const BITS: usize;
    const ZERO: Self;
    const MAX: Self;

    /// Returns the lane in which only bit `k` is set.
    fn bit(k: usize) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn not(self) -> Self;
    /// Adds, and wraps.
    fn plus(self, other: Self) -> Self;
    /// Returns the number of ones.
    fn ones(self) -> Self;
    fn to_u64(self) -> u64;
}

macro_rules! impl_lane {
    ($($int:ty)*) => {$(
        impl Lane for $int {
            const BITS: usize = <$int>::BITS as usize;
            const ZERO: Self = 0;
            const MAX: Self = <$int>::MAX;

            #[inline(always)]
            fn bit(k: usize) -> Self {
                1 << k
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn not(self) -> Self {
                !self
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "it is not for all widths")]
            fn ones(self) -> Self {
                self.count_ones() as Self
            }

            #[inline(always)]
            fn to_u64(self) -> u64 {
                self.into()
            }
        }
    )*};
}

impl_lane!(u8 u16 u32 u64);

/// 64 bytes of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Line<T, const N: usize>(pub(super) [T; N]);

const _: () = assert!(size_of::<Line<u16, 32>>() == 64, "a line is a cache line");

impl<T: Lane, const N: usize> Line<T, N> {
    pub(super) const ZERO: Self = Self([T::ZERO; N]);
    pub(super) const MAX: Self = Self([T::MAX; N]);

    /// Combines two lines, lane by lane.
    #[inline(always)]
    pub(super) fn zip(&self, other: &Self, f: impl Fn(T, T) -> T) -> Self {
        let mut result = Self::ZERO;
        for lane in 0..N {
            result.0[lane] = f(self.0[lane], other.0[lane]);
        }
        result
    }

    #[inline(always)]
    pub(super) fn and(&self, other: &Self) -> Self {
        self.zip(other, T::and)
    }
}

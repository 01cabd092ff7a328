//! The leaf for every processor: lanes as arrays, which compilers turn into what the target has.
#![allow(unsafe_code, reason = "the kernel leaves out bounds checks")]

use super::kernel::{self, Batch, Block, Kernel, Lanes, Leaf, Outcome, Shape, define_select};

pub(super) const LEAF: Leaf = Leaf { name: "portable", is_available: || true, select, exclude };

define_select!(expand, X8, X16, X32, X64);

/// # Safety
/// As for [`Kernel`]; no features are needed.
unsafe fn expand<L: Lanes, const GROUPS: usize, const CHUNKS: usize>(batch: &mut Batch<'_>) -> Outcome {
    // SAFETY: the caller's.
    unsafe { kernel::expand::<L, GROUPS, CHUNKS>(batch) }
}

/// # Safety
/// As for [`kernel::Exclude`]; no features are needed.
unsafe fn exclude(row: &mut [Block], excluded: &[Block], allowed: &[Block]) {
    // SAFETY: the caller's.
    unsafe { kernel::exclude::<X64>(row, excluded, allowed) }
}

/// Implements lanes of an unsigned type.
macro_rules! define_lanes {
    ($name:ident, $lane:ty, $lanes:literal, $none:literal) => {
        struct $name;

        impl $name {
            #[inline(always)]
            fn map(
                a: [$lane; $lanes],
                b: [$lane; $lanes],
                f: fn($lane, $lane) -> $lane,
            ) -> [$lane; $lanes] {
                std::array::from_fn(|i| f(a[i], b[i]))
            }
        }

        #[allow(clippy::cast_lossless, reason = "some widths need a cast")]
        impl Lanes for $name {
            type Vector = [$lane; $lanes];
            const LANES: usize = $lanes;
            const NONE: u32 = $none;

            #[inline(always)]
            unsafe fn load(block: &Block) -> Self::Vector {
                let (mut vector, bytes) = ([0; $lanes], size_of::<$lane>());
                for (i, lane) in vector.iter_mut().enumerate() {
                    *lane = (block.0[i * bytes / 8] >> (i * bytes % 8 * 8)) as $lane;
                }
                vector
            }

            #[inline(always)]
            unsafe fn store(vector: Self::Vector, block: &mut Block) {
                let bytes = size_of::<$lane>();
                *block = Block::ZERO;
                for (i, lane) in vector.into_iter().enumerate() {
                    block.0[i * bytes / 8] |= u64::from(lane) << (i * bytes % 8 * 8);
                }
            }

            #[inline(always)]
            unsafe fn ones() -> Self::Vector {
                [<$lane>::MAX; $lanes]
            }

            #[inline(always)]
            unsafe fn and(a: Self::Vector, b: Self::Vector) -> Self::Vector {
                Self::map(a, b, |a, b| a & b)
            }

            #[inline(always)]
            unsafe fn without(a: Self::Vector, b: Self::Vector) -> Self::Vector {
                Self::map(a, b, |a, b| a & !b)
            }

            #[inline(always)]
            unsafe fn count(count: Self::Vector, bits: Self::Vector) -> Self::Vector {
                Self::map(count, bits, |count, bits| count.wrapping_add(bits.count_ones() as $lane))
            }

            #[inline(always)]
            unsafe fn min(a: Self::Vector, b: Self::Vector) -> Self::Vector {
                Self::map(a, b, |a, b| a.min(b))
            }

            #[inline(always)]
            unsafe fn least(vector: Self::Vector) -> u32 {
                vector.into_iter().fold(<$lane>::MAX, |a, b| a.min(b)) as u32 & $none
            }

            #[inline(always)]
            unsafe fn equal(vector: Self::Vector, value: u32) -> u64 {
                let mut equal = 0;
                for (i, lane) in vector.into_iter().enumerate() {
                    equal |= u64::from(lane as u32 & $none == value) << i;
                }
                equal
            }
        }
    };
}

define_lanes!(X8, u8, 64, 0xff);
define_lanes!(X16, u16, 32, 0xffff);
define_lanes!(X32, u32, 16, 0xffff);
define_lanes!(X64, u64, 8, 0xffff);

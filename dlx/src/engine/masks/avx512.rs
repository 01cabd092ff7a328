//! The leaf for AVX-512 with VPOPCNT for lanes of all widths (Intel from Ice Lake, AMD from Zen 4).
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use std::arch::x86_64::*;

use super::kernel;
use super::kernel::{Batch, Block, Kernel, Lanes, Leaf, Outcome, Shape, define_select};

pub(super) const LEAF: Leaf = Leaf { name: "avx512", is_available, select, exclude };

fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("lzcnt")
}

define_select!(expand, X8, X16, X32, X64);

/// # Safety
/// As for [`Kernel`]: the processor must have these features.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx512vpopcntdq,bmi1,lzcnt")]
unsafe fn expand<L: Lanes, const GROUPS: usize, const CHUNKS: usize>(batch: &mut Batch<'_>) -> Outcome {
    // SAFETY: the caller's.
    unsafe { kernel::expand::<L, GROUPS, CHUNKS>(batch) }
}

/// # Safety
/// As for [`kernel::Exclude`]: the processor must have these features.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx512vpopcntdq,bmi1,lzcnt")]
unsafe fn exclude(row: &mut [Block], excluded: &[Block], allowed: &[Block]) {
    // SAFETY: the caller's.
    unsafe { kernel::exclude::<X64>(row, excluded, allowed) }
}

/// Implements lanes of a width by the instructions for it.
macro_rules! define_lanes {
    ($name:ident, $lanes:literal, $none:literal, $popcount:ident, $add:ident, $min:ident,
     $splat:ident as $int:ty, $equal:ident, $least:ident) => {
        struct $name;

        // SAFETY (all): instances run only in `expand`, which has the features; a block is aligned to 64.
        impl Lanes for $name {
            type Vector = __m512i;
            const LANES: usize = $lanes;
            const NONE: u32 = $none;

            #[inline(always)]
            unsafe fn load(block: &Block) -> __m512i {
                unsafe { _mm512_load_si512(block.0.as_ptr().cast()) }
            }

            #[inline(always)]
            unsafe fn store(vector: __m512i, block: &mut Block) {
                unsafe { _mm512_store_si512(block.0.as_mut_ptr().cast(), vector) }
            }

            #[inline(always)]
            unsafe fn ones() -> __m512i {
                unsafe { _mm512_set1_epi64(-1) }
            }

            #[inline(always)]
            unsafe fn and(a: __m512i, b: __m512i) -> __m512i {
                unsafe { _mm512_and_si512(a, b) }
            }

            #[inline(always)]
            unsafe fn without(a: __m512i, b: __m512i) -> __m512i {
                unsafe { _mm512_andnot_si512(b, a) }
            }

            #[inline(always)]
            unsafe fn count(count: __m512i, bits: __m512i) -> __m512i {
                unsafe { $add(count, $popcount(bits)) }
            }

            #[inline(always)]
            unsafe fn min(a: __m512i, b: __m512i) -> __m512i {
                unsafe { $min(a, b) }
            }

            #[inline(always)]
            unsafe fn least(vector: __m512i) -> u32 {
                unsafe { $least(vector) }
            }

            #[inline(always)]
            unsafe fn equal(vector: __m512i, value: u32) -> u64 {
                unsafe { u64::from($equal(vector, $splat(value as $int))) }
            }
        }
    };
}

define_lanes!(
    X8,
    64,
    0xff,
    _mm512_popcnt_epi8,
    _mm512_add_epi8,
    _mm512_min_epu8,
    _mm512_set1_epi8 as i8,
    _mm512_cmpeq_epi8_mask,
    least_of_8
);
define_lanes!(
    X16,
    32,
    0xffff,
    _mm512_popcnt_epi16,
    _mm512_add_epi16,
    _mm512_min_epu16,
    _mm512_set1_epi16 as i16,
    _mm512_cmpeq_epi16_mask,
    least_of_16
);
// Numbers of options fit in 16 bits, so that the others are shortened to that before the last steps, and
// 0xffff stands for all ones.
define_lanes!(
    X32,
    16,
    0xffff,
    _mm512_popcnt_epi32,
    _mm512_add_epi32,
    _mm512_min_epu32,
    _mm512_set1_epi32 as i32,
    _mm512_cmpeq_epi32_mask,
    least_of_32
);
define_lanes!(
    X64,
    8,
    0xffff,
    _mm512_popcnt_epi64,
    _mm512_add_epi64,
    _mm512_min_epu64,
    _mm512_set1_epi64 as i64,
    _mm512_cmpeq_epi64_mask,
    least_of_64
);

/// The least of 64 bytes, by way of the one instruction that finds a least lane.
#[inline(always)]
unsafe fn least_of_8(vector: __m512i) -> u32 {
    // SAFETY: the caller's.
    unsafe {
        let half =
            _mm256_min_epu8(_mm512_castsi512_si256(vector), _mm512_extracti64x4_epi64::<1>(vector));
        let quarter = _mm_min_epu8(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
        // In each pair of bytes the lower one becomes the lesser, the upper one 0.
        let pairs = _mm_min_epu8(quarter, _mm_srli_epi16::<8>(quarter));
        _mm_cvtsi128_si32(_mm_minpos_epu16(pairs)) as u32 & 0xffff
    }
}

#[inline(always)]
unsafe fn least_of_16(vector: __m512i) -> u32 {
    // SAFETY: the caller's.
    unsafe {
        let half =
            _mm256_min_epu16(_mm512_castsi512_si256(vector), _mm512_extracti64x4_epi64::<1>(vector));
        least_of_half(half)
    }
}

#[inline(always)]
unsafe fn least_of_32(vector: __m512i) -> u32 {
    // SAFETY: the caller's.
    unsafe { least_of_half(_mm512_cvtepi32_epi16(vector)) }
}

#[inline(always)]
unsafe fn least_of_64(vector: __m512i) -> u32 {
    // SAFETY: the caller's.
    unsafe { _mm_cvtsi128_si32(_mm_minpos_epu16(_mm512_cvtepi64_epi16(vector))) as u32 & 0xffff }
}

/// The least of 16 lanes of 16 bits.
#[inline(always)]
unsafe fn least_of_half(half: __m256i) -> u32 {
    // SAFETY: the caller's.
    unsafe {
        let quarter = _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
        _mm_cvtsi128_si32(_mm_minpos_epu16(quarter)) as u32 & 0xffff
    }
}

//! The leaf for AVX2: a block is two registers, and ones are counted by a table of nibbles.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use std::arch::x86_64::*;

use super::kernel;
use super::kernel::{Batch, Block, Kernel, Lanes, Leaf, Outcome, Shape, define_select};

pub(super) const LEAF: Leaf = Leaf { name: "avx2", is_available, select, exclude };

fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

define_select!(expand, X8, X16, X32, X64);

/// # Safety
/// As for [`Kernel`]: the processor must have these features.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
unsafe fn expand<L: Lanes, const GROUPS: usize, const CHUNKS: usize>(batch: &mut Batch<'_>) -> Outcome {
    // SAFETY: the caller's.
    unsafe { kernel::expand::<L, GROUPS, CHUNKS>(batch) }
}

/// # Safety
/// As for [`kernel::Exclude`]: the processor must have these features.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
unsafe fn exclude(row: &mut [Block], excluded: &[Block], allowed: &[Block]) {
    // SAFETY: the caller's.
    unsafe { kernel::exclude::<X64>(row, excluded, allowed) }
}

/// The two halves of a block.
#[derive(Clone, Copy)]
struct Halves(__m256i, __m256i);

/// Implements lanes of a width by the instructions for it; `$sum` adds the counts of a lane's bytes.
macro_rules! define_lanes {
    ($name:ident, $lanes:literal, $none:literal, $sum:ident, $add:ident, $min:ident,
     $splat:ident as $int:ty, $equal:ident, $least:ident, $mask:ident) => {
        struct $name;

        // SAFETY (all): instances run only in `expand`, which has the features; a block is aligned to 64.
        impl Lanes for $name {
            type Vector = Halves;
            const LANES: usize = $lanes;
            const NONE: u32 = $none;

            #[inline(always)]
            unsafe fn load(block: &Block) -> Halves {
                let [low, high]: &[__m256i; 2] = unsafe { &*std::ptr::from_ref(block).cast() };
                Halves(*low, *high)
            }

            #[inline(always)]
            unsafe fn store(vector: Halves, block: &mut Block) {
                unsafe { *std::ptr::from_mut(block).cast() = [vector.0, vector.1] }
            }

            #[inline(always)]
            unsafe fn ones() -> Halves {
                let ones = unsafe { _mm256_set1_epi64x(-1) };
                Halves(ones, ones)
            }

            #[inline(always)]
            unsafe fn and(a: Halves, b: Halves) -> Halves {
                unsafe { Halves(_mm256_and_si256(a.0, b.0), _mm256_and_si256(a.1, b.1)) }
            }

            #[inline(always)]
            unsafe fn without(a: Halves, b: Halves) -> Halves {
                unsafe { Halves(_mm256_andnot_si256(b.0, a.0), _mm256_andnot_si256(b.1, a.1)) }
            }

            #[inline(always)]
            unsafe fn count(count: Halves, bits: Halves) -> Halves {
                unsafe {
                    let (low, high) = (popcount_bytes(bits.0), popcount_bytes(bits.1));
                    Halves($add(count.0, $sum(low)), $add(count.1, $sum(high)))
                }
            }

            #[inline(always)]
            unsafe fn min(a: Halves, b: Halves) -> Halves {
                unsafe { Halves($min(a.0, b.0), $min(a.1, b.1)) }
            }

            #[inline(always)]
            unsafe fn least(vector: Halves) -> u32 {
                unsafe {
                    let half = $min(vector.0, vector.1);
                    $least(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half))
                }
            }

            #[inline(always)]
            unsafe fn equal(vector: Halves, value: u32) -> u64 {
                unsafe {
                    let value = $splat(value as $int);
                    $mask($equal(vector.0, value), $equal(vector.1, value))
                }
            }
        }
    };
}

define_lanes!(
    X8,
    64,
    0xff,
    same,
    _mm256_add_epi8,
    _mm256_min_epu8,
    _mm256_set1_epi8 as i8,
    _mm256_cmpeq_epi8,
    least_of_8,
    mask_of_8
);
define_lanes!(
    X16,
    32,
    0xffff,
    sum_pairs,
    _mm256_add_epi16,
    _mm256_min_epu16,
    _mm256_set1_epi16 as i16,
    _mm256_cmpeq_epi16,
    least_of_16,
    mask_of_16
);
define_lanes!(
    X32,
    16,
    0xffff,
    sum_fours,
    _mm256_add_epi32,
    _mm256_min_epu32,
    _mm256_set1_epi32 as i32,
    _mm256_cmpeq_epi32,
    least_of_32,
    mask_of_32
);
// The upper half of a lane is 0 or, like the lower one, all ones: so halves can be compared for themselves.
define_lanes!(
    X64,
    8,
    0xffff,
    sum_eights,
    _mm256_add_epi64,
    _mm256_min_epu32,
    _mm256_set1_epi64x as i64,
    _mm256_cmpeq_epi64,
    least_of_64,
    mask_of_64
);

/// Counts the ones of each byte.
#[inline(always)]
unsafe fn popcount_bytes(bits: __m256i) -> __m256i {
    // SAFETY: the caller's.
    unsafe {
        let table =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        let nibble = _mm256_set1_epi8(0xf);
        let low = _mm256_and_si256(bits, nibble);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bits), nibble);
        _mm256_add_epi8(_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high))
    }
}

#[inline(always)]
unsafe fn same(bytes: __m256i) -> __m256i {
    bytes
}

#[inline(always)]
unsafe fn sum_pairs(bytes: __m256i) -> __m256i {
    // SAFETY: the caller's.
    unsafe { _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)) }
}

#[inline(always)]
unsafe fn sum_fours(bytes: __m256i) -> __m256i {
    // SAFETY: the caller's.
    unsafe { _mm256_madd_epi16(sum_pairs(bytes), _mm256_set1_epi16(1)) }
}

#[inline(always)]
unsafe fn sum_eights(bytes: __m256i) -> __m256i {
    // SAFETY: the caller's.
    unsafe { _mm256_sad_epu8(bytes, _mm256_setzero_si256()) }
}

#[inline(always)]
unsafe fn least_of_8(low: __m128i, high: __m128i) -> u32 {
    // SAFETY: the caller's.
    unsafe {
        let least = _mm_min_epu8(low, high);
        // In each pair of bytes the lower one becomes the lesser, the upper one 0.
        let pairs = _mm_min_epu8(least, _mm_srli_epi16::<8>(least));
        _mm_cvtsi128_si32(_mm_minpos_epu16(pairs)) as u32 & 0xffff
    }
}

#[inline(always)]
unsafe fn least_of_16(low: __m128i, high: __m128i) -> u32 {
    // SAFETY: the caller's.
    unsafe { _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu16(low, high))) as u32 & 0xffff }
}

#[inline(always)]
unsafe fn least_of_32(low: __m128i, high: __m128i) -> u32 {
    // SAFETY: the caller's.
    unsafe {
        let four = _mm_min_epu32(low, high);
        let two = _mm_min_epu32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        let one = _mm_min_epu32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
        _mm_cvtsi128_si32(one) as u32 & 0xffff
    }
}

#[inline(always)]
unsafe fn least_of_64(low: __m128i, high: __m128i) -> u32 {
    // SAFETY: the caller's.
    unsafe {
        let two = _mm_min_epu32(low, high);
        let one = _mm_min_epu32(two, _mm_shuffle_epi32::<0b01_00_11_10>(two));
        _mm_cvtsi128_si32(one) as u32 & 0xffff
    }
}

#[inline(always)]
unsafe fn mask_of_8(low: __m256i, high: __m256i) -> u64 {
    // SAFETY: the caller's.
    let [low, high] = unsafe { [_mm256_movemask_epi8(low), _mm256_movemask_epi8(high)] };
    u64::from(low as u32) | u64::from(high as u32) << 32
}

#[inline(always)]
unsafe fn mask_of_16(low: __m256i, high: __m256i) -> u64 {
    // SAFETY: the caller's.
    let mask = unsafe {
        // Packing takes quarters by turns.
        let packed = _mm256_packs_epi16(low, high);
        _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
    };
    u64::from(mask as u32)
}

#[inline(always)]
unsafe fn mask_of_32(low: __m256i, high: __m256i) -> u64 {
    // SAFETY: the caller's.
    let [low, high] = unsafe {
        [_mm256_movemask_ps(_mm256_castsi256_ps(low)), _mm256_movemask_ps(_mm256_castsi256_ps(high))]
    };
    (low | high << 8) as u64
}

#[inline(always)]
unsafe fn mask_of_64(low: __m256i, high: __m256i) -> u64 {
    // SAFETY: the caller's.
    let [low, high] = unsafe {
        [_mm256_movemask_pd(_mm256_castsi256_pd(low)), _mm256_movemask_pd(_mm256_castsi256_pd(high))]
    };
    (low | high << 4) as u64
}

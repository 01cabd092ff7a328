//! AVX2: a block is two registers, and a table lookup per nibble counts ones.
#![allow(
    unsafe_code,
    reason = "vector instructions, used only where a token says that the processor has them"
)]

use std::arch::x86_64::*;

use super::super::vectors::{Vectors, Work, compiled_with, each, operations};
use super::super::{Block, NUMBERS, Products};

/// Proof that the processor has the instructions of AVX2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(super) fn new() -> Option<Self> {
        let is_available = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        is_available.then_some(Self(()))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Halves(__m256i, __m256i);

macro_rules! define_lanes {
    ($name:ident, $lanes:literal, $none:literal, $sum:ident, $add:ident, $min:ident,
     $splat:ident as $int:ty, $equal:ident, $least:ident, $mask:ident) => {
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name(pub(super) Avx2);

        impl Vectors for $name {
            type Vector = Halves;
            const LANES: usize = $lanes;
            const NONE: u32 = $none;
            type Numbers = Avx2;

            #[inline(always)]
            fn numbers(self) -> Avx2 {
                self.0
            }

            compiled_with!((enable = "avx2,bmi1,lzcnt,popcnt"));

            operations! {
                fn load(self, block: &Block) -> Halves {
                    let halves: *const __m256i = block.0.as_ptr().cast();
                    Halves(_mm256_load_si256(halves), _mm256_load_si256(halves.add(1)))
                }

                fn store(self, vector: Halves, block: &mut Block) {
                    let halves: *mut __m256i = block.0.as_mut_ptr().cast();
                    _mm256_store_si256(halves, vector.0);
                    _mm256_store_si256(halves.add(1), vector.1);
                }

                fn ones(self) -> Halves {
                    let ones = _mm256_set1_epi64x(-1);
                    Halves(ones, ones)
                }

                fn and(self, a: Halves, b: Halves) -> Halves {
                    Halves(_mm256_and_si256(a.0, b.0), _mm256_and_si256(a.1, b.1))
                }

                fn without(self, a: Halves, b: Halves) -> Halves {
                    Halves(_mm256_andnot_si256(b.0, a.0), _mm256_andnot_si256(b.1, a.1))
                }

                fn count(self, count: Halves, bits: Halves) -> Halves {
                    let (low, high) = (popcount_bytes(bits.0), popcount_bytes(bits.1));
                    Halves($add(count.0, $sum(low)), $add(count.1, $sum(high)))
                }

                fn min(self, a: Halves, b: Halves) -> Halves {
                    Halves($min(a.0, b.0), $min(a.1, b.1))
                }

                fn least(self, vector: Halves) -> u32 {
                    let half = $min(vector.0, vector.1);
                    $least(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half))
                }

                fn equal(self, vector: Halves, value: u32) -> u64 {
                    let value = $splat(value as $int);
                    $mask($equal(vector.0, value), $equal(vector.1, value))
                }
            }
        }
    };
}

define_lanes!(
    Lanes8,
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
    Lanes16,
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
    Lanes32,
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
// The upper half of a 64-bit lane is 0 or, like the lower half, all ones, so 32-bit comparisons
// work on both halves separately.
define_lanes!(
    Lanes64,
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

impl Products for Avx2 {
    type Shorts = [__m256i; 2];
    type Words = [__m256i; 4];
    type Longs = [__m256i; 8];

    operations! {
        fn shorts(self, block: &Block) -> [__m256i; 2] {
            let halves: *const __m256i = block.0.as_ptr().cast();
            [_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))]
        }

        fn put(self, numbers: [__m256i; 2], block: &mut Block) {
            let halves: *mut __m256i = block.0.as_mut_ptr().cast();
            _mm256_store_si256(halves, numbers[0]);
            _mm256_store_si256(halves.add(1), numbers[1]);
        }

        fn splat(self, number: i16) -> [__m256i; 2] {
            [_mm256_set1_epi16(number); 2]
        }

        fn sum(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])]
        }

        fn times(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_mullo_epi16(a[0], b[0]), _mm256_mullo_epi16(a[1], b[1])]
        }

        fn words(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 4] {
            let [low, high] = [_mm256_mullo_epi16(a[0], b[0]), _mm256_mulhi_epi16(a[0], b[0])];
            let [low_2, high_2] = [_mm256_mullo_epi16(a[1], b[1]), _mm256_mulhi_epi16(a[1], b[1])];
            [
                _mm256_unpacklo_epi16(low, high),
                _mm256_unpackhi_epi16(low, high),
                _mm256_unpacklo_epi16(low_2, high_2),
                _mm256_unpackhi_epi16(low_2, high_2),
            ]
        }

        fn spread(self, numbers: [__m256i; 4]) -> [__m256i; 8] {
            let [a, b, c, d] = numbers;
            let [e, f, g, h] = each!(|I| 0 1 2 3, _mm256_srli_epi64::<32>(numbers[I]));
            [a, b, c, d, e, f, g, h]
        }

        fn low_products(self, a: [__m256i; 8], b: [__m256i; 8]) -> [__m256i; 8] {
            each!(|I| 0 1 2 3 4 5 6 7, _mm256_mul_epi32(a[I], b[I]))
        }

        fn high(self, numbers: [__m256i; 8]) -> [__m256i; 8] {
            let half = _mm256_set1_epi64x(1 << 31);
            each!(|I| 0 1 2 3 4 5 6 7, _mm256_srli_epi64::<32>(_mm256_add_epi64(numbers[I], half)))
        }

        fn high25(self, numbers: [__m256i; 8]) -> [__m256i; 8] {
            let half = _mm256_set1_epi64x(1 << 24);
            each!(|I| 0 1 2 3 4 5 6 7, _mm256_srli_epi64::<25>(_mm256_add_epi64(numbers[I], half)))
        }

        fn low25(self, numbers: [__m256i; 8]) -> [__m256i; 8] {
            each!(|I| 0 1 2 3 4 5 6 7, _mm256_srai_epi32::<7>(_mm256_slli_epi32::<7>(numbers[I])))
        }

        fn raise(self, numbers: [__m256i; 8]) -> [__m256i; 8] {
            each!(|I| 0 1 2 3 4 5 6 7, _mm256_slli_epi64::<32>(numbers[I]))
        }

        fn add(self, a: [__m256i; 8], b: [__m256i; 8]) -> [__m256i; 8] {
            each!(|I| 0 1 2 3 4 5 6 7, _mm256_add_epi64(a[I], b[I]))
        }

        fn negate(self, numbers: [__m256i; 8]) -> [__m256i; 8] {
            let zero = _mm256_setzero_si256();
            each!(|I| 0 1 2 3 4 5 6 7, _mm256_sub_epi64(zero, numbers[I]))
        }

        fn zeros(self) -> [__m256i; 8] {
            [_mm256_setzero_si256(); 8]
        }

        fn get(self, numbers: [__m256i; 8]) -> [i64; NUMBERS] {
            let mut lanes = [0; NUMBERS];
            for (lanes, number) in lanes.chunks_exact_mut(4).zip(numbers) {
                _mm256_storeu_si256(lanes.as_mut_ptr().cast(), number);
            }
            lanes
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn popcount_bytes(bits: __m256i) -> __m256i {
    let table =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    let nibble = _mm256_set1_epi8(0xf);
    let low = _mm256_and_si256(bits, nibble);
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bits), nibble);
    _mm256_add_epi8(_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high))
}

#[inline]
#[target_feature(enable = "avx2")]
fn same(bytes: __m256i) -> __m256i {
    bytes
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_pairs(bytes: __m256i) -> __m256i {
    _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_fours(bytes: __m256i) -> __m256i {
    _mm256_madd_epi16(sum_pairs(bytes), _mm256_set1_epi16(1))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_eights(bytes: __m256i) -> __m256i {
    _mm256_sad_epu8(bytes, _mm256_setzero_si256())
}

#[inline]
#[target_feature(enable = "avx2")]
fn least_of_8(low: __m128i, high: __m128i) -> u32 {
    let least = _mm_min_epu8(low, high);
    // In each pair of bytes, the lower byte becomes the minimum and the upper byte 0.
    let pairs = _mm_min_epu8(least, _mm_srli_epi16::<8>(least));
    _mm_cvtsi128_si32(_mm_minpos_epu16(pairs)) as u32 & 0xffff
}

#[inline]
#[target_feature(enable = "avx2")]
fn least_of_16(low: __m128i, high: __m128i) -> u32 {
    _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu16(low, high))) as u32 & 0xffff
}

#[inline]
#[target_feature(enable = "avx2")]
fn least_of_32(low: __m128i, high: __m128i) -> u32 {
    let four = _mm_min_epu32(low, high);
    let two = _mm_min_epu32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_min_epu32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one) as u32 & 0xffff
}

#[inline]
#[target_feature(enable = "avx2")]
fn least_of_64(low: __m128i, high: __m128i) -> u32 {
    let two = _mm_min_epu32(low, high);
    let one = _mm_min_epu32(two, _mm_shuffle_epi32::<0b01_00_11_10>(two));
    _mm_cvtsi128_si32(one) as u32 & 0xffff
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask_of_8(low: __m256i, high: __m256i) -> u64 {
    let [low, high] = [_mm256_movemask_epi8(low), _mm256_movemask_epi8(high)];
    u64::from(low as u32) | u64::from(high as u32) << 32
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask_of_16(low: __m256i, high: __m256i) -> u64 {
    // Packing interleaves the 64-bit quarters of both operands, which the permutation undoes.
    let packed = _mm256_packs_epi16(low, high);
    let mask = _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed));
    u64::from(mask as u32)
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask_of_32(low: __m256i, high: __m256i) -> u64 {
    let [low, high] = [low, high].map(|half| _mm256_movemask_ps(_mm256_castsi256_ps(half)));
    (low | high << 8) as u64
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask_of_64(low: __m256i, high: __m256i) -> u64 {
    let [low, high] = [low, high].map(|half| _mm256_movemask_pd(_mm256_castsi256_pd(half)));
    (low | high << 4) as u64
}

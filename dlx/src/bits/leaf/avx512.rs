//! AVX-512 with VPOPCNT for lanes of all widths (Intel from Ice Lake, AMD from Zen 4).
#![allow(
    unsafe_code,
    reason = "vector instructions, used only where a token says that the processor has them"
)]

use std::arch::x86_64::*;

use super::super::vectors::{Vectors, Work, compiled_with, each, operations};
use super::super::{Block, NUMBERS, Products};

/// Proof that the processor has the AVX-512 instructions that this module uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx512(());

impl Avx512 {
    pub(super) fn new() -> Option<Self> {
        let is_available = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        is_available.then_some(Self(()))
    }
}

macro_rules! define_lanes {
    ($name:ident, $lanes:literal, $none:literal, $popcount:ident, $add:ident, $min:ident,
     $splat:ident as $int:ty, $equal:ident, $least:ident) => {
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name(pub(super) Avx512);

        impl Vectors for $name {
            type Vector = __m512i;
            const LANES: usize = $lanes;
            const NONE: u32 = $none;
            type Numbers = Avx512;

            #[inline(always)]
            fn numbers(self) -> Avx512 {
                self.0
            }

            compiled_with!((
                enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512bitalg,avx512vpopcntdq,bmi1,lzcnt,popcnt"
            ));

            operations! {
                fn load(self, block: &Block) -> __m512i {
                    _mm512_load_si512(block.0.as_ptr().cast())
                }

                fn store(self, vector: __m512i, block: &mut Block) {
                    _mm512_store_si512(block.0.as_mut_ptr().cast(), vector)
                }

                fn ones(self) -> __m512i {
                    _mm512_set1_epi64(-1)
                }

                fn and(self, a: __m512i, b: __m512i) -> __m512i {
                    _mm512_and_si512(a, b)
                }

                fn without(self, a: __m512i, b: __m512i) -> __m512i {
                    _mm512_andnot_si512(b, a)
                }

                fn count(self, count: __m512i, bits: __m512i) -> __m512i {
                    $add(count, $popcount(bits))
                }

                fn min(self, a: __m512i, b: __m512i) -> __m512i {
                    $min(a, b)
                }

                fn least(self, vector: __m512i) -> u32 {
                    $least(vector)
                }

                fn equal(self, vector: __m512i, value: u32) -> u64 {
                    u64::from($equal(vector, $splat(value as $int)))
                }
            }
        }
    };
}

define_lanes!(
    Lanes8,
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
    Lanes16,
    32,
    0xffff,
    _mm512_popcnt_epi16,
    _mm512_add_epi16,
    _mm512_min_epu16,
    _mm512_set1_epi16 as i16,
    _mm512_cmpeq_epi16_mask,
    least_of_16
);
// Option counts fit in 16 bits, so wider lanes are narrowed to 16 bits to find the smallest, and
// 0xffff represents all ones.
define_lanes!(
    Lanes32,
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
    Lanes64,
    8,
    0xffff,
    _mm512_popcnt_epi64,
    _mm512_add_epi64,
    _mm512_min_epu64,
    _mm512_set1_epi64 as i64,
    _mm512_cmpeq_epi64_mask,
    least_of_64
);

impl Products for Avx512 {
    type Shorts = __m512i;
    type Words = [__m512i; 2];
    type Longs = [__m512i; 4];

    operations! {
        fn shorts(self, block: &Block) -> __m512i {
            _mm512_load_si512(block.0.as_ptr().cast())
        }

        fn put(self, numbers: __m512i, block: &mut Block) {
            _mm512_store_si512(block.0.as_mut_ptr().cast(), numbers);
        }

        fn splat(self, number: i16) -> __m512i {
            _mm512_set1_epi16(number)
        }

        fn sum(self, a: __m512i, b: __m512i) -> __m512i {
            _mm512_add_epi16(a, b)
        }

        fn times(self, a: __m512i, b: __m512i) -> __m512i {
            _mm512_mullo_epi16(a, b)
        }

        fn words(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
            let (low, high) = (_mm512_mullo_epi16(a, b), _mm512_mulhi_epi16(a, b));
            [_mm512_unpacklo_epi16(low, high), _mm512_unpackhi_epi16(low, high)]
        }

        fn spread(self, [a, b]: [__m512i; 2]) -> [__m512i; 4] {
            [a, _mm512_srli_epi64::<32>(a), b, _mm512_srli_epi64::<32>(b)]
        }

        fn low_products(self, a: [__m512i; 4], b: [__m512i; 4]) -> [__m512i; 4] {
            each!(|I| 0 1 2 3, _mm512_mul_epi32(a[I], b[I]))
        }

        fn high(self, numbers: [__m512i; 4]) -> [__m512i; 4] {
            let half = _mm512_set1_epi64(1 << 31);
            each!(|I| 0 1 2 3, _mm512_srli_epi64::<32>(_mm512_add_epi64(numbers[I], half)))
        }

        fn high25(self, numbers: [__m512i; 4]) -> [__m512i; 4] {
            let half = _mm512_set1_epi64(1 << 24);
            each!(|I| 0 1 2 3, _mm512_srli_epi64::<25>(_mm512_add_epi64(numbers[I], half)))
        }

        fn low25(self, numbers: [__m512i; 4]) -> [__m512i; 4] {
            each!(|I| 0 1 2 3, _mm512_srai_epi32::<7>(_mm512_slli_epi32::<7>(numbers[I])))
        }

        fn raise(self, numbers: [__m512i; 4]) -> [__m512i; 4] {
            each!(|I| 0 1 2 3, _mm512_slli_epi64::<32>(numbers[I]))
        }

        fn add(self, a: [__m512i; 4], b: [__m512i; 4]) -> [__m512i; 4] {
            each!(|I| 0 1 2 3, _mm512_add_epi64(a[I], b[I]))
        }

        fn negate(self, numbers: [__m512i; 4]) -> [__m512i; 4] {
            let zero = _mm512_setzero_si512();
            each!(|I| 0 1 2 3, _mm512_sub_epi64(zero, numbers[I]))
        }

        fn zeros(self) -> [__m512i; 4] {
            [_mm512_setzero_si512(); 4]
        }

        fn get(self, numbers: [__m512i; 4]) -> [i64; NUMBERS] {
            let mut lanes = [0; NUMBERS];
            for (lanes, number) in lanes.chunks_exact_mut(8).zip(numbers) {
                _mm512_storeu_si512(lanes.as_mut_ptr().cast(), number);
            }
            lanes
        }
    }
}

/// Returns the smallest of 64 bytes, using the only instruction for a horizontal minimum.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn least_of_8(vector: __m512i) -> u32 {
    let half = _mm256_min_epu8(_mm512_castsi512_si256(vector), _mm512_extracti64x4_epi64::<1>(vector));
    let quarter = _mm_min_epu8(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
    // In each pair of bytes, the lower byte becomes the minimum and the upper byte 0.
    let pairs = _mm_min_epu8(quarter, _mm_srli_epi16::<8>(quarter));
    _mm_cvtsi128_si32(_mm_minpos_epu16(pairs)) as u32 & 0xffff
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn least_of_16(vector: __m512i) -> u32 {
    let half = _mm256_min_epu16(_mm512_castsi512_si256(vector), _mm512_extracti64x4_epi64::<1>(vector));
    least_of_half(half)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn least_of_32(vector: __m512i) -> u32 {
    least_of_half(_mm512_cvtepi32_epi16(vector))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn least_of_64(vector: __m512i) -> u32 {
    _mm_cvtsi128_si32(_mm_minpos_epu16(_mm512_cvtepi64_epi16(vector))) as u32 & 0xffff
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn least_of_half(half: __m256i) -> u32 {
    let quarter = _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
    _mm_cvtsi128_si32(_mm_minpos_epu16(quarter)) as u32 & 0xffff
}

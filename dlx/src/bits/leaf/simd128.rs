//! WebAssembly with vectors: a block is four registers of 128 bits, and an instruction counts the
//! ones of bytes. The target has the instructions for the whole program, without detection.
#![allow(unsafe_code, reason = "loads and stores of vectors take pointers")]

use std::arch::wasm32::*;

use super::super::vectors::{Vectors, Work, each};
use super::super::{Block, NUMBERS, Products};

macro_rules! define_lanes {
    ($name:ident, $lanes:literal, $none:literal, $sum:ident, $add:ident, $min:ident,
     $splat:ident as $int:ty, $equal:ident, $least:ident, $mask:ident) => {
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name;

        impl Vectors for $name {
            type Vector = [v128; 4];
            const LANES: usize = $lanes;
            const NONE: u32 = $none;
            type Numbers = Simd128;

            #[inline(always)]
            fn numbers(self) -> Simd128 {
                Simd128
            }

            #[inline(always)]
            fn run<W: Work>(self, work: W) -> W::Output {
                work.run(self)
            }

            #[inline(always)]
            fn load(self, block: &Block) -> [v128; 4] {
                let quarters: *const v128 = block.0.as_ptr().cast();
                // SAFETY: a block has the size of four vectors, and at least their alignment.
                unsafe { each!(|I| 0 1 2 3, v128_load(quarters.add(I))) }
            }

            #[inline(always)]
            fn store(self, vector: [v128; 4], block: &mut Block) {
                let quarters: *mut v128 = block.0.as_mut_ptr().cast();
                // SAFETY: a block has the size of four vectors, and at least their alignment.
                unsafe { each!(|I| 0 1 2 3, v128_store(quarters.add(I), vector[I])) };
            }

            #[inline(always)]
            fn ones(self) -> [v128; 4] {
                [i64x2_splat(-1); 4]
            }

            #[inline(always)]
            fn and(self, a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
                each!(|I| 0 1 2 3, v128_and(a[I], b[I]))
            }

            #[inline(always)]
            fn without(self, a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
                each!(|I| 0 1 2 3, v128_andnot(a[I], b[I]))
            }

            #[inline(always)]
            fn count(self, count: [v128; 4], bits: [v128; 4]) -> [v128; 4] {
                each!(|I| 0 1 2 3, $add(count[I], $sum(u8x16_popcnt(bits[I]))))
            }

            #[inline(always)]
            fn min(self, a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
                each!(|I| 0 1 2 3, $min(a[I], b[I]))
            }

            #[inline(always)]
            fn least(self, [a, b, c, d]: [v128; 4]) -> u32 {
                $least($min($min(a, b), $min(c, d)))
            }

            #[inline(always)]
            fn equal(self, vector: [v128; 4], value: u32) -> u64 {
                let value = $splat(value as $int);
                $mask(each!(|I| 0 1 2 3, $equal(vector[I], value)))
            }
        }
    };
}

define_lanes!(
    Lanes8,
    64,
    0xff,
    same,
    u8x16_add,
    u8x16_min,
    u8x16_splat as u8,
    u8x16_eq,
    least_of_8,
    mask_of_8
);
define_lanes!(
    Lanes16,
    32,
    0xffff,
    u16x8_extadd_pairwise_u8x16,
    u16x8_add,
    u16x8_min,
    u16x8_splat as u16,
    u16x8_eq,
    least_of_16,
    mask_of_16
);
define_lanes!(
    Lanes32,
    16,
    0xffff,
    sum_fours,
    u32x4_add,
    u32x4_min,
    u32x4_splat as u32,
    u32x4_eq,
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
    u64x2_add,
    u32x4_min,
    u64x2_splat as u64,
    u64x2_eq,
    least_of_64,
    mask_of_64
);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

impl Products for Simd128 {
    type Shorts = [v128; 4];
    type Words = [v128; 8];
    type Longs = [v128; 16];

    #[inline(always)]
    fn shorts(self, block: &Block) -> [v128; 4] {
        Lanes16.load(block)
    }

    #[inline(always)]
    fn put(self, numbers: [v128; 4], block: &mut Block) {
        Lanes16.store(numbers, block);
    }

    #[inline(always)]
    fn splat(self, number: i16) -> [v128; 4] {
        [i16x8_splat(number); 4]
    }

    #[inline(always)]
    fn sum(self, a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
        each!(|I| 0 1 2 3, i16x8_add(a[I], b[I]))
    }

    #[inline(always)]
    fn times(self, a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
        each!(|I| 0 1 2 3, i16x8_mul(a[I], b[I]))
    }

    #[inline(always)]
    fn words(self, a: [v128; 4], b: [v128; 4]) -> [v128; 8] {
        let [low, high] = [
            each!(|I| 0 1 2 3, i32x4_extmul_low_i16x8(a[I], b[I])),
            each!(|I| 0 1 2 3, i32x4_extmul_high_i16x8(a[I], b[I])),
        ];
        [low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]]
    }

    #[inline(always)]
    fn spread(self, numbers: [v128; 8]) -> [v128; 16] {
        let low = each!(|I| 0 1 2 3 4 5 6 7, i64x2_extend_low_i32x4(numbers[I]));
        let high = each!(|I| 0 1 2 3 4 5 6 7, i64x2_extend_high_i32x4(numbers[I]));
        let [a, b, c, d, e, f, g, h] = low;
        let [i, j, k, l, m, n, o, p] = high;
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
    }

    #[inline(always)]
    fn low_products(self, a: [v128; 16], b: [v128; 16]) -> [v128; 16] {
        each!(|I| 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, product(a[I], b[I]))
    }

    #[inline(always)]
    fn high(self, numbers: [v128; 16]) -> [v128; 16] {
        let half = i64x2_splat(1 << 31);
        each!(|I| 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, i64x2_shr(i64x2_add(numbers[I], half), 32))
    }

    #[inline(always)]
    fn high25(self, numbers: [v128; 16]) -> [v128; 16] {
        let half = i64x2_splat(1 << 24);
        each!(|I| 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, u64x2_shr(i64x2_add(numbers[I], half), 25))
    }

    #[inline(always)]
    fn low25(self, numbers: [v128; 16]) -> [v128; 16] {
        each!(|I| 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, i32x4_shr(i32x4_shl(numbers[I], 7), 7))
    }

    #[inline(always)]
    fn raise(self, numbers: [v128; 16]) -> [v128; 16] {
        each!(|I| 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, i64x2_shl(numbers[I], 32))
    }

    #[inline(always)]
    fn add(self, a: [v128; 16], b: [v128; 16]) -> [v128; 16] {
        each!(|I| 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, i64x2_add(a[I], b[I]))
    }

    #[inline(always)]
    fn negate(self, numbers: [v128; 16]) -> [v128; 16] {
        each!(|I| 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, i64x2_neg(numbers[I]))
    }

    #[inline(always)]
    fn zeros(self) -> [v128; 16] {
        [i64x2_splat(0); 16]
    }

    #[inline(always)]
    fn get(self, numbers: [v128; 16]) -> [i64; NUMBERS] {
        let mut lanes = [0; NUMBERS];
        for (lanes, number) in lanes.chunks_exact_mut(2).zip(numbers) {
            lanes[0] = i64x2_extract_lane::<0>(number);
            lanes[1] = i64x2_extract_lane::<1>(number);
        }
        lanes
    }
}

/// Returns the products of the lower halves of 64-bit lanes.
#[inline(always)]
fn product(a: v128, b: v128) -> v128 {
    i64x2_extmul_low_i32x4(i32x4_shuffle::<0, 2, 0, 2>(a, a), i32x4_shuffle::<0, 2, 0, 2>(b, b))
}

#[inline(always)]
fn same(bytes: v128) -> v128 {
    bytes
}

#[inline(always)]
fn sum_fours(bytes: v128) -> v128 {
    u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(bytes))
}

#[inline(always)]
fn sum_eights(bytes: v128) -> v128 {
    let fours = sum_fours(bytes);
    u64x2_add(v128_and(fours, u64x2_splat(0xffff_ffff)), u64x2_shr(fours, 32))
}

#[inline(always)]
fn least_of_8(lanes: v128) -> u32 {
    // In each pair of bytes, the lower byte becomes the minimum and the upper byte 0.
    let pairs = u8x16_min(lanes, u16x8_shr(lanes, 8));
    least_of_16(pairs) & 0xff
}

#[inline(always)]
fn least_of_16(lanes: v128) -> u32 {
    let four = u16x8_min(lanes, u64x2_shuffle::<1, 0>(lanes, lanes));
    let two = u16x8_min(four, u32x4_shuffle::<1, 0, 3, 2>(four, four));
    let both = u32x4_extract_lane::<0>(two);
    (both & 0xffff).min(both >> 16)
}

#[inline(always)]
fn least_of_32(lanes: v128) -> u32 {
    let two = u32x4_min(lanes, u64x2_shuffle::<1, 0>(lanes, lanes));
    let both = u64x2_extract_lane::<0>(two);
    (both as u32).min((both >> 32) as u32) & 0xffff
}

#[inline(always)]
fn least_of_64(lanes: v128) -> u32 {
    let two = u32x4_min(lanes, u64x2_shuffle::<1, 0>(lanes, lanes));
    u32x4_extract_lane::<0>(two) & 0xffff
}

#[inline(always)]
fn mask_of_8([a, b, c, d]: [v128; 4]) -> u64 {
    let mask = |lanes| u64::from(u8x16_bitmask(lanes));
    mask(a) | mask(b) << 16 | mask(c) << 32 | mask(d) << 48
}

#[inline(always)]
fn mask_of_16([a, b, c, d]: [v128; 4]) -> u64 {
    let mask = |low, high| u64::from(u8x16_bitmask(i8x16_narrow_i16x8(low, high)));
    mask(a, b) | mask(c, d) << 16
}

#[inline(always)]
fn mask_of_32([a, b, c, d]: [v128; 4]) -> u64 {
    let [low, high] = [i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d)];
    u64::from(u8x16_bitmask(i8x16_narrow_i16x8(low, high)))
}

#[inline(always)]
fn mask_of_64([a, b, c, d]: [v128; 4]) -> u64 {
    let mask = |lanes| u64::from(u64x2_bitmask(lanes));
    mask(a) | mask(b) << 2 | mask(c) << 4 | mask(d) << 6
}

//! The leaf for AVX-512 in registers of 256 bits: 16 searches at once, for a puzzle that is alone.
//!
//! A step has as many instructions as with 32 lanes, but where the processor takes twice as many of this
//! width in a cycle it takes half the time, and a single puzzle seldom has work for more lanes.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use std::arch::x86_64::*;

use super::board::WORDS;
use super::branch::{self, Bundle, Choice};
use super::round::{self, Events};
use super::search::Search;
use super::vector::{Vector, compile_for};
use super::{Leaf, Run, avx512};

/// A leaf of its own too, so that it can be compared and is tested as the others are.
pub(super) const LEAF: Leaf = Leaf { name: "avx512vl", build, build_alone: build, ..avx512::LEAF };

pub(super) fn build() -> Box<dyn Run> {
    Box::new(Search::<X16>::new())
}

/// 16 lanes.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct X16(__m256i);

type This = X16;

/// Any function of three words: bit 4a + 2b + c of the table is its value for the bits a, b and c.
macro_rules! logic {
    ($table:literal, $a:expr, $b:expr, $c:expr) => {
        X16(unsafe { _mm256_ternarylogic_epi64::<$table>($a.0, $b.0, $c.0) })
    };
}

// SAFETY (all): methods are called only where the leaf is available; a register is 16 words.
unsafe impl Vector for X16 {
    const LANES: usize = 16;
    type Order = __m256i;

    #[inline(always)]
    unsafe fn splat(word: u16) -> Self {
        Self(unsafe { _mm256_set1_epi16(word.cast_signed()) })
    }

    #[inline(always)]
    unsafe fn and(self, b: Self) -> Self {
        Self(unsafe { _mm256_and_si256(self.0, b.0) })
    }

    #[inline(always)]
    unsafe fn not_and(self, b: Self) -> Self {
        Self(unsafe { _mm256_andnot_si256(self.0, b.0) })
    }

    #[inline(always)]
    unsafe fn or(self, b: Self) -> Self {
        Self(unsafe { _mm256_or_si256(self.0, b.0) })
    }

    #[inline(always)]
    unsafe fn xor(self, b: Self) -> Self {
        Self(unsafe { _mm256_xor_si256(self.0, b.0) })
    }

    #[inline(always)]
    unsafe fn or3(self, b: Self, c: Self) -> Self {
        logic!(0b1111_1110, self, b, c)
    }

    #[inline(always)]
    unsafe fn odd(self, b: Self, c: Self) -> Self {
        logic!(0b1001_0110, self, b, c)
    }

    #[inline(always)]
    unsafe fn most(self, b: Self, c: Self) -> Self {
        logic!(0b1110_1000, self, b, c)
    }

    #[inline(always)]
    unsafe fn just_one(self, b: Self, c: Self) -> Self {
        logic!(0b0001_0110, self, b, c)
    }

    #[inline(always)]
    unsafe fn and_or(self, b: Self, c: Self) -> Self {
        logic!(0b1110_1010, self, b, c)
    }

    #[inline(always)]
    unsafe fn unless(self, b: Self, c: Self) -> Self {
        logic!(0b1011_0000, self, b, c)
    }

    #[inline(always)]
    unsafe fn or_differ(self, b: Self, c: Self) -> Self {
        logic!(0b1111_0110, self, b, c)
    }

    #[inline(always)]
    unsafe fn select(self, b: Self, c: Self) -> Self {
        logic!(0b1100_1010, self, b, c)
    }

    #[inline(always)]
    unsafe fn up<const N: u32>(self) -> Self {
        Self(unsafe { _mm256_sll_epi16(self.0, _mm_cvtsi32_si128(N.cast_signed())) })
    }

    #[inline(always)]
    unsafe fn down<const N: u32>(self) -> Self {
        Self(unsafe { _mm256_srl_epi16(self.0, _mm_cvtsi32_si128(N.cast_signed())) })
    }

    #[inline(always)]
    unsafe fn turn(self) -> (Self, Self) {
        unsafe {
            // Bits enter from another word: of the double, whose bit 15 is the highest of the 15.
            let double = _mm256_add_epi16(self.0, self.0);
            let by_five = _mm256_shldi_epi16::<5>(self.0, double);
            (Self(by_five), Self(_mm256_shldi_epi16::<10>(self.0, double)))
        }
    }

    #[inline(always)]
    unsafe fn lowest(self) -> Self {
        unsafe { self.and(Self(_mm256_sub_epi16(_mm256_setzero_si256(), self.0))) }
    }

    #[inline(always)]
    unsafe fn nonzero(self) -> Self {
        Self(unsafe { _mm256_movm_epi16(_mm256_test_epi16_mask(self.0, self.0)) })
    }

    #[inline(always)]
    unsafe fn of_mask(mask: u32) -> Self {
        Self(unsafe { _mm256_movm_epi16(mask as u16) })
    }

    #[inline(always)]
    unsafe fn mask(self) -> u32 {
        unsafe { u32::from(_mm256_movepi16_mask(self.0)) }
    }

    #[inline(always)]
    unsafe fn equal(self, b: Self) -> u32 {
        unsafe { u32::from(_mm256_cmpeq_epi16_mask(self.0, b.0)) }
    }

    #[inline(always)]
    unsafe fn order(source: &[u8; 32]) -> __m256i {
        unsafe { _mm256_cvtepu8_epi16(_mm_loadu_si128(source.as_ptr().cast())) }
    }

    #[inline(always)]
    unsafe fn deal(self, order: &__m256i) -> Self {
        Self(unsafe { _mm256_permutexvar_epi16(*order, self.0) })
    }

    #[inline(always)]
    unsafe fn store_first(self, to: &mut [u16; 8]) {
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), _mm256_castsi256_si128(self.0)) }
    }

    compile_for!("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2");
}

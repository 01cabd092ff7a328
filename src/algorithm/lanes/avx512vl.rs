//! The leaf for AVX-512 in registers of 256 bits: 16 searches at once, for a puzzle that is alone.
//!
//! A step has as many instructions as with 32 lanes, but where the processor takes twice as many of this
//! width in a cycle it takes half the time, and a single puzzle seldom has work for more lanes.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use std::arch::x86_64::*;

use super::avx2::by_avx2;
use super::avx512::{self, ternary};
use super::board::WORDS;
use super::branch::{self, Bundle, Choice};
use super::round::{self, Events};
use super::search::Search;
use super::vector::{Vector, compile_for};
use super::{Leaf, Run};

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

// SAFETY (all): methods are called only where the leaf is available; a register is 16 words.
unsafe impl Vector for X16 {
    const LANES: usize = 16;
    type Order = __m256i;

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
    unsafe fn nonzero(self) -> Self {
        Self(unsafe { _mm256_movm_epi16(_mm256_test_epi16_mask(self.0, self.0)) })
    }

    #[inline(always)]
    unsafe fn of_mask(mask: u32) -> Self {
        Self(unsafe { _mm256_movm_epi16(mask as u16) })
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

    by_avx2!();
    ternary!(_mm256_ternarylogic_epi64);

    compile_for!("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2");
}

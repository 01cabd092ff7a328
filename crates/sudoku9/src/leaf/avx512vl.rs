//! The code for AVX-512 in registers of 256 bits, which searches 16 grids at once, for a single
//! puzzle.
//!
//! A step has the same number of instructions as with 32 lanes. But processors that execute twice
//! as many instructions of this width per cycle take half the time. A single puzzle seldom has work
//! for more than 16 lanes.
#![allow(unsafe_code, reason = "vector instructions, used only where there is a register of them")]

use std::arch::x86_64::*;

use super::avx2::{by_avx2, nine_by_avx2, within, words_by_avx2};
use super::avx512::ternary;
use super::vector::{Nine, Vector, Words, operations};
use crate::model::board::Board;

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct X16(__m256i);

impl Words for X16 {
    operations! {
        fn turn(self) -> (Self, Self) {
            let double = _mm256_add_epi16(self.0, self.0);
            let by_five = _mm256_shldi_epi16::<5>(self.0, double);
            (Self(by_five), Self(_mm256_shldi_epi16::<10>(self.0, double)))
        }
    }

    words_by_avx2!();
    ternary!(_mm256_ternarylogic_epi64);
}

impl Nine for X16 {
    nine_by_avx2!();
}

// SAFETY: a register is 16 words.
unsafe impl Vector for X16 {
    const LANES: usize = 16;
    const REGISTERS: usize = 32;
    type Order = __m256i;

    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: a register with all bits zero is valid. The caller guarantees that the processor
        // has the instructions.
        unsafe { std::mem::zeroed() }
    }

    operations! {
        fn nonzero(self) -> Self {
            Self(_mm256_movm_epi16(_mm256_test_epi16_mask(self.0, self.0)))
        }

        fn of_mask(self, mask: u32) -> Self {
            Self(_mm256_movm_epi16(mask as u16))
        }

        fn equal(self, b: Self) -> u32 {
            u32::from(_mm256_cmpeq_epi16_mask(self.0, b.0))
        }

        fn order(self, source: &[u8; 32]) -> __m256i {
            _mm256_cvtepu8_epi16(_mm_loadu_si128(source.as_ptr().cast()))
        }

        fn deal(self, order: &__m256i) -> Self {
            Self(_mm256_permutexvar_epi16(*order, self.0))
        }
    }

    by_avx2!();
}

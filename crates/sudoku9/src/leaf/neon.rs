//! The code for NEON, which every 64-bit Arm processor has. It searches eight grids at once.
//!
//! Two instructions are called explicitly, because the compiler does not always use them. Bit
//! selection computes `most` in two operations and `just_one` in three. Shift-and-insert rotates in
//! two operations.
#![allow(unsafe_code, reason = "vector instructions, which every processor has")]

use std::arch::aarch64::*;
use std::array::from_fn;

use super::vector::{Vector, Words, operations};

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct X8(uint16x8_t);

#[inline(always)]
fn bits() -> uint16x8_t {
    let bits = from_fn::<u16, 8, _>(|lane| 1 << lane);
    // SAFETY: reads all eight words of the array.
    unsafe { vld1q_u16(bits.as_ptr()) }
}

impl Words for X8 {
    #[inline(always)]
    fn most(self, b: Self, c: Self) -> Self {
        self.xor(b).select(c, self)
    }

    operations! {
        fn splat(self, word: u16) -> Self {
            Self(vdupq_n_u16(word))
        }

        fn and(self, b: Self) -> Self {
            Self(vandq_u16(self.0, b.0))
        }

        fn not_and(self, b: Self) -> Self {
            Self(vbicq_u16(b.0, self.0))
        }

        fn or(self, b: Self) -> Self {
            Self(vorrq_u16(self.0, b.0))
        }

        fn xor(self, b: Self) -> Self {
            Self(veorq_u16(self.0, b.0))
        }

        fn just_one(self, b: Self, c: Self) -> Self {
            let a = self;
            a.xor(b.select(Self(vornq_u16(a.0, c.0)), c))
        }

        fn select(self, b: Self, c: Self) -> Self {
            Self(vbslq_u16(self.0, b.0, c.0))
        }

        fn up<const N: u32>(self) -> Self {
            Self(vshlq_u16(self.0, vdupq_n_s16(N as i16)))
        }

        fn down<const N: u32>(self) -> Self {
            Self(vshlq_u16(self.0, vdupq_n_s16(-(N as i16))))
        }

        fn turn(self) -> (Self, Self) {
            let a = self.0;
            let (by_5, by_10) = (vshrq_n_u16::<10>(a), vshrq_n_u16::<5>(a));
            (Self(vsliq_n_u16::<5>(by_5, a)), Self(vsliq_n_u16::<10>(by_10, a)))
        }
    }
}

// SAFETY: a register is eight words, and every processor that this code is compiled for has NEON.
unsafe impl Vector for X8 {
    const LANES: usize = 8;
    const REGISTERS: usize = 32;
    type Order = uint8x16_t;

    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: a register with all bits zero is valid. The caller guarantees that the processor
        // has the instructions.
        unsafe { std::mem::zeroed() }
    }

    operations! {
        fn lowest(self) -> Self {
            let negative = vnegq_s16(vreinterpretq_s16_u16(self.0));
            self.and(Self(vreinterpretq_u16_s16(negative)))
        }

        fn nonzero(self) -> Self {
            Self(vtstq_u16(self.0, self.0))
        }

        fn of_mask(self, mask: u32) -> Self {
            Self(vtstq_u16(vdupq_n_u16(mask as u16), bits()))
        }

        fn equal(self, b: Self) -> u32 {
            vaddvq_u16(vandq_u16(vceqq_u16(self.0, b.0), bits())).into()
        }

        fn order(self, source: &[u8; 32]) -> uint8x16_t {
            let bytes = from_fn::<u8, 16, _>(|at| source[at / 2] % 8 * 2 + (at % 2) as u8);
            vld1q_u8(bytes.as_ptr())
        }

        fn deal(self, order: &uint8x16_t) -> Self {
            Self(vreinterpretq_u16_u8(vqtbl1q_u8(vreinterpretq_u8_u16(self.0), *order)))
        }

        fn store_first(self, to: &mut [u16; 8]) {
            vst1q_u16(to.as_mut_ptr(), self.0);
        }
    }
}

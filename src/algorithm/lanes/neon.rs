//! The leaf for NEON, which every 64-bit Arm has: eight searches at once.
//!
//! Its operations take two registers, but for two that `plain` does not always get from the compiler: a
//! choice between bits, by which `most` takes two operations and `just_one` three, and a shift into a
//! register that keeps the bits below, by which a rotation takes two.
#![allow(unsafe_code, reason = "vector instructions, which every processor has")]

use std::arch::aarch64::*;
use std::array::from_fn;

use super::board::{Board, WORDS};
use super::branch::{self, Bundle, Choice};
use super::round::{self, Events};
use super::search::Search;
use super::vector::{Vector, compile_for};
use super::{Leaf, Run};

pub(super) const LEAF: Leaf = Leaf {
    name: "neon",
    is_available: || true,
    build,
    build_alone: build,
    read: Board::read_line,
    write: Board::write_line,
};

fn build() -> Box<dyn Run> {
    Box::new(Search::<X8>::new())
}

/// Eight lanes.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct X8(uint16x8_t);

type This = X8;

/// The bit of each lane.
#[inline(always)]
fn bits() -> uint16x8_t {
    let bits = from_fn::<u16, 8, _>(|lane| 1 << lane);
    // SAFETY: NEON as below; eight words.
    unsafe { vld1q_u16(bits.as_ptr()) }
}

// SAFETY (all): a register is eight words; every processor for which this is compiled has NEON.
unsafe impl Vector for X8 {
    const LANES: usize = 8;
    /// The bytes to take.
    type Order = uint8x16_t;

    #[inline(always)]
    unsafe fn splat(word: u16) -> Self {
        Self(unsafe { vdupq_n_u16(word) })
    }

    #[inline(always)]
    unsafe fn and(self, b: Self) -> Self {
        Self(unsafe { vandq_u16(self.0, b.0) })
    }

    #[inline(always)]
    unsafe fn not_and(self, b: Self) -> Self {
        Self(unsafe { vbicq_u16(b.0, self.0) })
    }

    #[inline(always)]
    unsafe fn or(self, b: Self) -> Self {
        Self(unsafe { vorrq_u16(self.0, b.0) })
    }

    #[inline(always)]
    unsafe fn xor(self, b: Self) -> Self {
        Self(unsafe { veorq_u16(self.0, b.0) })
    }

    #[inline(always)]
    unsafe fn most(self, b: Self, c: Self) -> Self {
        // Where two differ, the third decides.
        unsafe { self.xor(b).select(c, self) }
    }

    #[inline(always)]
    unsafe fn just_one(self, b: Self, c: Self) -> Self {
        // Without b: a differs from c. With b: a differs from a | !c only if neither a nor c is set.
        let a = self;
        unsafe { a.xor(b.select(Self(vornq_u16(a.0, c.0)), c)) }
    }

    #[inline(always)]
    unsafe fn select(self, b: Self, c: Self) -> Self {
        Self(unsafe { vbslq_u16(self.0, b.0, c.0) })
    }

    #[inline(always)]
    unsafe fn up<const N: u32>(self) -> Self {
        Self(unsafe { vshlq_u16(self.0, vdupq_n_s16(N as i16)) })
    }

    #[inline(always)]
    unsafe fn down<const N: u32>(self) -> Self {
        Self(unsafe { vshlq_u16(self.0, vdupq_n_s16(-(N as i16))) })
    }

    #[inline(always)]
    unsafe fn turn(self) -> (Self, Self) {
        let a = self.0;
        unsafe {
            let (by_5, by_10) = (vshrq_n_u16::<10>(a), vshrq_n_u16::<5>(a));
            (Self(vsliq_n_u16::<5>(by_5, a)), Self(vsliq_n_u16::<10>(by_10, a)))
        }
    }

    #[inline(always)]
    unsafe fn lowest(self) -> Self {
        unsafe {
            let negative = vnegq_s16(vreinterpretq_s16_u16(self.0));
            self.and(Self(vreinterpretq_u16_s16(negative)))
        }
    }

    #[inline(always)]
    unsafe fn nonzero(self) -> Self {
        Self(unsafe { vtstq_u16(self.0, self.0) })
    }

    #[inline(always)]
    unsafe fn of_mask(mask: u32) -> Self {
        Self(unsafe { vtstq_u16(vdupq_n_u16(mask as u16), bits()) })
    }

    #[inline(always)]
    unsafe fn equal(self, b: Self) -> u32 {
        unsafe { vaddvq_u16(vandq_u16(vceqq_u16(self.0, b.0), bits())).into() }
    }

    #[inline(always)]
    unsafe fn order(source: &[u8; 32]) -> uint8x16_t {
        let bytes = from_fn::<u8, 16, _>(|at| source[at / 2] % 8 * 2 + (at % 2) as u8);
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn deal(self, order: &uint8x16_t) -> Self {
        Self(unsafe { vreinterpretq_u16_u8(vqtbl1q_u8(vreinterpretq_u8_u16(self.0), *order)) })
    }

    #[inline(always)]
    unsafe fn store_first(self, to: &mut [u16; 8]) {
        unsafe { vst1q_u16(to.as_mut_ptr(), self.0) }
    }

    compile_for!();
}

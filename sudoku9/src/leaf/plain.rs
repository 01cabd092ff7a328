//! The leaf in plain Rust: eight searches at once, in the registers that the compiler finds for them.
#![allow(
    unsafe_code,
    reason = "implements the trait of the leaves; nothing here depends on the processor"
)]

use std::array::from_fn;
use std::mem::transmute;

use super::vector::Vector;

/// Eight lanes, four to a word.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(crate) struct X8([u64; 2]);

/// A word with `lane` four times.
const fn four(lane: u16) -> u64 {
    lane as u64 * 0x0001_0001_0001_0001
}

const HIGHEST: u64 = four(0x8000);

/// Does the same to both words of some registers.
macro_rules! wordwise {
    (|$($name:ident),+| $value:expr) => {
        X8(from_fn(|half| { $(let $name = $name.0[half];)+ $value }))
    };
}

impl X8 {
    fn from_lanes(lanes: [u16; 8]) -> Self {
        // SAFETY: plain data of the same size.
        unsafe { transmute(lanes) }
    }

    fn lanes(self) -> [u16; 8] {
        // SAFETY: plain data of the same size.
        unsafe { transmute(self) }
    }
}

// SAFETY: eight words without padding; any processor will do.
unsafe impl Vector for X8 {
    const LANES: usize = 8;
    /// None if all lanes stay.
    type Order = Option<[u8; 8]>;

    #[inline(always)]
    unsafe fn new() -> Self {
        Self([0; 2])
    }

    #[inline(always)]
    fn splat(self, word: u16) -> Self {
        Self([four(word); 2])
    }

    #[inline(always)]
    fn and(self, b: Self) -> Self {
        let a = self;
        wordwise!(|a, b| a & b)
    }

    #[inline(always)]
    fn not_and(self, b: Self) -> Self {
        let a = self;
        wordwise!(|a, b| !a & b)
    }

    #[inline(always)]
    fn or(self, b: Self) -> Self {
        let a = self;
        wordwise!(|a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        let a = self;
        wordwise!(|a, b| a ^ b)
    }

    #[inline(always)]
    fn up<const N: u32>(self) -> Self {
        let a = self;
        wordwise!(|a| a << N & four(u16::MAX << N))
    }

    #[inline(always)]
    fn down<const N: u32>(self) -> Self {
        let a = self;
        wordwise!(|a| a >> N & four(u16::MAX >> N))
    }

    #[inline(always)]
    fn lowest(self) -> Self {
        let a = self;
        // In each lane zero less `a`, from which nothing is borrowed.
        wordwise!(|a| a & ((HIGHEST - (a & !HIGHEST)) ^ (!a & HIGHEST)))
    }

    #[inline(always)]
    fn nonzero(self) -> Self {
        let a = self;
        // The sum of the lower bits and ones reaches the highest bit unless they are zero.
        wordwise!(|a| (((((a & !HIGHEST) + !HIGHEST) | a) & HIGHEST) >> 15) * u64::from(u16::MAX))
    }

    #[inline(always)]
    fn of_mask(self, mask: u32) -> Self {
        Self::from_lanes(from_fn(|lane| if mask >> lane & 1 == 1 { u16::MAX } else { 0 }))
    }

    #[inline(always)]
    fn equal(self, b: Self) -> u32 {
        let lanes = self.lanes().into_iter().zip(b.lanes()).enumerate();
        lanes.fold(0, |mask, (lane, (a, b))| mask | u32::from(a == b) << lane)
    }

    #[inline(always)]
    fn order(self, source: &[u8; 32]) -> Self::Order {
        let order = from_fn(|lane| source[lane] % 8);
        (order != [0, 1, 2, 3, 4, 5, 6, 7]).then_some(order)
    }

    #[inline(always)]
    fn deal(self, order: &Self::Order) -> Self {
        match order {
            None => self,
            Some(order) => Self::from_lanes(order.map(|lane| self.lanes()[lane as usize])),
        }
    }

    #[inline(always)]
    fn store_first(self, to: &mut [u16; 8]) {
        *to = self.lanes();
    }
}

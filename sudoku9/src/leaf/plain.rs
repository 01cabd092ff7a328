//! The leaf in plain Rust: eight searches at once, in the registers that the compiler finds for them.
#![allow(
    unsafe_code,
    reason = "implements the trait of the leaves; nothing here depends on the processor"
)]

use std::array::from_fn;
use std::mem::transmute;

use super::vector::{Nine, Vector, Words};

/// Lanes, four to a word.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(crate) struct Plain<const G: usize>([u64; G]);

/// Eight lanes.
pub(crate) type X8 = Plain<2>;
/// The three groups of a [`Nine`].
pub(crate) type X12 = Plain<3>;

/// A word with `lane` four times.
const fn four(lane: u16) -> u64 {
    lane as u64 * 0x0001_0001_0001_0001
}

const HIGHEST: u64 = four(0x8000);

/// Does the same to both words of some registers.
macro_rules! wordwise {
    (|$($name:ident),+| $value:expr) => {
        Plain(from_fn(|half| { $(let $name = $name.0[half];)+ $value }))
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

impl<const G: usize> Words for Plain<G> {
    #[inline(always)]
    fn splat(self, word: u16) -> Self {
        Self([four(word); G])
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
}

/// The lanes of a group that have digits.
const DIGITS: u64 = 0x0000_ffff_ffff_ffff;

impl Nine for X12 {
    #[inline(always)]
    unsafe fn zero() -> Self {
        Self([0; 3])
    }

    #[inline(always)]
    fn of_words(self, words: &[u16; 16]) -> Self {
        let word = |group: usize, lane: usize| u64::from(words[4 * group + lane]) << (16 * lane);
        Self(from_fn(|group| (0..4).fold(0, |all, lane| all | word(group, lane))))
    }

    #[inline(always)]
    fn words(self) -> [u16; 16] {
        from_fn(|lane| self.0.get(lane / 4).map_or(0, |group| (group >> (16 * (lane % 4))) as u16))
    }

    #[inline(always)]
    fn spin<const N: u32>(self) -> Self {
        let a = self;
        // Behind the third lane stands nothing.
        wordwise!(|a| (a >> (16 * N) | a << (48 - 16 * N)) & DIGITS)
    }

    #[inline(always)]
    fn ring<const N: u32>(self) -> Self {
        Self(from_fn(|group| self.0[(group + N as usize) % 3]))
    }

    #[inline(always)]
    fn nth<const N: u32>(self) -> Self {
        let a = self;
        wordwise!(|a| (a >> (16 * N) & 0xffff) * 0x0001_0001_0001)
    }

    #[inline(always)]
    fn pick(self, b: Self, c: Self) -> Self {
        let a = self;
        wordwise!(|a, b, c| a & 0xffff | b & 0xffff << 16 | c & 0xffff << 32)
    }

    #[inline(always)]
    fn some(self) -> Self {
        let a = self;
        wordwise!(|a| if a == 0 { 0 } else { u64::MAX })
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    #[inline(always)]
    fn group(self) -> u64 {
        self.0[0]
    }

    #[inline(always)]
    fn first_with(self, word: u16) -> usize {
        let bits = self.and(self.splat(word)).0;
        let group = bits.iter().position(|&group| group != 0).unwrap_or(0);
        4 * group + bits[group].trailing_zeros() as usize / 16
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

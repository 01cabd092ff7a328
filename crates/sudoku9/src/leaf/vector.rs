//! Operations on registers that the searches need.
//!
//! A register must not be used if the processor lacks its instruction set. Not every operation is
//! `unsafe`, but only creating the first register ([`Vector::new`]). All other registers are made
//! from it, so code that has a register may use all operations.
#![allow(unsafe_code, reason = "the contract of the leaves, and registers as the words that they are")]
#![cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))),
    allow(unused_imports, unused_macros, reason = "only leaves use them")
)]

use crate::model::board::Board;

pub(crate) trait Words: Copy + Send + 'static {
    /// Returns `word` in every lane; `self` is not used.
    fn splat(self, word: u16) -> Self;
    fn and(self, b: Self) -> Self;
    /// Returns `!self & b`.
    fn not_and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    /// Returns the bits set in an odd number of the three words.
    #[inline(always)]
    fn odd(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    /// Returns the bits set in at least two of the three words.
    #[inline(always)]
    fn most(self, b: Self, c: Self) -> Self {
        self.xor(b).and(c).or(self.and(b))
    }
    /// Returns the bits set in exactly one of the three words.
    #[inline(always)]
    fn just_one(self, b: Self, c: Self) -> Self {
        self.and(b).not_and(self.odd(b, c))
    }
    #[inline(always)]
    fn and_or(self, b: Self, c: Self) -> Self {
        self.and(b).or(c)
    }
    /// Returns `self & (!b | c)`.
    #[inline(always)]
    fn unless(self, b: Self, c: Self) -> Self {
        c.not_and(b).not_and(self)
    }
    /// Returns `self | (b ^ c)`.
    #[inline(always)]
    fn or_differ(self, b: Self, c: Self) -> Self {
        self.or(b.xor(c))
    }
    /// Returns the bits of `b` where `self` is set, and the bits of `c` elsewhere.
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        self.and(b).or(self.not_and(c))
    }
    fn up<const N: u32>(self) -> Self;
    fn down<const N: u32>(self) -> Self;
    /// Rotates the lower 15 bits of each lane up, by 5 and by 10 bits. Bit 15 must be clear; in the
    /// results it is undefined.
    #[inline(always)]
    fn turn(self) -> (Self, Self) {
        (self.up::<5>().or(self.down::<10>()), self.up::<10>().or(self.down::<5>()))
    }
}

/// A register of 16-bit lanes, where each lane belongs to one search.
///
/// # Safety
/// A value is plain data: `LANES` words of 16 bits without padding, with the first lane first.
/// `LANES` is 8, 16 or 32. Safe code can make a value only from another value.
pub(crate) unsafe trait Vector: Words {
    const LANES: usize;
    /// Number of vector registers of the instruction set.
    const REGISTERS: usize;
    type Order;

    /// Returns a register of zeros.
    ///
    /// # Safety
    /// The processor must have the instructions of the leaf.
    unsafe fn new() -> Self;

    /// Keeps only the lowest set bit of each lane.
    fn lowest(self) -> Self;
    /// Sets all bits of the lanes that are not zero.
    fn nonzero(self) -> Self;
    /// Sets all bits of the lanes of `mask`, and clears the other lanes; `self` is not used. The
    /// lowest bit of `mask` is the first lane.
    fn of_mask(self, mask: u32) -> Self;
    fn equal(self, b: Self) -> u32;
    /// Returns the permutation that copies lane `source[i]` to lane i; `self` is not used.
    fn order(self, source: &[u8; 32]) -> Self::Order;
    fn deal(self, order: &Self::Order) -> Self;
    fn store_first(self, to: &mut [u16; 8]);
}

/// A register with the nine digits of one grid in three groups of lanes. Digit 3g + i is in lane i
/// of group g. A group has four lanes; lanes without a digit must be zero, and are never read.
pub(crate) trait Nine: Words {
    /// Returns a register of zeros.
    ///
    /// # Safety
    /// The processor must have the instructions of the leaf.
    unsafe fn zero() -> Self;

    /// Builds a register from words, with four words per group; `self` is not used.
    fn of_words(self, words: &[u16; 16]) -> Self;
    /// Returns the registers of a grid, one per slot; `self` is not used.
    fn of_board(self, board: &Board) -> [Self; 9];
    fn words(self) -> [u16; 16];
    /// Rotates the lanes of each group: lane i gets the content of lane i + `N`, modulo three.
    fn spin<const N: u32>(self) -> Self;
    /// Rotates the groups: group g gets the content of group g + `N`, modulo three.
    fn ring<const N: u32>(self) -> Self;
    /// Copies lane `N` of each group to all lanes of the group.
    fn nth<const N: u32>(self) -> Self;
    /// Returns lane 0 of each group from `self`, lane 1 from `b`, and lane 2 from `c`.
    fn pick(self, b: Self, c: Self) -> Self;
    /// Sets all bits of the groups that are not zero.
    fn some(self) -> Self;
    fn is_zero(self) -> bool;
    fn group(self) -> u64;
    /// Returns the index of the first lane that has a bit of `word`. Some lane must have one.
    fn first_with(self, word: u16) -> usize;
}

/// Returns the words of some registers, register by register, with the first lane first.
#[inline(always)]
pub(crate) fn words<V: Vector>(registers: &[V]) -> &[u16] {
    // SAFETY: a `Vector` is `LANES` words without padding, aligned at least as a word.
    unsafe { std::slice::from_raw_parts(registers.as_ptr().cast(), registers.len() * V::LANES) }
}

#[inline(always)]
pub(crate) fn words_mut<V: Vector>(registers: &mut [V]) -> &mut [u16] {
    // SAFETY: a `Vector` is `LANES` words without padding, aligned at least as a word, and any
    // words are a valid register.
    unsafe { std::slice::from_raw_parts_mut(registers.as_mut_ptr().cast(), registers.len() * V::LANES) }
}

/// Implements operations of a [`Vector`] by expressions with intrinsics.
///
/// One safety argument covers all operations: the register exists, so the processor has the
/// instructions.
macro_rules! operations {
    ($(fn $name:ident $(<const $n:ident: u32>)? ($($argument:tt)*) $(-> $result:ty)? $body:block)+) => {
        $(
            #[inline(always)]
            fn $name $(<const $n: u32>)? ($($argument)*) $(-> $result)? {
                // SAFETY: `self` is a register of this type. The first register was made by `new`,
                // whose caller guarantees that the processor has the instructions. Loads and stores
                // have the size of their arrays.
                unsafe { $body }
            }
        )+
    };
}

pub(crate) use operations;

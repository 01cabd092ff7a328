//! Register operations that the searches need.
//!
//! A register must not be used if the processor lacks its instruction set. Only creating the first
//! register is `unsafe` ([`Vector::new`]), not every operation: all other registers come from it,
//! so code that holds one may use all operations.
#![allow(unsafe_code, reason = "the contract of the leaves, and registers as the words that they are")]
#![cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))),
    allow(unused_imports, unused_macros, reason = "only leaves use them")
)]

use crate::model::board::Board;

pub(crate) trait Words: Copy + Send + 'static {
    /// Sets every lane to `word`, ignoring `self`.
    fn splat(self, word: u16) -> Self;
    fn and(self, b: Self) -> Self;
    /// `!self & b`
    fn not_and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    /// The bits set in an odd number of the three words.
    #[inline(always)]
    fn odd(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    /// The bits set in at least two of the three words.
    #[inline(always)]
    fn most(self, b: Self, c: Self) -> Self {
        self.xor(b).and(c).or(self.and(b))
    }
    /// The bits set in exactly one of the three words.
    #[inline(always)]
    fn just_one(self, b: Self, c: Self) -> Self {
        self.and(b).not_and(self.odd(b, c))
    }
    #[inline(always)]
    fn and_or(self, b: Self, c: Self) -> Self {
        self.and(b).or(c)
    }
    /// `self & (!b | c)`
    #[inline(always)]
    fn unless(self, b: Self, c: Self) -> Self {
        c.not_and(b).not_and(self)
    }
    /// `self | (b ^ c)`
    #[inline(always)]
    fn or_differ(self, b: Self, c: Self) -> Self {
        self.or(b.xor(c))
    }
    /// The bits of `b` where `self` is set, else the bits of `c`.
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        self.and(b).or(self.not_and(c))
    }
    fn up<const N: u32>(self) -> Self;
    fn down<const N: u32>(self) -> Self;
    /// Rotates the lower 15 bits of each lane up, by 5 and by 10. Bit 15 must be clear; it is
    /// garbage in the results.
    #[inline(always)]
    fn turn(self) -> (Self, Self) {
        (self.up::<5>().or(self.down::<10>()), self.up::<10>().or(self.down::<5>()))
    }
}

/// A register of 16-bit lanes. Each lane belongs to one search.
///
/// # Safety
/// A value is plain data: `LANES` words of 16 bits without padding, the first lane first; `LANES`
/// is 8, 16 or 32. Safe code cannot make a value except from another one.
pub(crate) unsafe trait Vector: Words {
    const LANES: usize;
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
    /// Sets all bits of the lanes of `mask` and clears the others, ignoring `self`; the first lane
    /// is the lowest bit.
    fn of_mask(self, mask: u32) -> Self;
    fn equal(self, b: Self) -> u32;
    /// Returns the permutation that copies lane `source[i]` to lane i, ignoring `self`.
    fn order(self, source: &[u8; 32]) -> Self::Order;
    fn deal(self, order: &Self::Order) -> Self;
    fn store_first(self, to: &mut [u16; 8]);
}

/// A register with the nine digits of one grid: three lanes in each of three groups, digit 3g + i
/// in lane i of group g. A group is four lanes wide; lanes without a digit must be zero, and are
/// never read.
pub(crate) trait Nine: Words {
    /// Returns a register of zeros.
    ///
    /// # Safety
    /// The processor must have the instructions of the leaf.
    unsafe fn zero() -> Self;

    /// Returns a register of words, four per group, ignoring `self`.
    fn of_words(self, words: &[u16; 16]) -> Self;
    /// Returns the registers of a grid, one per slot, ignoring `self`.
    fn of_board(self, board: &Board) -> [Self; 9];
    fn words(self) -> [u16; 16];
    /// Rotates the lanes of each group: lane i gets lane i + `N`, modulo three.
    fn spin<const N: u32>(self) -> Self;
    /// Rotates the groups: group g gets group g + `N`, modulo three.
    fn ring<const N: u32>(self) -> Self;
    /// Copies lane `N` of each group to all its lanes.
    fn nth<const N: u32>(self) -> Self;
    /// Takes lane 0 of each group from `self`, lane 1 from `b`, lane 2 from `c`.
    fn pick(self, b: Self, c: Self) -> Self;
    /// Sets all bits of the groups that are not zero.
    fn some(self) -> Self;
    fn is_zero(self) -> bool;
    fn group(self) -> u64;
    /// Returns the first lane with a bit of `word`; there must be one.
    fn first_with(self, word: u16) -> usize;
}

/// Returns registers as words, register by register, the first lane first.
#[inline(always)]
pub(crate) fn words<V: Vector>(registers: &[V]) -> &[u16] {
    // SAFETY: a `Vector` is `LANES` words without padding, aligned at least as a word.
    unsafe { std::slice::from_raw_parts(registers.as_ptr().cast(), registers.len() * V::LANES) }
}

#[inline(always)]
pub(crate) fn words_mut<V: Vector>(registers: &mut [V]) -> &mut [u16] {
    // SAFETY: as above, and any words make a register.
    unsafe { std::slice::from_raw_parts_mut(registers.as_mut_ptr().cast(), registers.len() * V::LANES) }
}

/// Implements operations of a [`Vector`] by expressions of intrinsics.
///
/// One safety argument covers all of them: a register exists, so the processor has the
/// instructions.
macro_rules! operations {
    ($(fn $name:ident $(<const $n:ident: u32>)? ($($argument:tt)*) $(-> $result:ty)? $body:block)+) => {
        $(
            #[inline(always)]
            fn $name $(<const $n: u32>)? ($($argument)*) $(-> $result)? {
                // SAFETY: `self` is a register of this leaf, and the first of them was made by
                // `new`, whose caller guarantees that the processor has the instructions; loads and
                // stores are as wide as their arrays.
                unsafe { $body }
            }
        )+
    };
}

pub(crate) use operations;

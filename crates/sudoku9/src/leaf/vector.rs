//! What the lanes need of a register.
//!
//! A register of an instruction set that the processor does not have must not be used. Instead of every operation,
//! only the first register is `unsafe` to make ([`Vector::new`]): all others come from it, so whoever holds one may
//! use all operations.
#![allow(unsafe_code, reason = "the contract of the leaves, and registers as the words that they are")]
#![cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))),
    allow(unused_imports, unused_macros, reason = "only leaves use them")
)]

use crate::model::board::Board;

/// Words of 16 bits side by side, and what is done to each of them alone.
pub(crate) trait Words: Copy + Send + 'static {
    /// Gives every lane `word`, whatever `self` is.
    fn splat(self, word: u16) -> Self;
    /// `self & b`
    fn and(self, b: Self) -> Self;
    /// `!self & b`
    fn not_and(self, b: Self) -> Self;
    /// `self | b`
    fn or(self, b: Self) -> Self;
    /// `self ^ b`
    fn xor(self, b: Self) -> Self;
    /// `self | b | c`
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    /// The bits that are set in one of the three or in all.
    #[inline(always)]
    fn odd(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    /// The bits that are set in two of the three or in all.
    #[inline(always)]
    fn most(self, b: Self, c: Self) -> Self {
        self.xor(b).and(c).or(self.and(b))
    }
    /// The bits that are set in just one of the three.
    #[inline(always)]
    fn just_one(self, b: Self, c: Self) -> Self {
        // Odd, but not all three.
        self.and(b).not_and(self.odd(b, c))
    }
    /// `self & b | c`
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
    /// The bits of `b` where `self` is set, else those of `c`.
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        self.and(b).or(self.not_and(c))
    }
    /// Shifts each lane up; what leaves it is lost.
    fn up<const N: u32>(self) -> Self;
    /// Shifts each lane down.
    fn down<const N: u32>(self) -> Self;
    /// Rotates the lower 15 bits of each lane up, by 5 and by 10. Bit 15 must be clear; it means nothing
    /// in what is returned.
    #[inline(always)]
    fn turn(self) -> (Self, Self) {
        (self.up::<5>().or(self.down::<10>()), self.up::<10>().or(self.down::<5>()))
    }
}

/// A register of 16-bit lanes. Each lane belongs to one search.
///
/// # Safety
/// A value is plain data: `LANES` words of 16 bits without padding, the first lane first; `LANES` is 8,
/// 16 or 32. Safe code cannot make a value but from another one.
pub(crate) unsafe trait Vector: Words {
    /// The lanes of a register.
    const LANES: usize;
    /// An order of lanes.
    type Order;

    /// Makes a register of zeros.
    ///
    /// # Safety
    /// The processor must have the instructions of the leaf.
    unsafe fn new() -> Self;

    /// Leaves the lowest bit of each lane.
    fn lowest(self) -> Self;
    /// Makes ones of the lanes that are not zero.
    fn nonzero(self) -> Self;
    /// Makes ones of the lanes of `mask`, zeros of the others, whatever `self` is; the first lane is the lowest bit.
    fn of_mask(self, mask: u32) -> Self;
    /// Returns the lanes that are the same in both.
    fn equal(self, b: Self) -> u32;
    /// Makes the order in which lane i gets what is in lane `source[i]`, whatever `self` is.
    fn order(self, source: &[u8; 32]) -> Self::Order;
    /// Puts the lanes into that order.
    fn deal(self, order: &Self::Order) -> Self;
    /// Stores the first eight lanes.
    fn store_first(self, to: &mut [u16; 8]);
}

/// A register with the nine digits of one grid: three lanes in each of three groups, digit 3g + i in lane i of group g.
/// A group is four lanes wide; what is in lanes that have no digit must be zero, and is never looked at.
pub(crate) trait Nine: Words {
    /// Makes a register of zeros.
    ///
    /// # Safety
    /// The processor must have the instructions of the leaf.
    unsafe fn zero() -> Self;

    /// Makes a register of words, four a group, whatever `self` is.
    fn of_words(self, words: &[u16; 16]) -> Self;
    /// Makes the registers of a grid, one a slot, whatever `self` is.
    fn of_board(self, board: &Board) -> [Self; 9];
    /// Returns the words, four a group.
    fn words(self) -> [u16; 16];
    /// Gives lane i of each group what is in its lane i + `N`, of three.
    fn spin<const N: u32>(self) -> Self;
    /// Gives group g what is in group g + `N`, of three.
    fn ring<const N: u32>(self) -> Self;
    /// Gives all lanes of each group what is in its lane `N`.
    fn nth<const N: u32>(self) -> Self;
    /// Takes lane 0 of each group from `self`, lane 1 from `b`, lane 2 from `c`.
    fn pick(self, b: Self, c: Self) -> Self;
    /// Makes ones of the groups that are not zero.
    fn some(self) -> Self;
    /// Tells whether everything is zero.
    fn is_zero(self) -> bool;
    /// Returns the first group.
    fn group(self) -> u64;
    /// Returns the first lane that has a bit of `word`; there must be one.
    fn first_with(self, word: u16) -> usize;
}

/// Returns registers as their words, register by register, the first lane first.
#[inline(always)]
pub(crate) fn words<V: Vector>(registers: &[V]) -> &[u16] {
    // SAFETY: a `Vector` is `LANES` words without padding, and no less aligned than a word.
    unsafe { std::slice::from_raw_parts(registers.as_ptr().cast(), registers.len() * V::LANES) }
}

/// Does what [`words`] does; the words may be changed.
#[inline(always)]
pub(crate) fn words_mut<V: Vector>(registers: &mut [V]) -> &mut [u16] {
    // SAFETY: as above, and any words make a register.
    unsafe { std::slice::from_raw_parts_mut(registers.as_mut_ptr().cast(), registers.len() * V::LANES) }
}

/// Implements operations of a [`Vector`] by expressions of intrinsics.
///
/// It takes the one reason that holds for all of them: a register exists, so the processor has the instructions.
macro_rules! operations {
    ($(fn $name:ident $(<const $n:ident: u32>)? ($($argument:tt)*) $(-> $result:ty)? $body:block)+) => {
        $(
            #[inline(always)]
            fn $name $(<const $n: u32>)? ($($argument)*) $(-> $result)? {
                // SAFETY: `self` is a register of this leaf, and the first of them was made by `new`, whose caller
                // answers for the processor; loads and stores are as wide as the arrays they are given.
                unsafe { $body }
            }
        )+
    };
}

pub(crate) use operations;

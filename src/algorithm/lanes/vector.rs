//! What the round and the branching need of a register, and how a leaf compiles them.
#![allow(unsafe_code, reason = "vector instructions: a leaf answers for them")]

use super::board::WORDS;
use super::branch::{Bundle, Choice};
use super::round::Events;

/// A register of 16-bit lanes. Each lane belongs to one search.
///
/// # Safety
/// A value is plain data: `LANES` words of 16 bits without padding, the first lane first; `LANES` is 8,
/// 16 or 32. Who calls a method answers for the processor having the features of the leaf.
// SAFETY (of what is provided): the caller's.
pub(super) unsafe trait Vector: Copy + Send + 'static {
    /// The lanes of a register.
    const LANES: usize;
    /// An order of lanes.
    type Order;

    /// Gives every lane `word`.
    unsafe fn splat(word: u16) -> Self;
    /// `self & b`
    unsafe fn and(self, b: Self) -> Self;
    /// `!self & b`
    unsafe fn not_and(self, b: Self) -> Self;
    /// `self | b`
    unsafe fn or(self, b: Self) -> Self;
    /// `self ^ b`
    unsafe fn xor(self, b: Self) -> Self;
    /// `self | b | c`
    #[inline(always)]
    unsafe fn or3(self, b: Self, c: Self) -> Self {
        unsafe { self.or(b).or(c) }
    }
    /// The bits that are set in one of the three or in all.
    #[inline(always)]
    unsafe fn odd(self, b: Self, c: Self) -> Self {
        unsafe { self.xor(b).xor(c) }
    }
    /// The bits that are set in two of the three or in all.
    #[inline(always)]
    unsafe fn most(self, b: Self, c: Self) -> Self {
        unsafe { self.xor(b).and(c).or(self.and(b)) }
    }
    /// The bits that are set in just one of the three.
    #[inline(always)]
    unsafe fn just_one(self, b: Self, c: Self) -> Self {
        // Odd, but not all three.
        unsafe { self.and(b).not_and(self.odd(b, c)) }
    }
    /// `self & b | c`
    #[inline(always)]
    unsafe fn and_or(self, b: Self, c: Self) -> Self {
        unsafe { self.and(b).or(c) }
    }
    /// `self & (!b | c)`
    #[inline(always)]
    unsafe fn unless(self, b: Self, c: Self) -> Self {
        unsafe { c.not_and(b).not_and(self) }
    }
    /// `self | (b ^ c)`
    #[inline(always)]
    unsafe fn or_differ(self, b: Self, c: Self) -> Self {
        unsafe { self.or(b.xor(c)) }
    }
    /// The bits of `b` where `self` is set, else those of `c`.
    #[inline(always)]
    unsafe fn select(self, b: Self, c: Self) -> Self {
        unsafe { self.and(b).or(self.not_and(c)) }
    }
    /// Shifts each lane up; what leaves it is lost.
    unsafe fn up<const N: u32>(self) -> Self;
    /// Shifts each lane down.
    unsafe fn down<const N: u32>(self) -> Self;
    /// Rotates the lower 15 bits of each lane up, by 5 and by 10. Bit 15 must be clear; it means nothing
    /// in what is returned.
    #[inline(always)]
    unsafe fn turn(self) -> (Self, Self) {
        unsafe { (self.up::<5>().or(self.down::<10>()), self.up::<10>().or(self.down::<5>())) }
    }
    /// Leaves the lowest bit of each lane.
    unsafe fn lowest(self) -> Self;
    /// Makes ones of the lanes that are not zero.
    unsafe fn nonzero(self) -> Self;
    /// Makes ones of the lanes of `mask`, zeros of the others; the first lane is the lowest bit.
    unsafe fn of_mask(mask: u32) -> Self;
    /// Returns the lanes that are the same in both.
    unsafe fn equal(self, b: Self) -> u32;
    /// Makes the order in which lane i gets what is in lane `source[i]`.
    unsafe fn order(source: &[u8; 32]) -> Self::Order;
    /// Puts the lanes into that order.
    unsafe fn deal(self, order: &Self::Order) -> Self;
    /// Stores the first eight lanes.
    unsafe fn store_first(self, to: &mut [u16; 8]);

    /// [`round::step`](super::round::step) with the features of the leaf.
    unsafe fn step(grid: &mut [Self; WORDS], alone: &mut [Self; 9]) -> Events;
    /// [`branch::choose`](super::branch::choose) with the features of the leaf.
    unsafe fn choose(grid: &[Self; WORDS], lanes: u32, choice: &mut Choice<Self>);
    /// [`branch::triples`](super::branch::triples) with the features of the leaf.
    unsafe fn triples(grid: &mut [Self; WORDS]) -> u32;
    /// [`branch::branch`](super::branch::branch) with the features of the leaf.
    unsafe fn branch(
        grid: &mut [Self; WORDS],
        alone: &mut [Self; 9],
        choice: &Choice<Self>,
        source: &[u8; 32],
        twins: u32,
    );
    /// [`branch::pack`](super::branch::pack) with the features of the leaf.
    unsafe fn pack(grid: &[Self; WORDS], choice: &Choice<Self>, source: &[u8; 32], bundle: &mut Bundle);
}

/// Implements the last five methods of [`Vector`] by functions with the target features given.
macro_rules! compile_for {
    ($($feature:literal)?) => {
        unsafe fn step(grid: &mut [Self; WORDS], alone: &mut [Self; 9]) -> Events {
            $(#[target_feature(enable = $feature)])?
            unsafe fn run(grid: &mut [This; WORDS], alone: &mut [This; 9]) -> Events {
                // SAFETY (here and below): the caller's.
                unsafe { round::step(grid, alone) }
            }
            unsafe { run(grid, alone) }
        }

        unsafe fn choose(grid: &[Self; WORDS], lanes: u32, choice: &mut Choice<Self>) {
            $(#[target_feature(enable = $feature)])?
            unsafe fn run(grid: &[This; WORDS], lanes: u32, choice: &mut Choice<This>) {
                unsafe { branch::choose(grid, lanes, choice) }
            }
            unsafe { run(grid, lanes, choice) }
        }

        unsafe fn triples(grid: &mut [Self; WORDS]) -> u32 {
            $(#[target_feature(enable = $feature)])?
            unsafe fn run(grid: &mut [This; WORDS]) -> u32 {
                unsafe { branch::triples(grid) }
            }
            unsafe { run(grid) }
        }

        unsafe fn branch(
            grid: &mut [Self; WORDS],
            alone: &mut [Self; 9],
            choice: &Choice<Self>,
            source: &[u8; 32],
            twins: u32,
        ) {
            $(#[target_feature(enable = $feature)])?
            unsafe fn run(
                grid: &mut [This; WORDS],
                alone: &mut [This; 9],
                choice: &Choice<This>,
                source: &[u8; 32],
                twins: u32,
            ) {
                unsafe { branch::branch(grid, alone, choice, source, twins) }
            }
            unsafe { run(grid, alone, choice, source, twins) }
        }

        unsafe fn pack(
            grid: &[Self; WORDS],
            choice: &Choice<Self>,
            source: &[u8; 32],
            bundle: &mut Bundle,
        ) {
            $(#[target_feature(enable = $feature)])?
            unsafe fn run(
                grid: &[This; WORDS],
                choice: &Choice<This>,
                source: &[u8; 32],
                bundle: &mut Bundle,
            ) {
                unsafe { branch::pack(grid, choice, source, bundle) }
            }
            unsafe { run(grid, choice, source, bundle) }
        }
    };
}

pub(super) use compile_for;

//! The operations on a block, for lanes of one width by one instruction set, and what is written once for all of them.
//!
//! An instruction that the processor does not have must not be used. Instead of every operation, only the beginning is
//! guarded: a value of a type that implements [`Vectors`] comes from a leaf, which makes one only after it asked the
//! processor. The operations are methods of that value.
//!
//! A function uses the instructions of a leaf only if it says so itself, and all that it calls must be inlined into it.
//! So what runs on vectors is a [`Work`], whose `run` is generic and inlined, and [`Vectors::run`] is the one
//! function of a leaf that names the instructions.
#![allow(unsafe_code, reason = "the one place where operations of a leaf are said to be safe")]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(unused_imports, unused_macros, reason = "only leaves use them")
)]

use std::fmt::Debug;

use super::{Block, Products};

/// What is done with the operations of a leaf.
pub(crate) trait Work {
    type Output;

    /// Does it; implementations are `#[inline(always)]`.
    fn run<V: Vectors>(self, vectors: V) -> Self::Output;
}

/// The operations on a block that has lanes of one width, by one instruction set.
pub(crate) trait Vectors: Copy + Debug + Send + Sync + 'static {
    /// A block in registers.
    type Vector: Copy;
    /// Lanes of a block.
    const LANES: usize;
    /// What `least` returns if every lane is all ones.
    const NONE: u32;
    /// The operations on signed numbers by the same instruction set.
    type Numbers: Products;

    /// Does `work`, compiled with the instructions of the leaf.
    fn run<W: Work>(self, work: W) -> W::Output;

    fn numbers(self) -> Self::Numbers;
    fn load(self, block: &Block) -> Self::Vector;
    fn store(self, vector: Self::Vector, block: &mut Block);
    fn ones(self) -> Self::Vector;
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns the ones of `a` that `b` has not.
    fn without(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Adds the number of ones of each lane of `bits` to that lane of `count`.
    fn count(self, count: Self::Vector, bits: Self::Vector) -> Self::Vector;
    /// Returns the lesser one of each two lanes.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns the least lane.
    fn least(self, vector: Self::Vector) -> u32;
    /// Returns the lanes that equal `value`, a bit each; `value` is 0 or 1, or was returned by `least`.
    fn equal(self, vector: Self::Vector, value: u32) -> u64;
}

/// Makes the blocks of a group of a child, which are the AND of its parent's with those of a row, and returns the
/// number of ones of each lane, less one: all ones for an item without a bit.
#[inline(always)]
pub(crate) fn and_count<V: Vectors>(
    vectors: V,
    parent: &[Block],
    row: &[Block],
    child: &mut [Block],
) -> V::Vector {
    let mut count = vectors.ones();
    for ((parent, row), child) in parent.iter().zip(row).zip(child) {
        let live = vectors.and(vectors.load(parent), vectors.load(row));
        vectors.store(live, child);
        count = vectors.count(count, live);
    }
    count
}

/// Implements operations of [`Vectors`] by expressions of intrinsics.
///
/// It takes the one reason that holds for all of them.
macro_rules! operations {
    ($(fn $name:ident ($($argument:tt)*) $(-> $result:ty)? $body:block)+) => {
        $(
            #[inline(always)]
            fn $name ($($argument)*) $(-> $result)? {
                // SAFETY: there is a value of this type, which its leaf makes only where the processor has the
                // instructions; loads and stores are as wide as a block, and aligned as a block is.
                unsafe { $body }
            }
        )+
    };
}

/// Implements [`Vectors::run`] with the instructions of a leaf.
macro_rules! compiled_with {
    ($features:tt) => {
        #[inline(always)]
        fn run<W: Work>(self, work: W) -> W::Output {
            #[target_feature $features]
            fn run<V: Vectors, W: Work>(work: W, vectors: V) -> W::Output {
                work.run(vectors)
            }
            // SAFETY: there is a value of this type, which its leaf makes only where the processor has these
            // instructions.
            unsafe { run(work, self) }
        }
    };
}

/// Makes an array of the values of an expression, one for each place.
///
/// A closure that `array::map` or `from_fn` calls has not the instructions of the leaf: where they are not inlined, each
/// intrinsic in it becomes a call.
macro_rules! each {
    (|$place:ident| $($number:literal)+, $value:expr) => {
        [$({
            const $place: usize = $number;
            $value
        }),+]
    };
}

pub(super) use {compiled_with, each, operations};

//! The operations on a block, for one lane width and instruction set, and the code shared by all
//! implementations.
//!
//! Instructions that the processor lacks must not run, so the operations are methods of a value
//! that is made only after its instructions were detected.
//!
//! A function uses the instructions of an instruction set only if it enables them itself, and
//! everything it calls must be inlined. So vector code is a [`Work`] with a generic, inlined `run`,
//! and [`Vectors::run`] is the only function that enables the instructions.
#![allow(unsafe_code, reason = "the one place where operations of a leaf are said to be safe")]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(unused_imports, unused_macros, reason = "only leaves use them")
)]

use std::fmt::Debug;

use super::{Block, Products};

/// A computation on the operations of an instruction set.
pub(crate) trait Work {
    type Output;

    /// Runs the computation. Implementations are `#[inline(always)]`.
    fn run<V: Vectors>(self, vectors: V) -> Self::Output;
}

pub(crate) trait Vectors: Copy + Debug + Send + Sync + 'static {
    type Vector: Copy;
    const LANES: usize;
    /// The result of `least` if all bits of every lane are set.
    const NONE: u32;
    type Numbers: Products;

    fn run<W: Work>(self, work: W) -> W::Output;

    fn numbers(self) -> Self::Numbers;
    fn load(self, block: &Block) -> Self::Vector;
    fn store(self, vector: Self::Vector, block: &mut Block);
    fn ones(self) -> Self::Vector;
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn without(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Adds the number of ones in each lane of `bits` to the same lane of `count`.
    fn count(self, count: Self::Vector, bits: Self::Vector) -> Self::Vector;
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn least(self, vector: Self::Vector) -> u32;
    /// Returns a bit mask of the lanes equal to `value`, which must be 0, 1, or a result of
    /// `least`.
    fn equal(self, vector: Self::Vector, value: u32) -> u64;
}

/// Writes the AND of `parent` and `row`, the blocks of one group, to `child`. Returns the number of
/// ones of each lane minus one (all bits set for a covered item).
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

/// Implements operations with intrinsics, with one safety argument for all of them.
macro_rules! operations {
    ($(fn $name:ident ($($argument:tt)*) $(-> $result:ty)? $body:block)+) => {
        $(
            #[inline(always)]
            fn $name ($($argument)*) $(-> $result)? {
                // SAFETY: a value of this type exists only if its instructions were detected. Loads
                // and stores have the size and alignment of a block.
                unsafe { $body }
            }
        )+
    };
}

macro_rules! compiled_with {
    ($features:tt) => {
        #[inline(always)]
        fn run<W: Work>(self, work: W) -> W::Output {
            #[target_feature $features]
            fn run<V: Vectors, W: Work>(work: W, vectors: V) -> W::Output {
                work.run(vectors)
            }
            // SAFETY: a value of this type exists only if these instructions were detected.
            unsafe { run(work, self) }
        }
    };
}

/// Builds an array of the values of an expression, one per index. A closure in `array::map` or
/// `from_fn` is not compiled with the enabled instructions, so intrinsics in it may become calls.
macro_rules! each {
    (|$place:ident| $($number:literal)+, $value:expr) => {
        [$({
            const $place: usize = $number;
            $value
        }),+]
    };
}

pub(super) use {compiled_with, each, operations};

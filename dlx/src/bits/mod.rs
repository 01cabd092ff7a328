//! Live sets of bits: one layout, and the instructions that work on it, for every engine and method that keeps one.
//!
//! A *live set* says which options can still be chosen. Each item has a *lane* of 8, 16, 32 or 64 bits in it, a bit for
//! each of its options. Lanes lie side by side in *blocks* of 512 bits; the blocks of the items that share them are a
//! *group*, and where a lane is too narrow for the options of an item, the group has several *chunks*, one behind the
//! other. Every option has a *row*, what is left of a full live set when it is chosen, so the live set of a child
//! is the AND of its parent's with a row, and the numbers of options are counts of ones in lanes. A live set in
//! the memory of a search is a *frame*.
//!
//! [`LaneShape`] and [`Lanes`] are the layout, [`Exclusions`] is what rows are made of. [`Vectors`] are the
//! operations on a block, one implementation for each instruction set and width of lanes; what uses them is written
//! once, as a [`Work`], and compiled for each. A [`Leaf`] is an instruction set that the processor has.
//!
//! `masks` and `memo` share all of it. `counts` only asks the leaves what the processor has: bounds leave the options
//! of a covered item alive, so it keeps one live set for all items, and a mask for each.
//!
//! Blocks of signed numbers and their exact [`Products`] have the same leaves; `signs` counts by them.
//!
//! Invariant: a value that implements [`Vectors`] exists only where the processor has its instructions, so whoever
//! holds one may use them, and none of the operations is `unsafe`.

mod lanes;
mod leaf;
mod products;
mod rows;
mod vectors;

#[cfg(test)]
mod tests;

pub(crate) use lanes::{COUNT_MAX, Lane, LaneShape, Lanes};
pub(crate) use leaf::Leaf;
pub(crate) use products::{NUMBERS, Products};
pub(crate) use rows::Exclusions;
pub(crate) use vectors::{Vectors, Work, and_count};

/// 512 bits: the unit of live sets and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [u64; 8]);

const _: () = assert!(size_of::<Block>() == 64, "a block is a cache line");

impl Block {
    pub(crate) const BITS: usize = 512;
    pub(crate) const ZERO: Self = Self([0; 8]);
    pub(crate) const ONES: Self = Self([u64::MAX; 8]);

    /// Returns the bits that are set in one of both.
    pub(crate) fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Returns the bits that are set in both.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Returns the bits that are not set.
    pub(crate) fn not(&self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

/// Sets a bit of a live set or row.
pub(crate) fn set(blocks: &mut [Block], bit: u32) {
    let bit = bit as usize;
    blocks[bit / Block::BITS].0[bit % Block::BITS / 64] |= 1 << (bit % 64);
}

/// Clears a bit of a live set or row.
pub(crate) fn clear(blocks: &mut [Block], bit: u32) {
    let bit = bit as usize;
    blocks[bit / Block::BITS].0[bit % Block::BITS / 64] &= !(1 << (bit % 64));
}

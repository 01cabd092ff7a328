//! Bit sets of live options: their layout, and the SIMD operations on them. Engines and counting
//! methods share these bit sets.
//!
//! A *live set* marks the options that can still be chosen. Each item has a *lane* of 8, 16, 32 or
//! 64 bits, with one bit per option of the item. Lanes are packed into *blocks* of 512 bits. The
//! items that share blocks form a *group*. If a lane is too narrow for the options of an item, its
//! group has several consecutive blocks, called *chunks*. Every option has a *row*, the live set
//! that remains when only this option is chosen. A live set in the memory of a search is a *frame*.
//!
//! [`LaneShape`] and [`Lanes`] describe the layout, and [`Exclusions`] builds the rows. [`Vectors`]
//! are the operations on a block, implemented per instruction set and lane width. A [`Work`] is an
//! algorithm that is compiled for each implementation. A [`Leaf`] is an instruction set that the
//! processor has.
//!
//! Invariant: a value that implements [`Vectors`] exists only if the processor has its
//! instructions. So any code that has a value of [`Vectors`] may call its operations, and no
//! operation is `unsafe`.

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

/// 512 bits, the unit of live sets and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [u64; 8]);

const _: () = assert!(size_of::<Block>() == 64, "a block is a cache line");

impl Block {
    pub(crate) const BITS: usize = 512;
    pub(crate) const ZERO: Self = Self([0; 8]);
    pub(crate) const ONES: Self = Self([u64::MAX; 8]);

    pub(crate) fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(crate) fn not(&self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

pub(crate) fn set(blocks: &mut [Block], bit: u32) {
    let bit = bit as usize;
    blocks[bit / Block::BITS].0[bit % Block::BITS / 64] |= 1 << (bit % 64);
}

pub(crate) fn clear(blocks: &mut [Block], bit: u32) {
    let bit = bit as usize;
    blocks[bit / Block::BITS].0[bit % Block::BITS / 64] &= !(1 << (bit % 64));
}

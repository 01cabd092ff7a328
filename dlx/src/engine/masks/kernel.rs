//! The inner loop of the masks: the children of a batch of nodes, each by one AND and one count.
//!
//! Generic over the lanes of a leaf (an instruction set and a width of lanes) and, where they are
//! few, over the number of groups and chunks, so that the loops unroll.
//!
//! Bounds checks cost 4-6 % of the time on pentominoes, 14-21 % on Latin squares, Langford pairs and
//! sparse random problems, so they are left out
//! (`unchecked.rs`). Built with `--cfg checked` (or debug assertions) they are back, and the tests run so.
#![allow(unsafe_code, reason = "unchecked access to rows and frames; leaves with target features")]

use crate::engine::unchecked::{get, get_mut};

/// 512 bits: the unit of live sets and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [u64; 8]);

impl Block {
    pub(super) const BITS: usize = 512;
    pub(super) const ZERO: Self = Self([0; 8]);
    pub(super) const ONES: Self = Self([u64::MAX; 8]);

    pub(super) fn set(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub(super) fn clear(&mut self, bit: usize) {
        self.0[bit / 64] &= !(1 << (bit % 64));
    }
}

const _: () = assert!(size_of::<Block>() == 64, "a block is a cache line");

/// A child to be made: the option of a row chosen at the node of a frame.
///
/// A number, so that it is written at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Child(u64);

impl Child {
    pub(super) const fn new(parent: u32, row: u16) -> Self {
        Self(parent as u64 | (row as u64) << 32)
    }

    pub(super) const fn parent(self) -> u32 {
        self.0 as u32
    }

    pub(super) const fn row(self) -> u16 {
        (self.0 >> 32) as u16
    }

    /// Makes the head of the node, which branches on the item of `lane`.
    const fn head(self, lane: u16) -> Head {
        Head(self.0 | (lane as u64) << 48)
    }
}

/// A node that is not a dead end: the child it was, and the item on which to branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Head(u64);

impl Head {
    pub(super) const fn new(parent: u32, row: u16) -> Self {
        Child::new(parent, row).head(0)
    }

    pub(super) const fn parent(self) -> u32 {
        self.0 as u32
    }

    pub(super) const fn row(self) -> u16 {
        (self.0 >> 32) as u16
    }

    const fn lane(self) -> u16 {
        (self.0 >> 48) as u16
    }
}

/// Where the lane of an item lies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lane {
    /// Bit k of the lane stands for the option k places on in the table of rows by lane.
    pub(super) first: u32,
    /// The first word of the lane in a frame, and the first bit in the word.
    pub(super) word: u16,
    pub(super) shift: u16,
}

/// The options of each item in a live set.
pub(super) struct Places<'a> {
    pub(super) shape: &'a Shape,
    pub(super) lanes: &'a [Lane],
    pub(super) by_lane: &'a [u16],
}

/// Options of an item that are listed without a branch for each.
pub(super) const FEW: usize = 2;

/// Lists the children of the nodes of `frames` in `children`, from `end` on, and returns the new end.
///
/// # Safety
/// The frames must be of this shape and `heads` theirs, with at least one option for the item of each,
/// and there must be room for all children and [`FEW`] more.
pub(super) unsafe fn list(
    places: &Places<'_>,
    frames: &[Block],
    heads: &[Head],
    parents: std::ops::Range<u32>,
    children: &mut [Child],
    mut end: usize,
) -> usize {
    let Places { shape, lanes, by_lane } = places;
    let (blocks, width, has_chunks) = (shape.blocks(), shape.width, shape.blocks() > shape.groups());
    let all = u64::MAX >> (64 - width);
    for parent in parents {
        // SAFETY: the caller keeps parents within frames and heads; lanes come from the heads of this
        // shape; a bit of a lane has its place in `by_lane`, which goes on for 64 places behind the
        // last one; there is room for the children.
        unsafe {
            let head = *get(heads, parent as usize);
            let Lane { first, word, shift } = *get(lanes, usize::from(head.lane()));
            let mut word = parent as usize * blocks * 8 + usize::from(word);
            let mut first = first as usize;
            // The first bit tells that the item is not covered.
            let mut bits = get(frames, word / 8).0[word % 8] >> shift & all & !1;
            let mut left = if has_chunks { shape.chunks_of(usize::from(head.lane())) } else { 1 };
            loop {
                let chunk_end = end + bits.count_ones() as usize;
                let mut place = end;
                // Most often there are few: those are listed without a branch for each.
                while place < end + FEW || place < chunk_end {
                    let row = *get(by_lane, first + bits.trailing_zeros() as usize);
                    *get_mut(children, place) = Child::new(parent, row);
                    bits &= bits.wrapping_sub(1);
                    place += 1;
                }
                end = chunk_end;
                left -= 1;
                if left == 0 {
                    break;
                }
                word += 8;
                first += width;
                bits = get(frames, word / 8).0[word % 8] >> shift & all;
            }
        }
    }
    end
}

/// How the bits of a live set lie in blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Bits of a lane: 8, 16, 32 or 64.
    pub(super) width: usize,
    /// Group `g` of items has the blocks `starts[g] .. starts[g + 1]`.
    pub(super) starts: Vec<usize>,
}

impl Default for Shape {
    fn default() -> Self {
        Self { width: 8, starts: vec![0, 1] }
    }
}

impl Shape {
    pub(super) fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn blocks(&self) -> usize {
        self.starts[self.groups()]
    }

    /// The number of blocks of the group of a lane.
    pub(super) fn chunks_of(&self, lane: usize) -> usize {
        let group = lane / (Block::BITS / self.width);
        self.starts[group + 1] - self.starts[group]
    }

    /// The number of blocks of every group, or 0 if they differ.
    pub(super) fn chunks(&self) -> usize {
        let chunks = self.starts[1];
        if self.starts.windows(2).all(|pair| pair[1] - pair[0] == chunks) { chunks } else { 0 }
    }
}

/// What a kernel works on.
pub(super) struct Batch<'a> {
    pub(super) shape: &'a Shape,
    pub(super) rows: &'a [Block],
    pub(super) children: &'a [Child],
    /// Frames and heads; those from `top` on are free, at least as many as there are children.
    pub(super) frames: &'a mut [Block],
    pub(super) heads: &'a mut [Head],
    pub(super) top: usize,
    /// Room for a block a group.
    pub(super) counts: &'a mut [Block],
}

/// What came of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The end of the frames: those of children that are neither dead ends nor covers were added.
    pub(super) top: usize,
    /// The children that are covers.
    pub(super) covers: u64,
}

/// Makes the children of a batch.
///
/// # Safety
/// The processor must have the features of the leaf. Every `parent` must be below `top`, every `row` within
/// the rows, and frames, heads and counts as long as [`Batch`] says, for the shape's number of blocks.
pub(super) type Kernel = unsafe fn(&mut Batch<'_>) -> Outcome;

/// An instruction set.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) name: &'static str,
    pub(super) is_available: fn() -> bool,
    /// Selects the kernel for a shape.
    pub(super) select: fn(&Shape) -> Kernel,
    pub(super) exclude: Exclude,
}

/// Takes out of a row what is excluded and not allowed; nothing is allowed if that is empty.
///
/// # Safety
/// The processor must have the features of the leaf.
pub(super) type Exclude = unsafe fn(row: &mut [Block], excluded: &[Block], allowed: &[Block]);

/// The body of every `exclude`. (A loop over words was compiled to gathers: 3x20
/// pentominoes took 3.4 ms instead of 2.0.)
///
/// # Safety
/// As for [`Exclude`].
#[inline(always)]
pub(super) unsafe fn exclude<L: Lanes>(row: &mut [Block], excluded: &[Block], allowed: &[Block]) {
    // SAFETY: the caller's.
    unsafe {
        if allowed.is_empty() {
            for (block, excluded) in row.iter_mut().zip(excluded) {
                L::store(L::without(L::load(block), L::load(excluded)), block);
            }
            return;
        }
        for (block, (excluded, allowed)) in row.iter_mut().zip(excluded.iter().zip(allowed)) {
            let excluded = L::without(L::load(excluded), L::load(allowed));
            L::store(L::without(L::load(block), excluded), block);
        }
    }
}

/// Lanes of one width of one leaf: the operations on a block.
///
/// # Safety
/// All of them need the processor features of the leaf.
pub(super) trait Lanes {
    type Vector: Copy;
    /// Lanes of a block.
    const LANES: usize;
    /// What `least` returns if every lane is all ones.
    const NONE: u32;

    unsafe fn load(block: &Block) -> Self::Vector;
    unsafe fn store(vector: Self::Vector, block: &mut Block);
    unsafe fn ones() -> Self::Vector;
    unsafe fn and(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns the ones of `a` that `b` has not.
    unsafe fn without(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Adds the number of ones of each lane of `bits` to that lane of `count`.
    unsafe fn count(count: Self::Vector, bits: Self::Vector) -> Self::Vector;
    unsafe fn min(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The least lane.
    unsafe fn least(vector: Self::Vector) -> u32;
    /// The lanes that equal `value`, a bit each; `value` was returned by `least`.
    unsafe fn equal(vector: Self::Vector, value: u32) -> u64;
}

/// The body of every kernel. `GROUPS` and `CHUNKS` are those of the shape, or 0 if it has too many.
///
/// # Safety
/// As for [`Kernel`].
#[inline(always)]
pub(super) unsafe fn expand<L: Lanes, const GROUPS: usize, const CHUNKS: usize>(
    batch: &mut Batch<'_>,
) -> Outcome {
    let mut top = batch.top;
    let mut covers = 0;
    let blocks = if GROUPS > 0 { GROUPS * CHUNKS } else { batch.shape.blocks() };
    debug_assert_eq!(blocks, batch.shape.blocks(), "the kernel is that of the shape");
    for &child in batch.children {
        let from = child.parent() as usize * blocks;
        let (with, to) = (usize::from(child.row()) * blocks, top * blocks);
        // SAFETY: the caller keeps parents, rows and the top within their slices.
        let (least, lane) = unsafe {
            if GROUPS > 0 {
                fixed::<L, GROUPS, CHUNKS>(batch, from, with, to)
            } else {
                any::<L>(batch, from, with, to)
            }
        };
        // SAFETY: there are as many free heads as children.
        *unsafe { get_mut(batch.heads, top) } = child.head(lane as u16);
        top += usize::from(least != 0 && least != L::NONE);
        covers += u64::from(least == L::NONE);
    }
    Outcome { top, covers }
}

/// Makes one child, and returns the least number of options of an item and the first such item.
///
/// # Safety
/// As for [`Kernel`].
#[inline(always)]
unsafe fn fixed<L: Lanes, const GROUPS: usize, const CHUNKS: usize>(
    batch: &mut Batch<'_>,
    from: usize,
    with: usize,
    to: usize,
) -> (u32, usize) {
    // SAFETY: the caller's.
    unsafe {
        let mut counts = [L::ones(); GROUPS];
        let mut least = L::ones();
        for (group, count) in counts.iter_mut().enumerate() {
            for block in group * CHUNKS..(group + 1) * CHUNKS {
                let live = L::load(get(batch.frames, from + block));
                let live = L::and(live, L::load(get(batch.rows, with + block)));
                L::store(live, get_mut(batch.frames, to + block));
                *count = L::count(*count, live);
            }
            least = L::min(least, *count);
        }
        let least = L::least(least);
        let mut lane = 0;
        for group in (0..GROUPS).rev() {
            let equal = L::equal(counts[group], least);
            if GROUPS == 1 || equal != 0 {
                lane = group * L::LANES + equal.trailing_zeros() as usize;
            }
        }
        (least, lane)
    }
}

/// Likewise for any shape, and ends at the first group with an item without options.
///
/// # Safety
/// As for [`Kernel`].
#[inline(always)]
unsafe fn any<L: Lanes>(batch: &mut Batch<'_>, from: usize, with: usize, to: usize) -> (u32, usize) {
    // SAFETY: the caller's.
    unsafe {
        let groups = batch.shape.groups();
        let mut least = L::ones();
        let mut start = 0;
        for group in 0..groups {
            let end = *get(&batch.shape.starts, group + 1);
            let mut count = L::ones();
            for block in start..end {
                let live = L::load(get(batch.frames, from + block));
                let live = L::and(live, L::load(get(batch.rows, with + block)));
                L::store(live, get_mut(batch.frames, to + block));
                count = L::count(count, live);
            }
            start = end;
            L::store(count, get_mut(batch.counts, group));
            least = L::min(least, count);
            if L::equal(count, 0) != 0 {
                return (0, 0);
            }
        }
        let least = L::least(least);
        if least == L::NONE {
            return (least, 0);
        }
        let mut group = 0;
        loop {
            let equal = L::equal(L::load(get(batch.counts, group)), least);
            if equal != 0 {
                return (least, group * L::LANES + equal.trailing_zeros() as usize);
            }
            group += 1;
        }
    }
}

/// Defines a leaf's `select`: the instance of its `expand` for a shape.
macro_rules! define_select {
    ($expand:ident, $x8:ty, $x16:ty, $x32:ty, $x64:ty) => {
        fn select(shape: &Shape) -> Kernel {
            fn of<L: Lanes>(shape: &Shape) -> Kernel {
                match (shape.groups(), shape.chunks()) {
                    (1, 1) => $expand::<L, 1, 1>,
                    (1, 2) => $expand::<L, 1, 2>,
                    (1, 3) => $expand::<L, 1, 3>,
                    (1, 4) => $expand::<L, 1, 4>,
                    (2, 1) => $expand::<L, 2, 1>,
                    (2, 2) => $expand::<L, 2, 2>,
                    (3, 1) => $expand::<L, 3, 1>,
                    (3, 2) => $expand::<L, 3, 2>,
                    (4, 1) => $expand::<L, 4, 1>,
                    (5, 1) => $expand::<L, 5, 1>,
                    _ => $expand::<L, 0, 0>,
                }
            }
            match shape.width {
                8 => of::<$x8>(shape),
                16 => of::<$x16>(shape),
                32 => of::<$x32>(shape),
                _ => of::<$x64>(shape),
            }
        }
    };
}
pub(super) use define_select;

//! The inner loop of the engine `masks`, which makes the children of a batch of nodes with one AND
//! and one count per child.
//!
//! The code is generic over the vectors of each instruction set (see `bits`). Small numbers of
//! groups and chunks are constants, so that the loops unroll. Bounds checks cost up to a fifth of
//! the time, so they exist only with `--cfg checked` or debug assertions (see `unchecked.rs`).
#![allow(unsafe_code, reason = "unchecked access to rows and frames")]

use std::fmt::Debug;
use std::ops::Range;

use crate::bits::{Block, Lane, LaneShape, Lanes, Leaf, Vectors, Work, and_count};
use crate::engine::unchecked::{get, get_mut, slice, split_mut};

/// A child to make: a parent frame and the row of the option chosen there, packed into one number
/// for a single store.
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

    const fn head(self, lane: u16) -> Head {
        Head(self.0 | (lane as u64) << 48)
    }
}

/// A node that is not a dead end: its parent frame and row, and the lane to branch on.
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

/// Number of options of an item that are listed without a branch for each.
pub(super) const FEW: usize = 2;

pub(super) struct Nodes<'a> {
    lanes: &'a Lanes<u16>,
    frames: &'a [Block],
    heads: &'a [Head],
    parents: Range<u32>,
    children: &'a mut [Child],
    end: usize,
}

impl<'a> Nodes<'a> {
    /// Prepares to list the children of `parents` in `children`, starting at index `end`, without
    /// bounds checks.
    ///
    /// # Safety
    /// The frames and heads of all `parents` must have been made with these lanes, with at least
    /// one option for the item of each head. `children` must have room for all children and [`FEW`]
    /// more.
    pub(super) unsafe fn new(
        lanes: &'a Lanes<u16>,
        frames: &'a [Block],
        heads: &'a [Head],
        parents: Range<u32>,
        children: &'a mut [Child],
        end: usize,
    ) -> Self {
        Self { lanes, frames, heads, parents, children, end }
    }
}

impl Work for Nodes<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Vectors>(self, _: V) -> usize {
        let Self { lanes, frames, heads, parents, children, mut end } = self;
        let Lanes { shape, places, options } = lanes;
        let (blocks, width) = (shape.blocks(), shape.width());
        let all = u64::MAX >> (64 - width);
        for parent in parents {
            // SAFETY: the caller of `Nodes::new` guarantees that parents lie within frames and
            // heads, that the lanes of the heads belong to this shape, and that `children` has
            // room. Each bit of a lane has an index in `options`, which has 64 padding entries at
            // its end.
            unsafe {
                let head = *get(heads, parent as usize);
                let Lane { first, word, shift, chunks } = *get(places, usize::from(head.lane()));
                let mut word = parent as usize * blocks * 8 + word as usize;
                let mut first = first as usize;
                let mut bits = get(frames, word / 8).0[word % 8] >> shift & all & !1;
                let mut left = chunks;
                loop {
                    let chunk_end = end + bits.count_ones() as usize;
                    let mut place = end;
                    // Items usually have few options: list `FEW` of them without a branch for each.
                    while place < end + FEW || place < chunk_end {
                        let row = *get(options, first + bits.trailing_zeros() as usize);
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
}

pub(super) struct Batch<'a> {
    shape: &'a LaneShape,
    rows: &'a [Block],
    children: &'a [Child],
    /// The frames of all nodes; those from `top` on are free, as are the heads from `top` on.
    frames: &'a mut [Block],
    heads: &'a mut [Head],
    top: usize,
    counts: &'a mut [Block],
}

impl<'a> Batch<'a> {
    /// Prepares the input of a kernel, which has no bounds checks.
    ///
    /// # Safety
    /// Every parent must be below `top`, and every row of a child within `rows`. There must be as
    /// many free frames and heads as children, and one block in `counts` for each group. Frames,
    /// rows and groups must all have this shape.
    pub(super) unsafe fn new(
        shape: &'a LaneShape,
        rows: &'a [Block],
        children: &'a [Child],
        frames: &'a mut [Block],
        heads: &'a mut [Head],
        top: usize,
        counts: &'a mut [Block],
    ) -> Self {
        Self { shape, rows, children, frames, heads, top, counts }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The end of the frames after the children that are neither dead ends nor covers were added.
    pub(super) top: usize,
    pub(super) covers: u64,
}

pub(super) trait Kernel: Debug + Send {
    fn expand(&self, batch: Batch<'_>) -> Outcome;
}

pub(super) fn select(leaf: Leaf, shape: &LaneShape) -> Box<dyn Kernel> {
    leaf.with_lanes(shape.width(), Select(shape))
}

struct Select<'a>(&'a LaneShape);

impl Work for Select<'_> {
    type Output = Box<dyn Kernel>;

    fn run<V: Vectors>(self, vectors: V) -> Self::Output {
        match (self.0.groups(), self.0.chunks()) {
            (1, 1) => Box::new(Fixed::<V, 1, 1>(vectors)),
            (1, 2) => Box::new(Fixed::<V, 1, 2>(vectors)),
            (1, 3) => Box::new(Fixed::<V, 1, 3>(vectors)),
            (1, 4) => Box::new(Fixed::<V, 1, 4>(vectors)),
            (2, 1) => Box::new(Fixed::<V, 2, 1>(vectors)),
            (2, 2) => Box::new(Fixed::<V, 2, 2>(vectors)),
            (3, 1) => Box::new(Fixed::<V, 3, 1>(vectors)),
            (3, 2) => Box::new(Fixed::<V, 3, 2>(vectors)),
            (4, 1) => Box::new(Fixed::<V, 4, 1>(vectors)),
            (5, 1) => Box::new(Fixed::<V, 5, 1>(vectors)),
            _ => Box::new(Any(vectors)),
        }
    }
}

#[derive(Debug)]
struct Fixed<V, const GROUPS: usize, const CHUNKS: usize>(V);

impl<V: Vectors, const GROUPS: usize, const CHUNKS: usize> Kernel for Fixed<V, GROUPS, CHUNKS> {
    fn expand(&self, batch: Batch<'_>) -> Outcome {
        self.0.run(Expand::<GROUPS, CHUNKS>(batch))
    }
}

#[derive(Debug)]
struct Any<V>(V);

impl<V: Vectors> Kernel for Any<V> {
    fn expand(&self, batch: Batch<'_>) -> Outcome {
        self.0.run(Expand::<0, 0>(batch))
    }
}

/// The body of every kernel. `GROUPS` and `CHUNKS` describe the shape; both are 0 for shapes
/// without a specialized kernel.
struct Expand<'a, const GROUPS: usize, const CHUNKS: usize>(Batch<'a>);

impl<const GROUPS: usize, const CHUNKS: usize> Work for Expand<'_, GROUPS, CHUNKS> {
    type Output = Outcome;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> Outcome {
        let Batch { shape, rows, children, frames, heads, mut top, counts } = self.0;
        let mut covers = 0;
        let blocks = if GROUPS > 0 { GROUPS * CHUNKS } else { shape.blocks() };
        debug_assert_eq!(blocks, shape.blocks(), "the kernel is that of the shape");
        for &child in children {
            let (from, with) = (child.parent() as usize * blocks, usize::from(child.row()) * blocks);
            // SAFETY: the caller of `Batch::new` guarantees that parents lie below `top` and rows
            // within the rows, and that there is a free frame and head for each child; `top` grows
            // by at most one per child.
            let (parent, row, frame, head) = unsafe {
                let (made, free) = split_mut(frames, top * blocks);
                let frame = split_mut(free, blocks).0;
                (
                    slice(made, from, from + blocks),
                    slice(rows, with, with + blocks),
                    frame,
                    get_mut(heads, top),
                )
            };
            let (least, lane) = if GROUPS > 0 {
                fixed::<V, GROUPS, CHUNKS>(vectors, parent, row, frame)
            } else {
                any(vectors, shape, parent, row, frame, counts)
            };
            *head = child.head(lane as u16);
            top += usize::from(least != 0 && least != V::NONE);
            covers += u64::from(least == V::NONE);
        }
        Outcome { top, covers }
    }
}

/// Makes one child. Returns the smallest number of live bits in a lane, and the first lane with
/// this number.
#[inline(always)]
fn fixed<V: Vectors, const GROUPS: usize, const CHUNKS: usize>(
    vectors: V,
    parent: &[Block],
    row: &[Block],
    frame: &mut [Block],
) -> (u32, usize) {
    let mut counts = [vectors.ones(); GROUPS];
    let mut least = vectors.ones();
    for (group, count) in counts.iter_mut().enumerate() {
        let chunks = group * CHUNKS..(group + 1) * CHUNKS;
        let frame = &mut frame[chunks.clone()];
        *count = and_count(vectors, &parent[chunks.clone()], &row[chunks], frame);
        least = vectors.min(least, *count);
    }
    let least = vectors.least(least);
    let mut lane = 0;
    for group in (0..GROUPS).rev() {
        let equal = vectors.equal(counts[group], least);
        if GROUPS == 1 || equal != 0 {
            lane = group * V::LANES + equal.trailing_zeros() as usize;
        }
    }
    (least, lane)
}

/// Does the same as `fixed`, for any shape of the lanes. Stops at the first group that has an item
/// without options.
#[inline(always)]
fn any<V: Vectors>(
    vectors: V,
    shape: &LaneShape,
    parent: &[Block],
    row: &[Block],
    frame: &mut [Block],
    counts: &mut [Block],
) -> (u32, usize) {
    let mut least = vectors.ones();
    let (mut parent, mut row, mut frame) = (parent, row, frame);
    for (ends, total) in shape.starts().windows(2).zip(&mut *counts) {
        let chunks = (ends[1] - ends[0]) as usize;
        // SAFETY: the last end is the number of blocks of a frame and of a row.
        let count = unsafe {
            let (group, rest) = split_mut(frame, chunks);
            let count = and_count(vectors, slice(parent, 0, chunks), slice(row, 0, chunks), group);
            frame = rest;
            parent = slice(parent, chunks, parent.len());
            row = slice(row, chunks, row.len());
            count
        };
        vectors.store(count, total);
        least = vectors.min(least, count);
        if vectors.equal(count, 0) != 0 {
            return (0, 0);
        }
    }
    let least = vectors.least(least);
    if least == V::NONE {
        return (least, 0);
    }
    let lanes = counts.iter().map(|count| vectors.equal(vectors.load(count), least));
    let (group, equal) = lanes.enumerate().find(|&(_, equal)| equal != 0).expect("a lane is the least");
    (least, group * V::LANES + equal.trailing_zeros() as usize)
}

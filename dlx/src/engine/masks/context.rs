//! An encoding of a problem and the search in it, as a stack of regions of frames.
//!
//! A *frame* is the live set of one node. A *region* is the range of frames of nodes of one level
//! that were made together. A new region starts after the last frame in use, and finished regions
//! are popped.
//!
//! Invariant, for the unchecked access: each frame below the end of the last region belongs to a
//! node made by this context, with at least one option for its branching item. Each listed child
//! has a node of this context as parent, and a row of the encoding. Only the module `context`
//! writes frames, heads and children.
#![allow(unsafe_code, reason = "kernels leave out bounds checks")]

use super::encoding::Encoding;
use super::kernel;
use super::kernel::{Batch, Child, Head, Kernel, Nodes, Outcome};
use crate::bits::{Block, Leaf};
use crate::limits::Limit;
use crate::model::OptionId;

pub(super) const NO_PARENT: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Nodes,
    /// Make children; the number of listed children.
    Children(usize),
    Nothing,
}

#[derive(Debug)]
pub(super) struct Context {
    leaf: Leaf,
    encoding: Encoding,
    kernel: Box<dyn Kernel>,
    blocks: usize,
    frames: Vec<Block>,
    heads: Vec<Head>,
    counts: Vec<Block>,
    children: Vec<Child>,
    regions: Vec<Region>,
    /// The frame of the previous context whose subproblem is encoded in this context.
    origin: u32,
    level: usize,
}

/// A range of frames `start .. end`, the nodes of one level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The first frame whose children are not listed yet.
    pub(super) next: u32,
    pub(super) batch: u32,
    /// The listed children of the current batch begin at `child_start`; `child_next .. child_end`
    /// are not made yet.
    pub(super) child_start: u32,
    pub(super) child_next: u32,
    pub(super) child_end: u32,
    /// The number of children made last. The next region consists of the children made last.
    pub(super) made: u32,
}

impl Region {
    fn new(start: usize, end: usize, children: usize) -> Self {
        let [start, end, children] = [start as u32, end as u32, children as u32];
        Self {
            start,
            end,
            next: start,
            batch: start,
            child_start: children,
            child_next: children,
            child_end: children,
            made: 0,
        }
    }
}

impl Context {
    pub(super) fn new(leaf: Leaf) -> Self {
        let encoding = Encoding::default();
        Self {
            leaf,
            kernel: kernel::select(leaf, &encoding.lanes.shape),
            encoding,
            blocks: 0,
            frames: Vec::new(),
            heads: Vec::new(),
            counts: Vec::new(),
            children: Vec::new(),
            regions: Vec::new(),
            origin: NO_PARENT,
            level: 0,
        }
    }

    /// Builds the encoding with `encode`, for a search that [begins](Self::begin) at `level`.
    /// `origin` is the frame of the previous context that is re-encoded here, or [`NO_PARENT`].
    pub(super) fn encode(
        &mut self,
        origin: u32,
        level: usize,
        encode: impl FnOnce(&mut Encoding) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.regions.clear();
        encode(&mut self.encoding)?;
        self.kernel = kernel::select(self.leaf, &self.encoding.lanes.shape);
        self.origin = origin;
        self.level = level;
        self.blocks = self.encoding.lanes.shape.blocks();
        let groups = self.encoding.lanes.shape.groups();
        self.counts.resize(groups, Block::ZERO);
        Ok(())
    }

    /// Starts a search with the options of `rows` chosen, which must not conflict. The root is
    /// frame 0, and its only child is the first node.
    pub(super) fn begin(&mut self, rows: &[u16]) {
        self.regions.clear();
        self.frames.resize(self.frames.len().max(self.blocks), Block::ZERO);
        let root = &mut self.frames[..self.blocks];
        self.encoding.fill(root);
        for &row in rows {
            let row = &self.encoding.rows[usize::from(row) * self.blocks..][..self.blocks];
            root.iter_mut().zip(row).for_each(|(block, row)| *block = block.and(row));
        }
        let neutral = self.encoding.neutral_row();
        let root = Head::new(NO_PARENT, neutral);
        self.heads.resize(self.heads.len().max(1), root);
        self.heads[0] = root;
        let child = Child::new(0, neutral);
        self.children.resize(self.children.len().max(1), child);
        self.children[0] = child;
        self.regions.push(Region { next: 1, child_end: 1, ..Region::new(0, 1, 0) });
    }

    pub(super) fn clear(&mut self) {
        self.regions.clear();
    }

    pub(super) fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    pub(super) fn origin(&self) -> u32 {
        self.origin
    }

    pub(super) fn level(&self) -> usize {
        self.level
    }

    pub(super) fn regions(&self) -> &[Region] {
        &self.regions
    }

    pub(super) fn region(&self) -> &Region {
        self.regions.last().expect("there is a region to go on with")
    }

    pub(super) fn head(&self, frame: u32) -> Head {
        self.heads[frame as usize]
    }

    pub(super) fn child(&self, number: u32) -> Child {
        self.children[number as usize]
    }

    pub(super) fn frame(&self, frame: u32) -> &[Block] {
        &self.frames[frame as usize * self.blocks..][..self.blocks]
    }

    pub(super) fn option(&self, row: u16) -> Option<OptionId> {
        self.encoding.options.get(usize::from(row)).map(|&option| OptionId::new(option as usize))
    }

    pub(super) fn next(&mut self) -> Next {
        while let Some(region) = self.regions.last() {
            if region.child_next < region.child_end {
                return Next::Children((region.child_end - region.child_next) as usize);
            }
            if region.next < region.end {
                return Next::Nodes;
            }
            self.regions.pop();
        }
        Next::Nothing
    }

    pub(super) fn skip(&mut self) {
        let region = self.regions.last_mut().expect("there is a region to go on with");
        assert!(region.next < region.end, "there is a node to leave");
        region.next += 1;
        region.batch = region.next;
        region.child_end = region.child_start;
        region.child_next = region.child_start;
    }

    pub(super) fn list_children(&mut self, count: usize) {
        let Self { leaf, encoding, frames, heads, children, regions, .. } = self;
        let region = regions.last_mut().expect("there is a region to go on with");
        let mut end = region.child_start as usize;
        region.batch = region.next;
        region.next = region.end.min(region.next + count as u32);
        let room = (region.next - region.batch) as usize * encoding.room();
        if children.len() < end + room {
            children.resize(end + room, Child::default());
        }
        // SAFETY: the frames of a region belong to live nodes, and `children` was just resized.
        let nodes = unsafe {
            Nodes::new(&encoding.lanes, frames, heads, region.batch..region.next, children, end)
        };
        end = leaf.run(nodes);
        region.child_next = region.child_start;
        region.child_end = end as u32;
    }

    /// Lists the row returned by `row`, if any, as the only child of each of the next `count` nodes
    /// of the last region.
    pub(super) fn list_rows(&mut self, count: usize, mut row: impl FnMut(u32) -> Option<u16>) {
        let region = self.regions.last_mut().expect("there is a region to go on with");
        let row_count = self.encoding.rows.len() / self.blocks;
        let start = region.child_start as usize;
        let mut end = start;
        region.batch = region.next;
        region.next = region.end.min(region.next + count as u32);
        let nodes = region.batch..region.next;
        if self.children.len() < start + nodes.len() {
            self.children.resize(start + nodes.len(), Child::default());
        }
        for frame in nodes {
            if let Some(row) = row(frame) {
                assert!(usize::from(row) < row_count, "the row is one of the encoding");
                self.children[end] = Child::new(frame, row);
                end += 1;
            }
        }
        region.child_next = region.child_start;
        region.child_end = end as u32;
    }

    /// Drops the listed children of the last region that `is_wanted` rejects.
    ///
    /// The method must be called before any of the listed children is made.
    pub(super) fn retain_children(&mut self, mut is_wanted: impl FnMut(Child) -> bool) {
        let region = self.regions.last_mut().expect("there is a region to go on with");
        let mut end = region.child_start;
        for place in region.child_start..region.child_end {
            let child = self.children[place as usize];
            if is_wanted(child) {
                self.children[end as usize] = child;
                end += 1;
            }
        }
        region.child_end = end;
    }

    /// Makes the next `count` children of the last region. The children that are neither dead ends
    /// nor covers become a new region.
    pub(super) fn make(&mut self, count: usize) -> Outcome {
        let region = self.regions.last_mut().expect("there is a region to go on with");
        let (start, top) = (region.child_next as usize, region.end as usize);
        assert!(start + count <= region.child_end as usize, "as many children are listed");
        region.child_next += count as u32;
        region.made = count as u32;
        if self.heads.len() < top + count {
            self.heads.resize(top + count, self.heads[0]);
        }
        if self.frames.len() < (top + count) * self.blocks {
            self.frames.resize((top + count) * self.blocks, Block::ZERO);
        }
        // SAFETY: parents are frames of the last region, below `top`; rows come from the encoding;
        // there is room for all children and groups.
        let batch = unsafe {
            Batch::new(
                &self.encoding.lanes.shape,
                &self.encoding.rows,
                &self.children[start..start + count],
                &mut self.frames,
                &mut self.heads,
                top,
                &mut self.counts,
            )
        };
        let outcome = self.kernel.expand(batch);
        if outcome.top > top {
            let children = region.child_end as usize;
            self.regions.push(Region::new(top, outcome.top, children));
        }
        outcome
    }

    /// Discards the frames made for `child` and later children of the region that ends at `top`,
    /// and makes `count` children again, starting with `child`.
    pub(super) fn remake(&mut self, child: u32, count: usize, top: usize) -> Outcome {
        if self.region().start as usize == top {
            self.regions.pop();
        }
        let region = self.regions.last_mut().expect("the children are its own");
        assert!(child >= region.child_start, "the child is one of the region's");
        region.child_next = child;
        self.make(count)
    }
}

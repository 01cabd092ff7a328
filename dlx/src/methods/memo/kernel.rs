//! The inner loops at a node, which compute ANDs of live sets and count the options of items.
//! Unlike the kernel of the engine `masks`, this kernel builds all children of a node, only detects
//! items with a single option, and skips groups of lanes whose items are all covered.

use std::fmt::Debug;

use crate::bits::{Block, Leaf, Vectors, Work, and_count};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Child {
    pub(super) option: u32,
    pub(super) has_single: bool,
}

pub(super) trait Kernel: Debug + Send {
    /// Builds the children of a node, except children where an item has no option left. Returns
    /// their number.
    fn expand(&self, node: Expand<'_>) -> usize;
    fn restrict(&self, frame: &mut [Block], row: &[Block]);
    /// Counts the options of the items in some groups of lanes (all ones for a covered item).
    /// Returns the smallest count.
    fn measure(&self, frame: &[Block], starts: &[u32], degrees: &mut [Block]) -> u32;
    /// Returns the set of lanes equal to `value`, which is 0, 1, or a result of `measure`.
    fn equal(&self, block: &Block, value: u32) -> u64;
}

pub(super) fn kernel(leaf: Leaf, width: usize) -> Box<dyn Kernel> {
    leaf.with_lanes(width, Select)
}

struct Select;

impl Work for Select {
    type Output = Box<dyn Kernel>;

    fn run<V: Vectors>(self, vectors: V) -> Self::Output {
        Box::new(Loops(vectors))
    }
}

#[derive(Debug)]
struct Loops<V>(V);

impl<V: Vectors> Kernel for Loops<V> {
    #[inline]
    fn expand(&self, node: Expand<'_>) -> usize {
        self.0.run(node)
    }

    #[inline]
    fn restrict(&self, frame: &mut [Block], row: &[Block]) {
        self.0.run(Restrict { frame, row });
    }

    #[inline]
    fn measure(&self, frame: &[Block], starts: &[u32], degrees: &mut [Block]) -> u32 {
        self.0.run(Measure { frame, starts, degrees })
    }

    #[inline]
    fn equal(&self, block: &Block, value: u32) -> u64 {
        self.0.run(Equal { block, value })
    }
}

pub(super) struct Expand<'a> {
    pub(super) parent: &'a [Block],
    pub(super) starts: &'a [u32],
    pub(super) rows: &'a [Block],
    pub(super) options: &'a [u32],
    pub(super) frames: &'a mut [Block],
    pub(super) children: &'a mut [Child],
}

impl Work for Expand<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> usize {
        let Self { parent, starts, rows, options, frames, children } = self;
        let blocks = parent.len();
        let children = &mut children[..options.len()];
        let (&first, ends) = starts.split_first().expect("the end of the groups is among the starts");
        let mut count = 0;
        for &option in options {
            let row = &rows[option as usize * blocks..][..blocks];
            let child = &mut frames[count * blocks..][..blocks];
            let mut least = vectors.ones();
            let mut start = first as usize;
            for &end in ends {
                let end = end as usize;
                let degrees =
                    and_count(vectors, &parent[start..end], &row[start..end], &mut child[start..end]);
                least = vectors.min(least, degrees);
                start = end;
            }
            and_count(vectors, &parent[start..], &row[start..], &mut child[start..]);
            children[count] = Child { option, has_single: vectors.equal(least, 1) != 0 };
            count += usize::from(vectors.equal(least, 0) == 0);
        }
        count
    }
}

struct Restrict<'a> {
    frame: &'a mut [Block],
    row: &'a [Block],
}

impl Work for Restrict<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) {
        for (block, row) in self.frame.iter_mut().zip(self.row) {
            vectors.store(vectors.and(vectors.load(block), vectors.load(row)), block);
        }
    }
}

struct Measure<'a> {
    frame: &'a [Block],
    starts: &'a [u32],
    degrees: &'a mut [Block],
}

impl Work for Measure<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> u32 {
        let mut least = vectors.ones();
        for (ends, degrees) in self.starts.windows(2).zip(self.degrees) {
            let mut count = vectors.ones();
            for block in &self.frame[ends[0] as usize..ends[1] as usize] {
                count = vectors.count(count, vectors.load(block));
            }
            least = vectors.min(least, count);
            vectors.store(count, degrees);
        }
        vectors.least(least)
    }
}

struct Equal<'a> {
    block: &'a Block,
    value: u32,
}

impl Work for Equal<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> u64 {
        vectors.equal(vectors.load(self.block), self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Random;

    #[test]
    fn all_instruction_sets_agree_for_lanes_of_every_width() {
        let mut random = Random::new(1);
        let starts = [0, 1, 6];
        let blocks = 7;
        let mut dead = 0;
        for round in 0..500 {
            let width = [8, 16, 32, 64][round % 4];
            let mut block = || {
                Block([(); 8].map(|()| {
                    let words = [(); 3].map(|()| random.next_u64());
                    if round % 3 == 0 { words[0] & words[1] & words[2] } else { words[0] | words[1] }
                }))
            };
            let parent: Vec<_> = (0..blocks).map(|_| block()).collect();
            let rows: Vec<_> = (0..4 * blocks).map(|_| block()).collect();
            let results = Leaf::all().map(|leaf| {
                let kernel = kernel(leaf, width);
                let mut frames = vec![Block::ZERO; 4 * blocks];
                let mut children = [Child { option: 0, has_single: false }; 4];
                let options = [2, 0, 3, 1];
                let count = kernel.expand(Expand {
                    parent: &parent,
                    starts: &starts,
                    rows: &rows,
                    options: &options,
                    frames: &mut frames,
                    children: &mut children,
                });
                let mut degrees = vec![Block::ZERO; 2];
                let least = kernel.measure(&parent, &starts, &mut degrees);
                let mut rest = parent.clone();
                kernel.restrict(&mut rest, &rows[..blocks]);
                let equal = kernel.equal(&degrees[0], least);
                frames.truncate(count * blocks);
                (frames, children[..count].to_vec(), degrees, least, rest, equal)
            });
            let results: Vec<_> = results.collect();
            dead += 4 - results[0].1.len();
            assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "lanes of {width} bits");
        }
        assert!(dead > 100, "some children were dead ends: {dead}");
    }
}

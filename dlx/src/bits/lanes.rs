//! The layout of a live set: the positions of lanes in blocks, and the option of each bit.

use super::Block;

/// Maximum number of options of an item. Larger numbers do not fit in 16 bits next to the reserved
/// values of `least`.
pub(crate) const COUNT_MAX: usize = 0xfffe;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LaneShape {
    width: u32,
    lanes_log: u32,
    /// Group `g` of items has the blocks `starts[g] .. starts[g + 1]`.
    starts: Vec<u32>,
}

impl Default for LaneShape {
    fn default() -> Self {
        Self { width: 8, lanes_log: 6, starts: vec![0, 1] }
    }
}

impl LaneShape {
    /// Chooses the lane width that minimizes four times the number of blocks plus the number of
    /// groups. Each of `lists` contains the number of options per item, at most [`COUNT_MAX`], and
    /// starts a new group.
    pub(crate) fn new(lists: &[&[u32]]) -> Self {
        let shape = |width: u32| {
            let groups = lists.iter().flat_map(|degrees| degrees.chunks(Block::BITS / width as usize));
            let mut starts = vec![0];
            let mut start = 0;
            for group in groups {
                let widest = group.iter().max().map_or(0, |&degree| degree);
                start += (widest + 1).div_ceil(width);
                starts.push(start);
            }
            if starts.len() == 1 {
                starts.push(1);
            }
            Self { width, lanes_log: Block::BITS.ilog2() - width.ilog2(), starts }
        };
        let widest = lists.iter().copied().flatten().max().map_or(0, |&degree| degree);
        debug_assert!(widest as usize <= COUNT_MAX, "a lane counts so far");
        // A lane of 8 bits counts to 254, because 255 means that an item is covered.
        let widths: &[u32] = if widest < 255 { &[8, 16, 32, 64] } else { &[16, 32, 64] };
        let shapes = widths.iter().map(|&width| shape(width));
        shapes.min_by_key(|shape| 4 * shape.blocks() + shape.groups()).expect("there are widths")
    }

    pub(crate) fn width(&self) -> usize {
        self.width as usize
    }

    pub(crate) fn lanes(&self) -> usize {
        1 << self.lanes_log
    }

    pub(crate) fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn blocks(&self) -> usize {
        self.starts[self.groups()] as usize
    }

    #[inline(always)]
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }

    #[inline(always)]
    pub(crate) fn group(&self, lane: usize) -> usize {
        lane >> self.lanes_log
    }

    /// Returns the number of blocks of every group, or 0 if they differ.
    pub(crate) fn chunks(&self) -> usize {
        let chunks = self.starts[1];
        let same = self.starts.windows(2).all(|pair| pair[1] - pair[0] == chunks);
        if same { chunks as usize } else { 0 }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lane {
    /// Bit `k` of the lane represents entry `first + k` of the table of options.
    pub(crate) first: u32,
    pub(crate) word: u32,
    pub(crate) shift: u16,
    /// The number of chunks of the lane's group. The lane continues in this many consecutive
    /// blocks.
    pub(crate) chunks: u16,
}

/// The lanes of items, and the option of each bit as a value of type `N`. Bit 0 of a lane
/// represents the item, bit k > 0 its k-th option.
#[derive(Debug)]
pub(crate) struct Lanes<N> {
    pub(crate) shape: LaneShape,
    pub(crate) places: Vec<Lane>,
    pub(crate) options: Vec<N>,
}

impl<N> Default for Lanes<N> {
    fn default() -> Self {
        Self { shape: LaneShape::default(), places: Vec::new(), options: Vec::new() }
    }
}

impl<N: Copy + Default> Lanes<N> {
    /// Assigns a lane to each item, given lists as in [`LaneShape::new`]. [`Lanes::put`] then
    /// assigns the options.
    pub(crate) fn place(&mut self, lists: &[&[u32]]) {
        self.shape = LaneShape::new(lists);
        let (lanes, width) = (self.shape.lanes(), self.shape.width());
        let (mut first, mut widest) = (0, 0);
        self.places.clear();
        for degrees in lists {
            self.places.resize(self.places.len().next_multiple_of(lanes), Lane::default());
            for &degree in *degrees {
                let lane = self.places.len();
                let ends = &self.shape.starts[self.shape.group(lane)..];
                let bit = ends[0] as usize * Block::BITS + lane % lanes * width;
                let (word, shift) = ((bit / 64) as u32, (bit % 64) as u16);
                self.places.push(Lane { first, word, shift, chunks: (ends[1] - ends[0]) as u16 });
                first += degree + 1;
                widest = widest.max(degree);
            }
        }
        // Listing the options of a lane reads one entry after its last bit if a chunk is empty.
        self.options.clear();
        self.options.resize((first + widest) as usize + 65, N::default());
    }

    pub(crate) fn put(&mut self, lane: usize, k: u32, option: N) -> u32 {
        self.options[(self.places[lane].first + k) as usize] = option;
        self.bit(lane, k)
    }

    pub(crate) fn bit(&self, lane: usize, k: u32) -> u32 {
        let Lane { word, shift, .. } = self.places[lane];
        let (chunk, bit) = (k / self.shape.width, k % self.shape.width);
        chunk * Block::BITS as u32 + word * 64 + u32::from(shift) + bit
    }

    pub(crate) fn is_open(&self, frame: &[Block], lane: usize) -> bool {
        let Lane { word, shift, .. } = self.places[lane];
        frame[word as usize / 8].0[word as usize % 8] >> shift & 1 == 1
    }

    /// Calls `f` with each option of a lane's item in the live set `frame`, until `f` returns
    /// `false`.
    #[inline(always)]
    pub(crate) fn for_each(&self, frame: &[Block], lane: usize, mut f: impl FnMut(N) -> bool) {
        let Lane { first, word, shift, chunks } = self.places[lane];
        let all = u64::MAX >> (64 - self.shape.width);
        let (mut first, mut word, mut left) = (first as usize, word as usize, chunks);
        let mut mask = all & !1;
        loop {
            let mut bits = frame[word / 8].0[word % 8] >> shift & mask;
            while bits != 0 {
                if !f(self.options[first + bits.trailing_zeros() as usize]) {
                    return;
                }
                bits &= bits - 1;
            }
            left -= 1;
            if left == 0 {
                return;
            }
            mask = all;
            word += 8;
            first += self.shape.width();
        }
    }

    #[inline]
    pub(crate) fn any(&self, frame: &[Block], lane: usize) -> Option<N> {
        let mut any = None;
        self.for_each(frame, lane, |option| {
            any = Some(option);
            false
        });
        any
    }

    pub(crate) fn degree(&self, frame: &[Block], lane: usize) -> u32 {
        let Lane { word, shift, chunks, .. } = self.places[lane];
        let all = u64::MAX >> (64 - self.shape.width);
        let (start, word) = (word as usize / 8, word as usize % 8);
        let chunks = frame[start..][..usize::from(chunks)].iter();
        let ones: u32 = chunks.map(|block| (block.0[word] >> shift & all).count_ones()).sum();
        ones - u32::from(self.is_open(frame, lane))
    }
}

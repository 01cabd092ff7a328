//! A problem, or a subproblem, encoded as live sets and rows of bits.
//!
//! Each active primary item has a lane (see `bits`), in order of definition. Bit 0 of a lane means
//! that the item is uncovered, bit k that its k-th option can still be chosen. The row of an option
//! clears all bits of the option's own items and, in all other lanes, the bits of the options that
//! conflict with it. Secondary items have no lanes and only affect the rows.

use super::kernel::FEW;
use crate::bits::{self, Block, Exclusions, LaneShape, Lanes, Leaf};
use crate::limits::{Limit, Pace};
use crate::model::{OptionId, Problem};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) primary_count: usize,
    pub(super) secondary_count: usize,
    pair_count: usize,
    /// Option `o` has the entries `starts[o] .. starts[o + 1]`, the primary items first.
    starts: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) item: u32,
    /// The number of the pair of item and color, from 1, or 0 without a color.
    pub(super) pair: u32,
}

impl Source {
    pub(super) fn new(problem: &Problem) -> Self {
        let primary_count = problem.primary_count();
        let mut places = Vec::with_capacity(problem.item_count());
        let (mut primary, mut secondary) = (0, primary_count as u32);
        for item in problem.items() {
            let next = if problem.is_primary(item) { &mut primary } else { &mut secondary };
            places.push(*next);
            *next += 1;
        }
        let mut pairs = indexmap::IndexSet::new();
        let mut starts = Vec::with_capacity(problem.option_count() + 1);
        let mut entries = Vec::with_capacity(problem.entry_count());
        starts.push(0);
        for option in problem.options() {
            let start = entries.len();
            for entry in problem.option(option) {
                let item = places[entry.item.index()];
                let pair = entry.color.map_or(0, |color| pairs.insert_full((item, color)).0 as u32 + 1);
                entries.push(Entry { item, pair });
            }
            entries[start..].sort_by_key(|entry| entry.item >= primary_count as u32);
            starts.push(entries.len() as u32);
        }
        let secondary_count = problem.item_count() - primary_count;
        Self { primary_count, secondary_count, pair_count: pairs.len(), starts, entries }
    }

    pub(super) fn option_count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn encoding_cost(&self, options: usize, blocks: usize) -> f32 {
        encoding_cost(self.entries.len() as f32 / self.option_count() as f32, options, blocks)
    }

    pub(super) fn entries(&self, option: u32) -> &[Entry] {
        let option = option as usize;
        &self.entries[self.starts[option] as usize..self.starts[option + 1] as usize]
    }

    pub(super) fn is_primary(&self, entry: Entry) -> bool {
        (entry.item as usize) < self.primary_count
    }

    pub(super) fn primary(&self, option: u32) -> impl Iterator<Item = usize> {
        let entries = self.entries(option).iter();
        entries.map(|entry| entry.item as usize).take_while(|&item| item < self.primary_count)
    }

    /// Returns the items covered by the options in `chosen`, or `None` if these options conflict.
    pub(super) fn choose(&self, chosen: &[OptionId]) -> Option<Cover> {
        let mut cover = Cover { states: vec![State::Free; self.primary_count + self.secondary_count] };
        for option in chosen {
            for &entry in self.entries(option.index() as u32) {
                if !cover.admits(entry) {
                    return None;
                }
                cover.states[entry.item as usize] =
                    if entry.pair == 0 { State::Covered } else { State::Colored(entry.pair) };
            }
        }
        Some(cover)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Free,
    Covered,
    Colored(u32),
}

/// The items covered by chosen options.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    states: Vec<State>,
}

impl Cover {
    pub(super) fn is_free(&self, item: usize) -> bool {
        self.states[item] == State::Free
    }

    pub(super) fn admits(&self, entry: Entry) -> bool {
        match self.states[entry.item as usize] {
            State::Free => true,
            State::Covered => false,
            State::Colored(pair) => entry.pair == pair,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Encoding {
    /// The lanes of the items, and the row of each bit of a lane.
    pub(super) lanes: Lanes<u16>,
    items: Vec<u32>,
    pub(super) options: Vec<u32>,
    /// The row of each option, then the neutral row, which excludes no option.
    pub(super) rows: Vec<Block>,
    /// For each option, the positions of its bits in a live set, one per primary item.
    bits: Vec<u32>,
    room: usize,
}

#[derive(Debug, Default)]
pub(super) struct Scratch {
    lane_of: Vec<u32>,
    degrees: Vec<u32>,
    is_live: Vec<bool>,
    /// Per item, and per pair of item and color, the bits of all options that contain it.
    exclusions: Exclusions,
}

pub(super) fn root_blocks(problem: &Problem) -> usize {
    let mut degrees = vec![0; problem.item_count()];
    for entry in problem.options().flat_map(|option| problem.option(option)) {
        degrees[entry.item.index()] += 1;
    }
    let of_primary = problem.items().filter(|&item| problem.is_primary(item));
    LaneShape::new(&[&of_primary.map(|item| degrees[item.index()]).collect::<Vec<_>>()]).blocks()
}

/// Estimates the time (ns) to encode `options` options with `size` entries on average in `blocks`
/// blocks.
pub(super) fn encoding_cost(size: f32, options: usize, blocks: usize) -> f32 {
    1000.0 + options as f32 * (60.0 + size * (3.0 * size + blocks as f32))
}

impl Encoding {
    /// Encodes the subproblem of the given items and options, both in order of definition. `items`
    /// must contain all primary items of `options`.
    ///
    /// # Errors
    /// If a limit is reached. The encoding must then be built again before use.
    pub(super) fn encode(
        &mut self,
        leaf: Leaf,
        source: &Source,
        scratch: &mut Scratch,
        items: impl Iterator<Item = usize>,
        options: impl Iterator<Item = u32>,
        pace: &mut Pace<'_>,
    ) -> Result<(), Limit> {
        self.options.clear();
        self.options.extend(options);
        self.items.clear();
        self.items.extend(items.map(|item| item as u32));
        self.place_lanes(source, scratch);
        self.place_bits(source, scratch);
        self.make_masks(source, scratch, pace)?;
        self.make_rows(leaf, source, scratch, pace)
    }

    pub(super) fn encode_part(
        &mut self,
        leaf: Leaf,
        source: &Source,
        scratch: &mut Scratch,
        whole: &Self,
        frame: &[Block],
        pace: &mut Pace<'_>,
    ) -> Result<(), Limit> {
        let mut is_live = std::mem::take(&mut scratch.is_live);
        is_live.clear();
        is_live.resize(whole.options.len(), false);
        for lane in 0..whole.items.len() {
            whole.lanes.for_each(frame, lane, |row| {
                is_live[usize::from(row)] = true;
                true
            });
        }
        let items = (0..whole.items.len())
            .filter(|&lane| whole.lanes.is_open(frame, lane))
            .map(|lane| whole.items[lane] as usize);
        let options = whole.options.iter().zip(&is_live).filter(|&(_, live)| *live);
        let options = options.map(|(&option, _)| option);
        let made = self.encode(leaf, source, scratch, items, options, pace);
        scratch.is_live = is_live;
        made
    }

    /// Returns the approximate number of options in the live set `frame`, and the number of blocks
    /// that an encoding of these options needs.
    pub(super) fn measure(&self, frame: &[Block], scratch: &mut Scratch) -> (usize, usize) {
        let degrees = &mut scratch.degrees;
        degrees.clear();
        let mut bits = 0;
        for lane in (0..self.items.len()).filter(|&lane| self.lanes.is_open(frame, lane)) {
            let degree = self.lanes.degree(frame, lane);
            degrees.push(degree);
            bits += degree as usize;
        }
        let size = self.bits.len() / self.options.len().max(1);
        (bits / size.max(1), LaneShape::new(&[degrees]).blocks())
    }

    fn place_lanes(&mut self, source: &Source, scratch: &mut Scratch) {
        scratch.lane_of.resize(source.primary_count, 0);
        for (lane, &item) in self.items.iter().enumerate() {
            scratch.lane_of[item as usize] = lane as u32;
        }
        scratch.degrees.clear();
        scratch.degrees.resize(self.items.len(), 0);
        for &option in &self.options {
            for item in source.primary(option) {
                scratch.degrees[scratch.lane_of[item] as usize] += 1;
            }
        }
        self.lanes.place(&[&scratch.degrees]);
        self.room = scratch.degrees.iter().max().map_or(0, |&degree| degree as usize) + FEW;
    }

    fn place_bits(&mut self, source: &Source, scratch: &mut Scratch) {
        let Scratch { lane_of, degrees, .. } = scratch;
        degrees.fill(0);
        self.bits.clear();
        for (row, &option) in self.options.iter().enumerate() {
            for item in source.primary(option) {
                let lane = lane_of[item] as usize;
                degrees[lane] += 1;
                self.bits.push(self.lanes.put(lane, degrees[lane], row as u16));
            }
        }
    }

    fn make_masks(
        &mut self,
        source: &Source,
        scratch: &mut Scratch,
        pace: &mut Pace<'_>,
    ) -> Result<(), Limit> {
        let blocks = self.lanes.shape.blocks();
        let Scratch { exclusions, lane_of, .. } = scratch;
        let item_count = source.primary_count + source.secondary_count;
        let expected = (item_count + source.pair_count).min(self.bits.len());
        exclusions.begin(item_count + source.pair_count + 1, expected, blocks);
        let mut bits = &self.bits[..];
        for &option in &self.options {
            let (own, others) = bits.split_at(source.primary(option).count());
            bits = others;
            pace.spend((source.entries(option).len() * (1 + own.len())) as u64)?;
            for &entry in source.entries(option) {
                let pair = (entry.pair > 0).then(|| item_count + entry.pair as usize);
                for key in [Some(entry.item as usize), pair].into_iter().flatten() {
                    if !exclusions.has(key) {
                        pace.spend(4 * blocks as u64)?;
                        if key < source.primary_count {
                            exclusions.add(key, &[self.lanes.bit(lane_of[key] as usize, 0)]);
                        }
                    }
                    exclusions.add(key, own);
                }
            }
        }
        Ok(())
    }

    fn make_rows(
        &mut self,
        leaf: Leaf,
        source: &Source,
        scratch: &Scratch,
        pace: &mut Pace<'_>,
    ) -> Result<(), Limit> {
        let blocks = self.lanes.shape.blocks();
        let item_count = source.primary_count + source.secondary_count;
        self.rows.clear();
        self.rows.resize((self.options.len() + 1) * blocks, Block::ONES);
        for (row, &option) in self.rows.chunks_exact_mut(blocks).zip(&self.options) {
            pace.spend((source.entries(option).len() * 2 * blocks) as u64)?;
            for &entry in source.entries(option) {
                let pair = (entry.pair > 0).then(|| item_count + entry.pair as usize);
                scratch.exclusions.exclude(leaf, row, entry.item as usize, pair);
            }
        }
        Ok(())
    }

    /// Appends cuts after the neutral row. Cut n, counted from 0, excludes all but the first `n *
    /// step` options.
    pub(super) fn add_cuts(&mut self, source: &Source, step: usize) {
        let blocks = self.lanes.shape.blocks();
        let cuts = self.options.len().div_ceil(step) + 1;
        let start = self.rows.len();
        self.rows.resize(start + cuts * blocks, Block::ONES);
        let mut bits = &self.bits[..];
        for (place, &option) in self.options.iter().enumerate() {
            let (own, others) = bits.split_at(source.primary(option).count());
            bits = others;
            for cut in self.rows[start..].chunks_exact_mut(blocks).take(place / step + 1) {
                own.iter().for_each(|&bit| bits::clear(cut, bit));
            }
        }
    }

    pub(super) fn fill(&self, frame: &mut [Block]) {
        frame.fill(Block::ZERO);
        (0..self.items.len()).for_each(|lane| bits::set(frame, self.lanes.bit(lane, 0)));
        self.bits.iter().for_each(|&bit| bits::set(frame, bit));
    }

    /// Returns the row of an option, or `None` if the option is not encoded. Requires the encoded
    /// options in order of definition.
    pub(super) fn row(&self, option: OptionId) -> Option<u16> {
        self.options.binary_search(&(option.index() as u32)).ok().map(|row| row as u16)
    }

    pub(super) fn neutral_row(&self) -> u16 {
        self.options.len() as u16
    }

    /// Returns the number of `Child` slots needed to list the options of any item.
    pub(super) fn room(&self) -> usize {
        self.room
    }
}

//! Encodes a problem as lanes of bits: the live set of a node, and a mask (row) for each option.
//!
//! Each item has a lane of bits (`bits`). Bit k > 0 is set while the k-th option of the item can be
//! chosen. Bit 0 is set until the item is covered. Choosing an option is one AND of the live set
//! with its *row*.
//!
//! The lanes of the primary items covered exactly once come first, in the static order, so that
//! covered items form a prefix that can be skipped. Items with bounds other than one follow, then
//! the *elements*: secondary items without colors, and pairs of a secondary item and a color. Bit 0
//! of the lane of an element is never set.

use crate::bits::{self, Block, COUNT_MAX, Exclusions, LaneShape, Lanes, Leaf};
use crate::model::{Bounds, Entry, ItemId, OptionId, Problem};
use crate::portfolio::{Budget, Cut};
use crate::prepare::Weighted;

/// Memory limit of the rows, and of the bit masks that they are built from (bytes).
const ROW_BYTES_MAX: usize = 128 << 20;
const BLOCK_WORK: u64 = 6;

#[derive(Debug)]
pub(super) struct Owners {
    items: Vec<ItemId>,
    bounded: Vec<ItemId>,
    elements: Vec<(ItemId, u32)>,
    lane_of: Vec<u32>,
    degrees: [Vec<u32>; 3],
}

impl Owners {
    pub(super) fn new(problem: &Problem, order: &[ItemId]) -> Self {
        let mut lane_of = vec![u32::MAX; problem.item_count()];
        let (mut items, mut bounded, mut elements) = (Vec::new(), Vec::new(), Vec::new());
        for item in order.iter().copied().chain(problem.items()) {
            let list = match problem.bounds(item) {
                Some(Bounds::ONE) => &mut items,
                Some(_) => &mut bounded,
                None => continue,
            };
            if lane_of[item.index()] == u32::MAX {
                lane_of[item.index()] = list.len() as u32;
                list.push(item);
            }
        }
        let entries = || problem.options().flat_map(|option| problem.option(option));
        for entry in entries().filter(|entry| !problem.is_primary(entry.item)) {
            elements.push((entry.item, number(entry)));
        }
        elements.sort_unstable();
        // A secondary item in a single option causes no conflict.
        let is_shared = |&(item, _): &(ItemId, u32)| {
            elements.partition_point(|element| element.0 <= item)
                - elements.partition_point(|element| element.0 < item)
                > 1
        };
        let mut elements: Vec<_> = elements.iter().copied().filter(is_shared).collect();
        elements.dedup();
        for (lane, &(item, _)) in elements.iter().enumerate().rev() {
            lane_of[item.index()] = lane as u32;
        }
        let mut owners = Self { items, bounded, elements, lane_of, degrees: Default::default() };
        owners.degrees =
            [owners.items.len(), owners.bounded.len(), owners.elements.len()].map(|len| vec![0; len]);
        for entry in entries() {
            if let Some((kind, place)) = owners.of(problem, entry) {
                owners.degrees[kind][place] += 1;
            }
        }
        owners
    }

    fn of(&self, problem: &Problem, entry: &Entry) -> Option<(usize, usize)> {
        let first = self.lane_of[entry.item.index()];
        if first == u32::MAX {
            return None;
        }
        Some(match problem.bounds(entry.item) {
            Some(Bounds::ONE) => (0, first as usize),
            Some(_) => (1, first as usize),
            None => {
                let element = (entry.item, number(entry));
                let place = self.elements[first as usize..].binary_search(&element);
                (2, first as usize + place.expect("all colors of a shared item are elements"))
            }
        })
    }

    fn lists(&self) -> [&[u32]; 3] {
        self.degrees.each_ref().map(Vec::as_slice)
    }

    fn check(&self, problem: &Problem) -> Result<(), Cut> {
        let widest = self.degrees.iter().flatten().max().map_or(0, |&degree| degree as usize);
        if widest > COUNT_MAX {
            return Err(Cut::Unsuited);
        }
        let row = LaneShape::new(&self.lists()).blocks() * size_of::<Block>();
        let masks = problem.option_count() + problem.item_count() + self.elements.len();
        if row.saturating_mul(masks) <= ROW_BYTES_MAX { Ok(()) } else { Err(Cut::Unsuited) }
    }
}

fn number(entry: &Entry) -> u32 {
    entry.color.map_or(0, crate::model::Color::number)
}

#[derive(Debug)]
pub(super) struct Encoding {
    pub(super) lanes: Lanes<u32>,
    pub(super) item_count: usize,
    pub(super) item_groups: usize,
    /// The bounds of the items with bounds other than one, the number of groups of their lanes, and
    /// for each such item the mask that removes its options.
    pub(super) bounds: Vec<(u32, u32)>,
    pub(super) bounded_groups: usize,
    pub(super) without: Vec<Block>,
    pub(super) element_count: usize,
    pub(super) blocks: usize,
    pub(super) rows: Vec<Block>,
    pub(super) root: Vec<Block>,
    bit_starts: Vec<u32>,
    bits: Vec<u32>,
    covers: Vec<u64>,
    pub(super) words: usize,
    pub(super) weights: Vec<u64>,
    /// Option `o` has the items `bounded[bounded_starts[o]..bounded_starts[o + 1]]` with bounds
    /// other than one.
    bounded_starts: Vec<u32>,
    bounded: Vec<u32>,
}

impl Encoding {
    /// Encodes a part. Fails with `Unsuited` if the rows need too much memory.
    pub(super) fn new(
        weighted: &Weighted,
        owners: &Owners,
        leaf: Leaf,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let problem = &weighted.problem;
        owners.check(problem)?;
        let mut lanes = Lanes::default();
        lanes.place(&owners.lists());
        let groups = owners.lists().map(|degrees| degrees.len().div_ceil(lanes.shape.lanes()));
        let first_lanes =
            [0, groups[0], groups[0] + groups[1]].map(|group| group * lanes.shape.lanes());
        let words = owners.items.len().div_ceil(64);
        budget.fits::<u64>(problem.option_count() * words)?;
        let mut encoding = Self {
            item_count: owners.items.len(),
            item_groups: groups[0],
            bounds: Vec::new(),
            bounded_groups: groups[1],
            without: Vec::new(),
            element_count: owners.elements.len(),
            blocks: lanes.shape.blocks(),
            rows: Vec::new(),
            root: vec![Block::ZERO; lanes.shape.blocks()],
            bit_starts: vec![0],
            bits: Vec::new(),
            covers: vec![0; problem.option_count() * words],
            words,
            weights: weighted.weights.clone(),
            bounded_starts: vec![0],
            bounded: Vec::new(),
            lanes,
        };
        for item in &owners.bounded {
            let Bounds { low, high } = problem.bounds(*item).expect("it is primary");
            encoding.bounds.push((low, high));
        }
        let mut degrees = vec![0; groups.iter().sum::<usize>() * encoding.lanes.shape.lanes()];
        for option in problem.options() {
            for entry in problem.option(option) {
                let Some((kind, place)) = owners.of(problem, entry) else { continue };
                let lane = first_lanes[kind] + place;
                degrees[lane] += 1;
                let bit = encoding.lanes.put(lane, degrees[lane], option.index() as u32);
                encoding.bits.push(bit);
                match kind {
                    0 => encoding.covers[option.index() * words + place / 64] |= 1 << (place % 64),
                    1 => encoding.bounded.push(place as u32),
                    _ => {}
                }
            }
            encoding.bit_starts.push(encoding.bits.len() as u32);
            encoding.bounded_starts.push(encoding.bounded.len() as u32);
        }
        let Self { root, lanes, item_count, .. } = &mut encoding;
        (0..*item_count).for_each(|lane| bits::set(root, lanes.bit(lane, 0)));
        encoding.bits.iter().for_each(|&bit| bits::set(&mut encoding.root, bit));
        encoding.make_rows(problem, owners, leaf, budget)?;
        Ok(encoding)
    }

    fn make_rows(
        &mut self,
        problem: &Problem,
        owners: &Owners,
        leaf: Leaf,
        budget: &mut Budget<'_>,
    ) -> Result<(), Cut> {
        let (blocks, item_keys) = (self.blocks, problem.item_count());
        let mut exclusions = Exclusions::default();
        let keys = item_keys + owners.elements.len();
        exclusions.begin(keys, keys, blocks);
        let element = |entry: &Entry| match owners.of(problem, entry) {
            Some((2, place)) => Some(item_keys + place),
            _ => None,
        };
        for option in problem.options() {
            let entries = problem.option(option).len() as u64;
            budget.spend(entries * (BLOCK_WORK + entries))?;
            for entry in problem.option(option) {
                for key in [Some(entry.item.index()), element(entry)].into_iter().flatten() {
                    exclusions.add(key, self.bits(option));
                }
            }
        }
        for (lane, item) in owners.items.iter().enumerate() {
            exclusions.add(item.index(), &[self.lanes.bit(lane, 0)]);
        }
        budget.fits::<Block>(problem.option_count() * blocks)?;
        let mut rows = vec![Block::ONES; problem.option_count() * blocks];
        for option in problem.options() {
            let row = &mut rows[option.index() * blocks..][..blocks];
            budget.spend(BLOCK_WORK * (blocks * (1 + problem.option(option).len())) as u64)?;
            for entry in problem.option(option) {
                if problem.bounds(entry.item).is_some_and(|bounds| bounds != Bounds::ONE) {
                    continue;
                }
                let allowed = element(entry).filter(|_| entry.color.is_some());
                exclusions.exclude(leaf, row, entry.item.index(), allowed);
            }
            self.bits(option).iter().for_each(|&bit| bits::clear(row, bit));
        }
        self.rows = rows;
        for item in &owners.bounded {
            exclusions.add(item.index(), &[]);
            self.without.extend(exclusions.mask(item.index()).iter().map(Block::not));
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn row(&self, option: u32) -> &[Block] {
        &self.rows[option as usize * self.blocks..][..self.blocks]
    }

    pub(super) fn bits(&self, option: OptionId) -> &[u32] {
        let range =
            self.bit_starts[option.index()] as usize..self.bit_starts[option.index() + 1] as usize;
        &self.bits[range]
    }

    #[inline(always)]
    pub(super) fn covers(&self, option: u32) -> &[u64] {
        &self.covers[option as usize * self.words..][..self.words]
    }

    pub(super) fn bounded(&self, option: u32) -> &[u32] {
        let start = self.bounded_starts[option as usize] as usize;
        &self.bounded[start..self.bounded_starts[option as usize + 1] as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        self.rows.len() * size_of::<Block>() + self.bits.len() * 8 + self.covers.len() * 8
    }
}

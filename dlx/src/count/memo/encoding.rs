//! A problem as lanes of bits: what is live at a node, and what each option leaves of it.
//!
//! Each item has a *lane*. Bit k > 0 of the lane tells that its k-th option can still be chosen, bit 0 that
//! the item must still be covered. Lanes lie side by side in lines of 64 bytes; the lines of a *group* of
//! items are *chunks*, one behind the other, where a lane is too narrow for the options of one of them.
//! The *live set* of a node is all lanes; choosing an option is one AND with its *row*.
//!
//! First come the primary items to be covered once, in the static order, so that what is covered early is a
//! prefix of each live set that need not be looked at. Then come the items with bounds, then the
//! *elements*: a secondary item without colors, or one with a color. Bit 0 of theirs is never set.

use super::line::{Lane, Line};
use crate::model::{Bounds, Entry, ItemId, OptionId, Problem};
use crate::portfolio::{Cut, Watch};
use crate::prepare::Weighted;

/// The most memory for rows, and for the masks that they are made of.
const ROW_BYTES_MAX: usize = 128 << 20;
/// The work of a line of a row.
const LINE_WORK: u64 = 6;

/// Items whose lanes lie in the same lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    pub(super) line: u32,
    pub(super) chunks: u32,
}

/// What has a lane, in order.
#[derive(Debug)]
pub(super) struct Lanes {
    /// Items to be covered once.
    items: Vec<ItemId>,
    bounded: Vec<ItemId>,
    /// Secondary items, each with the number of a color or 0.
    elements: Vec<(ItemId, u32)>,
    /// By item the lane, or the first of several elements, counted from 0 among its kind.
    lane_of: Vec<u32>,
    /// Options of each item, bounded item and element.
    degrees: [Vec<u32>; 3],
}

impl Lanes {
    /// Gives lanes to the items of `problem`: first those in `order`, then the others.
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
        // An item of a single option excludes nothing.
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
        let mut lanes = Self { items, bounded, elements, lane_of, degrees: Default::default() };
        lanes.degrees =
            [lanes.items.len(), lanes.bounded.len(), lanes.elements.len()].map(|len| vec![0; len]);
        for entry in entries() {
            if let Some((kind, lane)) = lanes.of(problem, entry) {
                lanes.degrees[kind][lane] += 1;
            }
        }
        lanes
    }

    /// Returns the kind of the lane of an entry, and its place among them, if it has one.
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

    /// Returns the width of lanes that needs the fewest lines; `Unsuited` if all need too many.
    pub(super) fn width(&self, problem: &Problem) -> Result<usize, Cut> {
        let lines = |width: usize| -> usize {
            let groups = self.degrees.iter().flat_map(|degrees| degrees.chunks(512 / width));
            groups.map(|group| chunks(group, width)).sum()
        };
        let widest = self.degrees.iter().flatten().max().map_or(0, |&degree| degree as usize);
        // A lane must also hold the number of its options.
        let widths = [8, 16, 32, 64].into_iter().filter(|&width| width > 16 || widest < 1 << width);
        let width = widths.min_by_key(|&width| lines(width)).expect("there are wide ones");
        let masks = problem.option_count() + problem.item_count() + self.elements.len();
        let is_small = (lines(width) * 64).saturating_mul(masks) <= ROW_BYTES_MAX;
        if is_small { Ok(width) } else { Err(Cut::Unsuited) }
    }
}

/// Returns the lines for a group of items with so many options each.
fn chunks(degrees: &[u32], width: usize) -> usize {
    let widest = degrees.iter().max().map_or(0, |&degree| degree as usize);
    (widest + 1).div_ceil(width)
}

/// Returns the number of the color of an entry, 0 for none.
fn number(entry: &Entry) -> u32 {
    entry.color.map_or(0, crate::model::Color::number)
}

/// Where an option has a bit: lanes are numbered through all groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bit {
    pub(super) line: u32,
    pub(super) lane: u16,
    pub(super) bit: u16,
}

/// The lanes, rows and weights of a problem.
#[derive(Debug)]
pub(super) struct Encoding<T, const N: usize> {
    pub(super) groups: Vec<Group>,
    /// The number of items to be covered once, and of the groups that they take.
    pub(super) item_count: usize,
    pub(super) item_groups: usize,
    /// The bounds of the others, how many groups they take, and their options' rows: all lanes are full
    /// but for the options of the item.
    pub(super) bounds: Vec<(u32, u32)>,
    pub(super) bounded_groups: usize,
    pub(super) without: Vec<Line<T, N>>,
    pub(super) element_count: usize,
    /// The lines of a live set.
    pub(super) lines: usize,
    /// The rows of the options, one behind the other.
    pub(super) rows: Vec<Line<T, N>>,
    /// The live set of the root.
    pub(super) root: Vec<Line<T, N>>,
    /// The options of lane l are `by_lane[starts[l] + k]`, k > 0.
    starts: Vec<u32>,
    by_lane: Vec<u32>,
    /// Option `o` has the bits `bit_starts[o] .. bit_starts[o + 1]`.
    bit_starts: Vec<u32>,
    bits: Vec<Bit>,
    /// By option the words of items that it covers.
    covers: Vec<u64>,
    pub(super) words: usize,
    pub(super) weights: Vec<u64>,
    /// By option the bounded items that it has, as `bits` and `bit_starts`.
    bounded_starts: Vec<u32>,
    bounded: Vec<u32>,
}

impl<T: Lane, const N: usize> Encoding<T, N> {
    pub(super) fn new(weighted: &Weighted, lanes: &Lanes, watch: &mut Watch<'_>) -> Result<Self, Cut> {
        let problem = &weighted.problem;
        let mut groups = Vec::new();
        let mut line = 0;
        let mut kind_groups = [0; 3];
        for (kind, degrees) in lanes.degrees.iter().enumerate() {
            for degrees in degrees.chunks(N) {
                let chunks = chunks(degrees, T::BITS) as u32;
                groups.push(Group { line, chunks });
                line += chunks;
                kind_groups[kind] += 1;
            }
        }
        let first_lanes = [0, kind_groups[0] * N, (kind_groups[0] + kind_groups[1]) * N];
        let mut by_number = vec![0; groups.len() * N];
        for (kind, degrees) in lanes.degrees.iter().enumerate() {
            by_number[first_lanes[kind]..][..degrees.len()].copy_from_slice(degrees);
        }
        let mut starts = vec![0];
        starts.extend(by_number.iter().scan(0, |start, &degree| {
            *start += degree + 1;
            Some(*start)
        }));
        let lines = line as usize;
        let words = lanes.items.len().div_ceil(64);
        let mut encoding = Self {
            item_count: lanes.items.len(),
            item_groups: kind_groups[0],
            bounds: Vec::new(),
            bounded_groups: kind_groups[1],
            without: Vec::new(),
            element_count: lanes.elements.len(),
            lines,
            rows: Vec::new(),
            root: vec![Line::ZERO; lines],
            by_lane: vec![u32::MAX; starts[groups.len() * N] as usize],
            starts,
            bit_starts: vec![0],
            bits: Vec::new(),
            covers: vec![0; problem.option_count() * words],
            words,
            weights: weighted.weights.clone(),
            bounded_starts: vec![0],
            bounded: Vec::new(),
            groups,
        };
        for item in &lanes.bounded {
            let Bounds { low, high } = problem.bounds(*item).expect("it is primary");
            encoding.bounds.push((low, high));
        }
        let mut degrees = vec![0; encoding.groups.len() * N];
        for option in problem.options() {
            for entry in problem.option(option) {
                let Some((kind, place)) = lanes.of(problem, entry) else { continue };
                let lane = first_lanes[kind] + place;
                degrees[lane] += 1;
                let bit = encoding.bit(lane, degrees[lane]);
                encoding.bits.push(bit);
                encoding.by_lane[encoding.starts[lane] as usize + degrees[lane]] =
                    option.index() as u32;
                match kind {
                    0 => encoding.covers[option.index() * words + place / 64] |= 1 << (place % 64),
                    1 => encoding.bounded.push(place as u32),
                    _ => {}
                }
            }
            encoding.bit_starts.push(encoding.bits.len() as u32);
            encoding.bounded_starts.push(encoding.bounded.len() as u32);
        }
        for lane in 0..encoding.item_count {
            encoding.set_root(lane, 0);
        }
        for bit in &encoding.bits {
            let lane = &mut encoding.root[bit.line as usize].0[usize::from(bit.lane)];
            *lane = lane.or(T::bit(bit.bit.into()));
        }
        encoding.make_rows(problem, lanes, watch)?;
        Ok(encoding)
    }

    fn set_root(&mut self, lane: usize, k: usize) {
        let bit = self.bit(lane, k);
        let lane = &mut self.root[bit.line as usize].0[usize::from(bit.lane)];
        *lane = lane.or(T::bit(bit.bit.into()));
    }

    /// Returns where bit `k` of a lane is.
    pub(super) fn bit(&self, lane: usize, k: usize) -> Bit {
        let line = self.groups[lane / N].line + (k / T::BITS) as u32;
        Bit { line, lane: (lane % N) as u16, bit: (k % T::BITS) as u16 }
    }

    /// Makes the rows from masks of what options with an item, or with an element, have in a live set.
    fn make_rows(
        &mut self,
        problem: &Problem,
        lanes: &Lanes,
        watch: &mut Watch<'_>,
    ) -> Result<(), Cut> {
        let lines = self.lines;
        let item_masks = problem.item_count();
        let mut masks = vec![Line::<T, N>::ZERO; (item_masks + lanes.elements.len()) * lines];
        let element = |entry: &Entry| match lanes.of(problem, entry) {
            Some((2, place)) => Some(item_masks + place),
            _ => None,
        };
        let set = |mask: &mut [Line<T, N>], bit: &Bit| {
            let lane = &mut mask[bit.line as usize].0[usize::from(bit.lane)];
            *lane = lane.or(T::bit(bit.bit.into()));
        };
        for option in problem.options() {
            let entries = problem.option(option).len() as u64;
            watch.spend(entries * (LINE_WORK + entries))?;
            for entry in problem.option(option) {
                for key in [Some(entry.item.index()), element(entry)].into_iter().flatten() {
                    let mask = &mut masks[key * lines..][..lines];
                    self.bits(option).iter().for_each(|bit| set(mask, bit));
                }
            }
        }
        for (lane, item) in lanes.items.iter().enumerate() {
            set(&mut masks[item.index() * lines..][..lines], &self.bit(lane, 0));
        }
        self.rows = vec![Line::MAX; problem.option_count() * lines];
        for option in problem.options() {
            let row = &mut self.rows[option.index() * lines..][..lines];
            watch.spend(LINE_WORK * (lines * (1 + problem.option(option).len())) as u64)?;
            for entry in problem.option(option) {
                if problem.bounds(entry.item).is_some_and(|bounds| bounds != Bounds::ONE) {
                    continue;
                }
                let excluded = &masks[entry.item.index() * lines..][..lines];
                let allowed = element(entry)
                    .filter(|_| entry.color.is_some())
                    .map(|key| &masks[key * lines..][..lines]);
                for (place, line) in row.iter_mut().enumerate() {
                    let none = Line::ZERO;
                    let allowed = allowed.map_or(&none, |allowed| &allowed[place]);
                    let excluded =
                        excluded[place].zip(allowed, |mask, allowed| mask.and(allowed.not()));
                    *line = line.zip(&excluded, |line, mask| line.and(mask.not()));
                }
            }
            for bit in &self.bits[self.bit_starts[option.index()] as usize..]
                [..(self.bit_starts[option.index() + 1] - self.bit_starts[option.index()]) as usize]
            {
                let lane = &mut row[bit.line as usize].0[usize::from(bit.lane)];
                *lane = lane.and(T::bit(bit.bit.into()).not());
            }
        }
        for item in &lanes.bounded {
            let mask = &masks[item.index() * lines..][..lines];
            self.without.extend(mask.iter().map(|line| line.zip(&Line::ZERO, |mask, _| mask.not())));
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn row(&self, option: u32) -> &[Line<T, N>] {
        &self.rows[option as usize * self.lines..][..self.lines]
    }

    /// Returns the bits of an option in a live set.
    pub(super) fn bits(&self, option: OptionId) -> &[Bit] {
        let range =
            self.bit_starts[option.index()] as usize..self.bit_starts[option.index() + 1] as usize;
        &self.bits[range]
    }

    /// Returns the items that an option covers, a bit each.
    #[inline(always)]
    pub(super) fn covers(&self, option: u32) -> &[u64] {
        &self.covers[option as usize * self.words..][..self.words]
    }

    /// Returns the bounded items that an option has.
    pub(super) fn bounded(&self, option: u32) -> &[u32] {
        let start = self.bounded_starts[option as usize] as usize;
        &self.bounded[start..self.bounded_starts[option as usize + 1] as usize]
    }

    /// Returns an option of a lane in a live set.
    #[inline]
    pub(super) fn any(&self, frame: &[Line<T, N>], lane: usize) -> Option<u32> {
        let mut any = None;
        self.for_each(frame, lane, |option| {
            any = Some(option);
            false
        });
        any
    }

    /// Calls `f` with the options of a lane in a live set, until it returns `false`.
    #[inline(always)]
    pub(super) fn for_each(&self, frame: &[Line<T, N>], lane: usize, mut f: impl FnMut(u32) -> bool) {
        let Group { line, chunks } = self.groups[lane / N];
        let options = &self.by_lane[self.starts[lane] as usize..];
        // Bit 0 is not an option.
        let mut mask = !1;
        for chunk in 0..chunks as usize {
            let mut bits = frame[line as usize + chunk].0[lane % N].to_u64() & mask;
            mask = !0;
            while bits != 0 {
                if !f(options[chunk * T::BITS + bits.trailing_zeros() as usize]) {
                    return;
                }
                bits &= bits - 1;
            }
        }
    }

    /// Returns the number of options of a lane in a live set.
    pub(super) fn degree(&self, frame: &[Line<T, N>], lane: usize) -> u32 {
        let Group { line, chunks } = self.groups[lane / N];
        let lines = &frame[line as usize..][..chunks as usize];
        let ones = lines.iter().map(|line| line.0[lane % N].to_u64().count_ones());
        let flag = u32::from(lane < self.item_count);
        ones.sum::<u32>().saturating_sub(flag)
    }

    /// Returns about how many bytes this takes.
    pub(super) fn bytes(&self) -> usize {
        self.rows.len() * 64 + self.bits.len() * 16 + self.covers.len() * 8
    }
}

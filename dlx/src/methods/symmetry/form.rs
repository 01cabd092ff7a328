//! Computes canonical forms of subproblems. Subproblems with equal canonical forms are isomorphic.
//!
//! Items get colors: 64-bit numbers that depend only on the structure. The first color depends on
//! whether the item is primary and on the overlaps of its neighborhood with other neighborhoods. In
//! each round, the color of an item is updated by the colors in its options (color refinement).
//! While items share a color, an item of the largest color class is singled out and the rounds
//! continue, until all colors differ. The canonical form is the sorted list of the options, where
//! the ranks of the colors serve as item names.
//!
//! Invariant: a canonical form describes the subproblem completely up to isomorphism, so equal
//! forms mean isomorphic subproblems. Colliding colors and arbitrary choices of singled-out items
//! can only lead to different canonical forms of isomorphic subproblems.
//!
//! The items of representative [copies](super::copies) are colored and written with the number of
//! copies that they represent.
//!
//! Tried and dropped: one to three rounds after each singled-out item instead of refining until
//! nothing changes; no overlaps of neighborhoods (cheaper forms, but four times more of them);
//! refining all items in every round; singling out items of the smallest class.

use super::copies::{Copies, RepresentativeCopies};
use super::tables::PartTables;
use crate::bits::{Leaf, Vectors, Work};

const PAIRED_ITEMS_MAX: usize = 512;

const COUNT_BITS: u32 = 15;

#[inline]
pub(super) const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let number = (number ^ (number >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number ^ (number >> 32)
}

#[derive(Debug)]
pub(super) struct FormBuilder {
    leaf: Leaf,
    counts: Vec<u32>,
    locals: Vec<u16>,
    globals: Vec<u32>,
    /// Option `o` has the local items `entries[starts[o]..starts[o + 1]]`. `salts[o]` encodes the
    /// weight of the option.
    starts: Vec<u32>,
    entries: Vec<u16>,
    salts: Vec<u64>,
    weights: Vec<u64>,
    /// Per local item, the number of copies that it represents; and whether any item represents
    /// several.
    multiples: Vec<u32>,
    is_marked: bool,
    /// Per local item, its color, the sum for its next color, and whether no other item has its
    /// color.
    colors: Vec<u64>,
    sums: Vec<u64>,
    is_single: Vec<bool>,
    shared: Vec<u16>,
    open: Vec<u32>,
    /// A hash table of the colors of the current round (`stamp`) with their item counts; and for
    /// each item of `shared`, the slot of its color.
    seen: Vec<Seen>,
    places: Vec<u32>,
    stamp: u32,
    pairs: PairTables,
    order: Vec<(u64, u16)>,
    ranks: Vec<u16>,
    firsts: Vec<u32>,
    ordered: Vec<u32>,
    key: Vec<u64>,
    pub(super) work: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    color: u64,
    stamp: u32,
    count: u32,
}

#[derive(Debug, Default)]
struct PairTables {
    /// Per pair of items, whether they are equal or share an option.
    rows: Vec<[u8; CHUNK]>,
    near: Vec<u16>,
    lows: Vec<[u32; CHUNK]>,
    highs: Vec<[u32; CHUNK]>,
}

const CHUNK: usize = 64;

struct Neighborhoods<'n> {
    rows: &'n [[u8; CHUNK]],
    width: usize,
    near: &'n mut Vec<u16>,
    lows: &'n [[u32; CHUNK]],
    highs: &'n [[u32; CHUNK]],
    sums: &'n mut [u64],
}

impl Work for Neighborhoods<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<V: Vectors>(self, _: V) -> u64 {
        let Self { rows, width, near, lows, highs, sums } = self;
        let mut steps = 0;
        for (item, total) in sums.iter_mut().enumerate() {
            let row = rows[item * width..][..width].as_flattened();
            near.clear();
            for (place, chunk) in row.chunks_exact(8).enumerate() {
                let mut bytes = u64::from_le_bytes(chunk.try_into().expect("it has eight bytes"));
                while bytes != 0 {
                    near.push((place * 8 + bytes.trailing_zeros() as usize / 8) as u16);
                    bytes &= bytes - 1;
                }
            }
            let mut sum = 0_u32;
            for place in 0..width {
                let mut counts = [0_u8; CHUNK];
                for &other in &*near {
                    let next = &rows[usize::from(other) * width + place];
                    for (count, next) in counts.iter_mut().zip(next) {
                        *count = count.wrapping_add(*next);
                    }
                }
                let (lows, highs) = (&lows[place], &highs[place]);
                let next = &row[place * CHUNK..][..CHUNK];
                for ((low, high), (common, next)) in lows.iter().zip(highs).zip(counts.iter().zip(next))
                {
                    let kind = u32::from(common.wrapping_add(next << 7)).wrapping_mul(SALT);
                    sum = sum.wrapping_add((low ^ kind).wrapping_mul(*high));
                }
            }
            *total = sum.into();
            steps += (width * (near.len() + 20)) as u64;
        }
        steps
    }
}

const SALT: u32 = 0x9e37_79b9;

impl FormBuilder {
    pub(super) fn new(tables: &PartTables) -> Self {
        Self {
            leaf: Leaf::best(),
            counts: vec![0; tables.item_count],
            locals: vec![0; tables.item_count],
            globals: Vec::new(),
            starts: Vec::new(),
            entries: Vec::new(),
            salts: Vec::new(),
            weights: Vec::new(),
            multiples: Vec::new(),
            is_marked: false,
            colors: Vec::new(),
            sums: Vec::new(),
            is_single: Vec::new(),
            shared: Vec::new(),
            open: Vec::new(),
            seen: Vec::new(),
            places: Vec::new(),
            stamp: 0,
            pairs: PairTables::default(),
            order: Vec::new(),
            ranks: Vec::new(),
            firsts: Vec::new(),
            ordered: Vec::new(),
            key: Vec::new(),
            work: 0,
        }
    }

    /// Loads the subproblem of these options, with the representative copies `standing`, and
    /// refines the colors of its items.
    pub(super) fn load(
        &mut self,
        tables: &PartTables,
        copies: &Copies,
        standing: &RepresentativeCopies,
        options: &[u32],
    ) {
        self.read(tables, copies, standing, options);
        let count = self.globals.len();
        self.multiples.clear();
        let multiple = |&item: &u32| copies.multiple_of_item(item, standing);
        self.multiples.extend(self.globals.iter().map(multiple));
        self.is_marked = self.multiples.iter().any(|&multiple| multiple > 1);
        self.colors.clear();
        let first = |(&item, &multiple): (&u32, &u32)| {
            mix(2 * u64::from(multiple) - 1 + u64::from(tables.primary[item as usize]))
        };
        self.colors.extend(self.globals.iter().zip(&self.multiples).map(first));
        self.sums.clear();
        self.sums.resize(count, 0);
        self.is_single.clear();
        self.is_single.resize(count, false);
        self.shared.clear();
        self.shared.extend(0..count as u16);
        self.open.clear();
        self.open.extend(0..options.len() as u32);
        self.seen.clear();
        self.seen.resize((2 * count).next_power_of_two().max(4), Seen::default());
        self.stamp = 0;
        self.round();
        if count <= PAIRED_ITEMS_MAX {
            self.pair();
        }
        self.refine();
    }

    pub(super) fn load_plain(&mut self, tables: &PartTables, options: &[u32]) {
        let none = Copies::none(tables);
        self.load(tables, &none, &none.standing(tables), options);
    }

    /// Assigns local indices to the items, except secondary items in only one option.
    fn read(
        &mut self,
        tables: &PartTables,
        copies: &Copies,
        standing: &RepresentativeCopies,
        options: &[u32],
    ) {
        for &option in options {
            for &item in tables.items(option) {
                self.counts[item as usize] += copies.multiple_beside(item, option, standing);
            }
        }
        self.globals.clear();
        self.starts.clear();
        self.entries.clear();
        self.salts.clear();
        self.weights.clear();
        self.starts.push(0);
        const NONE: u16 = u16::MAX;
        for &option in options {
            for &item in tables.items(option) {
                let (count, local) = (&mut self.counts[item as usize], &mut self.locals[item as usize]);
                if *count > 0 {
                    let is_idle = *count == 1 && !tables.primary[item as usize];
                    *count = 0;
                    *local = if is_idle { NONE } else { self.globals.len() as u16 };
                    if !is_idle {
                        self.globals.push(item);
                    }
                }
                if *local != NONE {
                    self.entries.push(*local);
                }
            }
            self.starts.push(self.entries.len() as u32);
            let weight = tables.weights[option as usize];
            self.weights.push(weight);
            self.salts.push(mix(weight));
        }
        self.work += 4 * self.entries.len() as u64;
    }

    /// Updates each shared color by the colors in the options of its items.
    fn round(&mut self) {
        let Self { open, starts, entries, salts, colors, sums, is_single, shared, .. } = self;
        let mut done = 0;
        open.retain(|&option| {
            let option = option as usize;
            let entries = &entries[starts[option] as usize..starts[option + 1] as usize];
            let mut sum = salts[option];
            let mut is_settled = true;
            for &item in entries {
                sum = sum.wrapping_add(colors[usize::from(item)]);
                is_settled &= is_single[usize::from(item)];
            }
            let color = mix(sum);
            for &item in entries {
                let sum = &mut sums[usize::from(item)];
                *sum = sum.wrapping_add(color);
            }
            done += 1 + entries.len();
            !is_settled
        });
        for &item in &*shared {
            let item = usize::from(item);
            colors[item] = mix(colors[item].wrapping_mul(3).wrapping_add(sums[item]));
            sums[item] = 0;
        }
        self.work += 2 * (done + 2 * shared.len()) as u64;
    }

    fn refine(&mut self) {
        let mut distinct = self.distinct();
        loop {
            if self.shared.is_empty() {
                return;
            }
            self.round();
            let now = self.distinct();
            if now <= distinct {
                return;
            }
            distinct = now;
        }
    }

    /// Returns the number of colors, and updates the list of items with shared colors.
    fn distinct(&mut self) -> usize {
        let Self { colors, is_single, shared, seen, places, .. } = self;
        self.stamp += 1;
        let mask = seen.len() - 1;
        let mut count = colors.len() - shared.len();
        places.clear();
        for &item in &*shared {
            let color = colors[usize::from(item)];
            let mut place = color as usize & mask;
            loop {
                let seen = &mut seen[place];
                if seen.stamp != self.stamp {
                    *seen = Seen { color, stamp: self.stamp, count: 1 };
                    count += 1;
                    break;
                }
                if seen.color == color {
                    seen.count += 1;
                    break;
                }
                place = (place + 1) & mask;
            }
            places.push(place as u32);
        }
        let mut places = places.iter();
        shared.retain(|&item| {
            let place = *places.next().expect("each item has a place");
            let is_shared = seen[place as usize].count > 1;
            is_single[usize::from(item)] = !is_shared;
            is_shared
        });
        count
    }

    /// Colors each item by how many neighbors it shares with each of the other items.
    fn pair(&mut self) {
        let count = self.colors.len();
        let width = count.div_ceil(CHUNK);
        let rows = &mut self.pairs.rows;
        rows.clear();
        rows.resize(count * width, [0; CHUNK]);
        for option in 0..self.salts.len() {
            let entries = &self.entries[self.starts[option] as usize..self.starts[option + 1] as usize];
            for &a in entries {
                let row = rows[usize::from(a) * width..][..width].as_flattened_mut();
                entries.iter().for_each(|&b| row[usize::from(b)] = 1);
            }
        }
        let half = |halves: &mut Vec<[u32; CHUNK]>, half: fn(u64) -> u32| {
            halves.clear();
            halves.resize(width, [0; CHUNK]);
            halves
                .as_flattened_mut()
                .iter_mut()
                .zip(&self.colors)
                .for_each(|(to, &color)| *to = half(color));
        };
        half(&mut self.pairs.lows, |color| color as u32);
        half(&mut self.pairs.highs, |color| (color >> 32) as u32 | 1);
        let neighborhoods = Neighborhoods {
            rows,
            width,
            near: &mut self.pairs.near,
            lows: &self.pairs.lows,
            highs: &self.pairs.highs,
            sums: &mut self.sums,
        };
        let steps = self.leaf.run(neighborhoods);
        for (color, sum) in self.colors.iter_mut().zip(&mut self.sums) {
            *color = mix(color.wrapping_mul(5).wrapping_add(std::mem::take(sum)));
        }
        self.work += steps;
    }

    pub(super) fn colors(&self) -> Vec<(u64, u32)> {
        let mut colors: Vec<_> =
            self.colors.iter().copied().zip(self.globals.iter().copied()).collect();
        colors.sort_unstable();
        colors
    }

    pub(super) fn form(&mut self, tables: &PartTables) -> &[u64] {
        // Unless colors collide, each iteration reduces the number of items with shared colors. The
        // bound of the loop guarantees termination.
        for _ in 0..self.colors.len() {
            if self.shared.is_empty() {
                break;
            }
            let item = usize::from(self.target());
            self.colors[item] = mix(!self.colors[item]);
            self.refine();
        }
        self.write(tables);
        &self.key
    }

    pub(super) fn last(&self) -> &[u64] {
        &self.key
    }

    /// Returns an item of the largest color class. Ties are broken by the larger color.
    fn target(&self) -> u16 {
        let cell = |&item: &u16| {
            let color = self.colors[usize::from(item)];
            let mask = self.seen.len() - 1;
            let mut place = color as usize & mask;
            while self.seen[place].color != color {
                place = (place + 1) & mask;
            }
            (self.seen[place].count, color)
        };
        let mut best = (0, 0);
        let mut target = 0;
        for item in &self.shared {
            let cell = cell(item);
            if cell > best {
                (best, target) = (cell, *item);
            }
        }
        target
    }

    fn sort(&mut self) {
        self.order.clear();
        self.order.extend(self.colors.iter().enumerate().map(|(item, &color)| (color, item as u16)));
        self.order.sort_unstable();
        self.ranks.clear();
        self.ranks.resize(self.order.len(), 0);
        for (rank, &(_, item)) in self.order.iter().enumerate() {
            self.ranks[usize::from(item)] = rank as u16;
        }
        let Self { starts, entries, ranks, firsts, ordered, weights, .. } = self;
        entries.iter_mut().for_each(|item| *item = ranks[usize::from(*item)]);
        firsts.clear();
        firsts.resize(ranks.len() + 2, 0);
        let ranges = || starts.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
        for range in ranges() {
            let ranks = &mut entries[range];
            ranks.sort_unstable();
            firsts[ranks.first().map_or(0, |&first| usize::from(first)) + 2] += 1;
        }
        for rank in 2..firsts.len() {
            firsts[rank] += firsts[rank - 1];
        }
        ordered.clear();
        ordered.resize(weights.len(), 0);
        for (option, range) in ranges().enumerate() {
            let first = entries[range].first().map_or(0, |&first| usize::from(first));
            ordered[firsts[first + 1] as usize] = option as u32;
            firsts[first + 1] += 1;
        }
        let mut start = 0;
        for &end in &firsts[1..] {
            let alike = &mut ordered[start..end as usize];
            alike.sort_unstable_by_key(|&option| {
                let option = option as usize;
                (&entries[starts[option] as usize..starts[option + 1] as usize], weights[option])
            });
            start = end as usize;
        }
        self.work += 12 * self.order.len() as u64 + 20 * self.weights.len() as u64;
    }

    fn write(&mut self, tables: &PartTables) {
        self.sort();
        let count = self.order.len();
        let len_of = |option: usize| self.starts[option + 1] - self.starts[option];
        let is_even = (1..self.salts.len()).all(|option| len_of(option) == len_of(0));
        let is_plain = self.weights.iter().all(|&weight| weight == 1);
        let mut words = BitWriter { words: &mut self.key, used: 64 };
        words.words.clear();
        words.push(count as u64 | u64::from(self.is_marked) << COUNT_BITS, COUNT_BITS + 1);
        words.push(self.salts.len() as u64, 32);
        words.push(is_even.into(), 1);
        words.push(is_plain.into(), 1);
        for &(_, item) in &self.order {
            words.push(tables.primary[self.globals[usize::from(item)] as usize].into(), 1);
            if self.is_marked {
                let multiple = self.multiples[usize::from(item)];
                words.push(u64::from(multiple > 1), 1);
                if multiple > 1 {
                    words.push(multiple.into(), COUNT_BITS);
                }
            }
        }
        let rank_bits = usize::BITS - count.leading_zeros();
        for (place, &option) in self.ordered.iter().enumerate() {
            let option = option as usize;
            let entries = &self.entries[self.starts[option] as usize..self.starts[option + 1] as usize];
            if !is_even || place == 0 {
                words.push(entries.len() as u64, 16);
            }
            if !is_plain {
                words.push(self.weights[option], 64);
            }
            for &rank in entries {
                words.push(rank.into(), rank_bits);
            }
        }
        self.work += 2 * self.entries.len() as u64;
    }
}

struct BitWriter<'w> {
    words: &'w mut Vec<u64>,
    used: u32,
}

impl BitWriter<'_> {
    /// Appends the lowest `bits` bits of `number`, where `bits` is between 1 and 64. All other bits
    /// of `number` must be 0.
    fn push(&mut self, number: u64, bits: u32) {
        debug_assert!(bits == 64 || number >> bits == 0, "a number must fit its bits");
        if self.used == 64 {
            self.words.push(0);
            self.used = 0;
        }
        let last = self.words.len() - 1;
        self.words[last] |= number << self.used;
        let fit = 64 - self.used;
        if bits > fit {
            self.words.push(number >> fit);
        }
        self.used = (self.used + bits - 1) % 64 + 1;
    }
}

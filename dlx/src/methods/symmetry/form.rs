//! Forms of residual problems: equal forms are problems that differ only in names.
//!
//! Items get colors, 64-bit numbers that depend on nothing but the structure: first on whether they are
//! primary and on how their neighborhoods meet, then, round by round, on the colors in their options
//! (color refinement). Where items still share a color one of them is singled out, and the rounds go
//! on, until no two are alike. The options, written with the ranks of the colors for names, are the form.
//!
//! Invariant: a form is a full description of the problem up to names, so equal forms are isomorphic
//! problems, whatever the colors did: two colors that collide, or an item singled out that is not like
//! the others of its color, only make two forms of what could have been one.

use super::tables::PartTables;

/// Problems with more items than this are not compared pair by pair.
const PAIRED_ITEMS_MAX: usize = 512;

/// Scrambles a number.
#[inline]
pub(super) fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let number = (number ^ (number >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number ^ (number >> 32)
}

/// Makes forms, with the memory that it takes.
#[derive(Debug)]
pub(super) struct Former {
    /// By item of the whole: how many of the options have it, and its local number.
    counts: Vec<u32>,
    locals: Vec<u16>,
    /// By local item: its number in the whole.
    globals: Vec<u32>,
    /// Option `o` has the local items `entries[starts[o]..starts[o + 1]]`, and `salts[o]` for its weight.
    starts: Vec<u32>,
    entries: Vec<u16>,
    salts: Vec<u64>,
    weights: Vec<u64>,
    /// By local item: its color, and what it is made of.
    colors: Vec<u64>,
    sums: Vec<u64>,
    /// The color of each option in the last round.
    option_colors: Vec<u64>,
    neighbors: Vec<u64>,
    /// The items in order of color.
    order: Vec<(u64, u16)>,
    /// A set of colors: those of round `stamp`.
    seen: Vec<(u64, u32)>,
    stamp: u32,
    ranks: Vec<u16>,
    option_order: Vec<(u64, u32)>,
    key: Vec<u64>,
    /// The work done so far, in steps of about a nanosecond.
    pub(super) work: u64,
}

impl Former {
    pub(super) fn new(tables: &PartTables) -> Self {
        Self {
            counts: vec![0; tables.item_count],
            locals: vec![0; tables.item_count],
            globals: Vec::new(),
            starts: Vec::new(),
            entries: Vec::new(),
            salts: Vec::new(),
            weights: Vec::new(),
            colors: Vec::new(),
            sums: Vec::new(),
            option_colors: Vec::new(),
            neighbors: Vec::new(),
            order: Vec::new(),
            seen: Vec::new(),
            stamp: 0,
            ranks: Vec::new(),
            option_order: Vec::new(),
            key: Vec::new(),
            work: 0,
        }
    }

    /// Takes the residual problem of these options, and colors its items without a guess.
    pub(super) fn load(&mut self, tables: &PartTables, options: &[u32]) {
        self.read(tables, options);
        let count = self.globals.len();
        self.colors.clear();
        let primary = |&item: &u32| mix(1 + u64::from(tables.primary[item as usize]));
        self.colors.extend(self.globals.iter().map(primary));
        self.seen.clear();
        self.seen.resize((2 * count).next_power_of_two().max(4), (0, 0));
        self.stamp = 0;
        self.round();
        if count <= PAIRED_ITEMS_MAX {
            self.pair();
        }
        self.refine(1);
    }

    /// Numbers the items, leaving out secondary ones about which no two options can disagree.
    fn read(&mut self, tables: &PartTables, options: &[u32]) {
        for &option in options {
            tables.items(option).iter().for_each(|&item| self.counts[item as usize] += 1);
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

    /// Colors the items once by the colors in their options.
    fn round(&mut self) {
        self.sums.clear();
        self.sums.resize(self.colors.len(), 0);
        self.option_colors.clear();
        for (option, &salt) in self.salts.iter().enumerate() {
            let entries = &self.entries[self.starts[option] as usize..self.starts[option + 1] as usize];
            let sum =
                entries.iter().fold(salt, |sum, &item| sum.wrapping_add(self.colors[item as usize]));
            let color = mix(sum);
            self.option_colors.push(color);
            for &item in entries {
                let sum = &mut self.sums[item as usize];
                *sum = sum.wrapping_add(color);
            }
        }
        for (color, &sum) in self.colors.iter_mut().zip(&self.sums) {
            *color = mix(color.wrapping_mul(3).wrapping_add(sum));
        }
        self.work += 2 * (self.entries.len() + self.salts.len() + 2 * self.colors.len()) as u64;
    }

    /// Colors the items again, starting with `distinct` colors, until a round tells no more of them apart; returns the
    /// number of colors.
    fn refine(&mut self, mut distinct: usize) -> usize {
        loop {
            self.round();
            let now = self.distinct();
            if now <= distinct || now == self.colors.len() {
                return now;
            }
            distinct = now;
        }
    }

    /// Counts the colors.
    fn distinct(&mut self) -> usize {
        self.stamp += 1;
        let mask = self.seen.len() - 1;
        let mut count = 0;
        for &color in &self.colors {
            let mut place = color as usize & mask;
            loop {
                let (seen, stamp) = self.seen[place];
                if stamp != self.stamp {
                    self.seen[place] = (color, self.stamp);
                    count += 1;
                    break;
                }
                if seen == color {
                    break;
                }
                place = (place + 1) & mask;
            }
        }
        count
    }

    /// Colors each item by how many neighbors it has in common with each other item.
    fn pair(&mut self) {
        let count = self.colors.len();
        let words = count.div_ceil(64);
        self.neighbors.clear();
        self.neighbors.resize(count * words, 0);
        for option in 0..self.salts.len() {
            let entries = &self.entries[self.starts[option] as usize..self.starts[option + 1] as usize];
            for &a in entries {
                let set = &mut self.neighbors[a as usize * words..][..words];
                entries.iter().for_each(|&b| set[b as usize / 64] |= 1 << (b % 64));
            }
        }
        self.sums.clear();
        self.sums.resize(count, 0);
        for a in 0..count {
            let of_a = &self.neighbors[a * words..][..words];
            for b in 0..a {
                let of_b = &self.neighbors[b * words..][..words];
                let common: u32 = of_a.iter().zip(of_b).map(|(a, b)| (a & b).count_ones()).sum();
                let is_next = of_a[b / 64] >> (b % 64) & 1;
                let salt = (u64::from(common) * 2 + is_next).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let (color_a, color_b) = (self.colors[a], self.colors[b]);
                self.sums[a] = self.sums[a].wrapping_add(mix(color_b ^ salt));
                self.sums[b] = self.sums[b].wrapping_add(mix(color_a ^ salt));
            }
        }
        for (color, &sum) in self.colors.iter_mut().zip(&self.sums) {
            *color = mix(color.wrapping_mul(5).wrapping_add(sum));
        }
        self.work += (count * count * (words + 4) / 2) as u64;
    }

    /// Returns the colors of the problem that was loaded, in order, each with its item.
    pub(super) fn colors(&self) -> Vec<(u64, u32)> {
        let mut colors: Vec<_> =
            self.colors.iter().copied().zip(self.globals.iter().copied()).collect();
        colors.sort_unstable();
        colors
    }

    /// Makes a form of the problem that was loaded.
    pub(super) fn form(&mut self, tables: &PartTables) -> &[u64] {
        let count = self.colors.len();
        let mut distinct = self.distinct();
        while distinct < count {
            self.sort();
            let item = usize::from(self.target());
            self.colors[item] = mix(!self.colors[item]);
            // Colors that collide must not make this loop endless.
            distinct = self.refine(distinct + 1).max(distinct + 1);
        }
        self.sort();
        self.write(tables);
        &self.key
    }

    /// Sorts the items by color.
    fn sort(&mut self) {
        self.order.clear();
        self.order.extend(self.colors.iter().enumerate().map(|(item, &color)| (color, item as u16)));
        self.order.sort_unstable();
        self.work += 12 * self.order.len() as u64;
    }

    /// Returns an item of the smallest of the cells that have several.
    fn target(&self) -> u16 {
        let cells = self.order.chunk_by(|a, b| a.0 == b.0).filter(|cell| cell.len() > 1);
        cells.min_by_key(|cell| cell.len()).map_or(0, |cell| cell[0].1)
    }

    /// Writes the problem down, with the places in `order` for names.
    fn write(&mut self, tables: &PartTables) {
        let count = self.order.len();
        self.ranks.clear();
        self.ranks.resize(count, 0);
        for (rank, &(_, item)) in self.order.iter().enumerate() {
            self.ranks[usize::from(item)] = rank as u16;
        }
        self.option_order.clear();
        for (option, &salt) in self.salts.iter().enumerate() {
            let entries =
                &mut self.entries[self.starts[option] as usize..self.starts[option + 1] as usize];
            let sum =
                entries.iter().fold(salt, |sum, &item| sum.wrapping_add(self.colors[item as usize]));
            entries.sort_unstable_by_key(|&item| self.ranks[usize::from(item)]);
            self.option_order.push((sum, option as u32));
        }
        self.option_order.sort_unstable();
        self.work += 20 * self.option_order.len() as u64 + 2 * self.entries.len() as u64;

        let len_of = |option: usize| self.starts[option + 1] - self.starts[option];
        let is_even = (1..self.salts.len()).all(|option| len_of(option) == len_of(0));
        let is_plain = self.weights.iter().all(|&weight| weight == 1);
        let mut words = BitWriter { words: &mut self.key, used: 64 };
        words.words.clear();
        words.push(count as u64, 16);
        words.push(self.salts.len() as u64, 32);
        words.push(is_even.into(), 1);
        words.push(is_plain.into(), 1);
        for &(_, item) in &self.order {
            words.push(tables.primary[self.globals[usize::from(item)] as usize].into(), 1);
        }
        let rank_bits = usize::BITS - count.leading_zeros();
        for (place, &(_, option)) in self.option_order.iter().enumerate() {
            let option = option as usize;
            let entries = &self.entries[self.starts[option] as usize..self.starts[option + 1] as usize];
            if !is_even || place == 0 {
                words.push(entries.len() as u64, 16);
            }
            if !is_plain {
                words.push(self.weights[option], 64);
            }
            for &item in entries {
                words.push(self.ranks[usize::from(item)].into(), rank_bits);
            }
        }
    }
}

/// Writes numbers of a few bits each into words.
struct BitWriter<'w> {
    words: &'w mut Vec<u64>,
    /// The bits of the last word that are in use.
    used: u32,
}

impl BitWriter<'_> {
    /// Adds the low `bits` of a number that has no others, at least 1 and at most 64.
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

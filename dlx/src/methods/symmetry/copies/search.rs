//! Searches for copies (`copies.rs`).
//!
//! Two items `x` and `y` of equal color may be corresponding items of two copies. Exchanging them
//! requires that their options correspond: an option of `x` corresponds to the option of `y` that
//! has the same items after the known exchanges. Without such an option, the option of `y` with the
//! most common items is assumed to correspond, and the different items are exchanged too. The
//! exchanges repeat until no more items are added, and the result is verified.
//!
//! If an item is in no copy, other items of its color are not tried.

use std::collections::HashMap;

use crate::methods::symmetry::tables::PartTables;

const SEARCH_ENTRY: u64 = 1000;
const SEARCH_MAX: u64 = 1 << 25;

const NONE: u32 = u32::MAX;

pub(super) struct Search<'t> {
    tables: &'t PartTables,
    pub(super) option_of: HashMap<&'t [u64], u32>,
    pub(super) options_of: Vec<Vec<u32>>,
    colors: &'t [(u64, u32)],
    pub(super) color_of: Vec<u64>,
    /// Per item, its image in the other copy while two copies grow, and whether it is in the second
    /// copy.
    images: Vec<u32>,
    is_second: Vec<bool>,
    swapped: Vec<u64>,
    pub(super) work: u64,
    work_max: u64,
}

impl<'t> Search<'t> {
    /// Reads a part. Returns `None` if two options have the same items.
    pub(super) fn new(tables: &'t PartTables, colors: &'t [(u64, u32)]) -> Option<Self> {
        let mut option_of = HashMap::new();
        let mut entries = 0;
        for option in 0..tables.option_count() as u32 {
            entries += tables.items(option).len() as u64;
            if option_of.insert(tables.set(option), option).is_some() {
                return None;
            }
        }
        let mut color_of = vec![0; tables.item_count];
        colors.iter().for_each(|&(color, item)| color_of[item as usize] = color);
        Some(Self {
            tables,
            option_of,
            options_of: tables.options_of_items(),
            colors,
            color_of,
            images: vec![NONE; tables.item_count],
            is_second: vec![false; tables.item_count],
            swapped: vec![0; tables.word_count],
            work: 20 * entries,
            work_max: (SEARCH_ENTRY * entries).min(SEARCH_MAX),
        })
    }

    pub(super) fn is_over(&self) -> bool {
        self.work > self.work_max
    }

    /// Returns the best family of copies with `item` in the first copy. A family is better if its
    /// copies are more and larger, and if the branching order switches less often between copies.
    pub(super) fn family(
        &mut self,
        item: u32,
        of_item: &[u16],
        order: &[u32],
    ) -> Option<Vec<Vec<u32>>> {
        let color = self.color_of[item as usize];
        let cell = self.colors.partition_point(|entry| entry.0 < color);
        let colors = self.colors;
        let likes = colors[cell..].iter().take_while(|entry| entry.0 == color).map(|entry| entry.1);
        let mut families: Vec<Vec<Vec<u32>>> = Vec::new();
        for other in likes.filter(|&other| other != item && of_item[other as usize] == 0) {
            if self.is_over() {
                break;
            }
            let Some(pairs) = self.exchange(item, other, of_item) else { continue };
            let (first, second): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
            match families.iter_mut().find(|family| family[0] == first) {
                Some(family) => {
                    if !family.iter().flatten().any(|item| second.contains(item)) {
                        family.push(second);
                    }
                }
                None => families.push(vec![first, second]),
            }
        }
        let worth = |family: &Vec<Vec<u32>>| {
            let mut places: Vec<(u32, usize)> = Vec::new();
            for (copy, items) in family.iter().enumerate() {
                places.extend(items.iter().map(|&item| (order[item as usize], copy)));
            }
            places.sort_unstable();
            let changes = places.windows(2).filter(|pair| pair[0].1 != pair[1].1).count();
            ((family.len() - 1).pow(2) * family[0].len()) as f64 / changes as f64
        };
        families.into_iter().max_by(|one, other| worth(one).total_cmp(&worth(other)))
    }

    /// Returns the pairs of items that must be exchanged together with `item` and `other`, or
    /// `None` if no such exchange preserves the options.
    fn exchange(&mut self, item: u32, other: u32, of_item: &[u16]) -> Option<Vec<(u32, u32)>> {
        let mut pairs = Vec::new();
        let is_found = self.grow(item, other, of_item, &mut pairs).is_some()
            && pairs.len() > 1
            && pairs.iter().all(|&(x, y)| self.is_kept(x, of_item) && self.is_kept(y, of_item));
        for &(x, y) in &pairs {
            self.images[x as usize] = NONE;
            self.images[y as usize] = NONE;
            self.is_second[y as usize] = false;
        }
        pairs.sort_unstable();
        is_found.then_some(pairs)
    }

    fn grow(
        &mut self,
        item: u32,
        other: u32,
        of_item: &[u16],
        pairs: &mut Vec<(u32, u32)>,
    ) -> Option<()> {
        self.join(item, other, of_item, pairs)?;
        let (mut next, mut unclear, mut known) = (0, Vec::new(), pairs.len());
        loop {
            let (x, y) = match pairs.get(next) {
                Some(&pair) => pair,
                None if unclear.is_empty() => return Some(()),
                None if known == pairs.len() => return None,
                None => {
                    known = pairs.len();
                    next = pairs.len();
                    for (x, y) in std::mem::take(&mut unclear) {
                        if !self.match_options(x, y, of_item, pairs)? {
                            unclear.push((x, y));
                        }
                    }
                    continue;
                }
            };
            next += 1;
            if !self.match_options(x, y, of_item, pairs)? {
                unclear.push((x, y));
            }
        }
    }

    fn join(&mut self, x: u32, y: u32, of_item: &[u16], pairs: &mut Vec<(u32, u32)>) -> Option<()> {
        let [a, b] = [x as usize, y as usize];
        let is_free =
            self.images[a] == NONE && self.images[b] == NONE && of_item[a] == 0 && of_item[b] == 0;
        let is_alike = self.color_of[a] == self.color_of[b]
            && self.options_of[a].len() == self.options_of[b].len()
            && self.tables.primary[a] == self.tables.primary[b];
        if a == b || !is_free || !is_alike {
            return None;
        }
        self.images[a] = y;
        self.images[b] = x;
        self.is_second[b] = true;
        pairs.push((x, y));
        Some(())
    }

    /// Matches the options of two exchanged items, and exchanges the items that differ in them.
    /// Returns whether all options were matched, or `None` if an option has no match.
    fn match_options(
        &mut self,
        x: u32,
        y: u32,
        of_item: &[u16],
        pairs: &mut Vec<(u32, u32)>,
    ) -> Option<bool> {
        let mut is_clear = true;
        for place in 0..self.options_of[x as usize].len() {
            let option = self.options_of[x as usize][place];
            if self.is_over() || !self.swap(option) {
                return None;
            }
            if self.option_of.contains_key(&self.swapped[..]) {
                continue;
            }
            let (mut best, mut common, mut is_alone) = (NONE, 0, true);
            let candidates = &self.options_of[y as usize];
            self.work += (candidates.len() * (2 + self.tables.word_count)) as u64;
            for &candidate in candidates {
                let both = self.tables.set(candidate).iter().zip(&self.swapped);
                let count: u32 = both.map(|(a, b)| (a & b).count_ones()).sum();
                if count >= common {
                    is_alone = count > common;
                    (best, common) = (candidate, count);
                }
            }
            if best == NONE || self.tables.items(best).len() != self.tables.items(option).len() {
                return None;
            }
            let lost = self.tables.items(best).len() - common as usize;
            if !is_alone || lost > 1 {
                is_clear = false;
                continue;
            }
            let has = |set: &[u64], item: u32| set[item as usize / 64] >> (item % 64) & 1 == 1;
            let mut own = self.tables.items(option).iter().copied();
            let own = own.find(|&item| {
                self.images[item as usize] == NONE && !has(self.tables.set(best), item)
            })?;
            let mut its = self.tables.items(best).iter().copied();
            let its = its.find(|&item| !has(&self.swapped, item))?;
            self.join(own, its, of_item, pairs)?;
        }
        Some(is_clear)
    }

    /// Sets `swapped` to the image of an option. Returns `false` if the option has items of both
    /// copies.
    fn swap(&mut self, option: u32) -> bool {
        self.swapped.copy_from_slice(self.tables.set(option));
        let items = self.tables.items(option);
        self.work += 10 + 4 * items.len() as u64;
        let (mut has_first, mut has_second) = (false, false);
        for &item in items.iter().filter(|&&item| self.images[item as usize] != NONE) {
            let other = self.images[item as usize];
            self.swapped[item as usize / 64] &= !(1 << (item % 64));
            self.swapped[other as usize / 64] |= 1 << (other % 64);
            *(if self.is_second[item as usize] { &mut has_second } else { &mut has_first }) = true;
        }
        !(has_first && has_second)
    }

    /// Returns whether each option of an item touches only one copy, and its image is an option of
    /// the same weight.
    fn is_kept(&mut self, item: u32, of_item: &[u16]) -> bool {
        (0..self.options_of[item as usize].len()).all(|place| {
            let option = self.options_of[item as usize][place];
            let weights = &self.tables.weights;
            self.swap(option)
                && self.tables.items(option).iter().all(|&item| of_item[item as usize] == 0)
                && self
                    .option_of
                    .get(&self.swapped[..])
                    .is_some_and(|&other| weights[other as usize] == weights[option as usize])
        })
    }
}

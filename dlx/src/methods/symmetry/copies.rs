//! Copies: sets of items that change places as wholes, of which one stands for all.
//!
//! The rows of a Latin square are copies: exchange all that belongs to one row with all that belongs to another, and the
//! problem is the same. While several are left as wholes, the options of the first of them tell what those of the
//! others are. So the others are hidden: the walk has the options of one row with the number of rows it stands for, and a form
//! is made of that. When an item of the row is covered, the next row comes forth.
//!
//! # Invariant
//! Copies are disjoint, to exchange two of a family leaves options and weights as they are, and no option has items of two
//! copies. So what is left is described, up to names, by the options of one whole copy of each family, marked with
//! how many are whole, and all options that are in no whole copy: an option that touches a marked copy is there once for each.
//! Two items of a marked copy that no chain of options within the copy connects may change places each for itself, so it does
//! not matter that the mark does not tell families of the same number apart.

mod search;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::Range;

use self::search::Search;
use super::tables::PartTables;
use crate::portfolio::{Budget, Cut};

/// The copies of a part. They are numbered from 1; what is in none has the number 0.
#[derive(Debug)]
pub(super) struct Copies {
    /// By item and by option: the number of the copy.
    of_item: Vec<u16>,
    of_option: Vec<u16>,
    /// By item: the one of the first copy of the family that is at the same place; itself, if it is in none.
    models: Vec<u32>,
    /// By copy: its items, and its options, those at the same places being those that change places.
    sets: Vec<Vec<u64>>,
    options: Vec<Vec<u32>>,
    /// By option of a copy: its place there.
    places: Vec<u32>,
    /// The options that can be chosen and are in none.
    others: Vec<u32>,
    /// The numbers of the copies that can change places, those of each family from one up to another.
    families: Vec<Range<usize>>,
}

/// Which copies stand for others while the items of a set are left.
#[derive(Debug)]
pub(super) struct Standing {
    /// By copy: for how many it stands, itself among them; 0 if another one stands for it.
    multiples: Vec<u32>,
    /// The items of the hidden copies, and those of all that stand or are hidden.
    hidden: Vec<u64>,
    kept: Vec<u64>,
}

impl Copies {
    /// Returns none of a part.
    pub(super) fn none(tables: &PartTables) -> Self {
        Self {
            of_item: vec![0; tables.item_count],
            of_option: vec![0; tables.option_count()],
            models: (0..tables.item_count as u32).collect(),
            sets: vec![Vec::new()],
            options: vec![Vec::new()],
            places: vec![0; tables.option_count()],
            others: tables.options().collect(),
            families: Vec::new(),
        }
    }

    /// Finds copies among the items of equal `colors`; those with many items that the order of branching does not leave
    /// half done come first.
    pub(super) fn new(
        tables: &PartTables,
        colors: &[(u64, u32)],
        order: &[u32],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let mut copies = Self::none(tables);
        let Some(mut search) = Search::new(tables, colors) else { return Ok(copies) };
        let mut items: Vec<u32> =
            (0..tables.item_count as u32).filter(|&item| tables.primary[item as usize]).collect();
        items.sort_unstable_by_key(|&item| order[item as usize]);
        let (mut paid, mut in_vain) = (0, HashSet::new());
        for &item in &items {
            let color = search.color_of[item as usize];
            if copies.of_item[item as usize] > 0 || in_vain.contains(&color) {
                continue;
            }
            let family = search.family(item, &copies.of_item, order);
            budget.spend(search.work - std::mem::replace(&mut paid, search.work))?;
            match family {
                Some(family) => copies.add(tables, &search, &family),
                None => _ = in_vain.insert(color),
            }
            if search.is_over() {
                break;
            }
        }
        Ok(copies)
    }

    /// Adds a family: the items of each copy, those at the same places being those that change places.
    fn add(&mut self, tables: &PartTables, search: &Search<'_>, family: &[Vec<u32>]) {
        // There are fewer than half as many copies as items, so their numbers fit.
        let begin = self.sets.len();
        let mut first: Vec<u32> =
            family[0].iter().flat_map(|&item| &search.options_of[item as usize]).copied().collect();
        first.sort_unstable();
        first.dedup();
        first.retain(|&option| tables.has_primary(option));
        let mut image: Vec<u32> = (0..tables.item_count as u32).collect();
        for (number, items) in (begin..).zip(family) {
            let mut set = vec![0; tables.word_count];
            for (&item, &other) in family[0].iter().zip(items) {
                image[item as usize] = other;
                set[other as usize / 64] |= 1 << (other % 64);
                self.of_item[other as usize] = number as u16;
                self.models[other as usize] = item;
            }
            let mut moved = vec![0; tables.word_count];
            let options: Vec<u32> = first
                .iter()
                .map(|&option| {
                    moved.fill(0);
                    let items = tables.items(option).iter().map(|&item| image[item as usize]);
                    items.for_each(|item| moved[item as usize / 64] |= 1 << (item % 64));
                    search.option_of[&moved[..]]
                })
                .collect();
            for (place, &option) in (0..).zip(&options) {
                self.of_option[option as usize] = number as u16;
                self.places[option as usize] = place;
            }
            self.sets.push(set);
            self.options.push(options);
        }
        self.families.push(begin..self.sets.len());
        self.others.retain(|&option| self.of_option[option as usize] == 0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.families.is_empty()
    }

    /// Returns the number of copies.
    pub(super) fn len(&self) -> usize {
        self.sets.len() - 1
    }

    /// Returns the number of the copy that an item is in, 0 if it is in none.
    pub(super) fn of_item(&self, item: usize) -> u16 {
        self.of_item[item]
    }

    /// Returns the item of the first copy of the family with which an item changes places; itself, if it is in none.
    pub(super) fn model(&self, item: usize) -> usize {
        self.models[item] as usize
    }

    /// Returns the bytes that all of it takes.
    pub(super) fn bytes(&self) -> usize {
        let words: usize = self.sets.iter().map(Vec::len).sum();
        let options: usize = self.options.iter().map(Vec::len).sum();
        8 * words + 4 * options + 6 * self.of_item.len() + 6 * self.of_option.len()
    }

    /// Returns room for what stands.
    pub(super) fn standing(&self, tables: &PartTables) -> Standing {
        Standing {
            multiples: vec![1; self.sets.len()],
            hidden: vec![0; tables.word_count],
            kept: vec![0; tables.word_count],
        }
    }

    /// Finds which copies stand for others while the items of a set are left.
    #[inline]
    pub(super) fn stand(&self, set: &[u64], standing: &mut Standing) {
        if !self.is_empty() {
            self.find_standing(set, standing);
        }
    }

    fn find_standing(&self, set: &[u64], standing: &mut Standing) {
        let Standing { multiples, hidden, kept } = standing;
        multiples.fill(1);
        hidden.fill(0);
        kept.fill(0);
        for family in &self.families {
            let mut first = 0;
            for copy in family.clone() {
                if !self.is_left(copy, set) {
                    continue;
                }
                if first == 0 {
                    first = copy;
                    continue;
                }
                multiples[first] += 1;
                multiples[copy] = 0;
                hidden.iter_mut().zip(&self.sets[copy]).for_each(|(hidden, copy)| *hidden |= copy);
            }
            if multiples[first] > 1 {
                kept.iter_mut().zip(&self.sets[first]).for_each(|(kept, copy)| *kept |= copy);
            }
        }
        kept.iter_mut().zip(hidden).for_each(|(kept, hidden)| *kept |= *hidden);
    }

    /// Finds which copies stand for others while the items of a set are left, and adds all options that can be chosen then
    /// and are not hidden. Returns the work.
    pub(super) fn add_options(
        &self,
        tables: &PartTables,
        set: &[u64],
        standing: &mut Standing,
        options: &mut Vec<u32>,
    ) -> u64 {
        self.stand(set, standing);
        let is_within = |option: &&u32| tables.is_within(**option, set);
        options.extend(self.others.iter().filter(is_within));
        let mut seen = self.others.len();
        for (copy, own) in self.options.iter().enumerate() {
            let is_met = self.sets[copy].iter().zip(set).any(|(copy, set)| copy & set != 0);
            if is_met && standing.multiples[copy] > 0 {
                options.extend(own.iter().filter(is_within));
                seen += own.len();
            }
        }
        ((seen + self.options.len()) * (1 + tables.word_count)) as u64
    }

    /// Finds which copies stand for others while the items of a set are left, and takes hidden options out of those from `start`
    /// on.
    pub(super) fn hide(
        &self,
        set: &[u64],
        standing: &mut Standing,
        options: &mut Vec<u32>,
        start: usize,
    ) {
        if self.is_empty() {
            return;
        }
        self.find_standing(set, standing);
        let mut kept = start;
        for place in start..options.len() {
            let option = options[place];
            options[kept] = option;
            kept += usize::from(self.multiple(option, standing) > 0);
        }
        options.truncate(kept);
    }

    /// Tells whether an option is one of a copy of which all items are in a set.
    #[inline]
    pub(super) fn is_whole(&self, option: u32, set: &[u64]) -> bool {
        let copy = usize::from(self.of_option[option as usize]);
        copy > 0 && self.is_left(copy, set)
    }

    /// Tells whether all items of a copy are in a set.
    #[inline]
    fn is_left(&self, copy: usize, set: &[u64]) -> bool {
        self.sets[copy].iter().zip(set).all(|(copy, set)| copy & !set == 0)
    }

    /// Returns how many copies an option stands for, one if it is in none; 0 if it is hidden.
    #[inline]
    pub(super) fn multiple(&self, option: u32, standing: &Standing) -> u32 {
        standing.multiples[usize::from(self.of_option[option as usize])]
    }

    /// Returns how many copies an item stands for, one if it is in none; 0 if it is hidden.
    #[inline]
    pub(super) fn multiple_of_item(&self, item: u32, standing: &Standing) -> u32 {
        standing.multiples[usize::from(self.of_item[item as usize])]
    }

    /// Tells whether an item is in a copy.
    pub(super) fn has(&self, item: u32) -> bool {
        self.of_item[item as usize] > 0
    }

    /// Returns how many options with an item an option stands for: one if it has the item as one of its copy.
    #[inline]
    pub(super) fn multiple_beside(&self, item: u32, option: u32, standing: &Standing) -> u32 {
        if self.of_item[item as usize] > 0 { 1 } else { self.multiple(option, standing) }
    }

    /// Returns the copies that are hidden since that of an option stands for them, the next one first.
    fn hidden_copies<'c>(
        &'c self,
        option: u32,
        standing: &'c Standing,
    ) -> impl Iterator<Item = usize> + 'c {
        let copy = usize::from(self.of_option[option as usize]);
        let stands = |family: &&Range<usize>| standing.multiples[copy] > 1 && family.contains(&copy);
        let others = self.families.iter().find(stands).map_or(0..0, |family| copy + 1..family.end);
        others.filter(|&other| standing.multiples[other] == 0)
    }

    /// Returns the option of another copy that changes places with one of a copy of the same family.
    fn image(&self, option: u32, copy: usize) -> u32 {
        self.options[copy][self.places[option as usize] as usize]
    }

    /// Returns the options that come forth, out of the hidden ones, when `option` is chosen while those of `options` can be:
    /// if it is one of a copy that stands for others, those of the next one.
    pub(super) fn come_forth<'c>(
        &'c self,
        option: u32,
        options: &'c [u32],
        standing: &'c Standing,
    ) -> impl Iterator<Item = u32> + 'c {
        let copy = self.of_option[option as usize];
        let of_copy = move |&option: &u32| self.of_option[option as usize] == copy;
        self.hidden_copies(option, standing).take(1).flat_map(move |next| {
            options.iter().copied().filter(of_copy).map(move |option| self.image(option, next))
        })
    }

    /// Returns all options that are hidden while those of `options` can be chosen.
    pub(super) fn hidden<'c>(
        &'c self,
        options: &'c [u32],
        standing: &'c Standing,
    ) -> impl Iterator<Item = u32> + 'c {
        options.iter().flat_map(move |&option| {
            self.hidden_copies(option, standing).map(move |copy| self.image(option, copy))
        })
    }
}

impl Standing {
    /// Returns the items of the hidden copies.
    pub(super) fn hidden(&self) -> &[u64] {
        &self.hidden
    }

    /// Returns the items of the copies that stand for others, and of the hidden ones.
    pub(super) fn kept(&self) -> &[u64] {
        &self.kept
    }
}

//! Copies: sets of items that can be exchanged as a whole, so that one copy represents the others.
//!
//! The rows of a Latin square are copies, because exchanging two rows gives the same problem. While
//! several rows are untouched, the options of the first one determine the options of the others. So
//! the other rows are hidden: the walk and the canonical form use only the options of the first row
//! and the number of rows that it represents. When an item of this row is covered, the next
//! untouched row is revealed.
//!
//! # Invariant
//! A *family* is a set of disjoint copies, where exchanging any two copies preserves options and
//! weights, and no option has items of two copies. So the following describes a subproblem up to
//! isomorphism: the options of one untouched copy of each family, marked with the number of
//! untouched copies, and all options outside untouched copies. An option that touches a marked copy
//! exists once per untouched copy. Families with the same mark need not be distinguished: two items
//! of a marked copy can be exchanged independently if no options within the copy connect them.

mod search;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::Range;

use self::search::Search;
use super::tables::PartTables;
use crate::portfolio::{Budget, Cut};

/// The copies of a part, numbered from 1. The number 0 means "in no copy".
#[derive(Debug)]
pub(super) struct Copies {
    of_item: Vec<u16>,
    of_option: Vec<u16>,
    /// Per item, the corresponding item of the first copy of its family; the item itself if it is
    /// in no copy.
    models: Vec<u32>,
    /// Per copy, its items and its options. Options at the same index of two copies correspond to
    /// each other.
    sets: Vec<Vec<u64>>,
    options: Vec<Vec<u32>>,
    places: Vec<u32>,
    others: Vec<u32>,
    families: Vec<Range<usize>>,
}

/// The representative copies in a subproblem, given by its remaining items.
#[derive(Debug)]
pub(super) struct RepresentativeCopies {
    /// Per copy, the number of copies that it represents, including itself; 0 if it is hidden.
    multiples: Vec<u32>,
    /// The items of the copies that another copy represents, and the items of these and the
    /// representative copies.
    hidden: Vec<u64>,
    kept: Vec<u64>,
}

impl Copies {
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

    /// Finds copies among items with equal `colors`. Prefers large copies that the branching order
    /// finishes one after another.
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

    /// Adds a family, given as the items of each copy. Items at the same index of two copies
    /// correspond to each other.
    fn add(&mut self, tables: &PartTables, search: &Search<'_>, family: &[Vec<u32>]) {
        // A copy has at least two items, so a 16-bit number holds every copy number.
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

    pub(super) fn len(&self) -> usize {
        self.sets.len() - 1
    }

    pub(super) fn of_item(&self, item: usize) -> u16 {
        self.of_item[item]
    }

    /// Returns the corresponding item of the first copy of the family; `item` itself if it is in no
    /// copy.
    pub(super) fn model(&self, item: usize) -> usize {
        self.models[item] as usize
    }

    pub(super) fn bytes(&self) -> usize {
        let words: usize = self.sets.iter().map(Vec::len).sum();
        let options: usize = self.options.iter().map(Vec::len).sum();
        8 * words + 4 * options + 6 * self.of_item.len() + 6 * self.of_option.len()
    }

    pub(super) fn standing(&self, tables: &PartTables) -> RepresentativeCopies {
        RepresentativeCopies {
            multiples: vec![1; self.sets.len()],
            hidden: vec![0; tables.word_count],
            kept: vec![0; tables.word_count],
        }
    }

    #[inline]
    pub(super) fn stand(&self, set: &[u64], standing: &mut RepresentativeCopies) {
        if !self.is_empty() {
            self.find_standing(set, standing);
        }
    }

    fn find_standing(&self, set: &[u64], standing: &mut RepresentativeCopies) {
        let RepresentativeCopies { multiples, hidden, kept } = standing;
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

    /// Determines the representative copies, and appends all options within `set` that are not
    /// hidden. Returns the work.
    pub(super) fn add_options(
        &self,
        tables: &PartTables,
        set: &[u64],
        standing: &mut RepresentativeCopies,
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

    pub(super) fn hide(
        &self,
        set: &[u64],
        standing: &mut RepresentativeCopies,
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

    /// Returns whether an option belongs to a copy whose items are all in `set`.
    #[inline]
    pub(super) fn is_whole(&self, option: u32, set: &[u64]) -> bool {
        let copy = usize::from(self.of_option[option as usize]);
        copy > 0 && self.is_left(copy, set)
    }

    #[inline]
    fn is_left(&self, copy: usize, set: &[u64]) -> bool {
        self.sets[copy].iter().zip(set).all(|(copy, set)| copy & !set == 0)
    }

    /// Returns the number of options that `option` represents, one per copy; 1 if it is in no copy,
    /// 0 if it is hidden.
    #[inline]
    pub(super) fn multiple(&self, option: u32, standing: &RepresentativeCopies) -> u32 {
        standing.multiples[usize::from(self.of_option[option as usize])]
    }

    /// Returns the number of items that `item` represents, one per copy; 1 if it is in no copy, 0
    /// if it is hidden.
    #[inline]
    pub(super) fn multiple_of_item(&self, item: u32, standing: &RepresentativeCopies) -> u32 {
        standing.multiples[usize::from(self.of_item[item as usize])]
    }

    pub(super) fn has(&self, item: u32) -> bool {
        self.of_item[item as usize] > 0
    }

    /// Returns the number of options with `item` that `option` represents, which is 1 if `item` is
    /// in a copy.
    #[inline]
    pub(super) fn multiple_beside(
        &self,
        item: u32,
        option: u32,
        standing: &RepresentativeCopies,
    ) -> u32 {
        if self.of_item[item as usize] > 0 { 1 } else { self.multiple(option, standing) }
    }

    /// Returns the copies that the copy of `option` represents, the next one first.
    fn hidden_copies<'c>(
        &'c self,
        option: u32,
        standing: &'c RepresentativeCopies,
    ) -> impl Iterator<Item = usize> + 'c {
        let copy = usize::from(self.of_option[option as usize]);
        let stands = |family: &&Range<usize>| standing.multiples[copy] > 1 && family.contains(&copy);
        let others = self.families.iter().find(stands).map_or(0..0, |family| copy + 1..family.end);
        others.filter(|&other| standing.multiples[other] == 0)
    }

    fn image(&self, option: u32, copy: usize) -> u32 {
        self.options[copy][self.places[option as usize] as usize]
    }

    /// Returns the options to be revealed when `option` is chosen. They are the options of the next
    /// represented copy that correspond to `options`, which are options of the copy of `option`.
    /// Returns no options if the copy of `option` represents no other copy.
    pub(super) fn come_forth<'c>(
        &'c self,
        option: u32,
        options: &'c [u32],
        standing: &'c RepresentativeCopies,
    ) -> impl Iterator<Item = u32> + 'c {
        let copy = self.of_option[option as usize];
        let of_copy = move |&option: &u32| self.of_option[option as usize] == copy;
        self.hidden_copies(option, standing).take(1).flat_map(move |next| {
            options.iter().copied().filter(of_copy).map(move |option| self.image(option, next))
        })
    }

    pub(super) fn hidden<'c>(
        &'c self,
        options: &'c [u32],
        standing: &'c RepresentativeCopies,
    ) -> impl Iterator<Item = u32> + 'c {
        options.iter().flat_map(move |&option| {
            self.hidden_copies(option, standing).map(move |copy| self.image(option, copy))
        })
    }
}

impl RepresentativeCopies {
    pub(super) fn hidden(&self) -> &[u64] {
        &self.hidden
    }

    pub(super) fn kept(&self) -> &[u64] {
        &self.kept
    }
}

//! Checks that find dead ends of a frontier: choices that leave an item of the window without
//! options.
//!
//! A state is a *dead end* if all options of an item that must still be covered conflict with it.
//! The checks find choices that lead to dead ends before the successors are built, 64 choices at a
//! time. A *check* (a "look" in identifiers) concerns one item. A check starts with the
//! conflict-free choices that do not cover its item, and scans the options of the item in later
//! steps. If an option does not conflict with the state, the choices compatible with this option
//! are not dead ends, and are removed. The choices that remain after the scan lead to dead ends.
//!
//! At first a layout has checks only for items with few options left. *Closer checks* cover all
//! items of the window, but only large layers get them. Closer checks scan only the *easiest*
//! options: an option is redundant if its conflicts include all conflicts of another option.
//!
//! The counting worker measures which checks pay off (`paying.rs`).
//!
//! Tried and dropped: pruning by the size of components of free cells (hardly fewer states, and
//! only for polyominoes); testing four options at a time without branches (hardly faster).

use std::ops::Range;

use super::sketch::{ENTRY_WORK, KeyField, LayoutSketch, SPAN_WORK, key};
use super::{Key, Layout, are_disjoint, mask};
use crate::model::{Bounds, Color, Entry, ItemId, OptionId, Problem};
use crate::portfolio::{Budget, Cut};

/// Maximum number of options that one check scans, and of checks per 64 choices.
const LOOK_OPTIONS: usize = 16;
const LOOKS: usize = 8;
const LOOK_ENTRIES: usize = 1 << 9;
const CLOSER_OPTIONS: usize = 1 << 10;
const EASIEST: usize = 1 << 8;
const COMPARE_WORK: u64 = 2;
const CLOSER_SHARE: usize = 32;

#[derive(Debug)]
pub(super) struct ItemAtRisk<const K: usize> {
    /// The field of the item; empty if no earlier option covers the item.
    own: Key<K>,
    covering: u64,
    options: Range<u32>,
}

/// An option of a later step, as the fields and the choices in conflict with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LaterOption<const K: usize> {
    fields: Key<K>,
    choices: u64,
}

impl<const K: usize> LaterOption<K> {
    fn size(&self) -> u32 {
        self.fields.iter().chain([&self.choices]).map(|word| word.count_ones()).sum()
    }

    fn contains(&self, other: &Self) -> bool {
        let within = |own: u64, other: u64| other & !own == 0;
        within(self.choices, other.choices)
            && (0..K).all(|word| within(self.fields[word], other.fields[word]))
    }
}

impl<const K: usize> Layout<K> {
    #[inline]
    pub(crate) fn look_count(&self, choices: usize) -> usize {
        self.words[choices].len()
    }

    /// Returns the choices of `free` that lead to dead ends, by all checks of a group of 64
    /// choices.
    #[inline]
    pub(crate) fn dead_ends(&self, choices: usize, free: u64, key: &Key<K>) -> u64 {
        let looks = 0..self.look_count(choices);
        self.dead_ends_by(choices, looks, free, key, |_, _, _| {})
    }

    /// Returns the choices of `free` that lead to dead ends, by the checks with indices `looks`.
    /// Stops when no choice is left. After each check, calls `told` with its index, the number of
    /// dead ends it added, and the number of fields and options it scanned.
    #[inline]
    pub(crate) fn dead_ends_by(
        &self,
        choices: usize,
        looks: impl Iterator<Item = usize>,
        free: u64,
        key: &Key<K>,
        mut told: impl FnMut(usize, u64, u64),
    ) -> u64 {
        let mut left = free;
        for look in looks {
            let (dead, tests) = self.dead_ends_by_one(choices, look, left, key);
            left &= !dead;
            told(look, dead, tests);
            if left == 0 {
                break;
            }
        }
        free & !left
    }

    #[inline]
    fn dead_ends_by_one(&self, choices: usize, look: usize, free: u64, key: &Key<K>) -> (u64, u64) {
        let Range { start, end } = self.words[choices];
        let look = &self.looks[start as usize..end as usize][look];
        let mut dead = free & !look.covering;
        if dead == 0 || !are_disjoint(key, &look.own) {
            return (0, 1);
        }
        let options = &self.later_options[look.options.start as usize..look.options.end as usize];
        for (option, place) in options.iter().zip(1..) {
            if are_disjoint(key, &option.fields) {
                dead &= option.choices;
                if dead == 0 {
                    return (0, 1 + place);
                }
            }
        }
        (dead, 1 + options.len() as u64)
    }

    fn set_looks(&mut self, choices: usize, looks: Vec<NewLook<K>>) {
        let start = self.looks.len() as u32;
        for NewLook { own, covering, options } in looks {
            let first = self.later_options.len() as u32;
            self.later_options.extend(options);
            let options = first..self.later_options.len() as u32;
            self.looks.push(ItemAtRisk { own, covering, options });
        }
        self.words[choices] = start..self.looks.len() as u32;
    }

    fn exceeds_memory(&self, more: &[NewLook<K>], bytes: usize) -> bool {
        let options = more.iter().map(|look| look.options.len()).sum::<usize>();
        let looks = size_of::<ItemAtRisk<K>>() * (self.looks.len() + more.len());
        looks + size_of::<LaterOption<K>>() * (self.later_options.len() + options) > bytes
    }
}

struct NewLook<const K: usize> {
    own: Key<K>,
    covering: u64,
    options: Vec<LaterOption<K>>,
}

impl<const K: usize> NewLook<K> {
    /// Keeps only the easiest options. Returns `None` for more than [`EASIEST`] options, or if an
    /// option has no conflicts, because then no choice is a dead end.
    fn with_easiest(mut self) -> Option<Self> {
        self.options = easiest(self.options);
        let is_free = self.options.first().is_some_and(|option| option.size() == 0);
        (self.options.len() <= EASIEST && !is_free).then_some(self)
    }
}

/// Returns the easiest options without duplicates, by ascending number of conflicts. The conflicts
/// of an easiest option do not include all conflicts of another option. Stops after `EASIEST + 1`
/// options.
fn easiest<const K: usize>(mut options: Vec<LaterOption<K>>) -> Vec<LaterOption<K>> {
    options.sort_unstable_by_key(|option| (option.size(), *option));
    let mut easiest: Vec<LaterOption<K>> = Vec::new();
    for option in options {
        if !easiest.iter().any(|other| option.contains(other)) {
            easiest.push(option);
        }
        if easiest.len() > EASIEST {
            break;
        }
    }
    easiest
}

struct ChoicesByItem<'p> {
    problem: &'p Problem,
    step: usize,
    all: u64,
    entries: Vec<(Entry, u64)>,
}

impl<'p> ChoicesByItem<'p> {
    fn new(sketch: &LayoutSketch<'p>, step: usize, word: usize) -> Self {
        let problem = &sketch.part.problem;
        let (item, options) = &sketch.steps[step];
        let count = options.len() + usize::from(problem.bounds(*item) != Some(Bounds::ONE));
        let mut entries: Vec<(Entry, u64)> = Vec::new();
        for (place, &option) in options.iter().skip(64 * word).take(64).enumerate() {
            entries.extend(problem.option(option).iter().map(|&entry| (entry, 1 << place)));
        }
        entries.sort_unstable_by_key(|&(entry, _)| (entry.item, entry.color));
        entries.dedup_by(|(entry, choices), (before, all)| {
            let is_same = entry == before;
            *all |= if is_same { *choices } else { 0 };
            is_same
        });
        Self { problem, step, all: mask((count - 64 * word).min(64)), entries }
    }

    fn of(&self, item: ItemId) -> &[(Entry, u64)] {
        let first = self.entries.partition_point(|(entry, _)| entry.item < item);
        let count = self.entries[first..].partition_point(|(entry, _)| entry.item == item);
        &self.entries[first..first + count]
    }

    fn in_conflict(&self, entry: &Entry) -> u64 {
        if !matches!(self.problem.bounds(entry.item), None | Some(Bounds::ONE)) {
            return 0;
        }
        let has_other = |color: Option<Color>| color.is_none() || color != entry.color;
        let others = self.of(entry.item).iter().filter(|(other, _)| has_other(other.color));
        others.fold(0, |all, (_, choices)| all | choices)
    }

    fn look<const K: usize>(
        &self,
        sketch: &LayoutSketch<'_>,
        item: usize,
        field: &KeyField,
        options: &[OptionId],
    ) -> NewLook<K> {
        let own = if field.first < self.step { key(&field.bits) } else { [0; K] };
        let entries = self.of(ItemId::new(item));
        let covering = entries.iter().fold(0, |all, (_, choices)| all | choices);
        let at_stake = self.all & !covering;
        let later_option = |&option: &OptionId| {
            let mut fields = sketch.conflict_of(option, self.step);
            (0..K).for_each(|word| fields[word] &= !own[word]);
            let entries = self.problem.option(option).iter();
            let choices = entries.fold(0, |all, entry| all | self.in_conflict(entry));
            LaterOption { fields, choices: choices & at_stake }
        };
        // An option that conflicts with all choices cannot show that one of them is no dead end.
        let saves = |option: &LaterOption<K>| option.choices != at_stake;
        let options = options.iter().map(later_option).filter(saves).collect();
        NewLook { own, covering, options }
    }
}

#[derive(Debug)]
pub(crate) struct CloserChecks<'p> {
    sketch: LayoutSketch<'p>,
    lists: Vec<Vec<OptionId>>,
}

impl<'p> CloserChecks<'p> {
    pub(crate) fn new(sketch: LayoutSketch<'p>) -> Self {
        Self { sketch, lists: Vec::new() }
    }

    pub(crate) fn sketch(&self) -> &LayoutSketch<'p> {
        &self.sketch
    }

    /// Replaces the checks of a step with stricter checks of all items that its choices may leave
    /// without options, the cheapest first. Returns the work. `bytes` is the memory limit of the
    /// count.
    pub(crate) fn add<const K: usize>(
        &mut self,
        layout: &mut Layout<K>,
        step: usize,
        bytes: usize,
    ) -> u64 {
        let Self { sketch, lists } = self;
        let problem = &sketch.part.problem;
        let mut work = ENTRY_WORK;
        if layout.left.get(step + 1).is_some_and(Option::is_some) {
            return work;
        }
        if lists.is_empty() {
            *lists = sketch.last_options();
            work += ENTRY_WORK * problem.entry_count() as u64;
        }
        for (word, choices) in layout.step(step).words.clone().enumerate() {
            let by_item = ChoicesByItem::new(sketch, step, word);
            work += ENTRY_WORK * by_item.entries.len() as u64;
            let mut looks: Vec<NewLook<K>> = Vec::new();
            for (item, (list, field)) in lists.iter().zip(&sketch.fields).enumerate() {
                work += SPAN_WORK;
                let Some(field) = field.as_ref().filter(|field| field.spans(step)) else { continue };
                let left = list.iter().take_while(|option| sketch.step_of[option.index()] > step);
                let left: Vec<OptionId> = left.take(CLOSER_OPTIONS + 1).copied().collect();
                if left.is_empty() || left.len() > CLOSER_OPTIONS {
                    continue;
                }
                let entries = left.iter().map(|&option| problem.option(option).len()).sum::<usize>();
                let look = by_item.look(sketch, item, field, &left).with_easiest();
                let easiest = look.as_ref().map_or(EASIEST, |look| look.options.len());
                work += ENTRY_WORK * entries as u64 + COMPARE_WORK * (left.len() * easiest) as u64;
                looks.extend(look);
            }
            if layout.exceeds_memory(&looks, bytes / CLOSER_SHARE) {
                break;
            }
            looks.sort_by_key(|look| look.options.len());
            layout.set_looks(choices as usize, looks);
        }
        work
    }
}

impl LayoutSketch<'_> {
    /// Returns the options of each item covered exactly once, in descending order of their steps.
    /// The options left at a step are a prefix of this list.
    fn last_options(&self) -> Vec<Vec<OptionId>> {
        let problem = &self.part.problem;
        let mut lists: Vec<Vec<OptionId>> = vec![Vec::new(); problem.item_count()];
        for &option in self.steps.iter().rev().flat_map(|(_, options)| options.iter().rev()) {
            for entry in problem.option(option) {
                if problem.bounds(entry.item) == Some(Bounds::ONE) {
                    lists[entry.item.index()].push(option);
                }
            }
        }
        lists
    }

    pub(super) fn add_looks<const K: usize>(
        &self,
        layout: &mut Layout<K>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Cut> {
        let problem = &self.part.problem;
        let lists = self.last_options();
        let mut candidates: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.steps.len()];
        for item in problem.items() {
            let (list, field) = (&lists[item.index()], &self.fields[item.index()]);
            let Some(field) = field else { continue };
            let first = list.get(LOOK_OPTIONS).map_or(0, |option| self.step_of[option.index()]);
            let steps = first.max(field.first)..field.last;
            budget.spend(SPAN_WORK * LOOK_OPTIONS as u64 * steps.len() as u64)?;
            for step in steps {
                let is_left = |option: &&OptionId| self.step_of[option.index()] > step;
                let left = list.iter().take(LOOK_OPTIONS + 1).take_while(is_left);
                let sizes = left.map(|&option| problem.option(option).len());
                let (left, entries) = sizes.fold((0, 0), |(left, sum), size| (left + 1, sum + size));
                if (1..=LOOK_OPTIONS).contains(&left) && entries <= LOOK_ENTRIES {
                    candidates[step].push((left, item.index()));
                }
            }
        }
        for (step, mut items) in candidates.into_iter().enumerate() {
            items.sort_unstable();
            items.truncate(LOOKS);
            if items.is_empty() {
                continue;
            }
            for (word, choices) in layout.step(step).words.clone().enumerate() {
                let by_item = ChoicesByItem::new(self, step, word);
                let entries = by_item.entries.len() + 2 * items.len() * LOOK_ENTRIES;
                budget.spend(ENTRY_WORK * entries as u64)?;
                if layout.exceeds_memory(&[], budget.bytes) {
                    return Err(Cut::Memory);
                }
                let look = |&(left, item): &(usize, usize)| {
                    let field = self.fields[item].as_ref().expect("candidates have fields");
                    by_item.look(self, item, field, &lists[item][..left])
                };
                layout.set_looks(choices as usize, items.iter().map(look).collect());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<const K: usize>(options: &[(Key<K>, u64)]) -> Vec<(Key<K>, u64)> {
        let options = options.iter().map(|&(fields, choices)| LaterOption { fields, choices });
        easiest(options.collect()).iter().map(|option| (option.fields, option.choices)).collect()
    }

    #[test]
    fn an_option_is_dropped_if_its_conflicts_include_all_conflicts_of_another_option() {
        let fields = [0b111, 0b101, 0b10, 0b101, 0b1001, 0b110].map(|fields| ([fields], 0));
        assert_eq!(of(&fields), [([0b10], 0), ([0b101], 0), ([0b1001], 0)]);
        assert_eq!(of(&[([0b111], 0), ([0], 0), ([0b10], 0)]), [([0], 0)]);
        let choices = [([0b11], 0b1), ([0b1], 0b10), ([0b1], 0b1), ([0b1], 0b11)];
        assert_eq!(of(&choices), [([0b1], 0b1), ([0b1], 0b10)]);
    }

    #[test]
    fn an_option_is_kept_if_its_conflicts_include_only_one_word_of_another() {
        let options = [([0b11, 0b10], 0), ([0b1, 0b100], 0), ([0b1, 0b10], 0), ([0, 0b110], 0)];
        assert_eq!(of(&options), [([0, 0b110], 0), ([0b1, 0b10], 0), ([0b1, 0b100], 0)]);
    }

    #[test]
    fn the_list_of_easiest_options_ends_one_option_above_the_limit() {
        let pairs = |count: u64| (0..count).flat_map(|a| (0..a).map(move |b| ([1 << a | 1 << b], 0)));
        assert_eq!(of(&pairs(20).collect::<Vec<_>>()).len(), 190);
        assert_eq!(of(&pairs(40).collect::<Vec<_>>()).len(), EASIEST + 1);
    }
}

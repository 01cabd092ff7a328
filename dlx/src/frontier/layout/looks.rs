//! The items of the window that may have lost all their options at a step, and how a state is asked for them.
//!
//! A state in which an item has to be covered and each of its options is in conflict has no completion. A *look* at an
//! item goes through its options until one is not in conflict. When a layout is made, there are only looks at items with
//! few options left. *Closer* looks at a step are at all items of its window, and are made only when the layers have many
//! states, since that takes about as long as a thousand of them. They go through the *easiest* options alone: an option
//! whose conflicts contain those of another one is never left without it. An item with an option that nothing can be in
//! conflict with needs no look.
//!
//! Which looks pay is measured while counting (`paying.rs`).
//!
//! Measured (states of a count by frontier row by row, without closer looks and with all of them): free tetrominoes on
//! 10x10 15,990,408 and 5,624,787, free pentominoes on 8x10 9,276,949 and 1,637,151.
//!
//! Tried and dropped: components of the cells left whose size is no multiple of that of the pieces (5,394,532 states), which
//! is dearer and good for polyominoes alone.

use super::sketch::{ENTRY_WORK, FieldKind, KeyField, SPAN_WORK, Sketch, key};
use super::{ItemAtRisk, Key, Layout};
use crate::model::{Bounds, OptionId};
use crate::portfolio::{Budget, Cut};

/// The most options that a look goes through, and the most looks at a step.
const LOOK_OPTIONS: usize = 16;
const LOOKS: usize = 8;
/// The most entries of the options that a look goes through.
const LOOK_ENTRIES: usize = 1 << 9;
/// The most options left of an item at which there is a closer look, and the most of them that it goes through.
const CLOSER_OPTIONS: usize = 1 << 10;
const EASIEST: usize = 1 << 8;
/// The work of a comparison of two options, in steps of about a nanosecond.
const COMPARE_WORK: u64 = 2;
/// The options of all looks together take this part of the memory at most.
const CLOSER_SHARE: usize = 32;

/// How closer looks are made, step by step.
#[derive(Debug)]
pub(crate) struct CloserLooks<'p> {
    sketch: Sketch<'p>,
    /// The options of each item, those of the last step first; empty until the first are needed.
    lists: Vec<Vec<OptionId>>,
}

impl<'p> CloserLooks<'p> {
    /// Makes none yet.
    pub(crate) fn new(sketch: Sketch<'p>) -> Self {
        Self { sketch, lists: Vec::new() }
    }

    /// Returns the steps that looks are made from.
    pub(crate) fn sketch(&self) -> &Sketch<'p> {
        &self.sketch
    }

    /// Gives a step closer looks at all items that may have lost all their options there, those with the fewest to go
    /// through first, and returns the work that this took. `bytes` is what there is for everything.
    pub(crate) fn add<const K: usize>(
        &mut self,
        layout: &mut Layout<K>,
        step: usize,
        bytes: usize,
    ) -> u64 {
        let Self { sketch, lists } = self;
        let problem = &sketch.part.problem;
        let mut work = ENTRY_WORK;
        if layout.left.get(step).is_some_and(Option::is_some) {
            // The table of all options left shows more than looks do.
            return work;
        }
        if lists.is_empty() {
            *lists = sketch.last_options();
            work += ENTRY_WORK * problem.entry_count() as u64;
        }
        let mut looks: Vec<(Key<K>, Vec<Key<K>>)> = Vec::new();
        for (list, field) in lists.iter().zip(&sketch.fields) {
            work += SPAN_WORK;
            let window = |field: &&KeyField| (field.first + 1..=field.last).contains(&step);
            let Some(field) = field.as_ref().filter(window) else { continue };
            let left = list.iter().take_while(|option| sketch.step_of[option.index()] >= step);
            let left: Vec<OptionId> = left.take(CLOSER_OPTIONS + 1).copied().collect();
            if left.is_empty() || left.len() > CLOSER_OPTIONS {
                continue;
            }
            let own = own_bits(field, step);
            let entries = left.iter().map(|&option| problem.option(option).len()).sum::<usize>();
            let mut conflicts: Vec<Key<K>> =
                left.iter().map(|&option| sketch.conflict_of(option, step)).collect();
            for conflict in &mut conflicts {
                conflict.iter_mut().zip(&own).for_each(|(word, own)| *word &= !own);
            }
            let easiest = easiest(conflicts);
            work += ENTRY_WORK * entries as u64 + COMPARE_WORK * (left.len() * easiest.len()) as u64;
            if easiest.len() <= EASIEST && easiest[0] != [0; K] {
                looks.push((own, easiest));
            }
        }
        let count = looks.iter().map(|(_, conflicts)| conflicts.len()).sum::<usize>();
        if size_of::<Key<K>>() * (layout.conflicts.len() + count) > bytes / CLOSER_SHARE {
            return work;
        }
        looks.sort_by_key(|(_, conflicts)| conflicts.len());
        let start = layout.looks.len() as u32;
        for (own, conflicts) in looks {
            let first = layout.conflicts.len() as u32;
            layout.conflicts.extend(conflicts);
            layout.looks.push(ItemAtRisk { own, conflicts: first..layout.conflicts.len() as u32 });
        }
        layout.steps[step].looks = start..layout.looks.len() as u32;
        work
    }
}

/// Returns those conflicts that contain no other's, the fewest bits first, each once; where there are more than a look may go
/// through, only one more than these.
fn easiest<const K: usize>(mut conflicts: Vec<Key<K>>) -> Vec<Key<K>> {
    let size = |conflict: &Key<K>| conflict.iter().map(|word| word.count_ones()).sum::<u32>();
    conflicts.sort_unstable_by_key(|conflict| (size(conflict), *conflict));
    let mut easiest: Vec<Key<K>> = Vec::new();
    for conflict in conflicts {
        let contains = |other: &Key<K>| (0..K).all(|word| other[word] & !conflict[word] == 0);
        if !easiest.iter().any(contains) {
            easiest.push(conflict);
        }
        if easiest.len() > EASIEST {
            break;
        }
    }
    easiest
}

/// Returns the bits that say that an item is covered at a step; none at its own step, since a state that stops at a branch
/// does not cover it.
fn own_bits<const K: usize>(field: &KeyField, step: usize) -> Key<K> {
    let is_here = matches!(field.kind, FieldKind::Branch) && field.last == step;
    if is_here { [0; K] } else { key(&field.bits) }
}

impl Sketch<'_> {
    /// Returns the options of each item that is covered once, those of the last step first: of those from a step on there
    /// are only so many left.
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

    /// Lists for each step the items that may have lost all options, those with the fewest left first.
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
            // Before that step there are too many left.
            let first = list.get(LOOK_OPTIONS).map_or(0, |option| self.step_of[option.index()]);
            let steps = first.max(field.first) + 1..field.last + 1;
            budget.spend(SPAN_WORK * LOOK_OPTIONS as u64 * steps.len() as u64)?;
            for step in steps {
                let is_left = |option: &&OptionId| self.step_of[option.index()] >= step;
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
            budget.spend(ENTRY_WORK * (1 + items.len().min(LOOKS) * LOOK_ENTRIES) as u64)?;
            if size_of::<Key<K>>() * layout.conflicts.len() > budget.bytes {
                return Err(Cut::Memory);
            }
            let start = layout.looks.len() as u32;
            for (left, item) in items.into_iter().take(LOOKS) {
                let first = layout.conflicts.len() as u32;
                for &option in &lists[item][..left] {
                    layout.conflicts.push(self.conflict_of(option, step));
                }
                let field = self.fields[item].as_ref().expect("candidates have fields");
                let own = own_bits(field, step);
                layout.looks.push(ItemAtRisk { own, conflicts: first..layout.conflicts.len() as u32 });
            }
            layout.steps[step].looks = start..layout.looks.len() as u32;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_easiest_options_are_those_whose_conflicts_contain_no_others() {
        let of = |conflicts: &[u64]| {
            let keys = conflicts.iter().map(|&conflict| [conflict]).collect();
            easiest::<1>(keys).into_iter().map(|[conflict]| conflict).collect::<Vec<_>>()
        };
        assert_eq!(of(&[0b111, 0b101, 0b10, 0b101, 0b1001, 0b110]), [0b10, 0b101, 0b1001]);
        assert_eq!(of(&[0b111, 0, 0b10]), [0]);
    }

    #[test]
    fn conflicts_of_several_words_are_compared_word_by_word() {
        let keys = vec![[0b11, 0b10], [0b1, 0b100], [0b1, 0b10], [0, 0b110]];
        assert_eq!(easiest::<2>(keys), [[0, 0b110], [0b1, 0b10], [0b1, 0b100]]);
    }

    #[test]
    fn no_more_of_the_easiest_options_are_looked_for_than_tell_that_there_are_too_many() {
        let pairs = |count: u64| (0..count).flat_map(|a| (0..a).map(move |b| [1 << a | 1 << b]));
        assert_eq!(easiest::<1>(pairs(20).collect()).len(), 190);
        assert_eq!(easiest::<1>(pairs(40).collect()).len(), EASIEST + 1);
    }
}

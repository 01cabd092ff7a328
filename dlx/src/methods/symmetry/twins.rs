//! Twins: pairs of items whose exchange preserves the problem.
//!
//! Exchanges compose, so items that are twins form equivalence classes. In a subproblem, a class is
//! described by the number of its remaining items. Subproblems of symmetric problems (all pairs of
//! points, all subsets, pieces of one shape) are then recognized without inspecting their options.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::tables::PartTables;
use crate::portfolio::{Budget, Cut};

/// Maximum number of classes, including single items, to count the reachable sets of items.
const CLASSES_MAX: usize = 16;
/// Limits of the count of reachable sets of items: the number of kinds of options, and the number
/// of sets.
const KINDS_MAX: usize = 64;
const SETS_MAX: usize = 400;

#[derive(Debug, Default)]
pub(super) struct Twins {
    classes: Vec<(Vec<u64>, Vec<u32>)>,
}

impl Twins {
    /// Finds the classes of at least two items; only items with equal `colors` are compared.
    /// Comparing two items takes time proportional to the options of one.
    pub(super) fn new(
        tables: &PartTables,
        colors: &[(u64, u32)],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        // A map has at most twice as many slots as entries.
        budget.fits::<[(&[u64], u128); 2]>(tables.option_count())?;
        let mut weights: HashMap<&[u64], u128> = HashMap::new();
        let options_of = tables.options_of_items();
        for option in 0..tables.option_count() as u32 {
            *weights.entry(tables.set(option)).or_default() +=
                u128::from(tables.weights[option as usize]);
        }
        let mut swapped = vec![0; tables.word_count];
        let mut are_twins = |a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
            options_of[a].len() == options_of[b].len()
                && options_of[a].iter().all(|&option| {
                    swapped.copy_from_slice(tables.set(option));
                    if swapped[b / 64] >> (b % 64) & 1 == 0 {
                        swapped[a / 64] ^= 1 << (a % 64);
                        swapped[b / 64] ^= 1 << (b % 64);
                    }
                    weights.get(&swapped[..]) == weights.get(tables.set(option))
                })
        };
        let mut twins = Self::default();
        for cell in colors.chunk_by(|a, b| a.0 == b.0) {
            let mut classes: Vec<Vec<u32>> = Vec::new();
            for &(_, item) in cell {
                let compared = 1 + classes.len() * options_of[item as usize].len();
                budget.spend((compared * (20 + 2 * tables.word_count)) as u64)?;
                match classes.iter_mut().find(|class| are_twins(class[0], item)) {
                    Some(class) => class.push(item),
                    None => classes.push(vec![item]),
                }
            }
            for mut class in classes.into_iter().filter(|class| class.len() > 1) {
                class.sort_unstable();
                let mut set = vec![0; tables.word_count];
                class.iter().for_each(|&item| set[item as usize / 64] |= 1 << (item % 64));
                twins.classes.push((set, class));
            }
        }
        Ok(twins)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    pub(super) fn item_count(&self) -> usize {
        self.classes.iter().map(|(_, class)| class.len()).sum()
    }

    /// Returns the number of item sets that choices may leave, up to exchanges of twins. Returns
    /// `None` if there are no twins or more than some hundreds of sets. Sets and options are
    /// described by their item counts per class.
    pub(super) fn set_count(
        &self,
        tables: &PartTables,
        budget: &mut Budget<'_>,
    ) -> Result<Option<usize>, Cut> {
        let in_classes: usize = self.classes.iter().map(|(_, members)| members.len()).sum();
        let alone = tables.item_count - in_classes;
        if self.is_empty() || self.classes.len() + alone > CLASSES_MAX {
            return Ok(None);
        }
        let mut class_of = vec![None; tables.item_count];
        for (class, (_, members)) in self.classes.iter().enumerate() {
            members.iter().for_each(|&item| class_of[item as usize] = Some(class));
        }
        let unlike = class_of.iter_mut().filter(|class| class.is_none());
        (self.classes.len()..).zip(unlike).for_each(|(next, class)| *class = Some(next));
        let counts_of = |items: &mut dyn Iterator<Item = usize>| {
            let mut counts = [0_u16; CLASSES_MAX];
            items.filter_map(|item| class_of[item]).for_each(|class| counts[class] += 1);
            counts
        };
        let mut kinds = BTreeSet::new();
        for option in tables.options() {
            budget.spend(20 + 2 * tables.items(option).len() as u64)?;
            kinds.insert(counts_of(&mut tables.items(option).iter().map(|&item| item as usize)));
            if kinds.len() > KINDS_MAX {
                return Ok(None);
            }
        }
        let all = counts_of(&mut (0..tables.item_count));
        let (mut seen, mut open) = (HashSet::from([all]), vec![all]);
        while let Some(left) = open.pop() {
            budget.spend(100 * kinds.len() as u64)?;
            for taken in
                kinds.iter().filter(|taken| left.iter().zip(*taken).all(|(has, takes)| has >= takes))
            {
                let mut left = left;
                left.iter_mut().zip(taken).for_each(|(has, takes)| *has -= takes);
                if seen.insert(left) {
                    open.push(left);
                }
            }
            if seen.len() > SETS_MAX {
                return Ok(None);
            }
        }
        Ok(Some(seen.len()))
    }

    /// Replaces the members of each class in a set with the first members of that class.
    pub(super) fn settle(&self, set: &mut [u64]) {
        for (class, members) in &self.classes {
            let mut count = 0;
            for (word, class) in set.iter_mut().zip(class) {
                count += (*word & class).count_ones();
                *word &= !class;
            }
            for &item in &members[..count as usize] {
                set[item as usize / 64] |= 1 << (item % 64);
            }
        }
    }
}

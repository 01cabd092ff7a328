//! For a puzzle that is not a grid, lists for each item the sets of options that cover it in some
//! solution, with the number of solutions for each set.
//!
//! The table contains only items that the kind of puzzle has words for and that are not covered in
//! the same way in all solutions. At most [`ITEMS_MAX`] such items are in the table.

use std::collections::{BTreeMap, BTreeSet};

use dlx::{ItemId, OptionId};

use puzzle::Puzzle;

const ITEMS_MAX: usize = 10_000;

pub(super) struct ItemTable {
    /// The items with their sets of covering options, in ascending order of the items.
    pub(super) items: Vec<ItemValues>,
    pub(super) is_cut: bool,
}

pub(super) struct ItemValues {
    pub(super) item: ItemId,
    /// Each set of options that covers the item in some solution. The set is empty for a solution
    /// that leaves the item uncovered.
    pub(super) values: Vec<Vec<OptionId>>,
    /// For each solution, the index into `values` of the set that covers the item.
    pub(super) of_solution: Vec<u32>,
}

impl ItemTable {
    /// Builds the table from the options that do not occur in all solutions.
    pub(super) fn of(puzzle: &dyn Puzzle, solutions: &[Vec<OptionId>]) -> Self {
        let problem = puzzle.problem();
        let mut counts: BTreeMap<OptionId, usize> = BTreeMap::new();
        solutions.iter().flatten().for_each(|&option| *counts.entry(option).or_default() += 1);
        let is_open = |option: &OptionId| counts[option] < solutions.len();
        let open = counts.keys().filter(|&option| is_open(option));
        let items: BTreeSet<ItemId> =
            open.flat_map(|&option| problem.option(option)).map(|entry| entry.item).collect();
        let mut items = items.into_iter().filter(|&item| puzzle.terms().item_words(item).is_some());
        let numbers: BTreeMap<ItemId, usize> = items.by_ref().take(ITEMS_MAX).zip(0..).collect();
        let is_cut = items.next().is_some();
        let mut names: Vec<BTreeMap<Vec<OptionId>, u32>> = vec![BTreeMap::new(); numbers.len()];
        let mut of_solution = vec![Vec::with_capacity(solutions.len()); numbers.len()];
        let mut covering: Vec<Vec<OptionId>> = vec![Vec::new(); numbers.len()];
        for solution in solutions {
            covering.iter_mut().for_each(Vec::clear);
            for &option in solution {
                let entries = problem.option(option).iter();
                for &number in entries.filter_map(|entry| numbers.get(&entry.item)) {
                    covering[number].push(option);
                }
            }
            for ((options, names), values) in covering.iter().zip(&mut names).zip(&mut of_solution) {
                let next = names.len() as u32;
                values.push(*names.entry(options.clone()).or_insert(next));
            }
        }
        let table =
            numbers.into_keys().zip(names).zip(of_solution).map(|((item, names), of_solution)| {
                let mut values = vec![Vec::new(); names.len()];
                names.into_iter().for_each(|(options, number)| values[number as usize] = options);
                ItemValues { item, values, of_solution }
            });
        Self { items: table.filter(|it| it.values.len() > 1).collect(), is_cut }
    }
}

impl ItemValues {
    /// Returns the words for each set of covering options, with the number of its solutions.
    pub(super) fn counts(&self, puzzle: &dyn Puzzle) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for &value in &self.of_solution {
            let options = self.values[value as usize].iter();
            let words: Vec<String> =
                options.map(|&option| puzzle.terms().value_words(option, self.item)).collect();
            let words = if words.is_empty() { "nothing".to_owned() } else { words.join(" + ") };
            *counts.entry(words).or_default() += 1;
        }
        counts
    }
}

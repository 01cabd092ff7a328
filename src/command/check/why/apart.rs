//! The fewest places that tell all solutions apart: clues there, whatever they are, leave one solution.
//!
//! Sets of 1, 2, 3 ... places are tried until one tells all apart; [`WORK_MAX`] bounds that. Then places are taken greedily, each
//! the one that splits the solutions best, and the set is not proven to be the fewest.

use std::collections::{BTreeMap, BTreeSet};

use dlx::OptionId;

use super::items::ItemTable;
use puzzle::SymbolGrid;

/// Looks at a solution in a place, all together.
const WORK_MAX: usize = 20_000_000;

/// Places that tell solutions apart.
pub(super) struct Apart {
    /// Cells of a grid; of another puzzle the numbers of items.
    pub(super) places: Vec<usize>,
    /// Whether no fewer do.
    pub(super) is_fewest: bool,
}

/// Finds cells of a grid that tell its solutions apart, which differ.
pub(super) fn fewest_cells(grid: &dyn SymbolGrid, solutions: &[Vec<OptionId>]) -> Apart {
    // What stands in each cell, solution by solution.
    let mut columns: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (number, solution) in solutions.iter().enumerate() {
        for (cell, symbol) in solution.iter().filter_map(|&option| grid.placed_by(option)) {
            let column = columns.entry(cell).or_insert_with(|| vec![0; solutions.len()]);
            column[number] = symbol as u32 + 1;
        }
    }
    fewest(columns, solutions.len())
}

/// Finds items that tell solutions apart, which differ, by what covers them; `None` if the items that are known do not.
pub(super) fn fewest_items(table: &ItemTable, solutions: &[Vec<OptionId>]) -> Option<Apart> {
    let columns = table.items.iter().map(|it| (it.item.index(), it.of_solution.clone()));
    let mut apart = fewest(columns.collect(), solutions.len());
    apart.is_fewest &= !table.is_cut;
    let chosen = table.items.iter().filter(|it| apart.places.contains(&it.item.index()));
    let parts = chosen.fold(vec![0; solutions.len()], |parts: Vec<u32>, it| {
        renamed(parts.iter().zip(&it.of_solution))
    });
    (count(&parts) == solutions.len()).then_some(apart)
}

/// Finds places that tell solutions apart by what is there, a number for each solution.
fn fewest(columns: BTreeMap<usize, Vec<u32>>, solutions: usize) -> Apart {
    // Of places that split the solutions alike one is enough.
    let mut seen = BTreeSet::new();
    let places: Vec<(usize, Vec<u32>)> = columns
        .into_iter()
        .map(|(place, column)| (place, renamed(column.iter().copied())))
        .filter(|(_, parts)| parts.iter().any(|&part| part > 0) && seen.insert(parts.clone()))
        .collect();
    let mut work = WORK_MAX;
    for size in 1..=places.len() {
        let begin = vec![0; solutions];
        match choose(&places, 0, size, &begin, &mut work) {
            Some(Some(chosen)) => return Apart { places: chosen, is_fewest: true },
            Some(None) => {}
            None => break,
        }
    }
    Apart { places: greedy(&places, solutions), is_fewest: false }
}

/// Names parts by the order in which they come.
fn renamed<K: Ord>(parts: impl Iterator<Item = K>) -> Vec<u32> {
    let mut names = BTreeMap::new();
    parts
        .map(|part| {
            let next = names.len() as u32;
            *names.entry(part).or_insert(next)
        })
        .collect()
}

fn count(parts: &[u32]) -> usize {
    parts.iter().max().map_or(0, |&last| last as usize + 1)
}

/// Chooses `size` places from `first` on that split `parts` into single solutions; `None` if that takes too long.
fn choose(
    places: &[(usize, Vec<u32>)],
    first: usize,
    size: usize,
    parts: &[u32],
    work: &mut usize,
) -> Option<Option<Vec<usize>>> {
    if count(parts) == parts.len() {
        return Some(Some(Vec::new()));
    }
    // A place splits a part into as many as it has values.
    let most = places[first..].iter().map(|(_, values)| count(values)).max().unwrap_or(1);
    let reach = count(parts).saturating_mul(most.saturating_pow(size as u32));
    if size == 0 || reach < parts.len() {
        return Some(None);
    }
    for (index, (place, values)) in places.iter().enumerate().skip(first) {
        *work = work.checked_sub(parts.len())?;
        let split = renamed(parts.iter().zip(values));
        if let Some(mut chosen) = choose(places, index + 1, size - 1, &split, work)? {
            chosen.insert(0, *place);
            return Some(Some(chosen));
        }
    }
    Some(None)
}

fn greedy(places: &[(usize, Vec<u32>)], solutions: usize) -> Vec<usize> {
    let mut parts = vec![0; solutions];
    let mut chosen = Vec::new();
    while count(&parts) < solutions {
        let split = |values: &Vec<u32>| renamed(parts.iter().zip(values));
        let best = places.iter().map(|(place, values)| (*place, split(values)));
        let Some((place, split)) = best.max_by_key(|(_, split)| count(split)) else { break };
        // Items that are left out would be needed.
        if count(&split) == count(&parts) {
            break;
        }
        chosen.push(place);
        parts = split;
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_places_are_found() {
        // Eight solutions by three bits, and a place that has none of them alone.
        let bit = |k: u32| (0..8).map(|n| n >> k & 1).collect::<Vec<u32>>();
        let places = [(5, bit(0)), (6, bit(1)), (7, vec![0, 1, 1, 0, 0, 0, 0, 0]), (9, bit(2))];
        let begin = [0; 8];
        let chosen = (1..=4).find_map(|size| choose(&places, 0, size, &begin, &mut 10_000).flatten());
        assert_eq!(chosen, Some(vec![5, 6, 9]));
        assert_eq!(choose(&places, 0, 3, &begin, &mut 10), None);
        assert_eq!(greedy(&places, 8).len(), 3);
    }
}

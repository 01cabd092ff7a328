//! Finds a smallest set of positions that distinguishes all solutions. Clues at these positions,
//! whatever their values, leave exactly one solution.
//!
//! The search tries all sets of 1, 2, 3 ... positions until it has made [`WORK_MAX`] comparisons.
//! If this limit is reached, a greedy selection repeatedly takes the position that splits the
//! solutions into the most parts. The resulting set is not proven smallest.

use std::collections::{BTreeMap, BTreeSet};

use dlx::OptionId;

use super::items::ItemTable;
use puzzle::SymbolGrid;

/// Largest number of comparisons, each of one solution at one position.
const WORK_MAX: usize = 20_000_000;

pub(super) struct DistinguishingSet {
    /// Cell numbers of a grid, or item numbers of a puzzle that is not a grid.
    pub(super) places: Vec<usize>,
    /// Whether no smaller set distinguishes all solutions.
    pub(super) is_fewest: bool,
}

/// Finds cells of a grid that distinguish `solutions`, which must be pairwise different.
pub(super) fn fewest_cells(grid: &dyn SymbolGrid, solutions: &[Vec<OptionId>]) -> DistinguishingSet {
    // The symbol of each cell, per solution.
    let mut columns: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (number, solution) in solutions.iter().enumerate() {
        for (cell, symbol) in solution.iter().filter_map(|&option| grid.placed_by(option)) {
            let column = columns.entry(cell).or_insert_with(|| vec![0; solutions.len()]);
            column[number] = symbol as u32 + 1;
        }
    }
    fewest(columns, solutions.len())
}

/// Finds items that are covered differently in every two solutions; returns `None` if the items of
/// the table do not distinguish the solutions.
pub(super) fn fewest_items(
    table: &ItemTable,
    solutions: &[Vec<OptionId>],
) -> Option<DistinguishingSet> {
    let columns = table.items.iter().map(|it| (it.item.index(), it.of_solution.clone()));
    let mut apart = fewest(columns.collect(), solutions.len());
    apart.is_fewest &= !table.is_cut;
    let chosen = table.items.iter().filter(|it| apart.places.contains(&it.item.index()));
    let parts = chosen.fold(vec![0; solutions.len()], |parts: Vec<u32>, it| {
        renamed(parts.iter().zip(&it.of_solution))
    });
    (count(&parts) == solutions.len()).then_some(apart)
}

/// Finds positions that distinguish all solutions. `columns` contains one value per solution for
/// each position.
fn fewest(columns: BTreeMap<usize, Vec<u32>>, solutions: usize) -> DistinguishingSet {
    // Of several positions that split the solutions identically, keep one.
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
            Some(Some(chosen)) => return DistinguishingSet { places: chosen, is_fewest: true },
            Some(None) => {}
            None => break,
        }
    }
    DistinguishingSet { places: greedy(&places, solutions), is_fewest: false }
}

/// Replaces each value with its rank in the order of first occurrence.
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

/// Chooses `size` positions, from index `first` on, that split `parts` into single solutions. The
/// outer `None` means that the work limit was reached.
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
        // No position splits the parts further.
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
    fn a_smallest_set_of_positions_is_found() {
        // Eight solutions, distinguished by three bits; position 7 is redundant.
        let bit = |k: u32| (0..8).map(|n| n >> k & 1).collect::<Vec<u32>>();
        let places = [(5, bit(0)), (6, bit(1)), (7, vec![0, 1, 1, 0, 0, 0, 0, 0]), (9, bit(2))];
        let begin = [0; 8];
        let chosen = (1..=4).find_map(|size| choose(&places, 0, size, &begin, &mut 10_000).flatten());
        assert_eq!(chosen, Some(vec![5, 6, 9]));
        assert_eq!(choose(&places, 0, 3, &begin, &mut 10), None);
        assert_eq!(greedy(&places, 8).len(), 3);
    }
}

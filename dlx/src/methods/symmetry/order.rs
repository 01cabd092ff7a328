//! A branching order that finishes started regions first.
//!
//! Subproblems recur more often if their boundary is simple: a Latin square recurs after whole
//! rows, but not with scattered cells filled. So the next item is an item with the fewest untouched
//! neighbors. Ties are broken by closeness to the previous items.
//!
//! A started [copy](super::copies) is finished first, because it represents no other copies.
//! Corresponding items of all copies of a family have the same order, except for the first item,
//! because copies partly covered in different ways are not isomorphic.
//!
//! Measuring closeness takes time proportional to the sum of the squared neighbor counts. If this
//! time exceeds a limit, all items count as equally close. All other steps take quadratic time in
//! the number of items and in the sizes of the options.
//!
//! Tried and dropped: starting all copies of a family with the same item (slower).

use super::copies::Copies;
use super::tables::PartTables;
use crate::portfolio::{Budget, Cut};

const CLOSENESS_MAX: u64 = 1 << 25;
const PAIRS_MAX: u64 = 1 << 26;

pub(super) fn places(
    tables: &PartTables,
    neighbors: &[Vec<u32>],
    copies: &Copies,
    budget: &mut Budget<'_>,
) -> Result<Vec<u32>, Cut> {
    let count = neighbors.len();
    let steps = neighbors.iter().map(|neighbors| (neighbors.len() as u64).pow(2)).sum::<u64>();
    let is_close_told = steps <= CLOSENESS_MAX;
    // Per item, the number of its untouched neighbors, and the number of times that other items
    // touched its neighbors.
    let mut fresh: Vec<usize> = neighbors.iter().map(Vec::len).collect();
    let mut closeness = vec![0usize; count];
    let mut is_touched = vec![false; count];
    let mut places = vec![u32::MAX; count];
    let mut open = 0;
    let mut firsts = vec![u32::MAX; count];
    for place in 0..count as u32 {
        budget.spend(2 * count as u64)?;
        let left = (0..count).filter(|&item| places[item] == u32::MAX);
        let cost = |&item: &usize| {
            let fresh = fresh[item] + usize::from(!is_touched[item]);
            let is_begun = open > 0 && copies.of_item(item) == open;
            let first = firsts[copies.model(item)];
            let follows = if is_begun { first } else { u32::MAX };
            let closeness = usize::MAX - closeness[item];
            (!tables.primary[item], !is_begun, follows, fresh, closeness, first)
        };
        let next = left.min_by_key(cost).expect("an item is left");
        places[next] = place;
        open = copies.of_item(next);
        if open > 0 {
            let first = &mut firsts[copies.model(next)];
            *first = place.min(*first);
        }
        for &item in &neighbors[next] {
            let item = item as usize;
            let is_first = !std::mem::replace(&mut is_touched[item], true);
            if !is_first && !is_close_told {
                continue;
            }
            budget.spend(neighbors[item].len() as u64)?;
            for &other in &neighbors[item] {
                fresh[other as usize] -= usize::from(is_first);
                closeness[other as usize] += usize::from(is_close_told);
            }
        }
        if !std::mem::replace(&mut is_touched[next], true) {
            neighbors[next].iter().for_each(|&other| fresh[other as usize] -= 1);
        }
    }
    Ok(places)
}

/// Returns the neighbors of each item, which share an option with it. Fails with `Unsuited` if the
/// options are too large.
pub(super) fn neighbors(tables: &PartTables, budget: &mut Budget<'_>) -> Result<Vec<Vec<u32>>, Cut> {
    let options = 0..tables.option_count() as u32;
    let pairs = options.map(|option| (tables.items(option).len() as u64).pow(2));
    if pairs.sum::<u64>() > PAIRS_MAX {
        return Err(Cut::Unsuited);
    }
    let mut met = vec![u32::MAX; tables.item_count];
    let mut neighbors = Vec::with_capacity(tables.item_count);
    for (item, options) in tables.options_of_items().iter().enumerate() {
        met[item] = item as u32;
        let mut own = Vec::new();
        for &option in options {
            budget.spend(2 * tables.items(option).len() as u64)?;
            for &other in tables.items(option) {
                if std::mem::replace(&mut met[other as usize], item as u32) != item as u32 {
                    own.push(other);
                }
            }
        }
        neighbors.push(own);
    }
    Ok(neighbors)
}

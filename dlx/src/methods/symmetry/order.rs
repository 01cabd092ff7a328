//! An order of the items that finishes what it began.
//!
//! Residual problems are alike when they are cut cleanly: a Latin square after whole rows, not after
//! squares here and there. So each next item is one that touches the fewest items which were not
//! touched before, of those one that lies closest to the items before it.
//!
//! Where there are [copies](super::copies), one that was begun is finished first, and all of a family in the same order
//! but for the item with which they begin: a copy that is half done stands for no other, and two that are half done in
//! different ways are not found again. Latin squares of order 8 of which the first row is given: 44 s without the first
//! rule, for the columns are shorter there, and 0.9 s with it; blank ones with their items shuffled: 6.7 s without the
//! second rule, 1.3 s with it. Tried and dropped: to begin all copies of a family with the same item, too (4.7 s).
//!
//! To tell how close items lie takes time in proportion to the sum of the squares of their numbers of neighbors. Where
//! this exceeds a budget, as it does where nearly all items are neighbors, all are taken to lie equally close. The rest
//! takes the square of the number of items, at most 4096 (`tables.rs`), and of the sizes of the options.

use super::copies::Copies;
use super::tables::PartTables;
use crate::portfolio::{Budget, Cut};

/// Budget for telling how close items lie, in steps.
const CLOSENESS_MAX: u64 = 1 << 25;
/// The most pairs of items of an option that are gone through to find neighbors.
const PAIRS_MAX: u64 = 1 << 26;

/// Returns the place of each item in the order.
pub(super) fn places(
    tables: &PartTables,
    neighbors: &[Vec<u32>],
    copies: &Copies,
    budget: &mut Budget<'_>,
) -> Result<Vec<u32>, Cut> {
    let count = neighbors.len();
    let steps = neighbors.iter().map(|neighbors| (neighbors.len() as u64).pow(2)).sum::<u64>();
    let is_close_told = steps <= CLOSENESS_MAX;
    // The number of neighbors that are neither ordered nor touched, and how often the others were touched.
    let mut fresh: Vec<usize> = neighbors.iter().map(Vec::len).collect();
    let mut closeness = vec![0usize; count];
    let mut is_touched = vec![false; count];
    let mut places = vec![u32::MAX; count];
    // The copy that was begun last, and by item of a first copy the place of what changes places with it and came first.
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

/// Returns the items that share an option with each item; `Unsuited` if the options are too large to find them in.
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

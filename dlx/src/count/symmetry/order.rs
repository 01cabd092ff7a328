//! An order of the items that finishes what it began.
//!
//! Residual problems are alike when they are cut cleanly: a Latin square after whole rows, not after
//! squares here and there. So each next item is one that touches the fewest items which were not
//! touched before, of those one that lies closest to the items before it.

use super::tables::Tables;

/// Returns the place of each item in the order.
pub(super) fn places(tables: &Tables) -> Vec<u32> {
    let neighbors = neighbors(tables);
    let count = neighbors.len();
    // How many neighbors are neither ordered nor touched, and how often the others were touched.
    let mut fresh: Vec<usize> = neighbors.iter().map(Vec::len).collect();
    let mut closeness = vec![0usize; count];
    let mut is_touched = vec![false; count];
    let mut places = vec![u32::MAX; count];
    for place in 0..count as u32 {
        let left = (0..count).filter(|&item| places[item] == u32::MAX);
        let cost = |&item: &usize| {
            let fresh = fresh[item] + usize::from(!is_touched[item]);
            (!tables.primary[item], fresh, usize::MAX - closeness[item])
        };
        let next = left.min_by_key(cost).expect("an item is left");
        places[next] = place;
        for &item in &neighbors[next] {
            let item = item as usize;
            let is_first = !std::mem::replace(&mut is_touched[item], true);
            for &other in &neighbors[item] {
                fresh[other as usize] -= usize::from(is_first);
                closeness[other as usize] += 1;
            }
        }
        if !std::mem::replace(&mut is_touched[next], true) {
            neighbors[next].iter().for_each(|&other| fresh[other as usize] -= 1);
        }
    }
    places
}

/// Returns the items that share an option with each item.
fn neighbors(tables: &Tables) -> Vec<Vec<u32>> {
    let mut options_of = vec![Vec::new(); tables.item_count];
    for option in 0..tables.option_count() as u32 {
        tables.items(option).iter().for_each(|&item| options_of[item as usize].push(option));
    }
    let mut met = vec![u32::MAX; tables.item_count];
    let of = |(item, options): (usize, &Vec<u32>)| {
        met[item] = item as u32;
        let mut neighbors = Vec::new();
        for &option in options {
            for &other in tables.items(option) {
                if std::mem::replace(&mut met[other as usize], item as u32) != item as u32 {
                    neighbors.push(other);
                }
            }
        }
        neighbors
    };
    options_of.iter().enumerate().map(of).collect()
}

//! Regions of a jigsaw, drawn at random.
//!
//! # The method
//! From rows as regions on, two cells of two regions that touch change places again and again, each time unless one of the two
//! regions would fall apart. Every layout that is reached can come out; nothing is known of how likely each is.
//!
//! Bound: two hundred steps a cell, each of which looks at the cells of two regions.

use dlx::Random;

use super::neighbors::{hang_together, neighbors};

/// Steps for each cell; after 50 the rows are no longer to be seen.
const STEPS: usize = 200;

/// Draws regions of a square: the number of the region of each cell, row by row. Each of `order` regions has `order` cells and hangs
/// together.
///
/// ```
/// use farandole::generate::regions;
///
/// let drawn = regions::draw(6, &mut dlx::Random::new(1));
/// assert_eq!((0..6).map(|region| drawn.iter().filter(|&&other| other == region).count()).sum::<usize>(), 36);
/// ```
#[must_use]
pub fn draw(order: usize, random: &mut Random) -> Vec<usize> {
    let mut regions: Vec<usize> = (0..order * order).map(|cell| cell / order.max(1)).collect();
    // A single cell has no neighbor.
    for _ in 0..if order > 1 { STEPS * order * order } else { 0 } {
        let cell = random.below(order * order);
        let mut around: Vec<usize> = neighbors([order; 2], cell).collect();
        // Those in the same row come first: the regions of a seed stay what they were.
        around.sort_by_key(|&other| other / order != cell / order);
        let beside = around[random.below(around.len())];
        let (one, two) = (regions[cell], regions[beside]);
        if one == two {
            continue;
        }
        let of_two: Vec<usize> = (0..order * order).filter(|&other| regions[other] == two).collect();
        let other = of_two[random.below(of_two.len())];
        regions.swap(cell, other);
        if !hangs_together(order, &regions, other) || !hangs_together(order, &regions, cell) {
            regions.swap(cell, other);
        }
    }
    // Regions are numbered in the order in which they begin.
    let mut names: Vec<usize> = Vec::new();
    for &region in &regions {
        if !names.contains(&region) {
            names.push(region);
        }
    }
    let name = |region: &usize| names.iter().position(|known| known == region).unwrap_or(0);
    regions.iter().map(name).collect()
}

/// Tells whether the region of a cell hangs together.
fn hangs_together(order: usize, regions: &[usize], cell: usize) -> bool {
    let is_same = |other: &usize| regions[*other] == regions[cell];
    hang_together([order; 2], &(0..regions.len()).filter(is_same).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_of_equal_size_and_hang_together() {
        for order in [2, 3, 5, 9, 12] {
            let mut random = Random::new(order as u64);
            let mut seen = std::collections::BTreeSet::new();
            for _ in 0..5 {
                let regions = draw(order, &mut random);
                assert!(
                    (0..order * order).all(|cell| hangs_together(order, &regions, cell)),
                    "{order}"
                );
                assert_eq!(regions.iter().max(), Some(&(order - 1)));
                seen.insert(regions);
            }
            assert!(seen.len() > 3 || order < 4, "{order}");
        }
    }
}

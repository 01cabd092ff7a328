//! Random regions of a jigsaw Sudoku.
//!
//! # Method
//! The regions are initially the rows. Then two adjacent regions exchange a random pair of cells,
//! repeatedly, unless one of them would become disconnected. Every reachable layout is possible;
//! the probabilities are unknown.
//!
//! Cost: 200 steps per cell; each step visits the cells of two regions.

use dlx::Random;

use super::neighbors::{hang_together, neighbors};

/// Number of exchanges tried per cell; 50 are enough to remove all traces of the rows.
const STEPS: usize = 200;

/// Draws regions of a square and returns the region of each cell, row by row. There are `order`
/// connected regions of `order` cells each.
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
    for _ in 0..if order > 1 { STEPS * order * order } else { 0 } {
        let cell = random.below(order * order);
        let mut around: Vec<usize> = neighbors([order; 2], cell).collect();
        // Sort neighbors in the same row first, so that a seed gives the same regions as in earlier
        // versions.
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
    let mut names: Vec<usize> = Vec::new();
    for &region in &regions {
        if !names.contains(&region) {
            names.push(region);
        }
    }
    let name = |region: &usize| names.iter().position(|known| known == region).unwrap_or(0);
    regions.iter().map(name).collect()
}

fn hangs_together(order: usize, regions: &[usize], cell: usize) -> bool {
    let is_same = |other: &usize| regions[*other] == regions[cell];
    hang_together([order; 2], &(0..regions.len()).filter(is_same).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_regions_have_equal_size_and_are_connected() {
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

//! Sums of long lines, put together.
//!
//! Two sums of different cells are a sum of them all. Where cells of the one differ from cells of the other, the sum of all has
//! a smaller range than the two ranges together: long diagonals side by side share rows and regions, of which few sets of
//! digits are left over. The slack of a sum is how far it is from the least or the greatest one that its cells could
//! have, whichever is nearer. From each long sum on, the one is added that leaves the least slack for a cell, as long as that
//! is less than before.
//!
//! Source: that solvers add long sums which are related, by slack, shows Interactive Sudoku Solver (2026); the measure and
//! the choice are ours.
//!
//! # Bounds
//! [`SUMS_MAX`] sums of at least [`CELLS_MIN`] cells, of which up to [`PARTS_MAX`] are put together. Where there are more than [`KNOWN_MAX`], as those
//! that follow from cages, they are not: on killers of setters that made nodes dearer and not fewer.

use super::peers::Peers;

/// The most sums from which others are made; those of clues come first.
const SUMS_MAX: usize = 24;
/// Where there are more long sums than this, none are put together.
const KNOWN_MAX: usize = 40;
/// The least number of cells of a sum that is put together with others.
const CELLS_MIN: usize = 5;
/// The most sums that are put together.
const PARTS_MAX: usize = 5;

/// The cells of a sum that are counted once each, and the sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainSum {
    pub(crate) cells: Vec<u16>,
    pub(crate) sum: i32,
}

impl PlainSum {
    /// Returns the cells of factor 1, if no cell has another.
    pub(crate) fn of(terms: &[(u16, i32)], sum: i32) -> Option<Self> {
        let factor = terms.first()?.1;
        let is_plain = terms.iter().all(|term| term.1 == factor) && sum % factor == 0;
        is_plain.then(|| Self { cells: terms.iter().map(|term| term.0).collect(), sum: sum / factor })
    }

    /// Returns how far the sum is from the least or the greatest that the cells can have, for each cell.
    fn slack(&self, order: usize, peers: &Peers) -> f64 {
        let (mut least, mut most) = (0, 0);
        for clique in peers.cliques(&self.cells) {
            let own = (clique.len() * (clique.len() - 1) / 2) as i32;
            least += own;
            most += (clique.len() * (order - 1)) as i32 - own;
        }
        f64::from((self.sum - least).min(most - self.sum)) / self.cells.len() as f64
    }

    fn with(&self, other: &Self) -> Self {
        let mut cells = [&self.cells[..], &other.cells].concat();
        cells.sort_unstable();
        Self { cells, sum: self.sum + other.sum }
    }
}

/// Returns sums that follow from these and say more than they do.
pub(crate) fn combine(order: usize, peers: &Peers, sums: &[PlainSum]) -> Vec<PlainSum> {
    let long: Vec<&PlainSum> = sums.iter().filter(|sum| sum.cells.len() >= CELLS_MIN).collect();
    if long.len() > KNOWN_MAX {
        return Vec::new();
    }
    let mut made: Vec<PlainSum> = Vec::new();
    let long = &long[..long.len().min(SUMS_MAX)];
    for &first in long {
        let mut so_far = first.clone();
        let mut slack = so_far.slack(order, peers);
        for _ in 1..PARTS_MAX {
            let is_apart = |sum: &&&PlainSum| !sum.cells.iter().any(|cell| so_far.cells.contains(cell));
            let with = |sum: &&PlainSum| {
                let together = so_far.with(sum);
                (together.slack(order, peers), together)
            };
            let best =
                long.iter().filter(is_apart).map(with).min_by(|one, other| one.0.total_cmp(&other.0));
            let Some((own, together)) = best.filter(|best| best.0 < slack) else { break };
            (slack, so_far) = (own, together);
        }
        if so_far != *first && !made.contains(&so_far) {
            made.push(so_far);
        }
    }
    made
}

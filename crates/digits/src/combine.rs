//! Combination of sums over many cells.
//!
//! Two sums over disjoint cells add up to a sum over all of them. If cells of one must differ from
//! cells of the other, the combined sum has a smaller range of values than the two sums separately.
//! The slack of a sum is its distance from the nearer end of this range. Starting from each long
//! sum, the algorithm repeatedly adds the sum that leaves the least slack per cell, as long as the
//! slack per cell decreases.
//!
//! Source: Interactive Sudoku Solver (2026) combines related long sums by slack; the measure and
//! the choice are ours.
//!
//! Given more than [`KNOWN_MAX`] long sums (for example implied by cages), the algorithm combines
//! none, because nodes would be slower but not fewer.

use super::peers::Peers;

/// Maximum number of sums that are combined with each other; the sums of clues come first.
const SUMS_MAX: usize = 24;
/// Number of long sums above which no sums are combined.
const KNOWN_MAX: usize = 40;
const CELLS_MIN: usize = 5;
const PARTS_MAX: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainSum {
    pub(crate) cells: Vec<u16>,
    pub(crate) sum: i32,
}

impl PlainSum {
    /// Divides a sum by the common factor of its cells; returns `None` if factors differ.
    pub(crate) fn of(terms: &[(u16, i32)], sum: i32) -> Option<Self> {
        let factor = terms.first()?.1;
        let is_plain = terms.iter().all(|term| term.1 == factor) && sum % factor == 0;
        is_plain.then(|| Self { cells: terms.iter().map(|term| term.0).collect(), sum: sum / factor })
    }

    /// Returns the slack of the sum per cell: the distance of its value from the nearer end of the
    /// possible range, divided by the number of cells.
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

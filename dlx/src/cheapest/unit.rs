//! The unit of costs.

use super::SCALE_BITS;
use super::amount::Amount;
use crate::model::Problem;

#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) size: u64,
    pub(super) largest: u64,
    pub(super) longest: usize,
    /// An upper bound for all bounds and reduced costs, in units. On a path all prices change at
    /// once at most twice, each by at most the largest cost, and repairing a reduced cost lowers a
    /// price by at most that times the longest option.
    magnitude: u128,
}

impl Unit {
    pub(super) fn new(problem: &Problem, cliques: &[Vec<u32>]) -> Self {
        let costs = || problem.options().map(|option| problem.cost(option));
        let size = costs().fold(0, gcd).max(1);
        let largest = costs().max().unwrap_or(0) / size;
        let mut lens: Vec<usize> =
            problem.options().map(|option| problem.option(option).len()).collect();
        cliques.iter().flatten().for_each(|&option| lens[option as usize] += 1);
        let (entries, longest) = (lens.iter().sum::<usize>(), lens.into_iter().max().unwrap_or(0));
        let prices = (u128::from(largest) + 1) * (entries as u128 + 1);
        let magnitude = prices.saturating_mul(2 * (longest as u128 + 1).pow(2));
        Self { size, largest, longest, magnitude }
    }

    /// Returns whether all sums fit in numbers of type `N`, even if all prices change at once.
    pub(super) fn fits<N: Amount>(&self) -> bool {
        self.magnitude >> (N::BITS - SCALE_BITS) == 0
    }

    /// Converts a cost, which must be a multiple of the unit.
    pub(super) fn scale<N: Amount>(&self, cost: u128) -> N {
        N::new((cost / u128::from(self.size)) as i128).shift(SCALE_BITS)
    }

    /// Returns the least possible cost that is at least `bound`.
    pub(super) fn round_up<N: Amount>(&self, bound: N) -> u128 {
        let bound: i128 = bound.into();
        let units = (bound + (1 << SCALE_BITS) - 1) >> SCALE_BITS;
        units.max(0) as u128 * u128::from(self.size)
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

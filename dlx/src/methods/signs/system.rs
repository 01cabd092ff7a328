//! Finds the groups and the points of a sum over signs, and fixes the signs of some points.

use crate::model::Bounds;
use crate::prepare::Weighted;

/// Maximum number of points, because one word holds a set of points.
const POINTS_MAX: usize = 63;
const GROUPS_MAX: usize = 64;
/// Maximum number of options; reading them takes microseconds.
const OPTIONS_MAX: usize = 4096;
/// Maximum sum of the weights of a group; its sums then fit in 16 bits.
const WEIGHT_MAX: u64 = 8000;
const NODES_MAX: u32 = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SignTerm {
    pub(super) points: u64,
    pub(super) weight: i16,
}

/// The sums of the groups, and the points whose signs are summed over.
#[derive(Clone, Debug)]
pub(super) struct SignSystem {
    pub(super) points: u64,
    pub(super) groups: Vec<Vec<SignTerm>>,
    pub(super) is_zero: bool,
}

impl SignSystem {
    /// Reads a part. Returns `None` unless the part can be divided into groups and points with
    /// matching numbers.
    pub(super) fn new(part: &Weighted) -> Option<Self> {
        let problem = &part.problem;
        let is_small = problem.option_count() <= OPTIONS_MAX
            && problem.item_count() <= POINTS_MAX + GROUPS_MAX
            && !problem.has_colors();
        if !is_small || problem.option_count() == 0 {
            return None;
        }
        let is_plain = |item| {
            let bounds = problem.bounds(item);
            problem.is_primary(item) && bounds.is_none_or(|bounds| bounds == Bounds::ONE)
        };
        if !problem.items().all(is_plain) {
            return None;
        }
        let sets = problem.options().map(|option| {
            problem.option(option).iter().fold(0_u128, |set, entry| set | 1 << entry.item.index())
        });
        let mut search = GroupSearch::new(sets.collect(), problem.item_count());
        search.extend(0, 0);
        let groups = search.best?;
        let all = u128::MAX >> (128 - problem.item_count());
        let places: Vec<_> = (0..problem.item_count())
            .map(|item| (!groups & all & !(u128::MAX << item)).count_ones())
            .collect();
        let mut sums = vec![Vec::new(); groups.count_ones() as usize];
        let mut weights = vec![0_u64; sums.len()];
        for (&set, &weight) in search.options.iter().zip(&part.weights) {
            let group = (groups & ((set & groups) - 1)).count_ones() as usize;
            let points = ones(set & !groups).fold(0, |points, item| points | 1 << places[item]);
            weights[group] = weights[group].saturating_add(weight);
            let weight = i16::try_from(weight).ok()?;
            sums[group].push(SignTerm { points, weight });
        }
        if weights.iter().any(|&weight| weight > WEIGHT_MAX) {
            return None;
        }
        let points = u64::MAX >> (64 - (all & !groups).count_ones()).min(63);
        let points = if all & !groups == 0 { 0 } else { points };
        let mut system = Self { points, groups: sums, is_zero: false };
        system.fix();
        Some(system)
    }

    /// Fixes the signs of points by flips. A *flip* is a set of points where changing all signs
    /// changes all terms of a group by the same sign. A flip multiplies all products by the same
    /// factor. If the factor is -1, the whole sum is 0; otherwise the sign of one point of the flip
    /// can be fixed.
    fn fix(&mut self) {
        // A set is a flip if it has an even number of points in common with each row.
        let mut rows: Vec<u64> = Vec::new();
        for group in &self.groups {
            for term in group {
                let mut row = term.points ^ group[0].points;
                for &other in &rows {
                    row = row.min(row ^ other);
                }
                if row != 0 {
                    let highest = row.ilog2();
                    for other in &mut rows {
                        if *other >> highest & 1 == 1 {
                            *other ^= row;
                        }
                    }
                    rows.push(row);
                }
            }
        }
        let led = rows.iter().fold(0, |led, row| led | 1_u64 << row.ilog2());
        let fixed = self.points & !led;
        for point in ones(fixed.into()) {
            let with_it = rows.iter().filter(|&row| row >> point & 1 == 1);
            let flip = with_it.fold(1_u64 << point, |flip, row| flip | 1 << row.ilog2());
            let signs = self.groups.iter().map(|group| (group[0].points & flip).count_ones());
            self.is_zero |= (flip.count_ones() + signs.sum::<u32>()) % 2 == 1;
        }
        self.points &= !fixed;
        for group in &mut self.groups {
            group.iter_mut().for_each(|term| term.points &= !fixed);
            group.sort_unstable_by_key(|term| term.points);
            group.dedup_by(|term, before| {
                let is_same = term.points == before.points;
                before.weight += if is_same { term.weight } else { 0 };
                is_same
            });
        }
    }

    pub(super) fn weight(&self, group: usize) -> i16 {
        self.groups[group].iter().map(|term| term.weight).sum()
    }
}

pub(super) fn ones(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(place)
    })
}

struct GroupSearch {
    options: Vec<u128>,
    near: Vec<u128>,
    lens: Vec<u32>,
    nodes: u32,
    best: Option<u128>,
}

impl GroupSearch {
    fn new(options: Vec<u128>, item_count: usize) -> Self {
        let (mut near, mut lens) = (vec![0; item_count], vec![0; item_count]);
        for &set in &options {
            for item in ones(set) {
                near[item] |= set;
                lens[item] += 1;
            }
        }
        Self { options, near, lens, nodes: 0, best: None }
    }

    /// Extends `groups` until each option contains one group. `taken` has the items that share an
    /// option with a group.
    fn extend(&mut self, groups: u128, taken: u128) {
        self.nodes += 1;
        let open = self.options.iter().filter(|&set| set & groups == 0).map(|set| set & !taken);
        let Some(free) = open.min_by_key(|free| free.count_ones()) else {
            let is_better = self.best.is_none_or(|best| best.count_ones() < groups.count_ones());
            if is_better && self.is_right(groups) {
                self.best = Some(groups);
            }
            return;
        };
        // Items in fewer options leave more items for other groups.
        let mut items: Vec<_> = ones(free).collect();
        items.sort_unstable_by_key(|&item| self.lens[item]);
        for item in items {
            if self.nodes < NODES_MAX {
                self.extend(groups | 1 << item, taken | self.near[item]);
            }
        }
    }

    /// Returns whether all options of a group have the same number of points, the sum of these
    /// numbers is the number of points, and the point and group counts are within their limits.
    fn is_right(&self, groups: u128) -> bool {
        let point_count = self.near.len() - groups.count_ones() as usize;
        if point_count > POINTS_MAX || groups.count_ones() as usize > GROUPS_MAX {
            return false;
        }
        let mut sizes = vec![None; self.near.len()];
        for set in &self.options {
            let group = (set & groups).trailing_zeros() as usize;
            let size = set.count_ones() as usize - 1;
            if *sizes[group].get_or_insert(size) != size {
                return false;
            }
        }
        sizes.into_iter().flatten().sum::<usize>() == point_count
    }
}

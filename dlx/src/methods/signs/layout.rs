//! Plans the evaluation of a sum over all signs. The plan decides which points change between
//! lanes, within a step, and between steps, and the order of multiplying the sums of a step.

use std::ops::Range;

use super::system::{SignSystem, ones};
use crate::bits::{Block, NUMBERS};

/// Number of low points, whose signs differ between lanes.
const LOW: u32 = NUMBERS.ilog2();
/// Maximum number of middle points, whose signs change within a step.
const MID_MAX: u32 = 5;
/// Maximum number of middle points if sums in lanes depend on them.
const MID_SHARED: u32 = 3;
/// Minimum number of middle points chosen to share no option with a low point.
const MID_MIN: usize = 3;

/// Exclusive bound of a product of 16-bit numbers.
const SHORT_MAX: u128 = 1 << 15;
/// Bound of a product in one part, where up to 32 products are added.
const SUM_MAX: u128 = 1 << 56;
/// Bound of the first factor of a product that is split into parts.
const LONG_MAX: u128 = 1 << 62;
/// Bound of the second factor of a product in two parts, and of each half of the second factor in
/// four parts.
const PART_MAX: u128 = 1 << 25;

/// The change of a sum when a point flips its sign. The change is proportional to the number of
/// other points with sign 1 minus the number with sign -1, or to the product of their signs.
#[derive(Clone, Copy, Debug)]
pub(super) struct SumChange {
    pub(super) others: u64,
    pub(super) count: i16,
    pub(super) parity: u32,
    pub(super) step: i16,
    pub(super) leaf: usize,
    pub(super) low: usize,
    pub(super) mid: usize,
}

#[derive(Debug, Default)]
pub(super) struct Factors {
    /// Each 32-bit word of a product is the product of two 16-bit shorts, and each short is a
    /// product of leaves (sums of groups).
    pub(super) words: Vec<[Range<usize>; 2]>,
    pub(super) first: usize,
    pub(super) parts: usize,
    pub(super) leaves: Vec<Option<usize>>,
}

#[derive(Debug)]
pub(super) struct SignLayout {
    pub(super) factors: Factors,
    pub(super) mid: u32,
    pub(super) high: u32,
    /// Whether sums in lanes depend on the middle points, which then need one base per sign
    /// pattern.
    pub(super) is_shared: bool,
    pub(super) changes: Vec<Vec<SumChange>>,
    /// Per sign pattern of the middle points and leaf, twice the contribution of the terms without
    /// low points. Per base and leaf, the contribution of all other terms. The sums of a group are
    /// halved if all of them are even.
    pub(super) coefficients: Vec<i16>,
    pub(super) bases: Vec<Block>,
    pub(super) patterns: Vec<Block>,
    /// The set of all low points. The product of their signs is the sign of a lane.
    pub(super) low: usize,
    /// The sign patterns of the middle points. The first `minus` patterns have an odd number of
    /// minus signs.
    pub(super) order: Vec<usize>,
    pub(super) minus: usize,
    pub(super) twos: i64,
}

impl Factors {
    /// Finds an order for sums with these bounds. Returns `None` if the products would be too
    /// large.
    fn new(bounds: &[u128]) -> Option<Self> {
        let mut open: Vec<usize> = (0..bounds.len()).collect();
        open.sort_by_key(|&group| std::cmp::Reverse(bounds[group]));
        let product = |groups: &[usize]| {
            groups.iter().try_fold(1_u128, |product, &group| product.checked_mul(bounds[group]))
        };
        let take = |open: &mut Vec<usize>, max: u128| {
            let mut room = max;
            let mut taken = Vec::new();
            open.retain(|&group| {
                let has_room = bounds[group] <= room;
                if has_room {
                    room /= bounds[group];
                    taken.push(group);
                }
                !has_room
            });
            taken
        };
        let shorts = |mut open: Vec<usize>| {
            let mut shorts = Vec::new();
            while !open.is_empty() {
                shorts.push(take(&mut open, SHORT_MAX - 1));
            }
            shorts
        };
        let mut factors = Self::default();
        if product(&open).is_some_and(|all| all <= SUM_MAX) {
            factors.parts = 1;
            factors.push(shorts(open), 2);
            factors.first = factors.words.len();
            return Some(factors);
        }
        let word = |open: &mut Vec<usize>| {
            let mut word = shorts(take(open, PART_MAX));
            open.extend(word.split_off(word.len().min(2)).concat());
            word
        };
        let mut second = vec![word(&mut open)];
        if product(&open).is_none_or(|all| all > LONG_MAX) {
            second.push(word(&mut open));
        }
        if product(&open).is_none_or(|all| all > LONG_MAX) {
            return None;
        }
        factors.parts = 2 * second.len();
        factors.push(shorts(open), 2);
        factors.first = factors.words.len();
        second.into_iter().for_each(|word| factors.push(word, 1));
        Some(factors)
    }

    fn push(&mut self, mut shorts: Vec<Vec<usize>>, least: usize) {
        let count = shorts.len().div_ceil(2).max(least);
        shorts.resize(2 * count, Vec::new());
        for pair in shorts.chunks_exact(2) {
            let word = [0, 1].map(|place| {
                let start = self.leaves.len();
                match &pair[place][..] {
                    [] => self.leaves.push(None),
                    groups => self.leaves.extend(groups.iter().map(|&group| Some(group))),
                }
                start..self.leaves.len()
            });
            self.words.push(word);
        }
    }
}

struct PointRoles {
    low: Vec<usize>,
    mid: Vec<usize>,
    high: Vec<usize>,
    is_shared: bool,
}

impl PointRoles {
    fn new(system: &SignSystem) -> Self {
        let mut near = [0_u64; 64];
        let mut loads = [0_usize; 64];
        for term in system.groups.iter().flatten() {
            for point in ones(term.points.into()) {
                near[point] |= term.points;
                loads[point] += 1;
            }
        }
        let mut all: Vec<_> = ones(system.points.into()).collect();
        all.sort_by_key(|&point| std::cmp::Reverse(loads[point]));
        let low_count = all.len().min(LOW as usize);
        let reach =
            |points: &[usize]| points.iter().fold(0, |set, &point| set | near[point] | 1 << point);
        let free = |low: &[usize]| {
            all.iter().copied().filter(|&point| reach(low) >> point & 1 == 0).collect::<Vec<_>>()
        };
        let grow = |&seed: &usize| {
            let mut low = vec![seed];
            while low.len() < low_count {
                let others = all.iter().copied().filter(|point| !low.contains(point));
                let next =
                    others.min_by_key(|&point| (reach(&low) | near[point] | 1 << point).count_ones());
                low.extend(next);
            }
            low
        };
        let rest = |low: &[usize]| (all.len() - low.len()).min(MID_MAX as usize);
        let best = all.iter().map(grow).max_by_key(|low| free(low).len().min(MID_MAX as usize));
        let mut low = best.unwrap_or_default();
        let mut mid = free(&low);
        mid.truncate(MID_MAX as usize);
        let is_shared = mid.len() < rest(&low).min(MID_MIN);
        if is_shared {
            low = all[..low_count].to_vec();
            mid = all[low_count..].iter().copied().take(MID_SHARED as usize).collect();
        }
        let is_high = |point: &usize| !low.contains(point) && !mid.contains(point);
        let high = all.iter().rev().copied().filter(is_high).collect();
        Self { low, mid, high, is_shared }
    }
}

impl SignLayout {
    pub(super) fn new(system: &SignSystem) -> Option<Self> {
        let group_count = system.groups.len();
        let totals: Vec<_> = (0..group_count).map(|group| system.weight(group)).collect();
        let halved: Vec<_> = totals.iter().map(|total| total % 2 == 0).collect();
        let bounds: Vec<_> = totals
            .iter()
            .map(|&total| if total % 2 == 0 { total / 2 } else { total } as u128)
            .collect();
        let factors = Factors::new(&bounds)?;
        let places = PointRoles::new(system);
        let leaf_count = factors.leaves.len();
        let (mid, high) = (places.mid.len() as u32, places.high.len() as u32);
        let patterns = (0..NUMBERS).map(|points| {
            let sign = |lane: usize| 1 - 2 * ((lane & points).count_ones() % 2) as i16;
            block(std::array::from_fn(sign))
        });
        let base_count = if places.is_shared { 1 << mid } else { 1 };
        let mut bases = vec![[0_i16; NUMBERS]; base_count * leaf_count];
        let mut coefficients = vec![0_i16; leaf_count << mid];
        let mut changes: Vec<Vec<SumChange>> = vec![Vec::new(); places.high.len()];
        let among = |points: u64, places: &[usize]| -> usize {
            let has = |(place, &point): (usize, &usize)| (points >> point & 1) << place;
            places.iter().enumerate().map(has).sum::<u64>() as usize
        };
        for (leaf, group) in factors.leaves.iter().enumerate() {
            let Some(group) = *group else {
                bases[leaf..].iter_mut().step_by(leaf_count).for_each(|base| *base = [1; NUMBERS]);
                continue;
            };
            let is_halved = halved[group];
            let mut parity = 0;
            for term in &system.groups[group] {
                let [low, mids, highs] =
                    [&places.low, &places.mid, &places.high].map(|places| among(term.points, places));
                let by = term.weight;
                let is_mid = low == 0;
                if is_mid {
                    coefficients[mids * leaf_count + leaf] += if is_halved { by } else { 2 * by };
                    parity ^= by & 1;
                } else {
                    for (signs, base) in bases[leaf..].iter_mut().step_by(leaf_count).enumerate() {
                        for (lane, sum) in base.iter_mut().enumerate() {
                            let minus = (lane & low).count_ones() + (signs & mids).count_ones();
                            *sum += by * (1 - 2 * (minus % 2) as i16);
                        }
                    }
                }
                let step = by * if is_halved { 1 } else { 2 } * if is_mid { 2 } else { 1 };
                for point in ones(highs as u128) {
                    let others = highs as u64 & !(1 << point);
                    let is_sum = others.count_ones() <= 1;
                    let change = SumChange {
                        others,
                        count: 1,
                        parity: if is_sum { u32::MAX } else { 1 },
                        step,
                        leaf,
                        low,
                        mid: mids,
                    };
                    let key = |c: &SumChange| (c.parity, c.step, c.leaf, c.low, c.mid);
                    let same = changes[point].iter_mut().find(|other| key(other) == key(&change));
                    match same {
                        Some(same) if is_sum => {
                            same.others |= others;
                            same.count += 1;
                        }
                        _ => changes[point].push(change),
                    }
                }
            }
            if is_halved {
                for sum in bases[leaf..].iter_mut().step_by(leaf_count).flatten() {
                    *sum = (*sum + parity) / 2;
                }
            }
        }
        let (minus, plus): (Vec<usize>, Vec<usize>) =
            (0..1 << mid).partition(|signs: &usize| signs.count_ones() % 2 == 1);
        let all = i64::from(LOW + mid + high);
        Some(Self {
            mid,
            high,
            is_shared: places.is_shared,
            changes,
            coefficients,
            bases: bases.into_iter().map(block).collect(),
            patterns: patterns.collect(),
            low: (1 << places.low.len()) - 1,
            minus: minus.len(),
            order: [minus, plus].concat(),
            twos: all - halved.iter().filter(|&&is_halved| is_halved).count() as i64,
            factors,
        })
    }

    pub(super) fn changes_of_step(&self) -> f64 {
        let bases = if self.is_shared { f64::from(1 << self.mid) } else { 1.0 };
        let sums = |change: &SumChange| if change.low == 0 { 1.0 } else { bases };
        let changes = self.changes.iter().map(|changes| changes.iter().map(sums).sum::<f64>());
        changes.rev().fold(0.0, |later, changes| (later + changes) / 2.0)
    }

    pub(super) fn walk_bytes(&self) -> usize {
        size_of_val(&self.bases[..]) + 2 * size_of_val(&self.coefficients[..])
    }
}

fn block(numbers: [i16; NUMBERS]) -> Block {
    let word = |word: usize| {
        let four = &numbers[4 * word..][..4];
        four.iter().rev().fold(0, |word, &number| word << 16 | u64::from(number as u16))
    };
    Block(std::array::from_fn(word))
}

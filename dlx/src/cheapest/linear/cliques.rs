//! Cliques: sets of options in pairwise conflict. A clique is useful if the values of its options
//! in an optimum of the relaxation add up to more than 1.
//!
//! A cover contains at most one option of a clique. Added as a secondary item, the clique excludes
//! no cover. Added as a row of the relaxation, it cuts off the optimum, and the bound rises.
//!
//! Each clique starts with a pair of conflicting options with fractional values, and greedily adds
//! the option of largest value that conflicts with all members. Options with value 0 are added
//! afterwards, in ascending order of reduced cost, because they strengthen the row for later nodes.
//!
//! Source: Hoffman and Padberg, "Solving airline crew scheduling problems by branch-and-cut"
//! (Management Science, 1993).

use std::collections::BTreeSet;

/// Maximum number of options with fractional values that are examined.
const FRACTIONS_MAX: usize = 600;
/// Minimum sum of the values of a useful clique.
const SUM_MIN: f64 = 1.02;
const CLIQUES_MAX: usize = 100;
const CLIQUES_OF_OPTION: usize = 4;
/// Maximum number of options with value 0 that are tried for each clique. Trying all is no better
/// on crew problems of the OR-Library.
const OTHERS_MAX: usize = 1000;

struct Conflicts {
    words: usize,
    bits: Vec<u64>,
}

impl Conflicts {
    fn new(item_count: usize, options: impl Iterator<Item = impl Iterator<Item = u32>>) -> Self {
        let words = item_count.div_ceil(64);
        let mut bits = Vec::new();
        for items in options {
            let start = bits.len();
            bits.resize(start + words, 0);
            items.for_each(|item| bits[start + item as usize / 64] |= 1 << (item % 64));
        }
        Self { words, bits }
    }

    fn row(&self, option: usize) -> &[u64] {
        &self.bits[option * self.words..(option + 1) * self.words]
    }

    fn are_in_conflict(&self, first: usize, second: usize) -> bool {
        self.row(first).iter().zip(self.row(second)).any(|(a, b)| a & b != 0)
    }
}

/// Returns cliques whose values in the optimum add up to more than 1, in descending order of this
/// sum.
///
/// `options` lists the options with fractional values by descending value (`values`), then the
/// others by reduced cost. `items_of` returns the items of an option that a cover may have at most
/// once.
pub(super) fn cliques<I: Iterator<Item = u32>>(
    options: &[u32],
    values: &[f64],
    item_count: usize,
    entries_max: usize,
    items_of: impl Fn(u32) -> I,
) -> Vec<Vec<u32>> {
    let conflicts = Conflicts::new(item_count, options.iter().map(|&option| items_of(option)));
    let count = values.len().min(FRACTIONS_MAX);
    let words = count.div_ceil(64);
    let mut beside = vec![0_u64; count * words];
    for first in 0..count {
        for second in 0..first {
            if conflicts.are_in_conflict(first, second) {
                beside[first * words + second / 64] |= 1 << (second % 64);
                beside[second * words + first / 64] |= 1 << (first % 64);
            }
        }
    }
    let beside = |place: usize| &beside[place * words..(place + 1) * words];
    let mut found: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut candidates = vec![0_u64; words];
    for first in 0..count {
        for second in 0..first {
            if beside(first)[second / 64] >> (second % 64) & 1 == 0 {
                continue;
            }
            let mut clique = vec![first, second];
            let mut sum = values[first] + values[second];
            let both = beside(first).iter().zip(beside(second));
            candidates.iter_mut().zip(both).for_each(|(word, (a, b))| *word = a & b);
            while let Some(word) = candidates.iter().position(|&word| word != 0) {
                let next = 64 * word + candidates[word].trailing_zeros() as usize;
                clique.push(next);
                sum += values[next];
                candidates.iter_mut().zip(beside(next)).for_each(|(word, next)| *word &= next);
            }
            if sum > SUM_MIN {
                clique.sort_unstable();
                found.insert(clique);
            }
        }
    }
    let sum = |clique: &[usize]| clique.iter().map(|&place| values[place]).sum::<f64>();
    let mut found: Vec<(f64, Vec<usize>)> =
        found.into_iter().map(|clique| (sum(&clique), clique)).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut times = vec![0; count];
    let mut entries = 0;
    let mut cliques = Vec::new();
    for (_, mut clique) in found {
        if cliques.len() >= CLIQUES_MAX || entries > entries_max {
            break;
        }
        if clique.iter().any(|&place| times[place] >= CLIQUES_OF_OPTION) {
            continue;
        }
        clique.iter().for_each(|&place| times[place] += 1);
        for place in values.len()..options.len().min(values.len() + OTHERS_MAX) {
            if clique.iter().all(|&member| conflicts.are_in_conflict(place, member)) {
                clique.push(place);
            }
        }
        entries += clique.len();
        cliques.push(clique.into_iter().map(|place| options[place]).collect());
    }
    cliques
}

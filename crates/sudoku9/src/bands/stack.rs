//! The compatible splits of the three boxes of a stack.
//!
//! The three splits must put every digit in three different columns. So two disjoint splits
//! determine the third. Without clues, a split is compatible with 56 pairs of splits of the other
//! two boxes.

use super::band::{Band, splits_of};
use super::split::{SPLITS, SPLITS_ALL};

/// For each split of the box in the first band, the compatible pairs of splits of the other two
/// boxes.
pub(super) struct CompatibleSplits {
    starts: Vec<u32>,
    pairs: Vec<[u16; 2]>,
}

impl CompatibleSplits {
    pub(super) fn new(second: &Band, third: &Band, nth: usize) -> Self {
        let mut found = Vec::new();
        for (place, &split) in second.splits(nth).iter().enumerate() {
            for (other_place, &other) in third.splits(nth).iter().enumerate() {
                if SPLITS_ALL.are_disjoint(split, other) {
                    found.push((SPLITS_ALL.third(split, other), [place as u16, other_place as u16]));
                }
            }
        }
        let mut starts = vec![0; SPLITS + 1];
        found.iter().for_each(|(first, _)| starts[usize::from(*first) + 1] += 1);
        (0..SPLITS).for_each(|k| starts[k + 1] += starts[k]);
        let (mut ends, mut pairs) = (starts.clone(), vec![[0; 2]; found.len()]);
        for (first, pair) in found {
            let end = &mut ends[usize::from(first)];
            pairs[*end as usize] = pair;
            *end += 1;
        }
        Self { starts, pairs }
    }

    pub(super) fn of(&self, split: u16) -> &[[u16; 2]] {
        let split = usize::from(split);
        &self.pairs[self.starts[split] as usize..self.starts[split + 1] as usize]
    }
}

/// Returns the number of compatible triples of splits in stack `nth`, and for each band the number
/// of splits that occur in such triples.
pub(super) fn triples(bands: &[[u32; 9]; 3], nth: usize) -> (u64, [u64; 3]) {
    let splits = bands.each_ref().map(|allowed| splits_of(allowed, nth));
    let mut is_split = vec![false; SPLITS];
    splits[2].iter().for_each(|&split| is_split[usize::from(split)] = true);
    let mut occurs = [0, 1, 2].map(|_| vec![false; SPLITS]);
    let mut count = 0;
    for &a in &splits[0] {
        for &b in splits[1].iter().filter(|&&b| SPLITS_ALL.are_disjoint(a, b)) {
            let c = SPLITS_ALL.third(a, b);
            if is_split[usize::from(c)] {
                count += 1;
                [a, b, c]
                    .iter()
                    .zip(&mut occurs)
                    .for_each(|(&split, set)| set[usize::from(split)] = true);
            }
        }
    }
    (count, occurs.map(|set| set.iter().filter(|&&occurs| occurs).count() as u64))
}

//! Sets of cells, stored as bits.

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellSet(Box<[u64]>);

impl CellSet {
    pub(super) fn of<'c>(count: usize, cells: impl IntoIterator<Item = &'c usize>) -> Self {
        let mut words = vec![0; count.div_ceil(64)];
        cells.into_iter().for_each(|cell| words[cell / 64] |= 1 << (cell % 64));
        Self(words.into())
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn pairs<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = (u64, u64)> + 's {
        self.0.iter().copied().zip(other.0.iter().copied())
    }

    pub(super) fn is_subset(&self, other: &Self) -> bool {
        self.pairs(other).all(|(one, other)| one & !other == 0)
    }

    pub(super) fn is_disjoint(&self, other: &Self) -> bool {
        self.pairs(other).all(|(one, other)| one & other == 0)
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        Self(self.pairs(other).map(|(one, other)| one & other).collect())
    }

    pub(super) fn without(&self, other: &Self) -> Self {
        Self(self.pairs(other).map(|(one, other)| one & !other).collect())
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one |= other);
    }

    pub(super) fn remove(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one &= !other);
    }

    pub(super) fn cells(&self) -> Vec<usize> {
        let mut cells = Vec::with_capacity(self.len());
        for (index, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                cells.push(64 * index + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn bit_sets_agree_with_sets_of_numbers() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..1000 {
            let count = 1 + round % 200;
            let mut draw = || -> BTreeSet<usize> {
                (0..random.usize(0..6)).map(|_| random.usize(..count)).collect()
            };
            let (one, other) = (draw(), draw());
            let (a, b) = (CellSet::of(count, &one), CellSet::of(count, &other));
            let list = |set: &CellSet| set.cells().into_iter().collect::<BTreeSet<_>>();
            assert_eq!((list(&a), a.len(), a.is_empty()), (one.clone(), one.len(), one.is_empty()));
            assert_eq!(a.is_subset(&b), one.is_subset(&other));
            assert_eq!(a.is_disjoint(&b), one.is_disjoint(&other));
            assert_eq!(list(&a.and(&b)), &one & &other);
            assert_eq!(list(&a.without(&b)), &one - &other);
            let (mut more, mut less) = (a.clone(), a.clone());
            more.add(&b);
            less.remove(&b);
            assert_eq!((list(&more), list(&less)), (&one | &other, &one - &other));
            assert!(a.cells().is_sorted());
        }
    }
}

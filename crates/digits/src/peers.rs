//! Peers: pairs of cells that must differ.

#[derive(Clone, Debug)]
pub(crate) struct Peers {
    lists: Vec<Vec<u16>>,
    words: usize,
    bits: Vec<u64>,
}

impl Peers {
    pub(crate) fn new(cells: usize) -> Self {
        let words = cells.div_ceil(64);
        Self { lists: vec![Vec::new(); cells], words, bits: vec![0; cells * words] }
    }

    pub(crate) fn add(&mut self, one: u16, other: u16) {
        if one == other || self.are_peers(one, other) {
            return;
        }
        for (one, other) in [(one, other), (other, one)] {
            self.lists[usize::from(one)].push(other);
            self.bits[usize::from(one) * self.words + usize::from(other) / 64] |= 1 << (other % 64);
        }
    }

    pub(crate) fn are_peers(&self, one: u16, other: u16) -> bool {
        self.bits_of(one)[usize::from(other) / 64] >> (other % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn of(&self, cell: u16) -> &[u16] {
        &self.lists[usize::from(cell)]
    }

    #[inline]
    fn bits_of(&self, cell: u16) -> &[u64] {
        &self.bits[usize::from(cell) * self.words..][..self.words]
    }

    #[inline]
    pub(crate) fn each_common<E>(
        &self,
        cells: &[u16],
        mut call: impl FnMut(u16) -> Result<(), E>,
    ) -> Result<(), E> {
        for word in 0..self.words {
            let mut common =
                cells.iter().fold(u64::MAX, |common, &cell| common & self.bits_of(cell)[word]);
            while common != 0 {
                call((word * 64) as u16 + common.trailing_zeros() as u16)?;
                common &= common - 1;
            }
        }
        Ok(())
    }

    /// Calls `call` for each cell that is a peer of at least `least` of `cells` (at most 15).
    pub(crate) fn each_seeing<E>(
        &self,
        cells: &[u16],
        least: u32,
        mut call: impl FnMut(u16) -> Result<(), E>,
    ) -> Result<(), E> {
        for word in 0..self.words {
            // Number of `cells` that are peers of each cell, as bit planes, the lowest first.
            let mut counts = [0_u64; 4];
            for &cell in cells {
                let mut carry = self.bits_of(cell)[word];
                for count in &mut counts {
                    (*count, carry) = (*count ^ carry, *count & carry);
                }
            }
            let mut some = counts.iter().fold(0, |some, count| some | count);
            while some != 0 {
                let bit = some.trailing_zeros();
                some &= some - 1;
                let count = (0..4).fold(0, |count, at| count | (counts[at] >> bit & 1) << at);
                if count >= u64::from(least) {
                    call((word * 64) as u16 + bit as u16)?;
                }
            }
        }
        Ok(())
    }

    /// Partitions cells into cliques of peers; a greedy choice tries to make them large.
    pub(crate) fn cliques(&self, cells: &[u16]) -> Vec<Vec<u16>> {
        let first = self.cliques_in_order(cells);
        let degree = |&cell: &u16| cells.iter().filter(|&&other| self.are_peers(cell, other)).count();
        let mut sorted = cells.to_vec();
        sorted.sort_by_key(|cell| std::cmp::Reverse(degree(cell)));
        let second = self.cliques_in_order(&sorted);
        if size_score(&second) > size_score(&first) { second } else { first }
    }

    /// Partitions cells into cliques of peers, and makes them larger by further greedy choices in
    /// `tries` random orders.
    pub(crate) fn large_cliques(&self, cells: &[u16], tries: usize) -> Vec<Vec<u16>> {
        let mut best = self.cliques(cells);
        let mut order = cells.to_vec();
        let mut random = 1_u32;
        for _ in 0..tries {
            for last in (1..order.len()).rev() {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                order.swap(last, (random >> 8) as usize % (last + 1));
            }
            let cliques = self.cliques_in_order(&order);
            if size_score(&cliques) > size_score(&best) {
                best = cliques;
            }
        }
        best
    }

    pub(crate) fn cliques_in_order(&self, cells: &[u16]) -> Vec<Vec<u16>> {
        let mut common: Vec<u64> = Vec::new();
        let mut cliques: Vec<Vec<u16>> = Vec::new();
        for &cell in cells {
            let (word, bit) = (usize::from(cell) / 64, cell % 64);
            let fits =
                (0..cliques.len()).find(|index| common[index * self.words + word] >> bit & 1 == 1);
            let bits = self.bits_of(cell);
            match fits {
                Some(index) => {
                    cliques[index].push(cell);
                    let common = &mut common[index * self.words..][..self.words];
                    common.iter_mut().zip(bits).for_each(|(common, bits)| *common &= bits);
                }
                None => {
                    cliques.push(vec![cell]);
                    common.extend(bits);
                }
            }
        }
        cliques
    }
}

/// Returns the sum of the squared sizes, which is greater if fewer cliques are larger.
fn size_score(cliques: &[Vec<u16>]) -> usize {
    cliques.iter().map(|clique| clique.len().pow(2)).sum()
}

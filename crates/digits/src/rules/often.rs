//! The rule for the number of occurrences of each digit in some cells.
//!
//! The number of occurrences of a digit is at least the number of cells filled with it, and at most
//! the number of cells that have it as a candidate. Among cells of one house, a digit occurs at
//! most once, and exactly once if no other cell of the house can have it. So every partition of the
//! cells by disjoint houses bounds the number of occurrences from both sides.
//!
//! A number within these bounds is removed if the other digits cannot fill exactly the remaining
//! cells. If the only number left equals the lower bound of a partition, the digit is removed from
//! the parts where it is not certain. If it equals the upper bound, the digit must occur in every
//! part where it is possible. A cell loses a digit if it is a peer of too many cells that can have
//! the digit.
//!
//! Invariant: the bounds are always valid, and once all cells are filled the occurrences are
//! counted exactly.
//!
//! Source: a global cardinality constraint; the partition by houses is ours.

use super::super::board::CandidateGrid;
use super::super::peers::Peers;
use super::super::{Contradiction, DigitSet, ORDER_MAX};

#[derive(Debug)]
pub(crate) struct Often {
    /// The cells of the rule, followed by the other cells of their houses that the rule reads.
    cells: Box<[u16]>,
    count: usize,
    /// For each digit, a bit set of the allowed occurrence counts.
    counts: Box<[u128]>,
    /// Partitions of the cells into parts whose cells all differ. In the first partition each part
    /// is one cell.
    partings: Box<[Vec<OftenPart>]>,
}

/// Cells of the rule that differ, and the other cells of their house.
#[derive(Clone, Debug)]
struct OftenPart {
    cells: Box<[u16]>,
    others: Box<[u16]>,
    /// Whether a digit that occurs in no cell of `cells` must occur in `others`.
    is_house: bool,
}

impl OftenPart {
    fn union(board: &CandidateGrid<'_>, cells: &[u16]) -> DigitSet {
        cells.iter().fold(0, |all, &cell| all | board.digits(cell))
    }

    /// Returns the digits that may occur in the cells of the part, and the digits that certainly
    /// occur.
    fn digits(&self, board: &CandidateGrid<'_>) -> (DigitSet, DigitSet) {
        match self.cells[..] {
            [cell] if !self.is_house => {
                let digits = board.digits(cell);
                (digits, if digits.is_power_of_two() { digits } else { 0 })
            }
            _ => {
                let may = Self::union(board, &self.cells);
                let single = |sure, &cell: &u16| {
                    let digits = board.digits(cell);
                    if digits.is_power_of_two() { sure | digits } else { sure }
                };
                let sure = match self.is_house {
                    true => may & !Self::union(board, &self.others),
                    false => self.cells.iter().fold(0, single),
                };
                (may, sure)
            }
        }
    }
}

fn partings(cells: &[u16], peers: &Peers, houses: &[Box<[u16]>]) -> Vec<Vec<OftenPart>> {
    let alone =
        |&cell: &u16| OftenPart { cells: [cell].into(), others: Box::default(), is_house: false };
    let mut partings = vec![cells.iter().map(alone).collect()];
    let cliques = peers.cliques(cells);
    if cliques.len() < cells.len() {
        let clique = |cells: Vec<u16>| OftenPart {
            cells: cells.into(),
            others: Box::default(),
            is_house: false,
        };
        partings.push(cliques.into_iter().map(clique).collect());
    }
    let mut is_used = vec![false; houses.len()];
    for first in 0..houses.len() {
        let (mut left, mut parts) = (cells.to_vec(), Vec::new());
        let mut taken: Vec<u16> = Vec::new();
        for (house, is_used) in houses.iter().zip(&mut is_used).skip(first) {
            if *is_used || house.iter().any(|cell| taken.contains(cell)) {
                continue;
            }
            let (own, others): (Vec<u16>, Vec<u16>) =
                house.iter().partition(|cell| cells.contains(cell));
            taken.extend(house);
            *is_used = true;
            // A house with few cells of the rule rarely has a digit that is impossible in its other
            // cells.
            if own.len() > 1 {
                left.retain(|cell| !own.contains(cell));
                let is_house = 2 * own.len() >= others.len();
                parts.push(OftenPart {
                    cells: own.into(),
                    others: if is_house { others.into() } else { Box::default() },
                    is_house,
                });
            }
        }
        if parts.iter().any(|part| part.is_house) {
            parts.extend(left.iter().map(alone));
            partings.push(parts);
        }
    }
    partings
}

impl Often {
    pub(crate) fn new(
        cells: Vec<u16>,
        counts: Vec<u128>,
        peers: &Peers,
        houses: &[Box<[u16]>],
    ) -> Self {
        let partings = partings(&cells, peers, houses);
        let count = cells.len();
        let mut all = cells;
        for &cell in partings.iter().flatten().flat_map(|part| &part.others) {
            if !all.contains(&cell) {
                all.push(cell);
            }
        }
        Self { cells: all.into(), count, counts: counts.into(), partings: partings.into() }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let order = self.counts.len();
        let (mut least, mut most) = ([0_u32; ORDER_MAX], [u32::MAX; ORDER_MAX]);
        for parting in &self.partings {
            let (mut sure_of, mut may_of) = ([0_u32; ORDER_MAX], [0_u32; ORDER_MAX]);
            for part in parting {
                let (may, sure) = part.digits(board);
                for digit in 0..order {
                    sure_of[digit] += u32::from(sure >> digit & 1);
                    may_of[digit] += u32::from(may >> digit & 1);
                }
            }
            for digit in 0..order {
                least[digit] = least[digit].max(sure_of[digit]);
                most[digit] = most[digit].min(may_of[digit]);
            }
        }
        let kept = self.complete(&least, &most)?;
        for parting in &self.partings {
            self.apply(board, parting, &kept)?;
        }
        (0..order).try_for_each(|digit| self.exclude(board, digit, kept[digit].trailing_zeros()))
    }

    /// Returns, for each digit, the occurrence counts within the bounds that let the other digits
    /// fill exactly the remaining cells.
    fn complete(
        &self,
        least: &[u32; ORDER_MAX],
        most: &[u32; ORDER_MAX],
    ) -> Result<[u128; ORDER_MAX], Contradiction> {
        // `before[d]`: the cell counts that the digits below d can fill, as a bit set.
        let mut before = [0_u128; ORDER_MAX + 1];
        let mut allowed = [0_u128; ORDER_MAX];
        before[0] = 1;
        for (digit, &counts) in self.counts.iter().enumerate() {
            if least[digit] > most[digit] {
                return Err(Contradiction);
            }
            let range = (u128::MAX >> (127 - most[digit])) & (u128::MAX << least[digit]);
            allowed[digit] = counts & range;
            before[digit + 1] =
                each_bit(allowed[digit]).fold(0, |sums, count| sums | before[digit] << count);
        }
        let mut wanted = 1_u128 << self.count;
        let mut kept = [0_u128; ORDER_MAX];
        for digit in (0..self.counts.len()).rev() {
            let mut next = 0;
            for count in each_bit(allowed[digit]) {
                if (before[digit] << count) & wanted != 0 {
                    kept[digit] |= 1 << count;
                    next |= wanted >> count;
                }
            }
            if kept[digit] == 0 {
                return Err(Contradiction);
            }
            wanted = next & before[digit];
        }
        Ok(kept)
    }

    /// Removes digits from cells, for digits whose number of occurrences must equal the lower or
    /// the upper bound of a partition.
    fn apply(
        &self,
        board: &mut CandidateGrid<'_>,
        parting: &[OftenPart],
        kept: &[u128; ORDER_MAX],
    ) -> Result<(), Contradiction> {
        let (mut sure_of, mut may_of) = ([0_u32; ORDER_MAX], [0_u32; ORDER_MAX]);
        for part in parting {
            let (may, sure) = part.digits(board);
            for digit in 0..self.counts.len() {
                sure_of[digit] += u32::from(sure >> digit & 1);
                may_of[digit] += u32::from(may >> digit & 1);
            }
        }
        let (mut fewest, mut each): (DigitSet, DigitSet) = (0, 0);
        for digit in 0..self.counts.len() {
            if sure_of[digit] < may_of[digit] {
                fewest |= DigitSet::from(kept[digit] == 1 << sure_of[digit]) << digit;
                each |= DigitSet::from(kept[digit] == 1 << may_of[digit]) << digit;
            }
        }
        if fewest | each == 0 {
            return Ok(());
        }
        for part in parting {
            let (may, sure) = part.digits(board);
            let gone = fewest & may & !sure;
            if gone != 0 {
                part.cells.iter().try_for_each(|&cell| board.keep(cell, !gone))?;
            }
            let needed = each & may;
            if needed == 0 {
                continue;
            }
            if part.is_house {
                part.others.iter().try_for_each(|&cell| board.keep(cell, !needed))?;
            } else if let [cell] = part.cells[..] {
                board.keep(cell, needed)?;
                if !needed.is_power_of_two() {
                    return Err(Contradiction);
                }
            } else {
                super::require(board, &part.cells, needed)?;
            }
        }
        Ok(())
    }

    /// Removes a digit from the cells that would leave too few cells for it if they were filled
    /// with it.
    fn exclude(
        &self,
        board: &mut CandidateGrid<'_>,
        digit: usize,
        least: u32,
    ) -> Result<(), Contradiction> {
        let bit = 1 << digit;
        let mut places = [0_u16; PLACES_MAX];
        let (mut count, mut wanted) = (0, least);
        for &cell in &self.cells[..self.count] {
            let digits = board.digits(cell);
            if digits == bit {
                wanted = wanted.saturating_sub(1);
            } else if digits & bit != 0 {
                if count == PLACES_MAX {
                    return Ok(());
                }
                places[count] = cell;
                count += 1;
            }
        }
        if wanted == 0 {
            return Ok(());
        }
        if count < wanted as usize {
            return Err(Contradiction);
        }
        let network = board.network;
        let spare = count as u32 - wanted;
        network.peers.each_seeing(&places[..count], spare + 1, |peer| board.keep(peer, !bit))
    }
}

/// Maximum number of cells that can have the digit; with more, no cell is a peer of enough of them.
const PLACES_MAX: usize = 8;

fn each_bit(mut set: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        bit
    })
}

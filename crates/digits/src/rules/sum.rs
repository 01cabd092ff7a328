//! The rule for a weighted sum of cells.
//!
//! The cells are partitioned into terms. The cells of a term have the same factor and all differ,
//! so a term has a smallest and a largest sum over distinct digits. The other terms restrict the
//! range of a term further. Within the range, the candidates of the cells allow only some sets of
//! digits, so the possible sums may have gaps. Sums that the other terms cannot complete are
//! removed. Then cells lose the digits that occur in no remaining set, and digits that occur in
//! every remaining set must occur.
//!
//! With at most three open cells the rule tries all assignments, so the result is exact.

use std::sync::Arc;

use super::super::board::CandidateGrid;
use super::super::peers::Peers;
use super::super::{Contradiction, DigitSet, all_digits};
use super::sets::{Combinations, Union, apply, sum_of};

/// Number of random orders in which the cells of a sum with more cells than digits are partitioned.
const LONG_TRIES: usize = 32;
/// Maximum number of terms whose sums are combined exactly.
const TERMS_MAX: usize = 12;

#[derive(Debug)]
pub(crate) struct Sum {
    cells: Box<[u16]>,
    terms: Box<[LinearTerm]>,
    sum: i32,
    all: DigitSet,
}

#[derive(Debug)]
struct LinearTerm {
    cells: Box<[u16]>,
    factor: i32,
    combinations: Arc<Combinations>,
}

/// The smallest and the largest possible sum of a term, and the possible sums as bits counted from
/// `least`.
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    least: i32,
    most: i32,
    sums: u128,
    found: u128,
    is_whole: bool,
    /// The largest difference of two digits of the term's cells.
    spread: i32,
    union: Union,
}

impl Sum {
    pub(crate) fn new(
        order: usize,
        peers: &Peers,
        terms: &[(u16, i32)],
        sum: i32,
        mut combinations: impl FnMut(usize) -> Arc<Combinations>,
    ) -> Self {
        let mut factors: Vec<i32> = terms.iter().map(|&(_, factor)| factor).collect();
        factors.sort_unstable();
        factors.dedup();
        let mut parts = Vec::new();
        for factor in factors {
            let cells: Vec<u16> =
                terms.iter().filter(|term| term.1 == factor).map(|&(cell, _)| cell).collect();
            let tries = if cells.len() > order { LONG_TRIES } else { 0 };
            for cells in peers.large_cliques(&cells, tries) {
                let combinations = combinations(cells.len());
                parts.push(LinearTerm { cells: cells.into(), factor, combinations });
            }
        }
        Self {
            cells: terms.iter().map(|&(cell, _)| cell).collect(),
            terms: parts.into(),
            sum,
            all: all_digits(order),
        }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let open = self.cells.iter().filter(|&&cell| !board.digits(cell).is_power_of_two()).count();
        if open <= 3 {
            return self.filter_few(board);
        }
        let mut few = [Range::default(); TERMS_MAX];
        let mut many;
        let ranges = if self.terms.len() <= TERMS_MAX {
            &mut few[..self.terms.len()]
        } else {
            many = vec![Range::default(); self.terms.len()];
            &mut many[..]
        };
        let (mut least, mut most) = (0, 0);
        for (term, range) in self.terms.iter().zip(ranges.iter_mut()) {
            *range = term.range(board, self.all)?;
            let ends = [term.factor * range.least, term.factor * range.most];
            least += ends[0].min(ends[1]);
            most += ends[0].max(ends[1]);
        }
        let (above, below) = (self.sum - least, most - self.sum);
        if above < 0 || below < 0 {
            return Err(Contradiction);
        }
        if least == most {
            return Ok(());
        }
        let mut is_bounded = false;
        for (term, range) in self.terms.iter().zip(ranges.iter_mut()) {
            let size = term.factor.abs();
            let (up, down) = if term.factor > 0 { (above, below) } else { (below, above) };
            // If the other terms leave room for the difference of any two digits, the range
            // excludes no digit.
            is_bounded |= up.min(down) < size * range.spread;
            let (least, most) = (range.most - down / size, range.least + up / size);
            range.least = range.least.max(least);
            range.most = range.most.min(most);
            if range.least > range.most {
                return Err(Contradiction);
            }
        }
        if !is_bounded {
            return Ok(());
        }
        self.filter_sums(board, ranges)
    }

    fn filter_sums(
        &self,
        board: &mut CandidateGrid<'_>,
        ranges: &mut [Range],
    ) -> Result<(), Contradiction> {
        for (term, range) in self.terms.iter().zip(ranges.iter_mut()) {
            term.sums(board, range)?;
        }
        if self.terms.len() > 1 && self.terms.len() <= TERMS_MAX {
            self.complete(ranges)?;
        }
        for (term, range) in self.terms.iter().zip(&*ranges) {
            if let [cell] = term.cells[..] {
                board.keep(cell, (range.sums << range.least.max(0)) as DigitSet)?;
            } else {
                let (any, all) = term.digits(range);
                if any == 0 {
                    return Err(Contradiction);
                }
                apply(board, &term.cells, range.union, any, all)?;
            }
        }
        Ok(())
    }

    fn complete(&self, ranges: &mut [Range]) -> Result<(), Contradiction> {
        let base = |(term, range): (&LinearTerm, &Range)| {
            (term.factor * range.least).min(term.factor * range.most)
        };
        let target = self.sum - self.terms.iter().zip(&*ranges).map(base).sum::<i32>();
        if !(0..128).contains(&target) {
            return Ok(());
        }
        let below = u128::MAX >> (127 - target);
        let shift = |term: &LinearTerm, range: &Range, index: u32| {
            let size = term.factor.unsigned_abs();
            if term.factor > 0 {
                index * size
            } else {
                ((range.most - range.least) as u32 - index) * size
            }
        };
        let mut before = [0_u128; TERMS_MAX + 1];
        before[0] = 1;
        for (place, (term, range)) in self.terms.iter().zip(&*ranges).enumerate() {
            let mut reached = 0;
            for_each_bit(range.sums, |index| {
                let by = shift(term, range, index);
                if by < 128 {
                    reached |= before[place] << by;
                }
            });
            before[place + 1] = reached & below;
        }
        let mut wanted = 1_u128 << target;
        if before[self.terms.len()] & wanted == 0 {
            return Err(Contradiction);
        }
        for (place, (term, range)) in self.terms.iter().zip(ranges.iter_mut()).enumerate().rev() {
            let (mut kept, mut next) = (0, 0);
            for_each_bit(range.sums, |index| {
                let by = shift(term, range, index);
                if by < 128 && (before[place] << by) & wanted != 0 {
                    kept |= 1 << index;
                    next |= wanted >> by;
                }
            });
            range.sums = kept;
            wanted = next & before[place];
        }
        Ok(())
    }

    fn filter_few(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let mut cells = [Addend::default(); 3];
        let (mut count, mut left) = (0, self.sum);
        for (index, term) in self.terms.iter().enumerate() {
            for &cell in &term.cells {
                let digits = board.digits(cell);
                if digits.is_power_of_two() {
                    left -= term.factor * digits.trailing_zeros() as i32;
                } else {
                    cells[count] = Addend { cell, digits, factor: term.factor, term: index };
                    count += 1;
                }
            }
        }
        let mut kept = [0_u16; 3];
        match count {
            0 => return if left == 0 { Ok(()) } else { Err(Contradiction) },
            1 => kept[0] = cells[0].digit_for(left),
            2 => (kept[0], kept[1]) = pair(&cells[0], &cells[1], left),
            _ => {
                // Try each digit of the cell with the fewest candidates, and treat the other two
                // cells as a pair.
                cells.sort_unstable_by_key(|addend| addend.digits.count_ones());
                let [first, second, third] = cells;
                for_each_digit(first.digits, |digit| {
                    let without = |other: &Addend| {
                        let same = DigitSet::from(other.term == first.term) << digit;
                        Addend { digits: other.digits & !same, ..*other }
                    };
                    let rest = left - first.factor * digit;
                    let (one, other) = pair(&without(&second), &without(&third), rest);
                    if one != 0 {
                        kept[0] |= 1 << digit;
                        kept[1] |= one;
                        kept[2] |= other;
                    }
                });
            }
        }
        cells[..count].iter().zip(kept).try_for_each(|(addend, kept)| board.keep(addend.cell, kept))
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Addend {
    cell: u16,
    digits: DigitSet,
    factor: i32,
    /// Index of the cell's term; cells of the same term differ.
    term: usize,
}

impl Addend {
    /// Returns the digit that gives this cell alone the given sum, if it is a candidate.
    fn digit_for(&self, sum: i32) -> DigitSet {
        let digit = sum / self.factor;
        if sum % self.factor == 0 && (0..16).contains(&digit) { self.digits & 1 << digit } else { 0 }
    }
}

/// Returns the digits of two cells that occur in some assignment with the given sum.
fn pair(one: &Addend, other: &Addend, sum: i32) -> (DigitSet, DigitSet) {
    let is_set = one.term == other.term;
    if one.factor.abs() != 1 || other.factor.abs() != 1 {
        let (mut first, mut second) = (0, 0);
        for_each_digit(one.digits, |digit| {
            let partner =
                other.digit_for(sum - one.factor * digit) & !(DigitSet::from(is_set) << digit);
            if partner != 0 {
                first |= 1 << digit;
                second |= partner;
            }
        });
        return (first, second);
    }
    // A shift finds the partners of all digits at once. For an addition, the digits are reversed
    // first.
    let sum = one.factor * sum;
    if one.factor == other.factor {
        let partners = |digits: DigitSet| shifted(digits.reverse_bits(), sum - 15);
        let equal = if is_set && sum % 2 == 0 { shifted(1, sum / 2) } else { 0 };
        let first = one.digits & partners(other.digits) & !equal;
        (first, partners(first) & other.digits)
    } else {
        let first = one.digits & shifted(other.digits, sum);
        (first, shifted(first, -sum))
    }
}

fn shifted(digits: DigitSet, by: i32) -> DigitSet {
    match by {
        0..16 => digits << by,
        -15..0 => digits >> -by,
        _ => 0,
    }
}

impl LinearTerm {
    /// Returns the smallest and the largest sum of the cells with distinct digits. Each cell in
    /// turn takes the next free digit, starting from its own smallest or largest one; the order of
    /// the cells does not change the result.
    fn range(&self, board: &CandidateGrid<'_>, all: DigitSet) -> Result<Range, Contradiction> {
        let mut union = Union::default();
        if let [cell] = self.cells[..] {
            let digits = board.digits(cell);
            let (least, most) = (digits.trailing_zeros() as i32, 15 - digits.leading_zeros() as i32);
            return Ok(Range { least, most, spread: most - least, union, ..Range::default() });
        }
        let (mut low, mut high) = (0_u16, 0_u16);
        for &cell in &self.cells {
            let digits = board.digits(cell);
            union.add(digits);
            let free = all & !low & !((digits & digits.wrapping_neg()) - 1);
            if free == 0 {
                return Err(Contradiction);
            }
            low |= free & free.wrapping_neg();
            let free = !high & (u16::MAX >> digits.leading_zeros());
            if free == 0 {
                return Err(Contradiction);
            }
            high |= 1 << (15 - free.leading_zeros());
        }
        let spread = 15 - union.any.leading_zeros() as i32 - union.any.trailing_zeros() as i32;
        Ok(Range { least: sum_of(low), most: sum_of(high), spread, union, ..Range::default() })
    }

    fn sums(&self, board: &CandidateGrid<'_>, range: &mut Range) -> Result<(), Contradiction> {
        let all = match self.cells[..] {
            [cell] => u128::from(board.digits(cell)),
            _ => self.combinations.sums(range.union),
        };
        let within = u128::MAX >> (127 - (range.most - range.least).clamp(0, 127));
        range.sums = (all >> range.least.max(0)) & within;
        range.is_whole = all == range.sums << range.least.max(0);
        range.found = range.sums;
        if range.sums == 0 { Err(Contradiction) } else { Ok(()) }
    }

    /// Returns the union and the intersection of the possible sets that have one of the possible
    /// sums.
    fn digits(&self, range: &Range) -> (DigitSet, DigitSet) {
        let Range { union, .. } = *range;
        if range.is_whole && range.sums == range.found {
            // No sum was removed, so each candidate is in some set. A digit is in all sets only if
            // it is fixed or there is exactly one set.
            let is_one = union.any.count_ones() as usize == self.cells.len();
            return (union.any, if is_one { union.any } else { union.fixed });
        }
        let (mut any, mut all) = (0, DigitSet::MAX);
        for_each_bit(range.sums, |index| {
            let sum = range.least + index as i32;
            // The loop has no branches, so that the compiler can vectorize it over several sets.
            for &set in self.combinations.between(sum, sum) {
                let mask = DigitSet::from(union.allows(set)).wrapping_neg();
                any |= set & mask;
                all &= set | !mask;
            }
        });
        (any, all)
    }
}

fn for_each_bit(mut set: u128, mut call: impl FnMut(u32)) {
    while set != 0 {
        call(set.trailing_zeros());
        set &= set - 1;
    }
}

fn for_each_digit(mut digits: DigitSet, mut call: impl FnMut(i32)) {
    while digits != 0 {
        call(digits.trailing_zeros() as i32);
        digits &= digits - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NetworkBuilder;

    /// Returns the digits of each cell that occur in some assignment with the sum. Cells of the
    /// same term differ.
    fn by_brute_force(sum: &Sum, digits: &[DigitSet]) -> Vec<DigitSet> {
        let terms: Vec<(usize, i32, usize)> = sum
            .terms
            .iter()
            .enumerate()
            .flat_map(|(index, term)| {
                term.cells.iter().map(move |&cell| (usize::from(cell), term.factor, index))
            })
            .collect();
        let mut kept = vec![0; digits.len()];
        let mut ways = vec![(sum.sum, vec![])];
        for &(cell, factor, index) in &terms {
            let go_on = |(left, chosen): &(i32, Vec<(usize, i32)>)| {
                let free = (0..16).filter(|&digit| digits[cell] >> digit & 1 == 1);
                let free = free.filter(|&digit| !chosen.contains(&(index, digit)));
                free.map(|digit| (left - factor * digit, [&chosen[..], &[(index, digit)]].concat()))
                    .collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(go_on).collect();
        }
        for (_, chosen) in ways.iter().filter(|(left, _)| *left == 0) {
            terms.iter().zip(chosen).for_each(|(&(cell, ..), &(_, digit))| kept[cell] |= 1 << digit);
        }
        kept
    }

    #[test]
    fn a_sum_with_at_most_three_open_cells_keeps_exactly_the_possible_digits() {
        let mut random = fastrand::Rng::with_seed(11);
        let (mut some, mut dead) = (0, 0);
        for round in 0..3000 {
            let (order, count) = (2 + round % 8, 2 + random.usize(..3));
            let mut builder = NetworkBuilder::new(count, order).expect("it is small");
            let mut peers = Peers::new(count);
            for one in 0..count.min(3) as u16 {
                let others = (0..one).filter(|_| random.bool()).collect::<Vec<_>>();
                others.into_iter().for_each(|other| peers.add(one, other));
            }
            for cell in 0..count {
                let own = random.usize(..order);
                let digits = random.u16(..) & all_digits(order) | 1 << own | 1 << ((own + 1) % order);
                let is_open = cell < 3;
                builder.keep(cell, if is_open { digits } else { digits & digits.wrapping_neg() });
            }
            let factors = [1, 1, 1, 1, -1, -1, 2, -3];
            let terms: Vec<(u16, i32)> =
                (0..count as u16).map(|cell| (cell, factors[random.usize(..8)])).collect();
            let target = terms.iter().map(|(_, factor)| factor * random.i32(0..order as i32)).sum();
            let sum = Sum::new(order, &peers, &terms, target, |size| {
                Arc::new(Combinations::new(order, size))
            });
            let network = builder.build();
            let mut board = CandidateGrid::new(&network);
            let expected = by_brute_force(&sum, board.grid());
            let filtered = sum.filter(&mut board);
            assert_eq!(filtered.is_err(), expected.contains(&0), "{sum:?}");
            if filtered.is_ok() {
                some += usize::from(board.grid() != network.digits);
                assert_eq!(board.grid(), expected, "{sum:?} of {:?}", network.digits);
            }
            dead += usize::from(filtered.is_err());
        }
        assert!(some > 300 && dead > 300, "{some} say something, {dead} are dead");
    }
}

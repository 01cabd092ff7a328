//! The rule for cells that differ and whose digits form one of several sets.

use std::sync::OnceLock;

use super::super::board::CandidateGrid;
use super::super::{Contradiction, DigitSet, all_digits};
use super::require;

#[derive(Debug)]
pub(crate) struct Combinations {
    sets: Vec<DigitSet>,
    /// Index of the first set of each sum; sums are counted from 0.
    starts: Vec<usize>,
    size: usize,
    table: Option<&'static SumTable>,
}

/// The possible sums of a subset, as bits, for each subset size and each set of digits to choose
/// from.
#[derive(Debug)]
struct SumTable {
    order: usize,
    sums: Box<[u64]>,
}

/// Maximum number of digits with a table (90 KiB for 10 digits).
const TABLE_ORDER_MAX: usize = 10;

impl SumTable {
    /// Returns the table for `order` digits, or `None` if it would be too large. The table is built
    /// once.
    fn of(order: usize) -> Option<&'static Self> {
        static TABLES: [OnceLock<SumTable>; TABLE_ORDER_MAX + 1] =
            [const { OnceLock::new() }; TABLE_ORDER_MAX + 1];
        Some(TABLES.get(order)?.get_or_init(|| {
            let mut sums = vec![0_u64; (order + 1) << order];
            sums[..1 << order].fill(1);
            for size in 1..=order {
                for set in 1_usize..1 << order {
                    let (first, rest) = (set.trailing_zeros(), set & (set - 1));
                    sums[size << order | set] =
                        sums[size << order | rest] | sums[(size - 1) << order | rest] << first;
                }
            }
            Self { order, sums: sums.into() }
        }))
    }
}

impl Combinations {
    pub(crate) fn new(order: usize, size: usize) -> Self {
        let mut sets: Vec<DigitSet> = (0..1_u32 << order)
            .filter(|set| set.count_ones() as usize == size)
            .map(|set| set as DigitSet)
            .collect();
        sets.sort_by_key(|&set| sum_of(set));
        let most = sets.last().map_or(0, |&set| sum_of(set));
        let starts = (0..=most + 1).map(|sum| sets.partition_point(|&set| sum_of(set) < sum)).collect();
        Self { sets, starts, size, table: SumTable::of(order) }
    }

    pub(crate) fn between(&self, least: i32, most: i32) -> &[DigitSet] {
        let last = self.starts.len() as i32 - 1;
        let at = |sum: i32| self.starts[sum.clamp(0, last) as usize];
        &self.sets[at(least)..at(most + 1).max(at(least))]
    }
}

impl Combinations {
    /// Returns the sums of the sets that `union` allows, as bits.
    pub(super) fn sums(&self, union: Union) -> u128 {
        let Some(table) = self.table else {
            let allowed = self.sets.iter().filter(|&&set| union.allows(set));
            return allowed.fold(0, |sums, &set| sums | 1 << sum_of(set));
        };
        let fixed = union.fixed.count_ones() as usize;
        let open = usize::from(union.any & !union.fixed);
        u128::from(table.sums[(self.size - fixed) << table.order | open] << sum_of(union.fixed))
    }
}

/// Returns the sum of a set of digits, where the first digit counts as 0.
#[inline]
pub(super) fn sum_of(digits: DigitSet) -> i32 {
    const SUMS: [u8; 256] = {
        let mut sums = [0; 256];
        let mut set = 1;
        while set < 256 {
            sums[set] = sums[set & (set - 1)] + set.trailing_zeros() as u8;
            set += 1;
        }
        sums
    };
    let upper = usize::from(digits >> 8);
    i32::from(SUMS[usize::from(digits & 255)]) + i32::from(SUMS[upper]) + 8 * upper.count_ones() as i32
}

/// The union of the candidates of cells that differ, and the digits of the filled cells among them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Union {
    pub any: DigitSet,
    pub fixed: DigitSet,
}

impl Union {
    #[inline]
    pub(crate) fn new(board: &CandidateGrid<'_>, cells: &[u16]) -> Self {
        let mut union = Self::default();
        cells.iter().for_each(|&cell| union.add(board.digits(cell)));
        union
    }

    #[inline]
    pub(super) fn add(&mut self, digits: DigitSet) {
        self.any |= digits;
        self.fixed |= if digits.is_power_of_two() { digits } else { 0 };
    }

    /// Returns whether the cells can have exactly the digits of `set`.
    #[inline]
    pub(crate) fn allows(self, set: DigitSet) -> bool {
        set & !self.any == 0 && self.fixed & !set == 0
    }
}

/// Restricts cells to one of several sets. `any` is the union of these sets, and `all` their
/// intersection.
pub(super) fn apply(
    board: &mut CandidateGrid<'_>,
    cells: &[u16],
    union: Union,
    any: DigitSet,
    all: DigitSet,
) -> Result<(), Contradiction> {
    if union.any & !any != 0 {
        cells.iter().try_for_each(|&cell| board.keep(cell, any))?;
    }
    let needed = all & !union.fixed;
    if needed == 0 { Ok(()) } else { require(board, cells, needed) }
}

/// Cells that differ and whose digits form one of several sets. If the cells are part of a house,
/// the rest of the house has the other digits.
#[derive(Debug)]
pub(crate) struct Sets {
    cells: Box<[u16]>,
    count: usize,
    sets: Box<[DigitSet]>,
    all: DigitSet,
}

impl Sets {
    pub(crate) fn new(
        order: usize,
        cells: Vec<u16>,
        sets: Vec<DigitSet>,
        houses: &[Box<[u16]>],
    ) -> Self {
        let count = cells.len();
        let house = houses.iter().find(|house| cells.iter().all(|cell| house.contains(cell)));
        let rest = house.into_iter().flatten().copied().filter(|cell| !cells.contains(cell));
        let rest: Vec<u16> = rest.collect();
        let all = all_digits(order);
        Self { cells: [cells, rest].concat().into(), count, sets: sets.into(), all }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let (cells, rest) = self.cells.split_at(self.count);
        let union = Union::new(board, cells);
        let open = cells.len() - union.fixed.count_ones() as usize;
        if open == 0 {
            return if self.sets.contains(&union.fixed) { Ok(()) } else { Err(Contradiction) };
        }
        // A digit that the rest of the house cannot have must be in the set.
        let rest_union = if rest.is_empty() { self.all } else { Union::new(board, rest).any };
        let needed = union.fixed | self.all & !rest_union;
        let allowed =
            self.sets.iter().copied().filter(|set| set & !union.any == 0 && needed & !set == 0);
        let (mut any, mut all, mut rest_any) = (0, DigitSet::MAX, 0);
        if open <= 3 {
            let mut places = [(0, 0, 0); 3];
            let mut count = 0;
            for &cell in cells {
                let digits = board.digits(cell);
                if !digits.is_power_of_two() {
                    places[count] = (cell, digits, 0);
                    count += 1;
                }
            }
            for set in allowed {
                if arrange(&mut places[..open], set & !union.fixed) {
                    any |= set;
                    all &= set;
                    rest_any |= !set;
                }
            }
            for (cell, _, kept) in &places[..open] {
                board.keep(*cell, *kept)?;
            }
        } else {
            // The loop has no branches, so that the compiler can vectorize it over several sets.
            for &set in &self.sets {
                let is_allowed = set & !union.any | needed & !set == 0;
                let mask = DigitSet::from(is_allowed).wrapping_neg();
                any |= set & mask;
                all &= set | !mask;
            }
            rest_any = !all;
        }
        if any == 0 {
            return Err(Contradiction);
        }
        apply(board, cells, union, any, all)?;
        if !rest.is_empty() && rest_union & !rest_any != 0 {
            rest.iter().try_for_each(|&cell| board.keep(cell, rest_any))?;
        }
        Ok(())
    }
}

/// Adds to the kept digits of at most three cells all assignments of the digits of `set` to them;
/// returns whether there is an assignment.
fn arrange(places: &mut [(u16, DigitSet, DigitSet)], set: DigitSet) -> bool {
    let first = set & set.wrapping_neg();
    let last = 1 << (15 - set.leading_zeros());
    let middle = set ^ first ^ last;
    let mut is_possible = false;
    let ways: &[[DigitSet; 3]] = match places.len() {
        1 => &[[first, 0, 0]],
        2 => &[[first, last, 0], [last, first, 0]],
        _ => &[
            [first, middle, last],
            [first, last, middle],
            [middle, first, last],
            [middle, last, first],
            [last, first, middle],
            [last, middle, first],
        ],
    };
    for way in ways {
        if places.iter().zip(way).all(|((_, digits, _), digit)| digits & digit != 0) {
            is_possible = true;
            places.iter_mut().zip(way).for_each(|((_, _, kept), digit)| *kept |= digit);
        }
    }
    is_possible
}

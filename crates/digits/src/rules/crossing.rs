//! The rule for houses that cross: outside their common cells, two houses have the same digits.
//!
//! In plain Sudoku, the three rows and the three boxes of a band have nine segments of three cells
//! in common. The rule reads the candidates of each segment once. Then the rule compares unions of
//! segments for all nine pairs of a row and a box, which is cheaper than a rule for each pair.
//!
//! The rules of the houses imply this rule, so omitting it would not change the solutions.
//!
//! Source: Interactive Sudoku Solver (2026) has such a rule for pairs of houses; segments are ours.

use super::super::board::CandidateGrid;
use super::super::{Contradiction, DigitSet};

const SIDE_MAX: usize = 4;
/// Maximum number of segments: the common cells of each pair of houses, and the remaining cells of
/// each house.
const SEGMENTS_MAX: usize = SIDE_MAX * SIDE_MAX + 2 * SIDE_MAX;
/// Minimum number of common cells; houses with fewer hardly restrict each other.
const SHARED_MIN: usize = 2;

#[derive(Debug)]
pub(crate) struct Crossing {
    cells: Box<[u16]>,
    ends: Box<[u16]>,
    pairs: Box<[HousePair]>,
}

#[derive(Debug)]
struct HousePair {
    left: Box<[u8]>,
    right: Box<[u8]>,
    count: u32,
}

type PlacedCell = (Option<usize>, Option<usize>, u16);

impl Crossing {
    pub(crate) fn all(houses: &[Box<[u16]>]) -> Vec<Self> {
        let shared = |one: usize, other: usize| {
            houses[one].iter().filter(|cell| houses[other].contains(cell)).count()
        };
        let shared: Vec<Vec<usize>> = (0..houses.len())
            .map(|one| (0..houses.len()).map(|other| shared(one, other)).collect())
            .collect();
        let are_apart = |one: usize, other: usize| shared[one][other] == 0;
        let is_crossing =
            |one: usize, other: usize| (SHARED_MIN..houses[one].len()).contains(&shared[one][other]);
        let mut is_known = vec![vec![false; houses.len()]; houses.len()];
        let mut rules = Vec::new();
        for one in 0..houses.len() {
            for other in one + 1..houses.len() {
                if is_known[one][other] || !is_crossing(one, other) {
                    continue;
                }
                // Add to each side the houses that are disjoint from its other houses and cross a
                // house of the other side.
                let mut sides = [vec![one], vec![other]];
                for side in [1, 0, 1] {
                    for house in 0..houses.len() {
                        if sides[side].len() < SIDE_MAX
                            && sides[side].iter().all(|&known| are_apart(known, house))
                            && sides[1 - side].iter().any(|&across| is_crossing(house, across))
                        {
                            sides[side].push(house);
                        }
                    }
                }
                let [left, right] = &sides;
                let mut pairs = Vec::new();
                for (row, &one) in left.iter().enumerate() {
                    for (column, &other) in right.iter().enumerate() {
                        if is_crossing(one, other) && !is_known[one][other] {
                            is_known[one][other] = true;
                            is_known[other][one] = true;
                            pairs.push((row, column));
                        }
                    }
                }
                let of = |side: &[usize]| -> Vec<&[u16]> {
                    side.iter().map(|&house| &*houses[house]).collect()
                };
                rules.push(Self::new(&of(left), &of(right), &pairs));
            }
        }
        rules
    }

    fn new(left: &[&[u16]], right: &[&[u16]], pairs: &[(usize, usize)]) -> Self {
        let place = |side: &[&[u16]], cell: &u16| side.iter().position(|house| house.contains(cell));
        let mut placed: Vec<PlacedCell> = [left, right]
            .concat()
            .iter()
            .copied()
            .flatten()
            .map(|cell| (place(left, cell), place(right, cell), *cell))
            .collect();
        placed.sort_unstable();
        placed.dedup();
        let segments: Vec<&[PlacedCell]> =
            placed.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)).collect();
        debug_assert!(segments.len() <= SEGMENTS_MAX, "each side has at most {SIDE_MAX} houses");
        let pair = |&(row, column): &(usize, usize)| {
            let numbers = |is_part: &dyn Fn((Option<usize>, Option<usize>)) -> bool| {
                let places = segments.iter().map(|segment| (segment[0].0, segment[0].1));
                places
                    .enumerate()
                    .filter(|&(_, at)| is_part(at))
                    .map(|(number, _)| number as u8)
                    .collect()
            };
            let (row, column) = (Some(row), Some(column));
            let own: Box<[u8]> = numbers(&|at| at.0 == row && at.1 != column);
            let count = own.iter().map(|&number| segments[usize::from(number)].len()).sum::<usize>();
            HousePair {
                left: own,
                right: numbers(&|at| at.0 != row && at.1 == column),
                count: count as u32,
            }
        };
        let pairs = pairs.iter().map(pair).collect();
        let mut end = 0;
        let ends = segments.iter().map(|segment| {
            end += segment.len() as u16;
            end
        });
        Self { ends: ends.collect(), pairs, cells: placed.iter().map(|&(_, _, cell)| cell).collect() }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let mut unions: [DigitSet; SEGMENTS_MAX] = [0; SEGMENTS_MAX];
        let mut begin = 0;
        for (union, &end) in unions.iter_mut().zip(&self.ends) {
            let cells = &self.cells[begin..usize::from(end)];
            *union = cells.iter().fold(0, |all, &cell| all | board.digits(cell));
            begin = usize::from(end);
        }
        for pair in &self.pairs {
            let union =
                |side: &[u8]| side.iter().fold(0, |all, &segment| all | unions[usize::from(segment)]);
            let (left, right) = (union(&pair.left), union(&pair.right));
            if left == right {
                continue;
            }
            let common = left & right;
            if common.count_ones() < pair.count {
                return Err(Contradiction);
            }
            for &segment in pair.left.iter().chain(&pair.right) {
                let segment = usize::from(segment);
                if unions[segment] & !common == 0 {
                    continue;
                }
                unions[segment] &= common;
                let begin = segment.checked_sub(1).map_or(0, |before| self.ends[before]);
                let cells = &self.cells[usize::from(begin)..usize::from(self.ends[segment])];
                cells.iter().try_for_each(|&cell| board.keep(cell, common))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn houses(size: usize) -> Vec<Box<[u16]>> {
        let order = size * size;
        let house =
            |cell: &dyn Fn(usize) -> usize| (0..order).map(|place| cell(place) as u16).collect();
        let mut houses: Vec<Box<[u16]>> = Vec::new();
        for number in 0..order {
            houses.push(house(&|place| number * order + place));
            houses.push(house(&|place| place * order + number));
            let corner = number / size * size * order + number % size * size;
            houses.push(house(&|place| corner + place / size * order + place % size));
        }
        houses
    }

    #[test]
    fn every_region_and_line_that_cross_share_exactly_one_crossing_rule() {
        for size in [2, 3, 4] {
            let rules = Crossing::all(&houses(size));
            let pairs: usize = rules.iter().map(|rule| rule.pairs.len()).sum();
            assert_eq!(pairs, 2 * size.pow(3));
            assert_eq!(rules.len(), 2 * size);
            for rule in &rules {
                assert_eq!(rule.cells.len(), size.pow(3));
                for pair in &rule.pairs {
                    assert_eq!((pair.left.len(), pair.right.len()), (size - 1, size - 1));
                    assert_eq!(pair.count as usize, size * (size - 1));
                }
            }
        }
    }
}

//! Random cages of a killer Sudoku for a given solution.
//!
//! # Method
//! [`Cages::draw`] grows cages cell by cell to random sizes. Each cage starts at the cell with the
//! fewest free neighbors. A cage that stays too small is joined with a neighboring cage, or takes a
//! cell from one. The caller then searches for another solution that satisfies all cages, and
//! [`Cages::exclude`] changes the cages to exclude it. Either a cell where the two solutions differ
//! moves to an adjacent cage, or a cage is divided into parts whose sums differ between the
//! solutions. Among the possible changes, it chooses the one that lets the fewest earlier excluded
//! solutions back in.
//!
//! Invariant: every cell is in one cage. A cage is connected, has an allowed size, and contains no
//! digit twice in the solution.

use std::ops::RangeInclusive;

use dlx::Random;

use super::neighbors::{hang_together, neighbors};

/// Maximum number of remembered solutions that were excluded; the most recent ones are kept.
const OTHERS_MAX: usize = 64;
/// Maximum number of attempts to grow cages that are all large enough.
const DRAWS_MAX: usize = 50;

/// Cages that partition the cells of a grid, for a given solution.
///
/// ```
/// use farandole::generate::cages::Cages;
///
/// let solution = [0, 1, 2, 3, 2, 3, 0, 1, 1, 0, 3, 2, 3, 2, 1, 0];
/// let cages = Cages::draw([4, 4], &solution, 2..=3, &mut dlx::Random::new(1)).expect("they are easy to find");
/// assert_eq!(cages.list().iter().map(Vec::len).sum::<usize>(), 16);
/// assert!(cages.list().iter().all(|cage| (2..=3).contains(&cage.len())));
/// ```
#[derive(Clone, Debug)]
pub struct Cages {
    size: [usize; 2],
    solution: Vec<usize>,
    sizes: RangeInclusive<usize>,
    /// The cells of each cage in ascending order; empty for a cage that was merged into another.
    cages: Vec<Vec<usize>>,
    cage_of: Vec<usize>,
    others: Vec<Vec<usize>>,
}

struct CageChange {
    cells: Vec<usize>,
    from: usize,
    to: usize,
}

impl Cages {
    /// Draws cages of the given sizes for a grid of `size` (rows and columns) with this solution.
    /// Returns `None` if no such cages were found.
    ///
    /// # Panics
    /// If the solution does not have one symbol per cell.
    #[must_use]
    pub fn draw(
        size: [usize; 2],
        solution: &[usize],
        sizes: RangeInclusive<usize>,
        random: &mut Random,
    ) -> Option<Self> {
        assert_eq!(solution.len(), size[0] * size[1], "a digit for each cell");
        (0..DRAWS_MAX).find_map(|_| {
            let mut cages = Self {
                size,
                solution: solution.to_vec(),
                sizes: sizes.clone(),
                cages: Vec::new(),
                cage_of: vec![usize::MAX; solution.len()],
                others: Vec::new(),
            };
            cages.grow(random);
            cages.mend(random).then_some(cages)
        })
    }

    /// Returns the cells of each cage in ascending order; the cages are sorted by their first
    /// cells.
    #[must_use]
    pub fn list(&self) -> Vec<Vec<usize>> {
        let mut list: Vec<Vec<usize>> =
            self.cages.iter().filter(|cage| !cage.is_empty()).cloned().collect();
        list.sort_unstable();
        list
    }

    /// Changes the cages to exclude `other`, a grid that satisfies all of them; returns `false` if
    /// this is impossible. If `divides` holds, dividing a cage is tried before moving a cell.
    pub fn exclude(&mut self, other: &[usize], divides: bool, random: &mut Random) -> bool {
        if self.others.len() == OTHERS_MAX {
            self.others.remove(0);
        }
        self.others.push(other.to_vec());
        [divides, !divides].into_iter().any(|divides| {
            let mut changes: Vec<CageChange> = if divides {
                (0..self.cages.len()).flat_map(|cage| self.parts_of(cage, random)).collect()
            } else {
                let differs = |cell: &usize| self.solution[*cell] != other[*cell];
                (0..self.solution.len()).filter(differs).flat_map(|cell| self.moves_of(cell)).collect()
            };
            random.shuffle(&mut changes);
            let best = changes.into_iter().min_by_key(|change| self.survivors(change));
            match best.filter(|change| !self.satisfied_after(change, other)) {
                Some(change) => {
                    self.make(&change);
                    true
                }
                None => false,
            }
        })
    }

    /// Joins two adjacent cages that touch at a cell where `is_near` holds. Returns `false` if no
    /// such pair can be joined.
    pub fn join(&mut self, is_near: impl Fn(usize) -> bool, random: &mut Random) -> bool {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for cell in 0..self.solution.len() {
            let one = self.cage_of[cell];
            let beside = self.neighbors(cell).filter(|&next| is_near(cell) || is_near(next));
            pairs.extend(beside.map(|next| (one, self.cage_of[next])));
        }
        pairs.retain(|&(one, other)| one < other && self.can_join(one, other));
        pairs.sort_unstable();
        pairs.dedup();
        if pairs.is_empty() {
            return false;
        }
        let (one, other) = pairs[random.below(pairs.len())];
        let cells = self.cages[other].clone();
        self.make(&CageChange { cells, from: other, to: one });
        true
    }

    /// Divides a cage with a cell where `is_near` holds. Returns `false` if no such cage can be
    /// divided.
    pub fn divide(&mut self, is_near: impl Fn(usize) -> bool, random: &mut Random) -> bool {
        let is_there = |cage: &usize| self.cages[*cage].iter().any(|&cell| is_near(cell));
        let cages = (0..self.cages.len()).filter(is_there);
        let changes: Vec<CageChange> = cages.flat_map(|cage| self.parts_of(cage, random)).collect();
        self.make_random(changes, random)
    }

    /// Moves a cell where `is_near` holds to an adjacent cage. Returns `false` if no such cell can
    /// move.
    pub fn move_cell(&mut self, is_near: impl Fn(usize) -> bool, random: &mut Random) -> bool {
        let cells = (0..self.solution.len()).filter(|&cell| is_near(cell));
        let changes: Vec<CageChange> = cells.flat_map(|cell| self.moves_of(cell)).collect();
        self.make_random(changes, random)
    }

    fn make_random(&mut self, mut changes: Vec<CageChange>, random: &mut Random) -> bool {
        if changes.is_empty() {
            return false;
        }
        let change = changes.swap_remove(random.below(changes.len()));
        self.make(&change);
        true
    }

    fn grow(&mut self, random: &mut Random) {
        let (least, most) = (*self.sizes.start(), *self.sizes.end());
        loop {
            let is_free = |cell: &usize| self.cage_of[*cell] == usize::MAX;
            let mut free: Vec<usize> = (0..self.solution.len()).filter(is_free).collect();
            random.shuffle(&mut free);
            let room = |cell: &usize| self.neighbors(*cell).filter(is_free).count();
            let Some(start) = free.into_iter().min_by_key(room) else { return };
            let wanted = least + random.below(most - least + 1);
            let cage = self.cages.len();
            self.cages.push(vec![start]);
            self.cage_of[start] = cage;
            while self.cages[cage].len() < wanted {
                let around = self.cages[cage].iter().flat_map(|&cell| self.neighbors(cell));
                let is_next =
                    |cell: &usize| self.cage_of[*cell] == usize::MAX && !self.has_digit(cage, *cell);
                let next: Vec<usize> = around.filter(is_next).collect();
                if next.is_empty() {
                    break;
                }
                let cell = next[random.below(next.len())];
                self.cages[cage].push(cell);
                self.cage_of[cell] = cage;
            }
            self.cages[cage].sort_unstable();
        }
    }

    /// Enlarges cages that are too small. Returns whether all cages are now large enough.
    fn mend(&mut self, random: &mut Random) -> bool {
        let least = *self.sizes.start();
        for cage in 0..self.cages.len() {
            while (1..least).contains(&self.cages[cage].len()) {
                let around: Vec<usize> =
                    self.cages[cage].iter().flat_map(|&cell| self.neighbors(cell)).collect();
                let mut changes: Vec<CageChange> = Vec::new();
                for &cell in around.iter().filter(|&&cell| self.cage_of[cell] != cage) {
                    let from = self.cage_of[cell];
                    if self.can_join(cage, from) {
                        changes.push(CageChange {
                            cells: self.cages[cage].clone(),
                            from: cage,
                            to: from,
                        });
                    }
                    changes.extend(self.moves_of(cell).filter(|change| change.to == cage));
                }
                if changes.is_empty() {
                    return false;
                }
                let change = changes.swap_remove(random.below(changes.len()));
                self.make(&change);
            }
        }
        true
    }

    fn neighbors(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        neighbors(self.size, cell)
    }

    fn has_digit(&self, cage: usize, cell: usize) -> bool {
        self.cages[cage].iter().any(|&other| self.solution[other] == self.solution[cell])
    }

    fn can_join(&self, one: usize, other: usize) -> bool {
        one != other
            && self.cages[one].len() + self.cages[other].len() <= *self.sizes.end()
            && !self.cages[other].iter().any(|&cell| self.has_digit(one, cell))
    }

    fn moves_of(&self, cell: usize) -> impl Iterator<Item = CageChange> + use<> {
        let from = self.cage_of[cell];
        let rest: Vec<usize> =
            self.cages[from].iter().copied().filter(|&other| other != cell).collect();
        let can_leave = rest.len() >= *self.sizes.start() && hang_together(self.size, &rest);
        let mut to: Vec<usize> = self.neighbors(cell).map(|next| self.cage_of[next]).collect();
        to.sort_unstable();
        to.dedup();
        to.retain(|&to| {
            can_leave
                && to != from
                && self.cages[to].len() < *self.sizes.end()
                && !self.has_digit(to, cell)
        });
        to.into_iter().map(move |to| CageChange { cells: vec![cell], from, to })
    }

    /// Returns possible divisions of a cage: from each of its cells, a random walk adds one cell
    /// after the other, and each prefix is a possible part.
    fn parts_of(&self, cage: usize, random: &mut Random) -> Vec<CageChange> {
        let (cells, least) = (&self.cages[cage], *self.sizes.start());
        let mut changes = Vec::new();
        if cells.len() < 2 * least {
            return changes;
        }
        for &start in cells {
            let mut part = vec![start];
            loop {
                let rest: Vec<usize> =
                    cells.iter().copied().filter(|cell| !part.contains(cell)).collect();
                if part.len() >= least && hang_together(self.size, &rest) {
                    let cells = part.clone();
                    changes.push(CageChange { cells, from: cage, to: self.cages.len() });
                }
                if rest.len() <= least {
                    break;
                }
                let around = part.iter().flat_map(|&cell| self.neighbors(cell));
                let next: Vec<usize> = around.filter(|cell| rest.contains(cell)).collect();
                part.push(next[random.below(next.len())]);
            }
        }
        changes
    }

    fn survivors(&self, change: &CageChange) -> usize {
        self.others.iter().filter(|other| self.satisfied_after(change, other)).count()
    }

    /// Returns whether a grid satisfies all cages after a change, that is, their sums and their
    /// distinct digits.
    fn satisfied_after(&self, CageChange { cells, from, to }: &CageChange, grid: &[usize]) -> bool {
        let rest: Vec<usize> =
            self.cages[*from].iter().copied().filter(|cell| !cells.contains(cell)).collect();
        let mut joined = self.cages.get(*to).cloned().unwrap_or_default();
        joined.extend(cells);
        let is_same = |&cage: &usize| cage != *from && cage != *to;
        let others = (0..self.cages.len()).filter(is_same).map(|cage| &self.cages[cage]);
        others.chain([&rest, &joined]).all(|cage| {
            let sum = |digits: &[usize]| cage.iter().map(|&cell| digits[cell]).sum::<usize>();
            let is_twice = |at: usize| cage[..at].iter().any(|&cell| grid[cell] == grid[cage[at]]);
            sum(grid) == sum(&self.solution) && !(0..cage.len()).any(is_twice)
        })
    }

    fn make(&mut self, CageChange { cells, from, to }: &CageChange) {
        if *to == self.cages.len() {
            self.cages.push(Vec::new());
        }
        self.cages[*from].retain(|cell| !cells.contains(cell));
        self.cages[*to].extend(cells);
        self.cages[*to].sort_unstable();
        for &cell in cells {
            self.cage_of[cell] = *to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solution() -> Vec<usize> {
        (0..81).map(|cell| (cell / 9 * 3 + cell / 27 + cell % 9) % 9).collect()
    }

    fn check(cages: &Cages) {
        let list = cages.list();
        let mut cells = list.concat();
        cells.sort_unstable();
        assert_eq!(cells, (0..cages.solution.len()).collect::<Vec<_>>(), "{list:?}");
        for cage in &list {
            assert!(cages.sizes.contains(&cage.len()), "{list:?}");
            assert!(hang_together(cages.size, cage), "{list:?}");
            let mut digits: Vec<usize> = cage.iter().map(|&cell| cages.solution[cell]).collect();
            digits.sort_unstable();
            digits.dedup();
            assert_eq!(digits.len(), cage.len(), "{list:?}");
        }
        for (number, cells) in cages.cages.iter().enumerate() {
            assert!(cells.iter().all(|&cell| cages.cage_of[cell] == number));
        }
    }

    #[test]
    fn drawn_cages_stay_valid_after_every_change() {
        for (seed, sizes) in [2..=5, 1..=3, 2..=2, 3..=4, 1..=9, 3..=3].into_iter().enumerate() {
            let mut random = Random::new(seed as u64);
            let drawn = Cages::draw([9, 9], &solution(), sizes.clone(), &mut random);
            let Some(mut cages) = drawn else {
                assert_eq!(sizes, 2..=2);
                continue;
            };
            check(&cages);
            for step in 0..200 {
                let digits = [random.below(9), random.below(9)];
                let other = |&digit: &usize| match digits.iter().position(|it| *it == digit) {
                    Some(place) => digits[1 - place],
                    None => digit,
                };
                let other: Vec<usize> = cages.solution.iter().map(other).collect();
                match step % 4 {
                    0 => drop(cages.join(|cell| step % 8 < 4 || cell < 40, &mut random)),
                    1 => drop(cages.divide(|cell| step % 8 < 4 || cell < 40, &mut random)),
                    2 if step % 8 < 4 => drop(cages.move_cell(|cell| cell > 20, &mut random)),
                    _ if digits[0] != digits[1] => {
                        let is_excluded = cages.exclude(&other, step % 8 < 4, &mut random);
                        let has_sums = cages.list().iter().all(|cage| {
                            let sum =
                                |grid: &[usize]| cage.iter().map(|&cell| grid[cell]).sum::<usize>();
                            sum(&other) == sum(&cages.solution)
                        });
                        assert!(!(is_excluded && has_sums));
                    }
                    _ => {}
                }
                check(&cages);
            }
        }
    }
}

//! Canonical forms of 9x9 Sudoku, and the maps to them.
//!
//! Two grids are equivalent if a [`Map`] takes one to the other. A map renames digits, permutes
//! bands, stacks, rows of a band and columns of a stack, and may transpose. There are 3,359,232
//! times 362,880 maps. The canonical form of a full grid is its smallest image, compared as text of
//! 81 digits row by row (*row-minlex*). The canonical form of a puzzle is also an image of the
//! puzzle, under a map from its solution to the canonical form of the solution. The canonical form
//! is the smallest such image, where a point sorts before a digit. If the puzzle has several
//! solutions, only the solutions with the smallest canonical form are considered.
//!
//! # Method
//! The first row of any image is `123456789`. So the second row is determined by two rows of a band
//! (or columns of a stack) and an order of the columns. The digit of the second row in a column is
//! in some column of the first row; let `p` be the permutation that maps the former column to the
//! latter. Then the second row is `p`, with columns named by their new positions. The optimal
//! orders of columns follow from `p`:
//! - If `p` maps all three columns of a stack to one other stack, the second row begins with
//!   `456789`, and the order of the columns of the first stack is free.
//! - Otherwise `p` maps two columns of a stack to a stack X and one to a stack Y. The second row
//!   begins with `457`. In this case only two orders of the columns remain: the first two columns
//!   may be exchanged, and the last two columns of Y are numbered in the order of their appearance.
//!
//! So there are 6 * 6 * 3 * 2 (or 6) candidates. For the candidates with the smallest second row,
//! the third row follows, and the other rows are sorted by their first digits. The candidates that
//! tie at the end are the automorphisms of the grid.
//!
//! Source: row-minlex forms are folklore of the Sudoku forums (2007); the choice of candidates by
//! `p` is ours.

mod map;

pub use map::Map;

use crate::answer::solutions::Solutions;
use crate::model::board::{Board, CellError};

/// A grid or a puzzle in its canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Canonical {
    /// The puzzle in canonical form, as digits and points for blanks.
    pub puzzle: [u8; 81],
    /// The solution of the canonical puzzle. If there are several, a solution with the smallest
    /// canonical form.
    pub solution: [u8; 81],
    /// A map from the input to the canonical form.
    pub map: Map,
    /// Number of automorphisms of the canonical form of the solution.
    pub automorphisms: u32,
}

/// Returns the canonical form of a full grid of digits.
///
/// ```
/// use sudoku9::canonical;
///
/// let grid = sudoku9::generate::full_grid(1, 0);
/// let canonical = canonical::of_grid(&grid);
/// assert!(canonical.puzzle.starts_with(b"12345678945"));
/// assert_eq!(canonical.map.apply(&grid), canonical.puzzle);
/// ```
///
/// # Panics
/// If `grid` is not a full grid.
#[must_use]
pub fn of_grid(grid: &[u8; 81]) -> Canonical {
    of_solved(grid, grid)
}

/// Returns the canonical form of a puzzle whose only solution is known.
///
/// # Panics
/// If `solution` is not a full grid.
#[must_use]
pub fn of_solved(puzzle: &[u8; 81], solution: &[u8; 81]) -> Canonical {
    let mut search = LeastImage::new(solution);
    search.run();
    let grid = search.best.map(|digit| b'1' + digit);
    let maps = search.ties.iter().map(|tie| search.map(tie));
    let images = maps.map(|map| (map.apply(puzzle), map));
    let (puzzle, map) = images.min_by_key(|(image, _)| *image).expect("a grid has a least image");
    Canonical { puzzle, solution: grid, map, automorphisms: search.ties.len() as u32 }
}

/// Returns the canonical form of a puzzle with at most `solutions_max` solutions; `None` if it has
/// more solutions, or none.
///
/// ```
/// use sudoku9::canonical;
///
/// let puzzle = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// // Transpose, and rename the digits.
/// let mut other = [b'.'; 81];
/// for cell in 0..81 {
///     let digit = puzzle[cell % 9 * 9 + cell / 9];
///     other[cell] = if digit == b'.' { b'.' } else { b'1' + b'9' - digit };
/// }
/// let [one, two] = [puzzle, &other].map(|puzzle| canonical::of_puzzle(puzzle, 1).expect("cells").expect("one solution"));
/// assert_eq!(one.puzzle, two.puzzle);
/// let map = one.map.then(&two.map.inverse());
/// assert_eq!(map.apply(puzzle), other);
/// ```
///
/// # Errors
/// The first character that is neither a digit nor a blank.
pub fn of_puzzle(puzzle: &[u8; 81], solutions_max: usize) -> Result<Option<Canonical>, CellError> {
    let mut solutions = Solutions::new(&Board::from_line(puzzle)?);
    let points = puzzle.map(|c| if c.is_ascii_digit() && c != b'0' { c } else { b'.' });
    let forms = solutions.by_ref().take(solutions_max);
    let least = forms.map(|solution| of_solved(&points, &solution));
    let least = least.min_by(|a, b| (a.solution, a.puzzle).cmp(&(b.solution, b.puzzle)));
    Ok(least.filter(|_| solutions.next().is_none()))
}

#[derive(Clone, Copy)]
struct Candidate {
    is_transposed: bool,
    rows: [u8; 2],
    columns: [u8; 9],
}

struct LeastImage {
    grids: [[[u8; 9]; 9]; 2],
    places: [[[u8; 9]; 9]; 2],
    second: u64,
    candidates: Vec<Candidate>,
    best: [u8; 81],
    ties: Vec<Candidate>,
}

impl LeastImage {
    fn new(grid: &[u8; 81]) -> Self {
        let mut grids = [[[0; 9]; 9]; 2];
        let mut places = grids;
        let mut seen = [0_u16; 27];
        for (cell, &c) in grid.iter().enumerate() {
            let (row, column) = (cell / 9, cell % 9);
            let digit = c.wrapping_sub(b'1').min(15);
            seen[row] |= 1 << digit;
            seen[9 + column] |= 1 << digit;
            seen[18 + row / 3 * 3 + column / 3] |= 1 << digit;
            for (side, (row, column)) in [(row, column), (column, row)].into_iter().enumerate() {
                grids[side][row][column] = digit;
                places[side][row][usize::from(digit.min(8))] = column as u8;
            }
        }
        assert!(seen == [0x1ff; 27], "a full grid has each digit once in each row, column and box");
        let (candidates, ties) = (Vec::with_capacity(64), Vec::with_capacity(8));
        Self { grids, places, second: u64::MAX, candidates, best: [u8::MAX; 81], ties }
    }

    fn run(&mut self) {
        for side in 0..2 {
            for first in 0..9 {
                for second in (first / 3 * 3..first / 3 * 3 + 3).filter(|&second| second != first) {
                    self.try_rows(side, first, second);
                }
            }
        }
        for candidate in std::mem::take(&mut self.candidates) {
            self.finish(candidate);
        }
    }

    /// Tries the orders of columns that may give the smallest second row, for two rows of a band.
    fn try_rows(&mut self, side: usize, first: usize, second: usize) {
        let places = self.places[side][first];
        let below = self.grids[side][second].map(|digit| places[usize::from(digit)]);
        let of = |column: u8| below[usize::from(column)];
        let rows = [first as u8, second as u8];
        for stack in 0..3_u8 {
            let own = [3 * stack, 3 * stack + 1, 3 * stack + 2];
            let from = own.map(|column| of(column) / 3);
            if from[0] == from[1] && from[1] == from[2] {
                for order in ORDERS {
                    let a = order.map(|place| own[place]);
                    let b = a.map(of);
                    let c = b.map(of);
                    let columns = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
                    self.add(&below, Candidate { is_transposed: side == 1, rows, columns });
                }
                continue;
            }
            // A smaller second row was already found, from a pair of rows where all digits below a
            // stack come from one other stack.
            if self.second < MIXED {
                continue;
            }
            let alone = if from[0] == from[1] {
                2
            } else if from[0] == from[2] {
                1
            } else {
                0
            };
            let pair = [usize::from(alone == 0), if alone == 2 { 1 } else { 2 }];
            for [one, two] in [pair, [pair[1], pair[0]]] {
                let a = [own[one], own[two], own[alone]];
                let (x, y) = (from[one], from[alone]);
                let (x0, x1, y0) = (of(a[0]), of(a[1]), of(a[2]));
                let under = of(x0);
                let fourth = a.iter().position(|&column| column == under).unwrap_or(7);
                if fourth as u64 > self.second >> 20 & 15 {
                    continue;
                }
                let x2 = 9 * x + 3 - x0 - x1;
                // The first column of X above a digit of Y determines the next column of Y.
                let x_columns = [x0, x1, x2];
                let y1 = x_columns.iter().map(|&column| of(column)).find(|&column| column / 3 == y);
                let y1 = y1.unwrap_or(y0);
                let y2 = (9 * y + 3).wrapping_sub(y0).wrapping_sub(y1);
                let columns = [a[0], a[1], a[2], x0, x1, x2, y0, y1, y2];
                self.add(&below, Candidate { is_transposed: side == 1, rows, columns });
            }
        }
    }

    /// Keeps a candidate unless another one has a smaller second row.
    #[inline]
    fn add(&mut self, below: &[u8; 9], candidate: Candidate) {
        let mut names = [0; 16];
        for (name, &column) in candidate.columns.iter().enumerate() {
            names[usize::from(column & 15)] = name as u64;
        }
        let second = candidate
            .columns
            .iter()
            .fold(0, |row, &column| row << 4 | names[usize::from(below[usize::from(column % 9)])]);
        if second < self.second {
            self.second = second;
            self.candidates.clear();
        }
        if second == self.second {
            self.candidates.push(candidate);
        }
    }

    fn finish(&mut self, candidate: Candidate) {
        let side = usize::from(candidate.is_transposed);
        let names = self.names(&candidate);
        let mut is_less = self.ties.is_empty();
        for (place, row) in self.rows(&candidate).into_iter().enumerate() {
            let row = &self.grids[side][usize::from(row)];
            let image = candidate.columns.map(|column| names[usize::from(row[usize::from(column)])]);
            let best = &mut self.best[9 * place..9 * place + 9];
            if !is_less {
                match image.as_slice().cmp(best) {
                    std::cmp::Ordering::Less => is_less = true,
                    std::cmp::Ordering::Equal => continue,
                    std::cmp::Ordering::Greater => return,
                }
            }
            best.copy_from_slice(&image);
        }
        if is_less {
            self.ties.clear();
        }
        self.ties.push(candidate);
    }

    /// Returns the new names of the digits, which are their columns in the first row.
    fn names(&self, candidate: &Candidate) -> [u8; 9] {
        let row = &self.grids[usize::from(candidate.is_transposed)][usize::from(candidate.rows[0])];
        let mut names = [0; 9];
        for (name, &column) in candidate.columns.iter().enumerate() {
            names[usize::from(row[usize::from(column)])] = name as u8;
        }
        names
    }

    /// Returns the order of the rows. The first band has the chosen rows; the other rows are sorted
    /// by their digits in the first column.
    fn rows(&self, candidate: &Candidate) -> [u8; 9] {
        let grid = &self.grids[usize::from(candidate.is_transposed)];
        let names = self.names(candidate);
        let [first, second] = candidate.rows;
        let band = first / 3;
        let column = usize::from(candidate.columns[0]);
        let mut row_of = [u8::MAX; 9];
        for row in (0..9).filter(|row| row / 3 != usize::from(band)) {
            row_of[usize::from(names[usize::from(grid[row][column])])] = row as u8;
        }
        let mut rest = row_of.into_iter().filter(|&row| row != u8::MAX);
        let next = rest.clone().next().map_or(0, |row| row / 3);
        let in_band =
            |band: u8| row_of.into_iter().filter(move |&row| row != u8::MAX && row / 3 == band);
        let last = rest.find(|row| row / 3 != next).map_or(0, |row| row / 3);
        let head = [first, second, 9 * band + 3 - first - second];
        let mut all = head.into_iter().chain(in_band(next)).chain(in_band(last));
        std::array::from_fn(|_| all.next().unwrap_or_default())
    }

    fn map(&self, candidate: &Candidate) -> Map {
        Map {
            is_transposed: candidate.is_transposed,
            rows: self.rows(candidate),
            columns: candidate.columns,
            digits: self.names(candidate),
        }
    }
}

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
/// Second rows that begin with `456` are below this number, and all others are above (four bits per
/// digit, digits from 0).
const MIXED: u64 = 0x346_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::RandomStream;
    use crate::generate::full_grid;

    const MOST: &[u8; 81] =
        b"123456789456789123789123456231564897564897231897231564312645978645978312978312645";

    fn draw(random: &mut RandomStream) -> Map {
        let mut lines = || {
            let mut bands = [0, 1, 2];
            random.shuffle(&mut bands);
            let mut lines = [0; 9];
            for (lines, band) in lines.chunks_mut(3).zip(bands) {
                lines.copy_from_slice(&[3 * band, 3 * band + 1, 3 * band + 2]);
                random.shuffle(lines);
            }
            lines
        };
        let (rows, columns) = (lines(), lines());
        let mut digits = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        random.shuffle(&mut digits);
        Map { is_transposed: random.below(2) == 1, rows, columns, digits }
    }

    #[test]
    fn isomorphic_grids_have_the_same_canonical_form_and_their_maps_apply() {
        let mut random = RandomStream::new(1, 1);
        for number in 0..300 {
            let grid = if number < 20 { *MOST } else { full_grid(5, number) };
            let mut puzzle = grid;
            puzzle.iter_mut().for_each(|c| {
                if random.below(3) > 0 {
                    *c = b'.';
                }
            });
            let form = of_solved(&puzzle, &grid);
            let map = draw(&mut random);
            let (other, other_grid) = (map.apply(&puzzle), map.apply(&grid));
            let other_form = of_solved(&other, &other_grid);
            assert_eq!((form.puzzle, form.solution), (other_form.puzzle, other_form.solution));
            assert_eq!(form.map.apply(&puzzle), form.puzzle);
            assert_eq!(form.map.then(&other_form.map.inverse()).apply(&puzzle), other);
            assert_eq!(map.inverse().apply(&other), puzzle);
        }
    }

    #[test]
    fn the_canonical_form_is_the_smallest_image() {
        let lines: Vec<[usize; 9]> = {
            let mut all = Vec::new();
            for bands in ORDERS {
                for code in 0..216 {
                    let within = [ORDERS[code % 6], ORDERS[code / 6 % 6], ORDERS[code / 36]];
                    all.push(std::array::from_fn(|k| 3 * bands[k / 3] + within[k / 3][k % 3]));
                }
            }
            all
        };
        for grid in [full_grid(2, 0), *MOST] {
            let mut least = [u8::MAX; 81];
            let mut count = 0;
            for side in 0..2 {
                let at = |row: usize, column: usize| {
                    grid[if side == 0 { 9 * row + column } else { 9 * column + row }]
                };
                for columns in &lines {
                    for rows in &lines {
                        let mut names = [0; 256];
                        (0..9)
                            .for_each(|k| names[usize::from(at(rows[0], columns[k]))] = b'1' + k as u8);
                        let image =
                            |cell: usize| names[usize::from(at(rows[cell / 9], columns[cell % 9]))];
                        match (9..81).map(|cell| (image(cell), least[cell])).find(|(a, b)| a != b) {
                            None => count += 1,
                            Some((a, b)) if a < b => {
                                least = std::array::from_fn(image);
                                count = 1;
                            }
                            Some(_) => {}
                        }
                    }
                }
            }
            let form = of_grid(&grid);
            assert_eq!((form.puzzle, form.automorphisms), (least, count));
        }
    }

    #[test]
    fn automorphism_counts_match_known_values() {
        assert_eq!(of_grid(MOST).automorphisms, 648);
        assert!((0..200).all(|number| of_grid(&full_grid(3, number)).automorphisms == 1));
    }

    #[test]
    fn puzzles_with_several_solutions_have_a_canonical_form() {
        let open = b"...........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
        let mut random = RandomStream::new(1, 2);
        let form = of_puzzle(open, 1000).expect("cells").expect("few solutions");
        for _ in 0..3 {
            let other = draw(&mut random).apply(open);
            assert_eq!(of_puzzle(&other, 1000).expect("cells").expect("as many").puzzle, form.puzzle);
        }
        assert_eq!(of_puzzle(open, 10), Ok(None));
        assert_eq!(of_puzzle(&[b'1'; 81], 10), Ok(None));
    }
}

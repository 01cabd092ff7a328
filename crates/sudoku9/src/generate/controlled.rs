//! Generates minimal puzzles with controlled bias. Clues are deleted in random order until there
//! are several solutions. The last puzzle with one solution is kept if it is minimal.
//!
//! # Method
//! Nearly all tries fail, so a try is rejected as early as possible.
//! 1. Draw [`CLUES_MAX`] cells in random order. The puzzles of the try are the prefixes of this
//!    list, since clues are deleted from its end.
//! 2. An *unavoidable set* is the set of cells where the full grid differs from another full grid.
//!    A puzzle without a clue in such a set has both grids as solutions. The known sets give a
//!    lower bound on the length of the prefix, or reject the try.
//! 3. If a clue of the shortest possible prefix is a hidden single given the other clues, it is
//!    also one in all longer prefixes, so no prefix is minimal.
//! 4. Search for another solution of the shortest possible prefix. If there is one, it gives a new
//!    unavoidable set, and step 2 is repeated. Otherwise this prefix is the last puzzle with one
//!    solution, and it is kept if each clue is needed.
//!
//! [`TRIES`] tries share a full grid and its unavoidable sets. For a given grid the tries are
//! independent, and all pairs of a grid and an order are equally likely.
//!
//! Memory: [`SETS_MAX`] sets of the current grid, and the puzzles of a run.

use std::ops::{ControlFlow, Range};

use limits::{Limit, Limits};

use super::full;
use super::random::RandomStream;
use super::{CLUES_MAX, Generated, Recipe, Yield};
use crate::lanes::Lanes;
use crate::model::batch::Batch;
use crate::model::board::Board;

/// Number of tries that share a full grid. One grid in 31 yields a puzzle.
const TRIES: u64 = 1 << 13;
const BETWEEN_LOOKS: u64 = 1 << 10;
/// Maximum number of unavoidable sets kept per grid, and maximum number of cells of such a set.
/// Larger sets reject hardly any try.
const SETS_MAX: usize = 512;
const CELLS_MAX: u32 = 18;

const ROW: u128 = 0x1ff;
const COLUMN: u128 = {
    let (mut column, mut row) = (0, 0);
    while row < 9 {
        column |= 1 << (9 * row);
        row += 1;
    }
    column
};
const BOX: u128 = 0b111 | 0b111 << 9 | 0b111 << 18;

const HOUSES: [[u128; 3]; 81] = {
    let mut houses = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        houses[cell] = [ROW << (9 * row), COLUMN << column, BOX << (27 * (row / 3) + 3 * (column / 3))];
        cell += 1;
    }
    houses
};

struct KnownGrid {
    /// The digit of each cell (1 to 9), and the cells of each digit.
    solution: [u8; 81],
    digits: [u128; 9],
    sets: Vec<u128>,
}

pub(super) fn run(
    lanes: &mut Lanes,
    recipe: &Recipe,
    numbers: Range<u64>,
    limits: &Limits,
) -> Result<Yield, Limit> {
    let mut yielded = Yield::default();
    let mut first = numbers.start / TRIES * TRIES;
    while first < numbers.end {
        let mut random = RandomStream::new(recipe.seed, first);
        let mut known = KnownGrid::new(full::grid(&mut random));
        let mut order: [u8; 81] = std::array::from_fn(|cell| cell as u8);
        for number in first..(first + TRIES).min(numbers.end) {
            if number % BETWEEN_LOOKS == 0 {
                limits.check()?;
            }
            if let Some(puzzle) = known.attempt(&mut random, &mut order, recipe, lanes)
                && numbers.contains(&number)
            {
                let clues = puzzle.count_ones();
                if recipe.clues.contains(&clues) {
                    yielded.puzzles.push(known.show(number, puzzle));
                } else {
                    yielded.add_other(clues, &recipe.clues);
                }
            }
        }
        first += TRIES;
    }
    Ok(yielded)
}

impl KnownGrid {
    fn new(solution: [u8; 81]) -> Self {
        let mut digits = [0; 9];
        for (cell, &digit) in solution.iter().enumerate() {
            digits[usize::from(digit - 1)] |= 1 << cell;
        }
        let mut known = Self { solution, digits, sets: Vec::new() };
        // Take the cells of two digits, or of two lines in a band or stack. In each connected
        // component the digits can be exchanged, so the component is an unavoidable set.
        for a in 0..9 {
            for b in a + 1..9 {
                known.add_components(known.digits[a] | known.digits[b], |cell| HOUSES[cell]);
            }
        }
        for line in 0..9_usize {
            for other in line + 1..line / 3 * 3 + 3 {
                let rows = ROW << (9 * line) | ROW << (9 * other);
                let columns = COLUMN << line | COLUMN << other;
                let digits = known.digits;
                let of = |cell: usize| digits[usize::from(solution[cell] - 1)];
                known.add_components(rows, |cell| [HOUSES[cell][1], of(cell), 0]);
                known.add_components(columns, |cell| [HOUSES[cell][0], of(cell), 0]);
            }
        }
        known.sets.sort_by_key(|set| set.count_ones());
        known
    }

    /// Adds each connected component of `cells` as an unavoidable set; `links` returns the
    /// neighbors of a cell.
    fn add_components(&mut self, mut cells: u128, links: impl Fn(usize) -> [u128; 3]) {
        while cells != 0 {
            let (mut part, mut open) = (0, cells & cells.wrapping_neg());
            while open != 0 {
                let cell = open.trailing_zeros() as usize;
                part |= 1 << cell;
                let [a, b, c] = links(cell);
                open = (open | (a | b | c) & cells) & !part;
            }
            cells &= !part;
            if part.count_ones() <= CELLS_MAX {
                self.sets.push(part);
            }
        }
    }

    fn attempt(
        &mut self,
        random: &mut RandomStream,
        order: &mut [u8; 81],
        recipe: &Recipe,
        lanes: &mut Lanes,
    ) -> Option<u128> {
        let most = CLUES_MAX.min(*recipe.clues.end()).min(81) as usize;
        let mut all = 0;
        for place in 0..most {
            order.swap(place, place + random.below(81 - place as u32));
            all |= 1_u128 << order[place];
        }
        if self.sets.iter().any(|set| set & all == 0) {
            return None;
        }
        let order = &order[..most];
        let (mut clues, mut count) = (all, most);
        // Removing a clue can leave only unavoidable sets without a clue that contain the removed
        // clue.
        while count > 0 {
            let cell = 1 << order[count - 1];
            let rest = clues & !cell;
            if self.sets.iter().any(|set| set & rest == 0) {
                break;
            }
            (clues, count) = (rest, count - 1);
        }
        loop {
            if self.has_single(clues) {
                return None;
            }
            let Some(other) = self.other(clues, !clues, lanes) else { break };
            self.learn(other);
            while other & clues == 0 {
                if count == most {
                    return None;
                }
                clues |= 1 << order[count];
                count += 1;
            }
        }
        let mut is_needed = |cell: u128| {
            self.sets.iter().any(|set| set & clues == cell)
                || self.other(clues & !cell, cell, lanes).map(|other| self.learn(other)).is_some()
        };
        order[..count].iter().all(|cell| is_needed(1 << cell)).then_some(clues)
    }

    /// Returns whether some clue is a hidden single given the other clues: its digit has no other
    /// position in a row, column or box.
    fn has_single(&self, clues: u128) -> bool {
        self.digits.iter().any(|digit| {
            let mut open = digit & clues;
            let (mut once, mut twice) = (0_u128, 0_u128);
            while open != 0 {
                let [row, column, nth] = HOUSES[open.trailing_zeros() as usize];
                let beside = row | column | nth;
                twice |= once & beside;
                once |= beside;
                open &= open - 1;
            }
            let mut open = digit & clues;
            while open != 0 {
                let cell = open.trailing_zeros() as usize;
                let [row, column, nth] = HOUSES[cell];
                let barred = twice | once & !(row | column | nth) | clues;
                if [row, column, nth].iter().any(|house| house & !barred == 0) {
                    return true;
                }
                open &= open - 1;
            }
            false
        })
    }

    /// Returns the cells where another solution of the clues differs from the grid, if there is one
    /// that differs in some cell of `cells`. If `cells` has one cell, the search excludes its
    /// digit; otherwise `cells` must be all blank cells.
    fn other(&self, clues: u128, cells: u128, lanes: &mut Lanes) -> Option<u128> {
        let is_one = cells.count_ones() == 1;
        let board = Board::from_candidates(|cell| {
            let own = 1 << (self.solution[cell] - 1);
            match (clues >> cell & 1 == 1, is_one && cells >> cell & 1 == 1) {
                (true, _) => own,
                (_, true) => !own,
                (false, false) => !0,
            }
        });
        let mut search = Other { board: Some(board), solution: &self.solution, different: None };
        lanes.run_alone(&mut search, &Limits::new(), None);
        search.different
    }

    fn learn(&mut self, set: u128) {
        let size = set.count_ones();
        if size > CELLS_MAX || self.sets.len() == SETS_MAX {
            return;
        }
        let place = self.sets.partition_point(|other| other.count_ones() <= size);
        self.sets.insert(place, set);
    }

    fn show(&self, number: u64, clues: u128) -> Generated {
        let digit = |cell: usize| b'0' + self.solution[cell];
        Generated {
            number,
            puzzle: std::array::from_fn(|cell| if clues >> cell & 1 == 1 { digit(cell) } else { b'.' }),
            solution: std::array::from_fn(digit),
            clues: clues.count_ones(),
            is_minimal: true,
        }
    }
}

struct Other<'g> {
    board: Option<Board>,
    solution: &'g [u8; 81],
    different: Option<u128>,
}

impl Batch for Other<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.board.take().map(|mine| *board = mine).is_some()
    }

    fn solution(&mut self, _: usize, board: &Board) -> ControlFlow<()> {
        let mut line = [0; 81];
        board.write_line(&mut line);
        let cells = line.iter().zip(self.solution).enumerate();
        let different = cells.fold(0_u128, |set, (cell, (&found, digit))| {
            set | u128::from(found != b'0' + digit) << cell
        });
        if different == 0 {
            return ControlFlow::Continue(());
        }
        self.different = Some(different);
        ControlFlow::Break(())
    }
}

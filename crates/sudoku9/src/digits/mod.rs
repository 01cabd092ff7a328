//! Search of a single grid in vector registers, whose lanes are the nine digits.
//!
//! [`lanes`](crate::lanes) searches one grid in each lane, so a single grid would leave most lanes
//! idle. Here a grid is nine registers, and the search is depth first on a stack of grids. The
//! search follows the rules of [`lanes`](crate::lanes) with these exceptions.
//!
//! # Several guesses at once
//! If no cell has two candidates, the search guesses three cells at once. Otherwise the search
//! guesses two cells at once, as long as no branch of the puzzle has died. The cells are in boxes
//! that share no band and no stack, so no cell sees another. The other branches partition the
//! remaining solutions: branch k has the digits of the guesses before k, and lacks the digit of
//! guess k.
//!
//! # End of the search
//! If no cell has two candidates before the first guess, the puzzle is handed over to
//! [`scalar`](crate::scalar), which is faster for such puzzles. After [`DEAD_MAX`] dead branches,
//! or at the node limit of the caller, the remaining grids are handed over to the lane solver.
//!
//! # Bound
//! At most [`GUESSES_MAX`] grids wait, by the proof in `lanes::search`: the waiting grids were left
//! by guesses on one path, and guesses made at once are in different boxes.
//!
//! Tried and dropped: three guesses instead of two, or several guesses after dead branches (more
//! guesses); restarting at the first dead branch (no gain).

mod choose;
mod step;

use crate::leaf::vector::Nine;
use crate::model::board::Board;
use choose::{Cells, Choice, triples};
use step::{Event, Grid, digits, step};

/// Number of dead branches after which a puzzle is handed over to the lane solver.
const DEAD_MAX: u32 = 8;
/// Maximum number of guesses on a path from a puzzle to a grid: eight in each of nine boxes.
const GUESSES_MAX: usize = 8 * 9;

/// Maximum credit of the search for triples, which runs before a guess only while its credit is
/// positive. A run that removes candidates adds 3 to the credit; any other run subtracts 1.
const CREDIT_MAX: i32 = 16;
const CREDIT_FIRST: i32 = 3;

#[derive(Debug)]
pub(crate) struct Dive<V> {
    zero: V,
    stack: Vec<Grid<V>>,
    nodes: u64,
    nodes_max: u64,
    steps: u64,
    waiting_max: usize,
    dead: u32,
    /// Credit of the search for triples; it runs while the credit is positive.
    credit: i32,
    /// Whether the puzzle was handed over because no cell has two candidates before the first
    /// guess.
    is_open: bool,
}

/// For each lane, 16 words whose bits are set only in this lane.
static ONES: [[u16; 16]; 16] = {
    let mut ones = [[0; 16]; 16];
    let mut lane = 0;
    while lane < 16 {
        ones[lane][lane] = u16::MAX;
        lane += 1;
    }
    ones
};

const fn lane(digit: usize) -> usize {
    digit / 3 * 4 + digit % 3
}

impl<V: Nine> Dive<V> {
    pub(crate) fn new(zero: V) -> Self {
        let stack = Vec::with_capacity(GUESSES_MAX + 1);
        let (nodes, nodes_max, steps) = (0, 0, 0);
        Self {
            zero,
            stack,
            nodes,
            nodes_max,
            steps,
            waiting_max: 0,
            dead: 0,
            credit: 0,
            is_open: false,
        }
    }

    #[inline(always)]
    pub(crate) fn begin(&mut self, board: &Board, nodes_max: u64) {
        self.stack.clear();
        self.stack.push(Grid { slots: self.zero.of_board(board), alone: self.zero });
        (self.nodes, self.nodes_max, self.steps) = (0, nodes_max, 0);
        (self.waiting_max, self.dead, self.credit) = (0, 0, CREDIT_FIRST);
        self.is_open = false;
    }

    /// Continues the search to the next solution and writes it to `board`, if given. Returns
    /// `false` if there is no further solution, or if the remaining grids must be handed over to
    /// the lane solver.
    #[inline(always)]
    pub(crate) fn find(&mut self, board: Option<&mut Board>) -> bool {
        let digits = digits(self.zero);
        while self.nodes < self.nodes_max && self.dead < DEAD_MAX {
            let Some(mut grid) = self.stack.pop() else { return false };
            self.nodes += 1;
            loop {
                self.steps += 1;
                match step(&mut grid, digits) {
                    Event::Changed => {}
                    Event::Dead => {
                        self.dead += 1;
                        break;
                    }
                    Event::Solved => {
                        if let Some(board) = board {
                            to_board(&grid, board);
                        }
                        return true;
                    }
                    Event::Stalled => {
                        let cells = Cells::new(&grid);
                        let has_pairs = cells.has_pairs();
                        if !has_pairs && self.nodes == 1 {
                            self.is_open = true;
                            return false;
                        }
                        if has_pairs && self.triples(&mut grid, digits) {
                            continue;
                        }
                        let more = if has_pairs { usize::from(self.dead == 0) } else { 2 };
                        if self.nodes + 1 + more as u64 > self.nodes_max {
                            self.stack.push(grid);
                            return false;
                        }
                        for choice in cells.choose(&grid, more) {
                            let Some(choice) = choice else { break };
                            self.branch(&mut grid, choice);
                        }
                    }
                }
            }
        }
        false
    }

    #[inline(always)]
    fn triples(&mut self, grid: &mut Grid<V>, digits: V) -> bool {
        if self.credit <= 0 {
            return false;
        }
        let changed = triples(grid, digits);
        self.credit = (self.credit + if changed { 3 } else { -1 }).min(CREDIT_MAX);
        changed
    }

    /// Fills a cell of `grid` with the chosen digit, and pushes the grid where the cell loses this
    /// digit.
    #[inline(always)]
    fn branch(&mut self, grid: &mut Grid<V>, Choice { slot, cell, lane }: Choice) {
        let (cell, its) = (self.zero.splat(cell), self.zero.of_words(&ONES[lane]));
        let word = grid.slots[slot];
        let (mut this, mut other) = (*grid, *grid);
        this.slots[slot] = word.unless(cell, its);
        other.slots[slot] = cell.and(its).not_and(word);
        *grid = this;
        self.stack.push(other);
        self.waiting_max = self.waiting_max.max(self.stack.len());
        self.nodes += 1;
    }

    /// Returns whether the puzzle was handed over before the first guess. If so, another search
    /// must start from the puzzle itself.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    pub(crate) fn is_done(&self) -> bool {
        self.stack.is_empty()
    }

    pub(crate) fn effort(&self) -> (u64, u64, usize) {
        (self.nodes, self.steps, self.waiting_max)
    }

    pub(crate) fn rest(&mut self) -> Vec<Board> {
        let board = |grid| {
            let mut board = Board::EMPTY;
            to_board(&grid, &mut board);
            board
        };
        self.stack.drain(..).map(board).collect()
    }
}

#[inline(always)]
fn to_board<V: Nine>(grid: &Grid<V>, board: &mut Board) {
    for slot in 0..9 {
        let words = grid.slots[slot].words();
        for digit in 0..9 {
            board.0[9 * digit + slot] = words[lane(digit)];
        }
    }
}

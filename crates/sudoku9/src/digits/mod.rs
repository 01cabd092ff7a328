//! One search in one register: the lanes are the digits of a single grid.
//!
//! [`lanes`](crate::lanes) search one grid in each lane, so a grid that is alone leaves most of them idle while it waits for
//! what a step takes in all of them. Here the nine digits of the grid are the lanes, and the whole grid is nine registers:
//! a step takes a fifth of the time, a branch is a copy of ten registers, and the search is depth first on a stack.
//! `step` has the propagation, `choose` which cell to branch on; both keep the rules of the lanes, so guesses are the same but for
//! the following.
//!
//! # Several guesses at once
//! Where no cell has two candidates, which is so in grids of few clues, three cells are guessed at once, and two while no
//! branch of the puzzle has died yet: cells in boxes that share no band and no stack, so none sees another. The other
//! branches partition what remains: the first cell has lost its digit; the first has it and the second has lost its own; and so
//! on. So a puzzle of several solutions takes a fifth fewer steps to the second (25 random clues 39 to 31), and the hardest,
//! which learn at the first dead branch that guesses must be single, 1 % more. With three cells in place of two, or with
//! hope until the end, there were as many steps and more guesses; to begin anew at the first dead branch saved nothing.
//!
//! # When it ends
//! A puzzle in which no cell has two candidates at the first guess is left at once: [`scalar`](crate::scalar) takes less time for those.
//!
//! After [`DEAD_MAX`] dead branches or so many nodes as its caller allows a dive leaves what waits to the lanes, which search
//! that in parallel: hard puzzles take 14 µs so, and 21 µs alone in here.
//!
//! # Bound
//! No more than [`GUESSES_MAX`] grids wait, for the reason that `lanes::search` gives for its own: what waits was left by
//! guesses on one path. Guesses at once are in boxes of their own, so in a box each still comes after a step that
//! changed nothing.
//!
//! # What it costs
//! 30 ns a step, 290 instructions with AVX-512, of which a third joins the groups of digits (AMD EPYC, Zen 5); 36 ns with AVX2.
//! A guess costs 60 to 130 ns besides its steps: which branch dies cannot be foretold.

mod choose;
mod step;

use crate::leaf::vector::Nine;
use crate::model::board::Board;
use choose::{Cells, Choice, triples};
use step::{Event, Grid, digits, step};

/// A puzzle with so many dead branches goes to the lanes.
const DEAD_MAX: u32 = 8;
/// The most guesses on a path from a puzzle to a grid: eight in each box.
const GUESSES_MAX: usize = 8 * 9;

/// Triples are looked for before a guess as long as one time in four something goes by it: each time that it does gives
/// three, each other takes one of so many at most.
const CREDIT_MAX: i32 = 16;
/// What a puzzle begins with.
const CREDIT_FIRST: i32 = 3;

/// A depth-first search of one puzzle after the other.
#[derive(Debug)]
pub(crate) struct Dive<V> {
    /// A register of zeros.
    zero: V,
    /// What is to be searched, the next one last.
    stack: Vec<Grid<V>>,
    /// Nodes entered and steps taken for this puzzle, and the most nodes that may be.
    nodes: u64,
    nodes_max: u64,
    steps: u64,
    /// The most grids that waited at a time.
    waiting_max: usize,
    /// Branches that died.
    dead: u32,
    /// Whether it pays to look for triples.
    credit: i32,
    /// Whether the puzzle was left, since no cell has two candidates.
    is_open: bool,
}

/// Ones in each lane.
static ONES: [[u16; 16]; 16] = {
    let mut ones = [[0; 16]; 16];
    let mut lane = 0;
    while lane < 16 {
        ones[lane][lane] = u16::MAX;
        lane += 1;
    }
    ones
};

/// Returns the lane of a digit.
const fn lane(digit: usize) -> usize {
    digit / 3 * 4 + digit % 3
}

impl<V: Nine> Dive<V> {
    /// Makes a search, from a register of zeros.
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

    /// Begins with a puzzle.
    #[inline(always)]
    pub(crate) fn begin(&mut self, board: &Board, nodes_max: u64) {
        self.stack.clear();
        self.stack.push(Grid { slots: self.zero.of_board(board), alone: self.zero });
        (self.nodes, self.nodes_max, self.steps) = (0, nodes_max, 0);
        (self.waiting_max, self.dead, self.credit) = (0, 0, CREDIT_FIRST);
        self.is_open = false;
    }

    /// Goes on until a solution is found, which is then put on `board` if there is one; returns false if there are no more
    /// or the rest is for the lanes.
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

    /// Looks for triples, if that has paid; returns whether something went.
    #[inline(always)]
    fn triples(&mut self, grid: &mut Grid<V>, digits: V) -> bool {
        if self.credit <= 0 {
            return false;
        }
        let changed = triples(grid, digits);
        self.credit = (self.credit + if changed { 3 } else { -1 }).min(CREDIT_MAX);
        changed
    }

    /// Gives a cell its digit; the grid in which it has lost that waits.
    #[inline(always)]
    fn branch(&mut self, grid: &mut Grid<V>, Choice { slot, cell, lane }: Choice) {
        let (cell, its) = (self.zero.splat(cell), self.zero.of_words(&ONES[lane]));
        let word = grid.slots[slot];
        // `grid` itself has no place in memory: it stays in registers.
        let (mut this, mut other) = (*grid, *grid);
        this.slots[slot] = word.unless(cell, its);
        other.slots[slot] = cell.and(its).not_and(word);
        *grid = this;
        self.stack.push(other);
        self.waiting_max = self.waiting_max.max(self.stack.len());
        self.nodes += 1;
    }

    /// Tells whether this puzzle was left before the first guess: another search is to begin it anew.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Tells whether nothing is left to be searched.
    pub(crate) fn is_done(&self) -> bool {
        self.stack.is_empty()
    }

    /// Returns the nodes of this puzzle, its steps, and the most grids that waited.
    pub(crate) fn effort(&self) -> (u64, u64, usize) {
        (self.nodes, self.steps, self.waiting_max)
    }

    /// Returns what is left to be searched, and leaves nothing.
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

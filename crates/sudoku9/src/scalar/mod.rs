//! One search of one grid in ordinary words: the way of processors without vectors, for batches and for a grid that is alone.
//!
//! [`lanes`](crate::lanes) and [`digits`](crate::digits) do in every step everything for all, since registers do it at once.
//! Without registers the same steps take as many instructions as they have words, so here only what has changed is done: `step`
//! looks at those digits that lost something. `cells` says which bit is which cell, `choose` which cell to branch on.
//! The search is depth first on a stack of grids.
//!
//! # Several guesses at once
//! Where no cell has two candidates, which is so in grids of few clues, a cell is guessed in each box that has one of the
//! fewest, as long as no branch of the puzzle has died: each another digit, so no guess takes a candidate that another
//! one needs. The other branches partition what remains: the first cell has lost its digit; the first has it and the
//! second has lost its own; and so on. Grids of 12 clues take a tenth less time so, of 8 an eighth. Two guesses or more at
//! once where cells have two candidates made grids of 25 to 34 clues 6 % slower: more branches die than steps are saved.
//!
//! # Bound
//! No more than [`GUESSES_MAX`] grids wait, for the reason that `lanes::search` gives for its own: what waits was left by
//! guesses on one path, and guesses at once are in boxes of their own, so in a box each still comes after nothing
//! followed any more. A grid takes 168 bytes.
//!
//! # What it costs
//! Instructions for a puzzle on x86-64, its line read and a second solution searched: 25 digits that clash 360, naked
//! singles 8,600, 17 clues 19,000, 34 clues with several solutions 23,000, 12 clues 45,000, rating above 11 430,000. The crate
//! `sudoku` takes 800, 7,100, 12,400, 17,000, 36,000 and 420,000, but needs 1.3 to 2 times as long: it
//! comes to less than two instructions a cycle, and this to more than three, since little here is a branch that nobody can
//! foretell. Lanes in plain Rust, eight grids side by side in pairs of 64-bit words, took 0.9 to 3 times as long in batches, and
//! digits as lanes 1.5 to 3 times as long alone.
//!
//! That only what changed is looked at, with a digit's places in words of 27 bits, is how solvers in ordinary words are
//! made (fsss2, JCZSolve, the crate `sudoku`). They have a word a band, tables for what three rows of it may be, and one digit after the
//! other; words that hold a row of all nine boxes, two digits side by side, and no tables are our own.

mod cells;
mod choose;
mod step;

use crate::model::board::Board;
use crate::model::limits::{Limit, Limits};
use cells::Cells;
use choose::{best_pairs, fewest};
use step::{Event, Grid};

/// The most guesses on a path from a puzzle to a grid: eight in each box.
const GUESSES_MAX: usize = 8 * 9;
/// Nodes between two looks at the clock and at the flags.
const NODES_BETWEEN_LOOKS: u64 = 64;

/// A depth-first search of one puzzle after the other.
#[derive(Debug, Default)]
pub(crate) struct Scalar {
    /// What is to be searched, the next one last.
    stack: Vec<Grid>,
    /// Nodes entered and pairs of digits looked at for this puzzle, and the most grids that waited at a time.
    nodes: u64,
    passes: u64,
    waiting_max: usize,
    /// Nodes after which to look at the limits.
    look: u64,
    /// Branches of this puzzle that have died, and after how many it is left to others.
    dead: u32,
    dead_max: u32,
}

impl Scalar {
    /// Makes a search.
    pub(crate) fn new() -> Self {
        Self { stack: Vec::with_capacity(GUESSES_MAX + 1), ..Self::default() }
    }

    /// Begins a puzzle, which is left to others after `dead_max` dead branches.
    #[inline(always)]
    pub(crate) fn begin(&mut self, board: &Board, dead_max: u32) {
        self.stack.clear();
        self.stack.push(Grid::new(board));
        (self.nodes, self.passes, self.waiting_max) = (0, 0, 0);
        (self.look, self.dead, self.dead_max) = (NODES_BETWEEN_LOOKS, 0, dead_max);
    }

    /// Leaves the puzzle.
    pub(crate) fn clear(&mut self) {
        self.stack.clear();
    }

    /// Goes on until a solution is found, which is then put on `board` if there is one; returns false if there are no more.
    /// Of the limits the deadline and the flags are heeded.
    ///
    /// # Errors
    /// The limit that is reached, [`Limit::Nodes`] if it would take more than `nodes_max` or is to be left to others.
    pub(crate) fn find(
        &mut self,
        board: Option<&mut Board>,
        limits: &Limits,
        nodes_max: u64,
    ) -> Result<bool, Limit> {
        while let Some(mut grid) = self.stack.pop() {
            if self.nodes >= nodes_max || self.dead >= self.dead_max {
                self.stack.push(grid);
                return Err(Limit::Nodes);
            }
            self.nodes += 1;
            loop {
                match grid.propagate(&mut self.passes) {
                    Event::Dead => {
                        self.dead = self.dead.saturating_add(1);
                        break;
                    }
                    Event::Solved => {
                        if let Some(board) = board {
                            cells::to_board(&grid.digits, board);
                        }
                        return Ok(true);
                    }
                    Event::Stalled { twos, more } => {
                        if let Err(limit) = self.may_guess(limits, nodes_max) {
                            self.stack.push(grid);
                            return Err(limit);
                        }
                        self.guess(&mut grid, twos, more, nodes_max);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Tells whether a node may be entered.
    #[inline(always)]
    fn may_guess(&mut self, limits: &Limits, nodes_max: u64) -> Result<(), Limit> {
        if self.nodes >= nodes_max {
            return Err(Limit::Nodes);
        }
        if self.nodes >= self.look {
            self.look = self.nodes + NODES_BETWEEN_LOOKS;
            limits.check()?;
        }
        Ok(())
    }

    /// Guesses a cell, or several; the other branches wait. At least one node may be entered.
    #[inline(always)]
    fn guess(&mut self, grid: &mut Grid, twos: Cells, more: Cells, nodes_max: u64) {
        let pairs = [twos[0] & !more[0], twos[1] & !more[1]];
        let has_pairs = pairs != [0; 2];
        let mut cells = if has_pairs { best_pairs(grid, pairs) } else { fewest(grid, twos) };
        let mut at_once = match has_pairs || self.dead > 0 {
            true => 1,
            false => (nodes_max - self.nodes).min(9),
        };
        // The digits that were not guessed yet.
        let mut digits = 0o777;
        while cells != [0; 2] {
            let at = usize::from(cells[0] == 0);
            let bit = cells[at] & cells[at].wrapping_neg();
            let candidates = grid.candidates(at, bit);
            if candidates & digits == 0 {
                cells[at] &= !bit;
                continue;
            }
            let digit = (candidates & digits).trailing_zeros() as usize;
            digits &= !(1 << digit);
            let mut other = *grid;
            other.remove(digit, at, bit);
            self.stack.push(other);
            grid.place(digit, at, bit, candidates);
            self.nodes += 1;
            at_once -= 1;
            if at_once == 0 {
                break;
            }
            let mut cell = [0; 2];
            cell[at] = bit;
            let boxes = cells::whole_boxes(cell);
            cells = [cells[0] & !boxes[0], cells[1] & !boxes[1]];
        }
        debug_assert!(self.stack.len() <= GUESSES_MAX, "only what one path left waits");
        self.waiting_max = self.waiting_max.max(self.stack.len());
    }

    /// Tells whether nothing is left to be searched.
    pub(crate) fn is_done(&self) -> bool {
        self.stack.is_empty()
    }

    /// Returns the nodes of this puzzle, the pairs of digits that were looked at, and the most grids that waited.
    pub(crate) fn effort(&self) -> (u64, u64, usize) {
        (self.nodes, self.passes, self.waiting_max)
    }

    /// Returns what is left to be searched, and leaves nothing.
    pub(crate) fn rest(&mut self) -> Vec<Board> {
        let board = |grid: Grid| {
            let mut board = Board::EMPTY;
            cells::to_board(&grid.digits, &mut board);
            board
        };
        self.stack.drain(..).map(board).collect()
    }
}

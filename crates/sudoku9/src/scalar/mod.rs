//! Searches one grid at a time in ordinary words, for processors without vectors and for some
//! single puzzles.
//!
//! Ordinary words are too slow to process the whole grid in every step, so `step` processes only
//! the digits that lost a candidate. The search is depth first on a stack of grids.
//!
//! # Several guesses at once
//! If no cell has two candidates and no branch of the puzzle has died, the search guesses one cell
//! in each box that has a cell with the fewest candidates. Each guess takes a different digit, so
//! no guess removes a candidate of another guess. The other branches partition the remaining
//! solutions: branch k has the digits of the guesses before k, and lacks the digit of guess k.
//!
//! # Bound
//! At most [`GUESSES_MAX`] grids wait, by the proof in `lanes::search`: the waiting grids were left
//! by guesses on one path, and guesses made at once are in different boxes.
//!
//! Similar solvers (fsss2, JCZSolve, the crate `sudoku`) use one word per band, tables, and one
//! digit at a time. Here a word holds a row of all nine boxes, two digits are processed together,
//! and there are no tables.
//!
//! Tried and dropped: several guesses at once where cells have two candidates (more dead branches);
//! lanes in plain Rust; digits as lanes for single puzzles; triples as in `lanes::branch` (hardly
//! fewer guesses).

mod cells;
mod choose;
mod step;

use limits::{Limit, Limits};

use crate::model::board::Board;
use cells::Cells;
use choose::{best_pairs, fewest};
use step::{Event, Grid};

/// Maximum number of guesses on a path from a puzzle to a grid: eight in each of nine boxes.
const GUESSES_MAX: usize = 8 * 9;
const NODES_BETWEEN_LOOKS: u64 = 64;
/// Number of further rounds that a puzzle without a refuted candidate counts for in
/// [`Scalar::trials`]. Few puzzles that are solved need as many rounds.
const STUCK: u32 = 16;

#[derive(Debug, Default)]
pub(crate) struct Scalar {
    stack: Vec<Grid>,
    nodes: u64,
    passes: u64,
    waiting_max: usize,
    look: u64,
    /// Number of dead branches of this puzzle; the search gives up when it reaches `dead_max`.
    dead: u32,
    dead_max: u32,
}

impl Scalar {
    pub(crate) fn new() -> Self {
        Self { stack: Vec::with_capacity(GUESSES_MAX + 1), ..Self::default() }
    }

    /// Starts a puzzle; the search gives up after `dead_max` dead branches.
    #[inline(always)]
    pub(crate) fn begin(&mut self, board: &Board, dead_max: u32) {
        self.stack.clear();
        self.stack.push(Grid::new(board));
        (self.nodes, self.passes, self.waiting_max) = (0, 0, 0);
        (self.look, self.dead, self.dead_max) = (NODES_BETWEEN_LOOKS, 0, dead_max);
    }

    pub(crate) fn clear(&mut self) {
        self.stack.clear();
    }

    /// Continues the search to the next solution and writes it to `board`, if given. Returns
    /// `false` if there is no further solution. Of `limits`, only the deadline and the cancel flags
    /// apply.
    ///
    /// # Errors
    /// The limit that was reached. [`Limit::Nodes`] if the search needs more than `nodes_max`
    /// nodes, or gives up after `dead_max` dead branches.
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

    /// Guesses one or more cells, and pushes the other branches on the stack. The node limit must
    /// allow at least one more node.
    #[inline(always)]
    fn guess(&mut self, grid: &mut Grid, twos: Cells, more: Cells, nodes_max: u64) {
        let pairs = [twos[0] & !more[0], twos[1] & !more[1]];
        let has_pairs = pairs != [0; 2];
        let mut cells = if has_pairs { best_pairs(grid, pairs) } else { fewest(grid, twos) };
        let mut at_once = match has_pairs || self.dead > 0 {
            true => 1,
            false => (nodes_max - self.nodes).min(9),
        };
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

    /// Measures how many trials a person would need: a *trial* places a candidate and propagates.
    /// Each round removes all candidates whose trials are contradictions, until the puzzle is
    /// solved or no trial is a contradiction. Returns the sum of the candidates left over all
    /// rounds, where a puzzle that stays unsolved counts its last round [`STUCK`] times more.
    ///
    /// The result is the same for isomorphic puzzles, 0 if propagation solves the puzzle, and at
    /// most 729 * (729 + [`STUCK`]).
    pub(crate) fn trials(&mut self, board: &Board) -> u32 {
        let mut grid = Grid::new(board);
        let mut sum = 0;
        loop {
            let Event::Stalled { twos, .. } = grid.propagate(&mut self.passes) else { return sum };
            let mut next = grid;
            let (mut left, mut is_stuck) = (0, true);
            for (at, mut cells) in twos.into_iter().enumerate() {
                while cells != 0 {
                    let bit = cells & cells.wrapping_neg();
                    cells &= cells - 1;
                    let candidates = grid.candidates(at, bit);
                    for digit in (0..9).filter(|digit| candidates >> digit & 1 == 1) {
                        let mut trial = grid;
                        trial.place(digit, at, bit, candidates);
                        if let Event::Dead = trial.propagate(&mut self.passes) {
                            next.remove(digit, at, bit);
                            is_stuck = false;
                        } else {
                            left += 1;
                        }
                    }
                }
            }
            sum += left;
            if is_stuck {
                return sum + STUCK * left;
            }
            grid = next;
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.stack.is_empty()
    }

    pub(crate) fn effort(&self) -> (u64, u64, usize) {
        (self.nodes, self.passes, self.waiting_max)
    }

    pub(crate) fn rest(&mut self) -> Vec<Board> {
        let board = |grid: Grid| {
            let mut board = Board::EMPTY;
            cells::to_board(&grid.digits, &mut board);
            board
        };
        self.stack.drain(..).map(board).collect()
    }
}

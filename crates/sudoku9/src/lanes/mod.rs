//! Searches one grid in each lane of a vector register, for example 32 grids at once with AVX-512.
//!
//! - [`board`](crate::model::board) describes the layout of bits. `round` has the propagation
//!   common to all lanes, `branch` the guesses, `search` the scheduling of the lanes, and `shared`
//!   long counts on several threads.
//! - `alone` starts a single puzzle in [`digits`](crate::digits). On processors without vectors,
//!   `singly` searches all puzzles with [`scalar`](crate::scalar).
//! - `compiled` compiles the same code for each instruction set of [`leaf`](crate::leaf). At run
//!   time, `leaves` chooses the best one that the processor has. All instruction sets give the same
//!   answers.
//!
//! In contrast, tdoku (T. Dillon, 2019) searches one puzzle in several lanes.

mod alone;
mod branch;
mod compiled;
mod leaves;
mod round;
mod search;
mod shared;
mod singly;
mod waiting;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use leaves::{Leaf, leaves};

use limits::{Cores, End, Limit, Limits};

use crate::model::batch::{Batch, Count, Effort, Method, Tally};
use crate::model::board::{Board, CellError, check_cells};
use search::Run;

/// Solves 9x9 Sudoku, many at once.
///
/// ```
/// use sudoku9::{Board, Lanes};
///
/// let line = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// let mut lanes = Lanes::new();
/// let board = Board::from_digits(line);
/// assert_eq!(lanes.count(&board, 2), 1);
/// let mut text = [0; 81];
/// lanes.solve(&board).expect("a solution").write_line(&mut text);
/// assert!(text.starts_with(b"812753649943682175"));
/// ```
pub struct Lanes {
    leaf: &'static Leaf,
    run: Box<dyn Run>,
    alone: Box<dyn Run>,
}

impl fmt::Debug for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lanes").field("leaf", &self.leaf.name).finish_non_exhaustive()
    }
}

impl Default for Lanes {
    fn default() -> Self {
        Self::new()
    }
}

impl Lanes {
    /// Returns a solver that uses the best instruction set of this processor.
    #[must_use]
    pub fn new() -> Self {
        Self::with(leaves().next().expect("plain Rust runs everywhere"))
    }

    /// Returns a solver that uses an instruction set of [`leaves`].
    #[must_use]
    pub fn with(leaf: &'static Leaf) -> Self {
        Self { leaf, run: leaf.build(), alone: leaf.build_alone() }
    }

    /// Returns the instruction set that the solver uses.
    #[must_use]
    pub fn leaf(&self) -> &'static Leaf {
        self.leaf
    }

    /// Searches all puzzles of a batch.
    ///
    /// [`Limits::solutions`] applies to each puzzle, and the other limits to the whole batch. The
    /// working memory is kept for the next run, so puzzles cause no allocations.
    ///
    /// ```
    /// use sudoku9::{Batch, Board, Lanes, Tally};
    ///
    /// /// Which puzzles have just one solution?
    /// struct Check<'t> {
    ///     lines: std::slice::Iter<'t, &'t [u8; 81]>,
    ///     is_unique: Vec<bool>,
    /// }
    ///
    /// impl Batch for Check<'_> {
    ///     fn next(&mut self, board: &mut Board) -> bool {
    ///         let Some(line) = self.lines.next() else { return false };
    ///         *board = Board::from_digits(line);
    ///         self.is_unique.push(false);
    ///         true
    ///     }
    ///     fn wants_solutions(&self) -> bool {
    ///         false
    ///     }
    ///     fn done(&mut self, puzzle: usize, tally: Tally) {
    ///         self.is_unique[puzzle] = tally.solutions == 1;
    ///     }
    /// }
    ///
    /// let puzzles = [
    ///     b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    ///     b"...........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    /// ];
    /// let mut check = Check { lines: puzzles.iter(), is_unique: Vec::new() };
    /// Lanes::new().run(&mut check, &sudoku9::Limits::new().solutions(2));
    /// assert_eq!(check.is_unique, [true, false]);
    /// ```
    pub fn run(&mut self, batch: &mut dyn Batch, limits: &Limits) -> Effort {
        self.run.run(batch, limits, None)
    }

    /// Does the same as [`Lanes::run`]. If a limit or the batch stops the run, adds boards to
    /// `rest` whose solutions are exactly the solutions not yet found.
    pub fn run_part(
        &mut self,
        batch: &mut dyn Batch,
        limits: &Limits,
        rest: &mut Vec<Board>,
    ) -> Effort {
        self.run.run(batch, limits, Some(rest))
    }

    /// Does the same as [`Lanes::run`] or, if `rest` is given, as [`Lanes::run_part`]. This method
    /// is faster for a single puzzle.
    pub fn run_alone(
        &mut self,
        batch: &mut dyn Batch,
        limits: &Limits,
        rest: Option<&mut Vec<Board>>,
    ) -> Effort {
        self.alone.run(batch, limits, rest)
    }

    /// Returns a solution, if there is one.
    pub fn solve(&mut self, board: &Board) -> Option<Board> {
        let mut one = OneBoard { board: Some(board), wants_solution: true, ..OneBoard::default() };
        self.run_alone(&mut one, &Limits::new().solutions(1), None);
        one.solution
    }

    /// Counts the solutions up to `limit`. The time is proportional to the number of solutions;
    /// millions take seconds (see [`count_all`](crate::count_all)).
    pub fn count(&mut self, board: &Board, limit: u64) -> u64 {
        let mut one = OneBoard { board: Some(board), ..OneBoard::default() };
        self.run_alone(&mut one, &Limits::new().solutions(limit), None);
        one.found
    }

    /// Does the same as [`Lanes::solve`] for the line of a grid, and detects clues that clash
    /// before the search.
    ///
    /// ```
    /// let mut lanes = sudoku9::Lanes::new();
    /// let mut line = *b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    /// assert!(lanes.solve_line(&line)?.is_some());
    /// line[8] = b'8';
    /// assert!(lanes.solve_line(&line)?.is_none());
    /// assert_eq!(lanes.count_line(&line, 2)?, 0);
    /// # Ok::<(), sudoku9::CellError>(())
    /// ```
    ///
    /// # Errors
    /// The first character that is neither a digit nor a blank.
    pub fn solve_line(&mut self, line: &[u8; 81]) -> Result<Option<Board>, CellError> {
        check_cells(line)?;
        let mut board = Board::EMPTY;
        Ok(if self.leaf.read_line(line, &mut board) { self.solve(&board) } else { None })
    }

    /// Does the same as [`Lanes::count`] for the line of a grid, and detects clues that clash
    /// before the search.
    ///
    /// # Errors
    /// The first character that is neither a digit nor a blank.
    pub fn count_line(&mut self, line: &[u8; 81], limit: u64) -> Result<u64, CellError> {
        check_cells(line)?;
        let mut board = Board::EMPTY;
        Ok(if self.leaf.read_line(line, &mut board) { self.count(&board, limit) } else { 0 })
    }

    /// Counts all solutions by enumeration; a long count also uses the idle cores of `cores`. Of
    /// `limits`, only the deadline and the cancel flags apply.
    ///
    /// [`exact::count`](crate::exact::count) can also count solutions that are too many to
    /// enumerate.
    pub fn count_all(&mut self, board: &Board, limits: &Limits, cores: &Arc<Cores>) -> Count {
        let limits = limits.clone().solutions(None).nodes(None);
        let (mut one, mut rest) = (OneBoard { board: Some(board), ..OneBoard::default() }, Vec::new());
        let effort = self.run_alone(&mut one, &limits.clone().nodes(NODES_ALONE), Some(&mut rest));
        let Effort { mut end, mut nodes, mut steps, .. } = effort;
        let mut solutions = one.found;
        if end == End::Limit(Limit::Nodes) {
            let found = shared::count(self.leaf, rest, &limits, cores);
            end = found.end;
            solutions += found.solutions;
            nodes += found.nodes;
            steps += found.steps;
        }
        Count { end, solutions: solutions.into(), nodes, steps, method: Method::Lanes }
    }
}

/// Number of nodes after which a count uses idle cores (some 2 ms).
const NODES_ALONE: u64 = 1 << 15;

#[derive(Default)]
struct OneBoard<'b> {
    board: Option<&'b Board>,
    solution: Option<Board>,
    wants_solution: bool,
    found: u64,
}

impl Batch for OneBoard<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.board.take().map(|mine| *board = *mine).is_some()
    }

    fn wants_solutions(&self) -> bool {
        self.wants_solution
    }

    fn solution(&mut self, _: usize, board: &Board) -> ControlFlow<()> {
        self.solution = Some(*board);
        ControlFlow::Continue(())
    }

    fn done(&mut self, _: usize, tally: Tally) {
        self.found = tally.solutions;
    }
}

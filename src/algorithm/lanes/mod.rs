//! 9x9 Sudoku: one search in each lane of a vector register, 32 at once with AVX-512.
//!
//! The modules tell the method: `board` which bit is which cell, `round` the propagation that all
//! lanes share, `branch` the guesses, `search` which lane does what. Leaves compile the same code for
//! an instruction set: `avx512` (Ice Lake, Zen 4 and later: BW, VL, VBMI, VBMI2), `avx2`, `neon` (64-bit Arm),
//! `plain`; `avx512vl` has registers half as wide, for a puzzle that is alone. The best that the processor
//! has is chosen at run time; all give the same answers.
//!
//! One search a lane was shown to pay by prototypes that this project began with; the fastest solver known
//! until then, tdoku (T. Dillon, 2019), searches one puzzle in several lanes.

mod algorithm;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512vl;
mod board;
mod branch;
mod crew;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod plain;
mod round;
mod search;
mod vector;

use std::fmt;
use std::ops::ControlFlow;

use dlx::{End, Limits};

pub(crate) use algorithm::as_sudoku;
pub(super) use algorithm::{InLanes, SPEC};
pub use board::Board;

/// An instruction set for which the lanes are compiled.
#[derive(Clone, Copy)]
pub struct Leaf {
    /// Its name.
    pub name: &'static str,
    is_available: fn() -> bool,
    build: fn() -> Box<dyn Run>,
    /// The search for a puzzle that is alone.
    build_alone: fn() -> Box<dyn Run>,
    read: fn(&[u8; 81], &mut Board),
    write: fn(&Board, &mut [u8; 81]),
}

impl fmt::Debug for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Leaf").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The leaves, the best first.
const LEAVES: &[Leaf] = &[
    #[cfg(target_arch = "x86_64")]
    avx512::LEAF,
    #[cfg(target_arch = "x86_64")]
    avx512vl::LEAF,
    #[cfg(target_arch = "x86_64")]
    avx2::LEAF,
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    neon::LEAF,
    plain::LEAF,
];

impl Leaf {
    /// Does in place what [`Board::from_line`] does, with the instructions of this leaf.
    pub fn read_line(&self, text: &[u8; 81], board: &mut Board) {
        (self.read)(text, board);
    }

    /// Does what [`Board::write_line`] does, with the instructions of this leaf.
    pub fn write_line(&self, board: &Board, text: &mut [u8; 81]) {
        (self.write)(board, text);
    }
}

/// Returns the leaves that this processor can run, the best first.
pub fn leaves() -> impl Iterator<Item = &'static Leaf> {
    LEAVES.iter().filter(|leaf| (leaf.is_available)())
}

/// Puzzles to be searched, and what is done with the answers.
///
/// Puzzles are numbered from 0 in the order in which they are taken; their answers come in any order.
pub trait Batch {
    /// Puts the next puzzle on `board`; `false` if there is none.
    fn next(&mut self, board: &mut Board) -> bool;

    /// Tells whether the solutions themselves are wanted, not only their number.
    fn wants_solutions(&self) -> bool {
        true
    }

    /// Returns how many nodes a puzzle may take; one that would take more is given up, so that no other
    /// waits for it. Some more may be entered before that is seen, one a lane.
    fn nodes_max(&self) -> u64 {
        u64::MAX
    }

    /// Receives a solution of a puzzle. `ControlFlow::Break` ends the whole run.
    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        let _ = (puzzle, board);
        ControlFlow::Continue(())
    }

    /// Learns that a puzzle is done with.
    fn done(&mut self, puzzle: usize, tally: Tally) {
        let _ = (puzzle, tally);
    }
}

/// What was found of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Solutions found.
    pub solutions: u64,
    /// Nodes entered: 1 without a guess, two more for each guess of which both branches were searched.
    pub nodes: u64,
    /// How its search ended.
    pub end: End,
}

/// What a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How it ended.
    pub end: End,
    /// Nodes entered, of all puzzles.
    pub nodes: u64,
    /// Steps of propagation, each counted for every lane that was busy.
    pub steps: u64,
    /// The most branches that waited at a time: at most 81 for each lane, whatever the puzzles.
    pub waiting_max: usize,
}

/// A search, whatever its registers.
trait Run: Send {
    fn run(&mut self, batch: &mut dyn Batch, limits: &Limits, rest: Option<&mut Vec<Board>>) -> Effort;
}

/// Solves 9x9 Sudoku, many at once.
///
/// ```
/// use farandole::algorithm::lanes::{Board, Lanes};
///
/// let line = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// let mut lanes = Lanes::new();
/// let board = Board::from_line(line);
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
    /// Makes a solver with the best leaf that this processor can run.
    #[must_use]
    pub fn new() -> Self {
        Self::with(leaves().next().expect("plain Rust runs everywhere"))
    }

    /// Makes a solver with a leaf of [`leaves`].
    #[must_use]
    pub fn with(leaf: &'static Leaf) -> Self {
        Self { leaf, run: (leaf.build)(), alone: (leaf.build_alone)() }
    }

    /// Returns the leaf.
    #[must_use]
    pub fn leaf(&self) -> &'static Leaf {
        self.leaf
    }

    /// Searches all puzzles of a batch.
    ///
    /// [`Limits::solutions`] holds for each puzzle, the other limits for all together; limits on expected
    /// nodes, progress, profile and rest are not heeded. Memory for the work is kept for the next run, so a
    /// puzzle takes none of its own.
    ///
    /// ```
    /// use farandole::algorithm::lanes::{Batch, Board, Lanes, Tally};
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
    ///         *board = Board::from_line(line);
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
    /// Lanes::new().run(&mut check, &dlx::Limits::solutions(2));
    /// assert_eq!(check.is_unique, [true, false]);
    /// ```
    pub fn run(&mut self, batch: &mut dyn Batch, limits: &Limits) -> Effort {
        self.run.run(batch, limits, None)
    }

    /// Does what [`Lanes::run`] does; if it is cut short, `rest` gets boards that have just the solutions that
    /// were not found.
    pub fn run_part(
        &mut self,
        batch: &mut dyn Batch,
        limits: &Limits,
        rest: &mut Vec<Board>,
    ) -> Effort {
        self.run.run(batch, limits, Some(rest))
    }

    /// Searches a batch of a single puzzle; if it is cut short, `rest` gets what was not searched.
    pub(crate) fn run_alone(
        &mut self,
        batch: &mut dyn Batch,
        limits: &Limits,
        rest: Option<&mut Vec<Board>>,
    ) -> Effort {
        self.alone.run(batch, limits, rest)
    }

    /// Returns a solution, if there is one.
    pub fn solve(&mut self, board: &Board) -> Option<Board> {
        let mut one = One { board: Some(*board), solution: None, wants_solution: true, found: 0 };
        self.run_alone(&mut one, &Limits::solutions(1), None);
        one.solution
    }

    /// Counts the solutions up to `limit`.
    pub fn count(&mut self, board: &Board, limit: u64) -> u64 {
        let mut one = One { board: Some(*board), solution: None, wants_solution: false, found: 0 };
        self.run_alone(&mut one, &Limits::solutions(limit), None);
        one.found
    }
}

/// A batch of one puzzle.
struct One {
    board: Option<Board>,
    solution: Option<Board>,
    wants_solution: bool,
    found: u64,
}

impl Batch for One {
    fn next(&mut self, board: &mut Board) -> bool {
        self.board.take().map(|mine| *board = mine).is_some()
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

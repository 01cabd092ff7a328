//! New puzzles of any kind whose clues can be written: a solution drawn at random, of which clues are deleted.
//!
//! Nothing here knows Sudoku: a puzzle is an exact cover, a solution one of its covers, and a clue an option of it. Plain 9x9
//! Sudoku goes through [`sudoku9::generate`] instead, many tries at once.
//!
//! - [`Generator`] makes a try: `draw` a solution, then units of clues are deleted in random order, each unless there are several
//!   solutions without it.
//! - [`regions`] draws the regions of a jigsaw, [`cages`] those of a killer.
//! - [`symmetry`] has the symmetries of grids, whose orbits of cells are the units.

pub mod cages;
mod draw;
mod neighbors;
pub mod regions;
pub mod symmetry;

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use dlx::{End, Engine as _, Limit, Limits, OptionId, Random, Solver};

use puzzle::Puzzle;

pub use draw::Draws;

/// Returns the random numbers of the try with a number.
#[must_use]
pub fn random_of(seed: u64, number: u64) -> Random {
    Random::new(Random::new(seed).next_u64() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Returns random numbers of the same try that are not those of [`random_of`], which draw the solution: for what is drawn before it.
#[must_use]
pub fn random_beside(seed: u64, number: u64) -> Random {
    Random::new(!random_of(seed, number).next_u64())
}

/// What puzzles are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// How many clues, those not counted that the puzzle has from the start.
    pub clues: RangeInclusive<usize>,
    /// Whether no unit of clues may be superfluous. If not, units are deleted until there are as many clues as a number
    /// drawn from `clues`.
    pub is_minimal: bool,
    /// Cells that have clues together or not at all; a cell that is in none has never a clue. Of puzzles that are no grids
    /// each option is a unit.
    pub units: Option<Vec<Vec<usize>>>,
}

/// A puzzle that was made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The options that are clues; those that the puzzle had from the start come first.
    pub clues: Vec<OptionId>,
    /// The only solution.
    pub solution: Vec<OptionId>,
    /// Whether each clue is needed, but for those that the puzzle had from the start; `None` if the nodes did not suffice.
    pub is_minimal: Option<bool>,
}

/// What came of a try.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// A puzzle as it was wanted.
    Puzzle(Generated),
    /// A puzzle with another number of clues than wanted.
    Clues(usize),
    /// All clues that may stand together have several solutions.
    Ambiguous,
    /// The puzzle has no solution at all.
    Unsolvable,
}

/// Makes puzzles of a kind and shape: those of an empty puzzle, or of one with clues that stay.
pub struct Generator<'p> {
    puzzle: &'p dyn Puzzle,
    wanted: Wanted,
    solver: Solver,
    drawing: Draws,
    nodes: u64,
}

impl std::fmt::Debug for Generator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generator").field("wanted", &self.wanted).finish_non_exhaustive()
    }
}

impl<'p> Generator<'p> {
    /// Prepares for a puzzle; a search that takes more nodes than `nodes` is given up, and the clue it was about stays.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn new(
        puzzle: &'p dyn Puzzle,
        wanted: Wanted,
        nodes: u64,
        limits: &Limits,
    ) -> Result<Self, Limit> {
        let drawing = Draws::new(puzzle, limits)?;
        let solver = Solver::new(Arc::clone(puzzle.problem()));
        Ok(Self { puzzle, wanted, solver, drawing, nodes })
    }

    /// Takes a known solution where drawing one takes a search.
    #[must_use]
    pub fn knowing(mut self, solution: Vec<OptionId>) -> Self {
        self.drawing = self.drawing.knowing(solution);
        self
    }

    /// Says how solutions are drawn.
    #[must_use]
    pub fn drawing(&self) -> &Draws {
        &self.drawing
    }

    /// Draws a solution; `None` if there is none.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn solution(
        &mut self,
        random: &mut Random,
        limits: &Limits,
    ) -> Result<Option<Vec<OptionId>>, Limit> {
        self.drawing.draw(self.puzzle, &mut self.solver, self.nodes, random, limits)
    }

    /// Makes the try with a number.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn attempt(&mut self, seed: u64, number: u64, limits: &Limits) -> Result<Attempt, Limit> {
        let mut random = random_of(seed, number);
        let drawn = self.solution(&mut random, limits)?;
        let Some(solution) = drawn else { return Ok(Attempt::Unsolvable) };
        let given = self.puzzle.given();
        let free: Vec<OptionId> =
            solution.iter().copied().filter(|option| !given.contains(option)).collect();
        let grid = self.puzzle.as_symbols();
        // Of a grid only symbols in cells are clues, and not those beside it.
        let is_clue = |option: &OptionId| {
            grid.is_none_or(|grid| {
                let shape = grid.grid().shape();
                let inside = shape.rows() * shape.columns();
                grid.placed_by(*option).is_some_and(|(cell, _)| cell < inside)
            })
        };
        let free: Vec<OptionId> = free.into_iter().filter(is_clue).collect();
        let mut units: Vec<Vec<OptionId>> = match (&self.wanted.units, grid) {
            (Some(units), Some(grid)) => {
                let of_cell = |cell: &usize| {
                    let is_there =
                        |option: OptionId| grid.placed_by(option).is_some_and(|(at, _)| at == *cell);
                    free.iter().copied().find(|&option| is_there(option))
                };
                let units = units.iter().map(|unit| unit.iter().filter_map(of_cell).collect());
                units.filter(|unit: &Vec<_>| !unit.is_empty()).collect()
            }
            _ => free.iter().map(|&option| vec![option]).collect(),
        };
        let mut clues: Vec<OptionId> = units.concat();
        clues.sort_unstable();
        if clues.len() < free.len() && self.has_other(&clues, &[], limits)? != Some(false) {
            return Ok(Attempt::Ambiguous);
        }
        random.shuffle(&mut units);
        let (first, last) = (*self.wanted.clues.start(), *self.wanted.clues.end());
        let least = match self.wanted.is_minimal {
            true => 0,
            false => first + random.below(last.min(clues.len()).saturating_sub(first) + 1),
        };
        let mut is_known = true;
        for unit in &units {
            if clues.len() < least + unit.len() {
                continue;
            }
            let rest: Vec<OptionId> =
                clues.iter().copied().filter(|clue| !unit.contains(clue)).collect();
            match self.has_other(&rest, unit, limits)? {
                Some(true) => {}
                Some(false) => clues = rest,
                None => is_known = false,
            }
        }
        if !self.wanted.clues.contains(&clues.len()) {
            return Ok(Attempt::Clues(clues.len()));
        }
        let is_proven = self.wanted.is_minimal && units.iter().all(|unit| unit.len() == 1);
        let mut is_minimal = is_known.then_some(true);
        for &clue in clues.iter().filter(|_| !is_proven) {
            let rest: Vec<OptionId> = clues.iter().copied().filter(|&other| other != clue).collect();
            match self.has_other(&rest, &[clue], limits)? {
                Some(true) => {}
                Some(false) => {
                    is_minimal = Some(false);
                    break;
                }
                None => is_minimal = None,
            }
        }
        let clues = given.iter().copied().chain(clues).collect();
        Ok(Attempt::Puzzle(Generated { clues, solution, is_minimal }))
    }

    /// Tells whether there is another solution of what is given and `rest`, if one is known with `left_out`; nothing if
    /// the nodes did not suffice.
    fn has_other(
        &mut self,
        rest: &[OptionId],
        left_out: &[OptionId],
        limits: &Limits,
    ) -> Result<Option<bool>, Limit> {
        let given: Vec<OptionId> = self.puzzle.given().iter().chain(rest).copied().collect();
        // Another one has not all of what was left out.
        let mut found = 0_u64;
        let mut visit = |cover: &[OptionId]| {
            let is_same = !left_out.is_empty() && left_out.iter().all(|option| cover.contains(option));
            found += u64::from(!is_same);
            let enough = if left_out.is_empty() { 2 } else { 1 };
            if found == enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let report = self.solver.run(&given, &[], &limits.clone().nodes(self.nodes), Some(&mut visit));
        match report.end {
            End::Stopped => Ok(Some(true)),
            End::Exhausted => Ok(Some(false)),
            End::Limit(Limit::Nodes) => Ok(None),
            End::Limit(limit) => Err(limit),
            _ => Ok(None),
        }
    }
}

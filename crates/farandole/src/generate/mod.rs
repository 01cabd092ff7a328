//! Generator of puzzles of any kind whose clues can be written. The generator draws a random
//! solution and deletes clues.
//!
//! The code is independent of Sudoku: a puzzle is an exact cover, a solution is one of its covers,
//! and a clue is an option of the solution. Plain 9x9 Sudoku uses [`sudoku9::generate`] instead,
//! which makes many tries at once.
//!
//! - [`Generator`] makes a try. It draws a solution (`draw`), then deletes units of clues in random
//!   order. A deletion is undone if the puzzle then has several solutions.
//! - [`regions`] draws the regions of a jigsaw Sudoku, and [`cages`] draws the cages of a killer
//!   Sudoku.
//! - [`symmetry`] has the symmetries of grids. The orbits of cells under a symmetry are the units.

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

/// Returns the random number generator of try `number`.
#[must_use]
pub fn random_of(seed: u64, number: u64) -> Random {
    Random::new(Random::new(seed).next_u64() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Returns a second random number generator of the same try, independent of [`random_of`], for
/// choices made before the solution.
#[must_use]
pub fn random_beside(seed: u64, number: u64) -> Random {
    Random::new(!random_of(seed, number).next_u64())
}

/// Specification of the wanted puzzles.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Number of clues; the clues that the puzzle has from the start do not count.
    pub clues: RangeInclusive<usize>,
    /// Whether every unit of clues must be needed for uniqueness. If `false`, units are deleted
    /// until the number of clues is a random number from `clues`.
    pub is_minimal: bool,
    /// Sets of cells that either all have clues or all have none. A cell in no unit never has a
    /// clue. In puzzles other than grids each option is a unit.
    pub units: Option<Vec<Vec<usize>>>,
}

/// A generated puzzle.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The options that are clues, beginning with the clues that the puzzle had from the start.
    pub clues: Vec<OptionId>,
    /// The options of the only solution.
    pub solution: Vec<OptionId>,
    /// Whether each added clue is needed for uniqueness; `None` if the node limit was reached.
    pub is_minimal: Option<bool>,
}

/// The result of a try.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// A puzzle that meets the specification.
    Puzzle(Generated),
    /// The puzzle has this number of clues, which is not wanted.
    Clues(usize),
    /// The puzzle has several solutions even with all possible clues.
    Ambiguous,
    /// The puzzle has no solution.
    Unsolvable,
}

/// Generator of puzzles of a kind and shape, from an empty puzzle or one with fixed clues.
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
    /// Prepares a generator for a puzzle. A uniqueness test stops after `nodes` nodes, and then its
    /// clue is kept.
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

    /// Sets a known solution, which is used if drawing a solution would need a search.
    #[must_use]
    pub fn knowing(mut self, solution: Vec<OptionId>) -> Self {
        self.drawing = self.drawing.knowing(solution);
        self
    }

    /// Returns the method that draws solutions.
    #[must_use]
    pub fn drawing(&self) -> &Draws {
        &self.drawing
    }

    /// Draws a solution; `None` if there is none.
    ///
    /// # Errors
    /// The limit that ended the search.
    pub fn solution(
        &mut self,
        random: &mut Random,
        limits: &Limits,
    ) -> Result<Option<Vec<OptionId>>, Limit> {
        self.drawing.draw(self.puzzle, &mut self.solver, self.nodes, random, limits)
    }

    /// Makes try `number`.
    ///
    /// # Errors
    /// The limit that ended the try.
    pub fn attempt(&mut self, seed: u64, number: u64, limits: &Limits) -> Result<Attempt, Limit> {
        let mut random = random_of(seed, number);
        let drawn = self.solution(&mut random, limits)?;
        let Some(solution) = drawn else { return Ok(Attempt::Unsolvable) };
        let given = self.puzzle.given();
        let free: Vec<OptionId> =
            solution.iter().copied().filter(|option| !given.contains(option)).collect();
        let grid = self.puzzle.as_symbols();
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

    /// Returns whether there is a solution that contains the given options and `rest`, other than
    /// the known solution, which also contains `left_out`. Returns `None` at the node limit.
    fn has_other(
        &mut self,
        rest: &[OptionId],
        left_out: &[OptionId],
        limits: &Limits,
    ) -> Result<Option<bool>, Limit> {
        let given: Vec<OptionId> = self.puzzle.given().iter().chain(rest).copied().collect();
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
        }
    }
}

//! Generator of puzzles. The generator deletes clues of random full grids as long as there is one
//! solution.
//!
//! The work is divided into *tries*, numbered from 0. The result of a try depends only on the
//! recipe and the number of the try. So a caller may distribute tries over any number of threads,
//! in blocks of any size, and gets the same puzzles.
//!
//! - `random` generates the random numbers of a try, and `full` a uniformly random full grid.
//! - `clues` has the board of a puzzle whose clues are deleted one after the other. The board
//!   recognizes singles, which make most searches unnecessary.
//! - `top_down` tries to delete each clue once, in random order. `controlled` (see
//!   [`Recipe::controlled`]) stops as soon as a clue is needed, so that puzzles with the same
//!   number of clues are equally likely.
//! - [`vicinity`] makes puzzles from a similar one, the way to few clues and hard puzzles.

mod clues;
mod controlled;
mod full;
mod random;
mod top_down;
pub mod vicinity;

use std::ops::{Range, RangeInclusive};

use limits::{Limit, Limits};

use crate::lanes::Lanes;
pub(crate) use random::RandomStream;

/// Specification of the wanted puzzles.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recipe {
    /// Seed of the random numbers; different seeds give different puzzles.
    pub seed: u64,
    /// Sets of cells that either all have clues or all have none. Cells are numbered from 0 to 80
    /// row by row. A cell in no unit never has a clue, and no cell is in two units.
    pub units: Vec<Vec<u8>>,
    /// Wanted number of clues.
    pub clues: RangeInclusive<u32>,
    /// Whether every unit must be needed for uniqueness. If `false`, units are deleted until the
    /// number of clues is a uniformly random number from `clues`.
    pub is_minimal: bool,
    /// Whether all minimal puzzles with the same number of clues are equally likely; see
    /// [`Recipe::controlled`].
    is_controlled: bool,
}

impl Recipe {
    /// Requests minimal puzzles by top-down generation: each clue of a random full grid is deleted,
    /// in random order, and restored if there are several solutions without it.
    ///
    /// Puzzles of few clues are far more likely than in a uniform choice among all minimal puzzles.
    /// The puzzles have 24.4 clues on average instead of 26.6 (D. Berthier, 2009).
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let units = (0..81).map(|cell| vec![cell]).collect();
        Self { seed, units, clues: 0..=81, is_minimal: true, is_controlled: false }
    }

    /// Requests minimal puzzles with controlled bias (D. Berthier, 2009). Clues of a full grid are
    /// deleted in random order until there are several solutions. The last puzzle with one solution
    /// is kept if it is minimal.
    ///
    /// So all minimal puzzles of n clues are equally likely. A puzzle of n + 1 clues is (n + 1) /
    /// (81 - n) times as likely as a puzzle of n clues; [`weight`] corrects this. Puzzles of more
    /// than [`CLUES_MAX`] clues are never generated. Each unit is one cell. About one try in
    /// 250,000 yields a puzzle.
    #[must_use]
    pub fn controlled(seed: u64) -> Self {
        Self { is_controlled: true, ..Self::new(seed) }
    }

    /// Returns whether [`Recipe::controlled`] made this recipe.
    #[must_use]
    pub fn is_controlled(&self) -> bool {
        self.is_controlled
    }

    /// Returns a number of tries that take some milliseconds together. Blocks of this size keep all
    /// lanes of the solver busy.
    #[must_use]
    pub fn block(&self) -> u64 {
        if self.is_controlled { 1 << 14 } else { 1 << 10 }
    }
}

/// Maximum number of clues of a puzzle with controlled bias. None of 5.9 million published puzzles
/// of this kind has more than 31.
pub const CLUES_MAX: u32 = 32;

/// Returns the weight of a minimal puzzle of `clues` clues with controlled bias, relative to a
/// puzzle of 26 clues.
///
/// ```
/// assert_eq!(sudoku9::generate::weight(26), 1.0);
/// assert!((sudoku9::generate::weight(27) - 55.0 / 27.0).abs() < 1e-12);
/// assert!((sudoku9::generate::weight(25) - 26.0 / 56.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn weight(clues: u32) -> f64 {
    let step = |n: u32| f64::from(81 - n) / f64::from(n + 1);
    (26..clues).map(step).product::<f64>() / (clues..26).map(step).product::<f64>()
}

/// A generated puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Generated {
    /// Number of the try that yielded the puzzle.
    pub number: u64,
    /// The puzzle, as digits and points for blanks.
    pub puzzle: [u8; 81],
    /// The only solution of the puzzle.
    pub solution: [u8; 81],
    /// Number of clues of the puzzle.
    pub clues: u32,
    /// Whether each clue is needed for uniqueness.
    pub is_minimal: bool,
}

/// Results of a run of tries.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Yield {
    /// The wanted puzzles, in the order of their tries.
    pub puzzles: Vec<Generated>,
    /// The minimum and the maximum number of clues among puzzles that were rejected for their
    /// number of clues.
    pub other_clues: Option<(u32, u32)>,
    /// The number of clues nearest to the wanted range among these puzzles.
    pub nearest_clues: Option<u32>,
    /// Number of tries without a puzzle, because there are several solutions even with all
    /// permitted clues.
    pub ambiguous: u64,
}

impl Yield {
    fn add_other(&mut self, clues: u32, wanted: &RangeInclusive<u32>) {
        let (least, most) = self.other_clues.unwrap_or((clues, clues));
        self.other_clues = Some((least.min(clues), most.max(clues)));
        let distance =
            |clues: u32| wanted.start().saturating_sub(clues).max(clues.saturating_sub(*wanted.end()));
        let known = self.nearest_clues.unwrap_or(clues);
        self.nearest_clues = Some(if distance(clues) < distance(known) { clues } else { known });
    }
}

/// Generates one minimal puzzle with exactly one solution. The same seed always gives the same
/// puzzle.
///
/// ```
/// let made = sudoku9::generate::puzzle(1);
/// assert_eq!(sudoku9::is_unique(&made.puzzle), Ok(true));
/// assert_eq!(sudoku9::solve(&made.puzzle), Ok(Some(made.solution)));
/// assert_ne!(sudoku9::generate::puzzle(2), made);
/// ```
///
/// # Panics
/// Never: a full grid always yields a puzzle.
#[must_use]
pub fn puzzle(seed: u64) -> Generated {
    let yielded = run(&mut Lanes::new(), &Recipe::new(seed), 0..1, &Limits::new());
    let mut puzzles = yielded.expect("there is no limit").puzzles;
    puzzles.pop().expect("each cell may have a clue")
}

/// Makes the tries with the given numbers.
///
/// ```
/// use sudoku9::{Lanes, Limits, generate};
///
/// let recipe = generate::Recipe::new(7);
/// let yielded = generate::run(&mut Lanes::new(), &recipe, 0..10, &Limits::new())?;
/// assert_eq!(yielded.puzzles.len(), 10);
/// for made in &yielded.puzzles {
///     assert_eq!(sudoku9::is_unique(&made.puzzle), Ok(true));
///     assert_eq!(sudoku9::solve(&made.puzzle), Ok(Some(made.solution)));
/// }
/// # Ok::<(), sudoku9::Limit>(())
/// ```
///
/// # Errors
/// The limit that ended the run. Of `limits`, only the deadline and the cancel flags apply.
pub fn run(
    lanes: &mut Lanes,
    recipe: &Recipe,
    tries: Range<u64>,
    limits: &Limits,
) -> Result<Yield, Limit> {
    let limits = limits.clone().solutions(None).nodes(None);
    let mut yielded = match recipe.is_controlled {
        true => controlled::run(lanes, recipe, tries, &limits)?,
        false => top_down::run(lanes, recipe, tries, &limits)?,
    };
    yielded.puzzles.sort_by_key(|made| made.number);
    Ok(yielded)
}

/// Draws a full grid, each of the 6,670,903,752,021,072,936,960 with the same probability. The same
/// seed and number always give the same grid.
///
/// ```
/// let grid = sudoku9::generate::full_grid(1, 0);
/// assert_eq!(sudoku9::solve(&grid), Ok(Some(grid)));
/// assert_ne!(sudoku9::generate::full_grid(1, 1), grid);
/// ```
#[must_use]
pub fn full_grid(seed: u64, number: u64) -> [u8; 81] {
    full::grid(&mut RandomStream::new(seed, number)).map(|digit| b'0' + digit)
}

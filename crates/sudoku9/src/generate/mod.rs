//! New puzzles: clues of random full grids are deleted while there is one solution.
//!
//! The work is cut into *tries*, numbered from 0. The result of a try depends only on the recipe
//! and its number, so a caller may distribute tries over any number of threads, in blocks of any
//! size, and gets the same puzzles.
//!
//! - `random` generates the random numbers of a try, `full` a uniformly random full grid.
//! - `clues` is a puzzle whose clues are deleted one by one: its board, and the singles that make
//!   most searches unnecessary.
//! - `top_down` tries to delete all clues once in random order; `controlled` (with
//!   [`Recipe::controlled`]) gives up as soon as a clue is needed, so that puzzles with equally
//!   many clues are equally likely.

mod clues;
mod controlled;
mod full;
mod random;
mod top_down;

use std::ops::{Range, RangeInclusive};

use crate::lanes::Lanes;
use crate::model::limits::{Limit, Limits};
pub(crate) use random::RandomStream;

/// Specification of the wanted puzzles.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recipe {
    /// Seed of the random numbers; different seeds give different puzzles.
    pub seed: u64,
    /// Sets of cells that have clues together or not at all, numbered from 0 to 80 row by row; a
    /// cell in no unit never has a clue, and no cell is in two units.
    pub units: Vec<Vec<u8>>,
    /// Wanted number of clues.
    pub clues: RangeInclusive<u32>,
    /// Whether every unit must be needed. If not, units are deleted down to a number of clues drawn
    /// uniformly from `clues`.
    pub is_minimal: bool,
    /// Whether all minimal puzzles with equally many clues are equally likely; see
    /// [`Recipe::controlled`].
    is_controlled: bool,
}

impl Recipe {
    /// Requests minimal puzzles, made top down: each clue of a random full grid is deleted in a
    /// random order, and restored if there are several solutions without it.
    ///
    /// Puzzles of few clues are far more likely than in a uniform choice among all minimal puzzles:
    /// 24.4 clues on average instead of 26.6 (D. Berthier, 2009).
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let units = (0..81).map(|cell| vec![cell]).collect();
        Self { seed, units, clues: 0..=81, is_minimal: true, is_controlled: false }
    }

    /// Requests minimal puzzles with a controlled bias (D. Berthier, 2009): clues of a full grid
    /// are deleted in a random order until there are several solutions; the puzzle before is kept
    /// if it is minimal.
    ///
    /// So all minimal puzzles of n clues are equally likely, and puzzles of n + 1 clues are (n + 1)
    /// / (81 - n) times as likely as these: [`weight`] corrects for that. Puzzles of more than
    /// [`CLUES_MAX`] clues are left out. The units are single cells, and about one try in 250,000
    /// yields a puzzle.
    #[must_use]
    pub fn controlled(seed: u64) -> Self {
        Self { is_controlled: true, ..Self::new(seed) }
    }

    /// Returns whether this was made by [`Recipe::controlled`].
    #[must_use]
    pub fn is_controlled(&self) -> bool {
        self.is_controlled
    }

    /// Returns the number of tries that take some milliseconds together: blocks of this size keep
    /// the lanes busy.
    #[must_use]
    pub fn block(&self) -> u64 {
        if self.is_controlled { 1 << 14 } else { 1 << 10 }
    }
}

/// Maximum number of clues of a puzzle with controlled bias: none of 5.9 million published ones has
/// more than 31.
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
    /// The number of its try.
    pub number: u64,
    /// The puzzle: digits, and points for blanks.
    pub puzzle: [u8; 81],
    /// Its only solution.
    pub solution: [u8; 81],
    /// Its number of clues.
    pub clues: u32,
    /// Whether each of its clues is needed.
    pub is_minimal: bool,
}

/// Results of a run of tries.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Yield {
    /// The wanted puzzles, in the order of their tries.
    pub puzzles: Vec<Generated>,
    /// The minimum and maximum number of clues of puzzles rejected for their number of clues.
    pub other_clues: Option<(u32, u32)>,
    /// Tries without a puzzle, because the cells that may have clues did not suffice.
    pub ambiguous: u64,
}

impl Yield {
    fn add_other(&mut self, clues: u32) {
        let (least, most) = self.other_clues.unwrap_or((clues, clues));
        self.other_clues = Some((least.min(clues), most.max(clues)));
    }
}

/// Makes the tries with these numbers.
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
/// The limit that ended the run; of `limits`, only the deadline and the cancel flags apply.
pub fn run(
    lanes: &mut Lanes,
    recipe: &Recipe,
    tries: Range<u64>,
    limits: &Limits,
) -> Result<Yield, Limit> {
    let limits = limits.without_numbers();
    let mut yielded = match recipe.is_controlled {
        true => controlled::run(lanes, recipe, tries, &limits)?,
        false => top_down::run(lanes, recipe, tries, &limits)?,
    };
    yielded.puzzles.sort_by_key(|made| made.number);
    Ok(yielded)
}

/// Draws a full grid; all 6,670,903,752,021,072,936,960 are equally likely. The same seed and
/// number always give the same grid.
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

//! New puzzles: full grids drawn at random, of which clues are deleted while there is one solution.
//!
//! Everything is cut into *tries*, numbered from 0. What a try yields depends on the recipe and on its number alone, so a
//! caller may give them to any number of threads, in blocks of any size, and gets the same puzzles.
//!
//! - `random` makes the random numbers of a try, `full` a full grid, uniformly.
//! - `clues` is a puzzle from which clues go one by one: its board, and the singles that answer most questions without a search.
//! - `top_down` goes once through all clues in random order; `controlled` (with [`Recipe::controlled`]) gives up as soon as a
//!   clue is needed, so that puzzles of equally many clues are equally likely.

mod clues;
mod controlled;
mod full;
mod random;
mod top_down;

use std::ops::{Range, RangeInclusive};

use crate::lanes::Lanes;
use crate::model::limits::{Limit, Limits};
pub(crate) use random::RandomStream;

/// What puzzles are wanted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recipe {
    /// The puzzles of another seed are others.
    pub seed: u64,
    /// Cells that have clues together or not at all, from 0 to 80 row by row; a cell that is in none has never a clue, and no
    /// cell is in two.
    pub units: Vec<Vec<u8>>,
    /// How many clues are wanted.
    pub clues: RangeInclusive<u32>,
    /// Whether no unit may be superfluous. If not, units are deleted until there are as many clues as a number drawn
    /// from `clues`, each as likely as any other.
    pub is_minimal: bool,
    /// Whether all minimal puzzles of equally many clues are equally likely; see [`Recipe::controlled`].
    is_controlled: bool,
}

impl Recipe {
    /// Wants minimal puzzles, made top down: each clue of a random full grid is deleted in a random order, and put back if
    /// there are several solutions without it.
    ///
    /// Puzzles of few clues are far more likely than in a uniform choice among all minimal puzzles: 24.4 clues
    /// on average, where that would have 26.6 (D. Berthier, 2009).
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let units = (0..81).map(|cell| vec![cell]).collect();
        Self { seed, units, clues: 0..=81, is_minimal: true, is_controlled: false }
    }

    /// Wants minimal puzzles with a controlled bias (D. Berthier, 2009): clues of a full grid are deleted in a random order
    /// until there are several solutions; the last puzzle before is kept if it is minimal.
    ///
    /// So all minimal puzzles of n clues are equally likely, and those of n + 1 clues are (n + 1) / (81 - n) times
    /// as likely as they are: [`weight`] undoes that. Puzzles of more than [`CLUES_MAX`] clues are left out. The units are single cells, and about
    /// one try in 250,000 yields a puzzle.
    #[must_use]
    pub fn controlled(seed: u64) -> Self {
        Self { is_controlled: true, ..Self::new(seed) }
    }

    /// Tells whether this was made by [`Recipe::controlled`].
    #[must_use]
    pub fn is_controlled(&self) -> bool {
        self.is_controlled
    }

    /// Returns how many tries take some milliseconds together: blocks of so many keep the lanes busy.
    #[must_use]
    pub fn block(&self) -> u64 {
        if self.is_controlled { 1 << 14 } else { 1 << 10 }
    }
}

/// The most clues of a puzzle by controlled bias: of 5.9 million published ones none has more than 31.
pub const CLUES_MAX: u32 = 32;

/// Returns how many minimal puzzles of so many clues one by controlled bias stands for, if one of 26 clues
/// stands for one.
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

/// A puzzle that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Generated {
    /// The number of the try that made it.
    pub number: u64,
    /// The puzzle: digits, and points for blanks.
    pub puzzle: [u8; 81],
    /// Its only solution.
    pub solution: [u8; 81],
    /// How many clues it has.
    pub clues: u32,
    /// Whether each of its clues is needed.
    pub is_minimal: bool,
}

/// What a run of tries yields.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Yield {
    /// The puzzles as they were wanted, in the order of their tries.
    pub puzzles: Vec<Generated>,
    /// The least and the most clues of puzzles that were not wanted for their number of clues.
    pub other_clues: Option<(u32, u32)>,
    /// Tries without a puzzle, since the cells that may have clues did not suffice.
    pub ambiguous: u64,
}

impl Yield {
    /// Adds a number of clues that was not wanted.
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
/// The limit that ended it: of `limits` only the deadline and the flags are heeded.
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

/// Draws a full grid; each of all 6,670,903,752,021,072,936,960 is as likely as any other. The same seed and number
/// always draw the same one.
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

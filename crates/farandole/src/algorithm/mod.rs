//! All algorithms for puzzles, for `--engine` and `compare`.
//!
//! The engines of [`dlx`] work on the translated puzzle (module `cover`), and the solver chooses
//! one of them (`auto`). The plain backtrackers (`backtrack`) and the lane solver of [`sudoku9`]
//! (`nine`) work on the grid itself. All of these return covers, so that their solutions can be
//! compared. The bands of `sudoku9` and the methods of [`dlx::count`](mod@dlx::count) (`counter`)
//! only count.

mod auto;
mod backtrack;
mod counter;
mod cover;
mod digits;
mod kept;
pub mod nine;
mod sums;
#[cfg(test)]
mod tests;
mod trials;

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use dlx::parallel::Cores;
use dlx::{End, Limit, Limits, OptionId, Report, Unsupported, Visit};

use puzzle::{Puzzle, Solution, SolutionVisit};

/// An algorithm that solves one puzzle after the other.
pub trait Algorithm: Send {
    /// Visits every solution of `puzzle`, or only counts the solutions if there is no visitor. The
    /// visitor receives each solution in the algorithm's own form.
    ///
    /// # Errors
    /// If the algorithm does not support such puzzles, or a limit ended their translation.
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError>;

    /// Builds the translation that a search of `puzzle` needs, to exclude it from the time of the
    /// search.
    ///
    /// # Errors
    /// The limit that was reached.
    fn prepare(&self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<(), Limit> {
        let _ = (puzzle, limits);
        Ok(())
    }

    /// Counts the solutions of each of several puzzles, all at once. Returns `false` if the
    /// algorithm cannot do so.
    fn count_together(&mut self, puzzles: &[&dyn Puzzle], limits: &Limits) -> bool {
        let _ = (puzzles, limits);
        false
    }

    /// Makes the algorithm check every later count by a second method, if it can.
    fn count_twice(&mut self) {}

    /// Returns the name of the engine that searched the last puzzle, if the algorithm chose one.
    fn engine(&self) -> Option<&'static str> {
        None
    }

    /// Explains why the algorithm chose the engine of the last puzzle.
    fn explain(&self) -> Option<String> {
        None
    }
}

impl dyn Algorithm + '_ {
    /// Visits every solution of `puzzle` in the algorithm's own form, for callers that need no
    /// covers.
    ///
    /// # Errors
    /// If the algorithm does not support such puzzles.
    pub fn show(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: &mut SolutionVisit<'_>,
    ) -> Result<Report, Unsupported> {
        report(self.run(puzzle, limits, Some(visit)))
    }

    /// Visits every solution of `puzzle` as a cover of its problem; the cover lists the clues
    /// first.
    ///
    /// # Errors
    /// If the algorithm does not support such puzzles.
    pub fn search(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: &mut Visit<'_>,
    ) -> Result<Report, Unsupported> {
        // Covers are options of the problem.
        if let Err(limit) = puzzle.build_problem(limits) {
            return Ok(unbuilt(limit));
        }
        self.show(puzzle, limits, &mut |solution| visit(&solution.cover()))
    }

    /// Counts the solutions of `puzzle`.
    ///
    /// # Errors
    /// If the algorithm does not support such puzzles.
    pub fn count(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<Report, Unsupported> {
        report(self.run(puzzle, limits, None))
    }
}

/// The reason why an algorithm did not search a puzzle.
#[derive(Clone, Debug)]
pub enum RunError {
    /// The algorithm does not support the puzzle.
    Unsupported(Unsupported),
    /// The limit that was reached while the puzzle was translated.
    Limit(Limit),
}

impl From<Unsupported> for RunError {
    fn from(unsupported: Unsupported) -> Self {
        Self::Unsupported(unsupported)
    }
}

impl From<Limit> for RunError {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

fn report(run: Result<Report, RunError>) -> Result<Report, Unsupported> {
    run.or_else(|error| match error {
        RunError::Unsupported(unsupported) => Err(unsupported),
        RunError::Limit(limit) => Ok(unbuilt(limit)),
    })
}

/// Returns a visitor of covers that passes them to a visitor of solutions.
fn as_covers<'v>(visit: &'v mut SolutionVisit<'_>) -> impl FnMut(&[OptionId]) -> ControlFlow<()> {
    |cover| visit(Solution::Cover(cover))
}

/// Returns the report of a search that a limit ended while its translation was built.
fn unbuilt(limit: Limit) -> Report {
    Report::empty(End::Limit(limit))
}

/// A row of the table of algorithms.
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmSpec {
    /// Name of the algorithm.
    pub name: &'static str,
    /// Description of the algorithm in one line.
    pub summary: &'static str,
    /// The group of [`by_purpose`].
    purpose: &'static str,
    /// Makes the algorithm from its name and the cores that it may use while they are idle.
    make: fn(&str, &Arc<Cores>) -> Box<dyn Algorithm>,
}

impl AlgorithmSpec {
    /// Builds the algorithm to run on one thread.
    #[must_use]
    pub fn build(&self) -> Box<dyn Algorithm> {
        self.build_on(&Cores::new(0))
    }

    /// Builds the algorithm; it also uses the idle cores of `cores`, if it can.
    #[must_use]
    pub fn build_on(&self, cores: &Arc<Cores>) -> Box<dyn Algorithm> {
        (self.make)(self.name, cores)
    }
}

/// All algorithms: the default, the engines, the methods that only count, the lane solver, the band
/// counter, and the backtrackers.
///
/// ```
/// use farandole::algorithm::ALGORITHMS;
/// use puzzle::{self, Puzzle};
///
/// let sudoku = farandole::kinds::by_name("sudoku").expect("a kind");
/// let parameter = sudoku.parameter.expect("empty grids");
/// let puzzle = (parameter.make)("2x2", &mut Default::default(), &Default::default())?;
/// for spec in ALGORITHMS.iter().filter(|spec| spec.name != "naive") {
///     // Some support only 9x9 Sudoku, or perfect matchings.
///     let counted = spec.build().count(puzzle.as_ref(), &dlx::Limits::default());
///     let Ok(report) = counted else { continue };
///     assert_eq!(report.count(), Some(288), "{}", spec.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub static ALGORITHMS: LazyLock<Vec<AlgorithmSpec>> = LazyLock::new(|| {
    let grids = [digits::SPEC, nine::LANES, nine::BANDS].into_iter().chain(backtrack::SPECS);
    [auto::SPEC].into_iter().chain(cover::specs()).chain(counter::specs()).chain(grids).collect()
});

/// Variants of algorithms that differ in one feature, so that a comparison shows the effect of the
/// feature.
pub static VARIANTS: LazyLock<Vec<AlgorithmSpec>> = LazyLock::new(|| cover::variants().collect());

/// Name of the first purpose in [`by_purpose`].
const SEARCH: &str = "search";
/// Name of the second purpose in [`by_purpose`]: algorithms that count but show no solutions.
pub const ONLY_COUNT: &str = "only count";
const COMPARE: &str = "are for comparison only";

/// Returns the algorithms in groups by their purpose; each purpose completes the phrase "engines
/// that ...".
pub fn by_purpose() -> impl Iterator<Item = (&'static str, Vec<&'static AlgorithmSpec>)> {
    [SEARCH, ONLY_COUNT, COMPARE].into_iter().map(|purpose| {
        let all = ALGORITHMS.iter().chain(VARIANTS.iter());
        (purpose, all.filter(|spec| spec.purpose == purpose).collect())
    })
}

/// Returns the algorithm or the variant named `name`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static AlgorithmSpec> {
    ALGORITHMS.iter().chain(VARIANTS.iter()).find(|spec| spec.name == name)
}

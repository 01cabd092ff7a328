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

use std::sync::{Arc, LazyLock};

use dlx::count::{METHODS, Method};
use dlx::parallel::Cores;
use dlx::{ENGINES, End, EngineSpec, Limit, Limits, Report, Unsupported, Visit};

use puzzle::{Puzzle, Solution, SolutionVisit};

/// An algorithm that solves one puzzle after the other.
pub trait Algorithm: Send {
    /// Visits every solution of `puzzle`, or only counts the solutions if there is no visitor.
    /// `search` and `count` call this method.
    ///
    /// # Errors
    /// If the algorithm does not support such puzzles.
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported>;

    /// Visits every solution of `puzzle` as a cover of its problem; the cover lists the clues
    /// first.
    ///
    /// # Errors
    /// If the algorithm does not support such puzzles.
    fn search(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: &mut Visit<'_>,
    ) -> Result<Report, Unsupported> {
        self.run(puzzle, limits, Some(visit))
    }

    /// Visits every solution like [`Algorithm::search`], but in the algorithm's own form, for
    /// callers that need no covers.
    ///
    /// # Errors
    /// If the algorithm does not support such puzzles.
    fn show(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: &mut SolutionVisit<'_>,
    ) -> Result<Report, Unsupported> {
        self.search(puzzle, limits, &mut |cover| visit(Solution::Cover(cover)))
    }

    /// Builds the translation that a search of `puzzle` needs, to exclude it from the time of the
    /// search.
    ///
    /// # Errors
    /// The limit that was reached.
    fn prepare(&self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<(), Limit> {
        let _ = (puzzle, limits);
        Ok(())
    }

    /// Counts the solutions of `puzzle`.
    ///
    /// # Errors
    /// If the algorithm does not support such puzzles.
    fn count(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<Report, Unsupported> {
        self.run(puzzle, limits, None)
    }

    /// Counts the solutions of each puzzle; all puzzles at once, if the algorithm can do so.
    ///
    /// # Errors
    /// If the algorithm does not support such puzzles.
    fn count_all(&mut self, puzzles: &[&dyn Puzzle], limits: &Limits) -> Result<(), Unsupported> {
        puzzles.iter().try_for_each(|puzzle| self.count(*puzzle, limits).map(drop))
    }

    /// Returns whether [`Self::count_all`] counts these puzzles all at once.
    fn is_together(&self, puzzles: &[&dyn Puzzle]) -> bool {
        let _ = puzzles;
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

/// Returns the report of a search that a limit ended while its translation was built.
fn unbuilt(limit: Limit) -> Report {
    Report::empty(End::Limit(limit))
}

/// An entry in the table of algorithms.
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmSpec {
    /// Name of the algorithm.
    pub name: &'static str,
    /// Description of the algorithm in one line.
    pub summary: &'static str,
    maker: Maker,
}

#[derive(Clone, Copy, Debug)]
enum Maker {
    Solver,
    Engine(&'static EngineSpec),
    Counter(&'static Method),
    Lanes,
    Bands,
    Digits,
    Own(fn() -> Box<dyn Algorithm>),
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
        match self.maker {
            Maker::Solver => Box::new(auto::Auto::new(cores)),
            Maker::Engine(engine) => Box::new(cover::EngineAlgorithm::new(engine, cores)),
            Maker::Counter(method) => Box::new(counter::CountingMethod::new(method, cores)),
            Maker::Lanes => Box::new(nine::LanesAlgorithm::new(cores)),
            Maker::Bands => Box::new(nine::BandsAlgorithm::new(cores)),
            Maker::Digits => Box::new(digits::DigitsAlgorithm),
            Maker::Own(make) => make(),
        }
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
    let engines = ENGINES.iter().map(of_engine);
    // The method "search" is left out, because the engines already search.
    let methods = METHODS.iter().filter(|method| method.name != "search");
    let methods = methods.map(|method| AlgorithmSpec {
        name: method.name,
        summary: method.summary,
        maker: Maker::Counter(method),
    });
    let grids =
        [digits::SPEC, nine::LANES, nine::BANDS].into_iter().chain(backtrack::SPECS.iter().copied());
    [auto::SPEC].into_iter().chain(engines).chain(methods).chain(grids).collect()
});

/// Variants of algorithms that differ in one feature, so that a comparison shows the effect of the
/// feature.
pub static VARIANTS: LazyLock<Vec<AlgorithmSpec>> =
    LazyLock::new(|| dlx::engine::VARIANTS.iter().map(of_engine).collect());

fn of_engine(engine: &'static EngineSpec) -> AlgorithmSpec {
    AlgorithmSpec { name: engine.name, summary: engine.summary, maker: Maker::Engine(engine) }
}

/// Name of the first purpose in [`by_purpose`].
const SEARCH: &str = "search";
/// Name of the second purpose in [`by_purpose`]: algorithms that count but show no solutions.
pub const ONLY_COUNT: &str = "only count";
const COMPARE: &str = "are for comparison only";

/// Returns the algorithms in groups by their purpose; each purpose completes the phrase "engines
/// that ...".
pub fn by_purpose() -> impl Iterator<Item = (&'static str, Vec<&'static AlgorithmSpec>)> {
    let purpose = |spec: &AlgorithmSpec| match spec.maker {
        Maker::Engine(engine) if engine.name == "naive" => COMPARE,
        Maker::Solver | Maker::Engine(_) | Maker::Lanes | Maker::Digits => SEARCH,
        Maker::Counter(_) | Maker::Bands => ONLY_COUNT,
        Maker::Own(_) => COMPARE,
    };
    [SEARCH, ONLY_COUNT, COMPARE].into_iter().map(move |wanted| {
        let all = ALGORITHMS.iter().filter(|spec| purpose(spec) == wanted);
        let variants = VARIANTS.iter().filter(|_| wanted == COMPARE);
        (wanted, all.chain(variants).collect())
    })
}

/// Returns the algorithm or the variant named `name`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static AlgorithmSpec> {
    ALGORITHMS.iter().chain(VARIANTS.iter()).find(|spec| spec.name == name)
}

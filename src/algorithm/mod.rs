//! Every way to solve a puzzle, for `--engine` and `compare`.
//!
//! The engines of [`dlx`] work on the translated puzzle (`cover`), its solver in front of them chooses
//! one (`auto`), the plain backtrackers on the grid itself (`backtrack`). All of them answer with
//! covers, so that they can be compared.

mod auto;
mod backtrack;
mod cover;
mod kept;
pub mod lanes;

use std::sync::{Arc, LazyLock};

use dlx::engine::Unsupported;
use dlx::parallel::Cores;
use dlx::solver::Plan;
use dlx::{ENGINES, EngineSpec, Limits, Report, Visit};

use crate::puzzle::Puzzle;

/// A way to solve puzzles, one after the other.
pub trait Algorithm: Send {
    /// Visits every solution of `puzzle`, or only counts them if there is no visitor: what the other two
    /// ask for in their ways.
    ///
    /// # Errors
    /// If the algorithm does not take such puzzles.
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported>;

    /// Visits every solution of `puzzle`, as a cover of its problem that lists the clues first.
    ///
    /// # Errors
    /// If the algorithm does not take such puzzles.
    fn search(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: &mut Visit<'_>,
    ) -> Result<Report, Unsupported> {
        self.run(puzzle, limits, Some(visit))
    }

    /// Counts the solutions of `puzzle`.
    ///
    /// # Errors
    /// If the algorithm does not take such puzzles.
    fn count(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<Report, Unsupported> {
        self.run(puzzle, limits, None)
    }

    /// Returns what was made of the last puzzle, if the algorithm makes plans.
    fn plan(&self) -> Option<&Plan> {
        None
    }
}

/// An entry of the table of algorithms.
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmSpec {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    maker: Maker,
}

#[derive(Clone, Copy, Debug)]
enum Maker {
    Solver,
    Engine(&'static EngineSpec),
    Own(fn() -> Box<dyn Algorithm>),
}

impl AlgorithmSpec {
    /// Makes the algorithm, for one thread.
    #[must_use]
    pub fn build(&self) -> Box<dyn Algorithm> {
        self.build_on(&Cores::new(0))
    }

    /// Makes the algorithm such that it searches one puzzle with those of `cores` that are idle too, if
    /// it can.
    #[must_use]
    pub fn build_on(&self, cores: &Arc<Cores>) -> Box<dyn Algorithm> {
        match self.maker {
            Maker::Solver => Box::new(auto::Auto::new(cores)),
            Maker::Engine(engine) => Box::new(cover::Cover::new(engine, cores)),
            Maker::Own(make) => make(),
        }
    }
}

/// Every algorithm: the one that chooses, the engines, the backtrackers.
///
/// ```
/// use farandole::algorithm::ALGORITHMS;
/// use farandole::puzzle::{self, Puzzle};
///
/// let sudoku = puzzle::by_name("sudoku").expect("a kind");
/// let parameter = sudoku.parameter.expect("empty grids");
/// let puzzle = (parameter.make)("2x2", &mut Default::default())?;
/// for spec in ALGORITHMS.iter().filter(|spec| spec.name != "naive") {
///     let report = spec.build().count(puzzle.as_ref(), &dlx::Limits::default())?;
///     assert_eq!(report.count(), Some(288), "{}", spec.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub static ALGORITHMS: LazyLock<Vec<AlgorithmSpec>> = LazyLock::new(|| {
    let engine = |engine: &'static EngineSpec| AlgorithmSpec {
        name: engine.name,
        summary: engine.summary,
        maker: Maker::Engine(engine),
    };
    let engines = ENGINES.iter().map(engine);
    [auto::SPEC].into_iter().chain(engines).chain(backtrack::SPECS.iter().copied()).collect()
});

/// Returns the algorithm of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static AlgorithmSpec> {
    ALGORITHMS.iter().find(|spec| spec.name == name)
}

//! Exact covers by dancing links: with colors, multiplicities, and any number of solutions.
//!
//! # The problem
//! There are *items* and *options*; an option is a set of items. An *exact cover* is a set of options
//! that contains every item exactly once. Three extensions make most puzzles fit (Knuth, *The Art of
//! Computer Programming*, volume 4B, section 7.2.2.1):
//! - a *secondary* item need not be covered, but at most once;
//! - an option may give a *color* to a secondary item, and options that agree on the color share it;
//! - a primary item may have *bounds*: it is then covered at least `low` and at most `high` times.
//!
//! # An example
//! ```
//! use dlx::ProblemBuilder;
//!
//! // Which of the six sets use each of the letters a to g exactly once? (Knuth's first example.)
//! let mut builder = ProblemBuilder::new();
//! let items = ["a", "b", "c", "d", "e", "f", "g"].map(|name| builder.primary(name).expect("new"));
//! let [a, b, c, d, e, f, g] = items;
//! builder.option([c, e])?;
//! builder.option([a, d, g])?;
//! builder.option([b, c, f])?;
//! builder.option([a, d, f])?;
//! builder.option([b, g])?;
//! builder.option([d, e, g])?;
//! let problem = builder.build();
//!
//! // Count the covers, or go through them one by one.
//! assert_eq!(dlx::count(&problem), 1);
//! for cover in dlx::solutions(&problem) {
//!     let options: Vec<_> = cover.iter().map(|&o| problem.show(o).to_string()).collect();
//!     assert_eq!(options, ["a d f", "b g", "c e"]);
//! }
//! # Ok::<(), dlx::BuildError>(())
//! ```
//!
//! # Where is what
//! - [`Problem`], [`ProblemBuilder`]: the problem. `text.parse::<Problem>()` reads Knuth's text
//!   ([`text`]), and [`text::write`] writes it.
//! - [`count`], [`solutions`]: the whole answer in one call.
//! - [`Solver`]: reduces the problem, splits it into independent parts, and chooses an engine for each.
//! - [`Engine::search`]: a visitor, options given beforehand, [`Limits`], and a [`Report`].
//! - [`ENGINES`]: the engines, and [`choose`] among them. [`engine::Links`] are dancing links,
//!   [`engine::Cells`] dancing cells for large sparse problems, [`engine::Masks`] bit masks and SIMD for dense
//!   ones; [`engine::Naive`] is the oracle that the others are tested against.
//! - [`cheapest`]: the covers of least cost, where options have costs.
//! - [`parallel`]: any of these engines on several cores.
//! - [`verify`], [`conflict`]: an independent check of an answer.
//! - [`restrict`]: given options written into the problem, for texts that leave the house.
//!
//! The crate reads no file, prints nothing, and knows no puzzle.

mod components;
mod id;
mod problem;
mod reduce;
mod restrict;
mod subtree;
mod verify;

pub mod cheapest;
pub mod engine;
pub mod parallel;
pub mod search;
pub mod solver;
pub mod text;

pub use engine::{ENGINES, Engine, EngineSpec, choose};
pub use id::{Color, ItemId, OptionId};
pub use problem::{Bounds, BuildError, Entry, Problem, ProblemBuilder};
pub use restrict::{Restricted, restrict};
pub use search::{End, Limit, Limits, Progress, Report, Visit};
pub use solver::Solver;
pub use subtree::Subtree;
pub use text::ParseError;
pub use verify::{Conflict, Violation, conflict, verify};

/// Counts the exact covers of `problem`; `u64::MAX` stands for that many or more.
///
/// A [`Solver`] does it, so the counts of independent parts are multiplied.
///
/// ```
/// // Dominoes on a 2x3 board.
/// let text = "11 12 13 21 22 23\n11 12\n12 13\n21 22\n22 23\n11 21\n12 22\n13 23\n";
/// assert_eq!(dlx::count(&text.parse()?), 3);
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[must_use]
pub fn count(problem: &Problem) -> u64 {
    Solver::new(problem.clone()).count(&[], &Limits::default()).solutions
}

/// Iterates over the exact covers of `problem`, each as its options in order of choice.
///
/// ```
/// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
/// let sizes: Vec<_> = dlx::solutions(&problem).map(|cover| cover.len()).collect();
/// assert_eq!(sizes, [2, 1]);
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[must_use]
pub fn solutions(problem: &Problem) -> engine::Solutions {
    engine::Links::new(problem).into_solutions(&[])
}

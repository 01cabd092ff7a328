//! Solves exact cover problems by dancing links, with colors, multiplicities, and counts of any
//! size.
//!
//! # The problem
//! A problem consists of *items* and *options*, and each option is a set of items. An *exact cover*
//! is a set of options that contains every item exactly once. Three extensions make most puzzles
//! fit (Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1):
//! - A *secondary* item is covered at most once.
//! - An option may give a *color* to a secondary item. Options that give it the same color share
//!   the item.
//! - A primary item may have *bounds*: covers contain it at least `low` and at most `high` times.
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
//! assert_eq!(dlx::count(&problem), 1u8.into());
//! for cover in dlx::solutions(&problem) {
//!     let options: Vec<_> = cover.iter().map(|&o| problem.show(o).to_string()).collect();
//!     assert_eq!(options, ["a d f", "b g", "c e"]);
//! }
//! # Ok::<(), dlx::BuildError>(())
//! ```
//!
//! # Counting, finding, limits
//! [`count()`] and [`solutions`] answer in one call. A [`Solver`] is an [`Engine`]: it also takes
//! given options, passes each cover to a visitor, respects [`Limits`], and returns a [`Report`]
//! with the cost and the end of the search.
//! ```
//! use dlx::{End, Engine, Limit, Limits, OptionId, Solver};
//! use std::ops::ControlFlow;
//! use std::time::Duration;
//!
//! // Dominoes on a board of 4x4: two neighboring squares are an option.
//! let square = |row: usize, column: usize| format!("{row}{column}");
//! let squares: Vec<_> = (0..16).map(|place| square(place / 4, place % 4)).collect();
//! let mut text = squares.join(" ") + "\n";
//! for (row, column) in (0..16).map(|place| (place / 4, place % 4)) {
//!     if column < 3 {
//!         text += &format!("{} {}\n", square(row, column), square(row, column + 1));
//!     }
//!     if row < 3 {
//!         text += &format!("{} {}\n", square(row, column), square(row + 1, column));
//!     }
//! }
//! let problem: dlx::Problem = text.parse()?;
//! let mut solver = Solver::new(problem.clone());
//!
//! // All covers are counted unless a limit ends the search: then there is no count.
//! let limits = Limits::new().within(Duration::from_secs(10));
//! assert_eq!(solver.count(&[], &limits).count(), Some(36));
//! // Those that contain the first option, a domino in the corner.
//! assert_eq!(solver.count(&[OptionId::new(0)], &limits).count(), Some(18));
//! // Two covers are enough to know that there are several.
//! let report = solver.count(&[], &Limits::new().solutions(2));
//! assert_eq!((report.solutions, report.end), (2, End::Limit(Limit::Solutions)));
//! // The first cover that is looked at ends this search.
//! let report = solver.search(&[], &Limits::new(), &mut |cover| {
//!     assert!(dlx::verify(&problem, &[], cover).is_ok());
//!     ControlFlow::Break(())
//! });
//! assert_eq!(report.end, End::Stopped);
//! # Ok::<(), dlx::ParseError>(())
//! ```
//!
//! # Choosing an engine
//! The solver chooses an engine and gives the reason. You can also select any engine by name, or
//! build it directly.
//! ```
//! use dlx::engine::{Cells, Links, Masks};
//! use dlx::{ENGINES, Engine, Limits};
//!
//! let problem: dlx::Problem = "a b c d\na b\nc d\na c\nb d\na\nb c d\n".parse()?;
//! let (spec, reason) = dlx::choose(&problem);
//! assert_eq!((spec.name, reason), ("masks", "an option excludes many others"));
//!
//! let spec = ENGINES.iter().find(|spec| spec.name == "cells").expect("it is in the table");
//! let mut engine = (spec.build)(&problem)?;
//! assert_eq!(engine.count(&[], &Limits::new()).count(), Some(3));
//!
//! let engines: [&mut dyn Engine; 3] =
//!     [&mut Links::new(&problem), &mut Cells::new(&problem)?, &mut Masks::new(&problem)?];
//! for engine in engines {
//!     assert_eq!(engine.count(&[], &Limits::new()).count(), Some(3));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | engine | method | for |
//! |---|---|---|
//! | [`Links`](engine::Links) | dancing links | short searches; the reference for nodes and order |
//! | [`Cells`](engine::Cells) | dancing cells, sets in arrays | large sparse problems |
//! | [`Masks`](engine::Masks) | bit masks and SIMD | small and dense problems |
//! | [`Counts`](engine::Counts) | one set of bits, counted by SIMD | small and dense problems with bounds |
//! | [`Learn`](engine::Learn) | clause learning | one cover of a hard problem, or the proof that there is none |
//! | [`Naive`](engine::Naive) | plain sets, as simple as possible | the oracle of the tests |
//!
//! # Overview
//! - [`ExactCover`]: problems whose items and options are values of your own types.
//! - [`Problem`], [`ProblemBuilder`]: the problem. `text.parse::<Problem>()` reads Knuth's text
//!   format ([`text`]), and [`text::write`] writes it.
//! - [`count()`], [`solutions`], [`sample`]: count, iterate over, or draw covers in one call.
//! - [`Solver`]: reduces the problem, splits it into independent parts, and chooses an engine for
//!   each part.
//! - [`Engine`], [`ENGINES`]: the interface of all engines ([`search`]), and a table of them
//!   ([`engine`]).
//! - [`Limits`], [`limits`]: limits that end a search early, and its progress.
//! - [`cheapest`]: the covers of least cost, if options have costs.
//! - [`parallel`]: searches on several cores with any of these engines.
//! - [`count::Counter`]: counts covers without listing them; the count may have any size.
//! - `classes` (feature `unstable`): covers up to symmetry, as a number or one representative per
//!   class.
//! - [`diagram::Diagram`]: all covers as a decision diagram, for counts per option, uniform
//!   samples, and access by index.
//! - `shards` (feature `unstable`): counts in parts that many processes and machines share, and
//!   that can be resumed.
//! - `exchange` (feature `unstable`): counts whose states are blocks of bytes, on disk or in a
//!   cluster if they exceed one machine's memory.
//! - `estimate` (feature `unstable`): the approximate number of covers, if counting takes too long.
//! - [`explain`]: the logical steps that lead to the cover, and their difficulty.
//! - `engine::events` (feature `unstable`): a search as a sequence of events.
//! - `proofs` (feature `unstable`): proofs for the checkers of SAT and pseudo-Boolean solvers.
//! - [`verify`], [`conflict`]: independent checks of covers; with the feature `unstable`, [`trust`]
//!   also checks proofs of counts.
//!
//! The feature `unstable` is for the program Farandole. What it adds may change in any version:
//! without it, these modules, types and functions are private or hidden.
//!
//! The crate reads no files, prints no output, and contains no puzzles.

// Without the feature `unstable` parts of these modules, and of what they use, are dead code.
#![cfg_attr(not(feature = "unstable"), allow(dead_code, unused_imports, unreachable_pub))]

mod algebra;
mod bits;
pub mod cheapest;
#[cfg(not(feature = "unstable"))]
mod classes;
#[cfg(feature = "unstable")]
pub mod classes;
pub mod count;
pub mod diagram;
pub mod engine;
#[cfg(not(feature = "unstable"))]
mod estimate;
#[cfg(feature = "unstable")]
pub mod estimate;
#[cfg(not(feature = "unstable"))]
mod exchange;
#[cfg(feature = "unstable")]
pub mod exchange;
pub mod explain;
mod frontier;
mod methods;
mod model;
mod numbers;
mod pairs;
pub mod parallel;
mod portfolio;
mod prepare;
#[cfg(not(feature = "unstable"))]
mod proofs;
#[cfg(feature = "unstable")]
pub mod proofs;
pub mod search;
#[cfg(not(feature = "unstable"))]
mod shards;
#[cfg(feature = "unstable")]
pub mod shards;
mod simplex;
pub mod solve;
mod symmetries;
pub mod trust;
mod typed;

pub use engine::ENGINES;
pub use num_bigint::BigUint;

pub use limits::{self, CountProgress, End, Limit, Limits, Progress};
pub use model::{
    Bounds, BuildError, Color, Entry, ItemId, ItemNumber, OptionId, ParseError, Problem,
    ProblemBuilder, Restricted, Subtree, ZeroOrOne, restrict, text,
};
pub use numbers::Random;
pub use portfolio::choose;
pub use search::{Engine, EngineSpec, Report, Unsupported, Visit};
pub use solve::{LazyCovers, Solver};
pub use trust::{Conflict, Violation, conflict, verify};
pub use typed::{ExactCover, ItemUse};

/// Counts the exact covers of `problem`, however many there are.
///
/// The count comes from a [`Counter`](count::Counter), which need not list the covers. Use that for
/// counts with limits or on several threads.
///
/// ```
/// // Perfect matchings of 40 points: 39 * 37 * ... * 1.
/// let pairs = (0..40).flat_map(|to| (0..to).map(move |from| [from, to]));
/// let problem = dlx::Problem::from_sets(40, pairs)?;
/// assert_eq!(dlx::count(&problem).to_string(), "319830986772877770815625");
/// # Ok::<(), dlx::BuildError>(())
/// ```
#[must_use]
pub fn count(problem: &Problem) -> BigUint {
    let report = count::Counter::new(problem.clone()).count(&[], &Limits::default());
    report.total()
}

/// Draws `count` exact covers of `problem`, each with the same probability and independent of the
/// others. Returns no covers if there are none.
///
/// The covers depend only on the problem, `count` and `seed`. They come from a
/// [`Diagram`](diagram::Diagram) of at most 1 GiB. Use a diagram for other bounds, for limits of
/// time, or for another source of random numbers.
///
/// ```
/// let problem = dlx::Problem::from_sets(3, [vec![0], vec![1], vec![2], vec![0, 1, 2]])?;
/// let covers = dlx::sample(&problem, 1000, 7).expect("the diagram is small");
/// let large = covers.iter().filter(|cover| cover.len() == 3).count();
/// assert!(450 < large && large < 550);
/// # Ok::<(), dlx::BuildError>(())
/// ```
///
/// # Errors
/// [`Limit::Memory`] if the diagram would exceed 1 GiB.
pub fn sample(problem: &Problem, count: usize, seed: u64) -> Result<Vec<Vec<OptionId>>, Limit> {
    let diagram = diagram::Diagram::new(problem, &[], &Limits::default(), 1 << 30)
        .map_err(|unbuilt| unbuilt.limit)?;
    let mut random = Random::new(seed);
    Ok((0..count).map_while(|_| diagram.sample(&mut || random.next_u64())).collect())
}

/// Iterates over the exact covers of `problem`, each as a list of options, in no particular order.
///
/// A [`Solver`] searches for the next covers while the caller uses the previous ones. Limits, given
/// options and threads can be set before the first cover is taken ([`LazyCovers`]).
/// [`Solver::into_solutions`] does the same for an existing solver.
///
/// ```
/// use std::time::Duration;
///
/// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
/// let mut sizes: Vec<_> = dlx::solutions(&problem).map(|cover| cover.len()).collect();
/// sizes.sort();
/// assert_eq!(sizes, [1, 2]);
///
/// let mut covers = dlx::solutions(&problem).limits(dlx::Limits::new().within(Duration::from_secs(10)));
/// assert_eq!(covers.by_ref().count(), 2);
/// assert_eq!(covers.report().expect("all were seen").end, dlx::End::Exhausted);
/// # Ok::<(), dlx::ParseError>(())
/// ```
pub fn solutions(problem: &Problem) -> LazyCovers {
    Solver::new(problem.clone()).into_solutions(&[])
}

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

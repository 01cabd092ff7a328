//! Solves, counts and compares exact-cover puzzles.
//!
//! This crate reads texts as puzzles and translates puzzles to exact covers; [`dlx`] finds the
//! covers.
//!
//! ```
//! use farandole::stream::{StreamHints, Stream};
//!
//! let text = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
//! for puzzle in Stream::open(text.as_bytes(), &StreamHints::default())? {
//!     let puzzle = puzzle?;
//!     let mut solution = String::new();
//!     for cover in dlx::engine::Links::new(puzzle.problem()).into_solutions(puzzle.given()) {
//!         puzzle.show(&cover, 1, &mut solution);
//!     }
//!     assert!(solution.starts_with("812753649943682175"));
//! }
//! # Ok::<(), text::InputError>(())
//! ```
//!
//! # Modules
//! - [`stream`] reads the puzzles of a text.
//! - [`kinds`] has the table of kinds ([`kinds::KINDS`]).
//! - [`generate`] generates puzzles of any kind whose clues can be written.
//! - [`algorithm`] has all solving methods ([`algorithm::ALGORITHMS`]).
//! - [`candidates`] finds the candidates that occur in some solution.
//! - [`explain`] explains puzzles step by step, and rates them.
//! - [`shards`] has the files for counts in parts on several processes and machines.

#[macro_use]
extern crate text;

pub mod algorithm;
pub mod candidates;
pub mod explain;
pub mod generate;
mod html;
pub mod kinds;
pub mod results;
pub mod shards;
pub mod stream;

/// The Rust code blocks of the README and the guides, compiled as doc tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct ReadmeOfTheProgram;

    #[doc = include_str!("../README.md")]
    struct Readme;
}

//! Solves, counts and compares exact-cover puzzles.
//!
//! This crate turns texts into puzzles and puzzles into exact covers; the covers are found by [`dlx`].
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
//! # Where is what
//! - [`stream`]: from a text to its puzzles.
//! - [`input`]: lines, samples, errors that show their line.
//! - [`grid`]: the model of Sudoku-like puzzles, and its text forms ([`grid::FORMATS`]).
//! - [`puzzle`]: the kinds ([`puzzle::KINDS`]) and their translations.
//! - [`generate`]: new puzzles of any kind whose clues can be written.
//! - [`algorithm`]: every way to solve them ([`algorithm::ALGORITHMS`]).
//! - [`explain`]: puzzles explained and rated, step by step.
//! - [`shards`]: counts in parts as files, for many processes and machines.
//! - [`compare`]: comparisons of algorithms and programs as data, with pages and plots of them.

#[macro_use]
extern crate text;

pub mod algorithm;
pub mod explain;
pub mod generate;
pub mod kinds;
pub mod shards;
pub mod stream;

/// The Rust blocks of the README and the guides, run as doc tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
}

//! Solves, counts and compares exact-cover puzzles.
//!
//! This crate turns texts into puzzles and puzzles into exact covers; the covers are found by [`dlx`].
//!
//! ```
//! use farandole::{grid::Setting, input::Lines, puzzle::{Puzzle, Translator}};
//! use farandole::grid::format;
//!
//! let text = "800000000003600000070090200050007000000045700000100030001000068008500010090000400";
//! let mut reader = format::by_name("line").expect("a format").reader();
//! let grid = reader.next(&mut Lines::of_text(text), &mut Setting::default())?.expect("a grid");
//! let puzzle = Translator::default().puzzle(grid);
//! let mut links = dlx::engine::Links::new(puzzle.problem());
//! let mut shown = String::new();
//! for cover in links.into_solutions(puzzle.given()) {
//!     puzzle.show(&cover, 1, &mut shown);
//! }
//! assert!(shown.starts_with("812753649943682175"));
//! # Ok::<(), farandole::input::InputError>(())
//! ```
//!
//! # Where is what
//! - [`input`]: lines, samples, errors that show their line.
//! - [`grid`]: the model of Sudoku-like puzzles, and its text forms ([`grid::FORMATS`]).
//! - [`puzzle`]: the kinds ([`puzzle::KINDS`]) and their translations.
//! - [`algorithm`]: every way to solve them ([`algorithm::ALGORITHMS`]).

pub mod algorithm;
#[cfg(feature = "cli")]
pub mod cli;
pub mod grid;
pub mod input;
pub mod puzzle;
#[cfg(feature = "cli")]
pub mod render;

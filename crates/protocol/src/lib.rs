//! Questions to the program `farandole` and its answers, as JSON.
//!
//! A [`Request`] names a [`Question`] of the table [`QUESTIONS`] (a command of the program), its
//! options, and the text of the puzzles. [`Request::arguments`] checks it and returns the command
//! line; the text goes to standard input. The answer is a sequence of [`Event`]s and ends
//! with [`Event::End`].
//!
//! Invariant: no request makes the program read or write a file, or start another program. The
//! table has no option that names one, no value can start an option, and arguments hold no
//! separator of folders. A carrier runs the program in an empty folder, because the program reads a
//! file whose name is that of a parameter.

mod event;
mod request;
mod schema;
mod table;
#[cfg(test)]
mod tests;

pub use event::{End, Event};
pub use request::{Bounds, Request, RequestError};
pub use schema::{schema, table};
pub use table::{
    Arguments, OptionKind, Output, QUESTIONS, Question, QuestionOption, REFUSED, REFUSED_COMMANDS,
};

/// Largest number of bytes of the text of a request. Ten times the largest shipped puzzle file.
pub const INPUT_MAX: usize = 8 << 20;

/// Largest number of bytes of a request as JSON. Escaping doubles a text of quotes or short lines;
/// the rest is room for options.
pub const REQUEST_MAX: usize = 2 * INPUT_MAX + (1 << 20);

/// Largest number of bytes of the value of an option. Titles and lists of engines are the longest.
pub const VALUE_MAX: usize = 1000;

/// Largest number of arguments, such as sizes of boards.
pub const ARGUMENTS_MAX: usize = 64;

/// Largest number of bytes of an argument. Indices of solutions can have thousands of digits.
pub const ARGUMENT_MAX: usize = 4096;

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

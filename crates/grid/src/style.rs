//! How a grid was written, so that it can be written so again.

use super::Alphabet;
use super::format::{self, Format};

/// How a grid was written.
#[derive(Clone, Copy)]
pub struct Style {
    /// The format it was read from, and is written in again.
    pub format: &'static dyn Format,
    /// What stands for the symbols.
    pub alphabet: Alphabet,
    /// What stands for an empty cell; a space if every cell stands between bars of its own.
    pub blank: char,
    /// Whether blanks stand between the cells of a row.
    pub is_spaced: bool,
    /// Whether rules and bars stand between the boxes.
    pub is_ruled: bool,
}

impl Style {
    /// Returns the plain style of `format`: digits, dots, no blanks, no rules.
    #[must_use]
    pub fn new(format: &'static dyn Format) -> Self {
        Self { format, alphabet: Alphabet::Digits, blank: '.', is_spaced: false, is_ruled: false }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::new(format::DEFAULT)
    }
}

impl std::fmt::Debug for Style {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Style")
            .field("format", &self.format.name())
            .field("alphabet", &self.alphabet)
            .field("blank", &self.blank)
            .finish_non_exhaustive()
    }
}

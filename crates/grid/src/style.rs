//! The style of a grid's text, so that the grid can be written in the same style.

use super::Alphabet;
use super::format::{self, Format};

/// The style of a grid's text.
#[derive(Clone, Copy)]
pub struct Style {
    /// The format of the grid's text, for input and output.
    pub format: &'static Format,
    /// The characters or numbers that stand for the symbols.
    pub alphabet: Alphabet,
    /// The character for an empty cell, which is a space if every cell is enclosed in bars.
    pub blank: char,
    /// Whether spaces separate the cells of a row.
    pub is_spaced: bool,
    /// Whether horizontal and vertical lines separate the boxes.
    pub is_ruled: bool,
}

impl Style {
    /// Returns the plain style of `format`: digits, dots for empty cells, no spaces and no lines.
    #[must_use]
    pub fn new(format: &'static Format) -> Self {
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
            .field("format", &self.format.name)
            .field("alphabet", &self.alphabet)
            .field("blank", &self.blank)
            .finish_non_exhaustive()
    }
}

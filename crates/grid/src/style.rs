//! How a grid was written, so that it can be written the same way.

use super::Alphabet;
use super::format::{self, Format};

/// How a grid was written.
#[derive(Clone, Copy)]
pub struct Style {
    /// The format of the input, and of the output.
    pub format: &'static dyn Format,
    /// The characters or numbers of the symbols.
    pub alphabet: Alphabet,
    /// The character of an empty cell; a space if every cell is enclosed in bars.
    pub blank: char,
    /// Whether blanks separate the cells of a row.
    pub is_spaced: bool,
    /// Whether rules and bars separate the boxes.
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

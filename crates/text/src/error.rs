//! Errors of an input, with their position and the line they are in.

use std::fmt::{self, Write as _};
use std::io;

/// An error in an input, with its position and line, or an error of the input as a whole.
///
/// ```
/// use text::InputError;
///
/// let error = InputError::at(3, "53.x7....", 3, "expected a digit, found `x`");
/// assert_eq!(error.to_string(), "3:4: expected a digit, found `x`");
/// assert_eq!(error.excerpt(), "  53.x7....\n     ^\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// Number of the line, from 1; 0 for an error of the whole input.
    pub line: usize,
    /// Column in characters, from 1; 0 for an error of the whole input.
    pub column: usize,
    /// Description of the expected and the found text.
    pub message: String,
    /// Text of the line without its line end; empty if there is none.
    pub text: String,
    /// The limit that stopped the reader, if the input itself may be valid.
    pub limit: Option<TextLimit>,
}

/// A limit that stopped the reading or writing of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextLimit {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// An interrupt by the user.
    Interrupt,
}

impl InputError {
    /// Returns an error at byte `start` of line `line`, whose text is `text`.
    pub fn at(line: usize, text: &str, start: usize, message: impl Into<String>) -> Self {
        let before = text.get(..start).unwrap_or(text);
        let column = before.chars().count() + 1;
        Self { line, column, message: message.into(), text: text.to_owned(), limit: None }
    }

    /// Returns an error of the whole input.
    pub fn whole(message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, message: message.into(), text: String::new(), limit: None }
    }

    /// Returns an error for a limit that stopped the reading or building of a puzzle; `what` names
    /// the interrupted action.
    #[must_use]
    pub fn limited(limit: impl Into<TextLimit>, what: &str) -> Self {
        let limit = limit.into();
        let name = match limit {
            TextLimit::Time => "time limit reached",
            TextLimit::Memory => "memory limit reached",
            TextLimit::Interrupt => "interrupted",
        };
        Self { limit: Some(limit), ..Self::whole(format!("{name} {what}")) }
    }

    /// Converts an error of an input stream: returns the input error that it contains, or else one
    /// with the reason of the system.
    pub fn of_io(error: &io::Error) -> Self {
        let limit = error.get_ref().and_then(|inner| inner.downcast_ref::<Self>());
        limit.cloned().unwrap_or_else(|| Self::whole(format!("cannot read: {error}")))
    }

    /// Returns the line, and below it a caret at the column, both indented by two blanks. Shows
    /// only the part of a long line around the column. Returns an empty text if the line is empty.
    #[must_use]
    pub fn excerpt(&self) -> String {
        const BEFORE: usize = 60;
        const WIDTH: usize = 76;
        if self.text.trim().is_empty() {
            return String::new();
        }
        let skipped = self.column.saturating_sub(1 + BEFORE);
        let shown = self.text.chars().skip(skipped).take(WIDTH);
        let shown: String = shown.map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("  {shown}\n{:1$}^\n", "", self.column - skipped + 1)
    }
}

/// Maximum length of a quoted text in a message (characters).
pub(super) const QUOTE_LIMIT: usize = 60;

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        // A quoted text may be as long as the input, so it is shortened.
        for (index, part) in self.message.split('`').enumerate() {
            if index > 0 {
                f.write_str("`")?;
            }
            let (part, dots) = match part.char_indices().nth(QUOTE_LIMIT) {
                Some((end, _)) if index % 2 == 1 => (&part[..end], "..."),
                _ => (part, ""),
            };
            // Escape control characters of the input, because they must not affect the terminal.
            for c in part.chars() {
                if c.is_control() && c != '\n' {
                    write!(f, "{}", c.escape_default())?;
                } else {
                    f.write_char(c)?;
                }
            }
            f.write_str(dots)?;
        }
        Ok(())
    }
}

impl From<String> for InputError {
    fn from(message: String) -> Self {
        Self::whole(message)
    }
}

impl std::error::Error for InputError {}

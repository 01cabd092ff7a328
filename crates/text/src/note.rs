//! Notes on parts of an input that are not used and cannot change the answer.

use std::borrow::Cow;
use std::fmt;

use super::error::QUOTE_LIMIT;
use super::{InputError, Line};

/// A note on a part of the input that is not used and cannot change the answer, or on a doubtful
/// assumption.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputNote {
    /// Kind of the note, such as "not used: a title".
    pub what: Cow<'static, str>,
    /// Line of the first occurrence, from 1; 0 for the whole input.
    pub line: usize,
    /// Column of the first occurrence in characters, from 1.
    pub column: usize,
    /// Text of the first occurrence, possibly shortened; empty if there is none.
    pub text: String,
    /// Number of further occurrences.
    pub more: u64,
}

impl fmt::Display for InputNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, line, column, text, more } = self;
        let mut message = what.clone().into_owned();
        if !text.is_empty() {
            // Replace backquotes, because they would end the quotation.
            message += &format!(" `{}`", text.replace('`', "'"));
        }
        if *more > 0 {
            message += &format!(" (and {more} more)");
        }
        InputError { line: *line, column: *column, ..InputError::whole(message) }.fmt(f)
    }
}

/// The notes on an input. Each kind has one note, with the position of the first occurrence and the
/// number of the other occurrences.
#[derive(Clone, Debug, Default)]
pub struct InputNotes {
    list: Vec<InputNote>,
}

/// Maximum number of kinds of notes on an input; all further kinds are counted in the last note.
const NOTE_KINDS: usize = 12;

impl InputNotes {
    /// Adds a note on `text`, which begins at byte `start` of `line`; `what` is the kind of the
    /// note.
    ///
    /// ```
    /// use text::{InputNotes, Line};
    ///
    /// let line = |text: &str, number| Line { text: text.to_owned(), number };
    /// let mut notes = InputNotes::default();
    /// notes.add("not used: a title", &line("Easy", 1), 0, "Easy");
    /// notes.add("not used: a title", &line("Hard", 3), 0, "Hard");
    /// assert_eq!(notes.take()[0].to_string(), "1:1: not used: a title `Easy` (and 1 more)");
    /// assert!(notes.take().is_empty());
    /// ```
    pub fn add(&mut self, what: impl Into<Cow<'static, str>>, line: &Line, start: usize, text: &str) {
        let what = what.into();
        if let Some(known) = self.list.iter_mut().find(|note| note.what == what) {
            known.more += 1;
            return;
        }
        let InputError { line, column, .. } = line.error(start, "");
        // Keep one more character than is shown, so that a long text is marked as shortened.
        let text = text.chars().take(QUOTE_LIMIT + 1).collect();
        self.append([InputNote { what, line, column, text, more: 0 }]);
    }

    /// Adds the notes on another part of the same input.
    pub fn append(&mut self, notes: impl IntoIterator<Item = InputNote>) {
        for mut note in notes {
            if self.list.len() == NOTE_KINDS && self.list.iter().all(|known| known.what != note.what) {
                note.what = "not used: other text".into();
            }
            match self.list.iter_mut().find(|known| known.what == note.what) {
                Some(known) => known.more += 1 + note.more,
                None => self.list.push(note),
            }
        }
    }

    /// Removes and returns the notes.
    pub fn take(&mut self) -> Vec<InputNote> {
        std::mem::take(&mut self.list)
    }
}

//! Reading and writing within limits: readers and writers tell how much they did, and learn when to
//! stop.

use dlx::limits::Pace;
use dlx::{Limit, Limits};

use text::{InputError, TextLimit};

/// Why a problem was not written: the form cannot hold it, or a limit was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritten {
    /// What the form cannot hold, or which limit was reached.
    pub message: String,
    /// The limit, if there was one.
    pub limit: Option<TextLimit>,
}

impl From<String> for Unwritten {
    fn from(message: String) -> Self {
        Self { message, limit: None }
    }
}

impl From<&str> for Unwritten {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl Unwritten {
    /// Tells that a limit ended the writing.
    pub(super) fn limited(limit: Limit) -> Self {
        let InputError { message, limit, .. } =
            InputError::limited(crate::text_limit(limit), "while it was written");
        Self { message, limit }
    }
}

/// Counts what is written against the limits.
pub(super) struct Pen<'l>(Pace<'l>);

/// The approximate time to write an entry, in nanoseconds.
const ENTRY_WORK: u64 = 30;

impl<'l> Pen<'l> {
    pub(super) fn new(limits: &'l Limits) -> Self {
        Self(Pace::new(limits))
    }

    /// Spends the work of a number of entries.
    pub(super) fn spend(&mut self, entries: usize) -> Result<(), Unwritten> {
        self.0.spend(ENTRY_WORK * (1 + entries as u64)).map_err(Unwritten::limited)
    }
}

/// Says that a limit ended the reading of a text.
pub(super) fn unread(limit: Limit) -> InputError {
    InputError::limited(crate::text_limit(limit), "while the text was read")
}

/// The approximate time to read a byte, in nanoseconds.
const BYTE_WORK: u64 = 10;

/// Spends the work of reading a part of a text.
pub(super) fn spend(pace: &mut Pace<'_>, text: &str) -> Result<(), InputError> {
    pace.spend(BYTE_WORK * (1 + text.len() as u64)).map_err(unread)
}

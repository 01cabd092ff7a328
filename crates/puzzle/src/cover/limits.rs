//! Limits on reading and writing problems. Readers and writers report their work, and stop when a
//! limit is reached.

use dlx::limits::Pace;
use dlx::{Limit, Limits};

use text::{InputError, TextLimit};

/// The reason why a problem was not written: an unsupported feature, or a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritten {
    /// The unsupported feature, or the limit that was reached.
    pub message: String,
    /// The limit that was reached, if any.
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
    /// Returns the failure of a text that a limit left unfinished.
    #[must_use]
    pub fn limited(limit: Limit) -> Self {
        let InputError { message, limit, .. } =
            InputError::limited(crate::text_limit(limit), "while it was written");
        Self { message, limit }
    }
}

pub(super) struct WritePace<'l>(Pace<'l>);

const ENTRY_WORK: u64 = 30;

impl<'l> WritePace<'l> {
    pub(super) fn new(limits: &'l Limits) -> Self {
        Self(Pace::new(limits))
    }

    pub(super) fn spend(&mut self, entries: usize) -> Result<(), Unwritten> {
        self.0.spend(ENTRY_WORK * (1 + entries as u64)).map_err(Unwritten::limited)
    }
}

pub(super) fn unread(limit: Limit) -> InputError {
    InputError::limited(crate::text_limit(limit), "while the text was read")
}

const BYTE_WORK: u64 = 10;

pub(super) fn spend(pace: &mut Pace<'_>, text: &str) -> Result<(), InputError> {
    pace.spend(BYTE_WORK * (1 + text.len() as u64)).map_err(unread)
}

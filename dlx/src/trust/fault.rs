//! Faults of proofs for other checkers, with the file and the line.

use std::fmt;

use crate::limits::Limit;

/// A file of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedFile {
    /// The formula: CNF or OPB.
    Formula,
    /// The proof: LRAT or the format of VeriPB.
    Proof,
}

/// The reason why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckFault {
    /// The file of the line.
    pub file: CheckedFile,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, if it is known.
    pub column: Option<usize>,
    /// What was expected, and what was found.
    pub message: String,
    /// The limit that ended the check, if any; the proof may then be valid.
    pub limit: Option<Limit>,
}

impl CheckFault {
    pub(super) fn new(file: CheckedFile, line: usize, message: impl Into<String>) -> Self {
        Self { file, line, column: None, message: message.into(), limit: None }
    }

    pub(super) fn limited(file: CheckedFile, line: usize, limit: Limit) -> Self {
        let message = format!("{limit:?} limit reached while this line was checked").to_lowercase();
        Self { limit: Some(limit), ..Self::new(file, line, message) }
    }
}

/// Formats the line, the column if it is known, and the message: `3:17: expected ...`.
impl fmt::Display for CheckFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))?;
        write!(f, ": {}", self.message)
    }
}

//! Reads the lines of a proof.

use std::io::{BufRead, Read as _};

use super::fault::{CheckFault, CheckedFile};
use crate::limits::{Limit, Pace};

/// Longest line of a proof (bytes), so that a file without line ends does not fill the memory. A
/// clause of two million literals with as many hints fits.
const LINE_MAX: u64 = 64 << 20;
/// Estimated work per byte of a line (ns).
const BYTE_WORK: u64 = 10;

/// The reason why a line is not accepted.
pub(super) enum LineFault {
    /// What was expected, and what was found.
    Wrong(String),
    Limit(Limit),
}

impl From<String> for LineFault {
    fn from(message: String) -> Self {
        Self::Wrong(message)
    }
}

impl From<&str> for LineFault {
    fn from(message: &str) -> Self {
        Self::Wrong(message.to_owned())
    }
}

impl From<Limit> for LineFault {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// Passes each line of a proof, with its number from 1, to `check`. Returns the number of lines.
pub(super) fn check_lines(
    mut proof: impl BufRead,
    pace: &mut Pace<'_>,
    check: &mut dyn FnMut(usize, &str, &mut Pace<'_>) -> Result<(), LineFault>,
) -> Result<usize, CheckFault> {
    let (mut number, mut line) = (0, String::new());
    loop {
        line.clear();
        let fault = |message: String| CheckFault::new(CheckedFile::Proof, number + 1, message);
        let read = proof.by_ref().take(LINE_MAX + 1).read_line(&mut line);
        let length = read.map_err(|error| fault(format!("cannot read: {error}")))? as u64;
        if length == 0 {
            return Ok(number);
        }
        if length > LINE_MAX {
            return Err(fault(format!("expected a line of at most {LINE_MAX} bytes")));
        }
        let text = line.trim_end_matches(['\n', '\r']);
        let paced = pace.spend(BYTE_WORK * length).map_err(LineFault::Limit);
        paced.and_then(|()| check(number + 1, text, pace)).map_err(|what| match what {
            LineFault::Wrong(message) => fault(message),
            LineFault::Limit(limit) => CheckFault::limited(CheckedFile::Proof, number + 1, limit),
        })?;
        number += 1;
    }
}

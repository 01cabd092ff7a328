//! Reads the lines of a proof.

use std::io::{BufRead, Read as _};

use super::fault::{CheckFault, CheckedFile};
use crate::limits::Pace;

/// Longest line of a proof (bytes), so that a file without line ends does not fill the memory. A
/// clause of two million literals with as many hints fits.
const LINE_MAX: u64 = 64 << 20;
/// Estimated work per byte of a line (ns).
const BYTE_WORK: u64 = 10;

/// Passes each line of a proof, with its number from 1, to `check`. Returns the number of lines.
pub(super) fn check_lines(
    mut proof: impl BufRead,
    pace: &mut Pace<'_>,
    check: &mut dyn FnMut(usize, &str) -> Result<(), String>,
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
        pace.spend(BYTE_WORK * length)
            .map_err(|limit| CheckFault::limited(CheckedFile::Proof, number + 1, limit))?;
        check(number + 1, line.trim_end_matches(['\n', '\r'])).map_err(fault)?;
        number += 1;
    }
}

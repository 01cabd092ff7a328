//! Output on its way from those who solve to the one that writes.

use super::tally::BatchTotals;
use crate::cli::io::notices::About;

/// Output is sent to the writer in blocks of about this many bytes.
pub(super) const BLOCK_SIZE: usize = 1 << 15;

/// A piece of output with the tally of the puzzles that it ends.
#[derive(Debug, Default)]
pub(super) struct OutputBlock {
    /// What stands before all output, if this is the first.
    pub(super) head: String,
    pub(super) out: String,
    /// What is said on standard error; empty if enough of the kind was said.
    pub(super) notices: Vec<(About, String)>,
    pub(super) tally: BatchTotals,
}

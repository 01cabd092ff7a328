//! Output on its way from those who solve to the one that writes.

use super::tally::BatchTotals;
use crate::io::gallery::DrawnPicture;
use crate::io::notices::About;

/// Output is sent to the writer in blocks of about this many bytes.
pub(super) const BLOCK_SIZE: usize = 1 << 15;

/// A piece of output with the tally of the puzzles that it ends.
#[derive(Debug, Default)]
pub(super) struct OutputBlock {
    /// What stands before all output, if this is the first.
    pub(super) head: String,
    pub(super) out: String,
    /// Pictures of solutions, in their order.
    pub(super) pictures: Vec<DrawnPicture>,
    /// What is said on standard error; empty if enough of the kind was said.
    pub(super) notices: Vec<(About, String)>,
    pub(super) tally: BatchTotals,
}

impl OutputBlock {
    /// Tells whether there is enough in it to be sent.
    pub(super) fn is_full(&self) -> bool {
        let pictures: usize = self.pictures.iter().map(DrawnPicture::len).sum();
        self.out.len() + pictures >= BLOCK_SIZE
    }
}

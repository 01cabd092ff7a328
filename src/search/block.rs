//! Output blocks that the workers send to the writer.

use super::tally::BatchTotals;
use crate::io::gallery::DrawnPicture;
use crate::io::notices::About;

/// Approximate size of a block (bytes).
pub(super) const BLOCK_SIZE: usize = 1 << 15;

/// A piece of output, with the totals of the puzzles it completes.
#[derive(Debug, Default)]
pub(super) struct OutputBlock {
    /// Text to print before all output, if this block is the first.
    pub(super) head: String,
    pub(super) out: String,
    pub(super) pictures: Vec<DrawnPicture>,
    /// Notices for standard error; an empty text if enough of its kind were shown.
    pub(super) notices: Vec<(About, String)>,
    pub(super) tally: BatchTotals,
}

impl OutputBlock {
    /// Returns whether the block is large enough to be sent.
    pub(super) fn is_full(&self) -> bool {
        let pictures: usize = self.pictures.iter().map(DrawnPicture::len).sum();
        self.out.len() + pictures >= BLOCK_SIZE
    }
}

//! Blocks of output that the workers send to the writer.

use super::tally::BatchTotals;
use crate::io::gallery::DrawnPicture;
use crate::io::notices::About;

/// Approximate size of a block (bytes).
pub(super) const BLOCK_SIZE: usize = 1 << 15;

/// A piece of output, with totals over the puzzles that it completes.
#[derive(Debug, Default)]
pub(super) struct OutputBlock {
    /// Text to print before all output; used if this block is the first one.
    pub(super) head: String,
    pub(super) out: String,
    pub(super) pictures: Vec<DrawnPicture>,
    /// Notices for standard error. A text is empty if enough notices of its kind were shown.
    pub(super) notices: Vec<(About, String)>,
    pub(super) tally: BatchTotals,
}

impl OutputBlock {
    pub(super) fn is_full(&self) -> bool {
        let pictures: usize = self.pictures.iter().map(DrawnPicture::len).sum();
        self.out.len() + pictures >= BLOCK_SIZE
    }
}
